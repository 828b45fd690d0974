//! What a node says in words and signs, in every language alike. All of it is safe to print; each
//! language escapes it once more.

use tern_core::message::Act;
use tern_core::view::{ChainStatus, CommitmentView};

use super::model::Standing;
use crate::text::short;

/// Longer ids are cut.
const ID: usize = 60;

/// The first line: sign, act and id.
pub(super) fn title(id: &str, act: Option<Act>, standing: Standing) -> String {
    let sign = match standing {
        Standing::Accepted => '✓',
        Standing::Pending => '…',
        Standing::Rejected => '✗',
        Standing::Unknown => '?',
    };
    let act = act.map_or("unknown", Act::as_str);
    format!("{sign} {act} {}", short(id, ID))
}

/// How far a promise is, and whether it may be acted on.
pub(super) fn promise(promise: &CommitmentView<'_>) -> String {
    let progress = serde_json::to_value(promise.progress).ok();
    let progress = progress
        .as_ref()
        .and_then(|word| word.as_str())
        .unwrap_or_default();
    if promise.blocked_by.is_empty() {
        format!("progress {progress}, ready")
    } else {
        format!("progress {progress}, may not be acted on")
    }
}

/// Where a chain stands.
pub(super) fn chain(state: ChainStatus) -> String {
    match state {
        ChainStatus::Original => "a revision of it waits",
        ChainStatus::Replaced => "replaced",
        ChainStatus::Withdrawn => "withdrawn",
        ChainStatus::Conflicted => "≠ revisions compete",
    }
    .into()
}

/// Fill and line colour.
pub(super) fn colours(standing: Standing) -> (&'static str, &'static str) {
    match standing {
        Standing::Accepted => ("#e6f4ea", "#1e6b34"),
        Standing::Pending => ("#fff4d6", "#8a6100"),
        Standing::Rejected => ("#fde7e7", "#a11212"),
        Standing::Unknown => ("#f2f2f2", "#666666"),
    }
}

/// The colour of what somebody should look at.
pub(super) const ALARM: &str = "#c00000";
