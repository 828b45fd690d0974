#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that fails should fail loudly"
)]

use std::cell::Cell;
use std::io::{BufReader, Read};
use std::rc::Rc;

use super::{Batch, Lines, progress};

const SIZE: u64 = 100 << 20;
const LINE: &[u8] = b"{\"tern\":\"0.1\",\"id\":\"ana:1\",\"body\":{\"claims\":[1,2]}}\n";

/// A first line, then the same line over and over, as far as it is read.
struct Endless {
    first: &'static [u8],
    given: Rc<Cell<u64>>,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let start = self.given.get();
        let left = usize::try_from(SIZE - start).unwrap().min(buffer.len());
        for (place, byte) in (start..).zip(&mut buffer[..left]) {
            let place = usize::try_from(place).unwrap();
            *byte = match self.first.get(place) {
                Some(&byte) => byte,
                None => LINE[(place - self.first.len()) % LINE.len()],
            };
        }
        self.given.set(start + left as u64);
        Ok(left)
    }
}

/// R-05, S8.11: a bare file of 100 MB whose first line is broken is not read to its end, nor held,
/// to learn that it is not one object; and nothing of it is lost.
#[test]
fn s8_11_a_large_bare_file_is_not_held() {
    for first in [
        &b"{\n"[..],
        b"{\"a\":1,\n",
        b"{\"a\":\n",
        b"{\"a\":[\n",
        b"{\"a\":[1]\n",
        b"{\"a\n",
        b"{}\n",
        b"\n\n{}\n\n",
        b"[\n",
        b"",
    ] {
        let given = Rc::new(Cell::new(0));
        let endless = Endless {
            first,
            given: Rc::clone(&given),
        };
        let mut lines = Lines {
            name: "endless".into(),
            reader: Box::new(BufReader::with_capacity(1 << 16, endless)),
            at_once: 1,
            progress: progress(None),
            is_stored: false,
            stored: None,
        };
        assert_eq!(lines.whole_message().unwrap(), None);
        assert!(given.get() <= 1 << 17, "{} bytes were read", given.get());
        let mut again = Vec::new();
        while again.len() < first.len() + 5 * LINE.len() {
            let mut batch = Batch::default();
            assert!(lines.next(&mut batch).unwrap());
            for line in batch.lines() {
                again.extend_from_slice(line);
                again.push(b'\n');
            }
        }
        assert_eq!(again[..first.len()], *first);
        assert_eq!(again[first.len()..], LINE.repeat(5));
    }
}
