//! `JUnit` XML, as build servers read it: a suite for each level.

use std::io;

use quick_xml::events::{BytesDecl, BytesText, Event};
use quick_xml::writer::Writer;

use super::details;
use crate::runner::{Report, STOP, Verdict};
use crate::shown::inline;
use crate::vector::Vector;

/// What is shown of a verdict: the id, the clauses, the title of a vector.
struct Case<'r> {
    id: &'r str,
    clauses: String,
    title: &'r str,
    verdict: &'r Verdict,
}

/// A report as `JUnit` XML. What is unsupported is a failure there, too: a skip would read as green.
///
/// # Errors
/// None: it is written to memory.
pub fn junit(report: &Report, vectors: &[&Vector]) -> io::Result<String> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 1);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    writer
        .create_element("testsuites")
        .with_attribute(("name", &*printable(&report.implementation.implementation)))
        .write_inner_content(|writer| {
            suites(report, vectors)
                .iter()
                .filter(|(_, cases)| !cases.is_empty())
                .try_for_each(|(name, cases)| suite(writer, name, cases))
        })?;
    Ok(String::from_utf8_lossy(&writer.into_inner()).into_owned() + "\n")
}

/// A suite for each level, and one for what is about no vector.
fn suites<'r>(report: &'r Report, vectors: &[&'r Vector]) -> Vec<(String, Vec<Case<'r>>)> {
    let of_level = |level: u8| {
        let judged = vectors.iter().filter(move |it| it.level == level);
        let cases = judged.filter_map(|vector| {
            Some(Case {
                id: &vector.id,
                clauses: vector.clauses().join(" "),
                title: &vector.title,
                verdict: report.verdicts.get(&vector.id)?,
            })
        });
        (format!("level {level}"), cases.collect())
    };
    let mut suites: Vec<_> = (1..=5).map(of_level).collect();
    let stop = report.stop.as_ref().map(|verdict| Case {
        id: STOP,
        clauses: "protocol".to_owned(),
        title: "Ends well when it is told to stop",
        verdict,
    });
    suites.push(("protocol".to_owned(), stop.into_iter().collect()));
    suites
}

fn suite(writer: &mut Writer<Vec<u8>>, name: &str, cases: &[Case<'_>]) -> io::Result<()> {
    let errors = cases.iter().filter(|it| is_error(it.verdict)).count();
    let passed = cases
        .iter()
        .filter(|it| *it.verdict == Verdict::Pass)
        .count();
    let failures = cases.len() - errors - passed;
    writer
        .create_element("testsuite")
        .with_attribute(("name", name))
        .with_attribute(("tests", &*cases.len().to_string()))
        .with_attribute(("failures", &*failures.to_string()))
        .with_attribute(("errors", &*errors.to_string()))
        .write_inner_content(|writer| cases.iter().try_for_each(|it| case(writer, it)))?;
    Ok(())
}

const fn is_error(verdict: &Verdict) -> bool {
    matches!(
        verdict,
        Verdict::Crash { .. } | Verdict::Timeout { .. } | Verdict::HarnessError { .. }
    )
}

fn case(writer: &mut Writer<Vec<u8>>, case: &Case<'_>) -> io::Result<()> {
    let verdict = case.verdict;
    let element = writer
        .create_element("testcase")
        .with_attribute(("classname", &*case.clauses))
        .with_attribute(("name", case.id));
    if *verdict == Verdict::Pass {
        element.write_empty()?;
        return Ok(());
    }
    element.write_inner_content(|writer| {
        let kind = if is_error(verdict) {
            "error"
        } else {
            "failure"
        };
        let text = format!("{}\n{}", case.title, details(verdict).join("\n"));
        writer
            .create_element(kind)
            .with_attribute(("type", verdict.word()))
            .write_text_content(BytesText::new(&printable(&text)))?;
        Ok(())
    })?;
    Ok(())
}

/// XML 1.0 cannot hold most controls in any spelling, and what turns the direction of writing is not to be seen.
fn printable(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(inline).collect();
    lines
        .join("\n")
        .replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
