//! `tern log checkpoint`: somebody's word for what a log is now.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use tern_store::SecretKey;

use super::Stored;
use super::followed::{Noted, Wrong, follow};
use super::noted::{checkpoints, secret_key};
use crate::failure::{Exit, Failure};
use crate::output::print_data;
use crate::text::shown;

/// Sign where each log ends and what it comes to, a line of JSON each
///
/// Every record is verified, and the view that the log implies is worked out, before anything is signed. With --since, only
/// if the log is one that grew from what was signed then.
///
/// Whoever has such a line and the public key can tell later whether the log is still the one that it was: `tern log verify
/// --checkpoint`.
#[derive(Debug, Args)]
pub(super) struct Checkpoint {
    #[command(flatten)]
    stored: Stored,

    /// The Ed25519 key to sign with: a file of PEM (PKCS #8), as `openssl genpkey -algorithm ed25519` makes it
    #[arg(long, value_name = "FILE")]
    key: PathBuf,

    /// Make a new key and write it to the file after --key, which must not exist, and its public key to the same with `.pub`
    #[arg(long)]
    new_key: bool,

    /// Earlier checkpoints by the same key: each log that they are of has to be one that grew from them
    #[arg(long, value_name = "FILE")]
    since: Option<PathBuf>,

    /// Sign the heads alone, also of logs whose records are no log document
    #[arg(long)]
    without_view: bool,
}

impl Checkpoint {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        // A key is made when there is something to sign.
        let store = self.stored.store()?;
        let names = self.stored.names(&*store)?;
        let signed = self.since.as_deref().map_or(Ok(Vec::new()), checkpoints)?;
        let key = match self.new_key {
            true => self.make_key()?,
            false => secret_key(&self.key)?,
        };
        let mut earlier: BTreeMap<String, Vec<Noted>> = BTreeMap::new();
        for signed in signed {
            let checkpoint = signed.verify(&key.public())?;
            let is_asked = self.stored.name.as_ref();
            if is_asked.is_none_or(|name| *name == checkpoint.log) {
                let log = earlier.entry(checkpoint.log.clone()).or_default();
                log.push(Noted::from(checkpoint));
            }
        }
        let mut lines = String::new();
        for name in names {
            let noted = earlier.remove(&name).unwrap_or_default();
            let log = store.open_read_only(&name)?;
            let followed = follow(&*log, &noted, !self.without_view)?;
            if let Some(wrong) = followed.wrong {
                return Err(refusal(&name, &wrong));
            }
            if followed.view.is_none() && !self.without_view {
                return Err(Failure::usage(
                    format!(
                        "log `{}` is not signed: its records come to no view",
                        shown(&name)
                    ),
                    "give --without-view to sign its head alone",
                ));
            }
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            let time = now.map_or(0, |since| since.as_secs());
            let view = followed.view.map(|view| *view.as_bytes());
            let signed = tern_store::Checkpoint::new(name, followed.head, view, time).sign(&key);
            lines.push_str(&format!("{signed}\n"));
        }
        if let Some((name, noted)) = earlier.first_key_value()
            && let Some(noted) = noted.first()
        {
            return Err(refusal(name, &Wrong::Missing { noted: noted.head }));
        }
        print_data(&lines)?;
        Ok(Exit::Fine)
    }

    /// A new key, in a file that only its owner may read.
    fn make_key(&self) -> Result<SecretKey, Failure> {
        let key = SecretKey::generate()?;
        let mut public = self.key.clone().into_os_string();
        public.push(".pub");
        if PathBuf::from(&public).exists() {
            return Err(Failure::usage(
                format!("{} is there already", shown(&public.to_string_lossy())),
                "give the new key another name",
            ));
        }
        write_new(&self.key, &key.to_pem()?, true)?;
        write_new(&public.into(), &key.public().to_pem()?, false)?;
        Ok(key)
    }
}

fn write_new(path: &PathBuf, text: &str, is_secret: bool) -> Result<(), Failure> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if is_secret {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    #[cfg(not(unix))]
    let _ = is_secret;
    let written = options.open(path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.map_err(|error| Failure::io(&shown(&path.to_string_lossy()), error))
}

fn refusal(name: &str, wrong: &Wrong) -> Failure {
    Failure::usage(
        format!("log `{}` is not signed: {}", shown(name), wrong.sentence()),
        "`tern log verify` says more of it",
    )
}
