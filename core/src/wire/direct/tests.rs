//! The direct way and the long way accept the same messages as the same values (S2.02).
#![allow(clippy::panic, clippy::indexing_slicing, reason = "tests")]

extern crate std;

use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};

use super::super::{Limits, Parsed, explained};

const CLAIM: &str = r#"{"text":"a \"b\" \u00e9\ud83d\ude00\/","basis":"observed","confidence":"high","scope":"here","evidence":["ev:1"],"alternatives":["x"]}"#;

fn keys(count: usize) -> String {
    (0..count).map(|it| format!(r#""k{it}":{it},"#)).collect()
}

/// S2.04: two keys that differ only in how they are written are one, however many there are.
#[test]
fn s2_04_keys_are_compared_as_they_are_meant() {
    for (count, twice) in [
        (0, false),
        (3, true),
        (15, true),
        (16, true),
        (17, true),
        (40, true),
    ] {
        let again = if twice { r#""\u006b2":0,"# } else { "" };
        let message = format!(
            r#"{{"tern":"0.1","id":"a:1","from":"a","to":["b"],"thread":"t","reply":null,"act":"ACK","body":{{"target":"b:1"}},"extensions":{{{}{again}"last":null}}}}"#,
            keys(count)
        );
        assert_eq!(agree(message.as_bytes(), &Limits::default()), !twice);
        assert_eq!(
            explained(message.as_bytes(), &Limits::default()).is_ok(),
            !twice
        );
    }
}

/// A message of each act, with everything that may be absent and without it.
fn samples() -> Vec<String> {
    let bodies = [
        ("ASK", r#"{"question":"q"}"#.into()),
        ("ASK", r#"{"question":"q","about":"b:1","extensions":{"x":[1,2.5e3,{"y":null,"z":[]}],"\u0078y":"\n"}}"#.into()),
        ("TELL", format!(r#"{{"claims":[{CLAIM},{CLAIM}]}}"#)),
        ("PROPOSE", r#"{"plan":"p","success":"s","constraints":[],"extensions":{}}"#.into()),
        ("REQUEST", r#"{"action":"a","done_when":"d","constraints":["c"],"authority_ref":null}"#.into()),
        ("REQUEST", r#"{"action":"a","done_when":"d","constraints":[],"authority_ref":"g","replaces":"b:1"}"#.into()),
        ("COMMIT", r#"{"request":"b:1","action":"a","deliverable":"d","done_when":"w","due":"2026-12-01T10:00:00Z","conditions":["c"],"authority_ref":null}"#.into()),
        ("COMMIT", r#"{"request":"b:1","action":"a","deliverable":"d","done_when":"w","due":null,"conditions":[],"authority_ref":"g"}"#.into()),
        ("REPORT", format!(r#"{{"commitment":"b:1","state":"active","claims":[{CLAIM}],"next":"n"}}"#)),
        ("CHALLENGE", r#"{"target":"b:1","kind":"factual","objection":"o","support":["ev:1"],"resolution_test":"t"}"#.into()),
        ("REVISE", r#"{"target":"b:1","previous":"b:1","mode":"withdraw","reason":"r","replacement":null,"impact":[]}"#.into()),
        ("REVISE", format!(r#"{{"target":"b:1","previous":"b:2","mode":"replace","reason":"r","replacement":{{"claims":[{CLAIM}]}},"impact":[{{"commitment":"b:3","assessment":"unaffected","reason":"r"}}]}}"#)),
        ("REVISE", r#"{"target":"b:1","previous":"b:2","mode":"replace","reason":"r","replacement":{"plan":"p"},"impact":[]}"#.into()),
        ("REVISE", r#"{"target":"b:1","previous":"b:2","mode":"replace","reason":"r","replacement":{"success":"s","plan":"p","constraints":[]},"impact":[]}"#.into()),
        ("ACK", format!(r#"{{"target":"b:1","extensions":{{{}"last":[[[{{"a":{{"b":[]}}}}]]],"long":"{}\n{}"}}}}"#, keys(20), "x".repeat(70), "y".repeat(130))),
        ("REVISE", format!(r#"{{"target":"b:1","previous":"b:2","mode":"replace","reason":"r","replacement":{{"claims":[{CLAIM}],"state":"active","commitment":"b:1"}},"impact":[]}}"#)),
        ("REVISE", r#"{"target":"b:1","previous":"b:2","mode":"replace","reason":"r","replacement":{"action":"a","done_when":"d","constraints":[],"authority_ref":null,"x":{"y":1}},"impact":[]}"#.into()),
        ("DECLINE", r#"{"target":"b:1","reason":"r","alternative":"a"}"#.into()),
        ("ACK", r#"{"target":"b:1"}"#.into()),
    ];
    let envelope = |(act, body): (&str, String)| {
        format!(
            r#"{{"tern":"0.1","id":"a:1","from":"a","to":["b","c"],"thread":"t","reply":"b:1","act":"{act}","body":{body}}}"#
        )
    };
    let mut samples: Vec<String> = bodies.into_iter().map(envelope).collect();
    let evidence = r#"{"id":"ev:1","source":"s","collected_at":"2026-12-01T10:00:00.5+01:00","method":"m","result":"r"}"#;
    samples.push(format!(
        "\n{{ \"to\" : [ \"b\" ] ,\t\"id\":\"a:2\",\"reply\":null,\"from\":\"a\",\"act\":\"ACK\",\"tern\":\"0.1\",\r\n\"body\":{{\"target\":\"b:1\"}},\"thread\":\"t\",\"evidence\":[{evidence},{evidence}],\"extensions\":{{\"a\":{{}}}} }} "
    ));
    samples
}

/// What the direct way makes of a text has to be what the long way makes of it. Whether it made anything.
fn agree(bytes: &[u8], limits: &Limits) -> bool {
    let shown = || String::from_utf8_lossy(bytes).into_owned();
    let Some(direct) = super::message(bytes, limits) else {
        return false;
    };
    let long = explained(bytes, limits).unwrap_or_else(|it| panic!("{it:?}: {}", shown()));
    assert_eq!(direct, long, "{}", shown());
    let (direct, long) = (Parsed::of(direct), Parsed::of(long));
    assert_eq!(direct.digest, long.digest, "{}", shown());
    assert_eq!(direct.content, long.content, "{}", shown());
    assert_eq!(direct.evidence, long.evidence, "{}", shown());
    true
}

/// S2.10: every act goes the direct way, whatever of it is absent.
#[test]
fn s2_10_each_act_goes_the_direct_way() {
    for sample in samples() {
        let is_known = explained(sample.as_bytes(), &Limits::default());
        assert!(is_known.is_ok(), "{sample}: {is_known:?}");
        assert!(agree(sample.as_bytes(), &Limits::default()), "{sample}");
    }
}

/// S2.03 to S2.12: what is a little damaged is never accepted by one way and refused by the other.
#[test]
fn s2_03_damaged_messages_are_judged_alike() {
    const INSERTED: [&str; 22] = [
        "",
        " ",
        "\"",
        "\\",
        ",",
        ":",
        "{",
        "}",
        "[",
        "]",
        "0",
        "-1e400",
        "null",
        "\u{0}",
        "\u{1f}",
        "é",
        "\\u0041",
        "\\ud800",
        "\"id\":\"a:1\",",
        "ev:",
        "x",
        "{}",
    ];
    let limits = Limits::default();
    let (mut judged, mut accepted) = (0, 0);
    for sample in samples() {
        for at in 0..sample.len() {
            for removed in [0, 1, 2, 7] {
                for inserted in INSERTED {
                    let bytes = sample.as_bytes();
                    let rest = bytes.get(at + removed..).unwrap_or_default();
                    let bytes = [&bytes[..at], inserted.as_bytes(), rest].concat();
                    judged += 1;
                    accepted += usize::from(agree(&bytes, &limits));
                }
            }
            // Cut off, and a byte that is no UTF-8.
            let cut_off = agree(&sample.as_bytes()[..at], &limits);
            assert!(!cut_off || sample[at..].trim().is_empty());
            let mut bytes = sample.as_bytes().to_vec();
            bytes[at] = 0xFF;
            assert!(!agree(&bytes, &limits));
        }
    }
    std::println!("{judged} damaged messages, {accepted} still well-formed");
    assert!(accepted * 50 > judged, "hardly anything was compared");
}

/// S2.06: both count depth and length alike, in what the table allows and in what it leaves free.
#[test]
fn s2_06_limits_are_those_of_the_long_way() {
    for sample in samples() {
        let is_accepted = |limits: &Limits| {
            let direct = agree(sample.as_bytes(), limits);
            assert_eq!(
                direct,
                explained(sample.as_bytes(), limits).is_ok(),
                "{sample}"
            );
            direct
        };
        let mut accepted = vec![];
        for max_depth in 0..12 {
            accepted.push(is_accepted(&Limits {
                max_depth,
                ..Limits::default()
            }));
        }
        assert!(!accepted[0] && accepted[11]);
        for max_bytes in [sample.len() - 1, sample.len()] {
            assert_eq!(
                is_accepted(&Limits {
                    max_bytes,
                    ..Limits::default()
                }),
                max_bytes == sample.len()
            );
        }
    }
}
