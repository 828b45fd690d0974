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
    /// Whether a text names a server: `scheme://…`. Everything else may be a path.
    #[must_use]
    pub fn is_server(text: &str) -> bool {
        scheme(text).is_some_and(|(scheme, rest)| scheme != "sqlite" && rest.starts_with("//"))
    }
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
    /// `store_bad_address` for an empty text and for `scheme://…` of no known scheme. A path with a `:` is a path.
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
            Some(("postgres" | "postgresql", rest)) if rest.starts_with("//") => {
                Ok(Self::Postgres(text.to_owned()))
            }
            Some(("nats" | "tls", rest)) if rest.starts_with("//") => {
                Ok(Self::Nats(text.to_owned()))
            }
            Some((_, rest)) if rest.starts_with("//") => Err(bad(
                "its scheme is none of `sqlite`, `postgres`, `postgresql`, `nats` and `tls`",
            )),
            _ => Ok(Self::Sqlite(text.into())),
        }
    }
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

/// An address without the password before its `@`, or among its parameters.
fn without_secret(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    // A `?` in a password is no beginning of parameters: before those comes a `/`, or nothing has a password.
    let begins = rest.find('?').filter(|&at| {
        let (place, parameters) = rest.split_at(at);
        place.contains('/') || !place.contains(':') || !parameters.contains('@')
    });
    let (place, parameters) = begins
        .and_then(|at| Some((rest.get(..at)?, rest.get(at + 1..)?)))
        .map_or((rest, None), |(place, parameters)| {
            (place, Some(parameters))
        });
    let place = match place.rsplit_once('@') {
        Some((user, host)) => {
            let name = user.split_once(':').map_or(user, |(name, _)| name);
            // A token of NATS stands where a user would.
            let name = if user == name && scheme != "postgres" && scheme != "postgresql" {
                "…"
            } else {
                name
            };
            format!("{name}@{host}")
        }
        None => place.to_owned(),
    };
    let is_open = |parameter: &&str| {
        let key = parameter.split_once('=').map_or(*parameter, |(key, _)| key);
        !key.contains("password") && !key.contains("token")
    };
    let parameters: Vec<&str> = parameters
        .into_iter()
        .flat_map(|parameters| parameters.split('&'))
        .filter(is_open)
        .collect();
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
