//! What is asked of the tables, and what is written to them.

use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use super::fault::Trouble;
use super::schema::{self, Places};
use crate::{Error, Expected, Head, Link, Position, READ_BYTES, Record, Snapshot};

/// One log among those of a file.
///
/// Bounds are written `?1 + 0`: SQLite plans by the value of a bare parameter, and would compile the statement anew each time
/// that it is bound.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) store: String,
    pub(super) name: String,
    pub(super) places: Places,
    number: i64,
}

impl Rows {
    /// Those of the log `number`.
    pub(super) fn of(store: &str, name: &str, number: i64) -> Self {
        Self {
            store: store.to_owned(),
            name: name.to_owned(),
            places: Places::of(number),
            number,
        }
    }

    fn corrupt(&self, why: String) -> Trouble {
        let store = self.store.clone();
        Trouble::Refused(Error::Corrupt { store, why })
    }

    /// INVARIANT 2: where the log ends is said by its last record and by the row of its head, and they must agree, or
    /// records at its end would be missed.
    pub(super) fn head(&self, conn: &Connection) -> Result<Head, Trouble> {
        type Found = Option<(i64, [u8; 32])>;
        // Both as of one moment: within a transaction, ours or that of whoever asks.
        let _moment = match conn.is_autocommit() {
            true => Some(conn.unchecked_transaction()?),
            false => None,
        };
        let pair = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let last: Found = conn
            .prepare_cached(
                "SELECT place, link FROM record WHERE place BETWEEN ?1 + 0 AND ?2 + 0 ORDER BY place DESC LIMIT 1",
            )?
            .query_row(params![self.places.first, self.places.last], pair)
            .optional()?;
        let kept: Found = conn
            .prepare_cached("SELECT position, link FROM head WHERE log = ?1")?
            .query_row([self.number], pair)
            .optional()?;
        let last = last.map(|(place, link)| {
            let position = self.places.position(place).after(1);
            Head::new(position, Link::from_bytes(link))
        });
        let kept = kept.map(|(position, link)| {
            let position = Position::new(position.cast_unsigned());
            Head::new(position, Link::from_bytes(link))
        });
        if last == kept {
            return Ok(last.unwrap_or_else(|| Head::start(&self.name)));
        }
        let end = |head: Option<Head>| head.map_or(Position::START, |head| head.position);
        let (last, kept) = (end(last), end(kept));
        Err(self.corrupt(if last == kept {
            format!("the link of its head at position {kept} is not that of its last record")
        } else {
            format!("its records end at position {last}, and its head says {kept}")
        }))
    }

    /// Up to `max` records as of one moment, without a gap, up to where the head says that the log ends. INVARIANT 2.
    pub(super) fn read(
        &self,
        conn: &Connection,
        from: Position,
        max: usize,
    ) -> Result<Vec<Record>, Trouble> {
        let mut records = Vec::new();
        let Some(first) = self.places.place(from) else {
            return Ok(records);
        };
        let moment = conn.unchecked_transaction()?;
        let mut statement = moment.prepare_cached(
            "SELECT place, bytes, link FROM record WHERE place BETWEEN ?1 + 0 AND ?2 + 0 ORDER BY place LIMIT ?3 + 0",
        )?;
        let most = i64::try_from(max).unwrap_or(i64::MAX);
        let mut rows = statement.query(params![first, self.places.last, most])?;
        let (mut place, mut bytes) = (first, 0);
        while bytes < READ_BYTES {
            let Some(row) = rows.next()? else {
                if records.len() < max {
                    self.expect_end(&moment, self.places.position(place), from)?;
                }
                break;
            };
            if row.get::<_, i64>(0)? != place {
                return Err(self.missing(self.places.position(place)));
            }
            let link = Link::from_bytes(row.get(2)?);
            let record = Record::new(self.places.position(place), row.get(1)?, link);
            bytes += record.bytes.len();
            place = place.saturating_add(1);
            records.push(record);
        }
        Ok(records)
    }

    fn missing(&self, position: Position) -> Trouble {
        self.corrupt(format!("the record at position {position} is missing"))
    }

    /// No records follow `end`, as far as the table says; does the head say so too?
    fn expect_end(&self, conn: &Connection, end: Position, from: Position) -> Result<(), Trouble> {
        let head = self.head(conn)?.position;
        let is_beyond = from == end && head < end;
        if is_beyond || head == end {
            return Ok(());
        }
        Err(self.missing(end))
    }

    /// INVARIANTS 1 to 4: under the one write lock of the file, the head is found, compared and extended; dropping the
    /// transaction rolls it back.
    pub(super) fn append(
        &self,
        conn: &mut Connection,
        expected: Expected,
        records: &[&[u8]],
    ) -> Result<Head, Trouble> {
        let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let before = self.head(&transaction)?;
        if let Some(refusal) = self.refusal(before.position, expected, records.len()) {
            transaction.rollback()?;
            return Err(Trouble::Refused(refusal));
        }
        let after = self.insert(&transaction, before, records)?;
        transaction.commit()?;
        Ok(after)
    }

