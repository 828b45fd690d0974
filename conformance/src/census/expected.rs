//! What a run must have seen to prove something.

use tern_core::{Block, Class, Code};

use super::{Census, Group, words};
use crate::generate::Damage;

/// What names a group in a list of what is missing.
const fn word(group: Group) -> &'static str {
    match group {
        Group::Outcomes => "outcome",
        Group::Codes => "code",
        Group::Chains => "chain",
        Group::Progress => "progress",
        Group::BlockedBy => "blocked_by",
        Group::Annotations => "commitment with",
        Group::Evidence => "evidence",
        Group::Reconcile => "reconcile",
        Group::Damages => "damage",
        Group::Readiness => "readiness",
        _ => "count",
    }
}

impl Census {
    /// What was never seen and should have been: outcomes and classes, codes of stage 6, codes that
    /// block, progress with its causes, states of chains, evidence, causes to reconcile, damages.
    ///
    /// Quotas are not expected: no log of reasonable size exceeds the default ones.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        let mut expect = |group: Group, what: &str| {
            if self.of(group, what) == 0 {
                missing.push(format!("{} {what}", word(group)));
            }
        };
        for outcome in ["accepted", "pending", "duplicate", "id_conflict"] {
            expect(Group::Outcomes, outcome);
        }
        for class in Class::ALL {
            if !matches!(class, Class::Limit | Class::IdConflict) {
                expect(Group::Outcomes, &format!("rejected {class}"));
            }
        }
        for code in Code::ALL {
            if code.class() == Class::Reference {
                expect(Group::Codes, code.as_str());
            }
        }
        for code in Block::ALL {
            expect(Group::BlockedBy, code.as_str());
        }
        let fixed = [
            (Group::Chains, words::CHAINS),
            (Group::Progress, words::PROGRESS),
            (Group::Annotations, words::ANNOTATIONS),
            (Group::Annotations, words::LISTS),
            (Group::Evidence, words::EVIDENCE),
            (Group::Reconcile, words::CAUSES),
            (Group::Readiness, words::READINESS),
        ];
        for (group, all) in fixed {
            for what in all {
                expect(group, what);
            }
        }
        for damage in Damage::ALL {
            expect(Group::Damages, damage.as_str());
        }
        missing
    }
}
