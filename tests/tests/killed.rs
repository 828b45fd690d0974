//! The test vectors kill every implementation that is known to be wrong.
//!
//! `cargo test --release -p tern-tests --features planted-faults --test killed -- --nocapture` prints for each mutant by
//! which vectors. `TERN_MUTANT=NAME` asks that one alone.
#![allow(clippy::panic, clippy::unwrap_used, missing_docs, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::time::{Duration, Instant};

use tern_conformance::runner::{LONGEST, Plan, Report, Trouble, Verdict, run};
use tern_conformance::vector::{Orders, Vector, all};
use tern_tests::mutant::{mutant, processes, program};
use tern_tests::{asked, clauses};

/// What stands in place of a clause: the page of the protocol, or that nothing is wrong.
const PAGE: &str = "protocol";
const SOUND: &str = "-";

/// What has to become of a mutant that is not among the wrong answers: the word of a verdict, or of the trouble that
/// ends all at `hello`.
const OTHERS: &[(&str, &str)] = &[
    ("none", "pass"),
    ("loud", "pass"),
    ("carriage-returns", "pass"),
    ("in-pieces", "pass"),
    ("starts-slowly", "pass"),
    ("ends-slowly", "pass"),
    ("keeps-a-child", "pass"),
    ("other-protocol", "not asked: fail"),
    ("prints-first", "not asked: fail"),
    ("hangs-on-start", "not asked: timeout"),
    ("crashes-on-start", "not asked: crash"),
    ("half-a-line", "timeout"),
    ("hangs", "timeout"),
    ("stops-reading", "timeout"),
    ("closes-input", "timeout"),
    ("closes-output", "crash"),
    ("crashes-on-withdraw", "crash"),
    ("is-killed", "crash"),
    ("exits", "crash"),
    ("leaves-a-child", "crash"),
    #[cfg(target_os = "linux")]
    ("eats-memory", "crash"),
    #[cfg(target_os = "linux")]
    ("child-eats-memory", "crash"),
    ("answers-stop", "stop: fail"),
    ("ignores-stop", "stop: timeout"),
    ("status-1", "stop: crash"),
];

/// Those that take time whenever it shows: they are asked about so many vectors alone.
const SLOW: &[(&str, usize)] = &[
    ("half-a-line", 24),
    ("hangs", 60),
    ("stops-reading", 4),
    ("closes-input", 24),
    ("closes-output", 24),
    ("leaves-a-child", 24),
    ("deep-reply", 24),
    ("long-reply", 12),
    ("ignores-stop", 24),
];

/// What is said of one reply too many, by when it is heard. A guess that comes just after the next request is taken for
/// its answer.
const ONE_TOO_MANY: &[&str] = &[
    "with `seq`",
    "before it was asked",
    "followed by more",
    "`stop` was answered",
    "told refused at line 1",
];

/// What is said of those that break the page, in one of these ways: none of them is killed for something else than is
/// wrong with it.
const WHY: &[(&str, &[&str])] = &[
    ("seq-too-great", &["with `seq`"]),
    ("seq-missing", &["no `seq`"]),
    ("seq-as-text", &["no `seq`"]),
    ("other-protocol", &["version 2"]),
    ("other-field", &["`took`"]),
    ("empty-outcomes-left-out", &["nor `outcomes`"]),
    ("outcomes-beside-refused", &["`refused` and"]),
    ("codes-of-accepted", &["not rejected"]),
    ("null-for-no-code", &["null, expected"]),
    ("digest-left-out", &["digest: expected"]),
    ("view-as-text", &["a `view` that is no object"]),
    ("repeated-field", &["duplicate_key"]),
    ("prints-first", &["`Tern adapter"]),
    ("logs-to-output", &["`revising`"]),
    ("answers-twice", ONE_TOO_MANY),
    ("answers-ahead", ONE_TOO_MANY),
    ("answers-stop", &["`stop` was answered"]),
    ("unsupported", &["`unsupported`"]),
    ("error", &["`error`"]),
    ("latin-1", &["not_utf8"]),
    ("deep-reply", &["recursion limit", "too_deep"]),
    ("long-reply", &["more than 64 MiB"]),
    #[cfg(target_os = "linux")]
    ("eats-memory", &["of memory"]),
    #[cfg(target_os = "linux")]
    ("child-eats-memory", &["of memory"]),
];

