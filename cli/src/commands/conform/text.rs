//! The report for a terminal.

use anstyle::{AnsiColor, Style};
use tern_conformance::report::{self, Finding, Group, details};
use tern_conformance::runner::{Program, Report, STOP, Verdict};
use tern_conformance::vector::Vector;

use crate::look::terminal_width;
use crate::text::{count, short, shown};

pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const CARE: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default();

/// How many causes are told.
const CAUSES: usize = 8;
/// How many vectors are named for each.
const NAMED: usize = 3;
/// How many clauses.
const CLAUSES: usize = 6;
/// How many lines are told of the first vector of a cause.
const LINES: usize = 3;
/// How wide the lines may be at least.
const WIDTH: usize = 100;

/// The sign of a verdict, with its colour.
pub(super) fn sign(verdict: &Verdict) -> String {
    let (style, sign) = match verdict {
        Verdict::Pass => (GOOD, '✓'),
        Verdict::Unsupported { .. } => (CARE, '?'),
        Verdict::HarnessError { .. } => (CARE, '!'),
        Verdict::Fail { .. } | Verdict::Crash { .. } | Verdict::Timeout { .. } => (BAD, '✗'),
    };
    format!("{style}{sign}{style:#}")
}

/// What was asked, and what is to be told of it.
pub(super) struct Told<'a> {
    pub(super) report: &'a Report,
    pub(super) vectors: &'a [&'a Vector],
    pub(super) findings: &'a [Finding],
    pub(super) has_baseline: bool,
    pub(super) program: &'a Program,
    /// Up to which level was asked.
    pub(super) level: Option<u8>,
}

impl Told<'_> {
    /// First what went wrong and why, a paragraph for each cause; then the figures.
    pub(super) fn text(&self) -> String {
        let who = &self.report.implementation;
        let mut text = format!(
            "{BOLD}{}{BOLD:#} {}, {}\n\n",
            shown(&who.implementation),
            shown(&who.version),
            shown(&who.language)
        );
        let groups = report::groups(self.report, self.vectors, self.findings);
        for group in groups.iter().take(CAUSES) {
            text.push_str(&paragraph(group));
        }
        let more = groups.get(CAUSES..).unwrap_or_default();
        if !more.is_empty() {
            let vectors: usize = more.iter().map(|it| it.vectors.len()).sum();
            text.push_str(&format!(
                "… and {} with {}; `--report html` shows all\n\n",
                count(more.len(), "further cause"),
                count(vectors, "vector")
            ));
        }
        text.push_str(&self.stop());
        text.push_str(&self.levels());
        text.push_str(&self.counts());
        if self.has_baseline && self.findings.is_empty() {
            text.push_str("as the baseline says\n");
        }
        let call = call(self.program);
        match (groups.first(), self.level) {
            (Some(group), _) => {
                let id = group.vectors.first().map_or("ID", |it| &*it.id);
                text.push_str(&format!(
                    "in words: {BOLD}tern conform --explain {id} -- {call}{BOLD:#}\n"
                ));
            }
            // As the baseline says is not yet passed.
            (None, Some(level @ 1..5)) if self.is_passed() => text.push_str(&format!(
                "next: {BOLD}tern conform --level {} -- {call}{BOLD:#}\n",
                level + 1
            )),
            (None, _) => {}
        }
        text
    }

    /// How it does not stop, which is about no vector.
    fn stop(&self) -> String {
        let found = self.findings.iter().find(|it| it.id == STOP);
        let verdict = self.report.stop.as_ref();
        let (Some(Finding { why, .. }), Some(verdict)) = (found, verdict) else {
            return String::new();
        };
        let mut text = format!("{} `stop`: {}\n", sign(verdict), shown(why));
        for line in details(verdict).iter().take(LINES) {
            text.push_str(&format!("        {}\n", short(line, WIDTH)));
        }
        if *verdict != Verdict::Pass {
            text.push_str(
                "    told to stop, it has to end with status 0 and say nothing (spec/protocol.md)\n",
            );
        }
        text + "\n"
    }

    fn is_passed(&self) -> bool {
        let mut verdicts = self.report.verdicts.values();
        verdicts.all(|it| *it == Verdict::Pass)
    }

    fn levels(&self) -> String {
        let mut text = String::new();
        for level in 1..=5 {
            let of_level = self.vectors.iter().filter(|it| it.level == level);
            let all: Vec<_> = of_level
                .filter_map(|it| self.report.verdicts.get(&it.id))
                .collect();
            let passed = all.iter().filter(|it| ***it == Verdict::Pass).count();
            if all.is_empty() {
                continue;
            }
            let (style, sign) = if passed == all.len() {
                (GOOD, '✓')
            } else {
                (BAD, '✗')
            };
            text.push_str(&format!(
                "{style}{sign}{style:#} level {level}: {passed} of {}\n",
                all.len()
            ));
        }
        text
    }

    fn counts(&self) -> String {
        let counts = self.report.counts();
        let words: Vec<String> = Verdict::WORDS
            .iter()
            .filter_map(|word| Some(format!("{} {word}", counts.get(word)?)))
            .collect();
        format!(
            "\n{}; {} in {:.1} s\n",
            words.join(", "),
            count(
                usize::try_from(self.report.runs).unwrap_or(usize::MAX),
                "run"
            ),
            std::time::Duration::from_millis(self.report.took).as_secs_f64()
        )
    }
}

/// One cause: how it shows, which vectors, and what the first of them has to say.
fn paragraph(group: &Group<'_>) -> String {
    let width = terminal_width().max(WIDTH) - 10;
    let mut text = format!(
        "{} {BOLD}{} {}{BOLD:#}\n",
        sign(group.verdict),
        group.vectors.len(),
        short(&group.title, width)
    );
    for (index, vector) in group.vectors.iter().take(NAMED).enumerate() {
        let title = short(&vector.title, width.saturating_sub(vector.id.len()));
        text.push_str(&format!("    {}  {title}\n", vector.id));
        if index > 0 {
            continue;
        }
        let lines = details(group.verdict);
        // Of a crash the title has the line that counts; a single sentence is the title.
        let lines = match group.verdict {
            Verdict::Fail { .. } => lines,
            _ => Vec::new(),
        };
        for line in lines.iter().take(LINES) {
            text.push_str(&format!("        {}\n", short(line, width)));
        }
        if lines.len() > LINES {
            text.push_str(&format!("        … and {} more\n", lines.len() - LINES));
        }
    }
    if group.vectors.len() > NAMED {
        text.push_str(&format!("    … and {} more\n", group.vectors.len() - NAMED));
    }
    let clauses = report::clauses(&group.vectors);
    let named: Vec<String> = clauses
        .iter()
        .take(CLAUSES)
        .map(|(clause, count)| match group.vectors.len() {
            1 => clause.clone(),
            _ => format!("{clause} ({count})"),
        })
        .collect();
    let more = if clauses.len() > CLAUSES { ", …" } else { "" };
    text.push_str(&format!(
        "    {DIM}about {}{more}{DIM:#}\n\n",
        named.join(", ")
    ));
    text
}

/// The command, as it can be typed again.
pub(super) fn call(program: &Program) -> String {
    let words = std::iter::once(&program.command).chain(&program.arguments);
    let plain = |it: char| it.is_ascii_alphanumeric() || "_-./:=+,@%".contains(it);
    let words = words.map(|word| {
        if !word.is_empty() && word.chars().all(plain) {
            word.clone()
        } else {
            format!("'{}'", shown(word).replace('\'', r"'\''"))
        }
    });
    words.collect::<Vec<_>>().join(" ")
}
