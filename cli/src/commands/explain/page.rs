//! An explanation for people.

use anstyle::{AnsiColor, Style};

use super::{Cited, Report, Ruling};
use tern_core::Topic;

use crate::history::History;
use crate::look::{Difference, terminal_width, wrap};
use crate::snippet;
use crate::text::{count, short, shown};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const BAD: Style = AnsiColor::Red.on_default().bold();
/// So many entries of a list are shown to people; `--json` has all.
pub(super) const SHOWN: usize = 8;
/// So many branches, differences or deliveries.
pub(super) const MANY: usize = 20;
/// So many characters of a value.
pub(super) const VALUE: usize = 200;

pub(super) struct Page {
    pub(super) out: String,
    pub(super) width: usize,
}

/// The whole explanation. `name` is the file.
pub(super) fn of(report: &Report<'_>, name: &str, history: &History) -> String {
    let mut page = Page {
        out: String::new(),
        width: terminal_width(),
    };
    page.header(report, history);
    // What somebody has to do something about comes first.
    let mut rulings: Vec<_> = report.findings.iter().collect();
    rulings.sort_by_key(|ruling| match ruling.topic {
        Topic::Blocked | Topic::Ready | Topic::Reconcile => 0,
        Topic::Chain | Topic::Equivocal | Topic::Tainted => 1,
        _ => 2,
    });
    for ruling in rulings {
        page.ruling(ruling);
    }
    for referrer in report.referred_by.iter().take(MANY) {
        let waits = if referrer.waits {
            "waits for it"
        } else {
            "mentions it"
        };
        page.line(
            2,
            "named by",
            &format!(
                "{} under `{}`, {waits}",
                cited(&referrer.by),
                referrer.field
            ),
        );
    }
    page.more(2, report.referred_by.len(), MANY);
    for conflict in &report.conflicts {
        page.conflict(conflict);
    }
    page.versions(report);
    if !report.conditions.is_empty() {
        page.title("conditions");
        for condition in report.conditions.iter().take(MANY) {
            let sign = if condition.confirmed {
                "confirmed"
            } else {
                "open"
            };
            let text = short(&condition.text, VALUE);
            page.line(2, sign, &format!("number {}: {text}", condition.condition));
        }
        page.more(2, report.conditions.len(), MANY);
    }
    if !report.facts.is_empty() {
        page.title("local facts that bear on it");
        for fact in report.facts.iter().take(MANY) {
            page.text(2, &short(fact.get(), VALUE));
        }
        page.more(2, report.facts.len(), MANY);
    }
    page.deliveries(report, name, history);
    page.out
}

impl Page {
    fn header(&mut self, report: &Report<'_>, history: &History) {
        let id = shown(report.id);
        let about = match (&report.message, report.line) {
            (Some(message), Some(line)) => {
                let status = match message.status {
                    tern_core::view::MessageStatus::Accepted => "accepted",
                    tern_core::view::MessageStatus::Pending => "pending",
                    tern_core::view::MessageStatus::Rejected => "rejected",
                };
                format!("{}, {status}, line {line}", message.act)
            }
            _ if report.delivered.is_empty() => "unknown".into(),
            _ => "refused each time it came, so no message has this id".into(),
        };
        self.out.push_str(&format!("{BOLD}{id}{BOLD:#}  {about}\n"));
        if let Some(gloss) = &report.gloss {
            self.text(2, gloss);
        }
        if let Some(promise) = &report.commitment {
            let by = format!("{} to {}", shown(&promise.by), shown(&promise.requester));
            let standing = if promise.blocked_by.is_empty() {
                "ready".to_string()
            } else {
                format!("blocked for {}", count(promise.blocked_by.len(), "reason"))
            };
            let due = promise
                .due
                .as_deref()
                .map_or_else(String::new, |due| format!(", due {}", shown(due)));
            self.text(2, &format!("a promise of {by}{due}: {standing}"));
        }
        if !history.state.context().is_verified() {
            self.text(2, "its sender was not verified");
        }
    }

