//! A report answers a fork only if it knew of every branch (S5.05), however many there are.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

use std::collections::BTreeSet;

use tern_core::{Context, Delivery, Limits, State};

fn message(id: &str, reply: &str, act: &str, body: &str) -> String {
    let from = id.split(':').next().unwrap_or_default();
    format!(
        r#"{{"tern":"0.1","id":"{id}","from":"{from}","to":["b"],"thread":"t","reply":{reply},"act":"{act}","body":{body}}}"#
    )
}

/// A request and a promise.
fn promise() -> Vec<String> {
    vec![
        message(
            "q:r",
            "null",
            "REQUEST",
            r#"{"action":"x","done_when":"x","constraints":[],"authority_ref":null}"#,
        ),
        message(
            "a:k",
            "null",
            "COMMIT",
            r#"{"request":"q:r","action":"x","deliverable":"x","done_when":"x","due":null,"conditions":[],"authority_ref":null}"#,
        ),
    ]
}

fn report(state: &str) -> String {
    let claims = r#"[{"text":"x","basis":"observed","confidence":"low","scope":"s","evidence":[],"alternatives":[]}]"#;
    format!(r#"{{"commitment":"a:k","state":"{state}","claims":{claims}}}"#)
}

fn deliver(messages: &[String]) -> State {
    let mut state = State::new(Context::unverified(), Limits::default());
    for message in messages {
        let _ = state.deliver(&Delivery::new(message.as_bytes(), None));
    }
    state
}

/// How the line of questions ends, on which the reports answer.
#[derive(Clone, Copy)]
enum End {
    Plain,
    /// In two lines that meet again, and in a fork that is named once more: all is heard of twice.
    Woven,
}

/// `forks` competing revisions of one report; a line of questions that names all of them but the
/// first `missed`; then `reports` on the end of the line. Gives the progress.
fn progress(forks: usize, missed: usize, reports: usize, end: End) -> String {
    let mut messages = promise();
    messages.push(message("a:p", "null", "REPORT", &report("active")));
    let mut last = "\"a:p\"".to_string();
    for fork in 0..forks {
        let replacement = report("active");
        let revise = format!(
            r#"{{"target":"a:p","previous":"a:p","mode":"replace","reason":"x","replacement":{replacement},"impact":[]}}"#
        );
        messages.push(message(&format!("a:f{fork}"), "null", "REVISE", &revise));
    }
    for fork in missed..forks {
        let ask = format!(r#"{{"question":"x","about":"a:f{fork}"}}"#);
        messages.push(message(&format!("q:{fork}"), &last, "ASK", &ask));
        last = format!("\"q:{fork}\"");
    }
    if let End::Woven = end {
        let named = format!("a:f{missed}");
        let mut ask = |id: &str, reply: &str, about: &str| {
            messages.push(message(
                id,
                reply,
                "ASK",
                &format!(r#"{{"question":"x","about":"{about}"}}"#),
            ));
        };
        // Whatever is answered here has been answered before, so that no answer continues what it answers.
        ask("q:left", &last, "a:p");
        ask("q:right", &last, "a:p");
        ask("q:left on", "\"q:left\"", "a:p");
        ask("q:right on", "\"q:right\"", "a:p");
        ask("q:both", "\"q:left\"", "q:right");
        ask("q:both on", "\"q:both\"", "a:p");
        ask("q:again", "\"q:both\"", &named);
        last = "\"q:again\"".to_owned();
    }
    for number in 0..reports {
        messages.push(message(
            &format!("a:{number}"),
            &last,
            "REPORT",
            &report("blocked"),
        ));
    }
    let state = deliver(&messages);
    state.commitment("a:k").map_or(String::new(), |view| {
        format!("{:?} {:?}", view.progress, view.progress_cause)
    })
}

/// R-13, S5.05.
#[test]
fn a_report_counts_only_if_it_knew_every_branch() {
    // Around the 64 branches that are followed at once, with few reports and with many.
    for forks in [2, 63, 64, 65, 128, 200] {
        for reports in [1, 2, 7] {
            for end in [End::Plain, End::Woven] {
                assert_eq!(progress(forks, 0, reports, end), "Blocked None");
                let unknown = progress(forks, 1, reports, end);
                assert_eq!(unknown, "Unresolved Some(Conflict)");
            }
        }
    }
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    /// From 0 to `sides` - 1.
    fn below(&mut self, sides: usize) -> usize {
        // Knuth's multiplier, of which the upper half is good.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap_or(0) % sides
    }
}

/// A thread of reports and of questions that refer to any two earlier messages, and the reports that no other
/// report knew of: found by walking to all ancestors of each.
fn woven(dice: &mut Dice) -> (Vec<String>, Vec<String>) {
    let mut messages = promise();
    let mut ids = vec!["q:r".to_owned(), "a:k".to_owned()];
    let mut ancestors: Vec<BTreeSet<usize>> = vec![BTreeSet::new(), BTreeSet::from([0])];
    let mut reports = Vec::new();
    for place in 2..30 {
        let (reply, about) = (dice.below(place), dice.below(place));
        let quoted = format!("\"{}\"", ids[reply]);
        let (id, other) = if dice.below(3) == 0 {
            let id = format!("a:{place}");
            // States of their own would decide sooner; these only ever compete.
            let state = ["active", "blocked"][reports.len() % 2];
            messages.push(message(&id, &quoted, "REPORT", &report(state)));
            reports.push(place);
            (id, 1)
        } else {
            let id = format!("q:{place}");
            let body = format!(r#"{{"question":"x","about":"{}"}}"#, ids[about]);
            messages.push(message(&id, &quoted, "ASK", &body));
            (id, about)
        };
        ids.push(id);
        let mut all = BTreeSet::from([reply, other]);
        for parent in [reply, other] {
            all.extend(&ancestors[parent]);
        }
        ancestors.push(all);
    }
    let known = |report: &usize| reports.iter().any(|it| ancestors[*it].contains(report));
    let last = reports.iter().filter(|report| !known(report));
    let mut last: Vec<String> = last.map(|report| ids[*report].clone()).collect();
    last.sort_unstable();
    (messages, last)
}

/// S5.01, S5.06: however a thread is woven, those reports compete that no other knew of.
#[test]
fn the_causally_last_reports_of_woven_threads() {
    let mut dice = Dice(7);
    let mut compete = 0;
    for thread in 0..1_000 {
        let (messages, last) = woven(&mut dice);
        let state = deliver(&messages);
        let view = state.commitment("a:k").unwrap();
        let candidates: Vec<&str> = view.candidates.iter().map(|id| id.as_str()).collect();
        if !candidates.is_empty() {
            compete += usize::from(last.len() >= 3);
            assert_eq!(candidates, last, "thread {thread}: {messages:#?}");
        } else if let [only] = &*last {
            let place = messages.iter().position(|it| it.contains(only)).unwrap();
            let progress = format!("{:?}", view.progress).to_lowercase();
            let state = format!("\"state\":\"{progress}\"");
            assert!(
                messages[place].contains(&state),
                "thread {thread}: {messages:#?}"
            );
        }
    }
    println!("{compete} of 1,000 threads with three or more reports that compete");
    assert!(compete >= 500);
}
