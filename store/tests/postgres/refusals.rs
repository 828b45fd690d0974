//! What a server does not let us do, and addresses that lead nowhere. None of it poisons a log.

use std::time::{Duration, Instant};

use tern_store::{Code, Expected, PostgresStore, Snapshot, Store as _, connect};

use crate::postgres_server::{database, postgres};
use crate::store_at;

#[test]
fn a_wrong_password_is_told_and_none_is_shown() {
    let Some(server) = postgres() else { return };
    let address = server.fresh();
    let name = database(&address);
    server.sql(
        name,
        "CREATE ROLE with_password LOGIN SUPERUSER PASSWORD 'right-one'",
    );
    let right = server.address_as("with_password:right-one", name);
    store_at(&right).open("a").unwrap();
    for address in [
        server.address_as("with_password:wrong-one", name),
        server.address_as("with_password", name) + "&password=wrong-one",
    ] {
        let store = store_at(&address);
        let error = store.open("a").err().unwrap();
        assert_eq!(error.code(), Code::Unreachable, "{error}");
        let shown = format!("{error} {error:?} {store:?} {}", store.address());
        assert!(!shown.contains("wrong-one"), "{shown}");
        assert!(shown.contains("password authentication failed"), "{shown}");
    }
}

/// Nobody is there, no such database, an address that says nothing.
#[test]
fn addresses_that_lead_nowhere() {
    let Some(server) = postgres() else { return };
    for address in [
        "postgres://u:secret-one@127.0.0.1:1/db".to_owned(),
        server.address("nothing"),
        "postgres:///db?host=/nowhere&user=u&password=secret-one".to_owned(),
        // the server has no certificate
        server.address("postgres").replace("disable", "require") + "&sslrootcert=" + &certificate(),
    ] {
        let error = connect(&address.parse().unwrap())
            .unwrap()
            .open("a")
            .err()
            .unwrap();
        assert_eq!(error.code(), Code::Unreachable, "{error}");
        assert!(
            !format!("{error} {error:?}").contains("secret-one"),
            "{error:?}"
        );
    }
    for address in [
        "postgres://u:secret-one@host:port/db",
        "postgres://u:secret-one@host/db?sslmode=verify-ca",
        "postgres://u:secret-one@host/db?unknown=1",
        "postgres://u:secret-one@host/db?sslmode=require&sslrootcert=/nowhere",
        "postgres://u:se?cret-one@host:port/db",
        "nats://secret-one@host",
        "thread.db",
    ] {
        let error = PostgresStore::new(address).unwrap_err();
        assert_eq!(error.code(), Code::BadAddress, "{error}");
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains("cret-one"), "{shown}");
    }
}

/// A certificate that nobody here has, made by `openssl req -x509`.
fn certificate() -> String {
    let file = tempfile::Builder::new().suffix(".pem").tempfile().unwrap();
    std::fs::write(file.path(), include_str!("certificate.pem")).unwrap();
    file.into_temp_path()
        .keep()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned()
}

/// A user who may read and no more.
#[test]
fn a_reader_of_the_server() {
    let Some(server) = postgres() else { return };
    let address = server.fresh();
    let name = database(&address);
    let head = store_at(&address)
        .open("a")
        .unwrap()
        .append(Expected::Any, &[b"x"])
        .unwrap();
    server.sql(
        name,
        "CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA tern TO reader; \
         GRANT SELECT ON ALL TABLES IN SCHEMA tern TO reader; CREATE ROLE nobody LOGIN",
    );
    let store = store_at(&server.address_as("reader", name));
    assert_eq!(store.logs().unwrap(), [("a".to_owned(), head)]);
    assert_eq!(store.open("b").err().unwrap().code(), Code::ReadOnly);
    let mut log = store.open("a").unwrap();
    for _ in 0..2 {
        let error = log.append(Expected::Any, &[b"y"]).unwrap_err();
        assert_eq!(error.code(), Code::ReadOnly, "{error}");
        let error = log
            .put_snapshot(&Snapshot::new("s", head, vec![]))
            .unwrap_err();
        assert_eq!(error.code(), Code::ReadOnly, "{error}");
        assert_eq!(log.head().unwrap(), head);
    }
    let store = store_at(&server.address_as("nobody", name));
    assert_eq!(store.logs().unwrap_err().code(), Code::Unreachable);
    let empty = server.fresh();
    let store = store_at(&server.address_as("reader", database(&empty)));
    assert_eq!(store.open("a").err().unwrap().code(), Code::ReadOnly);
    assert_eq!(store.logs().unwrap_err().code(), Code::Missing);
}

