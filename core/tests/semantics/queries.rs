//! What a state tells of one id: it agrees with the view.

use serde_json::json;

use crate::common::{Chat, ack, ask, commit, replace, request, request_body};

/// R-01, S3.02: what is identified is known; what is only referred to is mentioned; what was
/// refused has taken no id.
#[test]
fn r_01_known_and_mentioned() {
    let mut chat = Chat::deal();
    chat.wait(ack("b:2", "a:7"));
    chat.refuse(ack("b:3", "a:1").via(None), "principal_missing");
    chat.fact(&json!({"permit": {"commitment": "c:9"}}));
    let known = |id: &str| (chat.state.is_known(id), chat.state.is_mentioned(id));
    assert_eq!(known("b:1"), (true, true));
    assert_eq!(known("b:2"), (true, true), "pending");
    assert_eq!(known("a:7"), (false, true), "referred to");
    assert_eq!(known("c:9"), (false, true), "in a local fact");
    assert_eq!(known("b:3"), (false, false), "refused");
    assert_eq!(known("nobody:1"), (false, false));
    for id in ["a:1", "b:1", "b:2", "a:7", "c:9", "b:3"] {
        assert_eq!(chat.state.is_known(id), chat.state.message(id).is_some());
        assert_eq!(
            chat.state.is_mentioned(id),
            chat.state.explain(id).is_some()
        );
    }
}

/// S7.07, S7.08, S7.10: the entries one by one are those of the view.
#[test]
fn s7_06_entries_are_those_of_the_view() {
    let mut chat = Chat::deal();
    chat.ok(replace("a:2", "a:1", "a:1", request_body()))
        .ok(ask("b:2").reply("a:2"))
        .ok(request("a:3"))
        .ok(commit("b:3", "a:3"));
    let view = chat.state.view();
    for id in ["a:1", "a:2", "a:3", "b:1", "b:2", "b:3", "c:1"] {
        let key = id.into();
        assert_eq!(chat.state.message(id).as_ref(), view.messages.get(&key));
        assert_eq!(chat.state.chain(id).as_ref(), view.chains.get(&key));
        assert_eq!(
            chat.state.commitment(id).as_ref(),
            view.commitments.get(&key)
        );
        assert_eq!(
            chat.state.action(id).is_some(),
            view.commitments.contains_key(&key)
        );
    }
}
