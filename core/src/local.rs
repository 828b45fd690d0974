//! Local facts: what a receiver knows by itself (S6.01). They are a set: their order never
//! matters, only `revoke` takes one back, and no message can make one.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use crate::message::{Evidence, Instant, Reference, Text, Timestamp};
use crate::reduce::{Ix, State};

/// A local fact, as the log document writes it (S6.01, S8.01). Another fact would be another version
/// of the log document, so whoever matches on this sees all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A grant that the executor checked.
    Grant {
        /// The name that messages cite under `authority_ref`.
        reference: Text<'static>,
        /// What it allows to whom.
        grant: Grant,
    },
    /// The grant of that name holds no longer.
    Revoke {
        /// The name.
        reference: Text<'static>,
    },
    /// Local policy already permits the commitment.
    Permit {
        /// The COMMIT.
        commitment: Reference<'static>,
    },
    /// A person must approve the commitment before it is acted on.
    RequireApproval {
        /// The COMMIT.
        commitment: Reference<'static>,
    },
    /// A person approved it.
    Approve {
        /// The COMMIT.
        commitment: Reference<'static>,
        /// Who.
        by: Text<'static>,
    },
    /// A condition of the commitment holds.
    Confirm {
        /// The COMMIT.
        commitment: Reference<'static>,
        /// Which, counted from 0.
        condition: u64,
    },
    /// A local judgement of its terms against the request.
    Judge {
        /// The COMMIT.
        commitment: Reference<'static>,
        /// The judgement.
        terms: Judgement,
    },
    /// Evidence from a shared store.
    Evidence(Evidence<'static>),
    /// The time. Now is the latest given.
    Clock(Timestamp<'static>),
    /// An action on the commitment began.
    Start {
        /// The COMMIT.
        commitment: Reference<'static>,
        /// The idempotency key of the action.
        action: Text<'static>,
    },
    /// It ended. Closes nothing.
    Finish {
        /// The COMMIT.
        commitment: Reference<'static>,
        /// The idempotency key of the action.
        action: Text<'static>,
    },
    /// These causes were dealt with for a started action.
    Reconciled {
        /// The COMMIT.
        commitment: Reference<'static>,
        /// The idempotency key of the action.
        action: Text<'static>,
        /// Codes, of which only those of *Reconcile* have an effect.
        causes: Vec<Text<'static>>,
    },
}

/// What a grant record allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Whom.
    pub principal: Text<'static>,
    /// Which actions, word for word; all where absent.
    pub actions: Option<BTreeSet<Text<'static>>>,
    /// Not before this time.
    pub not_before: Option<Timestamp<'static>>,
    /// Not at or after this time.
    pub expires: Option<Timestamp<'static>>,
}

/// What a local judge found of a commitment's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// They satisfy the request.
    Satisfied,
    /// They do not.
    Mismatch,
    /// One cannot tell.
    Ambiguous,
}

impl Judgement {
    /// All judgements.
    pub const ALL: [Self; 3] = [Self::Satisfied, Self::Mismatch, Self::Ambiguous];

    /// The word of the log document.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Satisfied => "satisfied",
            Self::Mismatch => "mismatch",
            Self::Ambiguous => "ambiguous",
        }
    }
}

/// What the grants under one name leave, since each of them must suffice. It takes the place of the
/// grants themselves: of a hundred thousand no commitment is compared with more than this.
#[derive(Clone, Debug)]
pub(crate) struct Granted {
    /// Whom, if all say the same.
    pub(crate) principal: Option<Text<'static>>,
    /// The actions that all allow which name any.
    pub(crate) actions: Option<BTreeSet<Text<'static>>>,
    /// The latest beginning and the earliest end.
    pub(crate) not_before: Option<Instant>,
    pub(crate) expires: Option<Instant>,
}

impl Granted {
    fn new(grant: &Grant) -> Self {
        Self {
            principal: Some(grant.principal.clone()),
            actions: grant.actions.clone(),
            not_before: grant.not_before.as_ref().map(Timestamp::instant),
            expires: grant.expires.as_ref().map(Timestamp::instant),
        }
    }

    fn restrict(&mut self, grant: &Grant) {
        let other = Self::new(grant);
        self.principal = self
            .principal
            .take()
            .filter(|name| *name == grant.principal);
        self.actions = match (self.actions.take(), other.actions) {
            (Some(mut all), Some(also)) => {
                all.retain(|action| also.contains(action));
                Some(all)
            }
            (all, also) => all.or(also),
        };
        self.not_before = self.not_before.take().max(other.not_before);
        self.expires = match (self.expires.take(), other.expires) {
            (Some(one), Some(another)) => Some(one.min(another)),
            (one, another) => one.or(another),
        };
    }
}

