//! What somebody should know about a message that the log would take. Notes go to standard error
//! and change nothing.

use tern_core::message::{Body, Content, Message};
use tern_core::view::ChainStatus;
use tern_core::{State, Topic};

use crate::text::shown;

/// Says one thing.
pub(super) fn print(note: &str) {
    anstream::eprintln!("note: {}", shown(note));
}

/// What can be said before the message is delivered.
pub(super) fn before(state: &State, message: &Message<'_>) -> Vec<String> {
    let Body::Revise(revise) = &message.body else {
        return Vec::new();
    };
    let chain = state.chain(revise.target.as_str());
    let pending = chain.map(|chain| list(&chain.pending)).unwrap_or_default();
    if pending.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "other revisions of `{}` are known and wait: {pending}. If one of them follows `{}` too, the \
         two will compete (R-09, R-10)",
        revise.target, revise.previous
    )]
}

/// The log does not know enough yet.
pub(super) fn pending(waiting_for: &[String]) {
    print(&format!(
        "the log would keep it pending until it knows and has settled {} (S3.02)",
        list(waiting_for)
    ));
}

/// What the message comes to, now that the state has taken it.
pub(super) fn accepted(state: &State, message: &Message<'_>) {
    match &message.body {
        Body::Content(Content::Commit(commit)) => {
            let chain = state.chain(commit.request.as_str());
            match chain.map(|chain| chain.state) {
                Some(ChainStatus::Withdrawn) => print(&format!(
                    "the request `{}` was withdrawn; the promise stands, but may not be acted on (S6.08)",
                    commit.request
                )),
                Some(ChainStatus::Conflicted) => print(&format!(
                    "revisions of the request `{}` compete; the promise stands, but may not be acted on (S6.03)",
                    commit.request
                )),
                _ => {}
            }
        }
        Body::Content(Content::Report(report)) => {
            let id = report.commitment.as_str();
            let Some(promise) = state.commitment(id) else {
                return;
            };
            let progress = serde_json::json!(promise.progress);
            if progress == report.state.as_str() {
                return;
            }
            let because = state
                .explain(id)
                .into_iter()
                .flat_map(|explanation| explanation.findings)
                .find(|ruling| ruling.topic == Topic::Progress);
            let why = because.map_or_else(String::new, |ruling| {
                format!(
                    ": {} ({}; {})",
                    ruling.sentence,
                    list(&ruling.because),
                    ruling.clause
                )
            });
            print(&format!(
                "after this report the progress of `{id}` is `{}`, not `{}`{why}",
                progress.as_str().unwrap_or_default(),
                report.state,
            ));
            let is_final = matches!(progress.as_str(), Some("fulfilled" | "failed"));
            if is_final && !report.state.is_terminal() {
                print("renewed work needs a fresh REQUEST and a fresh COMMIT (T4.35)");
            }
        }
        _ => {}
    }
}

fn list<T: AsRef<str>>(ids: &[T]) -> String {
    let ids: Vec<String> = ids.iter().map(|id| format!("`{}`", id.as_ref())).collect();
    ids.join(", ")
}
