//! Small JSON trees: cheap to build, free to be wrong, and written in many ways.

use std::borrow::Cow;
use std::rc::Rc;

/// A key or a text.
pub(crate) type Text = Cow<'static, str>;

/// A JSON value that may yet become an invalid one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Null,
    /// A string.
    Text(Text),
    /// A string that many messages share: ids, names, threads.
    Shared(Rc<str>),
    /// Source text as it stands: numbers, booleans, and what is broken.
    Raw(Text),
    List(Vec<Node>),
    Object(Vec<(Text, Node)>),
}

impl Node {
    pub(crate) fn object<const N: usize>(fields: [(&'static str, Node); N]) -> Self {
        let mut entries = Vec::with_capacity(N + 2);
        for (key, value) in fields {
            entries.push((Cow::Borrowed(key), value));
        }
        Self::Object(entries)
    }

    pub(crate) const fn word(text: &'static str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }

    /// A reference, or null.
    pub(crate) fn reference(id: Option<&Rc<str>>) -> Self {
        id.map_or(Self::Null, |id| Self::Shared(Rc::clone(id)))
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Shared(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(entries) => entries
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value),
            _ => None,
        }
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        match self {
            Self::Object(entries) => entries
                .iter_mut()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value),
            _ => None,
        }
    }

    /// The value at the end of a path of keys.
    pub(crate) fn at_mut(&mut self, path: &[&str]) -> Option<&mut Self> {
        path.iter().try_fold(self, |node, key| node.get_mut(key))
    }

    pub(crate) fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    /// Sets a field, which is added where it is absent.
    pub(crate) fn set(&mut self, key: &'static str, value: Self) {
        if let Some(old) = self.get_mut(key) {
            *old = value;
        } else if let Self::Object(entries) = self {
            entries.push((Cow::Borrowed(key), value));
        }
    }

    /// As JSON without white space.
    pub(crate) fn write(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Text(text) => write_string(text, out),
            Self::Shared(text) => write_string(text, out),
            Self::Raw(text) => out.push_str(text),
            Self::List(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Self::Object(entries) => {
                out.push('{');
                for (at, (key, value)) in entries.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    write_string(key, out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }

    pub(crate) fn to_json(&self) -> String {
        let mut out = String::with_capacity(512);
        self.write(&mut out);
        out
    }
}

impl From<String> for Node {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

/// A JSON string.
pub(crate) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest
        .bytes()
        .position(|byte| byte < 0x20 || byte == b'"' || byte == b'\\')
    {
        let (plain, special) = rest.split_at(at);
        out.push_str(plain);
        let mut chars = special.chars();
        match chars.next() {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some(other) => write_escape(other, out),
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// A character as `\u` escapes.
pub(crate) fn write_escape(character: char, out: &mut String) {
    let mut units = [0; 2];
    for unit in character.encode_utf16(&mut units) {
        out.push_str("\\u");
        for shift in [12, 8, 4, 0] {
            let digit = u32::from(*unit >> shift & 0xf);
            out.push(char::from_digit(digit, 16).unwrap_or('0'));
        }
    }
}
