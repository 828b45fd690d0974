//! JSON that can be changed, with numbers as they are spelled.

use tern_core::wire::{Json, JsonOptions, Kind, Value, write_string};

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tree {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Tree>),
    Fields(Vec<(String, Tree)>),
}

/// Deeper than this nothing is changed, so that walks need little stack.
const DEEPEST: usize = 500;

impl Tree {
    /// Reads strict JSON.
    pub(crate) fn strict(bytes: &[u8]) -> Option<Self> {
        Self::read(bytes, JsonOptions::STRICT)
    }

    /// Reads whatever the grammar lets through: repeated keys, and half surrogate pairs as U+FFFD.
    pub(crate) fn lenient(bytes: &[u8]) -> Option<Self> {
        Self::read(bytes, JsonOptions::GRAMMAR)
    }

    fn read(bytes: &[u8], options: JsonOptions) -> Option<Self> {
        let max_depth = Some(DEEPEST);
        let json = Json::read(
            bytes,
            JsonOptions {
                max_depth,
                ..options
            },
        );
        json.ok().map(|json| Self::from(json.root()))
    }

    /// As text, on one line.
    pub(crate) fn to_text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(it) => out.push_str(if *it { "true" } else { "false" }),
            Self::Number(it) => out.push_str(it),
            Self::Text(it) => write_string(out, it),
            Self::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    item.write(out);
                }
                out.push(']');
            }
            Self::Fields(fields) => {
                out.push('{');
                for (index, (key, value)) in fields.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    write_string(out, key);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }

    /// The value of a field.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Fields(fields) => fields
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value),
            _ => None,
        }
    }

    /// The value of a field, to change it.
    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        self.fields_mut()?
            .iter_mut()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    /// The fields, if it has any.
    pub(crate) fn fields_mut(&mut self) -> Option<&mut Vec<(String, Self)>> {
        match self {
            Self::Fields(fields) => Some(fields),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Visits every value from the inside out, with the key that it stands under, also in a list.
    pub(crate) fn walk(&mut self, key: &str, visit: &mut dyn FnMut(&str, &mut Self)) {
        match self {
            Self::List(items) => items.iter_mut().for_each(|item| item.walk(key, visit)),
            Self::Fields(fields) => fields
                .iter_mut()
                .for_each(|(key, value)| value.walk(key, visit)),
            _ => {}
        }
        visit(key, self);
    }

    /// Visits every text.
    pub(crate) fn texts(&mut self, change: &mut dyn FnMut(&str, &mut String)) {
        self.walk("", &mut |key, value| {
            if let Self::Text(text) = value {
                change(key, text);
            }
        });
    }
}

impl From<Value<'_, '_>> for Tree {
    fn from(value: Value<'_, '_>) -> Self {
        match value.kind() {
            Kind::Null => Self::Null,
            Kind::Bool => Self::Bool(value.as_bool() == Some(true)),
            Kind::Number => Self::Number(value.source().to_owned()),
            Kind::String => Self::Text(value.as_str().unwrap_or_default().to_owned()),
            Kind::Array => Self::List(value.items().map(Self::from).collect()),
            Kind::Object => {
                let fields = value.entries();
                Self::Fields(
                    fields
                        .map(|(key, _, it)| (key.to_owned(), it.into()))
                        .collect(),
                )
            }
        }
    }
}
