//! What a canonical view holds (S7.06).

use serde_json::{Map, Value};

use super::links::Links;
use super::{Census, Group, words};
use crate::generate::Scenario;

pub(super) fn count(census: &mut Census, scenario: &Scenario, view: &Value) {
    if is_trivial(view) {
        census.count(Group::Logs, "trivial");
    }
    for message in values(view, "messages") {
        let status = text(message, "status");
        census.count(
            Group::Messages,
            &format!("{} {status}", text(message, "act")),
        );
        let code = text(message, "code");
        if !code.is_empty() {
            census.count(Group::Codes, code);
        }
    }
    chains(census, scenario, view);
    for cycle in list(view, "cycles") {
        census.count(Group::Cycles, size(cycle.as_array().map_or(0, Vec::len)));
    }
    for versions in values(view, "equivocal") {
        census.count(
            Group::Versions,
            size(versions.as_array().map_or(0, Vec::len)),
        );
    }
    for commitment in values(view, "commitments") {
        count_commitment(census, commitment);
    }
    for impact in values(view, "impacts")
        .filter_map(Value::as_array)
        .flatten()
    {
        census.count(Group::Impacts, text(impact, "assessment"));
    }
    for challenge in values(view, "challenges") {
        census.count(Group::Challenges, text(challenge, "kind"));
    }
    for status in values(view, "evidence") {
        census.count(Group::Evidence, status.as_str().unwrap_or_default());
    }
    for entry in list(view, "reconcile") {
        for cause in list(entry, "causes") {
            census.count(Group::Reconcile, cause.as_str().unwrap_or_default());
        }
    }
}

fn chains(census: &mut Census, scenario: &Scenario, view: &Value) {
    let mut links = None;
    let Some(chains) = object(view, "chains") else {
        return;
    };
    for (target, chain) in chains {
        let state = text(chain, "state");
        census.count(Group::Chains, state);
        census.count(Group::ChainLengths, size(list(chain, "revisions").len()));
        if state != "conflicted" {
            continue;
        }
        census.count(Group::ForkWidths, size(list(chain, "competing").len()));
        let head = text(chain, "head");
        let depth = if head == target {
            Some(0)
        } else {
            // The view does not say what comes before what: the messages do.
            let links = links.get_or_insert_with(|| Links::of(scenario));
            links.steps(head, target)
        };
        census.count(Group::ConflictDepths, depth.map_or("unknown", size));
    }
}

fn count_commitment(census: &mut Census, commitment: &Value) {
    let (progress, cause) = (
        text(commitment, "progress"),
        text(commitment, "progress_cause"),
    );
    if cause.is_empty() {
        census.count(Group::Progress, progress);
    } else {
        census.count(Group::Progress, &format!("{progress} {cause}"));
    }
    census.count(Group::Readiness, text(commitment, "readiness"));
    for code in list(commitment, "blocked_by") {
        census.count(Group::BlockedBy, code.as_str().unwrap_or_default());
    }
    for annotation in list(commitment, "annotations") {
        census.count(Group::Annotations, annotation.as_str().unwrap_or_default());
    }
    for beside in words::LISTS {
        if !list(commitment, beside).is_empty() {
            census.count(Group::Annotations, beside);
        }
    }
}

/// See [`Census::trivial_per_mille`].
fn is_trivial(view: &Value) -> bool {
    let with = |status: &str| {
        let statuses = values(view, "messages").map(|message| text(message, "status"));
        statuses.filter(|found| *found == status).count()
    };
    let accepted = with("accepted");
    let has = |field: &str| values(view, field).next().is_some();
    let something = has("chains")
        || has("commitments")
        || has("equivocal")
        || with("pending") > 0
        || with("rejected") > 0;
    accepted == 0 || accepted <= 2 && !something
}

/// Small numbers as they are, greater ones by range.
fn size(number: usize) -> &'static str {
    match number {
        0 => "0",
        1 => "1",
        2 => "2",
        3 => "3",
        4 => "4",
        5..=9 => "5-9",
        10..=19 => "10-19",
        20..=49 => "20-49",
        50..=99 => "50-99",
        _ => "100 or more",
    }
}

fn object<'v>(value: &'v Value, field: &str) -> Option<&'v Map<String, Value>> {
    value.get(field).and_then(Value::as_object)
}

fn values<'v>(value: &'v Value, field: &str) -> impl Iterator<Item = &'v Value> {
    object(value, field).into_iter().flat_map(Map::values)
}

fn list<'v>(value: &'v Value, field: &str) -> &'v [Value] {
    value
        .get(field)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}
