"""`python3 -m tern`."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

import tern
from tern.__main__ import main
from tests.build import log, tell


class CommandLine(unittest.TestCase):
    def call(self, command: str, data: bytes) -> tuple[int, str, str]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "log.jsonl")
            path.write_bytes(data)
            out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
            err = io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status = main([command, str(path)])
            return status, out.buffer.getvalue().decode(), err.getvalue()

    def test_run_and_digest(self) -> None:
        data = log(tell("a:1"), {**tell("a:2"), "note": 1})
        result = tern.run(data)
        status, out, err = self.call("run", data)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out.splitlines(), [
            "line 2: accepted", "line 3: rejected shape unknown_field", result.view()])
        self.assertEqual(self.call("digest", data), (0, f"{result.digest()}\n", ""))

    def test_refused(self) -> None:
        status, out, err = self.call("run", log() + b"{}\n")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("line 2: document_unknown_record", err)

    def test_bare_messages_are_marked(self) -> None:
        for command in ("run", "digest"):
            status, _, err = self.call(command, json.dumps(tell("a:1")).encode())
            self.assertEqual(status, 0)
            self.assertIn("not verified", err)

    def test_no_such_file(self) -> None:
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(main(["run", "/no/such/file"]), 1)


if __name__ == "__main__":
    unittest.main()
