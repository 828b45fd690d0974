//! The files of `spec/vectors/`, which are part of the program: whoever has it has them.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::File;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        /// The files by their names, in order.
        pub const FILES: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../../../spec/vectors/", $name, ".json")))),*
        ];
    };
}

files![
    "chains",
    "commitments",
    "documents",
    "duplicates",
    "encoding",
    "identity",
    "progress",
    "readiness",
    "reconcile",
    "references",
    "shape",
    "shapes",
    "values",
    "view",
];

/// The ids that were given up, and why.
const RETIRED: &str = include_str!("../../../spec/vectors/retired.json");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Retired {
    retired: BTreeMap<String, String>,
}

/// All vectors, by files.
///
/// # Errors
/// Where a file is none: its name and why. The tests of the project see to it that all are.
pub fn all() -> Result<Vec<(&'static str, File)>, String> {
    let read = |(name, text): &(&'static str, &str)| {
        let file = serde_json::from_str::<File>(text);
        file.map(|file| (*name, file))
            .map_err(|error| format!("spec/vectors/{name}.json: {error}"))
    };
    FILES.iter().map(read).collect()
}

/// The ids that were given up, each with the reason. None is used again.
///
/// # Errors
/// Where the list is none.
pub fn retired() -> Result<BTreeMap<String, String>, String> {
    read_retired(RETIRED)
}

/// The ids that such a list holds, each with the reason.
///
/// # Errors
/// Where the text is no such list.
pub fn read_retired(text: &str) -> Result<BTreeMap<String, String>, String> {
    let retired = serde_json::from_str::<Retired>(text);
    retired
        .map(|it| it.retired)
        .map_err(|error| format!("spec/vectors/retired.json: {error}"))
}
