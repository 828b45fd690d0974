//! What is wrong with test vectors: one judgement, for the tests and for the tool that keeps them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::Value;
use tern_conformance::engine::{Core, Model};
use tern_conformance::protocol::{Fate, Part};
use tern_conformance::runner::STOP;
use tern_conformance::serve::told;
use tern_conformance::vector::{Expect, File, Orders, Read, Vector, read_retired};
use tern_conformance::{Answer, Ask, Engine};

use crate::Clause;

/// What is wrong with a vector by itself: its form, and what core and model say of it in each of its orders.
#[must_use]
pub fn judged(vector: &Vector, clauses: &[Clause]) -> Vec<String> {
    let mut wrong = form(vector, clauses);
    wrong.extend(answered(vector));
    wrong
}

/// What is wrong with the form of a vector, as far as the schema cannot say it.
#[must_use]
pub fn form(vector: &Vector, clauses: &[Clause]) -> Vec<String> {
    let mut wrong = Vec::new();
    if vector.id == STOP {
        wrong.push(format!("`{STOP}` is how reports call the end"));
    }
    if !vector.checks.is_sorted_by(|one, other| one < other) {
        wrong.push("its checks are not in order, or one stands there twice".to_owned());
    }
    for check in &vector.checks {
        match clauses.iter().find(|it| it.id == check.clause) {
            Some(clause) if clause.level == check.level => {}
            Some(clause) => wrong.push(format!("{} is of level {:?}", clause.id, clause.level)),
            None => wrong.push(format!("there is no clause {}", check.clause)),
        }
    }
    if vector.log.iter().any(|it| it.bytes().contains(&b'\n')) {
        wrong.push("a line holds a newline".to_owned());
    }
    if vector.log.is_empty() && vector.open_end {
        wrong.push("it has no line whose end could be open".to_owned());
    }
    if let Expect::Read(read) = &vector.expect
        && vector.level >= 3
        && !is_made(vector)
        && read.view.is_empty()
        && read.absent.is_empty()
    {
        wrong.push("it is about more than outcomes, and names no place of the view".to_owned());
    }
    if vector.orders == Orders::All {
        wrong.extend(any_order(vector));
    }
    match vector.content_hash() {
        Ok(hash) if hash == vector.hash => {}
        Ok(_) => wrong.push("its hash is not that of its content".to_owned()),
        Err(error) => wrong.push(error.to_string()),
    }
    wrong
}

/// Whether it was made by `shapes`, and not written by hand.
fn is_made(vector: &Vector) -> bool {
    vector.id.starts_with("shape-")
        && vector.id.len() == 22
        && vector
            .checks
            .iter()
            .all(|it| ["S7.01", "S7.02"].contains(&&*it.clause))
}

/// Why it cannot be delivered in any order: only at most five records can, and no id with two versions.
fn any_order(vector: &Vector) -> Option<String> {
    let Expect::Read(read) = &vector.expect else {
        return Some("it is refused, and that in any order".to_owned());
    };
    if vector.is_bare() {
        return Some("it is a bare file, and that in any order".to_owned());
    }
    if !(2..=6).contains(&vector.log.len()) {
        return Some("too many or too few lines for any order".to_owned());
    }
    let equivocates = read.outcomes.iter().any(|it| it.outcome == "id_conflict");
    equivocates.then(|| "an id has two versions, so the order matters".to_owned())
}

/// Where core or model differ from a vector, in the first of its orders in which they do.
#[must_use]
pub fn answered(vector: &Vector) -> Vec<String> {
    let parts = BTreeSet::from([Part::View, Part::Digest]);
    let (mut core, mut model) = (Core::default(), Model::default());
    let engines: [&mut dyn Engine; 2] = [&mut core, &mut model];
    let mut wrong = Vec::new();
    for engine in engines {
        let name = engine.name().to_owned();
        for order in vector.orders() {
            let answer = match engine.run(&vector.document(&order), Ask::ViewAtEnd) {
                Ok(answer) => answer,
                Err(error) => {
                    wrong.push(format!("{name}: {error}"));
                    break;
                }
            };
            let mut found: Vec<String> = vector
                .judge(&told(&answer, &parts), &order, &parts)
                .iter()
                .map(ToString::to_string)
                .collect();
            if order.is_sorted() {
                found.extend(beside(vector, &answer, &name));
            }
            if found.is_empty() {
                continue;
            }
            let place = if order.is_sorted() {
                name
            } else {
                format!("{name}, lines in the order {order:?}")
            };
            wrong.extend(found.into_iter().map(|it| format!("{place}: {it}")));
            break;
        }
    }
    wrong
}

