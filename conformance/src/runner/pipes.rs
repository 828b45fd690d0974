//! What goes into a process and comes out of it, each in a thread of its own, so that none waits for another.

use std::collections::VecDeque;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::shown::shown;

/// The longest reply that is read, in bytes.
pub(super) const LONGEST: u64 = 64 << 20;

/// How much of standard error is kept: the end.
const KEPT: usize = 4 << 10;

/// What the thread that reads standard output found.
pub(super) enum Heard {
    /// A line, with its newline.
    Line(Vec<u8>),
    /// A line that goes on and on.
    TooLong,
    /// Nothing more comes; a line that is cut off is none.
    End,
    /// Reading failed, which is not the fault of the process.
    Failed(io::Error),
}

/// The three ends of a process that are ours.
pub(super) struct Pipes {
    /// Lines for its standard input.
    pub(super) requests: Sender<Vec<u8>>,
    /// What comes from its standard output. Few lines wait, for each may be long.
    pub(super) replies: Receiver<Heard>,
    errors: Arc<Mutex<VecDeque<u8>>>,
    hears_errors: JoinHandle<()>,
}

impl Pipes {
    /// Takes the pipes of a process that was just started.
    pub(super) fn of(child: &mut Child) -> io::Result<Self> {
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("it has no pipes"));
        };
        let (requests, to_write) = channel();
        let (heard, replies) = sync_channel(1);
        let errors: Arc<Mutex<VecDeque<u8>>> = Arc::default();
        let kept = Arc::clone(&errors);
        let thread = |name: &str| thread::Builder::new().name(name.to_owned());
        thread("requests").spawn(move || write_all(stdin, &to_write))?;
        thread("replies").spawn(move || read_lines(stdout, &heard))?;
        let hears_errors = thread("errors").spawn(move || keep_end(stderr, &kept))?;
        Ok(Self {
            requests,
            replies,
            errors,
            hears_errors,
        })
    }

    /// The end of what it said on standard error, once it has ended. What it started may still hold the pipe, so
    /// this does not wait for long.
    pub(super) fn last_words(&self) -> String {
        let deadline = Instant::now() + Duration::from_millis(200);
        while !self.hears_errors.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = errors.iter().copied().collect();
        shown(String::from_utf8_lossy(&bytes).trim().as_bytes())
    }
}

fn write_all(mut stdin: ChildStdin, requests: &Receiver<Vec<u8>>) {
    for line in requests {
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            // It reads no more. Its output tells whether it still answers.
            return;
        }
    }
}

fn read_lines(stdout: impl io::Read, heard: &SyncSender<Heard>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = reader
            .by_ref()
            .take(LONGEST + 1)
            .read_until(b'\n', &mut line);
        let next = match read {
            Err(error) => Heard::Failed(error),
            Ok(read) if read as u64 > LONGEST => Heard::TooLong,
            Ok(_) if line.last() == Some(&b'\n') => Heard::Line(line),
            Ok(_) => Heard::End,
        };
        let is_last = !matches!(next, Heard::Line(_));
        if heard.send(next).is_err() || is_last {
            return;
        }
    }
}

fn keep_end(mut stderr: impl io::Read, errors: &Mutex<VecDeque<u8>>) {
    let mut room = [0; 4096];
    loop {
        let read = match stderr.read(&mut room) {
            Ok(0) => return,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        let mut errors = errors.lock().unwrap_or_else(PoisonError::into_inner);
        errors.extend(room.get(..read).unwrap_or_default());
        let too_many = errors.len().saturating_sub(KEPT);
        errors.drain(..too_many);
    }
}
