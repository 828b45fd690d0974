//! `tern log append`, `export`, `import` and `copy`: the same log elsewhere.

use std::process::Stdio;

use super::{append, changed, head, stored};
use crate::common::{Folder, ask, context, deliver, document};

/// T4.15: what is exported and imported, or copied, is the same log: the same records and the same head.
#[test]
fn t4_15_a_log_is_the_same_elsewhere() {
    let folder = stored(30);
    let digest = folder.digest("t.db");
    let noted = head(folder.tern(&["log", "verify", "t.db"]).exits(0));
    let plain = folder.tern(&["log", "export", "t.db"]).exits(0).to_owned();
    assert_eq!(plain.lines().count(), 31);
    folder.write("plain", &plain);
    assert_eq!(folder.digest("plain"), digest);
    let objects = folder.tern(&["log", "export", "t.db", "--json"]);
    folder.write("objects", objects.exits(0));
    for (number, from) in ["plain", "objects"].iter().enumerate() {
        let to = format!("{number}.db");
        let ran = folder.tern(&["log", "import", &to, from]);
        let out = ran.exits(0);
        assert!(
            out.starts_with("garden: 31 records imported, 0 there before\n"),
            "{out}"
        );
        assert_eq!(head(out), noted);
        assert_eq!(folder.digest(&to), digest);
        // Again: everything is there.
        let ran = folder.tern(&["log", "import", &to, from, "--json"]);
        ran.exits(0);
        assert_eq!(ran.json()["found"], 31);
        assert_eq!(ran.json()["appended"], 0);
    }
    let ran = folder.tern(&["log", "copy", "t.db", "sqlite:copy.db"]);
    assert_eq!(head(ran.exits(0)), noted);
    append(&folder, 30..33);
    let ran = folder.tern(&["log", "copy", "t.db", "copy.db", "--json"]);
    ran.exits(0);
    assert_eq!(
        (&ran.json()["found"], &ran.json()["appended"]),
        (&31.into(), &3.into())
    );
    assert_eq!(folder.digest("copy.db"), folder.digest("t.db"));
}

/// T4.15: nothing is appended to a log that holds something else, and nothing of a broken file.
#[test]
fn t4_15_a_log_is_only_ever_continued() {
    let folder = stored(5);
    let plain = folder.tern(&["log", "export", "t.db"]).exits(0).to_owned();
    let other = Folder::new();
    append(&other, 3..9);
    other.write("log", &plain);
    let before = other.digest("t.db");
    let ran = other.tern(&["log", "import", "t.db", "log"]);
    ran.exits(2);
    assert!(
        ran.err.contains("holds another record at position 1"),
        "{}",
        ran.err
    );
    // One that is further is not taken back either.
    let shorter: String = plain.split_inclusive('\n').take(3).collect();
    folder.write("shorter", shorter);
    let ran = folder.tern(&["log", "import", "t.db", "shorter"]);
    ran.exits(2);
    assert!(
        ran.err
            .contains("goes on beyond what is brought at position 3"),
        "{}",
        ran.err
    );
    assert_eq!(other.digest("t.db"), before);
    // A broken line, its number, and what came before it.
    let broken =
        plain
            .replacen("\"deliver\"", "\"delivre\"", 3)
            .replacen("\"delivre\"", "\"deliver\"", 2);
    other.write("broken", broken);
    let ran = other.tern(&["log", "import", "new.db", "broken"]);
    ran.exits(2);
    assert!(
        ran.err.contains("document_unknown_record") && ran.err.contains(":4"),
        "{}",
        ran.err
    );
    for (file, words) in [
        ("", "is empty"),
        ("{\"tern\":\"0.1\"}\n", "no exported record"),
        ("\u{0}", "no exported record"),
    ] {
        other.write("file", file);
        let ran = other.tern(&["log", "import", "none.db", "file"]);
        ran.exits(2);
        assert!(ran.err.contains(words), "{}", ran.err);
    }
    assert!(!other.path("none.db").exists());
}

