//! What the log has to say about a message that is being written: its thread, its recipients, the
//! next id, and what it follows.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use tern_core::message::{Change, Content, Message, Reference, Text};
use tern_core::view::ChainStatus;

use crate::failure::Failure;
use crate::history::History;
use crate::input::{Channel, Source};
use crate::spec;
use crate::text::shown;

/// The log that a message is written for.
pub(super) struct Desk {
    pub(super) history: History,
    file: PathBuf,
}

/// Why no message comes out.
pub(super) enum Stop {
    /// The command could not do its work: exit code 2.
    Failure(Failure),
    /// The message would be refused, or would not do what it says: exit code 1.
    Refused(String),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// A refusal in the words of the rule. The strings may quote messages.
pub(super) fn refusal(code: &str, clause: &str, message: &str, help: &[&str]) -> Stop {
    const ERROR: Style = AnsiColor::Red.on_default().bold();
    const FRAME: Style = AnsiColor::Blue.on_default().bold();
    let mut out = format!("{ERROR}refused[{code}]{ERROR:#}: {}\n", shown(message));
    let clause = match spec::text_of(clause) {
        Some(text) => format!("{clause}: {text}"),
        None => clause.to_string(),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(out, "  {FRAME}={FRAME:#} clause {clause}");
    for line in help {
        let _ = writeln!(out, "  {FRAME}={FRAME:#} help: {}", shown(line));
    }
    Stop::Refused(out)
}

impl Desk {
    pub(super) fn open(file: &Path, name: Option<&str>) -> Result<Self, Failure> {
        let source = Source {
            file: file.to_path_buf(),
            channel: Channel {
                name: name.map(ToString::to_string),
                ..Channel::default()
            },
        };
        Ok(Self {
            history: History::load(&source)?,
            file: file.to_path_buf(),
        })
    }

    /// The message of an id, if the log has it.
    pub(super) fn message(&self, id: &str) -> Option<Message<'_>> {
        self.history.message(id)
    }

    /// The log as a word of a command line.
    pub(super) fn file(&self) -> String {
        quoted(&self.file.to_string_lossy())
    }

    /// The thread of a message.
    pub(super) fn thread(&self, id: &str) -> Option<Text<'static>> {
        Some(self.message(id)?.thread.into_owned())
    }

