//! A place in the text, and what can be read from there.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::names::Key;
use crate::message::{
    Act, Assessment, Basis, ChallengeKind, Confidence, EvidenceRef, Mode, Name, NonEmpty,
    Recipients, Reference, ReportState, Text, Timestamp,
};
use crate::wire::json::{Json, JsonOptions};
use crate::wire::plain::{has_controls, unquoted};

/// Goes through a text once. Whatever it does not expect is `None`, and then the cursor stands anywhere.
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    /// The arrays and objects that may still be opened.
    depth: usize,
    /// Whether there are control characters anywhere: white space of JSON, or none that a string may hold.
    has_controls: bool,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, max_depth: usize) -> Self {
        Self {
            text,
            at: 0,
            depth: max_depth,
            has_controls: has_controls(text.as_bytes()),
        }
    }

    #[inline]
    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte that is no white space.
    #[inline]
    fn next(&mut self) -> Option<u8> {
        loop {
            let byte = self.peek()?;
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    #[inline]
    fn eat(&mut self, byte: u8) -> Option<()> {
        if self.next()? != byte {
            return None;
        }
        self.at += 1;
        Some(())
    }

    /// Nothing but white space.
    pub(super) fn end(&mut self) -> Option<()> {
        match self.next() {
            None => Some(()),
            Some(_) => None,
        }
    }

    /// An object with no other keys than these, and none of them twice. `field` reads the value of each, told by its number.
    #[inline]
    pub(super) fn object<const N: usize>(
        &mut self,
        names: &[Key; N],
        mut field: impl FnMut(&mut Self, usize) -> Option<()>,
    ) -> Option<()> {
        self.eat(b'{')?;
        self.depth = self.depth.checked_sub(1)?;
        let (mut seen, mut expected) = (0_u32, 0);
        loop {
            if self.next()? != b'"' {
                // INVARIANT: no object of the table may be empty, and no key follows a comma here.
                return None;
            }
            self.at += 1;
            let word = Key::word(self.rest());
            let (number, length) = match names.get(expected).and_then(|name| name.begins(word)) {
                Some(length) => (expected, length),
                None => names
                    .iter()
                    .enumerate()
                    .find_map(|(number, name)| Some((number, name.begins(word)?)))?,
            };
            if seen & 1 << number != 0 {
                return None;
            }
            seen |= 1 << number;
            expected = number + 1;
            self.at += length;
            self.eat(b':')?;
            field(self, number)?;
            match self.next()? {
                b',' => self.at += 1,
                b'}' => break,
                _ => return None,
            }
        }
        self.at += 1;
        self.depth += 1;
        Some(())
    }

    /// An array, each entry of which `read` reads.
    #[inline]
    pub(super) fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        self.eat(b'[')?;
        self.depth = self.depth.checked_sub(1)?;
        let mut entries = Vec::new();
        if self.next()? != b']' {
            loop {
                entries.push(read(self)?);
                match self.next()? {
                    b',' => self.at += 1,
                    b']' => break,
                    _ => return None,
                }
            }
        }
        self.at += 1;
        self.depth += 1;
        Some(entries)
    }

    /// An array of at least one entry.
    #[inline]
    pub(super) fn some<T>(
        &mut self,
        read: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<NonEmpty<T>> {
        NonEmpty::new(self.list(read)?).ok()
    }

    /// What `read` reads, or null.
    #[inline]
    pub(super) fn or_null<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Option<T>> {
        if self.next()? != b'n' {
            return read(self).map(Some);
        }
        self.null()?;
        Some(None)
    }

    pub(super) fn null(&mut self) -> Option<()> {
        self.next()?;
        if !self.rest().starts_with(b"null") {
            return None;
        }
        self.at += 4;
        Some(())
    }

    /// A string, borrowed where it has no escapes.
    #[inline]
    fn string(&mut self) -> Option<Cow<'a, str>> {
        self.eat(b'"')?;
        let content = self.unquoted()?;
        let is_plain = self.peek()? == b'"';
        self.at += 1;
        if is_plain {
            return Some(Cow::Borrowed(content));
        }
        self.escaped(content).map(Cow::Owned)
    }

    /// What stands before the next quotation mark or backslash.
    #[inline]
    fn unquoted(&mut self) -> Option<&'a str> {
        let start = self.at;
        self.at += unquoted(self.rest());
        let content = self.text.get(start..self.at)?;
        if self.has_controls && has_controls(content.as_bytes()) {
            return None;
        }
        Some(content)
    }

    /// The rest of a string, behind its first backslash.
    fn escaped(&mut self, before: &str) -> Option<String> {
        /// Room for what comes after the first escape, so that most texts are never moved.
        const MORE: usize = 256;
        let mut content = String::with_capacity(before.len() + MORE);
        content.push_str(before);
        loop {
            content.push(self.escape()?);
            content.push_str(self.unquoted()?);
            let is_end = self.peek()? == b'"';
            self.at += 1;
            if is_end {
                return Some(content);
            }
        }
    }

    /// What stands after a backslash.
    #[inline]
    fn escape(&mut self) -> Option<char> {
        let kind = self.peek()?;
        self.at += 1;
        Some(match kind {
            b'"' | b'\\' | b'/' => char::from(kind),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let high = self.four_digits()?;
                let code = match high {
                    0xD800..0xDC00 => {
                        if !self.rest().starts_with(b"\\u") {
                            return None;
                        }
                        self.at += 2;
                        let low = self.four_digits()?.checked_sub(0xDC00)?;
                        if low >= 0x400 {
                            return None;
                        }
                        0x1_0000 + ((high - 0xD800) << 10) + low
                    }
                    code => code,
                };
                return char::from_u32(code);
            }
            _ => return None,
        })
    }

    #[inline]
    fn four_digits(&mut self) -> Option<u32> {
        let digits = self.rest().first_chunk::<4>()?;
        self.at += 4;
        let value = digits.iter().fold(0, |value, byte| {
            let digit = match byte {
                b'0'..=b'9' => byte - b'0',
                b'a'..=b'f' => byte - b'a' + 10,
                b'A'..=b'F' => byte - b'A' + 10,
                _ => u8::MAX,
            };
            // What is no digit leaves more than 16 bits.
            value << 4
                | if digit == u8::MAX {
                    1 << 16
                } else {
                    u32::from(digit)
                }
        });
        (value <= 0xFFFF).then_some(value)
    }

    #[inline]
    pub(super) fn text(&mut self) -> Option<Text<'a>> {
        Text::new(self.string()?).ok()
    }

    #[inline]
    pub(super) fn name(&mut self) -> Option<Name<'a>> {
        Name::new(self.string()?).ok()
    }

    #[inline]
    pub(super) fn reference(&mut self) -> Option<Reference<'a>> {
        Reference::new(self.string()?).ok()
    }

    #[inline]
    pub(super) fn evidence_ref(&mut self) -> Option<EvidenceRef<'a>> {
        EvidenceRef::new(self.string()?).ok()
    }

    pub(super) fn time(&mut self) -> Option<Timestamp<'a>> {
        Timestamp::new(self.string()?).ok()
    }

    pub(super) fn recipients(&mut self) -> Option<Recipients<'a>> {
        Recipients::new(self.list(Self::text)?).ok()
    }

    /// The only version that there is.
    pub(super) fn version(&mut self) -> Option<()> {
        (self.string()? == "0.1").then_some(())
    }

    /// One of a closed set of words.
    #[inline]
    pub(super) fn word<W: Word>(&mut self) -> Option<W> {
        W::read(&self.string()?)
    }

    /// A strict JSON object, whatever it holds.
    pub(super) fn any_object(&mut self) -> Option<&'a str> {
        if self.next()? != b'{' {
            return None;
        }
        let options = JsonOptions {
            max_depth: Some(self.depth),
            lenient: false,
        };
        let end = Json::read_one(self.text, self.at, options).ok()?;
        let object = self.text.get(self.at..end);
        self.at = end;
        object
    }

    /// Whether the next value is an object whose first key is this one, so far as can be told.
    pub(super) fn opens_with(&mut self, name: &Key) -> bool {
        let back = self.at;
        let is_so = self.eat(b'{').and_then(|()| self.eat(b'"')).is_some()
            && name.begins(Key::word(self.rest())).is_some();
        self.at = back;
        is_so
    }

    /// Tries something and stands where it stood before if that did not work.
    pub(super) fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let (at, depth) = (self.at, self.depth);
        let read = read(self);
        if read.is_none() {
            (self.at, self.depth) = (at, depth);
        }
        read
    }
}

/// A word of a closed set.
pub(super) trait Word: Sized {
    fn read(word: &str) -> Option<Self>;
}

macro_rules! words {
    ($($word:ident)+) => { $(
        impl Word for $word {
            #[inline]
            fn read(word: &str) -> Option<Self> {
                Self::from_name(word)
            }
        }
    )+ };
}

words!(Act Assessment Basis ChallengeKind Confidence Mode ReportState);
