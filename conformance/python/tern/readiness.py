"""Whether a commitment is blocked, and which started actions need reconciling (sections 11, 12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .commitments import TERMINAL, Commitment
from .facts import Facts, Grant
from .index import Index

RECONCILE_CODES = frozenset(
    {
        "request_conflicted",
        "request_revision_pending",
        "request_equivocal",
        "request_withdrawn",
        "commitment_conflicted",
        "commitment_revision_pending",
        "commitment_equivocal",
        "commitment_withdrawn",
        "superseded",
        "supersession_pending",
    }
)
"""The blocking codes that are causes to reconcile a started action (S6.23)."""


def blocking_codes(
    commitment: Commitment, index: Index, facts: Facts, bindings: Mapping[str, str] | None
) -> set[str]:
    """Every code that blocks a commitment; it is ready if there is none (S6.02)."""
    conditions = {
        **_history_conditions(commitment, index),
        **_progress_conditions(commitment, index),
        **_local_conditions(commitment, facts),
    }
    codes = {code for code, holds in conditions.items() if holds}
    codes.update(_authority_codes(commitment, facts, bindings))
    return codes


def _history_conditions(commitment: Commitment, index: Index) -> dict[str, bool]:
    """S6.03 to S6.09."""
    name, request = commitment.message.id, commitment.request.id
    author, requester = commitment.message.sender, commitment.request.sender
    parties = (author, requester, name)
    return {
        "request_conflicted": index.chain(request).state == "conflicted",
        "commitment_conflicted": index.chain(name).state == "conflicted",
        "request_revision_pending": request in index.known_pending,
        "commitment_revision_pending": name in index.known_pending,
        "request_equivocal": request in index.tainted
        or (requester, request) in index.tainted_revises,
        "commitment_equivocal": name in index.tainted
        or (author, name) in index.tainted_revises
        or parties in index.tainted_supersessions,
        "supersession_pending": parties in index.supersessions_underway,
        "request_withdrawn": index.chain(request).state == "withdrawn",
        "commitment_withdrawn": commitment.withdrawn,
        "superseded": bool(commitment.superseded_by),
    }


def _progress_conditions(commitment: Commitment, index: Index) -> dict[str, bool]:
    """S6.10 to S6.12."""
    progress = commitment.progress.state
    report = (commitment.message.sender, commitment.message.id)
    return {
        "terminal": progress in TERMINAL,
        "reported_blocked": progress == "blocked",
        "progress_unresolved": progress == "unresolved",
        "report_pending": report in index.reports_underway,
        "report_equivocal": report in index.tainted_reports,
    }


def _local_conditions(commitment: Commitment, facts: Facts) -> dict[str, bool]:
    """S6.20 and S6.21."""
    name = commitment.message.id
    confirmed = facts.confirmed.get(name, set())
    judged = facts.judgements.get(name, set())
    conditions = range(len(commitment.message.body["conditions"]))
    return {
        "approval_missing": name in facts.approval_required and name not in facts.approved,
        "condition_unconfirmed": not confirmed.issuperset(conditions),
        "terms_mismatch": "mismatch" in judged,
        "terms_ambiguous": "ambiguous" in judged,
    }


def _authority_codes(
    commitment: Commitment, facts: Facts, bindings: Mapping[str, str] | None
) -> Iterator[str]:
    """S6.13 to S6.19: local permission, or a grant of which every record suffices."""
    message = commitment.message
    authority = message.body["authority_ref"]
    if authority is None:
        if message.id not in facts.permitted:
            yield "no_authority"
        return
    grants = facts.grants.get(authority)
    if not grants:
        yield "grant_unknown"
    if authority in facts.revoked:
        yield "grant_revoked"
    bound = None if bindings is None else bindings.get(message.sender)
    for grant in grants or ():
        if grant.principal != bound:
            yield "grant_other_principal"
        if grant.actions is not None and message.body["action"] not in grant.actions:
            yield "grant_too_narrow"
        yield from _time_codes(grant, facts)


def _time_codes(grant: Grant, facts: Facts) -> Iterator[str]:
    """S6.18: now is the latest instant that a clock gave."""
    if facts.now is None:
        if grant.not_before is not None or grant.expires is not None:
            yield "clock_unknown"
        return
    if grant.not_before is not None and facts.now < grant.not_before:
        yield "grant_not_yet_valid"
    if grant.expires is not None and facts.now >= grant.expires:
        yield "grant_expired"


def reconcile_causes(
    commitment: str, action: str, blocked_by: Mapping[str, set[str]], facts: Facts
) -> set[str]:
    """Why a started action should not have been started, as far as is open (S6.23)."""
    codes = blocked_by.get(commitment)
    causes = {"not_accepted"} if codes is None else codes & RECONCILE_CODES
    return causes - facts.reconciled.get((commitment, action), set())
