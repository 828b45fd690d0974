//! The state as a status board for people.

mod overview;
mod promises;
mod trouble;

use anstyle::{AnsiColor, Style};
use tern_core::view::{ChainStatus, View};
use tern_core::{Code, EvidenceStatus, State};

use crate::text::short;

/// Entries of a list that are shown; the rest are counted.
const LIST: usize = 40;

const TITLE: Style = Style::new().bold().underline();
const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const CARE: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default();

/// A delivery that claimed no id.
pub(crate) struct Refused {
    pub(crate) line: u64,
    pub(crate) code: Code,
    pub(crate) message: String,
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
pub(crate) fn render(state: &State, view: &View<'_>, refused: &[Refused]) -> String {
    let mut out = String::new();
    overview::header(&mut out, state, view, refused);
    overview::threads(&mut out, view);
    promises::promises(&mut out, state, view);
    trouble::conflicts(&mut out, view);
    trouble::waiting(&mut out, view);
    trouble::trouble(&mut out, state, view, refused);
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
    let more = entries.count();
    if more > 0 {
        line(
            out,
            &format!("  {DIM}… and {more} more (--json has all){DIM:#}"),
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
