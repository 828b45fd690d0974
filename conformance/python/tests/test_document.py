"""Sections 15 and 16: log documents and bare messages."""

import base64
import json
import unittest

import tern
from tests import build
from tests.build import CONTEXT, log, tell

HEAD = json.dumps(CONTEXT).encode() + b"\n"


def refusal(line: bytes) -> str | None:
    """What the second line of a document is refused for."""
    document = tern.read_document(HEAD + line + b"\n")
    assert document.refused_line in (None, 2)
    return document.refused_code and document.refused_code.removeprefix("document_")


class Records(unittest.TestCase):
    def test_errors(self) -> None:
        cases = {
            b"": "blank_line",
            b" \r": "blank_line",
            b"{": "broken_line",
            b"[]": "broken_line",
            b"\xef\xbb\xbf{}": "broken_line",
            b'{"revoke":{"ref":"\xff"}}': "broken_line",
            b'{"revoke":{"ref":"a","ref":"a"}}': "broken_line",
            b'{"revoke":{"ref":"a"},"revoke":{"ref":"a"}}': "broken_line",
            b'{"confirm":{"commitment":"a:1","condition":1e999}}': "broken_line",
            b'{"revoke":{"ref":"\\ud800"}}': "broken_line",
            b'{"revoke":{"ref":"a"}} x': "broken_line",
            b"{}": "unknown_record",
            b'{"note":1}': "unknown_record",
            b'{"revoke":{"ref":"a"},"note":1}': "unknown_record",
            b'{"revoke":{}}': "missing_field",
            b'{"start":{"commitment":"a:1"}}': "missing_field",
            b'{"revoke":{"ref":"a","by":"b"}}': "unknown_field",
            b'{"revoke":"a"}': "bad_value",
            b'{"revoke":{"ref":""}}': "bad_value",
            b'{"permit":{"commitment":"a"}}': "bad_value",
            b'{"clock":"now"}': "bad_value",
            b'{"judge":{"commitment":"a:1","terms":"fine"}}': "bad_value",
            b'{"grant":{"ref":"g","principal":"p","actions":null}}': "bad_value",
            b'{"grant":{"ref":"g","principal":"p","expires":"never"}}': "bad_value",
            b'{"evidence":{"id":"x:1","source":"s","collected_at":"2026-01-01T00:00:00Z",'
            b'"method":"m","result":"r"}}': "bad_value",
            b'{"reconciled":{"commitment":"a:1","action":"x","causes":[""]}}': "bad_value",
            b'{"reconciled":{"commitment":"a:1","action":"x","causes":[]}}': None,
            b'{"reconciled":{"commitment":"a:1","action":"x","causes":["whatever"]}}': None,
            b'{"context":{"id":"other","participants":{}}}': "second_context",
            b'{"context":{"id":"unverified","participants":{}}}': "reserved_context",
            b'{"context":{"id":"x","participants":{"":"k"}}}': "bad_value",
            b'{"context":{"id":"x","participants":{"a":1}}}': "bad_value",
            b' {"revoke" : {"ref":"a"} } \r': None,
        }
        for line, code in cases.items():
            self.assertEqual(refusal(line), code, line)

    def test_conditions_are_naturals_by_value(self) -> None:
        for text, fine in {"0": True, "-0": True, "1.0": True, "10e-1": True, "1e300": True,
                           "-1": False, "0.5": False, '"0"': False, "true": False,
                           "1e-99999999999999999999": False}.items():
            line = f'{{"confirm":{{"commitment":"a:1","condition":{text}}}}}'.encode()
            self.assertEqual(refusal(line), None if fine else "bad_value", text)

    def test_payloads(self) -> None:
        cases = {
            b"{}": "not_one_payload",
            b'{"principal":"x"}': "not_one_payload",
            b'{"text":"","message":{}}': "not_one_payload",
            b'{"message":{},"note":1}': "unknown_field",
            b'{"principal":"","message":{}}': "bad_value",
            b'{"principal":1,"message":{}}': "bad_value",
            b'{"principal":null,"message":{}}': None,
            b'{"text":1}': "bad_value",
            b'{"text":""}': None,
            b'{"message":[]}': "impossible_message",
            b'{"message":null}': "impossible_message",
            b'{"message":{"a":1,"a":2}}': "impossible_message",
            b'{"message":{"a":[1e999]}}': "impossible_message",
            b'{"message":{"a":"\\udead"}}': "impossible_message",
            b'{"message":{"a":1},"message":{}}': "broken_line",
            b'{"message":{"a":}}': "broken_line",
            b'{"base64":""}': None,
            b'{"base64":"YQ=="}': None,
            b'{"base64":"YQ"}': "bad_value",
            b'{"base64":"YR=="}': "bad_value",
            b'{"base64":"Y Q=="}': "bad_value",
            b'{"base64":"YQ==\\n"}': "bad_value",
            b'{"base64":"_-8="}': "bad_value",
            b'{"base64":"\xc3\xa9==="}': "bad_value",
        }
        for deliver, code in cases.items():
            self.assertEqual(refusal(b'{"deliver":' + deliver + b"}"), code, deliver)

    def test_delivered_bytes(self) -> None:
        source = '{ "b" : 1.0,"a":"\\u00e9é" }'
        line = '{"deliver": {"message" : %s , "principal":"p"}}' % source
        record = tern.read_document(HEAD + line.encode()).records[1]
        self.assertEqual((record.data, record.principal), (source.encode(), "p"))
        steps = [{"deliver": {"text": "\u00e9\n"}},
                 {"deliver": {"base64": base64.b64encode(b"\xff\x00").decode()}}]
        records = tern.read_document(log(*steps)).records
        self.assertEqual([r.data for r in records[1:]], ["é\n".encode(), b"\xff\x00"])

    def test_long_and_deep_messages_are_delivered(self) -> None:
        deep = '{"x":' * 5000 + "1" + "}" * 5000
        long = json.dumps({"x": "y" * 1_100_000})
        lines = [f'{{"deliver":{{"message":{text}}}}}' for text in (deep, long)]
        result = tern.run(HEAD + "\n".join(lines).encode())
        self.assertEqual([o["code"] for o in result.outcomes], ["too_deep", "too_long"])

    def test_context_comes_first_and_once(self) -> None:
        document = tern.read_document(b'{"clock":"2026-01-01T00:00:00Z"}\n')
        self.assertEqual((document.refused_line, document.refused_code),
                         (1, "document_before_context"))
        again = b' {"context":{"participants":%s,"id":"ctx"}}' % json.dumps(
            CONTEXT["context"]["participants"]).encode()
        self.assertIsNone(tern.read_document(HEAD + again).refused_line)

    def test_nothing_of_a_refused_document_is_applied(self) -> None:
        result = tern.run(log(tell("a:1")) + b"\n")
        self.assertEqual(result.refused_line, 3)
        self.assertEqual((result.outcomes, result.view(), result.digest()), ([], None, None))


