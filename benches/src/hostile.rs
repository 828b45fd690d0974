//! Shapes in which something might grow faster than its input: each takes its size.
//!
//! What a shape says stays small, so that a bench sees the structure and not the text.

use crate::corpus::{Corpus, Entry, genuine};
use crate::write::{
    Draft, ack, ask, challenge, claim, commit, impact, message, report, request, revise, tell,
};

/// What is revised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A TELL, on which nothing rests.
    Tell,
    /// A REPORT, of whose commitment the progress is derived.
    Report,
    /// A COMMIT, of which readiness is derived.
    Commit,
}

/// A message for `target`, its body for replacements, and what must come before it.
fn original(target: Target) -> (Vec<String>, &'static str, String) {
    let asked = message("q:r", None, "REQUEST", &request("dig", "", None));
    let promise = commit("q:r", "dig", "", None);
    let promised = message("a:k", Some("q:r"), "COMMIT", &promise);
    match target {
        Target::Tell => {
            let body = tell(&claim("it rains", ""));
            (vec![message("a:t", None, "TELL", &body)], "a:t", body)
        }
        Target::Commit => (vec![asked, promised], "a:k", promise),
        Target::Report => {
            let body = report("a:k", "active", &claim("digging", ""));
            let reported = message("a:p", Some("a:k"), "REPORT", &body);
            (vec![asked, promised, reported], "a:p", body)
        }
    }
}

/// The id that [`fork`] and [`chain`] revise.
#[must_use]
pub fn target_id(target: Target) -> &'static str {
    original(target).1
}

/// The id of the commitment that rests on it, if any.
#[must_use]
pub const fn commitment_id(target: Target) -> Option<&'static str> {
    match target {
        Target::Tell => None,
        Target::Report | Target::Commit => Some("a:k"),
    }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

/// One TELL and a chain of `n` revisions of it.
#[must_use]
pub fn chain(n: usize) -> Corpus {
    let (before, target, body) = original(Target::Tell);
    let steps = (0..n).map(move |i| {
        let previous = match i.checked_sub(1) {
            None => target.to_string(),
            Some(before) => format!("a:{before}"),
        };
        let body = revise(target, &previous, Some(&body), "better", "");
        message(&format!("a:{i}"), None, "REVISE", &body)
    });
    Corpus::genuine(names(&["a"]), before.into_iter().chain(steps))
}

/// `n` messages that wait for one reference, by as many senders as the quota of 10,000 a sender
/// asks for; then the message that releases all of them.
#[must_use]
pub fn waiting(n: usize) -> Corpus {
    const QUOTA: usize = 10_000;
    let senders = n.div_ceil(QUOTA).max(1);
    let mut participants = names(&["late"]);
    participants.extend((0..senders).map(|sender| format!("w{sender}")));
    let waiting = (0..n).map(move |i| {
        let id = format!("w{}:{i}", i % senders);
        message(&id, Some("late:1"), "TELL", &tell(&claim("after you", "")))
    });
    let release = message("late:1", None, "ASK", &ask("Who waits?", None));
    Corpus::genuine(participants, waiting.chain([release]))
}

/// `n` revisions of one message that all compete.
#[must_use]
pub fn fork(target: Target, n: usize) -> Corpus {
    let (before, target, body) = original(target);
    let branches = (0..n).map(move |i| {
        let body = revise(target, target, Some(&body), "otherwise", "");
        message(&format!("a:{i}"), None, "REVISE", &body)
    });
    Corpus::genuine(names(&["a", "q"]), before.into_iter().chain(branches))
}

/// `n` commitments on one request.
#[must_use]
pub fn commitments(n: usize) -> Corpus {
    let asked = message("q:r", None, "REQUEST", &request("dig", "", None));
    Corpus::genuine(names(&["a", "q"]), [asked].into_iter().chain(promises(n)))
}

fn promises(n: usize) -> impl Iterator<Item = String> {
    (0..n).map(|i| {
        let body = commit("q:r", "dig", "", None);
        message(&format!("a:k{i}"), Some("q:r"), "COMMIT", &body)
    })
}