    fn ruling(&mut self, ruling: &Ruling) {
        let blocks = matches!(ruling.topic, Topic::Blocked | Topic::Reconcile);
        let style = if blocks || ruling.code.is_some() {
            BAD
        } else {
            BOLD
        };
        let code = ruling
            .code
            .map_or_else(String::new, |code| format!(" [{code}]"));
        self.out
            .push_str(&format!("\n{style}{}{code}{style:#}\n", ruling.topic));
        self.text(2, &shown(&ruling.sentence));
        for by in ruling.because.iter().take(SHOWN) {
            self.line(4, "decided by", &cited(by));
        }
        self.more(4, ruling.because.len(), SHOWN);
        let text = ruling.clause_text.unwrap_or_default();
        self.line(4, "clause", &format!("{}: {text}", ruling.clause));
        if let Some(remedy) = ruling.remedy {
            let remedy = shown(remedy);
            match remedy.strip_prefix("nothing clears it: ") {
                Some(instead) => self.line(4, "clears it", &format!("nothing; {instead}")),
                None if ruling.topic == Topic::Blocked => self.line(4, "clears it", &remedy),
                None => self.line(4, "help", &remedy),
            }
        }
    }

    fn versions(&mut self, report: &Report<'_>) {
        if report.versions.is_empty() {
            return;
        }
        self.title(&format!(
            "{} under one id",
            count(report.versions.len(), "version")
        ));
        for (number, version) in report.versions.iter().enumerate() {
            let which = if number == 0 { ", the message" } else { "" };
            self.text(
                2,
                &format!("line {}{which}: {}", version.line, version.gloss),
            );
            self.text(4, &format!("digest {}", version.digest));
            for found in version.differences.iter().take(MANY) {
                for line in lines(found) {
                    self.text(4, &line);
                }
            }
            self.more(4, version.differences.len(), MANY);
        }
    }

    fn deliveries(&mut self, report: &Report<'_>, name: &str, history: &History) {
        if report.delivered.len() < 1 + usize::from(report.known) {
            return;
        }
        self.title("what was delivered under this id");
        for delivered in report.delivered.iter().take(MANY) {
            let verdict = &delivered.outcome.verdict;
            self.text(2, &format!("line {}: {}", delivered.line, verdict.as_str()));
            let (Some(rejection), Some(bytes)) = (verdict.rejection(), history.bytes(delivered))
            else {
                continue;
            };
            for finding in rejection.findings().iter().take(SHOWN) {
                self.out
                    .push_str(&snippet::finding(name, delivered.origin, bytes, finding));
            }
            self.more(4, rejection.findings().len() + rejection.omitted(), SHOWN);
        }
        self.more(2, report.delivered.len(), MANY);
    }

    pub(super) fn title(&mut self, title: &str) {
        self.out.push_str(&format!("\n{BOLD}{title}{BOLD:#}\n"));
    }

    pub(super) fn text(&mut self, indent: usize, text: &str) {
        for line in wrap(text, self.width.saturating_sub(indent)) {
            self.out.push_str(&format!("{:indent$}{line}\n", ""));
        }
    }

    /// A label and a text that hangs beside it.
    pub(super) fn line(&mut self, indent: usize, label: &str, text: &str) {
        const LABEL: usize = 11;
        let label = short(label, 24);
        let hang = indent + LABEL.max(label.chars().count() + 1);
        let mut lines = wrap(text, self.width.saturating_sub(hang).max(20)).into_iter();
        let first = lines.next().unwrap_or_default();
        let pad = hang - indent;
        self.out
            .push_str(&format!("{:indent$}{DIM}{label:pad$}{DIM:#}{first}\n", ""));
        for line in lines {
            self.out.push_str(&format!("{:hang$}{line}\n", ""));
        }
    }

    pub(super) fn more(&mut self, indent: usize, all: usize, drawn: usize) {
        if all > drawn {
            self.text(
                indent,
                &format!("… and {} more; `--json` has all", all - drawn),
            );
        }
    }
}

fn cited(cited: &Cited) -> String {
    let gloss = cited.gloss.as_deref().unwrap_or("unknown");
    format!("{}{}: {gloss}", shown(&cited.id), place(cited.line))
}

pub(super) fn place(line: Option<u64>) -> String {
    line.map_or_else(String::new, |line| format!(" (line {line})"))
}

/// Where, what stood there and what stands there.
pub(super) fn lines(found: &Difference) -> [String; 3] {
    let side = |sign, text: &Option<String>| {
        text.as_ref()
            .map_or_else(String::new, |text| format!("{sign} {}", short(text, VALUE)))
    };
    [
        format!("{}:", short(&found.pointer, VALUE)),
        side("-", &found.before),
        side("+", &found.after),
    ]
}
