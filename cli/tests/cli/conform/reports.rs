//! Reports for machines and for a browser.

use std::fs;

use quick_xml::events::Event;
use quick_xml::reader::Reader;
use serde_json::Value;
use tern_conformance::runner::{Report, Verdict};
use tern_tests::schema::validator;

use super::{Fake, ONE, conform_tern};

/// One of each verdict among the vectors on ACKs, by their sizes.
pub(super) const MIXED: &str = "
if hello: hello['capabilities'] = ['view', 'digest']
if asked and b'colour' in line: sys.exit('\\x1b[2J <crash> & ]]>')
for it in outcomes:
    if it.pop('code', '') == 'missing_field':
        it.pop('class')
        it['outcome'] = 'accepted'";

/// Vectors of one wrong, one crash and one unsupported verdict, and some that pass.
pub(super) const ASKED: [&str; 2] = ["--filter", "A-ACK"];

#[test]
fn json() {
    let ran = conform_tern(&["--filter", ONE, "--report", "json"]);
    let report: Report = serde_json::from_str(ran.exits(0)).unwrap();
    assert_eq!(report.implementation.implementation, "tern core");
    assert_eq!(report.verdicts[ONE], Verdict::Pass);
    assert!(report.runs >= 1);
    let Some(fake) = Fake::editing(MIXED) else {
        return;
    };
    let ran = fake.conform(&[&ASKED[..], &["--report", "json"]].concat());
    ran.exits(1);
    let value = ran.json();
    let one = &value["verdicts"][ONE];
    assert_eq!(one["verdict"], "fail");
    assert_eq!(one["wrong"][0]["at"], "delivery 1");
    assert_eq!(one["wrong"][0]["expected"], "rejected, shape");
    assert_eq!(one["wrong"][0]["told"], "accepted");
    let schema = validator("report");
    let wrong = schema.iter_errors(&value).next().map(|it| it.to_string());
    assert!(wrong.is_none(), "{wrong:?}");
    // It reads back as the same.
    let report: Report = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(serde_json::to_value(&report).unwrap(), value);
    assert!(matches!(
        report.verdicts["shape-ack-other-field"],
        Verdict::Crash { .. }
    ));
}

/// An element: its name, its attributes and its text.
#[derive(Debug, Default)]
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
}

impl Element {
    fn get(&self, key: &str) -> &str {
        let found = self.attributes.iter().find(|(name, _)| name == key);
        &found.unwrap_or_else(|| panic!("{self:?} has no {key}")).1
    }
}

