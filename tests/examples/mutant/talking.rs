//! What processes say and do instead of what is right.

use std::env;
use std::fs::File;
#[cfg(target_os = "linux")]
use std::hint::black_box;
use std::io::{BufRead as _, Write as _, stdin, stdout};
use std::process::{Command, Stdio, abort, exit};
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Map, Value};
use tern_conformance::engine::Core;
use tern_conformance::serve::serve;

/// Reads requests, and says something instead of each reply, given the number of the request (`hello` is 0), its
/// line and the right reply. Ends when it is told to.
pub(crate) fn replies(say: impl FnMut(u64, &[u8], Vec<u8>) -> Vec<u8>) {
    talk(say);
}

/// Whether it was told to stop; the input may have ended instead.
fn talk(mut say: impl FnMut(u64, &[u8], Vec<u8>) -> Vec<u8>) -> bool {
    let mut requests = stdin().lock();
    for number in 0.. {
        let mut request = Vec::new();
        let read = requests.read_until(b'\n', &mut request);
        if read.unwrap_or_default() == 0 {
            return false;
        }
        let mut reply = Vec::new();
        let served = serve(&mut Core::default(), &*request, &mut reply);
        if served.is_err() || reply.is_empty() {
            return true;
        }
        print(&say(number, &request, reply));
    }
    false
}

/// Only the right replies.
fn talk_right() -> bool {
    talk(|_, _, reply| reply)
}

fn print(bytes: &[u8]) {
    let mut out = stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        exit(1);
    }
}

pub(crate) fn forever() {
    sleep(Duration::from_secs(3600));
}

/// The fields of a reply.
pub(crate) type Fields = Map<String, Value>;

fn edited(reply: &[u8], change: fn(&mut Fields)) -> Vec<u8> {
    let mut fields: Fields = serde_json::from_slice(reply).unwrap_or_default();
    change(&mut fields);
    format!("{}\n", Value::from(fields)).into_bytes()
}

/// Changes the fields of every reply of this kind.
fn fields_where(is: &str, change: fn(&mut Fields)) {
    replies(|_, _, reply| edited_if(&reply, is, change).unwrap_or(reply));
}

fn edited_if(reply: &[u8], is: &str, change: fn(&mut Fields)) -> Option<Vec<u8>> {
    let fields: Fields = serde_json::from_slice(reply).ok()?;
    (fields.get("is")? == is).then(|| edited(reply, change))
}

/// Changes the fields of every `hello`.
pub(crate) fn hello(change: fn(&mut Fields)) {
    fields_where("hello", change);
}

/// Changes the fields of every `result`.
pub(crate) fn results(change: fn(&mut Fields)) {
    fields_where("result", change);
}

pub(crate) fn seq_too_great(reply: &mut Fields) {
    change_seq(reply, |seq| (seq + 1).into());
}

pub(crate) fn seq_as_text(reply: &mut Fields) {
    change_seq(reply, |seq| seq.to_string().into());
}

fn change_seq(reply: &mut Fields, change: fn(u64) -> Value) {
    let seq = reply.get("seq").and_then(Value::as_u64).unwrap_or_default();
    reply.insert("seq".to_owned(), change(seq));
}

pub(crate) fn insert(reply: &mut Fields, key: &str, value: impl Into<Value>) {
    reply.insert(key.to_owned(), value.into());
}

/// As serializers do that skip what is empty.
pub(crate) fn empty_outcomes_left_out(reply: &mut Fields) {
    reply.retain(|key, it| key != "outcomes" || it != &Value::from(Vec::<Value>::new()));
}

pub(crate) fn outcomes_beside_refused(reply: &mut Fields) {
    if reply.contains_key("refused") {
        insert(reply, "outcomes", Vec::<Value>::new());
    }
}

pub(crate) fn codes_of_accepted(reply: &mut Fields) {
    without_code(reply, |outcome| insert(outcome, "code", "ok"));
}

/// As serializers do that write every field.
pub(crate) fn null_for_no_code(reply: &mut Fields) {
    without_code(reply, |outcome| {
        insert(outcome, "class", Value::Null);
        insert(outcome, "code", Value::Null);
    });
}

