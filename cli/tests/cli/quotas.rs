//! `--quota-bytes` and `--quota-contexts`: one participant's flood is refused, and nobody else's messages.

use serde_json::{Value, json};
use tern_store::Link;

use crate::common::{Folder, ask, deliver, document, parsed};

/// So many messages by one sender, as records.
fn messages(from: &str, numbers: std::ops::Range<usize>) -> Vec<Value> {
    numbers
        .map(|number| deliver(ask(&format!("{from}:{number}"), "how far?")))
        .collect()
}

/// The records of the log, but for its context.
fn stored(folder: &Folder) -> Vec<String> {
    let out = folder.tern(&["log", "export", "t.db"]).exits(0).to_owned();
    out.lines().skip(1).map(str::to_owned).collect()
}

/// SHA-256 over lines, each with its newline, as in the link of a log of such a name.
fn sha256<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    Link::start(&text).to_string()
}

fn is_of(line: &str, from: &str) -> bool {
    line.contains(&format!("\"key:{from}\""))
}

fn append(folder: &Folder, more: &[&str]) -> (i32, Value) {
    let append = ["log", "append", "t.db", "log", "--json"];
    let ran = folder.tern(&[&append[..], more].concat());
    (ran.code, ran.json())
}

/// T4.15: a flood by one principal does not stop another, is refused beyond the quota, and what was refused is recorded and can
/// be shown to be what it was. INVARIANT 1: what was appended stays.
#[test]
fn t4_15_a_flood_by_one_does_not_stop_another() {
    const QUOTA: usize = 100_000;
    let folder = Folder::new();
    let mut records = messages("ana", 0..5000);
    records.insert(2500, deliver(ask("ben:1", "who floods?")));
    records.push(deliver(ask("ben:2", "and now?")));
    records.push(json!({"permit": {"commitment": "ben:1"}}));
    let text = document(&records);
    folder.write("log", &text);
    let quota = ["--quota-bytes", "100000"];
    let (code, out) = append(&folder, &quota);
    assert_eq!(code, 1);
    let kept = stored(&folder);
    assert_eq!(out["appended"], kept.len());
    let bytes = |lines: &[String], from: &str| -> usize {
        let of = lines.iter().filter(|line| is_of(line, from));
        of.map(String::len).sum()
    };
    assert!(bytes(&kept, "ana") <= QUOTA && bytes(&kept, "ana") > QUOTA - 300);
    assert_eq!(kept.iter().filter(|line| is_of(line, "ben")).count(), 2);
    assert!(kept.last().unwrap().contains("permit"));
    let refused: Vec<&str> = text
        .lines()
        .skip(1)
        .filter(|line| kept.iter().all(|kept| kept != line))
        .collect();
    assert_eq!(refused.len() + kept.len(), records.len());
    let refusal = &out["refused"][0];
    assert_eq!(
        (&refusal["code"], &refusal["principal"], &refusal["reason"]),
        (
            &json!("store_over_quota"),
            &json!("key:ana"),
            &json!("bytes")
        )
    );
    assert_eq!(refusal["deliveries"], refused.len());
    assert_eq!(refusal["sha256"], sha256(refused.iter().copied()));
    assert_eq!(refusal["recorded"], true);
    assert!(
        refusal["hint"]
            .as_str()
            .is_some_and(|hint| !hint.is_empty())
    );
    assert_eq!(out["refused"].as_array().unwrap().len(), 1);
    // It stands on record, and goes on to be refused, without a record for each time.
    let usage = ["log", "show", "t.db", "--name", "\u{1}usage\u{1}", "--json"];
    let lines = folder.tern(&usage).lines();
    assert!(lines.iter().any(|line| {
        let record = line["record"].to_string();
        record.contains("refuse") && record.contains(refusal["sha256"].as_str().unwrap())
    }));
    folder.write("log", document(&messages("ana", 5000..10_000)));
    let (code, out) = append(&folder, &quota);
    let deliveries = out["refused"][0]["deliveries"].as_u64().unwrap();
    assert!(code == 1 && deliveries >= 4999, "{out}");
    assert_eq!(out["refused"][0]["recorded"], false);
    folder.write("log", document(&messages("ben", 3..5)));
    let (code, out) = append(&folder, &quota);
    assert_eq!(
        (code, &out["appended"], &out["refused"]),
        (0, &2.into(), &json!([]))
    );
    let kept = stored(&folder);
    // What each has used, and what was refused.
    let ran = folder.tern(&["log", "stats", "t.db", "--json"]);
    ran.exits(0);
    let stats = ran.json();
    assert_eq!(stats["logs"].as_array().unwrap().len(), 1);
    let [ana, ben] = stats["usage"].as_array().unwrap().as_slice() else {
        panic!("{stats}");
    };
    assert_eq!(
        (&ana["principal"], &ben["principal"]),
        (&json!("key:ana"), &json!("key:ben"))
    );
    assert_eq!(ana["bytes"], bytes(&kept, "ana"));
    assert_eq!(ben["bytes"], bytes(&kept, "ben"));
    assert_eq!((&ana["contexts"], &ben["refused"]), (&1.into(), &json!([])));
    assert_eq!(ana["refused"][0]["deliveries"], refusal["deliveries"]);
    assert_eq!(ana["refused"][0]["last"]["sha256"], refusal["sha256"]);
    let out = folder.tern(&["log", "stats", "t.db"]).exits(0).to_owned();
    assert!(
        out.contains("  key:ana: ") && out.contains("refused for too many bytes: "),
        "{out}"
    );
    // It is no log of records to those who read or copy all logs.
    let out = folder.tern(&["log", "verify", "t.db"]).exits(0).to_owned();
    assert!(
        out.starts_with("garden: ") && !out.contains("usage"),
        "{out}"
    );
    folder.tern(&["log", "copy", "t.db", "copy.db"]).exits(0);
    assert_eq!(folder.digest("copy.db"), folder.digest("t.db"));
}

