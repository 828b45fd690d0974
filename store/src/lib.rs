//! Durable, append-only logs of records.
//!
//! A [`Log`] keeps a sequence of records in order and never changes or forgets one. What a record
//! means is not its business: records are bytes. [`SqliteLog`] is the embedded default; a file
//! holds many logs, each under a name of its own. `DESIGN.md` beside this crate's sources has the
//! definitions, the invariants (cited in the code as `INVARIANT n`) and what an acknowledgement
//! promises.
//!
//! ```
//! use tern_store::{Expected, Log, Position, SqliteLog};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("thread.db");
//! let mut log = SqliteLog::open(&path, "design")?;
//! let head = log.append(Expected::At(Position::START), &[b"first", b"second"])?;
//! assert_eq!(head.position, Position::new(2));
//!
//! let records = log.read(Position::START, 10)?;
//! assert_eq!(records.last().map(|record| record.bytes.as_slice()), Some(&b"second"[..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What this does not do
//!
//! It does not look into records, and does not append twice what failed once: see [`Log::append`] on how to try again.
//! [`Records`] notices every record that is not what was appended; but who may write to a file can write another whole
//! history, which only a head that was kept elsewhere can tell from the first.

mod address;
#[cfg(any(feature = "postgres", feature = "nats"))]
mod blocking;
mod chain;
#[cfg(feature = "checkpoints")]
mod checkpoint;
mod error;
mod group;
mod hex;
mod leases;
mod log;
#[cfg(feature = "nats")]
mod nats;
#[cfg(feature = "postgres")]
mod postgres;
mod quotas;
mod records;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(any(feature = "nats", feature = "postgres", feature = "sqlite"))]
mod standing;

pub use address::{Address, connect};
pub use chain::{Chain, Damage, Link, NoLink, damage};
#[cfg(feature = "checkpoints")]
pub use checkpoint::{Checkpoint, PublicKey, SecretKey, Signed};
pub use error::{Code, Error};
pub use group::{Group, Ticket};
pub use leases::{Lease, Leases, Outcome, Resource};
pub use log::{
    Expected, Head, Kept, Log, MAX_NAME_BYTES, MAX_RECORD_BYTES, MAX_SNAPSHOT_BYTES, Position,
    Promise, READ_BYTES, Record, Snapshot, Store,
};
#[cfg(feature = "nats")]
pub use nats::{NatsLog, NatsStore};
#[cfg(feature = "postgres")]
pub use postgres::{PostgresLog, PostgresStore};
pub use quotas::{
    Delivery, Principal, Quotas, Reason, Refusal, Refused, Reserved, Spent, Usage, is_auxiliary,
};
pub use records::Records;
#[cfg(feature = "sqlite")]
pub use sqlite::{SqliteLog, SqliteStore};
