//! Seeds by hand.

/// JSON texts at the edges of the grammar (S2.03 to S2.08).
pub(super) const JSON: &[(&str, &str)] = &[
    ("empty", ""),
    ("blank", " \r\n\t"),
    ("byte-order-mark", "\u{feff}{}"),
    ("comment", "{}// no"),
    ("trailing", "{} {}"),
    ("trailing-comma", "{\"a\":[1,]}"),
    ("key-repeated", r#"{"a":1,"\u0061":2}"#),
    (
        "key-repeated-deep",
        r#"{"tern":"0.1","extensions":{"x":[{"b":0,"b":0}]}}"#,
    ),
    ("surrogate-alone", r#"{"a":"\ud83d"}"#),
    ("surrogate-low-first", r#"{"a":"\ude02\ud83d"}"#),
    (
        "surrogate-pair",
        r#"{"\ud83d\ude02":"\ud83d\ude02","\ufb33":0.50}"#,
    ),
    ("surrogate-and-escape", r#"{"a":"\ud83d\n"}"#),
    (
        "escapes",
        r#"{"a":"\"\\\/\b\f\n\r\t\u0000\u001f\u007f\u2028"}"#,
    ),
    ("escape-unknown", r#"{"a":"\x41"}"#),
    ("control", "{\"a\":\"\u{1}\"}"),
    (
        "numbers",
        "[0,-0,0.0,-0.0e7,1.0,10e-1,100e-5,0.50,1E+1,9007199254740993,1e-999999,0e99999999999999999999]",
    ),
    ("number-infinite", "[1e999]"),
    ("number-nan", "[NaN]"),
    ("number-plus", "[+1]"),
    ("number-dot", "[1.]"),
    ("number-zeros", "[01]"),
    (
        "number-greatest",
        "[1.7976931348623157e308,-17976931348623157e292]",
    ),
    (
        "number-rounds-down",
        "[1.7976931348623158e308,1.797693134862315807e308]",
    ),
    ("number-rounds-up", "[1.797693134862315808e308]"),
    (
        "number-long-zero",
        "[0.0000000000000000000000000000000000000001e349]",
    ),
    (
        "number-exponent",
        "[1e-99999999999999999999,1e99999999999999999999]",
    ),
    ("array", "[1]"),
    ("text", "\"x\""),
    ("crlf", "{\"tern\":\"0.1\"}\r"),
    ("version", r#"{"tern":"0.2"}"#),
    ("version-number", r#"{"tern":0.1}"#),
    ("version-absent", r#"{"id":"a:1"}"#),
];

/// What stands in place of a field of a sound message (S2.10).
pub(super) const VALUES: &[(&str, &str)] = &[
    ("null", "null"),
    ("empty-text", "\"\""),
    ("empty-list", "[]"),
    ("number", "7"),
    ("object", "{}"),
];

pub(super) const TIMES: &[(&str, &str)] = &[
    ("plain", "2026-11-30T12:00:00Z\n2026-11-30t12:00:00.000z"),
    (
        "offset",
        "2026-11-30T12:00:00+01:00\n2026-11-30T11:00:00-00:00",
    ),
    (
        "leap-second",
        "2016-12-31T23:59:59.999Z\n2017-01-01T01:59:60+02:00",
    ),
    (
        "leap-second-and-minute",
        "2016-12-31T23:59:60.5Z\n2017-01-01T00:00:00Z",
    ),
    (
        "leap-second-in-june",
        "2015-06-30T23:59:60Z\n2015-06-30T23:59:60.000000000000001Z",
    ),
    (
        "leap-second-any-month",
        "2026-02-28T23:59:60Z\n2024-02-29T23:59:60Z",
    ),
    (
        "leap-second-nowhere",
        "2026-11-30T22:59:60Z\n2026-11-29T23:59:60Z",
    ),
    (
        "leap-second-other-day",
        "2026-12-01T00:59:60+01:00\n2026-11-30T22:59:60-01:00",
    ),
    ("year-0", "0000-01-01T00:00:00Z\n0000-02-29T00:00:00Z"),
    (
        "before-year-0",
        "0000-01-01T00:00:00+23:59\n0000-01-01T00:29:60+00:30",
    ),
    (
        "after-year-9999",
        "9999-12-31T23:59:59-23:59\n9999-12-31T23:59:60Z",
    ),
    ("leap-years", "2000-02-29T00:00:00Z\n1900-02-29T00:00:00Z"),
    (
        "fractions",
        "2026-01-01T00:00:00.1234567890123456789Z\n2026-01-01T00:00:00.12345678901234567890Z",
    ),
    (
        "fraction-nine",
        "2026-01-01T00:00:00.123456789Z\n2026-01-01T00:00:00.12345678Z",
    ),
    (
        "fraction-empty",
        "2026-01-01T00:00:00.Z\n2026-01-01T00:00:00,5Z",
    ),
    ("space", "2026-01-01 00:00:00Z\n2026-01-01T00:00:00"),
    ("hour-24", "2026-01-01T24:00:00Z\n2026-01-01T23:60:00Z"),
    (
        "offset-24",
        "2026-01-01T00:00:00+24:00\n2026-01-01T00:00:00+23:60",
    ),
    (
        "offset-short",
        "2026-01-01T00:00:00+01\n2026-01-01T00:00:00+0100",
    ),
    ("day-0", "2026-01-00T00:00:00Z\n2026-00-01T00:00:00Z"),
    (
        "other-digits",
        "２026-01-01T00:00:00Z\n2026-01-01T00:00:00.٣Z",
    ),
    ("sign", "+026-01-01T00:00:00Z\n-001-01-01T00:00:00Z"),
    ("one-line", "2026-11-30T12:00:00.5+05:45"),
    ("empty", ""),
];

pub(super) const FILES: &[(&str, &str)] = &[
    (
        "blank-line",
        "{\"context\":{\"id\":\"c\",\"participants\":{}}}\n\n",
    ),
    (
        "blank-first",
        "\n{\"context\":{\"id\":\"c\",\"participants\":{}}}",
    ),
    ("before-context", "{\"clock\":\"2026-01-01T00:00:00Z\"}"),
    (
        "second-context",
        "{\"context\":{\"id\":\"c\",\"participants\":{}}}\n{\"context\":{\"participants\":{},\"id\":\"\\u0063\"}}\n{\"context\":{\"id\":\"d\",\"participants\":{}}}",
    ),
    (
        "reserved-context",
        "{\"context\":{\"id\":\"unverified\",\"participants\":{}}}",
    ),
    ("two-keys", "{\"permit\":1,\"context\":2}"),
    (
        "no-key",
        "{\"context\":{\"id\":\"c\",\"participants\":{}}}\n{}",
    ),
    (
        "two-payloads",
        "{\"context\":{\"id\":\"c\",\"participants\":{}}}\n{\"deliver\":{\"text\":\"\",\"base64\":\"\"}}",
    ),
    (
        "payloads",
        "{\"context\":{\"id\":\"c\",\"participants\":{}}}\n{\"deliver\":{\"text\":\"\"}}\n{\"deliver\":{\"base64\":\"/w==\",\"principal\":null}}\n{\"deliver\":{\"message\":{ \"a\" : 1.0 },\"principal\":\"p\"}}",
    ),
    (
        "base64-loose",
        "{\"context\":{\"id\":\"c\",\"participants\":{}}}\n{\"deliver\":{\"base64\":\"/x==\"}}",
    ),
    (
        "impossible-message",
        "{\"context\":{\"id\":\"c\",\"participants\":{}}}\n{\"deliver\":{\"message\":{\"a\":1e999}}}",
    ),
    (
        "impossible-twice",
        "{\"context\":{\"id\":\"c\",\"participants\":{}}}\n{\"deliver\":{\"message\":{\"a\":1,\"a\":1}},\"deliver\":0}",
    ),
    (
        "conditions",
        "{\"context\":{\"id\":\"c\",\"participants\":{}}}\n{\"confirm\":{\"commitment\":\"a:1\",\"condition\":1.0}}\n{\"confirm\":{\"commitment\":\"a:1\",\"condition\":10e-1}}\n{\"confirm\":{\"commitment\":\"a:1\",\"condition\":-0}}\n{\"confirm\":{\"commitment\":\"a:1\",\"condition\":18446744073709551616}}",
    ),
    ("bare-blank-around", "\n {\"a\":1}\n\n"),
    ("bare-pretty", "{\n\"tern\":\n\"0.1\"}\n"),
    ("bare-broken-first", "{\n{}"),
    ("bare-two", "{\"tern\":\"0.1\"}\n{\"tern\":\"0.1\"}\n"),
    ("bare-flawed-whole", "{\"a\":1e999,\n\"a\":\"\\ud800\"}"),
    ("bare-evidence-first", "{\"tern\":\"0.1\",\"evidence\":[]}"),
    ("newline", "\n"),
    (
        "crlf",
        "{\"context\":{\"id\":\"c\",\"participants\":{}}}\r\n{\"clock\":\"2026-01-01T00:00:00Z\"}\r\n",
    ),
];

/// Words for the dictionary that no schema names.
pub(super) const WORDS: &[&str] = &[
    r#"{"context":{"id":"c","participants":{"ana":"key:ana","ben":"key:ben"}}}"#,
    r#"{"deliver":{"principal":"key:ana","message":"#,
    "ana:1",
    "ana:2",
    "ben:1",
    "ben:2",
    "cyd:1",
    "a:1",
    "ev:1",
    "key:ana",
    "key:ben",
    "2026-11-30T12:00:00Z",
    "2016-12-31T23:59:60Z",
    "0000-02-29T00:00:00+23:59",
    "23:59:60",
    "-00:00",
    ".999999999",
    "1e999",
    "1.7976931348623158e308",
    "-0",
    "10e-1",
    "\\u0061",
    "\\ud83d\\ude02",
    "\\ud800",
    "\u{1f602}",
    "\u{fb33}",
    "\u{feff}",
    "null",
    "true",
    "false",
    "[]",
    "{}",
    "\r\n",
    "\n",
    "}}\n{",
];
