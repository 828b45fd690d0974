//! §5: U, what unsettles, and rule 2 of progress.

use serde_json::json;

use crate::common::{Chat, Words, ack, ask, replace, report, report_body, tell, withdraw};

fn says(id: &str, state: &str) -> Words {
    report(id, "b:1", state)
}

fn corrects(id: &str, target: &str, previous: &str, state: &str) -> Words {
    replace(id, target, previous, report_body("b:1", state))
}

/// S5.02, T4.33: the chain's content is the assessment.
#[test]
fn s5_02_a_revised_report_assesses_what_its_chain_says() {
    let mut chat = Chat::deal();
    chat.ok(says("b:2", "active"))
        .ok(corrects("b:3", "b:2", "b:2", "blocked"));
    assert_eq!(chat.progress("b:1"), "blocked");
    chat.ok(corrects("b:4", "b:2", "b:3", "fulfilled"));
    assert_eq!(chat.progress("b:1"), "fulfilled");
    assert_eq!(chat.list("b:1", "reports"), "b:2");
    assert_eq!(chat.chain("b:1"), "none", "the commitment is as it was");
}

/// S5.01: revisions do not move a REPORT.
#[test]
fn s5_01_a_report_stands_where_its_own_message_stands() {
    let mut chat = Chat::deal();
    chat.ok(says("b:2", "active"))
        .ok(says("b:3", "blocked").reply("b:2"));
    // The revision of b:2 is after b:3, b:2 is not.
    chat.ok(corrects("b:4", "b:2", "b:2", "active").reply("b:3"));
    assert_eq!(chat.progress("b:1"), "blocked");
}

/// S5.05, T4.34: the table of the specification, in its order and in the opposite one.
#[test]
fn s5_05_the_worked_example_of_invalidation() {
    let messages = [
        (says("b:2", "active").reply("b:1"), "active", ""),
        (says("b:3", "fulfilled").reply("b:2"), "fulfilled", ""),
        (says("b:4", "active").reply("b:3"), "fulfilled", "b:4"),
        (withdraw("b:5", "b:3", "b:3"), "unresolved invalidated", ""),
        (says("b:6", "blocked"), "unresolved invalidated", ""),
        (says("b:7", "active").reply("b:5"), "active", ""),
    ];
    let mut chat = Chat::deal();
    for (words, progress, attempts) in messages.clone() {
        chat.ok(words);
        assert_eq!(chat.progress("b:1"), progress);
        assert_eq!(chat.list("b:1", "reactivation_attempts"), attempts);
    }
    let mut back = Chat::deal();
    for (words, _, _) in messages.into_iter().rev() {
        back.say(words);
    }
    assert_eq!(back.view(), chat.view());
}

/// S5.03: terminal content that becomes non-terminal unsettles; the other ways do not.
#[test]
fn s5_03_which_corrections_unsettle() {
    let words = |state: &str, id: &str, previous: &str| match state {
        "withdrawn" => withdraw(id, "b:2", previous),
        state => corrects(id, "b:2", previous, state),
    };
    for (before, after, progress) in [
        ("fulfilled", "active", "unresolved invalidated"),
        ("fulfilled", "blocked", "unresolved invalidated"),
        ("failed", "active", "unresolved invalidated"),
        ("failed", "withdrawn", "unresolved invalidated"),
        ("fulfilled", "withdrawn", "unresolved invalidated"),
        ("fulfilled", "failed", "failed"),
        ("failed", "fulfilled", "fulfilled"),
        ("fulfilled", "fulfilled", "fulfilled"),
        ("active", "blocked", "blocked"),
        ("blocked", "withdrawn", "none"),
        ("active", "failed", "failed"),
    ] {
        let mut chat = Chat::deal();
        chat.ok(says("b:2", before)).ok(words(after, "b:3", "b:2"));
        assert_eq!(chat.progress("b:1"), progress, "{before} to {after}");
    }
}

/// S5.03: every step counts by its own `previous`: terminal, open, terminal, open again.
#[test]
fn s5_03_each_invalidating_step_is_a_member() {
    let mut chat = Chat::deal();
    chat.ok(says("b:2", "fulfilled"))
        .ok(corrects("b:3", "b:2", "b:2", "active"));
    chat.ok(corrects("b:4", "b:2", "b:3", "failed"));
    assert_eq!(chat.progress("b:1"), "failed");
    chat.ok(withdraw("b:5", "b:2", "b:4"));
    assert_eq!(chat.progress("b:1"), "unresolved invalidated");
    // After b:3 is not after b:5.
    chat.ok(says("b:6", "active").reply("b:3"));
    assert_eq!(chat.progress("b:1"), "unresolved invalidated");
    chat.ok(says("b:7", "blocked").reply("b:5"));
    assert_eq!(chat.progress("b:1"), "blocked");
}

