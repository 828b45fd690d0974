//! The strict reader of JSON: RFC 8259, and what semantics §2 adds in stage 1.

use super::finding::{Finding, Token, escape_token, shown};
use super::json::{Json, JsonOptions, Node, Tag, to_usize};
use super::number::Number;
use super::repeats::repeats;
use crate::Code;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

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
        let text = core::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error))?;
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
        let Some(&repeated) = repeats(self.json.keys(object)).first() else {
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

    fn string(&mut self) -> Outcome<()> {
        let start = self.at;
        self.at += 1;
        self.skip_plain();
        if self.peek() == Some(b'"') {
            self.at += 1;
            self.push(Tag::Plain, start, self.at, 0);
            return Ok(());
        }
        let mut content = String::new();
        let mut chunk = start + 1;
        loop {
            content.push_str(self.json.text.get(chunk..self.at).unwrap_or_default());
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => content.push(self.escape()?),
                Some(_) => {
                    return self.unexpected("an escape such as `\\n` for a control character");
                }
                None => return self.unexpected("a closing quotation mark"),
            }
            chunk = self.at;
            self.skip_plain();
        }
        self.at += 1;
        self.push(
            Tag::Escaped,
            start,
            self.at,
            offset(self.json.unescaped.len()),
        );
        self.json.unescaped.push(content);
        Ok(())
    }

    /// Goes on to the next quotation mark, backslash or control character.
    fn skip_plain(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let special = |&byte: &u8| byte < 0x20 || byte == b'"' || byte == b'\\';
        self.at += rest.iter().position(special).unwrap_or(rest.len());
    }

    /// One escape, or two that make a pair of surrogates.
    fn escape(&mut self) -> Outcome<char> {
        let start = self.at;
        self.at += 1;
        let character = match self.peek() {
            Some(character @ (b'"' | b'\\' | b'/')) => char::from(character),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(start),
            _ => return self.unexpected("one of `\"\\/bfnrtu` after the backslash"),
        };
        self.at += 1;
        Ok(character)
    }

    fn unicode_escape(&mut self, start: usize) -> Outcome<char> {
        let high = self.four_digits()?;
        if let Some(character) = char::from_u32(high) {
            return Ok(character);
        }
        let after_high = self.at;
        if high < 0xDC00 && self.bytes.get(self.at..self.at + 2) == Some(b"\\u") {
            self.at += 1;
            let low = self.four_digits()?;
            if (0xDC00..0xE000).contains(&low) {
                let code = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = after_high;
        }
        if self.options.lenient {
            return Ok(char::REPLACEMENT_CHARACTER);
        }
        let source = self.json.text.get(start..after_high).unwrap_or_default();
        let message = format!("{} is half of a surrogate pair, alone", shown(source));
        self.fail(Code::LoneSurrogate, start..after_high, message)
    }

    /// `u` and the four digits after it.
    fn four_digits(&mut self) -> Outcome<u32> {
        self.at += 1;
        let mut value = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return self.unexpected("four hexadecimal digits after `\\u`");
            };
            value = value * 16 + digit;
            self.at += 1;
        }
        Ok(value)
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

/// What a failure says.
impl Scanner<'_> {
    fn unexpected<T>(&self, expected: &str) -> Outcome<T> {
        let found = self.next_character().map_or(0, char::len_utf8);
        let message = format!("expected {expected}; found {}", self.found());
        self.fail(Code::MalformedJson, self.at..self.at + found, message)
    }

    fn found(&self) -> String {
        self.next_character().map_or_else(
            || "the end of the text".into(),
            |character| shown(character.encode_utf8(&mut [0; 4])),
        )
    }

    fn next_character(&self) -> Option<char> {
        self.json
            .text
            .get(self.at..)
            .and_then(|rest| rest.chars().next())
    }

    fn fail<T>(&self, code: Code, span: Range<usize>, message: impl Into<String>) -> Outcome<T> {
        Err(self.finding(code, span, message.into()))
    }

    fn finding(&self, code: Code, span: Range<usize>, message: String) -> Finding {
        Finding::new(self.bytes, code, self.pointer(), span, message)
    }

    /// The value that is being read: the open arrays and objects, and the item or key that has
    /// been reached in the innermost.
    fn pointer(&self) -> String {
        self.pointer_up_to(self.index())
    }

    /// The innermost array or object that is open.
    fn pointer_to_open(&self) -> String {
        self.pointer_up_to(self.open.last().copied().unwrap_or(0))
    }

    fn pointer_up_to(&self, last: u32) -> String {
        let mut pointer = String::new();
        let inner = self
            .open
            .iter()
            .skip(1)
            .copied()
            .filter(|&index| index < last);
        for (&container, target) in self.open.iter().zip(inner.chain([last])) {
            if let Some(token) = self.token(container, target) {
                escape_token(&mut pointer, token);
            }
        }
        pointer
    }

    /// Under which token the node at `target` is, or would be, a child.
    fn token(&self, container: u32, target: u32) -> Option<Token<'_>> {
        let mut at = container + 1;
        if self.json.node(container).tag == Tag::Array {
            let mut index = 0;
            while at < target {
                at = self.json.after(at);
                index += 1;
            }
            return Some(Token::Index(index));
        }
        while at < target {
            let value = at + 1;
            if value >= target {
                return Some(Token::Key(self.json.string(at)));
            }
            at = self.json.after(value);
        }
        None
    }
}

fn not_utf8(bytes: &[u8], error: core::str::Utf8Error) -> Finding {
    let start = error.valid_up_to();
    let end = error
        .error_len()
        .map_or(bytes.len(), |length| start + length);
    let byte = bytes.get(start).copied().unwrap_or_default();
    let message = format!("byte {start} is {byte:02x}, which is not UTF-8 there");
    Finding::new(bytes, Code::NotUtf8, String::new(), start..end, message)
}

/// An offset that fits, because the length of the text does.
fn offset(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}
