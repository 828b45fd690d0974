//! What messages are made of: names, texts, numbers, instants. Ordinary ones first, odd ones after.

/// Names of participants that make no trouble.
pub(crate) const NAMES: &[&str] = &["ana", "ben", "cy", "dee"];

/// Names that begin each other, that differ only in composition or case, and that sort differently
/// by UTF-16 and by code point. No two are equal.
pub(crate) const ODD_NAMES: &[&str] = &[
    "a",
    "an",
    "ana",
    "ana2",
    "Ana",
    "ana ",
    "\u{1f602}",
    "\u{fb33}",
    "\u{ffff}",
    "\u{10ffff}",
    "\u{e9}",
    "e\u{301}",
    "\u{202e}ana",
    "a\u{0}b",
    "\"\\/",
    "ev",
];

pub(crate) const THREADS: &[&str] = &["beds", "fence", "beds2"];

pub(crate) const ODD_THREADS: &[&str] = &["\u{fb33}", "\u{1f602}", "Beds", " ", "beds\u{0}"];

pub(crate) const TEXTS: &[&str] = &[
    "Water the tomatoes.",
    "The hose leaks.",
    "Mend the gate.",
    "Dry soil in bed 3.",
    "All of it.",
    "1",
    "null",
    "ana:1",
];

/// Texts that go wrong where somebody normalizes, escapes, sorts or cuts.
pub(crate) const ODD_TEXTS: &[&str] = &[
    "\u{e9}",
    "e\u{301}",
    "\u{202e}drow\u{202c}",
    "\u{0}",
    "\u{1}\u{8}\u{9}\u{a}\u{c}\u{d}\u{1f}\u{7f}",
    "\u{ffff}\u{fffe}\u{fdd0}",
    "\u{1f602}\u{10ffff}",
    "\u{fb33}\u{e000}\u{ffee}",
    "\u{2028}\u{2029}\u{85}\u{feff}",
    "\"\\/</script>",
    " ",
    "\u{1100}\u{1161}",
    "\u{200d}\u{fe0f}",
];

/// Actions, few, so that grants can list them.
pub(crate) const ACTIONS: &[&str] = &["water", "dig", "Water"];

/// Names of grants.
pub(crate) const GRANTS: &[&str] = &["grant:1", "grant:2", "grant:3"];

/// Keys of started actions.
pub(crate) const KEYS: &[&str] = &["run-1", "run-2", "\u{1f602}"];

pub(crate) const CONDITIONS: &[&str] = &["The tap works.", "No frost.", "Bed 3 is free."];

pub(crate) const EVIDENCE: &[&str] = &[
    "ev:1",
    "ev:2",
    "ev:3",
    "ev:4",
    "ev:\u{fb33}",
    "ev:\u{1f602}:",
];

/// Valid times, in no order; neighbours in exact comparison, and several spellings of an instant.
pub(crate) const TIMES: &[&str] = &[
    "2026-11-30T12:00:00Z",
    "2026-12-01T00:00:00Z",
    "2026-11-30T14:00:00+02:00",
    "2026-11-30T12:00:00.000000000000000000001Z",
    "2026-11-30t12:00:00.0z",
    "2026-11-30T11:59:59.9999999999999999999Z",
    "2016-12-31T23:59:60Z",
    "2017-01-01T01:59:60.5+02:00",
    "2017-01-01T00:00:00-00:00",
    "2016-12-31T23:59:59.999Z",
    "0000-02-29T00:00:00Z",
    "9999-12-31T23:59:59-23:59",
    "0000-01-01T00:00:00+23:59",
    "2024-02-29T23:00:00.10+00:00",
];

/// Before most of these.
pub(crate) const EARLY: &str = "2026-11-30T11:59:59.9999999999999999999Z";

/// Conditions by number, in every notation; many are out of range.
pub(crate) const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "1.0",
    "0.0",
    "10e-1",
    "-0",
    "0.2e1",
    "9",
    "18446744073709551615",
    "18446744073709551616",
    "1e30",
    "0e999",
];

/// Times that are none.
pub(crate) const BAD_TIMES: &[&str] = &[
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2100-02-29T00:00:00Z",
    "2026-11-30 12:00:00Z",
    "2026-11-30T24:00:00Z",
    "2026-11-30T12:60:00Z",
    "2026-11-30T12:00:60Z",
    "2026-12-30T23:59:60Z",
    "2026-12-31T23:59:60+01:00",
    "2026-11-30T12:00:00",
    "2026-11-30T12:00:00+24:00",
    "2026-11-30T12:00:00+00:60",
    "2026-11-30T12:00:00+0000",
    "2026-11-30T12:00:00.Z",
    "2026-13-01T00:00:00Z",
    "2026-00-10T00:00:00Z",
    "2026-11-00T00:00:00Z",
    "26-11-30T12:00:00Z",
    "2026-11-30T12:00Z",
    " 2026-11-30T12:00:00Z",
    "2026-11-30T12:00:00Z ",
    "\u{ff12}026-11-30T12:00:00Z",
    "tomorrow",
    "",
];

/// References that are none.
pub(crate) const BAD_REFERENCES: &[&str] =
    &["", ":", "ana", "ana:", ":1", "\u{1f602}", "ana\u{ff1a}1"];

/// Evidence references that are none.
pub(crate) const BAD_EVIDENCE: &[&str] = &["", "ev:", "ev", "EV:1", "ana:1", " ev:1"];

/// What is refused as a word of any enumeration.
pub(crate) const BAD_WORDS: &[&str] = &[
    "",
    "ACTIVE",
    "Active",
    "active ",
    "done",
    "ask",
    "ASK ",
    "TELL\u{0}",
    "GRANT",
];

/// Source texts of extensions: numbers whose exact value matters, and all sorts of JSON.
pub(crate) const EXTENSIONS: &[&str] = &[
    "1",
    "1.0",
    "10e-1",
    "9007199254740992",
    "9007199254740993",
    "1e-999999",
    "0",
    "-0",
    "0e5",
    "1e300",
    "1E+2",
    "100e-5",
    "-1.50",
    "1.7976931348623157e308",
    "0e99999999999999999999",
    "1e-99999999999999999999",
    "123456789012345678901234567890123456789012345678901234567890",
    "0.1000000000000000055511151231257827021181583404541015625",
    "true",
    "null",
    "\"1\"",
    "[]",
    "{}",
    "[1,1.0,[2,{\"a\":3}]]",
    "[2,1]",
    "{\"a\":1,\"b\":2}",
    "{\"b\":2,\"a\":1}",
    "{\"\":0,\"\\u0000\":1}",
    "{\"\u{fb33}\":1,\"\u{1f602}\":2,\"\u{e9}\":3,\"e\u{301}\":4}",
    "{\"grant\":{\"ref\":\"grant:1\"},\"approve\":true}",
    "\"\\ud83d\\ude02\"",
];

/// Codes that `reconciled` may name beside the causes that there are.
pub(crate) const NO_CAUSES: &[&str] = &["terminal", "no_such_code"];
