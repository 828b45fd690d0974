//! Instructions a message, counted by callgrind: `benches/instructions.sh`. By itself it prints nothing but how many messages it
//! read; the one function whose instructions count is named after what it does.

use std::hint::black_box;

use tern_benches::mixed;
use tern_core::wire::{self, Limits};

const SEED: u64 = 7;

/// What is counted. Each takes all messages.
const WORK: [(&str, fn(&[String]) -> usize); 5] = [
    ("read", counted_read),
    ("read-digests", counted_read_digests),
    ("json-value", counted_json_value),
    ("reject", counted_reject),
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

#[inline(never)]
fn counted_reject(messages: &[String]) -> usize {
    let limits = Limits::default();
    messages
        .iter()
        .filter(|it| black_box(wire::message(it.as_bytes(), &limits)).is_err())
        .count()
}

/// Ways to damage a message so that it is refused: as early and as late as can be, and by rules of every stage.
fn damaged(how: &str, message: &str) -> String {
    let last = message.len() - 1;
    match how {
        "cut" => message[..last].to_owned(),
        "trailing" => format!("{message} x"),
        "unknown" => format!("{},\"x\":1}}", &message[..last]),
        "twice" => format!("{},\"tern\":\"0.1\"}}", &message[..last]),
        "version" => message.replacen("\"0.1\"", "\"0.2\"", 1),
        "empty" => message.replacen("\"thread\":\"", "\"thread\":\"\",\"x\":\"", 1),
        "missing" => message.replacen("\"thread\":", "\"extensions\":{},\"thread_\":", 1),
        "control" => format!("{}\u{1}\"}}", &message[..last]),
        _ => message.to_owned(),
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (what, count) = (arguments.next().unwrap_or_default(), arguments.next());
    let count = count.and_then(|it| it.parse().ok()).unwrap_or(2000);
    let messages: Vec<String> = mixed(SEED, count).bare().collect();
    let messages: Vec<String> = match arguments.next() {
        Some(how) => messages.iter().map(|it| damaged(&how, it)).collect(),
        None => messages,
    };
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
