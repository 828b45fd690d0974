//! Why a snapshot is refused.

use core::fmt;

use crate::wire::Digest;

/// Why a snapshot is refused. Whatever it is, the log is the truth: a replay makes the state again.
///
/// ```
/// use tern_core::{Context, HashKey, Limits, SnapshotError, State};
/// let error = State::restore(b"", Context::unverified(), Limits::default(), HashKey::default());
/// let error = error.unwrap_err();
/// assert_eq!(error, SnapshotError::Corrupt);
/// assert_eq!(error.as_str(), "snapshot_corrupt");
/// assert_eq!(error.to_string(), "these bytes are no snapshot, or not as they were written");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SnapshotError {
    /// Written in another layout.
    OtherVersion {
        /// The version of that layout.
        found: u8,
    },
    /// Not the bytes that were written, or no snapshot at all.
    Corrupt,
    /// Made under another identity context: another id, or other bindings.
    OtherContext,
    /// Made under other limits.
    OtherLimits,
    /// It is whole, and its view is not the one that was written.
    OtherView {
        /// The digest of the view as the snapshot has it.
        written: Digest,
        /// That of the view which its state comes to.
        found: Digest,
    },
}

impl SnapshotError {
    /// Every code.
    pub const CODES: [&str; 5] = [
        "snapshot_other_version",
        "snapshot_corrupt",
        "snapshot_other_context",
        "snapshot_other_limits",
        "snapshot_other_view",
    ];

    /// The stable code.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OtherVersion { .. } => "snapshot_other_version",
            Self::Corrupt => "snapshot_corrupt",
            Self::OtherContext => "snapshot_other_context",
            Self::OtherLimits => "snapshot_other_limits",
            Self::OtherView { .. } => "snapshot_other_view",
        }
    }

    /// What to do about it, in one sentence.
    #[must_use]
    pub const fn hint(self) -> &'static str {
        match self {
            Self::OtherVersion { .. } => "replay the log, and take a snapshot with this version",
            Self::Corrupt => "replay the log, and look for what changed the file",
            Self::OtherContext => "replay the log, or give the snapshot that was made of it",
            Self::OtherLimits => {
                "replay the log under these limits, or give those that it was made under"
            }
            Self::OtherView { .. } => {
                "replay the log, and compare the digest of its view with both"
            }
        }
    }
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherVersion { found } => write!(
                f,
                "the snapshot is of version {found} of the layout; only version {} is read",
                super::VERSION
            ),
            Self::Corrupt => {
                f.write_str("these bytes are no snapshot, or not as they were written")
            }
            Self::OtherContext => {
                f.write_str("the snapshot was made under another identity context")
            }
            Self::OtherLimits => f.write_str("the snapshot was made under other limits"),
            Self::OtherView { written, found } => write!(
                f,
                "the snapshot says that its view has the digest {written}, but it comes to {found}"
            ),
        }
    }
}

impl core::error::Error for SnapshotError {}
