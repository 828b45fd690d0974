//! What the tests share: short ways to write messages and logs, and to read views.
#![allow(dead_code)]

use tern_model::{Document, Limits, Model, Outcome};

/// A message of the participant before the colon, in thread `t`.
pub(crate) fn message(id: &str, act: &str, reply: &str, body: &str) -> String {
    let from = id.split(':').next().unwrap();
    let reply = if reply.is_empty() {
        "null".into()
    } else {
        format!("\"{reply}\"")
    };
    format!(
        r#"{{"tern":"0.1","id":"{id}","from":"{from}","to":["all"],"thread":"t","reply":{reply},"act":"{act}","body":{body}}}"#
    )
}

pub(crate) const CLAIM: &str = r#"{"text":"x","basis":"observed","confidence":"high","scope":"s","evidence":[],"alternatives":[]}"#;
pub(crate) const CITING: &str = r#"{"text":"x","basis":"observed","confidence":"high","scope":"s","evidence":["ev:1"],"alternatives":[]}"#;
pub(crate) const REQUEST: &str =
    r#"{"action":"a","done_when":"w","constraints":[],"authority_ref":null}"#;
pub(crate) const TELL: &str = r#"{"claims":[{"text":"x","basis":"observed","confidence":"high","scope":"s","evidence":[],"alternatives":[]}]}"#;

