"""Revision chains (section 8)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from .jsonread import Value
from .messages import Message


@dataclass(frozen=True)
class Chain:
    """What the accepted revisions of an accepted target amount to."""

    target: Message
    state: str
    head: str
    content: dict[str, Value] | None
    """The effective content; None when the chain is withdrawn or conflicted (S4.02, S4.03)."""
    steps: tuple[Message, ...]
    """The undisputed steps (S4.01)."""
    competing: tuple[str, ...]
    revisions: tuple[Message, ...]
    """All accepted revisions, below a fork too."""

    @property
    def withdrawn_somewhere(self) -> bool:
        """Whether some undisputed step is a withdrawal, whatever follows it (S5.08)."""
        return any(step.body["mode"] == "withdraw" for step in self.steps)


def trace_chain(target: Message, revisions: Iterable[Message]) -> Chain:
    """Walk from the target while there is one successor and not more (S4.01)."""
    revisions = tuple(revisions)
    successors: defaultdict[str, list[Message]] = defaultdict(list)
    for revision in revisions:
        successors[revision.body["previous"]].append(revision)
    steps: list[Message] = []
    head = target.id
    while len(successors[head]) == 1:
        steps.append(successors[head][0])
        head = steps[-1].id
    competing = tuple(revision.id for revision in successors[head])
    content: dict[str, Value] | None = None
    if competing:
        state = "conflicted"
    elif not steps:
        state, content = "original", target.body
    elif steps[-1].body["mode"] == "withdraw":
        state = "withdrawn"
    else:
        state, content = "replaced", steps[-1].body["replacement"]
    return Chain(target, state, head, content, tuple(steps), competing, revisions)
