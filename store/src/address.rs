//! Addresses: which kind of store, and where.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::{Error, Store};

/// The address of a store: `thread.db`, `sqlite:thread.db`, `postgres://user@host/database`, `nats://host/stream`.
///
/// It is printed without its password.
///
/// ```
/// use tern_store::Address;
///
/// let address: Address = "postgres://ann:secret@localhost/tern".parse()?;
/// assert_eq!(address.to_string(), "postgres://ann@localhost/tern");
/// # Ok::<(), tern_store::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Address {
    /// An SQLite file.
    Sqlite(PathBuf),
    /// A PostgreSQL database, as its clients write it.
    Postgres(String),
    /// A stream of NATS JetStream: `nats://host:port/stream`, the stream being `TERN` where none is named.
    Nats(String),
}

impl Address {
    /// Whether a text is meant as the address of a server: `scheme://…`, or anything with the scheme of one. Everything else
    /// may be a path.
    #[must_use]
    pub fn is_server(text: &str) -> bool {
        scheme(text).is_some_and(|(scheme, rest)| {
            is_server(scheme) || scheme != "sqlite" && rest.starts_with("//")
        })
    }
}

/// Whether it is the scheme of a server, in whatever case: whoever writes `Postgres:x` means no file.
fn is_server(scheme: &str) -> bool {
    const SERVERS: [&str; 4] = ["postgres", "postgresql", "nats", "tls"];
    SERVERS.iter().any(|it| it.eq_ignore_ascii_case(scheme))
}

/// What stands before the first `:`, if it can be a scheme (RFC 3986), and the rest. One letter is a drive.
fn scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let is_scheme = scheme.len() > 1
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then_some((scheme, rest))
}

impl FromStr for Address {
    type Err = Error;

    /// # Errors
    ///
    /// `store_bad_address` for an empty text, for `scheme://…` of no known scheme, and for one whose user, password or
    /// parameters could be read in two ways. A path with a `:` is a path, but for what begins as the address of a server.
    fn from_str(text: &str) -> Result<Self, Error> {
        let bad = |why: &str| Error::BadAddress {
            address: without_secret(text),
            why: why.to_owned(),
        };
        match scheme(text) {
            _ if text.is_empty() => Err(bad("it is empty")),
            Some(("sqlite", "")) => Err(bad("it names no file")),
            Some(("sqlite", path)) => {
                Ok(Self::Sqlite(path.strip_prefix("//").unwrap_or(path).into()))
            }
            Some((kind, rest)) if !rest.starts_with("//") => match is_server(kind) {
                true => Err(bad("two slashes belong after its scheme")),
                false => Ok(Self::Sqlite(text.into())),
            },
            Some((kind, rest)) => {
                if !is_plain(rest) {
                    return Err(bad(
                        "write `/`, `?`, `#`, `@` and `%` in a user, a password or a parameter as %2F, %3F, %23, %40 and %25",
                    ));
                }
                match kind {
                    "postgres" | "postgresql" => Ok(Self::Postgres(text.to_owned())),
                    "nats" | "tls" => Ok(Self::Nats(text.to_owned())),
                    _ => Err(bad(
                        "its scheme is none of `sqlite`, `postgres`, `postgresql`, `nats` and `tls`",
                    )),
                }
            }
            None => Ok(Self::Sqlite(text.into())),
        }
    }
}

/// Whether everybody reads what comes after `scheme:` alike: the clients that it is given to do not agree on where a user ends
/// that holds what ends it, and decode the names of parameters.
fn is_plain(rest: &str) -> bool {
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (server, more) = rest.split_at(end);
    let parameters = more
        .split_once('?')
        .map_or("", |(_, parameters)| parameters);
    let mut names = parameters
        .split('&')
        .map(|it| it.split('=').next().unwrap_or(it));
    server.matches('@').count() <= 1
        && !more.contains(['@', '#'])
        && !names.any(|it| it.contains('%'))
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => path.display().fmt(f),
            Self::Postgres(url) | Self::Nats(url) => f.write_str(&without_secret(url)),
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An address without its password. Of one that could be read in two ways, the scheme alone.
fn without_secret(url: &str) -> String {
    const SHOWN: [&str; 6] = [
        "sslmode",
        "replicas",
        "host",
        "port",
        "dbname",
        "application_name",
    ];
    let Some((scheme, rest)) = url.split_once("://") else {
        return match scheme(url) {
            Some((server, _)) if is_server(server) => format!("{server}:…"),
            _ => url.to_owned(),
        };
    };
    if !is_plain(rest) {
        return format!("{scheme}://…");
    }
    let (place, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    let place = match place.split_once('@') {
        Some((user, host)) => match user.split_once(':') {
            Some((name, _)) => format!("{name}@{host}"),
            // A token of NATS stands where a user would.
            None if !scheme.starts_with("postgres") => format!("…@{host}"),
            None => place.to_owned(),
        },
        None => place.to_owned(),
    };
    let is_shown = |it: &&str| SHOWN.contains(&it.split('=').next().unwrap_or(it));
    let parameters: Vec<&str> = parameters.split('&').filter(is_shown).collect();
    let question = if parameters.is_empty() { "" } else { "?" };
    format!("{scheme}://{place}{question}{}", parameters.join("&"))
}

/// The store at an address. Nothing is opened or asked yet.
///
/// ```
/// use tern_store::{Expected, connect};
///
/// # let folder = tempfile::tempdir()?;
/// # let address = format!("sqlite:{}", folder.path().join("thread.db").display());
/// let store = connect(&address.parse()?)?;
/// let head = store.open("design")?.append(Expected::Any, &[b"first"])?;
/// assert_eq!(store.logs()?, [("design".to_owned(), head)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// `store_bad_address`, and `store_not_built` for a kind of store that this program was built without.
pub fn connect(address: &Address) -> Result<Box<dyn Store>, Error> {
    match address {
        #[cfg(feature = "sqlite")]
        Address::Sqlite(path) => Ok(Box::new(crate::SqliteStore::new(path))),
        #[cfg(not(feature = "sqlite"))]
        Address::Sqlite(_) => Err(not_built(address, "sqlite")),
        #[cfg(feature = "postgres")]
        Address::Postgres(url) => Ok(Box::new(crate::PostgresStore::new(url)?)),
        #[cfg(not(feature = "postgres"))]
        Address::Postgres(_) => Err(not_built(address, "postgres")),
        #[cfg(feature = "nats")]
        Address::Nats(url) => Ok(Box::new(crate::NatsStore::new(url)?)),
        #[cfg(not(feature = "nats"))]
        Address::Nats(_) => Err(not_built(address, "nats")),
    }
}

#[cfg(not(all(feature = "nats", feature = "postgres", feature = "sqlite")))]
fn not_built(address: &Address, feature: &'static str) -> Error {
    Error::NotBuilt {
        address: address.to_string(),
        feature,
    }
}
