//! §5: progress without revisions: rules 1 and 3, causality, reactivation attempts.

use serde_json::json;

use crate::common::{Chat, ack, ask, report, tell, withdraw};

fn active(id: &str) -> crate::common::Words {
    report(id, "b:1", "active")
}

fn blocked(id: &str) -> crate::common::Words {
    report(id, "b:1", "blocked")
}

fn fulfilled(id: &str) -> crate::common::Words {
    report(id, "b:1", "fulfilled")
}

fn failed(id: &str) -> crate::common::Words {
    report(id, "b:1", "failed")
}

/// S5.06: no assessment at all is progress `none`.
#[test]
fn s5_06_none() {
    let mut chat = Chat::deal();
    assert_eq!(chat.progress("b:1"), "none");
    // A pending or rejected REPORT is none.
    chat.wait(active("b:2").reply("x:1"));
    chat.refuse(fulfilled("b:3").citing(&[]), "fulfilled_without_evidence");
    assert_eq!(chat.progress("b:1"), "none");
    assert_eq!(chat.list("b:1", "reports"), "");
    // A withdrawn non-terminal assessment leaves nothing.
    chat.ok(active("b:4")).ok(withdraw("b:5", "b:4", "b:4"));
    assert_eq!(chat.progress("b:1"), "none");
    assert_eq!(chat.list("b:1", "reports"), "b:4");
}

/// S5.06, T4.07: a single report decides, each of the four states.
#[test]
fn s5_06_a_single_report() {
    for state in ["active", "blocked", "fulfilled", "failed"] {
        let mut chat = Chat::deal();
        chat.ok(report("b:2", "b:1", state));
        assert_eq!(chat.progress("b:1"), state);
        assert_eq!(chat.list("b:1", "reports"), "b:2");
    }
}

/// S5.06, R-13: the causally last decides, not the one that came last.
#[test]
fn s5_06_the_causally_last_decides() {
    let mut chat = Chat::deal();
    chat.ok(active("b:2")).ok(blocked("b:3").reply("b:2"));
    assert_eq!(chat.progress("b:1"), "blocked");
    let mut chat = Chat::deal();
    chat.wait(blocked("b:3").reply("b:2")).ok(active("b:2"));
    assert_eq!(chat.progress("b:1"), "blocked");
    // The looks of an id say nothing.
    let mut chat = Chat::deal();
    chat.ok(blocked("b:9")).ok(active("b:2").reply("b:9"));
    assert_eq!(chat.progress("b:1"), "active");
}

/// S5.01: causally after holds along any gating reference and any number of steps.
#[test]
fn s5_01_causality_through_other_messages() {
    let mut chat = Chat::deal();
    chat.ok(active("b:2"))
        .ok(ack("a:2", "b:2"))
        .ok(tell("c:1").reply("a:2"));
    chat.ok(ask("c:2").body("about", json!("c:1")));
    chat.ok(blocked("b:3").reply("c:2"));
    assert_eq!(chat.progress("b:1"), "blocked");
}

/// S5.06: concurrent reports that differ, with the candidates; alike they decide.
#[test]
fn s5_06_concurrent() {
    let mut chat = Chat::deal();
    chat.ok(active("b:2").reply("b:1"))
        .ok(blocked("b:3").reply("b:1"));
    assert_eq!(chat.progress("b:1"), "unresolved concurrent b:2 b:3");
    // After one of them only: two last ones that are alike.
    chat.ok(active("b:4").reply("b:3"));
    assert_eq!(chat.progress("b:1"), "active");
    chat.ok(blocked("b:5").reply("b:4"));
    assert_eq!(chat.progress("b:1"), "unresolved concurrent b:2 b:5");
    // After both.
    chat.ok(ask("b:6").reply("b:2").body("about", json!("b:5")));
    chat.ok(blocked("b:7").reply("b:6"));
    assert_eq!(chat.progress("b:1"), "blocked");
    assert_eq!(chat.list("b:1", "candidates"), "");
}

/// S5.06: sharing ancestors is not knowing each other.
#[test]
fn s5_06_siblings_are_concurrent() {
    let mut chat = Chat::deal();
    chat.ok(active("b:2"));
    for id in ["b:3", "b:4"] {
        chat.ok(active(id).reply("b:2"));
    }
    assert_eq!(chat.progress("b:1"), "active");
    chat.ok(blocked("b:5").reply("b:4"));
    assert_eq!(chat.progress("b:1"), "unresolved concurrent b:3 b:5");
}

/// S5.04, T4.12: a terminal assessment decides over any other, causally later ones included.
#[test]
fn s5_04_terminal_decides() {
    for (state, words) in [("fulfilled", fulfilled("b:3")), ("failed", failed("b:3"))] {
        let mut chat = Chat::deal();
        chat.ok(active("b:2"))
            .ok(words)
            .ok(blocked("b:4").reply("b:3"));
        assert_eq!(chat.progress("b:1"), state);
        chat.ok(report("b:5", "b:1", state).reply("b:4"));
        assert_eq!(chat.progress("b:1"), state, "several alike");
    }
}

