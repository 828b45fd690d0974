//! What a person left out or wrote wrongly: exit code 2, and nothing comes out.

use super::new;
use super::refusals::{CLAIM, garden};
use crate::common::{file, tern};

/// Without a terminal every missing option is named at once (T2.02, T1.13).
#[test]
fn everything_missing_is_named() {
    for (act, options) in [
        (
            "ask",
            "--from NAME, --question TEXT, --thread TEXT, --to NAME, --id ID (or --in LOG, which finds it)",
        ),
        (
            "tell",
            "--from NAME, --claim TEXT --basis WORD --confidence WORD --scope TEXT, --thread",
        ),
        (
            "propose",
            "--from NAME, --plan TEXT, --success TEXT, --thread",
        ),
        (
            "request",
            "--from NAME, --action TEXT, --done-when TEXT, --thread",
        ),
        (
            "commit",
            "--from NAME, --request REF, --action TEXT, --deliverable TEXT, --done-when TEXT, --thread",
        ),
        (
            "report",
            "--from NAME, --commitment REF, --state STATE, --claim TEXT",
        ),
        (
            "challenge",
            "--from NAME, --target REF, --kind KIND, --objection TEXT, --resolution-test TEXT, --thread",
        ),
        (
            "revise",
            "--from NAME, --target REF, --previous REF (or --in LOG, which finds it), --withdraw, --replacement OBJECT or the fields that change, --reason TEXT",
        ),
        (
            "decline",
            "--from NAME, --target REF, --reason TEXT, --thread",
        ),
        ("ack", "--from NAME, --target REF, --thread"),
    ] {
        let ran = tern(&["new", act]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert!(
            ran.err.contains(&format!("missing: {options}")),
            "{act}: {}",
            ran.err
        );
    }
    let ran = new(
        &garden(),
        "ben",
        "tell",
        &[
            "--claim", "c", "--scope", "s", "--claim", "d", "--basis", "observed",
        ],
    );
    assert!(
        ran.err.contains(
            "--basis WORD of claim 1, --confidence WORD of claim 1, --confidence WORD of claim 2, --scope TEXT of claim 2, --thread TEXT, --to NAME"
        ),
        "{ran:?}"
    );
    // What a log finds is not asked for; what it cannot find is.
    let ran = new(&garden(), "ben", "ack", &[]);
    assert!(ran.err.contains("missing: --target REF\n"), "{ran:?}");
    // A report without a log has to say what it follows (S5.05).
    let mut report = vec![
        "new",
        "report",
        "--from",
        "ben",
        "--commitment",
        "ben:1",
        "--state",
        "active",
    ];
    report.extend(CLAIM);
    let ran = tern(&report);
    assert!(
        ran.err
            .contains("--reply REF (or --in LOG, which finds it)"),
        "{ran:?}"
    );
}

/// What is no value of its field is refused with the rule (T2.04, A-REFERENCE, A-TIME, T1.19, S2.11,
/// T1.12), and so are options out of place.
#[test]
fn wrong_values() {
    let garden = file(garden());
    for (arguments, word) in [
        (vec!["ask", "--question", ""], "empty_text"),
        (vec!["ask", "--about", "ben"], "bad_reference"),
        (vec!["ask", "--reply", "nothing"], "bad_reference"),
        (vec!["ask", "--from", "a:b"], "colon_in_sender"),
        (vec!["commit", "--due", "tomorrow"], "bad_timestamp"),
        (vec!["report", "--state", "done"], "fulfilled"),
        (
            vec!["challenge", "--support", "photo"],
            "bad_evidence_reference",
        ),
        (
            vec!["revise", "--replacement", "{\"a\":1,\"a\":2}"],
            "duplicate_key",
        ),
        (
            vec![
                "ask",
                "--question",
                "q",
                "--to",
                "b",
                "--to",
                "b",
                "--thread",
                "t",
            ],
            "repeated_recipient",
        ),
        (
            vec!["tell", "--basis", "observed", "--claim", "c"],
            "stand before it",
        ),
        (
            vec![
                "tell", "--claim", "c", "--basis", "observed", "--basis", "assumed",
            ],
            "stands twice",
        ),
        (
            vec![
                "revise", "--target", "ana:1", "--plan", "p", "--reason", "r",
            ],
            "--plan is no field of a REQUEST",
        ),
        (
            vec![
                "revise",
                "--target",
                "ana:1",
                "--withdraw",
                "--action",
                "p",
                "--reason",
                "r",
            ],
            "has no fields",
        ),
        (
            vec![
                "revise",
                "--target",
                "ana:1",
                "--replacement",
                "{}",
                "--action",
                "p",
            ],
            "do not go with it",
        ),
    ] {
        let mut all = vec!["new"];
        all.extend(&arguments);
        if !arguments.contains(&"--from") {
            all.extend(["--in", &garden, "--from", "ana"]);
        }
        let ran = tern(&all);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{word}: {ran:?}");
        assert!(ran.err.contains(word), "{word}: {}", ran.err);
    }
    assert_eq!(tern(&["new", "ack", "--in", "/no/such/log"]).code, 2);
}
