//! What several vectors have in common that are not passed, so that one cause is told once.

use std::collections::BTreeMap;

use super::details;
use crate::runner::{Report, Verdict};
use crate::vector::{Mismatch, Place, Vector};

/// A vector with which something is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its id; or [`STOP`](crate::runner::STOP), of an implementation that does not end well.
    pub id: String,
    /// What is not as it should be, in words.
    pub why: String,
}

/// Everything that did not pass, by the words of its verdicts.
#[must_use]
pub fn not_passed(report: &Report) -> Vec<Finding> {
    let others = report.cases();
    let others = others.filter(|(_, it)| **it != Verdict::Pass);
    others
        .map(|(id, verdict)| Finding {
            id: id.to_owned(),
            why: verdict.word().to_owned(),
        })
        .collect()
}

/// Findings that look alike.
#[derive(Clone, Debug)]
pub struct Group<'a> {
    /// What is not as it should be, and how it shows.
    pub title: String,
    /// What became of the first one.
    pub verdict: &'a Verdict,
    /// The vectors, those of low levels first.
    pub vectors: Vec<&'a Vector>,
}

/// Groups findings about vectors: what is unsupported last, those with a vector of a low level first, of these the
/// crashes, then the largest.
#[must_use]
pub fn groups<'a>(
    report: &'a Report,
    vectors: &[&'a Vector],
    findings: &[Finding],
) -> Vec<Group<'a>> {
    let by_id: BTreeMap<&str, &Vector> = vectors.iter().map(|it| (&*it.id, *it)).collect();
    let mut alike: BTreeMap<String, Vec<Found<'a>>> = BTreeMap::new();
    for Finding { id, why } in findings {
        let (Some(verdict), Some(&vector)) = (report.verdicts.get(id), by_id.get(id.as_str()))
        else {
            continue;
        };
        let title = match cause(verdict) {
            None => why.clone(),
            Some(cause) => format!("{why}: {cause}"),
        };
        let found = Found {
            vector,
            verdict,
            title,
        };
        let key = without_numbers(&found.title);
        alike.entry(key).or_default().push(found);
    }
    let grouped = alike.into_values().filter_map(|mut all| {
        all.sort_by_key(|it| (it.vector.level, &*it.vector.id));
        let vectors = all.iter().map(|it| it.vector).collect();
        let Found { verdict, title, .. } = all.into_iter().next()?;
        Some(Group {
            title,
            verdict,
            vectors,
        })
    });
    let mut groups: Vec<Group<'a>> = grouped.collect();
    groups.sort_by_key(|it| {
        let lowest = it.vectors.first().map_or(0, |it| it.level);
        let rank = match it.verdict {
            Verdict::Crash { .. } | Verdict::Timeout { .. } | Verdict::HarnessError { .. } => 0,
            Verdict::Fail { .. } | Verdict::Pass | Verdict::Unsupported { .. } => 1,
        };
        let is_unsupported = matches!(it.verdict, Verdict::Unsupported { .. });
        (is_unsupported, lowest, rank, usize::MAX - it.vectors.len())
    });
    groups
}

/// A finding of one vector.
struct Found<'a> {
    vector: &'a Vector,
    verdict: &'a Verdict,
    title: String,
}

/// Which clauses most of these vectors check, and how many do.
#[must_use]
pub fn clauses(vectors: &[&Vector]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for vector in vectors {
        for clause in vector.clauses() {
            *counts.entry(clause).or_default() += 1;
        }
    }
    let mut counts: Vec<(String, usize)> = counts
        .into_iter()
        .map(|(clause, count)| (clause.to_owned(), count))
        .collect();
    counts.sort_by_key(|(_, count)| usize::MAX - count);
    counts
}

/// How it shows, without what differs from vector to vector.
fn cause(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Pass => None,
        Verdict::Fail { wrong, .. } => {
            let symptoms: Vec<String> = wrong.iter().take(2).map(symptom).collect();
            // That it was right before says only when the next one showed.
            match wrong.first()?.at {
                Place::Again => Some(symptoms.join(": ")),
                _ => symptoms.into_iter().next(),
            }
        }
        Verdict::Crash { what } => Some(telling(what)),
        Verdict::Unsupported { .. } | Verdict::Timeout { .. } | Verdict::HarnessError { .. } => {
            details(verdict).into_iter().next()
        }
    }
}

