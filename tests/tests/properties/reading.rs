//! What is read and written again is the same.

use serde_json::Value;
use tern_conformance::Mixer;
use tern_core::log::Record;
use tern_core::wire::{self, Digest, Json, JsonOptions, Parsed, canonical};
use tern_core::{Event, Limits, Log, Message, View};
use tern_tests::views::in_order;

use crate::harness::{Counts, Holds, Property, all, readable};
use crate::look::holds;
use crate::rewrite::rewritten;
use crate::tree::Tree;

/// R-02, T1.08, T1.29, S7.03, S7.04, S7.05, T1.15: a message that is read, written and read again is
/// the same; its canonical form is a fixpoint and the same in the model; written otherwise it is equal,
/// and with any one text, number, word, key or order of a list changed it is not.
#[test]
fn r_02_messages_read_back() {
    Property::new("r_02_messages_read_back", all(), 250)
        .demand(&[
            ("messages", 3000),
            ("written otherwise", 1500),
            ("changed text", 1500),
            ("changed order", 30),
            ("changed number", 50),
            ("changed word", 10),
            ("changed key", 50),
            ("extensions", 300),
        ])
        .check(|trial| {
            let Some(log) = trial.read() else {
                return Ok(());
            };
            for event in &log.events {
                if let Event::Deliver(delivery) = event {
                    message_reads_back(&delivery.bytes, &mut trial.dice, trial.counts)?;
                }
            }
            Ok(())
        });
}

fn message_reads_back(bytes: &[u8], dice: &mut Mixer, counts: &mut Counts) -> Holds {
    let limits = Limits::default();
    let Ok(parsed) = wire::read(bytes, &limits) else {
        return Ok(());
    };
    counts.add("messages", 1);
    counts.add(
        "extensions",
        usize::from(parsed.message.extensions.is_some()),
    );
    let canonical = parsed.message.to_canonical_json();
    holds!(
        Digest::of(canonical.as_bytes()) == parsed.digest,
        "the digest of {canonical}"
    );
    let model = tern_model::check_message(bytes, &tern_model::Limits::default());
    holds!(
        model.as_deref() == Ok(canonical.as_str()),
        "the model writes {model:?}"
    );
    let json = Json::read(bytes, JsonOptions::STRICT).unwrap();
    holds!(
        wire::canonical(json.root()) == canonical,
        "the message as JSON is another one"
    );
    let again =
        wire::read(canonical.as_bytes(), &limits).map_err(|it| format!("{it:?}: {canonical}"))?;
    holds!(
        again.message == parsed.message,
        "read back otherwise: {canonical}"
    );
    holds!(
        again.digest == parsed.digest && again.content == parsed.content,
        "other digests: {canonical}"
    );
    holds!(
        again.evidence == parsed.evidence,
        "other evidence: {canonical}"
    );
    holds!(
        again.message.to_canonical_json() == canonical,
        "no fixpoint: {canonical}"
    );
    // serde_json takes 127 levels and no more, the specification more by default.
    let printed = serde_json::to_string(&parsed.message).map_err(|it| it.to_string())?;
    match serde_json::from_str::<Message<'_>>(&printed) {
        Ok(read) => holds!(
            read == parsed.message,
            "serde reads back otherwise: {printed}"
        ),
        Err(error) => {
            let is_deep = error.to_string().starts_with("recursion limit exceeded");
            holds!(is_deep, "serde does not read back, {error}: {printed}");
            counts.add("too deep for serde", 1);
        }
    }
    if let Some(bytes) = rewritten(bytes, dice) {
        let other = wire::read(&bytes, &limits)
            .map_err(|it| format!("{it:?}: {}", String::from_utf8_lossy(&bytes)))?;
        counts.add("written otherwise", 1);
        let equal = other.message == parsed.message && other.digest == parsed.digest;
        holds!(
            equal,
            "another message: {}",
            String::from_utf8_lossy(&bytes)
        );
    }
    let tree = Tree::read(&canonical).ok_or("the canonical form is no JSON")?;
    let mut changed = tree.clone();
    let what = changed.change(dice);
    differs(&parsed, &tree, &changed, what, counts)?;
    // Numbers, words and keys of one's own stand in extensions alone.
    let mut changed = tree.clone();
    let what = changed.get("extensions").and_then(|it| it.change(dice));
    differs(&parsed, &tree, &changed, what, counts)
}

