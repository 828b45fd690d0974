//! Snapshots: a state as bytes and back. Part of the crate and not of the language; what they must not
//! disturb is that a state is a function of its events (S7.01, S2.14, R-04).

use serde_json::json;
use tern_core::wire::Digest;
use tern_core::{Context, HashKey, Limits, SnapshotError, State};

use crate::common::{self, Chat, ack, ask, challenge, commit, commit_body, decline, propose};
use crate::common::{evidence, replace, report, report_body, request, retell, tell, withdraw};

/// Something of everything that a state keeps.
fn rich() -> Chat {
    let mut chat = Chat::new();
    chat.ok(request("a:1"))
        .ok(commit("b:1", "a:1")
            .body("due", json!("2026-11-30T12:00:00Z"))
            .body("authority_ref", json!("g"))
            .body("conditions", json!(["dry", "day"])))
        .ok(tell("c:1").citing(&["ev:1", "ev:2"]).giving("ev:1", "one"))
        .ok(retell("c:2", "c:1", "c:1"))
        .ok(retell("c:3", "c:1", "c:1"))
        .ok(ask("a:2").body("about", json!("c:1")).reply("b:1"))
        .ok(propose("a:3"))
        .ok(decline("b:2", "a:3"))
        .ok(ack("c:4", "a:1"))
        .ok(report("b:3", "b:1", "active"))
        .ok(challenge("c:5", "b:3"))
        .ok(replace(
            "b:4",
            "b:3",
            "b:3",
            report_body("b:1", "fulfilled"),
        ))
        .ok(replace("b:5", "b:1", "b:1", commit_body("a:1")).body(
            "impact",
            json!([{"commitment": "b:9", "assessment": "paused", "reason": "r"}]),
        ))
        .refuse(report("a:4", "b:1", "failed"), "commitment_other_author")
        .ok(request("a:5").body("replaces", json!("b:1")).thread("u"))
        .wait(withdraw("b:6", "b:7", "b:7"))
        .wait(replace("b:8", "b:7", "b:7", json!({"any": "thing"})))
        .wait(ack("c:6", "c:6"))
        .conflict(tell("c:1").otherwise().giving("ev:1", "two"))
        .conflict(ack("c:4", "a:3"));
    for fact in [
        json!({"grant": {"ref": "g", "principal": "key:b", "actions": ["do"],
            "not_before": "2026-01-01T00:00:00.25Z", "expires": "2027-01-01T00:00:00Z"}}),
        json!({"revoke": {"ref": "h"}}),
        json!({"permit": {"commitment": "b:1"}}),
        json!({"require_approval": {"commitment": "b:1"}}),
        json!({"approve": {"commitment": "b:9", "by": "a person"}}),
        json!({"confirm": {"commitment": "b:1", "condition": 1}}),
        json!({"judge": {"commitment": "b:1", "terms": "ambiguous"}}),
        json!({"evidence": evidence("ev:3", "three")}),
        json!({"clock": "2026-12-01T00:00:00Z"}),
        json!({"start": {"commitment": "b:1", "action": "key-1"}}),
        json!({"start": {"commitment": "b:9", "action": "key-2"}}),
        json!({"reconciled": {"commitment": "b:1", "action": "key-1", "causes": ["terminal"]}}),
    ] {
        chat.fact(&fact);
    }
    chat
}

/// A request and a promise, and who waits: short enough to change every byte of its snapshot.
fn small() -> Chat {
    let mut chat = Chat::new();
    chat.ok(request("a:1"))
        .ok(commit("b:1", "a:1"))
        .wait(ack("a:2", "b:2"))
        .permit("b:1");
    chat
}

fn restore(bytes: &[u8]) -> Result<State, SnapshotError> {
    State::restore(
        bytes,
        common::context(),
        Limits::default(),
        HashKey::default(),
    )
}

fn refused(bytes: &[u8]) -> SnapshotError {
    restore(bytes).expect_err("it has to be refused")
}

/// Puts the checksum at the end right.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() - 32);
    let end = Digest::of(&bytes);
    bytes.extend_from_slice(end.as_bytes());
    bytes
}

/// Everything that a state answers, as text.
fn answers(state: &State) -> String {
    let ids = state.view().messages.into_keys().map(|id| id.into_owned());
    let mentioned = ["b:2", "b:7", "b:9"].map(|id| id.into());
    let explained: Vec<String> = ids
        .map(|id| id.to_string())
        .chain(mentioned)
        .map(|id| format!("{:?} {:?}", state.explain(&id), state.to_follow(&id)))
        .collect();
    format!(
        "{} {:?} {} {} {:?} {explained:?}",
        state.view().to_canonical_json(),
        state.local_view(),
        state.position(),
        state.pending(),
        state.commitments().collect::<Vec<_>>()
    )
}

