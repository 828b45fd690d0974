//! The durable log: what SQLite gives back is what was said, whoever appended it.

mod lines;
mod machine;

use tern_core::log::Record;
use tern_core::{Limits, Log, State};
use tern_store::{Expected, Log as _, Position, Records, SqliteLog};

use crate::harness::{Property, readable};
use crate::look::holds;

/// The bytes of all records of a log.
fn records(log: &SqliteLog) -> Vec<Vec<u8>> {
    let records = Records::new(log, Position::START);
    records.map(|record| record.unwrap().bytes).collect()
}

/// T1.30, S2.01, S7.01, T1.25: a log that is reopened gives the state that was running, with what was
/// refused in it, and holds the bytes that were appended; another log in the same file keeps its own.
#[test]
fn t1_30_a_log_reopened_is_the_running_state() {
    Property::new("t1_30_a_log_reopened_is_the_running_state", readable(), 60)
        .demand(&[("reopened", 150), ("records", 1000), ("refused", 5)])
        .check(|trial| {
            let Ok(read) = Log::read(&trial.document()) else {
                return Ok(());
            };
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("thread.db");
            let name = "garden";
            let mut other = SqliteLog::open(&path, "another").unwrap();
            let context = Record::Context(read.context().clone()).to_line();
            let mut state = State::new(read.context().clone(), Limits::default());
            let mut outcomes = Vec::new();
            let mut log = SqliteLog::open(&path, name).unwrap();
            log.append(
                Expected::At(Position::START),
                &[context.trim_end().as_bytes()],
            )
            .unwrap();
            other.append(Expected::Any, &[b"nothing of ours"]).unwrap();
            let mut said = vec![context.trim_end().as_bytes().to_vec()];
            let mut left = read.events();
            while !left.is_empty() {
                let (batch, rest) = left.split_at(1 + trial.dice.below(left.len().min(15)));
                left = rest;
                let lines: Vec<String> = batch
                    .iter()
                    .map(|event| Record::Event(event.clone()).to_line())
                    .collect();
                let lines: Vec<&[u8]> = lines
                    .iter()
                    .map(|line| line.trim_end().as_bytes())
                    .collect();
                let head = log.head().unwrap().position;
                log.append(Expected::At(head), &lines).unwrap();
                said.extend(lines.iter().map(|line| line.to_vec()));
                outcomes.extend(batch.iter().filter_map(|event| state.apply(event)));
                drop(log);
                log = SqliteLog::open(&path, name).unwrap();
                let found = records(&log);
                holds!(found == said, "other records than those appended");
                holds!(
                    records(&other) == [b"nothing of ours"],
                    "the other log has other records"
                );
                let again = Log::read(&found.join(&b'\n')).map_err(|it| it.to_string())?;
                let (anew, answers) = again.state_at(usize::MAX, &Limits::default());
                holds!(
                    anew.view() == state.view(),
                    "the view after {} events",
                    state.position()
                );
                holds!(
                    answers == outcomes,
                    "the outcomes after {} events",
                    state.position()
                );
                holds!(anew.local_view() == state.local_view(), "the local view");
                trial.counts.add("reopened", 1);
            }
            trial.counts.add("records", read.events().len());
            let refused = outcomes
                .iter()
                .filter(|it| crate::look::is_refused(it))
                .count();
            trial.counts.add("refused", refused);
            Ok(())
        });
}
