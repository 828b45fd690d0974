//! Implementations that take what they may not, or see what is not there.

use std::collections::BTreeMap;

use crate::document::{lines, messages, payloads, records};
use crate::tree::Tree;

/// A wrong reader: its name, the clause that it violates, what it does, and how.
pub(crate) type Reader = (
    &'static str,
    &'static str,
    &'static str,
    fn(&[u8]) -> Vec<u8>,
);

/// All of them.
#[rustfmt::skip]
pub(crate) const READERS: &[Reader] = &[
    ("ids-without-case", "T1.09", "ids that differ in case alone are the same", ids_without_case),
    ("texts-trimmed", "S1.01", "white space around texts is taken away", texts_trimmed),
    ("texts-normalized", "R-02", "e with a combining acute becomes é", texts_normalized),
    ("short-offsets", "A-TIME", "times may end with an offset of hours alone", short_offsets),
    ("no-leap-seconds", "A-TIME", "second 60 is refused", no_leap_seconds),
    ("capital-times-only", "A-TIME", "`t` and `z` are refused", capital_times_only),
    ("unknown-fields-ignored", "T1.14", "fields that the tables do not name are dropped", unknown_fields_ignored),
    ("absent-reply", "T1.13", "`reply` may be absent", absent_reply),
    ("null-as-absent", "S1.02", "null stands for an optional field that is absent", null_as_absent),
    ("values-converted", "T1.10", "a number is taken where a text is asked for", values_converted),
    ("words-in-any-case", "S2.11", "words of enumerations may be spelled in any case", words_in_any_case),
    ("later-versions", "T1.16", "any version 0.x is read as 0.1", later_versions),
    ("recipients-as-set", "R-02", "the order of recipients does not matter", recipients_as_set),
    ("recipients-repeated", "T1.12", "a recipient named twice counts once", recipients_repeated),
    ("numbers-as-spelled", "R-02", "numbers are equal when they are spelled alike", numbers_as_spelled),
    ("numbers-rounded", "S2.08", "numbers are kept as the nearest double", numbers_rounded),
    ("last-key-wins", "T1.05", "of a repeated key the last one counts", last_key_wins),
    ("surrogates-replaced", "S2.05", "half a surrogate pair is read as U+FFFD", surrogates_replaced),
    ("bytes-replaced", "T1.01", "bytes that are not UTF-8 are read as U+FFFD", bytes_replaced),
    ("byte-order-mark", "S2.04", "a byte-order mark before a message is skipped", byte_order_mark),
    ("comments", "T1.06", "comments and commas before a bracket are skipped", comments),
    ("blank-lines", "R-05", "blank lines are skipped", blank_lines),
    ("carriage-returns-refused", "R-05", "a line that ends with CRLF is broken", carriage_returns_refused),
    ("universal-newlines", "T1.03", "a carriage return alone ends a line, too", universal_newlines),
    ("unicode-newlines", "T1.03", "U+2028, U+0085 and their like end a line, too", unicode_newlines),
    ("open-end-dropped", "R-05", "a last line without a newline is dropped", open_end_dropped),
    ("senders-believed", "T1.22", "whoever names a sender is taken for it", senders_believed),
];

fn each_text(document: &[u8], change: &mut dyn FnMut(&str, &mut String)) -> Vec<u8> {
    messages(document, Tree::strict, &mut |message| message.texts(change))
}

fn each_time(document: &[u8], change: fn(&mut String)) -> Vec<u8> {
    each_text(document, &mut |key, text| {
        if matches!(key, "due" | "collected_at") {
            change(text);
        }
    })
}

/// As file systems do it: the first spelling is kept.
fn ids_without_case(document: &[u8]) -> Vec<u8> {
    const KEYS: [&str; 8] = [
        "id",
        "reply",
        "about",
        "request",
        "commitment",
        "target",
        "previous",
        "replaces",
    ];
    let mut first = BTreeMap::new();
    each_text(document, &mut |key, id| {
        if KEYS.contains(&key) {
            let known = first.entry(id.to_lowercase()).or_insert_with(|| id.clone());
            id.clone_from(known);
        }
    })
}

fn texts_trimmed(document: &[u8]) -> Vec<u8> {
    each_text(document, &mut |_, text| *text = text.trim().to_owned())
}

fn texts_normalized(document: &[u8]) -> Vec<u8> {
    each_text(document, &mut |_, text| {
        *text = text.replace("e\u{301}", "é")
    })
}

