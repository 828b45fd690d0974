//! The core and the reference model, which share nothing but bytes, agree.

use tern_conformance::engine::{Core, Model};
use tern_conformance::{Answer, Ask, Engine as _, differ};

use crate::harness::{Holds, Property, Trial, all};

fn core_equals_model(trial: &mut Trial<'_>) -> Holds {
    let document = trial.scenario.with_lines(trial.lines.to_vec()).document();
    let ask = Ask::ViewAfterEach;
    let core = Core::default()
        .run(&document, ask)
        .map_err(|it| it.to_string())?;
    let model = Model::default()
        .run(&document, ask)
        .map_err(|it| it.to_string())?;
    trial.counts.census.record(trial.scenario, &core);
    match &core {
        Answer::Refused { .. } => trial.counts.add("refused", 1),
        Answer::Read(reading) => {
            trial.counts.add("deliveries", reading.outcomes.len());
            trial.counts.add("views", reading.views.len());
        }
    }
    match differ::difference(&core, &model) {
        Some(difference) => Err(format!("core | model, {difference}")),
        None => Ok(()),
    }
}

/// S2.15, S7.01, S7.05, S8.02: after every record core and model have the same outcome, view and digest.
#[test]
fn s7_01_core_equals_model() {
    Property::new("s7_01_core_equals_model", all(), 1000)
        .sees_all()
        .demand(&[("deliveries", 20_000), ("views", 20_000), ("refused", 30)])
        .check(core_equals_model);
}
