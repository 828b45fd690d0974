//! §1 Encoding: JSON values and a reader of them.
//!
//! The reader follows the grammar of RFC 8259. What Tern refuses beyond it (repeated keys, numbers that
//! are not finite, half surrogate pairs) it notes as a flaw and reads on, for §15 and §16 ask for the
//! grammar alone. It has a stack of its own, so no depth of nesting exhausts it.

use crate::number::Number;
use std::collections::BTreeMap;
use std::ops::Range;

/// The members of an object; the order of keys means nothing (T1.08).
pub(crate) type Object = BTreeMap<String, Value>;

/// A JSON value. Two are equal as R-02 says, and none is ever converted (T1.10).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Value {
    #[default]
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Value>),
    Object(Object),
}

impl Value {
    /// The string, if it is one.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The members, if it is an object.
    pub(crate) fn as_object(&self) -> Option<&Object> {
        match self {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }
}

/// The string under a key, if one is there.
pub(crate) fn text_of<'a>(object: &'a Object, key: &str) -> Option<&'a str> {
    object.get(key).and_then(Value::as_text)
}

/// The entries of the array under a key; none if there is no array.
pub(crate) fn list_of<'a>(object: &'a Object, key: &str) -> &'a [Value] {
    match object.get(key) {
        Some(Value::List(entries)) => entries,
        _ => &[],
    }
}

/// The strings in the array under a key.
pub(crate) fn texts_of<'a>(object: &'a Object, key: &str) -> impl Iterator<Item = &'a str> {
    list_of(object, key).iter().filter_map(Value::as_text)
}

/// The objects in the array under a key.
pub(crate) fn objects_of<'a>(object: &'a Object, key: &str) -> impl Iterator<Item = &'a Object> {
    list_of(object, key).iter().filter_map(Value::as_object)
}

/// What was found in a text that is JSON by the grammar.
#[derive(Default)]
pub(crate) struct Reading {
    /// The value; objects and arrays below the level asked for are replaced by null.
    pub value: Value,
    /// The deepest level; an outermost object or array is level 1 (S2.06).
    pub depth: usize,
    /// The first flaw outside of the value of `message` in a record `deliver`.
    pub flaw: Option<&'static str>,
    /// The first flaw inside of it (S8.08).
    pub message_flaw: Option<&'static str>,
    /// Where it stands in the text, if it is an object (S8.07).
    pub message: Option<Range<usize>>,
}

/// Stage 1 but for the type of the value (S2.03-S2.08): strict JSON within the limits.
pub(crate) fn read_strict(
    bytes: &[u8],
    longest: usize,
    deepest: usize,
) -> Result<Value, &'static str> {
    if bytes.len() > longest {
        return Err("too_long");
    }
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        return Err("byte_order_mark");
    }
    let text = str::from_utf8(bytes).map_err(|_| "not_utf8")?;
    if is_blank(bytes) {
        return Err("empty");
    }
    let reading = read(text, deepest)?;
    match reading.flaw.or(reading.message_flaw) {
        Some(flaw) => Err(flaw),
        None if reading.depth > deepest => Err("too_deep"),
        None => Ok(reading.value),
    }
}

/// nothing but white space.
pub(crate) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| b" \t\r\n".contains(byte))
}

/// Reads a text by the grammar of JSON alone; what lies deeper than level `keep` is not kept.
pub(crate) fn read(text: &str, keep: usize) -> Result<Reading, &'static str> {
    let (at, open, found) = (0, Vec::new(), Reading::default());
    let mut reader = Reader {
        text,
        at,
        open,
        found,
    };
    reader.value(keep)?;
    match reader.peek() {
        None => Ok(reader.found),
        Some(_) => Err("trailing_text"),
    }
}

const MALFORMED: &str = "malformed_json";

/// An object or array that is being read.
struct Open {
    start: usize,
    /// The key whose value is being read, if it is an object.
    key: String,
    container: Value,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    open: Vec<Open>,
    found: Reading,
}

