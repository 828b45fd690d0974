//! The parts that a snapshot is made of: numbers, texts, digests, and lists of them.
//!
//! INVARIANT (one spelling): there is one way to write each value, and no other is read.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use crate::reduce::Ix;
use crate::wire::Digest;

/// A snapshot being written.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    pub(super) fn flag(&mut self, flag: bool) {
        self.byte(u8::from(flag));
    }

    /// Seven bits a byte, the low ones first; all bytes but the last have the high bit.
    pub(super) fn number(&mut self, mut number: u64) {
        while number > 0x7F {
            self.byte((number & 0x7F) as u8 | 0x80);
            number >>= 7;
        }
        self.byte(number as u8);
    }

    pub(super) fn count(&mut self, count: usize) {
        self.number(count as u64);
    }

    /// 0, -1, 1, -2 and so on are written as 0, 1, 2, 3.
    pub(super) fn signed(&mut self, number: i64) {
        self.number((number << 1 ^ number >> 63).cast_unsigned());
    }

    pub(super) fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    pub(super) fn digest(&mut self, digest: &Digest) {
        self.bytes.extend_from_slice(digest.as_bytes());
    }

    pub(super) fn ix(&mut self, ix: Ix) {
        self.number(ix.0.into());
    }

    /// A word, by its place in the list of all.
    pub(super) fn word<T: PartialEq>(&mut self, all: &[T], word: T) {
        let place = all.iter().position(|other| *other == word);
        self.count(place.unwrap_or(all.len()));
    }

    pub(super) fn maybe<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.flag(value.is_some());
        if let Some(value) = value {
            write(self, value);
        }
    }

    pub(super) fn all<T>(
        &mut self,
        list: impl ExactSizeIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.count(list.len());
        list.for_each(|item| write(self, item));
    }
}

/// A snapshot being read. Nothing stands for bytes that no writer has written.
pub(super) struct Reader<'b> {
    pub(super) rest: &'b [u8],
}

impl<'b> Reader<'b> {
    pub(super) fn bytes(&mut self, count: usize) -> Option<&'b [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(bytes)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    pub(super) fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7F);
            number |= bits << shift;
            if number >> shift != bits {
                return None; // More than 64 bits.
            }
            if byte & 0x80 == 0 {
                let is_shortest = byte != 0 || shift == 0;
                return is_shortest.then_some(number);
            }
        }
        None
    }

    pub(super) fn small<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(self.number()?).ok()
    }

    /// How many items follow, each of so many bytes at least: never more than there is room for.
    pub(super) fn count(&mut self, least: usize) -> Option<usize> {
        let count: usize = self.small()?;
        (count <= self.rest.len() / least).then_some(count)
    }

    pub(super) fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1).cast_signed() ^ -((number & 1).cast_signed()))
    }

    /// A text that is not empty, as all are that a state keeps.
    pub(super) fn text(&mut self) -> Option<&'b str> {
        self.any_text().filter(|text| !text.is_empty())
    }

    pub(super) fn any_text(&mut self) -> Option<&'b str> {
        let length = self.count(1)?;
        core::str::from_utf8(self.bytes(length)?).ok()
    }

    pub(super) fn boxed(&mut self) -> Option<Box<str>> {
        self.text().map(Into::into)
    }

    pub(super) fn digest(&mut self) -> Option<Digest> {
        let bytes: [u8; 32] = self.bytes(32)?.try_into().ok()?;
        Some(bytes.into())
    }

    /// A number below `ids`, which is how many ids there are.
    pub(super) fn ix(&mut self, ids: usize) -> Option<Ix> {
        let index: u32 = self.small()?;
        ((index as usize) < ids).then_some(Ix(index))
    }

    pub(super) fn word<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        let place: usize = self.small()?;
        all.get(place).copied()
    }

    pub(super) fn maybe<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Option<T>> {
        if self.flag()? {
            read(self).map(Some)
        } else {
            Some(None)
        }
    }

    /// A list of items that take so many bytes each at least.
    pub(super) fn all<T>(
        &mut self,
        least: usize,
        mut read: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Box<[T]>> {
        let count = self.count(least)?;
        (0..count).map(|_| read(self)).collect()
    }

    pub(super) fn set<T: Ord>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<BTreeSet<T>> {
        let mut set = BTreeSet::new();
        for _ in 0..self.count(1)? {
            let item = read(self)?;
            if set.last().is_some_and(|last| *last >= item) {
                return None;
            }
            set.insert(item);
        }
        Some(set)
    }

    pub(super) fn map<K: Ord, V>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Option<(K, V)>,
    ) -> Option<BTreeMap<K, V>> {
        let mut map = BTreeMap::new();
        for _ in 0..self.count(1)? {
            let (key, value) = read(self)?;
            if map.last_key_value().is_some_and(|(last, _)| *last >= key) {
                return None;
            }
            map.insert(key, value);
        }
        Some(map)
    }
}