/// S7.01: a snapshot gives the state again, whatever the keys of the tables, and the same bytes again.
#[test]
fn s7_01_a_snapshot_gives_the_state_again() {
    for chat in [Chat::new(), small(), rich()] {
        let bytes = chat.state.snapshot();
        let again = State::restore(
            &bytes,
            common::context(),
            Limits::default(),
            HashKey(3, 0x1234_5678_9ABC_DEF0),
        )
        .unwrap();
        assert_eq!(answers(&again), answers(&chat.state));
        assert_eq!(again.snapshot(), bytes, "it does not depend on the key");
    }
}

/// S7.01, S3.02: what waited before is released after, in the same order, and what was taken is taken.
#[test]
fn s3_02_what_waits_is_released_after_a_restore() {
    let mut chat = rich();
    let mut again = restore(&chat.state.snapshot()).unwrap();
    let later = [
        tell("b:7"),
        tell("c:1").otherwise(),
        tell("c:1").with("to", json!(["others"])),
        retell("c:7", "c:1", "c:2"),
        commit("b:9", "a:5").thread("u"),
        report("b:10", "b:1", "failed"),
    ];
    for words in later {
        chat.say(words.clone());
        let text = words.text();
        let delivery = tern_core::Delivery::new(text.as_bytes(), words.principal.as_deref());
        let outcome = again.deliver(&delivery);
        assert_eq!(Some(&outcome), chat.outcomes.last(), "{text}");
        assert_eq!(answers(&again), answers(&chat.state), "{text}");
    }
    assert_eq!(again.snapshot(), chat.state.snapshot());
}

/// S7.05: the digest beside the view is that of the view.
#[test]
fn s7_05_a_digest_without_a_view() {
    for chat in [Chat::new(), small(), rich()] {
        assert_eq!(chat.state.digest(), chat.state.view().digest());
    }
}

/// S7.01: version 1 of the layout. Whoever changes what is written makes it version 2, or a snapshot of
/// before would be read as something else.
#[test]
fn s7_01_the_layout_stays() {
    let bytes = rich().state.snapshot();
    assert_eq!(
        (bytes.len(), Digest::of(&bytes).to_string()),
        (
            1615,
            "bc5c08233057aeee3fe9d5ecf210697b8a98b505f78b449465f94b1e3801695e".to_owned()
        ),
        "the layout changed: count its VERSION up, then write down the new digest"
    );
}

/// T1.34: what is no snapshot, or one of another layout, is refused, each with its code and a hint.
#[test]
fn t1_34_each_refusal_has_a_code() {
    let bytes = small().state.snapshot();
    assert_eq!(refused(b""), SnapshotError::Corrupt);
    assert_eq!(refused(b"TERNSNAP"), SnapshotError::Corrupt);
    assert_eq!(
        refused(b"another file of some length"),
        SnapshotError::Corrupt
    );
    let mut other = bytes.clone();
    other[8] = 2;
    assert_eq!(refused(&other), SnapshotError::OtherVersion { found: 2 });
    assert_eq!(
        refused(&sealed(other)),
        SnapshotError::OtherVersion { found: 2 }
    );
    assert_eq!(
        refused(&[bytes.as_slice(), b"\n"].concat()),
        SnapshotError::Corrupt
    );

    let digest = Digest::of(b"");
    let all = [
        SnapshotError::OtherVersion { found: 2 },
        SnapshotError::Corrupt,
        SnapshotError::OtherContext,
        SnapshotError::OtherLimits,
        SnapshotError::OtherView {
            written: digest,
            found: digest,
        },
    ];
    assert_eq!(all.map(SnapshotError::as_str), SnapshotError::CODES);
    for error in all {
        assert!(!error.to_string().ends_with('.') && !error.hint().ends_with('.'));
        assert!(error.hint().starts_with("replay the log"));
    }
}

/// T1.24, T1.25: a snapshot of another context is none of this log: other id, other bindings, or nobody
/// verified.
#[test]
fn t1_24_another_context_is_refused() {
    let bytes = small().state.snapshot();
    let other_id = Context::new("redesign", common::PARTICIPANTS).unwrap();
    let mut bindings = common::PARTICIPANTS;
    bindings[3].1 = "key:d";
    let other_bindings = Context::new("design", bindings).unwrap();
    let fewer = Context::new("design", common::PARTICIPANTS[..3].iter().copied()).unwrap();
    for context in [other_id, other_bindings, fewer, Context::unverified()] {
        let refused = State::restore(&bytes, context, Limits::default(), HashKey::default());
        assert_eq!(refused.unwrap_err(), SnapshotError::OtherContext);
    }
}