/// `n` reports on one commitment, each a reply to the one before. Every other one is `blocked`.
#[must_use]
pub fn reports(n: usize) -> Corpus {
    let (before, commitment, _) = original(Target::Commit);
    let reports = (0..n).map(move |i| {
        let reply = match i.checked_sub(1) {
            None => commitment.to_string(),
            Some(before) => format!("a:{before}"),
        };
        let state = if i % 2 == 0 { "active" } else { "blocked" };
        let body = report(commitment, state, &claim("digging", ""));
        message(&format!("a:{i}"), Some(&reply), "REPORT", &body)
    });
    Corpus::genuine(names(&["a", "q"]), before.into_iter().chain(reports))
}

/// `n` acknowledgements of one message.
#[must_use]
pub fn acks(n: usize) -> Corpus {
    let asked = message("a:1", None, "ASK", &ask("Seen?", None));
    let acks = (0..n).map(|i| message(&format!("b:{i}"), None, "ACK", &ack("a:1")));
    Corpus::genuine(names(&["a", "b"]), [asked].into_iter().chain(acks))
}

/// The three hubs after each other: `n` commitments on one request, `n` reports on one commitment,
/// `n` acknowledgements of one message.
#[must_use]
pub fn hubs(n: usize) -> Corpus {
    // `reports` makes the request that `commitments` would make again.
    let entries =
        reports(n)
            .entries()
            .chain(promises(n).map(genuine))
            .chain(acks(n).entries().map(|entry| match entry {
                // Its `a:1` would be the `a:1` of the reports.
                Entry::Deliver { principal, message } => Entry::Deliver {
                    principal,
                    message: message.replace("\"a:1\"", "\"a:hub\""),
                },
                fact @ Entry::Fact(_) => fact,
            }));
    Corpus::new(names(&["a", "b", "q"]), entries)
}

/// A short name for each number: letters and digits only.
fn short(mut number: usize) -> String {
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let mut name = String::new();
    loop {
        name.push(DIGITS.get(number % 36).copied().map_or('0', char::from));
        number /= 36;
        if number == 0 {
            return name;
        }
    }
}

fn list(n: usize, item: impl Fn(usize) -> String) -> String {
    (0..n).map(item).collect::<Vec<_>>().join(",")
}

/// One message, by `a`.
fn one(message: String) -> Corpus {
    Corpus::genuine(names(&["a"]), std::iter::once(message))
}

fn ask_with(to: &str, rest: &str) -> String {
    Draft {
        id: "a:1",
        to,
        thread: "t",
        reply: None,
        act: "ASK",
        body: &ask("Well?", None),
        rest,
    }
    .write()
}

