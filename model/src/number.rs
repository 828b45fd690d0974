//! §1 and §14 Numbers: exact decimal values and their canonical form.

/// An exact decimal value. Equal values have the same canonical form (R-02, S7.04).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Number {
    pub canonical: String,
    /// S2.08: whether rounding to the nearest double, ties to even, stays finite.
    pub is_finite: bool,
}

impl Number {
    /// The value of a text, if it is a number of the JSON grammar: ± digits × 10^exponent, with
    /// digits that neither begin nor end with zero and an exponent without bound (S7.04).
    pub(crate) fn read(token: &str) -> Option<Number> {
        let unsigned = token.strip_prefix('-').unwrap_or(token);
        let (decimal, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = decimal.split_once('.').unwrap_or((decimal, "0"));
        let down = exponent.starts_with('-');
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let is_digits = |t: &str| !t.is_empty() && t.bytes().all(|byte| byte.is_ascii_digit());
        let are_digits = [whole, fraction, exponent].into_iter().all(is_digits);
        if !are_digits || whole.len() > 1 && whole.starts_with('0') {
            return None;
        }
        let all = format!("{whole}{fraction}");
        let kept = all.trim_end_matches('0');
        let shift = (all.len() - kept.len()) as i64 - fraction.len() as i64;
        let exponent = add(down, exponent.trim_start_matches('0'), shift);
        let digits = kept.trim_start_matches('0');
        let sign = if token.starts_with('-') { "-" } else { "" };
        let canonical = match (digits, exponent.as_str()) {
            ("", _) => String::from("0"),
            (digits, "0") => format!("{sign}{digits}"),
            (digits, exponent) => format!("{sign}{digits}E{exponent}"),
        };
        let is_finite = digits.is_empty() || is_finite(digits, &exponent);
        Some(Number {
            canonical,
            is_finite,
        })
    }

    /// S8.05: whether it is an integer of 0 or more by value.
    pub(crate) fn is_count(&self) -> bool {
        !self.canonical.contains('-')
    }
}

/// S2.08: the value is 0.digits × 10^magnitude, and doubles end near 0.18 × 10^309.
fn is_finite(digits: &str, exponent: &str) -> bool {
    let Ok(exponent) = exponent.parse::<i64>() else {
        return exponent.starts_with('-');
    };
    let magnitude = exponent.saturating_add(digits.len() as i64);
    let rounded = format!("0.{digits}e309").parse::<f64>();
    magnitude < 309 || magnitude == 309 && rounded.is_ok_and(f64::is_finite)
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
