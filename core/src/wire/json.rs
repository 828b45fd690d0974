//! Strict JSON as a flat tape: one node a value, in the order of the text.
//!
//! An array or object is followed by its children and knows the index after the last of them; a
//! key is a string node before its value. So nothing is ever walked recursively, and dropping a
//! document frees two vectors.

use super::finding::Finding;
use super::number::Number;
use super::scan::Scanner;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// How strictly to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonOptions {
    /// Arrays and objects within each other, the outermost being 1. `None` for no limit.
    pub max_depth: Option<usize>,
    /// The bare grammar of RFC 8259: duplicate keys, lone surrogates (read as U+FFFD) and numbers
    /// that overflow a double are let through.
    pub lenient: bool,
}

impl JsonOptions {
    /// Strict, at any depth.
    pub const STRICT: Self = Self {
        max_depth: None,
        lenient: false,
    };

    /// The bare grammar of RFC 8259, at any depth.
    pub const GRAMMAR: Self = Self {
        max_depth: None,
        lenient: true,
    };
}

impl Default for JsonOptions {
    /// Strict, and no deeper than 128 (S2.06).
    fn default() -> Self {
        Self {
            max_depth: Some(128),
            lenient: false,
        }
    }
}

/// The types of JSON values. Shown with its article: `a string`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        })
    }
}

/// What a node is; a string says whether its source holds escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Null,
    False,
    True,
    Number,
    Plain,
    Escaped,
    Array,
    Object,
}

/// One value or key on the tape. Offsets are 32 bits wide: the reader takes less than 4 GiB.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) tag: Tag,
    /// Its source, quotes and brackets included.
    pub(super) start: u32,
    pub(super) end: u32,
    /// Array and object: the index after the last child. Escaped: the index among the unescaped.
    pub(super) link: u32,
}

/// A JSON document: one value of any type. It borrows the bytes it was read from.
///
/// ```
/// use tern_core::{Code, wire::{Json, JsonOptions}};
/// let json = Json::read(br#"{"a": [1, 2.50]}"#, JsonOptions::default()).unwrap();
/// let numbers: Vec<_> = json.root().get("a").unwrap().items().map(|item| item.source()).collect();
/// assert_eq!(numbers, ["1", "2.50"]);
///
/// let finding = Json::read(br#"{"a": 1, "\u0061": 2}"#, JsonOptions::default()).unwrap_err();
/// assert_eq!((finding.code, finding.pointer.as_str()), (Code::DuplicateKey, "/a"));
/// ```
#[derive(Clone, Debug)]
pub struct Json<'a> {
    pub(super) text: &'a str,
    pub(super) nodes: Vec<Node>,
    /// The strings that had escapes, without them.
    pub(super) unescaped: Vec<String>,
}

impl<'a> Json<'a> {
    /// Reads one JSON value with nothing but white space around it (S2.03).
    ///
    /// # Errors
    ///
    /// The first failure, with a code of class `syntax`. The limit on bytes is not tested here,
    /// except that 4 GiB is [`crate::Code::TooLong`].
    pub fn read(bytes: &'a [u8], options: JsonOptions) -> Result<Self, Finding> {
        Scanner::read(bytes, options)
    }

    /// The value.
    #[must_use]
    pub const fn root(&self) -> Value<'_, 'a> {
        self.value(0)
    }

    pub(super) const fn value(&self, index: u32) -> Value<'_, 'a> {
        Value { json: self, index }
    }

    pub(super) fn node(&self, index: u32) -> Node {
        const NOTHING: Node = Node {
            tag: Tag::Null,
            start: 0,
            end: 0,
            link: 0,
        };
        self.nodes.get(to_usize(index)).copied().unwrap_or(NOTHING)
    }

    /// The index after the value that begins at this one.
    pub(super) fn after(&self, index: u32) -> u32 {
        let node = self.node(index);
        if matches!(node.tag, Tag::Array | Tag::Object) {
            node.link
        } else {
            index + 1
        }
    }

    /// The content of a string node; nothing for any other.
    pub(super) fn string(&self, index: u32) -> &str {
        let node = self.node(index);
        if node.tag == Tag::Escaped {
            return self
                .unescaped
                .get(to_usize(node.link))
                .map_or("", String::as_str);
        }
        self.plain(node)
    }

