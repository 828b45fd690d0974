//! `tern log verify`: is every record what was appended?

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;

use super::Stored;
use super::followed::{Followed, Noted, follow};
use super::noted::{HeadArgument, checkpoints, public_key};
use crate::failure::{Exit, Failure};
use crate::output::{print, print_data};

/// Follow the chain of each log, and find the first record that is not what was appended
///
/// Beside each record stands a link: SHA-256 over the link before it and the record, and before the first one over the
/// name of the log. Who changes a record has to change every link after it; so a head that was noted elsewhere tells
/// whether a log is still the one that it was.
#[derive(Debug, Args)]
pub(super) struct Verify {
    #[command(flatten)]
    stored: Stored,

    /// A head that was noted once, as this command prints it: the log has to have been just this up to there
    #[arg(long, value_name = "POSITION:LINK", requires = "name")]
    head: Option<HeadArgument>,

    /// Signed checkpoints, as `tern log checkpoint` prints them: each log has to have been just that, and to come to the view
    /// that was signed
    #[arg(long, value_name = "FILE", requires = "key")]
    checkpoint: Option<PathBuf>,

    /// Whose signatures count: an Ed25519 public key, as PEM in a file or as 64 hexadecimal digits
    #[arg(long, value_name = "KEY", requires = "checkpoint")]
    key: Option<String>,

    /// Print a JSON object for each log
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let mut noted = self.noted()?;
        let store = self.stored.store()?;
        let (mut text, mut is_wrong) = (String::new(), false);
        let mut add = |name: &str, followed: &Followed| {
            is_wrong |= followed.wrong.is_some();
            text.push_str(&if self.json {
                followed.to_json(name)
            } else {
                followed.to_text(name)
            });
        };
        for name in self.stored.names(&*store)? {
            let log = store.open_read_only(&name)?;
            let noted = noted.remove(&name).unwrap_or_default();
            add(&name, &follow(&*log, &noted, false)?);
        }
        for (name, noted) in noted {
            if let Some(last) = noted.iter().max_by_key(|it| it.head.position) {
                add(&name, &Followed::missing(&name, last.head));
            }
        }
        let written = if self.json {
            print_data(&text)
        } else {
            print(&text)
        };
        Exit::found(is_wrong).once(written)
    }

    /// What the logs are known to have been, by name.
    fn noted(&self) -> Result<BTreeMap<String, Vec<Noted>>, Failure> {
        let mut noted: BTreeMap<String, Vec<Noted>> = BTreeMap::new();
        if let (Some(HeadArgument(head)), Some(name)) = (self.head, &self.stored.name) {
            let head = Noted { head, view: None };
            noted.entry(name.clone()).or_default().push(head);
        }
        if let (Some(path), Some(key)) = (&self.checkpoint, &self.key) {
            let key = public_key(key)?;
            for signed in checkpoints(path)? {
                let checkpoint = signed.verify(&key)?;
                let is_asked = self.stored.name.as_ref();
                if is_asked.is_none_or(|name| *name == checkpoint.log) {
                    let log = noted.entry(checkpoint.log.clone()).or_default();
                    log.push(Noted::from(checkpoint));
                }
            }
        }
        Ok(noted)
    }
}
