//! Writing to standard output.

use std::io::{self, BufWriter, Write};

use serde::Serialize;
use tern_core::{Finding, Outcome, Verdict};

use crate::failure::Failure;
use crate::input::Origin;

const STDOUT: &str = "standard output";

/// Writes text for people: with its colours where standard output is a terminal that wants them.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    write(anstream::AutoStream::auto(io::stdout().lock()), text)
}

/// Writes data, byte for byte.
pub(crate) fn print_data(text: &str) -> Result<(), Failure> {
    write(io::stdout().lock(), text)
}

/// Writes a value as JSON on one line, without holding the line in memory.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    serde_json::to_writer(&mut out, value)
        .map_err(io::Error::from)
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush())
        .map_err(|error| Failure::io(STDOUT, error))
}

fn write(mut out: impl Write, text: &str) -> Result<(), Failure> {
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::io(STDOUT, error))
}

/// A report in parts, written as they come.
///
/// Of a log document nothing may be shown before its end is known to be sound (S8.02), so its parts
/// are held until then.
pub(crate) struct Report {
    out: BufWriter<Box<dyn Write>>,
    held: String,
}

impl Report {
    /// For people, with their colours, or data, byte for byte.
    pub(crate) fn new(data: bool) -> Self {
        let out = io::stdout().lock();
        let out: Box<dyn Write> = if data {
            Box::new(out)
        } else {
            Box::new(anstream::AutoStream::auto(out))
        };
        Self {
            out: BufWriter::with_capacity(1 << 16, out),
            held: String::new(),
        }
    }

    /// The next part. `held` says that something later may take it back; what is held comes out
    /// before anything that is not.
    pub(crate) fn add(&mut self, part: &str, held: bool) -> Result<(), Failure> {
        if held {
            self.held.push_str(part);
            return Ok(());
        }
        let held = std::mem::take(&mut self.held);
        self.out
            .write_all(held.as_bytes())
            .and_then(|()| self.out.write_all(part.as_bytes()))
            .map_err(|error| Failure::io(STDOUT, error))
    }

    /// The last part. Nothing takes anything back any more.
    pub(crate) fn finish(mut self, part: &str) -> Result<(), Failure> {
        self.add(part, false)?;
        self.out.flush().map_err(|error| Failure::io(STDOUT, error))
    }
}

/// One delivery as one JSON object (`spec/schemas/outcome.schema.json`).
pub(crate) fn outcome_json(delivery: u64, origin: Origin, outcome: &Outcome) -> serde_json::Value {
    let rejection = outcome.verdict.rejection();
    let waiting_for: &[String] = match &outcome.verdict {
        Verdict::Pending { waiting_for } => waiting_for,
        _ => &[],
    };
    serde_json::json!({
        "delivery": delivery,
        "line": origin.line,
        "outcome": outcome.verdict.as_str(),
        "id": outcome.id,
        "class": rejection.map(|rejection| rejection.class()),
        "code": rejection.map(|rejection| rejection.code()),
        "clause": outcome.verdict.clause(),
        "findings": rejection.map_or_else(Vec::new, |rejection| {
            rejection.findings().iter().map(|finding| finding_json(origin, finding)).collect()
        }),
        "waiting_for": waiting_for,
        "released": outcome.released.iter().map(|released| serde_json::json!({
            "id": released.id,
            "status": if released.code.is_none() { "accepted" } else { "rejected" },
            "code": released.code,
        })).collect::<Vec<_>>(),
    })
}

/// One finding as JSON. Its line is that of the file.
pub(crate) fn finding_json(origin: Origin, finding: &Finding) -> serde_json::Value {
    serde_json::json!({
        "code": finding.code,
        "clause": finding.code.clause(),
        "pointer": finding.pointer,
        "offset": finding.span.start,
        "line": origin.line_of(finding),
        "column": finding.column,
        "message": finding.message,
        "hint": finding.hint,
    })
}
