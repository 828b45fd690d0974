//! An implementation as a process that is asked, watched, and ended.

use std::fmt;
use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use super::group;
use super::pipes::{Heard, LONGEST, Pipes};
use crate::protocol::{self, Hello, PROTOCOL, Reply, Request, SPEC};
use crate::shown::shown;
use crate::vector::cut;

/// A command with its arguments, and what it may use.
#[derive(Clone, Debug)]
pub struct Program {
    /// The command.
    pub command: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// How long a reply may take.
    pub timeout: Duration,
    /// How many bytes of memory it may hold, with what it started; looked at now and then.
    pub memory: u64,
}

impl Program {
    /// How long a reply may take, in milliseconds.
    pub(crate) fn timeout_millis(&self) -> u64 {
        u64::try_from(self.timeout.as_millis()).unwrap_or(u64::MAX)
    }
}

/// What ends an implementation before its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It ended.
    Crash {
        /// How, and what it had said on standard error.
        what: String,
    },
    /// It did not answer in time.
    Timeout {
        /// How long it had, in milliseconds.
        after: u64,
        /// What it had written: of a line without a newline, and on standard error.
        said: String,
    },
    /// It said what is no reply to what it was asked.
    Garbage {
        /// What is wrong with it.
        what: String,
    },
    /// It cannot be started.
    NotStarted {
        /// Why.
        what: String,
    },
    /// The runner itself could not do its part.
    Harness {
        /// What failed.
        what: String,
    },
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crash { what }
            | Self::Garbage { what }
            | Self::NotStarted { what }
            | Self::Harness { what } => f.write_str(what),
            Self::Timeout { after, said } if said.is_empty() => {
                write!(f, "no reply within {after} ms")
            }
            Self::Timeout { after, said } => write!(f, "no reply within {after} ms; {said}"),
        }
    }
}

/// How often memory and the end of the process are looked at.
const TICK: Duration = Duration::from_millis(50);

/// How long a thread of ours may be late with what has come in time.
const LATE: Duration = Duration::from_millis(100);

/// How long is waited for what may still come from a process that has ended, and for the end of one whose output has or
/// that was ended.
const GRACE: Duration = Duration::from_secs(1);

/// Replies of more than so many bytes are read one after the other, whichever process they are from.
const LONG: usize = 1 << 20;

static READS: Mutex<()> = Mutex::new(());

/// A running implementation.
pub(crate) struct Process {
    program: Program,
    child: Child,
    pipes: Pipes,
    seq: u64,
    /// When its memory was looked at.
    looked: Instant,
    recorded: Option<Vec<String>>,
}

impl Process {
    /// Starts the program and asks who it is.
    pub(crate) fn start(program: &Program) -> Result<(Self, Hello), Trouble> {
        let mut process = Self::spawn(program)?;
        let hello = process.hello()?;
        Ok((process, hello))
    }

