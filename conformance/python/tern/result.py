"""Running a whole file."""

from __future__ import annotations

from dataclasses import dataclass

from .document import read_document
from .messages import Limits
from .state import State


@dataclass(frozen=True)
class Result:
    """What a file comes to.

    A broken document is refused with the number of its line, and nothing of it is applied
    (S8.02): it has no outcomes, no view and no digest. `bare` says that the file held bare
    messages, whose senders were not verified (S8.12).
    """

    refused_line: int | None
    refused_code: str | None
    bare: bool
    outcomes: list[dict[str, str]]
    delivery_lines: list[int]
    state: State | None

    def view(self) -> str | None:
        """The canonical view, or None if the document was refused."""
        return None if self.state is None else self.state.view()

    def digest(self) -> str | None:
        """The digest of the view, or None if the document was refused."""
        return None if self.state is None else self.state.digest()


def run(document: bytes, limits: Limits = Limits()) -> Result:
    """Read a file, a log document or bare messages, and apply all of it."""
    read = read_document(document)
    if read.refused_line is not None:
        return Result(read.refused_line, read.refused_code, read.bare, [], [], None)
    state = State(limits)
    outcomes: list[dict[str, str]] = []
    lines: list[int] = []
    for record in read.records:
        outcome = state.apply(record)
        if outcome is not None:
            outcomes.append(outcome.as_dict())
            lines.append(record.line)
    return Result(None, None, read.bare, outcomes, lines, state)
