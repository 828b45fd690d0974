//! The algebra of values: numbers, canonical JSON, digests, times, and joining logs.

use std::fmt::Debug;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, Testable};
use tern_conformance::{Mixer, Preset, generate};
use tern_core::Event;
use tern_core::message::Timestamp;
use tern_core::wire::{Digest, Json, JsonOptions, canonical};

use crate::harness::{scale, seed};
use crate::look::Read;
use crate::rewrite;

/// Checks a rule on made-up values: the same ones every time, unless `TERN_SEED` says otherwise.
fn check<T: Testable>(name: &str, cases: u64, rule: T) {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a number of cases"
    )]
    let cases = (cases as f64 * scale()).ceil() as u64;
    let seed = seed(name);
    let seed = u64::from_le_bytes(seed[..8].try_into().unwrap());
    println!("{name}: {cases} cases, quickcheck seed {seed}");
    QuickCheck::new()
        .rng(Gen::from_size_and_seed(60, seed))
        .tests(cases)
        .quickcheck(rule);
}

/// A JSON number as somebody might write it: short or long, with point, exponent and superfluous zeros.
#[derive(Clone, Debug)]
struct Spelling(String);

impl Arbitrary for Spelling {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut dice = Mixer::new(u64::arbitrary(g));
        let digits = |dice: &mut Mixer, least: usize| -> String {
            let length = [1, 2, 3, 17, 40][dice.below(5)];
            let few = dice.below(2) == 0;
            (0..length.max(least))
                .map(|_| char::from(b'0' + (dice.below(if few { 2 } else { 10 }) as u8)))
                .collect()
        };
        let mut text = String::new();
        if dice.below(2) == 0 {
            text.push('-');
        }
        let whole = digits(&mut dice, 1);
        let whole = whole.trim_start_matches('0');
        text.push_str(if whole.is_empty() { "0" } else { whole });
        if dice.below(2) == 0 {
            text.push('.');
            text.push_str(&digits(&mut dice, 1));
        }
        match dice.below(6) {
            0 => text.push_str(&format!("e{}", dice.below(40))),
            1 => text.push_str(&format!("E+{}", dice.below(40))),
            2 => text.push_str(&format!("e-{}", dice.below(400))),
            3 => text.push_str("e-99999999999999999999"),
            _ => {}
        }
        Self(text)
    }
}

fn canonical_number(text: &str) -> String {
    let json = Json::read(text.as_bytes(), JsonOptions::default());
    let json = json.unwrap_or_else(|it| panic!("{text}: {it:?}"));
    json.root().as_number().unwrap().canonical()
}

/// The model's spelling of the same number.
fn of_model(text: &str) -> String {
    tern_model::canonical_json(text.as_bytes(), &tern_model::Limits::default()).unwrap()
}

/// The value of a decimal as sign, digits without zeros at either end, and exponent of the last one.
/// Plain school arithmetic, for a third opinion.
fn decimal(text: &str) -> (bool, String, i128) {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let mut exponent: i128 = exponent.parse().unwrap();
    let negative = mantissa.starts_with('-');
    let mantissa = mantissa.trim_start_matches('-');
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    exponent -= fraction.len() as i128;
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    let end = digits.trim_end_matches('0');
    if end.is_empty() {
        return (false, String::new(), 0);
    }
    exponent += (digits.len() - end.len()) as i128;
    (negative, end.to_owned(), exponent)
}

/// R-02, S7.04: a number has one canonical spelling: that of its exact decimal value, in core and model
/// alike.
#[test]
fn s7_04_numbers_have_one_spelling() {
    fn one_spelling(number: Spelling) -> bool {
        let canonical = canonical_number(&number.0);
        let fixpoint = canonical_number(&canonical) == canonical;
        let (negative, digits, exponent) = decimal(&number.0);
        let sign = if negative { "-" } else { "" };
        let expected = match (digits.as_str(), exponent) {
            ("", _) => "0".to_owned(),
            (digits, 0) => format!("{sign}{digits}"),
            (digits, exponent) => format!("{sign}{digits}E{exponent}"),
        };
        fixpoint && canonical == expected && of_model(&number.0) == expected
    }
    check(
        "numbers have one spelling",
        4000,
        one_spelling as fn(Spelling) -> bool,
    );
}

/// two numbers are equal exactly if their decimal values are, whatever their digits, zeros and
/// exponents; and their canonical spellings then, and only then.
#[test]
fn r_02_numbers_are_equal_by_value() {
    fn equal(one: Spelling, two: Spelling, choices: u64) -> TestResult {
        let mut dice = Mixer::new(choices);
        let other = match dice.below(3) {
            // The same value in another spelling, its neighbour in the last digit, or anything.
            0 => rewrite::number(&one.0, &mut dice),
            1 => neighbour(&one.0),
            _ => two.0,
        };
        let equal = canonical_number(&one.0) == canonical_number(&other);
        let by_value = decimal(&one.0) == decimal(&other);
        let by_model = of_model(&one.0) == of_model(&other);
        TestResult::from_bool(equal == by_value && equal == by_model)
    }
    check(
        "numbers are equal by value",
        6000,
        equal as fn(Spelling, Spelling, u64) -> TestResult,
    );
    let two = |number: &str, value: &str| canonical_number(number) == canonical_number(value);
    assert!(
        two("10e-1", "1.0") && two("-0", "0e5") && !two("9007199254740992", "9007199254740993")
    );
}

