//! A place in the text, and what can be read from there.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::any;
use super::names::Key;
use crate::message::{
    Act, Assessment, Basis, ChallengeKind, Confidence, EvidenceRef, Mode, Name, NonEmpty,
    Recipients, Reference, ReportState, Text, Timestamp,
};
use crate::wire::escape::{escape, unescaped};
use crate::wire::plain::Specials;

/// Goes through a text once. Whatever it does not expect is `None`, and then the cursor stands anywhere.
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    /// The arrays and objects that may still be opened.
    depth: usize,
    specials: Specials<'a>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, max_depth: usize) -> Self {
        Self {
            text,
            at: 0,
            depth: max_depth,
            specials: Specials::new(text.as_bytes()),
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
    pub(super) fn next(&mut self) -> Option<u8> {
        loop {
            let byte = self.peek()?;
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    #[inline]
    pub(super) fn eat(&mut self, byte: u8) -> Option<()> {
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
        self.deeper()?;
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
        self.shallower();
        Some(())
    }

    /// An array, each entry of which `read` reads.
    #[inline]
    pub(super) fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        self.eat(b'[')?;
        self.deeper()?;
        let mut entries = Vec::new();
        if self.next()? != b']' {
            // As many as growing would begin with, in fewer steps.
            entries = Vec::with_capacity(4);
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
        self.shallower();
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
        self.literal(b"null")?;
        Some(None)
    }

    /// A string.
    fn string(&mut self) -> Option<Literal<'a>> {
        self.eat(b'"')?;
        let start = self.at;
        loop {
            let end = self.specials.next(self.at)?;
            match *self.text.as_bytes().get(end)? {
                b'"' => {
                    let has_escapes = start < self.at;
                    self.at = end + 1;
                    let source = self.text.get(start..end)?;
                    return Some(Literal {
                        source,
                        has_escapes,
                    });
                }
                b'\\' => {
                    let behind = self.text.as_bytes().get(end + 1..)?;
                    let (_, length) = escape(behind)?;
                    self.at = end + 1 + length;
                }
                _ => return None,
            }
        }
    }

    /// A string, its escapes undone.
    #[inline]
    pub(super) fn content(&mut self) -> Option<Cow<'a, str>> {
        let Literal {
            source,
            has_escapes,
        } = self.string()?;
        Some(match has_escapes {
            false => Cow::Borrowed(source),
            true => Cow::Owned(unescaped(source)),
        })
    }

    #[inline]
    pub(super) fn text(&mut self) -> Option<Text<'a>> {
        let Literal {
            source,
            has_escapes,
        } = self.string()?;
        match has_escapes {
            false => Text::new(source).ok(),
            true => Some(Text::escaped(source)),
        }
    }

    /// A string of at least one character, its escapes undone.
    #[inline]
    pub(super) fn nonempty(&mut self) -> Option<Cow<'a, str>> {
        self.content().filter(|content| !content.is_empty())
    }

    #[inline]
    pub(super) fn name(&mut self) -> Option<Name<'a>> {
        Name::new(self.content()?).ok()
    }

    #[inline]
    pub(super) fn reference(&mut self) -> Option<Reference<'a>> {
        Reference::new(self.content()?).ok()
    }

    #[inline]
    pub(super) fn evidence_ref(&mut self) -> Option<EvidenceRef<'a>> {
        EvidenceRef::new(self.content()?).ok()
    }

    pub(super) fn time(&mut self) -> Option<Timestamp<'a>> {
        Timestamp::new(self.content()?).ok()
    }

    pub(super) fn recipients(&mut self) -> Option<Recipients<'a>> {
        Recipients::new(self.list(Self::text)?).ok()
    }

    /// The only version that there is.
    pub(super) fn version(&mut self) -> Option<()> {
        (self.content()? == "0.1").then_some(())
    }

    /// One of a closed set of words.
    #[inline]
    pub(super) fn word<W: Word>(&mut self) -> Option<W> {
        W::read(&self.content()?)
    }

    /// A strict JSON object, whatever it holds.
    pub(super) fn any_object(&mut self) -> Option<&'a str> {
        self.next()?;
        let start = self.at;
        any::object(self)?;
        self.text.get(start..self.at)
    }

    /// The byte that stands here was looked at.
    #[inline]
    pub(super) fn skip(&mut self) {
        self.at += 1;
    }

    #[inline]
    pub(super) fn deeper(&mut self) -> Option<()> {
        self.depth = self.depth.checked_sub(1)?;
        Some(())
    }

    #[inline]
    pub(super) fn shallower(&mut self) {
        self.depth += 1;
    }

    pub(super) fn skip_string(&mut self) -> Option<()> {
        self.string().map(|_| ())
    }

    /// A literal that stands here.
    #[inline]
    pub(super) fn literal(&mut self, word: &[u8]) -> Option<()> {
        if !self.rest().starts_with(word) {
            return None;
        }
        self.at += word.len();
        Some(())
    }

    /// A number that stands here (RFC 8259, section 6).
    pub(super) fn number(&mut self) -> Option<&'a str> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        if self.peek()? == b'0' {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
        }
        self.text.get(start..self.at)
    }

    /// At least one digit.
    fn digits(&mut self) -> Option<()> {
        let digits = self.rest().iter().take_while(|it| it.is_ascii_digit());
        let count = digits.count();
        self.at += count;
        (count > 0).then_some(())
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

/// What stands between quotation marks, with its escapes.
struct Literal<'a> {
    source: &'a str,
    has_escapes: bool,
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
