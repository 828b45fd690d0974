//! Each planted fault shows in a small log, and nothing shows when nothing is planted.
//!
//! The logs stand in `planted/`, one a fault, under its name.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests: what fails should fail loudly"
)]

mod common;

use std::sync::{Mutex, MutexGuard, PoisonError};

use common::answer;
use serde_json::{Value, json};
use tern_core::log::{Input, Line, Reader};
use tern_core::planted::{Fault, plant};
use tern_core::{Limits, State};

/// What is planted holds for the whole process, so the tests take turns.
static TURN: Mutex<()> = Mutex::new(());

struct Turn(#[expect(dead_code, reason = "held")] MutexGuard<'static, ()>);

impl Turn {
    fn take() -> Self {
        Self(TURN.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn run<T>(&self, fault: Option<Fault>, run: impl FnOnce() -> T) -> T {
        plant(fault);
        let result = run();
        plant(None);
        result
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        plant(None);
    }
}

/// The outcomes of a log document, in a word each, and its canonical view.
fn told(document: &str) -> Value {
    let mut reader = Reader::new(Input::Document);
    let mut state = None;
    let mut outcomes = Vec::new();
    for line in document.lines() {
        match reader.read(line.as_bytes()).unwrap() {
            Line::Context(context) => state = Some(State::new(context, Limits::default())),
            Line::Event(event) => {
                let outcome = state.as_mut().unwrap().apply(&event);
                outcomes.extend(outcome.as_ref().map(answer));
            }
        }
    }
    let view = state.unwrap().view().to_canonical_json();
    let view: Value = serde_json::from_str(&view).unwrap();
    json!({"outcomes": outcomes, "view": view})
}

/// The log of a fault comes to what is right unless the fault is planted. Of each place: what is
/// right, and what comes of the fault.
fn shows(fault: Fault, places: &[(&str, Value, Value)]) {
    let path = format!("tests/planted/{}.jsonl", fault.name());
    let document = std::fs::read_to_string(path).unwrap();
    let turn = Turn::take();
    let right = turn.run(None, || told(&document));
    let wrong = turn.run(Some(fault), || told(&document));
    let at = |told: &Value, place: &str| told.pointer(place).cloned().unwrap_or(Value::Null);
    for (place, is_right, is_wrong) in places {
        let name = fault.name();
        assert_eq!(at(&right, place), *is_right, "{name} is not there: {place}");
        assert_eq!(at(&wrong, place), *is_wrong, "{name} is planted: {place}");
    }
    assert_eq!(turn.run(None, || told(&document)), right, "it is out again");
}

/// The names are distinct, the clauses are there, and each fault has its number and its log.
#[test]
fn faults_are_listed() {
    let clauses = include_str!("../../spec/clauses.toml");
    let mut names: Vec<&str> = Fault::ALL.into_iter().map(Fault::name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Fault::ALL.len());
    for fault in Fault::ALL {
        let id = format!("\nid = \"{}\"\n", fault.clause());
        assert!(clauses.contains(&id), "{fault:?}");
    }
    let mut logs: Vec<String> = std::fs::read_dir("tests/planted")
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    logs.sort_unstable();
    let expected: Vec<String> = names.iter().map(|name| format!("{name}.jsonl")).collect();
    assert_eq!(logs, expected);
}

/// T4.18: of two revisions neither wins, whichever came last.
#[test]
fn t4_18_fork_last_wins() {
    let chain = "/view/chains/a:1";
    shows(
        Fault::ForkLastWins,
        &[
            (
                &format!("{chain}/state"),
                json!("conflicted"),
                json!("replaced"),
            ),
            (&format!("{chain}/head"), json!("a:1"), json!("a:3")),
        ],
    );
}

/// `b:3` answers `b:2`, so it is the last word, though `b:2` arrived after it.
#[test]
fn r_13_arrival_recency() {
    let progress = "/view/commitments/b:1/progress";
    let (right, wrong) = (json!("blocked"), json!("active"));
    shows(Fault::ArrivalRecency, &[(progress, right, wrong)]);
}

/// T1.28: other content under a known id is an error and no duplicate.
#[test]
fn t1_28_duplicate_by_id() {
    let (right, wrong) = (json!("id_conflict"), json!("duplicate"));
    shows(Fault::DuplicateById, &[("/outcomes/1", right, wrong)]);
}

/// 2^53 + 1 and 2^53 are two numbers, and one double.
#[test]
fn r_02_numbers_as_doubles() {
    let (right, wrong) = (json!("id_conflict"), json!("duplicate"));
    shows(Fault::NumbersAsDoubles, &[("/outcomes/1", right, wrong)]);
}

/// S3.02: `a:1` waits for `c:9`, so both ACKs of it wait, whether they came before or after it.
#[test]
fn s3_02_pending_as_accepted() {
    let status = |id| format!("/view/messages/{id}/status");
    let wrong = || (json!("pending"), json!("accepted"));
    let (before, after) = (wrong(), wrong());
    shows(
        Fault::PendingAsAccepted,
        &[
            (&status("b:1"), before.0, before.1),
            (&status("b:2"), after.0, after.1),
            (&status("a:1"), json!("pending"), json!("pending")),
        ],
    );
}

/// T4.13: nobody revises what another said.
#[test]
fn t4_13_revise_of_others() {
    let (right, wrong) = (json!("target_other_author"), json!("accepted"));
    shows(Fault::ReviseOfOthers, &[("/outcomes/1", right, wrong)]);
}

/// T4.12: what was reported fulfilled is not active again because its author says so.
#[test]
fn t4_12_terminal_reopened() {
    let progress = "/view/commitments/b:1/progress";
    let (right, wrong) = (json!("fulfilled"), json!("active"));
    shows(Fault::TerminalReopened, &[(progress, right, wrong)]);
}

/// T4.29: who withdraws a promise is not released from it.
#[test]
fn t4_29_withdrawal_releases() {
    let annotations = "/view/commitments/b:1/annotations";
    let right = json!(["disputed", "withdrawn"]);
    shows(
        Fault::WithdrawalReleases,
        &[(annotations, right, Value::Null)],
    );
}

/// a conflict is not cleared by an ACK of the target, `a:1`, nor of a branch, `a:5`.
#[test]
fn r_10_ack_clears_conflict() {
    let state = |id| format!("/view/chains/{id}/state");
    shows(
        Fault::AckClearsConflict,
        &[
            (&state("a:1"), json!("conflicted"), json!("original")),
            (&state("a:4"), json!("conflicted"), json!("original")),
        ],
    );
}

/// what `c` sends as `a:1` takes no id, so `a` can still use it.
#[test]
fn r_01_spoof_claims_id() {
    let refused = || json!("principal_mismatch");
    let (right, wrong) = (json!("accepted"), json!("id_conflict"));
    shows(
        Fault::SpoofClaimsId,
        &[
            ("/outcomes/0", refused(), refused()),
            ("/outcomes/1", right, wrong),
        ],
    );
}

/// of an equivocal id all versions are kept, and what rests on it is blocked.
#[test]
fn r_15_equivocation_forgotten() {
    let conflict = || json!("id_conflict");
    let blocked_by = "/view/commitments/b:1/blocked_by";
    let right = json!(["commitment_equivocal", "no_authority", "request_equivocal"]);
    shows(
        Fault::EquivocationForgotten,
        &[
            ("/outcomes/2", conflict(), conflict()),
            (blocked_by, right, json!(["no_authority"])),
        ],
    );
}

/// S3.01: an answer waits for what it answers.
#[test]
fn s3_01_reply_not_gating() {
    let (right, wrong) = (json!("pending"), json!("accepted"));
    shows(Fault::ReplyNotGating, &[("/outcomes/0", right, wrong)]);
}

/// S3.08: a TELL is not replaced by one without claims.
#[test]
fn s3_08_replacement_unchecked() {
    let (right, wrong) = (json!("replacement_invalid"), json!("accepted"));
    shows(
        Fault::ReplacementUnchecked,
        &[("/outcomes/1", right, wrong)],
    );
}

/// T4.02: a COMMIT stands in the thread of its REQUEST.
#[test]
fn t4_02_cross_thread_commit() {
    let (right, wrong) = (json!("request_other_thread"), json!("accepted"));
    shows(Fault::CrossThreadCommit, &[("/outcomes/1", right, wrong)]);
}

/// S5.11: an offer without due time and condition leaves both outstanding.
#[test]
fn s5_11_offer_replaces_terms() {
    let commitment = "/view/commitments/b:1";
    let due = json!("2026-12-01T12:00:00Z");
    let blocked_by = json!(["condition_unconfirmed"]);
    shows(
        Fault::OfferReplacesTerms,
        &[
            (&format!("{commitment}/due"), due, Value::Null),
            (&format!("{commitment}/blocked_by"), blocked_by, json!([])),
            (
                &format!("{commitment}/offers"),
                json!(["b:2"]),
                json!(["b:2"]),
            ),
        ],
    );
}