impl Reader<'_> {
    /// The outermost value, and white space around it.
    fn value(&mut self, keep: usize) -> Result<(), &'static str> {
        loop {
            self.space();
            let mut fresh = self.begin();
            if !fresh {
                let value = self.scalar()?;
                self.put(value);
            }
            // Either the innermost object or array ends here, or its next entry follows.
            loop {
                self.space();
                let Some(inner) = self.open.last() else {
                    return Ok(());
                };
                let is_object = inner.container.as_object().is_some();
                if self.take(if is_object { b'}' } else { b']' }) {
                    self.end(keep);
                    fresh = false;
                    continue;
                }
                if !fresh {
                    self.expect(b',')?;
                }
                if is_object {
                    self.key()?;
                }
                break;
            }
        }
    }

    /// Begins an object or array, if one begins here.
    fn begin(&mut self) -> bool {
        let container = match self.peek() {
            Some(b'{') => Value::Object(Object::new()),
            Some(b'[') => Value::List(Vec::new()),
            _ => return false,
        };
        let (start, key) = (self.at, String::new());
        self.open.push(Open {
            start,
            key,
            container,
        });
        self.found.depth = self.found.depth.max(self.open.len());
        self.at += 1;
        true
    }

    /// Ends the innermost object or array.
    fn end(&mut self, keep: usize) {
        let level = self.open.len();
        let Some(ended) = self.open.pop() else { return };
        if level == 3 && self.in_message() && ended.container.as_object().is_some() {
            self.found.message = Some(ended.start..self.at);
        }
        self.put(if level > keep {
            Value::Null
        } else {
            ended.container
        });
    }

    /// Puts a whole value where it belongs.
    fn put(&mut self, value: Value) {
        let Some(inner) = self.open.last_mut() else {
            self.found.value = value;
            return;
        };
        match &mut inner.container {
            Value::List(entries) => entries.push(value),
            Value::Object(members) => {
                members.insert(std::mem::take(&mut inner.key), value);
            }
            _ => {}
        }
    }

    /// S8.08: whether the reader is inside the value of `message` in a record `deliver`.
    fn in_message(&self) -> bool {
        let keys = self.open.iter().map(|open| open.key.as_str());
        keys.take(2).eq(["deliver", "message"])
    }

    fn flaw(&mut self, code: &'static str) {
        if self.in_message() {
            self.found.message_flaw.get_or_insert(code);
        } else {
            self.found.flaw.get_or_insert(code);
        }
    }

    /// A key and its colon. T1.05, S2.07: keys are compared after their escapes are read.
    fn key(&mut self) -> Result<(), &'static str> {
        self.space();
        let key = self.string()?;
        let members = self
            .open
            .last()
            .and_then(|inner| inner.container.as_object());
        if members.is_some_and(|members| members.contains_key(&key)) {
            self.flaw("duplicate_key");
        }
        if let Some(inner) = self.open.last_mut() {
            inner.key = key;
        }
        self.space();
        self.expect(b':')
    }

    fn scalar(&mut self) -> Result<Value, &'static str> {
        let words = [
            ("null", Value::Null),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
        ];
        for (word, value) in words {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        match self.peek() {
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.string().map(Value::Text),
        }
    }

    /// T1.07, S2.08: a number that is not finite is a flaw; any other is kept exactly.
    fn number(&mut self) -> Result<Value, &'static str> {
        let rest = self.rest();
        let end = rest.find(|c: char| !"+-.eE0123456789".contains(c));
        let token = rest.get(..end.unwrap_or(rest.len())).unwrap_or("");
        let number = Number::read(token).ok_or(MALFORMED)?;
        self.at += token.len();
        if !number.is_finite() {
            self.flaw("number_overflow");
        }
        Ok(Value::Number(number))
    }

    fn string(&mut self) -> Result<String, &'static str> {
        self.expect(b'"')?;
        let mut string = String::new();
        loop {
            let rest = self.rest();
            let plain = rest.find(|c: char| c == '"' || c == '\\' || c < ' ');
            let plain = plain.ok_or(MALFORMED)?;
            string.push_str(rest.get(..plain).unwrap_or(""));
            self.at += plain;
            if self.take(b'"') {
                return Ok(string);
            }
            self.expect(b'\\')?;
            string.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Result<char, &'static str> {
        let escaped = self.peek().ok_or(MALFORMED)?;
        self.at += 1;
        match escaped {
            b'"' | b'\\' | b'/' => Ok(char::from(escaped)),
            b'b' => Ok('\u{8}'),
            b'f' => Ok('\u{c}'),
            b'n' => Ok('\n'),
            b'r' => Ok('\r'),
            b't' => Ok('\t'),
            b'u' => self.unit(),
            _ => Err(MALFORMED),
        }
    }

    /// S2.05: a half of a surrogate pair without the other is a flaw.
    fn unit(&mut self) -> Result<char, &'static str> {
        let first = self.four_digits()?;
        let after = self.at;
        if (0xD800..0xDC00).contains(&first) && self.rest().starts_with("\\u") {
            self.at += 2;
            let second = self.four_digits()?;
            if (0xDC00..0xE000).contains(&second) {
                let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                return char::from_u32(code).ok_or(MALFORMED);
            }
            self.at = after;
        }
        if let Some(c) = char::from_u32(first) {
            return Ok(c);
        }
        self.flaw("lone_surrogate");
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn four_digits(&mut self) -> Result<u32, &'static str> {
        let digits = self.rest().get(..4).ok_or(MALFORMED)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(MALFORMED);
        }
        let value = u32::from_str_radix(digits, 16).map_err(|_| MALFORMED)?;
        self.at += 4;
        Ok(value)
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), &'static str> {
        if self.take(byte) {
            Ok(())
        } else {
            Err(MALFORMED)
        }
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }
}