fn listed() -> Vec<(String, String)> {
    let list = Command::new(mutant()).arg("--list").output().unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    let entry = |line: &str| {
        let mut words = line.split_whitespace().map(str::to_owned);
        (words.next().unwrap(), words.next().unwrap())
    };
    list.lines().map(entry).collect()
}

/// Asks a mutant about the vectors in the order given, and in all orders only if it survives that.
fn ask(name: &str, vectors: &[Vector]) -> Result<Report, Trouble> {
    let slow = SLOW.iter().find(|(slow, _)| *slow == name);
    let few = slow.map_or(vectors, |(_, few)| vectors.get(..*few).unwrap());
    let given = few.iter().cloned().map(|vector| Vector {
        orders: Orders::Given,
        ..vector
    });
    let report = ask_all(name, &given.collect::<Vec<_>>());
    match &report {
        Ok(told) if told.cases().all(|(_, it)| *it == Verdict::Pass) => ask_all(name, few),
        _ => report,
    }
}

fn ask_all(name: &str, vectors: &[Vector]) -> Result<Report, Trouble> {
    let (mut program, mark) = program(name);
    if matches!(name, "eats-memory" | "child-eats-memory") {
        program.memory = 200 << 20;
    }
    if expected(name).contains("timeout") {
        program.timeout = Duration::from_secs(1);
    }
    let asked: Vec<&Vector> = vectors.iter().collect();
    let plan = Plan {
        program,
        // What is kept shows in the order in which one process is asked.
        jobs: if name.ends_with("-kept") { 1 } else { 2 },
        longest: LONGEST,
    };
    let report = run(&plan, &asked, &|_, _| {});
    assert_eq!(processes(&mark), [0; 0], "`{name}` left processes behind");
    if let Ok(report) = &report {
        let lost = vectors
            .iter()
            .filter(|it| !report.verdicts.contains_key(&it.id));
        assert_eq!(lost.count(), 0, "`{name}`: cases are lost");
    }
    report
}

fn expected(name: &str) -> &'static str {
    let other = OTHERS.iter().find(|(known, _)| *known == name);
    other.map_or("fail", |(_, word)| word)
}

/// What is wrong with the vectors that killed a mutant: none of them is about the clause that it violates, or what is
/// said of it is something else.
fn wrong_killers(
    name: &str,
    clause: &str,
    report: &Result<Report, Trouble>,
    vectors: &[Vector],
) -> Option<String> {
    let killers: BTreeMap<&str, String> = match report {
        Ok(report) => {
            let killed = report.cases().filter(|(_, it)| **it != Verdict::Pass);
            killed.map(|(id, it)| (id, said(it))).collect()
        }
        Err(trouble) => BTreeMap::from([("hello", trouble.to_string())]),
    };
    if let Some((_, ways)) = WHY.iter().find(|(known, _)| *known == name) {
        let is_said = |said: &str| ways.iter().any(|way| said.contains(way));
        let mut other = killers.iter().filter(|(_, said)| !is_said(said));
        if let Some((id, said)) = other.next() {
            return Some(format!(
                "`{name}`, {id}: it is not said {ways:?}, but {said}"
            ));
        }
        if !killers.values().any(|said| is_said(said)) {
            return Some(format!("`{name}`: nowhere is it said {ways:?}"));
        }
    }
    if [PAGE, SOUND].contains(&clause) {
        return None;
    }
    let mut of = vectors
        .iter()
        .filter(|it| killers.contains_key(it.id.as_str()));
    let checks: BTreeSet<&str> = of
        .clone()
        .flat_map(|it| it.checks.iter().map(|it| it.clause.as_str()))
        .collect();
    let is_about = |it: &Vector| it.checks.iter().any(|it| it.clause == clause);
    (!of.any(is_about)).then(|| {
        format!("`{name}`: none of those that kill it is about {clause}, but about {checks:?}")
    })
}

/// What is said of who does not pass.
fn said(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Fail { wrong, .. } => {
            let wrong: Vec<String> = wrong.iter().map(ToString::to_string).collect();
            wrong.join("; ")
        }
        other => format!("{other:?}"),
    }
}

/// What is said first.
fn first_said(report: &Result<Report, Trouble>) -> Option<String> {
    let mut cases = report.as_ref().ok()?.cases();
    let killed = cases.find(|(_, it)| **it != Verdict::Pass);
    killed.map(|(_, verdict)| said(verdict))
}