/// S5.03: a step that only follows a withdrawal is no member: its previous is not terminal.
#[test]
fn s5_03_after_a_withdrawal() {
    let mut chat = Chat::deal();
    chat.ok(says("b:2", "fulfilled"))
        .ok(withdraw("b:3", "b:2", "b:2"));
    chat.ok(corrects("b:4", "b:2", "b:3", "active"));
    assert_eq!(chat.progress("b:1"), "unresolved invalidated");
    // After b:3 is enough: b:4 turned nothing terminal.
    chat.ok(says("b:5", "active").reply("b:3"));
    assert_eq!(chat.progress("b:1"), "active");
}

/// S5.03, S5.05: a fork of a REPORT: each competing successor is a member, cause conflict.
#[test]
fn s5_03_competing_successors() {
    let mut chat = Chat::deal();
    chat.ok(says("b:2", "blocked"));
    chat.ok(corrects("b:3", "b:2", "b:2", "active"))
        .ok(withdraw("b:4", "b:2", "b:2"));
    assert_eq!(chat.progress("b:1"), "unresolved conflict");
    // After one of them only.
    chat.ok(says("b:5", "active").reply("b:3"));
    assert_eq!(chat.progress("b:1"), "unresolved conflict");
    // After both, through a message that names both.
    chat.ok(ask("b:6").reply("b:3").body("about", json!("b:4")));
    chat.ok(says("b:7", "active").reply("b:6"));
    assert_eq!(chat.progress("b:1"), "active");
}

/// S5.05: reports of whatever kind that are not after each member do not count.
#[test]
fn s5_05_only_reports_after_every_member_count() {
    let mut chat = Chat::deal();
    chat.ok(says("b:2", "blocked"));
    chat.ok(corrects("b:3", "b:2", "b:2", "active"))
        .ok(corrects("b:4", "b:2", "b:2", "active"));
    chat.ok(ask("b:5").reply("b:3").body("about", json!("b:4")));
    chat.ok(says("b:6", "active").reply("b:5"))
        .ok(says("b:7", "blocked").reply("b:5"));
    assert_eq!(chat.progress("b:1"), "unresolved concurrent b:6 b:7");
    chat.ok(says("b:8", "blocked"));
    assert_eq!(
        chat.progress("b:1"),
        "unresolved concurrent b:6 b:7",
        "b:8 does not count"
    );
    chat.ok(withdraw("b:9", "b:6", "b:6"));
    assert_eq!(chat.progress("b:1"), "blocked");
    chat.ok(withdraw("b:10", "b:7", "b:7"));
    assert_eq!(chat.progress("b:1"), "unresolved conflict");
}

/// S5.04: a terminal assessment decides whatever U holds, also when not after its members.
#[test]
fn s5_04_terminal_decides_whatever_unsettles() {
    let mut chat = Chat::deal();
    chat.ok(says("b:2", "failed"))
        .ok(withdraw("b:3", "b:2", "b:2"));
    chat.ok(says("b:4", "fulfilled"));
    assert_eq!(chat.progress("b:1"), "fulfilled");
    chat.ok(says("b:5", "active").reply("b:3"));
    assert_eq!(chat.progress("b:1"), "fulfilled");
    assert_eq!(
        chat.list("b:1", "reactivation_attempts"),
        "",
        "not after b:4"
    );
}

/// S5.05: conflict is the cause as soon as one member has it.
#[test]
fn s5_05_conflict_prevails_over_invalidated() {
    let mut chat = Chat::deal();
    chat.ok(says("b:2", "failed"))
        .ok(withdraw("b:3", "b:2", "b:2"));
    assert_eq!(chat.progress("b:1"), "unresolved invalidated");
    chat.ok(says("b:4", "active"));
    chat.ok(withdraw("b:5", "b:4", "b:4"))
        .ok(corrects("b:6", "b:4", "b:4", "active"));
    assert_eq!(chat.progress("b:1"), "unresolved conflict");
}

/// S5.03: an undisputed invalidation above a fork is a member, too.
#[test]
fn s5_03_undisputed_invalidation_above_a_fork() {
    let mut chat = Chat::deal();
    chat.ok(says("b:2", "failed"))
        .ok(corrects("b:3", "b:2", "b:2", "active"));
    chat.ok(corrects("b:4", "b:2", "b:3", "active"))
        .ok(corrects("b:5", "b:2", "b:3", "active"));
    assert_eq!(chat.progress("b:1"), "unresolved conflict");
    // Disputed steps turn nothing: a withdrawal in a fork of a terminal report.
    let mut chat = Chat::deal();
    chat.ok(says("b:2", "failed"))
        .ok(withdraw("b:3", "b:2", "b:2"));
    chat.ok(corrects("b:4", "b:2", "b:2", "failed"));
    assert_eq!(chat.progress("b:1"), "unresolved conflict");
}

