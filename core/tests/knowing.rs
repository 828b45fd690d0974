//! A report answers a fork only if it knew of every branch (S5.05), however many there are.

use tern_core::{Context, Delivery, Limits, State};

fn message(id: &str, reply: &str, act: &str, body: &str) -> String {
    let from = id.split(':').next().unwrap_or_default();
    format!(
        r#"{{"tern":"0.1","id":"{id}","from":"{from}","to":["b"],"thread":"t","reply":{reply},"act":"{act}","body":{body}}}"#
    )
}

/// `forks` competing revisions of one report; a line of questions that names all of them but the
/// first `missed`; then `reports` on the end of the line. Gives the progress.
fn progress(forks: usize, missed: usize, reports: usize) -> String {
    let claims = r#"[{"text":"x","basis":"observed","confidence":"low","scope":"s","evidence":[],"alternatives":[]}]"#;
    let body =
        |state: &str| format!(r#"{{"commitment":"a:k","state":"{state}","claims":{claims}}}"#);
    let mut messages = vec![
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
        message("a:p", "null", "REPORT", &body("active")),
    ];
    let mut last = "\"a:p\"".to_string();
    for fork in 0..forks {
        let replacement = body("active");
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
    for report in 0..reports {
        messages.push(message(
            &format!("a:{report}"),
            &last,
            "REPORT",
            &body("blocked"),
        ));
    }
    let mut state = State::new(Context::unverified(), Limits::default());
    for message in &messages {
        let _ = state.deliver(&Delivery::new(message.as_bytes(), None));
    }
    state.commitment("a:k").map_or(String::new(), |view| {
        format!("{:?} {:?}", view.progress, view.progress_cause)
    })
}

#[test]
fn a_report_counts_only_if_it_knew_every_branch() {
    // Around the 64 branches that are followed at once, with few reports and with many.
    for forks in [2, 63, 64, 65, 128, 200] {
        for reports in [1, 2, 7] {
            assert_eq!(progress(forks, 0, reports), "Blocked None");
            assert_eq!(progress(forks, 1, reports), "Unresolved Some(Conflict)");
        }
    }
}
