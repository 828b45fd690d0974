//! `tern log checkpoint` and `tern log verify --checkpoint`: a log is held against what was signed.

use super::{append, stored};
use crate::common::Folder;

fn sign(folder: &Folder, more: &[&str]) -> String {
    let sign = ["log", "checkpoint", "t.db", "--key", "key"];
    folder.tern(&[&sign[..], more].concat()).exits(0).to_owned()
}

/// T4.15: a log that grew is the one that was signed; another one, a shorter one and none are not.
#[test]
fn t4_15_a_log_is_held_against_what_was_signed() {
    let folder = stored(3);
    let line = sign(&folder, &["--new-key"]);
    folder.write("signed", &line);
    let view = folder.digest("t.db");
    assert!(
        line.contains(view.trim()) && line.contains("\"position\":4"),
        "{line}"
    );
    append(&folder, 3..6);
    folder.write("later", sign(&folder, &["--since", "signed"]));
    let verify = |folder: &Folder, signed: &str| {
        let arguments = [
            "log",
            "verify",
            "t.db",
            "--key",
            "key.pub",
            "--checkpoint",
            signed,
        ];
        folder.tern(&arguments)
    };
    assert!(
        verify(&folder, "signed")
            .exits(0)
            .contains("7 records, whole")
    );
    verify(&folder, "later").exits(0);
    // The key itself in place of a file.
    let key = serde_json::from_str::<serde_json::Value>(&line).unwrap();
    let key = key["key"].as_str().unwrap().to_owned();
    folder
        .tern(&[
            "log",
            "verify",
            "t.db",
            "--key",
            &key,
            "--checkpoint",
            "later",
        ])
        .exits(0);
    let move_to = |to: &Folder| {
        for file in ["key", "key.pub", "signed", "later"] {
            to.write(file, std::fs::read(folder.path(file)).unwrap());
        }
    };
    let shorter = stored(3);
    move_to(&shorter);
    verify(&shorter, "signed").exits(0);
    let ran = verify(&shorter, "later");
    assert!(ran.exits(1).contains("shorter than it was"), "{}", ran.out);
    let other = Folder::new();
    append(&other, 5..12);
    move_to(&other);
    let ran = verify(&other, "signed");
    assert!(
        ran.exits(1).contains("another history up to position 4"),
        "{}",
        ran.out
    );
    let ran = other.tern(&[
        "log",
        "checkpoint",
        "t.db",
        "--key",
        "key",
        "--since",
        "signed",
    ]);
    ran.exits(2);
    assert!(
        ran.err.contains("is not signed") && ran.out.is_empty(),
        "{}",
        ran.err
    );
    let none = Folder::new();
    append(&none, 0..1);
    move_to(&none);
    none.write("signed", line.replace("garden", "park"));
    let ran = verify(&none, "signed");
    ran.exits(2);
    assert!(ran.err.contains("store_bad_checkpoint"), "{}", ran.err);
}

/// A log that was signed and is no longer there is missed.
#[test]
fn t4_15_a_missing_log_is_missed() {
    let folder = stored(3);
    folder.write("signed", sign(&folder, &["--new-key"]));
    std::fs::remove_file(folder.path("t.db")).unwrap();
    folder.write(
        "park",
        crate::common::document(&[]).replace("garden", "park"),
    );
    folder.tern(&["log", "append", "t.db", "park"]).exits(0);
    let verify = [
        "log",
        "verify",
        "t.db",
        "--key",
        "key.pub",
        "--checkpoint",
        "signed",
    ];
    let ran = folder.tern(&verify);
    let out = ran.exits(1);
    assert!(
        out.contains("garden: not there, and had 4 records"),
        "{out}"
    );
    let ran = folder.tern(&[&verify[..], &["--json"]].concat());
    ran.exits(1);
    assert_eq!(ran.lines()[1]["wrong"]["code"], "log_missing");
}

