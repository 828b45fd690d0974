//! Choices out of bytes, from the front and never failing.
//!
//! Where the bytes have run out, each choice is the first one and each chance is a no. So a short
//! input makes a short and sane log, and what an input's beginning means does not hang on its end.

use arbitrary::Unstructured;

/// Makes choices.
pub(crate) struct Dice<'d, 'a> {
    bytes: &'d mut Unstructured<'a>,
}

impl<'d, 'a> Dice<'d, 'a> {
    pub(crate) fn new(bytes: &'d mut Unstructured<'a>) -> Self {
        Self { bytes }
    }

    /// Whether the bytes have run out.
    pub(crate) fn is_spent(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.bytes.arbitrary().unwrap_or(0)
    }

    /// Eight bytes as a number.
    pub(crate) fn word(&mut self) -> u64 {
        self.bytes.arbitrary().unwrap_or(0)
    }

    /// A number below `end`, which one byte decides where it can. Zero where there is none.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        if end <= 1 {
            return 0;
        }
        if end <= 256 {
            return usize::from(self.byte()) * end / 256;
        }
        let wide = usize::from(self.byte()) << 8 | usize::from(self.byte());
        wide * end / 65536
    }

    /// A number from `low` to `high`.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below((high + 1).saturating_sub(low))
    }

    /// Yes in so many of a hundred cases.
    pub(crate) fn chance(&mut self, percent: u8) -> bool {
        let yes = usize::from(percent) * 256 / 100;
        usize::from(self.byte()) >= 256 - yes.min(256)
    }

    /// One of a list.
    pub(crate) fn pick<'l, T>(&mut self, list: &'l [T]) -> Option<&'l T> {
        let at = self.below(list.len());
        list.get(at)
    }

    /// One of a list that is not empty.
    pub(crate) fn one<T: Copy + Default>(&mut self, list: &[T]) -> T {
        self.pick(list).copied().unwrap_or_default()
    }
}

/// Things with weights, of which some may be switched off.
#[derive(Clone)]
pub(crate) struct Weighted<T> {
    entries: Vec<(T, usize)>,
    total: usize,
}

impl<T: Copy> Weighted<T> {
    /// The entries of a table but those whose bits are set.
    pub(crate) fn new(table: &[(T, u8)], off: u128) -> Self {
        let mut entries = Vec::with_capacity(table.len());
        let mut total = 0;
        for (bit, (entry, weight)) in table.iter().enumerate() {
            if off >> (bit % 128) & 1 == 0 {
                let weight = usize::from(*weight);
                total += weight;
                entries.push((*entry, weight));
            }
        }
        Self { entries, total }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn pick(&self, dice: &mut Dice<'_, '_>) -> Option<T> {
        let mut at = dice.below(self.total);
        for (entry, weight) in &self.entries {
            if at < *weight {
                return Some(*entry);
            }
            at -= weight;
        }
        None
    }
}
