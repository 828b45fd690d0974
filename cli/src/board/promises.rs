//! Who promised what to whom, how far it is, and what blocks it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use tern_core::view::{Annotation, CommitmentView, Id, Readiness, View};
use tern_core::{Block, Progress, State, Topic};

use super::{BAD, BOLD, CARE, DIM, GOOD, line, list, names, title};
use crate::text::{short, shown};

pub(super) fn promises(out: &mut String, state: &State, view: &View<'_>) {
    if view.commitments.is_empty() {
        return;
    }
    let overdue: BTreeSet<String> = state
        .local_view()
        .overdue
        .into_iter()
        .map(|overdue| overdue.commitment.to_string())
        .collect();
    title(out, "Promises");
    // What needs somebody's eye first, what is done last.
    let mut promises: Vec<_> = view
        .commitments
        .iter()
        .map(|(id, promise)| (need(promise, overdue.contains(id.as_str())), id, promise))
        .collect();
    promises.sort_by_key(|&(need, _, _)| need);
    list(out, promises, |out, (need, id, promise)| {
        promise_lines(out, state, id, promise, need == Need::Overdue);
    });
}

/// How much a promise needs somebody's eye, the most first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    Overdue,
    Unsettled,
    Open,
    Done,
}

fn need(promise: &CommitmentView<'_>, overdue: bool) -> Need {
    match promise.progress {
        Progress::Fulfilled | Progress::Failed => Need::Done,
        _ if promise.annotations.contains(&Annotation::Superseded) => Need::Done,
        _ if overdue => Need::Overdue,
        Progress::Blocked | Progress::Unresolved => Need::Unsettled,
        Progress::None | Progress::Active => Need::Open,
    }
}

fn promise_lines(
    out: &mut String,
    state: &State,
    id: &Id<'_>,
    promise: &CommitmentView<'_>,
    overdue: bool,
) {
    let (sign, style, word) = match promise.progress {
        Progress::None => ("○", DIM, "not reported"),
        Progress::Active => ("◐", CARE, "active"),
        Progress::Blocked => ("■", BAD, "blocked"),
        Progress::Fulfilled => ("●", GOOD, "reported fulfilled"),
        Progress::Failed => ("✗", BAD, "reported failed"),
        Progress::Unresolved => ("?", BAD, "unresolved"),
    };
    let due = match (&promise.due, overdue) {
        (None, _) => "no deadline".to_string(),
        (Some(due), false) => format!("due {}", shown(due)),
        (Some(due), true) => format!("{BAD}overdue since {}{BAD:#}", shown(due)),
    };
    let mut notes = String::new();
    for annotation in &promise.annotations {
        let word = annotation.as_str();
        let _ = write!(notes, ", {word}");
    }
    line(
        out,
        &format!(
            "  {style}{sign}{style:#} {BOLD}{}{BOLD:#}  {} promised {}: {style}{word}{style:#}{notes}, {due}",
            shown(id.as_str()),
            shown(&promise.by),
            shown(&promise.requester),
        ),
    );
    if let Some(action) = state.action(id.as_str()) {
        line(out, &format!("      {}", short(action, 88)));
    }
    if promise.readiness == Readiness::Ready {
        line(out, &format!("      {GOOD}may be acted on{GOOD:#}"));
        return;
    }
    let rulings = state
        .explain(id.as_str())
        .map(|explanation| explanation.findings);
    let is_done = need(promise, false) == Need::Done;
    let final_codes = [Block::Terminal.as_str(), Block::Superseded.as_str()];
    let blocked = rulings
        .into_iter()
        .flatten()
        .filter(|ruling| ruling.topic == Topic::Blocked)
        // Of what is over, only that is said: nobody has to clear the rest.
        .filter(|ruling| !is_done || ruling.code.is_some_and(|code| final_codes.contains(&code)));
    for ruling in blocked {
        let because = match ruling.because.as_slice() {
            [] => String::new(),
            ids => format!(" {DIM}({}){DIM:#}", names(ids.iter().map(String::as_str))),
        };
        line(
            out,
            &format!(
                "      {BAD}▸{BAD:#} {}: {}{because}",
                ruling.code.unwrap_or_default(),
                shown(&ruling.sentence)
            ),
        );
    }
}
