//! Signed checkpoints: somebody's word for what a log was at some time.

use std::fmt;
use std::str::FromStr;

use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};

use crate::hex::{hex, unhex};
use crate::{Error, Head, Link, Position};

/// What is signed: where a log ended, and what its records came to.
///
/// The signed bytes are six lines, without a newline after the last: `tern-checkpoint/1`, the position in decimal, the link
/// in hexadecimal, the view or `-`, the time in decimal, and the name of the log, which may itself hold newlines.
///
/// ```
/// use tern_store::{Checkpoint, Head, SecretKey, Signed};
///
/// let key = SecretKey::generate()?;
/// let checkpoint = Checkpoint::new("design", Head::start("design"), None, 1_700_000_000);
/// let text = checkpoint.clone().sign(&key).to_string();
///
/// let signed: Signed = text.parse()?;
/// assert_eq!(signed.verify(&key.public())?, &checkpoint);
/// let other = SecretKey::generate()?.public();
/// assert!(signed.verify(&other).is_err());
/// # Ok::<(), tern_store::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Checkpoint {
    /// The name of the log.
    pub log: String,
    /// Where it ended.
    pub head: Head,
    /// The SHA-256 of what was worked out of its records, if that was done.
    pub view: Option<[u8; 32]>,
    /// When it was signed, by the clock of who signed: seconds since 1970, UTC.
    pub time: u64,
}

/// A checkpoint with its signature. It is written as one line of JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    checkpoint: Checkpoint,
    key: PublicKey,
    signature: Signature,
}

/// An Ed25519 key to sign with. It is never printed but by [`SecretKey::to_pem`].
pub struct SecretKey(SigningKey);

/// An Ed25519 key to verify with, written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PublicKey(VerifyingKey);

/// A signed checkpoint as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    checkpoint: WrittenCheckpoint,
    key: String,
    signature: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCheckpoint {
    log: String,
    position: u64,
    link: String,
    view: Option<String>,
    time: u64,
}

impl Checkpoint {
    /// What is to be signed.
    #[must_use]
    pub fn new(log: impl Into<String>, head: Head, view: Option<[u8; 32]>, time: u64) -> Self {
        Self {
            log: log.into(),
            head,
            view,
            time,
        }
    }

    /// Signs it.
    #[must_use]
    pub fn sign(self, key: &SecretKey) -> Signed {
        let signature = key.0.sign(&self.to_bytes());
        Signed {
            checkpoint: self,
            key: key.public(),
            signature,
        }
    }

    /// INVARIANT: no two checkpoints have the same bytes. Only the name can hold a newline, and it is the last.
    fn to_bytes(&self) -> Vec<u8> {
        let Head { position, link, .. } = self.head;
        let view = self.view.map_or("-".to_owned(), |view| hex(&view));
        let (time, log) = (self.time, &self.log);
        format!("tern-checkpoint/1\n{position}\n{link}\n{view}\n{time}\n{log}").into_bytes()
    }
}

impl Signed {
    /// The checkpoint, if the owner of `trusted` signed it.
    ///
    /// The signature is verified strictly (`verify_strict` of ed25519-dalek: RFC 8032 without cofactor; keys and points of
    /// small order and scalars that are not reduced are refused), so that a checkpoint has one signature that all accept or
    /// none does.
    ///
    /// # Errors
    ///
    /// `store_bad_checkpoint`.
    pub fn verify(&self, trusted: &PublicKey) -> Result<&Checkpoint, Error> {
        if self.key != *trusted {
            return Err(bad_checkpoint(format!(
                "it is signed with the key {}",
                self.key
            )));
        }
        trusted
            .0
            .verify_strict(&self.checkpoint.to_bytes(), &self.signature)
            .map(|()| &self.checkpoint)
            .map_err(|_| bad_checkpoint("its signature is not by its key, or of something else"))
    }

    /// What it says that it was signed with.
    #[must_use]
    pub const fn key(&self) -> PublicKey {
        self.key
    }
}

