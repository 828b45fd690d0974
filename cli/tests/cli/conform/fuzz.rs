//! `tern conform fuzz`: random logs, an implementation against the reference model.

use tern_conformance::vector::File;

use super::Fake;

/// S4.03: an implementation that lets the last writer win is found, with a log of a few lines that is written
/// as a vector, and its seed finds it again.
#[test]
fn what_is_wrong_is_found_made_small_and_written() {
    let last_writer_wins = r#"
for chain in reply.get("view", {}).get("chains", {}).values():
    if chain["state"] == "conflicted":
        chain["state"] = "replaced"
"#;
    let Some(fake) = Fake::editing(last_writer_wins) else {
        return;
    };
    let ran = fake.conform(&["fuzz", "--seeds", "40", "--write", "found.json"]);
    ran.exits(1);
    assert!(
        ran.out
            .contains("tern core | model differ: the view at the end, at `/chains/")
    );
    let text = std::fs::read_to_string(fake.0.path("found.json")).unwrap();
    let file: File = serde_json::from_str(&text).unwrap();
    let [vector] = &*file.vectors else {
        panic!("{text}");
    };
    assert!((4..=6).contains(&vector.log.len()), "{text}");
    assert_eq!(vector.content_hash().unwrap(), vector.hash);
    assert!(text.contains(r#""conflicted""#), "{text}");
    assert!(
        vector.level >= 3 && vector.checks[0].clause == "S7.01",
        "{text}"
    );

    let again = ran
        .out
        .lines()
        .find_map(|line| line.strip_prefix("again: tern conform "));
    let again: Vec<&str> = again
        .unwrap()
        .split(" -- ")
        .next()
        .unwrap()
        .split(' ')
        .collect();
    let ran = fake.conform(&again);
    ran.exits(1);
}

/// T1.34: an implementation that crashes on some log is found with that log.
#[test]
fn a_crash_is_found_with_its_log() {
    let crashes = r#"
if b"withdraw" in line:
    sys.exit("no withdrawals")
"#;
    let Some(fake) = Fake::editing(crashes) else {
        return;
    };
    let ran = fake.conform(&["fuzz", "--seeds", "40"]);
    ran.exits(1);
    assert!(ran.out.contains("no withdrawals | answered"), "{}", ran.out);
    assert!(ran.out.contains("withdraw\""), "{}", ran.out);
}

/// What shows only after other documents is told as that: there is no log to blame, and no seed that finds it again.
#[test]
fn what_hangs_on_other_documents_is_no_log() {
    let Some(fake) = Fake::editing("if asked == 20: sys.exit('enough')") else {
        return;
    };
    fake.0.write("found.json", "mine");
    let ran = fake.conform(&[
        "fuzz",
        "--seeds",
        "4",
        "--jobs",
        "1",
        "--write",
        "found.json",
    ]);
    let out = ran.exits(1);
    assert!(out.contains("enough | answered"), "{out}");
    assert!(
        out.contains("after other documents: asked again, a new process does not"),
        "{out}"
    );
    assert!(!out.contains("again: tern"), "{out}");
    let kept = std::fs::read_to_string(fake.0.path("found.json")).unwrap();
    assert_eq!(kept, "mine");
    // What was seen is said before it is made small.
    assert!(
        ran.err.contains("made smaller, for 120 s at most"),
        "{}",
        ran.err
    );
}

/// S7.05: a digest that was declared and is not told is a difference.
#[test]
fn a_digest_that_is_missing_is_found() {
    let Some(fake) = Fake::editing("reply.pop('digest', None)") else {
        return;
    };
    let ran = fake.conform(&["fuzz", "--seeds", "2"]);
    assert!(ran.exits(1).contains("digest"), "{}", ran.out);
}

/// The time that is given is for logs: what it takes to say who it is does not count.
#[test]
fn a_slow_start_takes_no_time_away() {
    let Some(fake) = Fake::editing("if hello: time.sleep(2)") else {
        return;
    };
    let ran = fake.conform(&["fuzz", "--seconds", "1", "--jobs", "1"]);
    let out = ran.exits(0);
    assert!(
        !out.starts_with("0 logs") && out.contains("no difference"),
        "{out}"
    );
}

/// S7.01: the core itself does not differ.
#[test]
fn a_sound_implementation_is_left_alone() {
    let Some(fake) = Fake::editing("pass") else {
        return;
    };
    let ran = fake.conform(&["fuzz", "--seeds", "2", "--first-seed", "5"]);
    ran.exits(0);
    assert_eq!(ran.out, "30 logs of the seeds 5 to 6: no difference\n");
}

/// What cannot be asked is no finding: it says why, and nothing is written.
#[test]
fn what_cannot_be_asked_is_no_finding() {
    let no_view = r#"
if hello:
    hello["capabilities"] = ["digest"]
"#;
    let Some(fake) = Fake::editing(no_view) else {
        return;
    };
    let ran = fake.conform(&["fuzz", "--seeds", "2"]);
    ran.exits(2);
    assert!(ran.err.contains("capability `view`"), "{}", ran.err);
    let ran = fake.conform(&["fuzz", "--write", "no/such/folder"]);
    ran.exits(2);
    assert!(ran.err.contains("no/such/folder"), "{}", ran.err);
}
