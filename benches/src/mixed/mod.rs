//! A day of work with its mishaps: all ten acts, in many threads, by many participants.

mod say;
mod thread;

use std::collections::VecDeque;

use crate::corpus::{Corpus, Entry, principal_of};
use crate::random::Random;
use crate::write::quoted;
use thread::{Recent, Thread};

const PARTICIPANTS: [&str; 24] = [
    "planner",
    "researcher",
    "writer",
    "reviewer",
    "tester",
    "deployer",
    "analyst",
    "archivist",
    "translator",
    "scheduler",
    "auditor",
    "designer",
    "builder",
    "operator",
    "librarian",
    "courier",
    "ana",
    "ben",
    "chen",
    "dara",
    "emil",
    "fatou",
    "goran",
    "hana",
];

const THREADS: usize = 12;

/// The words of all texts, escaped for JSON where they need it.
const WORDS: [&str; 48] = [
    "the",
    "a",
    "of",
    "and",
    "draft",
    "section",
    "review",
    "table",
    "figure",
    "source",
    "number",
    "before",
    "after",
    "because",
    "unless",
    "please",
    "check",
    "compare",
    "deliver",
    "measure",
    "explain",
    "result",
    "release",
    "deadline",
    "budget",
    "customer",
    "archive",
    "index",
    "commit",
    "obligation",
    "evidence",
    "claim",
    "it",
    "is",
    "was",
    "not",
    "every",
    "which",
    "r\\u00e9sum\\u00e9",
    "Größe",
    "\\\"quoted\\\"",
    "line\\nbreak",
    "tab\\tstop",
    "3.14",
    "n/a",
    "naïve",
    "日本語",
    "😀",
];

/// `n` deliveries of mixed work, about 886 bytes each, and a local fact after every fiftieth.
///
/// Most are valid and refer to recent ids. Of a hundred deliveries about two wait for a message
/// that comes a little later, two are repeated and one is broken; a few in a thousand are spoofed,
/// rejected, say something else under a used id, or fork a chain; one in a thousand waits for ever.
#[must_use]
pub fn mixed(seed: u64, n: usize) -> Corpus {
    let participants = PARTICIPANTS.map(str::to_string).to_vec();
    Corpus::new(participants, Mixed::new(seed, n))
}

struct Mixed {
    random: Random,
    /// Deliveries to come.
    left: usize,
    step: usize,
    next_number: usize,
    threads: Vec<Thread>,
    evidence: Recent<String>,
    /// To come at a step.
    late: VecDeque<(usize, Entry)>,
    /// To be repeated.
    sent: Recent<Entry>,
    /// Messages without consequences, of which other versions may come.
    idle: Recent<Entry>,
    /// Commitments, for facts about them.
    promised: Recent<String>,
}

impl Mixed {
    fn new(seed: u64, n: usize) -> Self {
        let thread = |index| Thread::new(format!("project-{index}"));
        Self {
            random: Random::new(seed),
            left: n,
            step: 0,
            next_number: 0,
            threads: (0..THREADS).map(thread).collect(),
            evidence: Recent::new(64),
            late: VecDeque::new(),
            sent: Recent::new(32),
            idle: Recent::new(16),
            promised: Recent::new(64),
        }
    }

    fn id(&mut self, by: usize) -> String {
        self.next_number += 1;
        format!("{}:{}", name(by), self.next_number)
    }

    /// Words of about that many bytes.
    fn text(&mut self, bytes: usize) -> String {
        let bytes = bytes / 2 + self.random.below(bytes);
        let mut text = String::with_capacity(bytes + 16);
        loop {
            text.push_str(self.random.pick(&WORDS).copied().unwrap_or_default());
            if text.len() >= bytes {
                return text;
            }
            text.push(' ');
        }
    }

    /// A list of at most so many texts, without its brackets.
    fn texts(&mut self, most: usize) -> String {
        let count = self.random.below(most + 1);
        let texts: Vec<String> = (0..count).map(|_| quoted(&self.text(60))).collect();
        texts.join(",")
    }

    /// A second a step.
    fn time(&self) -> String {
        let (minutes, second) = (self.step / 60, self.step % 60);
        let (hours, minute) = (minutes / 60, minutes % 60);
        let (days, hour) = (hours / 24, hours % 24);
        let (months, day) = (days / 28, 1 + days % 28);
        let (year, month) = (2026 + months / 12, 1 + months % 12);
        format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }

    fn evidence_object(&mut self, id: &str) -> String {
        let time = self.time();
        let (source, method, result) = (self.text(40), self.text(60), self.text(160));
        format!(
            r#"{{"id":"{id}","source":"{source}","collected_at":"{time}","method":"{method}","result":"{result}"}}"#
        )
    }

