//! Makes the seeds of the fuzzers that are called `made-…`, and their dictionary.
//!
//! `cargo run -p tern-tests --example seeds` writes into `fuzz/`. Findings have other names and stay.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a program that is run by hand"
)]

mod tables;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tern_conformance::Mixer;
use tern_conformance::generate::{self, Preset, Scenario};
use tern_core::{Context, Limits, Log, State};
use tern_tests::targets::input_of;
use tern_tests::{EXAMPLES, example, root, schema};

use self::tables::{FILES, JSON, TIMES, VALUES, WORDS};

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
    snapshots(&mut seeds);
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

/// The snapshots of every example and of some generated logs, with senders taken at their word.
fn snapshots(seeds: &mut Seeds) {
    let mut put = |name: &str, document: &[u8]| {
        let Ok(log) = Log::read(document) else {
            return;
        };
        let mut state = State::new(Context::unverified(), Limits::default());
        let _outcomes = log.replay(usize::MAX, &mut state);
        let input = input_of(&state);
        if input.len() <= 8192 {
            seeds.put("snapshot_restore", name, &input);
        }
    };
    put("empty", b"");
    for name in EXAMPLES {
        put(&format!("example-{name}"), example(name).as_bytes());
    }
    for preset in Preset::all().iter().filter(|it| it.is_readable()) {
        for seed in 0..3 {
            let document = generate::seeded(seed, preset).document();
            put(&format!("grown-{}-{seed}", preset.name()), &document);
        }
    }
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
    for word in WORDS {
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
