//! `tern diff` as its users meet it.

use crate::common::{
    HOSTILE, Ran, ack, conditional, deliver, document, file, garden, request_for, tern, tern_on,
};
use serde_json::{Value, json};

fn diff(a: &str, b: &str) -> Ran {
    tern(&["diff", &file(a), &file(b)])
}

fn diff_json(a: &str, b: &str) -> (i32, Value) {
    let ran = tern(&["diff", "--json", &file(a), &file(b)]);
    (ran.code, ran.json())
}

/// S7.01, S3.03: equal sets in another order, with repeats and refused deliveries mixed in, come to
/// the same view, and that is said plainly.
#[test]
fn the_same_set_in_another_order_is_equal() {
    let records = garden();
    let mut other = records.clone();
    other.reverse();
    other.extend(records.iter().take(3).cloned());
    other.push(json!({"deliver": {"principal": null, "text": "nonsense"}}));
    let ran = diff(&document(&records), &document(&other));
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("The digests agree"), "{}", ran.out);
    let (code, found) = diff_json(&document(&records), &document(&other));
    assert_eq!(
        (code, &found["equal"], &found["digests_agree"]),
        (0, &json!(true), &json!(true))
    );
    assert_eq!(found["digests"]["a"], found["digests"]["b"]);
    let digest = tern(&["digest", &file(document(&records))]).out;
    assert_eq!(found["digests"]["a"], digest.trim());
}

/// S7.06, S7.07: which messages each side lacks, and what follows from it section by section.
#[test]
fn what_each_side_lacks_and_what_follows() {
    let mut a = garden();
    let mut b = garden();
    b.remove(3); // ana:3, one of the two that compete
    a.remove(5); // ben:3, which waits for ana:9
    let (a, b) = (document(&a), document(&b));
    let (code, found) = diff_json(&a, &b);
    assert_eq!(code, 1);
    let messages = &found["messages"];
    assert_eq!(messages["only_a"][0]["id"], "ana:3");
    assert_eq!(messages["only_b"][0]["id"], "ben:3");
    let digest = messages["only_a"][0]["digests"][0].as_str().unwrap();
    assert_eq!(digest.len(), 64);
    let entry = |section: &str, id: &str| {
        let all = found["view"].as_array().unwrap();
        let found = all
            .iter()
            .find(|entry| entry["section"] == section && entry["id"] == id);
        found.unwrap_or_else(|| panic!("{section} {id}")).clone()
    };
    let chain = entry("chains", "ana:1");
    assert_eq!(
        (&chain["a"]["state"], &chain["b"]["state"]),
        (&json!("conflicted"), &json!("withdrawn"))
    );
    assert_eq!(entry("messages", "ben:3")["a"], Value::Null);
    entry("commitments", "ben:1");
    let ran = diff(&a, &b);
    assert_eq!(ran.code, 1);
    for words in [
        "B lacks 1 message",
        "A lacks 1 message",
        digest,
        "view: chains",
        "/state: A \"conflicted\", B \"withdrawn\"",
    ] {
        assert!(ran.out.contains(words), "{words} in {}", ran.out);
    }
}

/// R-15, S7.02: the same id with other content, and the same contents in another order.
#[test]
fn an_id_with_other_content() {
    let (water, dig) = (
        deliver(request_for("ana:1", "water")),
        deliver(request_for("ana:1", "dig")),
    );
    let only = |records: &[Value]| document(records);
    let (code, found) = diff_json(
        &only(std::slice::from_ref(&water)),
        &only(std::slice::from_ref(&dig)),
    );
    assert_eq!(code, 1);
    assert_eq!(found["messages"]["other_content"][0]["id"], "ana:1");
    assert_eq!(found["messages"]["only_a"], json!([]));
    let both = [water.clone(), dig.clone()];
    let turned = [dig, water];
    let (code, found) = diff_json(&only(&both), &only(&turned));
    assert_eq!(code, 1);
    let other = &found["messages"]["other_content"][0];
    assert_eq!(other["kept"]["a"], other["kept"]["b"]);
    assert_ne!(other["first"]["a"], other["first"]["b"]);
    assert!(
        diff(&only(&both), &only(&turned))
            .out
            .contains("same id, other content")
    );
}

