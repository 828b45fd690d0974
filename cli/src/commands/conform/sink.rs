//! Files that are written at the end of a run, and tried before it, so that no run is in vain.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A file that takes one text. What is in it stays until there is something to take its place; and where there was
/// none, there is none until then, whatever ends the run.
pub(super) struct Sink {
    path: PathBuf,
    file: Option<File>,
    is_new: bool,
}

impl Sink {
    /// Opens a file for writing.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let is_new = fs::symlink_metadata(path).is_err();
        match open(path) {
            Ok(file) => Ok(Self {
                path: path.to_owned(),
                file: Some(file),
                is_new,
            }),
            Err(error) => Err(failure(path, error)),
        }
    }

    /// Takes a file that was not there before away again, until there is something to write.
    pub(super) fn settle(&mut self) -> Result<(), Failure> {
        if !std::mem::take(&mut self.is_new) {
            return Ok(());
        }
        self.file = None;
        fs::remove_file(&self.path).map_err(|error| failure(&self.path, error))
    }

    /// Writes the text in place of what was there.
    pub(super) fn write(mut self, text: &str) -> Result<(), Failure> {
        self.is_new = false;
        let file = self.file.take().map_or_else(|| open(&self.path), Ok);
        file.and_then(|file| replace(file, text))
            .map_err(|error| failure(&self.path, error))
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        // Nothing was written to it, and somebody else says why.
        let _settled = self.settle();
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
