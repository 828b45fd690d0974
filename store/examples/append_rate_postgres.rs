//! Records a second in PostgreSQL: our append and read beside bare tokio-postgres doing the same, in one run.
//!
//! `cargo run --release -p tern-store --features postgres --example append_rate_postgres [URL]`; URL is that of an empty
//! database, a server is started on this machine if none is given. Records have 1 KiB. Each figure is the median of eleven
//! short runs, and the runs of the contenders take turns.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::needless_range_loop,
    clippy::panic,
    reason = "a measurement may stop"
)]

#[path = "../tests/common/postgres_server.rs"]
mod postgres_server;

use std::io::Cursor;
use std::pin::pin;
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, TryStreamExt as _};
use tern_store::{Expected, Position, PostgresStore, Records, Store};
use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls};

const RUNS: usize = 11;
const RECORD: [u8; 1024] = [b'r'; 1024];
const LINK: [u8; 32] = [b'l'; 32];
const TO_READ: usize = 100_000;

struct Bench {
    store: PostgresStore,
    url: String,
    runtime: Runtime,
    client: Client,
    /// So that each run has a log or a table of its own.
    number: u32,
}

/// What is measured: the number of records, the size of a batch. Answers with the time, without that for making tables.
type Work = fn(&mut Bench, usize, usize) -> Duration;

fn main() {
    let url = std::env::args().nth(1);
    let server = match url {
        Some(_) => None,
        None => Some(postgres_server::Postgres::start("").unwrap()),
    };
    let url = url.unwrap_or_else(|| server.as_ref().unwrap().fresh());
    let runtime = Runtime::new().unwrap();
    let client = runtime.block_on(connect(&url));
    let store = PostgresStore::new(&url).unwrap();
    store.prepare().unwrap();
    println!("{}", store.promise().unwrap().because);
    let mut bench = Bench {
        store,
        url,
        runtime,
        client,
        number: 0,
    };
    let append: [(&str, Work); 3] = [
        ("tern-store", ours),
        ("bare INSERT", insert),
        ("bare COPY", copy),
    ];
    measure(&mut bench, "append, batches of 1", &append, 200, 1);
    let append: [(&str, Work); 2] = [("tern-store", ours), ("bare COPY", copy)];
    measure(&mut bench, "append, batches of 1000", &append, 10_000, 1000);
    // what is read back
    let mut log = bench.store.open("read").unwrap();
    let batch = vec![&RECORD[..]; 1000];
    for _ in 0..TO_READ / 1000 {
        log.append(Expected::Any, &batch).unwrap();
    }
    bench
        .runtime
        .block_on(bench.client.batch_execute("VACUUM ANALYZE"))
        .unwrap();
    let read: [(&str, Work); 5] = [
        ("Records", read_ours),
        ("read of 4096", read_pieces),
        ("bare SELECT", select),
        ("bare SELECT, hash", select_hash),
        ("bare COPY", copy_out),
    ];
    measure(&mut bench, "read back (cached)", &read, TO_READ, 0);
}

async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

fn measure(
    bench: &mut Bench,
    what: &str,
    contenders: &[(&str, Work)],
    records: usize,
    batch: usize,
) {
    let mut rates = vec![[0.0; RUNS]; contenders.len()];
    for run in 0..RUNS {
        for (rates, (_, work)) in rates.iter_mut().zip(contenders) {
            rates[run] = records as f64 / work(bench, records, batch).as_secs_f64();
        }
    }
    println!("{what}: records a second, median (lowest to highest), and ours by this");
    rates
        .iter_mut()
        .for_each(|rates| rates.sort_by(f64::total_cmp));
    for ((name, _), it) in contenders.iter().zip(&rates) {
        let median = it[RUNS / 2];
        let ratio = rates[0][RUNS / 2] / median;
        println!(
            "  {name:18} {median:>9.0} ({:.0} to {:.0})  {ratio:.2}",
            it[0],
            it[RUNS - 1]
        );
    }
}

fn ours(bench: &mut Bench, records: usize, batch: usize) -> Duration {
    bench.number += 1;
    let mut log = bench.store.open(&format!("{}", bench.number)).unwrap();
    let bytes = vec![&RECORD[..]; batch];
    let begun = Instant::now();
    for _ in 0..records / batch {
        log.append(Expected::Any, &bytes).unwrap();
    }
    begun.elapsed()
}

/// A table and a head as ours.
async fn table(client: &Client, number: u32) -> String {
    let made = format!(
        "CREATE TABLE t{number} (log bigint, position bigint, link bytea NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (log, position)); \
         ALTER TABLE t{number} ALTER COLUMN bytes SET STORAGE EXTERNAL; \
         CREATE TABLE h{number} (log bigint PRIMARY KEY, position bigint, link bytea) WITH (fillfactor = 50); \
         INSERT INTO h{number} VALUES (1, 0, '')"
    );
    client.batch_execute(&made).await.unwrap();
    format!("UPDATE h{number} SET position = $1, link = $2 WHERE log = 1")
}

