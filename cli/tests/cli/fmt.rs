//! `tern fmt`: one form for everything, and never another meaning.

use crate::common::{Ran, commit, file, log, message, outcomes, report, request, tern, tern_on};

fn fmt(input: impl AsRef<[u8]>) -> Ran {
    tern_on(input.as_ref(), &["fmt", "-"])
}

fn digest(input: &[u8]) -> String {
    let ran = tern_on(input, &["digest", "-"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    ran.out
}

/// Keys sorted, no white space, numbers exact, on one line (S7.03, S7.04, T1.08, T1.03).
#[test]
fn a_message_in_canonical_form() {
    let ran = fmt(
        r#"{"id" : "a:1", "tern":"0.1","from":"a","to":["b"],"thread":"t","reply":null,"act":"ACK",
        "body":{"target":"b:1"},"extensions":{"n":[9007199254740993,1.50,-0,10,1e-99999],"é":"\u0041"}}"#,
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(
        ran.out,
        concat!(
            r#"{"act":"ACK","body":{"target":"b:1"},"extensions":{"n":[9007199254740993,15E-1,0,1E1,1E-99999],"é":"A"},"#,
            r#""from":"a","id":"a:1","reply":null,"tern":"0.1","thread":"t","to":["b"]}"#,
            "\n"
        )
    );
    // The form is a fixed point.
    assert_eq!(fmt(&ran.out).out, ran.out);
}

/// The fields of a message, its body and its parts in the order of the tables; extensions after
/// them, in their canonical order (A-ENVELOPE, A-REPORT, A-CLAIM, T1.15).
#[test]
fn a_message_for_reading() {
    let text = r#"{"body":{"claims":[{"evidence":[],"text":"Wet.","scope":"Bed 4.","alternatives":[],"confidence":"high","basis":"observed"}],
        "state":"active","commitment":"b:1"},"to":["a"],"act":"REPORT","from":"b","id":"b:2","tern":"0.1","reply":"b:1","thread":"t",
        "extensions":{"to":2.0,"act":{}}}"#;
    let ran = tern_on(text.as_bytes(), &["fmt", "--pretty", "-"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(
        ran.out,
        r#"{
  "tern": "0.1",
  "id": "b:2",
  "from": "b",
  "to": ["a"],
  "thread": "t",
  "reply": "b:1",
  "act": "REPORT",
  "body": {
    "commitment": "b:1",
    "state": "active",
    "claims": [
      {
        "text": "Wet.",
        "basis": "observed",
        "confidence": "high",
        "scope": "Bed 4.",
        "evidence": [],
        "alternatives": []
      }
    ]
  },
  "extensions": {
    "act": {},
    "to": 2
  }
}
"#
    );
    // A file of one message may look like that (T1.04), and says the same.
    assert_eq!(digest(ran.out.as_bytes()), digest(text.as_bytes()));
    assert_eq!(fmt(&ran.out).out, fmt(text).out);
}

/// No form changes what a log comes to (R-02, S7.05): examples, facts, refused deliveries, and
/// messages of every act.
#[test]
fn the_digest_stays() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
    let mut seen = 0;
    for entry in std::fs::read_dir(examples).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            seen += 1;
            let before = std::fs::read(&path).unwrap();
            let ran = fmt(&before);
            assert_eq!(ran.code, 0, "{path:?}");
            assert_eq!(digest(&ran.bytes), digest(&before), "{path:?}");
            assert_eq!(
                outcomes(&ran.out).len(),
                outcomes(std::str::from_utf8(&before).unwrap()).len()
            );
            assert_eq!(fmt(&ran.bytes).bytes, ran.bytes, "{path:?}");
        }
    }
    assert!(seen >= 6);
}

