//! What is asked of the tables.

use std::pin::Pin;

use deadpool_postgres::ClientWrapper;
use futures_util::future::join;
use futures_util::{FutureExt as _, TryStreamExt as _};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Row, RowStream};

use super::fault::Trouble;
use super::server::{Server, within};
use crate::{
    Error, Head, Link, MAX_RECORD_BYTES, MAX_SNAPSHOT_BYTES, Position, READ_BYTES, Record, Snapshot,
};

/// Where the log says that it ends, and its last record, as of one moment.
pub(super) const HEAD: &str = "SELECT l.name, l.position, l.link, r.position, r.link FROM tern.log l \
    LEFT JOIN LATERAL (SELECT position, link FROM tern.record WHERE log = l.id ORDER BY position DESC LIMIT 1) r ON true \
    WHERE l.id = $1 AND l.name = $2";

/// The same of all logs.
const HEADS: &str = "SELECT l.name, l.position, l.link, r.position, r.link FROM tern.log l \
    LEFT JOIN LATERAL (SELECT position, link FROM tern.record WHERE log = l.id ORDER BY position DESC LIMIT 1) r ON true \
    ORDER BY l.name";

/// Records of a range of positions, up to the one with which they reach so many bytes. The lengths stand beside the
/// bytes, so what lies beyond is not read for it.
const READ: &str = "SELECT position, link, bytes FROM (\
        SELECT position, link, bytes, \
            sum(octet_length(bytes)) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING) - octet_length(bytes) AS before \
        FROM tern.record WHERE log = $1 AND position >= $2 AND position < $3\
    ) piece WHERE before < $4 ORDER BY position";

/// The same where the records are likely to be short: the longer ones are left out, and who reads stops by itself.
const READ_SHORT: &str = "SELECT position, link, bytes FROM tern.record \
    WHERE log = $1 AND position >= $2 AND position < $3 AND octet_length(bytes) <= $4 ORDER BY position";

/// The longest record that is taken for a short one.
const LONGEST_SHORT: i32 = 16 << 10;

/// A snapshot is kept if the log has the record before its head, with its link.
const PUT: &str = "INSERT INTO tern.snapshot (log, kind, position, link, bytes) \
    SELECT $1::bigint, $2::text, $3::bigint, $4::bytea, $5::bytea WHERE $3 = 0 OR EXISTS \
        (SELECT FROM tern.record WHERE log = $1 AND position = $3 - 1 AND link = $4) \
    ON CONFLICT (log, kind) DO UPDATE SET position = excluded.position, link = excluded.link, bytes = excluded.bytes";

const SNAPSHOT: &str =
    "SELECT position, link, bytes FROM tern.snapshot WHERE log = $1 AND kind = $2";

/// The most records that one statement reads. More come in several; each sees what is there when it runs.
const MOST: u64 = 8192;

/// One log among those of a database.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub(super) store: String,
    pub(super) name: String,
    pub(super) number: i64,
}

impl Rows {
    pub(super) fn corrupt(&self, why: String) -> Trouble {
        let store = self.store.clone();
        Trouble::Refused(Error::Corrupt { store, why })
    }

    /// Where it ends now.
    pub(super) async fn head(
        &self,
        client: &ClientWrapper,
        server: &Server,
    ) -> Result<Head, Trouble> {
        let head = client.prepare_cached(HEAD);
        let head = within(server.time(0), head).await?;
        let log: [&(dyn ToSql + Sync); 2] = [&self.number, &self.name];
        let row = within(server.time(0), client.query_opt(&head, &log)).await?;
        self.head_in(row)
    }

    /// INVARIANT 2: the row of the log and its last record must agree on where it ends, or records at its end would be
    /// missed.
    pub(super) fn head_in(&self, row: Option<Row>) -> Result<Head, Trouble> {
        let Some(row) = row else {
            return Err(self.corrupt(format!("the log `{}` is gone", self.name)));
        };
        let kept = Head::new(position(&row, 1)?, self.link(&row, 2)?);
        let last = match row.try_get::<_, Option<i64>>(3)? {
            Some(_) => Head::new(position(&row, 3)?.after(1), self.link(&row, 4)?),
            None => Head::start(&self.name),
        };
        if last == kept {
            return Ok(kept);
        }
        let (last, kept) = (last.position, kept.position);
        Err(self.corrupt(match last == kept {
            true => {
                format!("the link of its head at position {kept} is not that of its last record")
            }
            false => format!("its records end at position {last}, and its head says {kept}"),
        }))
    }

