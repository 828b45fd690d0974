#![allow(clippy::unwrap_used, reason = "a test that fails should fail loudly")]

use super::differences;
use tern_core::wire::{Json, JsonOptions};

fn shown(one: &str, other: &str) -> Vec<String> {
    let read = |text: &'static str| Json::read(text.as_bytes(), JsonOptions::STRICT).unwrap();
    let (one, other) = (read(one.to_string().leak()), read(other.to_string().leak()));
    differences(Some(one.root()), Some(other.root()))
        .into_iter()
        .map(|found| {
            let side = |text: Option<String>| text.unwrap_or_else(|| "-".into());
            format!(
                "{} {} {}",
                found.pointer,
                side(found.before),
                side(found.after)
            )
        })
        .collect()
}

/// R-02: equality is structural, and numbers are equal by their exact value.
#[test]
fn equal_contents_do_not_differ() {
    assert!(shown(r#"{"a":1.0,"b":[2]}"#, r#"{"b":[20e-1],"a":1}"#).is_empty());
    let (one, other) = (r#"{"n":9007199254740992}"#, r#"{"n":9007199254740993}"#);
    assert_eq!(shown(one, other), ["/n 9007199254740992 9007199254740993"]);
}

#[test]
fn fields_and_members_are_told_one_by_one() {
    let one = r#"{"a":"x","gone":1,"list":["p","q"],"deep":{"a/b":[1,2]}}"#;
    let other = r#"{"a":"y","list":["q","r","s"],"deep":{"a/b":[1,3]},"new":null}"#;
    assert_eq!(
        shown(one, other),
        [
            r#"/a "x" "y""#,
            "/gone 1 -",
            r#"/list/0 "p" -"#,
            r#"/list/1 - "r""#,
            r#"/list/2 - "s""#,
            "/deep/a~1b/1 2 3",
            "/new - null",
        ]
    );
}

#[test]
fn depth_costs_no_stack() {
    let deep = |core: &str| format!("{}{core}{}", "[".repeat(2_000), "]".repeat(2_000));
    assert_eq!(shown(&deep("1"), &deep("2")).len(), 1);
}
