//! What an open log may still do.

use std::cell::OnceCell;

use crate::Error;

/// Whether a log was opened for writing, and whether it answers at all. INVARIANT 5: after a failure that leaves open what
/// the medium holds, it does not.
#[derive(Debug)]
pub(crate) struct Standing {
    writable: bool,
    /// The sentence of that failure.
    poison: OnceCell<String>,
}

impl Standing {
    pub(crate) const fn new(writable: bool) -> Self {
        Self {
            writable,
            poison: OnceCell::new(),
        }
    }

    /// Asked first by everything that a log answers.
    pub(crate) fn expect_usable(&self, store: &str) -> Result<(), Error> {
        match self.poison.get() {
            None => Ok(()),
            Some(cause) => Err(Error::Poisoned {
                store: store.to_owned(),
                cause: cause.clone(),
            }),
        }
    }

    /// Asked first by everything that a log keeps.
    pub(crate) fn expect_writable(&self, store: &str) -> Result<(), Error> {
        self.expect_usable(store)?;
        if self.writable {
            return Ok(());
        }
        Err(Error::ReadOnly {
            store: store.to_owned(),
        })
    }

    /// Nothing more is answered. The first cause is the one that counts.
    pub(crate) fn poison(&self, cause: &Error) {
        let _already = self.poison.set(cause.to_string());
    }
}