fn symptom(wrong: &Mismatch) -> String {
    let (expected, told) = (wrong.expected.as_deref(), wrong.told.as_deref());
    match (&wrong.at, expected, told) {
        (Place::Document, Some("read"), _) => {
            "a document was refused that has to be read".to_owned()
        }
        (Place::Document, _, Some("read")) => {
            "a document was read that has to be refused".to_owned()
        }
        (Place::Document, ..) => "a document was refused for another line".to_owned(),
        (Place::Delivery(_), Some(expected), Some(told)) => {
            format!("a delivery was `{told}`, and not `{expected}`")
        }
        (Place::Delivery(_), Some(_), None) => "a delivery has no outcome".to_owned(),
        (Place::Delivery(_), None, _) => "there are more outcomes than deliveries".to_owned(),
        (Place::Outcomes, ..) => {
            "in another order there are more or fewer outcomes than deliveries".to_owned()
        }
        // What is missing is missing with all that it holds: only the part of the view counts.
        (Place::View(pointer), _, None) => {
            format!("the view lacks something in `{}`", part(pointer))
        }
        (Place::View(pointer), None, _) => format!(
            "the view has something in `{}` that does not belong there",
            part(pointer)
        ),
        (Place::View(pointer), ..) => format!("the view has another {}", place(pointer)),
        (Place::Digest, _, None) => "no digest was told".to_owned(),
        (Place::Digest, ..) => "the digest is another".to_owned(),
        // What it said is quoted at the end, and differs.
        (Place::Reply | Place::Hello | Place::Again, _, told) => {
            let told = told.unwrap_or_default();
            told.split(": `").next().unwrap_or(told).to_owned()
        }
    }
}

/// The part of the view that a pointer leads into.
fn part(pointer: &str) -> &str {
    pointer.split('/').nth(1).unwrap_or_default()
}

/// A place of the view with the ids and numbers left away: `/messages/*/status`.
fn place(pointer: &str) -> String {
    let is_name = |part: &str| part.bytes().all(|it| it == b'_' || it.is_ascii_lowercase());
    let parts = pointer
        .split('/')
        .enumerate()
        // The second part is an id or a number in every map and list of the view.
        .map(|(index, part)| {
            if index != 2 && is_name(part) {
                part
            } else {
                "*"
            }
        });
    let place: Vec<&str> = parts.collect();
    match place.join("/") {
        all if all.is_empty() => "content".to_owned(),
        place => format!("`{place}`"),
    }
}

/// Of a crash, of what it wrote on standard error the line that looks most like the reason, and how it ended.
fn telling(what: &str) -> String {
    let Some((how, said)) = what.split_once("; on standard error: ") else {
        return what.to_owned();
    };
    let lines: Vec<&str> = said.lines().filter(|it| !it.trim().is_empty()).collect();
    let is_reason = |line: &&&str| {
        let line = line.to_lowercase();
        ["error", "exception", "panic", "fatal"]
            .iter()
            .any(|word| line.contains(word))
    };
    // Some programs begin with the reason, others end with it. Both quote code in between, indented.
    let flush = |line: &&&str| !line.starts_with([' ', '\t']);
    let mut reasons = lines.iter().filter(is_reason).filter(flush);
    let line = reasons.next_back().or(lines.last()).copied();
    let line = line.unwrap_or_default().trim();
    // A panic of Rust says where, and then what.
    let mut rest = lines.iter().skip_while(|it| it.trim() != line).skip(1);
    let what = rest.next().filter(|_| line.ends_with(':'));
    match what {
        Some(what) => format!("{line} {what}; {how}"),
        None => format!("{line}; {how}"),
    }
}

/// What two findings share that are alike: the same words, whatever numbers stand in them.
fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if !character.is_ascii_digit() {
            out.push(character);
        } else if !out.ends_with('…') {
            out.push('…');
        }
    }
    out
}

#[cfg(test)]
mod tests;
