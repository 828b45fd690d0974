//! Makes the seeds of the fuzzers that are called `made-…`, and their dictionary.
//!
//! `cargo run -p tern-tests --example seeds` writes into `fuzz/`. Findings have other names and stay.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a program that is run by hand"
)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tern_conformance::Mixer;
use tern_conformance::generate::{self, Preset, Scenario};
use tern_tests::{root, schema};

const EXAMPLES: [&str; 6] = [
    "review",
    "negotiation",
    "late-conflict",
    "group",
    "spoof",
    "evidence",
];

/// JSON texts at the edges of the grammar (S2.03 to S2.08).
const JSON: &[(&str, &str)] = &[
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
const VALUES: &[(&str, &str)] = &[
    ("null", "null"),
    ("empty-text", "\"\""),
    ("empty-list", "[]"),
    ("number", "7"),
    ("object", "{}"),
];

const TIMES: &[(&str, &str)] = &[
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

const FILES: &[(&str, &str)] = &[
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

fn main() {
    let mut seeds = Seeds::new();
    for (name, text) in JSON {
        for target in ["parse", "parse_print"] {
            seeds.put(target, &format!("json-{name}"), text.as_bytes());
        }
    }
    for depth in [127, 128, 129] {
        let text = format!(
            r#"{{"tern":{}{}}}"#,
            "[".repeat(depth - 1),
            "]".repeat(depth - 1)
        );
        seeds.put("parse", &format!("json-depth-{depth}"), text.as_bytes());
    }
    messages(&mut seeds);
    for (name, text) in TIMES {
        seeds.put("timestamp", name, text.as_bytes());
    }
    for (name, text) in FILES {
        seeds.put("reduce_bytes", &format!("file-{name}"), text.as_bytes());
        seeds.put("parse_print", &format!("file-{name}"), text.as_bytes());
    }
    logs(&mut seeds);
    damages(&mut seeds);
    dictionary();
    println!("{} seeds", seeds.count);
}

/// Every message of the examples, and one of each act with each field spoilt in turn.
fn messages(seeds: &mut Seeds) {
    let mut acts = BTreeSet::new();
    for name in EXAMPLES {
        for line in example(name).lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            let Some(message) = record.pointer("/deliver/message") else {
                if let Some(evidence) = record.get("evidence") {
                    let text = serde_json::to_string_pretty(evidence).unwrap();
                    seeds.put("parse_print", "evidence", text.as_bytes());
                }
                continue;
            };
            let act = message["act"].as_str().unwrap_or("none").to_lowercase();
            if !acts.insert(act.clone()) {
                continue;
            }
            let text = message.to_string();
            seeds.put("parse", &format!("message-{act}"), text.as_bytes());
            seeds.put("parse_print", &format!("message-{act}"), text.as_bytes());
            let fields: Vec<String> = message["body"]
                .as_object()
                .into_iter()
                .flat_map(|body| body.keys().cloned())
                .collect();
            for (at, field) in fields.iter().enumerate() {
                let (name, value) = VALUES[at % VALUES.len()];
                let mut spoilt = message.clone();
                spoilt["body"][field] = serde_json::from_str(value).unwrap();
                let name = format!("message-{act}-{field}-{name}");
                seeds.put("parse", &name, spoilt.to_string().as_bytes());
            }
        }
    }
}

/// The examples, and a small log of each preset; and bytes out of which logs grow.
fn logs(seeds: &mut Seeds) {
    const STRUCTURED: [&str; 3] = ["reduce_diff", "reduce_order", "view_json"];
    for name in EXAMPLES {
        let text = example(name);
        for target in STRUCTURED.iter().chain(&["reduce_bytes", "parse_print"]) {
            seeds.put(target, &format!("example-{name}"), text.as_bytes());
        }
        let bare: Vec<String> = text
            .lines()
            .filter_map(|line| {
                let record: Value = serde_json::from_str(line).ok()?;
                Some(record.pointer("/deliver/message")?.to_string())
            })
            .collect();
        let bare = bare.join("\n");
        seeds.put("reduce_bytes", &format!("bare-{name}"), bare.as_bytes());
    }
    for preset in Preset::all() {
        let grown: Vec<Scenario> = (0..40).map(|seed| generate::seeded(seed, preset)).collect();
        let size = |scenario: &&Scenario| scenario.document().len();
        // Neither the smallest, which holds little, nor one of the large ones.
        let mut by_size: Vec<&Scenario> = grown.iter().collect();
        by_size.sort_by_key(size);
        for at in [4, 12] {
            let document = by_size[at].document();
            if document.len() > 8192 {
                continue;
            }
            let name = format!("grown-{}-{at}", preset.name());
            seeds.put("reduce_bytes", &name, &document);
            if at == 4 && preset.is_readable() {
                for target in STRUCTURED {
                    seeds.put(target, &name, &document);
                }
            }
        }
    }
    for target in STRUCTURED {
        for seed in 0..30 {
            let length = 60 + usize::try_from(seed).unwrap() * 30;
            seeds.put(target, &format!("random-{seed}"), &noise(seed, length));
        }
    }
}

/// Every store cut at places of several kinds, without a row, and at random.
fn damages(seeds: &mut Seeds) {
    for store in 0_u8..6 {
        for place in [0_u32, 511, 4095, 8192, 16_000, 24_576, 31_483] {
            for (file, name) in [(0, "database"), (1, "wal")] {
                let mut bytes = vec![store, 1, 1];
                bytes.extend(place.to_le_bytes());
                bytes.extend([file, 0]);
                let name = format!("store-{store}-{name}-cut-{place}");
                seeds.put("log_reload", &name, &bytes);
            }
        }
        for row in [0, 3, 60] {
            let name = format!("store-{store}-without-row-{row}");
            seeds.put("log_reload", &name, &[store, 0, row, 0, 0, 0]);
        }
    }
    for seed in 0..20 {
        seeds.put("log_reload", &format!("random-{seed}"), &noise(seed, 40));
    }
}

fn example(name: &str) -> String {
    fs::read_to_string(root().join("examples").join(format!("{name}.jsonl"))).unwrap()
}

/// Bytes at random, none of which begins as a log document does.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut mixer = Mixer::new(seed);
    let mut bytes: Vec<u8> = (0..length)
        .map(|_| mixer.number().to_le_bytes()[3])
        .collect();
    if bytes.first() == Some(&b'{') {
        bytes[0] = 0;
    }
    bytes
}

/// What the schemas name: keys, words, codes; and the ids and times that generated logs use.
fn dictionary() {
    let mut words = BTreeSet::new();
    for name in ["message", "log-document", "view", "outcome"] {
        collect(&schema::schema(name), &mut words);
    }
    let mut text = String::from(
        "# Words for the fuzzers. Made by `cargo run -p tern-tests --example seeds`.\n",
    );
    for word in &words {
        let _ = writeln!(text, "\"\\\"{word}\\\"\"");
    }
    let more = [
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
    for word in more {
        let mut escaped = String::new();
        for byte in word.bytes() {
            match byte {
                b'"' | b'\\' => _ = write!(escaped, "\\{}", char::from(byte)),
                0x20..=0x7e => escaped.push(char::from(byte)),
                _ => _ = write!(escaped, "\\x{byte:02x}"),
            }
        }
        let _ = writeln!(text, "\"{escaped}\"");
    }
    fs::write(root().join("fuzz/tern.dict"), text).unwrap();
}

fn collect(schema: &Value, words: &mut BTreeSet<String>) {
    match schema {
        Value::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value) {
                    ("properties", Value::Object(named)) => words.extend(named.keys().cloned()),
                    ("enum", Value::Array(all)) => {
                        words.extend(all.iter().filter_map(Value::as_str).map(str::to_owned));
                    }
                    ("const", Value::String(word)) => _ = words.insert(word.clone()),
                    _ => {}
                }
                collect(value, words);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, words)),
        _ => {}
    }
}

struct Seeds {
    count: usize,
}

impl Seeds {
    /// Removes the seeds that an earlier run made.
    fn new() -> Self {
        for (name, _) in tern_tests::targets::ALL {
            let folder = Self::folder(name);
            fs::create_dir_all(&folder).unwrap();
            for file in fs::read_dir(folder).unwrap() {
                let file = file.unwrap();
                if file.file_name().to_string_lossy().starts_with("made-") {
                    fs::remove_file(file.path()).unwrap();
                }
            }
        }
        Self { count: 0 }
    }

    fn folder(target: &str) -> std::path::PathBuf {
        Path::new(&root()).join("fuzz/seeds").join(target)
    }

    fn put(&mut self, target: &str, name: &str, bytes: &[u8]) {
        let path = Self::folder(target).join(format!("made-{name}"));
        fs::write(path, bytes).unwrap();
        self.count += 1;
    }
}