/// The elements of a document that is well-formed, in the order in which they begin.
fn elements(xml: &str) -> Vec<Element> {
    let allowed = |it: char| !it.is_control() || "\n\t".contains(it);
    assert!(xml.chars().all(allowed), "XML 1.0 has no controls");
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = true;
    let (mut all, mut open): (Vec<Element>, Vec<usize>) = (Vec::new(), Vec::new());
    loop {
        let event = reader.read_event().expect("well-formed XML");
        let is_empty = matches!(event, Event::Empty(_));
        match event {
            Event::Start(start) | Event::Empty(start) => {
                let attributes = start.attributes().map(|it| {
                    let it = it.expect("an attribute");
                    let key = String::from_utf8(it.key.as_ref().to_vec()).unwrap();
                    let value = std::str::from_utf8(&it.value).unwrap();
                    let value = quick_xml::escape::unescape(value).expect("an attribute");
                    (key, value.into_owned())
                });
                let name = String::from_utf8(start.name().as_ref().to_vec()).unwrap();
                let attributes = attributes.collect();
                all.push(Element {
                    name,
                    attributes,
                    text: String::new(),
                });
                if !is_empty {
                    open.push(all.len() - 1);
                }
            }
            Event::End(_) => {
                open.pop().expect("an open element");
            }
            Event::Text(text) => {
                if let Some(&at) = open.last() {
                    all[at].text.push_str(&text.decode().unwrap());
                }
            }
            Event::GeneralRef(name) => {
                let name = format!("&{};", name.decode().unwrap());
                let text = quick_xml::escape::unescape(&name)
                    .expect("a known entity")
                    .into_owned();
                all[*open.last().unwrap()].text.push_str(&text);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(open.is_empty());
    all
}

/// Build servers read it: failures and errors are counted, and what is unsupported is a failure.
#[test]
fn junit() {
    let hostile = "if hello: hello['implementation'] = 'a\"<&>\\x00\\x1b\\n]]>\\ufffe'";
    let Some(fake) = Fake::editing(&format!("{hostile}\n{}", MIXED.trim())) else {
        return;
    };
    let ran = fake.conform(&["--filter", "document-bare-open-end", "--report", "junit"]);
    let all = elements(ran.exits(1));
    let suite = all.iter().find(|it| it.name == "testsuite").unwrap();
    assert_eq!(
        (
            suite.get("tests"),
            suite.get("failures"),
            suite.get("errors")
        ),
        ("1", "1", "0")
    );
    assert!(
        all.iter()
            .any(|it| it.name == "failure" && it.get("type") == "unsupported")
    );
    assert!(all[0].get("name").starts_with("a\"<&>"), "{:?}", all[0]);

    let ran =
        fake.conform(&[&ASKED[..], &["--report", "junit", "--output", "report.xml"]].concat());
    assert_eq!(ran.exits(1), "");
    let all = elements(&fs::read_to_string(fake.0.path("report.xml")).unwrap());
    assert_eq!(all[0].name, "testsuites");
    let of = |name: &str| all.iter().filter(|it| it.name == name).collect::<Vec<_>>();
    let sum = |key: &str| -> usize {
        of("testsuite")
            .iter()
            .map(|it| it.get(key).parse::<usize>().unwrap())
            .sum()
    };
    assert_eq!(sum("tests"), of("testcase").len());
    assert_eq!(sum("failures"), of("failure").len());
    assert_eq!(sum("errors"), of("error").len());
    assert!(
        sum("failures") > 0 && sum("errors") > 0 && sum("tests") > sum("failures") + sum("errors")
    );
    let crash = of("error");
    assert_eq!(crash[0].get("type"), "crash");
    assert!(crash[0].text.contains("<crash> & ]]>"), "{}", crash[0].text);
    assert!(of("testcase").iter().any(|it| it.get("name") == ONE));
    assert!(
        of("failure")
            .iter()
            .any(|it| it.text.contains("told accepted"))
    );
}

/// One page that needs nothing from elsewhere and on which a name is a name.
#[test]
fn html() {
    let hostile = r#"if hello: hello['implementation'] = '</title><script>alert(1)</script><img src=x onerror=y>"\u202e'"#;
    let Some(fake) = Fake::editing(&format!("{hostile}\n{}", MIXED.trim())) else {
        return;
    };
    let report = fake.conform(&[&ASKED[..], &["--report", "json"]].concat());
    report.exits(1);
    let report: Report = serde_json::from_str(&report.out).unwrap();
    let ran = fake.conform(&[&ASKED[..], &["--report", "html"]].concat());
    let page = ran.exits(1);
    assert!(page.starts_with("<!DOCTYPE html>"));
    for foreign in [
        "<script", "<img", "<link", "<iframe", "<object", "href=", "src=", "@import", "url(",
        "\u{202e}", "\u{1b}",
    ] {
        let escaped = page.replace("&lt;", "").replace("src=x onerror", "");
        let escaped = escaped.replace("href=\"#", "");
        assert!(!escaped.contains(foreign), "{foreign}");
    }
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    let mut failed = 0;
    for (id, verdict) in &report.verdicts {
        if *verdict != Verdict::Pass {
            failed += 1;
            assert!(
                page.contains(&format!("<summary><code>{id}</code>")),
                "{id}"
            );
        }
    }
    assert!(
        failed > 1 && page.contains(&format!("{failed} not passed")),
        "{failed}"
    );
    assert_eq!(page.matches("<summary>").count(), failed);
    // Every way within the page leads somewhere.
    let mut ways = page.split("href=\"#").skip(1);
    assert!(ways.clone().count() > failed.min(3));
    assert!(ways.all(|it| {
        let id = it.split('"').next().unwrap();
        page.contains(&format!("id=\"{id}\""))
    }));
    // A row for each clause that is checked, with its text.
    let cell = "<th scope=\"row\">A-ACK</th><td class=\"fail\"><a href=\"#0-";
    assert!(page.contains(cell));
    assert!(page.contains("told accepted"));
    let rows = page.matches("<th scope=\"row\">").count();
    assert!(
        rows >= 2 && !page.contains("<th scope=\"row\">R-01</th>"),
        "{rows}"
    );
}

/// Reports of others stand beside it, a column each.
#[test]
fn beside() {
    let Some(fake) = Fake::editing(MIXED) else {
        return;
    };
    let json = conform_tern(&[&ASKED[..], &["--report", "json"]].concat());
    let mut other: Value = serde_json::from_str(json.exits(0)).unwrap();
    other["implementation"]["implementation"] = "the <other>".into();
    fake.0.write("other.json", other.to_string());
    let page = [
        "--report",
        "html",
        "--beside",
        "other.json",
        "--output",
        "page.html",
    ];
    fake.conform(&[&ASKED[..], &page].concat()).exits(1);
    let page = fs::read_to_string(fake.0.path("page.html")).unwrap();
    assert!(
        page.contains("<th>tern core</th><th>the &lt;other&gt;</th>"),
        "{page}"
    );
    assert!(page.contains("<th scope=\"row\">A-ACK</th><td class=\"fail\"><a href=\"#0-"));
    assert!(page.contains("</td><td class=\"pass\">✓ "));

    // That it was asked about something else is said.
    let few = conform_tern(&["--filter", ONE, "--report", "json"]);
    fake.0.write("few.json", few.exits(0));
    let ran = fake.conform(&[&ASKED[..], &["--report", "html", "--beside", "few.json"]].concat());
    let said = "tern core (asked about other vectors, or another release of them)";
    assert!(ran.exits(1).contains(said));
    let report = fs::read_to_string(fake.0.path("few.json")).unwrap();
    let later = report.replacen("\"spec\": \"0.1\"", "\"spec\": \"0.2\"", 1);
    fake.0.write("later.json", later);
    let ran = fake.conform(&["--report", "html", "--beside", "later.json"]);
    ran.exits(2);
    let said = "`later.json` is about Tern 0.2, and this one about 0.1";
    assert!(ran.err.contains(said), "{}", ran.err);

    fake.0.write("none.json", "{}");
    let ran = fake.conform(&["--report", "html", "--beside", "none.json"]);
    assert_eq!(ran.exits(2), "");
    assert!(
        ran.err.contains("`none.json` is no report: "),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("write one with `--report json`"),
        "{}",
        ran.err
    );
    let ran = fake.conform(&["--report", "html", "--beside", "nowhere.json"]);
    ran.exits(2);
    assert!(ran.err.starts_with("error: nowhere.json: "), "{}", ran.err);
}

/// A file that cannot be written is found before anybody is asked.
#[test]
fn unwritable() {
    let Some(fake) = Fake::script("open('asked', 'w').close()") else {
        return;
    };
    let ran = fake.conform(&["--output", "no/folder/report.txt"]);
    assert_eq!(ran.exits(2), "");
    assert!(
        ran.err.starts_with("error: no/folder/report.txt: "),
        "{}",
        ran.err
    );
    let ran = fake.conform(&["--output", "."]);
    ran.exits(2);
    assert!(ran.err.starts_with("error: .: "), "{}", ran.err);
    assert!(!fake.0.path("asked").exists());
}

/// What was longer before leaves nothing behind.
#[test]
fn written_anew() {
    let folder = crate::common::Folder::new();
    folder.write("report.json", "x".repeat(100_000));
    let tern = env!("CARGO_BIN_EXE_tern");
    let ran = folder.tern(&[
        "conform",
        "--filter",
        ONE,
        "--report",
        "json",
        "--output",
        "report.json",
        "--",
        tern,
        "adapter",
    ]);
    ran.exits(0);
    let text = fs::read_to_string(folder.path("report.json")).unwrap();
    assert!(serde_json::from_str::<Report>(&text).is_ok());
}

/// Who closes the pipe has seen enough, and the verdict stands: a build whose report goes through `head` is not green.
#[test]
fn a_closed_pipe_hides_no_verdict() {
    let Some(fake) = Fake::editing(MIXED) else {
        return;
    };
    for form in ["text", "json", "junit", "html"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = fake.command(&[&ASKED[..], &["--report", form]].concat());
        let status = command.stdout(writer).status().unwrap();
        assert_eq!(status.code(), Some(1), "{form}");
    }
    for arguments in [&["--explain", ONE][..], &["--smoke", "--filter", ONE]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let status = fake.command(arguments).stdout(writer).status().unwrap();
        assert_eq!(status.code(), Some(1), "{arguments:?}");
    }
}

/// What an implementation says does nothing to a terminal in any report, and JSON still says it.
#[test]
fn hostile_words_in_every_form() {
    let word = "\u{1b}[2J\u{85}\u{9b}\u{202e}\u{2066}\u{2028}\u{fffe}";
    let escaped: String = word
        .encode_utf16()
        .map(|it| format!("\\u{it:04x}"))
        .collect();
    let edit = format!(
        "if hello: hello['language'] = \"{escaped}\"\nelse: reply = {{'seq': reply['seq'], 'is': 'error', 'why': \"{escaped}\"}}"
    );
    let Some(fake) = Fake::editing(&edit) else {
        return;
    };
    for form in ["text", "json", "junit", "html"] {
        let ran = fake.conform(&["--filter", ONE, "--report", form]);
        let out = ran.exits(1);
        for hidden in word.chars().filter(|it| !"[2J\u{fffe}".contains(*it)) {
            assert!(!out.contains(hidden), "{form}: {hidden:?}");
        }
        if form == "json" {
            let report: Report = serde_json::from_str(out).unwrap();
            assert_eq!(report.implementation.language, word);
        }
    }
}