    /// Why a batch of so many records cannot stand after `found`.
    fn refusal(&self, found: Position, expected: Expected, records: usize) -> Option<Error> {
        match expected {
            Expected::At(expected) if expected != found => {
                Some(Error::Conflict { expected, found })
            }
            _ if found.after(records as u64) > self.places.end() => Some(Error::Limit {
                store: self.store.clone(),
                what: "records",
            }),
            _ => None,
        }
    }

    /// INVARIANT 7: each record with its link.
    fn insert(
        &self,
        transaction: &Transaction<'_>,
        before: Head,
        records: &[&[u8]],
    ) -> Result<Head, rusqlite::Error> {
        if records.is_empty() {
            return Ok(before);
        }
        let mut statement = transaction
            .prepare_cached("INSERT INTO record (place, link, bytes) VALUES (?1, ?2, ?3)")?;
        let mut link = before.link;
        let first = self.places.first + before.position.as_u64().cast_signed();
        for (place, record) in (first..).zip(records) {
            link = link.then(record);
            statement.execute(params![place, link.as_bytes(), record])?;
        }
        let after = before.position.after(records.len() as u64);
        transaction
            .prepare_cached(
                "INSERT INTO head (log, position, link) VALUES (?1, ?2, ?3) \
                 ON CONFLICT (log) DO UPDATE SET position = excluded.position, link = excluded.link",
            )?
            .execute(params![
                self.number,
                after.as_u64().cast_signed(),
                link.as_bytes()
            ])?;
        Ok(Head::new(after, link))
    }

    /// Keeps a snapshot of records that are there.
    pub(super) fn put_snapshot(
        &self,
        conn: &mut Connection,
        snapshot: &Snapshot,
    ) -> Result<(), Trouble> {
        let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if self.head_at(&transaction, snapshot.head.position)? != Some(snapshot.head) {
            transaction.rollback()?;
            return Err(Trouble::Refused(Error::BadSnapshot {
                why: "the log has other records up to there",
            }));
        }
        transaction.execute(
            "INSERT OR REPLACE INTO snapshot (log, kind, position, link, bytes) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![
                self.number,
                snapshot.kind,
                snapshot.head.position.as_u64().cast_signed(),
                snapshot.head.link.as_bytes(),
                snapshot.bytes,
            ],
        )?;
        Ok(transaction.commit()?)
    }

    /// The head of the records before `position`, if the log is as long.
    fn head_at(&self, conn: &Connection, position: Position) -> Result<Option<Head>, Trouble> {
        let Some(before) = position.as_u64().checked_sub(1) else {
            return Ok(Some(Head::start(&self.name)));
        };
        let Some(place) = self.places.place(Position::new(before)) else {
            return Ok(None);
        };
        let link = conn
            .query_row("SELECT link FROM record WHERE place = ?1", [place], |row| {
                row.get(0)
            })
            .optional()?;
        Ok(link.map(|link| Head::new(position, Link::from_bytes(link))))
    }

    /// The kept snapshot of a kind.
    pub(super) fn snapshot(
        &self,
        conn: &Connection,
        kind: &str,
    ) -> Result<Option<Snapshot>, Trouble> {
        let found = conn
            .query_row(
                "SELECT position, link, bytes FROM snapshot WHERE log = ?1 AND kind = ?2",
                params![self.number, kind],
                |row| Ok((row.get::<_, i64>(0)?, row.get(1)?, row.get(2)?)),
            )
            .optional()?;
        Ok(found.map(|(position, link, bytes)| {
            let position = Position::new(position.cast_unsigned());
            Snapshot::new(kind, Head::new(position, Link::from_bytes(link)), bytes)
        }))
    }
}

/// The number of the log `name`, if there is one.
pub(super) fn find(conn: &Connection, name: &str) -> Result<Option<i64>, rusqlite::Error> {
    conn.query_row("SELECT id FROM log WHERE name = ?1", [name], |row| {
        row.get(0)
    })
    .optional()
}

/// The number of the log `name`, which is given one if it has none.
pub(super) fn number_of(conn: &mut Connection, store: &str, name: &str) -> Result<i64, Trouble> {
    if let Some(number) = find(conn, name)? {
        return Ok(number);
    }
    let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // another process may have been faster
    let number = match find(&transaction, name)? {
        Some(number) => number,
        None => {
            let last: i64 =
                transaction
                    .query_row("SELECT coalesce(max(id), 0) FROM log", [], |row| row.get(0))?;
            if last >= schema::MAX_LOGS {
                return Err(Trouble::Refused(Error::Limit {
                    store: store.to_owned(),
                    what: "logs",
                }));
            }
            transaction.execute(
                "INSERT INTO log (id, name) VALUES (?1, ?2)",
                params![last + 1, name],
            )?;
            last + 1
        }
    };
    transaction.commit()?;
    Ok(number)
}
