"""Whatever the bytes are, there is an outcome or a refusal; and no input is slow."""

import json
import random
import unittest

import tern
from tests import build
from tests.build import ack, ask, commit, deliver_bytes, log, report, request, revise, tell


class Hostile(unittest.TestCase):
    def assert_quiet(self, data: bytes) -> None:
        result = tern.run(data)
        if result.refused_line is None:
            self.assertEqual(len(result.digest() or ""), 64)
        else:
            self.assertGreater(result.refused_line, 0)

    def test_mutated_documents(self) -> None:
        steps = [request("a:q"), commit("b:k", "a:q"), report("b:1", "b:k"),
                 revise("b:2", "b:1", "b:1", build.report_body("b:k", "failed")),
                 {"clock": "2026-01-01T00:00:00Z"}, {"permit": {"commitment": "b:k"}}]
        valid = log(*steps)
        bare = "\n".join(json.dumps(s) for s in steps if "tern" in s).encode()
        rng = random.Random(7)
        pieces = [b"{", b"}", b"[", b"]", b'"', b"\\", b"\n", b",", b":", b"\xff", b"1e999",
                  b"\\ud800", b"null", b"\x00", b"\xef\xbb\xbf", b'"tern":', b"0.1", b"a:1", b""]
        for _ in range(1500):
            data = bytearray(rng.choice((valid, bare)))
            for _ in range(rng.randint(1, 4)):
                start = rng.randrange(len(data))
                data[start : start + rng.choice((0, 0, 1, 5, 40))] = rng.choice(pieces)
            self.assert_quiet(bytes(data))

    def test_random_bytes(self) -> None:
        rng = random.Random(8)
        for _ in range(500):
            self.assert_quiet(rng.randbytes(rng.randint(0, 60)))

    def test_every_value_in_every_place(self) -> None:
        values = [None, True, 0, -1, 1.5, "", "x", "a:1", [], [[]], {}, {"a": 1}, "0.1", "\x00"]
        base = commit("b:k", "a:q")
        records = [build.CONTEXT, {"deliver": {"message": base}},
                   {"grant": {"ref": "g", "principal": "p"}}, {"clock": "2026-01-01T00:00:00Z"},
                   {"confirm": {"commitment": "b:k", "condition": 0}}]
        for value in values:
            for name in base:
                self.assert_quiet(json.dumps({**base, name: value}).encode())
            for name in base["body"]:
                body = {**base["body"], name: value}
                self.assert_quiet(json.dumps({**base, "body": body}).encode())
            for line in records:
                key = next(iter(line))
                self.assert_quiet(log({key: value}))
                if isinstance(line[key], dict):
                    for name in line[key]:
                        self.assert_quiet(log({key: {**line[key], name: value}}))

    def test_deep_nesting(self) -> None:
        for opening, closing in (("[", "]"), ('{"a":', "}")):
            deep = opening * 100_000 + "1" + closing * 100_000
            self.assertEqual(deliver_bytes(('{"x":' + deep + "}").encode()).code, "too_deep")
            self.assert_quiet(deep.encode())
            self.assert_quiet(log() + ('{"deliver":{"message":{"x":' + deep + "}}}").encode())
            self.assert_quiet(log() + ('{"permit":' + deep + "}").encode())
            self.assert_quiet(opening.encode() * 100_000)

    def test_limits_may_be_lifted(self) -> None:
        nested = "[" * 50_000 + "]" * 50_000
        deep = json.dumps(tell("a:1"))[:-1] + ',"extensions":{"x":' + nested + "}}"
        limits = tern.Limits(max_depth=10**6)
        self.assertEqual(deliver_bytes(deep.encode(), limits).outcome, "accepted")

    def test_size_limit_is_exact(self) -> None:
        padded = lambda size: json.dumps(tell("a:1")).encode().ljust(size)
        self.assertEqual(deliver_bytes(padded(1_048_576)).outcome, "accepted")
        self.assertEqual(deliver_bytes(padded(1_048_577)).code, "too_long")

    def test_long_numbers(self) -> None:
        for number in ("9" * 500_000, "0." + "0" * 500_000 + "1", "1e-" + "9" * 500_000,
                       "1e" + "9" * 500_000, "1" + "0" * 500_000 + "e-" + "0" * 9 + "500000"):
            data = json.dumps(tell("a:1"))[:-1] + ',"extensions":{"n":' + number + "}}"
            self.assertIn(deliver_bytes(data.encode()).code, (None, "number_overflow"))


class Speed(unittest.TestCase):
    def assert_whole(self, *steps: dict) -> None:
        result = tern.run(log(*steps))
        self.assertEqual(len(result.outcomes), len(steps))
        self.assertTrue(json.loads(result.view())["messages"])

    def test_a_thousand_messages(self) -> None:
        base = [request("a:q"), commit("b:k", "a:q")]
        names = range(1000)
        chain = [report(f"b:{i}", "b:k", reply=f"b:{i - 1}" if i else None) for i in names]
        self.assert_whole(*base, *chain)
        self.assert_whole(*reversed(chain), *reversed(base))
        fork = [revise(f"b:r{i}", "b:0", "b:0") for i in names]
        self.assert_whole(*base, chain[0], *fork)
        self.assert_whole(*[ask(f"a:{i}", f"a:{(i + 1) % 1000}") for i in names])
        self.assert_whole(*[ack(f"b:{i}", "a:q") for i in names], base[0])
        self.assert_whole(*base, *[{**tell("c:1"), "thread": str(i)} for i in names])


if __name__ == "__main__":
    unittest.main()
