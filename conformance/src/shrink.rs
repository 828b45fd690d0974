//! From a log that shows something to the smallest one that still shows it.
//!
//! Lines go first, in ever smaller groups (delta debugging, Zeller and Hildebrandt 2002), then what
//! stands inside those that are left: fields, items, and the length of texts. References are turned
//! to earlier messages on the way, so that the middle of a chain can go.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use tern_core::log;

/// How many smaller logs are tried at most.
const TRIES: usize = 20_000;

/// How many bytes these have in all at most: of a mebibyte a thousand are tried.
const BYTES: usize = 1 << 30;

/// The smallest log found that still `shows` what the given one does. The first line, which is the
/// context of a document, is made simpler but never dropped, and what is a log document stays one. `shows` must
/// hold of `lines`. Where it hangs on how a number is written, the line with the number stays as it is.
#[must_use]
pub fn shrink(lines: &[Vec<u8>], shows: impl FnMut(&[Vec<u8>]) -> bool) -> Vec<Vec<u8>> {
    let mut search = Search {
        best: lines.to_vec(),
        tries: 0,
        bytes: 0,
        is_document: begins_document(lines),
        shows,
    };
    loop {
        let before = search.best.clone();
        search.drop_lines();
        search.open_payloads();
        search.refer_earlier();
        search.simplify_lines();
        if search.best == before || search.is_tired() {
            return search.best;
        }
    }
}

struct Search<F> {
    best: Vec<Vec<u8>>,
    tries: usize,
    bytes: usize,
    /// Whether the given log is a log document, and not a file of bare messages (S8.11).
    is_document: bool,
    shows: F,
}

impl<F: FnMut(&[Vec<u8>]) -> bool> Search<F> {
    const fn is_tired(&self) -> bool {
        self.tries >= TRIES || self.bytes >= BYTES
    }

    /// Takes a smaller log if it still shows what the best one does.
    fn accept(&mut self, smaller: Vec<Vec<u8>>) -> bool {
        if self.is_tired() {
            return false;
        }
        self.tries += 1;
        self.bytes += smaller.iter().map(Vec::len).sum::<usize>();
        // Another kind of file, in which every line means something else.
        if self.is_document && smaller.first() != self.best.first() && !begins_document(&smaller) {
            return false;
        }
        let shows = (self.shows)(&smaller);
        if shows {
            self.best = smaller;
        }
        shows
    }

    fn drop_lines(&mut self) {
        let mut group = self.best.len().saturating_sub(1).max(1);
        loop {
            let mut from = 1;
            while from < self.best.len() && !self.is_tired() {
                let mut smaller = self.best.clone();
                smaller.drain(from..(from + group).min(self.best.len()));
                if !self.accept(smaller) {
                    from += group;
                }
            }
            if group == 1 {
                return;
            }
            group = group.div_ceil(2);
        }
    }

    /// Writes messages that travel as text or base64 as what they are.
    fn open_payloads(&mut self) {
        for index in 0..self.best.len() {
            if let Some(opened) = self.best.get(index).and_then(|line| open(line)) {
                self.accept_with(index, opened);
            }
        }
    }

    /// Turns what names a message to an earlier message, the earliest first.
    fn refer_earlier(&mut self) {
        let ids: Vec<String> = self.best.iter().filter_map(|line| id_of(line)).collect();
        for index in 0..self.best.len() {
            if self.is_tired() {
                return;
            }
            // A long line is read once, and not once for every pair of ids.
            let Some(mut value) = self.value_at(index) else {
                continue;
            };
            for (rank, id) in ids.iter().enumerate().skip(1) {
                for earlier in ids.iter().take(rank) {
                    let Some(turned) = turn(&value, id, earlier) else {
                        break;
                    };
                    if self.accept_line(index, &turned) {
                        value = turned;
                        break;
                    }
                }
            }
        }
    }

    fn simplify_lines(&mut self) {
        for index in 0..self.best.len() {
            if let Some(mut value) = self.value_at(index) {
                self.simplify(index, &mut value, &mut Vec::new());
            }
        }
    }

    /// Takes away what is not needed of a value inside a line: first much at once, then within what is
    /// left. One change is made at a time, and taken back if it was too much.
    fn simplify(&mut self, index: usize, line: &mut Value, path: &mut Vec<usize>) {
        if let Some(Value::String(text)) = at(line, path) {
            if text.chars().nth(1).is_none() || self.put(index, line, path, |_| "x".into()) {
                return;
            }
            while self.put(index, line, path, half) {}
            return;
        }
        let mut group = length(line, path);
        while group > 0 {
            let mut from = 0;
            while from < length(line, path) {
                if !self.put(index, line, path, |value| without(value, from, group)) {
                    from += group;
                }
            }
            group = if group == 1 { 0 } else { group.div_ceil(2) };
        }
        for place in 0..length(line, path) {
            path.push(place);
            self.simplify(index, line, path);
            path.pop();
        }
    }

