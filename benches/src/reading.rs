//! What reading bare messages is compared with: the same work done by us and by what a user might take in our place. None of
//! the others refuses what Tern must refuse.

use std::hint::black_box;

use serde::de::IgnoredAny;
use tern_core::wire::{self, Limits};

use crate::typed::Typed;

/// A way to read: its name, and how many of the messages it takes.
pub type Way = (&'static str, fn(&[String]) -> usize);

/// All of them, ours first. Each is a function of its own that is not inlined, `way_…`, so that a profiler can count it.
pub const WAYS: [Way; 8] = [
    ("read", way_read),
    ("read and digests", way_read_digests),
    ("serde_json::Value", way_value),
    ("serde_json, typed", way_typed),
    ("serde_json, skipped", way_skipped),
    ("simd-json, typed", way_simd_typed),
    ("simdutf8, is it text", way_utf8),
    ("nothing", way_nothing),
];

/// The peer that everything is a multiple of.
pub const PEER: &str = "serde_json::Value";

#[inline(never)]
fn way_nothing(messages: &[String]) -> usize {
    messages
        .iter()
        .filter(|it| !black_box(it).is_empty())
        .count()
}

#[inline(never)]
fn way_utf8(messages: &[String]) -> usize {
    let is_text = |it: &&String| black_box(simdutf8::basic::from_utf8(it.as_bytes())).is_ok();
    messages.iter().filter(is_text).count()
}

#[inline(never)]
fn way_read(messages: &[String]) -> usize {
    let limits = Limits::default();
    let is_read = |it: &&String| black_box(wire::message(it.as_bytes(), &limits)).is_ok();
    messages.iter().filter(is_read).count()
}

#[inline(never)]
fn way_read_digests(messages: &[String]) -> usize {
    let limits = Limits::default();
    let is_read = |it: &&String| black_box(wire::read(it.as_bytes(), &limits)).is_ok();
    messages.iter().filter(is_read).count()
}

#[inline(never)]
fn way_value(messages: &[String]) -> usize {
    let is_read = |it: &&String| black_box(serde_json::from_str::<serde_json::Value>(it)).is_ok();
    messages.iter().filter(is_read).count()
}

#[inline(never)]
fn way_typed(messages: &[String]) -> usize {
    let is_read = |it: &&String| black_box(serde_json::from_str::<Typed<'_>>(it)).is_ok();
    messages.iter().filter(is_read).count()
}

#[inline(never)]
fn way_skipped(messages: &[String]) -> usize {
    let is_read = |it: &&String| black_box(serde_json::from_str::<IgnoredAny>(it)).is_ok();
    messages.iter().filter(is_read).count()
}

/// It unescapes where the bytes stand, so each message is copied first, as a user would have to.
#[inline(never)]
fn way_simd_typed(messages: &[String]) -> usize {
    let mut buffers = simd_json::Buffers::new(4096);
    let mut bytes = Vec::with_capacity(4096);
    let is_read = |it: &&String| {
        bytes.clear();
        bytes.extend_from_slice(it.as_bytes());
        let read = simd_json::serde::from_slice_with_buffers::<Typed<'_>>(&mut bytes, &mut buffers);
        black_box(read).is_ok()
    };
    messages.iter().filter(is_read).count()
}

/// Ways to damage a message so that it is refused: early and late, and by rules of every stage.
pub const DAMAGES: [&str; 8] = [
    "cut", "trailing", "unknown", "twice", "version", "empty", "missing", "control",
];

/// The message, damaged so.
#[must_use]
pub fn damaged(how: &str, message: &str) -> String {
    let all_but_brace = message.strip_suffix('}').unwrap_or(message);
    match how {
        "cut" => all_but_brace.to_owned(),
        "trailing" => format!("{message} x"),
        "unknown" => format!("{all_but_brace},\"x\":1}}"),
        "twice" => format!("{all_but_brace},\"tern\":\"0.1\"}}"),
        "version" => message.replacen("\"0.1\"", "\"0.2\"", 1),
        "empty" => message.replacen("\"thread\":\"", "\"thread\":\"\",\"x\":\"", 1),
        "missing" => message.replacen("\"thread\":", "\"thread_\":", 1),
        "control" => format!("{all_but_brace}\u{1}\"}}"),
        _ => message.to_owned(),
    }
}
