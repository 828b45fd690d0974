//! What is known to go wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tern_conformance::report::Finding;
use tern_conformance::runner::{Report, Verdict};
use tern_conformance::vector;

use crate::failure::Failure;
use crate::look::nearest;
use crate::text::{count, short, shown};

/// Vectors that are not passed, with the words of their verdicts.
#[derive(Default)]
pub(super) struct Baseline(BTreeMap<String, String>);

impl Baseline {
    /// Reads a baseline. Its ids are among `known`, those of all vectors, whichever are asked about.
    pub(super) fn load(path: &Path, known: &BTreeSet<&str>) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let text = super::read(path)?;
        let (mut listed, mut wrong) = (BTreeMap::new(), Vec::new());
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let at = format!("line {} of `{}`", index + 1, shown(&name));
            match entry(&at, line, known) {
                Err(failure) => wrong.push(failure),
                Ok((verdict, id)) => {
                    if listed.insert(id.to_owned(), verdict.to_owned()).is_some() {
                        wrong.push(Failure::usage(
                            format!("{at} lists `{id}` a second time"),
                            "keep the line that is right",
                        ));
                    }
                }
            }
        }
        if wrong.is_empty() {
            return Ok(Self(listed));
        }
        let more = wrong.split_off(wrong.len().min(TOLD)).len();
        if more > 0 {
            wrong.push(Failure::usage(
                format!(
                    "{} of `{}` are wrong",
                    count(more, "further line"),
                    shown(&name)
                ),
                "`--write-baseline` writes a file that is right",
            ));
        }
        Err(Failure::Several(wrong))
    }

    /// Where a report is not as the baseline says. Vectors that were not asked about are left out.
    pub(super) fn findings(&self, report: &Report) -> Vec<Finding> {
        let judged = report.cases().filter_map(|(id, verdict)| {
            let known = self.0.get(id).map(String::as_str);
            let word = verdict.word();
            let why = match (known, verdict) {
                (None, Verdict::Pass) => return None,
                (Some(known), _) if known == word => return None,
                (None, _) => format!("{word}, which the baseline does not know"),
                (Some(known), Verdict::Pass) => format!(
                    "pass, and the baseline says {known}: take what passes out of the baseline"
                ),
                (Some(known), _) => format!("{word}, and the baseline says {known}"),
            };
            Some(Finding {
                id: id.to_owned(),
                why,
            })
        });
        judged.collect()
    }

    /// The baseline that fits a report. What this one says of vectors that were not asked about stays.
    pub(super) fn fitted(&self, report: &Report) -> String {
        let who = &report.implementation;
        let mut text = format!(
            "# {} {}: what is known not to pass\n",
            shown(&who.implementation),
            shown(&who.version)
        );
        let of_others = self
            .0
            .iter()
            .filter(|(id, _)| !report.verdicts.contains_key(*id));
        let mut lines: BTreeMap<&str, &str> =
            of_others.map(|(id, verdict)| (&**id, &**verdict)).collect();
        for (id, verdict) in report.cases() {
            match verdict {
                Verdict::Pass => lines.remove(id),
                other => lines.insert(id, other.word()),
            };
        }
        for (id, verdict) in lines {
            text.push_str(&format!("{verdict} {id}\n"));
        }
        text
    }
}

/// A line as verdict and id.
fn entry<'l>(
    at: &str,
    line: &'l str,
    known: &BTreeSet<&str>,
) -> Result<(&'l str, &'l str), Failure> {
    let words = line.rsplit_once(char::is_whitespace);
    let words = words.map(|(verdict, id)| (verdict.trim(), id));
    // What is passed is not listed.
    let [_pass, listed @ ..] = Verdict::WORDS;
    let Some((verdict, id)) = words.filter(|(verdict, _)| listed.contains(verdict)) else {
        return Err(Failure::usage(
            format!("{at} is no `VERDICT ID`: `{}`", short(line, LONGEST)),
            format!("a verdict is one of: {}", listed.join(", ")),
        ));
    };
    if !known.contains(id) {
        return Err(unknown(at, id, known));
    }
    Ok((verdict, id))
}

/// How many wrong lines are told one by one.
const TOLD: usize = 10;

/// How many characters of a line are shown.
const LONGEST: usize = 200;

/// The failure for an id that no vector has.
pub(super) fn unknown(at: &str, id: &str, known: &BTreeSet<&str>) -> Failure {
    let retired = vector::retired().unwrap_or_default();
    if let Some(reason) = retired.get(id) {
        return Failure::usage(
            format!("{at}: the vector `{id}` was given up"),
            format!("the reason was: {reason}"),
        );
    }
    let near = nearest(id, known.iter().copied());
    let hint = if near.is_empty() {
        "`tern conform --list` shows them all".to_owned()
    } else {
        let near: Vec<String> = near.iter().map(|it| format!("`{it}`")).collect();
        format!("probably {}", near.join(" or "))
    };
    Failure::usage(format!("{at}: there is no vector `{}`", shown(id)), hint)
}
