//! A log in which much is wrong.

use serde_json::{Value, json};

use super::messages::{ack, deliver, message, request_body, request_for, revise};

/// A promise under two conditions.
pub(crate) fn conditional(id: &str, request: &str) -> String {
    let body = json!({
        "request": request, "action": "water", "deliverable": "wet beds", "done_when": "wet",
        "due": null, "conditions": ["the hose is there", "no rain"], "authority_ref": null,
    });
    message(id, request, "COMMIT", body)
}

/// A promise on a request whose revisions compete, a message that waits for `ana:9`, and a spoofed
/// one.
pub(crate) fn garden() -> Vec<Value> {
    let mut spoofed = deliver(ack("ana:6", "ben:1"));
    spoofed["deliver"]["principal"] = json!("key:mallory");
    vec![
        deliver(request_for("ana:1", "water the beds")),
        deliver(conditional("ben:1", "ana:1")),
        deliver(revise(
            "ana:2",
            "ana:1",
            "ana:1",
            request_body("water the beds", &["no sprinkler", "before noon"]),
        )),
        deliver(revise(
            "ana:3",
            "ana:1",
            "ana:1",
            request_body("water the roses", &["no sprinkler"]),
        )),
        deliver(revise("ana:4", "ana:1", "ana:2", Value::Null)),
        deliver(ack("ben:3", "ana:9")),
        spoofed,
        json!({"confirm": {"commitment": "ben:1", "condition": 0}}),
    ]
}

/// An id that is hostile to terminals, DOT, Mermaid, HTML and XML at once.
pub(crate) const HOSTILE: &str = "ana:\"]; x -> y [label=\"<script>alert('&amp;')</script>\"\n--> %%{init}%% `#35;`\\N\u{1b}[31m\u{202e}\u{0}]]>";
