use super::{REACH, WINDOW, excerpt};

fn of(text: &str, place: &str) -> (String, String, String) {
    let start = text.find(place).unwrap_or_default();
    excerpt(text.as_bytes(), start..start + place.len())
}

fn three(before: &str, inside: &str, after: &str) -> (String, String, String) {
    (before.into(), inside.into(), after.into())
}

#[test]
fn a_short_line_is_shown_whole() {
    assert_eq!(
        of("one\ntwo HERE three\nfour", "HERE"),
        three("two ", "HERE", " three")
    );
    assert_eq!(of("HERE", "HERE"), three("", "HERE", ""));
    assert_eq!(excerpt(b"", 3..7), three("", "", ""));
    assert_eq!(excerpt(b"ab", 5..9), three("ab", "", ""));
}

#[test]
fn a_place_over_several_lines_is_shown_in_its_first() {
    assert_eq!(of("a HE\nRE b", "HE\nRE"), three("a ", "HE", ""));
    assert_eq!(of("a \nHERE b", "\nHERE"), three("a ", "", ""));
}

#[test]
fn what_is_far_is_cut() {
    let far = "x".repeat(10_000);
    let near = "x".repeat(WINDOW);
    let (before, inside, after) = of(&format!("{far}HERE{far}"), "HERE");
    assert_eq!(before, format!("…{near}"));
    assert_eq!((inside.as_str(), after), ("HERE", format!("{near}…")));
    // A newline that is near is found, one that is far changes nothing.
    let (before, _, after) = of(&format!("{far}\nabHERE{far}\n"), "HERE");
    assert_eq!((before.as_str(), after), ("ab", format!("{near}…")));
    let (_, inside, after) = of(&format!("<{far}>\n{far}"), &format!("<{far}>"));
    assert_eq!(
        (inside, after),
        (format!("<{}…", "x".repeat(WINDOW - 1)), String::new())
    );
}

/// Wherever the cut falls, it does not make a broken character of a sound one.
#[test]
fn a_cut_breaks_no_character() {
    for character in ["é", "水", "🌱"] {
        for shift in 0..4 {
            let pad = "a".repeat(shift);
            let row = character.repeat(2 * REACH);
            let near = character.repeat(WINDOW);
            let (before, _, after) = of(&format!("{row}{pad}HERE{pad}{row}"), "HERE");
            let less = character.repeat(WINDOW - shift);
            assert_eq!(before, format!("…{less}{pad}"), "{character} {shift}");
            assert_eq!(after, format!("{pad}{less}…"), "{character} {shift}");
            let (_, inside, _) = of(&format!("{row}{pad}"), &row);
            assert_eq!(inside, format!("{near}…"));
        }
    }
}

/// What is no UTF-8 is shown as such, also where nothing but it stands.
#[test]
fn broken_bytes_stay_broken() {
    assert_eq!(excerpt(b"a\xffb", 1..2), three("a", "\u{fffd}", "b"));
    let (before, inside, after) = excerpt(&[0x80; 5_000], 2_000..2_001);
    assert_eq!(inside, "\u{fffd}");
    assert!(before.starts_with("…\u{fffd}") && before.chars().count() == WINDOW + 1);
    assert_eq!(after, "…");
}
