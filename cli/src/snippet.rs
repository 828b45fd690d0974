//! Findings as a good compiler shows them: the line itself, a caret, the clause and a hint.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use tern_core::Finding;
use tern_core::log::DocumentError;

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
    let (text, span) = excerpt(place.bytes, place.span.clone());
    let title = shown(place.title);
    let path = format!("{}:{}:{}", place.name, place.line, place.column);
    let clause = match spec::text_of(place.clause) {
        Some(text) => format!("{}: {text}", place.clause),
        None => place.clause.to_string(),
    };
    let pointer = shown(place.pointer);
    let mut group = Level::ERROR
        .primary_title(title)
        .id(place.code)
        .element(annotate_snippets::Origin::path(path));
    if !text.is_empty() {
        group = group.element(
            Snippet::source(text)
                .line_start(usize::try_from(place.line).unwrap_or(usize::MAX))
                .annotation(AnnotationKind::Primary.span(span).label(pointer)),
        );
    }
    let report: &[Group<'_>] = &[group
        .element(Level::NOTE.message(clause))
        .element(Level::HELP.message(place.hint))];
    let mut out = Renderer::styled().render(report);
    out.push_str("\n\n");
    out
}

/// One line of text around the place, safe to print, and the place in it.
fn excerpt(bytes: &[u8], span: std::ops::Range<usize>) -> (String, std::ops::Range<usize>) {
    let start = span.start.min(bytes.len());
    let end = span.end.clamp(start, bytes.len());
    let (before, rest) = bytes.split_at(start);
    let (inside, after) = rest.split_at(end - start);
    // Stay in the line in which the place starts.
    let before = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let inside = inside.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let after = if end - start > inside.len() {
        &[]
    } else {
        after.split(|&byte| byte == b'\n').next().unwrap_or_default()
    };
    let (before, inside, after) = (lossy(before), lossy(inside), lossy(after));
    let from = before.chars().count().saturating_sub(WINDOW);
    let cut = from > 0;
    let before: String = before.chars().skip(from).collect();
    let mut text = if cut { "…".to_string() } else { String::new() };
    text.push_str(&before);
    let from = text.len();
    text.push_str(&limited(&inside));
    let to = text.len();
    text.push_str(&limited(&after));
    (text, from..to)
}

fn lossy(bytes: &[u8]) -> String {
    shown(&String::from_utf8_lossy(bytes))
}

fn limited(text: &str) -> String {
    match text.char_indices().nth(WINDOW) {
        None => text.to_string(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}
