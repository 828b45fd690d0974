//! Logs as a person can read them and copy them.

use std::fmt::Write as _;

use tern_core::wire::{Json, JsonOptions, Printable, canonical};

/// A log on which a terminal does nothing. A line with a character that cannot be seen, or that turns the
/// direction of what follows, has it written as in JSON (`\u202e`), so that a line that is copied still means
/// the same. Where that would change it, or where it is not UTF-8, the whole line is escaped as bytes
/// (`\xff`), and begins with a sign that says so.
#[must_use]
pub fn shown(log: &[u8]) -> String {
    let lines: Vec<String> = log.split(|byte| *byte == b'\n').map(line).collect();
    lines.join("\n")
}

/// A text that stands within a line, such as a name in a sentence: nothing in it does anything to a terminal,
/// and it begins no other line.
#[must_use]
pub fn inline(text: &str) -> String {
    Printable(text).to_string()
}

/// JSON on which a terminal does nothing, and which means the same: what cannot be seen stands in texts alone, and is
/// escaped there.
#[must_use]
pub fn in_json(json: &str) -> String {
    let lines: Vec<String> = json.split('\n').map(escaped).collect();
    lines.join("\n")
}

/// With hidden characters written as in JSON.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hidden(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _infallible = write!(shown, "\\u{unit:04x}");
            }
        } else {
            shown.push(character);
        }
    }
    shown
}

fn line(line: &[u8]) -> String {
    let as_bytes = || format!("(escaped) {}", line.escape_ascii());
    let Ok(text) = std::str::from_utf8(line) else {
        return as_bytes();
    };
    if !text.contains(is_hidden) {
        return text.to_owned();
    }
    let shown = escaped(text);
    if means_the_same(text, &shown) {
        shown
    } else {
        as_bytes()
    }
}

fn means_the_same(text: &str, other: &str) -> bool {
    let read = |text: &str| {
        let json = Json::read(text.as_bytes(), JsonOptions::STRICT).ok()?;
        Some(canonical(json.root()))
    };
    read(text).is_some_and(|it| read(other) == Some(it))
}

/// Whether the core would escape it for a terminal. A tab is seen.
fn is_hidden(character: char) -> bool {
    if character.is_ascii_graphic() {
        return false;
    }
    let mut room = [0; 4];
    let text = &*character.encode_utf8(&mut room);
    character != '\t' && Printable(text).to_string() != text
}

#[cfg(test)]
mod tests {
    use super::{inline, shown};

    /// T3.12: hostile text is data, and does nothing where it is shown; what is copied means the same.
    #[test]
    fn what_is_hidden_is_written_as_in_json() {
        let whole = "{\"a\":\"ü \u{202e}\"}\n{\"b\":\t1}\n";
        assert_eq!(
            shown(whole.as_bytes()),
            "{\"a\":\"ü \\u202e\"}\n{\"b\":\t1}\n"
        );
        assert_eq!(shown("\"\u{e0001}\"".as_bytes()), "\"\\udb40\\udc01\"");
    }

    /// T3.12: where JSON would mean something else, a line is escaped as bytes; the others are not.
    #[test]
    fn what_cannot_be_copied_says_so() {
        assert_eq!(
            shown(b"{}\n\"\xff\"\n{}"),
            "{}\n(escaped) \\\"\\xff\\\"\n{}"
        );
        // Between tokens, in a text that is no JSON then, and behind a backslash.
        assert_eq!(shown(b"{\"a\":1}\r"), "(escaped) {\\\"a\\\":1}\\r");
        assert_eq!(shown(b"\"\x1b\""), "(escaped) \\\"\\x1b\\\"");
        assert!(shown("\"\\\u{202e}\"".as_bytes()).starts_with("(escaped) "));
    }

    /// T3.12: a name in a sentence stays within it.
    #[test]
    fn a_name_stays_in_its_sentence() {
        assert_eq!(inline("a\n\u{1b}[2J"), "a\\n\\u{1b}[2J");
    }
}
