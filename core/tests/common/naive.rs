//! The rules once more, as directly as the specification states them: everything is computed from
//! the whole set each time, with no regard to cost. Only stages 1 to 4 are the state's own.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tern_core::{Event, Limits, State};

type Ids = BTreeSet<String>;

/// What is known of the identified messages.
pub(crate) struct Naive {
    /// The kept versions of each id, the first one first.
    pub(super) versions: BTreeMap<String, Vec<Value>>,
    /// `accepted`, `pending`, or the code of a rejection.
    pub(crate) statuses: BTreeMap<String, String>,
    pub(crate) tainted: Ids,
}

const REVISABLE: [&str; 5] = ["TELL", "PROPOSE", "REQUEST", "COMMIT", "REPORT"];

pub(super) fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value[field].as_str().unwrap_or("")
}

pub(super) fn sender(id: &str) -> &str {
    id.split(':').next().unwrap()
}

pub(super) fn act(message: &Value) -> &str {
    text(message, "act")
}

/// The act whose body a replacement is shaped like. Random logs hold whole bodies, or none.
fn shape(replacement: &Value) -> &'static str {
    let has = |field: &str| replacement.get(field).is_some();
    match () {
        () if has("plan") => "PROPOSE",
        () if has("deliverable") => "COMMIT",
        () if has("state") => "REPORT",
        () if has("claims") => "TELL",
        () if has("done_when") => "REQUEST",
        () => "",
    }
}

fn own_reference(body: &Value, act: &str) -> Option<String> {
    let field = match act {
        "ASK" => "about",
        "REQUEST" => "replaces",
        "COMMIT" => "request",
        "REPORT" => "commitment",
        "CHALLENGE" | "REVISE" | "DECLINE" | "ACK" => "target",
        _ => return None,
    };
    body.get(field).map(|id| id.as_str().unwrap().to_owned())
}

impl Naive {
    pub(crate) fn of(events: &[Event<'static>]) -> Self {
        let mut naive = Self {
            versions: kept(events),
            statuses: BTreeMap::new(),
            tainted: BTreeSet::new(),
        };
        naive.settle();
        naive.taint();
        naive
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = &String> {
        self.versions.keys()
    }

    pub(super) fn first(&self, id: &str) -> Option<&Value> {
        self.versions.get(id).and_then(|versions| versions.first())
    }

    fn is_equivocal(&self, id: &str) -> bool {
        self.versions
            .get(id)
            .is_some_and(|versions| versions.len() > 1)
    }

    pub(crate) fn is_accepted(&self, id: &str) -> bool {
        self.statuses
            .get(id)
            .is_some_and(|status| status == "accepted")
    }

    pub(super) fn is_pending(&self, id: &str) -> bool {
        self.statuses
            .get(id)
            .is_some_and(|status| status == "pending")
    }

    /// The accepted message of that id.
    fn accepted(&self, id: &str) -> Option<&Value> {
        self.first(id).filter(|_| self.is_accepted(id))
    }

    /// S3.01 for a kept version.
    fn gates(&self, message: &Value) -> Ids {
        let body = &message["body"];
        let mut gates: Ids = message["reply"]
            .as_str()
            .map(str::to_owned)
            .into_iter()
            .collect();
        gates.extend(own_reference(body, act(message)));
        if act(message) == "REVISE" {
            gates.insert(text(body, "previous").to_owned());
            let target = self.first(text(body, "target")).map_or("", act);
            let replacement = &body["replacement"];
            if REVISABLE.contains(&target) && shape(replacement) == target {
                gates.extend(own_reference(replacement, target));
            }
        }
        gates
    }

    /// S3.02: the least fixpoint.
    fn settle(&mut self) {
        for id in self.versions.keys() {
            self.statuses.insert(id.clone(), "pending".into());
        }
        loop {
            let ready = self.statuses.iter().find_map(|(id, status)| {
                let gates = self.gates(self.first(id)?);
                let settled =
                    |gate: &String| self.statuses.get(gate).is_some_and(|it| it != "pending");
                (status == "pending" && gates.iter().all(settled)).then(|| id.clone())
            });
            let Some(id) = ready else {
                return;
            };
            let verdict = self.judge(&id);
            self.statuses.insert(id, verdict.to_owned());
        }
    }

    /// S3.05: the table.
    fn judge(&self, id: &str) -> &'static str {
        let message = self.first(id).unwrap();
        if self
            .gates(message)
            .iter()
            .any(|gate| !self.is_accepted(gate))
        {
            return "reference_rejected";
        }
        let body = &message["body"];
        match act(message) {
            "DECLINE" => match self.act_of(text(body, "target")) {
                "REQUEST" | "PROPOSE" => "accepted",
                _ => "target_not_declinable",
            },
            "REVISE" => self.judge_revision(id, body),
            act => self.judge_body(act, body, sender(id), text(message, "thread")),
        }
    }

    fn act_of(&self, id: &str) -> &str {
        self.first(id).map_or("", act)
    }

    fn judge_body(&self, act: &str, body: &Value, author: &str, thread: &str) -> &'static str {
        match act {
            "COMMIT" => {
                let request = text(body, "request");
                if self.act_of(request) != "REQUEST" {
                    "request_not_request"
                } else if text(self.first(request).unwrap(), "thread") != thread {
                    "request_other_thread"
                } else {
                    "accepted"
                }
            }
            "REQUEST" => {
                let Some(replaced) = body.get("replaces").and_then(Value::as_str) else {
                    return "accepted";
                };
                if self.act_of(replaced) != "COMMIT" {
                    return "replaces_not_commit";
                }
                let request = text(&self.first(replaced).unwrap()["body"], "request");
                if sender(request) == author {
                    "accepted"
                } else {
                    "replaces_other_requester"
                }
            }
            "REPORT" => {
                let commitment = text(body, "commitment");
                let cites = body["claims"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .any(|claim| !claim["evidence"].as_array().unwrap().is_empty());
                if self.act_of(commitment) != "COMMIT" {
                    "commitment_not_commit"
                } else if sender(commitment) != author {
                    "commitment_other_author"
                } else if text(body, "state") == "fulfilled" && !cites {
                    "fulfilled_without_evidence"
                } else {
                    "accepted"
                }
            }
            _ => "accepted",
        }
    }

    fn judge_revision(&self, id: &str, body: &Value) -> &'static str {
        let target = text(body, "target");
        let of = self.act_of(target);
        if !REVISABLE.contains(&of) {
            return "target_not_revisable";
        }
        if sender(target) != sender(id) {
            return "target_other_author";
        }
        let previous = text(body, "previous");
        let before = self.first(previous).unwrap();
        if previous != target
            && !(act(before) == "REVISE" && text(&before["body"], "target") == target)
        {
            return "previous_not_in_chain";
        }
        if text(body, "mode") == "withdraw" {
            return "accepted";
        }
        let replacement = &body["replacement"];
        let original = self.first(target).unwrap();
        let thread = text(original, "thread");
        if shape(replacement) != of
            || self.judge_body(of, replacement, sender(target), thread) != "accepted"
        {
            return "replacement_invalid";
        }
        if of == "REPORT" && replacement["commitment"] != original["body"]["commitment"] {
            return "replacement_other_commitment";
        }
        "accepted"
    }

