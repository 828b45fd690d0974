//! kill -9 of those who write, and of the server, at random moments.
//!
//! T1.30, INVARIANTS 1 to 3. `TERN_KILL_ROUNDS` says how many rounds to run.

use std::thread;
use std::time::{Duration, Instant};

use crate::killed::{Claims, Writers, rounds};
use crate::postgres_server::{Postgres, database};
use crate::store_at;

#[test]
fn nothing_acknowledged_is_lost() {
    // a server of its own, since it is killed
    let Some(server) = Postgres::start("") else {
        return;
    };
    let (mut servers_killed, mut acknowledged) = (0, 0);
    let rounds: Vec<u32> = (0..rounds(10)).collect();
    // a log of its own for some rounds, since every round reads all of it
    for rounds in rounds.chunks(10) {
        let address = server.fresh();
        let store = store_at(&address);
        let mut claims = Claims::new();
        for &round in rounds {
            let writers = Writers::start(&address, round, 3, 7);
            thread::sleep(Duration::from_micros(u64::from(claims.random() % 400_000)));
            let kill_server = claims.random().is_multiple_of(2);
            if kill_server {
                server.kill();
                servers_killed += 1;
            }
            claims.note(writers.kill());
            if kill_server {
                server.start_again();
            }
            wait_until_alone(&server, database(&address));
            // a reader creates nothing, and the first round may end before the store is there
            claims.check(&store, round - rounds[0]);
        }
        acknowledged += claims.acknowledged();
    }
    println!("{acknowledged} acknowledged, {servers_killed} times the server was killed");
    assert!(acknowledged > 2 * rounds.len());
}

/// What a killed writer sent last may still be committed: nobody may be at it any more.
fn wait_until_alone(server: &Postgres, database: &str) {
    let others = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = '{database}' \
         AND state <> 'idle' AND pid <> pg_backend_pid()"
    );
    let begun = Instant::now();
    while server.sql(database, &others) != "0" {
        assert!(begun.elapsed() < Duration::from_secs(30), "they do not end");
        thread::sleep(Duration::from_millis(5));
    }
}
