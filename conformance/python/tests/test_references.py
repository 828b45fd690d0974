"""Stage 6: pending, accepted, rejected, and the code of a rejection (section 6)."""

import unittest

from tests.build import (
    ack, ask, claim, commit, commit_body, decline, message, outcomes, propose, report,
    report_body, request, request_body, revise, tell, view,
)

BASE = [request("a:q"), commit("b:k", "a:q"), report("b:r", "b:k"), tell("a:t"), propose("a:p")]


class Codes(unittest.TestCase):
    def assert_code(self, step: dict, code: str | None, *more: dict) -> None:
        expected = "accepted" if code is None else f"reference {code}"
        self.assertEqual(outcomes(*BASE, *more, step)[-1], expected, step)

    def test_commit(self) -> None:
        self.assert_code(commit("b:1", "a:t"), "request_not_request")
        elsewhere = {**commit("b:1", "a:q"), "thread": "other"}
        self.assert_code(elsewhere, "request_other_thread")
        self.assert_code(commit("a:1", "a:q"), None)

    def test_request(self) -> None:
        self.assert_code(request("a:1", replaces="b:r"), "replaces_not_commit")
        self.assert_code(request("b:1", replaces="b:k"), "replaces_other_requester")
        self.assert_code(request("a:1", replaces="b:k"), None)

    def test_report(self) -> None:
        self.assert_code(report("b:1", "a:q"), "commitment_not_commit")
        self.assert_code(report("a:1", "b:k"), "commitment_other_author")
        bare = {**report_body("b:k", "fulfilled"), "claims": [claim(), claim()]}
        self.assert_code(message("b:1", "REPORT", bare), "fulfilled_without_evidence")
        self.assert_code(message("b:1", "REPORT", {**bare, "state": "failed"}), None)
        enough = {**bare, "claims": [claim(), claim("ev:1")]}
        self.assert_code(message("b:1", "REPORT", enough), None)

    def test_decline(self) -> None:
        self.assert_code(decline("b:1", "a:t"), "target_not_declinable")
        self.assert_code(decline("b:1", "a:p"), None)
        self.assert_code(decline("a:1", "a:q"), None)

    def test_revise(self) -> None:
        self.assert_code(revise("a:2", "a:1", "a:1"), "target_not_revisable", ack("a:1", "a:t"))
        self.assert_code(revise("a:2", "a:1", "a:1"), "target_not_revisable",
                         revise("a:1", "a:q", "a:q"))
        self.assert_code(revise("b:1", "a:q", "a:q"), "target_other_author")
        self.assert_code(revise("a:1", "a:q", "a:t"), "previous_not_in_chain")
        self.assert_code(revise("a:2", "a:q", "a:1"), "previous_not_in_chain",
                         revise("a:1", "a:t", "a:t"))
        self.assert_code(revise("a:2", "a:q", "a:1"), None, revise("a:1", "a:q", "a:q"))

    def test_replacement(self) -> None:
        bad = "replacement_invalid"
        self.assert_code(revise("a:1", "a:q", "a:q", {}), bad)
        self.assert_code(revise("a:1", "a:q", "a:q", {**request_body(), "x": 1}), bad)
        self.assert_code(revise("a:1", "a:q", "a:q", request_body(extensions={})), None)
        self.assert_code(revise("a:1", "a:q", "a:q", request_body(replaces="b:k")), None)
        self.assert_code(revise("a:1", "a:q", "a:q", request_body(replaces="b:r")), bad)
        self.assert_code(revise("b:1", "b:k", "b:k", commit_body("a:t")), bad)
        elsewhere = {**request("a:o"), "thread": "other"}
        self.assert_code(revise("b:1", "b:k", "b:k", commit_body("a:o")), bad, elsewhere)
        self.assert_code(revise("b:1", "b:k", "b:k", commit_body("a:o")), None, request("a:o"))
        # The thread of the target counts, not that of the REVISE.
        moved = {**revise("b:1", "b:k", "b:k", commit_body("a:q")), "thread": "other"}
        self.assert_code(moved, None)

    def test_replacement_of_a_report(self) -> None:
        other = commit("b:k2", "a:q")
        code = "replacement_other_commitment"
        self.assert_code(revise("b:1", "b:r", "b:r", report_body("b:k2")), code, other)
        self.assert_code(revise("b:1", "b:r", "b:r", report_body("b:k", "failed")), None)
        unfounded = {**report_body("b:k", "fulfilled"), "claims": [claim()]}
        self.assert_code(revise("b:1", "b:r", "b:r", unfounded), "replacement_invalid")

    def test_rejected_references_come_first(self) -> None:
        rejected = decline("b:d", "a:t")
        self.assert_code(ask("a:1", "b:d"), "reference_rejected", rejected)
        self.assert_code(ask("a:1", about="b:d"), "reference_rejected", rejected)
        self.assert_code(commit("b:1", "a:t", "b:d"), "reference_rejected", rejected)


