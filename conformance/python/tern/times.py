"""RFC 3339 timestamps, read exactly (A-TIME)."""

from __future__ import annotations

import re
from typing import NamedTuple

_TIME = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})"
    r"(?:\.([0-9]+))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)
_MINUTES_A_DAY = 24 * 60
_DAYS_BEFORE_MONTH = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)


class Instant(NamedTuple):
    """A point in time; instants compare as tuples.

    `second` goes up to 60, so a leap second lies between second 59 and the next minute.
    `fraction` holds the digits after the point without trailing zeros, and such digit
    strings compare like the fractions that they denote.
    """

    minute: int
    second: int
    fraction: str


def read_time(text: str) -> Instant | None:
    """The instant that a timestamp denotes, or None if it is no valid one."""
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(match[i]) for i in range(1, 7))
    if not 1 <= month <= 12 or not 1 <= day <= _days_in_month(year, month):
        return None
    if hour > 23 or minute > 59 or second > 60:
        return None
    offset = 0
    if match[8]:
        offset_hour, offset_minute = int(match[9]), int(match[10])
        if offset_hour > 23 or offset_minute > 59:
            return None
        offset = offset_hour * 60 + offset_minute
        if match[8] == "-":
            offset = -offset
    utc_minute = _day_number(year, month, day) * _MINUTES_A_DAY + hour * 60 + minute - offset
    if second == 60 and not _ends_a_month(utc_minute, year):
        return None
    return Instant(utc_minute, second, (match[7] or "").rstrip("0"))


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_in_month(year: int, month: int) -> int:
    if month == 2:
        return 29 if _is_leap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _day_number(year: int, month: int, day: int) -> int:
    """Days since the first of January of year 0, in the Gregorian calendar."""
    before = year - 1
    leap_days = before // 4 - before // 100 + before // 400 + 1  # year 0 is a leap year
    in_year = _DAYS_BEFORE_MONTH[month - 1] + (1 if month > 2 and _is_leap(year) else 0)
    return year * 365 + leap_days + in_year + day - 1


def _ends_a_month(utc_minute: int, year: int) -> bool:
    """Whether this is the last minute (UTC) of a month; `year` is the local year."""
    day, minute_of_day = divmod(utc_minute + 1, _MINUTES_A_DAY)
    if minute_of_day != 0:
        return False
    # An offset moves the date by one day at most, so the first of the month that follows
    # lies in the local year or in the one after it.
    return any(
        day == _day_number(candidate, month, 1)
        for candidate in (year, year + 1)
        for month in range(1, 13)
    )
