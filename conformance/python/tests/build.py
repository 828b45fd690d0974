"""Short ways to write messages and log documents in tests.

Everybody in the test context is bound to the principal `key:NAME`.
"""

from __future__ import annotations

import json
from typing import Any

import tern

Json = dict[str, Any]
NAMES = ("a", "b", "c")
CONTEXT: Json = {"context": {"id": "ctx", "participants": {n: f"key:{n}" for n in NAMES}}}


def message(ident: str, act: str, body: Json, reply: str | None = None, **more: Any) -> Json:
    sender = ident.partition(":")[0]
    return {
        "tern": "0.1", "id": ident, "from": sender, "to": ["b"], "thread": "t",
        "reply": reply, "act": act, "body": body, **more,
    }


def claim(*evidence: str) -> Json:
    return {
        "text": "x", "basis": "observed", "confidence": "low", "scope": "s",
        "evidence": list(evidence), "alternatives": [],
    }


def request_body(**more: Any) -> Json:
    return {"action": "do", "done_when": "done", "constraints": [], "authority_ref": None, **more}


def commit_body(request: str, **more: Any) -> Json:
    return {
        "request": request, "action": "do", "deliverable": "it", "done_when": "done",
        "due": None, "conditions": [], "authority_ref": None, **more,
    }


def report_body(commitment: str, state: str = "active") -> Json:
    return {"commitment": commitment, "state": state, "claims": [claim("ev:1")]}


def ask(ident: str, reply: str | None = None, **body: Any) -> Json:
    return message(ident, "ASK", {"question": "?", **body}, reply)


def tell(ident: str, reply: str | None = None, **more: Any) -> Json:
    return message(ident, "TELL", {"claims": [claim()]}, reply, **more)


def propose(ident: str) -> Json:
    return message(ident, "PROPOSE", {"plan": "p", "success": "s", "constraints": []})


def request(ident: str, reply: str | None = None, **body: Any) -> Json:
    return message(ident, "REQUEST", request_body(**body), reply)


def commit(ident: str, to: str, reply: str | None = None, **body: Any) -> Json:
    return message(ident, "COMMIT", commit_body(to, **body), reply)


def report(ident: str, on: str, state: str = "active", reply: str | None = None) -> Json:
    return message(ident, "REPORT", report_body(on, state), reply)


def challenge(ident: str, target: str, *support: str) -> Json:
    body = {
        "target": target, "kind": "scope", "objection": "o", "support": list(support),
        "resolution_test": "r",
    }
    return message(ident, "CHALLENGE", body)


def revise(
    ident: str, target: str, previous: str, replacement: Json | None = None,
    reply: str | None = None, impact: list[Json] | None = None,
) -> Json:
    body = {
        "target": target, "previous": previous, "reason": "r",
        "mode": "withdraw" if replacement is None else "replace",
        "replacement": replacement, "impact": impact or [],
    }
    return message(ident, "REVISE", body, reply)


def decline(ident: str, target: str) -> Json:
    return message(ident, "DECLINE", {"target": target, "reason": "r"})


def ack(ident: str, target: str, reply: str | None = None) -> Json:
    return message(ident, "ACK", {"target": target}, reply)


def impact(commitment: str, assessment: str = "paused") -> Json:
    return {"commitment": commitment, "assessment": assessment, "reason": "r"}


def evidence(ident: str, result: str = "r") -> Json:
    return {
        "id": ident, "source": "s", "collected_at": "2026-01-01T00:00:00Z", "method": "m",
        "result": result,
    }


def record(step: Json) -> Json:
    """A step of a log: a message is delivered by its sender, anything else is a record."""
    if "tern" in step:
        return {"deliver": {"principal": f"key:{step['from']}", "message": step}}
    return step


def log(*steps: Json) -> bytes:
    lines = [CONTEXT, *map(record, steps)]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def run(*steps: Json, **limits: int) -> tern.Result:
    result = tern.run(log(*steps), tern.Limits(**limits))
    assert result.refused_line is None, (result.refused_line, result.refused_code)
    return result


def view(*steps: Json, **limits: int) -> Json:
    return json.loads(run(*steps, **limits).view() or "")


def outcomes(*steps: Json, **limits: int) -> list[str]:
    """Each outcome as text, a rejection as its class and code."""
    return [
        f"{o['class']} {o['code']}" if o["outcome"] == "rejected" else o["outcome"]
        for o in run(*steps, **limits).outcomes
    ]


def deliver_bytes(data: bytes, limits: tern.Limits = tern.Limits()) -> tern.Outcome:
    """The outcome of one delivery in the context of bare messages."""
    return tern.State(limits).deliver(data)