pub(crate) fn ask(id: &str, reply: &str, about: &str) -> String {
    let about = if about.is_empty() {
        String::new()
    } else {
        format!(r#","about":"{about}""#)
    };
    message(id, "ASK", reply, &format!(r#"{{"question":"q"{about}}}"#))
}

pub(crate) fn tell(id: &str, reply: &str) -> String {
    message(id, "TELL", reply, TELL)
}

pub(crate) fn propose(id: &str) -> String {
    message(
        id,
        "PROPOSE",
        "",
        r#"{"plan":"p","success":"s","constraints":[]}"#,
    )
}

pub(crate) fn request(id: &str) -> String {
    message(id, "REQUEST", "", REQUEST)
}

pub(crate) fn request_body(replaces: &str) -> String {
    format!(
        r#"{{"action":"a","done_when":"w","constraints":[],"authority_ref":null,"replaces":"{replaces}"}}"#
    )
}

pub(crate) fn replacing(id: &str, replaces: &str) -> String {
    message(id, "REQUEST", "", &request_body(replaces))
}

pub(crate) fn commit_body(request: &str, authority: &str, conditions: &str) -> String {
    let authority = if authority.is_empty() {
        "null".into()
    } else {
        format!("\"{authority}\"")
    };
    format!(
        r#"{{"request":"{request}","action":"a","deliverable":"d","done_when":"w","due":null,"conditions":[{conditions}],"authority_ref":{authority}}}"#
    )
}

pub(crate) fn commit(id: &str, request: &str) -> String {
    message(id, "COMMIT", "", &commit_body(request, "", ""))
}

pub(crate) fn report_body(k: &str, state: &str) -> String {
    let claim = if state == "fulfilled" { CITING } else { CLAIM };
    format!(r#"{{"commitment":"{k}","state":"{state}","claims":[{claim}]}}"#)
}

pub(crate) fn report(id: &str, reply: &str, k: &str, state: &str) -> String {
    message(id, "REPORT", reply, &report_body(k, state))
}

pub(crate) fn challenge(id: &str, target: &str) -> String {
    let body = format!(
        r#"{{"target":"{target}","kind":"scope","objection":"o","support":[],"resolution_test":"t"}}"#
    );
    message(id, "CHALLENGE", "", &body)
}

/// A REVISE; an empty replacement withdraws.
pub(crate) fn revise(id: &str, target: &str, previous: &str, replacement: &str) -> String {
    let (mode, replacement) = if replacement.is_empty() {
        ("withdraw", "null")
    } else {
        ("replace", replacement)
    };
    let body = format!(
        r#"{{"target":"{target}","previous":"{previous}","mode":"{mode}","reason":"r","replacement":{replacement},"impact":[]}}"#
    );
    message(id, "REVISE", "", &body)
}

pub(crate) fn decline(id: &str, target: &str) -> String {
    message(
        id,
        "DECLINE",
        "",
        &format!(r#"{{"target":"{target}","reason":"r"}}"#),
    )
}

pub(crate) fn ack(id: &str, target: &str) -> String {
    message(id, "ACK", "", &format!(r#"{{"target":"{target}"}}"#))
}

/// The context record: a, b, d and r, each bound to its own key.
pub(crate) const CONTEXT: &str =
    r#"{"context":{"id":"c","participants":{"a":"key:a","b":"key:b","d":"key:d","r":"key:r"}}}"#;

/// A record: facts as they are, messages delivered by the principal of their sender.
pub(crate) fn record(line: &str) -> String {
    if !line.starts_with(r#"{"tern""#) {
        return line.to_string();
    }
    let from = line
        .split(r#""from":""#)
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    format!(r#"{{"deliver":{{"principal":"key:{from}","message":{line}}}}}"#)
}

/// The log document of these lines in the shared context.
pub(crate) fn log<T: AsRef<str>>(lines: &[T]) -> String {
    let mut log = format!("{CONTEXT}\n");
    for line in lines {
        log.push_str(&record(line.as_ref()));
        log.push('\n');
    }
    log
}

/// The outcomes and the view of a document.
pub(crate) fn read_with(log: &[u8], limits: Limits) -> (Vec<Outcome>, String) {
    let document = Document::read(log).unwrap_or_else(|b| panic!("{b:?}"));
    let mut model = Model::new(&document, limits);
    let outcomes = document
        .records()
        .iter()
        .filter_map(|r| model.step(r))
        .collect();
    (outcomes, model.view())
}

/// The view of these lines.
pub(crate) fn view<T: AsRef<str>>(lines: &[T]) -> String {
    read_with(log(lines).as_bytes(), Limits::default()).1
}

/// The outcomes of these lines.
pub(crate) fn outcomes<T: AsRef<str>>(lines: &[T]) -> Vec<Outcome> {
    read_with(log(lines).as_bytes(), Limits::default()).0
}

pub(crate) fn rejected(class: &'static str, code: &'static str) -> Outcome {
    Outcome::Rejected { class, code }
}

/// The view of these lines, which is the same in any order that a seed gives.
pub(crate) fn view_in_any_order<T: AsRef<str> + Clone>(lines: &[T]) -> String {
    let expected = view(lines);
    let mut lines = lines.to_vec();
    let mut seed: u64 = 7;
    for _ in 0..40 {
        for i in (1..lines.len()).rev() {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            lines.swap(i, (seed >> 33) as usize % (i + 1));
        }
        assert_eq!(view(&lines), expected);
    }
    expected
}

/// The members of canonical JSON of an object, or the entries of an array, as they are written.
fn parts(json: &str) -> Vec<&str> {
    let inner = &json[1..json.len() - 1];
    let (mut parts, mut start, mut depth, mut quoted, mut escaped) = (vec![], 0, 0, false, false);
    for (i, c) in inner.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                parts.push(&inner[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    if !inner.is_empty() {
        parts.push(&inner[start..]);
    }
    parts
}

/// What stands in canonical JSON under a path of keys without escapes; empty if nothing does.
pub(crate) fn at<'a>(json: &'a str, path: &[&str]) -> &'a str {
    let Some((key, rest)) = path.split_first() else {
        return json;
    };
    let start = format!("\"{key}\":");
    let member = parts(json)
        .into_iter()
        .find(|part| part.starts_with(&start));
    member.map_or("", |member| at(&member[start.len()..], rest))
}

/// A field of a commitment.
pub(crate) fn of<'a>(view: &'a str, k: &str, field: &str) -> &'a str {
    at(view, &["commitments", k, field])
}

/// Status, or status and code, of a message.
pub(crate) fn status(view: &str, id: &str) -> String {
    let part = |field| {
        at(view, &["messages", id, field])
            .trim_matches('"')
            .to_string()
    };
    let (status, code) = (part("status"), part("code"));
    if code.is_empty() { status } else { code }
}
