"""Exact decimal numbers, without floats and without big-integer conversions.

A number of a message is never computed with. It is only compared (R-02), tested for
overflow (S2.08) and written canonically (S7.04), so its canonical text is all we keep.
Exponents have no bound, and converting very long digit strings to ``int`` is slow (and
limited by Python), so exponents are handled as text once they are long.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

NUMBER = re.compile(
    r"(?P<sign>-?)(?P<whole>0|[1-9][0-9]*)(?:\.(?P<fraction>[0-9]+))?"
    r"(?:[eE](?P<exp_sign>[+-]?)(?P<exp>[0-9]+))?"
)
"""The number grammar of RFC 8259."""

# Halfway between the greatest double and 2**1024. A tie goes to the even neighbour, which
# is 2**1024, so this value and everything above it rounds to infinity (S2.08).
_FIRST_INFINITE = str(2**1024 - 2**970)

# Exponents up to this many digits are added as integers. The correction that is added to
# an exponent is at most the length of the text, and therefore always far smaller.
_SHORT = 18


@dataclass(frozen=True, slots=True)
class Number:
    """A number, known by its canonical text (S7.04). Equal texts are equal values (R-02)."""

    text: str

    def as_natural(self) -> int | None:
        """The value as an integer of 0 or more, or None if it is none (S8.05).

        A number that passed the overflow test has at most 309 digits before the point, so
        the result is small.
        """
        digits, _, exponent = self.text.partition("E")
        if digits.startswith("-") or exponent.startswith("-"):
            return None
        return int(digits) * 10 ** int(exponent or "0")


def read_number(match: re.Match[str]) -> tuple[Number, bool]:
    """Turn a match of NUMBER into its exact value; the flag says that it overflows (S2.08)."""
    fraction = match["fraction"] or ""
    digits = (match["whole"] + fraction).lstrip("0")
    significant = digits.rstrip("0")
    if not significant:
        return Number("0"), False
    shift = len(digits) - len(significant) - len(fraction)
    exponent = _add(match["exp_sign"] == "-", (match["exp"] or "0").lstrip("0") or "0", shift)
    suffix = "" if exponent == "0" else "E" + exponent
    return Number(match["sign"] + significant + suffix), _overflows(significant, exponent)


def _overflows(significant: str, exponent: str) -> bool:
    """Whether 0.significant, read with its exponent, rounds to infinity (S2.08)."""
    if len(exponent) > _SHORT:
        return not exponent.startswith("-")
    length = len(significant) + int(exponent)
    limit = len(_FIRST_INFINITE)
    if length != limit:
        return length > limit
    return significant.ljust(limit, "0") >= _FIRST_INFINITE


def _add(negative: bool, magnitude: str, shift: int) -> str:
    """Add a small integer to a decimal integer of any length, given by sign and digits."""
    if len(magnitude) <= _SHORT:
        return str((-int(magnitude) if negative else int(magnitude)) + shift)
    # The magnitude is greater than the shift, so the sign stays as it is.
    head, tail = magnitude[:-_SHORT], magnitude[-_SHORT:]
    unit = 10**_SHORT
    low = int(tail) + (-shift if negative else shift)
    if low < 0:
        head, low = _decrement(head), low + unit
    elif low >= unit:
        head, low = _increment(head), low - unit
    return ("-" if negative else "") + (head + str(low).zfill(_SHORT)).lstrip("0")


def _increment(digits: str) -> str:
    kept = digits.rstrip("9")
    zeros = "0" * (len(digits) - len(kept))
    if not kept:
        return "1" + zeros
    return kept[:-1] + str(int(kept[-1]) + 1) + zeros


def _decrement(digits: str) -> str:
    """One less than a positive decimal integer."""
    kept = digits.rstrip("0")
    return kept[:-1] + str(int(kept[-1]) - 1) + "9" * (len(digits) - len(kept))
