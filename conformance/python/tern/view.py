"""The canonical view (section 13)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from .canonical import digest, in_order, utf16_key
from .commitments import Commitment, derive_commitment
from .facts import Facts
from .graph import pending_cycles
from .index import Index
from .jsonread import Value
from .ledger import PENDING, Entry, Ledger
from .messages import Message
from .readiness import blocking_codes, reconcile_causes

View = dict[str, Value]


def build_view(
    context: str, bindings: Mapping[str, str] | None, ledger: Ledger, facts: Facts
) -> View:
    """The view of everything known; it does not depend on the order of arrival (S7.01)."""
    index = Index(ledger)
    commitments = [derive_commitment(m, index, facts) for m in index.accepted["COMMIT"]]
    blocked_by = {
        commitment.message.id: blocking_codes(commitment, index, facts, bindings)
        for commitment in commitments
    }
    return {
        "tern_view": "0.1",
        "context": context,
        "messages": {name: _message(entry) for name, entry in ledger.entries.items()},
        "equivocal": {
            name: in_order(version.digest for version in ledger.entries[name].versions)
            for name in index.equivocal
        },
        "cycles": _cycles(ledger),
        "chains": _chains(index),
        "requests": {m.id: _request(m, index) for m in index.accepted["REQUEST"]},
        "proposals": {
            m.id: {"declined_by": _ids(index.declines.get(m.id, ()))}
            for m in index.accepted["PROPOSE"]
        },
        "commitments": {
            commitment.message.id: _commitment(commitment, blocked_by[commitment.message.id])
            for commitment in commitments
        },
        "challenges": {
            m.id: {"target": m.body["target"], "kind": m.body["kind"]}
            for m in index.accepted["CHALLENGE"]
        },
        "acknowledged": _acknowledged(index),
        "impacts": _impacts(index),
        "evidence": _evidence(ledger, facts),
        "reconcile": _reconcile(blocked_by, facts),
    }


def _ids(messages: Iterable[Message]) -> list[str]:
    return in_order(message.id for message in messages)


def _message(entry: Entry) -> View:
    """S7.07."""
    message = entry.message
    shown: View = {
        "act": message.act,
        "from": message.sender,
        "thread": message.thread,
        "digest": message.digest,
        "status": entry.status,
    }
    if entry.status == PENDING:
        shown["waiting_for"] = in_order(entry.waiting_for)
    if entry.code is not None:
        shown["code"] = entry.code
    return shown


def _cycles(ledger: Ledger) -> list[list[str]]:
    """S3.04. Cycles share no id, so their first ids put them in order."""
    cycles = [in_order(cycle) for cycle in pending_cycles(ledger)]
    return sorted(cycles, key=lambda cycle: utf16_key(cycle[0]))


def _chains(index: Index) -> View:
    """S7.08."""
    shown: View = {}
    for target in {*index.revisions, *index.known_pending}:
        if index.is_accepted(target):
            chain = index.chain(target)
            shown[target] = {
                "state": chain.state,
                "head": chain.head,
                "content": None if chain.content is None else digest(chain.content),
                "competing": in_order(chain.competing),
                "revisions": _ids(chain.revisions),
                "pending": in_order(index.known_pending.get(target, ())),
            }
    return shown


def _request(request: Message, index: Index) -> View:
    """S7.09."""
    shown: View = {
        "committed_by": _ids(index.commits.get(request.id, ())),
        "declined_by": _ids(index.declines.get(request.id, ())),
    }
    if "replaces" in request.body:
        shown["replaces"] = request.body["replaces"]
    return shown


def _commitment(commitment: Commitment, blocked_by: set[str]) -> View:
    """S7.10."""
    progress = commitment.progress
    shown: View = {
        "request": commitment.request.id,
        "by": commitment.message.sender,
        "requester": commitment.request.sender,
        "due": commitment.message.body["due"],
        "progress": progress.state,
        "reports": in_order(commitment.reports),
        "candidates": in_order(progress.candidates),
        "reactivation_attempts": in_order(progress.reactivation_attempts),
        "annotations": in_order(commitment.annotations),
        "disputed_by": in_order(commitment.disputed_by),
        "superseded_by": in_order(commitment.superseded_by),
        "offers": in_order(commitment.offers),
        "request_changed_by": in_order(commitment.request_changed_by),
        "readiness": "blocked" if blocked_by else "ready",
        "blocked_by": in_order(blocked_by),
    }
    if progress.cause is not None:
        shown["progress_cause"] = progress.cause
    return shown


def _acknowledged(index: Index) -> View:
    """Who acknowledged a message (S7.11)."""
    senders: defaultdict[str, set[str]] = defaultdict(set)
    for ack in index.accepted["ACK"]:
        senders[ack.body["target"]].add(ack.sender)
    return {target: in_order(names) for target, names in senders.items()}


def _impacts(index: Index) -> View:
    """Assessments under each commitment as it was named, known or not (S7.11)."""
    named: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for revise in index.accepted["REVISE"]:
        for impact in revise.body["impact"]:
            named[impact["commitment"]].add((revise.id, impact["assessment"]))
    return {
        ref: [{"by": by, "assessment": assessment} for by, assessment in _sorted_pairs(pairs)]
        for ref, pairs in named.items()
    }


def _sorted_pairs(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """In UTF-16 order, field by field (S7.06)."""
    return sorted(pairs, key=lambda pair: (utf16_key(pair[0]), utf16_key(pair[1])))


def _evidence(ledger: Ledger, facts: Facts) -> View:
    """Every evidence id that is given or cited (S5.13, S7.12)."""
    objects: defaultdict[str, set[str]] = defaultdict(set)
    for given in facts.evidence:
        objects[given["id"]].add(digest(given))
    cited: set[str] = set()
    for entry in ledger.entries.values():
        for version in entry.versions:
            for given in version.evidence:
                objects[given["id"]].add(digest(given))
        cited.update(_citations(entry.message, ledger))
    shown: View = dict.fromkeys(cited, "inaccessible")
    for name, known in objects.items():
        shown[name] = "available" if len(known) == 1 else "contradictory"
    return shown


def _citations(message: Message, ledger: Ledger) -> Iterator[str]:
    bodies = [message.body]
    if message.act == "REVISE":
        replacement = message.replacement_for(ledger.known(message.body["target"]))
        bodies = [] if replacement is None else [replacement]
    for body in bodies:
        yield from body.get("support", ())
        for claim in body.get("claims", ()):
            yield from claim["evidence"]


def _reconcile(blocked_by: Mapping[str, set[str]], facts: Facts) -> list[View]:
    """S6.23."""
    shown: list[View] = []
    for commitment, action in _sorted_pairs(facts.started):
        causes = reconcile_causes(commitment, action, blocked_by, facts)
        if causes:
            shown.append({"commitment": commitment, "action": action, "causes": in_order(causes)})
    return shown
