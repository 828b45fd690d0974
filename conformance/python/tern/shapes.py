"""Forms of values: what sections 2 and 3 ask of a message, and section 15 of a record.

A *check* takes a value and returns None, or the code of the first thing that is wrong.
Codes of stage 3 are advisory (S2.15); that there is one is what counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .jsonread import Value
from .times import read_time

Check = Callable[[Value], "str | None"]


def text(value: Value) -> str | None:
    """A string of at least one character (T2.04, S1.01)."""
    if not isinstance(value, str):
        return "wrong_type"
    return None if value else "empty_text"


def ref(value: Value) -> str | None:
    """A message reference: name, colon, suffix (A-REFERENCE, T1.18)."""
    if not isinstance(value, str):
        return "wrong_type"
    name, _, suffix = value.partition(":")
    return None if name and suffix else "bad_reference"


def evref(value: Value) -> str | None:
    """An evidence reference (A-REFERENCE, T1.26)."""
    if not isinstance(value, str):
        return "wrong_type"
    return None if value.startswith("ev:") and len(value) > 3 else "bad_evidence_reference"


def time(value: Value) -> str | None:
    """An RFC 3339 timestamp (A-TIME)."""
    if not isinstance(value, str):
        return "wrong_type"
    return "bad_timestamp" if read_time(value) is None else None


def anything_object(value: Value) -> str | None:
    """An object of any content: `extensions` (T1.15, S1.02)."""
    return None if isinstance(value, dict) else "wrong_type"


def sender_name(value: Value) -> str | None:
    """A text without a colon (T1.19)."""
    problem = text(value)
    if problem is None and ":" in value:
        return "colon_in_sender"
    return problem


def recipients(value: Value) -> str | None:
    """At least one name, none twice (T1.12)."""
    problem = list_of(text, at_least_one=True)(value)
    if problem is None and len(set(value)) < len(value):
        return "repeated_recipient"
    return problem


def nullable(check: Check) -> Check:
    """Null, or what `check` asks for."""
    return lambda value: None if value is None else check(value)


def list_of(check: Check, *, at_least_one: bool = False) -> Check:
    """An array whose entries all pass `check`; it may be empty unless told otherwise (S1.02)."""

    def check_list(value: Value) -> str | None:
        if not isinstance(value, list):
            return "wrong_type"
        if at_least_one and not value:
            return "empty_list"
        return next(filter(None, map(check, value)), None)

    return check_list


def word(*words: str, code: str = "unknown_value") -> Check:
    """One word of an enumeration, spelled exactly (S2.11)."""

    def check_word(value: Value) -> str | None:
        if not isinstance(value, str):
            return "wrong_type"
        return None if value in words else code

    return check_word


def fields(required: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """An object with these fields and no others (T2.02, T1.14, S1.02)."""
    known = {**required, **(optional or {})}

    def check_object(value: Value) -> str | None:
        if not isinstance(value, dict):
            return "wrong_type"
        if any(name not in value for name in required):
            return "missing_field"
        if any(name not in known for name in value):
            return "unknown_field"
        return next(filter(None, (known[name](value[name]) for name in value)), None)

    return check_object


def _body(required: Mapping[str, Check], **optional: Check) -> Check:
    """A body: the fields of its act, and perhaps `extensions` (S1.02)."""
    return fields(required, {**optional, "extensions": anything_object})


EVIDENCE = fields(
    {"id": evref, "source": text, "collected_at": time, "method": text, "result": text}
)
"""An evidence object (A-EVIDENCE)."""

_CLAIM = fields(
    {
        "text": text,
        "basis": word("observed", "inferred", "reported", "assumed"),
        "confidence": word("low", "medium", "high", "unspecified"),
        "scope": text,
        "evidence": list_of(evref),
        "alternatives": list_of(text),
    }
)
_CLAIMS = list_of(_CLAIM, at_least_one=True)
_IMPACT = fields(
    {
        "commitment": ref,
        "assessment": word("paused", "unaffected", "awaiting_instruction"),
        "reason": text,
    }
)
_REVISE_FIELDS = _body(
    {
        "target": ref,
        "previous": ref,
        "mode": word("replace", "withdraw"),
        "reason": text,
        "replacement": nullable(anything_object),
        "impact": list_of(_IMPACT),
    }
)


def _revise(value: Value) -> str | None:
    """A-REVISE, with an object for replace and null for withdraw (T4.14)."""
    problem = _REVISE_FIELDS(value)
    if problem is None and (value["mode"] == "replace") != (value["replacement"] is not None):
        return "replacement_mismatch"
    return problem


BODIES: Mapping[str, Check] = {
    "ASK": _body({"question": text}, about=ref),
    "TELL": _body({"claims": _CLAIMS}),
    "PROPOSE": _body({"plan": text, "success": text, "constraints": list_of(text)}),
    "REQUEST": _body(
        {
            "action": text,
            "done_when": text,
            "constraints": list_of(text),
            "authority_ref": nullable(text),
        },
        replaces=ref,
    ),
    "COMMIT": _body(
        {
            "request": ref,
            "action": text,
            "deliverable": text,
            "done_when": text,
            "due": nullable(time),
            "conditions": list_of(text),
            "authority_ref": nullable(text),
        }
    ),
    "REPORT": _body(
        {
            "commitment": ref,
            "state": word("active", "blocked", "fulfilled", "failed"),
            "claims": _CLAIMS,
        },
        next=text,
    ),
    "CHALLENGE": _body(
        {
            "target": ref,
            "kind": word("factual", "inference", "scope", "feasibility", "authority"),
            "objection": text,
            "support": list_of(evref),
            "resolution_test": text,
        }
    ),
    "REVISE": _revise,
    "DECLINE": _body({"target": ref, "reason": text}, alternative=text),
    "ACK": _body({"target": ref}),
}
"""The ten acts and the check of their bodies (section 3)."""

_ENVELOPE = fields(
    {
        "tern": text,
        "id": ref,
        "from": sender_name,
        "to": recipients,
        "thread": text,
        "reply": nullable(ref),
        "act": word(*BODIES, code="unknown_act"),
        "body": anything_object,
    },
    {"evidence": list_of(EVIDENCE), "extensions": anything_object},
)


def message_problem(value: dict[str, Value]) -> str | None:
    """Stage 3: the code of what is wrong with the shape of a message, or None (S2.10)."""
    return _ENVELOPE(value) or BODIES[value["act"]](value["body"])
