//! The words of a view (S7.06), of which a run must have seen each.

/// States of chains.
pub const CHAINS: &[&str] = &["original", "replaced", "withdrawn", "conflicted"];

/// Progress, with its cause where it is unresolved.
pub const PROGRESS: &[&str] = &[
    "none",
    "active",
    "blocked",
    "fulfilled",
    "failed",
    "unresolved conflict",
    "unresolved invalidated",
    "unresolved contradictory",
    "unresolved concurrent",
];

/// Readiness.
pub const READINESS: &[&str] = &["ready", "blocked"];

/// Annotations of commitments.
pub const ANNOTATIONS: &[&str] = &["disputed", "superseded", "withdrawn"];

/// Lists at a commitment that may be empty.
pub const LISTS: &[&str] = &[
    "candidates",
    "disputed_by",
    "offers",
    "reactivation_attempts",
    "request_changed_by",
    "superseded_by",
];

/// What is known of evidence.
pub const EVIDENCE: &[&str] = &["available", "contradictory", "inaccessible"];

/// What speaks against a started action (S6.23).
pub const CAUSES: &[&str] = &[
    "not_accepted",
    "request_conflicted",
    "request_revision_pending",
    "request_equivocal",
    "request_withdrawn",
    "commitment_conflicted",
    "commitment_revision_pending",
    "commitment_equivocal",
    "commitment_withdrawn",
    "superseded",
    "supersession_pending",
];