/// S5.04: both kinds of terminal assessments: contradictory, whatever their order.
#[test]
fn s5_04_contradictory() {
    let mut chat = Chat::deal();
    chat.ok(fulfilled("b:2"))
        .ok(failed("b:3").reply("b:2"))
        .ok(active("b:4").reply("b:3"));
    assert_eq!(chat.progress("b:1"), "unresolved contradictory b:2 b:3");
    chat.ok(fulfilled("b:5").reply("b:4"));
    assert_eq!(chat.progress("b:1"), "unresolved contradictory b:2 b:3 b:5");
    // Withdrawing one kind resolves it, though U is not empty.
    chat.ok(withdraw("b:6", "b:3", "b:3"));
    assert_eq!(chat.progress("b:1"), "fulfilled");
}

/// S5.07, T4.12: a non-terminal report causally after a terminal one is a reactivation attempt.
#[test]
fn s5_07_reactivation_attempts() {
    let mut chat = Chat::deal();
    chat.ok(active("b:2")).ok(fulfilled("b:3").reply("b:2"));
    chat.ok(blocked("b:4").reply("b:1"));
    assert_eq!(
        chat.list("b:1", "reactivation_attempts"),
        "",
        "before, and beside"
    );
    chat.ok(active("b:5").reply("b:3"))
        .ok(ack("a:2", "b:5"))
        .ok(blocked("b:6").reply("a:2"));
    assert_eq!(chat.list("b:1", "reactivation_attempts"), "b:5 b:6");
    assert_eq!(chat.progress("b:1"), "fulfilled");
    // A terminal one after it is none.
    chat.ok(fulfilled("b:7").reply("b:6"));
    assert_eq!(chat.list("b:1", "reactivation_attempts"), "b:5 b:6");
}

/// S5.07: listed also when progress is contradictory.
#[test]
fn s5_07_reactivation_attempts_when_contradictory() {
    let mut chat = Chat::deal();
    chat.ok(fulfilled("b:2"))
        .ok(failed("b:3"))
        .ok(active("b:4").reply("b:3"));
    assert_eq!(chat.progress("b:1"), "unresolved contradictory b:2 b:3");
    assert_eq!(chat.list("b:1", "reactivation_attempts"), "b:4");
}

/// S5.07, S5.02: the effective assessment counts, at the place of the original REPORT.
#[test]
fn s5_07_reactivation_by_effective_assessment() {
    use crate::common::{replace, report_body};
    let mut chat = Chat::deal();
    chat.ok(fulfilled("b:2"))
        .ok(active("b:3").reply("b:2"))
        .ok(failed("b:4").reply("b:3"));
    assert_eq!(chat.list("b:1", "reactivation_attempts"), "b:3");
    // Corrected into a terminal one, it is none any more.
    chat.ok(replace(
        "b:5",
        "b:3",
        "b:3",
        report_body("b:1", "fulfilled"),
    ));
    assert_eq!(chat.list("b:1", "reactivation_attempts"), "");
    // A terminal one, corrected, stands where its own message stands: after b:2.
    chat.ok(replace("b:6", "b:4", "b:4", report_body("b:1", "blocked")));
    assert_eq!(chat.list("b:1", "reactivation_attempts"), "b:4");
    assert_eq!(chat.progress("b:1"), "fulfilled");
    // A withdrawn one is none.
    chat.ok(withdraw("b:7", "b:4", "b:6"));
    assert_eq!(chat.list("b:1", "reactivation_attempts"), "");
}

/// S5.01: what others say, or what is said of another commitment, is no progress.
#[test]
fn s5_01_only_reports_on_it_count() {
    use crate::common::commit;
    let mut chat = Chat::deal();
    chat.ok(commit("b:9", "a:1"));
    chat.ok(report("b:2", "b:9", "fulfilled"));
    chat.refuse(report("a:2", "b:1", "failed"), "commitment_other_author");
    assert_eq!(chat.progress("b:1"), "none");
    assert_eq!(chat.progress("b:9"), "fulfilled");
}

/// S5.01, T4.31: nothing is stored: a REPORT states no withdrawn, disputed or superseded.
#[test]
fn t4_31_annotations_are_not_reported() {
    let mut chat = Chat::deal();
    for word in [
        "withdrawn",
        "disputed",
        "superseded",
        "none",
        "unresolved",
        "Active",
    ] {
        chat.refuse(active("b:2").body("state", json!(word)), "unknown_value");
    }
    assert_eq!(chat.list("b:1", "annotations"), "");
}

/// T4.35: work is resumed under a new REQUEST and COMMIT.
#[test]
fn t4_35_resumption_takes_a_new_commitment() {
    use crate::common::{commit, request};
    let mut chat = Chat::deal();
    chat.ok(failed("b:2")).ok(active("b:3").reply("b:2"));
    assert_eq!(chat.blocks("b:1"), "terminal");
    chat.ok(request("a:2"))
        .ok(commit("b:4", "a:2"))
        .permit("b:4");
    chat.ok(report("b:5", "b:4", "active").reply("b:3"));
    assert_eq!(chat.blocks("b:4"), "");
    assert_eq!(chat.blocks("b:1"), "terminal");
}
