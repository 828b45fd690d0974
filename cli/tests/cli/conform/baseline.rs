//! What is known to go wrong, and what then is a finding.

use std::fs;

use super::{Fake, ONE};

/// Fails three vectors and crashes in none: ACKs that lack a field are accepted.
const WRONG: &str = "
for it in outcomes:
    if it.get('code') == 'missing_field':
        it.clear()
        it['outcome'] = 'accepted'";

/// An implementation that fails all of those that the tests here ask about.
fn wrong() -> Option<Fake> {
    Fake::editing(WRONG)
}

const ASKED: [&str; 2] = ["--filter", "missing"];

fn conform(fake: &Fake, arguments: &[&str]) -> crate::common::Ran {
    fake.conform(&[&ASKED, arguments].concat())
}

#[test]
fn written_then_fits() {
    let Some(fake) = wrong() else { return };
    let ran = conform(&fake, &["--write-baseline", "known.txt"]);
    ran.exits(1);
    let written = fs::read_to_string(fake.0.path("known.txt")).unwrap();
    assert!(written.starts_with("# tern core 0.1"), "{written}");
    assert!(written.contains(&format!("\nfail {ONE}\n")), "{written}");
    let ran = conform(&fake, &["--baseline", "known.txt"]);
    let out = ran.exits(0);
    assert!(out.contains("as the baseline says"), "{out}");
    // It is as expected, and yet nothing calls it green.
    assert!(out.contains("✗ level 1: "), "{out}");
    let ran = conform(&fake, &["--baseline", "known.txt", "--level", "1"]);
    assert!(!ran.exits(0).contains("next: "), "{}", ran.out);
    // The same again, through the same file.
    let ran = conform(
        &fake,
        &["--baseline", "known.txt", "--write-baseline", "known.txt"],
    );
    ran.exits(0);
    assert_eq!(
        fs::read_to_string(fake.0.path("known.txt")).unwrap(),
        written
    );
}

/// Whatever is not as the file says is a finding.
#[test]
fn findings() {
    let Some(fake) = wrong() else { return };
    conform(&fake, &["--write-baseline", "known.txt"]).exits(1);
    let written = fs::read_to_string(fake.0.path("known.txt")).unwrap();
    let one = format!("fail {ONE}");
    for (line, part) in [
        (
            String::new(),
            "✗ 1 fail, which the baseline does not know: a delivery was `accepted".to_owned(),
        ),
        (
            format!("crash {ONE}"),
            "✗ 1 fail, and the baseline says crash: a delivery".to_owned(),
        ),
        (
            format!("harness error {ONE}"),
            "fail, and the baseline says harness error".to_owned(),
        ),
    ] {
        fake.0.write("changed.txt", written.replace(&one, &line));
        let ran = conform(&fake, &["--baseline", "changed.txt"]);
        let out = ran.exits(1);
        assert!(
            out.contains(&part) && out.contains(&format!("    {ONE}  ")),
            "{out}"
        );
    }
    // One that is listed and passes.
    fake.0.write(
        "passes.txt",
        format!("{written}fail shape-ack-other-field\n"),
    );
    let ran = fake.conform(&["--filter", "shape-ack-", "--baseline", "passes.txt"]);
    let out = ran.exits(1);
    assert!(
        out.contains("✓ 1 pass, and the baseline says fail: take what passes out"),
        "{out}"
    );
    assert!(out.contains("shape-ack-other-field"), "{out}");
}

/// How it stops is known like a vector: what no longer goes wrong is a finding, and leaves the file when it is written
/// anew.
#[test]
fn a_stop_that_is_right_again() {
    let Some(fake) = Fake::editing("pass") else {
        return;
    };
    fake.0.write("known.txt", "crash stop\n");
    let both = ["--baseline", "known.txt", "--write-baseline", "known.txt"];
    let ran = fake.conform(&[&["--filter", ONE][..], &both].concat());
    let out = ran.exits(1);
    assert!(
        out.contains("✓ `stop`: pass, and the baseline says crash"),
        "{out}"
    );
    let known = fs::read_to_string(fake.0.path("known.txt")).unwrap();
    assert!(!known.contains("crash"), "{known}");
    fake.conform(&["--filter", ONE, "--baseline", "known.txt"])
        .exits(0);
}