    /// Everybody else who takes part in a message: its author, then its recipients. Who answers
    /// nobody else writes to whom that message went.
    pub(super) fn others(&self, id: &str, from: &str) -> Option<Vec<Text<'static>>> {
        let message = self.message(id)?;
        let to: Vec<Text<'static>> = message.to.into_owned().iter().cloned().collect();
        let author = Text::new(message.from.as_str().to_string()).ok()?;
        let mut others: Vec<Text<'static>> = Vec::new();
        for name in std::iter::once(author).chain(to.iter().cloned()) {
            if name.as_str() != from && !others.contains(&name) {
                others.push(name);
            }
        }
        Some(if others.is_empty() { to } else { others })
    }

    /// `sender:N`, one above the largest number that the sender has used as a suffix, and unknown
    /// to everybody: an id that is only referred to may be taken elsewhere.
    pub(super) fn next_id(&self, from: &str) -> Option<Reference<'static>> {
        let mut largest = String::from("0");
        for delivered in &self.history.outcomes {
            let Some(suffix) = delivered
                .outcome
                .id
                .as_deref()
                .and_then(|id| id.split_once(':'))
                .filter(|(sender, _)| *sender == from)
                .map(|(_, suffix)| suffix)
            else {
                continue;
            };
            let is_number = suffix.bytes().all(|byte| byte.is_ascii_digit());
            if is_number && larger(suffix, &largest) {
                // A refused delivery has taken no id (R-01).
                if self.history.state.is_known(&format!("{from}:{suffix}")) {
                    largest = suffix.to_string();
                }
            }
        }
        loop {
            largest = successor(&largest);
            let id = format!("{from}:{largest}");
            if !self.history.state.is_mentioned(&id) {
                return Reference::new(id).ok();
            }
        }
    }

    /// The last message of a chain that no fork puts in doubt.
    pub(super) fn head(&self, target: &str) -> Option<Reference<'static>> {
        let id = match self.history.state.chain(target) {
            Some(chain) => chain.head.as_str().to_string(),
            None => {
                let known = self.history.state.is_known(target);
                known.then(|| target.to_string())?
            }
        };
        Reference::new(id).ok()
    }

    /// The effective content of a message that can be revised.
    pub(super) fn content(&self, target: &str) -> Option<Content<'static>> {
        use tern_core::message::Body;
        let message = self.message(self.head(target)?.as_str())?.into_owned();
        match message.body {
            Body::Content(content) => Some(content),
            Body::Revise(revise) => match revise.change {
                Change::Replace(replacement) => replacement.content().cloned(),
                Change::Withdraw => None,
            },
            _ => None,
        }
    }

    /// What a revision of the target continues: the head of its chain. There is none to continue
    /// where revisions compete, and none is started here that would compete (R-10).
    pub(super) fn previous(
        &self,
        target: &str,
        given: Option<Reference<'static>>,
    ) -> Result<Option<Reference<'static>>, Stop> {
        let chain = self.history.state.chain(target);
        if let Some(chain) = &chain
            && chain.state == ChainStatus::Conflicted
        {
            let competing: Vec<String> =
                chain.competing.iter().map(|id| format!("`{id}`")).collect();
            return Err(refusal(
                "conflicted_chain",
                "R-10",
                &format!(
                    "revisions of `{target}` compete after `{}`: {}. No further revision settles that",
                    chain.head,
                    competing.join(", ")
                ),
                &["say it again in a fresh message under another id"],
            ));
        }
        let head = self.head(target);
        let (Some(given), Some(head)) = (&given, &head) else {
            return Ok(given.or(head));
        };
        let is_in_chain = given.as_str() == target
            || chain.is_some_and(|chain| {
                chain
                    .revisions
                    .iter()
                    .any(|id| id.as_str() == given.as_str())
            });
        if is_in_chain && given != head {
            return Err(refusal(
                "would_fork",
                "T4.17",
                &format!(
                    "after `{given}` comes a revision already, and the last one is `{head}`: \
                     another after `{given}` would compete, and nothing could ever settle that (R-10)"
                ),
                &["leave out --previous"],
            ));
        }
        Ok(Some(given.clone()))
    }
}

/// Whether one row of digits is a larger number than another.
fn larger(one: &str, other: &str) -> bool {
    let one = one.trim_start_matches('0');
    let other = other.trim_start_matches('0');
    one.len()
        .cmp(&other.len())
        .then_with(|| one.cmp(other))
        .is_gt()
}

/// The next number, whatever its length.
fn successor(digits: &str) -> String {
    let mut next: Vec<char> = Vec::new();
    let mut carry = true;
    for digit in digits.trim_start_matches('0').chars().rev() {
        let value = digit.to_digit(10).unwrap_or(0) + u32::from(carry);
        carry = value > 9;
        next.push(char::from_digit(value % 10, 10).unwrap_or('0'));
    }
    if carry {
        next.push('1');
    }
    next.into_iter().rev().collect()
}

/// A word for a command line that somebody may copy: messages choose ids.
pub(super) fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:@%+=".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::{larger, quoted, successor};

    /// Suffixes are text (A-REFERENCE): a row of digits has no largest.
    #[test]
    fn numbers_of_any_length() {
        assert_eq!(successor("0"), "1");
        assert_eq!(successor("0099"), "100");
        assert_eq!(
            successor("99999999999999999999999999"),
            "100000000000000000000000000"
        );
        assert!(larger("10", "9") && larger("010", "9") && !larger("007", "7"));
    }

    /// An id is data and chooses no command (T5.07).
    #[test]
    fn words_of_a_command_line() {
        assert_eq!(quoted("r:3"), "r:3");
        assert_eq!(quoted("r:$(id)'x"), r"'r:$(id)'\''x'");
    }
}
