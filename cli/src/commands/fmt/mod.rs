//! `tern fmt`: the same messages in one form. The meaning of a file never changes here: what is
//! written back implies the same state, with the same digest.

mod layout;

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use tern_core::log::{self, Input, Reader};
use tern_core::wire::{Json, JsonOptions, Kind, Value, canonical};
use tern_core::{Code, Finding, Limits};

use crate::durable;
use crate::failure::{Exit, Failure};
use crate::input::Origin;
use crate::output::print;
use crate::snippet;
use crate::text::{count, shown};

/// Write every message in canonical form, one a line
///
/// Records of a log document are written in the same way. Numbers keep their exact value, and the
/// bytes that a `deliver` record carries as `text` or `base64` stay as they are. A line that is no
/// strict JSON object is reported and left alone; in a log document it is an error.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Fmt {
    /// A log document, a file of bare messages, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Write for reading: indented, with the fields in the order of the tables
    ///
    /// Only a file of one bare message is still a valid file in this form.
    #[arg(long)]
    pretty: bool,

    /// Write nothing; say which lines are not in that form
    #[arg(long)]
    check: bool,
}

const EXAMPLES: &str = "\
Examples:
  tern fmt messages.jsonl > canonical.jsonl   one form, for comparing byte by byte
  tern fmt --pretty message.json              for reading
  tern fmt --check log.jsonl                  exit code 1 if a line is in another form

Exit codes: 0 fine, 1 a line is broken or, with --check, in another form, 2 a broken log document.";

/// One line as it goes out.
struct Formatted {
    line: u64,
    bytes: Vec<u8>,
    /// Whether it stood in that form already.
    same: bool,
}

struct Work {
    name: String,
    pretty: bool,
    lines: Vec<Formatted>,
    broken: usize,
}

impl Fmt {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let bytes = read(&self.file)?;
        if durable::is_store(&bytes) {
            return Err(Failure::usage(
                format!(
                    "{}: a database has no lines",
                    shown(&self.file.to_string_lossy())
                ),
                "give a log document or a file of messages",
            ));
        }
        let mut work = Work {
            name: match self.file.to_str() {
                Some("-") => "standard input".to_string(),
                _ => shown(&self.file.to_string_lossy()),
            },
            pretty: self.pretty,
            lines: Vec::new(),
            broken: 0,
        };
        let first = lines(&bytes).next().unwrap_or_default();
        if log::begins_document(first) {
            work.document(&bytes)?;
        } else {
            work.bare(&bytes);
        }
        if self.check {
            return work.check();
        }
        work.write()
    }
}

impl Work {
    /// Every line is a record, or the whole is refused (S8.02).
    fn document(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let mut reader = Reader::new(Input::Document);
        for line in lines(bytes) {
            reader.read(line).map_err(|error| Failure::Document {
                name: self.name.clone(),
                line: line.to_vec(),
                error: Box::new(error),
            })?;
            // The reader took it, so it is strict JSON.
            match Json::read(line, JsonOptions::STRICT) {
                Ok(json) => self.push(reader.line(), line, self.record(json.root())),
                Err(_) => self.push(reader.line(), line, line.to_vec()),
            }
        }
        Ok(())
    }

    fn record(&self, root: Value<'_, '_>) -> Vec<u8> {
        let message = root
            .get("deliver")
            .and_then(|deliver| deliver.get("message"));
        match message {
            Some(message) if !keeps_its_size(message, self.pretty) => root.source().into(),
            _ => self.form(root),
        }
    }

    fn bare(&mut self, bytes: &[u8]) {
        // Over one line or several, with blank lines around it or not, it is one message.
        if log::is_one_object(bytes) {
            self.message(1, bytes.strip_suffix(b"\n").unwrap_or(bytes));
            return;
        }
        for (number, line) in (1..).zip(lines(bytes)) {
            self.message(number, line);
        }
    }

    fn message(&mut self, number: u64, line: &[u8]) {
        let finding = match Json::read(line, JsonOptions::STRICT) {
            Ok(json) if json.root().kind() == Kind::Object => {
                let mut out = self.form(json.root());
                // What no receiver reads, or only as it stands, is not made readable or unreadable.
                if !keeps_its_size(json.root(), self.pretty)
                    || (number == 1 && log::begins_document(lines(&out).next().unwrap_or_default()))
                {
                    out = line.to_vec();
                }
                self.push(number, line, out);
                return;
            }
            Ok(json) => not_an_object(json.root()),
            Err(finding) => finding,
        };
        anstream::eprint!(
            "{}",
            snippet::finding(&self.name, Origin::bare(number), line, &finding)
        );
        self.broken += 1;
        self.lines.push(Formatted {
            line: number,
            bytes: line.to_vec(),
            same: false,
        });
    }

    fn form(&self, value: Value<'_, '_>) -> Vec<u8> {
        if self.pretty {
            layout::pretty(value).into_bytes()
        } else {
            canonical(value).into_bytes()
        }
    }

    fn push(&mut self, line: u64, before: &[u8], bytes: Vec<u8>) {
        let same = before == bytes;
        self.lines.push(Formatted { line, bytes, same });
    }

    fn check(self) -> Result<Exit, Failure> {
        let form = if self.pretty { "pretty" } else { "canonical" };
        let mut out = String::new();
        let others = self.lines.iter().filter(|line| !line.same);
        for line in others.clone() {
            out.push_str(&format!(
                "{}:{}: not in {form} form\n",
                self.name, line.line
            ));
        }
        let different = others.count();
        out.push_str(&format!(
            "{} in {form} form, {different} not\n",
            count(self.lines.len() - different, "line"),
        ));
        Exit::found(different > 0).once(print(&out))
    }

    fn write(self) -> Result<Exit, Failure> {
        let mut out = Vec::new();
        for line in &self.lines {
            out.extend_from_slice(&line.bytes);
            out.push(b'\n');
        }
        let mut stdout = io::stdout().lock();
        let written = stdout
            .write_all(&out)
            .and_then(|()| stdout.flush())
            .map_err(|error| Failure::io("standard output", error));
        let exit = Exit::found(self.broken > 0).once(written)?;
        if self.pretty && self.lines.len() > 1 {
            anstream::eprintln!(
                "note: this is for reading; a stream of messages has each on one line (R-05)"
            );
        }
        Ok(exit)
    }
}

/// Whether both forms of a message are within the limit of size, or neither is: otherwise
/// formatting would change what becomes of it (S2.06).
fn keeps_its_size(message: Value<'_, '_>, pretty: bool) -> bool {
    let limit = Limits::default().max_bytes;
    let before = message.span().len();
    // A canonical number can be a few characters longer; most messages are far from the limit.
    if before <= limit / 16 && !pretty {
        return true;
    }
    let after = if pretty {
        layout::pretty(message).len()
    } else {
        canonical(message).len()
    };
    (before <= limit) == (after <= limit)
}

fn not_an_object(value: Value<'_, '_>) -> Finding {
    let message = format!("the message is {}; it must be an object", value.kind());
    Finding::at(value, Code::NotAnObject, message)
}

/// The lines of a file without their newlines. The last one may lack it.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes
        .split_inclusive(|&byte| byte == b'\n')
        .map(|line| line.strip_suffix(b"\n").unwrap_or(line))
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    if file == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin()
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::io("standard input", error))?;
        return Ok(bytes);
    }
    fs::read(file).map_err(|error| Failure::io(&file.to_string_lossy(), error))
}
