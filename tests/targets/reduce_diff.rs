//! Core against model: outcomes, and the view after each step.

use tern_conformance::engine::{Core, Model};
use tern_conformance::{Ask, differ};

use super::{log, shown};

/// Core and model agree on every outcome, and on view and digest after every step, of the log that
/// grows out of the input (S2.15, S7.01). A third of the inputs is run under tight quotas.
///
/// # Panics
/// Where they differ.
pub fn reduce_diff(data: &[u8]) {
    let input = log::of(data);
    let (mut core, mut model) = if input.choice % 3 == 1 {
        tight()
    } else {
        (Core::default(), Model::default())
    };
    compare(&mut core, &mut model, &input.document, Ask::ViewAfterEach);
}

/// Engines whose quotas are soon used up.
fn tight() -> (Core, Model) {
    let mut limits = tern_core::Limits::default();
    limits.max_pending = 4;
    limits.max_pending_per_sender = 2;
    limits.max_versions = 2;
    let model = tern_model::Limits {
        pending: 4,
        pending_of_sender: 2,
        versions: 2,
        ..tern_model::Limits::default()
    };
    (Core::with_limits(limits), Model::with_limits(model))
}

pub(super) fn compare(core: &mut Core, model: &mut Model, document: &[u8], ask: Ask) {
    let found = differ::compare(core, model, document, ask);
    let found = found.unwrap_or_else(|error| panic!("an engine failed: {error}"));
    if let Some(difference) = found {
        panic!(
            "S2.15, S7.01: core | model differ: {difference}\n{core:?}\n{}",
            shown(document)
        );
    }
}
