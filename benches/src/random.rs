//! Pseudo-random numbers: SplitMix64 (Steele, Lea and Flood 2014). No secret, no dependency.

/// A sequence of numbers that its seed decides.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, or 0 where `end` is 0.
    pub const fn below(&mut self, end: usize) -> usize {
        if end == 0 {
            return 0;
        }
        // The bias is less than one in 2^40 for every length that occurs here.
        (self.bits() % end as u64) as usize
    }

    /// True so many times in a thousand.
    pub const fn chance(&mut self, per_mille: usize) -> bool {
        self.below(1000) < per_mille
    }

    /// One of these, if there is any.
    pub fn pick<'t, T>(&mut self, among: &'t [T]) -> Option<&'t T> {
        among.get(self.below(among.len()))
    }
}
