//! `tern log stats`: what a store holds, and what it promises.

use clap::Args;
use serde_json::json;
use tern_store::{Head, Leases, Position};

use super::{Stored, used};
use crate::durable::SNAPSHOT;
use crate::failure::{Exit, Failure};
use crate::output::{print, print_data};
use crate::text::{count, shown};

/// Print what a store holds, and what an acknowledged append is safe from
#[derive(Debug, Args)]
pub(super) struct Stats {
    #[command(flatten)]
    stored: Stored,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// A log, and up to where its snapshot goes.
struct Row {
    name: String,
    head: Head,
    snapshot: Option<Position>,
    /// How many resources stand on record in its log of leases.
    leased: usize,
}

impl Stats {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let store = self.stored.store()?;
        let promise = store.promise()?;
        let names = self.stored.names(&*store)?;
        let logs = store.logs()?;
        let mut rows = Vec::new();
        for (name, head) in &logs {
            if !names.contains(name) {
                continue;
            }
            let leases = Leases::log_of(name);
            let leased = match logs.iter().any(|(name, _)| *name == leases) {
                true => Leases::open(store.open_read_only(&leases)?)?
                    .resources()
                    .count(),
                false => 0,
            };
            let snapshot = store.open_read_only(name)?.snapshot(SNAPSHOT)?;
            rows.push(Row {
                name: name.clone(),
                head: *head,
                snapshot: snapshot.map(|it| it.head.position),
                leased,
            });
        }
        let usage = used::used(&*store)?;
        if self.json {
            let logs: Vec<_> = rows
                .iter()
                .map(|row| {
                    json!({
                        "log": row.name,
                        "position": row.head.position.as_u64(),
                        "link": row.head.link.to_string(),
                        "snapshot": row.snapshot.map(Position::as_u64),
                        "leased": row.leased,
                    })
                })
                .collect();
            let mut object = json!({
                "store": store.address(),
                "promise": {
                    "process_killed": promise.process_killed.to_string(),
                    "power_lost": promise.power_lost.to_string(),
                    "machine_lost": promise.machine_lost.to_string(),
                    "because": promise.because,
                },
                "logs": logs,
            });
            if let (Some(object), Some(usage)) = (object.as_object_mut(), &usage) {
                object.insert("usage".to_owned(), used::objects(usage));
            }
            return Exit::Fine.once(print_data(&format!("{object}\n")));
        }
        let mut text = format!(
            "{}\n  process killed  {}\n  power lost      {}\n  machine lost    {}\n  because {}\n",
            shown(store.address()),
            promise.process_killed,
            promise.power_lost,
            promise.machine_lost,
            promise.because
        );
        for row in rows {
            let records = usize::try_from(row.head.position.as_u64()).unwrap_or(usize::MAX);
            text.push_str(&format!(
                "{}: {}\n  head {}:{}\n",
                shown(&row.name),
                count(records, "record"),
                row.head.position,
                row.head.link
            ));
            if let Some(position) = row.snapshot {
                text.push_str(&format!("  snapshot up to position {position}\n"));
            }
            if row.leased > 0 {
                text.push_str(&format!(
                    "  {} were ever taken by workers\n",
                    count(row.leased, "action")
                ));
            }
        }
        if let Some(usage) = &usage {
            text.push_str(&used::text(usage));
        }
        Exit::Fine.once(print(&text))
    }
}
