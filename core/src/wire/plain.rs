//! Where a text stops being plain.

const ONES: u64 = u64::from_le_bytes([1; 8]);
const HIGHS: u64 = u64::from_le_bytes([0x80; 8]);
const QUOTES: u64 = u64::from_le_bytes([b'"'; 8]);
const BACKSLASHES: u64 = u64::from_le_bytes([b'\\'; 8]);
const SPACES: u64 = u64::from_le_bytes([b' '; 8]);

/// How many bytes there are before the first quotation mark, backslash or control character: what JSON writes as it is.
#[inline]
pub(crate) fn plain(bytes: &[u8]) -> usize {
    before(
        bytes,
        |word| quotes(word) | word.wrapping_sub(SPACES) & !word,
        |byte| byte < 0x20 || byte == b'"' || byte == b'\\',
    )
}

/// How many bytes there are before the first quotation mark or backslash.
#[inline]
pub(super) fn unquoted(bytes: &[u8]) -> usize {
    before(bytes, quotes, |byte| byte == b'"' || byte == b'\\')
}

/// Whether there is a control character.
pub(super) fn has_controls(bytes: &[u8]) -> bool {
    // Without an early end the compiler compares many at a time.
    bytes.iter().fold(false, |any, &byte| any | (byte < 0x20))
}

/// The high bit of the first quotation mark or backslash in a word, and perhaps of bytes after it.
#[inline]
const fn quotes(word: u64) -> u64 {
    let (quotes, backslashes) = (word ^ QUOTES, word ^ BACKSLASHES);
    quotes.wrapping_sub(ONES) & !quotes | backslashes.wrapping_sub(ONES) & !backslashes
}

/// The bytes before the first special one, eight at a time. Subtracting borrows from what follows the first such byte only,
/// so the lowest high bit is right.
#[inline]
fn before(bytes: &[u8], in_word: impl Fn(u64) -> u64, is_special: impl Fn(u8) -> bool) -> usize {
    let (chunks, tail) = bytes.as_chunks::<8>();
    for (index, chunk) in chunks.iter().enumerate() {
        let special = in_word(u64::from_le_bytes(*chunk)) & HIGHS;
        if special != 0 {
            return 8 * index + (special.trailing_zeros() / 8) as usize;
        }
    }
    let rest = tail.iter().position(|&byte| is_special(byte));
    8 * chunks.len() + rest.unwrap_or(tail.len())
}

#[cfg(test)]
mod tests {
    use super::{has_controls, plain, unquoted};
    use alloc::vec::Vec;

    /// Byte by byte, as RFC 8259 section 7 says it.
    fn by_definition(bytes: &[u8]) -> usize {
        let special = |byte: &u8| *byte < 0x20 || *byte == b'"' || *byte == b'\\';
        bytes.iter().position(special).unwrap_or(bytes.len())
    }

    /// Every byte at every place, before and after every other kind of byte.
    #[test]
    fn each_byte_at_each_place() {
        for around in [
            b'a', 0x7F, 0x80, 0xC3, 0xFF, b'!', b'#', b'[', b']', b' ', b'"', 0x1F, 0,
        ] {
            for place in 0..24 {
                for byte in 0..=u8::MAX {
                    for length in [place + 1, 24, 29] {
                        let mut bytes: Vec<u8> = core::iter::repeat_n(b'.', length).collect();
                        for (index, each) in bytes.iter_mut().enumerate() {
                            if index > place {
                                *each = around;
                            } else if index == place {
                                *each = byte;
                            }
                        }
                        assert_eq!(plain(&bytes), by_definition(&bytes), "{bytes:?}");
                        let quoted = bytes.iter().position(|it| b"\"\\".contains(it));
                        assert_eq!(unquoted(&bytes), quoted.unwrap_or(length), "{bytes:?}");
                        assert_eq!(has_controls(&bytes), bytes.iter().any(|it| *it < 0x20));
                    }
                }
            }
        }
    }
}
