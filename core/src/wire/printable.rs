//! Words from messages, made safe for a terminal: they are data and may be hostile (T3.12).

use core::fmt::{self, Write as _};

/// A text with everything escaped that could move a cursor, change a colour, turn the direction of
/// writing or hide: control and format characters. Shown for people; nothing reads it back.
///
/// ```
/// use tern_core::wire::Printable;
/// assert_eq!(Printable("a\u{1b}[2J\n\u{202e}ü").to_string(), "a\\u{1b}[2J\\n\\u{202e}ü");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Printable<'t>(pub &'t str);

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|character| {
            if is_format(character) {
                write!(f, "{}", character.escape_unicode())
            } else if character.is_control() {
                write!(f, "{}", character.escape_default())
            } else {
                f.write_char(character)
            }
        })
    }
}

/// Format characters: invisible, and some of them change how the rest of a line is read.
const fn is_format(character: char) -> bool {
    matches!(
        character,
        '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{115F}'..='\u{1160}'
            | '\u{180E}'
            | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{3164}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E007F}'
    )
}
