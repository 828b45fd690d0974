//! Files that are written at the end of a run, and tried before it, so that no run is in vain.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A file that takes one text.
pub(super) struct Sink {
    path: PathBuf,
    /// The file, if it was there before.
    file: Option<File>,
}

impl Sink {
    /// Opens a file for writing. What is in it stays until there is something to take its place; and where there was
    /// none, there is none until then, whatever ends the run.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let is_new = fs::symlink_metadata(path).is_err();
        let opened = open(path).and_then(|file| match is_new {
            true => fs::remove_file(path).map(|()| None),
            false => Ok(Some(file)),
        });
        match opened {
            Ok(file) => Ok(Self {
                path: path.to_owned(),
                file,
            }),
            Err(error) => Err(failure(path, error)),
        }
    }

    /// Writes the text in place of what was there.
    pub(super) fn write(self, text: &str) -> Result<(), Failure> {
        let file = self.file.map_or_else(|| open(&self.path), Ok);
        file.and_then(|file| replace(file, text))
            .map_err(|error| failure(&self.path, error))
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    options.open(path)
}

fn replace(mut file: File, text: &str) -> io::Result<()> {
    if file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    file.write_all(text.as_bytes())
}

fn failure(path: &Path, error: io::Error) -> Failure {
    Failure::io(&path.display().to_string(), error)
}