/// Lines of vectors that are not asked about say nothing, and stay where the file is written anew.
#[test]
fn not_asked_about() {
    let Some(fake) = wrong() else { return };
    let others = "unsupported chain-fork-twice\n# a word\n\n  harness error   chain-fork-below  \n";
    fake.0.write("known.txt", format!("fail {ONE}\n{others}"));
    let asked = ["--level", "1", "--filter", ONE, "--baseline", "known.txt"];
    fake.conform(&asked).exits(0);
    fake.conform(&[&asked[..], &["--write-baseline", "known.txt"]].concat())
        .exits(0);
    let written = fs::read_to_string(fake.0.path("known.txt")).unwrap();
    let lines: Vec<&str> = written.lines().skip(1).collect();
    let right = [
        "harness error chain-fork-below",
        "unsupported chain-fork-twice",
        &format!("fail {ONE}"),
    ];
    assert_eq!(lines, right);
}

/// A file that is none is found before anybody is asked, with the line and what to do.
#[test]
fn malformed() {
    let Some(fake) = Fake::script("open('asked', 'w').close()") else {
        return;
    };
    for (text, parts) in [
        (
            "# fine\nnonsense\n".to_owned(),
            [
                "line 2 of `known.txt` is no `VERDICT ID`: `nonsense`",
                "a verdict is one of: fail, uns",
            ],
        ),
        (
            format!("pass {ONE}"),
            [
                "line 1 of `known.txt` is no `VERDICT ID`",
                "a verdict is one of",
            ],
        ),
        (
            format!("fail {ONE} # why"),
            ["is no `VERDICT ID`", "a verdict is one of"],
        ),
        (
            format!("fail {ONE}\ncrash {ONE}"),
            [
                "line 2 of `known.txt` lists `shape-ack-missing` a second time",
                "keep the line",
            ],
        ),
        (
            "fail shape-ack-mising".to_owned(),
            [
                "there is no vector `shape-ack-mising`",
                "probably `shape-ack-missing`",
            ],
        ),
        (
            "fail \u{1b}[2J".to_owned(),
            ["there is no vector `\\u{1b}[2J`", "--list"],
        ),
    ] {
        fake.0.write("known.txt", &text);
        let ran = fake.conform(&["--baseline", "known.txt"]);
        assert_eq!(ran.exits(2), "");
        for part in parts {
            assert!(ran.err.contains(part), "{text}: {}", ran.err);
        }
    }
    // Each wrong line is told, up to ten, and of the others how many.
    let many = format!("fail {ONE}\nnonsense\nfail nobody-at-all\n") + &"?\n".repeat(12);
    fake.0.write("known.txt", many);
    let ran = fake.conform(&["--baseline", "known.txt"]);
    ran.exits(2);
    for part in [
        "error: line 2 of `known.txt` is no",
        "error: line 3 of `known.txt`: there is no vector `nobody-at-all`",
        "error: line 11 of `known.txt` is no",
        "error: 4 further lines of `known.txt` are wrong",
    ] {
        assert!(ran.err.contains(part), "{}", ran.err);
    }
    assert_eq!(ran.err.matches("error: ").count(), 11, "{}", ran.err);
    let ran = fake.conform(&["--baseline", "nowhere.txt"]);
    ran.exits(2);
    assert!(ran.err.starts_with("error: nowhere.txt: "), "{}", ran.err);
    #[cfg(target_os = "linux")]
    {
        let ran = fake.conform(&["--baseline", "/dev/zero"]);
        ran.exits(2);
        assert!(
            ran.err.contains("does not end within 256 MiB"),
            "{}",
            ran.err
        );
    }
    let ran = fake.conform(&["--write-baseline", "no/folder/known.txt"]);
    ran.exits(2);
    assert!(
        ran.err.starts_with("error: no/folder/known.txt: "),
        "{}",
        ran.err
    );
    assert!(!fake.0.path("asked").exists());
}

/// A run that cannot be made leaves the file as it was.
#[test]
fn a_run_in_vain_takes_nothing() {
    let Some(fake) = Fake::script("") else { return };
    fake.0.write("known.txt", "# mine\n");
    fake.conform(&["--write-baseline", "known.txt"]).exits(2);
    assert_eq!(
        fs::read_to_string(fake.0.path("known.txt")).unwrap(),
        "# mine\n"
    );
}
