//! Heads that were noted once, and what may have become of the log since.

use std::path::Path;
use std::str::FromStr;

use tern_store::{Head, Link, Position, PublicKey, SecretKey, Signed};

use crate::failure::Failure;
use crate::text::shown;

/// A head as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeadArgument(pub(super) Head);

impl FromStr for HeadArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once(':');
        let parts = parts.and_then(|(position, link)| {
            let position = position.parse().ok().map(Position::new)?;
            let link: Link = link.parse().ok()?;
            Some(Head::new(position, link))
        });
        parts.map(Self).ok_or_else(|| {
            "a head is a position, a colon, and 64 hexadecimal digits in lower case".to_owned()
        })
    }
}

/// A public key, given itself or in a file.
pub(super) fn public_key(given: &str) -> Result<PublicKey, Failure> {
    if let Ok(key) = given.parse() {
        return Ok(key);
    }
    Ok(read(Path::new(given))?.parse()?)
}

/// A key to sign with, from a file.
pub(super) fn secret_key(path: &Path) -> Result<SecretKey, Failure> {
    Ok(SecretKey::from_pem(&read(path)?)?)
}

/// The checkpoints in a file, a line each.
pub(super) fn checkpoints(path: &Path) -> Result<Vec<Signed>, Failure> {
    let text = read(path)?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let checkpoints: Vec<Signed> = lines.map(str::parse).collect::<Result<_, _>>()?;
    if checkpoints.is_empty() {
        return Err(Failure::usage(
            format!("{} holds no checkpoint", shown(&path.to_string_lossy())),
            "name a file that `tern log checkpoint` wrote",
        ));
    }
    Ok(checkpoints)
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::io(&shown(&path.to_string_lossy()), error))
}
