"""The worked logs come to their expected views, byte for byte; and section 17."""

import json
import os
import unittest
from pathlib import Path

import tern

EXAMPLES = Path(os.environ.get("TERN_EXAMPLES", Path(__file__).parents[3] / "examples"))

SECTION_17 = [
    r'{"tern":"0.1","id":"drafter:1","from":"drafter","to":["reviewer"],"thread":"design","reply":null,"act":"REQUEST","body":{"action":"Review the ACK rule in the supplied draft.","done_when":"Identify whether ACK implies agreement and explain why.","constraints":["Review only; do not edit files."],"authority_ref":null}}',
    r'{"tern":"0.1","id":"reviewer:1","from":"reviewer","to":["drafter"],"thread":"design","reply":"drafter:1","act":"COMMIT","body":{"request":"drafter:1","action":"Review the supplied ACK rule.","deliverable":"A finding and textual support.","done_when":"Explain whether ACK implies agreement with supporting text.","due":null,"conditions":["The draft is accessible."],"authority_ref":null}}',
    r'{"tern":"0.1","id":"reviewer:2","from":"reviewer","to":["drafter"],"thread":"design","reply":"reviewer:1","act":"REPORT","body":{"commitment":"reviewer:1","state":"blocked","claims":[{"text":"The draft is not available to me.","basis":"observed","confidence":"high","scope":"Accessible inputs in this illustrative exchange.","evidence":[],"alternatives":[]}],"next":"Please provide the draft text."}}',
    r'{"tern":"0.1","id":"drafter:2","from":"drafter","to":["reviewer"],"thread":"design","reply":"reviewer:2","act":"ACK","body":{"target":"reviewer:2"}}',
]
SECTION_17_DIGESTS = {
    "drafter:1": "55e37f410a779e95646dc1932aeaddc7788fc710647252ff1285b0380bc424f7",
    "drafter:2": "6d753c880531119c962f6c8ad85583a0e57bd4fc3d2c280d603fb8b9e4db1175",
    "reviewer:1": "064af4054c2496d5981ff2b2532380f44f02c3eb56cb6f69b61e0794825b0cba",
    "reviewer:2": "cc183aa268090d515626224a7694cd76b8aeee2372c2f529fa9899bdfb5538fb",
}


class Examples(unittest.TestCase):
    def test_views(self) -> None:
        logs = sorted(EXAMPLES.glob("*.jsonl"))
        self.assertTrue(logs)
        for path in logs:
            with self.subTest(path.name):
                expected = path.with_suffix(".view.json").read_bytes().removesuffix(b"\n")
                view = tern.run(path.read_bytes()).view()
                self.assertEqual(view.encode(), expected)

    def test_step_by_step_ends_alike(self) -> None:
        for path in sorted(EXAMPLES.glob("*.jsonl")):
            document = tern.read_document(path.read_bytes())
            state = tern.State()
            for record in document.records:
                state.apply(record)
                self.assertEqual(len(state.digest()), 64)
            self.assertEqual(state.view(), tern.run(path.read_bytes()).view())

    def test_section_17(self) -> None:
        result = tern.run("\n".join(SECTION_17).encode())
        self.assertTrue(result.bare)
        self.assertEqual(result.outcomes, [{"outcome": "accepted"}] * 4)
        view = json.loads(result.view())
        self.assertEqual({k: m["digest"] for k, m in view["messages"].items()}, SECTION_17_DIGESTS)
        commitment = view["commitments"]["reviewer:1"]
        self.assertEqual(commitment["progress"], "blocked")
        self.assertEqual(commitment["blocked_by"],
                         ["condition_unconfirmed", "no_authority", "reported_blocked"])
        without_ack = json.loads(tern.run("\n".join(SECTION_17[:3]).encode()).view())
        self.assertEqual(without_ack["commitments"], view["commitments"])  # T6.02


if __name__ == "__main__":
    unittest.main()
