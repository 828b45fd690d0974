//! RFC 3339 timestamps: kept as written, compared exactly as instants (A-TIME).

use crate::Code;
use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use serde::{Serialize, Serializer};

/// An RFC 3339 timestamp as written (A-TIME).
///
/// `T` and `Z` in either case, no space; any number of fraction digits; `-00:00` and year 0000
/// allowed; an offset up to 23:59; second 60 only at 23:59 UTC on the last day of a month.
///
/// Two timestamps are equal when they are *written* alike, and they have no order, as that of the
/// texts would not be that of time: compare [`Timestamp::instant`] where time matters.
///
/// ```
/// use tern_core::{Code, message::Timestamp};
/// let here = Timestamp::new("2026-11-30T12:00:00+01:00").unwrap();
/// let there = Timestamp::new("2026-11-30t11:00:00.000z").unwrap();
/// assert_ne!(here, there);
/// assert_eq!(here.instant(), there.instant());
/// assert_eq!(Timestamp::new("2026-11-31T12:00:00Z"), Err(Code::BadTimestamp));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Timestamp<'a> {
    // INVARIANT: the other fields follow from the text, so comparing the text decides.
    text: Cow<'a, str>,
    minute: i64,
    second: u8,
    fraction_digits: usize,
}

impl<'a> Timestamp<'a> {
    /// Checks a timestamp and keeps it as it is.
    ///
    /// # Errors
    ///
    /// [`Code::BadTimestamp`] for anything else.
    pub fn new(text: impl Into<Cow<'a, str>>) -> Result<Self, Code> {
        let text = text.into();
        let (minute, second, fraction_digits) = parse(&text).ok_or(Code::BadTimestamp)?;
        Ok(Self {
            text,
            minute,
            second,
            fraction_digits,
        })
    }

    /// The timestamp as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The same value, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> Timestamp<'static> {
        Timestamp {
            text: Cow::Owned(self.text.into_owned()),
            ..self
        }
    }

    /// The instant that it names.
    #[must_use]
    pub fn instant(&self) -> Instant {
        let digits = FRACTION..FRACTION.saturating_add(self.fraction_digits);
        Instant {
            minute: self.minute,
            second: self.second,
            fraction: self.text.get(digits).unwrap_or_default().into(),
        }
    }
}

impl fmt::Display for Timestamp<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl AsRef<str> for Timestamp<'_> {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl Serialize for Timestamp<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// A point in time (A-TIME), exact: no digit is rounded off, and a leap second lies between :59 and the
/// next minute.
///
/// It borrows nothing, and allocates only for a fraction.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Instant {
    // INVARIANT: the derived order goes by minute, second, fraction. Digit strings without
    // trailing zeros compare as the fractions that they are.
    minute: i64,
    second: u8,
    fraction: String,
}

impl Instant {
    /// Whole minutes since 1970-01-01T00:00Z; negative before.
    #[must_use]
    pub const fn minute(&self) -> i64 {
        self.minute
    }

    /// The second within the minute, 0 to 60.
    #[must_use]
    pub const fn second(&self) -> u8 {
        self.second
    }

    /// The digits of the fraction of the second, without trailing zeros.
    #[must_use]
    pub fn fraction(&self) -> &str {
        &self.fraction
    }
}

impl Instant {
    /// The instant of these parts, if a timestamp can name it.
    pub(crate) fn from_parts(minute: i64, second: u8, fraction: &str) -> Option<Self> {
        let years = days_since_epoch(0, 1, 1)..days_since_epoch(10_000, 1, 1);
        // An offset moves a minute by less than a day.
        let is_near = ((years.start - 1) * MINUTES_PER_DAY..(years.end + 1) * MINUTES_PER_DAY)
            .contains(&minute);
        let is_second = second < 60 || second == 60 && is_near && ends_a_month(minute);
        let is_fraction =
            fraction.bytes().all(|byte| byte.is_ascii_digit()) && !fraction.ends_with('0');
        (is_near && is_second && is_fraction).then(|| Self {
            minute,
            second,
            fraction: fraction.into(),
        })
    }
}

