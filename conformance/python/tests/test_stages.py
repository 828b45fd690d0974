"""Stages 4 and 5, ids taken and not taken, and the quotas (section 5)."""

import unittest

from tests.build import ack, ask, outcomes, tell, view


def by(principal: str | None, message: dict) -> dict:
    return {"deliver": {"principal": principal, "message": message}}


class Identity(unittest.TestCase):
    def test_order_of_the_tests(self) -> None:
        forged = {**tell("a:1"), "from": "b"}
        self.assertEqual(
            outcomes(by("key:c", forged), by("key:c", tell("z:1")), by(None, tell("a:1")),
                     by("key:b", tell("a:1")), {"deliver": {"message": tell("a:1")}},
                     by("key:a", tell("a:1"))),
            ["identity id_not_of_sender", "identity sender_unbound", "identity principal_missing",
             "identity principal_mismatch", "identity principal_missing", "accepted"],
        )


class Duplicates(unittest.TestCase):
    def test_equal_is_duplicate_whatever_the_status(self) -> None:
        bad = ack("a:9", "a:8")
        for step, first in ((tell("a:1"), "accepted"), (ack("a:1", "b:9"), "pending")):
            again = dict(reversed(step.items()))
            self.assertEqual(outcomes(step, again), [first, "duplicate"])
        decline = {**ack("a:9", "a:1"), "act": "DECLINE", "body": {"target": "a:1", "reason": "r"}}
        rejected = "reference target_not_declinable"
        self.assertEqual(outcomes(tell("a:1"), decline, decline, bad),
                         ["accepted", rejected, "duplicate", "id_conflict"])

    def test_numbers_are_compared_by_value(self) -> None:
        one, same, other = (tell("a:1", extensions={"n": n}) for n in (1, 1.0, 2))
        self.assertEqual(outcomes(one, same, other), ["accepted", "duplicate", "id_conflict"])

    def test_later_versions_conflict_again(self) -> None:
        first, second = ask("a:1"), tell("a:1")
        self.assertEqual(outcomes(first, second, second, first),
                         ["accepted", "id_conflict", "id_conflict", "duplicate"])

    def test_refused_at_stages_1_to_4_takes_no_id(self) -> None:
        broken = {**tell("a:1"), "note": 1}
        self.assertEqual(outcomes(broken, by("key:b", tell("a:1")), ask("a:1")),
                         ["shape unknown_field", "identity principal_mismatch", "accepted"])


class Quotas(unittest.TestCase):
    def test_all_pending(self) -> None:
        steps = [ack("a:1", "c:1"), ack("b:1", "c:2"), tell("b:2"), tell("c:1"), ack("b:1", "c:2")]
        self.assertEqual(outcomes(*steps, max_pending=1),
                         ["pending", "limit too_many_pending", "accepted", "accepted", "pending"])

    def test_pending_of_a_sender(self) -> None:
        steps = [ack("a:1", "c:1"), ack("a:2", "c:2"), ack("b:1", "c:2"), ack("b:1", "c:2")]
        self.assertEqual(
            outcomes(*steps, max_pending_of_sender=1),
            ["pending", "limit too_many_pending_of_sender", "pending", "duplicate"])

    def test_all_are_counted_before_the_senders(self) -> None:
        steps = [ack("a:1", "c:1"), ack("a:2", "c:2")]
        self.assertEqual(outcomes(*steps, max_pending=1, max_pending_of_sender=1)[1],
                         "limit too_many_pending")

    def test_released_messages_free_the_quota(self) -> None:
        steps = [ack("a:1", "c:1"), ack("a:2", "a:1"), tell("c:1"), ack("a:3", "c:2"),
                 ack("a:4", "c:2"), ack("a:5", "c:2")]
        self.assertEqual(outcomes(*steps, max_pending=2),
                         ["pending", "pending", "accepted", "pending", "pending",
                          "limit too_many_pending"])

    def test_versions(self) -> None:
        steps = [tell("a:1"), ask("a:1"), ack("a:1", "b:1"), ask("a:1"), tell("a:1")]
        self.assertEqual(outcomes(*steps, max_versions=2),
                         ["accepted", "id_conflict", "limit too_many_versions", "id_conflict",
                          "duplicate"])

    def test_a_refusal_leaves_everything_as_it_was(self) -> None:
        kept = [ack("a:1", "c:1"), tell("b:1")]
        refused = ack("a:2", "a:1")
        self.assertEqual(view(*kept, refused, max_pending=1), view(*kept))

    def test_size_and_depth_limits(self) -> None:
        self.assertEqual(outcomes(tell("a:1"), max_bytes=10), ["syntax too_long"])
        self.assertEqual(outcomes(tell("a:1"), max_depth=4), ["syntax too_deep"])
        self.assertEqual(outcomes(tell("a:1"), max_depth=5), ["accepted"])


if __name__ == "__main__":
    unittest.main()
