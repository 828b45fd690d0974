"""Before acting (section 11) and reconcile (section 12)."""

import unittest

from tests.build import (
    commit, message, report, request, request_body, revise, tell, view,
)

ABOUT = {"commitment": "b:k"}
QUIET = [request("a:q"), commit("b:k", "a:q"), {"permit": ABOUT}]


def blocked(*steps: dict) -> list[str]:
    shown = view(*steps)["commitments"]["b:k"]
    assert (shown["readiness"] == "ready") == (not shown["blocked_by"])
    return shown["blocked_by"]


class History(unittest.TestCase):
    def test_request(self) -> None:
        one, two = (revise(f"a:{i}", "a:q", "a:q") for i in (1, 2))
        self.assertEqual(blocked(*QUIET, one), ["request_withdrawn"])
        self.assertEqual(blocked(*QUIET, one, two), ["request_conflicted"])
        replaced = revise("a:1", "a:q", "a:q", request_body())
        self.assertEqual(blocked(*QUIET, replaced), [])

    def test_pending_revisions(self) -> None:
        waiting = [revise(i, t, t, reply="c:9") for i, t in (("a:1", "a:q"), ("b:1", "b:k"))]
        self.assertEqual(blocked(*QUIET, *waiting),
                         ["commitment_revision_pending", "request_revision_pending"])
        foreign = [revise(i, t, t, reply="c:9") for i, t in (("b:1", "a:q"), ("a:1", "b:k"))]
        self.assertEqual(blocked(*QUIET, *foreign), [])

    def test_commitment(self) -> None:
        one, two = (revise(f"b:{i}", "b:k", "b:k") for i in (1, 2))
        self.assertEqual(blocked(*QUIET, one), ["commitment_withdrawn"])
        self.assertEqual(blocked(*QUIET, one, two), ["commitment_conflicted"])

    def test_supersession(self) -> None:
        new = request("a:q2", replaces="b:k")
        self.assertEqual(blocked(*QUIET, new), [])
        self.assertEqual(blocked(*QUIET, new, commit("b:2", "a:q2", reply="c:9")),
                         ["supersession_pending"])
        self.assertEqual(blocked(*QUIET, new, commit("c:2", "a:q2", reply="c:9")), [])
        pending = request("a:q2", reply="c:9", replaces="b:k")
        self.assertEqual(blocked(*QUIET, pending, commit("b:2", "a:q2")), ["supersession_pending"])
        foreign = request("c:q2", reply="c:9", replaces="b:k")
        self.assertEqual(blocked(*QUIET, foreign, commit("b:2", "c:q2")), [])
        self.assertEqual(blocked(*QUIET, new, commit("b:2", "a:q2")), ["superseded"])

    def test_progress(self) -> None:
        for state, code in (("active", []), ("blocked", ["reported_blocked"]),
                            ("fulfilled", ["terminal"]), ("failed", ["terminal"])):
            self.assertEqual(blocked(*QUIET, report("b:2", "b:k", state)), code)
        first = report("b:2", "b:k")
        self.assertEqual(blocked(*QUIET, report("b:2", "b:k", reply="c:9")), ["report_pending"])
        self.assertEqual(blocked(*QUIET, report("a:2", "b:k", reply="c:9")), [])
        self.assertEqual(blocked(*QUIET, first, revise("b:3", "b:2", "b:2", reply="c:9")),
                         ["report_pending"])
        self.assertEqual(blocked(*QUIET, first, revise("a:3", "b:2", "b:2", reply="c:9")), [])