/// T1.30: refused deliveries do not shift which outcome is told of which line; the exit code is 1, and the view is that of what
/// was appended.
#[test]
fn t1_30_outcomes_stand_at_their_own_lines() {
    let long = "x".repeat(3000);
    let mut records = messages("ben", 0..1);
    for (number, question) in ["short", &long, "short", &long, &long, "short"]
        .into_iter()
        .enumerate()
    {
        records.push(deliver(ask(&format!("ana:{number}"), question)));
        records.extend(messages("ben", number + 1..number + 2));
    }
    // A broken one, which the log keeps all the same.
    records.insert(
        5,
        json!({"deliver": {"principal": "key:cleo", "message": {}}}),
    );
    let text = document(&records);
    let quota = ["--quota-bytes", "2500"];
    let run = ["run", "--log", "t.db", "log", "--outcomes"];
    for before in [0, 2] {
        let folder = Folder::new();
        if before > 0 {
            folder.write("log", document(&messages("cleo", 0..before)));
            folder.tern(&[&run[..], &quota].concat()).exits(0);
        }
        folder.write("log", &text);
        let ran = folder.tern(&[&run[..], &quota, &["--json"]].concat());
        ran.exits(1);
        let outcomes = ran.lines();
        assert_eq!(outcomes.len(), records.len() - 3);
        let lines: Vec<&str> = text.lines().collect();
        for (number, outcome) in outcomes.iter().enumerate() {
            assert_eq!(outcome["delivery"], number + 1);
            let line = usize::try_from(outcome["line"].as_u64().unwrap()).unwrap();
            let record = parsed(lines[line - 1]);
            assert_eq!(
                outcome["id"], record["deliver"]["message"]["id"],
                "{outcome}"
            );
        }
        let told = parsed(&ran.err);
        let refused = lines.iter().copied().filter(|line| line.contains(&long));
        assert_eq!(told["refused"][0]["sha256"], sha256(refused));
        assert_eq!(told["refused"][0]["deliveries"], 3);
        // As text: the same lines, and the refusal beside it.
        let folder = Folder::new();
        folder.write("log", &text);
        let ran = folder.tern(&[&run[..], &quota].concat());
        let out = ran.exits(1);
        assert!(out.contains("\n    14  accepted"), "{out}");
        assert!(
            ran.err
                .starts_with("refused[store_over_quota]: 3 deliveries of key:ana, ")
                && ran.err.contains("  hint: "),
            "{}",
            ran.err
        );
        let ran = folder.tern(&["run", "--json", "t.db"]);
        assert_eq!(ran.fine().json()["messages"].as_object().unwrap().len(), 10);
    }
}

