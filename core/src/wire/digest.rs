//! SHA-256 of canonical JSON (S7.05).

use alloc::string::String;
use core::fmt;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use sha2::{Digest as _, Sha256};

/// The SHA-256 of some canonical JSON. Shown, and written to JSON, in lower hex.
///
/// ```
/// use tern_core::wire::Digest;
/// let digest = Digest::of(b"{}");
/// assert!(digest.to_string().starts_with("44136fa355b3678a"));
/// assert_eq!(digest.to_string().parse(), Ok(digest));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

/// The digest of bytes that come piece by piece.
pub(crate) struct Hasher(Sha256);

impl Hasher {
    pub(crate) fn new() -> Self {
        Self(Sha256::new())
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub(crate) fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

/// Not 64 lower hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotADigest;

impl Digest {
    /// The digest of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// In lower hex. A view holds one for every message, so it is not formatted byte by byte.
    fn hex(&self) -> [u8; 64] {
        let digit = |value: u8| value + if value < 10 { b'0' } else { b'a' - 10 };
        let mut hex = [0; 64];
        let digits = self.0.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        for (place, value) in hex.iter_mut().zip(digits) {
            *place = digit(value);
        }
        hex
    }
}

impl From<[u8; 32]> for Digest {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl core::str::FromStr for Digest {
    type Err = NotADigest;

    fn from_str(hex: &str) -> Result<Self, NotADigest> {
        let mut bytes = [0; 32];
        if hex.len() != 64 {
            return Err(NotADigest);
        }
        for (byte, pair) in bytes.iter_mut().zip(hex.as_bytes().chunks_exact(2)) {
            for digit in pair {
                let value = match digit {
                    b'0'..=b'9' => digit - b'0',
                    b'a'..=b'f' => digit - b'a' + 10,
                    _ => return Err(NotADigest),
                };
                *byte = *byte << 4 | value;
            }
        }
        Ok(Self(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(core::str::from_utf8(&self.hex()).unwrap_or_default())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for NotADigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a digest has 64 lower hexadecimal digits")
    }
}

impl core::error::Error for NotADigest {}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(core::str::from_utf8(&self.hex()).unwrap_or_default())
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
}