/// What `judge` does not ask: codes that are for orientation are those of the core, and what is absent could be
/// there.
fn beside(vector: &Vector, answer: &Answer, engine: &str) -> Vec<String> {
    let Expect::Read(read) = &vector.expect else {
        return Vec::new();
    };
    match engine {
        "core" => codes(read, answer),
        _ => orphans(read, answer),
    }
}

/// Codes that the core does not give.
fn codes(read: &Read, answer: &Answer) -> Vec<String> {
    let given = answer.outcomes().iter().map(Fate::from);
    let pairs = read.outcomes.iter().zip(given).enumerate();
    let other = pairs.filter(|(_, (said, given))| said.code.is_some() && said.code != given.code);
    other
        .map(|(index, (said, given))| {
            let (said, given) = (said.code.as_deref(), given.code.as_deref());
            let number = index + 1;
            format!("delivery {number}: the vector says {said:?}, and it gives {given:?}")
        })
        .collect()
}

/// Absent places that could not be there, for what they would be part of is not there either.
fn orphans(read: &Read, answer: &Answer) -> Vec<String> {
    let view = answer.view().map(|view| serde_json::from_str(&view.json));
    let view: Value = view.and_then(Result::ok).unwrap_or_default();
    let is_orphan = |pointer: &&String| {
        let parent = pointer.rsplit_once('/').map(|(parent, _)| parent);
        parent.is_none_or(|parent| view.pointer(parent).is_none())
    };
    let orphans = read.absent.iter().filter(is_orphan);
    orphans
        .map(|it| format!("view {it}: absent, and so is what it would be part of"))
        .collect()
}

/// Fills in what follows from the rest: the levels of checks, their order, the digest of the view, the hash.
pub fn complete(vector: &mut Vector, clauses: &[Clause]) {
    for check in &mut vector.checks {
        if let Some(clause) = clauses.iter().find(|it| it.id == check.clause) {
            check.level = clause.level;
        }
    }
    vector.checks.sort();
    vector.checks.dedup();
    let given: Vec<usize> = (0..vector.log.len()).collect();
    let answer = Model::default().run(&vector.document(&given), Ask::ViewAtEnd);
    if let (Expect::Read(read), Ok(answer)) = (&mut vector.expect, answer)
        && let Some(view) = answer.view()
    {
        read.digest.clone_from(&view.digest);
    }
    if let Ok(hash) = vector.content_hash() {
        vector.hash = hash;
    }
}

/// The folder of vectors.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// The files by their names, each with its text as it stands.
    pub files: BTreeMap<String, (File, String)>,
    /// The ids that were given up, and why.
    pub retired: BTreeMap<String, String>,
    /// Every id that there ever was.
    pub ids: BTreeSet<String>,
}

impl Folder {
    /// Reads it.
    ///
    /// # Errors
    /// Where a file cannot be read, or is none of vectors.
    pub fn read(path: &Path) -> io::Result<Self> {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(path)? {
            let path = entry?.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            if path.extension().is_some_and(|it| it == "json") && name != "retired" {
                let text = fs::read_to_string(&path)?;
                let file = serde_json::from_str(&text)
                    .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
                files.insert(name.into_owned(), (file, text));
            }
        }
        let retired = fs::read_to_string(path.join("retired.json"))?;
        let ids = fs::read_to_string(path.join("ids.txt"))?;
        Ok(Self {
            path: path.to_path_buf(),
            files,
            retired: read_retired(&retired).map_err(io::Error::other)?,
            ids: ids.lines().map(str::to_owned).collect(),
        })
    }

    /// Each vector, behind the name of its file.
    pub fn vectors(&self) -> impl Iterator<Item = (&str, &Vector)> {
        let files = self.files.iter();
        files.flat_map(|(name, (file, _))| file.vectors.iter().map(move |it| (&**name, it)))
    }

