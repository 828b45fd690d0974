"""The local facts of a log: a set, in which order and repetition mean nothing (S6.01)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from .jsonread import Value
from .times import Instant, read_time


@dataclass(frozen=True)
class Grant:
    """One record of a grant; several may bear the same name (S6.19)."""

    principal: str
    actions: tuple[str, ...] | None
    not_before: Instant | None
    expires: Instant | None


class Facts:
    """Everything that the records of a log say besides context and deliveries."""

    def __init__(self) -> None:
        self.grants: defaultdict[str, set[Grant]] = defaultdict(set)
        self.revoked: set[str] = set()
        self.permitted: set[str] = set()
        self.approval_required: set[str] = set()
        self.approved: set[str] = set()
        self.confirmed: defaultdict[str, set[int]] = defaultdict(set)
        self.judgements: defaultdict[str, set[str]] = defaultdict(set)
        self.evidence: list[Value] = []
        self.now: Instant | None = None
        self.started: set[tuple[str, str]] = set()
        self.reconciled: defaultdict[tuple[str, str], set[str]] = defaultdict(set)

    def add(self, kind: str, value: Value) -> None:
        """Add the fact that a valid record states."""
        if kind == "clock":
            instant = read_time(value)
            self.now = instant if self.now is None else max(self.now, instant)
        elif kind == "evidence":
            self.evidence.append(value)
        elif kind == "grant":
            self.grants[value["ref"]].add(_grant(value))
        elif kind == "revoke":
            self.revoked.add(value["ref"])
        else:
            self._add_about_commitment(kind, value["commitment"], value)

    def _add_about_commitment(self, kind: str, commitment: str, value: dict[str, Value]) -> None:
        if kind == "permit":
            self.permitted.add(commitment)
        elif kind == "require_approval":
            self.approval_required.add(commitment)
        elif kind == "approve":
            self.approved.add(commitment)
        elif kind == "confirm":
            self.confirmed[commitment].add(value["condition"].as_natural())
        elif kind == "judge":
            self.judgements[commitment].add(value["terms"])
        elif kind == "start":
            self.started.add((commitment, value["action"]))
        elif kind == "reconciled":
            self.reconciled[commitment, value["action"]].update(value["causes"])
        # `finish` is on record in the log and closes nothing (S6.23).


def _grant(value: dict[str, Value]) -> Grant:
    actions = value.get("actions")
    return Grant(
        principal=value["principal"],
        actions=None if actions is None else tuple(actions),
        not_before=read_time(value["not_before"]) if "not_before" in value else None,
        expires=read_time(value["expires"]) if "expires" in value else None,
    )
