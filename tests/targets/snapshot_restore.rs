//! Forged snapshots.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tern_core::{Context, Delivery, HashKey, Limits, SnapshotError, State, View};

use crate::same::difference;

/// Bytes of the SHA-256 of a view, and of the one at the end.
const DIGEST: usize = 32;

/// The longest beginning of an input that is read as a number.
const NUMBER: usize = 10;

/// So many ids are spoken of after a restore.
const SPOKEN_OF: usize = 6;

/// The input is a snapshot without what a forger can put right: magic, version, context and limits at the
/// beginning, the digest of the view, the checksum. It is refused (T1.34), or gives a state that answers, goes on
/// and is written down as any other: only what is written is read, and the checks of `difference` hold
/// between the state and its own snapshots (S7.01).
///
/// # Panics
/// Where this does not hold.
pub fn snapshot_restore(data: &[u8]) {
    let (mut forged, view_at) = forged(data);
    let state = match restore(&forged) {
        Err(SnapshotError::OtherView { found, .. }) => {
            forged[view_at..view_at + DIGEST].copy_from_slice(found.as_bytes());
            seal(&mut forged);
            restore(&forged)
        }
        other => other,
    };
    let mut state = match state {
        Ok(state) => state,
        Err(error) => {
            assert!(
                error == SnapshotError::Corrupt,
                "refused with {error:?}, and all else was put right"
            );
            return;
        }
    };
    assert!(
        state.snapshot() == forged,
        "what is read is not what would be written"
    );
    look(&state);
    let before = state.position();
    let messages = talk(&state.view());
    for message in &messages {
        let text = message.to_string();
        let outcome = state.deliver(&Delivery::new(text.as_bytes(), None));
        assert!(
            outcome.id.is_some(),
            "a message was not read: {text}: {outcome:?}"
        );
    }
    let all = messages.len() as u64;
    assert!(state.position() == u64::from(u32::try_from(before + all).unwrap_or(u32::MAX)));
    look(&state);
}

/// The snapshot of a state as an input of the target; of a state of the unverified context and the default
/// limits.
#[must_use]
pub fn input_of(state: &State) -> Vec<u8> {
    let (header, _) = header();
    let snapshot = state.snapshot();
    let rest = snapshot.strip_prefix(header.as_slice()).unwrap();
    let (before, _) = rest.split_at(rest.len() - DIGEST);
    let (number, after) = before.split_at(number_length(before));
    [number, &after[DIGEST..]].concat()
}

/// What every snapshot of this context and these limits begins with, and that of the empty state.
fn header() -> (Vec<u8>, Vec<u8>) {
    let empty = State::new(Context::unverified(), Limits::default());
    let snapshot = empty.snapshot();
    let digest = empty.digest();
    let is_digest = |window: &[u8]| window == digest.as_bytes();
    // The position is one byte, 0.
    let view_at = snapshot.windows(DIGEST).position(is_digest).unwrap();
    (snapshot[..view_at - 1].to_vec(), snapshot)
}

/// The snapshot that an input stands for, and where the digest of its view is.
fn forged(data: &[u8]) -> (Vec<u8>, usize) {
    let (mut forged, _) = header();
    let (number, rest) = data.split_at(number_length(data));
    forged.extend(number);
    let view_at = forged.len();
    forged.extend([0; DIGEST]);
    forged.extend(rest);
    forged.extend([0; DIGEST]);
    seal(&mut forged);
    (forged, view_at)
}

fn number_length(bytes: &[u8]) -> usize {
    let last = bytes.iter().take(NUMBER).position(|byte| byte & 0x80 == 0);
    last.map_or(bytes.len().min(NUMBER), |last| last + 1)
}

fn seal(snapshot: &mut Vec<u8>) {
    snapshot.truncate(snapshot.len() - DIGEST);
    let end = tern_core::wire::Digest::of(snapshot);
    snapshot.extend(end.as_bytes());
}

fn restore(bytes: &[u8]) -> Result<State, SnapshotError> {
    let key = HashKey(7, 9);
    State::restore(bytes, Context::unverified(), Limits::default(), key)
}

/// Every question, to the state and to the one that its snapshot gives.
fn look(state: &State) {
    let again = restore(&state.snapshot()).unwrap_or_else(|error| {
        panic!("its own snapshot is refused: {error}");
    });
    if let Some(what) = difference(state, &again, &mentioned(&state.view())) {
        panic!("{what} differs from that of its own snapshot");
    }
    let waiting = (state.view().messages.values())
        .filter(|it| it.waiting_for.is_some())
        .count();
    assert!(
        waiting == state.pending(),
        "what waits is not what is counted"
    );
}

/// Ids that a view mentions as waited for, or as commitments of others.
fn mentioned(view: &View<'_>) -> BTreeSet<String> {
    let waited = view.messages.values().flat_map(|it| &it.waiting_for);
    let waited = waited.flatten().map(ToString::to_string);
    let named = view.impacts.keys().map(ToString::to_string);
    waited.chain(named).take(2 * SPOKEN_OF).collect()
}

/// Messages about what a view holds, by its authors: what was waited for comes, and every act is tried.
fn talk(view: &View<'_>) -> Vec<Value> {
    let known = view.messages.keys().map(ToString::to_string);
    let ids: BTreeSet<String> = mentioned(view)
        .into_iter()
        .chain(known.take(SPOKEN_OF))
        .collect();
    let mut messages = Vec::new();
    for (number, id) in ids.iter().take(2 * SPOKEN_OF).enumerate() {
        let author = id.split(':').next().unwrap_or_default();
        let fresh = |word: &str| format!("{author}:{word}-{number}-fresh");
        let claims = json!([{"text": "it is so", "basis": "observed", "confidence": "low", "scope": "here",
            "evidence": ["ev:1"], "alternatives": []}]);
        let tell = json!({"claims": claims});
        let report = json!({"commitment": id, "state": "fulfilled", "claims": claims});
        let revise = json!({"target": id, "previous": id, "mode": "replace", "reason": "r",
            "replacement": tell, "impact": []});
        let commit = json!({"request": id, "action": "a", "deliverable": "d", "done_when": "w", "due": null,
            "conditions": ["c"], "authority_ref": "g"});
        let request = json!({"action": "a", "done_when": "w", "constraints": [], "authority_ref": null,
            "replaces": id});
        for (id, act, body) in [
            (id.clone(), "TELL", tell),
            (fresh("report"), "REPORT", report),
            (fresh("revise"), "REVISE", revise),
            (fresh("commit"), "COMMIT", commit),
            (fresh("request"), "REQUEST", request),
            (fresh("ack"), "ACK", json!({"target": id})),
        ] {
            messages.push(
                json!({"tern": "0.1", "id": id, "from": author, "to": ["all"], "thread": "t",
                "reply": null, "act": act, "body": body}),
            );
        }
    }
    messages
}
