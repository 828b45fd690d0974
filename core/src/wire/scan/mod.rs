//! The strict reader of JSON: RFC 8259, and what stage 1 adds (S2.03).
//!
//! One walk from the first byte to the last, with a stack of its own. `strings` reads string
//! literals, `failure` says what is wrong and where.

mod failure;
mod strings;

use super::finding::{Finding, Token, escape_token, shown};
use super::json::{Json, JsonOptions, Node, Tag, to_usize};
use super::number::Number;
use super::plain;
use super::repeats::repeats;
use crate::Code;
use alloc::format;
use alloc::vec::Vec;

/// Reads a text from its start to its end and lays its values on the tape.
pub(super) struct Scanner<'a> {
    json: Json<'a>,
    bytes: &'a [u8],
    at: usize,
    /// The arrays and objects that are open, outermost first.
    open: Vec<u32>,
    options: JsonOptions,
}

/// What the grammar allows next, after white space.
enum Next {
    Value,
    FirstItem,
    FirstKey,
    Key,
    /// A value has been read: a comma or a bracket, or nothing more at the top.
    Separator,
}

type Outcome<T> = Result<T, Finding>;

impl<'a> Scanner<'a> {
    pub(super) fn read(bytes: &'a [u8], options: JsonOptions) -> Outcome<Json<'a>> {
        if u32::try_from(bytes.len()).is_err() {
            let message = format!(
                "the text has {} bytes; less than 4 GiB are read",
                bytes.len()
            );
            return Err(Finding::whole(Code::TooLong, bytes.len(), message));
        }
        let text = match plain::utf8(bytes) {
            Some(text) => text,
            None => core::str::from_utf8(bytes).map_err(|error| failure::not_utf8(bytes, error))?,
        };
        let json = Json {
            text,
            nodes: Vec::with_capacity(bytes.len() / 16),
            unescaped: Vec::new(),
        };
        let mut scanner = Self {
            json,
            bytes,
            at: 0,
            open: Vec::new(),
            options,
        };
        if text.starts_with('\u{FEFF}') {
            return scanner.fail(
                Code::ByteOrderMark,
                0..3,
                "the text starts with a byte-order mark",
            );
        }
        scanner.document()?;
        Ok(scanner.json)
    }

    fn document(&mut self) -> Outcome<()> {
        self.skip_space();
        if self.peek().is_none() {
            return self.fail(
                Code::Empty,
                0..self.at,
                "the text is empty or nothing but white space",
            );
        }
        let mut next = Next::Value;
        loop {
            self.skip_space();
            next = match next {
                Next::Value => self.value()?,
                Next::FirstItem if self.peek() == Some(b']') => self.close()?,
                Next::FirstItem => self.value()?,
                Next::FirstKey if self.peek() == Some(b'}') => self.close()?,
                Next::FirstKey | Next::Key => self.key()?,
                Next::Separator => match self.separator()? {
                    Some(next) => next,
                    None => return Ok(()),
                },
            }
        }
    }

    /// A scalar as a whole, or the opening of an array or object.
    fn value(&mut self) -> Outcome<Next> {
        match self.peek() {
            Some(b'"') => self.string()?,
            Some(b'{') => return self.open(Tag::Object, Next::FirstKey),
            Some(b'[') => return self.open(Tag::Array, Next::FirstItem),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.literal("true", Tag::True)?,
            Some(b'f') => self.literal("false", Tag::False)?,
            Some(b'n') => self.literal("null", Tag::Null)?,
            _ => return self.unexpected("a value"),
        }
        Ok(Next::Separator)
    }

    fn open(&mut self, tag: Tag, next: Next) -> Outcome<Next> {
        if let Some(max_depth) = self.options.max_depth
            && self.open.len() >= max_depth
        {
            let message = format!("arrays and objects are nested deeper than {max_depth}");
            return self.fail(Code::TooDeep, self.at..self.at + 1, message);
        }
        self.open.push(self.index());
        self.push(tag, self.at, self.at + 1, 0);
        self.at += 1;
        Ok(next)
    }

    /// Closes the innermost array or object at the bracket that stands here.
    fn close(&mut self) -> Outcome<Next> {
        self.at += 1;
        let (end, link) = (offset(self.at), self.index());
        let Some(&index) = self.open.last() else {
            return Ok(Next::Separator);
        };
        if let Some(node) = self.json.nodes.get_mut(to_usize(index)) {
            (node.end, node.link) = (end, link);
            if node.tag == Tag::Object && !self.options.lenient {
                self.check_keys(index)?;
            }
        }
        self.open.pop();
        Ok(Next::Separator)
    }

    fn check_keys(&self, object: u32) -> Outcome<()> {
        let keys: Vec<&str> = self.json.keys(object).collect();
        let Some(&repeated) = repeats(keys.iter().copied()).first() else {
            return Ok(());
        };
        let (key, span) = self
            .json
            .value(object)
            .entries()
            .nth(repeated)
            .map_or(("", 0..0), |(key, span, _)| (key, span));
        let mut finding = self.finding(
            Code::DuplicateKey,
            span,
            format!("the key {} occurs twice in one object", shown(key)),
        );
        finding.pointer = self.pointer_to_open();
        escape_token(&mut finding.pointer, Token::Key(key));
        Err(finding)
    }

    fn key(&mut self) -> Outcome<Next> {
        if self.peek() != Some(b'"') {
            return self.unexpected("a key in double quotes");
        }
        self.string()?;
        self.skip_space();
        if self.peek() != Some(b':') {
            return self.unexpected("a colon after the key");
        }
        self.at += 1;
        Ok(Next::Value)
    }

    /// After a value: what comes next, or nothing if the document is complete.
    fn separator(&mut self) -> Outcome<Option<Next>> {
        let Some(&container) = self.open.last() else {
            return match self.peek() {
                None => Ok(None),
                Some(_) => {
                    let span = self.at..self.bytes.len();
                    let message = format!("something follows the JSON value: {}", self.found());
                    self.fail(Code::TrailingText, span, message)
                }
            };
        };
        let is_array = self.json.node(container).tag == Tag::Array;
        match (self.peek(), is_array) {
            (Some(b','), _) => {
                self.at += 1;
                Ok(Some(if is_array { Next::Value } else { Next::Key }))
            }
            (Some(b']'), true) | (Some(b'}'), false) => self.close().map(Some),
            (_, true) => self.unexpected("a comma or `]`"),
            (_, false) => self.unexpected("a comma or `}`"),
        }
    }

    fn literal(&mut self, word: &'static str, tag: Tag) -> Outcome<()> {
        let end = self.at + word.len();
        if self.bytes.get(self.at..end) != Some(word.as_bytes()) {
            return self.unexpected("a value");
        }
        self.push(tag, self.at, end, 0);
        self.at = end;
        Ok(())
    }

    fn number(&mut self) -> Outcome<()> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        if self.peek() == Some(b'0') {
            self.at += 1;
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                return self.unexpected("no digit after a leading zero");
            }
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
        let source = self.json.text.get(start..self.at).unwrap_or_default();
        if !self.options.lenient && Number::read(source).overflows_double() {
            let message = format!("{} is too large for a double", shown(source));
            return self.fail(Code::NumberOverflow, start..self.at, message);
        }
        self.push(Tag::Number, start, self.at, 0);
        Ok(())
    }

    /// At least one digit.
    fn digits(&mut self) -> Outcome<()> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let count = rest
            .iter()
            .position(|byte| !byte.is_ascii_digit())
            .unwrap_or(rest.len());
        if count == 0 {
            return self.unexpected("a digit");
        }
        self.at += count;
        Ok(())
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn push(&mut self, tag: Tag, start: usize, end: usize, link: u32) {
        self.json.nodes.push(Node {
            tag,
            start: offset(start),
            end: offset(end),
            link,
        });
    }

    /// The index that the next node gets.
    fn index(&self) -> u32 {
        offset(self.json.nodes.len())
    }
}

/// An offset that fits, because the length of the text does.
fn offset(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}
