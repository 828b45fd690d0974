//! Implementations that go about it in a wrong way: other limits, something kept, something done by halves.

use std::collections::BTreeMap;

use tern_conformance::engine::Core;
use tern_conformance::{Answer, Ask, Engine, EngineError};
use tern_core::Limits;

use crate::document::is_log;
use crate::talkers::PAGE;

/// A wrong worker: its name, the clause or page that it violates, what it does, and how it is made.
pub(crate) type Worker = (
    &'static str,
    &'static str,
    &'static str,
    fn() -> Box<dyn Engine>,
);

/// All of them.
#[rustfmt::skip]
pub(crate) const WORKERS: &[Worker] = &[
    ("one-level-more", "S2.06", "a message may be one level deeper than the limit", one_level_more),
    ("one-level-less", "S2.06", "a message has to be one level less deep than the limit", one_level_less),
    ("one-version-more", "R-04", "one version more is kept than the limit", one_version_more),
    ("one-version-less", "R-04", "one version less is kept than the limit", one_version_less),
    ("broken-in-part", "S8.02", "of a broken document what stands before the fault is applied", || Box::new(InPart)),
    ("look-too-early", "S7.01", "the view does not show the last delivery", || Box::new(Early)),
    ("deliveries-kept", PAGE, "deliveries of the last document stay, if the context is the same", || Box::new(Keeps::new(is_delivery))),
    ("facts-kept", PAGE, "local facts of the last document stay, if the context is the same", || Box::new(Keeps::new(is_fact))),
    ("answers-kept", "S7.01", "an answer is given again for a document of the same length", || Box::<Cache>::default()),
];

fn limited(change: fn(&mut Limits)) -> Box<dyn Engine> {
    let mut limits = Limits::default();
    change(&mut limits);
    Box::new(Core::with_limits(limits))
}

fn one_level_more() -> Box<dyn Engine> {
    limited(|it| it.max_depth += 1)
}

fn one_level_less() -> Box<dyn Engine> {
    limited(|it| it.max_depth -= 1)
}

fn one_version_more() -> Box<dyn Engine> {
    limited(|it| it.max_versions += 1)
}

fn one_version_less() -> Box<dyn Engine> {
    limited(|it| it.max_versions -= 1)
}

struct InPart;

impl Engine for InPart {
    fn name(&self) -> &'static str {
        "in part"
    }

    fn run(&mut self, document: &[u8], ask: Ask) -> Result<Answer, EngineError> {
        let mut core = Core::default();
        let answer = core.run(document, ask)?;
        let Answer::Refused { line } = answer else {
            return Ok(answer);
        };
        let before = document.split_inclusive(|it| *it == b'\n').take(line - 1);
        core.run(&before.flatten().copied().collect::<Vec<u8>>(), ask)
    }
}

struct Early;

impl Engine for Early {
    fn name(&self) -> &'static str {
        "early"
    }

    fn run(&mut self, document: &[u8], _: Ask) -> Result<Answer, EngineError> {
        let mut answer = Core::default().run(document, Ask::ViewAfterEach)?;
        if let Answer::Read(reading) = &mut answer
            && reading.views.len() > 1
        {
            reading.views.pop();
        }
        Ok(answer)
    }
}

/// Keeps lines of the last document, under its context.
struct Keeps {
    is_kept: fn(&[u8]) -> bool,
    context: Vec<u8>,
    kept: Vec<u8>,
}

impl Keeps {
    const fn new(is_kept: fn(&[u8]) -> bool) -> Self {
        Self {
            is_kept,
            context: Vec::new(),
            kept: Vec::new(),
        }
    }
}

fn is_delivery(line: &[u8]) -> bool {
    line.starts_with(b"{\"deliver\"")
}

fn is_fact(line: &[u8]) -> bool {
    !is_delivery(line) && !line.starts_with(b"{\"context\"")
}

impl Engine for Keeps {
    fn name(&self) -> &'static str {
        "keeps"
    }

    fn run(&mut self, document: &[u8], ask: Ask) -> Result<Answer, EngineError> {
        let mut core = Core::default();
        let answer = core.run(document, ask)?;
        if !is_log(document) || matches!(answer, Answer::Refused { .. }) {
            return Ok(answer);
        }
        let (context, rest) = match document.iter().position(|it| *it == b'\n') {
            Some(end) => document.split_at(end + 1),
            None => (document, &[][..]),
        };
        if self.context != context {
            self.context = context.to_vec();
            self.kept.clear();
        }
        let mut answer = core.run(&[context, &self.kept, rest].concat(), ask)?;
        if let Answer::Read(reading) = &mut answer {
            let kept = self.kept.split_inclusive(|it| *it == b'\n');
            let before = kept.filter(|line| is_delivery(line)).count();
            reading.outcomes.drain(..before.min(reading.outcomes.len()));
        }
        let lines = rest.split_inclusive(|it| *it == b'\n');
        let kept = lines.filter(|line| line.ends_with(b"\n") && (self.is_kept)(line));
        self.kept = kept.flatten().copied().collect();
        Ok(answer)
    }
}

/// Tells documents apart by their lengths.
#[derive(Default)]
struct Cache(BTreeMap<usize, Answer>);

impl Engine for Cache {
    fn name(&self) -> &'static str {
        "cache"
    }

    fn run(&mut self, document: &[u8], ask: Ask) -> Result<Answer, EngineError> {
        if let Some(answer) = self.0.get(&document.len()) {
            return Ok(answer.clone());
        }
        let answer = Core::default().run(document, ask)?;
        self.0.insert(document.len(), answer.clone());
        Ok(answer)
    }
}
