"""Messages, and stages 1 to 3 of a delivery (section 5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .canonical import digest
from .jsonread import JsonError, Value, decode, read_strict_object
from .shapes import BODIES, message_problem

REVISABLE = frozenset({"TELL", "PROPOSE", "REQUEST", "COMMIT", "REPORT"})
"""The acts that a REVISE may target (T4.13)."""

_REFERENCE_FIELDS = ("about", "request", "commitment", "target", "previous", "replaces")


@dataclass(frozen=True)
class Limits:
    """The limits of size and depth (S2.06) and the quotas (R-04), with their defaults."""

    max_bytes: int = 1_048_576
    max_depth: int = 128
    max_pending: int = 100_000
    max_pending_of_sender: int = 10_000
    max_versions: int = 16


@dataclass(frozen=True)
class Outcome:
    """What one delivery is answered with (S2.15)."""

    outcome: str
    refusal_class: str | None = None
    code: str | None = None

    @classmethod
    def rejected(cls, refusal_class: str, code: str) -> Outcome:
        return cls("rejected", refusal_class, code)

    def as_dict(self) -> dict[str, str]:
        """`outcome`, and for a rejection `class` and `code`."""
        if self.refusal_class is None or self.code is None:
            return {"outcome": self.outcome}
        return {"outcome": self.outcome, "class": self.refusal_class, "code": self.code}


class Refused(Exception):
    """A delivery is refused; carries the outcome."""

    def __init__(self, refusal_class: str, code: str) -> None:
        super().__init__(refusal_class, code)
        self.outcome = Outcome.rejected(refusal_class, code)


@dataclass(frozen=True)
class Message:
    """A message of valid shape. Messages are equal when their digests are (R-02, S7.05)."""

    id: str
    sender: str
    thread: str
    act: str
    reply: str | None
    body: dict[str, Value]
    evidence: list[Value]
    digest: str

    def own_references(self) -> Iterator[str]:
        """The gating references, save those inside a replacement (S3.01)."""
        if self.reply is not None:
            yield self.reply
        yield from body_references(self.body)

    def replacement_for(self, target: Message | None) -> dict[str, Value] | None:
        """The replacement of this REVISE, if it is one whose references gate (S3.01).

        They do so once the target is known, if its act can be revised and the replacement
        is shaped like a body of that act.
        """
        if self.act != "REVISE" or target is None or target.act not in REVISABLE:
            return None
        replacement = self.body["replacement"]
        if replacement is None or BODIES[target.act](replacement) is not None:
            return None
        return replacement


def body_references(body: dict[str, Value]) -> Iterator[str]:
    """The gating references in a body of valid shape (S3.01)."""
    return (body[name] for name in _REFERENCE_FIELDS if name in body)


def read_message(data: bytes, limits: Limits) -> Message:
    """Stages 1 to 3: the message that the bytes are; raises `Refused` otherwise."""
    if len(data) > limits.max_bytes:
        raise Refused("syntax", "too_long")
    try:
        value = read_strict_object(decode(data), limits.max_depth)
    except JsonError as error:
        raise Refused("syntax", error.code) from None
    if "tern" in value and value["tern"] != "0.1":  # S2.09
        raise Refused("version", "unsupported_version")
    problem = message_problem(value)
    if problem is not None:
        raise Refused("shape", problem)
    return Message(
        id=value["id"],
        sender=value["from"],
        thread=value["thread"],
        act=value["act"],
        reply=value["reply"],
        body=value["body"],
        evidence=value.get("evidence", []),
        digest=digest(value),
    )
