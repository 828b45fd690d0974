//! Limits of stage 1 at their edges, and inputs that would hurt a careless reader.

use crate::support::{ack, pairs};
use std::time::{Duration, Instant};
use tern_core::Code;
use tern_core::wire::{Json, JsonOptions, Limits, canonical, read};

fn codes(bytes: &[u8], limits: &Limits) -> Vec<Code> {
    match read(bytes, limits) {
        Ok(_) => vec![],
        Err(rejection) => pairs(&rejection)
            .into_iter()
            .map(|(code, _)| code)
            .collect(),
    }
}

fn nested(depth: usize) -> String {
    let message = ack().to_string();
    let message = message.strip_suffix('}').unwrap();
    // The message is 1, its extensions 2.
    let (open, close) = ("[".repeat(depth - 2), "]".repeat(depth - 2));
    format!("{message},\"extensions\":{{\"x\":{open}{close}}}}}")
}

/// S2.06, R-04
#[test]
fn s2_06_the_defaults() {
    let limits = Limits::default();
    assert_eq!((limits.max_bytes, limits.max_depth), (1_048_576, 128));
    assert_eq!(
        (
            limits.max_pending,
            limits.max_pending_per_sender,
            limits.max_versions
        ),
        (100_000, 10_000, 16)
    );
}

/// S2.06: too long, before everything else, white space included.
#[test]
fn s2_06_too_long() {
    let message = ack().to_string();
    let mut exactly = Limits::default();
    exactly.max_bytes = message.len();
    assert_eq!(codes(message.as_bytes(), &exactly), []);
    assert_eq!(
        codes(format!("{message} ").as_bytes(), &exactly),
        [Code::TooLong]
    );
    let mut none = Limits::default();
    none.max_bytes = 0;
    assert_eq!(codes(b"\xFF", &none), [Code::TooLong]);
    assert_eq!(codes(b"", &none), [Code::Empty]);

    let padded = |bytes: usize| format!("{message}{}", " ".repeat(bytes - message.len()));
    assert_eq!(codes(padded(1 << 20).as_bytes(), &Limits::default()), []);
    assert_eq!(
        codes(padded((1 << 20) + 1).as_bytes(), &Limits::default()),
        [Code::TooLong]
    );
}

/// S2.06: the message itself is level 1; arrays and objects count alike.
#[test]
fn s2_06_too_deep() {
    assert_eq!(codes(nested(128).as_bytes(), &Limits::default()), []);
    assert_eq!(
        codes(nested(129).as_bytes(), &Limits::default()),
        [Code::TooDeep]
    );
    let objects = |depth: usize| {
        let (open, close) = ("{\"a\":".repeat(depth - 2), "}".repeat(depth - 2));
        nested(2).replace("\"x\":", &format!("\"x\":{open}0{close}"))
    };
    assert_eq!(codes(objects(128).as_bytes(), &Limits::default()), []);
    assert_eq!(
        codes(objects(129).as_bytes(), &Limits::default()),
        [Code::TooDeep]
    );
    let mut shallow = Limits::default();
    shallow.max_depth = 1;
    assert_eq!(codes(b"{\"a\":1}", &shallow)[0], Code::MissingField);
    assert_eq!(codes(b"{\"a\":[]}", &shallow), [Code::TooDeep]);
}

/// S2.06, T1.34: depth costs neither stack nor more than linear time, read, written or dropped.
#[test]
fn s2_06_depth_does_not_recurse() {
    const DEEP: usize = 500_000;
    let any_depth = JsonOptions {
        max_depth: None,
        lenient: false,
    };
    let text = format!("{}{}", "[".repeat(DEEP), "]".repeat(DEEP));
    let json = Json::read(text.as_bytes(), any_depth).unwrap();
    assert_eq!(canonical(json.root()), text);
    let objects = format!("{}0{}", "{\"\":".repeat(DEEP), "}".repeat(DEEP));
    let json = Json::read(objects.as_bytes(), any_depth).unwrap();
    assert_eq!(canonical(json.root()), objects);
    drop(json);

    for deep in ["[", "{\"\":", "[{\"\":"].map(|open| open.repeat(100_000)) {
        let finding = Json::read(deep.as_bytes(), JsonOptions::default()).unwrap_err();
        assert_eq!(finding.code, Code::TooDeep);
        let finding = Json::read(deep.as_bytes(), any_depth).unwrap_err();
        assert_eq!(finding.code, Code::MalformedJson);
        assert!(finding.pointer.len() >= 99_999);
        let mut limits = Limits::default();
        limits.max_depth = usize::MAX;
        assert!(read(deep.as_bytes(), &limits).is_err());
    }

    let mut limits = Limits::default();
    limits.max_bytes = usize::MAX;
    limits.max_depth = usize::MAX;
    let parsed = read(nested(DEEP).as_bytes(), &limits)
        .unwrap()
        .message
        .into_owned();
    assert_eq!(parsed, parsed.clone());
    assert!(parsed.to_canonical_json().len() > 2 * DEEP - 100);
}

/// T1.05, T1.12: what must not occur twice is found in less than quadratic time, in keys of any
/// choice and in recipients. A quadratic reader would need minutes.
#[test]
fn t1_05_many_keys_are_quick() {
    let start = Instant::now();
    let message = ack().to_string();
    let message = message.strip_suffix('}').unwrap();
    let mut limits = Limits::default();
    limits.max_bytes = 1 << 24;
    let keys = |count: usize| {
        (0..count)
            .map(|key| format!("\"{key:x}\":0,"))
            .collect::<String>()
    };
    let many = keys(300_000);
    let distinct = format!("{message},\"extensions\":{{{many}\"last\":0}}}}");
    assert_eq!(codes(distinct.as_bytes(), &limits), []);
    let repeated = format!("{message},\"extensions\":{{{many}\"0\":0}}}}");
    assert_eq!(codes(repeated.as_bytes(), &limits), [Code::DuplicateKey]);

    let names = (0..300_000)
        .map(|name| format!("\"{name}\","))
        .collect::<String>();
    let crowd = |last: &str| {
        format!("{message}}}").replace("[\"reviewer\"]", &format!("[{names}\"{last}\"]"))
    };
    assert_eq!(codes(crowd("last").as_bytes(), &limits), []);
    assert_eq!(
        codes(crowd("299999").as_bytes(), &limits),
        [Code::RepeatedRecipient]
    );

    // A megabyte of tiny keys and of tiny values, in every place where they are judged.
    for body in [keys(120_000), "\"\":{},".repeat(120_000)] {
        let text = format!("{{{body}\"z\":0}}");
        assert!(read(text.as_bytes(), &limits).is_err());
    }
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}

/// T1.34: a hostile message does not make its rejection boundless, and says what it leaves out.
#[test]
fn t1_34_findings_are_bounded() {
    let message = ack()
        .to_string()
        .replace("[\"reviewer\"]", &format!("[{}0]", "0,".repeat(400_000)));
    let rejection = read(message.as_bytes(), &Limits::default()).unwrap_err();
    assert_eq!(rejection.code(), Code::WrongType);
    assert_eq!(
        (rejection.findings().len(), rejection.omitted()),
        (10_000, 390_001)
    );
    assert!(rejection.to_string().ends_with(" and 400000 more"));
    let long = format!("{{\"{}\":0}}", "x".repeat(1_000_000));
    let rejection = read(long.as_bytes(), &Limits::default()).unwrap_err();
    assert!(
        rejection
            .findings()
            .iter()
            .all(|finding| finding.message.len() < 200)
    );
}
