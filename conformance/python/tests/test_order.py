"""Order of arrival decides nothing (S3.03, S7.01, S7.02), on random histories."""

import json
import random
import unittest
from typing import Any

import tern
from tern.jsonread import parse
from tern.messages import REVISABLE, Limits, Message, read_message
from tern.rules import first_failure
from tests import build
from tests.build import Json, log

STATES = ("active", "blocked", "fulfilled", "failed")


class Histories:
    """Makes random messages by three people that refer to each other a lot."""

    def __init__(self, seed: int, ids: int) -> None:
        self.random = random.Random(seed)
        self.ids = [f"{self.random.choice('ab')}:{i}" for i in range(ids)]

    def ref(self) -> str:
        return self.random.choice(self.ids)

    def body_of(self, act: str) -> Json:
        pick = self.random.choice
        if act == "REQUEST":
            return build.request_body(**({"replaces": self.ref()} if pick((0, 0, 1)) else {}))
        if act == "COMMIT":
            return build.commit_body(self.ref())
        if act == "REPORT":
            return build.report_body(self.ref(), pick(STATES))
        if act == "TELL":
            return {"claims": [build.claim(f"ev:{pick('xyz')}")]}
        return {}

    def message(self, ident: str) -> Json:
        pick = self.random.choice
        act = pick(["TELL", "REQUEST", "REQUEST", "COMMIT", "COMMIT", "REPORT", "REPORT",
                    "REVISE", "REVISE", "REVISE", "ACK", "CHALLENGE", "DECLINE"])
        reply = self.ref() if pick((0, 0, 1)) else None
        if act == "REVISE":
            target = self.ref()
            replacement = pick([None, self.body_of(pick(sorted(REVISABLE)))])
            previous = target if pick((0, 1)) else self.ref()
            return build.revise(ident, target, previous, replacement, reply)
        if act == "ACK":
            return build.ack(ident, self.ref(), reply)
        if act == "CHALLENGE":
            return build.challenge(ident, self.ref(), "ev:s")
        if act == "DECLINE":
            return build.decline(ident, self.ref())
        return build.message(ident, act, self.body_of(act), reply)

    def sensible(self) -> list[Json]:
        """A history in which most messages are accepted."""
        steps = [build.request("a:q"), build.commit("b:k", "a:q")]
        pick = self.random.choice
        reports, revisions = [], []
        for ident in self.ids:
            sender = ident[0]
            reply = pick(steps)["id"]
            kind = pick("rrvvvsakt")
            if kind == "r" or not reports:
                steps.append(build.report(f"b:r{ident}", "b:k", pick(STATES), reply))
                reports.append(steps[-1]["id"])
            elif kind == "v":
                target = pick([*reports, "b:k", "a:q"])
                older = [r["id"] for r in revisions if r["body"]["target"] == target]
                body = {"b:k": build.commit_body("a:q"), "a:q": build.request_body()}.get(
                    target, build.report_body("b:k", pick(STATES)))
                revision = build.revise(f"{target[0]}:v{ident}", target, pick([target, *older]),
                                        pick([None, body]), pick([None, reply]))
                revisions.append(revision)
                steps.append(revision)
            elif kind == "s":
                steps.append(build.request(f"a:s{ident}", reply, replaces="b:k"))
            elif kind == "k":
                known = [s["id"] for s in steps if s["act"] == "REQUEST"]
                steps.append(build.commit(f"b:c{ident}", pick(known), reply))
            elif kind == "t":
                steps.append(build.ask(f"{sender}:t{ident}", reply, about=pick(steps)["id"]))
            else:
                steps.append(build.ack(f"{sender}:a{ident}", pick(steps)["id"], reply))
        return steps


def naive_statuses(messages: list[Json]) -> dict[str, str]:
    """The least fixpoint of section 6, by going over everything until nothing changes."""
    read = {m["id"]: read_message(json.dumps(m).encode(), Limits()) for m in messages}
    status: dict[str, str] = {}

    def gating(message: Message) -> list[str]:
        refs = list(message.own_references())
        target = read.get(message.body.get("target", ""))
        replacement = message.replacement_for(target)
        for name in ("request", "commitment", "replaces"):
            if replacement is not None and name in replacement:
                refs.append(replacement[name])
        return refs

    changed = True
    while changed:
        changed = False
        for name, message in read.items():
            refs = gating(message)
            if name in status or not all(ref in status for ref in refs):
                continue
            rejected = any(status[ref] != "accepted" for ref in refs)
            failure = "reference_rejected" if rejected else first_failure(message, read.__getitem__)
            status[name] = failure or "accepted"
            changed = True
    return {name: status.get(name, "pending") for name in read}


