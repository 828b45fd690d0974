//! The stream that keeps the logs: made once, and known again. INVARIANT 6.

use std::time::Duration;

use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::stream::{Config, DiscardPolicy, Info, RetentionPolicy, StorageType};

use super::fault::Trouble;
use super::server::Server;
use super::subject;
use crate::Error;

/// The version of what is kept, and how.
const VERSION: i64 = 1;

/// What a stream is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Logs,
    Snapshots,
}

impl Purpose {
    const fn mark(self) -> &'static str {
        match self {
            Self::Logs => "tern-store, logs, version ",
            Self::Snapshots => "tern-store, snapshots, version ",
        }
    }

    fn config(self, name: &str, replicas: usize) -> Config {
        let config = Config {
            name: name.to_owned(),
            description: Some(format!("{}{VERSION}", self.mark())),
            retention: RetentionPolicy::Limits,
            storage: StorageType::File,
            num_replicas: replicas,
            max_bytes: -1,
            max_messages: -1,
            max_message_size: -1,
            max_consumers: -1,
            discard: DiscardPolicy::New,
            allow_direct: true,
            ..Config::default()
        };
        match self {
            Self::Logs => Config {
                subjects: vec![format!("{}*", subject::logs(name)), subject::parts(name)],
                max_messages_per_subject: -1,
                deny_delete: true,
                deny_purge: true,
                ..config
            },
            // A snapshot takes the place of the one before it.
            Self::Snapshots => Config {
                subjects: vec![format!("{name}.>")],
                max_messages_per_subject: 1,
                discard: DiscardPolicy::Old,
                ..config
            },
        }
    }

    /// Whether the stream is ours, and still keeps what it is given.
    fn check(self, store: &str, info: &Info) -> Result<(), Error> {
        let not_a_log = |why: String| Error::NotALog {
            store: store.to_owned(),
            why,
        };
        let found = &info.config;
        let description = found.description.as_deref().unwrap_or_default();
        let version = description
            .strip_prefix(self.mark())
            .and_then(|version| version.parse::<i64>().ok())
            .filter(|version| *version > 0)
            .ok_or_else(|| {
                not_a_log(format!(
                    "the stream `{}` was made by another program",
                    found.name
                ))
            })?;
        if version > VERSION {
            return Err(Error::NewerSchema {
                store: store.to_owned(),
                found: version,
                supported: VERSION,
            });
        }
        let made = self.config(&found.name, found.num_replicas);
        let limit = |limit: i64| limit.max(-1);
        let changed = [
            ("subjects", found.subjects != made.subjects),
            ("retention", found.retention != made.retention),
            ("storage", found.storage != made.storage),
            ("discard", found.discard != made.discard),
            ("max_msgs", limit(found.max_messages) > 0),
            (
                "max_bytes",
                self == Self::Logs && limit(found.max_bytes) > 0,
            ),
            ("max_msg_size", found.max_message_size > 0),
            ("max_age", found.max_age > Duration::ZERO),
            (
                "max_msgs_per_subject",
                limit(found.max_messages_per_subject).max(0)
                    != made.max_messages_per_subject.max(0),
            ),
            ("no_ack", found.no_ack),
            ("sealed", found.sealed),
            ("allow_rollup_hdrs", found.allow_rollup),
            ("deny_delete", found.deny_delete != made.deny_delete),
            ("deny_purge", found.deny_purge != made.deny_purge),
            ("mirror", found.mirror.is_some()),
            (
                "sources",
                found.sources.as_ref().is_some_and(|it| !it.is_empty()),
            ),
        ];
        match changed.into_iter().find(|(_, changed)| *changed) {
            Some((setting, _)) => Err(not_a_log(format!(
                "the setting `{setting}` of the stream `{}` was changed",
                found.name
            ))),
            None => Ok(()),
        }
    }
}

impl Server {
    /// Whether the stream is there, and ours.
    ///
    /// # Errors
    ///
    /// `store_not_a_log`, `store_newer_schema` and what the server answers.
    pub(super) async fn find(&self, purpose: Purpose) -> Result<Option<Info>, Trouble> {
        let info = self.info().await?;
        if let Some(info) = &info {
            purpose.check(&self.store, info)?;
        }
        Ok(info)
    }

    /// The stream, made if it is not there.
    ///
    /// # Errors
    ///
    /// Those of [`Server::find`].
    pub(super) async fn make(&self, purpose: Purpose, replicas: usize) -> Result<Info, Trouble> {
        if let Some(info) = self.find(purpose).await? {
            return Ok(info);
        }
        let config = purpose.config(&self.name, replicas);
        let made = self
            .patiently(async || Ok(self.jetstream.create_stream(&config).await?))
            .await;
        match made {
            // Made, or found by somebody who was faster.
            Ok(_) | Err(Trouble::Refused(_, ErrorCode::STREAM_NAME_EXIST)) => {}
            Err(trouble) => return Err(trouble),
        }
        self.find(purpose).await?.ok_or(Trouble::NotThere)
    }
}