/// The same spelling with another last digit before the exponent.
fn neighbour(text: &str) -> String {
    let end = text.find(['e', 'E']).unwrap_or(text.len());
    let (mantissa, exponent) = text.split_at(end);
    let (head, last) = mantissa.split_at(mantissa.len() - 1);
    let last = if last == "7" { "8" } else { "7" };
    format!("{head}{last}{exponent}")
}

/// Any JSON value, as text.
#[derive(Clone)]
struct Text(String);

impl Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Arbitrary for Text {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut out = String::new();
        let depth = 4;
        value(&mut out, g, depth);
        Self(out)
    }
}

const KEYS: [&str; 8] = [
    "a",
    "b",
    "aa",
    "\u{1f602}",
    "\u{fb33}",
    "",
    "\u{e9}",
    "e\u{301}",
];

fn value(out: &mut String, g: &mut Gen, depth: usize) {
    let mut dice = Mixer::new(u64::arbitrary(g));
    match dice.below(if depth == 0 { 4 } else { 7 }) {
        0 => out.push_str(["null", "true", "false"][dice.below(3)]),
        1 => out.push_str(&Spelling::arbitrary(g).0),
        2 => rewrite::text(out, &String::arbitrary(g), &mut dice),
        3 => rewrite::text(out, KEYS[dice.below(KEYS.len())], &mut dice),
        4 => {
            out.push('[');
            for index in 0..dice.below(4) {
                out.push_str(if index == 0 { "" } else { "," });
                value(out, g, depth - 1);
            }
            out.push(']');
        }
        _ => {
            let mut keys = KEYS.to_vec();
            dice.shuffle(&mut keys);
            keys.truncate(dice.below(5));
            out.push('{');
            for (index, key) in keys.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                rewrite::text(out, key, &mut dice);
                out.push(':');
                value(out, g, depth - 1);
            }
            out.push('}');
        }
    }
}

fn canonical_text(text: &str) -> String {
    let json = Json::read(text.as_bytes(), JsonOptions::STRICT);
    canonical(json.unwrap_or_else(|it| panic!("{text}: {it:?}")).root())
}

/// S7.03, S7.04, T1.08: canonical JSON is a fixpoint, and that of the model; the order of keys, white
/// space and spelling do not reach it.
#[test]
fn s7_03_canonical_json_is_idempotent() {
    fn idempotent(text: Text, choices: u64) -> bool {
        let once = canonical_text(&text.0);
        let other = rewrite::rewritten(text.0.as_bytes(), &mut Mixer::new(choices)).unwrap();
        let other = String::from_utf8(other).unwrap();
        canonical_text(&once) == once && of_model(&text.0) == once && canonical_text(&other) == once
    }
    check(
        "canonical JSON is idempotent",
        2500,
        idempotent as fn(Text, u64) -> bool,
    );
}

/// What R-02 says, done plainly on trees of serde_json: keys in any order, arrays in one, strings code
/// point by code point, numbers by their exact value.
fn equal_by_structure(one: &str, two: &str) -> bool {
    fn equal(one: tern_core::wire::Value<'_, '_>, two: tern_core::wire::Value<'_, '_>) -> bool {
        use tern_core::wire::Kind;
        if one.kind() != two.kind() {
            return false;
        }
        match one.kind() {
            Kind::Object => {
                one.entries().count() == two.entries().count()
                    && one
                        .entries()
                        .all(|(key, _, value)| two.get(key).is_some_and(|it| equal(value, it)))
            }
            Kind::Array => {
                one.items().count() == two.items().count()
                    && one
                        .items()
                        .zip(two.items())
                        .all(|(one, two)| equal(one, two))
            }
            Kind::Number => decimal(one.source()) == decimal(two.source()),
            Kind::String => one.as_str() == two.as_str(),
            _ => one.source() == two.source(),
        }
    }
    let read = |text| Json::read(text, JsonOptions::STRICT).unwrap();
    equal(read(one.as_bytes()).root(), read(two.as_bytes()).root())
}

