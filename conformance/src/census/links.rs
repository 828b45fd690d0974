//! What revises what, by the lines of a log: the view does not say how deep a fork is.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::generate::Scenario;

/// From each REVISE to its `previous`.
pub(super) struct Links {
    previous: HashMap<String, String>,
}

impl Links {
    /// What the first message under each id says.
    pub(super) fn of(scenario: &Scenario) -> Self {
        let mut previous = HashMap::new();
        for line in scenario.lines() {
            let Some(message) = message(line) else {
                continue;
            };
            let id = message.get("id").and_then(Value::as_str);
            let link = message.pointer("/body/previous").and_then(Value::as_str);
            if let (Some(id), Some(link)) = (id, link) {
                previous
                    .entry(id.to_owned())
                    .or_insert_with(|| link.to_owned());
            }
        }
        Self { previous }
    }

    /// How many steps lead from a target to a node of its chain.
    pub(super) fn steps(&self, node: &str, target: &str) -> Option<usize> {
        let mut at = node;
        for steps in 0..=self.previous.len() {
            if at == target {
                return Some(steps);
            }
            at = self.previous.get(at)?;
        }
        None
    }
}

/// The message on a line, delivered in whatever form, if it can be read.
fn message(line: &[u8]) -> Option<Value> {
    let line: Value = serde_json::from_slice(line).ok()?;
    let Some(delivery) = line.get("deliver") else {
        return Some(line);
    };
    if let Some(message) = delivery.get("message") {
        return Some(message.clone());
    }
    if let Some(text) = delivery.get("text").and_then(Value::as_str) {
        return serde_json::from_str(text).ok();
    }
    let encoded = delivery.get("base64").and_then(Value::as_str)?;
    serde_json::from_slice(&STANDARD.decode(encoded).ok()?).ok()
}
