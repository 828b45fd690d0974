"""The parts of the view that decide nothing (section 13)."""

import unittest

from tests.build import (
    ack, challenge, claim, decline, evidence, impact, message, propose, report, request,
    revise, tell, view,
)


class View(unittest.TestCase):
    def test_empty(self) -> None:
        shown = view()
        self.assertEqual(shown.pop("tern_view"), "0.1")
        self.assertEqual(shown.pop("context"), "ctx")
        self.assertEqual(set(map(len, shown.values())), {0})
        self.assertEqual(len(shown), 12)

    def test_requests_and_proposals(self) -> None:
        shown = view(request("a:q"), propose("a:p"), decline("b:1", "a:q"), decline("b:2", "a:p"))
        self.assertEqual(shown["requests"], {"a:q": {"committed_by": [], "declined_by": ["b:1"]}})
        self.assertEqual(shown["proposals"], {"a:p": {"declined_by": ["b:2"]}})

    def test_challenges_and_acknowledgements(self) -> None:
        shown = view(tell("a:1"), challenge("b:1", "a:1"), challenge("b:2", "a:9"),
                     ack("c:1", "a:1"), ack("c:2", "a:1"), ack("b:3", "a:1"), ack("b:4", "a:9"))
        self.assertEqual(shown["challenges"], {"b:1": {"target": "a:1", "kind": "scope"}})
        self.assertEqual(shown["acknowledged"], {"a:1": ["b", "c"]})

    def test_impacts(self) -> None:
        impacts = [impact("z:9"), impact("z:9", "awaiting_instruction"),
                   {**impact("z:9"), "reason": "another"}]
        shown = view(tell("a:1"), revise("a:2", "a:1", "a:1", impact=impacts),
                     revise("a:3", "a:1", "c:9", impact=[impact("z:8")]))
        self.assertEqual(shown["impacts"], {"z:9": [
            {"by": "a:2", "assessment": "awaiting_instruction"},
            {"by": "a:2", "assessment": "paused"}]})

    def test_evidence(self) -> None:
        shown = view(
            tell("a:1", evidence=[evidence("ev:one"), evidence("ev:one"), evidence("ev:two")]),
            tell("a:2", evidence=[evidence("ev:two", "other")]),
            report("b:9", "b:8"),  # pending, cites ev:1
            challenge("b:1", "a:1", "ev:support"),
            {"evidence": evidence("ev:store")},
        )
        self.assertEqual(shown["evidence"], {
            "ev:one": "available", "ev:two": "contradictory", "ev:1": "inaccessible",
            "ev:support": "inaccessible", "ev:store": "available"})

    def test_evidence_cited_in_a_replacement(self) -> None:
        step = revise("a:2", "a:1", "a:1", {"claims": [claim("ev:r")]})
        self.assertEqual(view(step)["evidence"], {})
        self.assertEqual(view(step, request("a:1"))["evidence"], {})
        self.assertEqual(view(step, tell("a:1"))["evidence"], {"ev:r": "inaccessible"})
        elsewhere = message("b:2", "REVISE", step["body"])
        self.assertEqual(view(tell("a:1"), elsewhere)["evidence"], {"ev:r": "inaccessible"})


if __name__ == "__main__":
    unittest.main()
