//! The keys of the table, as they stand in the text.

/// The key of a field: its bytes and the quotation mark after it, so that one comparison finds both.
pub(super) struct Key {
    word: u128,
    mask: u128,
    length: usize,
}

impl Key {
    /// The longest key, with the quotation mark after it.
    const LONGEST: usize = 16;

    pub(super) const fn new(name: &'static str) -> Self {
        let name = name.as_bytes();
        assert!(name.len() < Self::LONGEST, "longer than a word");
        let (mut word, mut mask, mut at) = (0, 0, 0);
        while at <= name.len() {
            #[expect(
                clippy::indexing_slicing,
                reason = "the loop ends there, and it runs when it is compiled"
            )]
            let byte = if at < name.len() { name[at] } else { b'"' };
            word |= (byte as u128) << (8 * at);
            mask |= 0xFF << (8 * at);
            at += 1;
        }
        Self {
            word,
            mask,
            length: name.len() + 1,
        }
    }

    /// How long it is with the quotation mark after it, if the text begins with both.
    #[inline]
    pub(super) fn begins(&self, word: u128) -> Option<usize> {
        (word & self.mask == self.word).then_some(self.length)
    }

    /// The beginning of a text as a word; what is beyond its end is no key's.
    #[inline]
    pub(super) fn word(text: &[u8]) -> u128 {
        match text.first_chunk() {
            Some(chunk) => u128::from_le_bytes(*chunk),
            None => {
                let mut chunk = [0; Self::LONGEST];
                for (place, byte) in chunk.iter_mut().zip(text) {
                    *place = *byte;
                }
                u128::from_le_bytes(chunk)
            }
        }
    }
}

/// Numbers the fields of an object, in the order of the table, in which most writers write them.
macro_rules! names {
    ($owner:ident { $($name:ident),+ $(,)? }) => {
        #[allow(non_upper_case_globals, dead_code, reason = "named as on the wire")]
        struct $owner;
        #[allow(non_upper_case_globals, dead_code, reason = "named as on the wire")]
        impl $owner {
            names!(@number 0; $($name)+);
            const NAMES: [$crate::wire::direct::names::Key; [$(stringify!($name)),+].len()] =
                [$($crate::wire::direct::names::Key::new(stringify!($name))),+];
        }
    };
    (@number $number:expr; $first:ident $($rest:ident)*) => {
        const $first: usize = $number;
        names!(@number $number + 1; $($rest)*);
    };
    (@number $number:expr;) => {};
}

pub(super) use names;