    /// Sorts, and fills in what follows from the rest, in the files of these names.
    pub fn complete(&mut self, names: &BTreeSet<String>, clauses: &[Clause]) {
        for (name, (file, _)) in &mut self.files {
            if names.contains(name) {
                file.vectors.sort_by(|one, other| one.id.cmp(&other.id));
                for vector in &mut file.vectors {
                    complete(vector, clauses);
                }
            }
        }
        let there: Vec<String> = self.vectors().map(|(_, it)| it.id.clone()).collect();
        self.ids.extend(there);
    }

    /// What is wrong with the vectors beside each other.
    #[must_use]
    pub fn together(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
        let mut scenarios = BTreeMap::new();
        for (name, (file, _)) in &self.files {
            if !file.vectors.is_sorted_by(|one, other| one.id < other.id) {
                wrong.push(format!("{name}: the ids are not in order"));
            }
        }
        for (name, vector) in self.vectors() {
            let id = vector.id.as_str();
            if let Some(other) = seen.insert(id, name) {
                wrong.push(format!("{name}: {id}: it is in {other}, too"));
            }
            if self.retired.contains_key(id) {
                wrong.push(format!("{name}: {id}: the id was given up"));
            }
            if !self.ids.contains(id) {
                wrong.push(format!("{name}: {id}: it is not in ids.txt"));
            }
            let given: Vec<usize> = (0..vector.log.len()).collect();
            let scenario = (vector.document(&given), vector.orders == Orders::All);
            if let Some(other) = scenarios.insert(scenario, id) {
                wrong.push(format!("{name}: {id}: it is the scenario of {other}"));
            }
        }
        for id in self.ids.iter().filter(|it| !seen.contains_key(it.as_str())) {
            if !self.retired.contains_key(id) {
                wrong.push(format!(
                    "{id}: it is gone, and retired.json does not say why"
                ));
            }
        }
        for id in self.retired.keys().filter(|it| !self.ids.contains(*it)) {
            wrong.push(format!("{id}: given up, and it was never there"));
        }
        wrong
    }

    /// Writes what changed.
    ///
    /// # Errors
    /// Where a file cannot be written.
    pub fn write(&self) -> io::Result<()> {
        for (name, (file, before)) in &self.files {
            let text = file.to_text();
            if text != *before {
                fs::write(self.path.join(format!("{name}.json")), text)?;
            }
        }
        fs::write(self.path.join("ids.txt"), self.ids_text())
    }

    /// The text of `ids.txt`.
    #[must_use]
    pub fn ids_text(&self) -> String {
        self.ids.iter().map(|id| format!("{id}\n")).collect()
    }
}

/// Puts the files of these names in order, and all of the folder where there is no name: fills in, judges, and
/// writes if nothing is wrong. `made` is a file that was made anew. Gives how many vectors were judged, and what is
/// wrong.
///
/// # Errors
/// Where a file cannot be read or written, or is none of vectors.
pub fn keep(
    folder: &Path,
    names: &BTreeSet<String>,
    made: Option<(String, File)>,
    clauses: &[Clause],
) -> io::Result<(usize, Vec<String>)> {
    let mut folder = Folder::read(folder)?;
    if let Some((name, file)) = made {
        let before = folder.files.remove(&name);
        let text = before.map(|(_, text)| text).unwrap_or_default();
        folder.files.insert(name, (file, text));
    }
    let mut wrong = Vec::new();
    for name in names.iter().filter(|it| !folder.files.contains_key(*it)) {
        wrong.push(format!("{name}: there is no such file"));
    }
    let all = || folder.files.keys().cloned().collect();
    let names = if names.is_empty() {
        all()
    } else {
        names.clone()
    };
    folder.complete(&names, clauses);
    let mut count = 0;
    for (name, vector) in folder.vectors().filter(|(name, _)| names.contains(*name)) {
        count += 1;
        let found = judged(vector, clauses);
        wrong.extend(
            found
                .iter()
                .map(|it| format!("{name}: {}: {it}", vector.id)),
        );
    }
    wrong.extend(folder.together());
    if wrong.is_empty() {
        folder.write()?;
    }
    Ok((count, wrong))
}
