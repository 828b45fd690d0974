"""Revision chains (section 8), progress and annotations (section 9)."""

import unittest

from tests.build import (
    ask, challenge, claim, commit, commit_body, report, report_body, request, request_body,
    revise, tell, view,
)

BASE = [request("a:q"), commit("b:k", "a:q")]
BODY = {"claims": [claim()]}


def commitment(*steps: dict, name: str = "b:k") -> dict:
    return view(*BASE, *steps)["commitments"][name]


def progress(*steps: dict) -> tuple[str, ...]:
    shown = commitment(*steps)
    return tuple(filter(None, (shown["progress"], shown.get("progress_cause"),
                               " ".join(shown["candidates"]))))


class Chains(unittest.TestCase):
    STEPS = [tell("a:1"), revise("a:2", "a:1", "a:1", BODY)]

    def chain(self, *steps: dict) -> dict:
        return view(*self.STEPS, *steps)["chains"]["a:1"]

    def test_replaced_and_withdrawn(self) -> None:
        replaced = self.chain()
        self.assertEqual((replaced["state"], replaced["head"]), ("replaced", "a:2"))
        withdrawn = self.chain(revise("a:3", "a:1", "a:2"))
        self.assertEqual((withdrawn["state"], withdrawn["head"], withdrawn["content"]),
                         ("withdrawn", "a:3", None))
        back = self.chain(revise("a:3", "a:1", "a:2"), revise("a:4", "a:1", "a:3", BODY))
        self.assertEqual((back["state"], back["content"]), ("replaced", replaced["content"]))

    def test_conflicted(self) -> None:
        shown = self.chain(revise("a:3", "a:1", "a:2"), revise("a:4", "a:1", "a:2", BODY),
                           revise("a:5", "a:1", "a:4", BODY))
        self.assertEqual(shown, {
            "state": "conflicted", "head": "a:2", "content": None, "competing": ["a:3", "a:4"],
            "revisions": ["a:2", "a:3", "a:4", "a:5"], "pending": []})

    def test_pending(self) -> None:
        shown = self.chain(revise("a:3", "a:1", "a:2"),
                           revise("a:4", "a:1", "a:2", BODY, reply="c:9"),
                           revise("a:5", "a:1", "a:4", BODY))
        self.assertEqual((shown["state"], shown["head"], shown["pending"]),
                         ("withdrawn", "a:3", ["a:4", "a:5"]))

    def test_original_is_listed_for_a_known_pending_revision_only(self) -> None:
        mine, other = (revise(i, "a:1", "a:1", reply="c:9") for i in ("a:2", "b:2"))
        self.assertEqual(view(tell("a:1"), mine)["chains"]["a:1"]["state"], "original")
        self.assertEqual(view(tell("a:1"), other)["chains"], {})
        self.assertEqual(view(ask("a:1"), mine)["chains"], {})
        self.assertEqual(view(tell("a:1", "c:8"), mine)["chains"], {})


