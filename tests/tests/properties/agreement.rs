//! The core and the reference model, which share nothing but bytes, agree.

use tern_conformance::engine::{Core, Model};
use tern_conformance::{Answer, Ask, Engine as _, differ};

use crate::harness::{Holds, Property, Trial, all};

fn core_equals_model(trial: &mut Trial<'_>, mut core: Core, mut model: Model) -> Holds {
    let document = trial.document();
    let ask = Ask::ViewAfterEach;
    let core = core.run(&document, ask).map_err(|it| it.to_string())?;
    let model = model.run(&document, ask).map_err(|it| it.to_string())?;
    trial.counts.census.record(trial.scenario, &core);
    match &core {
        Answer::Refused { .. } => trial.counts.add("refused", 1),
        Answer::Read(reading) => {
            trial.counts.add("deliveries", reading.outcomes.len());
            trial.counts.add("views", reading.views.len());
            for outcome in &reading.outcomes {
                trial.counts.add(outcome.word(), 1);
            }
        }
    }
    match differ::difference(&core, &model) {
        Some(difference) => Err(format!("core | model, {difference}")),
        None => Ok(()),
    }
}

/// S2.15, S7.01, S7.05, S8.02: after every record core and model have the same outcome, view and
/// digest, and refuse a document at the same line. That both are right is for the tests of each clause.
#[test]
fn s7_01_core_equals_model() {
    Property::new("s7_01_core_equals_model", all(), 1000)
        .sees_all()
        .demand(&[("deliveries", 20_000), ("views", 20_000), ("refused", 30)])
        .check(|trial| core_equals_model(trial, Core::default(), Model::default()));
}

/// under quotas that are soon exhausted they agree as well.
#[test]
fn r_04_core_equals_model_under_quotas() {
    let mut core = tern_core::Limits::default();
    (core.max_bytes, core.max_depth) = (800, 6);
    (
        core.max_pending,
        core.max_pending_per_sender,
        core.max_versions,
    ) = (4, 2, 2);
    let model = tern_model::Limits {
        bytes: core.max_bytes,
        depth: core.max_depth,
        pending: core.max_pending,
        pending_of_sender: core.max_pending_per_sender,
        versions: core.max_versions,
    };
    Property::new("r_04_core_equals_model_under_quotas", all(), 200)
        .demand(&[("limit", 300), ("syntax", 50), ("accepted", 1000)])
        .check(|trial| {
            let (core, model) = (Core::with_limits(core), Model::with_limits(model.clone()));
            core_equals_model(trial, core, model)
        });
}
