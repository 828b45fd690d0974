//! Following the chain of a log to its end, past the places where somebody noted what it was.

use serde_json::{Value, json};
use tern_core::log::{Input, Line, Reader, begins_document};
use tern_core::{Context, Digest, State};
use tern_store::{Checkpoint, Damage, Error, Head, Link, Log, Position, Records, damage};

use super::transfer::bar;
use crate::durable::line_of;
use crate::failure::Failure;
use crate::input::new_state;
use crate::text::{count, shown};

/// What a log was once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noted {
    pub(super) head: Head,
    /// What it came to.
    pub(super) view: Option<[u8; 32]>,
}

impl From<&Checkpoint> for Noted {
    fn from(checkpoint: &Checkpoint) -> Self {
        Self {
            head: checkpoint.head,
            view: checkpoint.view,
        }
    }
}

/// What became of following a chain.
pub(super) struct Followed {
    /// How far it holds.
    pub(super) head: Head,
    /// The digest of the view at its end, where that was asked for and the records are those of a log document.
    pub(super) view: Option<Digest>,
    /// What ends it before its time.
    pub(super) wrong: Option<Wrong>,
}

pub(super) enum Wrong {
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
    /// It is whole, and came to something else there.
    View {
        at: Position,
        noted: [u8; 32],
        found: Option<Digest>,
    },
    /// It is not there.
    Missing { noted: Head },
}

/// Follows a log to its end. `noted` is what it is known to have been; `with_view` asks what it comes to.
pub(super) fn follow(log: &dyn Log, noted: &[Noted], with_view: bool) -> Result<Followed, Failure> {
    let with_view = with_view || noted.iter().any(|noted| noted.view.is_some());
    let mut reducer = Reducer::new(log.name(), with_view);
    let mut head = Head::start(log.name());
    let mut records = Records::new(log, Position::START);
    let mut other = None;
    let progress = bar(None);
    loop {
        let here = noted.iter().find_map(|it| differs(it, head, &reducer));
        other = other.or(here);
        let next = records.next();
        head = records.head().unwrap_or(head);
        match next {
            Some(Ok(record)) => {
                progress.inc(record.bytes.len() as u64 + 1);
                reducer.take(&record.bytes);
            }
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
                let view = None;
                return Ok(Followed { head, view, wrong });
            }
            Some(Err(error)) => return Err(error.into()),
        }
    }
    progress.finish_and_clear();
    let beyond = noted.iter().find(|it| it.head.position > head.position);
    let shorter = beyond.map(|noted| Wrong::Shorter { noted: noted.head });
    Ok(Followed {
        head,
        view: reducer.view(),
        wrong: other.or(shorter),
    })
}

/// How the log at `head` is another than it was noted to be there.
fn differs(noted: &Noted, head: Head, reducer: &Reducer) -> Option<Wrong> {
    if noted.head.position != head.position {
        return None;
    }
    if noted.head.link != head.link {
        return Some(Wrong::Other {
            noted: noted.head,
            found: head.link,
        });
    }
    let view = noted.view?;
    let found = reducer.view();
    (found.map(|found| *found.as_bytes()) != Some(view)).then_some(Wrong::View {
        at: head.position,
        noted: view,
        found,
    })
}

/// What the records of a log come to, as long as they are those of a log document.
struct Reducer(Option<(Reader, Option<State>)>);

impl Reducer {
    fn new(name: &str, is_wanted: bool) -> Self {
        let reader = if name == Context::UNVERIFIED {
            Reader::resume(Input::Document, Context::unverified())
        } else {
            Reader::new(Input::Document)
        };
        let state = reader.context().cloned().map(|it| new_state(&it));
        Self(is_wanted.then_some((reader, state)))
    }

    fn take(&mut self, record: &[u8]) {
        let Some((reader, state)) = &mut self.0 else {
            return;
        };
        let Some(record) = line_of(record) else {
            self.0 = None;
            return;
        };
        let is_first = state.is_none();
        match reader.read(record) {
            Ok(Line::Event(event)) => {
                if let Some(state) = state {
                    state.apply(&event);
                }
            }
            Ok(_) if is_first && begins_document(record) => {
                *state = reader.context().map(new_state);
            }
            Ok(_) => {}
            Err(_) => self.0 = None,
        }
    }

    fn view(&self) -> Option<Digest> {
        let (_, state) = self.0.as_ref()?;
        Some(state.as_ref()?.view().digest())
    }
}

