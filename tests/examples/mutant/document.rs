//! Documents that are changed before they are read: records, messages, or the bytes that are delivered.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tern_core::log::{begins_document, is_one_object};

use crate::tree::Tree;

/// How a line is read before it is changed.
pub(crate) type Read = fn(&[u8]) -> Option<Tree>;

/// Whether it is a log document, and no file of bare messages.
pub(crate) fn is_log(document: &[u8]) -> bool {
    begins_document(document.split(|it| *it == b'\n').next().unwrap_or_default())
}

/// Changes every line; a file of bare messages that is one object is one line.
pub(crate) fn lines(document: &[u8], change: &mut dyn FnMut(&[u8]) -> Option<Vec<u8>>) -> Vec<u8> {
    if !is_log(document) && is_one_object(document) {
        return change(document).unwrap_or_else(|| document.to_vec());
    }
    let lines = document.split(|it| *it == b'\n');
    let changed: Vec<Vec<u8>> = lines
        .map(|line| change(line).unwrap_or_else(|| line.to_vec()))
        .collect();
    changed.join(&b'\n')
}

/// Changes every line that is JSON.
pub(crate) fn records(document: &[u8], read: Read, change: &mut dyn FnMut(&mut Tree)) -> Vec<u8> {
    lines(document, &mut |line| changed(line, read, change))
}

/// Changes the bytes of every delivery of a broken message: those in `text` and `base64`, and the lines of a bare file.
pub(crate) fn payloads(document: &[u8], change: &mut dyn FnMut(Vec<u8>) -> Vec<u8>) -> Vec<u8> {
    if !is_log(document) {
        return lines(document, &mut |line| Some(change(line.to_vec())));
    }
    records(document, Tree::strict, &mut |record| {
        let Some(fields) = record.get_mut("deliver").and_then(Tree::fields_mut) else {
            return;
        };
        for (key, value) in fields {
            let Some(bytes) = payload(key, value) else {
                continue;
            };
            let bytes = change(bytes);
            (*key, *value) = match String::from_utf8(bytes) {
                Ok(text) => ("text".to_owned(), Tree::Text(text)),
                Err(error) => {
                    let text = STANDARD.encode(error.as_bytes());
                    ("base64".to_owned(), Tree::Text(text))
                }
            };
        }
    })
}

/// Changes every message that is JSON, however it is delivered.
pub(crate) fn messages(document: &[u8], read: Read, change: &mut dyn FnMut(&mut Tree)) -> Vec<u8> {
    if !is_log(document) {
        return records(document, read, change);
    }
    records(document, read, &mut |record| {
        let Some(fields) = record.get_mut("deliver").and_then(Tree::fields_mut) else {
            return;
        };
        for (key, value) in fields {
            if key == "message" {
                change(value);
            } else if let Some(bytes) = payload(key, value)
                && let Some(bytes) = changed(&bytes, read, change)
                && let Ok(text) = String::from_utf8(bytes)
            {
                (*key, *value) = ("text".to_owned(), Tree::Text(text));
            }
        }
    })
}

/// The messages that are delivered, in their order; none where one is no JSON.
pub(crate) fn deliveries(document: &[u8]) -> Vec<Option<Tree>> {
    if !is_log(document) {
        if is_one_object(document) {
            return vec![Tree::strict(document)];
        }
        let lines = document.split_inclusive(|it| *it == b'\n');
        return lines.map(Tree::strict).collect();
    }
    let lines = document.split(|it| *it == b'\n');
    let records = lines.filter_map(Tree::strict);
    let delivered = records.filter_map(|record| {
        let Some(Tree::Fields(fields)) = record.get("deliver") else {
            return None;
        };
        let message = fields.iter().find_map(|(key, value)| match &**key {
            "message" => Some(value.clone()),
            key => Tree::strict(&payload(key, value)?),
        });
        Some(message)
    });
    delivered.collect()
}

/// The line after the change; none where it is no JSON, or stays as it was.
fn changed(line: &[u8], read: Read, change: &mut dyn FnMut(&mut Tree)) -> Option<Vec<u8>> {
    let before = read(line)?;
    let mut after = before.clone();
    change(&mut after);
    // What was read leniently may have lost something by that alone.
    let is_same = after == before && Tree::strict(line).is_some();
    (!is_same).then(|| after.to_text().into_bytes())
}

fn payload(key: &str, value: &Tree) -> Option<Vec<u8>> {
    match key {
        "text" => Some(value.text()?.as_bytes().to_vec()),
        "base64" => STANDARD.decode(value.text()?).ok(),
        _ => None,
    }
}
