//! Names as small numbers: every id, participant and evidence reference is kept once.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::hash::Hasher;

use hashbrown::HashTable;
use siphasher::sip::SipHasher13;

/// A message id, known or only referred to. It indexes the slots of one `State`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Ix(pub(crate) u32);

/// The key of the hash tables. Hostile senders choose the ids, so it should be secret: the core
/// has no randomness of its own and takes it as an input.
#[derive(Clone, Copy, Default)]
pub struct HashKey(pub u64, pub u64);

impl fmt::Debug for HashKey {
    /// Does not show the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HashKey(…)")
    }
}

/// Distinct strings, numbered in order of arrival.
#[derive(Clone, Debug)]
pub(crate) struct Interner {
    key: HashKey,
    text: String,
    /// Where each string ends in `text`; it starts where the one before ends.
    ends: Vec<usize>,
    table: HashTable<u32>,
}

impl Interner {
    pub(crate) fn new(key: HashKey) -> Self {
        Self {
            key,
            text: String::new(),
            ends: Vec::new(),
            table: HashTable::new(),
        }
    }

    /// The string of that number.
    pub(crate) fn name(&self, index: u32) -> &str {
        name(&self.text, &self.ends, index)
    }

    /// The number of the string, if it is known.
    pub(crate) fn find(&self, text: &str) -> Option<u32> {
        self.table
            .find(hash(self.key, text), |&other| self.name(other) == text)
            .copied()
    }

    /// The number of the string, known or new from now on.
    pub(crate) fn intern(&mut self, string: &str) -> u32 {
        let Self {
            key,
            text,
            ends,
            table,
        } = self;
        let entry = table.entry(
            hash(*key, string),
            |&other| name(text, ends, other) == string,
            |&other| hash(*key, name(text, ends, other)),
        );
        match entry {
            hashbrown::hash_table::Entry::Occupied(entry) => *entry.get(),
            hashbrown::hash_table::Entry::Vacant(entry) => {
                // INVARIANT: fewer than 2^32 strings. Each costs tens of bytes, so memory ends first.
                let index = u32::try_from(ends.len()).unwrap_or(u32::MAX);
                entry.insert(index);
                text.push_str(string);
                ends.push(text.len());
                index
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Every string, in the order of their numbers.
    pub(crate) fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let from = core::mem::replace(&mut start, end);
            self.text.get(from..end).unwrap_or_default()
        })
    }

    /// Makes room for so many more strings.
    pub(crate) fn reserve(&mut self, count: usize) {
        let Self {
            key,
            text,
            ends,
            table,
        } = self;
        ends.reserve(count);
        table.reserve(count, |&other| hash(*key, name(text, ends, other)));
    }
}

fn name<'t>(text: &'t str, ends: &[usize], index: u32) -> &'t str {
    let index = index as usize;
    let start = index
        .checked_sub(1)
        .and_then(|before| ends.get(before))
        .copied()
        .unwrap_or(0);
    let end = ends.get(index).copied().unwrap_or(start);
    text.get(start..end).unwrap_or_default()
}

fn hash(key: HashKey, text: &str) -> u64 {
    let mut hasher = SipHasher13::new_with_keys(key.0, key.1);
    hasher.write(text.as_bytes());
    hasher.finish()
}
