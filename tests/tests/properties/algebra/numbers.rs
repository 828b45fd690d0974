//! Numbers by their exact value.

use quickcheck::{Arbitrary, Gen, TestResult};
use tern_conformance::Mixer;
use tern_core::wire::{Json, JsonOptions};

use super::check;
use crate::rewrite;
use crate::tree::{decimal, neighbour};

/// A JSON number as somebody might write it: short or long, with point, exponent and superfluous zeros.
#[derive(Clone, Debug)]
pub(super) struct Spelling(pub(super) String);

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
pub(super) fn of_model(text: &str) -> String {
    tern_model::canonical_json(text.as_bytes(), &tern_model::Limits::default()).unwrap()
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