/// A signed view that the records do not come to is a finding of its own.
#[test]
fn t4_15_what_was_signed_has_to_be_what_it_comes_to() {
    use tern_store::{Checkpoint, SecretKey, Signed};
    let folder = stored(3);
    let line = sign(&folder, &["--new-key"]);
    let signed: Signed = line.trim().parse().unwrap();
    let key = std::fs::read_to_string(folder.path("key")).unwrap();
    let key = SecretKey::from_pem(&key).unwrap();
    let mut wrong: Checkpoint = signed.verify(&key.public()).unwrap().clone();
    wrong.view = Some([7; 32]);
    folder.write("wrong", wrong.sign(&key).to_string());
    let verify = [
        "log",
        "verify",
        "t.db",
        "--key",
        "key.pub",
        "--checkpoint",
        "wrong",
        "--json",
    ];
    let ran = folder.tern(&verify);
    ran.exits(1);
    let wrong = ran.json()["wrong"].clone();
    assert_eq!(
        (&wrong["code"], &wrong["position"]),
        (&"log_other_view".into(), &4.into())
    );
}

/// Keys: none is written over, the secret one is its owner's alone, and others are refused.
#[test]
fn keys_are_kept() {
    let folder = stored(1);
    let nothing = ["log", "checkpoint", "none.db", "--key", "key", "--new-key"];
    folder.tern(&nothing).exits(2);
    assert!(!folder.path("key").exists(), "there was nothing to sign");
    sign(&folder, &["--new-key"]);
    let key = std::fs::read(folder.path("key")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(folder.path("key"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let again = folder.tern(&["log", "checkpoint", "t.db", "--key", "key", "--new-key"]);
    again.exits(2);
    assert_eq!(std::fs::read(folder.path("key")).unwrap(), key);
    folder.write("signed", sign(&folder, &[]));
    let other = stored(1);
    sign(&other, &["--new-key"]);
    let foreign = std::fs::read(other.path("key.pub")).unwrap();
    folder.write("foreign", foreign);
    for (key, code) in [
        ("foreign", "store_bad_checkpoint"),
        ("t.db", "error"),
        ("signed", "store_bad_key"),
        ("nowhere", "nowhere"),
    ] {
        let ran = folder.tern(&[
            "log",
            "verify",
            "t.db",
            "--key",
            key,
            "--checkpoint",
            "signed",
        ]);
        ran.exits(2);
        assert!(ran.err.contains(code), "{key}: {}", ran.err);
    }
    let ran = folder.tern(&["log", "checkpoint", "t.db", "--key", "key.pub"]);
    ran.exits(2);
    assert!(ran.err.contains("store_bad_key"), "{}", ran.err);
}

/// What was signed and is gone is no reason to sign the rest, and a log without a view is signed only where that is asked.
#[test]
fn t4_15_nothing_is_signed_that_was_not_verified() {
    let folder = stored(2);
    let other = crate::common::document(&[]).replace("garden", "park");
    folder.write("park", other);
    folder.tern(&["log", "append", "t.db", "park"]).exits(0);
    folder.write("signed", sign(&folder, &["--new-key"]));
    let less = stored(3);
    for file in ["key", "key.pub", "signed"] {
        less.write(file, std::fs::read(folder.path(file)).unwrap());
    }
    let arguments = [
        "log",
        "checkpoint",
        "t.db",
        "--key",
        "key",
        "--since",
        "signed",
    ];
    let ran = less.tern(&arguments);
    ran.exits(2);
    assert!(
        ran.err.contains("`park`") && ran.out.is_empty(),
        "{}",
        ran.err
    );
    less.tern(&[&arguments[..], &["--name", "garden"]].concat())
        .exits(0);
    let record = r#"{"log":"odd","position":0,"link":"LINK","record":"no log document"}"#;
    let link = tern_store::Link::start("odd").then(b"no log document");
    less.write("odd", record.replace("LINK", &link.to_string()));
    less.tern(&["log", "import", "t.db", "odd"]).exits(0);
    let odd = ["log", "checkpoint", "t.db", "--key", "key", "--name", "odd"];
    let ran = less.tern(&odd);
    ran.exits(2);
    assert!(ran.err.contains("--without-view"), "{}", ran.err);
    less.tern(&[&odd[..], &["--without-view"]].concat())
        .exits(0);
}
