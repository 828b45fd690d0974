//! Any engine as an implementation that the runner can ask: an adapter.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};

use crate::engine::{Answer, Ask, Engine};
use crate::protocol::{
    self, Capability, Fate, Hello, NotOfProtocol, PROTOCOL, Part, Reply, Request, SPEC, Told,
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
        let (seq, reply) = match protocol::read_request(&line) {
            Ok((_, Request::Stop {})) => return Ok(()),
            Ok((seq, Request::Hello { protocol, spec })) => {
                (seq, hello(engine.name(), protocol, &spec))
            }
            Ok((seq, Request::Run { document, answer })) => {
                (seq, run(engine, &document.0, &answer))
            }
            Err(NotOfProtocol { seq, why }) => (seq.unwrap_or(0), Reply::Error { why }),
        };
        writeln!(replies, "{}", protocol::write_reply(seq, &reply))?;
        replies.flush()?;
    }
}

fn hello(name: &str, protocol: u64, spec: &str) -> Reply {
    if protocol != PROTOCOL || spec != SPEC {
        return Reply::Unsupported {
            why: format!(
                "this speaks version {PROTOCOL} of the protocol, and implements Tern {SPEC}"
            ),
        };
    }
    Reply::Hello(Hello {
        protocol: PROTOCOL,
        spec: SPEC.to_owned(),
        implementation: format!("tern {name}"),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        language: "Rust".to_owned(),
        capabilities: BTreeSet::from(Capability::ALL),
    })
}

fn run(engine: &mut dyn Engine, document: &[u8], asked: &BTreeSet<Part>) -> Reply {
    match engine.run(document, Ask::ViewAtEnd) {
        Ok(answer) => Reply::Result(told(&answer, asked)),
        Err(error) => Reply::Error {
            why: error.to_string(),
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
        view: asked_view.and_then(|view| serde_json::from_str(&view.json).ok()),
        digest: asked_digest.map(|view| view.digest.clone()),
    }
}
