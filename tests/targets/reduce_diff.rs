//! Core against model: outcomes, and the view after each step.

use tern_conformance::differ::{self, Difference};
use tern_conformance::engine::{Core, Model};
use tern_conformance::{Answer, Ask, Engine as _, Reading, View};
use tern_core::{Log, State};
use tern_model::Document;

use super::{log, shown};

/// Core and model agree on every outcome, and on view and digest, of the log that grows out of the input
/// (S2.15, S7.01, S7.05). A third of the inputs is run under tight quotas.
///
/// Where the first byte is even, the views are compared after every step; of equal bytes the digests are
/// equal, and are compared at the end. The other inputs are looked at there alone, which is several times as
/// fast and misses little: the log without its last records grows out of an input that ends earlier.
///
/// # Panics
/// Where they differ.
pub fn reduce_diff(data: &[u8]) {
    let input = log::of(data);
    let mut core = tern_core::Limits::default();
    let mut model = tern_model::Limits::default();
    if input.choice % 3 == 1 {
        (core.max_pending, core.max_pending_per_sender) = (4, 2);
        core.max_versions = 2;
        (model.pending, model.pending_of_sender) = (4, 2);
        model.versions = 2;
    }
    if input.choice.is_multiple_of(2) {
        step_by_step(&input.document, core, &model);
    }
    let (mut core, mut model) = (Core::with_limits(core), Model::with_limits(model));
    compare(&mut core, &mut model, &input.document, Ask::ViewAtEnd);
}

/// The views before the last event and earlier, as long as both read the document.
fn step_by_step(document: &[u8], core: tern_core::Limits, model: &tern_model::Limits) {
    let (Ok(log), Ok(read)) = (Log::read(document), Document::read(document)) else {
        return;
    };
    let mut state = State::new(log.context().clone(), core);
    let mut model = tern_model::Model::new(&read, model.clone());
    for (at, (event, record)) in log.events().iter().zip(read.records()).enumerate() {
        let (one, other) = (state.view().to_canonical_json(), model.view());
        if one != other {
            let difference = differ::difference(&answer(one), &answer(other));
            found(
                &format!("after {at} events: {}", sentence(difference)),
                document,
            );
        }
        state.apply(event);
        model.step(record);
    }
}

/// An answer with a view alone.
fn answer(json: String) -> Answer {
    let view = View {
        json,
        digest: String::new(),
    };
    Answer::Read(Reading {
        outcomes: Vec::new(),
        looked: Ask::ViewAtEnd,
        views: vec![view],
    })
}

pub(super) fn compare(core: &mut Core, model: &mut Model, document: &[u8], ask: Ask) {
    let (Ok(one), Ok(other)) = (core.run(document, ask), model.run(document, ask)) else {
        panic!("core or model did not answer: {}", shown(document));
    };
    let difference = differ::difference(&one, &other);
    if difference.is_some() {
        found(&format!("{}\n{core:?}", sentence(difference)), document);
    }
}

fn sentence(difference: Option<Difference>) -> String {
    difference.map_or_else(|| "nowhere".into(), |difference| difference.to_string())
}

fn found(what: &str, document: &[u8]) {
    panic!(
        "S2.15, S7.01: core | model differ: {what}\n{}",
        shown(document)
    );
}