/// What is wrong with how a mutant did.
fn wrong(name: &str, report: &Result<Report, Trouble>) -> Option<String> {
    let (expected, report) = match (expected(name), report) {
        (expected, Err(trouble)) => {
            let word = Verdict::from(trouble.clone()).word();
            let is_right = expected == format!("not asked: {word}");
            return (!is_right).then(|| format!("`{name}`: not asked: {word}, {trouble}"));
        }
        (expected, Ok(report)) => (expected, report),
    };
    let counts = report.counts();
    let is_right = match (expected, expected.strip_prefix("stop: ")) {
        ("pass", _) => counts.len() == 1 && counts.contains_key("pass"),
        (_, Some(word)) => {
            let stop = report.stop.as_ref().map(Verdict::word);
            stop == Some(word) && report.verdicts.values().all(|it| *it == Verdict::Pass)
        }
        // One fault shows in one way.
        (word, None) => {
            counts.contains_key(word) && counts.keys().all(|it| [word, "pass"].contains(it))
        }
    };
    (!is_right).then(|| format!("`{name}`: {counts:?}, and not {expected}"))
}

/// S2.15, S7.01, S8.02: every mutant is killed, in the way that fits what is wrong with it and by a vector that is about
/// the clause that it violates; what is odd but right is not.
#[test]
fn every_mutant_is_killed() {
    let files = all().unwrap();
    // From each file in turn, so that a few are of all kinds.
    let mut by_turns: Vec<(usize, Vector)> = files
        .into_iter()
        .flat_map(|(_, file)| file.vectors.into_iter().enumerate())
        .collect();
    by_turns.sort_by_key(|(place, _)| *place);
    let vectors: Vec<Vector> = by_turns.into_iter().map(|(_, it)| it).collect();
    let only = asked("TERN_MUTANT");
    let mut mutants = listed();
    mutants.retain(|(name, _)| only.as_ref().is_none_or(|only| only == name));
    assert!(!mutants.is_empty(), "there is no mutant {only:?}");
    let (start, mut survivors) = (Instant::now(), Vec::new());
    for (name, clause) in mutants {
        let start = Instant::now();
        let report = ask(&name, &vectors);
        let by = match &report {
            Ok(report) => told(report),
            Err(trouble) => format!("at once: {trouble}"),
        };
        println!("{name} ({clause}), {:.1?}: {by}", start.elapsed());
        if let Some(first) = first_said(&report) {
            println!("    {}", first.chars().take(200).collect::<String>());
        }
        survivors.extend(wrong(&name, &report));
        survivors.extend(wrong_killers(&name, &clause, &report, &vectors));
    }
    println!("all of them: {:.1?}", start.elapsed());
    assert!(survivors.is_empty(), "{}", survivors.join("\n"));
}

/// By which vectors, and in which ways.
fn told(report: &Report) -> String {
    let mut by_word: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (id, verdict) in report.cases() {
        by_word.entry(verdict.word()).or_default().push(id);
    }
    let words = by_word.iter().filter(|(word, _)| **word != "pass");
    let words = words.map(|(word, ids)| {
        let first: Vec<&str> = ids.iter().take(3).copied().collect();
        format!("{word} in {} ({})", ids.len(), first.join(", "))
    });
    let told = words.collect::<Vec<_>>().join("; ");
    if told.is_empty() {
        return format!("passes all {}", report.verdicts.len());
    }
    told
}

/// There are enough of them, none twice, each with a clause that there is.
#[test]
fn the_list_is_in_order() {
    let listed = listed();
    let names: BTreeSet<&str> = listed.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names.len(), listed.len());
    let clauses: BTreeSet<String> = clauses().into_iter().map(|it| it.id).collect();
    for (name, clause) in &listed {
        let is_known = clauses.contains(clause) || [PAGE, SOUND].contains(&clause.as_str());
        assert!(is_known, "{name}: there is no {clause}");
        assert_eq!(clause == SOUND, expected(name) == "pass", "{name}");
    }
    for name in SLOW
        .iter()
        .map(|(name, _)| name)
        .chain(OTHERS.iter().map(|(name, _)| name))
        .chain(WHY.iter().map(|(name, _)| name))
    {
        assert!(names.contains(name), "there is no {name}");
    }
    println!("{} mutants", listed.len());
    assert!(listed.len() >= 80);
}
