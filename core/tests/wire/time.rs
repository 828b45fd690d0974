//! Timestamps against a naive calendar.

use proptest::prelude::*;
use tern_core::message::Timestamp;

fn is_valid(text: &str) -> bool {
    Timestamp::new(text).is_ok()
}

/// A-TIME
#[test]
fn a_time_grammar() {
    let good = [
        "2026-11-30T12:00:00Z",
        "2026-11-30t12:00:00z",
        "0000-01-01T00:00:00Z",
        "0000-02-29T00:00:00Z",
        "9999-12-31T23:59:59.999999999999999999999999999999999999Z",
        "2024-02-29T00:00:00-00:00",
        "2000-02-29T00:00:00+23:59",
        "2026-11-30T00:00:00.0-23:59",
    ];
    for text in good {
        assert!(is_valid(text), "{text}");
    }
    let bad = [
        "",
        "2026-11-30",
        "2026-11-30 12:00:00Z",
        "2026-11-30T12:00Z",
        "2026-11-30T12:00:00",
        "2026-11-30T12:00:00.Z",
        "2026-11-30T12:00:00,5Z",
        "2026-11-30T24:00:00Z",
        "2026-11-30T12:60:00Z",
        "2026-11-30T12:00:61Z",
        "2026-00-30T12:00:00Z",
        "2026-13-30T12:00:00Z",
        "2026-11-00T12:00:00Z",
        "2026-11-31T12:00:00Z",
        "2026-02-29T12:00:00Z",
        "1900-02-29T12:00:00Z",
        "2026-11-30T12:00:00+24:00",
        "2026-11-30T12:00:00+1:00",
        "2026-11-30T12:00:00+01:60",
        "2026-11-30T12:00:00+0100",
        "2026-11-30T12:00:00Z ",
        " 2026-11-30T12:00:00Z",
        "+2026-11-30T12:00:00Z",
        "26-11-30T12:00:00Z",
        "12026-11-30T12:00:00Z",
        "2026-W48-1T12:00:00Z",
        "2026-11-3\u{663}T12:00:00Z",
        "2026-11-30T12:00:00Z\0",
        "2026-11-30T12:00:00z+01:00",
    ];
    for text in bad {
        assert!(!is_valid(text), "{text}");
    }
}

/// A-TIME: a leap second only in the last minute of a month, by UTC.
#[test]
fn a_time_leap_seconds() {
    for text in [
        "2016-12-31T23:59:60Z",
        "2026-11-30T23:59:60.999Z",
        "2024-02-29T23:59:60Z",
        "2026-02-28T23:59:60Z",
        "2017-01-01T00:59:60+01:00",
        "2016-12-31T00:00:60-23:59",
        "2026-12-01T23:58:60+23:59",
        "0000-01-01T00:58:60+00:59",
        "9999-12-31T22:59:60-01:00",
    ] {
        assert!(is_valid(text), "{text}");
    }
    for text in [
        "2016-12-30T23:59:60Z",
        "2024-02-28T23:59:60Z",
        "2016-12-31T23:58:60Z",
        "2016-12-31T23:59:60+01:00",
        "2016-12-31T22:59:60Z",
        "2017-01-01T00:00:60Z",
    ] {
        assert!(!is_valid(text), "{text}");
    }
    let instant = |text| Timestamp::new(text).unwrap().instant();
    let leap = instant("2016-12-31T23:59:60.5Z");
    assert!(instant("2016-12-31T23:59:59.999Z") < instant("2016-12-31T23:59:60Z"));
    assert!(
        instant("2016-12-31T23:59:60Z") < leap && leap < instant("2016-12-31T23:59:60.50000001Z")
    );
    assert!(leap < instant("2017-01-01T00:00:00Z"));
    assert_eq!(leap, instant("2017-01-01T01:59:60.50+02:00"));
    assert_eq!((leap.second(), leap.fraction()), (60, "5"));
    assert_eq!(instant("1970-01-01T00:01:00Z").minute(), 1);
}

/// Days of a month, by heart.
fn days(year: i64, month: usize) -> i64 {
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    [
        31,
        if leap { 29 } else { 28 },
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ][month - 1]
}

