//! One case again: `TERN_REPLAY='PRESET SOURCE CHOICES'`, where SOURCE is `seed:N`, `bytes:HEX` or
//! `log:FILE`, as a failure prints it. FILE is seen from the root of the project.

use std::path::PathBuf;

use tern_conformance::Preset;
use tern_conformance::shown::shown;
use tern_tests::{asked, root};

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
        asked("TERN_REPLAY").map(|text| {
            Self::read(&text).unwrap_or_else(|| {
                panic!("TERN_REPLAY={text}: not PRESET SOURCE CHOICES as a failure prints them")
            })
        })
    }

    fn read(text: &str) -> Option<Self> {
        // A file may have spaces in its name.
        let (preset, rest) = text.trim().split_once(' ')?;
        let (source, dice) = rest.trim().rsplit_once(' ')?;
        let preset = Preset::named(preset)?;
        let (kind, source) = source.trim().split_once(':')?;
        let dice = dice.parse().ok()?;
        let mut log = None;
        let source = match kind {
            "seed" => Source::Seed(source.parse().ok()?),
            "bytes" => Source::Bytes(unhex(source)?),
            "log" => {
                if source.is_empty() {
                    return None;
                }
                log = Some(root().join(source));
                Source::Bytes(Vec::new())
            }
            _ => return None,
        };
        Some(Self {
            case: Case::new(preset, source, dice),
            log,
        })
    }

    /// Runs the case, if the property is asked about logs of its preset.
    pub(crate) fn run(
        self,
        property: &str,
        presets: &[&Preset],
        holds: impl Fn(&mut Trial<'_>) -> Holds,
    ) {
        let preset = self.case.scenario.preset();
        if !presets.iter().any(|it| it.name() == preset) {
            println!("{property}: left out, for it says nothing of the preset {preset}");
            return;
        }
        let lines = match &self.log {
            None => self.case.scenario.lines().to_vec(),
            Some(path) => {
                let bytes = std::fs::read(path)
                    .unwrap_or_else(|error| panic!("TERN_REPLAY: {}: {error}", path.display()));
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
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let pair = |pair: &[u8]| match pair {
        [high, low] => u8::try_from(digit(high)? << 4 | digit(low)?).ok(),
        _ => None,
    };
    text.as_bytes().chunks(2).map(pair).collect()
}

/// What is no case is refused, and never read as another one.
#[test]
fn what_is_no_case_is_refused() {
    for text in [
        "",
        "forks",
        "forks seed:1",
        "nonsense seed:1 2",
        "forks seed:1 2 3",
        "forks seed:-1 2",
        "forks bytes:0 2",
        "forks bytes:+1 2",
        "forks bytes:0g 2",
        "forks tree:1 2",
        "forks log: 2",
    ] {
        assert!(Replay::read(text).is_none(), "{text}");
    }
    let replay = Replay::read("forks log:a folder/a log 7").unwrap();
    assert_eq!(replay.log, Some(root().join("a folder/a log")));
}

/// A log made small still fails for the reason that it was found for: here a message has to be pending, though
/// every log without a REQUEST fails, too.
#[test]
fn what_is_made_small_fails_for_the_same_reason() {
    let wrong = |trial: &mut Trial<'_>| -> Holds {
        let Some(log) = trial.read() else {
            return Err("the document is refused".to_owned());
        };
        let (state, _) = log.after(&log.events);
        let view = state.view().to_canonical_json();
        if !view.contains("REQUEST") {
            return Err("there is no REQUEST".to_owned());
        }
        match view.matches(r#""status":"pending""#).count() {
            0 => Ok(()),
            pending => Err(format!("{pending} messages are pending, as `x{pending}`")),
        }
    };
    let presets = named(&["forks", "references"]);
    let (_, failure) = Property::new("nothing waits", presets, 64).run(wrong);
    let failure = failure.expect("something waits");
    let text = failure.to_string();
    let small = failure.smallest.len();
    assert!(text.contains("messages are pending"), "{text}");
    assert!((3..=4).contains(&small), "{text}");
}

/// R-13: a failure says what a reader needs to see it again. The property here is wrong on purpose.
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
        assert!(text.contains(&shown(line)));
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