    ///
    fn taint(&mut self) {
        let mut tainted: Ids = self
            .ids()
            .filter(|id| self.is_equivocal(id))
            .cloned()
            .collect();
        loop {
            let more: Vec<String> = self
                .versions
                .iter()
                .filter(|(id, _)| !tainted.contains(*id))
                .filter(|(_, versions)| {
                    versions
                        .iter()
                        .any(|it| self.gates(it).intersection(&tainted).next().is_some())
                })
                .map(|(id, _)| id.clone())
                .collect();
            if more.is_empty() {
                break;
            }
            tainted.extend(more);
        }
        self.tainted = tainted;
    }

    /// Ids of these status whose message does this to that id.
    pub(super) fn who(&self, pending: bool, act_is: &str, field: &str, of: &str) -> Ids {
        self.versions
            .iter()
            .filter(|(id, _)| {
                if pending {
                    self.is_pending(id)
                } else {
                    self.is_accepted(id)
                }
            })
            .filter(|(_, versions)| {
                act(&versions[0]) == act_is && text(&versions[0]["body"], field) == of
            })
            .map(|(id, _)| id.clone())
            .collect()
    }

    /// S4.01: the undisputed steps from a target, and what competes after them.
    pub(crate) fn walk(&self, target: &str) -> (Vec<String>, Ids) {
        let revisions = self.who(false, "REVISE", "target", target);
        let mut steps: Vec<String> = Vec::new();
        loop {
            let head = steps.last().map_or(target, String::as_str);
            let next: Ids = revisions
                .iter()
                .filter(|id| text(&self.first(id).unwrap()["body"], "previous") == head)
                .cloned()
                .collect();
            if next.len() != 1 {
                return (steps, next);
            }
            steps.extend(next);
        }
    }

    pub(super) fn mode(&self, revise: &str) -> &str {
        text(&self.first(revise).unwrap()["body"], "mode")
    }

    /// State and head of a chain, what competes, and all accepted revisions.
    pub(crate) fn chain(&self, target: &str) -> (String, String, Ids, Ids) {
        let (steps, competing) = self.walk(target);
        let state = match steps.last() {
            _ if !competing.is_empty() => "conflicted",
            None => "original",
            Some(last) if self.mode(last) == "withdraw" => "withdrawn",
            Some(_) => "replaced",
        };
        let head = steps.last().map_or(target, String::as_str).to_owned();
        let all = self.who(false, "REVISE", "target", target);
        (state.to_owned(), head, competing, all)
    }

