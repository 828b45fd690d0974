//! The entries of `spec/clauses.toml`.

use std::fs;

use serde::Deserialize;
use tern_conformance::vector::Level;

use crate::root;

/// An entry: a clause or a reading. The fields are the whole format.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// Its id.
    pub id: String,
    /// The section of the specification that a clause stands in.
    pub section: Option<String>,
    /// How binding it is. A reading has none of its own in the file.
    #[serde(default = "reading")]
    pub level: Level,
    /// On whom a clause falls.
    pub binds: Option<String>,
    /// What it says.
    pub text: String,
    /// The reason of a reading.
    pub why: Option<String>,
    /// What a reading reads.
    #[serde(default)]
    pub from: Vec<String>,
    /// The codes that enforce it.
    #[serde(default)]
    pub codes: Vec<String>,
    /// Why no test can observe it, where none can.
    pub unchecked: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Spec {
    clause: Vec<Clause>,
    reading: Vec<Clause>,
}

const fn reading() -> Level {
    Level::Reading
}

/// All entries, in their order.
///
/// # Panics
/// Where the file cannot be read.
#[must_use]
#[allow(clippy::expect_used, reason = "for tests alone")]
pub fn clauses() -> Vec<Clause> {
    let text = fs::read_to_string(root().join("spec/clauses.toml")).expect("the clauses are there");
    let spec: Spec = toml::from_str(&text).expect("the clauses are TOML");
    spec.clause.into_iter().chain(spec.reading).collect()
}
