//! PostgreSQL, and tokio-postgres by itself: the same rows, copied in the same transactions.

use std::io::Cursor;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt as _, TryStreamExt as _};
use tern_store::{PostgresStore, Store};
use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls};

use crate::table::{clock, locked};
use crate::{BATCH, Expected, Kind, Peer, postgres_server};

pub(crate) struct Postgres {
    server: Arc<postgres_server::Postgres>,
    addresses: Vec<String>,
}

impl Postgres {
    pub(crate) fn start() -> Option<Self> {
        Some(Self {
            server: Arc::new(postgres_server::Postgres::start("")?),
            addresses: Vec::new(),
        })
    }

    fn database(&mut self) -> String {
        let address = self.server.fresh();
        self.addresses.push(address.clone());
        address
    }
}

impl Kind for Postgres {
    fn name(&self) -> &'static str {
        "PostgreSQL"
    }

    fn versions(&self) -> String {
        let version = self.server.sql("postgres", "SHOW server_version");
        format!("PostgreSQL {version}, {}", locked("tokio-postgres"))
    }

    fn fresh(&mut self) -> (Box<dyn Store>, String) {
        let address = self.database();
        let store = PostgresStore::new(&address).unwrap();
        store.prepare().unwrap();
        (Box::new(store), address)
    }

    fn peers(&mut self) -> Vec<Box<dyn Peer>> {
        let address = self.database();
        let runtime = Runtime::new().unwrap();
        let client = runtime.block_on(connect(&address));
        vec![Box::new(Bare {
            address,
            runtime,
            client,
        })]
    }

    fn settle(&mut self) {
        for address in &self.addresses {
            let database = postgres_server::database(address);
            self.server.sql(database, "VACUUM ANALYZE");
        }
        self.server.sql("postgres", "CHECKPOINT");
    }
}

struct Bare {
    address: String,
    runtime: Runtime,
    client: Client,
}

async fn connect(address: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

const TABLES: &str = "DROP TABLE IF EXISTS record, head;
    CREATE TABLE record (log bigint, position bigint, link bytea NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (log, position));
    ALTER TABLE record ALTER COLUMN bytes SET STORAGE EXTERNAL;
    CREATE TABLE head (log bigint PRIMARY KEY, position bigint, link bytea) WITH (fillfactor = 50);
    INSERT INTO head VALUES (1, 0, '')";
const ALL: &str = "SELECT position, link, bytes FROM record WHERE log = 1 ORDER BY position";

impl Peer for Bare {
    fn name(&self) -> &'static str {
        "tokio-postgres, COPY"
    }

    fn append(&mut self, lines: &[&[u8]]) -> Duration {
        let client = &mut self.client;
        self.runtime.block_on(client.batch_execute(TABLES)).unwrap();
        self.runtime.block_on(async {
            let link = [b'l'; 32];
            let head = client
                .prepare("UPDATE head SET position = $1, link = $2 WHERE log = 1")
                .await
                .unwrap();
            let copy = client
                .prepare("COPY record FROM STDIN (FORMAT binary)")
                .await
                .unwrap();
            let mut position = 0_i64;
            let begun = std::time::Instant::now();
            for batch in lines.chunks(BATCH) {
                let transaction = client.transaction().await.unwrap();
                let mut sink = pin!(transaction.copy_in(&copy).await.unwrap());
                let mut part = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0".to_vec();
                for line in batch {
                    part.extend_from_slice(&4_i16.to_be_bytes());
                    let (log, at) = (1_i64.to_be_bytes(), position.to_be_bytes());
                    for field in [&log[..], &at, &link, line] {
                        part.extend_from_slice(&(field.len() as u32).to_be_bytes());
                        part.extend_from_slice(field);
                    }
                    position += 1;
                }
                part.extend_from_slice(&(-1_i16).to_be_bytes());
                sink.send(Cursor::new(part)).await.unwrap();
                sink.finish().await.unwrap();
                transaction
                    .execute(&head, &[&position, &&link[..]])
                    .await
                    .unwrap();
                transaction.commit().await.unwrap();
            }
            begun.elapsed()
        })
    }

    /// On connections of their own, as ours.
    fn scan(&mut self, expected: Expected) -> Vec<(&'static str, Duration)> {
        let (select, ()) = clock(|| {
            self.runtime.block_on(async {
                let client = connect(&self.address).await;
                let rows = client.query_raw(ALL, [0_i32; 0]).await.unwrap();
                let mut rows = pin!(rows);
                let (mut records, mut bytes) = (0, 0);
                while let Some(row) = rows.try_next().await.unwrap() {
                    let record: (i64, Vec<u8>, Vec<u8>) = (row.get(0), row.get(1), row.get(2));
                    records += 1;
                    bytes += std::hint::black_box(record).2.len();
                }
                expected.check(records, bytes);
            });
        });
        let (copy, ()) = clock(|| {
            self.runtime.block_on(async {
                let client = connect(&self.address).await;
                let copy = format!("COPY ({ALL}) TO STDOUT (FORMAT binary)");
                let parts = client.copy_out(&copy).await.unwrap();
                let bytes: usize = parts
                    .map_ok(|part| part.len())
                    .try_fold(0, async |sum, part| Ok(sum + part))
                    .await
                    .unwrap();
                assert!(bytes > expected.bytes);
            });
        });
        vec![
            ("tokio-postgres, SELECT", select),
            ("tokio-postgres, COPY, parts as they come", copy),
        ]
    }
}