/// One message with `n` keys in its `extensions`.
#[must_use]
pub fn keys(n: usize) -> Corpus {
    let keys = list(n, |i| format!("\"{}\":0", short(i)));
    one(ask_with(r#""b""#, &format!(r#","extensions":{{{keys}}}"#)))
}

/// One message with `n` fields that no message has: refused, with as many findings.
#[must_use]
pub fn unknown_fields(n: usize) -> Corpus {
    let keys = list(n, |i| format!("\"x{}\":0", short(i)));
    one(ask_with(r#""b""#, &format!(",{keys}")))
}

/// One message to `n` recipients.
#[must_use]
pub fn recipients(n: usize) -> Corpus {
    one(ask_with(&list(n, |i| format!("\"{}\"", short(i))), ""))
}

/// One message that cites `n` pieces of evidence.
#[must_use]
pub fn citations(n: usize) -> Corpus {
    let cited = list(n, |i| format!("\"ev:{}\"", short(i)));
    one(message("a:1", None, "TELL", &tell(&claim("much", &cited))))
}

/// One message that brings `n` pieces of evidence.
#[must_use]
pub fn given(n: usize) -> Corpus {
    let given = list(n, |i| {
        let time = "2026-01-01T00:00:00Z";
        format!(
            r#"{{"id":"ev:{}","source":"s","collected_at":"{time}","method":"m","result":"r"}}"#,
            short(i)
        )
    });
    one(ask_with(r#""b""#, &format!(r#","evidence":[{given}]"#)))
}

/// One message with `n` claims.
#[must_use]
pub fn claims(n: usize) -> Corpus {
    let claims = list(n, |i| claim(&short(i), ""));
    one(message("a:1", None, "TELL", &tell(&claims)))
}

/// One REVISE with `n` impacts on one commitment.
#[must_use]
pub fn impacts(n: usize) -> Corpus {
    let (before, target, body) = original(Target::Tell);
    let words = ["paused", "unaffected", "awaiting_instruction"];
    let impacts = list(n, |i| {
        let word = words.get(i % words.len()).copied().unwrap_or("paused");
        impact("a:k", word)
    });
    let body = revise(target, target, Some(&body), "news", &impacts);
    let revised = message("a:1", None, "REVISE", &body);
    Corpus::genuine(names(&["a"]), before.into_iter().chain([revised]))
}

/// One message that nests `n` arrays.
#[must_use]
pub fn nesting(n: usize) -> Corpus {
    let nested = ["[".repeat(n), "]".repeat(n)].concat();
    one(ask_with(
        r#""b""#,
        &format!(r#","extensions":{{"x":{nested}}}"#),
    ))
}

/// One message that breaks off at depth `n`, in objects that each hold a key before.
#[must_use]
pub fn broken_nesting(n: usize) -> Corpus {
    let open = r#"{"a":0,"b":"#.repeat(n);
    one(ask_with(r#""b""#, &format!(r#","extensions":{open}!"#)))
}

/// `n` grants under one name, then `n` commitments that name it.
#[must_use]
pub fn grants(n: usize) -> Corpus {
    let grants = (0..n).map(|i| {
        Entry::Fact(format!(
            r#"{{"grant":{{"ref":"g","principal":"key:a","actions":["dig","{i}"],"expires":"2027-01-01T00:00:00.{i}Z"}}}}"#
        ))
    });
    let asked = message("q:r", None, "REQUEST", &request("dig", "", None));
    let promises = (0..n).map(|i| {
        let body = commit("q:r", "dig", "", Some("g"));
        genuine(message(&format!("a:k{i}"), None, "COMMIT", &body))
    });
    let entries = grants.chain([genuine(asked)]).chain(promises);
    Corpus::new(names(&["a", "q"]), entries)
}

/// `n` ids with 16 different contents each. Each message replies to the one before, so that all
/// are tainted.
#[must_use]
pub fn versions(n: usize) -> Corpus {
    let messages = (0..n).flat_map(|i| {
        (0..16).map(move |version| {
            let reply = i.checked_sub(1).map(|before| format!("a:{before}"));
            let question = format!("Version {version}?");
            let body = ask(&question, None);
            message(&format!("a:{i}"), reply.as_deref(), "ASK", &body)
        })
    });
    Corpus::genuine(names(&["a"]), messages)
}

/// `n` messages in one cycle of replies, and `n` in a line that waits for it.
#[must_use]
pub fn cycle(n: usize) -> Corpus {
    const SENDERS: usize = 10;
    let id = |sender: usize, number: usize| format!("s{}:{number}", sender % SENDERS);
    let messages = (0..2 * n).map(move |i| {
        let (cycle, place) = (i < n, i % n.max(1));
        let to = if cycle { (place + 1) % n } else { i - 1 };
        message(&id(i, i), Some(&id(to, to)), "ASK", &ask("Round?", None))
    });
    let senders = (0..SENDERS).map(|sender| format!("s{sender}"));
    Corpus::genuine(senders.collect(), messages)
}

/// One request, `n` revisions of it and `n` commitments on it. Where they know of the revisions,
/// `request_changed_by` is empty; where not, it lists all of them at each.
#[must_use]
pub fn changed_request(n: usize, known: bool) -> Corpus {
    let original = request("dig", "", None);
    let asked = message("q:r", None, "REQUEST", &original);
    let steps = (0..n).map(move |i| {
        let previous = i
            .checked_sub(1)
            .map_or("q:r".to_string(), |before| format!("q:{before}"));
        let body = revise("q:r", &previous, Some(&original), "deeper", "");
        message(&format!("q:{i}"), None, "REVISE", &body)
    });
    let last = n.checked_sub(1).map(|last| format!("q:{last}"));
    let promises = (0..n).map(move |i| {
        let reply = last.as_deref().filter(|_| known);
        let body = commit("q:r", "dig", "", None);
        message(&format!("a:k{i}"), reply, "COMMIT", &body)
    });
    let messages = [asked].into_iter().chain(steps).chain(promises);
    Corpus::genuine(names(&["a", "q"]), messages)
}

/// One request, `n` commitments on it, and `n` revisions of it by somebody else: all rejected.
#[must_use]
pub fn strangers_revisions(n: usize) -> Corpus {
    let original = request("dig", "", None);
    let asked = message("q:r", None, "REQUEST", &original);
    let strange = (0..n).map(move |i| {
        let body = revise("q:r", "q:r", None, "no", "");
        message(&format!("m:{i}"), None, "REVISE", &body)
    });
    let messages = [asked].into_iter().chain(promises(n)).chain(strange);
    Corpus::genuine(names(&["a", "m", "q"]), messages)
}

/// One thread in which everybody replies to the last message: `n` commitments, then a report on
/// each, then a second report on each, of another state where `differ`.
#[must_use]
pub fn interleaved(n: usize, differ: bool) -> Corpus {
    let asked = message("q:r", None, "REQUEST", &request("dig", "", None));
    let messages = (0..3 * n).map(move |i| {
        let (round, place) = (i / n.max(1), i % n.max(1));
        let reply = match i.checked_sub(1) {
            None => "q:r".to_string(),
            Some(before) => format!("a:{before}"),
        };
        let (act, body) = match round {
            0 => ("COMMIT", commit("q:r", "dig", "", None)),
            round => {
                let state = if round == 2 && differ {
                    "blocked"
                } else {
                    "active"
                };
                let body = report(&format!("a:{place}"), state, &claim("digging", ""));
                ("REPORT", body)
            }
        };
        message(&format!("a:{i}"), Some(&reply), act, &body)
    });
    Corpus::genuine(names(&["a", "q"]), [asked].into_iter().chain(messages))
}

/// One commitment of which a terminal report was withdrawn; a line of `n` replies that knows
/// nothing of it; `n` reports that reply to the end of that line, so none of them counts.
#[must_use]
pub fn unsettled(n: usize) -> Corpus {
    let (mut before, commitment, _) = original(Target::Commit);
    let done = report(commitment, "failed", &claim("no luck", ""));
    before.push(message("a:p", Some(commitment), "REPORT", &done));
    let taken_back = revise("a:p", "a:p", None, "it was luck after all", "");
    before.push(message("a:w", None, "REVISE", &taken_back));
    let line = (0..n).map(|i| {
        let reply = i.checked_sub(1).map(|before| format!("q:{before}"));
        message(
            &format!("q:{i}"),
            reply.as_deref(),
            "ASK",
            &ask("And?", None),
        )
    });
    let last = n.checked_sub(1).map(|last| format!("q:{last}"));
    let reports = (0..n).map(move |i| {
        let body = report(commitment, "active", &claim("digging", ""));
        message(&format!("a:{i}"), last.as_deref(), "REPORT", &body)
    });
    let messages = before.into_iter().chain(line).chain(reports);
    Corpus::genuine(names(&["a", "q"]), messages)
}

/// `n` actions started on one commitment that has `n` revisions.
#[must_use]
pub fn starts(n: usize) -> Corpus {
    let starts = (0..n).map(|i| {
        Entry::Fact(format!(
            r#"{{"start":{{"commitment":"a:k","action":"key-{i}"}}}}"#
        ))
    });
    let forked = fork(Target::Commit, n).entries();
    Corpus::new(names(&["a", "q"]), forked.chain(starts))
}

/// `n` challenges of one commitment.
#[must_use]
pub fn challenges(n: usize) -> Corpus {
    let (before, commitment, _) = original(Target::Commit);
    let challenges = (0..n).map(move |i| {
        let body = challenge(commitment, "unlikely", "");
        message(&format!("q:{i}"), None, "CHALLENGE", &body)
    });
    Corpus::genuine(names(&["a", "q"]), before.into_iter().chain(challenges))
}