/// Where the fraction begins: after `YYYY-MM-DDThh:mm:ss.`
const FRACTION: usize = 20;

const MINUTES_PER_DAY: i64 = 24 * 60;

/// The UTC minute, the second, and the number of fraction digits without trailing zeros.
fn parse(text: &str) -> Option<(i64, u8, usize)> {
    let mut rest = Rest(text.as_bytes());
    let year = rest.number(4)?;
    rest.one_of(b"-")?;
    let month = rest.number(2).filter(|month| (1..=12).contains(month))?;
    rest.one_of(b"-")?;
    let day = rest
        .number(2)
        .filter(|&day| (1..=days_in_month(year, month)).contains(&day))?;
    rest.one_of(b"Tt")?;
    let (hour, minute) = rest.hour_and_minute()?;
    rest.one_of(b":")?;
    let second = rest.number(2).filter(|&second| second <= 60)?;
    let fraction_digits = rest.fraction()?;
    let offset = match rest.one_of(b"Zz+-")? {
        sign @ (b'+' | b'-') => {
            let (hours, minutes) = rest.hour_and_minute()?;
            let offset = hours * 60 + minutes;
            if sign == b'-' { -offset } else { offset }
        }
        _ => 0,
    };
    if !rest.0.is_empty() {
        return None;
    }
    let minute = days_since_epoch(year, month, day) * MINUTES_PER_DAY + hour * 60 + minute - offset;
    if second == 60 && !ends_a_month(minute) {
        return None;
    }
    Some((minute, u8::try_from(second).ok()?, fraction_digits))
}

/// What of the timestamp is still to be read.
struct Rest<'t>(&'t [u8]);

impl Rest<'_> {
    /// One of these bytes.
    fn one_of(&mut self, allowed: &[u8]) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        allowed.contains(&first).then(|| {
            self.0 = rest;
            first
        })
    }

    /// Exactly so many ASCII digits.
    fn number(&mut self, digits: usize) -> Option<i64> {
        let (number, rest) = self.0.split_at_checked(digits)?;
        self.0 = rest;
        number.iter().try_fold(0, |value, byte| {
            byte.is_ascii_digit()
                .then(|| value * 10 + i64::from(byte - b'0'))
        })
    }

    /// `hh:mm`, up to 23:59.
    fn hour_and_minute(&mut self) -> Option<(i64, i64)> {
        let hour = self.number(2).filter(|&hour| hour < 24)?;
        self.one_of(b":")?;
        let minute = self.number(2).filter(|&minute| minute < 60)?;
        Some((hour, minute))
    }

    /// A point and at least one digit, if there is a point; the number of digits that count.
    fn fraction(&mut self) -> Option<usize> {
        if self.one_of(b".").is_none() {
            return Some(0);
        }
        let end = self
            .0
            .iter()
            .position(|byte| !byte.is_ascii_digit())
            .unwrap_or(self.0.len());
        let (digits, rest) = self.0.split_at_checked(end)?;
        self.0 = rest;
        let significant = digits
            .iter()
            .rposition(|&digit| digit != b'0')
            .map_or(0, |last| last + 1);
        (!digits.is_empty()).then_some(significant)
    }
}

const fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 in the proleptic Gregorian calendar. Counts from 1 March of year 0, so that
/// the leap day is the last of its year.
const fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days_before_month = (153 * month + 2) / 5;
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leap_days + days_before_month + day - 1 - DAYS_TO_EPOCH
}

/// From 1 March of year 0 to 1970-01-01.
const DAYS_TO_EPOCH: i64 = 719_468;

/// Whether this is minute 23:59 UTC of the last day of a month.
fn ends_a_month(minute: i64) -> bool {
    let next = minute + 1;
    if next.rem_euclid(MINUTES_PER_DAY) != 0 {
        return false;
    }
    let day = next.div_euclid(MINUTES_PER_DAY);
    // The year by a guess that is off by at most one, then by looking.
    let year = (day * 400).div_euclid(146_097) + 1970;
    (year - 1..=year + 1).any(|year| (1..=12).any(|month| days_since_epoch(year, month, 1) == day))
}