class Order(unittest.TestCase):
    def histories(self, seed: int) -> list[list[Json]]:
        wild = Histories(seed, 14)
        return [[wild.message(ident) for ident in wild.ids], Histories(seed, 14).sensible()]

    def test_every_order_ends_alike_and_as_the_fixpoint_says(self) -> None:
        seen: set[str] = set()
        for seed in range(120):
            for steps in self.histories(seed):
                expected = tern.run(log(*steps)).view()
                shown = json.loads(expected)["messages"]
                self.assertEqual({k: m.get("code", m["status"]) for k, m in shown.items()},
                                 naive_statuses(steps))
                seen.update(m.get("code", m["status"]) for m in shown.values())
                for shuffle in range(3):
                    shuffled = random.Random(shuffle).sample(steps, len(steps))
                    self.assertEqual(tern.run(log(*shuffled)).view(), expected)
        self.assertGreater(len(seen), 10)

    def test_equal_versions_in_another_order_keep_the_promise(self) -> None:
        """S7.02: where two receivers disagree on a commitment, both have it blocked or absent."""
        differences = 0
        for seed in range(150):
            for steps in self.histories(seed):
                rng = random.Random(seed)
                double = Histories(seed + 1000, 0)
                double.ids = [m["id"] for m in steps]
                again = [double.message(m["id"]) for m in rng.sample(steps, 2)]
                permits = [{"permit": {"commitment": m["id"]}} for m in steps]
                both = steps + again
                left = json.loads(tern.run(log(*permits, *both)).view())
                right = json.loads(tern.run(log(*permits, *rng.sample(both, len(both)))).view())
                differences += self.assert_promise(left, right)
        self.assertGreater(differences, 0)

    def assert_promise(self, left: Json, right: Json) -> int:
        self.assertEqual(left["equivocal"], right["equivocal"])
        differences = 0
        for name in {*left["commitments"], *right["commitments"]}:
            if essence(left, name) != essence(right, name):
                differences += 1
                for side in (left, right):
                    commitment = side["commitments"].get(name)
                    if commitment is not None:
                        self.assertEqual(commitment["readiness"], "blocked")
        return differences


def essence(view: Json, name: str) -> Any:
    """What S7.02 promises about a commitment, unless it is blocked or absent."""
    commitment = view["commitments"].get(name)
    if commitment is None:
        return None
    chains = view["chains"]
    progress = {k: v for k, v in commitment.items() if k.startswith("progress")}
    return (chains.get(name), chains.get(commitment["request"]), progress,
            commitment["superseded_by"])


class Facts(unittest.TestCase):
    def test_facts_are_a_set(self) -> None:
        about = {"commitment": "b:k"}
        facts = [
            {"grant": {"ref": "g", "principal": "key:b", "expires": "2026-01-01T00:00:00Z"}},
            {"revoke": {"ref": "g"}}, {"clock": "2026-01-02T00:00:00Z"},
            {"clock": "2025-01-02T00:00:00Z"}, {"approve": {**about, "by": "x"}},
            {"require_approval": about}, {"confirm": {**about, "condition": 0}},
            {"judge": {**about, "terms": "mismatch"}}, {"start": {**about, "action": "x"}},
            {"reconciled": {**about, "action": "x", "causes": ["request_withdrawn"]}},
            {"evidence": build.evidence("ev:1")}, {"evidence": build.evidence("ev:1", "2")},
            build.request("a:q"), build.commit("b:k", "a:q", authority_ref="g", conditions=["c"]),
            build.revise("a:1", "a:q", "a:q"), build.revise("b:1", "b:k", "b:k"),
        ]
        expected = tern.run(log(*facts)).view()
        self.assertEqual(parse(expected).flaws, [])
        for seed in range(20):
            shuffled = random.Random(seed).sample(facts + facts[:12], len(facts) + 12)
            self.assertEqual(tern.run(log(*shuffled)).view(), expected)


if __name__ == "__main__":
    unittest.main()
