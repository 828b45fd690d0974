//! Rows that somebody changed: INVARIANTS 1, 2, 6 and 7.

use tern_store::{
    Code, Damage, Error, Expected, Head, Log, Position, Record, Records, Store as _, damage,
};

use crate::postgres_server::{Postgres, database, postgres};
use crate::store_at;

/// A log of ten records, and the database it is in.
fn written(server: &Postgres) -> (String, Box<dyn Log>) {
    let address = server.fresh();
    let mut log = store_at(&address).open("a").unwrap();
    for record in 0..10_u8 {
        log.append(Expected::Any, &[&[record; 100]]).unwrap();
    }
    (address, log)
}

/// As somebody who may switch the triggers off.
fn changed(server: &Postgres, address: &str, change: &str) {
    let off = "SET session_replication_role = replica";
    server.sql(database(address), &format!("{off}; {change}"));
}

fn all(log: &dyn Log) -> Result<Vec<Record>, Error> {
    Records::new(log, Position::START).collect()
}

/// The triggers refuse what only harm would do.
#[test]
fn nothing_is_changed_or_removed() {
    let Some(server) = postgres() else { return };
    let (address, log) = written(server);
    for change in [
        "UPDATE tern.record SET bytes = 'x'",
        "DELETE FROM tern.record",
        "DELETE FROM tern.record WHERE false",
        "TRUNCATE tern.record",
        "DELETE FROM tern.log",
        "TRUNCATE tern.log",
        "UPDATE tern.log SET name = 'b', position = position + 1",
        "UPDATE tern.log SET position = position - 1",
        "UPDATE tern.log SET link = link",
        "DELETE FROM tern.migration",
        "INSERT INTO tern.record SELECT log, position, link, 'x' FROM tern.record WHERE position = 0 \
         ON CONFLICT (log, position) DO UPDATE SET bytes = excluded.bytes",
    ] {
        let guarded = format!(
            "DO $$BEGIN {change}; EXCEPTION WHEN raise_exception THEN RETURN; END$$; \
             DO $$BEGIN {change}; RAISE SQLSTATE 'T0001'; \
             EXCEPTION WHEN raise_exception THEN NULL; WHEN SQLSTATE 'T0001' THEN RAISE 'was done: {}'; END$$",
            change.replace('\'', "''")
        );
        server.sql(database(&address), &guarded);
    }
    assert_eq!(all(&*log).unwrap().len(), 10);
}

/// The first record that is not what was appended is named.
#[test]
fn what_is_changed_is_named() {
    let Some(server) = postgres() else { return };
    let zeros = "decode(repeat('00', 32), 'hex')";
    for (set, what) in [
        ("bytes = 'x'".to_owned(), Damage::Record),
        ("bytes = ''".to_owned(), Damage::Record),
        (format!("link = {zeros}"), Damage::Link),
        (format!("link = {zeros}, bytes = 'x'"), Damage::Unknown),
    ] {
        for position in [0, 4, 8] {
            let (address, log) = written(server);
            let change = format!("UPDATE tern.record SET {set} WHERE position = {position}");
            changed(server, &address, &change);
            let error = all(&*log).unwrap_err();
            assert!(
                matches!(error, Error::BrokenChain { position: it, .. } if it == Position::new(position)),
                "{set}: {error}"
            );
            let intact: Vec<_> = Records::new(&*log, Position::START).flatten().collect();
            assert_eq!(intact.len() as u64, position);
            let before = match intact.last() {
                Some(last) => Head::new(Position::new(position), last.link),
                None => Head::start("a"),
            };
            assert_eq!(damage(&*log, before).unwrap(), what, "{set}");
        }
    }
}

/// Two records that changed places, with and without their links.
#[test]
fn what_is_swapped_is_named() {
    let Some(server) = postgres() else { return };
    for columns in ["bytes = o.bytes", "bytes = o.bytes, link = o.link"] {
        let (address, log) = written(server);
        let swap = format!(
            "UPDATE tern.record r SET {columns} FROM tern.record o \
             WHERE r.position IN (3, 6) AND o.position = 9 - r.position"
        );
        changed(server, &address, &swap);
        let error = all(&*log).unwrap_err();
        assert_eq!(error.code(), Code::BrokenChain, "{error}");
    }
}