/// R-04: what was refused under other limits might be kept under these.
#[test]
fn r_04_other_limits_are_refused() {
    let bytes = small().state.snapshot();
    let others: [fn(&mut Limits); 5] = [
        |limits| limits.max_bytes += 1,
        |limits| limits.max_depth += 1,
        |limits| limits.max_pending += 1,
        |limits| limits.max_pending_per_sender += 1,
        |limits| limits.max_versions += 1,
    ];
    for other in others {
        let mut limits = Limits::default();
        other(&mut limits);
        let refused = State::restore(&bytes, common::context(), limits, HashKey::default());
        assert_eq!(refused.unwrap_err(), SnapshotError::OtherLimits);
    }
}

/// S7.05: a snapshot that is whole but comes to another view is refused.
#[test]
fn s7_05_another_view_is_refused() {
    let state = small().state;
    let mut bytes = state.snapshot();
    let digest = *state.view().digest().as_bytes();
    let mut places = bytes.windows(32).enumerate();
    let (at, _) = places.find(|(_, window)| *window == digest).unwrap();
    bytes[at] ^= 1;
    assert_eq!(refused(&bytes), SnapshotError::Corrupt);
    let error = refused(&sealed(bytes));
    let found = state.digest();
    assert!(matches!(error, SnapshotError::OtherView { found: it, .. } if it == found));
}

/// T1.34: the beginning of a snapshot is none, with the checksum put right as well as without.
#[test]
fn t1_34_a_truncated_snapshot_is_refused() {
    let bytes = rich().state.snapshot();
    for length in 0..bytes.len() {
        assert_eq!(refused(&bytes[..length]), SnapshotError::Corrupt);
        if length > 73 {
            assert_eq!(
                refused(&sealed(bytes[..length].to_vec())),
                SnapshotError::Corrupt
            );
        }
    }
}

/// T1.34: no changed bit passes.
#[test]
fn t1_34_a_changed_snapshot_is_refused() {
    let bytes = small().state.snapshot();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            let error = refused(&changed);
            let expected = match at {
                8 => SnapshotError::OtherVersion { found: changed[8] },
                _ => SnapshotError::Corrupt,
            };
            assert_eq!(error, expected, "bit {bit} of byte {at}");
        }
    }
}

/// T1.34: a forged snapshot, of which the checksum and the digest of the view are right, is refused or
/// gives a state that goes on like any other.
#[test]
fn t1_34_a_forged_snapshot_does_no_harm() {
    let honest = rich().state;
    let bytes = honest.snapshot();
    let digest = *honest.digest().as_bytes();
    let mut places = bytes.windows(32).enumerate();
    let (view_at, _) = places.find(|(_, window)| *window == digest).unwrap();
    let (mut same, mut other) = (0, 0);
    for at in view_at + 32..bytes.len() - 32 {
        for change in [1, 2, 0x80, 0xFF] {
            let mut forged = bytes.clone();
            forged[at] ^= change;
            let mut forged = sealed(forged);
            let mut state = match restore(&forged) {
                Ok(state) => state,
                Err(SnapshotError::OtherView { found, .. }) => {
                    forged[view_at..view_at + 32].copy_from_slice(found.as_bytes());
                    forged = sealed(forged);
                    restore(&forged).unwrap()
                }
                Err(error) => {
                    assert_eq!(error, SnapshotError::Corrupt);
                    continue;
                }
            };
            if state.digest() == honest.digest() {
                same += 1;
            } else {
                other += 1;
            }
            assert_eq!(state.snapshot(), forged, "only what is written is read");
            assert_eq!(state.digest(), state.view().digest());
            for words in [
                tell("b:7"),
                retell("c:7", "c:1", "c:2"),
                report("b:10", "b:1", "failed"),
            ] {
                let text = words.text();
                let delivery =
                    tern_core::Delivery::new(text.as_bytes(), words.principal.as_deref());
                let _ = state.deliver(&delivery);
            }
            assert!(!answers(&state).is_empty());
        }
    }
    println!("{same} with the same view, {other} with another");
    assert!(same > 100 && other > 1000, "{same} {other}");
}
