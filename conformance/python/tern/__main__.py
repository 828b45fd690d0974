"""`python3 -m tern run FILE` and `python3 -m tern digest FILE`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .result import Result, run

_UNVERIFIED = "bare messages: senders were not verified"


def main(arguments: list[str] | None = None) -> int:
    """Run a file; the status is 2 if the document is refused (S8.02)."""
    parser = argparse.ArgumentParser(prog="tern", description="Read a file of Tern 0.1.")
    parser.add_argument("command", choices=("run", "digest"))
    parser.add_argument("file", type=Path)
    options = parser.parse_args(arguments)
    try:
        data = options.file.read_bytes()
    except OSError as error:
        print(f"tern: {error}", file=sys.stderr)
        return 1
    result = run(data)
    if result.refused_line is not None:
        place = f"line {result.refused_line}: {result.refused_code}"
        print(f"tern: document refused, {place}", file=sys.stderr)
        return 2
    if result.bare:  # S8.12
        print(f"tern: {_UNVERIFIED}", file=sys.stderr)
    lines = _outcome_lines(result) if options.command == "run" else [result.digest() or ""]
    sys.stdout.buffer.write("".join(line + "\n" for line in lines).encode("utf-8"))
    return 0


def _outcome_lines(result: Result) -> list[str]:
    """One line a delivery, and the view at the end."""
    lines = [
        " ".join([f"line {line}:", *outcome.values()])
        for line, outcome in zip(result.delivery_lines, result.outcomes)
    ]
    return [*lines, result.view() or ""]


if __name__ == "__main__":
    sys.exit(main())
