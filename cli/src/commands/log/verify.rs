//! `tern log verify`: is every record what was appended?

use std::str::FromStr;

use clap::Args;
use serde_json::json;
use tern_store::{Damage, Error, Head, Link, Log as _, Position, Records, SqliteLog, damage};

use super::{Stored, open};
use crate::failure::{Exit, Failure};
use crate::output::{print, print_data};
use crate::text::{count, shown};

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
    head: Option<Noted>,

    /// Print a JSON object for each log
    #[arg(long)]
    json: bool,
}

/// A head as it is written.
#[derive(Clone, Copy, Debug)]
struct Noted(Head);

impl FromStr for Noted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once(':');
        let parts = parts.and_then(|(position, link)| {
            let position = position.parse().ok().map(Position::new)?;
            let link: Link = link.parse().ok()?;
            Some(Head::new(position, link))
        });
        parts.map(Self).ok_or_else(|| {
            "a head is a position, a colon, and 64 hexadecimal digits in lower case".to_owned()
        })
    }
}

/// What became of following a chain.
struct Followed {
    /// How far it holds.
    head: Head,
    /// What ends it before its time.
    wrong: Option<Wrong>,
}

enum Wrong {
    Broken {
        position: Position,
        expected: Link,
        found: Link,
        damage: Damage,
    },
    /// It is whole, and was another one where the head was noted.
    Other { noted: Head, found: Link },
    /// It is whole, and ends before the place where the head was noted.
    Shorter { noted: Head },
}

impl Verify {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let (mut text, mut is_wrong) = (String::new(), false);
        for name in self.stored.names()? {
            let log = open(&self.stored.file, &name)?;
            let followed = follow(&log, self.head.map(|noted| noted.0))?;
            is_wrong |= followed.wrong.is_some();
            text.push_str(&if self.json {
                followed.to_json(&name)
            } else {
                followed.to_text(&name)
            });
        }
        let written = if self.json {
            print_data(&text)
        } else {
            print(&text)
        };
        Exit::found(is_wrong).once(written)
    }
}

fn follow(log: &SqliteLog, noted: Option<Head>) -> Result<Followed, Failure> {
    let mut head = Head::start(log.name());
    let mut records = Records::new(log, Position::START);
    let mut at_noted = None;
    loop {
        if noted.is_some_and(|noted| noted.position == head.position) {
            at_noted = Some(head.link);
        }
        let next = records.next();
        head = records.head().unwrap_or(head);
        match next {
            Some(Ok(_)) => {}
            None => break,
            Some(Err(Error::BrokenChain {
                position,
                expected,
                found,
                ..
            })) => {
                let damage = damage(log, head)?;
                let wrong = Some(Wrong::Broken {
                    position,
                    expected,
                    found,
                    damage,
                });
                return Ok(Followed { head, wrong });
            }
            Some(Err(error)) => return Err(error.into()),
        }
    }
    let wrong = noted.and_then(|noted| match at_noted {
        None => Some(Wrong::Shorter { noted }),
        Some(found) if found != noted.link => Some(Wrong::Other { noted, found }),
        Some(_) => None,
    });
    Ok(Followed { head, wrong })
}

impl Followed {
    fn to_text(&self, name: &str) -> String {
        let name = shown(name);
        let Head { position, link, .. } = self.head;
        let records = count(
            usize::try_from(position.as_u64()).unwrap_or(usize::MAX),
            "record",
        );
        match &self.wrong {
            None => format!("{name}: {records}, whole\n  head {position}:{link}\n"),
            Some(Wrong::Broken {
                position,
                expected,
                found,
                damage,
            }) => format!(
                "{name}: broken at position {position}: {}\n  its link should be  {expected}\n  beside it stands    \
                 {found}\n  {records} before it: as appended\n",
                match damage {
                    Damage::Record => "the record is not the one that was appended",
                    Damage::Link => "the record is as appended, and its link was changed",
                    _ => "the record or its link was changed, and what follows does not tell which",
                }
            ),
            Some(Wrong::Other { noted, found }) => format!(
                "{name}: {records}, whole, and not the log whose head was noted: it has another history up to position \
                 {}\n  noted  {}\n  found  {found}\n",
                noted.position, noted.link
            ),
            Some(Wrong::Shorter { noted }) => format!(
                "{name}: {records}, whole, and shorter than it was when a head was noted at position {}\n",
                noted.position
            ),
        }
    }

    fn to_json(&self, name: &str) -> String {
        let Head { position, link, .. } = self.head;
        let wrong = self.wrong.as_ref().map(|wrong| match wrong {
            Wrong::Broken {
                position,
                expected,
                found,
                damage,
            } => json!({
                "code": tern_store::Code::BrokenChain.as_str(),
                "position": position.as_u64(),
                "expected": expected.to_string(),
                "found": found.to_string(),
                "changed": match damage {
                    Damage::Record => "record",
                    Damage::Link => "link",
                    _ => "unknown",
                },
            }),
            Wrong::Other { noted, found } => json!({
                "code": "log_other_history",
                "position": noted.position.as_u64(),
                "expected": noted.link.to_string(),
                "found": found.to_string(),
            }),
            Wrong::Shorter { noted } => json!({
                "code": "log_shorter",
                "position": noted.position.as_u64(),
            }),
        });
        let object = json!({
            "log": name,
            "position": position.as_u64(),
            "link": link.to_string(),
            "wrong": wrong,
        });
        format!("{object}\n")
    }
}
