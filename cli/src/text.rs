//! Words from messages, made safe for a terminal: they are data and may be hostile.

use tern_core::wire::Printable;

/// The text with everything escaped that could move a cursor, change a colour or turn the
/// direction of writing.
pub(crate) fn shown(text: &str) -> String {
    Printable(text).to_string()
}

/// The text, cut to so many characters.
pub(crate) fn short(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        None => shown(text),
        Some((end, _)) => format!("{}…", shown(text.get(..end).unwrap_or(text))),
    }
}

/// `one thing`, `2 things`.
pub(crate) fn count(number: usize, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}
