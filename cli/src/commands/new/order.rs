//! What a fresh REPORT has to follow, so that its place is explicit: m comes before n only if n
//! reaches m by references, and what unsettles a commitment (U of S5.03) has to be followed
//! before a report counts.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tern_core::message::{Body, Change, Content, Message, Reference, ReportState};
use tern_core::view::{ChainStatus, MessageStatus, View};

use super::desk::{Desk, Stop, quoted, refusal};

/// The accepted messages and what they refer to.
struct Order {
    /// Each accepted message, in the order of delivery, with its gating references.
    references: Vec<(String, Vec<String>)>,
    place: HashMap<String, usize>,
}

/// What a REPORT on a commitment replies to.
pub(super) fn report_reply(
    desk: &Desk,
    from: &str,
    (commitment, state): (&Reference<'static>, ReportState),
) -> Result<Reference<'static>, Stop> {
    let view = desk.history.state.view();
    let Some(promise) = view.commitments.get(&commitment.as_str().into()) else {
        // Nothing is reported on it yet, or it is no commitment: delivering it will tell.
        return Ok(commitment.clone());
    };
    let reports: Vec<&str> = promise.reports.iter().map(|id| id.as_str()).collect();
    let mut follow: BTreeMap<String, String> = BTreeMap::new();
    for &report in &reports {
        let last = match view.chains.get(&report.into()) {
            Some(chain) => chain.head.as_str(),
            None => report,
        };
        follow.insert(
            last.into(),
            format!("the last word of the report `{report}`"),
        );
    }
    for &report in &reports {
        unsettling(desk, &view, report, &mut follow);
    }
    let order = Order::of(desk);
    let all: BTreeSet<&str> = follow.keys().map(String::as_str).collect();
    let before = order.reached_from(&all);
    let last: Vec<&str> = all.into_iter().filter(|id| !before.contains(*id)).collect();
    let reply = match last.as_slice() {
        [] => return Ok(commitment.clone()),
        [one] => Some((*one).to_string()),
        several => order.after_all(several),
    };
    if let Some(reply) = reply.and_then(|id| Reference::new(id).ok()) {
        return Ok(reply);
    }
    let mut help = advice(desk, from, &last);
    if state.is_terminal() {
        help.push(
            "or choose one yourself with --reply: what is final counts whatever it follows (S5.04)"
                .to_string(),
        );
    }
    Err(several(commitment.as_str(), &last, &follow, &help))
}

/// Adds the members of U that a report brings (S5.03).
fn unsettling(desk: &Desk, view: &View<'_>, report: &str, follow: &mut BTreeMap<String, String>) {
    let is_equivocal = |id: &str| view.equivocal.contains_key(&id.into());
    let mut add = |id: &str, why: &str| {
        follow.insert(id.into(), why.into());
    };
    if is_equivocal(report) {
        add(report, "a report whose id has several contents");
    }
    let Some(chain) = view.chains.get(&report.into()) else {
        return;
    };
    for revision in chain
        .revisions
        .iter()
        .filter(|id| is_equivocal(id.as_str()))
    {
        add(
            revision.as_str(),
            "a revision whose id has several contents",
        );
    }
    if chain.state == ChainStatus::Conflicted {
        for competing in &chain.competing {
            let why = format!("it competes with another revision of the report `{report}`");
            add(competing.as_str(), &why);
        }
    }
    // From the head back to the report: the undisputed steps.
    let mut later: Option<(String, bool)> = None;
    let mut at = chain.head.as_str().to_string();
    loop {
        let Some(message) = desk.message(&at) else {
            return;
        };
        let terminal = state_of(&message).is_some_and(ReportState::is_terminal);
        if let Some((step, later_is_terminal)) = &later
            && terminal
            && !later_is_terminal
        {
            let why = format!("it takes back that the report `{report}` was final");
            add(step, &why);
        }
        let Body::Revise(revise) = &message.body else {
            return;
        };
        let previous = revise.previous.as_str().to_string();
        later = Some((std::mem::replace(&mut at, previous), terminal));
    }
}

/// The state that a REPORT, or a REVISE of one, gives.
fn state_of(message: &Message<'_>) -> Option<ReportState> {
    let content = match &message.body {
        Body::Content(content) => content,
        Body::Revise(revise) => match &revise.change {
            Change::Replace(replacement) => replacement.content()?,
            Change::Withdraw => return None,
        },
        _ => return None,
    };
    match content {
        Content::Report(report) => Some(report.state),
        _ => None,
    }
}

impl Order {
    fn of(desk: &Desk) -> Self {
        let mut order = Self {
            references: Vec::new(),
            place: HashMap::new(),
        };
        for delivered in &desk.history.outcomes {
            let Some(id) = delivered.outcome.id.as_deref() else {
                continue;
            };
            let status = desk.history.state.message(id).map(|message| message.status);
            if status != Some(MessageStatus::Accepted) || order.place.contains_key(id) {
                continue;
            }
            if let Some(message) = desk.message(id) {
                order.place.insert(id.to_string(), order.references.len());
                order
                    .references
                    .push((id.to_string(), references(&message)));
            }
        }
        order
    }

