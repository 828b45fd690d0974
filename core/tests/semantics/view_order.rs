//! §7: UTF-16 order in every list and map of the view.

use serde_json::{Value, json};
use tern_core::{Context, Limits};

use crate::common::{
    Chat, Words, ack, challenge, commit, decline, propose, replace, report, request, retell, tell,
    withdraw,
};

/// U+1F602 is D83D DE02 in UTF-16 and stands before U+E000 and U+FB33, though its code point is
/// greater. The order by code point would be `E`, `F`, `X`.
const X: &str = "\u{1F602}";
const E: &str = "\u{E000}";
const F: &str = "\u{FB33}";
/// In UTF-16 order; a string comes before those that it begins.
const SORTED: [&str; 5] = ["A", "Z", X, E, F];

/// The names are participants, too.
fn chat() -> Chat {
    let names = ["a", "b", X, E, F];
    let bound = names.map(|name| (name.to_owned(), "key".to_owned()));
    Chat::in_context(Context::new("design", bound).unwrap(), Limits::default())
}

fn key(words: Words) -> Words {
    words.via(Some("key"))
}

fn ids(sender: &str) -> Vec<String> {
    SORTED
        .iter()
        .map(|suffix| format!("{sender}:{suffix}"))
        .collect()
}

/// Says the same of each id, in an order that is none.
fn say_all(chat: &mut Chat, sender: &str, make: impl Fn(&str) -> Words) {
    for n in [3, 0, 4, 2, 1] {
        chat.ok(key(make(&format!("{sender}:{}", SORTED[n]))));
    }
}

fn keys_in_text(chat: &Chat, section: &str) -> Vec<String> {
    // From the canonical text itself: a parsed map would be sorted anew.
    let text = chat.state.view().to_canonical_json();
    let json = tern_core::wire::Json::read(text.as_bytes(), tern_core::wire::JsonOptions::STRICT);
    let json = json.unwrap();
    let part = json.root().get(section).unwrap();
    part.entries().map(|(key, _, _)| key.to_owned()).collect()
}

/// S7.06, S7.03: lists of ids.
#[test]
fn s7_06_lists_of_ids() {
    let mut chat = chat();
    chat.ok(key(request("a:r")))
        .ok(key(propose("a:p")))
        .ok(key(commit("b:k", "a:r")));
    say_all(&mut chat, "b", |id| decline(&format!("{id}1"), "a:p"));
    say_all(&mut chat, "b", |id| decline(&format!("{id}2"), "a:r"));
    say_all(&mut chat, "b", |id| commit(&format!("{id}3"), "a:r"));
    say_all(&mut chat, "b", |id| {
        report(&format!("{id}4"), "b:k", "fulfilled")
    });
    say_all(&mut chat, "b", |id| {
        let body = commit("b:x", "a:r").body_value();
        replace(&format!("{id}5"), "b:k", "b:k", body)
    });
    say_all(&mut chat, "a", |id| {
        withdraw(&format!("{id}6"), "a:r", "a:r")
    });
    say_all(&mut chat, "a", |id| challenge(&format!("{id}7"), "b:k"));
    let with = |sender: &str, end: &str| -> Value {
        json!(
            ids(sender)
                .iter()
                .map(|id| format!("{id}{end}"))
                .collect::<Vec<_>>()
        )
    };
    assert_eq!(chat.at("/proposals/a:p/declined_by"), with("b", "1"));
    assert_eq!(chat.at("/requests/a:r/declined_by"), with("b", "2"));
    let mut committed = ids("b")
        .iter()
        .map(|id| format!("{id}3"))
        .collect::<Vec<_>>();
    committed.insert(2, "b:k".to_owned());
    assert_eq!(chat.at("/requests/a:r/committed_by"), json!(committed));
    assert_eq!(chat.at("/commitments/b:k/reports"), with("b", "4"));
    assert_eq!(chat.at("/commitments/b:k/offers"), with("b", "5"));
    assert_eq!(chat.at("/chains/b:k/competing"), with("b", "5"));
    assert_eq!(chat.at("/chains/b:k/revisions"), with("b", "5"));
    assert_eq!(
        chat.at("/commitments/b:k/request_changed_by"),
        with("a", "6")
    );
    assert_eq!(chat.at("/commitments/b:k/disputed_by"), with("a", "7"));
    chat.ok(key(report("b:t", "b:k", "failed")));
    let mut candidates = ids("b")
        .iter()
        .map(|id| format!("{id}4"))
        .collect::<Vec<_>>();
    candidates.insert(2, "b:t".to_owned());
    assert_eq!(chat.at("/commitments/b:k/candidates"), json!(candidates));
}

/// S7.06: lists of participants, by name.
#[test]
fn s7_06_lists_of_participants() {
    let mut chat = chat();
    chat.ok(key(tell("a:1")));
    for name in [F, "b", E, X, "a"] {
        chat.ok(key(ack(&format!("{name}:2"), "a:1")))
            .ok(key(ack(&format!("{name}:3"), "a:1")));
    }
    assert_eq!(chat.at("/acknowledged/a:1"), json!(["a", "b", X, E, F]));
}

/// S7.06, S7.03: keys of every map.
#[test]
fn s7_06_keys_of_maps() {
    let mut chat = chat();
    say_all(&mut chat, "a", request);
    assert_eq!(keys_in_text(&chat, "messages"), ids("a"));
    assert_eq!(keys_in_text(&chat, "requests"), ids("a"));
    say_all(&mut chat, "b", |id| commit(id, &id.replacen('b', "a", 1)));
    assert_eq!(keys_in_text(&chat, "commitments"), ids("b"));
    say_all(&mut chat, "a", |id| withdraw(&format!("{id}'"), id, id));
    assert_eq!(keys_in_text(&chat, "chains"), ids("a"));
    say_all(&mut chat, "b", |id| ack(&format!("{id}'"), id));
    assert_eq!(keys_in_text(&chat, "acknowledged"), ids("b"));
    for id in ids("b").into_iter().rev() {
        chat.conflict(key(tell(&id)));
    }
    assert_eq!(keys_in_text(&chat, "equivocal"), ids("b"));
}

