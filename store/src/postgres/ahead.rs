//! Reading ahead: who reads a log piece by piece gets the next one while the last one is worked on.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::task::JoinHandle;

use super::fault::Trouble;
use super::rows::Rows;
use super::server::Server;
use crate::{Position, Record};

/// The most that is read ahead: so many records, and not beyond the one with which they reach so many bytes.
const RECORDS: u64 = 4096;
const BYTES: usize = 16 << 20;

/// What was read beyond the last answer. Records never change, so they may be answered later (INVARIANT 1); that there
/// are no more may not.
#[derive(Default)]
pub(super) struct Ahead {
    /// Where the last answer ended.
    next: Option<Position>,
    /// The records from there on.
    records: VecDeque<Record>,
    coming: Option<JoinHandle<Result<Vec<Record>, Trouble>>>,
}

impl Ahead {
    /// Whether a read from `from` goes on where the last one ended. If it does not, what was read is forgotten.
    pub(super) fn goes_on(&mut self, from: Position) -> bool {
        let goes_on = self.next == Some(from);
        if !goes_on {
            self.forget();
        }
        goes_on
    }

    fn forget(&mut self) {
        self.records.clear();
        if let Some(coming) = self.coming.take() {
            coming.abort();
        }
    }

    /// Takes records into an answer, as far as there are some.
    pub(super) async fn take(&mut self, answer: &mut Vec<Record>, max: usize, most_bytes: usize) {
        let mut bytes = 0;
        while answer.len() < max && bytes < most_bytes {
            let Some(record) = self.records.pop_front() else {
                let Some(coming) = self.coming.take() else {
                    return;
                };
                // What went wrong will be met again by who reads it now.
                let Ok(Ok(records)) = coming.await else {
                    return;
                };
                self.records = records.into();
                continue;
            };
            bytes += record.bytes.len();
            answer.push(record);
        }
    }

    /// Notes where an answer ended, and reads on from there if `more` is likely to be asked for. `is_short` says that the
    /// records were short so far.
    pub(super) fn answered(
        &mut self,
        server: &Arc<Server>,
        rows: &Rows,
        end: Position,
        more: bool,
        is_short: bool,
    ) {
        self.next = Some(end);
        let held: usize = self.records.iter().map(|record| record.bytes.len()).sum();
        let is_plenty = self.records.len() as u64 >= RECORDS / 2 || held >= BYTES / 2;
        if !more || self.coming.is_some() || is_plenty {
            return;
        }
        let from = end.after(self.records.len() as u64);
        let (server, rows) = (Arc::clone(server), rows.clone());
        self.coming = Some(tokio::spawn(async move {
            server
                .with(async |client| match is_short {
                    true => rows.short(client, &server, from, RECORDS, BYTES).await,
                    false => rows.piece(client, &server, from, RECORDS, BYTES).await,
                })
                .await
        }));
    }
}

/// Whether records of which so many have so many bytes are likely to be short enough to be read ahead without counting.
pub(super) const fn is_short(records: usize, bytes: usize) -> bool {
    bytes.saturating_mul(2) <= records.saturating_mul(BYTES / RECORDS as usize)
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.forget();
    }
}
