//! Files that are written at the end of a run, and opened before it, so that no run is in vain.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use crate::failure::Failure;

/// A file that takes one text.
pub(super) struct Sink {
    name: String,
    file: File,
}

impl Sink {
    /// Opens a file. What is in it stays until there is something to take its place.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        match options.open(path) {
            Ok(file) => Ok(Self { name, file }),
            Err(error) => Err(Failure::io(&name, error)),
        }
    }

    /// Writes the text in place of what was there.
    pub(super) fn write(mut self, text: &str) -> Result<(), Failure> {
        let is_file = self.file.metadata().is_ok_and(|it| it.is_file());
        let emptied = if is_file {
            self.file.set_len(0)
        } else {
            Ok(())
        };
        emptied
            .and_then(|()| self.file.write_all(text.as_bytes()))
            .map_err(|error| Failure::io(&self.name, error))
    }
}
