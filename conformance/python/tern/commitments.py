"""What is derived about a commitment: its progress and its annotations (section 9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .chains import Chain
from .facts import Facts
from .index import Index
from .messages import Message

TERMINAL = frozenset({"fulfilled", "failed"})


@dataclass(frozen=True)
class Progress:
    """Where a commitment stands, with the cause and the candidates if that is unresolved."""

    state: str
    cause: str | None = None
    candidates: tuple[str, ...] = ()
    reactivation_attempts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Commitment:
    """An accepted COMMIT and everything derived about it, save its readiness."""

    message: Message
    request: Message
    reports: tuple[str, ...]
    progress: Progress
    withdrawn: bool
    disputed: bool
    disputed_by: tuple[str, ...]
    superseded_by: tuple[str, ...]
    offers: tuple[str, ...]
    request_changed_by: tuple[str, ...]

    @property
    def annotations(self) -> list[str]:
        """Derived from the history; no REPORT states them (T4.31)."""
        states = {
            "disputed": self.disputed,
            "superseded": bool(self.superseded_by),
            "withdrawn": self.withdrawn,
        }
        return [name for name, holds in states.items() if holds]


def derive_commitment(commit: Message, index: Index, facts: Facts) -> Commitment:
    """Derive all of section 9 for an accepted COMMIT."""
    request = index.ledger.message(commit.body["request"])
    reports = index.reports.get(commit.id, [])
    revisions = [revision.id for revision in index.revisions.get(request.id, ())]
    chain = index.chain(commit.id)
    disputed_by = tuple(_challenges(commit, reports, index))
    judged = facts.judgements.get(commit.id, set())
    return Commitment(
        message=commit,
        request=request,
        reports=tuple(report.id for report in reports),
        progress=derive_progress(reports, index),
        withdrawn=chain.withdrawn_somewhere,
        disputed=bool(disputed_by)
        or chain.withdrawn_somewhere
        or not judged.isdisjoint({"mismatch", "ambiguous"}),
        disputed_by=disputed_by,
        superseded_by=tuple(index.superseding.get((commit.sender, commit.id), ())),
        offers=tuple(step.id for step in chain.revisions if step.body["mode"] == "replace"),
        request_changed_by=tuple(index.causality.not_before(commit.id, revisions)),
    )


def _challenges(commit: Message, reports: list[Message], index: Index) -> Iterator[str]:
    """The CHALLENGEs of a commitment, of its reports, and of their revisions (S5.10)."""
    for original in (commit, *reports):
        for target in (original, *index.revisions.get(original.id, ())):
            for challenge in index.challenges.get(target.id, ()):
                yield challenge.id


def derive_progress(reports: list[Message], index: Index) -> Progress:
    """The three rules of progress, over the accepted REPORTs on one commitment."""
    chains = [index.chain(report.id) for report in reports]
    assessments = {
        chain.target.id: state
        for chain in chains
        if (state := _effective_assessment(chain, index)) is not None
    }
    terminal = {name: state for name, state in assessments.items() if state in TERMINAL}
    going_on = [name for name in assessments if name not in terminal]
    attempts = tuple(index.causality.after_any(going_on, terminal))  # S5.07
    if terminal:  # S5.04
        states = set(terminal.values())
        if len(states) == 1:
            return Progress(states.pop(), reactivation_attempts=attempts)
        return Progress("unresolved", "contradictory", tuple(terminal), attempts)
    unsettling = dict(_unsettling(chains, index))
    counted = assessments
    if unsettling:  # S5.05
        fresh = index.causality.after_all(assessments, unsettling)
        counted = {name: assessments[name] for name in fresh}
        if not counted:
            causes = unsettling.values()
            return Progress("unresolved", "conflict" if "conflict" in causes else "invalidated")
    if not counted:  # S5.06
        return Progress("none")
    last = index.causality.last_of(counted)
    states = {counted[name] for name in last}
    if len(states) == 1:
        return Progress(states.pop())
    return Progress("unresolved", "concurrent", tuple(last))


def _effective_assessment(chain: Chain, index: Index) -> str | None:
    """The state in the effective content of a REPORT's chain (S5.02)."""
    if chain.content is None or _equivocal_members(chain, index):
        return None
    state = chain.content["state"]
    assert isinstance(state, str)
    return state


def _equivocal_members(chain: Chain, index: Index) -> list[str]:
    """The equivocal ids among a REPORT and all its accepted revisions (S5.02)."""
    members = (chain.target, *chain.revisions)
    return [member.id for member in members if member.id in index.equivocal]


def _unsettling(chains: list[Chain], index: Index) -> Iterator[tuple[str, str]]:
    """The members of U, each with its cause (S5.03).

    Where one id has both causes, `conflict` comes last, and is the one that counts: it
    decides the cause of progress whenever U has a member of that cause (S5.05).
    """
    for chain in chains:
        before = chain.target.body["state"]
        for step in chain.steps:
            replacement = step.body["replacement"]
            after = None if replacement is None else replacement["state"]
            if before in TERMINAL and after not in TERMINAL:
                yield step.id, "invalidated"
            before = after
    for chain in chains:
        for name in (*chain.competing, *_equivocal_members(chain, index)):
            yield name, "conflict"
