//! A comparison for people.

use anstyle::Style;
use serde_json::value::RawValue;
use tern_core::wire::Digest;

use super::sides::{Comparison, Entry, Known};
use crate::text::{count, short, shown};

const BOLD: Style = Style::new().bold();
/// So many entries of a list are shown to people; `--json` has all.
const SHOWN: usize = 50;
const VALUE: usize = 200;

/// The whole comparison.
pub(super) fn of(comparison: &Comparison, names: &[String; 2]) -> String {
    let [a, b] = names;
    let digests = &comparison.digests;
    let mut out = format!("A  {a}\n   {}\nB  {b}\n   {}\n\n", digests.a, digests.b);
    out.push_str(match (comparison.digests_agree, comparison.equal) {
        (true, true) => "The digests agree: both logs come to the same view.\n",
        (true, false) => {
            "The digests agree, so both views are the same now; what they rest on is not.\n"
        }
        (false, _) => "The digests differ.\n",
    });
    contexts(comparison, &mut out);
    let lacking = &comparison.messages.lacking;
    messages("B", &lacking.only_a, &mut out);
    messages("A", &lacking.only_b, &mut out);
    others(comparison, &mut out);
    facts("A", &comparison.facts.only_a, &mut out);
    facts("B", &comparison.facts.only_b, &mut out);
    view(&comparison.view, &mut out);
    out
}

fn title(out: &mut String, title: &str) {
    out.push_str(&format!("\n{BOLD}{title}{BOLD:#}\n"));
}

fn more(out: &mut String, all: usize) {
    if all > SHOWN {
        out.push_str(&format!("  … and {} more; `--json` has all\n", all - SHOWN));
    }
}

fn contexts(comparison: &Comparison, out: &mut String) {
    let contexts = &comparison.contexts;
    if contexts.agree {
        return;
    }
    title(
        out,
        "the contexts differ, and what is said under one says nothing under the other [R-03]",
    );
    let ids = &contexts.ids;
    if ids.a != ids.b {
        out.push_str(&format!(
            "  A `{}`\n  B `{}`\n",
            shown(&ids.a),
            shown(&ids.b)
        ));
    }
    for binding in contexts.participants.iter().take(SHOWN) {
        let side = |principal: &Option<String>| {
            principal
                .as_deref()
                .map_or("not bound".into(), |principal| {
                    format!("`{}`", short(principal, VALUE))
                })
        };
        out.push_str(&format!(
            "  {}: A {}, B {}\n",
            shown(&binding.name),
            side(&binding.principals.a),
            side(&binding.principals.b),
        ));
    }
    more(out, contexts.participants.len());
}

fn messages(who: &str, lacks: &[Known], out: &mut String) {
    if lacks.is_empty() {
        return;
    }
    title(
        out,
        &format!("{who} lacks {}", count(lacks.len(), "message")),
    );
    for known in lacks.iter().take(SHOWN) {
        out.push_str(&format!(
            "  {}  {}\n",
            list(&known.digests),
            shown(&known.id)
        ));
    }
    more(out, lacks.len());
}

fn list(digests: &[Digest]) -> String {
    let digests: Vec<String> = digests.iter().map(ToString::to_string).collect();
    digests.join(" ")
}

fn others(comparison: &Comparison, out: &mut String) {
    let others = &comparison.messages.other_content;
    if others.is_empty() {
        return;
    }
    title(out, "same id, other content [R-15]");
    for other in others.iter().take(SHOWN) {
        out.push_str(&format!("  {}\n", shown(&other.id)));
        for (side, first, kept) in [
            ("A", other.first.a, &other.kept.a),
            ("B", other.first.b, &other.kept.b),
        ] {
            let rest: Vec<Digest> = kept.iter().copied().filter(|&one| one != first).collect();
            let rest = match rest.as_slice() {
                [] => String::new(),
                rest => format!(", later {}", list(rest)),
            };
            out.push_str(&format!("    {side} first {first}{rest}\n"));
        }
    }
    more(out, others.len());
}

fn facts(who: &str, facts: &[Box<RawValue>], out: &mut String) {
    if facts.is_empty() {
        return;
    }
    title(
        out,
        &format!("only {who} has {}", count(facts.len(), "local fact")),
    );
    for fact in facts.iter().take(SHOWN) {
        out.push_str(&format!("  {}\n", short(fact.get(), VALUE)));
    }
    more(out, facts.len());
}

fn view(entries: &[Entry], out: &mut String) {
    let mut rest = entries;
    while let Some(first) = rest.first() {
        let of_section = rest
            .iter()
            .take_while(|entry| entry.section == first.section);
        let (section, later) = rest.split_at(of_section.count());
        rest = later;
        title(
            out,
            &format!("view: {} ({} differ)", shown(&first.section), section.len()),
        );
        for entry in section.iter().take(SHOWN) {
            self::entry(entry, out);
        }
        more(out, section.len());
    }
}

fn entry(entry: &Entry, out: &mut String) {
    let side = |value: &Option<serde_json::Value>| {
        value
            .as_ref()
            .map_or("nothing".into(), |value| short(&value.to_string(), VALUE))
    };
    if let Some(id) = &entry.id {
        out.push_str(&format!("  {}\n", shown(id)));
    }
    if entry.differences.is_empty() || entry.differences.iter().any(|one| one.pointer.is_empty()) {
        let values = &entry.values;
        out.push_str(&format!(
            "    A {}\n    B {}\n",
            side(&values.a),
            side(&values.b)
        ));
        return;
    }
    for found in entry.differences.iter().take(SHOWN) {
        let side = |text: &Option<String>| {
            text.as_deref()
                .map_or("nothing".into(), |text| short(text, VALUE))
        };
        out.push_str(&format!(
            "    {}: A {}, B {}\n",
            short(&found.pointer, VALUE),
            side(&found.before),
            side(&found.after)
        ));
    }
}
