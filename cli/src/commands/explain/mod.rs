//! `tern explain`: why a message or a promise stands as it does, with everything that decided it.

mod branches;
mod columns;
mod facts;
mod page;
mod versions;

use std::collections::BTreeSet;

use clap::Args;
use serde::Serialize;
use tern_core::Topic;
use tern_core::message::{Act, Body};
use tern_core::view::{ChainView, CommitmentView, MessageView};
use tern_core::wire::{Json, JsonOptions};

use crate::failure::{Exit, Failure};
use crate::gloss::gloss;
use crate::history::{Delivered, History};
use crate::input::{Source, warn_unverified};
use crate::look::{nearest, references};
use crate::output::{outcome_json, print, print_data};
use crate::spec;
use crate::text::{count, shown};

/// How many characters of a message's words are shown where it is only mentioned.
const GLOSS: usize = 100;

const EXAMPLES: &str = "\
Examples:
  tern explain checker:1 examples/review.jsonl    why the promise `checker:1` may not be acted on yet
  tern explain --json ana:3 log.jsonl             the same for a program
  tern run --log thread.db new.jsonl && tern explain ben:1 thread.db

Exit codes: 0 explained, 2 for an id that the file does not know.";

/// Say why a message or a promise stands as it does
///
/// Names each rule that applied, the messages that decided it and the clause; shows the branches of
/// a conflict beside each other, what would clear each reason that blocks a promise, the versions of
/// an id that was used twice, and why a delivery was refused.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Explain {
    /// The full id of a message, such as `checker:1`
    #[arg(value_name = "ID")]
    id: String,

    #[command(flatten)]
    source: Source,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// All that is said about one id.
#[derive(Serialize)]
struct Report<'h> {
    id: &'h str,
    /// Whether a message of this id was identified.
    known: bool,
    act: Option<Act>,
    line: Option<u64>,
    gloss: Option<String>,
    message: Option<MessageView<'h>>,
    chain: Option<ChainView<'h>>,
    commitment: Option<CommitmentView<'h>>,
    findings: Vec<Ruling>,
    conflicts: Vec<branches::Conflict>,
    versions: Vec<versions::Version>,
    conditions: Vec<facts::Condition>,
    facts: Vec<Box<serde_json::value::RawValue>>,
    deliveries: Vec<serde_json::Value>,
    #[serde(skip)]
    delivered: Vec<&'h Delivered>,
    /// Of an unknown id: who names it.
    referred_by: Vec<Referrer>,
    /// Of an unknown id that nothing mentions.
    did_you_mean: Vec<String>,
}

/// One rule that applied, with its clause and the messages that decided it.
#[derive(Serialize)]
struct Ruling {
    topic: Topic,
    code: Option<&'static str>,
    clause: &'static str,
    clause_text: Option<&'static str>,
    sentence: String,
    because: Vec<Cited>,
    remedy: Option<&'static str>,
}

/// A message that is referred to, with its place and its words where it is known.
#[derive(Serialize)]
struct Cited {
    id: String,
    line: Option<u64>,
    gloss: Option<String>,
}

/// A message that names an id that is not known.
#[derive(Serialize)]
struct Referrer {
    field: &'static str,
    waits: bool,
    #[serde(flatten)]
    by: Cited,
}

impl Explain {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let history = History::load(&self.source)?;
        warn_unverified(history.state.context(), self.json);
        let report = Report::of(&self.id, &history);
        if self.json {
            let line = serde_json::to_string(&report)
                .map_err(|error| Failure::usage(error.to_string(), "this is a bug of `tern`"))?;
            print_data(&format!("{line}\n"))?;
        } else {
            let name = shown(&self.source.file.to_string_lossy());
            print(&page::of(&report, &name, &history))?;
        }
        report.exit()
    }
}

impl<'h> Report<'h> {
    fn of(id: &'h str, history: &'h History) -> Self {
        let state = &history.state;
        let view = state.message(id);
        let known = view.is_some();
        let delivered = deliveries(id, history);
        let referred_by = if known {
            Vec::new()
        } else {
            referrers(id, history)
        };
        let unheard_of = !known && delivered.is_empty();
        let did_you_mean = if unheard_of && referred_by.is_empty() {
            similar(id, history)
        } else {
            Vec::new()
        };
        // What is only mentioned by local facts is interned too; `findings` speaks of both.
        let explanation = state.explain(id);
        let findings = explanation
            .into_iter()
            .flat_map(|explanation| explanation.findings);
        Self {
            id,
            known,
            act: view.as_ref().map(|view| view.act),
            line: history.delivery(id).map(|(delivered, _)| delivered.line),
            gloss: history.message(id).map(|message| gloss(&message, GLOSS)),
            chain: state.chain(id),
            commitment: state.commitment(id),
            findings: findings.map(|ruling| Ruling::of(ruling, history)).collect(),
            conflicts: conflicts(id, history),
            versions: versions::of(id, history),
            conditions: facts::conditions(id, history),
            facts: facts::about(id, history),
            deliveries: delivered
                .iter()
                .map(|one| {
                    let number = history
                        .outcomes
                        .partition_point(|other| other.event < one.event);
                    outcome_json(number as u64 + 1, one.origin, &one.outcome)
                })
                .collect(),
            message: view,
            delivered,
            referred_by,
            did_you_mean,
        }
    }

