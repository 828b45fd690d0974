//! One vector in words.

use std::collections::BTreeMap;

use tern_conformance::engine::{Ask, Core, Engine as _};
use tern_conformance::protocol::Capability;
use tern_conformance::report::details;
use tern_conformance::runner::{self, Plan, Program, Verdict};
use tern_conformance::shown::shown;
use tern_conformance::vector::{Expect, Level, Mismatch, Orders, Place, Read, Side, Vector};

use super::text::{BOLD, DIM, sign};
use super::trouble::{cannot_ask, indented};
use super::words;
use crate::failure::{Exit, Failure};
use crate::look::{terminal_width, wrap};
use crate::output::print;
use crate::{spec, text};

pub(super) fn explain(vector: &Vector, program: Option<&Program>) -> Result<Exit, Failure> {
    let mut text = format!(
        "{BOLD}{}{BOLD:#} (level {})\n{}\n",
        vector.id, vector.level, vector.title
    );
    delivered(&mut text, vector);
    right(&mut text, vector);
    rules(&mut text, vector);
    let Some(program) = program else {
        print(&text)?;
        return Ok(Exit::Fine);
    };
    let plan = Plan {
        program: program.clone(),
        jobs: 1,
        // Of one vector, all.
        longest: usize::MAX,
    };
    let report = runner::run(&plan, &[vector], &|_, _| {})
        .map_err(|trouble| cannot_ask(program, &trouble))?;
    let nothing = || {
        Failure::usage(
            "the runner has no verdict on this vector",
            "please report it",
        )
    };
    let verdict = report.verdicts.get(&vector.id).ok_or_else(nothing)?;
    let who = &report.implementation;
    title(
        &mut text,
        &format!(
            "what {} {} says",
            text::shown(&who.implementation),
            text::shown(&who.version)
        ),
    );
    text.push_str(&format!("  {} {}\n", sign(verdict), verdict.word()));
    let tells_view = who.capabilities.contains(&Capability::View);
    said(&mut text, verdict, tells_view);
    Exit::found(*verdict != Verdict::Pass).once(print(&text))
}

fn title(text: &mut String, title: &str) {
    text.push_str(&format!("\n{BOLD}{title}{BOLD:#}\n"));
}

fn delivered(text: &mut String, vector: &Vector) {
    title(text, "what is delivered");
    if vector.log.is_empty() {
        text.push_str("  nothing\n");
    }
    for (index, (line, words)) in vector.log.iter().zip(words::lines(vector)).enumerate() {
        text.push_str(&format!("{:>3}  {words}\n", index + 1));
        text.push_str(&format!("     {DIM}{}{DIM:#}\n", shown(&line.bytes())));
    }
    if vector.open_end {
        text.push_str("  no newline at the end\n");
    }
    if vector.orders == Orders::All {
        text.push_str("  then the same in every other order of the lines after the first\n");
    }
}

fn right(text: &mut String, vector: &Vector) {
    title(text, "what is right");
    let read = match &vector.expect {
        Expect::Refused(refused) => {
            let line = refused.refused;
            text.push_str(&format!("  the document is refused, for line {line}\n"));
            return;
        }
        Expect::Read(read) => read,
    };
    if read.outcomes.is_empty() {
        text.push_str("  no deliveries, so no outcomes\n");
    }
    for (index, fate) in read.outcomes.iter().enumerate() {
        text.push_str(&format!("  delivery {}: {}\n", index + 1, fate.words()));
    }
    places(text, read);
    let given: Vec<usize> = (0..vector.log.len()).collect();
    let answer = Core::default().run(&vector.document(&given), Ask::ViewAtEnd);
    if let Some(view) = answer.ok().as_ref().and_then(|it| it.view()) {
        // The vectors are tested against the core, so the digest is that of this view.
        text.push_str(&format!(
            "  the whole view: {DIM}{}{DIM:#}\n",
            shown(view.json.as_bytes())
        ));
    }
    text.push_str(&format!("  its digest: {}\n", read.digest));
}

/// The places of the view that the vector is about.
fn places(text: &mut String, read: &Read) {
    for (at, is) in &read.view {
        let (at, is) = (text::shown(at), is.to_string());
        text.push_str(&format!("  view {at}: {}\n", shown(is.as_bytes())));
    }
    for at in &read.absent {
        text.push_str(&format!("  view {}: nothing\n", text::shown(at)));
    }
}

fn rules(text: &mut String, vector: &Vector) {
    title(text, "by which rules");
    let mut sides: BTreeMap<&str, Vec<Side>> = BTreeMap::new();
    for check in &vector.checks {
        sides.entry(&check.clause).or_default().push(check.side);
    }
    for (clause, sides) in sides {
        let level = vector.checks.iter().find(|it| it.clause == clause);
        let level = match level.map(|it| it.level) {
            Some(Level::MUST) => "MUST",
            Some(Level::SHOULD) => "SHOULD",
            Some(Level::MAY) => "MAY",
            Some(Level::FACT) => "a definition",
            Some(Level::Reading) | None => "a reading",
        };
        let side = match &*sides {
            [Side::Applies] => "applies",
            [Side::Spares] => "comes near, and does not apply",
            _ => "applies, and once comes near without applying",
        };
        text.push_str(&format!("  {clause} ({level}) {side}\n"));
        let what = spec::text_of(clause).unwrap_or_default();
        for line in wrap(what, terminal_width().saturating_sub(6)) {
            text.push_str(&format!("      {line}\n"));
        }
    }
}

/// What was told against what is right, whole.
fn said(text: &mut String, verdict: &Verdict, tells_view: bool) {
    let Verdict::Fail { wrong, .. } = verdict else {
        for line in details(verdict) {
            text.push_str(&format!("    {}\n", indented(&line, 6)));
        }
        return;
    };
    for mismatch in wrong {
        text.push_str(&format!("  {}\n", text::shown(&mismatch.at.to_string())));
        against(text, mismatch);
        if let Some(within) = mismatch.within() {
            let at = text::shown(&within.at.to_string());
            text.push_str(&format!("    they differ first at {at}\n"));
            against(text, &within);
        }
    }
    // The order, if there is one, stands behind the rest.
    for line in details(verdict).iter().skip(wrong.len()) {
        text.push_str(&format!("  {line}\n"));
    }
    if wrong.iter().all(|it| it.at == Place::Digest) {
        text.push_str(if tells_view {
            "  the view itself is right: what is wrong is how it is written (S7.03, S7.04) or hashed (S7.05)\n"
        } else {
            "  nothing else is wrong: compare the view above with yours, or declare `view`\n  and the first \
             difference is named\n"
        });
    }
}

fn against(text: &mut String, mismatch: &Mismatch) {
    let of = |value: &Option<String>| match value {
        None => "nothing".to_owned(),
        Some(value) => indented(value, 14),
    };
    let (expected, told) = (of(&mismatch.expected), of(&mismatch.told));
    // What is no reply at all is not told against anything.
    if !mismatch.is_no_answer() {
        text.push_str(&format!("    expected  {expected}\n"));
    }
    text.push_str(&format!("    told      {told}\n"));
}
