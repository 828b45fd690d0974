//! The last look at a new message: by itself, and by really delivering it.

use tern_core::message::Message;
use tern_core::{Delivery, Limits, Rejection, Verdict, wire};

use super::desk::{Desk, Stop, refusal};
use super::notes;
use crate::input::Origin;
use crate::snippet;

/// Checks the message as its receivers will, and gives the principal that speaks for its sender.
pub(super) fn check(
    message: &Message<'_>,
    source: &str,
    desk: Option<&mut Desk>,
) -> Result<Option<String>, Stop> {
    if let Err(rejection) = wire::message(source.as_bytes(), &Limits::default()) {
        return Err(findings(source, &rejection));
    }
    if message.id.sender() != message.from.as_str() {
        return Err(refusal(
            "id_not_of_sender",
            "T1.21",
            &format!(
                "the id `{}` does not begin with `{}:`",
                message.id, message.from
            ),
            &["leave out --id, or begin it with the sender"],
        ));
    }
    let Some(desk) = desk else {
        return Ok(None);
    };
    let state = &mut desk.history.state;
    let principal = state
        .context()
        .principal_of(message.from.as_str())
        .map(ToString::to_string);
    let before = notes::before(state, message);
    let delivery = Delivery::new(source.as_bytes(), principal.as_deref());
    match state.deliver(&delivery).verdict {
        Verdict::Rejected(rejection) | Verdict::IdConflict(rejection) => {
            return Err(findings(source, &rejection));
        }
        Verdict::Duplicate => {
            return Err(refusal(
                "duplicate",
                "T1.27",
                &format!("the log has this very message already, as `{}`", message.id),
                &["leave out --id to say it again"],
            ));
        }
        Verdict::Pending { waiting_for } => {
            notes::pending(&waiting_for);
        }
        Verdict::Accepted => notes::accepted(state, message),
    }
    for note in before {
        notes::print(&note);
    }
    Ok(principal)
}

fn findings(source: &str, rejection: &Rejection) -> Stop {
    let shown: String = rejection
        .findings()
        .iter()
        .map(|finding| {
            snippet::finding(
                "the new message",
                Origin::bare(1),
                source.as_bytes(),
                finding,
            )
        })
        .collect();
    Stop::Refused(shown)
}
