//! §1 and §14 Numbers: exact decimal values and their canonical form.

/// An exact decimal value (S2.08): ± digits × 10^exponent. The digits neither begin nor end with zero
/// (zero has none), and the exponent has no bound; so equal values are equal here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Number {
    negative: bool,
    digits: String,
    exponent: String,
}

impl Number {
    /// The value of a text, if it is a number of the JSON grammar.
    pub(crate) fn read(token: &str) -> Option<Number> {
        let unsigned = token.strip_prefix('-').unwrap_or(token);
        let (decimal, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = decimal.split_once('.').unwrap_or((decimal, "0"));
        let down = exponent.starts_with('-');
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if ![whole, fraction, exponent].into_iter().all(are_digits) {
            return None;
        }
        if whole.len() > 1 && whole.starts_with('0') {
            return None;
        }
        let all = format!("{whole}{fraction}");
        let kept = all.trim_end_matches('0');
        let shift = (all.len() - kept.len()) as i64 - fraction.len() as i64;
        let digits = kept.trim_start_matches('0').to_string();
        let is_zero = digits.is_empty();
        let exponent = match is_zero {
            true => String::from("0"),
            false => add(down, exponent.trim_start_matches('0'), shift),
        };
        Some(Number {
            negative: !is_zero && token.starts_with('-'),
            digits,
            exponent,
        })
    }

    /// S8.05: whether it is an integer of 0 or more by value.
    pub(crate) fn is_count(&self) -> bool {
        !self.negative && !self.exponent.starts_with('-')
    }

    /// S2.08: whether rounding to the nearest double, ties to even, stays finite.
    pub(crate) fn is_finite(&self) -> bool {
        let Ok(exponent) = self.exponent.parse::<i64>() else {
            return self.exponent.starts_with('-');
        };
        // The value is 0.digits × 10^magnitude, and doubles end near 0.18 × 10^309.
        let magnitude = exponent.saturating_add(self.digits.len() as i64);
        if magnitude != 309 {
            return magnitude < 309;
        }
        let rounded = format!("0.{}e309", self.digits).parse::<f64>();
        rounded.is_ok_and(f64::is_finite)
    }

    /// S7.04: the canonical form.
    pub(crate) fn canonical(&self) -> String {
        let sign = if self.negative { "-" } else { "" };
        match (self.digits.as_str(), self.exponent.as_str()) {
            ("", _) => String::from("0"),
            (digits, "0") => format!("{sign}{digits}"),
            (digits, exponent) => format!("{sign}{digits}E{exponent}"),
        }
    }
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The integer ±digits plus a shift, exactly; the digits do not begin with zero and may be many.
fn add(negative: bool, digits: &str, shift: i64) -> String {
    if digits.len() <= 18 {
        let value = digits.parse::<i64>().unwrap_or(0);
        return (if negative { -value } else { value } + shift).to_string();
    }
    // It is larger than any shift, so the sign stays: count digit by digit from the end.
    let mut carry = if negative { -shift } else { shift };
    let mut sum: Vec<u8> = digits.bytes().map(|byte| byte - b'0').collect();
    for digit in sum.iter_mut().rev() {
        carry += i64::from(*digit);
        *digit = carry.rem_euclid(10) as u8;
        carry = carry.div_euclid(10);
    }
    let tail: String = sum.iter().map(|digit| char::from(b'0' + digit)).collect();
    let all = format!("{carry}{tail}");
    let sign = if negative { "-" } else { "" };
    format!("{sign}{}", all.trim_start_matches('0'))
}
