//! Reading without locks, where SQLite cannot write its files beside the database.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::Error;

/// A file that is read as if nobody wrote to it, and what it looked like when that began.
#[derive(Debug)]
pub(super) struct Still {
    path: PathBuf,
    looks: (u64, Option<SystemTime>),
}

impl Still {
    /// The file `path`, if nothing beside it waits to be carried over into it.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let path = path.canonicalize().ok()?;
        let quiet = nothing_waits_beside(&path);
        let looks = looks(&path)?;
        quiet.then_some(Self { path, looks })
    }

    /// The name under which SQLite reads a file without locks.
    pub(super) fn uri(&self) -> String {
        let mut uri = String::from("file:");
        for byte in self.path.as_os_str().as_encoded_bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                    uri.push(char::from(*byte))
                }
                _ => uri.push_str(&format!("%{byte:02X}")),
            }
        }
        uri + "?immutable=1"
    }

    /// Whether what was read so far was of one moment.
    pub(super) fn check(&self, store: &str) -> Result<(), Error> {
        if looks(&self.path) == Some(self.looks) {
            return Ok(());
        }
        Err(Error::Io {
            store: store.to_owned(),
            source: "it was changed while it was read without locks".into(),
        })
    }
}

/// Whether all that the file holds is in the file itself. `path` has no symbolic links.
fn nothing_waits_beside(path: &Path) -> bool {
    ["-wal", "-journal"].iter().all(|suffix| {
        let mut beside = OsString::from(path);
        beside.push(suffix);
        fs::metadata(beside).map_or(true, |meta| meta.len() == 0)
    })
}

/// Whether the file ends within a page of `page` bytes, and nothing beside it has the whole page.
pub(super) fn is_cut_short(path: &Path, page: u64) -> bool {
    let Ok(path) = path.canonicalize() else {
        return false;
    };
    nothing_waits_beside(&path)
        && fs::metadata(path).is_ok_and(|meta| !meta.len().is_multiple_of(page.max(1)))
}

fn looks(path: &Path) -> Option<(u64, Option<SystemTime>)> {
    let meta = fs::metadata(path).ok()?;
    Some((meta.len(), meta.modified().ok()))
}
