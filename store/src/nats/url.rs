//! Addresses: `nats://user:password@host:port/STREAM?replicas=3`.

use std::fmt;

use crate::{Address, Error};

/// What the name of a stream for snapshots ends in; the rest is that of the stream of their logs.
pub(super) const SNAPSHOTS: &str = "_snapshots";

/// What an address says. Its secrets are printed nowhere.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Url {
    /// The address without its secrets, for sentences.
    pub(super) shown: String,
    /// `host:port` of each server.
    pub(super) servers: Vec<String>,
    pub(super) login: Option<Login>,
    pub(super) tls: bool,
    /// The stream that keeps the logs.
    pub(super) stream: String,
    /// How many servers of a cluster keep a stream that is made now.
    pub(super) replicas: usize,
}

/// How to log in.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Login {
    Password { user: String, password: String },
    Token(String),
}

impl fmt::Debug for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Url").field(&self.shown).finish()
    }
}

impl Url {
    /// Reads an address.
    ///
    /// # Errors
    ///
    /// `store_bad_address`.
    pub(super) fn read(url: &str) -> Result<Self, Error> {
        let shown = Address::Nats(url.to_owned()).to_string();
        let bad = |why: &str| Error::BadAddress {
            address: shown.clone(),
            why: why.to_owned(),
        };
        let (scheme, rest) = url
            .split_once("://")
            .ok_or_else(|| bad("it is not `nats://host:port/stream`"))?;
        let tls = match scheme {
            "nats" => false,
            "tls" => true,
            _ => return Err(bad("its scheme is neither `nats` nor `tls`")),
        };
        let (place, parameters) = rest.split_once('?').unwrap_or((rest, ""));
        let (login, place) = match place.rsplit_once('@') {
            Some((login, place)) => (
                Some(
                    Login::read(login)
                        .ok_or_else(|| bad("a `%` in its user or password is no `%XX`"))?,
                ),
                place,
            ),
            None => (None, place),
        };
        let (servers, stream) = place.split_once('/').unwrap_or((place, ""));
        let servers: Vec<String> = servers.split(',').map(str::to_owned).collect();
        if servers.iter().any(|server| !is_server(server)) {
            return Err(bad(
                "it names no server: `host`, `host:port` or several with `,` between",
            ));
        }
        let stream = if stream.is_empty() { "TERN" } else { stream };
        let is_fine = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        if stream.len() > 64 || !stream.bytes().all(is_fine) {
            return Err(bad(
                "its stream is not 1 to 64 letters, digits, `-` and `_`",
            ));
        }
        if stream.ends_with(SNAPSHOTS) {
            return Err(bad("its stream is that of another one's snapshots"));
        }
        let mut replicas = 1;
        for parameter in parameters.split('&').filter(|it| !it.is_empty()) {
            replicas = match parameter.split_once('=') {
                Some(("replicas", "1")) => 1,
                Some(("replicas", "3")) => 3,
                Some(("replicas", "5")) => 5,
                Some(("replicas", _)) => return Err(bad("`replicas` is none of 1, 3 and 5")),
                _ => return Err(bad("it has a parameter other than `replicas`")),
            };
        }
        Ok(Self {
            servers,
            login,
            tls,
            stream: stream.to_owned(),
            replicas,
            shown,
        })
    }
}

fn is_server(text: &str) -> bool {
    let host = match text.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => {
            if port.parse::<u16>().is_err() {
                return false;
            }
            host
        }
        _ => text,
    };
    let is_fine = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]%".contains(&byte);
    !host.is_empty() && host.bytes().all(is_fine)
}

impl Login {
    fn read(text: &str) -> Option<Self> {
        match text.split_once(':') {
            Some((user, password)) => Some(Self::Password {
                user: plain(user)?,
                password: plain(password)?,
            }),
            None => plain(text).map(Self::Token),
        }
    }
}

/// A text without its `%XX`.
fn plain(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => super::subject::byte(rest.next()?, rest.next()?)?,
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::Code;

    #[test]
    fn addresses_are_read() {
        let url = Url::read("nats://ann:p%40ss@a:4222,b/THREADS?replicas=3").unwrap();
        assert_eq!(url.servers, ["a:4222", "b"]);
        assert_eq!((&*url.stream, url.replicas, url.tls), ("THREADS", 3, false));
        let password = "p@ss".to_owned();
        let user = "ann".to_owned();
        assert!(url.login == Some(Login::Password { user, password }));
        let url = Url::read("tls://token@[::1]:4222").unwrap();
        assert_eq!((&*url.stream, url.replicas, url.tls), ("TERN", 1, true));
        assert!(url.login == Some(Login::Token("token".to_owned())));
        assert!(!format!("{url:?}").contains("token"), "{url:?}");
    }

    #[test]
    fn other_addresses_are_refused() {
        for wrong in [
            "nats://",
            "nats:///S",
            "nats://a:b:c",
            "nats://a:99999",
            "nats://a/S.T",
            "nats://a/S/T",
            "nats://a/S_snapshots",
            "nats://a/_snapshots?replicas=3",
            "nats://a/S?replicas=2",
            "nats://a/S?replicas",
            "nats://a/S?sync=always",
            "nats://%zz@a",
            "nats://a b",
        ] {
            assert_eq!(
                Url::read(wrong).unwrap_err().code(),
                Code::BadAddress,
                "{wrong}"
            );
        }
        let error = Url::read("nats://u:secret@a/S?x=1").unwrap_err();
        assert!(!format!("{error} {error:?}").contains("secret"));
    }
}