impl Wrong {
    /// Its stable code.
    fn code(&self) -> &'static str {
        match self {
            Self::Broken { .. } => tern_store::Code::BrokenChain.as_str(),
            Self::Other { .. } => "log_other_history",
            Self::Shorter { .. } => "log_shorter",
            Self::View { .. } => "log_other_view",
            Self::Missing { .. } => "log_missing",
        }
    }

    /// What is wrong, in one sentence.
    pub(super) fn sentence(&self) -> String {
        match self {
            Self::Broken {
                position, damage, ..
            } => format!(
                "broken at position {position}: {}",
                match damage {
                    Damage::Record => "the record is not the one that was appended",
                    Damage::Link => "the record is as appended, and its link was changed",
                    _ => "the record or its link was changed, and what follows does not tell which",
                }
            ),
            Self::Other { noted, .. } => format!(
                "not the log whose head was noted: it has another history up to position {}",
                noted.position
            ),
            Self::Shorter { noted } => format!(
                "shorter than it was when a head was noted at position {}",
                noted.position
            ),
            Self::View { at, .. } => {
                format!("it does not come to what was noted at position {at}")
            }
            Self::Missing { noted } => {
                format!(
                    "not there, and had {} records when that was noted",
                    noted.position
                )
            }
        }
    }
}

impl Followed {
    /// A log that is not there.
    pub(super) fn missing(name: &str, noted: Head) -> Self {
        Self {
            head: Head::start(name),
            view: None,
            wrong: Some(Wrong::Missing { noted }),
        }
    }

    pub(super) fn to_text(&self, name: &str) -> String {
        let name = shown(name);
        let Head { position, link, .. } = self.head;
        let records = count(
            usize::try_from(position.as_u64()).unwrap_or(usize::MAX),
            "record",
        );
        let Some(wrong) = &self.wrong else {
            let view = self.view.map(|view| format!("  view {view}\n"));
            let view = view.unwrap_or_default();
            return format!("{name}: {records}, whole\n  head {position}:{link}\n{view}");
        };
        let sentence = wrong.sentence();
        match wrong {
            Wrong::Broken {
                expected, found, ..
            } => format!(
                "{name}: {sentence}\n  its link should be  {expected}\n  beside it stands    {found}\n  {records} before \
                 it: as appended\n"
            ),
            Wrong::Other { noted, found } => format!(
                "{name}: {records}, whole, and {sentence}\n  noted  {}\n  found  {found}\n",
                noted.link
            ),
            Wrong::View { noted, found, .. } => {
                let noted = Link::from_bytes(*noted);
                let found = found.map_or("no log document".to_owned(), |it| it.to_string());
                format!(
                    "{name}: {records}, whole, and {sentence}\n  noted  {noted}\n  found  {found}\n"
                )
            }
            Wrong::Shorter { .. } => format!("{name}: {records}, whole, and {sentence}\n"),
            Wrong::Missing { .. } => format!("{name}: {sentence}\n"),
        }
    }

    pub(super) fn to_json(&self, name: &str) -> String {
        let Head { position, link, .. } = self.head;
        let object = json!({
            "log": name,
            "position": position.as_u64(),
            "link": link.to_string(),
            "view": self.view.map(|view| view.to_string()),
            "wrong": self.wrong.as_ref().map(Wrong::to_json),
        });
        format!("{object}\n")
    }
}

impl Wrong {
    fn to_json(&self) -> Value {
        let code = self.code();
        match self {
            Self::Broken {
                position,
                expected,
                found,
                damage,
            } => json!({
                "code": code,
                "position": position.as_u64(),
                "expected": expected.to_string(),
                "found": found.to_string(),
                "changed": match damage {
                    Damage::Record => "record",
                    Damage::Link => "link",
                    _ => "unknown",
                },
            }),
            Self::Other { noted, found } => json!({
                "code": code,
                "position": noted.position.as_u64(),
                "expected": noted.link.to_string(),
                "found": found.to_string(),
            }),
            Self::View { at, noted, found } => {
                let noted = Link::from_bytes(*noted);
                json!({
                    "code": code,
                    "position": at.as_u64(),
                    "expected": noted.to_string(),
                    "found": found.map(|found| found.to_string()),
                })
            }
            Self::Shorter { noted } | Self::Missing { noted } => json!({
                "code": code,
                "position": noted.position.as_u64(),
            }),
        }
    }
}