fn without_code(reply: &mut Fields, change: fn(&mut Fields)) {
    let outcomes = reply.get_mut("outcomes").and_then(Value::as_array_mut);
    let outcomes = outcomes
        .into_iter()
        .flatten()
        .filter_map(Value::as_object_mut);
    outcomes
        .filter(|it| !it.contains_key("code"))
        .for_each(change);
}

pub(crate) fn view_as_text(reply: &mut Fields) {
    if let Some(view) = reply.remove("view") {
        insert(reply, "view", view.to_string());
    }
}

pub(crate) fn error(reply: &mut Fields) {
    if reply.remove("refused").is_some() {
        insert(reply, "is", "error");
        insert(reply, "why", "the document is broken");
    }
}

/// What every request of a bare file comes to.
pub(crate) fn unsupported(_: u64, request: &[u8], reply: Vec<u8>) -> Vec<u8> {
    let request: Fields = serde_json::from_slice(request).unwrap_or_default();
    let document = request.get("document").and_then(Value::as_str);
    if document.is_none_or(|it| it.starts_with("{\"context\"")) {
        return reply;
    }
    edited(&reply, |reply| {
        reply.retain(|key, _| key == "seq");
        insert(reply, "is", "unsupported");
        insert(reply, "why", "not yet");
    })
}

pub(crate) fn repeated_field(_: u64, _: &[u8], reply: Vec<u8>) -> Vec<u8> {
    let rest = reply.get(1..).unwrap_or_default();
    let is_result = reply
        .windows(13)
        .any(|it| it == b"\"is\":\"result\"".as_slice());
    let first: &[u8] = if is_result { b"{\"seq\":1," } else { b"{" };
    [first, rest].concat()
}

pub(crate) fn prints_first() {
    print(b"Tern adapter, ready\n");
    talk_right();
}

pub(crate) fn logs_to_output(_: u64, request: &[u8], reply: Vec<u8>) -> Vec<u8> {
    if contains(request, "REVISE") {
        return [b"revising\n", &*reply].concat();
    }
    reply
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|it| it == text.as_bytes())
}

pub(crate) fn answers_twice(number: u64, _: &[u8], reply: Vec<u8>) -> Vec<u8> {
    reply.repeat(if number == 8 { 2 } else { 1 })
}

/// A guess at what comes next, made while nobody waits.
pub(crate) fn answers_ahead(number: u64, _: &[u8], reply: Vec<u8>) -> Vec<u8> {
    if number != 8 {
        return reply;
    }
    let ahead = edited(&reply, |reply| {
        seq_too_great(reply);
        reply.retain(|key, _| key == "seq" || key == "is");
        insert(reply, "refused", 1);
    });
    [reply, ahead].concat()
}

pub(crate) fn answers_stop() {
    if talk_right() {
        print(b"{\"seq\":1,\"is\":\"result\",\"outcomes\":[]}\n");
    }
}

/// As it comes out where a text is written in the encoding of the system. What that does not have stays as it is.
pub(crate) fn latin_1(_: u64, _: &[u8], reply: Vec<u8>) -> Vec<u8> {
    let text = String::from_utf8_lossy(&reply);
    let bytes = text.chars().map(|it| u8::try_from(u32::from(it)));
    bytes.collect::<Result<_, _>>().unwrap_or(reply)
}

/// The 6th request after `hello` is the first that any of these acts on.
const SIXTH: u64 = 6;

/// JSON that is right but for a place of the view that is a million lists deep.
pub(crate) fn deep_reply(number: u64, _: &[u8], reply: Vec<u8>) -> Vec<u8> {
    if number != SIXTH {
        return reply;
    }
    let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
    let reply = String::from_utf8_lossy(&reply);
    let with = reply.replacen("\"view\":{", &format!("\"view\":{{\"deep\":{deep},"), 1);
    with.into_bytes()
}

/// The right reply, and white space behind it.
pub(crate) fn long_reply(number: u64, _: &[u8], mut reply: Vec<u8>) -> Vec<u8> {
    if number == SIXTH {
        reply.pop();
        reply.resize(80_000_000, b' ');
        reply.push(b'\n');
    }
    reply
}

pub(crate) fn half_a_line(number: u64, _: &[u8], reply: Vec<u8>) -> Vec<u8> {
    if number == SIXTH {
        print(reply.get(..20).unwrap_or_default());
        forever();
    }
    reply
}