/// Whether a message with one thing changed is another one, where it is a message at all.
fn differs(
    first: &Parsed<'_>,
    tree: &Tree,
    changed: &Tree,
    what: Option<&str>,
    counts: &mut Counts,
) -> Holds {
    let Some(what) = what else {
        return Ok(());
    };
    let text = changed.write();
    holds!(tree != changed, "a change changed nothing: {text}");
    if let Ok(other) = wire::read(text.as_bytes(), &Limits::default()) {
        counts.add(format!("changed {what}"), 1);
        let differs = other.message != first.message && other.digest != first.digest;
        holds!(differs, "the same message: {text}");
    }
    Ok(())
}

/// S8.01, S8.05, S8.07, S8.09: a record that is read and written again is the same, and its line a
/// fixpoint; a document is one too, and gives the same events, outcomes and view.
#[test]
fn s8_01_records_and_documents_read_back() {
    let demands = [
        ("contexts", 150),
        ("deliveries", 3000),
        ("facts", 500),
        ("as base64", 2),
    ];
    Property::new("s8_01_records_and_documents_read_back", all(), 250)
        .demand(&demands)
        .check(|trial| {
            for line in trial.lines {
                let Ok(record) = Record::read(line) else {
                    continue;
                };
                let what = match &record {
                    Record::Context(_) => "contexts",
                    Record::Event(Event::Deliver(_)) => "deliveries",
                    Record::Event(Event::Fact(_)) => "facts",
                };
                trial.counts.add(what, 1);
                let printed = record.to_line();
                let base64 = printed.contains("\"base64\":");
                trial.counts.add("as base64", usize::from(base64));
                let body = printed.strip_suffix('\n').unwrap();
                let again =
                    Record::read(body.as_bytes()).map_err(|it| format!("{it}: {printed}"))?;
                holds!(again == record, "read back otherwise: {printed}");
                holds!(again.to_line() == printed, "no fixpoint: {printed}");
            }
            let Ok(log) = Log::read(&trial.document()) else {
                return Ok(());
            };
            let Ok(printed) = log.to_document() else {
                holds!(!log.context().is_verified(), "a document is not written");
                return Ok(());
            };
            let again = Log::read(printed.as_bytes()).map_err(|it| format!("{it}: {printed}"))?;
            holds!(again.context() == log.context(), "another context");
            holds!(again.events() == log.events(), "other events");
            let fixpoint = again.to_document();
            holds!(fixpoint.as_ref() == Ok(&printed), "no fixpoint: {printed}");
            let limits = Limits::default();
            let (one, two) = (
                log.state_at(usize::MAX, &limits),
                again.state_at(usize::MAX, &limits),
            );
            holds!(
                one.1 == two.1 && one.0.view() == two.0.view(),
                "another state"
            );
            Ok(())
        });
}

/// S7.03, S7.05, S7.06: every view is canonical, survives a round trip, and each of its lists is in order
/// and holds nothing twice.
#[test]
fn s7_06_every_view_is_canonical() {
    Property::new("s7_06_every_view_is_canonical", readable(), 200)
        .demand(&[("lists", 2000), ("of two or more", 500)])
        .check(|trial| {
            let Some(log) = trial.read() else {
                return Ok(());
            };
            let (state, _) = log.after(&log.events);
            let text = state.view().to_canonical_json();
            let json =
                Json::read(text.as_bytes(), JsonOptions::STRICT).map_err(|it| format!("{it:?}"))?;
            holds!(canonical(json.root()) == text, "not canonical: {text}");
            let model = tern_model::canonical_json(text.as_bytes(), &no_limits());
            holds!(
                model.as_ref() == Ok(&text),
                "not canonical to the model: {text}"
            );
            let back: View<'_> = serde_json::from_str(&text).map_err(|it| it.to_string())?;
            holds!(back == state.view(), "read back otherwise: {text}");
            holds!(
                Digest::of(text.as_bytes()) == back.digest(),
                "another digest"
            );
            let value: Value = serde_json::from_str(&text).unwrap();
            in_order(&value)?;
            count_lists(&value, trial.counts);
            Ok(())
        });
}

fn count_lists(value: &Value, counts: &mut Counts) {
    match value {
        Value::Array(items) => {
            counts.add("lists", 1);
            counts.add("of two or more", usize::from(items.len() > 1));
            items.iter().for_each(|item| count_lists(item, counts));
        }
        Value::Object(fields) => fields.values().for_each(|it| count_lists(it, counts)),
        _ => {}
    }
}

fn no_limits() -> tern_model::Limits {
    tern_model::Limits {
        bytes: usize::MAX,
        ..tern_model::Limits::default()
    }
}
