//! A plain file: a line a record.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::table::clock;
use crate::{BATCH, Expected, Peer};

pub(crate) struct PlainFile {
    path: PathBuf,
}

impl PlainFile {
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            path: folder.join("plain.jsonl"),
        }
    }
}

impl Peer for PlainFile {
    fn name(&self) -> &'static str {
        "plain file, fdatasync per 1000"
    }

    fn append(&mut self, lines: &[&[u8]]) -> Duration {
        let _none_yet = std::fs::remove_file(&self.path);
        let (time, ()) = clock(|| {
            let mut file = File::create(&self.path).unwrap();
            let mut buffer = Vec::new();
            for batch in lines.chunks(BATCH) {
                buffer.clear();
                for line in batch {
                    buffer.extend_from_slice(line);
                    buffer.push(b'\n');
                }
                file.write_all(&buffer).unwrap();
                file.sync_data().unwrap();
            }
        });
        time
    }

    fn scan(&mut self, expected: Expected) -> Vec<(&'static str, Duration)> {
        let (time, ()) = clock(|| {
            let (mut records, mut bytes) = (0, 0);
            for line in lines(&self.path) {
                records += 1;
                bytes += line.len();
            }
            expected.check(records, bytes);
        });
        vec![("plain file, lines", time)]
    }
}

/// The lines of a file, each of its own memory, as those of a log are.
pub(crate) fn lines(path: &Path) -> impl Iterator<Item = Vec<u8>> {
    let mut file = BufReader::with_capacity(1 << 16, File::open(path).unwrap());
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        file.read_until(b'\n', &mut line).unwrap();
        (line.pop() == Some(b'\n')).then_some(line)
    })
}