pub(crate) fn hangs(number: u64, _: &[u8], reply: Vec<u8>) -> Vec<u8> {
    if number == 20 {
        forever();
    }
    reply
}

pub(crate) fn stops_reading() {
    replies(|_, _, reply| {
        print(&reply);
        forever();
        Vec::new()
    });
}

/// In place of a pipe nothing at all, which closes the pipe.
fn nothing() -> Option<File> {
    File::options()
        .read(true)
        .write(true)
        .open("/dev/null")
        .ok()
}

pub(crate) fn closes_input(number: u64, _: &[u8], reply: Vec<u8>) -> Vec<u8> {
    if number == SIXTH {
        let _closed = nothing().map(rustix::stdio::dup2_stdin);
        print(&reply);
        forever();
    }
    reply
}

pub(crate) fn closes_output(number: u64, _: &[u8], reply: Vec<u8>) -> Vec<u8> {
    if number == SIXTH {
        let _closed = nothing().map(rustix::stdio::dup2_stdout);
    }
    reply
}

pub(crate) fn crashes_on_withdraw(_: u64, request: &[u8], reply: Vec<u8>) -> Vec<u8> {
    if contains(request, "\\\"withdraw\\\"") {
        eprintln!("no replacement");
        exit(101);
    }
    reply
}

pub(crate) fn crashes_on_start() {
    eprintln!("no configuration");
    exit(3);
}

pub(crate) fn is_killed(number: u64, _: &[u8], reply: Vec<u8>) -> Vec<u8> {
    if number == SIXTH {
        abort();
    }
    reply
}

pub(crate) fn exits(number: u64, _: &[u8], reply: Vec<u8>) -> Vec<u8> {
    if number == 30 {
        exit(0);
    }
    reply
}

/// Starts another one of these, with the same pipes and the same further arguments.
fn start(name: &str) {
    let arguments = env::args().skip(2);
    let mutant = env::current_exe().map(Command::new);
    let child = mutant.and_then(|mut it| it.arg(name).args(arguments).stdin(Stdio::null()).spawn());
    if let Err(error) = child {
        eprintln!("{name}: {error}");
        exit(9);
    }
}

pub(crate) fn leaves_a_child(number: u64, _: &[u8], reply: Vec<u8>) -> Vec<u8> {
    if number == SIXTH {
        start("sleeper");
        exit(1);
    }
    reply
}

#[cfg(target_os = "linux")]
pub(crate) fn eats_memory() {
    let mut eaten = Vec::new();
    replies(|_, _, reply| {
        eaten.push(vec![1_u8; 4 << 20]);
        reply
    });
    drop(eaten);
}

#[cfg(target_os = "linux")]
pub(crate) fn child_eats_memory() {
    start("glutton");
    talk_right();
}

#[cfg(target_os = "linux")]
pub(crate) fn glutton() {
    let held = black_box(vec![1_u8; 500 << 20]);
    forever();
    drop(held);
}

pub(crate) fn ignores_stop() {
    talk_right();
    forever();
}

pub(crate) fn status_1() {
    if talk_right() {
        exit(1);
    }
}

pub(crate) fn loud(number: u64, _: &[u8], reply: Vec<u8>) -> Vec<u8> {
    if number == SIXTH {
        for line in 0..100_000 {
            eprintln!("line {line}: {}", "-".repeat(90));
        }
    }
    reply
}

pub(crate) fn carriage_returns(_: u64, _: &[u8], reply: Vec<u8>) -> Vec<u8> {
    [reply.trim_ascii_end(), b"\r\n"].concat()
}

pub(crate) fn in_pieces(number: u64, _: &[u8], reply: Vec<u8>) -> Vec<u8> {
    if number < SIXTH {
        for byte in &reply {
            print(&[*byte]);
        }
        return Vec::new();
    }
    reply
}

pub(crate) fn starts_slowly() {
    sleep(Duration::from_millis(500));
    talk_right();
}

pub(crate) fn keeps_a_child() {
    start("sleeper");
    talk_right();
}

pub(crate) fn ends_slowly() {
    talk_right();
    sleep(Duration::from_millis(200));
}
