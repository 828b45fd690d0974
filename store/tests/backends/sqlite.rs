//! An SQLite file in a folder of its own.

use tempfile::TempDir;
use tern_store::{Store, connect};

fn fresh() -> (TempDir, Box<dyn Store>) {
    let folder = tempfile::tempdir().unwrap();
    let address = format!("sqlite:{}", folder.path().join("thread.db").display());
    (folder, connect(&address.parse().unwrap()).unwrap())
}

crate::hold!(fresh());
