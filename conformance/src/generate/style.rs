//! The same message written otherwise: structurally equal, other bytes (T1.29, R-02).

use std::borrow::Cow;

use super::node::{Node, write_escape, write_string};
use crate::mixer::Mixer;

/// How to write a message otherwise.
#[derive(Clone, Copy, Default)]
pub(crate) struct Style {
    /// What decides the details: eight bytes of input and no more.
    pub(crate) seed: u64,
    /// Keys in another order.
    pub(crate) reorder: bool,
    /// White space between tokens.
    pub(crate) spaces: bool,
    /// Characters as escapes.
    pub(crate) escapes: bool,
    /// Numbers of the same value in another notation.
    pub(crate) numbers: bool,
}

/// Writes a message in a style.
pub(crate) fn write(node: &Node, style: Style) -> String {
    let mut writer = Writer {
        out: String::with_capacity(768),
        style,
        mixer: Mixer::new(style.seed),
    };
    writer.node(node);
    writer.out
}

struct Writer {
    out: String,
    style: Style,
    mixer: Mixer,
}

impl Writer {
    fn node(&mut self, node: &Node) {
        match node {
            Node::Null => self.out.push_str("null"),
            Node::Text(text) => self.string(text),
            Node::Shared(text) => self.string(text),
            Node::Raw(text) => {
                let text = if self.style.numbers {
                    same_number(text)
                } else {
                    Cow::Borrowed(text.as_ref())
                };
                self.out.push_str(&text);
            }
            Node::List(items) => {
                self.out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        self.out.push(',');
                    }
                    self.space();
                    self.node(item);
                }
                self.space();
                self.out.push(']');
            }
            Node::Object(entries) => {
                let mut order: Vec<&(Cow<'static, str>, Node)> = entries.iter().collect();
                if self.style.reorder {
                    self.mixer.shuffle(&mut order);
                }
                self.out.push('{');
                for (at, (key, value)) in order.into_iter().enumerate() {
                    if at > 0 {
                        self.out.push(',');
                    }
                    self.space();
                    self.string(key);
                    self.space();
                    self.out.push(':');
                    self.space();
                    self.node(value);
                }
                self.space();
                self.out.push('}');
            }
        }
    }

    /// White space that a line may hold.
    fn space(&mut self) {
        if self.style.spaces && self.mixer.below(4) == 0 {
            let blank = [" ", "  ", "\t", "\r"].get(self.mixer.below(4)).copied();
            self.out.push_str(blank.unwrap_or(" "));
        }
    }

    fn string(&mut self, text: &str) {
        if !self.style.escapes {
            write_string(text, &mut self.out);
            return;
        }
        self.out.push('"');
        for character in text.chars() {
            let must = matches!(character, '"' | '\\' | '\0'..='\u{1f}');
            if character == '/' && self.mixer.below(2) == 0 {
                self.out.push_str("\\/");
            } else if must || self.mixer.below(5) == 0 {
                write_escape(character, &mut self.out);
            } else {
                self.out.push(character);
            }
        }
        self.out.push('"');
    }
}

/// Another notation of the same exact value, where the source text is a number.
fn same_number(text: &str) -> Cow<'_, str> {
    let begins_number = text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    if !begins_number {
        return Cow::Borrowed(text);
    }
    if let Some((mantissa, exponent)) = text.split_once(['e', 'E']) {
        let (sign, digits) = match exponent.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("+", exponent.trim_start_matches('+')),
        };
        Cow::Owned(format!("{mantissa}E{sign}0{digits}"))
    } else if text.contains('.') {
        Cow::Owned(format!("{text}0"))
    } else {
        Cow::Owned(format!("{text}.0"))
    }
}