/// S6.01, S7.05: other local facts are named, also where the digests agree all the same.
#[test]
fn other_local_facts() {
    let with = |fact: Value| {
        let mut records = garden();
        records.push(fact);
        document(&records)
    };
    let permit = with(json!({"permit": {"commitment": "ben:1"}}));
    let (code, found) = diff_json(&permit, &document(&garden()));
    assert_eq!((code, &found["digests_agree"]), (1, &json!(false)));
    assert_eq!(
        found["facts"]["only_a"],
        json!([{"permit": {"commitment": "ben:1"}}])
    );
    let clock = with(json!({"clock": "2026-01-01T00:00:00Z"}));
    let ran = diff(&document(&garden()), &clock);
    assert_eq!(ran.code, 1);
    assert!(
        ran.out
            .contains("The digests agree, so both views are the same now"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("only B has 1 local fact"), "{}", ran.out);
}

/// R-03, T1.25: another context is said first; so is one that binds otherwise.
#[test]
fn other_contexts() {
    let a = document(&garden());
    let b = a.replacen("\"garden\"", "\"orchard\"", 1);
    let (code, found) = diff_json(&a, &b);
    assert_eq!((code, &found["contexts"]["agree"]), (1, &json!(false)));
    assert_eq!(
        found["contexts"]["ids"],
        json!({"a": "garden", "b": "orchard"})
    );
    let b = a.replacen("\"key:ben\"", "\"key:zoe\"", 1);
    let (code, found) = diff_json(&a, &b);
    assert_eq!(code, 1);
    assert_eq!(
        found["contexts"]["participants"],
        json!([{"name": "ben", "a": "key:ben", "b": "key:zoe"}])
    );
    // Its messages are refused there, so it lacks them.
    assert_eq!(found["messages"]["only_a"].as_array().unwrap().len(), 2);
    assert!(diff(&a, &b).out.contains("the contexts differ"));
}

/// S8.10, S8.12: each side may be a document or bare, one of them standard input; and it is said
/// that senders were not verified.
#[test]
fn sides_of_any_kind() {
    let bare = format!(
        "{}\n{}\n",
        request_for("ana:1", "water"),
        conditional("ben:1", "ana:1")
    );
    let log = document(&[
        deliver(request_for("ana:1", "water")),
        deliver(conditional("ben:1", "ana:1")),
    ]);
    let ran = tern_on(&bare, &["diff", &file(&log), "-"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("not verified") && ran.out.contains("unverified"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("lacks"), "{}", ran.out);
    let ran = tern_on(&bare, &["diff", "-", &file(&bare)]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    let ran = tern_on(&bare, &["diff", "-", "-"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    let ran = tern_on(&bare, &["diff", "/nonexistent/log", "-"]);
    assert_eq!(ran.code, 2);
}

/// T3.12: hostile ids and words do not reach the terminal.
#[test]
fn hostile_words_are_shown_escaped() {
    let id = HOSTILE.replace('\0', "");
    let a = document(&[
        deliver(request_for(&id, "water")),
        deliver(ack("ben:1", &id)),
        json!({"revoke": {"ref": id}}),
    ]);
    let b = document(&[deliver(request_for(&id, "dig"))]).replacen("garden", "\\u001b[2J", 1);
    let ran = diff(&a, &b);
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.chars().all(|c| c == '\n' || !c.is_control()),
        "{:?}",
        ran.out
    );
    assert!(!ran.out.contains('\u{202e}'));
    assert_eq!(
        diff_json(&a, &b).1["messages"]["other_content"][0]["id"],
        json!(id)
    );
}

/// S8.02: a broken document on either side ends with 2 and the number of its line.
#[test]
fn a_broken_document_ends_with_its_line() {
    let good = document(&garden());
    let broken = good.replacen("{\"confirm\"", "{\"affirm\"", 1);
    for (a, b) in [(&good, &broken), (&broken, &good)] {
        let ran = diff(a, b);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert!(ran.err.contains("jsonl:9:"), "{}", ran.err);
    }
}

/// S7.01: large logs that differ much are compared, and told briefly.
#[test]
fn huge_differences_are_told_briefly() {
    let records = |from: usize| -> String {
        let messages =
            (from..from + 3_000).map(|n| deliver(request_for(&format!("ana:{n}"), "water")));
        document(&messages.collect::<Vec<_>>())
    };
    let ran = diff(&records(0), &records(1_500));
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.contains("B lacks 1500 messages") && ran.out.contains("and 1450 more"),
        "{}",
        ran.out
    );
    assert!(ran.out.len() < 60_000, "{} bytes", ran.out.len());
}

/// S6.23: what became of a started action is told in one entry.
#[test]
fn started_actions_are_compared_by_their_key() {
    let with = |remove: Option<usize>| {
        let mut records = garden();
        records.push(json!({"start": {"commitment": "ben:1", "action": "w-1"}}));
        if let Some(index) = remove {
            records.remove(index);
        }
        document(&records)
    };
    let found = diff_json(&with(None), &with(Some(3))).1;
    let entries: Vec<&Value> = found["view"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| entry["section"] == "reconcile")
        .collect();
    assert_eq!(entries.len(), 1, "{entries:?}");
    assert_eq!(entries[0]["differences"][0]["pointer"], "/causes/0");
}
