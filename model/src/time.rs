//! §2 Time: RFC 3339 as A-TIME restricts it.

/// An exact instant (A-TIME): seconds from the beginning of year 0000 (UTC); whether it is in a leap
/// second, which has the number of the one before it; digits after the dot, without last zeros.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(i64, bool, String);

/// A-TIME: the instant that a text denotes; none if it is no valid time.
pub fn instant(text: &str) -> Option<Instant> {
    let mut rest = text;
    let year = digits(&mut rest, 4, 9999, "-")?;
    let month = digits(&mut rest, 2, 12, "-")?;
    let day = digits(&mut rest, 2, 31, "Tt")?;
    let hour = digits(&mut rest, 2, 23, ":")?;
    let minute = digits(&mut rest, 2, 59, ":")?;
    let second = digits(&mut rest, 2, 60, "")?;
    let mut fraction = "";
    if let Some(after) = rest.strip_prefix('.') {
        let end = after.find(|c: char| !c.is_ascii_digit())?;
        (fraction, rest) = after.split_at_checked(end).filter(|_| end > 0)?;
    }
    let sign = rest.chars().next()?;
    rest = rest.strip_prefix(['Z', 'z', '+', '-'])?;
    let mut offset = 0;
    if sign == '+' || sign == '-' {
        offset = digits(&mut rest, 2, 23, ":")? * 60 + digits(&mut rest, 2, 59, "")?;
    }
    let month_begins = days_before(year, month)?;
    let month_ends = month_begins + days_of_month(year, month)?;
    let date = month_begins + day - 1;
    if !rest.is_empty() || day == 0 || date >= month_ends {
        return None;
    }
    let local = date * 1440 + hour * 60 + minute;
    let utc = local - if sign == '-' { -offset } else { offset };
    // The minute of a second 60 is the last one (UTC) of a month.
    let leap = second == 60;
    if leap && utc + 1 != month_begins * 1440 && utc + 1 != month_ends * 1440 {
        return None;
    }
    let fraction = fraction.trim_end_matches('0').to_string();
    Some(Instant(utc * 60 + second.min(59), leap, fraction))
}

/// Takes so many ASCII digits, with a value up to the largest, and one of the signs, if any.
fn digits(rest: &mut &str, count: usize, largest: i64, signs: &str) -> Option<i64> {
    let (taken, after) = rest.split_at_checked(count)?;
    *rest = match signs {
        "" => after,
        _ => after.strip_prefix(|c| signs.contains(c))?,
    };
    let all = taken.bytes().all(|byte| byte.is_ascii_digit());
    let value = taken.parse().ok().filter(|_| all)?;
    (value <= largest).then_some(value)
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
