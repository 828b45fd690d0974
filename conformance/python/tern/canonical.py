"""Canonical JSON, digests and UTF-16 order (section 14)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from .jsonread import Value
from .numbers import Number

_MUST_ESCAPE = re.compile(r'["\\\x00-\x1f]')
_SHORT_ESCAPES = {
    '"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r",
}


def utf16_key(text: str) -> bytes:
    """Sort key for the order by UTF-16 code unit (section 14)."""
    return text.encode("utf-16-be")


def in_order(texts: Iterable[str]) -> list[str]:
    """The texts in UTF-16 order, each once (S7.06)."""
    return sorted(set(texts), key=utf16_key)


class _Piece(str):
    """Canonical text that is already finished, in the writer's queue of work."""


def canonical_text(value: Value) -> str:
    """Canonical JSON of a value (S7.03, S7.04), without recursion."""
    written: list[str] = []
    todo: list[Value] = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, _Piece):
            written.append(item)
        elif isinstance(item, dict):
            todo.extend(reversed(_object_pieces(item)))
        elif isinstance(item, list):
            todo.extend(reversed(_array_pieces(item)))
        else:
            written.append(_leaf(item))
    return "".join(written)


def digest(value: Value) -> str:
    """SHA-256 over the canonical JSON, in lower-case hexadecimal (S7.05)."""
    return digest_of_text(canonical_text(value))


def digest_of_text(text: str) -> str:
    """SHA-256 of a text in UTF-8, in lower-case hexadecimal."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _object_pieces(members: dict[str, Value]) -> list[Value]:
    pieces: list[Value] = []
    for key in sorted(members, key=utf16_key):
        pieces.append(_Piece(("," if pieces else "{") + _quote(key) + ":"))
        pieces.append(members[key])
    pieces.append(_Piece("}" if pieces else "{}"))
    return pieces


def _array_pieces(entries: list[Value]) -> list[Value]:
    pieces: list[Value] = []
    for entry in entries:
        pieces.append(_Piece("," if pieces else "["))
        pieces.append(entry)
    pieces.append(_Piece("]" if pieces else "[]"))
    return pieces


def _leaf(value: Value) -> str:
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, Number):
        return value.text
    assert isinstance(value, str)
    return _quote(value)


def _quote(text: str) -> str:
    return '"' + _MUST_ESCAPE.sub(_escape, text) + '"'


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    return _SHORT_ESCAPES.get(char) or f"\\u{ord(char):04x}"