    fn fact(&mut self) -> Entry {
        let commitment = self.promised.draw(&mut self.random);
        let commitment = commitment.unwrap_or_else(|| "ben:none".into());
        let grant = format!("grant-{}", self.random.below(400));
        let by = name(self.random.below(PARTICIPANTS.len()));
        let key = self.random.below(1000);
        Entry::Fact(match self.random.below(16) {
            0..3 => format!(r#"{{"grant":{{"ref":"{grant}","principal":"key:{by}"}}}}"#),
            3 => format!(
                r#"{{"grant":{{"ref":"{grant}","principal":"key:{by}","actions":["{grant}"],"not_before":"{}","expires":"2026-01-02T00:00:00Z"}}}}"#,
                self.time()
            ),
            4 => format!(r#"{{"revoke":{{"ref":"{grant}"}}}}"#),
            5 => format!(r#"{{"permit":{{"commitment":"{commitment}"}}}}"#),
            6 => format!(r#"{{"require_approval":{{"commitment":"{commitment}"}}}}"#),
            7 => format!(r#"{{"approve":{{"commitment":"{commitment}","by":"{by}"}}}}"#),
            8 => format!(r#"{{"confirm":{{"commitment":"{commitment}","condition":0}}}}"#),
            9 => format!(r#"{{"judge":{{"commitment":"{commitment}","terms":"satisfied"}}}}"#),
            10 => format!(r#"{{"judge":{{"commitment":"{commitment}","terms":"mismatch"}}}}"#),
            11 => format!(r#"{{"clock":"{}"}}"#, self.time()),
            12 => {
                let id = format!("ev:stored-{}", self.step);
                format!(r#"{{"evidence":{}}}"#, self.evidence_object(&id))
            }
            13 => format!(r#"{{"finish":{{"commitment":"{commitment}","action":"key-{key}"}}}}"#),
            14 => format!(
                r#"{{"reconciled":{{"commitment":"{commitment}","action":"key-{key}","causes":["superseded"]}}}}"#
            ),
            _ => format!(r#"{{"start":{{"commitment":"{commitment}","action":"key-{key}"}}}}"#),
        })
    }

    fn next_delivery(&mut self) -> Entry {
        if let Some((_, entry)) = self.late.pop_front_if(|(due, _)| *due <= self.step) {
            return entry;
        }
        let mishap = match self.random.below(1000) {
            0..20 => self.sent.draw(&mut self.random),
            20..24 => self.idle.draw(&mut self.random).map(other_version),
            24..28 => Some(spoofed(self.say(false))),
            28..36 => {
                let said = self.say(false);
                let kind = self.random.below(4);
                Some(broken(said, kind))
            }
            _ => None,
        };
        let entry = mishap.unwrap_or_else(|| self.say(true));
        self.sent.push(entry.clone());
        entry
    }
}

impl Iterator for Mixed {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        if self.left == 0 {
            return None;
        }
        self.step += 1;
        if self.step.is_multiple_of(51) {
            return Some(self.fact());
        }
        self.left -= 1;
        Some(self.next_delivery())
    }
}

fn name(by: usize) -> &'static str {
    PARTICIPANTS.get(by).copied().unwrap_or("nobody")
}

fn change(entry: Entry, change: impl FnOnce(String) -> String) -> Entry {
    match entry {
        Entry::Deliver { principal, message } => Entry::Deliver {
            principal,
            message: change(message),
        },
        fact @ Entry::Fact(_) => fact,
    }
}

fn other_version(entry: Entry) -> Entry {
    change(entry, |message| message.replacen("the", "no", 1))
}

fn spoofed(entry: Entry) -> Entry {
    match entry {
        Entry::Deliver { message, .. } => Entry::Deliver {
            principal: principal_of("mallory"),
            message,
        },
        fact @ Entry::Fact(_) => fact,
    }
}

fn broken(entry: Entry, kind: usize) -> Entry {
    change(entry, |message| match kind {
        0 => message.replacen(r#","thread":"#, r#","topic":"#, 1),
        1 => message.replacen(r#""reply":"#, r#""to":["x"],"reply":"#, 1),
        2 => message.replacen(r#""tern":"0.1""#, r#""tern":"0.3""#, 1),
        _ => message.chars().take(message.len() / 3).collect(),
    })
}

pub(super) fn delivery(by: usize, message: String) -> Entry {
    Entry::Deliver {
        principal: principal_of(name(by)),
        message,
    }
}