class ProgressRules(unittest.TestCase):
    def test_table_of_section_9(self) -> None:
        steps = [
            report("b:2", "b:k", "active", "b:k"), report("b:3", "b:k", "fulfilled", "b:2"),
            report("b:4", "b:k", "active", "b:3"), revise("b:5", "b:3", "b:3"),
            report("b:6", "b:k", "blocked"), report("b:7", "b:k", "active", "b:5"),
        ]
        expected = ["active", "fulfilled", "fulfilled", "unresolved invalidated",
                    "unresolved invalidated", "active"]
        for count, words in enumerate(expected, start=1):
            self.assertEqual(" ".join(progress(*steps[:count])), words)
        self.assertEqual(commitment(*steps[:3])["reactivation_attempts"], ["b:4"])
        self.assertEqual(commitment(*steps[:4])["reactivation_attempts"], [])

    def test_no_reports(self) -> None:
        self.assertEqual(progress(), ("none",))
        withdrawn = [report("b:2", "b:k"), revise("b:3", "b:2", "b:2")]
        self.assertEqual(progress(*withdrawn), ("none",))

    def test_contradictory(self) -> None:
        steps = [report("b:2", "b:k", "fulfilled"), report("b:3", "b:k", "failed", "b:2"),
                 report("b:4", "b:k", "active", "b:3")]
        self.assertEqual(progress(*steps), ("unresolved", "contradictory", "b:2 b:3"))
        self.assertEqual(commitment(*steps)["reactivation_attempts"], ["b:4"])

    def test_concurrent(self) -> None:
        steps = [report("b:2", "b:k", "active", "b:k"), report("b:3", "b:k", "blocked", "b:k")]
        self.assertEqual(progress(*steps), ("unresolved", "concurrent", "b:2 b:3"))
        both = ask("b:4", "b:2", about="b:3")
        self.assertEqual(progress(*steps, both, report("b:5", "b:k", "blocked", "b:4")),
                         ("blocked",))
        alike = report("b:3", "b:k", "active", "b:k")
        self.assertEqual(progress(steps[0], alike), ("active",))

    def test_answering_a_fork(self) -> None:
        steps = [report("b:2", "b:k", "blocked"),
                 revise("b:3", "b:2", "b:2", report_body("b:k", "active")),
                 revise("b:4", "b:2", "b:2", report_body("b:k", "blocked"))]
        self.assertEqual(progress(*steps), ("unresolved", "conflict"))
        one = report("b:8", "b:k", "active", "b:3")
        self.assertEqual(progress(*steps, one), ("unresolved", "conflict"))
        both = [ask("b:5", "b:3", about="b:4"), report("b:6", "b:k", "active", "b:5")]
        self.assertEqual(progress(*steps, *both), ("active",))

    def test_invalidated_step_above_a_fork_and_cause_conflict_first(self) -> None:
        steps = [report("b:2", "b:k", "failed"), revise("b:3", "b:2", "b:2"),
                 revise("b:4", "b:2", "b:3", report_body("b:k")),
                 revise("b:5", "b:2", "b:3", report_body("b:k"))]
        self.assertEqual(progress(*steps[:2]), ("unresolved", "invalidated"))
        self.assertEqual(progress(*steps), ("unresolved", "conflict"))
        both = [ask("b:6", "b:4", about="b:5"), report("b:7", "b:k", "active", "b:6")]
        self.assertEqual(progress(*steps, *both), ("active",))

    def test_terminal_to_terminal_invalidates_nothing(self) -> None:
        steps = [report("b:2", "b:k", "failed"),
                 revise("b:3", "b:2", "b:2", report_body("b:k", "fulfilled"))]
        self.assertEqual(progress(*steps), ("fulfilled",))

    def test_revisions_do_not_move_a_report(self) -> None:
        steps = [report("b:2", "b:k", "active"), report("b:3", "b:k", "blocked", "b:2"),
                 revise("b:4", "b:2", "b:2", report_body("b:k", "active"), reply="b:3")]
        self.assertEqual(progress(*steps), ("blocked",))


class Annotations(unittest.TestCase):
    def test_withdrawn_then_replaced(self) -> None:
        steps = [revise("b:2", "b:k", "b:k"), revise("b:3", "b:k", "b:2", commit_body("a:q"))]
        shown = commitment(*steps)
        self.assertEqual(shown["annotations"], ["disputed", "withdrawn"])
        self.assertEqual((shown["offers"], shown["disputed_by"]), (["b:3"], []))
        self.assertIn("commitment_withdrawn", shown["blocked_by"])
        self.assertEqual(view(*BASE, *steps)["chains"]["b:k"]["state"], "replaced")

    def test_withdrawal_below_a_fork_does_not_count(self) -> None:
        steps = [revise("b:2", "b:k", "b:k", commit_body("a:q")), revise("b:3", "b:k", "b:k")]
        shown = commitment(*steps)
        self.assertEqual((shown["annotations"], shown["offers"]), ([], ["b:2"]))

    def test_superseded(self) -> None:
        new = [request("a:q2", replaces="b:k"), commit("b:k2", "a:q2"), commit("c:1", "a:q2")]
        shown = commitment(*new)
        self.assertEqual((shown["annotations"], shown["superseded_by"]), (["superseded"], ["b:k2"]))
        later = commitment(*new, revise("b:9", "b:k2", "b:k2"))
        self.assertEqual(later["superseded_by"], ["b:k2"])
        # `replaces` in a replacement is content only.
        content = [request("a:q2"), revise("a:3", "a:q2", "a:q2", request_body(replaces="b:k")),
                   commit("b:k2", "a:q2")]
        self.assertEqual(commitment(*content)["superseded_by"], [])

    def test_disputed(self) -> None:
        steps = [report("b:2", "b:k"), revise("b:3", "b:2", "b:2"),
                 revise("b:4", "b:k", "b:k", commit_body("a:q"))]
        for number, target in enumerate(("b:k", "b:2", "b:3", "b:4")):
            shown = commitment(*steps, challenge(f"c:{number}", target))
            self.assertEqual((shown["annotations"], shown["disputed_by"]),
                             (["disputed"], [f"c:{number}"]))
        self.assertEqual(commitment(*steps, challenge("c:1", "a:q"))["annotations"], [])
        for terms, expected in (("satisfied", []), ("mismatch", ["disputed"]),
                                ("ambiguous", ["disputed"])):
            judge = {"judge": {"commitment": "b:k", "terms": terms}}
            self.assertEqual(commitment(judge)["annotations"], expected)

    def test_request_changed_by(self) -> None:
        change = revise("a:2", "a:q", "a:q", request_body())
        self.assertEqual(commitment(change)["request_changed_by"], ["a:2"])
        later = commit("b:k2", "a:q", reply="a:2")
        self.assertEqual(commitment(change, later, name="b:k2")["request_changed_by"], [])


if __name__ == "__main__":
    unittest.main()