    fn link(&self, row: &Row, at: usize) -> Result<Link, Trouble> {
        let bytes: &[u8] = row.try_get(at)?;
        let bytes = <[u8; 32]>::try_from(bytes)
            .map_err(|_| self.corrupt("a link has not 32 bytes".to_owned()))?;
        Ok(Link::from_bytes(bytes))
    }

    /// Up to `max` records from `from` on, without a gap, at least up to where the log ended when this was asked.
    /// INVARIANT 2.
    pub(super) async fn read(
        &self,
        client: &ClientWrapper,
        server: &Server,
        from: Position,
        max: u64,
        most_bytes: usize,
    ) -> Result<Vec<Record>, Trouble> {
        let head = within(server.time(0), client.prepare_cached(HEAD)).await?;
        let (mut records, mut bytes) = (Vec::new(), 0);
        while (records.len() as u64) < max && bytes < most_bytes {
            let next = from.after(records.len() as u64);
            let count = (max - records.len() as u64).min(MOST);
            // The head is asked first, in the same flight: what it counts has to be met by what is asked after it.
            let (known, piece) = join(
                within(
                    server.time(0),
                    client.query_opt(&head, &[&self.number, &self.name]),
                ),
                self.piece(client, server, next, count, most_bytes - bytes),
            )
            .await;
            let (known, piece) = (self.head_in(known?)?, piece?);
            let end = next.after(piece.len() as u64);
            bytes += piece.iter().map(|record| record.bytes.len()).sum::<usize>();
            let is_short = end < known.position.min(next.after(count)) && bytes < most_bytes;
            if is_short {
                return Err(self.missing(end));
            }
            let is_end = piece.is_empty() || end < next.after(count);
            records.extend(piece);
            if is_end {
                break;
            }
        }
        Ok(records)
    }

    fn missing(&self, position: Position) -> Trouble {
        self.corrupt(format!("the record at position {position} is missing"))
    }

    /// Up to `count` records from `from` on, without a gap, as far as they are there; nothing if they are more than so many
    /// bytes, or one is long. Faster than [`Rows::piece`], which does not read too much in the first place.
    pub(super) async fn short(
        &self,
        client: &ClientWrapper,
        server: &Server,
        from: Position,
        count: u64,
        most_bytes: usize,
    ) -> Result<Vec<Record>, Trouble> {
        let (Ok(first), Ok(more)) = (i64::try_from(from.as_u64()), i64::try_from(count)) else {
            return Ok(Vec::new());
        };
        let read = within(server.time(0), client.prepare_cached(READ_SHORT)).await?;
        let end = first.saturating_add(more);
        let parameters: [&(dyn ToSql + Sync); 4] = [&self.number, &first, &end, &LONGEST_SHORT];
        let rows = client.query_raw(&read, parameters);
        let mut rows = std::pin::pin!(within(server.time(0), rows).await?);
        let (mut records, mut bytes) = (Vec::new(), 0);
        while let Some(row) = next_row(&mut rows, server).await? {
            let due = from.after(records.len() as u64);
            let is_left_out = position(&row, 0)? != due;
            if !is_left_out {
                let record = self.record(&row, due)?;
                bytes += record.bytes.len();
                records.push(record);
            }
            if is_left_out || bytes > most_bytes {
                // what else comes on this connection is not read, so it cannot be used again
                return Err(Trouble::Undecided("the records are not short".into()));
            }
        }
        Ok(records)
    }

    fn record(&self, row: &Row, position_due: Position) -> Result<Record, Trouble> {
        if position(row, 0)? != position_due {
            return Err(self.missing(position_due));
        }
        Ok(Record::new(
            position_due,
            row.try_get(2)?,
            self.link(row, 1)?,
        ))
    }

    /// Up to `count` records from `from` on, without a gap, as far as they are there.
    pub(super) async fn piece(
        &self,
        client: &ClientWrapper,
        server: &Server,
        from: Position,
        count: u64,
        most_bytes: usize,
    ) -> Result<Vec<Record>, Trouble> {
        let mut records = Vec::new();
        let Ok(first) = i64::try_from(from.as_u64()) else {
            return Ok(records);
        };
        let end = first.saturating_add(i64::try_from(count).unwrap_or(i64::MAX));
        let most = i64::try_from(most_bytes.min(READ_BYTES)).unwrap_or(i64::MAX);
        let read = within(server.time(0), client.prepare_cached(READ)).await?;
        let parameters: [&(dyn ToSql + Sync); 4] = [&self.number, &first, &end, &most];
        let rows = client.query_raw(&read, parameters);
        let mut rows = std::pin::pin!(within(server.time(0), rows).await?);
        let mut next = from;
        while let Some(row) = next_row(&mut rows, server).await? {
            records.push(self.record(&row, next)?);
            next = next.after(1);
        }
        Ok(records)
    }

