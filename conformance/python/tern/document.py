"""Files: log documents (section 15) and bare messages (section 16)."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from .canonical import canonical_text
from .jsonread import JsonError, Parsed, Value, decode, parse, read_object_by_grammar
from .numbers import Number
from .shapes import EVIDENCE, Check, fields, list_of, nullable, ref, text, time, word

UNVERIFIED = "unverified"
"""The context of bare messages, which no log may use (S8.06, S8.11)."""

_SPACE = b" \t\r\n"


@dataclass(frozen=True)
class Record:
    """One step of a log: its kind (a key of section 15), and what it says.

    For `deliver`, `data` holds the delivered bytes and `principal` who the channel
    authenticated; for every other kind `value` holds what stands under the key.
    """

    line: int
    kind: str
    value: Value = None
    data: bytes = b""
    principal: str | None = None


@dataclass(frozen=True)
class Document:
    """A file, read into records. A refused one has no records (S8.02)."""

    bare: bool
    records: list[Record] = field(default_factory=list)
    refused_line: int | None = None
    refused_code: str | None = None


class _DocumentError(Exception):
    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def read_document(data: bytes) -> Document:
    """Read the bytes of a file, whatever they are."""
    lines = _lines(data)
    first = read_object_by_grammar(lines[0]) if lines else None
    if first is None or not any(key in _FORMS for key in first):  # S8.10
        return Document(bare=True, records=list(_bare_records(data, lines)))
    records: list[Record] = []
    for number, line in enumerate(lines, start=1):
        try:
            record = _read_record(number, line)
            _check_context(record, records)
        except _DocumentError as error:
            return Document(bare=False, refused_line=number, refused_code=error.code)
        records.append(record)
    return Document(bare=False, records=records)


def _lines(data: bytes) -> list[bytes]:
    """The lines without their newlines; the last newline is optional (R-05)."""
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _bare_records(data: bytes, lines: list[bytes]) -> Iterator[Record]:
    """Each line is a delivery, or the whole file if it is one object (S8.11)."""
    if len(lines) > 1 and read_object_by_grammar(data) is not None:
        yield Record(1, "deliver", data=data.removesuffix(b"\n"))
        return
    for number, line in enumerate(lines, start=1):
        yield Record(number, "deliver", data=line)


def _read_record(number: int, line: bytes) -> Record:
    if not line.strip(_SPACE):
        raise _DocumentError("document_blank_line")
    try:
        source = decode(line)
        parsed = parse(source, watch=("deliver", "message"))
    except JsonError:
        raise _DocumentError("document_broken_line") from None
    _check_flaws(parsed)
    record = parsed.value
    if not isinstance(record, dict):
        raise _DocumentError("document_broken_line")
    kind = next(iter(record), None)
    if len(record) != 1 or kind not in _FORMS:
        raise _DocumentError("document_unknown_record")
    value = record[kind]
    problem = _FORMS[kind](value)
    if problem is not None:
        raise _DocumentError(_FIELD_CODES.get(problem, "document_bad_value"))
    if kind != "deliver":
        return Record(number, kind, value)
    payload = _payload(value, source, parsed.span)
    return Record(number, kind, data=payload, principal=value.get("principal"))


def _check_flaws(parsed: Parsed) -> None:
    """Tell what is wrong inside `message` from what is wrong around it (S8.03, S8.08)."""
    if not parsed.flaws:
        return
    start, end = parsed.span or (0, 0)
    if all(start <= flaw.offset < end for flaw in parsed.flaws):
        raise _DocumentError("document_impossible_message")
    raise _DocumentError("document_broken_line")


def _payload(value: dict[str, Value], source: str, span: tuple[int, int] | None) -> bytes:
    """The bytes that a `deliver` record delivers (S8.07)."""
    if sum(name in value for name in ("message", "text", "base64")) != 1:
        raise _DocumentError("document_not_one_payload")
    if "message" in value:
        if not isinstance(value["message"], dict):
            raise _DocumentError("document_impossible_message")
        assert span is not None
        return source[slice(*span)].encode("utf-8")
    if "text" in value:
        return value["text"].encode("utf-8")
    return _decode_base64(value["base64"])


def _decode_base64(encoded: str) -> bytes:
    """Padded, canonical base64 (S8.07): what encoding would give back, and nothing else."""
    try:
        decoded = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raise _DocumentError("document_bad_value") from None
    if base64.b64encode(decoded).decode("ascii") != encoded:
        raise _DocumentError("document_bad_value")
    return decoded


def _check_context(record: Record, before: list[Record]) -> None:
    """A log begins with its context, and has no other (S8.06)."""
    if record.kind != "context":
        if not before:
            raise _DocumentError("document_before_context")
    elif record.value["id"] == UNVERIFIED:
        raise _DocumentError("document_reserved_context")
    elif before and canonical_text(record.value) != canonical_text(before[0].value):
        raise _DocumentError("document_second_context")


def _anything(value: Value) -> str | None:
    return None


def _string(value: Value) -> str | None:
    return None if isinstance(value, str) else "wrong_type"


def _natural(value: Value) -> str | None:
    """An integer of 0 or more by value, so 1.0 is 1 (S8.05)."""
    is_natural = isinstance(value, Number) and value.as_natural() is not None
    return None if is_natural else "wrong_type"


def _bindings(value: Value) -> str | None:
    """Names bound to principals, all of them texts (T1.20)."""
    if not isinstance(value, dict):
        return "wrong_type"
    return next(filter(None, map(text, [*value, *value.values()])), None)


def _problem_inside(check: Check) -> Check:
    """Count whatever is wrong inside a field as a bad value of that field."""
    return lambda value: None if check(value) is None else "bad_value"


def _record(required: Mapping[str, Check], **optional: Check) -> Check:
    return fields(
        {name: _problem_inside(check) for name, check in required.items()},
        {name: _problem_inside(check) for name, check in optional.items()},
    )


_FIELD_CODES = {
    "missing_field": "document_missing_field",
    "unknown_field": "document_unknown_field",
}
_COMMITMENT = _record({"commitment": ref})
_ACTION = _record({"commitment": ref, "action": text})
_FORMS: Mapping[str, Check] = {
    "context": _record({"id": text, "participants": _bindings}),
    "deliver": _record(
        {}, principal=nullable(text), message=_anything, text=_string, base64=_string
    ),
    "grant": _record(
        {"ref": text, "principal": text}, actions=list_of(text), not_before=time, expires=time
    ),
    "revoke": _record({"ref": text}),
    "permit": _COMMITMENT,
    "require_approval": _COMMITMENT,
    "approve": _record({"commitment": ref, "by": text}),
    "confirm": _record({"commitment": ref, "condition": _natural}),
    "judge": _record({"commitment": ref, "terms": word("satisfied", "mismatch", "ambiguous")}),
    "evidence": EVIDENCE,
    "clock": time,
    "start": _ACTION,
    "finish": _ACTION,
    "reconciled": _record({"commitment": ref, "action": text, "causes": list_of(text)}),
}
"""The records of section 15 and the forms of what stands under their keys (S8.05)."""
