//! The command line as an engine: it says what the core and the model say, and what the vectors expect.

use std::collections::BTreeSet;
use std::path::PathBuf;

use tern_conformance::census::Group;
use tern_conformance::engine::{Core, Model, TernCommand};
use tern_conformance::protocol::Part;
use tern_conformance::serve::told;
use tern_conformance::shrink::shrink;
use tern_conformance::{Ask, Census, Engine, Preset, differ, generate, vector};
use tern_tests::root;

fn tern() -> TernCommand {
    TernCommand::new(env!("CARGO_BIN_EXE_tern"))
}

/// How the command line and another engine differ on a document, if they do.
fn difference(other: &mut dyn Engine, document: &[u8]) -> Option<String> {
    let difference = differ::compare(&mut tern(), other, document, Ask::ViewAtEnd).unwrap();
    difference.map(|difference| format!("command line | {}: {difference}", other.name()))
}

/// S2.15, S7.01, S7.05, S8.02: generated logs of every preset. `TERN_SEED` makes other ones.
#[test]
fn s7_01_the_command_line_equals_core_and_model() {
    let seed = std::env::var("TERN_SEED").map_or(0, |seed| seed.parse::<u64>().unwrap());
    let mut census = Census::new();
    for preset in Preset::all() {
        for seed in [seed, seed.wrapping_add(1_000_003)] {
            let scenario = generate::seeded(seed, preset);
            let document = scenario.document();
            census.record(
                &scenario,
                &Core::default().run(&document, Ask::ViewAtEnd).unwrap(),
            );
            for engine in [
                &mut Core::default() as &mut dyn Engine,
                &mut Model::default(),
            ] {
                let Some(found) = difference(engine, &document) else {
                    continue;
                };
                let shows = |lines: &[Vec<u8>]| {
                    let document = scenario.with_lines(lines.to_vec()).document();
                    difference(engine, &document).is_some()
                };
                let smallest = scenario.with_lines(shrink(scenario.lines(), shows));
                panic!("{found}\n{smallest:?}");
            }
        }
    }
    let (read, refused) = (
        census.of(Group::Logs, "read"),
        census.of(Group::Logs, "refused"),
    );
    let deliveries = census.of(Group::Steps, "deliver");
    println!("{read} logs read, {refused} refused, {deliveries} deliveries");
    assert!(read >= 20 && deliveries >= 300);
}

/// S2.15, S7.01, S7.05, S8.02: the test vectors, each in the order given.
#[test]
fn s2_15_the_command_line_says_what_the_vectors_expect() {
    let parts = BTreeSet::from([Part::View, Part::Digest]);
    let mut count = 0;
    for (_, file) in vector::all().unwrap() {
        for vector in &file.vectors {
            let given: Vec<usize> = (0..vector.log.len()).collect();
            let answer = tern().run(&vector.document(&given), Ask::ViewAtEnd);
            let wrong = vector.judge(&told(&answer.unwrap(), &parts), &given, &parts);
            assert!(wrong.is_empty(), "{}: {}", vector.id, wrong[0]);
            count += 1;
        }
    }
    println!("{count} vectors");
}

/// S7.01: the examples come to the same as in the core and the model.
#[test]
fn s7_01_the_command_line_reaches_the_examples() {
    let folder: PathBuf = root().join("examples");
    let mut examples = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|end| end == "jsonl") {
            let document = std::fs::read(&path).unwrap();
            assert_eq!(
                difference(&mut Core::default(), &document),
                None,
                "{}",
                path.display()
            );
            assert_eq!(
                difference(&mut Model::default(), &document),
                None,
                "{}",
                path.display()
            );
            examples += 1;
        }
    }
    assert!(examples >= 6, "{examples}");
}
