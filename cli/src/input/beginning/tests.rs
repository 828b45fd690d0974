#![allow(
    clippy::indexing_slicing,
    reason = "a test that fails should fail loudly"
)]

use super::Beginning;
use tern_core::log::is_one_object;

/// How many bytes it took to see that a text is no object; none if it may be.
fn lost_at(text: &[u8]) -> Option<usize> {
    let mut beginning = Beginning::new();
    text.iter()
        .position(|&byte| !beginning.goes_on(&[byte]))
        .map(|at| at + 1)
}

/// R-05, S8.11: what is an object is never given up, in whatever pieces it comes.
#[test]
fn an_object_is_followed_to_its_end() {
    for text in [
        "{}",
        " \r\n\t{ } \n\n",
        r#"{"a":[],"b":{},"c":[1,-2.5E+3,true,false,null,"x"],"d":[[[{"e":[{}]}]]]}"#,
        "{\n\"a\" :\n1 ,\n\"b\"\n: [ 1 ,\n2\n]\n}\n",
        r#"{"\"\\":"]}{[,:\\\"","":"\u00e9\ud800"}"#,
        "{\"é水\":\"🌱\u{7f}\"}",
    ] {
        assert!(is_one_object(text.as_bytes()), "{text}");
        assert_eq!(lost_at(text.as_bytes()), None, "{text}");
        assert!(Beginning::new().goes_on(text.as_bytes()), "{text}");
    }
}

#[test]
fn what_cannot_become_an_object_is_given_up_at_once() {
    for (text, at) in [
        ("[", 1),
        ("\n\"", 2),
        ("\u{feff}{", 1),
        ("{}{", 3),
        ("{} \n x", 6),
        ("{{", 2),
        ("{1", 2),
        ("{,", 2),
        ("{]", 2),
        ("{\n{\"tern\"", 3),
        ("{\"a\":1,\n{", 9),
        ("{\"a\":1,}", 8),
        ("{\"a\":1\n\"b\"", 8),
        ("{\"a\":{}\n{", 9),
        ("{\"a\"}", 5),
        ("{\"a\n", 4),
        ("{\"a\\\n", 5),
        ("{\"a\":}", 6),
        ("{\"a\":x", 6),
        ("{\"a\":[1}", 8),
        ("{\"a\":[,", 7),
        ("{\"a\":1]", 7),
        ("{\"a\":1 2", 8),
    ] {
        assert_eq!(lost_at(text.as_bytes()), Some(at), "{text}");
        assert!(!is_one_object(text.as_bytes()), "{text}");
    }
}

/// R-05: against the reader of JSON, on texts that were changed at random: it is never surer.
#[test]
fn it_never_gives_up_an_object() {
    let seeds = [
        r#"{"a":[1,{"b":"x\n"},[]],"c":{"d":null},"e":-1.5e3} "#,
        "{\n \"a\": true,\n \"b\": [\n  \"\\\\\",\n  2\n ]\n}\n",
    ];
    let letters = b"{}[]\",:\\ \n1-.eEtrufalsn\x80";
    let mut seed = 11_u64;
    let mut random = move |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut objects = 0;
    for round in 0..40_000 {
        let mut text = seeds[round % seeds.len()].as_bytes().to_vec();
        for _ in 0..=random(2) {
            let at = random(text.len());
            let letter = letters[random(letters.len())];
            match random(3) {
                0 => text[at] = letter,
                1 => text.insert(at, letter),
                _ => drop(text.remove(at)),
            }
        }
        if is_one_object(&text) {
            objects += 1;
            assert_eq!(lost_at(&text), None, "{}", String::from_utf8_lossy(&text));
        }
    }
    assert!(objects > 2_000, "{objects}");
}
