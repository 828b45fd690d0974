//! One page that holds everything: a row for each clause, a column for each implementation, and what failed.

use std::collections::BTreeMap;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Entry, Tally, by_clause, short_details};
use crate::runner::{Report, Verdict};
use crate::shown::{inline, shown};
use crate::vector::Vector;

/// Up to so many failures stand open; of more, the page shows the names first.
const OPEN: usize = 20;

const STYLE: &str = include_str!("style.css");

/// The page. It needs nothing from elsewhere.
#[must_use]
pub fn html(reports: &[Report], vectors: &[&Vector], clauses: &[Entry]) -> String {
    let vectors: BTreeMap<&str, &Vector> = vectors.iter().map(|it| (&*it.id, *it)).collect();
    let columns: Vec<_> = reports.iter().map(|it| by_clause(it, &vectors)).collect();
    let checked = |id: &str| columns.iter().any(|it| it.contains_key(id));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Tern 0.1: conformance" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { "Tern 0.1: conformance" }
                table.summary {
                    tr { th { "implementation" } th { "version" } th { "language" } th { "verdicts" } }
                    @for report in reports {
                        tr {
                            td { (inline(&report.implementation.implementation)) }
                            td { (inline(&report.implementation.version)) }
                            td { (inline(&report.implementation.language)) }
                            td { (counts(report)) }
                        }
                    }
                }
                @for report in reports { (failures(report, &vectors)) }
                h2 { "Clause by clause" }
                p { "✓ every vector passed; ✗ some did not; ? nothing is known, since it does not do that. "
                    "The figures are vectors passed, of all that check the clause." }
                table.matrix {
                    thead { tr {
                        th { "clause" }
                        @for report in reports { th { (inline(&report.implementation.implementation)) } }
                        th { "what it says" }
                    } }
                    tbody { @for clause in clauses.iter().filter(|it| checked(&it.id)) {
                        tr {
                            th scope="row" { (clause.id) }
                            @for column in &columns { (cell(column.get(clause.id.as_str()))) }
                            td.text { (clause.text) }
                        }
                    } }
                }
            }
        }
    };
    page.into_string()
}

fn counts(report: &Report) -> String {
    let counts = report.counts();
    let words: Vec<String> = counts
        .iter()
        .map(|(word, count)| format!("{count} {word}"))
        .collect();
    words.join(", ")
}

fn cell(tally: Option<&Tally<'_>>) -> Markup {
    let Some(Tally { passed, others }) = tally else {
        return html! { td.none { "–" } };
    };
    let all = passed + others.len();
    let unknown = |it: &Verdict| matches!(it, Verdict::Unsupported { .. });
    let (class, sign) = if others.is_empty() {
        ("pass", "✓")
    } else if others.iter().all(|(_, it)| unknown(it)) {
        ("unknown", "?")
    } else {
        ("fail", "✗")
    };
    html! { td class=(class) { (sign) " " (passed) "/" (all) } }
}

fn failures(report: &Report, vectors: &BTreeMap<&str, &Vector>) -> Markup {
    let failed = report
        .verdicts
        .iter()
        .filter(|(_, it)| **it != Verdict::Pass);
    let failed: Vec<_> = failed.collect();
    html! {
        @if !failed.is_empty() {
            h2 { (inline(&report.implementation.implementation)) ": " (failed.len()) " not passed" }
            @for (id, verdict) in &failed {
                details open[failed.len() <= OPEN] {
                    summary { code { (id) } " " span class=(verdict.word().replace(' ', "-")) { (verdict.word()) } }
                    @if let Some(vector) = vectors.get(id.as_str()) { (scenario(vector)) }
                    ul { @for line in short_details(verdict) { li { (shown(line.as_bytes())) } } }
                }
            }
        }
    }
}

fn scenario(vector: &Vector) -> Markup {
    html! {
        p { (vector.title) " ("
            @for (index, check) in vector.checks.iter().enumerate() {
                @if index > 0 { ", " }
                (check.clause)
            }
            ")"
        }
        pre { @for line in &vector.log { (shown(&line.bytes())) "\n" } }
    }
}