/// S7.05, R-02, T1.29: digests are equal exactly if the values are, by structure.
#[test]
fn s7_05_digests_are_equal_by_structure() {
    static EQUAL: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];
    fn equal(one: Text, two: Text, choices: u64) -> bool {
        let mut dice = Mixer::new(choices);
        let other = match dice.below(3) {
            0 => {
                String::from_utf8(rewrite::rewritten(one.0.as_bytes(), &mut dice).unwrap()).unwrap()
            }
            // A change at one place: mostly another value, sometimes the same.
            1 => one.0.replacen(
                ['1', '0', 'a', '\u{e9}'],
                ["2", "e\u{301}"][dice.below(2)],
                1,
            ),
            _ => two.0,
        };
        if Json::read(other.as_bytes(), JsonOptions::STRICT).is_err() {
            return true;
        }
        let equal = equal_by_structure(&one.0, &other);
        EQUAL[usize::from(equal)].fetch_add(1, Relaxed);
        let digest = |text: &str| Digest::of(canonical_text(text).as_bytes());
        (digest(&one.0) == digest(&other)) == equal
    }
    check(
        "digests are equal by structure",
        4000,
        equal as fn(Text, Text, u64) -> bool,
    );
    let met = EQUAL.each_ref().map(|it| it.load(Relaxed));
    println!("  different {}, equal {}", met[0], met[1]);
    assert!(met.iter().all(|met| *met > 500) || scale() < 1.0);
}

/// A text that is a time, or nearly one.
#[derive(Clone, Debug)]
struct Time(String);

impl Arbitrary for Time {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut dice = Mixer::new(u64::arbitrary(g));
        // Of four one may be wrong anywhere; the others are times, some of them leap seconds.
        let wild = dice.below(4) == 0;
        let pick = |dice: &mut Mixer, sane: &[&'static str], odd: &[&'static str]| {
            let both: Vec<&str> = if wild {
                [sane, odd].concat()
            } else {
                sane.to_vec()
            };
            both[dice.below(both.len())]
        };
        let year = pick(
            &mut dice,
            &["0000", "0001", "1999", "2016", "2016", "2017", "9999"],
            &["1900", "2000"],
        );
        if dice.below(4) == 0 {
            let leap = [
                "06-30T23:59:60Z",
                "12-31T23:59:60z",
                "01-01T00:59:60+01:00",
                "12-31T22:58:60-01:01",
            ];
            let odd = ["06-29T23:59:60Z", "06-30T23:58:60Z", "01-01T00:59:60+00:59"];
            let leap = pick(&mut dice, &leap, &odd);
            let fraction = ["", ".0", ".5", ".9999999999999999999999"][dice.below(4)];
            return Self(format!(
                "{year}-{}",
                leap.replace(":60", &format!(":60{fraction}"))
            ));
        }
        let date = pick(
            &mut dice,
            &["01-01", "12-31", "02-28", "06-30"],
            &["02-29", "02-30", "00-10", "13-01", "04-31"],
        );
        let t = pick(&mut dice, &["T", "t"], &[" "]);
        let hours = pick(&mut dice, &["00", "22", "23"], &["24"]);
        let minutes = pick(&mut dice, &["00", "59"], &["60"]);
        let seconds = pick(&mut dice, &["00", "59"], &["60", "61"]);
        let fraction = pick(
            &mut dice,
            &["", "", ".0", ".5", ".50", ".999999999999999999999"],
            &["."],
        );
        let zone = pick(
            &mut dice,
            &[
                "Z", "z", "+00:00", "-00:00", "+01:00", "-01:00", "+23:59", "-00:01",
            ],
            &["", "+24:00", "+0100"],
        );
        Self(format!(
            "{year}-{date}{t}{hours}:{minutes}:{seconds}{fraction}{zone}"
        ))
    }
}

/// A-TIME: the order of times is total, agrees with equality and is the same in core and model, which
/// take the same texts for times.
#[test]
fn a_time_times_are_in_a_total_order() {
    static TIMES: AtomicUsize = AtomicUsize::new(0);
    fn ordered(one: Time, two: Time, three: Time) -> bool {
        let texts = [&one.0, &two.0, &three.0];
        let core = texts.map(|text| Timestamp::new(text.as_str()).ok().map(|it| it.instant()));
        let model = texts.map(|text| tern_model::instant(text));
        let same = (0..3).all(|it| core[it].is_some() == model[it].is_some());
        let ([Some(a), Some(b), Some(c)], [Some(x), Some(y), Some(z)]) = (&core, &model) else {
            return same;
        };
        TIMES.fetch_add(1, Relaxed);
        let alike = a.cmp(b) == x.cmp(y) && b.cmp(c) == y.cmp(z) && (a == b) == (x == y);
        let consistent =
            (a.cmp(b) == std::cmp::Ordering::Equal) == (a == b) && a.cmp(b) == b.cmp(a).reverse();
        let transitive = !(a <= b && b <= c) || a <= c;
        same && alike && consistent && transitive
    }
    check(
        "times are in a total order",
        8_000,
        ordered as fn(Time, Time, Time) -> bool,
    );
    let times = TIMES.load(Relaxed);
    println!("  three texts that are times: {times}");
    assert!(times > 500 || scale() < 1.0);
}

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
        join(&[0, 1]) == join(&[1, 0])
            && join(&[0, 1, 2]) == join(&[1, 2, 0])
            && join(&[0, 1, 2]) == join(&[2, 1, 0])
            && join(&[0, 0]) == join(&[0])
            && join(&[0, 1, 0, 1]) == join(&[0, 1])
            && join(&[0, 1, 2]) == log.canonical(&log.events)
    }
    check(
        "joining is a semilattice",
        100,
        semilattice as fn(Parts) -> bool,
    );
}
