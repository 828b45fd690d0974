//! What is made small still shows what it showed, and nothing else is left.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

use serde_json::{Value, json};
use tern_conformance::engine::Core;
use tern_conformance::generate::{self, Preset};
use tern_conformance::shrink::shrink;
use tern_conformance::{Ask, Engine as _};

/// S4.03: a conflict needs a target and two revisions of it, and a REPORT needs its COMMIT, which
/// needs its REQUEST: six lines with the context, however long the log was.
#[test]
fn a_conflict_in_a_long_chain_becomes_a_few_messages() {
    let chains = Preset::all()
        .iter()
        .find(|preset| preset.name() == "chains")
        .unwrap();
    let conflicted = |lines: &[Vec<u8>]| {
        let answer = Core::default()
            .run(&lines.join(&b'\n'), Ask::ViewAtEnd)
            .unwrap();
        answer
            .view()
            .is_some_and(|view| view.json.contains(r#""state":"conflicted""#))
    };
    let mut tried = 0;
    for seed in 0..20 {
        let scenario = generate::seeded(seed, chains);
        if !conflicted(scenario.lines()) {
            continue;
        }
        tried += 1;
        let smallest = shrink(scenario.lines(), conflicted);
        assert!(conflicted(&smallest));
        assert!(
            smallest.len() <= 6,
            "seed {seed}: {} of {} lines are left\n{}",
            smallest.len(),
            scenario.lines().len(),
            String::from_utf8_lossy(&smallest.join(&b'\n'))
        );
    }
    assert!(tried >= 5, "{tried} logs had a conflict");
}

/// A line as long as a message may be, with a list of a hundred thousand items of which two matter: one
/// copy is made at a time, and halves go before single items.
#[test]
fn a_long_list_becomes_the_items_that_matter() {
    let items: Vec<String> = (0..100_000).map(|item| format!("i{item:06}")).collect();
    let ask = json!({
        "tern": "0.1", "id": "ana:1", "from": "ana", "to": ["ben"], "thread": "beds", "reply": null,
        "act": "ASK", "body": {"question": "Which?"}, "extensions": {"deep": [{"list": items}]},
    });
    let context = json!({"context": {"id": "garden", "participants": {"ana": "key:ana"}}});
    let deliver = json!({"deliver": {"principal": "key:ana", "message": ask}});
    let lines = [context, deliver].map(|line| line.to_string().into_bytes());
    assert!((950_000..1_048_576).contains(&lines[1].len()));
    let mut tries = 0;
    let smallest = shrink(&lines, |lines| {
        tries += 1;
        let line = String::from_utf8_lossy(lines.get(1).map_or(&[], Vec::as_slice));
        line.contains("\"i031415\"") && line.contains("\"i092653\"")
    });
    let line: Value = serde_json::from_slice(&smallest[1]).unwrap();
    let list = line.pointer("/deliver/message/extensions/deep/0/list");
    println!("{tries} tries");
    assert_eq!(list, Some(&json!(["i031415", "i092653"])));
    assert!(smallest[1].len() < 100 && tries < 300);
}

/// S8.11: what is a log document stays one, for every line of a bare file means something else. Here any
/// file shows it that holds a REQUEST and no context.
#[test]
fn a_document_stays_a_document() {
    let scenario = generate::seeded(1, Preset::named("forks").unwrap());
    let holds_request = |lines: &[Vec<u8>]| {
        let text = String::from_utf8_lossy(&lines.join(&b'\n')).into_owned();
        text.contains("REQUEST")
    };
    let smallest = shrink(scenario.lines(), holds_request);
    println!("{}", String::from_utf8_lossy(&smallest.join(&b'\n')));
    assert_eq!(smallest.len(), 2);
    assert!(tern_core::log::begins_document(&smallest[0]));
}

/// A log of 20,000 lines of which all are needed: the search gives up, and does nothing more from then on.
#[test]
fn a_search_that_gives_up_ends() {
    let line = br#"{"know":{"authority":"a:1","is":true}}"#.to_vec();
    let lines = vec![line; 20_000];
    let mut tries = 0;
    let smallest = shrink(&lines, |smaller| {
        tries += 1;
        smaller == lines
    });
    println!("{tries} tries");
    assert_eq!(smallest, lines);
    assert!((1_000..=20_000).contains(&tries));
}
