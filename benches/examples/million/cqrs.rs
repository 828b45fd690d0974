//! cqrs-es on SQLite. Its own crate for that, sqlite-es 0.5, cannot be built beside rusqlite 0.43: sqlx 0.8 wants another
//! version of libsqlite3-sys, and a program can have one. So its repository is written again here, over rusqlite: the same
//! tables, statements and transactions. It does less than sqlite-es, which copies each payload once more and has sqlx and
//! its threads between itself and SQLite.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;

use cqrs_es::event_sink::EventSink;
use cqrs_es::persist::{
    PersistedEventRepository, PersistedEventStore, PersistenceError, ReplayStream, SerializedEvent,
    SerializedSnapshot,
};
use cqrs_es::{Aggregate, DomainEvent, EventStore as _};
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tern_core::log::{Input as Kind, Reader};
use tern_store::{Position, Records, SqliteStore, Store as _};

use crate::table::{Table, clock, locked};
use crate::{Expected, Input, LOG, ours, sqlite};

/// It holds all events of a transaction in memory, several times.
const MOST: usize = 200_000;

pub(crate) fn beside(input: &Input<'_>) {
    let lines = &input.lines[..input.lines.len().min(MOST)];
    let events = lines.iter().map(|line| serde_json::from_slice(line));
    let events: Vec<Happened> = events.map(|event| Happened(event.unwrap())).collect();
    let path = input.folder.join("cqrs.db");
    let store = PersistedEventStore::<Repository, Thread>::new_event_store(Repository::new(&path));
    let mut table = Table::new();
    let name = locked("cqrs-es");
    let (time, ()) = clock(|| {
        pollster::block_on(async {
            let context = store.load_aggregate(LOG).await.unwrap();
            let committed = store.commit(events, context, HashMap::new()).await;
            assert_eq!(committed.unwrap().len(), lines.len());
        });
    });
    table.row(&name, lines.len(), time);
    let ours = SqliteStore::new(&input.folder.join("beside-cqrs.db"));
    let time = ours::append(&ours, lines, lines.len());
    table.row("tern-store", lines.len(), time);
    table.print("append all in one transaction, one run", &name);

    let mut table = Table::new();
    let (time, ()) = clock(|| {
        let loaded = pollster::block_on(store.load_events(LOG)).unwrap();
        assert_eq!(loaded.len(), lines.len());
    });
    table.row(&name, lines.len(), time);
    let (time, ()) = clock(|| {
        let log = ours.open_read_only(LOG).unwrap();
        let mut reader = Reader::new(Kind::Document);
        for record in Records::new(&*log, Position::START) {
            reader.read(&record.unwrap().bytes).unwrap();
        }
    });
    table.row("tern-store, verified and read strictly", lines.len(), time);
    let time = ours::verify(&ours, Expected::of(lines));
    table.row("tern-store, verified", lines.len(), time);
    table.print("load the events back, one run", &name);
    println!(
        "cqrs-es over rusqlite: sqlite-es 0.5 cannot be built beside rusqlite 0.43 (libsqlite3-sys).\n"
    );
    sqlite::remove(&path);
}

/// A record, as JSON: what cqrs-es keeps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
struct Happened(Value);

impl DomainEvent for Happened {
    fn event_type(&self) -> String {
        "Happened".to_owned()
    }

    fn event_version(&self) -> String {
        "1.0".to_owned()
    }
}

/// Reduces nothing: what is measured is the store.
#[derive(Default, Serialize, Deserialize)]
struct Thread;

impl Aggregate for Thread {
    const TYPE: &'static str = "thread";
    type Command = ();
    type Event = Happened;
    type Error = std::fmt::Error;
    type Services = ();

    async fn handle(&mut self, (): (), (): &(), _: &EventSink<Self>) -> Result<(), Self::Error> {
        Ok(())
    }

    fn apply(&mut self, _: Happened) {}
}

struct Repository {
    conn: Mutex<Connection>,
}

impl Repository {
    fn new(path: &Path) -> Self {
        let conn = Connection::open(path).unwrap();
        conn.execute_batch(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
             CREATE TABLE events (aggregate_type text NOT NULL, aggregate_id text NOT NULL,
                 sequence integer CHECK (sequence >= 0) NOT NULL, event_type text NOT NULL, event_version text NOT NULL,
                 payload text NOT NULL, metadata text NOT NULL,
                 PRIMARY KEY (aggregate_type, aggregate_id, sequence)) STRICT",
        )
        .unwrap();
        Self {
            conn: Mutex::new(conn),
        }
    }
}

fn failed(error: rusqlite::Error) -> PersistenceError {
    PersistenceError::UnknownError(Box::new(error))
}

impl PersistedEventRepository for Repository {
    async fn get_events<A: Aggregate>(
        &self,
        id: &str,
    ) -> Result<Vec<SerializedEvent>, PersistenceError> {
        self.get_last_events::<A>(id, 0).await
    }

    async fn get_last_events<A: Aggregate>(
        &self,
        id: &str,
        last: usize,
    ) -> Result<Vec<SerializedEvent>, PersistenceError> {
        let conn = self.conn.lock().unwrap();
        let mut select = conn
            .prepare_cached(
                "SELECT aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata
                 FROM events WHERE aggregate_type = ? AND aggregate_id = ? AND sequence > ? ORDER BY sequence",
            )
            .map_err(failed)?;
        let last = i64::try_from(last).unwrap_or(i64::MAX);
        let mut rows = select.query(params![A::TYPE, id, last]).map_err(failed)?;
        let mut events = Vec::new();
        while let Some(row) = rows.next().map_err(failed)? {
            let text = |at: usize| row.get::<_, String>(at).map_err(failed);
            let json = |at: usize| -> Result<Value, PersistenceError> {
                let text = row.get_ref(at).map_err(failed)?;
                let text = text.as_bytes().map_err(|error| failed(error.into()))?;
                Ok(serde_json::from_slice(text)?)
            };
            events.push(SerializedEvent::new(
                text(1)?,
                usize::try_from(row.get::<_, i64>(2).map_err(failed)?).unwrap(),
                text(0)?,
                text(3)?,
                text(4)?,
                json(5)?,
                json(6)?,
            ));
        }
        Ok(events)
    }

    async fn get_snapshot<A: Aggregate>(
        &self,
        _: &str,
    ) -> Result<Option<SerializedSnapshot>, PersistenceError> {
        Ok(None)
    }

    async fn persist<A: Aggregate>(
        &self,
        events: &[SerializedEvent],
        _: Option<(String, Value, usize)>,
    ) -> Result<(), PersistenceError> {
        let mut conn = self.conn.lock().unwrap();
        let transaction = conn.transaction().map_err(failed)?;
        let mut insert = transaction
            .prepare_cached("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)")
            .map_err(failed)?;
        for event in events {
            insert
                .execute(params![
                    A::TYPE,
                    event.aggregate_id,
                    i64::try_from(event.sequence).unwrap(),
                    event.event_type,
                    event.event_version,
                    event.payload.to_string(),
                    event.metadata.to_string(),
                ])
                .map_err(failed)?;
        }
        drop(insert);
        transaction.commit().map_err(failed)
    }

    async fn stream_events<A: Aggregate>(&self, _: &str) -> Result<ReplayStream, PersistenceError> {
        let (_none, stream) = ReplayStream::new(1);
        Ok(stream)
    }

    async fn stream_all_events<A: Aggregate>(&self) -> Result<ReplayStream, PersistenceError> {
        let (_none, stream) = ReplayStream::new(1);
        Ok(stream)
    }
}
