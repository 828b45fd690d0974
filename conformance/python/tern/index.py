"""The messages of a ledger, sorted by what they say about each other.

An `Index` is made anew for each view and holds nothing that does not follow from the
ledger: everything said of commitments is derived and never stored (S5.01).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from .chains import Chain, trace_chain
from .graph import Causality, tainted_ids
from .ledger import ACCEPTED, PENDING, Ledger
from .messages import REVISABLE, Message


class Index:
    """Look-ups over the accepted and pending messages, and over all kept versions."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.causality = Causality(ledger)
        self.equivocal = {
            name for name, entry in ledger.entries.items() if len(entry.versions) > 1
        }
        self.tainted = tainted_ids(ledger, self.equivocal)
        self.accepted: defaultdict[str, list[Message]] = defaultdict(list)
        """The accepted messages by act."""
        self.pending: defaultdict[str, list[Message]] = defaultdict(list)
        """The pending messages by act."""
        for entry in ledger.entries.values():
            if entry.status == ACCEPTED:
                self.accepted[entry.message.act].append(entry.message)
            elif entry.status == PENDING:
                self.pending[entry.message.act].append(entry.message)
        self._group_accepted()
        self._group_pending()
        self._group_tainted_versions()
        self._chains: dict[str, Chain] = {}

    def is_accepted(self, name: str, act: str | None = None) -> bool:
        """Whether there is an accepted message with this id (and this act)."""
        entry = self.ledger.entries.get(name)
        if entry is None or entry.status != ACCEPTED:
            return False
        return act is None or entry.message.act == act

    def chain(self, target: str) -> Chain:
        """The chain of an accepted message; without revisions it is original."""
        if target not in self._chains:
            message = self.ledger.message(target)
            self._chains[target] = trace_chain(message, self.revisions.get(target, ()))
        return self._chains[target]

    def _group_accepted(self) -> None:
        self.revisions = _by_field(self.accepted["REVISE"], "target")
        self.reports = _by_field(self.accepted["REPORT"], "commitment")
        self.commits = _by_field(self.accepted["COMMIT"], "request")
        self.declines = _by_field(self.accepted["DECLINE"], "target")
        self.challenges = _by_field(self.accepted["CHALLENGE"], "target")
        self.superseding: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        """(author, replaced commitment) to the accepted COMMITs that supersede it (S5.09)."""
        for commit in self.accepted["COMMIT"]:
            request = self.ledger.message(commit.body["request"])
            if "replaces" in request.body:
                self.superseding[commit.sender, request.body["replaces"]].append(commit.id)

    def _group_pending(self) -> None:
        self.known_pending: defaultdict[str, list[str]] = defaultdict(list)
        """Target to its pending revisions by its own author (R-09)."""
        self.reports_underway: set[tuple[str, str]] = set()
        """(author, commitment) with a pending report, or a revision of one (S6.11)."""
        self.supersessions_underway: set[tuple[str, str, str]] = set()
        """(committer, requester, replaced commitment) of pending COMMITs (S6.07)."""
        for report in self.pending["REPORT"]:
            self.reports_underway.add((report.sender, report.body["commitment"]))
        for revise in self.pending["REVISE"]:
            target = self.ledger.known(revise.body["target"])
            if target is None or target.act not in REVISABLE or target.sender != revise.sender:
                continue
            self.known_pending[target.id].append(revise.id)
            if self.is_accepted(target.id, "REPORT"):
                self.reports_underway.add((revise.sender, target.body["commitment"]))
        for commit in self.pending["COMMIT"]:
            request = self.ledger.known(commit.body["request"])
            if request is not None and request.act == "REQUEST" and "replaces" in request.body:
                key = (commit.sender, request.sender, request.body["replaces"])
                self.supersessions_underway.add(key)

    def _group_tainted_versions(self) -> None:
        """What the kept versions of tainted ids may do (S6.05, S6.06, S6.12)."""
        self.tainted_revises: set[tuple[str, str]] = set()
        """(author, target) of REVISE versions."""
        self.tainted_reports: set[tuple[str, str]] = set()
        """(author, commitment) of REPORT versions, or of revisions of such versions."""
        self.tainted_supersessions: set[tuple[str, str, str]] = set()
        """(committer, requester, replaced commitment); COMMIT or REQUEST is tainted."""
        for name, entry in self.ledger.entries.items():
            for version in entry.versions:
                if name in self.tainted:
                    self._note_tainted_version(version)
                if version.act == "COMMIT":
                    self._note_supersession(version)

    def _note_tainted_version(self, version: Message) -> None:
        if version.act == "REPORT":
            self.tainted_reports.add((version.sender, version.body["commitment"]))
        elif version.act == "REVISE":
            target = version.body["target"]
            self.tainted_revises.add((version.sender, target))
            for report in self._versions(target, "REPORT"):
                if report.sender == version.sender:
                    self.tainted_reports.add((version.sender, report.body["commitment"]))

    def _note_supersession(self, commit: Message) -> None:
        ref = commit.body["request"]
        if commit.id in self.tainted or ref in self.tainted:
            for request in self._versions(ref, "REQUEST"):
                if "replaces" in request.body:
                    key = (commit.sender, request.sender, request.body["replaces"])
                    self.tainted_supersessions.add(key)

    def _versions(self, name: str, act: str) -> Iterator[Message]:
        """The kept versions of an id that perform this act."""
        entry = self.ledger.entries.get(name)
        if entry is not None:
            yield from (version for version in entry.versions if version.act == act)


def _by_field(messages: list[Message], name: str) -> dict[str, list[Message]]:
    """Group messages by a reference in their bodies."""
    groups: dict[str, list[Message]] = {}
    for message in messages:
        groups.setdefault(message.body[name], []).append(message)
    return groups
