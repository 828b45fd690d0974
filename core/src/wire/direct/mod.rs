//! The direct way from bytes to a message: one pass, that of everybody who writes well-formed messages.
//!
//! It takes only messages that every rule of stages 1 to 3 accepts, and gives up at the first byte that it did not expect,
//! without a word: what is wrong is worked out by the other way, which reads the whole text onto a tape first and finds
//! everything. So both have to accept the same messages as the same values, and only the other one has to explain anything.
//! It gives up on a few well-formed messages, too: those whose body stands before their act, and those with an escape in a
//! key of the table.

mod any;
mod body;
mod cursor;
mod names;
mod parts;
#[cfg(test)]
mod tests;

use alloc::borrow::Cow;

use crate::message::Message;
use crate::wire::{Limits, plain};
use cursor::Cursor;
use names::names;
use parts::{evidence, extensions};

/// The message, if it is well formed.
pub(super) fn message<'a>(bytes: &'a [u8], limits: &Limits) -> Option<Message<'a>> {
    if bytes.len() > limits.max_bytes {
        return None;
    }
    let mut cursor = cursor(bytes, limits.max_depth)?;
    let message = envelope(&mut cursor)?;
    cursor.end()?;
    Some(message)
}

/// At the beginning of a text of less than 4 GiB: the long way reads no more.
fn cursor(bytes: &[u8], max_depth: usize) -> Option<Cursor<'_>> {
    u32::try_from(bytes.len()).ok()?;
    Some(Cursor::new(plain::utf8(bytes)?, max_depth))
}

/// A-ENVELOPE
fn envelope<'a>(c: &mut Cursor<'a>) -> Option<Message<'a>> {
    names!(Envelope {
        tern,
        id,
        from,
        to,
        thread,
        reply,
        act,
        body,
        evidence,
        extensions
    });
    let (mut id, mut from, mut to, mut thread, mut reply) = (None, None, None, None, None);
    let (mut tern, mut act, mut body, mut given, mut beyond) = (None, None, None, None, None);
    c.object(&Envelope::NAMES, |c, name| {
        match name {
            Envelope::tern => tern = Some(c.version()?),
            Envelope::id => id = Some(c.reference()?),
            Envelope::from => from = Some(c.name()?),
            Envelope::to => to = Some(c.recipients()?),
            Envelope::thread => thread = Some(c.text()?),
            Envelope::reply => reply = Some(c.or_null(Cursor::reference)?),
            Envelope::act => act = Some(c.word()?),
            Envelope::body => body = Some(body::body(c, act?)?),
            Envelope::evidence => given = Some(c.list(evidence)?),
            Envelope::extensions => beyond = Some(extensions(c)?),
            _ => return None,
        }
        Some(())
    })?;
    tern?;
    Some(Message {
        id: id?,
        from: from?,
        to: to?,
        thread: thread?,
        reply: reply?,
        body: body?,
        evidence: given,
        extensions: beyond,
    })
}

/// What a record `deliver` of a log document says.
pub(crate) struct Delivered<'a> {
    /// The principal of the channel, if there is one.
    pub(crate) principal: Option<Cow<'a, str>>,
    /// What was delivered.
    pub(crate) bytes: Cow<'a, [u8]>,
}

/// A record `deliver` of a log document, if nothing is wrong with it (S8.07).
pub(crate) fn delivery(line: &[u8]) -> Option<Delivered<'_>> {
    names!(Record { deliver });
    let mut cursor = cursor(line, usize::MAX)?;
    let mut delivery = None;
    cursor.object(&Record::NAMES, |c, _| {
        delivery = Some(delivered(c)?);
        Some(())
    })?;
    cursor.end()?;
    delivery
}

fn delivered<'a>(c: &mut Cursor<'a>) -> Option<Delivered<'a>> {
    names!(Delivery {
        principal,
        message,
        text
    });
    let (mut principal, mut message, mut text) = (None, None, None);
    c.object(&Delivery::NAMES, |c, name| {
        match name {
            Delivery::principal => principal = c.or_null(Cursor::nonempty)?,
            Delivery::message => message = Some(c.any_object()?),
            Delivery::text => text = Some(c.content()?),
            _ => return None,
        }
        Some(())
    })?;
    let bytes = match (message, text) {
        (Some(message), None) => Cow::Borrowed(message.as_bytes()),
        (None, Some(Cow::Borrowed(text))) => Cow::Borrowed(text.as_bytes()),
        (None, Some(Cow::Owned(text))) => Cow::Owned(text.into_bytes()),
        _ => return None,
    };
    Some(Delivered { principal, bytes })
}
