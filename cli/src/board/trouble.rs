//! What needs somebody's eye: conflicts, what waits, what was refused, what is to be reconciled.

use tern_core::State;
use tern_core::view::{ChainStatus, Id, MessageView, View};

use super::{Arrivals, BAD, BOLD, CARE, line, list, more, names, title};
use crate::text::{count, shown};

pub(super) fn conflicts(out: &mut String, view: &View<'_>) {
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

pub(super) fn waiting(out: &mut String, view: &View<'_>) {
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
    list(out, &view.cycles, |out, cycle| {
        line(
            out,
            &format!(
                "  {BAD}↻{BAD:#} in a circle for ever: {}",
                names(cycle.iter().map(Id::as_str))
            ),
        );
    });
}

pub(super) fn trouble(out: &mut String, state: &State, view: &View<'_>, arrivals: &Arrivals) {
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
    if arrivals.refusals > 0 {
        title(out, "Refused, and no id claimed");
        for refused in &arrivals.refused {
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
        }
        let hidden = arrivals.refusals - arrivals.refused.len();
        more(out, hidden, "--outcomes");
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

fn who(id: &Id<'_>, message: &MessageView<'_>) -> String {
    format!("{BOLD}{}{BOLD:#} ({})", shown(id.as_str()), message.act)
}
