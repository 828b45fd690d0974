//! Any strict JSON object, which is judged and not taken apart (S2.03 to S2.08).

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::cursor::Cursor;
use crate::wire::number::Number;
use crate::wire::repeats::has_repeats;

/// An array or an object that is open.
enum Open {
    Array,
    /// From where on its keys are among those that were met.
    Object {
        keys: usize,
    },
}

/// Goes over an object. The stack is on the heap: depth costs nothing but what it takes there.
pub(super) fn object(c: &mut Cursor<'_>) -> Option<()> {
    let (mut open, mut keys) = (Vec::new(), Vec::new());
    c.eat(b'{')?;
    c.deeper()?;
    open.push(Open::Object { keys: 0 });
    let mut is_first = true;
    loop {
        // A key or an item comes next, or the end of what is empty.
        let next = c.next()?;
        let (close, is_object) = match open.last()? {
            Open::Array => (b']', false),
            Open::Object { .. } => (b'}', true),
        };
        let is_value_open = if is_first && next == close {
            false
        } else {
            if is_object {
                keys.push(c.content()?);
                c.eat(b':')?;
            }
            match c.next()? {
                b'{' => {
                    c.skip();
                    c.deeper()?;
                    open.push(Open::Object { keys: keys.len() });
                    true
                }
                b'[' => {
                    c.skip();
                    c.deeper()?;
                    open.push(Open::Array);
                    true
                }
                _ => {
                    scalar(c)?;
                    false
                }
            }
        };
        is_first = is_value_open;
        if is_value_open {
            continue;
        }
        // What ends here may be the last of many.
        loop {
            let next = c.next()?;
            let innermost = open.last()?;
            match (next, innermost) {
                (b',', _) => {
                    c.skip();
                    break;
                }
                (b'}', Open::Object { keys: first }) => {
                    close_object(&mut keys, *first)?;
                }
                (b']', Open::Array) => {}
                _ => return None,
            }
            c.skip();
            c.shallower();
            open.pop();
            if open.is_empty() {
                return Some(());
            }
        }
    }
}

/// No key may be there twice (S2.04).
fn close_object(keys: &mut Vec<Cow<'_, str>>, first: usize) -> Option<()> {
    let own = keys.get(first..)?.iter();
    if has_repeats(own.map(Cow::as_ref)) {
        return None;
    }
    keys.truncate(first);
    Some(())
}

fn scalar(c: &mut Cursor<'_>) -> Option<()> {
    match c.next()? {
        b'"' => c.skip_string(),
        b't' => c.literal(b"true"),
        b'f' => c.literal(b"false"),
        b'n' => c.literal(b"null"),
        b'-' | b'0'..=b'9' => {
            let number = c.number()?;
            (!Number::read(number).overflows_double()).then_some(())
        }
        _ => None,
    }
}
