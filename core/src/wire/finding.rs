//! What was found wrong, where it stands and what to do about it.

use super::Printable;
use super::json::Value;
use super::plain::utf8;
use crate::{Class, Code};
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;
use serde::Serialize;

/// One failure, and where it stands: of the bytes (S2.03, S2.09, S2.10) or of a later stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    pub code: Code,
    /// The value, as a JSON pointer (RFC 6901); empty for the whole. For an absent field, where it
    /// should be.
    pub pointer: String,
    /// Where it stands, in bytes; for an absent field, the object that lacks it.
    pub span: Range<usize>,
    /// The line in which it starts, from 1.
    pub line: u32,
    /// The column in which it starts, from 1, in characters; in bytes if the text is not UTF-8.
    pub column: u32,
    /// What is wrong, for a person.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

impl Finding {
    pub(super) fn new(
        bytes: &[u8],
        code: Code,
        pointer: String,
        span: Range<usize>,
        message: String,
    ) -> Self {
        let mut lines = Lines::new(bytes);
        let (line, column) = lines.place(span.start);
        Self {
            code,
            pointer,
            span,
            line,
            column,
            message,
            hint: code.hint().into(),
        }
    }

    /// About a text as a whole, without looking at it.
    pub(super) fn whole(code: Code, length: usize, message: String) -> Self {
        Self::new(&[], code, String::new(), 0..length, message)
    }

    /// About one value of a document, with an empty pointer and the hint of its code.
    #[must_use]
    pub fn at(value: Value<'_, '_>, code: Code, message: String) -> Self {
        Self::new(
            value.json.text.as_bytes(),
            code,
            String::new(),
            value.span(),
            message,
        )
    }
}

/// One line: the sentence, then the code and the place.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} ({} at {}:{}",
            self.message, self.code, self.line, self.column
        )?;
        if !self.pointer.is_empty() {
            write!(f, ", {}", Printable(&self.pointer))?;
        }
        f.write_str(")")
    }
}

impl core::error::Error for Finding {}

/// Why something was refused: at least one finding. In stages 1 to 3 that is every independent
/// failure of the bytes; the later stages give the one rule that failed (S2.02).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rejection {
    code: Code,
    findings: Vec<Finding>,
    omitted: usize,
}

impl Rejection {
    pub(super) const fn new(code: Code, findings: Vec<Finding>, omitted: usize) -> Self {
        Self {
            code,
            findings,
            omitted,
        }
    }

    /// The code of the finding that comes first in the order of the rules.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The stage that refused.
    #[must_use]
    pub const fn class(&self) -> Class {
        self.code.class()
    }

    /// Everything that was found, in the order of the text. Never empty.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// How many findings more than 10,000 there would have been.
    #[must_use]
    pub const fn omitted(&self) -> usize {
        self.omitted
    }
}

impl From<Finding> for Rejection {
    fn from(finding: Finding) -> Self {
        Self {
            code: finding.code,
            findings: vec![finding],
            omitted: 0,
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, others)) = self.findings.split_first() else {
            return Ok(());
        };
        let first = self
            .findings
            .iter()
            .find(|finding| finding.code == self.code)
            .unwrap_or(first);
        write!(f, "{first}")?;
        match others.len() + self.omitted {
            0 => Ok(()),
            others => write!(f, " and {others} more"),
        }
    }
}

impl core::error::Error for Rejection {}

/// One step of a pointer.
#[derive(Clone, Copy)]
pub(super) enum Token<'t> {
    Key(&'t str),
    Index(usize),
}

/// Appends a step to a pointer (RFC 6901).
pub(super) fn escape_token(pointer: &mut String, token: Token<'_>) {
    pointer.push('/');
    match token {
        Token::Index(index) => pointer.push_str(&index.to_string()),
        Token::Key(key) => {
            for character in key.chars() {
                match character {
                    '~' => pointer.push_str("~0"),
                    '/' => pointer.push_str("~1"),
                    _ => pointer.push(character),
                }
            }
        }
    }
}

/// A whole sentence that quotes input: safe to print and no longer than anybody reads.
pub(crate) fn sentence(text: &str) -> String {
    const LONGEST: usize = 400;
    match text.char_indices().nth(LONGEST) {
        None => Printable(text).to_string(),
        Some((end, _)) => format!("{}…", Printable(text.get(..end).unwrap_or_default())),
    }
}

/// Input as a sentence quotes it: in backticks, shortened, and without characters that would
/// disturb a terminal.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        None => format!("`{}`", Printable(text)),
        Some((end, _)) => format!("`{}…`", Printable(text.get(..end).unwrap_or_default())),
    }
}

/// Counts lines and columns on the way through a text.
pub(super) struct Lines<'t> {
    rest: &'t [u8],
    at: usize,
    line: u32,
    column: u32,
    is_utf8: bool,
}

impl<'t> Lines<'t> {
    pub(super) fn new(bytes: &'t [u8]) -> Self {
        let is_utf8 = utf8(bytes).is_some();
        Self {
            rest: bytes,
            at: 0,
            line: 1,
            column: 1,
            is_utf8,
        }
    }

    /// The line and column of an offset that is not before the one asked for last.
    pub(super) fn place(&mut self, offset: usize) -> (u32, u32) {
        let (passed, rest) = self
            .rest
            .split_at_checked(offset.saturating_sub(self.at))
            .unwrap_or((self.rest, &[]));
        // Without branches the compiler looks at many at a time.
        let breaks = passed.iter().filter(|byte| **byte == b'\n').count();
        let mut last = passed;
        if breaks > 0 {
            self.line = self.line.saturating_add(count(breaks));
            self.column = 1;
            let end = passed.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
            last = passed.get(end + 1..).unwrap_or_default();
        }
        let columns = match self.is_utf8 {
            true => last.iter().filter(|byte| **byte & 0xC0 != 0x80).count(),
            false => last.len(),
        };
        self.column = self.column.saturating_add(count(columns));
        (self.rest, self.at) = (rest, offset);
        (self.line, self.column)
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
