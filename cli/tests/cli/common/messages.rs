//! Messages as JSON text, as `ana`, `ben` and `cleo` write them, and logs of them.

use std::fmt::Display;

use serde_json::{Value, json};

/// A message by the sender of `id`, to `ben` or from him to `ana`. `reply` is empty for none, `body`
/// is JSON.
pub(crate) fn message(id: &str, reply: &str, act: &str, body: impl Display) -> String {
    let from = id.split(':').next().unwrap();
    let to = if from == "ana" { "ben" } else { "ana" };
    let reply = Some(reply).filter(|reply| !reply.is_empty());
    let (id, from, reply) = (json!(id), json!(from), json!(reply));
    format!(
        r#"{{"tern":"0.1","id":{id},"from":{from},"to":["{to}"],"thread":"garden","reply":{reply},"act":"{act}","body":{body}}}"#
    )
}

pub(crate) fn ask(id: &str, question: &str) -> String {
    message(id, "", "ASK", json!({"question": question}))
}

pub(crate) fn request(id: &str) -> String {
    message(id, "", "REQUEST", request_body("Water bed 4.", &[]))
}

/// A request with one constraint.
pub(crate) fn request_for(id: &str, action: &str) -> String {
    message(id, "", "REQUEST", request_body(action, &["no sprinkler"]))
}

pub(crate) fn request_body(action: &str, constraints: &[&str]) -> Value {
    json!({
        "action": action, "done_when": "It is wet.", "constraints": constraints,
        "authority_ref": null,
    })
}

/// A promise without conditions.
pub(crate) fn commit(id: &str, request: &str) -> String {
    let body = json!({
        "request": request, "action": "Water bed 4.", "deliverable": "A wet bed.",
        "done_when": "It is wet.", "due": null, "conditions": [], "authority_ref": null,
    });
    message(id, request, "COMMIT", body)
}

pub(crate) fn report(id: &str, reply: &str, commitment: &str, state: &str) -> String {
    message(id, reply, "REPORT", report_body(commitment, state))
}

pub(crate) fn report_body(commitment: &str, state: &str) -> String {
    let claim = json!({
        "text": "So it is.", "basis": "observed", "confidence": "high", "scope": "Bed 4.",
        "evidence": ["ev:photo"], "alternatives": [],
    });
    json!({"commitment": commitment, "state": state, "claims": [claim]}).to_string()
}

/// A REVISE; `replacement` is JSON, and `null` for a withdrawal.
pub(crate) fn revise(id: &str, target: &str, previous: &str, replacement: impl Display) -> String {
    let replacement = replacement.to_string();
    let mode = if replacement == "null" {
        "withdraw"
    } else {
        "replace"
    };
    let (target, previous_id) = (json!(target), json!(previous));
    let body = format!(
        r#"{{"target":{target},"previous":{previous_id},"mode":"{mode}","reason":"a new thought","replacement":{replacement},"impact":[]}}"#
    );
    message(id, previous, "REVISE", body)
}

pub(crate) fn ack(id: &str, target: &str) -> String {
    message(id, "", "ACK", json!({"target": target}))
}

/// A message to change by hand.
pub(crate) fn parsed(message: &str) -> Value {
    serde_json::from_str(message).expect("a message")
}

/// The context record that binds `ana`, `ben` and `cleo`, as a line.
pub(crate) fn context() -> String {
    let participants = json!({"ana": "key:ana", "ben": "key:ben", "cleo": "key:cleo"});
    format!(
        "{}\n",
        json!({"context": {"id": "garden", "participants": participants}})
    )
}

/// The record of a delivery over the channel of its sender. What is special in the message's text
/// beyond its meaning is lost: see [`log`].
pub(crate) fn deliver(message: impl Display) -> Value {
    let message = parsed(&message.to_string());
    let from = message["from"].as_str().expect("a sender");
    json!({"deliver": {"principal": format!("key:{from}"), "message": message}})
}

/// A log document: the context, then these records.
pub(crate) fn document(records: &[Value]) -> String {
    let lines = records.iter().map(|record| format!("{record}\n"));
    std::iter::once(context()).chain(lines).collect()
}

/// A log document of these messages, each as it is and over the channel of its sender.
pub(crate) fn log(messages: &[String]) -> String {
    let mut out = context();
    for message in messages {
        let value = parsed(message);
        let from = value["from"].as_str().expect("a sender");
        out.push_str(&format!(
            "{{\"deliver\":{{\"principal\":\"key:{from}\",\"message\":{message}}}}}\n"
        ));
    }
    out
}
