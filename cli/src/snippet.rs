//! Findings as a good compiler shows them: the line itself, a caret, the clause and a hint.

use anstyle::{AnsiColor, Style};
use tern_core::Finding;
use tern_core::log::DocumentError;
use unicode_width::UnicodeWidthStr as _;

use crate::spec;
use crate::text::shown;

/// How much of a long line is shown around the place.
const WINDOW: usize = 60;

/// A finding in a delivery that stands at `line` of the file `name`.
pub(crate) fn finding(name: &str, line: u64, bytes: &[u8], finding: &Finding) -> String {
    let code = finding.code.as_str();
    render(&Place {
        title: &finding.message,
        code,
        clause: finding.code.clause(),
        pointer: &finding.pointer,
        hint: &finding.hint,
        name,
        line: line + u64::from(finding.line) - 1,
        column: u64::from(finding.column),
        bytes,
        span: finding.span.clone(),
    })
}

/// What breaks a log document.
pub(crate) fn document(name: &str, bytes: &[u8], error: &DocumentError) -> String {
    let code = error.error.code;
    let start = bytes.get(..error.error.span.start).unwrap_or_default();
    let column = String::from_utf8_lossy(start).chars().count() as u64 + 1;
    render(&Place {
        title: &error.error.message,
        code: code.as_str(),
        clause: code.clause(),
        pointer: &error.error.pointer,
        hint: code.hint(),
        name,
        line: error.line,
        column,
        bytes,
        span: error.error.span.clone(),
    })
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
    span: std::ops::Range<usize>,
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
        shown(place.title),
        place.name,
        place.line,
        place.column,
        shown(place.pointer),
        shown(place.hint),
    )
}

/// One line of text before, in and after the place, safe to print and short enough to read.
fn excerpt(bytes: &[u8], span: std::ops::Range<usize>) -> (String, String, String) {
    let start = span.start.min(bytes.len());
    let end = span.end.clamp(start, bytes.len());
    let (before, rest) = bytes.split_at(start);
    let (inside, after) = rest.split_at(end - start);
    let is_newline = |&byte: &u8| byte == b'\n';
    // Stay in the line in which the place starts, and near the place.
    let before = before.rsplit(is_newline).next().unwrap_or_default();
    let first = inside.split(is_newline).next().unwrap_or_default();
    let after = if inside.len() > first.len() {
        &[]
    } else {
        after
    };
    let after = after.split(is_newline).next().unwrap_or_default();
    (tail(before), head(first), head(after))
}

/// At most `WINDOW` characters from the end.
fn tail(bytes: &[u8]) -> String {
    let near = bytes.len().saturating_sub(4 * WINDOW);
    let text = lossy(bytes.get(near..).unwrap_or_default());
    let skip = text.chars().count().saturating_sub(WINDOW);
    if skip == 0 && near == 0 {
        return text;
    }
    let kept: String = text.chars().skip(skip).collect();
    format!("…{kept}")
}

/// At most `WINDOW` characters from the start.
fn head(bytes: &[u8]) -> String {
    let near = bytes.get(..4 * WINDOW).unwrap_or(bytes);
    let text = lossy(near);
    match text.char_indices().nth(WINDOW) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None if near.len() < bytes.len() => format!("{text}…"),
        None => text,
    }
}

fn lossy(bytes: &[u8]) -> String {
    shown(&String::from_utf8_lossy(bytes))
}