/// Minutes since year 0, counted year by year and month by month; then second and fraction, and
/// whether a leap second may stand there.
fn naive(text: &str) -> Option<(i64, i64, String)> {
    let number = |at: usize, length: usize| -> Option<i64> {
        let digits = text.get(at..at + length)?;
        digits
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| digits.parse().unwrap())
    };
    let is = |at: usize, allowed: &str| {
        text.get(at..=at)
            .is_some_and(|found| allowed.contains(found))
    };
    let (year, month, day) = (number(0, 4)?, number(5, 2)?, number(8, 2)?);
    let (hour, minute, second) = (number(11, 2)?, number(14, 2)?, number(17, 2)?);
    let separators = is(4, "-") && is(7, "-") && is(10, "Tt") && is(13, ":") && is(16, ":");
    let month_index = usize::try_from(month).unwrap();
    if !separators || !(1..=12).contains(&month) || !(1..=days(year, month_index)).contains(&day) {
        return None;
    }
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let mut at = 19;
    let mut fraction = String::new();
    if is(at, ".") {
        fraction = text[20..]
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        at = 20 + fraction.len();
        if fraction.is_empty() {
            return None;
        }
    }
    let mut offset = 0;
    if is(at, "+-") {
        let (hours, minutes) = (number(at + 1, 2)?, number(at + 4, 2)?);
        if !is(at + 3, ":") || hours > 23 || minutes > 59 || text.len() != at + 6 {
            return None;
        }
        offset = (hours * 60 + minutes) * if is(at, "-") { -1 } else { 1 };
    } else if !is(at, "Zz") || text.len() != at + 1 {
        return None;
    }
    let mut month_starts = vec![0];
    for year in 0..=year + 1 {
        for month in 1..=12 {
            month_starts.push(month_starts.last().unwrap() + days(year, month) * 1440);
        }
    }
    let month_start = month_starts[usize::try_from(year).unwrap() * 12 + month_index - 1];
    let utc = month_start + (day - 1) * 1440 + hour * 60 + minute - offset;
    // Offsets reach back before year 0 only into December.
    if second == 60 && !(month_starts.contains(&(utc + 1))) {
        return None;
    }
    Some((utc, second, format!("{fraction:0<40}")))
}

fn near_valid() -> impl Strategy<Value = String> {
    prop_oneof![
        "(0000|1900|2000|2024|2026|9999)-(0[0-9]|1[0-3])-([0-2][0-9]|3[0-2])[Tt]([01][0-9]|2[0-4]):([0-5][0-9]|60):([0-5][0-9]|6[01])(\\.[0-9]{1,4})?([Zz]|[+-]([01][0-9]|2[0-4]):([0-5][0-9]|60))",
        "20(24-02-2[89]|23-02-2[89]|26-12-31|27-01-01)T(23:59|00:59|22:59|00:00):(59|60)(\\.[05]{1,3})?(Z|[+-](00|01|23):(00|59))",
        "[0-9]{4}-[01][0-9]-[0-3][0-9][Tt ][0-2][0-9]:[0-6][0-9]:[0-6][0-9](\\.[0-9]{0,3})?[Zz+-]?([0-2][0-9]:?[0-6][0-9])?",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// A-TIME: the same timestamps are valid, and their instants are in the same order.
    #[test]
    fn a_time_equals_a_naive_calendar(one in near_valid(), other in near_valid()) {
        let read = |text: &str| Timestamp::new(text.to_owned()).ok().map(|time| time.instant());
        prop_assert_eq!(read(&one).is_some(), naive(&one).is_some(), "{}", one);
        prop_assert_eq!(read(&other).is_some(), naive(&other).is_some(), "{}", other);
        if let (Some(a), Some(b), Some(x), Some(y)) =
            (read(&one), read(&other), naive(&one), naive(&other))
        {
            prop_assert_eq!(a.cmp(&b), x.cmp(&y), "{} {}", one, other);
            prop_assert_eq!(a.minute() - b.minute(), x.0 - y.0);
        }
    }

    /// A-TIME, T1.34: nothing else panics.
    #[test]
    fn a_time_takes_anything(text in any::<String>()) {
        prop_assert_eq!(is_valid(&text), naive(&text).is_some());
    }
}