/// T4.15: what was changed in an export is named by its position.
#[test]
fn t4_15_a_changed_export_is_noticed() {
    let folder = stored(5);
    let objects = folder.tern(&["log", "export", "t.db", "--json"]);
    let objects = objects.exits(0).to_owned();
    for (change, with) in [
        ("ana:3", "ana:9"),
        ("\"position\":3", "\"position\":4"),
        ("\"log\":\"garden\"", "\"log\":\"park\""),
    ] {
        folder.write("objects", objects.replacen(change, with, 1));
        let ran = folder.tern(&["log", "import", "new.db", "objects"]);
        ran.exits(2);
        let known = ["store_broken_chain", "store_corrupt"];
        assert!(
            known.iter().any(|code| ran.err.contains(code)),
            "{}",
            ran.err
        );
    }
    // A record that no log document could hold goes through all the same.
    changed(&folder, 5, "link", "x'ff0a'");
    let ran = folder.tern(&["log", "export", "t.db", "--json"]);
    ran.exits(2);
    assert_eq!(ran.out.lines().count(), 5);
    assert!(ran.err.contains("store_broken_chain"), "{}", ran.err);
}

/// T4.15: two who bring the same file at the same time bring it once, whoever is faster, and both succeed.
#[test]
fn t4_15_two_who_bring_the_same_bring_it_once() {
    const MESSAGES: usize = 20_000;
    let folder = Folder::new();
    let records: Vec<_> = (1..=MESSAGES)
        .map(|number| deliver(ask(&format!("ana:{number}"), "?")))
        .collect();
    folder.write("log", document(&records));
    let import = ["log", "import", "t.db", "log", "--json"];
    let children: Vec<_> = (0..3)
        .map(|_| {
            let mut import = folder.command(&import);
            import.stdout(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let (mut appended, mut heads) = (0, Vec::new());
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let number = |name: &str| said[name].as_u64().unwrap();
        assert_eq!(number("found") + number("appended"), MESSAGES as u64 + 1);
        appended += number("appended");
        heads.push(said["link"].clone());
    }
    assert_eq!(appended, MESSAGES as u64 + 1);
    assert!(heads.iter().all(|head| *head == heads[0]), "{heads:?}");
    let verified = folder.tern(&["log", "verify", "t.db", "--json"]);
    verified.exits(0);
    assert_eq!(verified.json()["link"], heads[0]);
}

/// What was done before something failed is said, in words and as data, and the same again goes on from there.
#[test]
fn what_was_done_before_a_failure_is_said() {
    let folder = Folder::new();
    let records: Vec<_> = (1..=1500)
        .map(|number| deliver(ask(&format!("ana:{number}"), "?")))
        .collect();
    let whole = document(&records);
    folder.write("broken", format!("{whole}{{}}\n"));
    let ran = folder.tern(&["log", "import", "t.db", "broken"]);
    ran.exits(2);
    assert!(
        ran.err
            .contains("note: 1000 records appended before that, up to 1000:")
            && !ran.err.contains("nothing of the document"),
        "{}",
        ran.err
    );
    let ran = folder.tern(&["log", "import", "t.db", "broken", "--json"]);
    ran.exits(2);
    let error: serde_json::Value = serde_json::from_str(&ran.err).unwrap();
    assert_eq!(error["error"]["line"], 1502);
    assert_eq!(
        error["error"]["done"],
        serde_json::Value::Null,
        "nothing new"
    );
    folder.write("mended", whole);
    let ran = folder.tern(&["log", "import", "t.db", "mended", "--json"]);
    ran.exits(0);
    assert_eq!(ran.json()["found"], 1000);
    assert_eq!(ran.json()["appended"], 501);

    // A record that somebody changed comes to light only where the log is read.
    let folder = stored(3);
    changed(&folder, 1, "link", "x'7b7d'");
    folder.write("more", document(&[deliver(ask("ana:9", "?"))]));
    let run = ["run", "--log", "t.db", "more", "--json"];
    let ran = folder.tern(&run);
    ran.exits(2);
    let error: serde_json::Value = serde_json::from_str(&ran.err).unwrap();
    assert_eq!(error["error"]["code"], "store_broken_chain");
    let done = error["error"]["done"].as_str().unwrap();
    assert!(
        done.starts_with("1 record appended before that, and the log ends at 5:")
            && done.ends_with("do not append it again"),
        "{done}"
    );
}

/// A file has one head, whoever brings it: `append` keeps its bytes as `import` does.
#[test]
fn a_file_has_one_head() {
    let folder = Folder::new();
    let odd = context()
        .replace("{\"ana\"", "{\"zoe\":\"key:zoe\", \"ana\"")
        .replace("{\"context\"", "{ \"context\"");
    let deliver = deliver(ask("ana:1", "?")).to_string();
    folder.write("log", format!("{odd}{deliver}  \n {deliver}\n"));
    let appended = folder.tern(&["log", "append", "a.db", "log"]);
    let imported = folder.tern(&["log", "import", "i.db", "log"]);
    let ran = folder.tern(&["run", "--log", "r.db", "log"]);
    ran.exits(0);
    let verified = folder.tern(&["log", "verify", "r.db"]);
    assert_eq!(head(appended.exits(0)), head(imported.exits(0)));
    assert_eq!(head(appended.exits(0)), head(verified.exits(0)));
    let exported = folder.tern(&["log", "export", "a.db"]);
    assert_eq!(
        exported.exits(0).as_bytes(),
        std::fs::read(folder.path("log")).unwrap()
    );
}

/// What is no message is kept as it came in, and said: it cannot be taken out again.
#[test]
fn what_is_no_message_is_said() {
    let folder = Folder::new();
    folder.write("odd", format!("\u{feff}{}\nhello\n", ask("ana:1", "?")));
    let ran = folder.tern(&["log", "append", "t.db", "odd"]);
    assert!(
        ran.exits(0)
            .contains("2 deliveries are no well-formed messages, the first in line 1"),
        "{}",
        ran.out
    );
    let ran = folder.tern(&["log", "append", "t.db", "odd", "--json"]);
    ran.exits(0);
    assert_eq!(ran.json()["malformed"], 2);
    // What is over a quota is not there, and counts for nothing.
    let quota = [
        "log",
        "append",
        "t.db",
        "odd",
        "--json",
        "--quota-bytes",
        "1",
    ];
    let ran = folder.tern(&quota);
    ran.exits(1);
    assert_eq!(
        (&ran.json()["appended"], &ran.json()["malformed"]),
        (&0.into(), &0.into())
    );
    folder.write("fine", ask("ana:2", "?"));
    let ran = folder.tern(&["log", "append", "t.db", "fine", "--json"]);
    ran.exits(0);
    assert_eq!(ran.json()["malformed"], 0);
    let ran = folder.tern(&["log", "show", "t.db", "--from", "6"]);
    ran.exits(2);
    assert!(ran.err.contains("it ends at position 5"), "{}", ran.err);
    folder
        .tern(&["log", "show", "t.db", "--from", "5"])
        .exits(0);
    let ran = folder.tern(&["log", "show", "t.db", "--from", "x", "--json"]);
    ran.exits(2);
    let error: serde_json::Value = serde_json::from_str(&ran.err).unwrap();
    assert_eq!(error["error"]["code"], "usage");
    assert!(
        error["error"]["message"]
            .as_str()
            .unwrap()
            .contains("--from")
    );
}

/// Several logs of one store go together, those of leases stay.
#[test]
fn several_logs_go_together() {
    let folder = stored(2);
    let park = document(&[deliver(ask("ana:1", "?"))]).replacen("garden", "park", 1);
    folder.write("park", park);
    folder.tern(&["log", "append", "t.db", "park"]).exits(0);
    let follow = [
        "log", "follow", "t.db", "--group", "g", "--worker", "w", "--count", "5",
    ];
    folder.tern(&follow).exits(0);
    let objects = folder.tern(&["log", "export", "t.db", "--json"]);
    folder.write("objects", objects.exits(0));
    let ran = folder.tern(&["log", "import", "u.db", "objects", "--json"]);
    ran.exits(0);
    let names: Vec<_> = ran
        .lines()
        .into_iter()
        .map(|it| it["log"].clone())
        .collect();
    assert_eq!(names, ["garden", "park"]);
    let ran = folder.tern(&["log", "copy", "t.db", "v.db"]);
    ran.exits(0);
    let heads = |file| folder.tern(&["log", "verify", file]).exits(0).to_owned();
    assert_eq!(heads("u.db"), heads("t.db"));
    assert_eq!(heads("v.db"), heads("t.db"));
    let ran = folder.tern(&["log", "export", "t.db"]);
    ran.exits(2);
    assert!(ran.err.contains("holds 2 logs"), "{}", ran.err);
    let ran = folder.tern(&["log", "stats", "t.db", "--json"]);
    ran.exits(0);
    let stats = ran.json();
    assert_eq!(stats["logs"].as_array().unwrap().len(), 2);
    assert_eq!(
        stats["promise"]["process_killed"],
        "everything acknowledged is kept"
    );
}

/// `append` is all or none, durable, and says where the log ends.
#[test]
fn append_is_all_or_none() {
    let folder = Folder::new();
    folder.write("context", context());
    folder.write(
        "bare",
        format!("{}\n{}\n", ask("ana:1", "?"), ask("ana:2", "?")),
    );
    let ran = folder.tern(&[
        "log",
        "append",
        "t.db",
        "bare",
        "--context",
        "context",
        "--principal",
        "key:ana",
        "--json",
    ]);
    ran.exits(0);
    assert_eq!(ran.json()["appended"], 2);
    assert_eq!(ran.json()["position"], 3);
    let noted = ran.json()["link"].as_str().unwrap().to_owned();
    folder.write("broken", document(&[deliver(ask("ana:3", "?"))]) + "{}\n");
    folder.tern(&["log", "append", "t.db", "broken"]).exits(2);
    let ran = folder.tern(&["log", "verify", "t.db", "--json"]);
    ran.exits(0);
    assert_eq!(ran.json()["link"], noted);
    for (store, code) in [
        ("", "a value is required"),
        ("ftp://x/y", "store_bad_address"),
        ("sqlite:", "store_bad_address"),
        ("-", "standard input"),
    ] {
        let ran = folder.tern(&["log", "append", store, "bare"]);
        ran.exits(2);
        assert!(ran.err.contains(code), "{store}: {}", ran.err);
    }
}

/// No file brings leases, and a record that is no line is no log document to anybody.
#[test]
fn what_no_log_document_can_hold_is_refused() {
    let folder = stored(1);
    folder.write(
        "leases",
        context().replace("garden", "\\u0001leases\\u0001garden"),
    );
    for command in [
        &["log", "import", "t.db", "leases"][..],
        &["log", "append", "t.db", "leases"],
        &["run", "--log", "t.db", "leases"],
    ] {
        let ran = folder.tern(command);
        ran.exits(2);
        assert!(
            ran.err.contains("hold leases or usage"),
            "{command:?}: {}",
            ran.err
        );
    }
    changed(&folder, 1, "link", "x'7b7d'");
    let two = "{\"clock\":\n\"2026-01-01T00:00:00Z\"}";
    let first = context();
    let start = tern_store::Link::start("garden").then(first.trim().as_bytes());
    let object = |position: u8, link: tern_store::Link, record: &str| serde_json::json!({"log": "garden", "position": position, "link": link.to_string(), "record": record});
    let lines = [
        object(0, start, first.trim()).to_string(),
        object(1, start.then(two.as_bytes()), two).to_string(),
    ];
    folder.write("objects", lines.join("\n"));
    folder
        .tern(&["log", "import", "two.db", "objects"])
        .exits(0);
    for command in [
        &["run", "two.db"][..],
        &["log", "export", "two.db"],
        &[
            "work", "two.db", "--as", "ben", "--worker", "w", "--drain", "--", "true",
        ],
    ] {
        let ran = folder.tern(command);
        ran.exits(2);
        assert!(ran.err.contains("is no line"), "{command:?}: {}", ran.err);
    }
}

/// A document that lost its first line makes no unverified log, and what was appended is said where nothing can be printed.
#[test]
fn what_an_outsider_found() {
    let folder = stored(2);
    let plain = folder.tern(&["log", "export", "t.db"]).exits(0).to_owned();
    let headless: String = plain.split_inclusive('\n').skip(1).collect();
    folder.write("headless", headless);
    let ran = folder.tern(&["log", "import", "new.db", "headless"]);
    ran.exits(2);
    assert!(
        ran.err.contains("is it missing?") && !folder.path("new.db").exists(),
        "{}",
        ran.err
    );
    let ran = folder.tern(&[
        "work", "t.db", "--as", "bne", "--worker", "w", "--drain", "--", "true",
    ]);
    ran.exits(2);
    assert!(ran.err.contains("ana, ben, cleo"), "{}", ran.err);
    if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
        folder.write("more", document(&[deliver(ask("ana:9", "?"))]));
        let mut append = folder.command(&["log", "append", "t.db", "more"]);
        let output = append.stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.contains("1 record appended before that, and the log ends at 4:"),
            "{said}"
        );
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        folder.write("yet", document(&[deliver(ask("ana:10", "?"))]));
        let mut run = folder.command(&["run", "--log", "t.db", "yet"]);
        let output = run.stdout(full.unwrap()).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.contains("1 record appended before that, and the log ends at 5:"),
            "{said}"
        );
    }
}
