//! §1 Encoding: JSON values and a reader of them.
//!
//! The reader follows the grammar of RFC 8259. What Tern refuses beyond it (repeated keys, numbers
//! that are not finite, half surrogate pairs) it notes as a flaw and reads on, for §15 and §16 ask
//! for the grammar alone. It has a stack of its own and so reads any depth; what it keeps is
//! as deep as the limits allow, and is walked by recursion.

use crate::number::Number;
use std::collections::BTreeMap;
use std::mem::take;

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
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

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

/// The object under a key, if one is there.
pub(crate) fn object_of<'a>(object: &'a Object, key: &str) -> Option<&'a Object> {
    object.get(key).and_then(Value::as_object)
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

/// A code says what is wrong.
pub(crate) type Code = &'static str;

/// What must hold, and the code if it does not.
pub(crate) fn require(holds: bool, code: &'static str) -> Result<(), Code> {
    if holds { Ok(()) } else { Err(code) }
}

/// nothing but white space.
pub(crate) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| b" \t\r\n".contains(byte))
}

/// Stage 1 but for the type of the value (S2.03-S2.08): strict JSON within the limits.
pub(crate) fn read_strict(bytes: &[u8], longest: usize, deepest: usize) -> Result<Value, Code> {
    require(bytes.len() <= longest, "too_long")?;
    require(!bytes.starts_with(b"\xEF\xBB\xBF"), "byte_order_mark")?;
    let text = str::from_utf8(bytes).map_err(|_| "not_utf8")?;
    require(!is_blank(bytes), "empty")?;
    let reading = read(text, deepest)?;
    require(reading.depth <= deepest, "too_deep")?;
    let flaw = reading.flaws.first();
    flaw.map_or(Ok(reading.value), |(code, _)| Err(*code))
}

/// Reads a text by the grammar of JSON alone; what lies deeper than level `keep` is not kept.
pub(crate) fn read(text: &str, keep: usize) -> Result<Reading<'_>, Code> {
    let mut reading = Reading {
        text,
        keep,
        ..Reading::default()
    };
    reading.read()?;
    require(reading.at == text.len(), "trailing_text")?;
    Ok(reading)
}

/// A text that is JSON by the grammar, and what was found in it.
#[derive(Default)]
pub(crate) struct Reading<'a> {
    pub value: Value,
    /// The deepest level; an outermost object or array is level 1 (S2.06).
    pub depth: usize,
    /// The source text of the object under `message` in a record `deliver` (S8.07).
    pub message: Option<&'a str>,
    /// The flaws, and whether they are in the value of that `message` (S8.08).
    pub flaws: Vec<(Code, bool)>,
    text: &'a str,
    keep: usize,
    at: usize,
    open: Vec<Open>,
}

/// An object or array that is being read, and the key whose value is being read.
struct Open {
    start: usize,
    key: String,
    container: Value,
}

const MALFORMED: &str = "malformed_json";

impl Reading<'_> {
    /// One value, and white space around it.
    fn read(&mut self) -> Result<(), Code> {
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
                    self.end();
                    fresh = false;
                    continue;
                }
                require(fresh || self.take(b','), MALFORMED)?;
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
        self.open.push(Open {
            start: self.at,
            key: String::new(),
            container,
        });
        self.depth = self.depth.max(self.open.len());
        self.at += 1;
        true
    }

    /// Ends the innermost object or array.
    fn end(&mut self) {
        let level = self.open.len();
        let Some(ended) = self.open.pop() else { return };
        if level == 3 && self.in_message() && ended.container.as_object().is_some() {
            self.message = self.text.get(ended.start..self.at);
        }
        let kept = level <= self.keep;
        self.put(if kept { ended.container } else { Value::Null });
    }

    /// Puts a whole value where it belongs.
    fn put(&mut self, value: Value) {
        let inner = self.open.last_mut();
        match inner.map(|inner| (&mut inner.container, &mut inner.key)) {
            Some((Value::List(entries), _)) => entries.push(value),
            Some((Value::Object(members), key)) => drop(members.insert(take(key), value)),
            _ => self.value = value,
        }
    }

    /// S8.08: whether this is inside the value of `message` in a record `deliver`.
    fn in_message(&self) -> bool {
        let keys = self.open.iter().map(|open| open.key.as_str());
        keys.take(2).eq(["deliver", "message"])
    }

    /// A key and its colon. T1.05, S2.07: keys are compared after their escapes are read.
    fn key(&mut self) -> Result<(), Code> {
        self.space();
        let key = self.string()?;
        let inner = self.open.last().ok_or(MALFORMED)?;
        let members = inner.container.as_object();
        if members.is_some_and(|members| members.contains_key(&key)) {
            self.flaws.push(("duplicate_key", self.in_message()));
        }
        self.open.last_mut().ok_or(MALFORMED)?.key = key;
        self.space();
        require(self.take(b':'), MALFORMED)
    }

    fn scalar(&mut self) -> Result<Value, Code> {
        let (word, value) = match self.peek() {
            Some(b't') => ("true", Value::Bool(true)),
            Some(b'f') => ("false", Value::Bool(false)),
            Some(b'n') => ("null", Value::Null),
            Some(b'-' | b'0'..=b'9') => return self.number(),
            _ => return self.string().map(Value::Text),
        };
        require(self.rest().starts_with(word), MALFORMED)?;
        self.at += word.len();
        Ok(value)
    }

    /// T1.07, S2.08: a number that is not finite is a flaw; any other is kept exactly.
    fn number(&mut self) -> Result<Value, Code> {
        let rest = self.rest();
        let end = rest.find(|c: char| !"+-.eE0123456789".contains(c));
        let token = rest.get(..end.unwrap_or(rest.len())).unwrap_or("");
        let number = Number::read(token).ok_or(MALFORMED)?;
        self.at += token.len();
        if !number.is_finite {
            self.flaws.push(("number_overflow", self.in_message()));
        }
        Ok(Value::Number(number))
    }

    fn string(&mut self) -> Result<String, Code> {
        require(self.take(b'"'), MALFORMED)?;
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
            require(self.take(b'\\'), MALFORMED)?;
            string.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Result<char, Code> {
        let letters = "\"\\/bfnrt".chars().zip("\"\\/\u{8}\u{c}\n\r\t".chars());
        for (letter, meant) in letters {
            if self.rest().starts_with(letter) {
                self.at += 1;
                return Ok(meant);
            }
        }
        let mut units = vec![self.unit()?];
        let after = self.at;
        if self.rest().starts_with("\\u") {
            self.at += 1;
            units.push(self.unit()?);
        }
        let chars: Vec<_> = char::decode_utf16(units).collect();
        if chars.len() > 1 {
            self.at = after; // No pair: the second stands for itself.
        }
        if let Some(Ok(c)) = chars.first() {
            return Ok(*c);
        }
        // S2.05: a half of a surrogate pair without the other is a flaw.
        self.flaws.push(("lone_surrogate", self.in_message()));
        Ok(char::REPLACEMENT_CHARACTER)
    }

    /// The letter `u` and four hexadecimal digits.
    fn unit(&mut self) -> Result<u16, Code> {
        require(self.take(b'u'), MALFORMED)?;
        let digits = self.rest().get(..4).ok_or(MALFORMED)?;
        let all = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        require(all, MALFORMED)?;
        let unit = u16::from_str_radix(digits, 16).map_err(|_| MALFORMED)?;
        self.at += 4;
        Ok(unit)
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

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }
}
