"""Stages 5 and 6: which ids are taken, which versions are kept, and what has settled."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from .messages import Limits, Message, Outcome, body_references
from .rules import first_failure

ACCEPTED, PENDING, REJECTED = "accepted", "pending", "rejected"


@dataclass
class Entry:
    """All that is kept under one id; the first version is the message (R-15)."""

    versions: list[Message]
    status: str = PENDING
    code: str | None = None
    waiting_for: set[str] = field(default_factory=set)

    @property
    def message(self) -> Message:
        return self.versions[0]


class Ledger:
    """The identified messages of one context."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.entries: dict[str, Entry] = {}
        self.settled: list[str] = []
        """Accepted and rejected ids; what a message refers to always stands before it."""
        self._waiting_on: defaultdict[str, set[str]] = defaultdict(set)
        self._pending = 0
        self._pending_of: Counter[str] = Counter()

    def known(self, ref: str) -> Message | None:
        """The message with this id, be it accepted, pending or rejected."""
        entry = self.entries.get(ref)
        return None if entry is None else entry.message

    def message(self, ref: str) -> Message:
        """The message with an id that is known."""
        return self.entries[ref].message

    def gating(self, message: Message) -> Iterator[str]:
        """The gating references of a version, perhaps with repetitions (S3.01)."""
        yield from message.own_references()
        yield from self._gating_in_replacement(message)

    def receive(self, message: Message) -> Outcome:
        """Take in a message that passed stages 1 to 4."""
        entry = self.entries.get(message.id)
        if entry is not None:
            return self._receive_again(entry, message)
        entry = Entry([message], waiting_for=set(filter(self._is_open, self.gating(message))))
        if entry.waiting_for:
            over_quota = self._over_pending_quota(message.sender)
            if over_quota is not None:
                return Outcome.rejected("limit", over_quota)
            self._count_pending(message.sender, 1)
        self.entries[message.id] = entry
        for ref in entry.waiting_for:
            self._waiting_on[ref].add(message.id)
        self._extend_revisions_of(message.id)
        if entry.waiting_for:
            return Outcome(PENDING)
        self._settle(message.id)
        if entry.code is not None:
            return Outcome.rejected("reference", entry.code)
        return Outcome(ACCEPTED)

    def _receive_again(self, entry: Entry, message: Message) -> Outcome:
        """Stage 5 for a known id (S2.13, R-15), with the quota of versions (R-04)."""
        if message.digest == entry.message.digest:
            return Outcome("duplicate")
        if all(message.digest != version.digest for version in entry.versions):
            if len(entry.versions) >= self.limits.max_versions:
                return Outcome.rejected("limit", "too_many_versions")
            entry.versions.append(message)
        return Outcome("id_conflict")

    def _is_open(self, ref: str) -> bool:
        """Whether a reference leads to an unknown or pending id (S3.02)."""
        entry = self.entries.get(ref)
        return entry is None or entry.status == PENDING

    def _gating_in_replacement(self, message: Message) -> Iterator[str]:
        if message.act == "REVISE":
            replacement = message.replacement_for(self.known(message.body["target"]))
            if replacement is not None:
                yield from body_references(replacement)

    def _over_pending_quota(self, sender: str) -> str | None:
        """The quotas of pending messages, in their order (R-04)."""
        if self._pending >= self.limits.max_pending:
            return "too_many_pending"
        if self._pending_of[sender] >= self.limits.max_pending_of_sender:
            return "too_many_pending_of_sender"
        return None

    def _count_pending(self, sender: str, change: int) -> None:
        self._pending += change
        self._pending_of[sender] += change

    def _extend_revisions_of(self, target: str) -> None:
        """Let replacements gate, now that their target is known (S3.01)."""
        for waiter in list(self._waiting_on.get(target, ())):
            entry = self.entries[waiter]
            if entry.message.body.get("target") == target:
                for ref in filter(self._is_open, self._gating_in_replacement(entry.message)):
                    entry.waiting_for.add(ref)
                    self._waiting_on[ref].add(waiter)

    def _settle(self, first: str) -> None:
        """Accept or reject a message that waits for nothing, and all that this releases.

        Statuses are a least fixpoint, so the order of the work does not matter (S3.03).
        """
        ready = deque([first])
        while ready:
            current = ready.popleft()
            entry = self.entries[current]
            entry.code = self._failure(entry.message)
            entry.status = ACCEPTED if entry.code is None else REJECTED
            self.settled.append(current)
            for waiter in self._waiting_on.pop(current, ()):
                waiting = self.entries[waiter]
                waiting.waiting_for.discard(current)
                if not waiting.waiting_for:
                    self._count_pending(waiting.message.sender, -1)
                    ready.append(waiter)

    def _failure(self, message: Message) -> str | None:
        if any(self.entries[ref].status == REJECTED for ref in self.gating(message)):
            return "reference_rejected"  # S3.06
        return first_failure(message, self.message)