/// A principal speaks in so many contexts; one of which everything is refused is not begun, and facts are never refused.
#[test]
fn contexts_are_counted_and_none_is_begun_for_nothing() {
    let folder = Folder::new();
    let quota = ["--quota-contexts", "1"];
    let write = |context: &str, records: &[Value]| {
        folder.write("log", document(records).replacen("garden", context, 1));
    };
    write("garden", &messages("ana", 0..2));
    assert_eq!(append(&folder, &quota).0, 0);
    write("park", &messages("ana", 0..2));
    let (code, out) = append(&folder, &quota);
    assert_eq!(
        (code, &out["appended"], &out["position"]),
        (1, &0.into(), &0.into())
    );
    assert_eq!(
        (&out["refused"][0]["reason"], &out["refused"][0]["log"]),
        (&json!("contexts"), &json!("park"))
    );
    let run = ["run", "--log", "t.db", "log", "--json"];
    let ran = folder.tern(&[&run[..], &quota].concat());
    ran.exits(1);
    assert_eq!(
        (&ran.json()["context"], &ran.json()["messages"]),
        (&json!("park"), &json!({}))
    );
    let names = || -> Vec<String> {
        let stats = folder.tern(&["log", "stats", "t.db", "--json"]).json();
        let logs = stats["logs"].as_array().unwrap();
        logs.iter()
            .map(|log| log["log"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names(), ["garden"]);
    // The receiver's own facts begin it, and others may speak in it.
    let mut records = messages("ana", 0..2);
    records.push(json!({"permit": {"commitment": "ben:1"}}));
    write("park", &records);
    let (code, out) = append(&folder, &quota);
    assert_eq!((code, &out["appended"]), (1, &1.into()));
    write("park", &messages("ben", 0..1));
    assert_eq!(append(&folder, &quota).0, 0);
    assert_eq!(names(), ["garden", "park"]);
    // Where it spoke it goes on, and without a quota nothing is refused.
    write("garden", &messages("ana", 2..4));
    assert_eq!(append(&folder, &quota).0, 0);
    write("park", &messages("ana", 0..1));
    let (code, out) = append(&folder, &[]);
    assert_eq!((code, out.get("refused")), (0, None));
}

/// All without a principal count as one; the principal of bare messages is that of their channel.
#[test]
fn the_principal_is_that_of_the_channel() {
    let folder = Folder::new();
    folder.write(
        "log",
        format!("{}\n{}\n", ask("ana:1", "?"), ask("ben:1", "?")),
    );
    // Room for one of them and not for both.
    let (code, out) = append(&folder, &["--quota-bytes", "200"]);
    assert_eq!((code, &out["appended"]), (1, &1.into()), "{out}");
    assert_eq!(out["refused"][0]["principal"], Value::Null);
    let evil = "key:\u{1b}[2J\u{202e}evil";
    let channel = ["--quota-bytes", "0", "--principal", evil];
    let (code, out) = append(&folder, &channel);
    assert_eq!((code, &out["refused"][0]["principal"]), (1, &json!(evil)));
    let ran = folder.tern(&[&["log", "append", "t.db", "log"], &channel[..]].concat());
    let out = [
        ran.exits(1),
        folder.tern(&["log", "stats", "t.db"]).exits(0),
    ]
    .concat();
    assert!(
        out.contains("not recorded: another refusal was") && out.contains("nobody (no principal)"),
        "{out}"
    );
    assert!(
        !out.contains('\u{1b}') && !out.contains('\u{202e}'),
        "{out}"
    );
}

/// Without a quota nothing is counted or said; quotas without an input that goes to a durable log are wrong usage.
#[test]
fn without_a_quota_nothing_changes() {
    let folder = Folder::new();
    folder.write("log", document(&messages("ana", 0..3)));
    let (code, out) = append(&folder, &[]);
    assert_eq!((code, out.get("refused")), (0, None));
    let stats = folder.tern(&["log", "stats", "t.db", "--json"]).json();
    assert_eq!(stats.get("usage"), None);
    for wrong in [
        &["run", "log", "--quota-bytes", "1"][..],
        &["run", "--log", "t.db", "--quota-contexts", "1"],
        &["run", "--log", "t.db", "log", "--quota-bytes", "-1"],
    ] {
        folder.tern(wrong).exits(2);
    }
    // Names of logs of usage are no names of contexts, and nothing is recorded of such an input.
    let mut context = document(&messages("ana", 0..1));
    context = context.replacen("garden", "\\u0001usage\\u0001", 1);
    folder.write("log", context);
    let ran = folder.tern(&["log", "append", "t.db", "log", "--quota-bytes", "9"]);
    ran.exits(2);
    assert!(ran.err.contains("cannot have a durable log"), "{}", ran.err);
    let stats = folder.tern(&["log", "stats", "t.db", "--json"]).json();
    assert_eq!(stats.get("usage"), None);
}
