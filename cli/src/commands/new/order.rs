//! What a fresh REPORT replies to, so that its place is explicit: m comes before n only if n
//! reaches m by references, and what unsettles a commitment (U of S5.03) has to be followed
//! before a report counts.

use tern_core::ToFollow;
use tern_core::message::{Reference, ReportState};
use tern_core::view::Id;

use super::desk::{Desk, Stop, quoted, refusal};

/// What a REPORT on a commitment replies to.
pub(super) fn report_reply(
    desk: &Desk,
    from: &str,
    (commitment, state): (&Reference<'static>, ReportState),
) -> Result<Reference<'static>, Stop> {
    let Some(follow) = desk.history.state.to_follow(commitment.as_str()) else {
        // It is no commitment: delivering the report will tell.
        return Ok(commitment.clone());
    };
    let reply = match follow.last.as_slice() {
        [] => return Ok(commitment.clone()),
        [one] => Some(one),
        _ => follow.after_all.as_ref(),
    };
    if let Some(reply) = reply.and_then(|id| Reference::new(id.as_str().to_string()).ok()) {
        return Ok(reply);
    }
    let mut help = advice(desk, from, &follow.last);
    if state.is_terminal() {
        help.push(
            "or choose one yourself with --reply: what is final counts whatever it follows (S5.04)"
                .to_string(),
        );
    }
    Err(several(commitment.as_str(), &follow, &help))
}

/// How to follow several messages with one `reply`.
fn advice(desk: &Desk, from: &str, last: &[Id<'_>]) -> Vec<String> {
    let word = |at: usize| {
        last.get(at)
            .map_or_else(String::new, |id| quoted(id.as_str()))
    };
    let mut help = vec![
        "first send a message that names two of them, as `reply` and `about`:".to_string(),
        format!(
            "  tern new ask --in {} --from {} --reply {} --about {} --question …",
            desk.file(),
            quoted(from),
            word(0),
            word(1),
        ),
    ];
    if last.len() > 2 {
        help.push(
            "for each of the others, another ASK that replies to the one before and is about it"
                .to_string(),
        );
    }
    help.push("then write this report again: it will reply to that message, and count".to_string());
    help
}

/// Says why one `reply` is not enough.
fn several(commitment: &str, follow: &ToFollow<'_>, help: &[String]) -> Stop {
    const SHOWN: usize = 8;
    let last = &follow.last;
    let mut message = format!(
        "a report on `{commitment}` has to follow {} messages, none of which knows of the others, \
         and `reply` names one:",
        last.len()
    );
    for (index, id) in last.iter().take(SHOWN).enumerate() {
        let comma = if index > 0 { "," } else { "" };
        message.push_str(&format!("{comma} `{id}`"));
        if let Some(why) = follow.messages.get(id) {
            message.push_str(&format!(" ({why})"));
        }
    }
    if last.len() > SHOWN {
        message.push_str(&format!(" and {} more", last.len() - SHOWN));
    }
    let help: Vec<&str> = help.iter().map(String::as_str).collect();
    refusal("several_to_follow", "S5.05", &message, &help)
}
