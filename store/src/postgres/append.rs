//! Appending: two flights to the server, and a third for a batch too large for one statement.

use std::time::Duration;

use deadpool_postgres::ClientWrapper;
use futures_util::future::{OptionFuture, join, join3, poll_immediate};
use futures_util::{SinkExt as _, pin_mut};
use tokio_postgres::Statement;
use tokio_postgres::error::Severity;
use tokio_postgres::types::ToSql;

use super::fault::{Said, Trouble, silence};
use super::listen;
use super::rows::Rows;
use super::server::{Server, within};
use crate::{Error, Expected, Head, Link, Position};

/// INVARIANT 4: nobody else appends to this log until the transaction is over. INVARIANT 3: and that is not said to be so
/// before it is synced, whatever the server, the database or the user is set to; more (`remote_apply`) may be asked.
const LOCK: &str = "SELECT set_config('synchronous_commit', \
    CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true) \
    FROM tern.log WHERE id = $1 AND name = $2 FOR UPDATE";

/// Where the log ends, and whether nobody waits for it: see [`listen::watch`].
const BEFORE: &str = "SELECT l.name, l.position, l.link, r.position, r.link, \
    pg_try_advisory_xact_lock(6081392688605691904 + l.id) FROM tern.log l \
    LEFT JOIN LATERAL (SELECT position, link FROM tern.record WHERE log = l.id ORDER BY position DESC LIMIT 1) r ON true \
    WHERE l.id = $1 AND l.name = $2";

/// The records of a batch and the head after them, in one statement.
const WRITE: &str = "WITH batch AS (\
        INSERT INTO tern.record (log, position, link, bytes) \
        SELECT $1, $2 + number - 1, link, bytes \
        FROM unnest($3::bytea[], $4::bytea[]) WITH ORDINALITY AS batch (link, bytes, number)\
    ) UPDATE tern.log SET position = $5, link = $6 WHERE id = $1";

const MOVE: &str = "UPDATE tern.log SET position = $2, link = $3 WHERE id = $1";

const COPY: &str = "COPY tern.record (log, position, link, bytes) FROM STDIN (FORMAT binary)";

/// Batches of more bytes, links included, are copied: that is faster, and a statement has to fit into the server's memory
/// several times.
const MOST_AT_ONCE: usize = 256 << 10;

/// So much is handed to the connection at a time.
const PART: usize = 1 << 20;

impl Rows {
    /// INVARIANTS 1 to 4: under the lock of the log's row, the head is found, compared and extended.
    pub(super) async fn append(
        &self,
        client: &ClientWrapper,
        server: &Server,
        expected: Expected,
        records: &[&[u8]],
    ) -> Result<Head, Trouble> {
        if records.is_empty() {
            let head = self.head(client, server).await?;
            return match self.refusal(head.position, expected, 0) {
                Some(refusal) => Err(Trouble::Refused(refusal)),
                None => Ok(head),
            };
        }
        let time = server.time(0);
        let lock = within(time, client.prepare_cached(LOCK)).await?;
        let head = within(time, client.prepare_cached(BEFORE)).await?;
        let log: [&(dyn ToSql + Sync); 2] = [&self.number, &self.name];
        // One flight. The head is a statement after the lock, so that it sees what was appended while that was waited for.
        let (begun, locked, before) = join3(
            within(
                time,
                client.batch_execute("BEGIN ISOLATION LEVEL READ COMMITTED"),
            ),
            within(time, client.query_opt(&lock, &log)),
            within(time, client.query_opt(&head, &log)),
        )
        .await;
        begun?;
        locked?;
        let before = before?;
        let alone = before.as_ref().map(|row| row.try_get(5)).transpose()?;
        let is_watched = alone == Some(false);
        let refused = match self.head_in(before) {
            Ok(before) => match self.refusal(before.position, expected, records.len()) {
                None => {
                    return {
                        self.extend(client, server, before, records, is_watched)
                            .await
                    };
                }
                Some(refusal) => Trouble::Refused(refusal),
            },
            Err(trouble) => trouble,
        };
        within(time, client.batch_execute("ROLLBACK")).await?;
        Err(refused)
    }

    /// Why a batch of so many records cannot stand after `found`.
    fn refusal(&self, found: Position, expected: Expected, records: usize) -> Option<Error> {
        match expected {
            Expected::At(expected) if expected != found => {
                Some(Error::Conflict { expected, found })
            }
            _ if found.after(records as u64).as_u64() > i64::MAX.cast_unsigned() => {
                Some(Error::Limit {
                    store: self.store.clone(),
                    what: "records",
                })
            }
            _ => None,
        }
    }

