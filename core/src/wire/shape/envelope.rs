//! What every message has around its body (A-ENVELOPE).

use super::bodies::body;
use super::parts::evidence;
use super::reader::{Reader, Spot};
use super::values::{act, extensions, list, name, object, or_null, recipients, reference, text};
use crate::message::Message;

pub(super) fn message<'a>(r: &mut Reader, spot: &Spot<'_, '_, 'a>) -> Option<Message<'a>> {
    let names = [
        "tern",
        "id",
        "from",
        "to",
        "thread",
        "reply",
        "act",
        "body",
        "evidence",
        "extensions",
    ];
    let [
        tern,
        id,
        from,
        to,
        thread,
        reply,
        act_field,
        body_field,
        given,
        beyond,
    ] = r.fields(spot, "a message", names)?;
    // Its value is stage 2's to judge.
    let tern = tern.required(r, |_, _| Some(()));
    let id = id.required(r, reference);
    let from = from.required(r, name);
    let to = to.required(r, recipients);
    let thread = thread.required(r, text);
    let reply = reply.required(r, or_null(reference));
    let act = act_field.required(r, act);
    let body = body_field.required(r, |r, spot| match act {
        Some(act) => body(r, spot, act),
        // Without an act nobody can say which fields it should have.
        None => object(r, spot).and(None),
    });
    let given = given.optional(r, list(evidence));
    let beyond = beyond.optional(r, extensions);
    tern?;
    Some(Message {
        id: id?,
        from: from?,
        to: to?,
        thread: thread?,
        reply: reply?,
        body: body?,
        evidence: given?,
        extensions: beyond?,
    })
}
