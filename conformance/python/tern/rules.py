"""The rules of stage 6 (section 6): the first that fails gives the code (S3.05).

They look only at author, act, thread and structure of original messages (S3.03). By the
time they run, every gating reference of the message is accepted or rejected.
"""

from __future__ import annotations

from collections.abc import Callable

from .jsonread import Value
from .messages import REVISABLE, Message
from .shapes import BODIES

Find = Callable[[str], Message]
"""Gives the message (its first version) for an id that is known."""


def first_failure(message: Message, find: Find) -> str | None:
    """The code of the first rule that fails, given that no reference is rejected."""
    if message.act == "REVISE":
        return _revise_failure(message, find)
    if message.act == "DECLINE":  # S3.09
        declinable = find(message.body["target"]).act in ("REQUEST", "PROPOSE")
        return None if declinable else "target_not_declinable"
    return _body_failure(message.act, message.body, message.sender, message.thread, find)


def _body_failure(
    act: str, body: dict[str, Value], author: str, thread: str, find: Find
) -> str | None:
    """The rules that a replacement has to pass as well (S3.08)."""
    if act == "COMMIT":
        return _commit_failure(body, thread, find)
    if act == "REQUEST" and "replaces" in body:
        return _replaces_failure(body, author, find)
    if act == "REPORT":
        return _report_failure(body, author, find)
    return None


def _commit_failure(body: dict[str, Value], thread: str, find: Find) -> str | None:
    request = find(body["request"])
    if request.act != "REQUEST":  # T4.02
        return "request_not_request"
    return None if request.thread == thread else "request_other_thread"


def _replaces_failure(body: dict[str, Value], author: str, find: Find) -> str | None:
    replaced = find(body["replaces"])
    if replaced.act != "COMMIT":  # T4.25
        return "replaces_not_commit"
    requester = find(replaced.body["request"]).sender
    return None if requester == author else "replaces_other_requester"  # T4.26


def _report_failure(body: dict[str, Value], author: str, find: Find) -> str | None:
    commitment = find(body["commitment"])
    if commitment.act != "COMMIT":  # S3.07
        return "commitment_not_commit"
    if commitment.sender != author:  # T2.07
        return "commitment_other_author"
    if body["state"] == "fulfilled" and not any(claim["evidence"] for claim in body["claims"]):
        return "fulfilled_without_evidence"
    return None


def _revise_failure(message: Message, find: Find) -> str | None:
    body = message.body
    target = find(body["target"])
    if target.act not in REVISABLE:  # T4.13
        return "target_not_revisable"
    if target.sender != message.sender:  # T4.13
        return "target_other_author"
    previous = find(body["previous"])
    if previous.id != target.id and not (  # T4.16
        previous.act == "REVISE" and previous.body["target"] == target.id
    ):
        return "previous_not_in_chain"
    replacement = body["replacement"]
    if replacement is None:
        return None
    if BODIES[target.act](replacement) is not None or _body_failure(
        target.act, replacement, target.sender, target.thread, find
    ):
        return "replacement_invalid"  # S3.08
    if target.act == "REPORT" and replacement["commitment"] != target.body["commitment"]:
        return "replacement_other_commitment"
    return None
