//! Whether a text that is still coming in can become one JSON object.
//!
//! Follows strings, brackets, commas and colons, and takes scalars at their word: it must never say
//! no too early, and whether the whole is an object is for the reader of JSON to say.

/// The beginning of a text. It keeps nothing but the brackets that are open.
pub(super) struct Beginning {
    next: Next,
    /// The open brackets: whether each is that of an array.
    open: Vec<bool>,
}

/// What may come next, white space aside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The object itself.
    Object,
    Value,
    /// A value, or the end of an array that has none.
    FirstItem,
    Key,
    /// A key, or the end of an object that has none.
    FirstKey,
    /// More of a string; `key` says what it is, `escaped` that a backslash came.
    String {
        key: bool,
        escaped: bool,
    },
    Colon,
    /// More of a number or a literal, or what follows a value.
    Scalar,
    /// A comma or the end of what is open.
    Separator,
    /// Nothing: the object is complete.
    End,
    /// Whatever: it is no object any more.
    Lost,
}

impl Beginning {
    pub(super) fn new() -> Self {
        Self {
            next: Next::Object,
            open: Vec::new(),
        }
    }

    /// Takes what came in next. Gives whether everything so far, with something after it or not,
    /// can be one object with white space around it.
    pub(super) fn goes_on(&mut self, bytes: &[u8]) -> bool {
        for &byte in bytes {
            self.next = self.step(byte);
            if self.next == Next::Lost {
                return false;
            }
        }
        true
    }

    fn step(&mut self, byte: u8) -> Next {
        let is_blank = matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        match (self.next, byte) {
            (Next::String { key, escaped: true }, b' '..) => Next::String {
                key,
                escaped: false,
            },
            (Next::String { key: true, .. }, b'"') => Next::Colon,
            (Next::String { key: false, .. }, b'"') => Next::Separator,
            (Next::String { key, .. }, b'\\') => Next::String { key, escaped: true },
            (Next::String { .. }, b' '..) => self.next,
            // A string holds no control character, so no line of a string is the last.
            (Next::String { .. }, _) => Next::Lost,
            (Next::Scalar, b'0'..=b'9' | b'a'..=b'z' | b'E' | b'+' | b'-' | b'.') => Next::Scalar,
            (Next::Scalar, _) if is_blank => Next::Separator,
            (next, _) if is_blank => next,
            (Next::Object | Next::Value | Next::FirstItem, b'{') => {
                self.open.push(false);
                Next::FirstKey
            }
            (Next::Value | Next::FirstItem, b'[') => {
                self.open.push(true);
                Next::FirstItem
            }
            (Next::Value | Next::FirstItem, b'"') => Next::String {
                key: false,
                escaped: false,
            },
            (Next::Value | Next::FirstItem, b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => {
                Next::Scalar
            }
            (Next::Key | Next::FirstKey, b'"') => Next::String {
                key: true,
                escaped: false,
            },
            (Next::Colon, b':') => Next::Value,
            (Next::Scalar | Next::Separator, b',') => match self.open.last() {
                Some(true) => Next::Value,
                _ => Next::Key,
            },
            (Next::Scalar | Next::Separator | Next::FirstItem, b']') => self.close(true),
            (Next::Scalar | Next::Separator | Next::FirstKey, b'}') => self.close(false),
            _ => Next::Lost,
        }
    }

    fn close(&mut self, array: bool) -> Next {
        match self.open.pop() {
            Some(opened) if opened == array && self.open.is_empty() => Next::End,
            Some(opened) if opened == array => Next::Separator,
            _ => Next::Lost,
        }
    }
}

#[cfg(test)]
mod tests;