fn insert(bench: &mut Bench, records: usize, _: usize) -> Duration {
    bench.number += 1;
    let (number, client) = (bench.number, &mut bench.client);
    bench.runtime.block_on(async {
        let head = table(client, number).await;
        let insert = format!("INSERT INTO t{number} VALUES (1, $1, $2, $3)");
        let (head, insert) = (
            client.prepare(&head).await.unwrap(),
            client.prepare(&insert).await.unwrap(),
        );
        let begun = Instant::now();
        for position in 0..records as i64 {
            let transaction = client.transaction().await.unwrap();
            transaction
                .execute(&insert, &[&position, &&LINK[..], &&RECORD[..]])
                .await
                .unwrap();
            transaction
                .execute(&head, &[&(position + 1), &&LINK[..]])
                .await
                .unwrap();
            transaction.commit().await.unwrap();
        }
        begun.elapsed()
    })
}

fn copy(bench: &mut Bench, records: usize, batch: usize) -> Duration {
    bench.number += 1;
    let (number, client) = (bench.number, &mut bench.client);
    bench.runtime.block_on(async {
        let head = table(client, number).await;
        let head = client.prepare(&head).await.unwrap();
        let copy = client
            .prepare(&format!("COPY t{number} FROM STDIN (FORMAT binary)"))
            .await
            .unwrap();
        let mut position = 0_i64;
        let begun = Instant::now();
        for _ in 0..records / batch {
            let transaction = client.transaction().await.unwrap();
            let mut sink = pin!(transaction.copy_in(&copy).await.unwrap());
            let mut part = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0".to_vec();
            for _ in 0..batch {
                part.extend_from_slice(&4_i16.to_be_bytes());
                for field in [
                    &1_i64.to_be_bytes()[..],
                    &position.to_be_bytes(),
                    &LINK,
                    &RECORD,
                ] {
                    part.extend_from_slice(&(field.len() as u32).to_be_bytes());
                    part.extend_from_slice(field);
                }
                position += 1;
            }
            part.extend_from_slice(&(-1_i16).to_be_bytes());
            sink.send(Cursor::new(part)).await.unwrap();
            sink.finish().await.unwrap();
            transaction
                .execute(&head, &[&position, &&LINK[..]])
                .await
                .unwrap();
            transaction.commit().await.unwrap();
        }
        begun.elapsed()
    })
}

fn read_ours(bench: &mut Bench, records: usize, _: usize) -> Duration {
    let begun = Instant::now();
    let log = bench.store.open_read_only("read").unwrap();
    let bytes: usize = Records::new(&*log, Position::START)
        .map(|record| record.unwrap().bytes.len())
        .sum();
    assert_eq!(bytes, records * RECORD.len());
    begun.elapsed()
}

fn read_pieces(bench: &mut Bench, records: usize, _: usize) -> Duration {
    let begun = Instant::now();
    let log = bench.store.open_read_only("read").unwrap();
    let (mut next, mut bytes) = (Position::START, 0);
    loop {
        let piece = log.read(next, 4096).unwrap();
        if piece.is_empty() {
            break;
        }
        next = next.after(piece.len() as u64);
        bytes += piece.iter().map(|record| record.bytes.len()).sum::<usize>();
    }
    assert_eq!(bytes, records * RECORD.len());
    begun.elapsed()
}

const ALL: &str = "SELECT position, link, bytes FROM tern.record \
    WHERE log = (SELECT id FROM tern.log WHERE name = 'read') ORDER BY position";

/// On a connection of its own, as ours.
fn select(bench: &mut Bench, records: usize, _: usize) -> Duration {
    let begun = Instant::now();
    bench.runtime.block_on(async {
        let client = connect(&bench.url).await;
        let rows = client.query_raw(ALL, [0_i32; 0]).await.unwrap();
        let mut rows = pin!(rows);
        let mut bytes = 0;
        while let Some(row) = rows.try_next().await.unwrap() {
            let record: (i64, Vec<u8>, Vec<u8>) = (row.get(0), row.get(1), row.get(2));
            bytes += record.2.len();
        }
        assert_eq!(bytes, records * RECORD.len());
    });
    begun.elapsed()
}

/// And follows the chain.
fn select_hash(bench: &mut Bench, records: usize, _: usize) -> Duration {
    let begun = Instant::now();
    bench.runtime.block_on(async {
        let client = connect(&bench.url).await;
        let rows = client.query_raw(ALL, [0_i32; 0]).await.unwrap();
        let mut rows = pin!(rows);
        let (mut bytes, mut link) = (0, tern_store::Link::start("read"));
        while let Some(row) = rows.try_next().await.unwrap() {
            let record: (i64, Vec<u8>, Vec<u8>) = (row.get(0), row.get(1), row.get(2));
            bytes += record.2.len();
            link = link.then(&record.2);
            assert_eq!(&link.as_bytes()[..], record.1);
        }
        assert_eq!(bytes, records * RECORD.len());
    });
    begun.elapsed()
}

fn copy_out(bench: &mut Bench, records: usize, _: usize) -> Duration {
    let begun = Instant::now();
    bench.runtime.block_on(async {
        let client = connect(&bench.url).await;
        let copy = format!("COPY ({ALL}) TO STDOUT (FORMAT binary)");
        let parts = client.copy_out(&copy).await.unwrap();
        let bytes: usize = parts
            .map_ok(|part| part.len())
            .try_fold(0, async |sum, part| Ok(sum + part))
            .await
            .unwrap();
        assert!(bytes > records * RECORD.len());
    });
    begun.elapsed()
}
