//! Findings as a good compiler shows them: the line itself, a caret, the clause and a hint.

use std::ops::Range;

use anstyle::{AnsiColor, Style};
use tern_core::Finding;
use tern_core::log::DocumentError;
use unicode_width::UnicodeWidthStr as _;

use crate::input::Origin;
use crate::spec;
use crate::text::{short, shown};

/// How much of a long line is shown around the place.
const WINDOW: usize = 60;
/// How many characters of a sentence or a pointer are shown.
const LONGEST: usize = 300;
/// How many bytes that takes at most, and a character that is cut at the edge.
const REACH: usize = 4 * (WINDOW + 1);

/// A finding in a delivery of the file `name`.
pub(crate) fn finding(name: &str, origin: Origin, bytes: &[u8], finding: &Finding) -> String {
    let code = finding.code.as_str();
    render(&Place {
        title: &finding.message,
        code,
        clause: finding.code.clause(),
        pointer: &finding.pointer,
        hint: &finding.hint,
        name,
        line: origin.line_of(finding),
        column: u64::from(finding.column),
        bytes,
        span: finding.span.clone(),
    })
}

/// What breaks a log document.
pub(crate) fn document(name: &str, bytes: &[u8], error: &DocumentError) -> String {
    let code = error.error.code;
    let mut out = render(&Place {
        title: &error.error.message,
        code: code.as_str(),
        clause: code.clause(),
        pointer: &error.error.pointer,
        hint: code.hint(),
        name,
        line: error.line,
        column: column(bytes, error),
        bytes,
        span: error.error.span.clone(),
    });
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// Where a document breaks: file, line and column.
pub(crate) fn place(name: &str, bytes: &[u8], error: &DocumentError) -> String {
    format!("{name}:{}:{}", error.line, column(bytes, error))
}

/// In characters, counted from 1.
fn column(bytes: &[u8], error: &DocumentError) -> u64 {
    let start = bytes.get(..error.error.span.start).unwrap_or_default();
    String::from_utf8_lossy(start).chars().count() as u64 + 1
}

struct Place<'p> {
    title: &'p str,
    code: &'p str,
    clause: &'p str,
    pointer: &'p str,
    hint: &'p str,
    name: &'p str,
    line: u64,
    column: u64,
    bytes: &'p [u8],
    span: Range<usize>,
}

fn render(place: &Place<'_>) -> String {
    const ERROR: Style = AnsiColor::Red.on_default().bold();
    const FRAME: Style = AnsiColor::Blue.on_default().bold();
    const BOLD: Style = Style::new().bold();
    let (before, inside, after) = excerpt(place.bytes, place.span.clone());
    let number = place.line.to_string();
    let gap = " ".repeat(number.len());
    let indent = " ".repeat(before.width());
    let carets = "^".repeat(inside.width().max(1));
    let clause = match spec::text_of(place.clause) {
        Some(text) => format!("{}: {text}", place.clause),
        None => place.clause.to_string(),
    };
    format!(
        "{ERROR}error[{}]{ERROR:#}{BOLD}: {}{BOLD:#}\n\
         {gap}{FRAME}-->{FRAME:#} {}:{}:{}\n\
         {gap} {FRAME}|{FRAME:#}\n\
         {FRAME}{number} |{FRAME:#} {before}{inside}{after}\n\
         {gap} {FRAME}|{FRAME:#} {indent}{ERROR}{carets}{ERROR:#} {}\n\
         {gap} {FRAME}={FRAME:#} clause {clause}\n\
         {gap} {FRAME}={FRAME:#} help: {}\n\n",
        place.code,
        short(place.title, LONGEST),
        place.name,
        place.line,
        place.column,
        short(place.pointer, LONGEST),
        shown(place.hint),
    )
}

/// One line of text before, in and after the place, safe to print and short enough to read. Looks at
/// no more than `REACH` bytes of each, however long the line is.
fn excerpt(bytes: &[u8], span: Range<usize>) -> (String, String, String) {
    let start = span.start.min(bytes.len());
    let end = span.end.clamp(start, bytes.len());
    let (before, rest) = bytes.split_at(start);
    let (inside, after) = rest.split_at(end - start);
    // Where the place goes on in the next line or out of sight, nothing after it is near.
    let after = if inside.len() > REACH || inside.contains(&b'\n') {
        &[]
    } else {
        after
    };
    (tail(before), head(inside), head(after))
}

/// The end of a line, at most `WINDOW` characters of it.
fn tail(bytes: &[u8]) -> String {
    let cut = bytes.len().saturating_sub(REACH);
    let mut near = bytes.get(cut..).unwrap_or_default();
    let mut is_cut = cut > 0;
    if let Some(newline) = near.iter().rposition(|&byte| byte == b'\n') {
        near = near.get(newline + 1..).unwrap_or_default();
        is_cut = false;
    } else if is_cut {
        near = near.get(inside_a_character(near)..).unwrap_or_default();
    }
    let text = lossy(near);
    let skip = text.chars().count().saturating_sub(WINDOW);
    if skip == 0 && !is_cut {
        return text;
    }
    let kept: String = text.chars().skip(skip).collect();
    format!("…{kept}")
}

/// The start of what is left of a line, at most `WINDOW` characters of it.
fn head(bytes: &[u8]) -> String {
    let (mut near, far) = bytes.split_at(bytes.len().min(REACH));
    let mut is_cut = !far.is_empty();
    if let Some(newline) = near.iter().position(|&byte| byte == b'\n') {
        near = near.get(..newline).unwrap_or_default();
        is_cut = false;
    } else if inside_a_character(far) > 0 {
        // What goes on behind the cut began before it.
        let begun = near.iter().rposition(|&byte| !is_continuation(byte));
        near = near.get(..begun.unwrap_or_default()).unwrap_or_default();
    }
    let text = lossy(near);
    match text.char_indices().nth(WINDOW) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None if is_cut => format!("{text}…"),
        None => text,
    }
}

/// How many bytes at the start belong to a character that began before them.
fn inside_a_character(bytes: &[u8]) -> usize {
    let first = bytes.iter().take(3);
    first.take_while(|&&byte| is_continuation(byte)).count()
}

/// Whether UTF-8 begins no character with this byte.
fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

fn lossy(bytes: &[u8]) -> String {
    shown(&String::from_utf8_lossy(bytes))
}

#[cfg(test)]
mod tests;
