//! String literals: plain ones stay in the text, the others are read once.

use super::super::escape::{escape, literal, unescaped};
use super::super::finding::shown;
use super::super::json::Tag;
use super::super::plain::plain;
use super::{Outcome, Scanner, offset};
use crate::Code;
use alloc::format;
use alloc::string::String;

impl Scanner<'_> {
    pub(super) fn string(&mut self) -> Outcome<()> {
        let start = self.at;
        if let Some((end, has_escapes)) = literal(self.bytes, start + 1) {
            self.at = end + 1;
            if !has_escapes {
                self.push(Tag::Plain, start, self.at, 0);
                return Ok(());
            }
            let source = self.json.text.get(start + 1..end).unwrap_or_default();
            self.push_escaped(start, unescaped(source));
            return Ok(());
        }
        // Something is wrong with it, or is let through.
        self.at += 1;
        self.skip_plain();
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
        self.push_escaped(start, content);
        Ok(())
    }

    fn push_escaped(&mut self, start: usize, content: String) {
        let place = offset(self.json.unescaped.len());
        self.push(Tag::Escaped, start, self.at, place);
        self.json.unescaped.push(content);
    }

    /// Goes on to the next quotation mark, backslash or control character.
    fn skip_plain(&mut self) {
        self.at += plain(self.bytes.get(self.at..).unwrap_or_default());
    }

    /// One escape, or two that make a pair of surrogates.
    fn escape(&mut self) -> Outcome<char> {
        let start = self.at;
        self.at += 1;
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if let Some((character, length)) = escape(rest) {
            self.at += length;
            return Ok(character);
        }
        match self.peek() {
            Some(b'u') => self.unicode_escape(start),
            _ => self.unexpected("one of `\"\\/bfnrtu` after the backslash"),
        }
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
}