    ///
    pub(crate) fn known_pending(&self, target: &str) -> Ids {
        let mut ids = self.who(true, "REVISE", "target", target);
        ids.retain(|id| sender(id) == sender(target) && REVISABLE.contains(&self.act_of(target)));
        ids
    }

    /// Everything that is ≺ a message.
    pub(super) fn before(&self, id: &str) -> Ids {
        let mut reached = Ids::new();
        let mut next: Vec<String> = vec![id.to_owned()];
        while let Some(id) = next.pop() {
            for gate in self.gates(self.first(&id).unwrap()) {
                if reached.insert(gate.clone()) {
                    next.push(gate);
                }
            }
        }
        reached
    }

    fn state_said(&self, id: &str) -> Option<&str> {
        let body = &self.first(id)?["body"];
        body.get("state")
            .or_else(|| body["replacement"].get("state"))
            .and_then(Value::as_str)
    }

    /// S5.02 to S5.07: progress, cause, candidates, reactivation attempts.
    pub(crate) fn progress(&self, commitment: &str) -> Value {
        let terminal = |state: &str| state == "fulfilled" || state == "failed";
        let reports = self.who(false, "REPORT", "commitment", commitment);
        let mut effective: BTreeMap<&String, &str> = BTreeMap::new();
        let (mut conflict, mut invalidated) = (Ids::new(), Ids::new());
        for report in &reports {
            let (steps, competing) = self.walk(report);
            let mut all = self.who(false, "REVISE", "target", report);
            all.insert(report.clone());
            let equivocal: Ids = all.into_iter().filter(|id| self.is_equivocal(id)).collect();
            let said: Vec<Option<&str>> = [report]
                .into_iter()
                .chain(&steps)
                .map(|id| self.state_said(id))
                .collect();
            for (n, step) in steps.iter().enumerate() {
                if said[n].is_some_and(terminal) && !said[n + 1].is_some_and(terminal) {
                    invalidated.insert(step.clone());
                }
            }
            if let (Some(state), true, true) = (
                *said.last().unwrap(),
                competing.is_empty(),
                equivocal.is_empty(),
            ) {
                effective.insert(report, state);
            }
            conflict.extend(competing);
            conflict.extend(equivocal);
        }
        let decided = |states: BTreeSet<&str>,
                       candidates: Vec<&String>,
                       cause: &str,
                       attempts: Vec<&String>| {
            match states.len() {
                0 => json!(["none", null, [], attempts]),
                1 => json!([states.first(), null, [], attempts]),
                _ => json!(["unresolved", cause, candidates, attempts]),
            }
        };
        let ends: Vec<&String> = effective
            .keys()
            .copied()
            .filter(|id| terminal(effective[id]))
            .collect();
        if !ends.is_empty() {
            let attempts = effective
                .iter()
                .filter(|(id, state)| {
                    !terminal(state) && ends.iter().any(|end| self.before(id).contains(*end))
                })
                .map(|(id, _)| *id)
                .collect();
            return decided(
                ends.iter().map(|id| effective[id]).collect(),
                ends,
                "contradictory",
                attempts,
            );
        }
        let unsettled: Ids = conflict.union(&invalidated).cloned().collect();
        let counted: Vec<&String> = effective
            .keys()
            .copied()
            .filter(|id| unsettled.is_subset(&self.before(id)))
            .collect();
        if counted.is_empty() && !unsettled.is_empty() {
            let cause = if conflict.is_empty() {
                "invalidated"
            } else {
                "conflict"
            };
            return json!(["unresolved", cause, [], []]);
        }
        let last: Vec<&String> = counted
            .iter()
            .copied()
            .filter(|id| {
                counted
                    .iter()
                    .all(|other| !self.before(other).contains(*id))
            })
            .collect();
        decided(
            last.iter().map(|id| effective[id]).collect(),
            last,
            "concurrent",
            Vec::new(),
        )
    }
}

/// The kept versions of each identified id. Stages 1 to 4 are left to the state.
fn kept(events: &[Event<'static>]) -> BTreeMap<String, Vec<Value>> {
    let mut state = State::new(super::context(), Limits::default());
    let mut kept: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for event in events {
        let (Some(outcome), Event::Deliver(delivery)) = (state.apply(event), event) else {
            continue;
        };
        let code = outcome.verdict.rejection().map(tern_core::Rejection::code);
        let class = code.map_or("", |code| code.class().as_str());
        if ["", "id_conflict", "reference"].contains(&class) {
            let message: Value = serde_json::from_slice(&delivery.bytes).unwrap();
            let versions = kept.entry(text(&message, "id").to_owned()).or_default();
            if !versions.contains(&message) {
                versions.push(message);
            }
        }
    }
    kept
}

/// The tainted ids.
pub(crate) fn tainted(events: &[Event<'static>]) -> Ids {
    Naive::of(events).tainted
}