    /// INVARIANT 7: each record with its link.
    async fn extend(
        &self,
        client: &ClientWrapper,
        server: &Server,
        before: Head,
        records: &[&[u8]],
        is_watched: bool,
    ) -> Result<Head, Trouble> {
        let mut link = before.link;
        let links: Vec<Link> = records
            .iter()
            .map(|record| {
                link = link.then(record);
                link
            })
            .collect();
        let after = Head::new(before.position.after(records.len() as u64), link);
        let (first, end) = (
            before.position.as_u64().cast_signed(),
            after.position.as_u64().cast_signed(),
        );
        let bytes: usize = records.iter().map(|record| record.len() + 64).sum();
        let time = server.time(bytes);
        let last = &link.as_bytes()[..];
        if bytes <= MOST_AT_ONCE {
            let write = within(time, client.prepare_cached(WRITE)).await?;
            let links: Vec<&[u8]> = links.iter().map(|link| &link.as_bytes()[..]).collect();
            let parameters: [&(dyn ToSql + Sync); 6] =
                [&self.number, &first, &links, &records, &end, &last];
            self.commit(client, time, &write, &parameters, is_watched)
                .await?;
        } else {
            let write = within(time, client.prepare_cached(MOVE)).await?;
            within(time, self.copy(client, first, &links, records)).await?;
            let parameters: [&(dyn ToSql + Sync); 3] = [&self.number, &end, &last];
            self.commit(client, time, &write, &parameters, is_watched)
                .await?;
        }
        Ok(after)
    }

    /// The records as the server's binary format for copying has them, part by part.
    async fn copy(
        &self,
        client: &ClientWrapper,
        first: i64,
        links: &[Link],
        records: &[&[u8]],
    ) -> Result<(), Trouble> {
        let sink = client.copy_in(COPY).await?;
        pin_mut!(sink);
        // the signature, no flags, no extension
        let mut part = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0".to_vec();
        for ((position, link), record) in (first..).zip(links).zip(records) {
            part.extend_from_slice(&4_i16.to_be_bytes());
            for field in [
                &self.number.to_be_bytes()[..],
                &position.to_be_bytes(),
                link.as_bytes(),
                record,
            ] {
                // no field is longer than a record
                let length = u32::try_from(field.len()).unwrap_or(u32::MAX);
                part.extend_from_slice(&length.to_be_bytes());
                part.extend_from_slice(field);
            }
            if part.len() >= PART {
                sink.send(std::io::Cursor::new(std::mem::take(&mut part)))
                    .await?;
            }
        }
        part.extend_from_slice(&(-1_i16).to_be_bytes());
        sink.send(std::io::Cursor::new(part)).await?;
        sink.finish().await?;
        Ok(())
    }

    /// The last statement, COMMIT and the word to those who wait, in one flight. INVARIANT 5: what was written is known
    /// only if the server says that a statement failed and still answers COMMIT, which then rolled back.
    ///
    /// The word is sent after the transaction, not in it: one with a word in it holds a lock of the whole database until
    /// it is synced, so that appends to different logs would wait for each other. And it is sent only to those who are
    /// there, for it costs a sync of its own. Who misses it looks again anyway.
    async fn commit(
        &self,
        client: &ClientWrapper,
        time: Duration,
        write: &Statement,
        parameters: &[&(dyn ToSql + Sync)],
        is_watched: bool,
    ) -> Result<(), Trouble> {
        let word = is_watched.then(|| listen::word(self.number));
        let flight = join(
            join(
                client.execute(write, parameters),
                client.batch_execute("COMMIT"),
            ),
            async {
                let word = word.as_deref().map(|word| client.batch_execute(word));
                // sent, and its answer is nobody's
                let _sent = poll_immediate(OptionFuture::from(word)).await;
            },
        );
        let Ok(((written, committed), ())) = tokio::time::timeout(time, flight).await else {
            return Err(Trouble::Undecided(silence(time).into()));
        };
        match (written, committed) {
            (Ok(1), Ok(())) => Ok(()),
            (Err(error), Ok(())) if is_refusal(&error) => Err(Trouble::Server(error)),
            (Err(error), _) | (_, Err(error)) => Err(Trouble::Undecided(Said::by(&error).into())),
            (Ok(_), Ok(())) => Err(self.corrupt(format!("the log `{}` is gone", self.name))),
        }
    }
}

/// Whether the server refused a statement, and its connection went on.
fn is_refusal(error: &tokio_postgres::Error) -> bool {
    error
        .as_db_error()
        .is_some_and(|said| said.parsed_severity() == Some(Severity::Error))
}
