//! The clauses of the specification, for sentences that cite them.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Deserialize)]
struct Spec {
    clause: Vec<Entry>,
    reading: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    id: String,
    text: String,
}

static TEXTS: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    // The file is part of the build; a test reads it, so it cannot fail to parse here.
    let spec: Option<Spec> = toml::from_str(include_str!("../../spec/clauses.toml")).ok();
    spec.into_iter()
        .flat_map(|spec| spec.clause.into_iter().chain(spec.reading))
        .map(|entry| (entry.id, entry.text))
        .collect()
});

/// Every clause and reading, in order.
pub(crate) fn entries() -> Vec<tern_conformance::report::Entry> {
    let spec = TEXTS.iter().map(|(id, text)| (id.as_str(), text.as_str()));
    let mut entries: Vec<_> = spec.collect();
    entries.sort_unstable();
    let entry = |(id, text): (&str, &str)| tern_conformance::report::Entry {
        id: id.to_owned(),
        text: text.to_owned(),
    };
    entries.into_iter().map(entry).collect()
}

/// What a clause says.
pub(crate) fn text_of(clause: &str) -> Option<&'static str> {
    TEXTS.get(clause).map(String::as_str)
}
