//! One case again: `TERN_REPLAY='PRESET SOURCE CHOICES'`, where SOURCE is `seed:N`, `bytes:HEX` or
//! `log:FILE`, as a failure prints it.

use std::path::PathBuf;

use tern_conformance::Preset;

use crate::harness::{Case, Counts, Holds, Property, Source, Trial, judge, named, readable};

/// What is to be run again.
pub(crate) struct Replay {
    case: Case,
    log: Option<PathBuf>,
}

/// How to run a case again, in words.
pub(crate) fn advice(property: &str, case: &Case) -> String {
    format!(
        "Again: TERN_REPLAY='{case:?}' cargo test -p tern-tests --test properties -- {property}\n\
         The small log: TERN_REPLAY='{} log:FILE {}', with the log above in FILE\n",
        case.scenario.preset(),
        case.dice,
    )
}

impl Replay {
    pub(crate) fn asked_for() -> Option<Self> {
        std::env::var("TERN_REPLAY").ok().map(|text| {
            Self::read(&text).unwrap_or_else(|| panic!("TERN_REPLAY={text}: no such case"))
        })
    }

    fn read(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let preset = Preset::named(words.next()?)?;
        let (kind, source) = words.next()?.split_once(':')?;
        let dice = words.next()?.parse().ok()?;
        let mut log = None;
        let source = match kind {
            "seed" => Source::Seed(source.parse().ok()?),
            "bytes" => Source::Bytes(unhex(source)?),
            "log" => {
                log = Some(PathBuf::from(source));
                Source::Bytes(Vec::new())
            }
            _ => return None,
        };
        Some(Self {
            case: Case::new(preset, source, dice),
            log,
        })
    }

    pub(crate) fn run(self, property: &str, holds: impl Fn(&mut Trial<'_>) -> Holds) {
        let lines = match &self.log {
            None => self.case.scenario.lines().to_vec(),
            Some(path) => {
                let bytes = std::fs::read(path).unwrap();
                let lines = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
                lines
                    .split(|byte| *byte == b'\n')
                    .map(<[u8]>::to_vec)
                    .collect()
            }
        };
        let mut counts = Counts::default();
        let held = judge(&self.case, &lines, &mut counts, &holds);
        println!("{property}: {counts}");
        if let Err(reason) = held {
            panic!("{property} does not hold: {reason}");
        }
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<char> = text.chars().collect();
    let pairs = digits.chunks(2);
    pairs
        .map(|pair| u8::from_str_radix(&String::from_iter(pair), 16).ok())
        .collect()
}

/// a failure says what a reader needs to see it again. The property here is wrong on purpose.
#[test]
fn a_failure_prints_how_to_see_it_again() {
    let nothing_conflicts = |trial: &mut Trial<'_>| -> Holds {
        let document = trial.scenario.with_lines(trial.lines.to_vec()).document();
        let Ok(log) = tern_core::Log::read(&document) else {
            return Ok(());
        };
        let (state, _) = log.state_at(usize::MAX, &tern_core::Limits::default());
        let view = state.view();
        let conflicted = view
            .chains
            .values()
            .any(|chain| !chain.competing.is_empty());
        if conflicted {
            return Err("a chain is conflicted".to_owned());
        }
        Ok(())
    };
    let presets = named(&["forks", "negotiation"]);
    let (_, failure) = Property::new("nothing conflicts", presets, 64).run(nothing_conflicts);
    let failure = failure.expect("forks conflict");
    let text = failure.to_string();
    println!("{text}");

    // The context, a target, two revisions of it; before a REPORT a COMMIT and a REQUEST.
    assert!([4, 5, 6].contains(&failure.smallest.len()), "{text}");
    for line in &failure.smallest {
        assert!(text.contains(std::str::from_utf8(line).unwrap()));
    }
    let shown = text.split('\'').nth(1).unwrap();
    let again = Replay::read(shown).unwrap();
    assert_eq!(again.case.scenario, failure.case.scenario);
    let lines = again.case.scenario.lines();
    let held = judge(
        &again.case,
        lines,
        &mut Counts::default(),
        &nothing_conflicts,
    );
    assert_eq!(held, Err("a chain is conflicted".to_owned()));

    let bytes = Case::new(readable()[0], Source::Bytes(vec![0, 9, 255]), 1);
    let again = Replay::read(&format!("{bytes:?}")).unwrap();
    assert_eq!(again.case.source, bytes.source);
    assert_eq!(again.case.scenario, bytes.scenario);
}
