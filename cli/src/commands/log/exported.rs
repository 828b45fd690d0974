//! A record as `tern log export --json` writes it, and `tern log import` reads it.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};
use tern_store::{Link, Position, Record};

use crate::failure::Failure;

/// One of `record` and `base64`: the bytes as they are where they are UTF-8.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Exported<'r> {
    pub(super) log: Cow<'r, str>,
    position: u64,
    link: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    record: Option<Cow<'r, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
}

impl<'r> Exported<'r> {
    pub(super) fn of(log: &'r str, record: &'r Record) -> Self {
        let text = std::str::from_utf8(&record.bytes).ok();
        Self {
            log: log.into(),
            position: record.position.as_u64(),
            link: record.link.to_string(),
            record: text.map(Cow::from),
            base64: text.is_none().then(|| BASE64.encode(&record.bytes)),
        }
    }

    pub(super) fn into_record(self) -> Result<Record, Failure> {
        let refused = |why: &str| {
            Failure::usage(
                format!(
                    "the record at position {} cannot be imported: {why}",
                    self.position
                ),
                "export it again with `tern log export --json`",
            )
        };
        let link: Link = self
            .link
            .parse()
            .map_err(|_| refused("its link is not 64 hexadecimal digits"))?;
        let bytes = match (&self.record, &self.base64) {
            (Some(text), None) => text.as_bytes().to_vec(),
            (None, Some(text)) => BASE64
                .decode(text)
                .map_err(|_| refused("its base64 is none"))?,
            _ => return Err(refused("it has not one of `record` and `base64`")),
        };
        Ok(Record::new(Position::new(self.position), bytes, link))
    }
}