    /// Keeps a snapshot of records that are there. INVARIANTS do not speak of it: it is synced as the server is set.
    pub(super) async fn put_snapshot(
        &self,
        client: &ClientWrapper,
        server: &Server,
        snapshot: &Snapshot,
    ) -> Result<(), Trouble> {
        let other = Trouble::Refused(Error::BadSnapshot {
            why: "the log has other records up to there",
        });
        let Ok(position) = i64::try_from(snapshot.head.position.as_u64()) else {
            return Err(other);
        };
        if position == 0 && snapshot.head != Head::start(&self.name) {
            return Err(other);
        }
        let put = within(server.time(0), client.prepare_cached(PUT)).await?;
        let link = &snapshot.head.link.as_bytes()[..];
        let parameters: [&(dyn ToSql + Sync); 5] = [
            &self.number,
            &snapshot.kind,
            &position,
            &link,
            &snapshot.bytes,
        ];
        let put = client.execute(&put, &parameters);
        match within(server.time(snapshot.bytes.len()), put).await? {
            0 => Err(other),
            _ => Ok(()),
        }
    }

    /// The kept snapshot of a kind.
    pub(super) async fn snapshot(
        &self,
        client: &ClientWrapper,
        server: &Server,
        kind: &str,
    ) -> Result<Option<Snapshot>, Trouble> {
        if kind.contains('\0') {
            return Ok(None);
        }
        let asked: [&(dyn ToSql + Sync); 2] = [&self.number, &kind];
        let found = client.query_opt(SNAPSHOT, &asked);
        let Some(row) = within(server.time(MAX_SNAPSHOT_BYTES), found).await? else {
            return Ok(None);
        };
        let head = Head::new(position(&row, 0)?, self.link(&row, 1)?);
        Ok(Some(Snapshot::new(kind, head, row.try_get(2)?)))
    }
}

fn position(row: &Row, at: usize) -> Result<Position, tokio_postgres::Error> {
    row.try_get(at)
        .map(|position: i64| Position::new(position.cast_unsigned()))
}

/// All logs and where each ends, as of one moment, sorted by the bytes of their names.
pub(super) async fn logs(
    client: &ClientWrapper,
    server: &Server,
) -> Result<Vec<(String, Head)>, Trouble> {
    let rows = within(server.time(0), client.query(HEADS, &[])).await?;
    let heads = rows.into_iter().map(|row| {
        let name: String = row.try_get(0)?;
        let rows = Rows {
            store: server.store.clone(),
            name: name.clone(),
            number: 0,
        };
        Ok((name, rows.head_in(Some(row))?))
    });
    heads.collect()
}

/// The number of the log `name`, if there is one.
pub(super) async fn find(
    client: &ClientWrapper,
    server: &Server,
    name: &str,
) -> Result<Option<i64>, Trouble> {
    let asked: [&(dyn ToSql + Sync); 1] = [&name];
    let find = client.query_opt("SELECT id FROM tern.log WHERE name = $1", &asked);
    let row = within(server.time(0), find).await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}

/// The number of the log `name`, which is given one if it has none.
pub(super) async fn number_of(
    client: &ClientWrapper,
    server: &Server,
    name: &str,
) -> Result<i64, Trouble> {
    if let Some(number) = find(client, server, name).await? {
        return Ok(number);
    }
    let start = Link::start(name);
    let link = &start.as_bytes()[..];
    let begin = client
        .batch_execute("BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = on");
    within(server.time(0), begin).await?;
    let asked: [&(dyn ToSql + Sync); 2] = [&name, &link];
    let insert = client.execute(
        "INSERT INTO tern.log (name, position, link) VALUES ($1, 0, $2) ON CONFLICT DO NOTHING",
        &asked,
    );
    // Another process may have been faster; then this waits for it, and what is there now is that process's.
    within(server.time(0), insert).await?;
    let number = find(client, server, name).await?;
    within(server.time(0), client.batch_execute("COMMIT")).await?;
    number.ok_or_else(|| {
        Trouble::Refused(Error::Corrupt {
            store: server.store.clone(),
            why: format!("the log `{name}` was made and is not there"),
        })
    })
}

/// The next row. Most are here already, and nothing is arranged to wait for those.
async fn next_row(rows: &mut Pin<&mut RowStream>, server: &Server) -> Result<Option<Row>, Trouble> {
    match rows.try_next().now_or_never() {
        Some(row) => Ok(row?),
        None => within(server.time(MAX_RECORD_BYTES), rows.try_next()).await,
    }
}
