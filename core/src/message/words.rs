//! The closed vocabularies: acts, states and the other enumerated words (S2.11).

use core::fmt;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// Declares an enum of words, each with its spelling on the wire.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $( $(#[$doc:meta])* $variant:ident $word:literal; )+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $( $(#[$doc])* $variant, )+ }

        impl $name {
            /// Every word, in the order of the table.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// Their spellings, in the same order.
            pub(crate) const WORDS: &'static [&'static str] = &[ $( $word, )+ ];

            /// The spelling on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str { match self { $( Self::$variant => $word, )+ } }

            /// The word of exactly that spelling, if there is one.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $( $word => Some(Self::$variant), )+ _ => None }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.pad(self.as_str()) }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = alloc::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                Self::from_name(&word)
                    .ok_or_else(|| D::Error::custom(alloc::format!("unknown word `{word}`")))
            }
        }
    };
}

words! {
    /// The ten speech acts (T2.01).
    Act {
        /// Ask for information.
        Ask "ASK";
        /// Assert.
        Tell "TELL";
        /// Offer a plan.
        Propose "PROPOSE";
        /// Ask for an action.
        Request "REQUEST";
        /// Undertake.
        Commit "COMMIT";
        /// Assess one's own undertaking.
        Report "REPORT";
        /// Dispute without overwriting.
        Challenge "CHALLENGE";
        /// Correct or withdraw one's own.
        Revise "REVISE";
        /// Refuse a request or a proposal.
        Decline "DECLINE";
        /// Received, nothing more.
        Ack "ACK";
    }
}

words! {
    /// Where a commitment stands, as its author reports it (A-REPORT).
    ReportState {
        /// Under way.
        Active "active";
        /// Held up.
        Blocked "blocked";
        /// Done, by the author's assessment.
        Fulfilled "fulfilled";
        /// Not to be done, by the author's assessment.
        Failed "failed";
    }
}

impl ReportState {
    /// Whether nothing is left to do (T4.12).
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Fulfilled | Self::Failed)
    }
}

words! {
    /// In what respect a message is disputed (A-CHALLENGE).
    ChallengeKind {
        /// It is not so.
        Factual "factual";
        /// It does not follow.
        Inference "inference";
        /// It does not reach that far, or reaches too far.
        Scope "scope";
        /// It cannot be done.
        Feasibility "feasibility";
        /// The sender may not.
        Authority "authority";
    }
}

words! {
    /// How the sender comes to a claim (A-CLAIM).
    Basis {
        /// Inspected directly.
        Observed "observed";
        /// Reasoned from premises.
        Inferred "inferred";
        /// Attributed to a source.
        Reported "reported";
        /// Depended upon, unverified.
        Assumed "assumed";
    }
}

words! {
    /// How firmly a claim is believed: no probability and no permission (A-CLAIM).
    Confidence {
        /// Barely.
        Low "low";
        /// Somewhat.
        Medium "medium";
        /// Firmly.
        High "high";
        /// Not said.
        Unspecified "unspecified";
    }
}

words! {
    /// What a revision does to a commitment, as its sender sees it (A-IMPACT).
    Assessment {
        /// Work on it should rest.
        Paused "paused";
        /// It is not touched.
        Unaffected "unaffected";
        /// Somebody must say how to go on.
        AwaitingInstruction "awaiting_instruction";
    }
}

words! {
    /// What a REVISE does (A-REVISE). In a [`super::Revise`] it is one with the replacement.
    Mode {
        /// Other content in its place.
        Replace "replace";
        /// No content any more.
        Withdraw "withdraw";
    }
}
