//! Any engine as an implementation that the runner can ask: an adapter.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};

use serde_json::Value;

use crate::engine::{Answer, Ask as Look, Engine};
use crate::protocol::{
    self, Ask, Capability, Fate, Hello, NotOfProtocol, PROTOCOL, Part, SPEC, Say, Told,
};

/// Answers the requests that come in until it is told to stop, or nothing more comes.
///
/// # Errors
/// Where reading or writing fails. A line that is no request is answered with `error`, under its own `seq` if it has
/// one, else under 0.
pub fn serve(
    engine: &mut dyn Engine,
    mut requests: impl BufRead,
    mut replies: impl Write,
) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if requests.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let (seq, say) = match protocol::read_request(&line) {
            Ok((_, Ask::Stop {})) => return Ok(()),
            Ok((seq, ask)) => (seq, answer(engine, ask)),
            Err(NotOfProtocol { seq, why }) => (seq.unwrap_or(0), Say::Error { why }),
        };
        writeln!(replies, "{}", protocol::write_reply(seq, &say))?;
        replies.flush()?;
    }
}

/// What an engine says to a request.
fn answer(engine: &mut dyn Engine, ask: Ask) -> Say {
    match ask {
        Ask::Hello { protocol, spec } if protocol != PROTOCOL || spec != SPEC => Say::Unsupported {
            why: format!(
                "this speaks version {PROTOCOL} of the protocol, and implements Tern {SPEC}"
            ),
        },
        Ask::Hello { .. } => Say::Hello(Hello {
            protocol: PROTOCOL,
            spec: SPEC.to_owned(),
            implementation: format!("tern {}", engine.name()),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            language: "Rust".to_owned(),
            capabilities: BTreeSet::from(Capability::ALL),
        }),
        Ask::Run { document, answer } => match engine.run(&document.0, Look::ViewAtEnd) {
            Ok(read) => Say::Result(told(&read, &answer)),
            Err(error) => Say::Error {
                why: error.to_string(),
            },
        },
        // Has no answer; the caller ends.
        Ask::Stop {} => Say::Unsupported {
            why: "nothing follows a stop".to_owned(),
        },
    }
}

/// An answer as a reply tells it, with what was asked for.
#[must_use]
pub fn told(answer: &Answer, asked: &BTreeSet<Part>) -> Told {
    let reading = match answer {
        Answer::Refused { line } => {
            return Told {
                refused: u64::try_from(*line).ok(),
                ..Told::default()
            };
        }
        Answer::Read(reading) => reading,
    };
    let view = reading.views.last();
    let asked_view = view.filter(|_| asked.contains(&Part::View));
    let asked_digest = view.filter(|_| asked.contains(&Part::Digest));
    Told {
        refused: None,
        outcomes: Some(reading.outcomes.iter().map(Fate::from).collect()),
        view: asked_view.map(|view| serde_json::from_str(&view.json).unwrap_or(Value::Null)),
        digest: asked_digest.map(|view| view.digest.clone()),
    }
}