    /// Puts a smaller value in its place; back if the log does not show it then.
    fn put(
        &mut self,
        index: usize,
        line: &mut Value,
        path: &[usize],
        smaller: impl Fn(&Value) -> Value,
    ) -> bool {
        let Some(place) = at(line, path).filter(|_| !self.is_tired()) else {
            return false;
        };
        let smaller = smaller(place);
        if *place == smaller {
            return false;
        }
        let before = std::mem::replace(place, smaller);
        let shows = self.accept_line(index, line);
        if !shows && let Some(place) = at(line, path) {
            *place = before;
        }
        shows
    }

    fn value_at(&self, index: usize) -> Option<Value> {
        serde_json::from_slice(self.best.get(index)?).ok()
    }

    fn accept_line(&mut self, index: usize, line: &Value) -> bool {
        !self.is_tired() && self.accept_with(index, line.to_string().into_bytes())
    }

    /// Takes the log with another line in that place.
    fn accept_with(&mut self, index: usize, line: Vec<u8>) -> bool {
        if self.is_tired() {
            return false;
        }
        let mut lines = self.best.clone();
        if let Some(place) = lines.get_mut(index) {
            *place = line;
        }
        self.accept(lines)
    }
}

fn begins_document(lines: &[Vec<u8>]) -> bool {
    lines.first().is_some_and(|line| log::begins_document(line))
}

/// What stands at a place: the so manieth item or field, and so on inside it.
fn at<'v>(value: &'v mut Value, path: &[usize]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, place| match value {
        Value::Array(items) => items.get_mut(*place),
        Value::Object(fields) => fields.values_mut().nth(*place),
        _ => None,
    })
}

/// How many items or fields stand at a place.
fn length(value: &mut Value, path: &[usize]) -> usize {
    match at(value, path) {
        Some(Value::Array(items)) => items.len(),
        Some(Value::Object(fields)) => fields.len(),
        _ => 0,
    }
}

/// A list or an object without some of its entries.
fn without(value: &Value, from: usize, count: usize) -> Value {
    let goes = |place: usize| (from..from + count).contains(&place);
    match value {
        Value::Array(items) => {
            let left = items.iter().enumerate().filter(|(place, _)| !goes(*place));
            left.map(|(_, item)| item.clone()).collect()
        }
        Value::Object(fields) => {
            let left = fields.iter().enumerate().filter(|(place, _)| !goes(*place));
            let left = left.map(|(_, (key, field))| (key.clone(), field.clone()));
            Value::Object(left.collect())
        }
        other => other.clone(),
    }
}

/// The first half of a text.
fn half(value: &Value) -> Value {
    let text = value.as_str().unwrap_or_default();
    let half = text.chars().count().div_ceil(2);
    text.chars().take(half).collect::<String>().into()
}

/// A line whose payload is a message as text or base64, with the message in its place.
fn open(line: &[u8]) -> Option<Vec<u8>> {
    let mut value: Value = serde_json::from_slice(line).ok()?;
    let deliver = value.get_mut("deliver")?.as_object_mut()?;
    let message: Value = match (deliver.remove("text"), deliver.remove("base64")) {
        (Some(Value::String(text)), None) => serde_json::from_str(&text).ok()?,
        (None, Some(Value::String(text))) => {
            serde_json::from_slice(&STANDARD.decode(text).ok()?).ok()?
        }
        _ => return None,
    };
    deliver.insert("message".into(), message);
    Some(value.to_string().into_bytes())
}

/// The id of the message that a line delivers.
fn id_of(line: &[u8]) -> Option<String> {
    let value: Value = serde_json::from_slice(line).ok()?;
    let id = value.pointer("/deliver/message/id")?;
    id.as_str().map(str::to_owned)
}

/// A line that names another message wherever it names one, but for its own id. None if it does not.
fn turn(line: &Value, from: &str, to: &str) -> Option<Value> {
    if !names(line, from) {
        return None;
    }
    let mut value = line.clone();
    let own = value.pointer("/deliver/message/id").cloned();
    let turned = rename(&mut value, from, to);
    if let Some(own) = own
        && let Some(id) = value.pointer_mut("/deliver/message/id")
    {
        let was_own = own.as_str() == Some(from);
        *id = own;
        if was_own && turned == 1 {
            return None;
        }
    }
    (turned > 0).then_some(value)
}

/// Whether a text stands anywhere in a value.
fn names(value: &Value, name: &str) -> bool {
    match value {
        Value::String(text) => text == name,
        Value::Array(items) => items.iter().any(|item| names(item, name)),
        Value::Object(fields) => fields.values().any(|field| names(field, name)),
        _ => false,
    }
}

/// Replaces a text wherever it stands. Gives how often it did.
fn rename(value: &mut Value, from: &str, to: &str) -> usize {
    match value {
        Value::String(text) if text == from => {
            to.clone_into(text);
            1
        }
        Value::Array(items) => items.iter_mut().map(|item| rename(item, from, to)).sum(),
        Value::Object(fields) => fields
            .values_mut()
            .map(|field| rename(field, from, to))
            .sum(),
        _ => 0,
    }
}