    fn references_of(&self, id: &str) -> &[String] {
        let entry = self.place.get(id).and_then(|&at| self.references.get(at));
        entry.map_or(&[], |(_, references)| references.as_slice())
    }

    /// Everything that some of these messages reach by one reference or more.
    fn reached_from(&self, from: &BTreeSet<&str>) -> BTreeSet<String> {
        let mut reached = BTreeSet::new();
        let mut queue: Vec<&str> = from.iter().copied().collect();
        while let Some(id) = queue.pop() {
            for reference in self.references_of(id) {
                if reached.insert(reference.clone()) {
                    queue.push(reference);
                }
            }
        }
        reached
    }

    /// The first message that comes after each of these.
    fn after_all(&self, all: &[&str]) -> Option<String> {
        let mut after: HashMap<&str, Vec<&str>> = HashMap::new();
        for (id, references) in &self.references {
            for reference in references {
                after.entry(reference).or_default().push(id);
            }
        }
        let mut common: Option<BTreeSet<&str>> = None;
        for &start in all {
            let mut reached = BTreeSet::new();
            let mut queue = vec![start];
            while let Some(id) = queue.pop() {
                for &next in after.get(id).into_iter().flatten() {
                    if reached.insert(next) {
                        queue.push(next);
                    }
                }
            }
            let kept: BTreeSet<&str> = match common {
                None => reached,
                Some(before) => before.intersection(&reached).copied().collect(),
            };
            if kept.is_empty() {
                return None;
            }
            common = Some(kept);
        }
        common?
            .into_iter()
            .min_by_key(|id| self.place.get(*id))
            .map(ToString::to_string)
    }
}

/// The gating references of an accepted message (S3.01): that it is accepted means that a
/// replacement in it has the shape that its target asks for.
fn references(message: &Message<'_>) -> Vec<String> {
    let mut references: Vec<Option<&Reference<'_>>> = vec![message.reply.as_ref()];
    let content = match &message.body {
        Body::Ask(ask) => {
            references.push(ask.about.as_ref());
            None
        }
        Body::Content(content) => Some(content),
        Body::Challenge(challenge) => {
            references.push(Some(&challenge.target));
            None
        }
        Body::Revise(revise) => {
            references.extend([Some(&revise.target), Some(&revise.previous)]);
            match &revise.change {
                Change::Replace(replacement) => replacement.content(),
                Change::Withdraw => None,
            }
        }
        Body::Decline(decline) => {
            references.push(Some(&decline.target));
            None
        }
        Body::Ack(ack) => {
            references.push(Some(&ack.target));
            None
        }
    };
    references.push(content.and_then(|content| match content {
        Content::Tell(_) | Content::Propose(_) => None,
        Content::Request(request) => request.replaces.as_ref(),
        Content::Commit(commit) => Some(&commit.request),
        Content::Report(report) => Some(&report.commitment),
    }));
    references
        .into_iter()
        .flatten()
        .map(|reference| reference.as_str().to_string())
        .collect()
}

/// How to follow several messages with one `reply`.
fn advice(desk: &Desk, from: &str, last: &[&str]) -> Vec<String> {
    let word = |at: usize| last.get(at).map_or_else(String::new, |id| quoted(id));
    let mut help = vec![
        "first send a message that names two of them, as `reply` and `about`:".to_string(),
        format!(
            "  tern new ask --in {} --from {} --reply {} --about {} --question …",
            desk.file(),
            quoted(from),
            word(0),
            word(1),
        ),
    ];
    if last.len() > 2 {
        help.push(
            "for each of the others, another ASK that replies to the one before and is about it"
                .to_string(),
        );
    }
    help.push("then write this report again: it will reply to that message, and count".to_string());
    help
}

/// Says why one `reply` is not enough.
fn several(
    commitment: &str,
    last: &[&str],
    follow: &BTreeMap<String, String>,
    help: &[String],
) -> Stop {
    const SHOWN: usize = 8;
    let mut message = format!(
        "a report on `{commitment}` has to follow {} messages, none of which knows of the others, \
         and `reply` names one:",
        last.len()
    );
    for (index, id) in last.iter().take(SHOWN).enumerate() {
        let why = follow.get(*id).map_or("", String::as_str);
        let comma = if index > 0 { "," } else { "" };
        message.push_str(&format!("{comma} `{id}` ({why})"));
    }
    if last.len() > SHOWN {
        message.push_str(&format!(" and {} more", last.len() - SHOWN));
    }
    let help: Vec<&str> = help.iter().map(String::as_str).collect();
    refusal("several_to_follow", "S5.05", &message, &help)
}
