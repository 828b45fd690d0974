//! Messages of each act, with defaults.

use serde_json::{Value, json};

/// A message to be delivered, and whom the channel authenticates.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(crate) value: Value,
    pub(crate) principal: Option<String>,
}

fn words(id: &str, act: &str, body: Value) -> Words {
    let from = id.split(':').next().unwrap();
    let principal = super::PARTICIPANTS
        .iter()
        .find(|(name, _)| *name == from)
        .map(|(_, principal)| (*principal).to_owned());
    let value = json!({
        "tern": "0.1", "id": id, "from": from, "to": ["all"], "thread": "t", "reply": null,
        "act": act, "body": body,
    });
    Words { value, principal }
}

impl Words {
    pub(crate) fn text(&self) -> String {
        self.value.to_string()
    }

    pub(crate) fn id(&self) -> String {
        self.value["id"].as_str().unwrap().to_owned()
    }

    pub(crate) fn body_value(&self) -> Value {
        self.value["body"].clone()
    }

    pub(crate) fn reply(self, id: &str) -> Self {
        self.with("reply", json!(id))
    }

    pub(crate) fn thread(self, thread: &str) -> Self {
        self.with("thread", json!(thread))
    }

    /// Sets a field of the envelope.
    pub(crate) fn with(mut self, field: &str, value: Value) -> Self {
        self.value[field] = value;
        self
    }

    /// Sets a field of the body.
    pub(crate) fn body(mut self, field: &str, value: Value) -> Self {
        self.value["body"][field] = value;
        self
    }

    /// The same message with other content that changes nothing it refers to.
    pub(crate) fn otherwise(self) -> Self {
        self.with("to", json!(["all", "else"]))
    }

    /// Over the channel of that principal.
    pub(crate) fn via(mut self, principal: Option<&str>) -> Self {
        self.principal = principal.map(str::to_owned);
        self
    }

    /// Gives evidence in the envelope.
    pub(crate) fn giving(self, id: &str, result: &str) -> Self {
        self.with("evidence", json!([evidence(id, result)]))
    }

    /// Cites evidence in its one claim.
    pub(crate) fn citing(mut self, ids: &[&str]) -> Self {
        self.value["body"]["claims"][0]["evidence"] = json!(ids);
        self
    }
}

pub(crate) fn claim(text: &str) -> Value {
    json!({"text": text, "basis": "observed", "confidence": "high", "scope": "here",
        "evidence": [], "alternatives": []})
}

pub(crate) fn evidence(id: &str, result: &str) -> Value {
    json!({"id": id, "source": "s", "collected_at": "2026-11-30T12:00:00Z", "method": "m",
        "result": result})
}

pub(crate) fn ask(id: &str) -> Words {
    words(id, "ASK", json!({"question": "?"}))
}

pub(crate) fn tell(id: &str) -> Words {
    words(id, "TELL", json!({"claims": [claim("it is so")]}))
}

pub(crate) fn propose(id: &str) -> Words {
    words(
        id,
        "PROPOSE",
        json!({"plan": "p", "success": "s", "constraints": []}),
    )
}

pub(crate) fn request(id: &str) -> Words {
    words(id, "REQUEST", request_body())
}

pub(crate) fn request_body() -> Value {
    json!({"action": "do", "done_when": "done", "constraints": [], "authority_ref": null})
}

pub(crate) fn commit(id: &str, request: &str) -> Words {
    words(id, "COMMIT", commit_body(request))
}

pub(crate) fn commit_body(request: &str) -> Value {
    json!({"request": request, "action": "do", "deliverable": "d", "done_when": "done",
        "due": null, "conditions": [], "authority_ref": null})
}

/// A REPORT. `fulfilled` cites `ev:1`.
pub(crate) fn report(id: &str, commitment: &str, state: &str) -> Words {
    words(id, "REPORT", report_body(commitment, state))
}

pub(crate) fn report_body(commitment: &str, state: &str) -> Value {
    let mut claim = claim("so it stands");
    if state == "fulfilled" {
        claim["evidence"] = json!(["ev:1"]);
    }
    json!({"commitment": commitment, "state": state, "claims": [claim]})
}

pub(crate) fn challenge(id: &str, target: &str) -> Words {
    let body = json!({"target": target, "kind": "factual", "objection": "o", "support": [],
        "resolution_test": "r"});
    words(id, "CHALLENGE", body)
}

fn revise(id: &str, target: &str, previous: &str, mode: &str, replacement: Value) -> Words {
    let body = json!({"target": target, "previous": previous, "mode": mode, "reason": "r",
        "replacement": replacement, "impact": []});
    words(id, "REVISE", body)
}

pub(crate) fn replace(id: &str, target: &str, previous: &str, replacement: Value) -> Words {
    revise(id, target, previous, "replace", replacement)
}

pub(crate) fn withdraw(id: &str, target: &str, previous: &str) -> Words {
    revise(id, target, previous, "withdraw", Value::Null)
}

/// A first or later revision of a TELL.
pub(crate) fn retell(id: &str, target: &str, previous: &str) -> Words {
    let body = json!({"claims": [claim(&format!("as {id} has it"))]});
    replace(id, target, previous, body)
}

pub(crate) fn decline(id: &str, target: &str) -> Words {
    words(id, "DECLINE", json!({"target": target, "reason": "r"}))
}

pub(crate) fn ack(id: &str, target: &str) -> Words {
    words(id, "ACK", json!({"target": target}))
}