/// All local facts of a state.
#[derive(Clone, Debug, Default)]
pub(crate) struct LocalFacts {
    pub(crate) grants: BTreeMap<Box<str>, Granted>,
    pub(crate) revoked: BTreeSet<Box<str>>,
    pub(crate) permitted: BTreeSet<Ix>,
    pub(crate) approval_required: BTreeSet<Ix>,
    pub(crate) approved: BTreeSet<Ix>,
    pub(crate) confirmed: BTreeSet<(Ix, u64)>,
    pub(crate) judged: BTreeSet<(Ix, Judgement)>,
    pub(crate) now: Option<Instant>,
    pub(crate) started: BTreeSet<(Ix, Box<str>)>,
    pub(crate) reconciled: BTreeMap<(Ix, Box<str>), BTreeSet<Box<str>>>,
}

impl LocalFacts {
    /// What the grants on record under a name leave, if there is any.
    pub(crate) fn granted(&self, reference: &str) -> Option<&Granted> {
        self.grants.get(reference)
    }

    pub(crate) fn is_revoked(&self, reference: &str) -> bool {
        self.revoked.contains(reference)
    }

    pub(crate) fn is_permitted(&self, commitment: Ix) -> bool {
        self.permitted.contains(&commitment)
    }

    pub(crate) fn lacks_approval(&self, commitment: Ix) -> bool {
        self.approval_required.contains(&commitment) && !self.approved.contains(&commitment)
    }

    /// How many of the first `count` conditions are not confirmed, and the first of them. Costs the
    /// confirmations, however many conditions there are.
    pub(crate) fn unconfirmed(&self, commitment: Ix, count: u32) -> Option<(u64, u64)> {
        let count = u64::from(count);
        let (mut unconfirmed, mut first) = (count, 0);
        for &(_, condition) in self.confirmed.range((commitment, 0)..(commitment, count)) {
            unconfirmed -= 1;
            if condition == first {
                first += 1;
            }
        }
        (unconfirmed > 0).then_some((unconfirmed, first))
    }

    pub(crate) fn is_judged(&self, commitment: Ix, judgement: Judgement) -> bool {
        self.judged.contains(&(commitment, judgement))
    }

    pub(crate) fn now(&self) -> Option<&Instant> {
        self.now.as_ref()
    }

    pub(crate) fn started(&self) -> impl Iterator<Item = &(Ix, Box<str>)> {
        self.started.iter()
    }

    pub(crate) fn is_reconciled(&self, action: &(Ix, Box<str>), cause: &str) -> bool {
        self.reconciled
            .get(action)
            .is_some_and(|causes| causes.contains(cause))
    }
}

impl State {
    /// Takes a local fact. One about an unknown id waits until the id is an accepted COMMIT.
    pub(crate) fn learn(&mut self, fact: &Fact) {
        match fact {
            Fact::Grant { reference, grant } => {
                let granted = self.local.grants.entry(reference.as_str().into());
                granted
                    .and_modify(|granted| granted.restrict(grant))
                    .or_insert_with(|| Granted::new(grant));
            }
            Fact::Revoke { reference } => {
                self.local.revoked.insert(reference.as_str().into());
            }
            Fact::Permit { commitment } => {
                let ix = self.intern(commitment.as_str());
                self.local.permitted.insert(ix);
            }
            Fact::RequireApproval { commitment } => {
                let ix = self.intern(commitment.as_str());
                self.local.approval_required.insert(ix);
            }
            Fact::Approve { commitment, .. } => {
                let ix = self.intern(commitment.as_str());
                self.local.approved.insert(ix);
            }
            Fact::Confirm {
                commitment,
                condition,
            } => {
                let ix = self.intern(commitment.as_str());
                self.local.confirmed.insert((ix, *condition));
            }
            Fact::Judge { commitment, terms } => {
                let ix = self.intern(commitment.as_str());
                self.local.judged.insert((ix, *terms));
            }
            Fact::Evidence(evidence) => self.evidence.give_from_store(evidence),
            Fact::Clock(time) => {
                let given = time.instant();
                if self.local.now.as_ref().is_none_or(|now| *now < given) {
                    self.local.now = Some(given);
                }
            }
            Fact::Start { commitment, action } => {
                let ix = self.intern(commitment.as_str());
                self.local.started.insert((ix, action.as_str().into()));
            }
            // An entry under `reconcile` stays until its causes are reconciled.
            Fact::Finish { .. } => {}
            Fact::Reconciled {
                commitment,
                action,
                causes,
            } => {
                let ix = self.intern(commitment.as_str());
                let known = self.local.reconciled.entry((ix, action.as_str().into()));
                known
                    .or_default()
                    .extend(causes.iter().map(|cause| cause.as_str().into()));
            }
        }
    }
}
