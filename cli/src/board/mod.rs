//! The state as a status board for people.

mod overview;
mod promises;
mod trouble;

use anstyle::{AnsiColor, Style};
use tern_core::view::{ChainStatus, View};
use tern_core::{Class, Code, EvidenceStatus, Outcome, Rejection, State, Verdict};

use crate::text::short;

/// Entries of a list that are shown; the rest are counted.
const LIST: usize = 40;

const TITLE: Style = Style::new().bold().underline();
const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const CARE: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default();

/// What became of the deliveries, as far as the view does not show it.
#[derive(Default)]
pub(crate) struct Arrivals {
    duplicates: usize,
    conflicts: usize,
    /// How many claimed no id, and the first of them.
    refusals: usize,
    refused: Vec<Refused>,
}

/// A delivery that claimed no id.
struct Refused {
    line: u64,
    code: Code,
    message: String,
}

impl Arrivals {
    pub(crate) fn note(&mut self, line: u64, outcome: &Outcome) {
        match &outcome.verdict {
            Verdict::Duplicate => self.duplicates += 1,
            Verdict::IdConflict(_) => self.conflicts += 1,
            Verdict::Rejected(rejection) if rejection.class() != Class::Reference => {
                self.refusals += 1;
                if self.refused.len() < LIST {
                    self.refused.push(Refused {
                        line,
                        code: rejection.code(),
                        message: sentence(rejection).to_string(),
                    });
                }
            }
            Verdict::Rejected(_) | Verdict::Accepted | Verdict::Pending { .. } => {}
        }
    }
}

/// What decided a refusal, in one sentence.
pub(crate) fn sentence(rejection: &Rejection) -> &str {
    let mut findings = rejection.findings().iter();
    let decisive = findings.find(|finding| finding.code == rejection.code());
    decisive.map_or("", |finding| finding.message.as_str())
}

/// Whether something waits for somebody's answer: a conflict, an equivocal id, a started action.
pub(crate) fn needs_attention(view: &View<'_>) -> bool {
    !view.equivocal.is_empty()
        || !view.reconcile.is_empty()
        || view
            .chains
            .values()
            .any(|chain| chain.state == ChainStatus::Conflicted)
}

/// The whole board.
pub(crate) fn render(state: &State, view: &View<'_>, arrivals: &Arrivals) -> String {
    let mut out = String::new();
    overview::header(&mut out, state, view, arrivals);
    overview::threads(&mut out, view);
    promises::promises(&mut out, state, view);
    trouble::conflicts(&mut out, view);
    trouble::waiting(&mut out, view);
    trouble::trouble(&mut out, state, view, arrivals);
    evidence(&mut out, view);
    line(&mut out, &format!("\n{DIM}digest {}{DIM:#}", view.digest()));
    out
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn title(out: &mut String, text: &str) {
    line(out, &format!("\n{TITLE}{text}{TITLE:#}"));
}

/// The first entries of a list, and how many more there are.
fn list<T>(
    out: &mut String,
    entries: impl IntoIterator<Item = T>,
    mut each: impl FnMut(&mut String, T),
) {
    let mut entries = entries.into_iter();
    for entry in entries.by_ref().take(LIST) {
        each(out, entry);
    }
    more(out, entries.count(), "--json");
}

/// How many entries are not shown, and which option has them.
fn more(out: &mut String, number: usize, option: &str) {
    if number > 0 {
        line(
            out,
            &format!("  {DIM}… and {number} more ({option} has all){DIM:#}"),
        );
    }
}

fn evidence(out: &mut String, view: &View<'_>) {
    if view.evidence.is_empty() {
        return;
    }
    title(out, "Evidence, none of it verified");
    for (status, word) in [
        (EvidenceStatus::Contradictory, "contradictory"),
        (EvidenceStatus::Inaccessible, "cited and not given"),
        (EvidenceStatus::Available, "given"),
    ] {
        let ids: Vec<&str> = view
            .evidence
            .iter()
            .filter(|(_, found)| **found == status)
            .map(|(id, _)| id.as_str())
            .collect();
        if !ids.is_empty() {
            line(out, &format!("  {word}: {}", names(ids)));
        }
    }
}

/// Ids in a row.
fn names<'i>(ids: impl IntoIterator<Item = &'i str>) -> String {
    let mut ids = ids.into_iter();
    let mut row: Vec<String> = ids.by_ref().take(8).map(|id| short(id, 60)).collect();
    let more = ids.count();
    if more > 0 {
        row.push(format!("… {more} more"));
    }
    row.join(", ")
}
