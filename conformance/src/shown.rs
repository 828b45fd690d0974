//! Logs as a person can read them and copy them.

use std::fmt::Write as _;

use tern_core::wire::Printable;

/// Text on which a terminal does nothing: a character that cannot be seen, or turns the direction of what
/// follows, is written as in JSON (`\u202e`), so that a log that is copied still means the same. Newlines
/// stay. Of bytes that are not UTF-8 every byte outside ASCII is written as `\xff`, and the text says so.
#[must_use]
pub fn shown(bytes: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return format!("(escaped, for it is not UTF-8) {}", bytes.escape_ascii());
    };
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character == '\n' || !is_hidden(character) {
            shown.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            let _infallible = write!(shown, "\\u{unit:04x}");
        }
    }
    shown
}

/// Whether the core would escape it for a terminal.
fn is_hidden(character: char) -> bool {
    let mut room = [0; 4];
    let text = &*character.encode_utf8(&mut room);
    Printable(text).to_string() != text
}

#[cfg(test)]
mod tests {
    use super::shown;

    /// T3.12: hostile text is data, and does nothing where it is shown.
    #[test]
    fn what_is_hidden_is_written_as_in_json() {
        assert_eq!(
            shown("{\"a\":\"ü \u{202e}x\u{1b}\"}\n".as_bytes()),
            "{\"a\":\"ü \\u202ex\\u001b\"}\n"
        );
        assert_eq!(shown("\u{e0001}".as_bytes()), "\\udb40\\udc01");
        assert_eq!(shown(b"a\xff"), "(escaped, for it is not UTF-8) a\\xff");
    }
}