fn short_offsets(document: &[u8]) -> Vec<u8> {
    each_time(document, |time| {
        let bytes = time.as_bytes();
        if let [.., b'0'..=b'9', b'+' | b'-', b'0'..=b'9', b'0'..=b'9'] = bytes
            && time.contains(':')
        {
            time.push_str(":00");
        }
    })
}

fn no_leap_seconds(document: &[u8]) -> Vec<u8> {
    each_time(document, |time| *time = time.replace(":60", ":61"))
}

fn capital_times_only(document: &[u8]) -> Vec<u8> {
    each_time(document, |time| *time = time.replace(['t', 'z'], "?"))
}

fn unknown_fields_ignored(document: &[u8]) -> Vec<u8> {
    const ENVELOPE: &str = "tern id from to thread reply act body evidence extensions";
    const BODIES: &str = "question about claims plan success constraints action done_when authority_ref replaces \
        request deliverable due conditions commitment state next target kind objection support resolution_test \
        previous mode reason replacement impact alternative extensions";
    messages(document, Tree::strict, &mut |message| {
        let keep = |tree: Option<&mut Tree>, known: &str| {
            if let Some(fields) = tree.and_then(Tree::fields_mut) {
                fields.retain(|(key, _)| known.split_whitespace().any(|it| it == key));
            }
        };
        keep(message.get_mut("body"), BODIES);
        keep(Some(message), ENVELOPE);
    })
}

fn absent_reply(document: &[u8]) -> Vec<u8> {
    messages(document, Tree::strict, &mut |message| {
        let is_absent = message.get("reply").is_none();
        if let (true, Some(fields)) = (is_absent, message.fields_mut()) {
            fields.push(("reply".to_owned(), Tree::Null));
        }
    })
}

fn null_as_absent(document: &[u8]) -> Vec<u8> {
    const OPTIONAL: [&str; 6] = [
        "about",
        "evidence",
        "extensions",
        "next",
        "alternative",
        "replaces",
    ];
    messages(document, Tree::strict, &mut |message| {
        let drop = |tree: Option<&mut Tree>| {
            if let Some(fields) = tree.and_then(Tree::fields_mut) {
                fields.retain(|(key, it)| *it != Tree::Null || !OPTIONAL.contains(&&**key));
            }
        };
        drop(message.get_mut("body"));
        drop(Some(message));
    })
}

fn values_converted(document: &[u8]) -> Vec<u8> {
    messages(document, Tree::strict, &mut |message| {
        let convert = |tree: Option<&mut Tree>| {
            for (_, value) in tree.and_then(Tree::fields_mut).into_iter().flatten() {
                if let Tree::Number(number) = value {
                    *value = Tree::Text(number.clone());
                }
            }
        };
        convert(message.get_mut("body"));
        convert(Some(message));
    })
}

fn words_in_any_case(document: &[u8]) -> Vec<u8> {
    each_text(document, &mut |key, text| match key {
        "act" => *text = text.to_uppercase(),
        "state" | "kind" | "mode" | "basis" | "confidence" | "assessment" => {
            *text = text.to_lowercase();
        }
        _ => {}
    })
}

fn later_versions(document: &[u8]) -> Vec<u8> {
    each_text(document, &mut |key, text| {
        if key == "tern" && text.starts_with("0.") {
            "0.1".clone_into(text);
        }
    })
}

fn each_to(document: &[u8], change: fn(&mut Vec<Tree>)) -> Vec<u8> {
    messages(document, Tree::strict, &mut |message| {
        if let Some(Tree::List(names)) = message.get_mut("to") {
            change(names);
        }
    })
}

fn recipients_as_set(document: &[u8]) -> Vec<u8> {
    each_to(document, |names| {
        names.sort_by(|one, other| one.text().cmp(&other.text()));
    })
}

fn recipients_repeated(document: &[u8]) -> Vec<u8> {
    each_to(document, |names| {
        let mut seen = Vec::new();
        names.retain(|name| {
            let is_new = !seen.contains(name);
            seen.push(name.clone());
            is_new
        });
    })
}

fn each_number(document: &[u8], change: fn(&str) -> Tree) -> Vec<u8> {
    messages(document, Tree::strict, &mut |message| {
        message.walk("", &mut |key, value| {
            if key == "extensions" {
                value.walk("", &mut |_, value| {
                    if let Tree::Number(number) = value {
                        *value = change(number);
                    }
                });
            }
        });
    })
}

fn numbers_as_spelled(document: &[u8]) -> Vec<u8> {
    each_number(document, |number| Tree::Text(number.to_owned()))
}

