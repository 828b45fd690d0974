//! Local facts as lines of a log document.

use alloc::string::String;

use crate::local::Fact;
use crate::message::Text;
use crate::wire::write_string;

/// Writes a fact as one record.
pub(super) fn fact(out: &mut String, fact: &Fact) {
    match fact {
        Fact::Grant { reference, grant } => {
            open(out, "grant");
            text(out, "ref", reference.as_str());
            text(out, "principal", grant.principal.as_str());
            if let Some(actions) = &grant.actions {
                list(out, "actions", actions.iter().map(Text::as_str));
            }
            if let Some(time) = &grant.not_before {
                text(out, "not_before", time.as_str());
            }
            if let Some(time) = &grant.expires {
                text(out, "expires", time.as_str());
            }
        }
        Fact::Revoke { reference } => {
            open(out, "revoke");
            text(out, "ref", reference.as_str());
        }
        Fact::Permit { commitment } => {
            open(out, "permit");
            text(out, "commitment", commitment.as_str());
        }
        Fact::RequireApproval { commitment } => {
            open(out, "require_approval");
            text(out, "commitment", commitment.as_str());
        }
        Fact::Approve { commitment, by } => {
            open(out, "approve");
            text(out, "commitment", commitment.as_str());
            text(out, "by", by.as_str());
        }
        Fact::Confirm {
            commitment,
            condition,
        } => {
            open(out, "confirm");
            text(out, "commitment", commitment.as_str());
            key(out, "condition");
            out.push_str(&alloc::format!("{condition}"));
        }
        Fact::Judge { commitment, terms } => {
            open(out, "judge");
            text(out, "commitment", commitment.as_str());
            text(out, "terms", terms.as_str());
        }
        Fact::Evidence(evidence) => {
            open(out, "evidence");
            text(out, "id", evidence.id.as_str());
            text(out, "source", evidence.source.as_str());
            text(out, "collected_at", evidence.collected_at.as_str());
            text(out, "method", evidence.method.as_str());
            text(out, "result", evidence.result.as_str());
        }
        Fact::Clock(time) => {
            out.push_str("{\"clock\":");
            write_string(out, time.as_str());
            out.push('}');
            return;
        }
        Fact::Start { commitment, action } => {
            open(out, "start");
            text(out, "commitment", commitment.as_str());
            text(out, "action", action.as_str());
        }
        Fact::Finish { commitment, action } => {
            open(out, "finish");
            text(out, "commitment", commitment.as_str());
            text(out, "action", action.as_str());
        }
        Fact::Reconciled {
            commitment,
            action,
            causes,
        } => {
            open(out, "reconciled");
            text(out, "commitment", commitment.as_str());
            text(out, "action", action.as_str());
            list(out, "causes", causes.iter().map(Text::as_str));
        }
    }
    out.push_str("}}");
}

fn open(out: &mut String, record: &str) {
    out.push('{');
    write_string(out, record);
    out.push_str(":{");
}

fn key(out: &mut String, key: &str) {
    if !out.ends_with('{') {
        out.push(',');
    }
    write_string(out, key);
    out.push(':');
}

fn text(out: &mut String, name: &str, value: &str) {
    key(out, name);
    write_string(out, value);
}

fn list<'t>(out: &mut String, name: &str, values: impl Iterator<Item = &'t str>) {
    key(out, name);
    out.push('[');
    for (index, value) in values.enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_string(out, value);
    }
    out.push(']');
}