    /// Explained, or unknown.
    fn exit(&self) -> Result<Exit, Failure> {
        if self.known || !self.delivered.is_empty() {
            return Ok(Exit::Fine);
        }
        let id = shown(self.id);
        let hint = if !self.referred_by.is_empty() {
            format!(
                "{} to it wait: deliver it",
                count(self.referred_by.len(), "reference")
            )
        } else if !self.did_you_mean.is_empty() {
            let names: Vec<String> = self
                .did_you_mean
                .iter()
                .map(|name| format!("`{}`", shown(name)))
                .collect();
            format!("did you mean {}?", names.join(" or "))
        } else {
            "`tern run --outcomes` lists every id".into()
        };
        Err(Failure::usage(format!("no message `{id}` is known"), hint))
    }
}

impl Ruling {
    fn of(ruling: tern_core::Ruling, history: &History) -> Self {
        Self {
            topic: ruling.topic,
            code: ruling.code,
            clause: ruling.clause,
            clause_text: spec::text_of(ruling.clause),
            sentence: ruling.sentence,
            because: ruling
                .because
                .into_iter()
                .map(|id| Cited::of(id, history))
                .collect(),
            remedy: ruling.remedy,
        }
    }
}

impl Cited {
    fn of(id: String, history: &History) -> Self {
        Self {
            line: history.delivery(&id).map(|(delivered, _)| delivered.line),
            gloss: history.message(&id).map(|message| gloss(&message, GLOSS)),
            id,
        }
    }
}

/// Every delivery that came under the id, whatever became of it. Of one that is no message the id
/// is what it says, if it can be read at all.
fn deliveries<'h>(id: &str, history: &'h History) -> Vec<&'h Delivered> {
    history
        .outcomes
        .iter()
        .filter(|delivered| match &delivered.outcome.id {
            Some(found) => found == id,
            None => history
                .bytes(delivered)
                .is_some_and(|bytes| names(bytes, id)),
        })
        .collect()
}

/// Whether bytes that are no message are an object with this id all the same.
fn names(bytes: &[u8], id: &str) -> bool {
    Json::read(bytes, JsonOptions::GRAMMAR).is_ok_and(|json| {
        json.root()
            .get("id")
            .is_some_and(|value| value.as_str() == Some(id))
    })
}

/// Who names an id, among the identified messages.
fn referrers(id: &str, history: &History) -> Vec<Referrer> {
    let mut found = Vec::new();
    for from in history.ids() {
        let Some(message) = history.message(from) else {
            continue;
        };
        for mention in references(&message) {
            if mention.to == id {
                found.push(Referrer {
                    field: mention.field,
                    waits: mention.gates,
                    by: Cited::of(from.into(), history),
                });
            }
        }
    }
    found
}

/// Ids that were probably meant: of messages, of deliveries that were refused, and of what
/// messages name.
fn similar(id: &str, history: &History) -> Vec<String> {
    let mut known: BTreeSet<String> = BTreeSet::new();
    for delivered in &history.outcomes {
        known.extend(delivered.outcome.id.clone());
    }
    for from in history.ids() {
        if let Some(message) = history.message(from) {
            known.extend(
                references(&message)
                    .into_iter()
                    .map(|mention| mention.to.to_string()),
            );
        }
    }
    nearest(id, known.iter().map(String::as_str))
        .into_iter()
        .map(String::from)
        .collect()
}

/// The conflicts that bear on an id: its own, that of what it revises, and of a promise also those
/// of its request and its reports.
fn conflicts(id: &str, history: &History) -> Vec<branches::Conflict> {
    let mut targets = vec![id.to_string()];
    if let Some(Body::Revise(revise)) = history.message(id).map(|message| message.body) {
        targets.push(revise.target.as_str().into());
    }
    if let Some(promise) = history.state.commitment(id) {
        targets.push(promise.request.to_string());
        targets.extend(promise.reports.iter().map(ToString::to_string));
    }
    targets
        .iter()
        .filter_map(|target| branches::of(target, history))
        .collect()
}
