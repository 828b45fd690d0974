//! The path of a newcomer, as `conformance/README.md` shows it: every command of it is run.

use super::{has_python, without_time};
use crate::common::{Folder, finish};

const PAGE: &str = include_str!("../../../../conformance/README.md");

/// The blocks of a language, each without its fences.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    let mut blocks = PAGE.split(&fence);
    blocks.next();
    blocks.map(|it| it.split("```").next().unwrap()).collect()
}

/// The adapter of the page, and what `tern conform` says of it, command by command.
#[test]
fn the_page_is_true() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let adapters = blocks("python");
    assert_eq!(adapters.len(), 1);
    let lines = adapters[0].lines().filter(|it| !it.trim().is_empty());
    assert!(lines.count() < 50, "about 40 lines");
    folder.write("my_tern.py", adapters[0]);
    let mut ran = Vec::new();
    for block in blocks("console") {
        for part in block.split("$ ").filter(|it| !it.is_empty()) {
            let (line, shown) = part.split_once('\n').unwrap();
            let words: Vec<&str> = line.split_whitespace().collect();
            assert_eq!(words[0], "tern", "{line}");
            let mut command = folder.command(&words[1..]);
            command.env("COLUMNS", "80");
            let real = finish(command, b"");
            assert_eq!(real.err, "", "{line}");
            let (shown, real) = (comparable(shown), comparable(&real.out));
            assert!(
                is_shown(&shown, &real),
                "`{line}` says, and conformance/README.md does not:\n{real}\n{shown}"
            );
            ran.push(line);
        }
    }
    for way in ["--smoke", "--level 1", "--explain"] {
        assert!(ran.iter().any(|it| it.contains(way)), "{way}: {ran:?}");
    }
}

/// A text without the time that it took, and with figures that do not count: they grow with the vectors.
fn comparable(text: &str) -> String {
    let mut out = String::new();
    for character in without_time(text).chars() {
        if !character.is_ascii_digit() {
            out.push(character);
        } else if !out.ends_with('0') {
            out.push('0');
        }
    }
    out
}

/// Whether an output is what was shown of it. A line `…` stands for any lines, and so does `…` at the end of a
/// line for the rest of it.
fn is_shown(shown: &str, real: &str) -> bool {
    let mut real = real.lines();
    let mut skips = false;
    for line in shown.lines() {
        if line.trim() == "…" {
            skips = true;
            continue;
        }
        let fits = |real: &str| match line.strip_suffix('…') {
            Some(beginning) => real.starts_with(beginning),
            None => real == line,
        };
        let found = if skips {
            real.any(fits)
        } else {
            real.next().is_some_and(fits)
        };
        if !found {
            return false;
        }
        skips = false;
    }
    skips || real.next().is_none()
}
