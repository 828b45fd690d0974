//! Suites of others, read from `../shared/data` beside the repository.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tern_core::message::Timestamp;
use tern_core::wire::{Json, JsonOptions, Limits, canonical, read};

/// A folder of the shared data. Without it a test has nothing to check: it says so, and where
/// `CI=true` it fails.
pub(crate) fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data")).join(folder);
    if path.is_dir() {
        return Some(path);
    }
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "{} is absent and CI=true",
        path.display()
    );
    // Written past the capture of the test runner, so that a passing run shows it too.
    let left_out = format!(
        "LEFT OUT: {} is absent, nothing was checked against it\n",
        path.display()
    );
    std::io::stderr().write_all(left_out.as_bytes()).unwrap();
    None
}

const BARE: JsonOptions = JsonOptions {
    max_depth: None,
    lenient: true,
};
const STRICT: JsonOptions = JsonOptions {
    max_depth: Some(128),
    lenient: false,
};

/// T1.06, S2.03: JSONTestSuite, on the bare JSON layer (`lenient`). Tern is stricter: it refuses
/// two of the accepted files for their duplicate keys (T1.05), and so does the strict layer here.
#[test]
fn t1_06_json_test_suite() {
    let Some(folder) = shared("JSONTestSuite/test_parsing") else {
        return;
    };
    let (mut yes, mut no, mut either) = (0, 0, 0);
    let mut stricter = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let bytes = fs::read(&path).unwrap();
        let (bare, strict) = (Json::read(&bytes, BARE), Json::read(&bytes, STRICT));
        // No file is a message, and none is trouble.
        assert!(read(&bytes, &Limits::default()).is_err(), "{name}");
        match name.split('_').next() {
            Some("y") => {
                assert!(bare.is_ok(), "{name}: {bare:?}");
                yes += 1;
                if strict.is_err() {
                    stricter.push(name);
                }
            }
            Some("n") => {
                assert!(bare.is_err() && strict.is_err(), "{name}");
                no += 1;
            }
            _ => either += 1,
        }
    }
    stricter.sort();
    assert_eq!((yes, no, either), (95, 188, 35));
    assert_eq!(
        stricter,
        [
            "y_object_duplicated_key.json",
            "y_object_duplicated_key_and_value.json"
        ]
    );
}

/// A-TIME: the strings of the date-time tests of JSON-Schema-Test-Suite.
#[test]
fn a_time_json_schema_test_suite() {
    let Some(folder) = shared("JSON-Schema-Test-Suite/draft2020-12") else {
        return;
    };
    let text = fs::read_to_string(folder.join("date-time.json")).unwrap();
    let suite: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut strings = 0;
    for case in suite.as_array().unwrap() {
        for test in case["tests"].as_array().unwrap() {
            let Some(text) = test["data"].as_str() else {
                continue;
            };
            assert_eq!(
                Timestamp::new(text).is_ok(),
                test["valid"] == true,
                "{}",
                test["description"]
            );
            strings += 1;
        }
    }
    assert_eq!(strings, 27);
}

/// S7.03: the test data of RFC 8785. The five numbers of `values.json` that are no integers without
/// trailing zeros are put into the form of Tern first, which writes numbers exactly (S7.04) where
/// RFC 8785 writes doubles; everything else must match to the byte.
#[test]
fn s7_03_jcs_test_data() {
    let Some(folder) = shared("JCS/testdata") else {
        return;
    };
    let mut files = 0;
    for entry in fs::read_dir(folder.join("input")).unwrap() {
        let input = entry.unwrap().path();
        let name = input.file_name().unwrap().to_str().unwrap();
        let bytes = fs::read(&input).unwrap();
        let mut output = fs::read_to_string(folder.join("output").join(name)).unwrap();
        let json = Json::read(&bytes, STRICT).unwrap();
        match name {
            "values.json" => {
                for (jcs, tern) in [
                    ("333333333.3333333", "33333333333333329E-8"),
                    ("1e+30", "1E30"),
                    ("4.5", "45E-1"),
                    ("0.002", "2E-3"),
                    ("1e-27", "1E-27"),
                ] {
                    assert!(output.contains(jcs));
                    output = output.replacen(jcs, tern, 1);
                }
            }
            // Integers without trailing zeros are written alike by both; `56.0` is one.
            _ => files += 1,
        }
        assert_eq!(canonical(json.root()), output.trim_end(), "{name}");
    }
    assert_eq!(files, 5);
}

/// S7.04: doubles as RFC 8785 writes them denote exactly what we read off them. A tenth of the
/// published 100,000 lines is enough here.
#[test]
fn s7_04_numbers_of_jcs_keep_their_value() {
    let Some(folder) = shared("JCS") else { return };
    let lines = fs::read_to_string(folder.join("es6testfile100k.txt")).unwrap();
    let mut checked = 0;
    for line in lines.lines().step_by(10) {
        let (bits, text) = line.split_once(',').unwrap();
        let double = f64::from_bits(u64::from_str_radix(bits, 16).unwrap());
        let json = Json::read(text.as_bytes(), STRICT).unwrap();
        let written = json.root().as_number().unwrap().canonical();
        let same = written.parse::<f64>().unwrap();
        assert!(
            same == double && !json.root().as_number().unwrap().overflows_double(),
            "{line}"
        );
        checked += 1;
    }
    assert_eq!(checked, 10_000);
}