#[test]
fn a_database_that_is_read_only() {
    let Some(server) = postgres() else { return };
    let address = server.fresh();
    let name = database(&address);
    let head = store_at(&address)
        .open("a")
        .unwrap()
        .append(Expected::Any, &[b"x"])
        .unwrap();
    server.sql(
        name,
        &format!("ALTER DATABASE {name} SET default_transaction_read_only = on"),
    );
    let store = store_at(&address);
    let mut log = store.open("a").unwrap();
    assert_eq!(
        log.append(Expected::Any, &[b"y"]).unwrap_err().code(),
        Code::ReadOnly
    );
    assert_eq!(store.open("b").err().unwrap().code(), Code::ReadOnly);
    assert_eq!(log.read(tern_store::Position::START, 9).unwrap().len(), 1);
    assert_eq!(log.head().unwrap(), head);
}

/// INVARIANT 3: also where the server is set to acknowledge before it syncs.
#[test]
fn an_append_is_synced_whatever_is_set() {
    let Some(server) = postgres() else { return };
    let address = server.fresh();
    let name = database(&address);
    server.sql(
        name,
        &format!(
            "ALTER DATABASE {name} SET synchronous_commit = off; \
             ALTER DATABASE {name} SET search_path = tern, public; ALTER DATABASE {name} SET quote_all_identifiers = on"
        ),
    );
    store_at(&address).prepare().unwrap();
    let mut log = store_at(&address).open("a").unwrap();
    // what a transaction was committed with is seen by a trigger that looks at the setting when it commits
    server.sql(
        name,
        "CREATE TABLE public.seen (setting text); \
         CREATE FUNCTION public.look() RETURNS trigger LANGUAGE plpgsql AS \
         $$BEGIN INSERT INTO public.seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END$$; \
         CREATE CONSTRAINT TRIGGER look AFTER INSERT ON tern.record DEFERRABLE INITIALLY DEFERRED \
         FOR EACH ROW EXECUTE FUNCTION public.look()",
    );
    log.append(Expected::Any, &[b"x"]).unwrap();
    log.append(Expected::Any, &[&vec![1; 1 << 20]]).unwrap();
    assert_eq!(
        server.sql(name, "SELECT string_agg(setting, ' ') FROM public.seen"),
        "on on"
    );
}

/// As much patience as can be asked for is as much as the server takes.
#[test]
fn patience_without_end() {
    let Some(server) = postgres() else { return };
    let store = store_at(&server.fresh());
    for patience in [Duration::MAX, Duration::from_secs(30 << 20), Duration::ZERO] {
        let store = store.clone().with_patience(patience);
        let log = store.unwrap().open("a");
        if patience > Duration::ZERO {
            log.unwrap().append(Expected::Any, &[b"x"]).unwrap();
        }
    }
}

/// Somebody holds the log for longer than the patience.
#[test]
fn a_held_log_is_busy_and_goes_on() {
    let Some(server) = postgres() else { return };
    let address = server.fresh();
    let store = store_at(&address)
        .with_patience(Duration::from_millis(300))
        .unwrap();
    let mut log = store.open("a").unwrap();
    let holder = crate::trouble::Other::at(&address);
    holder.run("BEGIN; SELECT FROM tern.log FOR UPDATE");
    let begun = Instant::now();
    let error = log.append(Expected::Any, &[b"x"]).unwrap_err();
    assert_eq!(error.code(), Code::Busy, "{error}");
    assert!(begun.elapsed() >= Duration::from_millis(300));
    assert_eq!(log.head().unwrap().position.as_u64(), 0);
    holder.run("COMMIT");
    assert_eq!(
        log.append(Expected::Any, &[b"x"])
            .unwrap()
            .position
            .as_u64(),
        1
    );
}
