//! First contact: a few vectors, with every line shown.

use tern_conformance::report::details;
use tern_conformance::runner::{Program, Trouble, Verdict, transcript};
use tern_conformance::shown::shown;
use tern_conformance::vector::Vector;

use super::text::{BOLD, DIM, call, sign};
use super::trouble::{cannot_ask, indented};
use crate::failure::{Exit, Failure};
use crate::output::print;
use crate::text::count;

/// What is asked about, one of each kind: nothing at all, a message that is accepted, one that is rejected, a
/// document that is refused, and a file of bare messages.
const FIRST: [&str; 5] = [
    "view-empty",
    "encoding-ask-right",
    "shape-ack-missing",
    "document-no-json",
    "document-bare-one-line",
];

/// How many characters of a line are shown.
const LONGEST: usize = 4000;

pub(super) fn smoke(program: &Program, vectors: &[&Vector]) -> Result<Exit, Failure> {
    let few = few(vectors);
    let mut shown = Ok(());
    let talk = transcript(program, &few, &mut |line| {
        if shown.is_ok() {
            shown = print(&spoken(line));
        }
    });
    let talk = talk.map_err(|trouble| cannot_ask(program, &trouble))?;
    let mut text = "\n".to_owned();
    let mut passed = 0;
    for (vector, verdict) in few.iter().zip(&talk.verdicts) {
        text.push_str(&format!(
            "{} {}: {}\n    {DIM}{}{DIM:#}\n",
            sign(verdict),
            vector.id,
            verdict.word(),
            vector.title
        ));
        for line in details(verdict) {
            text.push_str(&format!("    {}\n", indented(&line, 6)));
        }
        passed += usize::from(*verdict == Verdict::Pass);
    }
    for vector in few.iter().skip(talk.verdicts.len()) {
        text.push_str(&format!("- {}: not asked, since it is gone\n", vector.id));
    }
    let is_stopped = match &talk.stop {
        None => false,
        Some(Ok(())) => true,
        Some(Err(trouble)) => {
            let sign = sign(&Verdict::from(trouble.clone()));
            let trouble = match trouble {
                Trouble::Timeout { after, .. } => format!("it did not end within {after} ms"),
                other => indented(&other.to_string(), 6),
            };
            text.push_str(&format!("{sign} `stop`: {trouble}\n"));
            false
        }
    };
    text.push_str(&format!(
        "\n{passed} of {} passed\n",
        count(few.len(), "vector")
    ));
    let call = call(program);
    let next = match few.iter().zip(&talk.verdicts).find(|(_, it)| is_wrong(it)) {
        Some((vector, _)) => format!(
            "in words: {BOLD}tern conform --explain {} -- {call}",
            vector.id
        ),
        None => format!("next: {BOLD}tern conform --level 1 -- {call}"),
    };
    text.push_str(&format!("{next}{BOLD:#}\n"));
    let shown = shown.and_then(|()| print(&text));
    Exit::found(passed < few.len() || !is_stopped).once(shown)
}

const fn is_wrong(verdict: &Verdict) -> bool {
    !matches!(verdict, Verdict::Pass | Verdict::Unsupported { .. })
}

/// A line that was sent, of whatever length.
fn spoken(line: &str) -> String {
    let line = line.trim_end();
    let cut = match line.char_indices().nth(LONGEST) {
        None => shown(line.as_bytes()),
        Some((end, _)) => format!(
            "{}… ({} bytes)",
            shown(line.get(..end).unwrap_or_default().as_bytes()),
            line.len()
        ),
    };
    cut + "\n"
}

/// The plainest vectors among those that are chosen. Where these leave too few, the smallest follow.
fn few<'v>(vectors: &[&'v Vector]) -> Vec<&'v Vector> {
    let mut all = vectors.to_vec();
    let rank = |it: &Vector| FIRST.iter().position(|id| *id == it.id);
    let size = |it: &Vector| it.log.iter().map(|line| line.bytes().len()).sum::<usize>();
    all.sort_by_key(|it| (rank(it).unwrap_or(FIRST.len()), it.level, size(it)));
    all.truncate(FIRST.len());
    all
}