/// Records are lines of a document too: keys sorted, values as they are (S8.05).
#[test]
fn records_in_canonical_form() {
    let document = concat!(
        r#"{"context": {"participants":{"b":"kb","a":"ka"},"id":"c"}}"#,
        "\n",
        r#"{ "confirm":{"condition":1.0,"commitment":"a:1"}}"#,
        "\r\n",
        r#"{"grant":{"ref":"g","principal":"ka","expires":"2026-01-01T00:00:00.50Z","actions":["y","x"]}}"#,
    );
    let ran = fmt(document);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(
        ran.out,
        concat!(
            r#"{"context":{"id":"c","participants":{"a":"ka","b":"kb"}}}"#,
            "\n",
            r#"{"confirm":{"commitment":"a:1","condition":1}}"#,
            "\n",
            r#"{"grant":{"actions":["y","x"],"expires":"2026-01-01T00:00:00.50Z","principal":"ka","ref":"g"}}"#,
            "\n"
        )
    );
    let pretty = tern_on(document.as_bytes(), &["fmt", "--pretty", "-"]);
    assert!(
        pretty.out.contains(
            "\"ref\": \"g\",\n    \"principal\": \"ka\",\n    \"actions\": [\"y\", \"x\"],"
        )
    );
    assert!(pretty.err.contains("this is for reading"), "{}", pretty.err);
}

