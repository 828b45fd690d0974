//! What can happen to a log in PostgreSQL that cannot happen to a file.
#![cfg(feature = "postgres")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod ahead;
#[path = "../common/mod.rs"]
mod common;
mod damage;
mod kill;
#[path = "../common/killed.rs"]
mod killed;
mod many;
#[path = "../common/postgres_server.rs"]
mod postgres_server;
mod refusals;
mod trouble;

use tern_store::{PostgresStore, Store};

fn store_at(address: &str) -> PostgresStore {
    PostgresStore::new(address).unwrap()
}

#[test]
#[ignore = "a role of another test"]
fn child_appends_until_killed() {
    let Some(address) = common::role() else {
        return;
    };
    killed::append_until_killed(&store_at(address.to_str().unwrap()));
}

/// Whoever asks what is promised is told what the server is set to.
#[test]
fn the_promise_is_that_of_the_settings() {
    use tern_store::Kept;
    let Some(server) = postgres_server::postgres() else {
        return;
    };
    let promise = store_at(&server.fresh()).promise().unwrap();
    let kept = (
        promise.process_killed,
        promise.power_lost,
        promise.machine_lost,
    );
    assert_eq!(
        kept,
        (Kept::All, Kept::All, Kept::Nothing),
        "{}",
        promise.because
    );
    let careless =
        postgres_server::Postgres::start("fsync = off\nsynchronous_commit = off").unwrap();
    let promise = store_at(&careless.fresh()).promise().unwrap();
    assert_eq!(promise.power_lost, Kept::Nothing, "{}", promise.because);
    assert!(promise.because.contains("fsync=off"), "{}", promise.because);
}
