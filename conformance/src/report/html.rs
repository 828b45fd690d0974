//! One page that holds everything: what failed, cause by cause; a row for each clause, a column for each
//! implementation.

use std::collections::BTreeMap;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Entry, Group, Tally, by_clause, details, groups, not_passed};
use crate::runner::{Report, STOP, Verdict};
use crate::shown::{inline, shown};
use crate::vector::Vector;

/// Up to so many failures of an implementation stand open; of more, the first of each cause.
const OPEN: usize = 20;

const STYLE: &str = include_str!("style.css");

type Vectors<'v> = BTreeMap<&'v str, &'v Vector>;

/// The page. It needs nothing from elsewhere.
#[must_use]
pub fn html(reports: &[Report], vectors: &[&Vector], clauses: &[Entry]) -> String {
    let by_id: Vectors<'_> = vectors.iter().map(|it| (&*it.id, *it)).collect();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                title { "Tern 0.1: conformance" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { "Tern 0.1: conformance" }
                (summary(reports, vectors))
                @for (column, report) in reports.iter().enumerate() { (failures(column, report, vectors, &by_id)) }
                (matrix(reports, &by_id, clauses))
            }
        }
    };
    page.into_string()
}

/// A row for each implementation, with the ways to what follows.
fn summary(reports: &[Report], vectors: &[&Vector]) -> Markup {
    html! {
        div.wide { table.summary {
            thead { tr {
                th { "implementation" } th { "version" } th { "language" }
                @for level in 1..=5 { th { "level " (level) } }
                th { "verdicts" }
            } }
            tbody { @for (column, report) in reports.iter().enumerate() {
                tr {
                    th scope="row" {
                        (name(report))
                        @if reports.first().is_some_and(|it| it.vectors != report.vectors) {
                            " (asked about other vectors, or another release of them)"
                        }
                    }
                    td { (inline(&report.implementation.version)) }
                    td { (inline(&report.implementation.language)) }
                    @for level in 1..=5 { (of_level(report, vectors, level)) }
                    td {
                        (counts(report))
                        @if !not_passed(report).is_empty() { " " a href={ "#" (section(column)) } { "what and why" } }
                    }
                }
            } }
        } }
        p { a href="#clauses" { "Clause by clause" } }
    }
}

fn name(report: &Report) -> String {
    inline(&report.implementation.implementation)
}

fn of_level(report: &Report, vectors: &[&Vector], level: u8) -> Markup {
    let mut tally = Tally::default();
    let of_level = vectors.iter().filter(|it| it.level == level);
    for vector in of_level {
        if let Some(verdict) = report.verdicts.get(&vector.id) {
            tally.add(vector, verdict);
        }
    }
    let asked = tally.passed + tally.others.len();
    cell((asked > 0).then_some(&tally), None)
}

fn counts(report: &Report) -> String {
    let counts = report.counts();
    let words = Verdict::WORDS.iter();
    let words = words.filter_map(|word| Some(format!("{} {word}", counts.get(word)?)));
    words.collect::<Vec<_>>().join(", ")
}

fn matrix(reports: &[Report], vectors: &Vectors<'_>, clauses: &[Entry]) -> Markup {
    let columns: Vec<_> = reports.iter().map(|it| by_clause(it, vectors)).collect();
    let checked = |id: &str| columns.iter().any(|it| it.contains_key(id));
    html! {
        h2 id="clauses" { "Clause by clause" }
        p { "✓ every vector passed; ✗ some did not; ? nothing is known, since it does not do that. "
            "The figures are vectors passed, of all that check the clause." }
        div.wide { table.matrix {
            thead { tr {
                th { "clause" }
                @for report in reports { th { (name(report)) } }
                th { "what it says" }
            } }
            tbody { @for clause in clauses.iter().filter(|it| checked(&it.id)) {
                tr {
                    th scope="row" { (clause.id) }
                    @for (column, tallies) in columns.iter().enumerate() {
                        (cell(tallies.get(clause.id.as_str()), Some(column)))
                    }
                    td.text { (clause.text) }
                }
            } }
        } }
    }
}

/// How some vectors went. Where some were not passed, with the way to the first of them, if the page tells it in a
/// column.
fn cell(tally: Option<&Tally<'_>>, column: Option<usize>) -> Markup {
    let Some(Tally { passed, others }) = tally else {
        return html! { td.none { "–" } };
    };
    let all = passed + others.len();
    let unknown = |it: &Verdict| matches!(it, Verdict::Unsupported { .. });
    let known = others.iter().find(|(_, it)| !unknown(it));
    let (class, sign) = match (known, others.first()) {
        (Some(_), _) => ("fail", "✗"),
        (None, Some(_)) => ("unknown", "?"),
        (None, None) => ("pass", "✓"),
    };
    let first = known.or(others.first()).zip(column);
    html! { td class=(class) {
        @match first {
            Some(((vector, _), column)) => a href={ "#" (anchor(column, &vector.id)) } { (sign) " " (passed) "/" (all) },
            None => { (sign) " " (passed) "/" (all) }
        }
    } }
}

/// The id of the section on what an implementation did not pass.
fn section(column: usize) -> String {
    format!("not-passed-{column}")
}

/// The id of the place where a page tells of a vector.
fn anchor(column: usize, vector: &str) -> String {
    format!("{column}-{vector}")
}

/// What an implementation did not pass, cause by cause.
fn failures(column: usize, report: &Report, vectors: &[&Vector], by_id: &Vectors<'_>) -> Markup {
    let findings = not_passed(report);
    let groups = groups(report, vectors, &findings);
    // Of reports that stand beside this one, some may know vectors that this program does not.
    let strange = findings.iter().filter(|it| !by_id.contains_key(&*it.id));
    let strange = strange.filter_map(|it| report.cases().find(|(id, _)| *id == it.id));
    html! {
        @if !findings.is_empty() {
            section id=(section(column)) {
                h2 { (name(report)) ": " (findings.len()) " not passed" }
                @for (id, verdict) in strange { (strangers(column, id, verdict)) }
                @for group in &groups { (cause(column, report, group, findings.len() <= OPEN)) }
            }
        }
    }
}

/// What is about no vector of ours.
fn strangers(column: usize, id: &str, verdict: &Verdict) -> Markup {
    html! {
        details open {
            summary { code { (inline(id)) } " " (word(verdict)) }
            div id=(anchor(column, id)) {}
            @if id == STOP { p { "Told to stop, it has to end with status 0 and say nothing (spec/protocol.md)" } }
            (told(verdict))
        }
    }
}

fn cause(column: usize, report: &Report, group: &Group<'_>, all_open: bool) -> Markup {
    let count = group.vectors.len();
    html! {
        h3 { (count) " × " (inline(&group.title)) }
        @for (index, vector) in group.vectors.iter().enumerate() {
            @if let Some(verdict) = report.verdicts.get(&vector.id) {
                details open[all_open || index == 0] {
                    summary { code { (vector.id) } " " (word(verdict)) " " (vector.title) }
                    // Within what is closed, so that a browser that is led here opens it.
                    p id=(anchor(column, &vector.id)) { "About " (vector.clauses().join(", ")) }
                    pre { @for line in &vector.log { (shown(&line.bytes())) "\n" } }
                    (told(verdict))
                }
            }
        }
    }
}

fn word(verdict: &Verdict) -> Markup {
    html! { span class=(verdict.word().replace(' ', "-")) { (verdict.word()) } }
}

fn told(verdict: &Verdict) -> Markup {
    html! { ul { @for line in details(verdict) { li { (shown(line.as_bytes())) } } } }
}