/// What travels as `text` or `base64` is delivered byte for byte as before (S8.07).
#[test]
fn delivered_bytes_stay() {
    let spaced = r#"{ \"tern\" : \"0.1\" , \"a\":1, \"a\":2 }"#;
    let document = format!(
        "{}{{\"deliver\" : {{\"text\":\"{spaced}\\u000a\",\"principal\":null}}}}\n{{\"deliver\":{{\"base64\":\"/yB7fQ==\"}}}}\n",
        log(&[])
    );
    let ran = fmt(&document);
    assert!(
        ran.out.contains(&format!(
            r#"{{"deliver":{{"principal":null,"text":"{spaced}\n"}}}}"#
        )),
        "{}",
        ran.out
    );
    assert!(ran.out.contains(r#"{"deliver":{"base64":"/yB7fQ=="}}"#));
    assert_eq!(digest(document.as_bytes()), digest(&ran.bytes));
}

/// A broken bare line is reported and stays as it is, to the byte (T1.05, T1.06, T1.02).
#[test]
fn broken_lines_stay() {
    let good = message("ana:1", "", "ACK", r#"{"target":"ben:1"}"#);
    let broken: [&[u8]; 5] = [
        b"{\"a\":1,\"\\u0061\":2}",
        b"  \xff\xfe\r",
        b"",
        b"[1, 2]",
        b"{\"n\": 1e999}",
    ];
    let mut input = good.clone().into_bytes();
    for line in broken {
        input.push(b'\n');
        input.extend_from_slice(line);
    }
    let ran = fmt(&input);
    assert_eq!(ran.code, 1);
    let lines: Vec<&[u8]> = ran.bytes.split(|&byte| byte == b'\n').collect();
    assert_eq!(lines[1..6], broken);
    for (number, code) in (2..).zip([
        "duplicate_key",
        "not_utf8",
        "empty",
        "not_an_object",
        "number_overflow",
    ]) {
        assert!(
            ran.err.contains(&format!("error[{code}]")),
            "{code}: {}",
            ran.err
        );
        assert!(
            ran.err.contains(&format!("standard input:{number}:")),
            "{number}: {}",
            ran.err
        );
    }
    assert!(ran.err.contains("clause T1.05"), "{}", ran.err);
}

/// One broken line refuses the whole document: nothing is written (S8.02, S8.03).
#[test]
fn a_broken_document_is_an_error() {
    for (line, code) in [
        ("", "document_blank_line"),
        ("{\"deliver\":", "document_broken_line"),
        (
            r#"{"deliver":{"message":{"a":1,"a":2}}}"#,
            "document_impossible_message",
        ),
    ] {
        let ran = fmt(format!(
            "{}{line}\n{{\"clock\":\"2026-01-01T00:00:00Z\"}}\n",
            log(&[])
        ));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{code}");
        assert!(
            ran.err.contains(code) && ran.err.contains(":2:"),
            "{}",
            ran.err
        );
    }
}

/// `--check` names the lines in another form (S7.03), and writes nothing else.
#[test]
fn check_names_lines() {
    let canonical = fmt(log(&[request("ana:1"), commit("ben:1", "ana:1")])).out;
    let path = file(&canonical);
    let ran = tern(&["fmt", "--check", &path]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (0, "3 lines in canonical form, 0 not\n")
    );

    let path = file(format!(
        "{canonical}{{\"clock\": \"2026-01-01T00:00:00Z\"}}\n"
    ));
    let ran = tern(&["fmt", "--check", &path]);
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.out,
        format!("{path}:4: not in canonical form\n3 lines in canonical form, 1 not\n")
    );

    let one = tern_on(request("ana:1").as_bytes(), &["fmt", "--pretty", "-"]).out;
    assert_eq!(
        tern_on(one.as_bytes(), &["fmt", "--check", "--pretty", "-"]).code,
        0
    );
    assert_eq!(tern_on(one.as_bytes(), &["fmt", "--check", "-"]).code, 1);
    // A carriage return is white space, and not in the form (R-05).
    assert_eq!(tern_on(b"{}\r\n", &["fmt", "--check", "-"]).code, 1);
    assert_eq!(tern_on(b"{}\n[]\n", &["fmt", "--check", "-"]).code, 1);
}

/// A bare file never becomes a log document by its form, nor a message readable or unreadable by
/// its size (S8.10, S2.06).
#[test]
fn the_form_decides_nothing() {
    let one = b"{\n\"grant\": 1}\n";
    let ran = fmt(one);
    assert_eq!((ran.code, ran.bytes.as_slice()), (0, one.as_slice()));

    let text = |numbers: &str, space: usize| {
        let spaces = " ".repeat(space);
        format!(
            r#"{{"tern":"0.1",{spaces}"id":"ana:1","from":"ana","to":["ben"],"thread":"t","reply":null,"act":"ASK","body":{{"question":"?"}},"extensions":{{"n":[{numbers}]}}}}"#
        )
    };
    // Too long by its white space only; canonical form would let it in.
    let long = log(&[text("1", 1 << 20)]);
    // Just short enough; each `0.5` would become `5E-1`.
    let numbers = vec!["0.5"; 260_000].join(",");
    let short = log(&[text(&numbers, 0)]);
    for (document, expected) in [(long, "rejected"), (short, "accepted")] {
        let ran = fmt(&document);
        assert_eq!(ran.code, 0);
        for log in [&document, &ran.out] {
            assert_eq!(outcomes(log)[0]["outcome"], expected);
        }
    }
}

/// Nesting far beyond what a message may have is written, not refused and not fatal (S2.06, S8.08).
#[test]
fn any_depth() {
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(fmt(&deep).out.trim_end(), deep);
    let ran = tern_on(deep.as_bytes(), &["fmt", "--pretty", "-"]);
    assert_eq!(ran.code, 0);
    assert_eq!(fmt(&ran.out).out.trim_end(), deep);
}

/// Data is data (T5.07): the pretty form spells out what could disturb a terminal, and still is the
/// same text (R-02). A report of a broken line is safe as well.
#[test]
fn hostile_text() {
    let hostile = "\u{9b}31m\u{202e}txt\u{e0041}\\u001b]0;x\\u0007";
    let text = message(
        "ana:1",
        "",
        "ASK",
        format!("{{\"question\":\"{hostile}\"}}"),
    );
    let ran = tern_on(text.as_bytes(), &["fmt", "--pretty", "-"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.out
            .contains(r#""\u009b31m\u202etxt\udb40\udc41\u001b]0;x\u0007""#),
        "{}",
        ran.out
    );
    assert_eq!(fmt(&ran.out).out, fmt(&text).out);
    let ran = fmt("{\"\u{1b}[31m\u{202e}\": nope}\n{}");
    assert!(!ran.err.contains(['\u{1b}', '\u{202e}']), "{:?}", ran.err);
}

/// Every act keeps its message (T1.29).
#[test]
fn reports_stay() {
    let document = log(&[
        request("ana:1"),
        commit("ben:1", "ana:1"),
        report("ben:2", "ben:1", "ben:1", "fulfilled"),
    ]);
    assert_eq!(digest(document.as_bytes()), digest(&fmt(&document).bytes));
}
