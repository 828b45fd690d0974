//! Views of joined logs.

use quickcheck::{Arbitrary, Gen};
use tern_conformance::shown::shown;
use tern_conformance::{Mixer, Preset, generate};
use tern_core::Event;

use super::check;
use crate::look::Read;

/// A log without equivocation, cut into parts of any size.
#[derive(Clone, Debug)]
struct Parts {
    preset: &'static str,
    seed: u64,
    choices: u64,
}

impl Arbitrary for Parts {
    fn arbitrary(g: &mut Gen) -> Self {
        let presets = [
            "mixed",
            "negotiation",
            "forks",
            "progress",
            "references",
            "reconcile",
        ];
        Self {
            preset: g.choose(&presets).unwrap(),
            seed: u64::arbitrary(g),
            choices: u64::arbitrary(g),
        }
    }
}

/// S7.01, S3.03, T1.27: without equivocation the views of joined sets of deliveries form a commutative,
/// associative and idempotent join, with the empty set as its neutral element.
#[test]
fn s7_01_joining_is_a_semilattice() {
    fn semilattice(parts: Parts) -> bool {
        let scenario = generate::seeded(parts.seed, Preset::named(parts.preset).unwrap());
        let log = tern_core::Log::read(&scenario.document()).unwrap();
        let log = Read {
            context: log.context().clone(),
            events: log.events().to_vec(),
        }
        .honest();
        let mut dice = Mixer::new(parts.choices);
        let mut of: [Vec<&Event<'static>>; 3] = [Vec::new(), Vec::new(), Vec::new()];
        for event in &log.events {
            // Parts may overlap: what two receivers both saw.
            of[dice.below(3)].push(event);
            if dice.below(4) == 0 {
                of[dice.below(3)].push(event);
            }
        }
        let join =
            |order: &[usize]| log.canonical(order.iter().flat_map(|it| of[*it].iter().copied()));
        let holds = join(&[0, 1]) == join(&[1, 0])
            && join(&[0, 1, 2]) == join(&[1, 2, 0])
            && join(&[0, 1, 2]) == join(&[2, 1, 0])
            && join(&[0, 0]) == join(&[0])
            && join(&[0, 1, 0, 1]) == join(&[0, 1])
            && join(&[0, 1, 2]) == log.canonical(&log.events);
        if !holds {
            println!("{parts:?} does not join:\n{}", shown(&scenario.document()));
        }
        holds
    }
    check(
        "joining is a semilattice",
        100,
        semilattice as fn(Parts) -> bool,
    );
}
