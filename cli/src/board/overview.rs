//! Whose board it is, how much came in, and where people speak.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use tern_core::State;
use tern_core::view::{MessageStatus, View};

use super::{Arrivals, BOLD, CARE, GOOD, line, list, title};
use crate::text::{count, short, shown};

pub(super) fn header(out: &mut String, state: &State, view: &View<'_>, arrivals: &Arrivals) {
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
    for (number, word) in [
        (arrivals.refusals, "refused"),
        (arrivals.conflicts, "under a taken id"),
        (arrivals.duplicates, "repeated"),
    ] {
        if number > 0 {
            let _ = write!(counts, ", {number} {word}");
        }
    }
    line(out, &counts);
}

pub(super) fn threads(out: &mut String, view: &View<'_>) {
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
