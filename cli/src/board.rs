//! The state as a status board for people.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use tern_core::view::{
    ChainStatus, CommitmentView, Id, MessageStatus, MessageView, Readiness, View,
};
use tern_core::{Code, EvidenceStatus, Progress, State, Topic};

use crate::text::{count, short, shown};

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
    header(&mut out, state, view, refused);
    threads(&mut out, view);
    promises(&mut out, state, view);
    conflicts(&mut out, view);
    waiting(&mut out, view);
    trouble(&mut out, state, view, refused);
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

fn header(out: &mut String, state: &State, view: &View<'_>, refused: &[Refused]) {
    let mut by_status: BTreeMap<&str, usize> = BTreeMap::new();
    for message in view.messages.values() {
        let status = match message.status {
            MessageStatus::Accepted => "accepted",
            MessageStatus::Pending => "pending",
            MessageStatus::Rejected => "rejected",
        };
        *by_status.entry(status).or_default() += 1;
    }
    let verified = if state.context().is_verified() {
        format!("{GOOD}senders verified{GOOD:#}")
    } else {
        format!("{CARE}senders not verified{CARE:#}")
    };
    let events = usize::try_from(state.position()).unwrap_or(usize::MAX);
    line(
        out,
        &format!(
            "{BOLD}{}{BOLD:#} · {} from {} · {verified}",
            shown(&view.context),
            count(view.messages.len(), "message"),
            count(events, "event"),
        ),
    );
    let of = |status| by_status.get(status).copied().unwrap_or_default();
    let mut counts = format!(
        "{} accepted, {} pending, {} rejected",
        of("accepted"),
        of("pending"),
        of("rejected")
    );
    if !refused.is_empty() {
        let _ = write!(counts, ", {} refused", refused.len());
    }
    line(out, &counts);
}

fn threads(out: &mut String, view: &View<'_>) {
    let mut threads: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
    for message in view.messages.values() {
        let (messages, speakers) = threads.entry(&message.thread).or_default();
        *messages += 1;
        speakers.insert(&message.from);
    }
    if threads.is_empty() {
        return;
    }
    title(out, "Threads");
    list(out, threads, |out, (thread, (messages, speakers))| {
        let names: Vec<String> = speakers.iter().take(8).map(|name| shown(name)).collect();
        let more = if speakers.len() > names.len() {
            ", …"
        } else {
            ""
        };
        line(
            out,
            &format!(
                "  {}  {} by {}{more}",
                short(thread, 40),
                count(messages, "message"),
                names.join(", ")
            ),
        );
    });
}

fn promises(out: &mut String, state: &State, view: &View<'_>) {
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
    list(out, &view.commitments, |out, (id, promise)| {
        promise_lines(out, state, id, promise, overdue.contains(id.as_str()));
    });
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
        let _ = write!(notes, ", {}", annotation.as_str());
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
    for ruling in rulings
        .into_iter()
        .flatten()
        .filter(|ruling| ruling.topic == Topic::Blocked)
    {
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

fn conflicts(out: &mut String, view: &View<'_>) {
    let conflicted: Vec<_> = view
        .chains
        .iter()
        .filter(|(_, chain)| chain.state == ChainStatus::Conflicted)
        .collect();
    if conflicted.is_empty() {
        return;
    }
    title(out, "Conflicts");
    list(out, conflicted, |out, (target, chain)| {
        let act = view
            .messages
            .get(target)
            .map_or("?", |message| message.act.as_str());
        line(
            out,
            &format!(
                "  {BAD}⑂{BAD:#} {BOLD}{}{BOLD:#} ({act}): {} compete after {}: {}",
                shown(target.as_str()),
                count(chain.competing.len(), "revision"),
                shown(chain.head.as_str()),
                names(chain.competing.iter().map(Id::as_str)),
            ),
        );
        line(
            out,
            "      none wins by arriving first, and no message clears it: say it again in a fresh one",
        );
    });
}

fn waiting(out: &mut String, view: &View<'_>) {
    let pending: Vec<_> = view
        .messages
        .iter()
        .filter_map(|(id, message)| Some((id, message, message.waiting_for.as_ref()?)))
        .collect();
    if pending.is_empty() {
        return;
    }
    title(out, "Waiting");
    list(out, pending, |out, (id, message, waiting_for)| {
        let what: Vec<String> = waiting_for
            .iter()
            .take(LIST)
            .map(|id| {
                let known = view.messages.contains_key(id);
                let state = if known { "pending" } else { "never seen" };
                format!("{} ({state})", shown(id.as_str()))
            })
            .collect();
        line(
            out,
            &format!(
                "  {CARE}…{CARE:#} {} waits for {}",
                who(id, message),
                what.join(", ")
            ),
        );
    });
    for cycle in view.cycles.iter().take(LIST) {
        line(
            out,
            &format!(
                "  {BAD}↻{BAD:#} in a circle for ever: {}",
                names(cycle.iter().map(Id::as_str))
            ),
        );
    }
}

fn trouble(out: &mut String, state: &State, view: &View<'_>, refused: &[Refused]) {
    let rejected: Vec<_> = view
        .messages
        .iter()
        .filter_map(|(id, message)| Some((id, message, message.code?)))
        .collect();
    if !rejected.is_empty() {
        title(out, "Rejected");
        list(out, rejected, |out, (id, message, code)| {
            let sentence = state
                .explain(id.as_str())
                .and_then(|explanation| explanation.findings.into_iter().next())
                .map_or_else(String::new, |ruling| ruling.sentence);
            let who = who(id, message);
            let clause = code.clause();
            line(
                out,
                &format!(
                    "  {BAD}✗{BAD:#} {who}: {code} ({clause}): {}",
                    shown(&sentence)
                ),
            );
        });
    }
    if !refused.is_empty() {
        title(out, "Refused, and no id claimed");
        list(out, refused, |out, refused| {
            line(
                out,
                &format!(
                    "  {BAD}✗{BAD:#} line {}: {} ({}): {}",
                    refused.line,
                    refused.code,
                    refused.code.clause(),
                    shown(&refused.message)
                ),
            );
        });
    }
    if !view.equivocal.is_empty() {
        title(out, "Ids with several contents");
        list(out, &view.equivocal, |out, (id, versions)| {
            let versions = count(versions.len(), "version");
            line(
                out,
                &format!("  {BAD}≠{BAD:#} {}: {versions} kept", shown(id.as_str())),
            );
        });
    }
    if !view.reconcile.is_empty() {
        title(
            out,
            "To reconcile: started, and the history speaks against it",
        );
        list(out, &view.reconcile, |out, entry| {
            line(
                out,
                &format!(
                    "  {BAD}!{BAD:#} action {} on {}: {}",
                    shown(entry.action.as_str()),
                    shown(entry.commitment.as_str()),
                    entry.causes.join(", ")
                ),
            );
        });
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

fn who(id: &Id<'_>, message: &MessageView<'_>) -> String {
    format!("{BOLD}{}{BOLD:#} ({})", shown(id.as_str()), message.act)
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
