//! What is read can be written, and reads as the same again.

use tern_conformance::shown::shown;
use tern_core::message::{Evidence, Message};
use tern_core::wire::{self, Digest, Json, JsonOptions, Parsed};
use tern_core::{Limits, Log};

/// A message, an evidence object, any JSON and a log document, whichever the bytes are: written and
/// read again each is equal (R-02, S7.03, S7.05, S8.01).
///
/// # Panics
/// Where one is not.
pub fn parse_print(data: &[u8]) {
    if let Ok(json) = Json::read(data, JsonOptions::STRICT) {
        as_json(data, &json);
    }
    if let Ok(parsed) = wire::read(data, &Limits::default()) {
        as_message(data, &parsed);
    }
    if let Ok(evidence) = wire::read_evidence(data, &Limits::default()) {
        as_evidence(data, &evidence);
    }
    if let Ok(log) = Log::read(data) {
        as_document(data, &log);
    }
}

/// S7.03: canonical JSON is canonical.
fn as_json(data: &[u8], json: &Json<'_>) {
    let canonical = wire::canonical(json.root());
    let again = Json::read(canonical.as_bytes(), JsonOptions::STRICT)
        .map(|json| wire::canonical(json.root()));
    assert!(
        again.as_ref() == Ok(&canonical),
        "S7.03: canonical JSON is read as another value: {again:?}\n{canonical}\nof {}",
        shown(data)
    );
}

fn as_message(data: &[u8], parsed: &Parsed<'_>) {
    let message = &parsed.message;
    let canonical = message.to_canonical_json();
    same(data, parsed, &canonical, "canonical JSON");
    let by_serde = serde_json::to_string(message).unwrap();
    same(data, parsed, &by_serde, "what serde writes");
    let back: Message<'_> = serde_json::from_str(&by_serde)
        .unwrap_or_else(|error| panic!("R-02: serde reads no message ({error}): {by_serde}"));
    assert!(
        back == *message,
        "R-02: serde reads another message\n{by_serde}\nof {}",
        shown(data)
    );
    let owned = message.clone().into_owned();
    assert!(
        owned == *message && owned.to_canonical_json() == canonical,
        "R-02: a message that borrows nothing is another one: {}",
        shown(data)
    );
}

/// Reads a message that was written, and compares it with the one that was read first.
fn same(data: &[u8], first: &Parsed<'_>, written: &str, what: &str) {
    let again = wire::read(written.as_bytes(), &Limits::default()).unwrap_or_else(|rejection| {
        panic!(
            "R-02: {what} is no message: {rejection}\n{written}\nof {}",
            shown(data)
        )
    });
    assert!(
        again.message == first.message
            && again.digest == first.digest
            && again.content == first.content
            && again.evidence == first.evidence,
        "R-02, S7.05: {what} is another message\n{written}\nof {}",
        shown(data)
    );
}

fn as_evidence(data: &[u8], evidence: &Evidence<'_>) {
    let canonical = evidence.to_canonical_json();
    let again = wire::read_evidence(canonical.as_bytes(), &Limits::default());
    assert!(
        again.as_ref() == Ok(evidence),
        "A-EVIDENCE: canonical JSON is other evidence\n{canonical}\nof {}",
        shown(data)
    );
    let back: Evidence<'_> =
        serde_json::from_str(&serde_json::to_string(evidence).unwrap()).unwrap();
    assert!(
        back == *evidence,
        "A-EVIDENCE: serde reads other evidence: {}",
        shown(data)
    );
    let whole = Json::read(data, JsonOptions::STRICT).map(|json| wire::canonical(json.root()));
    assert!(
        whole.map(|whole| Digest::of(whole.as_bytes())) == Ok(Digest::of(canonical.as_bytes())),
        "S7.05: evidence has another digest when it is written: {}",
        shown(data)
    );
}

fn as_document(data: &[u8], log: &Log) {
    if !log.context().is_verified() {
        assert!(
            log.to_document().is_err(),
            "S8.06: bare messages were written as a log document: {}",
            shown(data)
        );
        return;
    }
    let document = log.to_document().unwrap();
    let again = Log::read(document.as_bytes()).unwrap_or_else(|error| {
        panic!(
            "S8.01: a log was written as no log document: {error}\n{document}\nof {}",
            shown(data)
        )
    });
    assert!(
        again.context() == log.context() && again.events() == log.events(),
        "S8.01: a log is another one when it is read again\n{document}\nof {}",
        shown(data)
    );
    assert!(
        again.to_document().as_ref() == Ok(&document),
        "S8.01: a log document is written otherwise the second time\n{document}\nof {}",
        shown(data)
    );
}
