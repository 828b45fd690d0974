//! Whom usage is counted for.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::hex::hex;

/// Whom usage is counted for, in at most some 400 bytes of JSON that mean it: no name makes records grow.
///
/// ```
/// use tern_store::Principal;
///
/// assert_eq!(Principal::from(Some("key:ana")).to_string(), "key:ana");
/// assert_eq!(Principal::from(Some("")), Principal::Nobody);
/// let long = "a".repeat(1 << 20);
/// assert!(Principal::from(Some(&*long)).to_string().len() < 200);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Principal {
    /// All who came over channels that authenticated nobody count as one. `null` in JSON.
    Nobody,
    /// The name, of up to 256 bytes. A string in JSON.
    Whole(String),
    /// A longer one: its first up to 64 bytes, and its SHA-256 in hexadecimal. An object in JSON, so that nobody can choose
    /// a name that is counted as this one.
    Long {
        /// How it begins.
        start: String,
        /// The SHA-256 of the whole.
        sha256: String,
    },
}

impl Principal {
    const LONGEST: usize = 256;
    const START: usize = 64;
}

impl From<Option<&str>> for Principal {
    /// An empty name is nobody's.
    fn from(name: Option<&str>) -> Self {
        match name {
            None | Some("") => Self::Nobody,
            Some(name) if name.len() <= Self::LONGEST => Self::Whole(name.to_owned()),
            Some(name) => {
                let start = name.get(..name.floor_char_boundary(Self::START));
                Self::Long {
                    start: start.unwrap_or_default().to_owned(),
                    sha256: hex(&Sha256::digest(name)),
                }
            }
        }
    }
}

impl fmt::Display for Principal {
    /// For sentences; not safe to print to a terminal as it is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nobody => f.write_str("nobody"),
            Self::Whole(name) => f.write_str(name),
            Self::Long { start, sha256 } => write!(f, "{start}… (SHA-256 {sha256})"),
        }
    }
}
