//! `tern check`: stages 1 to 3 for every message, all findings.

use std::collections::BTreeMap;

use clap::Args;
use tern_core::{Code, Event, Limits, wire};

use crate::failure::{Exit, Failure};
use crate::input::Source;
use crate::output::{Report, finding_json};
use crate::snippet;
use crate::text::count;

/// Check every message by itself: bytes, version and shape
///
/// References and senders are not looked at; `tern run` does that.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tern check messages.jsonl                  every finding, and a summary by code
  tern check --json - < messages.jsonl       the same as JSON, a finding a line")]
pub(crate) struct Check {
    #[command(flatten)]
    source: Source,

    /// Print one JSON object a finding and one with the summary
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let name = crate::text::shown(&self.source.file.to_string_lossy());
        let limits = Limits::default();
        let mut report = Report::new(self.json);
        let mut by_code: BTreeMap<Code, usize> = BTreeMap::new();
        let (mut messages, mut refused, mut omitted) = (0, 0, 0);
        let judge = |event: &Event<'_>| match event {
            Event::Deliver(delivery) => wire::message(&delivery.bytes, &limits).err(),
            Event::Fact(_) => None,
        };
        let read = self.source.each_with(judge, |item, rejection| {
            let Event::Deliver(delivery) = &item.event else {
                return Ok(());
            };
            messages += 1;
            let Some(rejection) = rejection else {
                return Ok(());
            };
            refused += 1;
            omitted += rejection.omitted();
            for finding in rejection.findings() {
                *by_code.entry(finding.code).or_default() += 1;
                let part = if self.json {
                    format!("{}\n", finding_json(item.origin, finding))
                } else {
                    snippet::finding(&name, item.origin, &delivery.bytes, finding)
                };
                report.add(&part, item.record.is_some())?;
            }
            Ok(())
        });
        let summary = self.summary(messages, refused, omitted, &by_code);
        let written = read.and_then(|_| report.finish(&summary));
        Exit::found(refused > 0).once(written)
    }

    /// `omitted` counts findings of messages that have more than the reader reports of one.
    fn summary(
        &self,
        messages: usize,
        refused: usize,
        omitted: usize,
        by_code: &BTreeMap<Code, usize>,
    ) -> String {
        if self.json {
            let codes: BTreeMap<&str, usize> = by_code
                .iter()
                .map(|(code, number)| (code.as_str(), *number))
                .collect();
            let summary = serde_json::json!({
                "messages": messages, "refused": refused, "findings": codes, "omitted": omitted,
            });
            return format!("{summary}\n");
        }
        let mut out = format!(
            "{}: {} well formed, {refused} not\n",
            count(messages, "message"),
            messages - refused
        );
        for (code, number) in by_code {
            out.push_str(&format!(
                "  {number:>6} {code} ({}, {})\n",
                code.class(),
                code.clause()
            ));
        }
        if omitted > 0 {
            out.push_str(&format!(
                "  {omitted:>6} more in messages with over 10,000 findings, not listed\n"
            ));
        }
        out
    }
}