class Authority(unittest.TestCase):
    BASE = [request("a:q"), commit("b:k", "a:q", authority_ref="g")]

    def codes(self, *steps: dict) -> list[str]:
        return blocked(*self.BASE, *steps)

    def grant(self, principal: str = "key:b", **more: object) -> dict:
        return {"grant": {"ref": "g", "principal": principal, **more}}

    def test_null_needs_a_permit(self) -> None:
        self.assertEqual(blocked(*QUIET[:2]), ["no_authority"])
        self.assertEqual(blocked(*QUIET), [])

    def test_grants(self) -> None:
        self.assertEqual(self.codes(), ["grant_unknown"])
        self.assertEqual(self.codes({"permit": ABOUT}), ["grant_unknown"])
        self.assertEqual(self.codes(self.grant()), [])
        self.assertEqual(self.codes({"revoke": {"ref": "g"}}), ["grant_revoked", "grant_unknown"])
        self.assertEqual(self.codes({"revoke": {"ref": "g"}}, self.grant()), ["grant_revoked"])
        self.assertEqual(self.codes(self.grant("key:a")), ["grant_other_principal"])
        self.assertEqual(self.codes(self.grant(), self.grant("key:a")), ["grant_other_principal"])
        self.assertEqual(self.codes(self.grant(actions=["do", "x"])), [])
        self.assertEqual(self.codes(self.grant(actions=["Do"])), ["grant_too_narrow"])
        self.assertEqual(self.codes(self.grant(actions=[])), ["grant_too_narrow"])

    def test_time(self) -> None:
        bounds = self.grant(not_before="2026-01-01T00:00:00Z", expires="2026-02-01T00:00:00Z")
        self.assertEqual(self.codes(bounds), ["clock_unknown"])
        for clock, expected in {
            "2025-12-31T23:59:59.999Z": ["grant_not_yet_valid"],
            "2026-01-01T01:00:00+01:00": [],
            "2026-02-01T00:59:59.9+01:00": [],
            "2026-02-01T00:00:00Z": ["grant_expired"],
        }.items():
            self.assertEqual(self.codes(bounds, {"clock": clock}), expected)
            earlier = {"clock": "2000-01-01T00:00:00Z"}
            self.assertEqual(self.codes({"clock": clock}, bounds, earlier), expected)

    def test_approval_conditions_terms(self) -> None:
        base = [request("a:q"), commit("b:k", "a:q", conditions=["x", "y"])]
        permit = {"permit": ABOUT}
        confirm = [{"confirm": {**ABOUT, "condition": i}} for i in (0, 1.0, 2)]
        self.assertEqual(blocked(*base, permit, confirm[0], confirm[2]), ["condition_unconfirmed"])
        self.assertEqual(blocked(*confirm, *base, permit), [])
        required = {"require_approval": ABOUT}
        approve = {"approve": {**ABOUT, "by": "somebody"}}
        self.assertEqual(blocked(*QUIET, required), ["approval_missing"])
        self.assertEqual(blocked(*QUIET, approve, required), [])
        judges = [{"judge": {**ABOUT, "terms": t}} for t in ("satisfied", "mismatch", "ambiguous")]
        self.assertEqual(blocked(*QUIET, judges[0]), [])
        self.assertEqual(blocked(*QUIET, *judges), ["terms_ambiguous", "terms_mismatch"])


class Reconcile(unittest.TestCase):
    START = {"start": {**ABOUT, "action": "act"}}

    def causes(self, *steps: dict) -> list[str]:
        shown = view(*steps)["reconcile"]
        return shown[0]["causes"] if shown else []

    def test_not_accepted(self) -> None:
        self.assertEqual(self.causes(self.START), ["not_accepted"])
        self.assertEqual(self.causes(self.START, tell("b:k")), ["not_accepted"])
        self.assertEqual(self.causes(self.START, commit("b:k", "a:q")), ["not_accepted"])
        self.assertEqual(self.causes(self.START, *QUIET), [])

    def test_causes_and_what_is_reconciled(self) -> None:
        late = [*QUIET, self.START, revise("a:2", "a:q", "a:q"), revise("b:2", "b:k", "b:k")]
        self.assertEqual(self.causes(*late), ["commitment_withdrawn", "request_withdrawn"])
        finish = {"finish": self.START["start"]}
        done = {"reconciled": {**ABOUT, "action": "act",
                               "causes": ["request_withdrawn", "whatever"]}}
        other = {"reconciled": {**ABOUT, "action": "another", "causes": ["commitment_withdrawn"]}}
        self.assertEqual(self.causes(done, *late, finish, other), ["commitment_withdrawn"])
        # Blocking codes that are no causes, such as a report, do not appear.
        quiet = [*QUIET, self.START, report("b:2", "b:k", "blocked")]
        self.assertEqual(self.causes(*quiet), [])

    def test_order(self) -> None:
        pairs = [("b:z", "\ufb33"), ("b:z", "\U0001f602"), ("a:z", "x")]
        starts = [{"start": {"commitment": c, "action": a}} for c, a in (*pairs, pairs[0])]
        shown = [(e["commitment"], e["action"]) for e in view(*starts)["reconcile"]]
        self.assertEqual(shown, [pairs[2], pairs[1], pairs[0]])


class Facts(unittest.TestCase):
    def test_messages_create_no_authority(self) -> None:
        words = message("a:9", "TELL", {"claims": [{
            "text": '{"permit":{"commitment":"b:k"}}', "basis": "observed", "confidence": "high",
            "scope": "s", "evidence": [], "alternatives": []}]},
            extensions={"permit": ABOUT})
        self.assertEqual(blocked(*QUIET[:2], words), ["no_authority"])


if __name__ == "__main__":
    unittest.main()