impl fmt::Display for Signed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let checkpoint = &self.checkpoint;
        let written = Written {
            checkpoint: WrittenCheckpoint {
                log: checkpoint.log.clone(),
                position: checkpoint.head.position.as_u64(),
                link: checkpoint.head.link.to_string(),
                view: checkpoint.view.as_ref().map(|view| hex(view)),
                time: checkpoint.time,
            },
            key: self.key.to_string(),
            signature: hex(&self.signature.to_bytes()),
        };
        f.write_str(&serde_json::to_string(&written).map_err(|_| fmt::Error)?)
    }
}

impl FromStr for Signed {
    type Err = Error;

    /// Reads one that was written, and takes nobody's word for it yet: [`Signed::verify`] does.
    ///
    /// # Errors
    ///
    /// `store_bad_checkpoint`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let Written {
            checkpoint,
            key,
            signature,
        } = serde_json::from_str(text).map_err(|error| bad_checkpoint(error.to_string()))?;
        let link: Link = checkpoint
            .link
            .parse()
            .map_err(|no_link| bad_checkpoint(format!("{no_link}")))?;
        let view = checkpoint.view.map(|view| {
            unhex(&view).ok_or_else(|| bad_checkpoint("its view is not 64 hexadecimal digits"))
        });
        let signature = unhex(&signature)
            .ok_or_else(|| bad_checkpoint("its signature is not 128 hexadecimal digits"))?;
        Ok(Self {
            checkpoint: Checkpoint {
                log: checkpoint.log,
                head: Head::new(Position::new(checkpoint.position), link),
                view: view.transpose()?,
                time: checkpoint.time,
            },
            key: key.parse()?,
            signature: Signature::from_bytes(&signature),
        })
    }
}

impl SecretKey {
    /// A new key, from the randomness of the system.
    ///
    /// # Errors
    ///
    /// `store_bad_key` where the system has none.
    pub fn generate() -> Result<Self, Error> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|error| bad_key(error.to_string()))?;
        Ok(Self(SigningKey::from_bytes(&seed)))
    }

    /// Reads a key as PEM (PKCS #8), as `openssl genpkey -algorithm ed25519` writes it.
    ///
    /// # Errors
    ///
    /// `store_bad_key`.
    pub fn from_pem(pem: &str) -> Result<Self, Error> {
        SigningKey::from_pkcs8_pem(pem)
            .map(Self)
            .map_err(|error| bad_key(format!("it is no Ed25519 key as PKCS #8: {error}")))
    }

    /// The key as PEM (PKCS #8). Who reads it can sign.
    ///
    /// # Errors
    ///
    /// `store_bad_key`; no key is known that cannot be written.
    pub fn to_pem(&self) -> Result<String, Error> {
        let pem = self.0.to_pkcs8_pem(LineEnding::LF);
        pem.map(|pem| pem.as_str().to_owned())
            .map_err(|error| bad_key(error.to_string()))
    }

    /// What others verify with.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretKey(of {})", self.public())
    }
}

impl PublicKey {
    /// The key as PEM (`SubjectPublicKeyInfo`), as `openssl pkey -pubout` writes it.
    ///
    /// # Errors
    ///
    /// `store_bad_key`; no key is known that cannot be written.
    pub fn to_pem(&self) -> Result<String, Error> {
        let pem = self.0.to_public_key_pem(LineEnding::LF);
        pem.map_err(|error| bad_key(error.to_string()))
    }
}

impl FromStr for PublicKey {
    type Err = Error;

    /// Reads a key, as 64 hexadecimal digits or as PEM (`SubjectPublicKeyInfo`).
    ///
    /// # Errors
    ///
    /// `store_bad_key`, also for the keys of small order, under which everybody can sign.
    fn from_str(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let key = match unhex(text) {
            Some(bytes) => VerifyingKey::from_bytes(&bytes)
                .map_err(|_| bad_key("it is no point of the curve"))?,
            None => VerifyingKey::from_public_key_pem(text).map_err(|error| {
                bad_key(format!(
                    "it is neither 64 hexadecimal digits nor an Ed25519 key as PEM: {error}"
                ))
            })?,
        };
        if key.is_weak() {
            return Err(bad_key("it is of small order"));
        }
        Ok(Self(key))
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(self.0.as_bytes()))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn bad_checkpoint(why: impl Into<String>) -> Error {
    Error::BadCheckpoint { why: why.into() }
}

fn bad_key(why: impl Into<String>) -> Error {
    Error::BadKey { why: why.into() }
}