    /// Starts the program.
    pub(crate) fn spawn(program: &Program) -> Result<Self, Trouble> {
        let mut command = Command::new(&program.command);
        command
            .args(&program.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let cannot = |error: io::Error| Trouble::NotStarted {
            what: format!("`{}` cannot be started: {error}", program.command),
        };
        let mut child = group::start(&mut command).map_err(cannot)?;
        let pipes = match Pipes::of(&mut child) {
            Ok(pipes) => pipes,
            Err(error) => {
                group::end_group(&mut child);
                let _status = child.wait();
                return Err(cannot(error));
            }
        };
        Ok(Self {
            program: program.clone(),
            child,
            pipes,
            seq: 0,
            looked: Instant::now(),
            recorded: None,
        })
    }

    /// Keeps every line from now on.
    pub(crate) fn record(&mut self) {
        self.recorded = Some(Vec::new());
    }

    /// The lines that were kept since they were taken last: of the runner behind `>`, of the process behind `<`.
    pub(crate) fn take_recorded(&mut self) -> Vec<String> {
        self.recorded
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Asks who it is.
    pub(crate) fn hello(&mut self) -> Result<Hello, Trouble> {
        let ask = Request::Hello {
            protocol: PROTOCOL,
            spec: SPEC.to_owned(),
        };
        match self.ask(&ask)? {
            Reply::Hello(hello) if hello.protocol != PROTOCOL => Err(Trouble::Garbage {
                what: format!(
                    "it speaks version {} of the protocol, and was asked in version {PROTOCOL}",
                    hello.protocol
                ),
            }),
            Reply::Hello(hello) if hello.spec != SPEC => Err(Trouble::Garbage {
                what: format!(
                    "it implements `{}` of the specification, and the vectors are about `{SPEC}`",
                    shown(hello.spec.as_bytes())
                ),
            }),
            Reply::Hello(hello) => Ok(hello),
            Reply::Unsupported { why } | Reply::Error { why } => Err(Trouble::Garbage {
                what: cut(
                    format!("it cannot be asked: {}", shown(why.as_bytes())),
                    super::LONGEST,
                ),
            }),
            result @ Reply::Result(_) => Err(Trouble::Garbage {
                what: format!("`hello` was answered with {}", word(&result)),
            }),
        }
    }

    /// Asks, and waits for the reply. After any trouble the process is of no more use.
    pub(crate) fn ask(&mut self, ask: &Request) -> Result<Reply, Trouble> {
        self.seq += 1;
        let mut line = protocol::write_request(self.seq, ask).into_bytes();
        line.push(b'\n');
        self.hear_nothing()?;
        if let Some(recorded) = &mut self.recorded {
            recorded.push(format!("> {}", String::from_utf8_lossy(&line)));
        }
        // If it is gone, its output has ended, which is seen below.
        let _gone = self.pipes.requests.send(line);
        let heard = self.hear()?;
        self.watch_memory()?;
        match heard {
            Heard::Line { line, is_followed } => {
                if let Some(recorded) = &mut self.recorded {
                    recorded.push(format!("< {}", String::from_utf8_lossy(&line)));
                }
                let say = self.read(&line)?;
                if is_followed {
                    return Err(self.garbage("its reply was followed by more, unasked"));
                }
                Ok(say)
            }
            other => Err(self.lost(other)),
        }
    }

    /// The request `stop` that would come next, without its newline.
    pub(crate) fn stop_line(&self) -> String {
        protocol::write_request(self.seq + 1, &Request::Stop {})
    }

    /// Whoever speaks before being asked does not keep to the turns, and could be taken for answering.
    fn hear_nothing(&mut self) -> Result<(), Trouble> {
        match self.pipes.replies.try_recv() {
            Err(TryRecvError::Empty) => Ok(()),
            Err(TryRecvError::Disconnected) => Err(self.lost(Heard::End)),
            Ok(Heard::Line { line, .. }) => Err(self.garbage(&format!(
                "it spoke before it was asked: `{}`",
                beginning(&line)
            ))),
            Ok(other) => Err(self.lost(other)),
        }
    }

    /// What comes next from its standard output.
    fn hear(&mut self) -> Result<Heard, Trouble> {
        let deadline = Instant::now() + self.program.timeout;
        let mut ended = None;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            // If we were late ourselves, so may be the thread that reads.
            let patience = if left.is_zero() { LATE } else { left.min(TICK) };
            match self.pipes.replies.recv_timeout(patience) {
                Ok(heard) => return Ok(heard),
                Err(RecvTimeoutError::Disconnected) => return Ok(Heard::End),
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.watch_memory()?;
            if self.status()?.is_some() {
                let ended = ended.get_or_insert_with(|| {
                    // What it started may hold its output, which then never ends.
                    group::end_group(&mut self.child);
                    Instant::now()
                });
                if ended.elapsed() > GRACE {
                    return Ok(Heard::End);
                }
            }
            if left.is_zero() {
                return Err(self.timeout());
            }
        }
    }

    /// Tells it to stop and lets it end by itself, with status 0 and without another word.
    pub(crate) fn stop(mut self) -> Result<(), Trouble> {
        let mut line = self.stop_line().into_bytes();
        line.push(b'\n');
        // If it is gone, its output has ended, which is seen below.
        let _gone = self.pipes.requests.send(line);
        match self.hear()? {
            Heard::End => {}
            Heard::Line { line, .. } | Heard::Cut(line) => {
                return Err(self.garbage(&format!("`stop` was answered: `{}`", beginning(&line))));
            }
            other => return Err(self.lost(other)),
        }
        let deadline = Instant::now() + self.program.timeout;
        loop {
            match self.status()? {
                Some(status) if status.success() => return Ok(()),
                Some(_) => return Err(self.lost(Heard::End)),
                None if Instant::now() >= deadline => return Err(self.timeout()),
                None => {}
            }
            self.watch_memory()?;
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// How it ended, if it has.
    fn status(&mut self) -> Result<Option<ExitStatus>, Trouble> {
        self.child.try_wait().map_err(|error| Trouble::Harness {
            what: format!("`{}` cannot be watched: {error}", self.program.command),
        })
    }

    fn timeout(&self) -> Trouble {
        group::stay_if_over();
        let mut said = Vec::new();
        let begun = self.pipes.begun();
        if !begun.is_empty() {
            said.push(format!(
                "it wrote a line without a newline: `{}`",
                beginning(&begun)
            ));
        }
        let errors = self.pipes.errors();
        if !errors.is_empty() {
            said.push(format!("on standard error: {errors}"));
        }
        Trouble::Timeout {
            after: self.program.timeout_millis(),
            said: said.join("; "),
        }
    }

    fn read(&self, line: &[u8]) -> Result<Reply, Trouble> {
        let garbage = |what: String| {
            self.garbage(&format!(
                "{}: `{}`",
                cut(what, super::LONGEST),
                beginning(line)
            ))
        };
        // What may take many times its length while it is read is read one at a time.
        let _one = (line.len() > LONG).then(|| READS.lock());
        let (seq, say) = protocol::read_reply(line)
            .map_err(|error| garbage(format!("a line that is no reply ({error})")))?;
        if seq != self.seq {
            return Err(garbage(format!(
                "request {} was answered with `seq` {seq}",
                self.seq
            )));
        }
        Ok(say)
    }

    /// What is no reply, with what it said on standard error.
    fn garbage(&self, what: &str) -> Trouble {
        let errors = self.pipes.errors();
        let what = if errors.is_empty() {
            what.to_owned()
        } else {
            format!("{what}; on standard error: {errors}")
        };
        Trouble::Garbage { what }
    }

    fn watch_memory(&mut self) -> Result<(), Trouble> {
        if self.looked.elapsed() < TICK {
            return Ok(());
        }
        let held = group::held_by(self.child.id(), self.program.memory);
        self.looked = Instant::now();
        if held <= self.program.memory {
            return Ok(());
        }
        Err(Trouble::Crash {
            what: format!("ended by the runner: it held {} MiB of memory", held >> 20),
        })
    }

    /// What it means that no line came.
    fn lost(&mut self, heard: Heard) -> Trouble {
        group::stay_if_over();
        match heard {
            Heard::Line { .. } | Heard::End => self.crash().unwrap_or_else(|trouble| trouble),
            Heard::Cut(line) => match self.crash() {
                Ok(Trouble::Crash { what }) => Trouble::Crash {
                    what: format!(
                        "after a line without a newline, `{}`, {what}",
                        beginning(&line)
                    ),
                },
                Ok(trouble) | Err(trouble) => trouble,
            },
            Heard::TooLong => self.garbage(&format!("a line of more than {} MiB", LONGEST >> 20)),
            Heard::Failed(error) => Trouble::Harness {
                what: format!("what it says cannot be read: {error}"),
            },
        }
    }

    fn crash(&mut self) -> Result<Trouble, Trouble> {
        // Its output has ended; it may be about to.
        let deadline = Instant::now() + GRACE;
        let how = loop {
            if let Some(status) = self.status()? {
                break format!("it ended before its time ({status})");
            }
            if Instant::now() >= deadline {
                break "it closed its standard output".to_owned();
            }
            thread::sleep(Duration::from_millis(5));
        };
        let said = self.pipes.last_words();
        let what = if said.is_empty() {
            how
        } else {
            format!("{how}; on standard error: {said}")
        };
        Ok(Trouble::Crash { what })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        group::end_group(&mut self.child);
        // One that we may not end, such as another user's, is not waited for.
        let deadline = Instant::now() + GRACE;
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// A reply in a word.
pub(crate) const fn word(say: &Reply) -> &'static str {
    match say {
        Reply::Hello(_) => "`hello`",
        Reply::Result(_) => "`result`",
        Reply::Unsupported { .. } => "`unsupported`",
        Reply::Error { .. } => "`error`",
    }
}

/// The beginning of a line, for a person.
fn beginning(line: &[u8]) -> String {
    const MOST: usize = 200;
    let line = line.trim_ascii_end();
    let Ok(text) = std::str::from_utf8(line) else {
        return match line.get(..MOST) {
            Some(start) => format!("{}…", shown(start)),
            None => shown(line),
        };
    };
    match text.char_indices().nth(MOST) {
        None => shown(line),
        Some((end, _)) => format!("{}…", shown(line.get(..end).unwrap_or_default())),
    }
}