class Bare(unittest.TestCase):
    def outcomes(self, data: bytes) -> list[str]:
        result = tern.run(data)
        self.assertTrue(result.bare)
        return [o.get("code", o["outcome"]) for o in result.outcomes]

    def test_what_is_a_log(self) -> None:
        for first in (b'{"clock":1}', b' {"x":1,"grant":2} \r', b'{"permit":1,"permit":1e999}',
                      b'{"\\u0070ermit":"\\ud800"}', b'{"evidence":[]}'):
            document = tern.read_document(first + b"\n{}")
            self.assertEqual((document.bare, document.refused_line), (False, 1), first)
        for first in (b'{"clock":1', b'["clock"]', b'{"Clock":1}', b"", b'{"x":{"clock":1}}',
                      b'\xef\xbb\xbf{"clock":1}', b'{"clock":01}'):
            self.assertTrue(tern.read_document(first + b"\n{}").bare, first)

    def test_lines(self) -> None:
        one, two = (json.dumps(tell(i)).encode() for i in ("x:1", "y:1"))
        self.assertEqual(self.outcomes(b""), [])
        self.assertEqual(self.outcomes(one), ["accepted"])
        self.assertEqual(self.outcomes(one + b"\r\n" + two + b"\n"), ["accepted", "accepted"])
        self.assertEqual(self.outcomes(b"nonsense\n" + one), ["malformed_json", "accepted"])
        self.assertEqual(self.outcomes(one + b"\n\n" + two), ["accepted", "empty", "accepted"])
        self.assertEqual(self.outcomes(b"\n"), ["empty"])
        self.assertEqual(self.outcomes(b"\n \n"), ["empty", "empty"])

    def test_one_object_over_several_lines(self) -> None:
        pretty = json.dumps(tell("x:1", evidence=[build.evidence("ev:1")]), indent=2).encode()
        self.assertEqual(self.outcomes(pretty), ["accepted"])
        self.assertEqual(self.outcomes(b"\n \n" + pretty + b"\r\n\n\n"), ["accepted"])
        self.assertEqual(self.outcomes(b'{"a":1,\n"a":2}'), ["duplicate_key"])
        self.assertEqual(len(self.outcomes(pretty + b"\n" + pretty)), 2 * pretty.count(b"\n") + 2)

    def test_senders_are_believed(self) -> None:
        forged = {**tell("x:1"), "from": "y"}
        self.assertEqual(self.outcomes(json.dumps(forged).encode()), ["id_not_of_sender"])
        view = json.loads(tern.run(json.dumps(tell("x:1")).encode()).view())
        self.assertEqual(view["context"], "unverified")


if __name__ == "__main__":
    unittest.main()