/// A record that is missing, wherever it was, is no shorter history. INVARIANT 2.
#[test]
fn what_is_missing_is_missed() {
    let Some(server) = postgres() else { return };
    for change in [
        "DELETE FROM tern.record WHERE position = 0",
        "DELETE FROM tern.record WHERE position = 5",
        "DELETE FROM tern.record WHERE position = 9",
        "DELETE FROM tern.record WHERE position > 6",
        "DELETE FROM tern.record",
        "UPDATE tern.record SET position = position + 1 WHERE position = 9",
        "UPDATE tern.log SET position = 9",
        "UPDATE tern.log SET position = 11",
        "UPDATE tern.log SET position = 0",
        "UPDATE tern.log SET link = decode(repeat('00', 32), 'hex')",
        "UPDATE tern.log SET name = 'b'",
        "DELETE FROM tern.log",
        "DROP TABLE tern.record",
        "DROP SCHEMA tern CASCADE",
    ] {
        let (address, log) = written(server);
        let mut writer = store_at(&address).open("a").unwrap();
        changed(server, &address, change);
        let error = all(&*log).unwrap_err();
        assert_eq!(error.code(), Code::Corrupt, "{change}: {error}");
        // INVARIANT 5
        assert_eq!(log.head().unwrap_err().code(), Code::Poisoned, "{change}");
        if !change.contains("position = 0") && !change.contains("position = 5") {
            let error = writer.append(Expected::Any, &[b"x"]).unwrap_err();
            assert_eq!(error.code(), Code::Corrupt, "{change}: {error}");
        }
    }
}

/// INVARIANT 6: what is not ours is refused and left as it was.
#[test]
fn what_is_not_ours_is_left_alone() {
    let Some(server) = postgres() else { return };
    for (made, code) in [
        (
            "CREATE SCHEMA tern; CREATE TABLE tern.mine (a int)",
            Code::NotALog,
        ),
        (
            "CREATE SCHEMA tern; CREATE VIEW tern.log AS SELECT 1 AS one",
            Code::NotALog,
        ),
        (
            "CREATE SCHEMA tern; CREATE FUNCTION tern.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
            Code::NotALog,
        ),
    ] {
        let address = server.fresh();
        server.sql(database(&address), made);
        let tables = "SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relnamespace = 'tern'::regnamespace";
        let before = server.sql(database(&address), tables);
        let store = store_at(&address);
        for error in [
            store.prepare().unwrap_err(),
            store.open("a").err().unwrap(),
            store.open_read_only("a").err().unwrap(),
            store.logs().unwrap_err(),
        ] {
            assert_eq!(error.code(), code, "{error}");
        }
        assert_eq!(server.sql(database(&address), tables), before);
    }
    for (change, code) in [
        (
            "ALTER TABLE tern.record DISABLE TRIGGER record_is_fixed",
            Code::NotALog,
        ),
        ("DROP TRIGGER head_goes_on ON tern.log", Code::NotALog),
        ("ALTER TABLE tern.record SET UNLOGGED", Code::NotALog),
        (
            "ALTER TABLE tern.record DROP CONSTRAINT record_link; \
             ALTER TABLE tern.record ADD CONSTRAINT record_link CHECK (octet_length(link) > 0)",
            Code::NotALog,
        ),
        (
            "DROP TRIGGER head_goes_on ON tern.log; CREATE TRIGGER head_goes_on BEFORE UPDATE ON tern.log FOR EACH ROW \
             WHEN (new.id <> old.id) EXECUTE FUNCTION tern.refuse('no')",
            Code::NotALog,
        ),
        (
            "CREATE FUNCTION public.pass() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; \
             DROP TRIGGER log_is_kept ON tern.log; CREATE TRIGGER log_is_kept BEFORE DELETE OR TRUNCATE ON tern.log \
             FOR EACH STATEMENT EXECUTE FUNCTION public.pass()",
            Code::NotALog,
        ),
        (
            "CREATE OR REPLACE FUNCTION tern.refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
            Code::NotALog,
        ),
        (
            "ALTER TABLE tern.record ALTER link SET DEFAULT ''",
            Code::NotALog,
        ),
        ("CREATE TABLE tern.more (a int)", Code::NotALog),
        (
            "INSERT INTO tern.migration (number) VALUES (2)",
            Code::NewerSchema,
        ),
    ] {
        let (address, _) = written(server);
        server.sql(database(&address), change);
        let error = store_at(&address).open("a").err().unwrap();
        assert_eq!(error.code(), code, "{error}");
    }
    // an empty schema, made for us by who may
    let address = server.fresh();
    server.sql(database(&address), "CREATE SCHEMA tern");
    assert_eq!(store_at(&address).logs().unwrap_err().code(), Code::Missing);
    store_at(&address).open("a").unwrap();
}
