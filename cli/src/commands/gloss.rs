//! `tern gloss`: a conversation for reading. A gloss is no message and nothing executes it.

use clap::Args;
use tern_core::message::{Message, Text};
use tern_core::view::MessageStatus;
use tern_core::{Event, Limits, Verdict, wire};

use crate::failure::{Exit, Failure};
use crate::gloss::{gloss, name};
use crate::history::{Delivered, History};
use crate::input::{Source, warn_unverified};
use crate::output::{print, print_data};
use crate::text::short;

/// Show every message in one line of shorthand, for reading
///
/// The shorthand leaves out most of a message and cannot be executed; keep the messages themselves.
/// What is not accepted says so, and refused deliveries are marked with an `x`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Gloss {
    #[command(flatten)]
    source: Source,

    /// Print one JSON object a delivery
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tern gloss log.jsonl                        what was said, a line each
  tern gloss --json log.jsonl | jq .gloss     the same as JSON objects";

/// Longer than this, a gloss no longer fits anybody's eye.
const LONGEST: usize = 160;

const HEADER: &str = "# shorthand for reading: not Tern and not executable (T7.01)\n";

/// What one delivery says and what became of it.
struct Entry<'h> {
    line: u64,
    message: Option<Message<'h>>,
    outcome: &'static str,
    /// Where it stands now, if it was identified: it may have waited and been settled since.
    status: &'static str,
    code: Option<&'static str>,
    /// What is wrong with a refused one.
    sentence: Option<&'h str>,
    waiting_for: Vec<String>,
}

impl Gloss {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let history = History::load(&self.source)?;
        warn_unverified(history.state.context(), self.json);
        let entries: Vec<Entry<'_>> = history
            .outcomes
            .iter()
            .map(|delivered| entry(&history, delivered))
            .collect();
        if self.json {
            let mut out = String::new();
            for entry in &entries {
                out.push_str(&entry.json().to_string());
                out.push('\n');
            }
            print_data(&out)?;
        } else {
            print(&text(&entries))?;
        }
        Ok(Exit::Fine)
    }
}

fn entry<'h>(history: &'h History, delivered: &'h Delivered) -> Entry<'h> {
    let message = match history.log.events().get(delivered.event) {
        Some(Event::Deliver(delivery)) => wire::message(&delivery.bytes, &Limits::default()).ok(),
        _ => None,
    };
    let verdict = &delivered.outcome.verdict;
    let mut entry = Entry {
        line: delivered.line,
        message,
        outcome: verdict.as_str(),
        status: verdict.as_str(),
        code: verdict
            .rejection()
            .map(|rejection| rejection.code().as_str()),
        sentence: verdict
            .rejection()
            .and_then(|rejection| rejection.findings().first())
            .map(|finding| finding.message.as_str()),
        waiting_for: Vec::new(),
    };
    // What waited then may be settled now.
    let is_pending = matches!(verdict, Verdict::Pending { .. });
    let id = delivered.outcome.id.as_deref().filter(|_| is_pending);
    if let Some(now) = id.and_then(|id| history.state.message(id)) {
        entry.status = match now.status {
            MessageStatus::Accepted => "accepted",
            MessageStatus::Pending => "pending",
            MessageStatus::Rejected => "rejected",
        };
        entry.code = now.code.map(|code| code.as_str());
        let waiting_for = now.waiting_for.unwrap_or_default();
        entry.waiting_for = waiting_for
            .iter()
            .map(|id| id.as_str().to_string())
            .collect();
    }
    entry
}

fn text(entries: &[Entry<'_>]) -> String {
    let ids: Vec<String> = entries
        .iter()
        .map(|entry| match &entry.message {
            Some(message) => name(message.id.as_str(), LONGEST),
            None => format!("line {}", entry.line),
        })
        .collect();
    let width = ids
        .iter()
        .map(|id| id.chars().count())
        .max()
        .unwrap_or(0)
        .min(24);
    let mut out = HEADER.to_string();
    for (entry, id) in entries.iter().zip(ids) {
        let mark = if entry.is_refused() { 'x' } else { ' ' };
        out.push_str(&format!("{mark} {id:<width$}  {}", entry.gloss()));
        if let Some(status) = entry.remark() {
            out.push_str(&format!("  [{status}]"));
        }
        out.push('\n');
    }
    out
}

impl Entry<'_> {
    fn is_refused(&self) -> bool {
        matches!(self.status, "rejected" | "id_conflict")
    }

    fn gloss(&self) -> String {
        match &self.message {
            Some(message) => gloss(message, LONGEST),
            None => format!(
                "no message: {}",
                short(self.sentence.unwrap_or("broken"), LONGEST)
            ),
        }
    }

    /// Said of everything that is not simply accepted.
    fn remark(&self) -> Option<String> {
        match (self.status, self.code) {
            ("accepted", _) => None,
            ("pending", _) => {
                let ids: Vec<String> = self
                    .waiting_for
                    .iter()
                    .map(|id| name(id, LONGEST))
                    .collect();
                Some(format!("pending: waits for {}", ids.join(", ")))
            }
            (status, Some(code)) if code != status => Some(format!("{status}: {code}")),
            (status, _) => Some(status.to_string()),
        }
    }

    fn json(&self) -> serde_json::Value {
        let message = self.message.as_ref();
        serde_json::json!({
            "line": self.line,
            "id": message.map(|message| message.id.as_str()),
            "from": message.map(|message| message.from.as_str()),
            "to": message.map(|message| message.to.iter().map(Text::as_str).collect::<Vec<_>>()),
            "act": message.map(Message::act),
            "thread": message.map(|message| message.thread.as_str()),
            "gloss": self.gloss(),
            "outcome": self.outcome,
            "status": self.status,
            "code": self.code,
            "waiting_for": self.waiting_for,
            "executable": false,
        })
    }
}
