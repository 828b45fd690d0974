//! Writes a corpus to standard output.

use std::io::{self, BufWriter, Write as _};
use std::process::ExitCode;

use tern_benches::hostile::{self, Target};
use tern_benches::{Corpus, mixed};

const USAGE: &str = "\
usage: corpus SHAPE N [--seed SEED] [--bare]

Writes a log document, or with --bare its messages alone.
SHAPE is mixed, or one of the hostile shapes: chain waiting fork fork-report fork-commit hubs
commitments reports acks keys unknown-fields recipients citations given claims impacts nesting
broken-nesting grants versions cycle changed-request changed-request-known strangers-revisions
interleaved interleaved-alike unsettled starts challenges
";

fn corpus(shape: &str, n: usize, seed: u64) -> Option<Corpus> {
    Some(match shape {
        "mixed" => mixed(seed, n),
        "chain" => hostile::chain(n),
        "waiting" => hostile::waiting(n),
        "fork" => hostile::fork(Target::Tell, n),
        "fork-report" => hostile::fork(Target::Report, n),
        "fork-commit" => hostile::fork(Target::Commit, n),
        "hubs" => hostile::hubs(n),
        "commitments" => hostile::commitments(n),
        "reports" => hostile::reports(n),
        "acks" => hostile::acks(n),
        "keys" => hostile::keys(n),
        "unknown-fields" => hostile::unknown_fields(n),
        "recipients" => hostile::recipients(n),
        "citations" => hostile::citations(n),
        "given" => hostile::given(n),
        "claims" => hostile::claims(n),
        "impacts" => hostile::impacts(n),
        "nesting" => hostile::nesting(n),
        "broken-nesting" => hostile::broken_nesting(n),
        "grants" => hostile::grants(n),
        "versions" => hostile::versions(n),
        "cycle" => hostile::cycle(n),
        "changed-request" => hostile::changed_request(n, false),
        "changed-request-known" => hostile::changed_request(n, true),
        "strangers-revisions" => hostile::strangers_revisions(n),
        "interleaved" => hostile::interleaved(n, true),
        "interleaved-alike" => hostile::interleaved(n, false),
        "unsettled" => hostile::unsettled(n),
        "starts" => hostile::starts(n),
        "challenges" => hostile::challenges(n),
        _ => return None,
    })
}

fn main() -> ExitCode {
    let mut words = Vec::new();
    let (mut seed, mut bare) = (Some(7), false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seed" => seed = arguments.next().and_then(|seed| seed.parse().ok()),
            "--bare" => bare = true,
            _ => words.push(argument),
        }
    }
    let made = match (words.as_slice(), seed) {
        ([shape, n], Some(seed)) => n.parse().ok().and_then(|n| corpus(shape, n, seed)),
        _ => None,
    };
    let Some(corpus) = made else {
        eprint!("{USAGE}");
        return ExitCode::from(2);
    };
    let lines: Box<dyn Iterator<Item = String>> = if bare {
        Box::new(corpus.bare())
    } else {
        Box::new(corpus.document())
    };
    match write_lines(lines) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read it has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn write_lines(lines: impl Iterator<Item = String>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 18, io::stdout().lock());
    for line in lines {
        out.write_all(line.as_bytes())?;
        out.write_all(b"\n")?;
    }
    out.flush()
}