class Pending(unittest.TestCase):
    def status(self, *steps: dict) -> dict:
        return {
            name: shown.get("code") or shown.get("waiting_for") or "accepted"
            for name, shown in view(*steps)["messages"].items()
        }

    def test_hopeless_and_still_pending(self) -> None:
        start = [tell("a:t"), ack("a:d", "a:t"), commit("b:r", "a:d", "a:9")]
        self.assertEqual(self.status(*start)["b:r"], ["a:9"])
        self.assertEqual(self.status(*start, tell("a:9"))["b:r"], "request_not_request")
        self.assertEqual(self.status(*start, decline("a:9", "a:t"))["b:r"], "reference_rejected")

    def test_replacements_gate_late(self) -> None:
        step = revise("a:3", "a:2", "a:2", request_body(replaces="b:7"))
        self.assertEqual(self.status(step)["a:3"], ["a:2"])
        self.assertEqual(self.status(step, request("a:2"))["a:3"], ["b:7"])
        self.assertEqual(self.status(request("a:2"), step)["a:3"], ["b:7"])
        self.assertEqual(self.status(step, tell("a:2"))["a:3"], "replacement_invalid")
        settled = [request("a:q"), commit("b:7", "a:q")]
        self.assertEqual(self.status(step, request("a:2"), *settled)["a:3"], "accepted")

    def test_replacement_gates_although_the_author_is_another(self) -> None:
        step = revise("b:3", "a:2", "a:2", request_body(replaces="b:7"))
        self.assertEqual(self.status(step, request("a:2"))["b:3"], ["b:7"])

    def test_impacts_and_evidence_do_not_gate(self) -> None:
        step = revise("a:1", "a:t", "a:t", impact=[
            {"commitment": "z:9", "assessment": "paused", "reason": "r"}])
        self.assertEqual(self.status(tell("a:t"), step)["a:1"], "accepted")

    def test_cycles(self) -> None:
        steps = [ask("a:1", "a:2"), ask("a:2", "a:1"), ask("b:1", "a:1"), ask("c:1", "c:1"),
                 ask("b:2", "b:3"), ask("b:3", about="b:4"), ask("b:4", "b:2", about="c:9")]
        shown = view(*steps)
        self.assertEqual(shown["cycles"], [["a:1", "a:2"], ["b:2", "b:3", "b:4"], ["c:1"]])
        self.assertEqual(shown["messages"]["b:1"]["waiting_for"], ["a:1"])

    def test_cycle_through_a_replacement(self) -> None:
        step = revise("a:3", "a:2", "a:2", request_body(replaces="a:3"))
        self.assertEqual(view(request("a:2"), step)["cycles"], [["a:3"]])
        self.assertEqual(view(step, request("a:2"))["cycles"], [["a:3"]])

    def test_long_chain_settles_at_once(self) -> None:
        steps = [ack(f"a:{i}", f"a:{i - 1}") for i in range(3000, 0, -1)]
        shown = view(*steps, tell("a:0"))
        self.assertTrue(all(m["status"] == "accepted" for m in shown["messages"].values()))


if __name__ == "__main__":
    unittest.main()
