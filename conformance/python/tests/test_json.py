"""Section 1 and section 14: strict reading, equality, canonical JSON."""

import unittest

from tern.canonical import canonical_text, digest, in_order
from tern.jsonread import JsonError, decode, parse, read_strict_object


def canonical(text: str) -> str:
    return canonical_text(parse(text).value)


def refusal(data: bytes, max_depth: int | None = None) -> str:
    try:
        read_strict_object(decode(data), max_depth)
    except JsonError as error:
        return error.code
    return "fine"


class Reading(unittest.TestCase):
    def test_what_is_not_json(self) -> None:
        broken = [
            "{", "}", '{"a"}', '{"a":}', '{"a":1,}', "{,}", '{"a" 1}', "{1:2}", '{"a":[1,]}',
            '{"a":01}', '{"a":+1}', '{"a":.5}', '{"a":1.}', '{"a":1e}', '{"a":-}', '{"a":NaN}',
            '{"a":Infinity}', '{"a":nul}', '{"a":True}', '{"a":"\n"}', '{"a":"\x00"}',
            '{"a":"\\x"}', '{"a":"\\u12"}', '{"a":"\\u12g4"}', '{"a":"', '{"a":"\\', "{'a':1}",
            '{"a":1}//', '/**/{"a":1}', '{"a":1}{}', '{"a":1},', "\f{}", "\u00a0{}", '{"a":1/**/}',
            '{"a":"\\U0041"}', '{"a":"\\u+123"}', '{"a":[1}', '{"a":\u0661}',
        ]
        for text in broken:
            self.assertIn(
                refusal(text.encode()), ("malformed_json", "trailing_text"), text
            )

    def test_codes(self) -> None:
        cases = {
            b"": "empty",
            b" \t\r\n": "empty",
            b"\xef\xbb\xbf{}": "byte_order_mark",
            b'{"a":"\xff"}': "not_utf8",
            b'{"a":"\xed\xa0\x80"}': "not_utf8",
            b'{"a":"\xc0\x80"}': "not_utf8",
            b"[]": "not_an_object",
            b"1": "not_an_object",
            b"{} x": "trailing_text",
            b'{"a":1,"\\u0061":2}': "duplicate_key",
            b'{"x":[{"extensions":{"a":1,"a":1}}]}': "duplicate_key",
            b'{"a":1e999}': "number_overflow",
            b'{"a":-1e999}': "number_overflow",
            b'{"a":"\\ud83d"}': "lone_surrogate",
            b'{"a":"\\ude02\\ud83d"}': "lone_surrogate",
            b'{"a":"\\ud83dx\\ude02"}': "lone_surrogate",
            b'{"\\udc00":1}': "lone_surrogate",
            b' {"a" : [ 1 , {} , [] ] } \r\n': "fine",
            b'{"a":1e-999,"b":0e999,"c":"\\ud83d\\ude02"}': "fine",
        }
        for data, code in cases.items():
            self.assertEqual(refusal(data), code, data)

    def test_depth(self) -> None:
        nested = lambda n: b'{"a":' + b"[" * (n - 1) + b"]" * (n - 1) + b"}"
        self.assertEqual(refusal(nested(128), 128), "fine")
        self.assertEqual(refusal(nested(129), 128), "too_deep")

    def test_depth_without_limit_needs_no_recursion(self) -> None:
        depth = 200_000
        value = parse('{"a":' * depth + "1" + "}" * depth).value
        self.assertEqual(len(canonical_text(value)), 6 * depth + 1)

    def test_overflow_is_exact(self) -> None:
        limit = 2**1024 - 2**970  # half way between the greatest double and 2**1024
        for text, code in {
            str(limit): "number_overflow",
            str(limit - 1): "fine",
            f"-{limit}": "number_overflow",
            f"{limit - 1}.999": "fine",
            f"{limit}e0": "number_overflow",
            f"0.{limit}e309": "number_overflow",
            f"{limit - 1}0e-1": "fine",
            "1.7976931348623158e308": "fine",
            "1.7976931348623159e308": "number_overflow",
            "1e99999999999999999999": "number_overflow",
            "0e99999999999999999999": "fine",
            "1e-99999999999999999999": "fine",
        }.items():
            self.assertEqual(refusal(f'{{"a":{text}}}'.encode()), code, text)


class Canonical(unittest.TestCase):
    def test_numbers(self) -> None:
        for written, expected in {
            "1": "1", "1.0": "1", "10e-1": "1", "10": "1E1", "1E+1": "1E1", "0.50": "5E-1",
            "-0": "0", "-0.0e7": "0", "0e5": "0", "-1.50": "-15E-1", "100e-5": "1E-3",
            "1e-999999": "1E-999999", "9007199254740993": "9007199254740993",
            "1e-99999999999999999999": "1E-99999999999999999999",
            "0e99999999999999999999": "0",
            "10e-100000000000000000000": "1E-99999999999999999999",
            "0.1e-99999999999999999999": "1E-100000000000000000000",
            "1e-000000000000000000000000000001": "1E-1",
            "1.000e+0": "1", "0.000001": "1E-6",
        }.items():
            self.assertEqual(canonical(written), expected, written)

    def test_huge_exponents_are_cheap(self) -> None:
        nines = "9" * 500_000
        self.assertEqual(canonical(f"0.1e-{nines}"), "1E-1" + "0" * 500_000)
        self.assertEqual(canonical(f"10e-1{'0' * 500_000}"), f"1E-{nines}")

    def test_strings(self) -> None:
        written = r'"\"\\\/\b\t\n\f\r\u0007\u001f\u007f\u00e9\u2028é"'
        expected = '"\\"\\\\/\\b\\t\\n\\f\\r\\u0007\\u001f\x7fé\u2028é"'
        self.assertEqual(canonical(written), expected)

    def test_example_of_section_14(self) -> None:
        text = r'{"b": 10, "a": "\u00e9/\u0007", "\ufb33": 0.50, "\ud83d\ude02": []}'
        self.assertEqual(canonical(text), '{"a":"é/\\u0007","b":1E1,"😂":[],"\ufb33":5E-1}')
        self.assertEqual(
            digest(parse(text).value),
            "ae8d7ef2811357a8e54bd4ee4c37885026277c3b60e4d67ed6c0910d65f2b1fc",
        )

    def test_utf16_order(self) -> None:
        ordered = ["a", "ab", "b", "\U0001f602", "\ufb33"]
        self.assertEqual(in_order([*reversed(ordered), "a"]), ordered)

    def test_equality(self) -> None:
        equal = [("1", "1.0"), ("0", "-0"), ('"é"', '"\\u00e9"'),
                 ('{"a":1,"b":2}', '{"b":2.0,"a":1}')]
        different = [("9007199254740992", "9007199254740993"), ("1e-999999", "0"),
                     ('"é"', '"e\\u0301"'), ("[1,2]", "[2,1]"), ("1", '"1"'), ("true", "1"),
                     ("null", "false"), ("[]", "{}")]
        for left, right in equal:
            self.assertEqual(canonical(left), canonical(right))
        for left, right in different:
            self.assertNotEqual(canonical(left), canonical(right))


if __name__ == "__main__":
    unittest.main()
