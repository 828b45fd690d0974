"""Stages 2 and 3: version, envelope, bodies."""

import copy
import json
import unittest

from tests import build
from tests.build import claim, deliver_bytes

SAMPLES = [
    build.ask("a:1", about="a:2"), build.tell("a:1"), build.propose("a:1"),
    build.request("a:1", replaces="b:1"),
    build.commit("a:1", "b:1", due="2026-01-01T00:00:00Z", conditions=["c"]),
    build.report("a:1", "a:2"), build.challenge("a:1", "b:1", "ev:1"),
    build.revise("a:1", "a:2", "a:2", {"anything": 1}, impact=[build.impact("b:1")]),
    build.revise("a:1", "a:2", "a:2"), build.decline("a:1", "b:1"), build.ack("a:1", "b:1"),
]


def refusal_class(value: object) -> str | None:
    return deliver_bytes(json.dumps(value).encode()).refusal_class


def changed(value: dict, path: tuple, new: object) -> dict:
    value = copy.deepcopy(value)
    place = value
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = new
    return value


class Shapes(unittest.TestCase):
    def assert_shape(self, value: object) -> None:
        self.assertEqual(refusal_class(value), "shape", value)

    def test_samples_are_valid(self) -> None:
        for sample in SAMPLES:
            self.assertIn(refusal_class(sample), (None, "reference"), sample)

    def test_every_field_is_required_unless_optional(self) -> None:
        optional = {"about", "replaces"}
        for sample in SAMPLES:
            for part in (sample, sample["body"]):
                for name in set(part) - optional:
                    broken = copy.deepcopy(sample)
                    (broken if part is sample else broken["body"]).pop(name)
                    self.assert_shape(broken)

    def test_wrong_types_and_unknown_fields(self) -> None:
        nullable = {"reply", "authority_ref", "due"}
        for sample in SAMPLES:
            self.assert_shape({**sample, "note": 1})
            self.assert_shape(changed(sample, ("body", "note"), 1))
            for name in sample["body"]:
                for wrong in (1, True, "", [1], {"a": 1}, None):
                    if wrong is None and name in nullable | {"replacement"}:
                        continue
                    if name == "replacement" and isinstance(wrong, dict):
                        continue
                    self.assert_shape(changed(sample, ("body", name), wrong))

    def test_null_is_no_optional_value(self) -> None:
        for name in ("evidence", "extensions"):
            self.assert_shape(build.tell("a:1", **{name: None}))
        for sample in SAMPLES:
            self.assert_shape(changed(sample, ("body", "extensions"), None))
        self.assert_shape(changed(SAMPLES[0], ("body", "about"), None))

    def test_extensions(self) -> None:
        anything = {"tern": {"deep": [1.5, None]}, "": ""}
        for sample in SAMPLES:
            for value in ({**sample, "extensions": anything},
                          changed(sample, ("body", "extensions"), anything)):
                self.assertNotEqual(refusal_class(value), "shape")
        inside = {**claim(), "extensions": {}}
        self.assert_shape(build.message("a:1", "TELL", {"claims": [inside]}))
        inside = {**build.evidence("ev:1"), "extensions": {}}
        self.assert_shape(build.tell("a:1", evidence=[inside]))

    def test_envelope(self) -> None:
        for name, wrong in [
            ("id", "a"), ("id", ":1"), ("id", "a:"), ("id", 1), ("from", "a:b"), ("from", ""),
            ("to", []), ("to", ["b", "b"]), ("to", [""]), ("to", "b"), ("to", [1]),
            ("thread", ""), ("thread", None), ("reply", "x"), ("reply", ""), ("act", "ask"),
            ("act", "FORK"), ("act", None), ("body", []), ("evidence", {}),
            ("evidence", [build.evidence("evidence:1")]), ("extensions", []),
        ]:
            self.assert_shape(changed(build.tell("a:1"), (name,), wrong))
        self.assertIsNone(refusal_class({**build.tell("a:1"), "to": ["é", "e\u0301", "x:y"]}))
        self.assertIsNone(refusal_class(build.tell("a::")))
        self.assertIsNone(refusal_class(build.tell("a:\n", evidence=[])))

    def test_words_and_forms_inside(self) -> None:
        good = claim("ev:1")
        for name, wrong in [("basis", "seen"), ("confidence", "High"), ("scope", ""),
                            ("evidence", ["ev:"]), ("evidence", ["a:1"]), ("alternatives", [""])]:
            self.assert_shape(build.message("a:1", "TELL", {"claims": [{**good, name: wrong}]}))
        self.assert_shape(build.message("a:1", "TELL", {"claims": []}))
        self.assert_shape(build.commit("a:1", "b:1", due="tomorrow"))
        self.assert_shape(build.report("a:1", "a:2", "done"))
        self.assert_shape(changed(SAMPLES[6], ("body", "kind"), "other"))
        self.assert_shape(changed(SAMPLES[7], ("body", "impact", 0, "assessment"), "stopped"))

    def test_replacement_fits_the_mode(self) -> None:
        self.assert_shape(changed(SAMPLES[7], ("body", "mode"), "withdraw"))
        self.assert_shape(changed(SAMPLES[8], ("body", "mode"), "replace"))

    def test_version_comes_before_shape(self) -> None:
        for value in ({"tern": "0.2"}, {"tern": 0.1}, {"tern": None}, {"tern": "0.1 "}):
            self.assertEqual(refusal_class(value), "version")
        self.assert_shape({})


if __name__ == "__main__":
    unittest.main()
