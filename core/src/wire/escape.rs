//! The escapes of JSON strings (RFC 8259, section 7), where nothing is wrong with them: what is, `scan` says.

use super::plain::plain;
use alloc::string::String;

/// The character that an escape stands for, whose backslash is before `rest`, and how many bytes of `rest` it takes. Two that
/// make a pair of surrogates are one; half of a pair is none (S2.05).
#[inline]
pub(super) fn escape(rest: &[u8]) -> Option<(char, usize)> {
    let character = match *rest.first()? {
        kind @ (b'"' | b'\\' | b'/') => char::from(kind),
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode(rest),
        _ => return None,
    };
    Some((character, 1))
}

#[inline]
fn unicode(rest: &[u8]) -> Option<(char, usize)> {
    let high = four_digits(rest, 1)?;
    if !(0xD800..0xDC00).contains(&high) {
        return Some((char::from_u32(high)?, 5));
    }
    if rest.get(5..7)? != b"\\u" {
        return None;
    }
    let low = four_digits(rest, 7)?;
    if !(0xDC00..0xE000).contains(&low) {
        return None;
    }
    let code = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
    Some((char::from_u32(code)?, 11))
}

#[inline]
fn four_digits(rest: &[u8], at: usize) -> Option<u32> {
    let &[a, b, c, d] = rest.get(at..)?.first_chunk::<4>()?;
    let [a, b, c, d] = [digit(a), digit(b), digit(c), digit(d)];
    (a | b | c | d < 16).then_some(a << 12 | b << 8 | c << 4 | d)
}

/// The value of a hexadecimal digit; more than 15 for every other byte.
#[inline]
const fn digit(byte: u8) -> u32 {
    let value = match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'f' => byte - b'a' + 10,
        b'A'..=b'F' => byte - b'A' + 10,
        _ => u8::MAX,
    };
    value as u32
}

/// Where the literal ends that begins at `start`, behind its quotation mark, and whether it has escapes; none if something is
/// wrong with it.
pub(super) fn literal(bytes: &[u8], start: usize) -> Option<(usize, bool)> {
    let mut at = start;
    loop {
        let end = at + plain(bytes.get(at..)?);
        match bytes.get(end)? {
            b'"' => return Some((end, start < at)),
            b'\\' => at = end + 1 + escape(bytes.get(end + 1..)?)?.1,
            _ => return None,
        }
    }
}

/// The content of a literal whose escapes are right.
pub(crate) fn unescaped(source: &str) -> String {
    let mut content = String::with_capacity(source.len());
    for_each_piece(source, |piece| match piece {
        Piece::Plain(text) => content.push_str(text),
        Piece::Escape(character) => content.push(character),
    });
    content
}

/// A part of a literal: as it stands there, or an escape.
pub(super) enum Piece<'s> {
    Plain(&'s str),
    Escape(char),
}

/// Takes a literal whose escapes are right to pieces.
pub(super) fn for_each_piece<'s>(source: &'s str, mut each: impl FnMut(Piece<'s>)) {
    let mut rest = source;
    loop {
        let (before, more) = rest
            .split_at_checked(plain(rest.as_bytes()))
            .unwrap_or((rest, ""));
        if !before.is_empty() {
            each(Piece::Plain(before));
        }
        let Some(behind) = more.get(1..) else {
            return;
        };
        // INVARIANT: whoever read the literal found each escape to be right.
        let (character, length) =
            escape(behind.as_bytes()).unwrap_or((char::REPLACEMENT_CHARACTER, behind.len()));
        each(Piece::Escape(character));
        rest = behind.get(length..).unwrap_or_default();
    }
}
