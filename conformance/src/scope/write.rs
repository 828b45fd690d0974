//! A small log as a log document.

use serde_json::{Value, json};

use super::{Kind, SmallLog, SmallMessage};

/// The participants, who speak for themselves.
const NAMES: [&str; 2] = ["a", "b"];

impl SmallLog {
    /// Its `context` record.
    #[must_use]
    pub fn context() -> Value {
        json!({"context": {"id": "small", "participants": {"a": "key:a", "b": "key:b"}}})
    }

    /// The local facts that make its commitments ready if nothing else blocks them: a `permit` for
    /// each.
    #[must_use]
    pub fn permits(&self) -> Vec<Value> {
        let commits = self.messages.iter().enumerate();
        let commits = commits.filter(|(_, message)| message.kind == Kind::Commit);
        commits
            .map(|(index, _)| json!({"permit": {"commitment": self.id(index)}}))
            .collect()
    }

    /// Its `deliver` records, one for each message.
    #[must_use]
    pub fn deliveries(&self) -> Vec<Value> {
        let messages = self.messages.iter().enumerate();
        messages
            .map(|(index, message)| {
                let principal = format!("key:{}", name(message));
                let message = self.message(index, message);
                json!({"deliver": {"principal": principal, "message": message}})
            })
            .collect()
    }

    /// All of it, one record a line.
    #[must_use]
    pub fn lines(&self) -> Vec<Vec<u8>> {
        let records = [Self::context()].into_iter();
        let records = records.chain(self.permits()).chain(self.deliveries());
        records
            .map(|record| record.to_string().into_bytes())
            .collect()
    }

    /// The id of a message, or of one that never comes.
    #[must_use]
    pub fn id(&self, index: usize) -> String {
        let index = match self.versions() {
            Some((first, later)) if later == index => first,
            _ => index,
        };
        let Some(message) = self.messages.get(index) else {
            return "a:9".to_owned();
        };
        let number = if self.is_numbered_backwards {
            self.messages.len() - index
        } else {
            index + 1
        };
        format!("{}:{number}", name(message))
    }

    fn refers_to(&self, message: &SmallMessage) -> [String; 2] {
        message.references.map(|to| self.id(usize::from(to)))
    }

    fn message(&self, index: usize, message: &SmallMessage) -> Value {
        let [reference, _] = self.refers_to(message);
        let reply = match message.kind {
            Kind::Reply => Value::from(reference),
            _ => Value::Null,
        };
        json!({
            "tern": "0.1", "id": self.id(index), "from": name(message), "to": [name(message)],
            "thread": "t", "reply": reply, "act": act(message.kind), "body": self.body(message),
        })
    }

    fn body(&self, message: &SmallMessage) -> Value {
        let [reference, previous] = self.refers_to(message);
        match message.kind {
            Kind::Ask => json!({"question": "q"}),
            Kind::AskAbout => json!({"question": "q", "about": reference}),
            Kind::Tell | Kind::Reply => json!({"claims": [claim()]}),
            Kind::Propose => json!({"plan": "p", "success": "s", "constraints": []}),
            Kind::Request => request(),
            Kind::RequestReplacing => {
                let mut body = request();
                if let Value::Object(fields) = &mut body {
                    fields.insert("replaces".into(), reference.into());
                }
                body
            }
            Kind::Commit => json!({
                "request": reference, "action": "do", "deliverable": "it", "done_when": "done",
                "due": null, "conditions": [], "authority_ref": null,
            }),
            Kind::Active => report(&reference, "active"),
            Kind::Blocked => report(&reference, "blocked"),
            Kind::Fulfilled => report(&reference, "fulfilled"),
            Kind::Failed => report(&reference, "failed"),
            Kind::Challenge => json!({
                "target": reference, "kind": "factual", "objection": "no", "support": [],
                "resolution_test": "look",
            }),
            Kind::Replace | Kind::Withdraw => {
                let is_replace = message.kind == Kind::Replace;
                let replacement = if is_replace {
                    self.anew(message)
                } else {
                    Value::Null
                };
                json!({
                    "target": reference, "previous": previous, "reason": "r", "impact": [],
                    "mode": if is_replace { "replace" } else { "withdraw" },
                    "replacement": replacement,
                })
            }
            Kind::Decline => json!({"target": reference, "reason": "r"}),
            Kind::Ack => json!({"target": reference}),
        }
    }

    /// The content of a revised message once more; of a REPORT `active`, whatever it was.
    fn anew(&self, revise: &SmallMessage) -> Value {
        let target = revise.references.first().copied().unwrap_or_default();
        let Some(target) = self.messages.get(usize::from(target)) else {
            return json!({});
        };
        let [reference, _] = self.refers_to(target);
        match target.kind {
            Kind::Active | Kind::Blocked | Kind::Fulfilled | Kind::Failed => {
                report(&reference, "active")
            }
            Kind::Replace | Kind::Withdraw => json!({}),
            _ => self.body(target),
        }
    }
}

fn name(message: &SmallMessage) -> &'static str {
    NAMES
        .get(usize::from(message.author))
        .copied()
        .unwrap_or("a")
}

fn act(kind: Kind) -> &'static str {
    match kind {
        Kind::Ask | Kind::AskAbout => "ASK",
        Kind::Tell | Kind::Reply => "TELL",
        Kind::Propose => "PROPOSE",
        Kind::Request | Kind::RequestReplacing => "REQUEST",
        Kind::Commit => "COMMIT",
        Kind::Active | Kind::Blocked | Kind::Fulfilled | Kind::Failed => "REPORT",
        Kind::Challenge => "CHALLENGE",
        Kind::Replace | Kind::Withdraw => "REVISE",
        Kind::Decline => "DECLINE",
        Kind::Ack => "ACK",
    }
}

fn claim() -> Value {
    json!({
        "text": "t", "basis": "observed", "confidence": "high", "scope": "s",
        "evidence": ["ev:1"], "alternatives": [],
    })
}

fn request() -> Value {
    json!({"action": "do", "done_when": "done", "constraints": [], "authority_ref": null})
}

fn report(commitment: &str, state: &str) -> Value {
    json!({"commitment": commitment, "state": state, "claims": [claim()]})
}
