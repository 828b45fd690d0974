//! What is wrong with a text, and where.

use super::super::finding::{Finding, Token, escape_token, shown};
use super::super::json::Tag;
use super::{Outcome, Scanner};
use crate::Code;
use alloc::format;
use alloc::string::String;
use core::ops::Range;

impl Scanner<'_> {
    pub(super) fn unexpected<T>(&self, expected: &str) -> Outcome<T> {
        let found = self.next_character().map_or(0, char::len_utf8);
        let message = format!("expected {expected}; found {}", self.found());
        self.fail(Code::MalformedJson, self.at..self.at + found, message)
    }

    pub(super) fn found(&self) -> String {
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

    pub(super) fn fail<T>(
        &self,
        code: Code,
        span: Range<usize>,
        message: impl Into<String>,
    ) -> Outcome<T> {
        Err(self.finding(code, span, message.into()))
    }

    pub(super) fn finding(&self, code: Code, span: Range<usize>, message: String) -> Finding {
        Finding::new(self.bytes, code, self.pointer(), span, message)
    }

    /// The value that is being read: the open arrays and objects, and the item or key that has
    /// been reached in the innermost.
    pub(super) fn pointer(&self) -> String {
        self.pointer_up_to(self.index())
    }

    /// The innermost array or object that is open.
    pub(super) fn pointer_to_open(&self) -> String {
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

pub(super) fn not_utf8(bytes: &[u8], error: core::str::Utf8Error) -> Finding {
    let start = error.valid_up_to();
    let end = error
        .error_len()
        .map_or(bytes.len(), |length| start + length);
    let byte = bytes.get(start).copied().unwrap_or_default();
    let message = format!("byte {start} is {byte:02x}, which is not UTF-8 there");
    Finding::new(bytes, Code::NotUtf8, String::new(), start..end, message)
}