/// S7.06: evidence, impacts, challenges, proposals.
#[test]
fn s7_06_keys_of_the_other_maps() {
    let mut chat = chat();
    let evs: Vec<String> = ids("ev");
    let mut cited = evs.clone();
    cited.reverse();
    let cited: Vec<&str> = cited.iter().map(String::as_str).collect();
    chat.ok(key(tell("a:t").citing(&cited)));
    assert_eq!(keys_in_text(&chat, "evidence"), evs);
    let impacts: Vec<Value> = ids("x")
        .iter()
        .rev()
        .map(|id| json!({"commitment": id, "assessment": "paused", "reason": "r"}))
        .collect();
    chat.ok(key(
        retell("a:u", "a:t", "a:t").body("impact", json!(impacts))
    ));
    assert_eq!(keys_in_text(&chat, "impacts"), ids("x"));
    say_all(&mut chat, "a", propose);
    assert_eq!(keys_in_text(&chat, "proposals"), ids("a"));
    say_all(&mut chat, "b", |id| challenge(id, "a:t"));
    assert_eq!(keys_in_text(&chat, "challenges"), ids("b"));
}

/// S7.06: impacts by REVISE in UTF-16 order, then by word.
#[test]
fn s7_06_impacts_field_by_field() {
    let mut chat = chat();
    chat.ok(key(tell("a:t")));
    let impact = |word: &str| json!({"commitment": "x:1", "assessment": word, "reason": "r"});
    say_all(&mut chat, "a", |id| {
        let both = json!([impact("unaffected"), impact("awaiting_instruction")]);
        retell(id, "a:t", "a:t").body("impact", both)
    });
    let list = chat.at("/impacts/x:1");
    let shown: Vec<(String, String)> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            (
                it["by"].as_str().unwrap().into(),
                it["assessment"].as_str().unwrap().into(),
            )
        })
        .collect();
    let expected: Vec<(String, String)> = ids("a")
        .into_iter()
        .flat_map(|id| {
            [
                (id.clone(), "awaiting_instruction".into()),
                (id, "unaffected".into()),
            ]
        })
        .collect();
    assert_eq!(shown, expected);
}

/// S7.06: waiting, cycles (lists in a list entry by entry) and reconcile (by commitment, then key).
#[test]
fn s7_06_cycles_waiting_and_reconcile() {
    let mut chat = chat();
    for name in [F, X, E] {
        let (one, other) = (format!("{name}:1"), format!("{name}:2"));
        chat.wait(key(tell(&one).reply(&other)))
            .wait(key(tell(&other).reply(&one)));
    }
    chat.wait(key(tell(&format!("{X}:0")).reply(&format!("{X}:0"))));
    assert_eq!(
        chat.at("/cycles"),
        json!([
            [format!("{X}:0")],
            [format!("{X}:1"), format!("{X}:2")],
            [format!("{E}:1"), format!("{E}:2")],
            [format!("{F}:1"), format!("{F}:2")]
        ])
    );
    chat.wait(key(
        withdraw("a:w", &format!("a:{F}"), &format!("a:{E}")).reply(&format!("a:{X}"))
    ));
    assert_eq!(
        chat.at("/messages/a:w/waiting_for"),
        json!([format!("a:{X}"), format!("a:{E}"), format!("a:{F}")])
    );
    for id in [F, E, X] {
        for action in [F, E, X, "z"] {
            chat.fact(&json!({"start": {"commitment": format!("a:{id}"), "action": action}}));
        }
    }
    let mut expected = Vec::new();
    for id in [X, E, F] {
        for action in ["z", X, E, F] {
            expected.push(format!("a:{id}/{action}: not_accepted"));
        }
    }
    assert_eq!(chat.reconcile(), expected);
}

/// S7.06: a string that is the beginning of another comes first.
#[test]
fn s7_06_prefixes_come_first() {
    let mut chat = chat();
    chat.ok(key(tell("a:10")))
        .ok(key(tell("a:1")))
        .ok(key(tell("a:1\u{1F602}")))
        .ok(key(tell("a:1!")));
    assert_eq!(
        keys_in_text(&chat, "messages"),
        ["a:1", "a:1!", "a:10", "a:1\u{1F602}"]
    );
}

/// S7.03: names that need escapes, in every place, keep the view canonical.
#[test]
fn s7_03_escapes_in_the_view() {
    let odd = "\"\\\u{0}\u{7f}\u{2028}\n/";
    let bound = [(odd.to_owned(), "key".to_owned())];
    let mut chat = Chat::in_context(Context::new(odd, bound).unwrap(), Limits::default());
    let id = format!("{odd}:{odd}");
    chat.ok(key(tell(&id).thread(odd).citing(&[&format!("ev:{odd}")])));
    chat.fact(&json!({"start": {"commitment": id, "action": odd}}));
    let view = chat.view();
    assert_eq!(view["context"], odd);
    assert_eq!(view["messages"][&id]["thread"], odd);
    assert_eq!(view["reconcile"][0]["action"], odd);
    let text = chat.state.view().to_canonical_json();
    assert!(text.contains(r#""\"\\\u0000"#) && text.contains("\u{7f}\u{2028}\\n/"));
}
