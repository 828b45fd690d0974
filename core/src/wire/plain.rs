//! Looking at many bytes at a time: whether they are text, and where that stops being plain.

use wide::u8x16;

const ONES: u64 = u64::from_le_bytes([1; 8]);
const HIGHS: u64 = u64::from_le_bytes([0x80; 8]);
const QUOTES: u64 = u64::from_le_bytes([b'"'; 8]);
const BACKSLASHES: u64 = u64::from_le_bytes([b'\\'; 8]);
const SPACES: u64 = u64::from_le_bytes([b' '; 8]);

/// The bytes as text, if they are UTF-8.
#[cfg(feature = "std")]
pub(super) fn utf8(bytes: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(bytes).ok()
}

/// The bytes as text, if they are UTF-8.
#[cfg(not(feature = "std"))]
pub(super) fn utf8(bytes: &[u8]) -> Option<&str> {
    core::str::from_utf8(bytes).ok()
}

/// How many bytes there are before the first quotation mark, backslash or control character: what JSON writes as it is.
#[inline]
pub(super) fn plain(bytes: &[u8]) -> usize {
    let (chunks, tail) = bytes.as_chunks::<8>();
    for (index, chunk) in chunks.iter().enumerate() {
        let special = specials(u64::from_le_bytes(*chunk));
        if special != 0 {
            return 8 * index + (special.trailing_zeros() / 8) as usize;
        }
    }
    8 * chunks.len() + plain_bytes(tail)
}

/// Where those bytes are in a text, a bit for each byte, worked out 64 bytes at a time and only where somebody looks.
pub(super) struct Specials<'a> {
    bytes: &'a [u8],
    /// Which 64 bytes were looked at last, and where in them those bytes are.
    block: usize,
    mask: u64,
}

impl<'a> Specials<'a> {
    const BLOCK: usize = 64;

    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            block: 0,
            mask: mask_of(bytes, 0),
        }
    }

    /// The first of them from `at` on.
    #[inline]
    pub(super) fn next(&mut self, at: usize) -> Option<usize> {
        let block = at / Self::BLOCK;
        if block != self.block {
            self.look(block);
        }
        let mut mask = self.mask & (u64::MAX << (at % Self::BLOCK));
        while mask == 0 {
            if (self.block + 1) * Self::BLOCK >= self.bytes.len() {
                return None;
            }
            self.look(self.block + 1);
            mask = self.mask;
        }
        Some(self.block * Self::BLOCK + mask.trailing_zeros() as usize)
    }

    fn look(&mut self, block: usize) {
        self.block = block;
        self.mask = mask_of(self.bytes, block * Self::BLOCK);
    }
}

fn mask_of(bytes: &[u8], start: usize) -> u64 {
    let rest = bytes.get(start..).unwrap_or_default();
    match rest.first_chunk::<{ Specials::BLOCK }>() {
        Some(block) => mask(block),
        None => {
            let mut block = [b' '; Specials::BLOCK];
            for (place, byte) in block.iter_mut().zip(rest) {
                *place = *byte;
            }
            mask(&block)
        }
    }
}

#[inline]
fn mask(block: &[u8; Specials::BLOCK]) -> u64 {
    let (quote, backslash) = (u8x16::splat(b'"'), u8x16::splat(b'\\'));
    let control = u8x16::splat(0x1F);
    let (chunks, _) = block.as_chunks::<16>();
    let mut mask = 0;
    for (index, chunk) in chunks.iter().enumerate() {
        let chunk = u8x16::new(*chunk);
        let special =
            chunk.simd_eq(quote) | chunk.simd_eq(backslash) | chunk.min(control).simd_eq(chunk);
        mask |= u64::from(special.to_bitmask()) << (16 * index);
    }
    mask
}

/// The high bit of the first such byte in a word, and perhaps of bytes after it: subtracting borrows from what follows the
/// first one only.
#[inline]
const fn specials(word: u64) -> u64 {
    let (quotes, backslashes) = (word ^ QUOTES, word ^ BACKSLASHES);
    let quotes = quotes.wrapping_sub(ONES) & !quotes;
    let backslashes = backslashes.wrapping_sub(ONES) & !backslashes;
    let controls = word.wrapping_sub(SPACES) & !word;
    (quotes | backslashes | controls) & HIGHS
}

/// The same, byte by byte.
#[inline]
fn plain_bytes(bytes: &[u8]) -> usize {
    let special = |byte: &u8| *byte < 0x20 || *byte == b'"' || *byte == b'\\';
    bytes.iter().position(special).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "tests")]

    use super::{Specials, plain};
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
                        let first = by_definition(&bytes);
                        let first = (first < length).then_some(first);
                        assert_eq!(Specials::new(&bytes).next(0), first, "{bytes:?}");
                    }
                }
            }
        }
    }

    /// From every place on, forwards and back, over several blocks.
    #[test]
    fn from_each_place() {
        let mut seed = 7_u32;
        for length in [0, 1, 63, 64, 65, 127, 128, 129, 200] {
            for rare in [1, 5, 50, 1000] {
                let bytes: Vec<u8> = (0..length)
                    .map(|_| {
                        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        match (seed >> 8) % rare {
                            0 => [b'"', b'\\', 0, 0x1F][(seed >> 28) as usize % 4],
                            _ => [b'a', b' ', 0x80, 0xFF][(seed >> 28) as usize % 4],
                        }
                    })
                    .collect();
                let mut specials = Specials::new(&bytes);
                for at in (0..=length).chain((0..=length).rev()) {
                    let rest = bytes.get(at..).unwrap_or_default();
                    let first = by_definition(rest);
                    let first = (first < rest.len()).then_some(at + first);
                    assert_eq!(specials.next(at), first, "{at}: {bytes:?}");
                }
            }
        }
    }
}
