//! Numbers by their exact value, against a naive reading in big decimals.

use proptest::prelude::*;
use tern_core::wire::{Json, JsonOptions, Number};

fn with_number<T>(text: &str, f: impl FnOnce(Number<'_>) -> T) -> T {
    let options = JsonOptions {
        max_depth: None,
        lenient: true,
    };
    let json = Json::read(text.as_bytes(), options).unwrap();
    f(json.root().as_number().unwrap())
}

fn canonical(text: &str) -> String {
    with_number(text, |number| number.canonical())
}

fn overflows(text: &str) -> bool {
    with_number(text, |number| number.overflows_double())
}

fn unsigned(text: &str) -> Option<u64> {
    with_number(text, |number| number.as_unsigned_integer())
}

/// S7.04, R-02
#[test]
fn s7_04_canonical_numbers() {
    for (written, expected) in [
        ("0", "0"),
        ("-0", "0"),
        ("-0.000e-5", "0"),
        ("0E99999999999999999999999999", "0"),
        ("1", "1"),
        ("-1.0", "-1"),
        ("10", "1E1"),
        ("10e-1", "1"),
        ("0.50", "5E-1"),
        ("100.00", "1E2"),
        ("120e-1", "12"),
        ("0.0012", "12E-4"),
        ("-12.340E+2", "-1234"),
        ("9007199254740993", "9007199254740993"),
        ("1e-999999", "1E-999999"),
        ("1e0000000000000000000000000000", "1"),
        ("1e+0000000000000000000000000012", "1E12"),
        ("0.1e1", "1"),
        // Exponents that no machine word holds.
        ("1e999999999999999999", "1E999999999999999999"),
        ("10e999999999999999999", "1E1000000000000000000"),
        ("10e9999999999999999999", "1E10000000000000000000"),
        ("10e-10000000000000000000", "1E-9999999999999999999"),
        ("0.1e10000000000000000000", "1E9999999999999999999"),
        (
            "0.1e-99999999999999999999999999999999999999999",
            "1E-100000000000000000000000000000000000000000",
        ),
        (
            "1.5e1000000000000000000000000000000000000000000",
            "15E999999999999999999999999999999999999999999",
        ),
        (
            "-700e-1000000000000000000000000000000000000000001",
            "-7E-999999999999999999999999999999999999999999",
        ),
    ] {
        assert_eq!(canonical(written), expected, "{written}");
        assert_eq!(canonical(expected), expected, "a fixpoint");
    }
}

/// S2.08: the edge lies halfway between the greatest double and 2^1024, and the tie overflows.
#[test]
fn s2_08_overflow_at_the_edge() {
    // 2^1024 - 2^970, in full.
    let edge = "17976931348623158079372897140530341507993413271003782693617377898044496829276475\
        09466490179775872070963302864166928879109465555478519404026306574886715058206819\
        08902000708383676273854845817711531764475730270069855571366959622842914819860834\
        936475292719074168444365510704342711559699508093042880177904174497792";
    let (head, last) = edge.split_at(307);
    assert_eq!((edge.len(), last), (309, "92"));
    let below = format!("{head}91.{}", "9".repeat(500));
    for (text, expected) in [
        (edge.to_owned(), true),
        (below, false),
        (
            format!("{}e-1000", edge.to_owned() + &"0".repeat(1000)),
            true,
        ),
        (format!("0.{}{edge}e1309", "0".repeat(1000)), true),
        (format!("0.{}{edge}e1308", "0".repeat(1000)), false),
        (format!("-{edge}.0"), true),
        ("9".repeat(308), false),
        ("9".repeat(309), true),
        (format!("1{}", "0".repeat(308)), false),
        (format!("1{}", "0".repeat(309)), true),
        ("1e308".into(), false),
        ("1e309".into(), true),
        ("1e99999999999999999999999".into(), true),
        ("1e-99999999999999999999999".into(), false),
        ("0e99999999999999999999999".into(), false),
        // Long texts of a moderate value: the exponent must not be cut short.
        (format!("0.{}1e700300", "0".repeat(700_000)), false),
        (format!("0.{}1e700309", "0".repeat(700_000)), false),
        (format!("0.{}1e700310", "0".repeat(700_000)), true),
        (format!("1{}e-700300", "0".repeat(700_000)), false),
    ] {
        assert_eq!(
            overflows(&text),
            expected,
            "{}…",
            &text[..text.len().min(40)]
        );
        assert_eq!(
            overflows(&format!(
                "{}{text}",
                if text.starts_with('-') { "" } else { "-" }
            )),
            expected
        );
    }
}

/// S8.05: integers by value.
#[test]
fn s8_05_unsigned_integers_by_value() {
    for (text, expected) in [
        ("0", Some(0)),
        ("-0", Some(0)),
        ("-0.0e5", Some(0)),
        ("1.0", Some(1)),
        ("10e-1", Some(1)),
        ("0.12e2", Some(12)),
        ("12e1", Some(120)),
        ("18446744073709551614", Some(u64::MAX - 1)),
        ("18446744073709551616", Some(u64::MAX)),
        ("1e400", Some(u64::MAX)),
        ("1e99999999999999999999999", Some(u64::MAX)),
        ("-1", None),
        ("0.5", None),
        ("10e-2", None),
        ("1e-99999999999999999999999", None),
        ("-1e99999999999999999999999", None),
    ] {
        assert_eq!(unsigned(text), expected, "{text}");
    }
}

/// A number in parts: sign, digits before and after the point, exponent as written.
fn parts() -> impl Strategy<Value = (bool, String, String, Option<String>)> {
    let exponent = prop_oneof![
        "[+-]?[0-9]{1,4}",
        "[+-]?0{0,3}[0-9]{1,36}",
        "[+-]?(9{15,36}|10{15,35})",
    ];
    (
        any::<bool>(),
        "0|[1-9][0-9]{0,30}0{0,5}",
        "|0{0,5}[0-9]{0,20}0{0,5}",
        proptest::option::of(exponent),
    )
}

fn write((negative, head, tail, exponent): &(bool, String, String, Option<String>)) -> String {
    let mut text = format!("{}{head}", if *negative { "-" } else { "" });
    if !tail.is_empty() {
        text += &format!(".{tail}");
    }
    if let Some(exponent) = exponent {
        text += &format!("e{exponent}");
    }
    text
}

/// The value as coefficient digits and exponent, by moving one zero at a time.
fn naive((negative, head, tail, exponent): &(bool, String, String, Option<String>)) -> String {
    let mut digits = format!("{head}{tail}");
    let mut exponent: i128 = exponent.as_ref().map_or(0, |text| text.parse().unwrap());
    exponent -= i128::try_from(tail.len()).unwrap();
    while digits.starts_with('0') {
        digits.remove(0);
    }
    if digits.is_empty() {
        return "0".into();
    }
    while digits.ends_with('0') {
        digits.pop();
        exponent += 1;
    }
    let sign = if *negative { "-" } else { "" };
    if exponent == 0 {
        format!("{sign}{digits}")
    } else {
        format!("{sign}{digits}E{exponent}")
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// S7.04, R-02
    #[test]
    fn s7_04_canonical_equals_a_naive_one(number in parts()) {
        prop_assert_eq!(canonical(&write(&number)), naive(&number));
    }

    /// S2.08: as the correctly rounding parser of the standard library has it.
    #[test]
    fn s2_08_overflow_equals_the_nearest_double(
        digits in "[1-9]\\.?[0-9]{1,400}",
        exponent in -500..500_i32,
    ) {
        let text = format!("{digits}e{exponent}");
        prop_assert_eq!(overflows(&text), text.parse::<f64>().unwrap().is_infinite());
    }

    /// S2.08, at the edge.
    #[test]
    fn s2_08_overflow_near_the_edge(tail in "[0-9]{1,20}") {
        let text = format!("1.79769313486231{tail}e308");
        prop_assert_eq!(overflows(&text), text.parse::<f64>().unwrap().is_infinite());
    }

    /// S8.05
    #[test]
    fn s8_05_unsigned_equals_a_naive_one(number in any::<u64>(), zeros in 0..5_usize, shift in 0..25_i32) {
        let (text, shifted) = (number.to_string(), format!("{number}{}", "0".repeat(zeros)));
        prop_assert_eq!(unsigned(&text), Some(number));
        prop_assert_eq!(unsigned(&format!("{shifted}e-{zeros}")), Some(number));
        prop_assert_eq!(unsigned(&format!("{text}.{}", "0".repeat(zeros + 1))), Some(number));
        let scaled = u128::from(number).checked_mul(10_u128.pow(shift.unsigned_abs() % 19)).unwrap();
        let expected = u64::try_from(scaled).unwrap_or(u64::MAX);
        prop_assert_eq!(unsigned(&format!("{text}e{}", shift % 19)), Some(expected));
    }
}
