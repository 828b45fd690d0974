//! Which clauses comments name, and which tests name them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::root;

/// What has the form of a clause id, such as `T5.03`, `A-TIME` or `R-01`, or only of a section. Of a range such as
/// `S4.01-S4.03` each one.
#[must_use]
pub fn cited(text: &str) -> Vec<String> {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '.' || it == '-';
    let words = text.split(|it| !is_part(it));
    let words = words.map(|word| word.trim_matches(['.', '-']));
    words.flat_map(ids).collect()
}

/// The ids that a word stands for.
fn ids(word: &str) -> Vec<String> {
    if is_id(word) {
        return vec![word.to_owned()];
    }
    let ends = word.split_once('-').filter(|(a, b)| is_id(a) && is_id(b));
    let Some((first, last)) = ends else {
        return Vec::new();
    };
    range(first, last).unwrap_or_else(|| vec![first.to_owned(), last.to_owned()])
}

/// Every id from the first to the last of one section.
fn range(first: &str, last: &str) -> Option<Vec<String>> {
    let ((section, first), (other, last)) = (first.split_once('.')?, last.split_once('.')?);
    if section != other {
        return None;
    }
    let (from, to): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
    (from <= to).then(|| {
        (from..=to)
            .map(|number| format!("{section}.{number:02}"))
            .collect()
    })
}

fn is_id(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let mut rest = word.chars();
    let first = rest.next();
    let rest = rest.as_str();
    match first {
        Some('T' | 'S') => rest.split('.').all(digits),
        Some('R') => rest.strip_prefix('-').is_some_and(digits),
        Some('A') => rest
            .strip_prefix('-')
            .is_some_and(|it| it.len() > 1 && it.bytes().all(|it| it.is_ascii_uppercase())),
        _ => false,
    }
}

/// The tests in a source, each with the clauses that its doc comment names: functions under `#[test]`, those within
/// `proptest!` included. What only helps a test is none.
#[must_use]
pub fn tests_in(source: &str) -> Vec<(String, BTreeSet<String>)> {
    let mut tests = Vec::new();
    let (mut named, mut is_test, mut in_attribute) = (BTreeSet::new(), false, false);
    for line in source.lines().map(str::trim) {
        if in_attribute || line.starts_with("#[") {
            is_test |= line == "#[test]";
            in_attribute = !line.ends_with(']');
        } else if line.starts_with("///") {
            named.extend(cited(line));
        } else {
            let named = std::mem::take(&mut named);
            let is_test = std::mem::take(&mut is_test);
            let function = line.split_once("fn ").filter(|_| is_test);
            if let Some((_, rest)) = function {
                let name = rest.split(['(', '<']).next().unwrap_or_default();
                tests.push((name.to_owned(), named));
            }
        }
    }
    tests
}

/// The crates whose sources and tests cite clauses.
const CRATES: [&str; 7] = [
    "core",
    "model",
    "conformance",
    "store",
    "cli",
    "tests",
    "benches",
];

/// Every Rust source of the project, fuzzers left out, by its path from the root.
///
/// # Errors
/// Where a folder or a file cannot be read.
pub fn sources() -> io::Result<BTreeMap<PathBuf, String>> {
    let root = root();
    let mut found = BTreeMap::new();
    let mut open: Vec<PathBuf> = CRATES.iter().map(|it| root.join(it)).collect();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path)? {
                open.push(entry?.path());
            }
        } else if path.extension().is_some_and(|it| it == "rs") {
            let name = path.strip_prefix(&root).unwrap_or(&path).to_path_buf();
            found.insert(name, fs::read_to_string(&path)?);
        }
    }
    Ok(found)
}

/// For each clause the tests whose doc comments name it, as `module::function`.
///
/// # Errors
/// Where a source cannot be read.
pub fn tests_by_clause() -> io::Result<BTreeMap<String, BTreeSet<String>>> {
    let mut tests: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, source) in sources()? {
        let module = module(&path);
        for (function, named) in tests_in(&source) {
            for clause in named {
                let test = format!("{module}::{function}");
                tests.entry(clause).or_default().insert(test);
            }
        }
    }
    Ok(tests)
}

/// The name of the module in a file; of a file that has none of its own, that of what it belongs to.
fn module(path: &Path) -> String {
    let mut names = path.with_extension("");
    while ["mod", "main", "lib", "tests", "src"]
        .iter()
        .any(|it| names.ends_with(it))
    {
        if !names.pop() {
            break;
        }
    }
    let name = names
        .file_name()
        .map(|it| it.to_string_lossy().into_owned());
    name.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One parser reads ids for the page of coverage, for citations and for what tests name.
    #[test]
    fn ids_are_read_in_every_form() {
        assert_eq!(
            cited("(T5), S6.01; A-TIME, R-13. A-B T1.x TERN-1 é-R-1"),
            ["T5", "S6.01", "A-TIME", "R-13", "R-1"]
        );
        assert_eq!(cited("S4.01-S4.03: a walk"), ["S4.01", "S4.02", "S4.03"]);
        assert_eq!(cited("T1.01-S1.02"), ["T1.01", "S1.02"]);
    }

    /// Helpers are no tests, whatever their comments say.
    #[test]
    fn only_tests_are_tests() {
        // Attributes with another sign, lest these be taken for tests of this file.
        let source = "
            /// S1.01: helps.
            fn helper() {}

            /// S1.02, R-01:
            /// and A-ASK.
            @[test]
            @[should_panic(
                expected = \"[it]\"
            )]
            fn one() {}

            mod inner {
                proptest! {
                    /// S2.01
                    @[test]
                    fn two(it in any()) {}
                }
            }

            @[test]
            fn three() {}
            /// S2.02
            struct Helper;
        ";
        let source = &source.replace('@', "#");
        let named = |ids: &[&str]| BTreeSet::from_iter(ids.iter().map(|it| (*it).to_owned()));
        assert_eq!(
            tests_in(source),
            [
                ("one".to_owned(), named(&["S1.02", "R-01", "A-ASK"])),
                ("two".to_owned(), named(&["S2.01"])),
                ("three".to_owned(), named(&[])),
            ]
        );
    }

    /// A file that only gathers others lends its folder's name.
    #[test]
    fn modules_have_names() {
        let name = |path: &str| module(Path::new(path));
        assert_eq!(name("core/tests/wire/time.rs"), "time");
        assert_eq!(name("tests/tests/properties/main.rs"), "properties");
        assert_eq!(name("conformance/src/report/causes/tests.rs"), "causes");
        assert_eq!(name("store/src/lib.rs"), "store");
    }
}
