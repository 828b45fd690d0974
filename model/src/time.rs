//! §2 Time: RFC 3339 as A-TIME restricts it.

/// An exact instant (A-TIME). A leap second comes after the second before it, and before the next
/// minute.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant {
    /// Seconds since the beginning of year 0000 (UTC), where a leap second has the number of the one
    /// before it.
    second: i64,
    leap: bool,
    /// The digits after the dot, without zeros at the end.
    fraction: String,
}

/// A-TIME: the instant that a text denotes; none if it is no valid time.
pub fn instant(text: &str) -> Option<Instant> {
    let mut rest = text;
    let year = digits(&mut rest, 4, 9999)?;
    sign(&mut rest, "-")?;
    let month = digits(&mut rest, 2, 12)?;
    sign(&mut rest, "-")?;
    let day = digits(&mut rest, 2, 31)?;
    sign(&mut rest, "Tt")?;
    let hour = digits(&mut rest, 2, 23)?;
    sign(&mut rest, ":")?;
    let minute = digits(&mut rest, 2, 59)?;
    sign(&mut rest, ":")?;
    let second = digits(&mut rest, 2, 60)?;
    let mut fraction = "";
    if sign(&mut rest, ".").is_some() {
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        (fraction, rest) = rest.split_at_checked(end).filter(|_| end > 0)?;
    }
    let direction = sign(&mut rest, "Zz+-")?;
    let mut offset = 0;
    if direction == '+' || direction == '-' {
        let hours = digits(&mut rest, 2, 23)?;
        sign(&mut rest, ":")?;
        offset = hours * 60 + digits(&mut rest, 2, 59)?;
    }
    let month_begins = days_before(year, month)?;
    let month_ends = month_begins + days_of_month(year, month)?;
    let date = month_begins + day - 1;
    if !rest.is_empty() || day == 0 || date >= month_ends {
        return None;
    }
    let local = date * 1440 + hour * 60 + minute;
    let utc = if direction == '-' {
        local + offset
    } else {
        local - offset
    };
    // The minute of a second 60 is the last one (UTC) of a month.
    let leap = second == 60;
    if leap && utc + 1 != month_begins * 1440 && utc + 1 != month_ends * 1440 {
        return None;
    }
    let fraction = fraction.trim_end_matches('0').to_string();
    let second = utc * 60 + second.min(59);
    Some(Instant {
        second,
        leap,
        fraction,
    })
}

/// Takes exactly so many ASCII digits, whose value is no larger than the largest.
fn digits(rest: &mut &str, count: usize, largest: i64) -> Option<i64> {
    let (taken, after) = rest.split_at_checked(count)?;
    *rest = after;
    let all = taken.bytes().all(|byte| byte.is_ascii_digit());
    let value = taken.parse().ok().filter(|_| all)?;
    (value <= largest).then_some(value)
}

/// Takes one of the characters that are wanted.
fn sign(rest: &mut &str, wanted: &str) -> Option<char> {
    let c = rest.chars().next().filter(|c| wanted.contains(*c))?;
    *rest = rest.strip_prefix(c)?;
    Some(c)
}

/// The Gregorian calendar; year 0000 is a leap year.
fn days_of_month(year: i64, month: i64) -> Option<i64> {
    let is_leap_year = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 if is_leap_year => Some(29),
        2 => Some(28),
        _ => None,
    }
}

/// The days from the beginning of year 0000 to the first of a month.
fn days_before(year: i64, month: i64) -> Option<i64> {
    let leap_days = (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400;
    let months = (1..month).map(|earlier| days_of_month(year, earlier));
    Some(year * 365 + leap_days + months.sum::<Option<i64>>()?)
}
