//! Words from messages, made safe for a terminal: they are data and may be hostile.

use std::fmt::Write as _;

/// The text with everything escaped that could move a cursor, change a colour or turn the
/// direction of writing.
pub(crate) fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() || is_invisible(character) {
            // Writing to a string cannot fail.
            let _ = write!(out, "{}", character.escape_unicode());
        } else {
            out.push(character);
        }
    }
    out
}

/// The text, cut to so many characters.
pub(crate) fn short(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        None => shown(text),
        Some((end, _)) => format!("{}…", shown(text.get(..end).unwrap_or(text))),
    }
}

/// Format characters: invisible, and some of them change how the rest of a line is read.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{AD}'
            | '\u{61C}'
            | '\u{180E}'
            | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E007F}'
    )
}

/// `one thing`, `2 things`.
pub(crate) fn count(number: usize, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}
