//! The checked values by themselves.

use std::collections::{BTreeMap, HashSet};
use tern_core::Code;
use tern_core::message::{
    Act, EvidenceRef, Name, NonEmpty, RawObject, Recipients, Reference, Text, Timestamp,
};
use tern_core::wire::Digest;

/// A-REFERENCE, T1.18, T1.26, T1.19, T2.04, S1.01
#[test]
fn a_reference_splits_at_the_first_colon() {
    let reference = Reference::new("a:b:c").unwrap();
    assert_eq!((reference.sender(), reference.suffix()), ("a", "b:c"));
    let reference = Reference::new(String::from(" ::")).unwrap();
    assert_eq!((reference.sender(), reference.suffix()), (" ", ":"));
    for bad in ["", "a", "a:", ":a", ":", "::", "::a"] {
        assert_eq!(Reference::new(bad), Err(Code::BadReference), "{bad}");
    }
    assert!(Reference::new("ev:a").is_ok());
    for bad in ["", "ev:", "Ev:a", "ev", " ev:a"] {
        assert_eq!(
            EvidenceRef::new(bad),
            Err(Code::BadEvidenceReference),
            "{bad}"
        );
    }
    assert_eq!(Name::new(""), Err(Code::EmptyText));
    assert_eq!(Text::new("").map(Text::into_owned), Err(Code::EmptyText));
    assert!(Text::new("\0").is_ok());
}

/// T1.09, R-02: strings are compared as they are, and look-ups by `&str` work.
#[test]
fn t1_09_strings_are_compared_as_they_are() {
    assert_ne!(Text::new("é").unwrap(), Text::new("e\u{301}").unwrap());
    assert_ne!(Text::new("a").unwrap(), Text::new("A").unwrap());
    let id = |text| Reference::new(text).unwrap();
    let map = BTreeMap::from([(id("a:1"), 1), (id("a:2"), 2)]);
    assert_eq!(map.get("a:2"), Some(&2));
    let set = HashSet::from([id("a:1")]);
    assert!(set.contains("a:1") && !set.contains("a:2"));
    assert_eq!(format!("{:>5}|{}", id("a:1"), Act::Ask), "  a:1|ASK");
    let owned: Reference<'static> = Reference::new(String::from("a:1").as_str())
        .unwrap()
        .into_owned();
    assert_eq!(owned, id("a:1"));
}

/// T1.12, T1.29
#[test]
fn t1_12_lists() {
    let names =
        |names: &[&'static str]| names.iter().map(|name| Text::new(*name).unwrap()).collect();
    assert_eq!(Recipients::new(names(&[])), Err(Code::EmptyList));
    assert_eq!(
        Recipients::new(names(&["a", "a"])),
        Err(Code::RepeatedRecipient)
    );
    let one = Recipients::new(names(&["a", "b"])).unwrap();
    assert_ne!(one, Recipients::new(names(&["b", "a"])).unwrap());
    assert_eq!((&one).into_iter().count(), 2);
    let list: NonEmpty<_> = vec![1, 2].try_into().unwrap();
    assert_eq!(list.iter().sum::<i32>(), 3);
    assert_eq!(list.into_vec(), [1, 2]);
}

/// T1.14, R-02: extensions are kept as written and compared by what they say.
#[test]
fn r_02_raw_objects_are_equal_by_structure() {
    let raw = |text: &'static str| RawObject::new(text).unwrap();
    assert_eq!(
        raw(r#"{"a":1,"b":[1,2]}"#),
        raw(r#" {"b":[1.0,20e-1], "\u0061":10e-1} "#)
    );
    assert_ne!(raw(r#"{"a":[1,2]}"#), raw(r#"{"a":[2,1]}"#));
    assert_ne!(
        raw(r#"{"a":9007199254740993}"#),
        raw(r#"{"a":9007199254740992}"#)
    );
    assert_ne!(raw("{}"), raw(r#"{"a":null}"#));
    assert_eq!(raw(" {\"a\": 1}\n").as_str(), "{\"a\": 1}");
    assert_eq!(
        RawObject::new(String::from("\t{ }")).unwrap().as_str(),
        "{ }"
    );
    let set = HashSet::from([raw("{\"a\":1}")]);
    assert!(set.contains(&raw("{\"a\":1.0}")));
    assert!(raw("{\"a\":1}") < raw("{\"a\":2}"));
    for (text, code) in [
        ("[]", Code::NotAnObject),
        ("", Code::Empty),
        ("{\"a\":1,\"a\":1}", Code::DuplicateKey),
        ("{", Code::MalformedJson),
        ("{\"a\":1e999}", Code::NumberOverflow),
    ] {
        assert_eq!(RawObject::new(text), Err(code));
    }
    // Written again, it keeps to one line and keeps its numbers.
    let object = raw("{\n \"a\" : [1.0, 1E-999999],\t\"b \\\" c\": \"\\\\\" }");
    let written = serde_json::to_string(&object).unwrap();
    assert_eq!(written, "{\"a\":[1.0,1E-999999],\"b \\\" c\":\"\\\\\"}");
    assert_eq!(RawObject::new(written).unwrap(), object);
}

/// A-TIME: written alike is equal; the instant is another question.
#[test]
fn a_time_is_kept_as_written() {
    let time = |text| Timestamp::new(text).unwrap();
    assert_ne!(time("2026-11-30T12:00:00Z"), time("2026-11-30T12:00:00z"));
    assert_eq!(
        time("2026-11-30T12:00:00Z").instant(),
        time("2026-11-30t13:00:00.00+01:00").instant()
    );
    assert_eq!(
        time("2026-11-30T12:00:00Z").into_owned().to_string(),
        "2026-11-30T12:00:00Z"
    );
}

/// S7.05
#[test]
fn s7_05_digests_are_lower_hex() {
    let digest = Digest::of(b"abc");
    let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(digest.to_string(), hex);
    assert_eq!(format!("{digest:?}"), hex);
    assert_eq!(
        serde_json::to_string(&digest).unwrap(),
        format!("\"{hex}\"")
    );
    assert_eq!(
        serde_json::from_str::<Digest>(&format!("\"{hex}\"")).unwrap(),
        digest
    );
    for bad in [
        "",
        &hex[1..],
        &hex.to_uppercase(),
        &format!("{hex}0"),
        &hex.replace('b', "g"),
    ] {
        assert!(bad.parse::<Digest>().is_err(), "{bad}");
    }
}
