//! What goes into a process and comes out of it, each in a thread of its own, so that none waits for another.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Write as _};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::shown::shown;

/// The longest reply that is read, in bytes.
pub(super) const LONGEST: usize = 64 << 20;

/// How much of standard error is kept: the end.
const KEPT: usize = 4 << 10;

/// What the thread that reads standard output found.
pub(super) enum Heard {
    /// A line, with its newline.
    Line {
        /// The line.
        line: Vec<u8>,
        /// Whether what follows had come with it.
        is_followed: bool,
    },
    /// A line that goes on and on.
    TooLong,
    /// The beginning of a line, and then nothing more.
    Cut(Vec<u8>),
    /// Nothing more comes.
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
    begun: Arc<Mutex<Vec<u8>>>,
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
        let begun: Arc<Mutex<Vec<u8>>> = Arc::default();
        let errors: Arc<Mutex<VecDeque<u8>>> = Arc::default();
        let (line, kept) = (Arc::clone(&begun), Arc::clone(&errors));
        let thread = |name: &str| thread::Builder::new().name(name.to_owned());
        thread("requests").spawn(move || write_all(stdin, &to_write))?;
        thread("replies").spawn(move || read_lines(stdout, &line, &heard))?;
        let hears_errors = thread("errors").spawn(move || keep_end(stderr, &kept))?;
        Ok(Self {
            requests,
            replies,
            begun,
            errors,
            hears_errors,
        })
    }

    /// What it has written of a line that has no end yet.
    pub(super) fn begun(&self) -> Vec<u8> {
        let begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.clone()
    }

    /// The end of what it said on standard error so far.
    pub(super) fn errors(&self) -> String {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = errors.iter().copied().collect();
        shown(String::from_utf8_lossy(&bytes).trim().as_bytes())
    }

    /// The end of what it said on standard error, once it has ended. What it started may still hold the pipe, so
    /// this does not wait for long.
    pub(super) fn last_words(&self) -> String {
        let deadline = Instant::now() + Duration::from_millis(200);
        while !self.hears_errors.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        self.errors()
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

fn read_lines(stdout: impl io::Read, begun: &Mutex<Vec<u8>>, heard: &SyncSender<Heard>) {
    let mut reader = BufReader::with_capacity(1 << 16, stdout);
    loop {
        let next = read_line(&mut reader, begun).unwrap_or_else(Heard::Failed);
        let is_last = !matches!(next, Heard::Line { .. });
        if heard.send(next).is_err() || is_last {
            return;
        }
    }
}

/// Reads up to a newline or the end. What was read of the line so far stands in `begun`.
fn read_line(reader: &mut BufReader<impl io::Read>, begun: &Mutex<Vec<u8>>) -> io::Result<Heard> {
    loop {
        let room = match reader.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            room => room?,
        };
        let mut line = begun.lock().unwrap_or_else(PoisonError::into_inner);
        if room.is_empty() {
            let cut = std::mem::take(&mut *line);
            return Ok(match cut.is_empty() {
                true => Heard::End,
                false => Heard::Cut(cut),
            });
        }
        let part = match room.iter().position(|byte| *byte == b'\n') {
            Some(at) => room.get(..=at).unwrap_or(room),
            None => room,
        };
        line.extend_from_slice(part);
        let taken = part.len();
        reader.consume(taken);
        if line.len() > LONGEST {
            return Ok(Heard::TooLong);
        }
        if line.ends_with(b"\n") {
            return Ok(Heard::Line {
                line: std::mem::take(&mut *line),
                is_followed: !reader.buffer().is_empty(),
            });
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
