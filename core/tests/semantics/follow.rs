//! What a fresh REPORT has to follow: the same that decides whether it counts (S5.05, R-13).

use serde_json::json;
use tern_core::{ToFollow, Why};

use crate::common::{Chat, Words, ask, replace, report, report_body, withdraw};

fn says(id: &str, state: &str) -> Words {
    report(id, "b:1", state)
}

fn corrects(id: &str, target: &str, state: &str) -> Words {
    replace(id, target, target, report_body("b:1", state))
}

fn ids<'f>(list: impl IntoIterator<Item = &'f tern_core::view::Id<'f>>) -> String {
    let ids: Vec<&str> = list.into_iter().map(|id| id.as_str()).collect();
    ids.join(" ")
}

fn follow(chat: &Chat) -> ToFollow<'_> {
    chat.state.to_follow("b:1").unwrap()
}

/// S5.12: only a commitment has reports to follow; where there are none, there is nothing.
#[test]
fn s5_12_only_commitments_are_followed() {
    let chat = Chat::deal();
    assert_eq!(chat.state.to_follow("a:1"), None);
    assert_eq!(chat.state.to_follow("b:9"), None);
    let follow = follow(&chat);
    assert!(follow.messages.is_empty() && follow.last.is_empty());
    assert_eq!(follow.after_all, None);
}

/// R-13, S5.06: the last word of each report; of those, only the last in the order of references.
#[test]
fn r_13_the_last_words() {
    let mut chat = Chat::deal();
    chat.ok(says("b:2", "active"))
        .ok(corrects("b:3", "b:2", "blocked"))
        .ok(says("b:4", "active").reply("b:3"))
        .ok(says("b:5", "blocked"));
    let found = follow(&chat);
    assert_eq!(ids(found.messages.keys()), "b:3 b:4 b:5");
    assert_eq!(found.messages[&"b:3".into()], Why::LastWord("b:2"));
    assert_eq!(ids(&found.last), "b:4 b:5");
    assert_eq!(found.after_all, None);
    assert_eq!(chat.progress("b:1"), "unresolved concurrent b:4 b:5");
    // A message that names both can be followed by one reply.
    chat.ok(ask("b:6").reply("b:4").body("about", json!("b:5")))
        .ok(ask("b:7").reply("b:6"));
    assert_eq!(follow(&chat).after_all, Some("b:6".into()));
    chat.ok(says("b:8", "active").reply("b:6"));
    assert_eq!(chat.progress("b:1"), "active");
    assert_eq!(ids(&follow(&chat).last), "b:8");
}

/// S5.03: both members of a fork, and what takes back a terminal assessment.
#[test]
fn s5_03_the_members_of_u() {
    let mut chat = Chat::deal();
    chat.ok(says("b:2", "blocked"))
        .ok(corrects("b:3", "b:2", "active"))
        .ok(corrects("b:4", "b:2", "blocked"))
        .ok(says("b:5", "fulfilled").citing(&["ev:1"]).reply("b:4"))
        .ok(withdraw("b:6", "b:5", "b:5"));
    let found = follow(&chat);
    assert_eq!(ids(found.messages.keys()), "b:2 b:3 b:4 b:6");
    assert_eq!(found.messages[&"b:2".into()], Why::LastWord("b:2"));
    assert_eq!(found.messages[&"b:3".into()], Why::Competes("b:2"));
    assert_eq!(found.messages[&"b:6".into()], Why::TakesBack("b:5"));
    assert_eq!(ids(&found.last), "b:3 b:6");
    chat.ok(ask("b:7").reply("b:3").body("about", json!("b:6")));
    assert_eq!(chat.progress("b:1"), "unresolved conflict");
    chat.ok(says("b:8", "active").reply("b:7"));
    assert_eq!(chat.progress("b:1"), "active");
}

/// S5.03, R-15: ids with several contents unsettle; S7.06: ids are listed in UTF-16 order.
#[test]
fn s5_03_equivocal_ids() {
    let mut chat = Chat::deal();
    chat.ok(says("b:\u{fb33}", "active"))
        .ok(says("b:\u{1f602}", "blocked"))
        .ok(corrects("b:4", "b:\u{1f602}", "active"));
    chat.conflict(says("b:\u{fb33}", "active").otherwise());
    chat.conflict(corrects("b:4", "b:\u{1f602}", "active").otherwise());
    let found = follow(&chat);
    assert_eq!(found.messages[&"b:\u{fb33}".into()], Why::EquivocalReport);
    assert_eq!(
        found.messages[&"b:4".into()],
        Why::EquivocalRevision("b:\u{1f602}")
    );
    assert_eq!(ids(&found.last), "b:4 b:\u{fb33}");
    chat.ok(says("b:\u{1f602}2", "active"));
    assert_eq!(ids(&follow(&chat).last), "b:4 b:\u{1f602}2 b:\u{fb33}");
}
