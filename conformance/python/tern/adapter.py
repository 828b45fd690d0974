"""Answers ``tern conform``: the protocol of ``spec/protocol.md`` over standard input and output."""

from __future__ import annotations

import base64
import json
import sys
from typing import Any, BinaryIO, TextIO

from . import run


def serve(requests: BinaryIO, replies: TextIO) -> None:
    """Answer each line until ``stop`` or the end of the input."""
    for line in requests:
        request = json.loads(line)
        if request["do"] == "stop":
            return
        reply = {"seq": request["seq"], **_answer(request)}
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    if request["do"] == "hello":
        return {
            "is": "hello",
            "protocol": 1,
            "spec": "0.1",
            "implementation": "tern-python",
            "version": "0.1.0",
            "language": "Python",
            "capabilities": ["bare", "view", "digest"],
        }
    document = request["document"]
    if isinstance(document, str):
        content = document.encode()
    else:
        content = base64.b64decode(document["base64"])
    result = run(content)
    if result.refused_line is not None:
        return {"is": "result", "refused": result.refused_line}
    reply: dict[str, Any] = {"is": "result", "outcomes": result.outcomes}
    if "view" in request["answer"]:
        reply["view"] = json.loads(result.view())
    if "digest" in request["answer"]:
        reply["digest"] = result.digest()
    return reply


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout)
