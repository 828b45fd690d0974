//! From a log that shows something to the smallest one that still shows it.
//!
//! Lines go first, in ever smaller groups (delta debugging, Zeller and Hildebrandt 2002), then what
//! stands inside those that are left: fields, items, and the length of texts. References are turned
//! to earlier messages on the way, so that the middle of a chain can go.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// How many smaller logs are tried at most.
const TRIES: usize = 20_000;

/// The smallest log found that still `shows` what the given one does. The first line, which is the
/// context of a document, is made simpler but never dropped. `shows` must hold of `lines`. Where it hangs
/// on how a number is written, the line with the number stays as it is.
#[must_use]
pub fn shrink(lines: &[Vec<u8>], shows: impl FnMut(&[Vec<u8>]) -> bool) -> Vec<Vec<u8>> {
    let mut search = Search {
        best: lines.to_vec(),
        tries: 0,
        shows,
    };
    loop {
        let before = search.best.clone();
        search.drop_lines();
        search.open_payloads();
        search.refer_earlier();
        search.simplify_lines();
        if search.best == before || search.tries >= TRIES {
            return search.best;
        }
    }
}

struct Search<F> {
    best: Vec<Vec<u8>>,
    tries: usize,
    shows: F,
}

impl<F: FnMut(&[Vec<u8>]) -> bool> Search<F> {
    /// Takes a smaller log if it still shows what the best one does.
    fn accept(&mut self, smaller: Vec<Vec<u8>>) -> bool {
        if self.tries >= TRIES {
            return false;
        }
        self.tries += 1;
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
            while from < self.best.len() {
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
            let mut lines = self.best.clone();
            if let Some(line) = lines.get_mut(index)
                && let Some(opened) = open(line)
            {
                *line = opened;
                self.accept(lines);
            }
        }
    }

    /// Turns what names a message to an earlier message, the earliest first.
    fn refer_earlier(&mut self) {
        let ids: Vec<String> = self.best.iter().filter_map(|line| id_of(line)).collect();
        for index in 0..self.best.len() {
            for (rank, id) in ids.iter().enumerate().skip(1) {
                for earlier in ids.iter().take(rank) {
                    let Some(line) = self.best.get(index) else {
                        break;
                    };
                    let Some(turned) = turn(line, id, earlier) else {
                        break;
                    };
                    let mut lines = self.best.clone();
                    if let Some(line) = lines.get_mut(index) {
                        *line = turned;
                    }
                    if self.accept(lines) {
                        break;
                    }
                }
            }
        }
    }

    fn simplify_lines(&mut self) {
        for index in 0..self.best.len() {
            let Some(mut value) = self
                .best
                .get(index)
                .and_then(|line| serde_json::from_slice::<Value>(line).ok())
            else {
                continue;
            };
            // Each success begins again with a smaller value, so this ends.
            while let Some(smaller) = simpler(&value).into_iter().find(|smaller| {
                let mut lines = self.best.clone();
                if let Some(line) = lines.get_mut(index) {
                    *line = smaller.to_string().into_bytes();
                }
                self.accept(lines)
            }) {
                value = smaller;
            }
        }
    }
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
fn turn(line: &[u8], from: &str, to: &str) -> Option<Vec<u8>> {
    let mut value: Value = serde_json::from_slice(line).ok()?;
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
    (turned > 0).then(|| value.to_string().into_bytes())
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

/// Values that have a little less in one place.
fn simpler(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(fields) => {
            let without = fields.keys().map(|key| {
                let mut fields = fields.clone();
                fields.remove(key);
                Value::Object(fields)
            });
            let within = fields.iter().flat_map(|(key, field)| {
                simpler(field).into_iter().map(|smaller| {
                    let mut fields = fields.clone();
                    fields.insert(key.clone(), smaller);
                    Value::Object(fields)
                })
            });
            without.chain(within).collect()
        }
        Value::Array(items) => {
            let without = (0..items.len()).map(|index| {
                let mut items = items.clone();
                items.remove(index);
                Value::Array(items)
            });
            let within = items.iter().enumerate().flat_map(|(index, item)| {
                simpler(item).into_iter().map(move |smaller| {
                    let mut items = items.clone();
                    if let Some(item) = items.get_mut(index) {
                        *item = smaller;
                    }
                    Value::Array(items)
                })
            });
            without.chain(within).collect()
        }
        Value::String(text) if text.chars().nth(1).is_some() => {
            let half = text.chars().count() / 2;
            let first_half: String = text.chars().take(half).collect();
            vec!["x".into(), first_half.into()]
        }
        _ => Vec::new(),
    }
}
