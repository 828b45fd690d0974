//! Core against model: outcomes, and the view after each step.

use tern_conformance::engine::{Core, Model};
use tern_conformance::{Ask, differ};

use super::log;
use tern_conformance::shown::shown;

/// Core and model agree on every outcome, and on view and digest, of the log that grows out of the input
/// (S2.15, S7.01, S7.05). A third of the inputs is run under tight quotas, a document under both.
///
/// Where the first byte is even, view and digest are compared after every step. The other inputs are looked
/// at when they end, which is several times as fast and misses little: the log without its last records
/// grows out of an input that ends earlier.
///
/// # Panics
/// Where they differ.
pub fn reduce_diff(data: &[u8]) {
    let input = log::of(data);
    let (is_tight, ask) = match input.choice {
        None => (None, Ask::ViewAfterEach),
        Some(choice) if choice.is_multiple_of(2) => (Some(choice % 3 == 1), Ask::ViewAfterEach),
        Some(choice) => (Some(choice % 3 == 1), Ask::ViewAtEnd),
    };
    if is_tight != Some(true) {
        let (mut core, mut model) = (Core::default(), Model::default());
        compare(&mut core, &mut model, &input.document, ask);
    }
    if is_tight != Some(false) {
        let (mut core, mut model) = tight();
        compare(&mut core, &mut model, &input.document, ask);
    }
}

/// Engines whose quotas are soon used up.
fn tight() -> (Core, Model) {
    let mut core = tern_core::Limits::default();
    let mut model = tern_model::Limits::default();
    (core.max_pending, core.max_pending_per_sender) = (4, 2);
    core.max_versions = 2;
    (model.pending, model.pending_of_sender) = (4, 2);
    model.versions = 2;
    (Core::with_limits(core), Model::with_limits(model))
}

pub(super) fn compare(core: &mut Core, model: &mut Model, document: &[u8], ask: Ask) {
    let found = differ::compare(core, model, document, ask);
    let found = found.unwrap_or_else(|error| panic!("core or model did not answer: {error}"));
    if let Some(difference) = found {
        panic!(
            "S2.15, S7.01: core | model differ: {difference}\n{core:?}\n{}",
            shown(document)
        );
    }
}
