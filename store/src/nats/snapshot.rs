//! Snapshots, in a stream beside that of the logs: a cache, from which the old ones are removed.

use std::collections::BTreeSet;

use bytes::{Buf as _, BufMut as _, Bytes};
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};

use super::end::Remote;
use super::fault::Trouble;
use super::frame::Part;
use super::server::Server;
use super::stream::Purpose;
use super::subject;
use super::url::SNAPSHOTS;
use crate::{Head, Link, MAX_SNAPSHOT_BYTES, Position, Snapshot};

/// So many parts are on their way at once.
const AT_ONCE: usize = 4;
/// How often a snapshot whose parts are gone is looked for again: another one has taken its place meanwhile.
const AGAIN: usize = 3;

/// What stands in the message of a snapshot: its head, its parts, and its bytes if it has none.
struct Kept {
    head: Head,
    parts: Vec<Part>,
    bytes: Bytes,
}

impl Kept {
    fn write(&self) -> Bytes {
        let mut bytes = Vec::with_capacity(44 + 12 * self.parts.len() + self.bytes.len());
        bytes.put_u64(self.head.position.as_u64());
        bytes.put_slice(self.head.link.as_bytes());
        bytes.put_u32(u32::try_from(self.parts.len()).unwrap_or(u32::MAX));
        for part in &self.parts {
            bytes.put_u64(part.sequence);
            bytes.put_u32(part.length);
        }
        bytes.put_slice(&self.bytes);
        bytes.into()
    }

    fn read(mut bytes: Bytes) -> Option<Self> {
        let position = Position::new(bytes.try_get_u64().ok()?);
        let mut link = [0; 32];
        bytes.try_copy_to_slice(&mut link).ok()?;
        let mut parts = Vec::new();
        for _ in 0..bytes.try_get_u32().ok()? {
            let sequence = bytes.try_get_u64().ok()?;
            let length = bytes.try_get_u32().ok()?;
            parts.push(Part { sequence, length });
        }
        Some(Self {
            head: Head::new(position, Link::from_bytes(link)),
            parts,
            bytes,
        })
    }

    fn length(&self) -> usize {
        let parts = self.parts.iter().map(|part| part.length as usize);
        parts.fold(self.bytes.len(), usize::saturating_add)
    }
}

impl Remote {
    async fn snapshots(&self) -> Result<Server, Trouble> {
        let name = format!("{}{SNAPSHOTS}", self.server.name);
        self.server.with_stream(&name).await
    }

    /// Keeps a snapshot in place of the one before it. The message that names its parts is published last, so the old one
    /// stays until the new one is whole.
    pub(super) async fn put_snapshot(
        &self,
        snapshot: &Snapshot,
        replicas: usize,
    ) -> Result<(), Trouble> {
        let server = self.snapshots().await?;
        server.make(Purpose::Snapshots, replicas).await?;
        let token = subject::snapshot(&self.name, &snapshot.kind);
        let most = server.most_bytes()?;
        let mut kept = Kept {
            head: snapshot.head,
            parts: Vec::new(),
            bytes: Bytes::new(),
        };
        let id = server.client.new_inbox().replace('.', "-");
        if snapshot.bytes.len() + 64 <= most {
            kept.bytes = Bytes::copy_from_slice(&snapshot.bytes);
        } else {
            let parts = snapshot.bytes.chunks(most).enumerate();
            let parts = parts.map(|(number, part)| {
                let subject = format!("{}.part.{token}.{id}.{number}", server.name);
                let (server, bytes) = (&server, Bytes::copy_from_slice(part));
                async move {
                    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
                    let sequence = server.keep(&subject, bytes).await?;
                    Ok::<_, Trouble>(Part { sequence, length })
                }
            });
            kept.parts = stream::iter(parts).buffered(AT_ONCE).try_collect().await?;
        }
        let subject = format!("{}.kept.{token}", server.name);
        server.keep(&subject, kept.write()).await?;
        // What is left is of a snapshot that was replaced, or of a writer that died; or of one that is being put now, which
        // is lost then. It is kept a while longer if this fails.
        let ours = format!("{}.part.{token}.{id}.", server.name);
        if let Ok(subjects) = server
            .subjects(&format!("{}.part.{token}.>", server.name))
            .await
        {
            let others = subjects.iter().filter(|it| !it.starts_with(&ours));
            let others: BTreeSet<&str> = others
                .filter_map(|it| Some(it.rsplit_once('.')?.0))
                .collect();
            for other in others {
                let _purged = server.stream.purge().filter(format!("{other}.*")).await;
            }
        }
        Ok(())
    }

    /// The kept snapshot of a kind.
    pub(super) async fn snapshot(&self, kind: &str) -> Result<Option<Snapshot>, Trouble> {
        let server = self.snapshots().await?;
        if server.find(Purpose::Snapshots).await?.is_none() {
            return Ok(None);
        }
        let token = subject::snapshot(&self.name, kind);
        let subject = format!("{}.kept.{token}", server.name);
        for _ in 0..AGAIN {
            let kept = match server.last(&subject).await {
                Ok(message) => message.payload,
                Err(Trouble::NotThere) => return Ok(None),
                Err(trouble) => return Err(trouble),
            };
            // Who reads a cache has to be ready for its being of no use.
            let Some(kept) = Kept::read(kept).filter(|kept| kept.length() <= MAX_SNAPSHOT_BYTES)
            else {
                return Ok(None);
            };
            let parts = kept.parts.iter().map(|part| server.at(part.sequence));
            let mut parts = stream::iter(parts).buffered(AT_ONCE);
            let mut bytes = Vec::with_capacity(kept.length());
            let whole = loop {
                match parts.next().await {
                    Some(Ok(part)) => bytes.extend_from_slice(&part.payload),
                    Some(Err(Trouble::NotThere)) => break false,
                    Some(Err(trouble)) => return Err(trouble),
                    None => break true,
                }
            };
            bytes.extend_from_slice(&kept.bytes);
            if whole && bytes.len() == kept.length() {
                return Ok(Some(Snapshot::new(kind, kept.head, bytes)));
            }
        }
        Ok(None)
    }
}
