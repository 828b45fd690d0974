"""A strict JSON reader (section 1), written without recursion.

The grammar is that of RFC 8259. Text outside the grammar raises `JsonError`. Three things
are inside the grammar and refused by Tern all the same: repeated keys, numbers that are
not finite, and escaped halves of surrogate pairs. The reader notes these as *flaws* and
reads on, because section 16 asks for a reading "by the grammar of JSON" in which they do
not count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple, Union

from .numbers import NUMBER, Number, read_number

Value = Union[None, bool, str, Number, list["Value"], dict[str, "Value"]]

_SPACE = re.compile(r"[ \t\n\r]*")
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
_HEX4 = re.compile(r"[0-9A-Fa-f]{4}")
_LOW_HALF = re.compile(r"\\u([dD][c-fC-F][0-9A-Fa-f]{2})")
_ESCAPES = {
    '"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t",
}
_LITERALS: tuple[tuple[str, Value], ...] = (("true", True), ("false", False), ("null", None))


class JsonError(Exception):
    """The text is refused; `code` is one of the codes of stage 1 (S2.03)."""

    def __init__(self, code: str, offset: int) -> None:
        super().__init__(code)
        self.code = code
        self.offset = offset


class Flaw(NamedTuple):
    """Something that the grammar allows and Tern does not."""

    code: str
    offset: int


@dataclass
class Parsed:
    """A value with its flaws, and where the watched member stands in the text."""

    value: Value = None
    flaws: list[Flaw] = field(default_factory=list)
    span: tuple[int, int] | None = None


def decode(data: bytes) -> str:
    """The text of the bytes; no byte-order mark and nothing but UTF-8 (T1.01, S2.04)."""
    if data.startswith(b"\xef\xbb\xbf"):
        raise JsonError("byte_order_mark", 0)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise JsonError("not_utf8", error.start) from None


def parse(text: str, *, max_depth: int | None = None, watch: tuple[str, ...] = ()) -> Parsed:
    """Read one JSON value and nothing after it but white space (T1.02, T1.06).

    `max_depth` counts the outermost object as level 1 (S2.06). `watch` is a path of keys;
    the place of the value under it is reported as `span` (S8.07).
    """
    return _Reader(text, max_depth, watch).read()


def read_strict_object(text: str, max_depth: int | None = None) -> dict[str, Value]:
    """Read one JSON object without flaws, as section 1 demands."""
    parsed = parse(text, max_depth=max_depth)
    if parsed.flaws:
        raise JsonError(*parsed.flaws[0])
    if not isinstance(parsed.value, dict):
        raise JsonError("not_an_object", 0)
    return parsed.value


def read_object_by_grammar(data: bytes) -> dict[str, Value] | None:
    """The object that the bytes are by the grammar of JSON, else None (S8.10, S8.11)."""
    try:
        value = parse(decode(data)).value
    except JsonError:
        return None
    return value if isinstance(value, dict) else None


class _Frame:
    """An array or object that is still open, and the key whose value is being read."""

    __slots__ = ("container", "key")

    def __init__(self, container: list[Value] | dict[str, Value]) -> None:
        self.container = container
        self.key = ""


class _Reader:
    def __init__(self, text: str, max_depth: int | None, watch: tuple[str, ...]) -> None:
        self.text = text
        self.pos = 0
        self.max_depth = max_depth
        self.watch = watch
        self.stack: list[_Frame] = []
        self.result = Parsed()

    def read(self) -> Parsed:
        self._skip_space()
        if self.pos == len(self.text):
            raise JsonError("empty", self.pos)
        self.result.value = self._read_value()
        self._skip_space()
        if self.pos != len(self.text):
            raise JsonError("trailing_text", self.pos)
        return self.result

    def _read_value(self) -> Value:
        """Read a value of any depth; `self.stack` takes the place of recursion."""
        start = 0
        while True:
            if self._is_watched():
                start = self.pos
            opened = self._open_container()
            if opened:
                continue
            value = self._read_leaf() if opened is None else self.stack.pop().container
            while self.stack:
                if self._is_watched():
                    self.result.span = (start, self.pos)
                if self._store_and_go_on(value):
                    break
                value = self.stack.pop().container
            else:
                return value

    def _is_watched(self) -> bool:
        return len(self.stack) == len(self.watch) > 0 and all(
            frame.key == key for frame, key in zip(self.stack, self.watch)
        )

    def _open_container(self) -> bool | None:
        """Open an array or object here. False: it was empty; None: there is none here."""
        char = self._peek()
        if char == "{":
            self.stack.append(_Frame({}))
        elif char == "[":
            self.stack.append(_Frame([]))
        else:
            return None
        if self.max_depth is not None and len(self.stack) > self.max_depth:
            raise JsonError("too_deep", self.pos)
        self.pos += 1
        self._skip_space()
        if self._peek() == ("}" if char == "{" else "]"):
            self.pos += 1
            return False
        if char == "{":
            self._read_key()
        return True

    def _store_and_go_on(self, value: Value) -> bool:
        """Store a finished value; True if another follows, False if the container ends."""
        frame = self.stack[-1]
        if isinstance(frame.container, dict):
            frame.container[frame.key] = value
            closing = "}"
        else:
            frame.container.append(value)
            closing = "]"
        frame.key = ""
        self._skip_space()
        char = self._peek()
        if char not in (",", closing):
            raise JsonError("malformed_json", self.pos)
        self.pos += 1
        if char == closing:
            return False
        self._skip_space()
        if closing == "}":
            self._read_key()
        return True

    def _read_key(self) -> None:
        """Read a key and its colon. Keys are compared with their escapes read (S2.07)."""
        start = self.pos
        if self._peek() != '"':
            raise JsonError("malformed_json", start)
        frame = self.stack[-1]
        frame.key = self._read_string()
        if frame.key in frame.container:
            self.result.flaws.append(Flaw("duplicate_key", start))
        self._skip_space()
        if self._peek() != ":":
            raise JsonError("malformed_json", self.pos)
        self.pos += 1
        self._skip_space()

    def _read_leaf(self) -> Value:
        if self._peek() == '"':
            return self._read_string()
        for word, value in _LITERALS:
            if self.text.startswith(word, self.pos):
                self.pos += len(word)
                return value
        match = NUMBER.match(self.text, self.pos)
        if match is None:
            raise JsonError("malformed_json", self.pos)
        number, overflows = read_number(match)
        if overflows:
            self.result.flaws.append(Flaw("number_overflow", self.pos))
        self.pos = match.end()
        return number

    def _read_string(self) -> str:
        """Read a string; the position is at its opening quote."""
        text = self.text
        pieces: list[str] = []
        self.pos += 1
        while True:
            match = _PLAIN.match(text, self.pos)
            assert match is not None  # the pattern matches the empty string as well
            pieces.append(match[0])
            self.pos = match.end()
            char = self._peek()
            if char == '"':
                self.pos += 1
                return "".join(pieces)
            if char != "\\":
                raise JsonError("malformed_json", self.pos)
            pieces.append(self._read_escape())

    def _read_escape(self) -> str:
        start = self.pos
        letter = self.text[start + 1 : start + 2]
        if letter in _ESCAPES:
            self.pos += 2
            return _ESCAPES[letter]
        digits = _HEX4.match(self.text, start + 2) if letter == "u" else None
        if digits is None:
            raise JsonError("malformed_json", start)
        self.pos = digits.end()
        unit = int(digits[0], 16)
        if 0xD800 <= unit <= 0xDBFF:
            low = _LOW_HALF.match(self.text, self.pos)
            if low is not None:
                self.pos = low.end()
                return chr(0x10000 + ((unit - 0xD800) << 10) + (int(low[1], 16) - 0xDC00))
        if 0xD800 <= unit <= 0xDFFF:
            self.result.flaws.append(Flaw("lone_surrogate", start))
        return chr(unit)

    def _skip_space(self) -> None:
        match = _SPACE.match(self.text, self.pos)
        assert match is not None  # the pattern matches the empty string as well
        self.pos = match.end()

    def _peek(self) -> str:
        return self.text[self.pos : self.pos + 1]
