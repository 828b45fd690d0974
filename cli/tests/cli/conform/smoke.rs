//! First contact.

use super::{Fake, conform_tern};

/// Every line is shown, sent and answered, from `hello` to `stop`, and what was made of it.
#[test]
fn good() {
    let ran = conform_tern(&["--smoke"]);
    let out = ran.exits(0);
    let sent: Vec<&str> = out.lines().filter(|it| it.starts_with("> ")).collect();
    let told: Vec<&str> = out.lines().filter(|it| it.starts_with("< ")).collect();
    assert_eq!((sent.len(), told.len()), (7, 6), "{out}");
    assert!(
        sent[0].contains(r#""do":"hello""#) && sent[6].contains(r#""do":"stop""#),
        "{out}"
    );
    for line in sent.iter().chain(&told) {
        assert!(
            serde_json::from_str::<serde_json::Value>(&line[2..]).is_ok(),
            "{line}"
        );
    }
    assert_eq!(
        out.lines().filter(|it| it.starts_with('✓')).count(),
        5,
        "{out}"
    );
    assert!(out.contains("\n5 of 5 vectors passed\n"), "{out}");
    assert!(out.contains("next: tern conform --level 1 -- "), "{out}");
    let ids = [
        "view-empty",
        "encoding-ask-right",
        "shape-ack-missing",
        "document-no-json",
        "document-bare-one-line",
    ];
    for id in ids {
        assert!(out.contains(&format!("✓ {id}: pass\n")), "{id}: {out}");
    }
    // Of others, those that take least.
    let out = conform_tern(&["--smoke", "--filter", "chain-fork"])
        .exits(0)
        .to_owned();
    assert!(out.contains("✓ chain-fork"), "{out}");
}

#[test]
fn wrong() {
    let Some(fake) = Fake::editing("for it in outcomes: it.update(outcome='pending')") else {
        return;
    };
    let ran = fake.conform(&["--smoke"]);
    let out = ran.exits(1);
    assert!(
        out.contains(": fail\n") && out.contains("told pending"),
        "{out}"
    );
    assert!(out.contains("in words: tern conform --explain "), "{out}");
}

/// Whoever is gone is not asked on, and what it said last is shown.
#[test]
fn gone() {
    let Some(fake) = Fake::editing("if asked == 2: sys.exit('line one\\nline two')") else {
        return;
    };
    let ran = fake.conform(&["--smoke"]);
    let out = ran.exits(1);
    assert_eq!(out.matches(": crash\n").count(), 1, "{out}");
    assert!(out.contains("line one\n      line two\n"), "{out}");
    assert_eq!(
        out.matches("not asked, since it is gone").count(),
        3,
        "{out}"
    );
    assert!(out.contains("\n1 of 5 vectors passed\n"), "{out}");
}

#[test]
fn garbage() {
    let Some(fake) = Fake::editing("if asked: print('hi\\x1b[2J', flush=True)") else {
        return;
    };
    let ran = fake.conform(&["--smoke"]);
    let out = ran.exits(1);
    assert!(out.contains("a line that is no reply"), "{out}");
    assert!(!out.contains('\u{1b}'), "{out:?}");
}

/// A `hello` that is none is shown, too.
#[test]
fn shows_a_wrong_hello() {
    let Some(fake) = Fake::script("print('Welcome!')") else {
        return;
    };
    let ran = fake.conform(&["--smoke"]);
    let out = ran.exits(2);
    assert!(
        out.contains("> {\"do\":\"hello\"") && out.contains("< Welcome!"),
        "{out}"
    );
    assert!(ran.err.contains("did not answer `hello`"), "{}", ran.err);
}

/// `stop` is asked, and has to be followed.
#[test]
fn does_not_stop() {
    for (stop, timeout, part) in [
        (
            "sys.exit(3)",
            "60",
            "✗ `stop`: it ended before its time (exit status: 3)",
        ),
        (
            "time.sleep(600)",
            "6",
            "✗ `stop`: it did not end within 6000 ms",
        ),
    ] {
        let Some(fake) = Fake::with("pass", stop) else {
            return;
        };
        let ran = fake.conform(&["--smoke", "--timeout", timeout]);
        assert!(ran.exits(1).contains(part), "{}", ran.out);
    }
}

/// What is not declared is not held against first contact in words, and yet is no pass.
#[test]
fn declares_nothing() {
    let Some(fake) = Fake::editing("if hello: hello['capabilities'] = []") else {
        return;
    };
    let ran = fake.conform(&["--smoke"]);
    let out = ran.exits(1);
    assert!(
        out.contains(": unsupported\n") && out.contains("neither view nor digest"),
        "{out}"
    );
    assert!(!out.contains('✗'), "{out}");
}
