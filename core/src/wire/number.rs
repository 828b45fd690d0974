//! JSON numbers by their exact decimal value (R-02, S2.08, S7.04).

use alloc::format;
use alloc::string::{String, ToString as _};
use core::cmp::Ordering;

use crate::planted::{self, Fault};

/// A number as written. Nothing is rounded, however long it is.
///
/// Equality is that of the spelling; compare [`Number::canonical`] for the value.
///
/// ```
/// use tern_core::wire::{Json, JsonOptions};
/// let json = Json::read(b"0.50", JsonOptions::default()).unwrap();
/// let number = json.root().as_number().unwrap();
/// assert_eq!((number.as_str(), number.canonical().as_str()), ("0.50", "5E-1"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Number<'a>(&'a str);

/// An exponent: most fit a machine word, and the others are digits.
enum Exponent<'a> {
    Small(i64),
    /// More than 18 digits, without leading zeros.
    Huge {
        negative: bool,
        digits: &'a str,
    },
}

/// A number taken apart: `±(head tail) · 10^(exponent + shift)`, where the digits of `head` and
/// `tail` in a row begin and end with another digit than 0, or are none at all for zero.
struct Decimal<'a> {
    negative: bool,
    head: &'a str,
    tail: &'a str,
    exponent: Exponent<'a>,
    shift: i64,
}

impl<'a> Number<'a> {
    /// Takes a text that the reader has found to be a JSON number.
    pub(super) const fn read(source: &'a str) -> Self {
        Self(source)
    }

    /// The number as written.
    #[must_use]
    pub const fn as_str(self) -> &'a str {
        self.0
    }

    /// The one spelling of its value: `c` or `cEx`, with an integer `c` without trailing zeros and
    /// an exponent `x` other than 0 (S7.04). Zero of either sign is `0`.
    #[must_use]
    pub fn canonical(self) -> String {
        if planted::is(Fault::NumbersAsDoubles)
            && let Some(double) = planted::as_double(self.0)
        {
            return Number(&double).canonical();
        }
        let number = self.decimal();
        if number.is_zero() {
            return "0".into();
        }
        let sign = if number.negative { "-" } else { "" };
        let exponent = match number.exponent {
            Exponent::Small(exponent) if exponent.saturating_add(number.shift) == 0 => {
                return [sign, number.head, number.tail].concat();
            }
            Exponent::Small(exponent) => exponent.saturating_add(number.shift).to_string(),
            // A shift is no longer than the text, so a huge exponent keeps its sign.
            Exponent::Huge { negative, digits } => {
                let shift = if negative {
                    -number.shift
                } else {
                    number.shift
                };
                [if negative { "-" } else { "" }, &add(digits, shift)].concat()
            }
        };
        [sign, number.head, number.tail, "E", &exponent].concat()
    }

    /// The value if it is an integer of at least 0, however it is written (`1.0`, `10e-1`, `-0`);
    /// [`u64::MAX`] for all that are at least as large (S8.05).
    #[must_use]
    pub fn as_unsigned_integer(self) -> Option<u64> {
        let number = self.decimal();
        if number.is_zero() {
            return Some(0);
        }
        let zeros = number.exponent_plus(0);
        if number.negative || zeros < 0 {
            return None;
        }
        let digits = number
            .head
            .bytes()
            .chain(number.tail.bytes())
            .map(|byte| byte - b'0');
        let value = digits.fold(0_u64, |value, digit| {
            value.saturating_mul(10).saturating_add(u64::from(digit))
        });
        let zeros = u32::try_from(zeros).unwrap_or(u32::MAX);
        Some(value.saturating_mul(10_u64.saturating_pow(zeros)))
    }

    /// Whether the nearest double is infinite (S2.08).
    #[must_use]
    pub fn overflows_double(self) -> bool {
        // Without an exponent it takes 309 digits.
        if self.0.len() < 309 && !self.0.contains(['e', 'E']) {
            return false;
        }
        let number = self.decimal();
        let length = i64::try_from(number.head.len() + number.tail.len()).unwrap_or(i64::MAX);
        match number.exponent_plus(length.saturating_sub(1)).cmp(&308) {
            _ if number.is_zero() => false,
            Ordering::Less => false,
            Ordering::Greater => true,
            // Both are digit strings after the same point, without trailing zeros.
            Ordering::Equal => number
                .head
                .bytes()
                .chain(number.tail.bytes())
                .ge(INFINITE.bytes()),
        }
    }

    fn decimal(self) -> Decimal<'a> {
        let (negative, rest) = self
            .0
            .strip_prefix('-')
            .map_or((false, self.0), |rest| (true, rest));
        let (digits, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let (head, tail) = digits.split_once('.').unwrap_or((digits, ""));
        let tail = tail.trim_end_matches('0');
        let (head, tail, shift) = if tail.is_empty() {
            let head_kept = head.trim_end_matches('0');
            (head_kept, "", length(head) - length(head_kept))
        } else if head == "0" {
            ("", tail.trim_start_matches('0'), -length(tail))
        } else {
            (head, tail, -length(tail))
        };
        Decimal {
            negative,
            head,
            tail,
            exponent: Exponent::read(exponent),
            shift,
        }
    }
}

impl Decimal<'_> {
    const fn is_zero(&self) -> bool {
        self.head.is_empty() && self.tail.is_empty()
    }

    /// The exponent of ten with something added; out of range it stops at the end of the range.
    fn exponent_plus(&self, more: i64) -> i64 {
        match self.exponent {
            Exponent::Small(exponent) => exponent.saturating_add(self.shift).saturating_add(more),
            Exponent::Huge { negative: true, .. } => i64::MIN,
            Exponent::Huge {
                negative: false, ..
            } => i64::MAX,
        }
    }
}

impl<'a> Exponent<'a> {
    fn read(text: &'a str) -> Self {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let digits = digits.trim_start_matches('0');
        if digits.len() > 18 {
            return Self::Huge { negative, digits };
        }
        let magnitude = digits
            .bytes()
            .fold(0_i64, |value, byte| value * 10 + i64::from(byte - b'0'));
        Self::Small(if negative { -magnitude } else { magnitude })
    }
}

/// Adds a machine word to a longer natural number in decimal digits.
fn add(digits: &str, more: i64) -> String {
    let mut carry = more;
    let mut sum: alloc::vec::Vec<u8> = alloc::vec::Vec::with_capacity(digits.len() + 1);
    for byte in digits.bytes().rev() {
        let digit = carry.saturating_add(i64::from(byte - b'0'));
        sum.push(b'0' + u8::try_from(digit.rem_euclid(10)).unwrap_or(0));
        carry = digit.div_euclid(10);
    }
    let low: String = sum.into_iter().rev().map(char::from).collect();
    if carry > 0 {
        format!("{carry}{low}")
    } else {
        low.trim_start_matches('0').into()
    }
}

fn length(text: &str) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}

/// The digits of 2^1024 - 2^970, the least number that rounds to infinity: it lies halfway between
/// the largest double and what would be the next, and ties go to the even one. 309 digits less the
/// trailing zeros.
const INFINITE: &str = "\
    17976931348623158079372897140530341507993413271003782693617377898044496829276475\
    09466490179775872070963302864166928879109465555478519404026306574886715058206819\
    08902000708383676273854845817711531764475730270069855571366959622842914819860834\
    936475292719074168444365510704342711559699508093042880177904174497792";
