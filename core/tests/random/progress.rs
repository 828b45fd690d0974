//! §5 once more, from the naive model: causality and progress.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::naive::{Ids, Naive};

impl Naive {
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
