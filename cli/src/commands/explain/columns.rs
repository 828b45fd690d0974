//! A conflict for people: two branches beside each other where there is room (S4.03).

use serde_json::value::RawValue;
use tern_core::message::Mode;
use tern_core::wire::{Json, JsonOptions, canonical};

use super::branches::{Branch, Conflict};
use super::page::{MANY, Page, SHOWN, VALUE, lines, place};
use crate::look::{Difference, beside};
use crate::text::{count, short, shown};

/// From here on two branches stand beside each other.
const WIDE: usize = 80;

impl Page {
    pub(super) fn conflict(&mut self, conflict: &Conflict) {
        let branches = &conflict.branches;
        self.title(&format!(
            "{} of `{}` compete",
            count(branches.len(), "revision"),
            shown(&conflict.target)
        ));
        let place = place(conflict.line);
        let head = shown(&conflict.head);
        match &conflict.undisputed {
            Some(content) => {
                self.text(2, &format!("last undisputed content, by `{head}`{place}:"));
                for (key, value) in fields(content) {
                    self.line(4, &key, &value);
                }
            }
            None => self.text(
                2,
                &format!("`{head}`{place} withdrew it: no content to compare with"),
            ),
        }
        self.out.push('\n');
        let drawn = branches.get(..branches.len().min(MANY)).unwrap_or_default();
        for pair in drawn.chunks(2) {
            match pair {
                [left, right] if self.width >= WIDE => self.columns(left, right),
                _ => pair.iter().for_each(|branch| self.column(branch)),
            }
        }
        self.more(2, branches.len(), MANY);
    }

    /// Two branches beside each other, field by field.
    fn columns(&mut self, left: &Branch, right: &Branch) {
        let width = (self.width - 5) / 2;
        let mut row = |one: &str, other: &str| {
            for line in beside(one, other, width).lines() {
                self.out.push_str(&format!("  {line}\n"));
            }
        };
        let ([one, why], [other, because]) = (heading(left), heading(right));
        row(&one, &other);
        row(&why, &because);
        let mut pointers: Vec<&str> = Vec::new();
        for found in left.differences.iter().chain(&right.differences) {
            if !pointers.contains(&found.pointer.as_str()) && pointers.len() < MANY {
                pointers.push(&found.pointer);
            }
        }
        for pointer in pointers {
            let cells = |branch: &Branch| {
                let mut found = branch.differences.iter();
                let found = found.find(|found| found.pointer == pointer);
                found.map_or_else(|| unchanged(branch, pointer), |found| cell(branch, found))
            };
            for (one, other) in cells(left).iter().zip(&cells(right)) {
                if !(one.is_empty() && other.is_empty()) {
                    row(one, other);
                }
            }
        }
        let ([one, two], [other, another]) = (footing(left), footing(right));
        for (one, other) in [(one, other), (two, another)] {
            if !(one.is_empty() && other.is_empty()) {
                row(&one, &other);
            }
        }
        self.out.push('\n');
    }

    /// One branch by itself.
    fn column(&mut self, branch: &Branch) {
        let changed = branch.differences.iter().take(MANY);
        let lines = heading(branch)
            .into_iter()
            .chain(changed.flat_map(|found| cell(branch, found)))
            .chain(footing(branch));
        for line in lines.filter(|line| !line.is_empty()) {
            self.text(2, &line);
        }
        self.out.push('\n');
    }
}

fn heading(branch: &Branch) -> [String; 2] {
    [
        format!(
            "{}{}: {}",
            shown(&branch.id),
            place(branch.line),
            branch.mode
        ),
        format!("because: {}", short(&branch.reason, VALUE)),
    ]
}

fn footing(branch: &Branch) -> [String; 2] {
    let same = if branch.mode == Mode::Replace && branch.differences.is_empty() {
        "it changes nothing, and competes all the same".into()
    } else {
        String::new()
    };
    let below: Vec<String> = branch
        .below
        .iter()
        .take(SHOWN)
        .map(|id| shown(id))
        .collect();
    let below = if below.is_empty() {
        String::new()
    } else {
        let more = branch.below.len() - below.len();
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        format!("below it, deciding nothing: {}{more}", below.join(", "))
    };
    [same, below]
}

/// A field that the other branch changes.
fn unchanged(branch: &Branch, pointer: &str) -> [String; 3] {
    if branch.mode == Mode::Withdraw || pointer.is_empty() {
        return Default::default();
    }
    [
        format!("{}: as before", short(pointer, VALUE)),
        String::new(),
        String::new(),
    ]
}

fn cell(branch: &Branch, found: &Difference) -> [String; 3] {
    if branch.mode == Mode::Withdraw {
        return [
            "it withdraws the whole content".into(),
            String::new(),
            String::new(),
        ];
    }
    lines(found)
}

/// The fields of an object, safe to print.
fn fields(object: &RawValue) -> Vec<(String, String)> {
    Json::read(object.get().as_bytes(), JsonOptions::STRICT).map_or_else(
        |_| Vec::new(),
        |json| {
            json.root()
                .entries()
                .map(|(key, _, value)| (shown(key), short(&canonical(value), VALUE)))
                .collect()
        },
    )
}
