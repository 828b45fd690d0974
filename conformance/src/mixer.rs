//! Choices that follow from a number or from bytes, for ever the same ones.

/// SplitMix64 (Steele, Lea and Flood 2014): small choices that replay.
#[derive(Clone, Debug)]
pub struct Mixer(u64);

impl Mixer {
    /// The choices of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The choices that follow from these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(hash(bytes))
    }

    /// The next number.
    pub const fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `end`; zero where there is none.
    pub fn below(&mut self, end: usize) -> usize {
        // The remainder is smaller than `end`, so it fits.
        usize::try_from(self.number() % (end.max(1) as u64)).unwrap_or(0)
    }

    /// Puts a list into another order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

/// FNV-1a.
#[must_use]
pub fn hash(bytes: &[u8]) -> u64 {
    hash_from(0xcbf2_9ce4_8422_2325, bytes)
}

/// FNV-1a that begins with another number than the usual one.
#[must_use]
pub fn hash_from(begin: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(begin, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
