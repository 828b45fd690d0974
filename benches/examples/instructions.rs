//! Instructions a message, counted by callgrind: `benches/instructions.sh`. By itself it prints nothing but how many messages it
//! read; the one function whose instructions count is named after what it does.

use std::hint::black_box;

use tern_benches::mixed;
use tern_core::wire::{self, Limits};

const SEED: u64 = 7;

/// What is counted. Each takes all messages.
const WORK: [(&str, fn(&[String]) -> usize); 4] = [
    ("read", counted_read),
    ("read-digests", counted_read_digests),
    ("json-value", counted_json_value),
    ("nothing", counted_nothing),
];

#[inline(never)]
fn counted_nothing(messages: &[String]) -> usize {
    messages.iter().map(|it| black_box(it).len()).count()
}

#[inline(never)]
fn counted_read(messages: &[String]) -> usize {
    let limits = Limits::default();
    messages
        .iter()
        .filter(|it| black_box(wire::message(it.as_bytes(), &limits)).is_ok())
        .count()
}

#[inline(never)]
fn counted_read_digests(messages: &[String]) -> usize {
    let limits = Limits::default();
    messages
        .iter()
        .filter(|it| black_box(wire::read(it.as_bytes(), &limits)).is_ok())
        .count()
}

#[inline(never)]
fn counted_json_value(messages: &[String]) -> usize {
    messages
        .iter()
        .filter(|it| black_box(serde_json::from_str::<serde_json::Value>(it)).is_ok())
        .count()
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (what, count) = (arguments.next().unwrap_or_default(), arguments.next());
    let count = count.and_then(|it| it.parse().ok()).unwrap_or(2000);
    let messages: Vec<String> = mixed(SEED, count).bare().collect();
    let bytes: usize = messages.iter().map(String::len).sum();
    let Some((_, work)) = WORK.iter().find(|(name, _)| *name == what) else {
        let names: Vec<&str> = WORK.iter().map(|(name, _)| *name).collect();
        eprintln!(
            "usage: instructions WHAT [MESSAGES]; WHAT is one of {}",
            names.join(", ")
        );
        return;
    };
    println!("{} {} {bytes}", messages.len(), work(&messages));
}