fn numbers_rounded(document: &[u8]) -> Vec<u8> {
    each_number(document, |number| {
        let double: f64 = number.parse().unwrap_or_default();
        Tree::Number(format!("{double:e}"))
    })
}

fn last_key_wins(document: &[u8]) -> Vec<u8> {
    messages(document, Tree::lenient, &mut |message| {
        message.walk("", &mut |_, value| {
            let Tree::Fields(fields) = value else {
                return;
            };
            let all = std::mem::take(fields);
            for (key, value) in all {
                match fields.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, known)) => *known = value,
                    None => fields.push((key, value)),
                }
            }
        });
    })
}

fn surrogates_replaced(document: &[u8]) -> Vec<u8> {
    messages(document, Tree::lenient, &mut |_| {})
}

fn bytes_replaced(document: &[u8]) -> Vec<u8> {
    payloads(document, &mut |bytes| {
        String::from_utf8_lossy(&bytes).into_owned().into_bytes()
    })
}

fn byte_order_mark(document: &[u8]) -> Vec<u8> {
    payloads(document, &mut |bytes| {
        let rest = bytes.strip_prefix("\u{feff}".as_bytes());
        rest.map(<[u8]>::to_vec).unwrap_or(bytes)
    })
}

fn comments(document: &[u8]) -> Vec<u8> {
    payloads(document, &mut |bytes| match String::from_utf8(bytes) {
        Ok(text) => without_comments(&text).into_bytes(),
        Err(error) => error.into_bytes(),
    })
}

fn without_comments(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    let mut is_string = false;
    while let Some(next) = rest.chars().next() {
        let mut taken = next.len_utf8();
        if is_string && next == '\\' {
            taken += rest.chars().nth(1).map_or(0, char::len_utf8);
        } else if next == '"' {
            is_string = !is_string;
        } else if !is_string && rest.starts_with("/*") {
            rest = rest.split_once("*/").map_or("", |(_, after)| after);
            continue;
        } else if !is_string && rest.starts_with("//") {
            rest = rest.find('\n').and_then(|at| rest.get(at..)).unwrap_or("");
            continue;
        } else if !is_string && matches!(next, '}' | ']') && out.trim_end().ends_with(',') {
            out.truncate(out.trim_end().len() - 1);
        }
        let (start, after) = rest.split_at(taken);
        out.push_str(start);
        rest = after;
    }
    out
}

fn blank_lines(document: &[u8]) -> Vec<u8> {
    let lines = document.split_inclusive(|it| *it == b'\n');
    let full = lines.filter(|line| !line.trim_ascii().is_empty());
    full.flatten().copied().collect()
}

fn carriage_returns_refused(document: &[u8]) -> Vec<u8> {
    lines(document, &mut |line| {
        let line = line.strip_suffix(b"\r")?;
        Some([line, b"\x0b"].concat())
    })
}

fn universal_newlines(document: &[u8]) -> Vec<u8> {
    replaced(document, &[("\r\n", "\n"), ("\r", "\n")])
}

fn unicode_newlines(document: &[u8]) -> Vec<u8> {
    const ENDS: [&str; 5] = ["\u{2028}", "\u{2029}", "\u{85}", "\u{b}", "\u{c}"];
    replaced(document, &ENDS.map(|end| (end, "\n")))
}

fn replaced(document: &[u8], pairs: &[(&str, &str)]) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(document) else {
        return document.to_vec();
    };
    let mut text = text.to_owned();
    for (from, to) in pairs {
        text = text.replace(from, to);
    }
    text.into_bytes()
}

fn open_end_dropped(document: &[u8]) -> Vec<u8> {
    let whole = document.iter().rposition(|it| *it == b'\n');
    let whole = whole.and_then(|last| document.get(..=last));
    whole.unwrap_or_default().to_vec()
}

fn senders_believed(document: &[u8]) -> Vec<u8> {
    let mut bound = BTreeMap::new();
    records(document, Tree::strict, &mut |record| {
        let context = record.get("context");
        if let Some(Tree::Fields(names)) = context.and_then(|it| it.get("participants")) {
            bound.extend(names.iter().cloned());
        }
        let Some(delivery) = record.get_mut("deliver") else {
            return;
        };
        let message = delivery.get("message");
        let from = message.and_then(|it| it.get("from")?.text());
        let Some(principal) = from.and_then(|from| bound.get(from)).cloned() else {
            return;
        };
        if let Some(fields) = delivery.fields_mut() {
            fields.retain(|(key, _)| key != "principal");
            fields.push(("principal".to_owned(), principal));
        }
    })
}