    fn plain(&self, node: Node) -> &'a str {
        let content = to_usize(node.start).saturating_add(1)..to_usize(node.end).saturating_sub(1);
        self.text.get(content).unwrap_or_default()
    }

    /// The keys of an object.
    pub(super) fn keys(&self, object: u32) -> impl Iterator<Item = &str> + Clone {
        self.value(object).entries().map(|(key, _, _)| key)
    }
}

/// A value of a document. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Value<'j, 'a> {
    pub(super) json: &'j Json<'a>,
    pub(super) index: u32,
}

impl<'j, 'a> Value<'j, 'a> {
    /// Its type.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self.node().tag {
            Tag::Null => Kind::Null,
            Tag::False | Tag::True => Kind::Bool,
            Tag::Number => Kind::Number,
            Tag::Plain | Tag::Escaped => Kind::String,
            Tag::Array => Kind::Array,
            Tag::Object => Kind::Object,
        }
    }

    /// The boolean, if it is one.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.node().tag {
            Tag::True => Some(true),
            Tag::False => Some(false),
            _ => None,
        }
    }

    /// The string, if it is one, without escapes.
    #[must_use]
    pub fn as_str(self) -> Option<&'j str> {
        (self.kind() == Kind::String).then(|| self.json.string(self.index))
    }

    /// The string, if it is one; borrowed from the source if it has no escapes there.
    #[must_use]
    pub fn as_cow(self) -> Option<Cow<'a, str>> {
        match self.node().tag {
            Tag::Plain => Some(Cow::Borrowed(self.json.plain(self.node()))),
            Tag::Escaped => Some(Cow::Owned(self.json.string(self.index).into())),
            _ => None,
        }
    }

    /// The number, if it is one.
    #[must_use]
    pub fn as_number(self) -> Option<Number<'a>> {
        (self.kind() == Kind::Number).then(|| Number::read(self.source()))
    }

    /// The items of an array, in order; none for any other value.
    #[must_use]
    pub fn items(self) -> Items<'j, 'a> {
        Items {
            rest: self.children(Tag::Array),
        }
    }

    /// The entries of an object, in order; none for any other value.
    #[must_use]
    pub fn entries(self) -> Entries<'j, 'a> {
        Entries {
            rest: self.children(Tag::Object),
        }
    }

    /// The first value under a key, if this is an object that has it.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Self> {
        self.entries()
            .find(|(name, _, _)| *name == key)
            .map(|(_, _, value)| value)
    }

    /// The text it was read from.
    #[must_use]
    pub fn source(self) -> &'a str {
        self.json.text.get(self.span()).unwrap_or_default()
    }

    /// Where it stands in the bytes it was read from.
    #[must_use]
    pub fn span(self) -> Range<usize> {
        let node = self.node();
        to_usize(node.start)..to_usize(node.end)
    }

    pub(super) fn node(self) -> Node {
        self.json.node(self.index)
    }

    fn children(self, parent: Tag) -> Rest<'j, 'a> {
        let node = self.node();
        let end = if node.tag == parent { node.link } else { 0 };
        Rest {
            json: self.json,
            at: self.index + 1,
            end,
        }
    }
}

impl fmt::Debug for Value<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.source())
    }
}

/// Nodes that are still to come.
#[derive(Clone)]
struct Rest<'j, 'a> {
    json: &'j Json<'a>,
    at: u32,
    end: u32,
}

impl<'j, 'a> Rest<'j, 'a> {
    fn next(&mut self) -> Option<Value<'j, 'a>> {
        if self.at >= self.end {
            return None;
        }
        let value = Value {
            json: self.json,
            index: self.at,
        };
        self.at = self.json.after(self.at);
        Some(value)
    }
}

/// The items of an array. See [`Value::items`].
#[derive(Clone)]
pub struct Items<'j, 'a> {
    rest: Rest<'j, 'a>,
}

impl<'j, 'a> Iterator for Items<'j, 'a> {
    type Item = Value<'j, 'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.rest.next()
    }
}

/// The entries of an object: the key, where it stands (quotes included), the value. See
/// [`Value::entries`].
#[derive(Clone)]
pub struct Entries<'j, 'a> {
    rest: Rest<'j, 'a>,
}

impl<'j, 'a> Iterator for Entries<'j, 'a> {
    type Item = (&'j str, Range<usize>, Value<'j, 'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let key = self.rest.next()?;
        let value = self.rest.next()?;
        Some((key.json.string(key.index), key.span(), value))
    }
}

/// An offset on the tape or in the text.
pub(super) const fn to_usize(offset: u32) -> usize {
    offset as usize
}
