#![allow(clippy::unwrap_used, reason = "tests")]

use crate::vector::Mismatch;

use super::{symptom, telling, without_numbers};

fn mismatch(at: &str, expected: Option<&str>, told: Option<&str>) -> String {
    symptom(&Mismatch {
        at: at.to_owned().try_into().unwrap(),
        expected: expected.map(str::to_owned),
        told: told.map(str::to_owned),
    })
}

/// What a runtime writes when it ends, and the line of it that says why.
#[test]
fn the_line_that_tells() {
    for (said, line) in [
        (
            "Traceback (most recent call last):\n  File \"a.py\", line 2, in <module>\n    raise Error\nKeyError: 'id'",
            "KeyError: 'id'",
        ),
        (
            "starting\nthread 'main' panicked at src/main.rs:2:5:\nboom\nnote: run with `RUST_BACKTRACE=1`",
            "thread 'main' panicked at src/main.rs:2:5: boom",
        ),
        (
            "panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nmain.main()",
            "panic: runtime error: index out of range",
        ),
        (
            "/a.js:1\nnull.x\n     ^\n\nTypeError: Cannot read properties\n    at a.js:1:6\n\nNode.js v20",
            "TypeError: Cannot read properties",
        ),
        ("no reason\nat all\n", "at all"),
    ] {
        let what = format!("it ended; on standard error: {said}");
        assert_eq!(telling(&what), format!("{line}; it ended"));
    }
    assert_eq!(telling("it ended"), "it ended");
}

/// Where a view is wrong, without the ids that differ from vector to vector.
#[test]
fn alike() {
    let other = |at| mismatch(at, Some("1"), Some("2"));
    assert_eq!(
        other("view /messages/ana:1/status"),
        other("view /messages/ben:2/status")
    );
    assert_eq!(
        other("view /chains/ana:1/versions/0"),
        "the view has another `/chains/*/versions/*`"
    );
    assert_eq!(other("view "), "the view has another content");
    assert_eq!(
        mismatch("view /messages/a:1", Some("1"), None),
        "the view lacks something in `messages`"
    );
    assert_eq!(mismatch("digest", Some("a"), None), "no digest was told");
    assert_eq!(other("digest"), "the digest is another");
    assert_eq!(
        without_numbers("request 17 of 2"),
        without_numbers("request 4 of 30")
    );
}
