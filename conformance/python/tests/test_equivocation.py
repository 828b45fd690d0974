"""Equivocal and tainted ids (section 7), and what they block (section 11)."""

import unittest

from tests.build import (
    ack, ask, commit, evidence, report, request, request_body, revise, tell, view,
)

BASE = [request("a:q"), commit("b:k", "a:q"), {"permit": {"commitment": "b:k"}}]


def codes(*steps: dict) -> list[str]:
    return view(*BASE, *steps)["commitments"]["b:k"]["blocked_by"]


class Equivocation(unittest.TestCase):
    def test_example(self) -> None:
        shown = view(*BASE, ack("b:2", "b:k"), request("a:q", action="other"))
        self.assertEqual(list(shown["equivocal"]), ["a:q"])
        self.assertEqual(len(shown["equivocal"]["a:q"]), 2)
        self.assertEqual(shown["commitments"]["b:k"]["blocked_by"],
                         ["commitment_equivocal", "request_equivocal"])
        self.assertEqual({m["status"] for m in shown["messages"].values()}, {"accepted"})

    def test_first_version_stays_the_message(self) -> None:
        first = view(*BASE)["messages"]["a:q"]
        self.assertEqual(view(*BASE, tell("a:q"))["messages"]["a:q"], first)

    def test_tainted_ack_blocks_nothing(self) -> None:
        self.assertEqual(codes(ack("a:1", "b:k"), tell("a:1")), [])

    def test_request_revised_in_a_tainted_version(self) -> None:
        self.assertEqual(codes(tell("a:1"), revise("a:1", "a:q", "a:q")), ["request_equivocal"])
        self.assertEqual(codes(tell("b:1"), revise("b:1", "a:q", "a:q")), [])
        # Tainted, and not equivocal itself: the REVISE replies to an equivocal id.
        self.assertIn("request_equivocal",
                      codes(tell("a:1"), ask("a:1"), revise("a:2", "a:q", "a:q", reply="a:1")))

    def test_commitment_revised_in_a_tainted_version(self) -> None:
        self.assertEqual(codes(tell("b:1"), revise("b:1", "b:k", "b:k")), ["commitment_equivocal"])
        self.assertEqual(codes(tell("a:1"), revise("a:1", "b:k", "b:k")), [])

    def test_supersession_in_tainted_versions(self) -> None:
        new = request("a:q2", replaces="b:k")
        self.assertEqual(codes(new, tell("b:1"), commit("b:1", "a:q2")), ["commitment_equivocal"])
        self.assertEqual(codes(new, tell("c:1"), commit("c:1", "a:q2")), [])
        self.assertEqual(codes(tell("a:q2"), new, commit("b:1", "a:q2")), ["commitment_equivocal"])
        self.assertEqual(codes(new, commit("b:1", "a:q2"), tell("a:q2")),
                         ["commitment_equivocal", "superseded"])
        # The REQUEST is by somebody else than the requester.
        self.assertEqual(codes(tell("c:q"), request("c:q", replaces="b:k"), commit("b:1", "c:q")),
                         [])

    def test_reports_in_tainted_versions(self) -> None:
        self.assertEqual(codes(tell("b:1"), report("b:1", "b:k")), ["report_equivocal"])
        self.assertEqual(codes(report("b:1", "b:k"), tell("b:2"), revise("b:2", "b:1", "b:1")),
                         ["report_equivocal"])
        # The target's first version is a TELL, a later one is the report.
        self.assertEqual(
            codes(tell("b:1"), report("b:1", "b:k"), revise("b:2", "b:1", "b:1")),
            ["report_equivocal"])
        self.assertEqual(codes(tell("a:1"), report("a:1", "b:k")), [])

    def test_equivocal_report_settles_nothing(self) -> None:
        steps = [report("b:1", "b:k", "fulfilled"), tell("b:1")]
        shown = view(*BASE, *steps)["commitments"]["b:k"]
        self.assertEqual((shown["progress"], shown["progress_cause"]), ("unresolved", "conflict"))
        after = view(*BASE, *steps, report("b:2", "b:k", "active", reply="b:1"))
        self.assertEqual(after["commitments"]["b:k"]["progress"], "active")

    def test_replacement_of_a_later_version_carries_taint(self) -> None:
        steps = [tell("c:1"), ask("c:1"), request("a:1"), tell("a:2"),
                 revise("a:2", "a:1", "a:1", request_body(replaces="c:1")), ack("b:9", "a:2")]
        self.assertEqual(list(view(*steps)["equivocal"]), ["a:2", "c:1"])
        # b:3 has one version, and its replacement leads to the tainted c:1.
        late = revise("b:3", "b:k", "b:k", commit("b:x", "c:1")["body"])
        self.assertIn("commitment_equivocal", codes(tell("c:1"), ask("c:1"), late))

    def test_evidence_is_given_by_all_versions_and_cited_by_the_first(self) -> None:
        shown = view(tell("a:1", evidence=[evidence("ev:x")]),
                     tell("a:1", evidence=[evidence("ev:x", "other")]),
                     report("a:1", "b:k"))
        self.assertEqual(shown["evidence"], {"ev:x": "contradictory"})


if __name__ == "__main__":
    unittest.main()
