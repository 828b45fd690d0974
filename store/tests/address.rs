//! Addresses: which store is meant, read by everybody alike, and nothing secret shown.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use tern_store::{Address, Code};

fn shown(text: &str) -> String {
    match text.parse::<Address>() {
        Ok(address) => format!("{address} {address:?}"),
        Err(error) => {
            assert_eq!(error.code(), Code::BadAddress);
            error.to_string()
        }
    }
}

/// What has a known scheme is of that kind; everything else is a path, also with a colon in it.
#[test]
fn which_kind_is_meant() {
    let sqlite = |text: &str, path: &str| {
        assert_eq!(
            text.parse::<Address>().unwrap(),
            Address::Sqlite(path.into()),
            "{text}"
        );
    };
    sqlite("thread.db", "thread.db");
    sqlite("sqlite:thread.db", "thread.db");
    sqlite("sqlite:///tmp/thread.db", "/tmp/thread.db");
    sqlite("a:b", "a:b");
    sqlite("C:\\x", "C:\\x");
    sqlite("sqlit:x", "sqlit:x");
    sqlite("x y://z", "x y://z");
    for server in [
        "postgres://h/d",
        "postgresql:///d",
        "nats://h",
        "tls://h:1/S?replicas=3",
    ] {
        assert!(
            !matches!(server.parse(), Ok(Address::Sqlite(_)) | Err(_)),
            "{server}"
        );
        assert!(Address::is_server(server));
    }
    for wrong in [
        "",
        "sqlite:",
        "http://h",
        "redis://h/0",
        "postgres:x",
        "Postgres:x",
        "postgresql:/d",
        "nats:h",
        "tls:h",
    ] {
        assert_eq!(
            wrong.parse::<Address>().unwrap_err().code(),
            Code::BadAddress,
            "{wrong}"
        );
    }
}

/// No password and no token is shown, however it is written; what clients would read in two ways is refused.
#[test]
fn nothing_secret_is_shown() {
    for text in [
        "postgres:u:SECRET@h/d",
        "Postgres:/u:SECRET@h/d",
        "nats:SECRET@h",
        "postgres://u:SECRET@h/d",
        "postgres://u:a%2fSECRET@h/d",
        "postgres://u:SECRET?x@h/d?sslmode=require",
        "postgres://u:x?SECRET@h/d?sslmode=require",
        "postgres://u:x/SECRET@h/d",
        "postgres://u:x/r?SECRET@h/d",
        "postgres://u:x#SECRET@h/d",
        "postgres://u:x@SECRET@h/d",
        "postgres://h/d?password=SECRET",
        "postgres://h/d?p%61ssword=SECRET",
        "postgres://h/d?sslmode=require&sslpassword=SECRET&options=SECRET",
        "nats://SECRET@h/S",
        "nats://u:SECRET@h/S",
        "nats://u:x/SECRET@h/S",
        "tls://u:SECRET@h/S?token=SECRET",
        "http://u:SECRET@h/",
        "http://u:x/SECRET@h/",
    ] {
        let shown = shown(text);
        assert!(!shown.contains("SECRET"), "{text}: {shown}");
    }
    assert!(
        shown("postgres://u:SECRET@h:5/d?sslmode=require")
            .starts_with("postgres://u@h:5/d?sslmode=require ")
    );
    for ambiguous in [
        "postgres://u:p?w@h/d?sslmode=require",
        "postgres://u:p/w@h/d",
        "postgres://u@v@h/d",
        "postgres://h/d?p%61ssword=x",
        "nats://u:p#w@h/S",
    ] {
        assert!(ambiguous.parse::<Address>().is_err(), "{ambiguous}");
    }
}
