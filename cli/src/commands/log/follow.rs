//! `tern log follow`: each record as it comes.

mod shared;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use tern_store::{Head, Log, Position, Records, Store};

use self::shared::Shared;
use super::Stored;
use super::show;
use crate::failure::{Exit, Failure};
use crate::output::Report;

/// Print each record of a log, or of all logs, as it comes
///
/// With --group, several workers, on one machine or on many, share the logs: each log is followed by one of them at a time, and
/// by another one from where it was when that one dies. A record may then be printed twice, by the one that died and the
/// one that came after; none is left out. How far the group is stands in the store itself.
#[derive(Debug, Args)]
pub(super) struct Follow {
    #[command(flatten)]
    stored: Stored,

    /// The position of the first record that is printed
    #[arg(
        long,
        value_name = "POSITION",
        default_value_t = 0,
        conflicts_with = "group"
    )]
    from: u64,

    /// Share the logs with the other workers of this group
    #[arg(long, value_name = "GROUP", requires = "worker", value_parser = NonEmptyStringValueParser::new())]
    group: Option<String>,

    /// The name of this worker, which no other one has
    #[arg(long, value_name = "NAME", requires = "group", value_parser = NonEmptyStringValueParser::new())]
    worker: Option<String>,

    /// After so many seconds without a sign of its worker, a log is followed by another one
    #[arg(long, value_name = "SECONDS", default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=86400))]
    lease: u64,

    /// End when nothing has come for so many seconds
    #[arg(long, value_name = "SECONDS")]
    idle: Option<u64>,

    /// End after so many records
    #[arg(long, value_name = "N")]
    count: Option<u64>,

    /// Print a JSON object for each record, as `tern log show --json` does
    #[arg(long)]
    json: bool,
}

/// A log that is followed, and up to where its records were printed.
struct Followed {
    log: Box<dyn Log>,
    /// None where it begins in the middle, at a record whose predecessor was not read.
    head: Option<Head>,
    from: Position,
    /// The lease under which it is followed: another one begins where that says.
    token: Option<Position>,
}

/// A log to follow: its name, the lease, and where its printed records end.
pub(super) type Mine = (String, Option<Position>, Option<Head>);

impl Follow {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        let _arranged = ctrlc::set_handler(move || asked.store(true, Ordering::SeqCst));
        let store = self.stored.store()?;
        let mut shared = match (&self.group, &self.worker) {
            (Some(group), Some(worker)) => {
                let lease = Duration::from_secs(self.lease);
                Some(Shared::open(&*store, group, worker, lease)?)
            }
            _ => None,
        };
        let followed = self.follow(&*store, shared.as_mut(), &stop);
        // What was printed is noted, also where it ended with a failure or a closed pipe.
        let left = shared.map_or(Ok(()), |mut shared| shared.leave());
        followed.and_then(|exit| left.map(|()| exit))
    }

    fn follow(
        &self,
        store: &dyn Store,
        mut shared: Option<&mut Shared>,
        stop: &AtomicBool,
    ) -> Result<Exit, Failure> {
        let mut followed: BTreeMap<String, Followed> = BTreeMap::new();
        let (mut printed, mut last) = (0, Instant::now());
        let mut looked: Option<Instant> = None;
        while !stop.load(Ordering::SeqCst) {
            if looked.is_none_or(|looked| looked.elapsed() >= Duration::from_secs(1)) {
                self.look(store, shared.as_deref_mut(), &mut followed)?;
                looked = Some(Instant::now());
            }
            let mut news = 0;
            for (name, followed) in &mut followed {
                if let Some(shared) = shared.as_deref_mut()
                    && !shared.keeps(name)?
                {
                    continue;
                }
                let left = self.count.map_or(u64::MAX, |count| count - printed - news);
                news += self.print(followed, left)?;
                if let (Some(shared), Some(head)) = (shared.as_deref_mut(), followed.head) {
                    shared.note(name, head);
                }
            }
            printed += news;
            if self.count == Some(printed) {
                break;
            }
            if news > 0 {
                last = Instant::now();
                continue;
            }
            let idle = self.idle.map(Duration::from_secs);
            if idle.is_some_and(|idle| last.elapsed() >= idle) {
                break;
            }
            match followed.values().next() {
                Some(only) if followed.len() == 1 => {
                    let position = only.head.map_or(only.from, |head| head.position);
                    only.log.wait(position, Duration::from_millis(500))?;
                }
                _ => std::thread::sleep(Duration::from_millis(100)),
            }
        }
        Ok(Exit::Fine)
    }

    /// Looks which logs there are, and which of them are this worker's to follow.
    fn look(
        &self,
        store: &dyn Store,
        shared: Option<&mut Shared>,
        followed: &mut BTreeMap<String, Followed>,
    ) -> Result<(), Failure> {
        let names = self.stored.names(store)?;
        let mine: Vec<Mine> = match shared {
            None => names.into_iter().map(|name| (name, None, None)).collect(),
            Some(shared) => shared.share(&names)?,
        };
        followed.retain(|name, it| {
            let mut mine = mine.iter();
            mine.any(|(mine, token, _)| mine == name && *token == it.token)
        });
        for (name, token, head) in mine {
            if followed.contains_key(&name) {
                continue;
            }
            let from = head.map_or(Position::new(self.from), |head| head.position);
            let head = head.or_else(|| (self.from == 0).then(|| Head::start(&name)));
            let log = store.open_read_only(&name)?;
            let new = Followed {
                log,
                head,
                from,
                token,
            };
            followed.insert(name, new);
        }
        Ok(())
    }

    /// Prints what is new in a log, up to so many records, and says how many there were.
    fn print(&self, followed: &mut Followed, most: u64) -> Result<u64, Failure> {
        let Followed {
            log, head, from, ..
        } = followed;
        let mut records = match head {
            Some(head) => Records::after(&**log, *head),
            None => Records::new(&**log, *from),
        };
        let mut report = Report::new(self.json);
        let mut printed = 0;
        // Now and then it is looked whether the log is still this worker's.
        const PIECE: u64 = 1000;
        while printed < most.min(PIECE)
            && let Some(record) = records.next()
        {
            let record = record?;
            report.add(&show::line(log.name(), &record, self.json), false)?;
            printed += 1;
        }
        if printed > 0 {
            *head = records.head();
        }
        report.finish("")?;
        Ok(printed)
    }
}