/// S5.03, R-15: an equivocal REPORT or revision of one, also below a fork, cause conflict.
#[test]
fn s5_03_equivocal_members() {
    // The REPORT itself, terminal.
    let mut chat = Chat::deal();
    chat.ok(says("b:2", "fulfilled"))
        .conflict(says("b:2", "failed"));
    assert_eq!(chat.progress("b:1"), "unresolved conflict");
    // A fresh report after it counts, though it is tainted: taint blocks, progress goes on.
    chat.ok(says("b:3", "active").reply("b:2"));
    assert_eq!(chat.progress("b:1"), "active");
    assert_eq!(chat.blocks("b:1"), "report_equivocal");
    // A revision of it.
    let mut chat = Chat::deal();
    chat.ok(says("b:2", "active"))
        .ok(corrects("b:3", "b:2", "b:2", "active"));
    chat.conflict(corrects("b:3", "b:2", "b:2", "blocked"));
    assert_eq!(chat.progress("b:1"), "unresolved conflict");
    chat.ok(says("b:4", "blocked").reply("b:2"));
    assert_eq!(
        chat.progress("b:1"),
        "unresolved conflict",
        "after b:2, not after b:3"
    );
    chat.ok(says("b:5", "blocked").reply("b:3"));
    assert_eq!(chat.progress("b:1"), "blocked");
}

/// S5.02: an equivocal revision below a fork takes the assessment away and is a member.
#[test]
fn s5_02_equivocal_below_a_fork() {
    let mut chat = Chat::deal();
    chat.ok(says("b:2", "active"));
    chat.ok(corrects("b:3", "b:2", "b:2", "active"))
        .ok(corrects("b:4", "b:2", "b:2", "active"));
    chat.ok(corrects("b:5", "b:2", "b:4", "active"));
    chat.conflict(corrects("b:5", "b:2", "b:4", "blocked"));
    chat.ok(ask("b:6").reply("b:3").body("about", json!("b:4")));
    chat.ok(says("b:7", "active").reply("b:6"));
    assert_eq!(
        chat.progress("b:1"),
        "unresolved conflict",
        "b:5 is a member, too"
    );
    chat.ok(ask("b:8").reply("b:5").body("about", json!("b:7")));
    chat.ok(says("b:9", "active").reply("b:8"));
    assert_eq!(chat.progress("b:1"), "active");
}

/// S5.02: a terminal assessment does not stand either where a revision of it is equivocal, however long
/// the chain grows after it.
#[test]
fn s5_02_no_terminal_assessment_with_an_equivocal_revision() {
    let mut chat = Chat::deal();
    chat.ok(says("b:2", "active"))
        .ok(corrects("b:3", "b:2", "b:2", "fulfilled"));
    assert_eq!(chat.progress("b:1"), "fulfilled");
    chat.conflict(corrects("b:3", "b:2", "b:2", "failed"));
    assert_eq!(chat.progress("b:1"), "unresolved conflict");
    chat.ok(corrects("b:4", "b:2", "b:3", "failed"));
    assert_eq!(chat.progress("b:1"), "unresolved conflict");
}

/// S5.03: an equivocal id that revises nothing accepted, or something else, is no member.
#[test]
fn s5_03_what_is_no_member() {
    let mut chat = Chat::deal();
    chat.ok(says("b:2", "active"));
    // A pending equivocal revision.
    chat.wait(corrects("b:3", "b:2", "b:2", "blocked").reply("x:1"));
    chat.conflict(corrects("b:3", "b:2", "b:2", "active").reply("x:1"));
    // An equivocal message about it.
    chat.ok(ack("a:2", "b:2")).conflict(ack("a:2", "b:1"));
    // A later version that would be a REPORT.
    chat.ok(tell("b:4")).conflict(says("b:4", "failed"));
    assert_eq!(chat.progress("b:1"), "active");
}

/// S5.03: a correction of one terminal state into the other is no member, also where the REPORT is
/// equivocal and nothing terminal stands.
#[test]
fn s5_03_from_terminal_to_terminal_is_no_member() {
    let mut chat = Chat::deal();
    chat.ok(says("b:2", "fulfilled"))
        .ok(corrects("b:3", "b:2", "b:2", "failed"))
        .conflict(says("b:2", "active"));
    assert_eq!(chat.progress("b:1"), "unresolved conflict");
    chat.ok(says("b:4", "active").reply("b:2"));
    assert_eq!(chat.progress("b:1"), "active", "after b:2, the only member");
}

/// T4.34, T4.12: an invalidated terminal assessment lets nobody execute again.
#[test]
fn t4_34_nobody_executes_again() {
    let mut chat = Chat::deal();
    chat.ok(says("b:2", "active"))
        .ok(says("b:3", "fulfilled").reply("b:2"));
    assert_eq!(chat.blocks("b:1"), "terminal");
    chat.ok(withdraw("b:4", "b:3", "b:3"));
    assert_eq!(chat.blocks("b:1"), "progress_unresolved");
    chat.ok(says("b:5", "active").reply("b:4"));
    assert_eq!(chat.blocks("b:1"), "");
}
