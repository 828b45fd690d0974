//! Every code that this crate can answer with, each with the clause it enforces and what to do.
//!
//! Codes are API: they never change their meaning. The sentences beside them may be reworded.

use core::fmt;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// Declares an enum of stable codes with their names, clauses and hints in one table.
macro_rules! codes {
    ($(#[$meta:meta])* $name:ident { $( $(#[$doc:meta])* $variant:ident $text:literal $clause:literal $hint:literal; )+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $name { $( $(#[$doc])* $variant, )+ }

        impl $name {
            /// Every code of this kind, in the order of the rules.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// The stable name.
            #[must_use]
            pub const fn as_str(self) -> &'static str { match self { $( Self::$variant => $text, )+ } }

            /// The clause of `spec/clauses.toml` that this code enforces.
            #[must_use]
            pub const fn clause(self) -> &'static str { match self { $( Self::$variant => $clause, )+ } }

            /// What to do about it, in one sentence.
            #[must_use]
            pub const fn hint(self) -> &'static str { match self { $( Self::$variant => $hint, )+ } }

            /// The code of that name, if there is one.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|code| code.as_str() == name)
            }
        }

        impl core::error::Error for $name {}

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.as_str()) }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = alloc::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                Self::from_name(&name)
                    .ok_or_else(|| D::Error::custom(alloc::format!("unknown code `{name}`")))
            }
        }
    };
}

codes! {
    /// The stage of a delivery that refused it (S2.02). Comparable between implementations.
    Class {
        /// Stage 1: the bytes are not one strict JSON object.
        Syntax "syntax" "S2.03" "send one JSON object in UTF-8";
        /// Stage 2: not Tern 0.1.
        Version "version" "S2.09" "send messages of version 0.1";
        /// Stage 3: not the shape of a message.
        Shape "shape" "S2.10" "compare the message with the table of acts";
        /// Stage 4: not said by whom it claims.
        Identity "identity" "S2.12" "send over the channel of the sender's own principal";
        /// A quota of this receiver.
        Limit "limit" "R-04" "send it again later";
        /// Stage 5: the id is taken by different content.
        IdConflict "id_conflict" "S2.13" "use a fresh id for different content";
        /// Stage 6: what it refers to does not bear it.
        Reference "reference" "S2.14" "send a corrected message under a fresh id";
    }
}

codes! {
    /// Why a delivery was not accepted (S2.15).
    Code {
        // stage 1
        /// More bytes than the limit.
        TooLong "too_long" "S2.06" "split the content over several messages";
        /// Not UTF-8.
        NotUtf8 "not_utf8" "T1.01" "encode the message as UTF-8";
        /// Starts with a byte-order mark.
        ByteOrderMark "byte_order_mark" "S2.04" "remove the three bytes EF BB BF at the start";
        /// Nothing but white space.
        Empty "empty" "R-05" "send one JSON object; a line may not be blank";
        /// Not JSON.
        MalformedJson "malformed_json" "T1.06" "write the message as JSON (RFC 8259)";
        /// Something follows the JSON value.
        TrailingText "trailing_text" "T1.02" "send one JSON object and nothing after it";
        /// Half of a surrogate pair, escaped.
        LoneSurrogate "lone_surrogate" "S2.05" "escape both halves of the surrogate pair, or write the character itself";
        /// A key twice in one object.
        DuplicateKey "duplicate_key" "T1.05" "keep one of the two, and compare keys after their escapes are read";
        /// A number whose double is infinite.
        NumberOverflow "number_overflow" "T1.07" "write a number of smaller magnitude, or a string";
        /// Nested deeper than the limit.
        TooDeep "too_deep" "S2.06" "flatten the content";
        /// JSON, but no object.
        NotAnObject "not_an_object" "T1.02" "wrap the content in a message object";
        // stage 2
        /// `tern` is there and is not "0.1".
        UnsupportedVersion "unsupported_version" "T1.16" "set `tern` to \"0.1\"; nothing else of the message was looked at";
        // stage 3
        /// A required field is absent.
        MissingField "missing_field" "T2.02" "add the field";
        /// A field the table does not list.
        UnknownField "unknown_field" "T1.14" "remove the field, or move it into `extensions`";
        /// A value of the wrong JSON type.
        WrongType "wrong_type" "T1.10" "no value is converted: write the type the table asks for";
        /// A text of no characters.
        EmptyText "empty_text" "T2.04" "write at least one character";
        /// A list that must not be empty.
        EmptyList "empty_list" "S1.02" "list at least one entry";
        /// A word outside its enumeration.
        UnknownValue "unknown_value" "S2.11" "use one of the listed words, in this spelling";
        /// An act outside the vocabulary.
        UnknownAct "unknown_act" "T8.02" "use one of the ten acts, in capitals";
        /// Not `sender:suffix`.
        BadReference "bad_reference" "T1.18" "write `sender:suffix`, both parts nonempty";
        /// Not `ev:suffix`.
        BadEvidenceReference "bad_evidence_reference" "T1.26" "write `ev:` and a nonempty suffix";
        /// Not an RFC 3339 timestamp.
        BadTimestamp "bad_timestamp" "A-TIME" "write an RFC 3339 timestamp such as 2026-11-30T12:00:00Z";
        /// A colon in `from`.
        ColonInSender "colon_in_sender" "T1.19" "choose a sender name without a colon";
        /// A recipient named twice.
        RepeatedRecipient "repeated_recipient" "T1.12" "name each recipient once";
        /// `replace` without an object, or `withdraw` without null.
        ReplacementMismatch "replacement_mismatch" "T4.14" "give a complete body with `replace`, and null with `withdraw`";
        // stage 4
        /// The id's prefix is not `from`.
        IdNotOfSender "id_not_of_sender" "T1.21" "begin the id with the sender's own name and a colon";
        /// The context binds nobody of that name.
        SenderUnbound "sender_unbound" "T1.20" "bind the name to a principal in a new context";
        /// The channel authenticated another principal.
        PrincipalMismatch "principal_mismatch" "T1.22" "send over the channel of the principal that the context binds to this name";
        /// The channel authenticated nobody.
        PrincipalMissing "principal_missing" "T1.23" "send over an authenticated channel";
        // quotas
        /// Too many messages wait for references.
        TooManyPending "too_many_pending" "R-04" "deliver what the pending messages wait for, then send it again";
        /// Too many messages of this sender wait.
        TooManyPendingOfSender "too_many_pending_of_sender" "R-04" "deliver what this sender's pending messages wait for, then send it again";
        /// Too many versions of one id.
        TooManyVersions "too_many_versions" "R-04" "use a fresh id";
        // stage 5
        /// A known id with different content.
        IdConflict "id_conflict" "T1.28" "use a fresh id for different content; both versions are kept and the id is equivocal";
        // stage 6, in the order of the table (S3.05)
        /// A gating reference names a rejected message.
        ReferenceRejected "reference_rejected" "S3.06" "refer to an accepted message";
        /// COMMIT.request is no REQUEST.
        RequestNotRequest "request_not_request" "T4.02" "commit to a REQUEST";
        /// COMMIT.request is of another thread.
        RequestOtherThread "request_other_thread" "T4.02" "commit in the thread of the REQUEST";
        /// REQUEST.replaces is no COMMIT.
        ReplacesNotCommit "replaces_not_commit" "T4.25" "name the COMMIT that the request renegotiates";
        /// REQUEST.replaces is a COMMIT to somebody else's request.
        ReplacesOtherRequester "replaces_other_requester" "T4.26" "only the original requester may ask to replace a commitment";
        /// REPORT.commitment is no COMMIT.
        CommitmentNotCommit "commitment_not_commit" "S3.07" "report on a COMMIT";
        /// REPORT on somebody else's commitment.
        CommitmentOtherAuthor "commitment_other_author" "T2.07" "use TELL or CHALLENGE to speak of another's commitment";
        /// REPORT fulfilled that cites nothing.
        FulfilledWithoutEvidence "fulfilled_without_evidence" "R-07" "cite the evidence that covers each condition of done_when";
        /// REVISE of an act that cannot be revised.
        TargetNotRevisable "target_not_revisable" "T4.13" "revise a TELL, PROPOSE, REQUEST, COMMIT or REPORT";
        /// REVISE of somebody else's message.
        TargetOtherAuthor "target_other_author" "T4.13" "use CHALLENGE to dispute another's message";
        /// REVISE.previous is not of this chain.
        PreviousNotInChain "previous_not_in_chain" "T4.16" "name the target for a first revision, and a REVISE of the same target after that";
        /// REVISE.replacement could not stand in the target's place.
        ReplacementInvalid "replacement_invalid" "S3.08" "give a complete body of the target's act that obeys the same rules";
        /// REVISE of a REPORT that moves it to another commitment.
        ReplacementOtherCommitment "replacement_other_commitment" "R-08" "keep the commitment; report on the other one separately";
        /// DECLINE of an act that cannot be declined.
        TargetNotDeclinable "target_not_declinable" "S3.09" "decline a REQUEST or a PROPOSE";
    }
}

codes! {
    /// Why a commitment may not be acted on (S6.02).
    Block {
        /// The request's revisions compete.
        RequestConflicted "request_conflicted" "S6.03" "nothing clears it: agree on a fresh REQUEST and COMMIT";
        /// The commitment's revisions compete.
        CommitmentConflicted "commitment_conflicted" "S6.03" "nothing clears it: agree on a fresh REQUEST and COMMIT";
        /// A known revision of the request still waits.
        RequestRevisionPending "request_revision_pending" "S6.04" "deliver what the revision waits for";
        /// A known revision of the commitment still waits.
        CommitmentRevisionPending "commitment_revision_pending" "S6.04" "deliver what the revision waits for";
        /// The request, or a revision of it, rests on an id with several contents.
        RequestEquivocal "request_equivocal" "S6.05" "nothing clears it: agree on a fresh REQUEST and COMMIT with fresh ids";
        /// The commitment, a revision or a superseding exchange rests on such an id.
        CommitmentEquivocal "commitment_equivocal" "S6.06" "nothing clears it: agree on a fresh REQUEST and COMMIT with fresh ids";
        /// A superseding COMMIT is known and waits.
        SupersessionPending "supersession_pending" "S6.07" "deliver what the superseding COMMIT waits for";
        /// The requester withdrew the request.
        RequestWithdrawn "request_withdrawn" "S6.08" "ask the requester for a replacement, or for a fresh REQUEST";
        /// The committer withdrew.
        CommitmentWithdrawn "commitment_withdrawn" "S6.08" "a later replacement is an offer only: a fresh REQUEST and COMMIT are needed";
        /// A later commitment took its place.
        Superseded "superseded" "S6.09" "act on the commitment that took its place";
        /// It was reported fulfilled or failed.
        Terminal "terminal" "S6.10" "renewed work needs a fresh REQUEST and COMMIT";
        /// It is reported blocked.
        ReportedBlocked "reported_blocked" "S6.10" "clear the obstacle; then its author reports it active";
        /// The reports do not agree on where it stands.
        ProgressUnresolved "progress_unresolved" "S6.10" "its author sends a fresh REPORT that follows, directly or through other messages, everything that is unsettled";
        /// A report, or a revision of one, waits.
        ReportPending "report_pending" "S6.11" "deliver what the report waits for";
        /// A report, or a revision of one, rests on an id with several contents.
        ReportEquivocal "report_equivocal" "S6.12" "nothing clears it: agree on a fresh REQUEST and COMMIT with fresh ids";
        /// No authority is named and no local permit given.
        NoAuthority "no_authority" "S6.13" "record a local `permit` if policy already allows it; a message cannot grant it";
        /// The named grant is not on record.
        GrantUnknown "grant_unknown" "S6.14" "record the `grant` that the executor checked";
        /// The named grant was revoked.
        GrantRevoked "grant_revoked" "S6.15" "a revoked grant stays revoked: commit again under another grant";
        /// The grant is another principal's.
        GrantOtherPrincipal "grant_other_principal" "S6.16" "commit again under a grant for the committer's own principal";
        /// The grant does not list the action.
        GrantTooNarrow "grant_too_narrow" "S6.17" "commit to an action that the grant lists, word for word";
        /// The grant is not valid yet.
        GrantNotYetValid "grant_not_yet_valid" "S6.18" "wait for its `not_before`, then record a `clock`";
        /// The grant has expired.
        GrantExpired "grant_expired" "S6.18" "commit again under a grant that has not expired";
        /// The grant has a bound and no clock was recorded.
        ClockUnknown "clock_unknown" "S6.18" "record a `clock`";
        /// A required approval is not on record.
        ApprovalMissing "approval_missing" "S6.20" "record the `approve` of a person";
        /// A condition of the commitment is not confirmed.
        ConditionUnconfirmed "condition_unconfirmed" "S6.20" "record a `confirm` for each condition";
        /// The local judge found that the terms differ.
        TermsMismatch "terms_mismatch" "S6.21" "negotiate: PROPOSE changed terms, then a fresh REQUEST and COMMIT";
        /// The local judge found the terms ambiguous.
        TermsAmbiguous "terms_ambiguous" "S6.21" "clarify: then a fresh REQUEST and COMMIT";
    }
}

codes! {
    /// Why a log document is refused as a whole (S8.02).
    DocumentCode {
        /// A blank line.
        BlankLine "document_blank_line" "S8.03" "remove the blank line";
        /// A line that is not one strict JSON object.
        BrokenLine "document_broken_line" "S8.03" "write one JSON object a line";
        /// A record with no key, several keys or an unknown one.
        UnknownRecord "document_unknown_record" "S8.04" "give the record exactly one of the listed keys";
        /// A required field is absent.
        MissingField "document_missing_field" "S8.05" "add the field";
        /// A field that the record does not have.
        UnknownField "document_unknown_field" "S8.05" "remove the field";
        /// A value of the wrong type or form.
        BadValue "document_bad_value" "S8.05" "write the value as the table of records in spec/tern-0.1.md shows it";
        /// A record before `context`.
        BeforeContext "document_before_context" "S8.06" "begin the document with its `context` record";
        /// A second and different `context`.
        SecondContext "document_second_context" "S8.06" "one log holds one context; start another log";
        /// A context named `unverified`.
        ReservedContext "document_reserved_context" "S8.06" "choose another name: `unverified` marks bare messages";
        /// Not exactly one payload in `deliver`.
        NotOnePayload "document_not_one_payload" "S8.07" "give one of `message`, `text` and `base64`";
        /// JSON under `message` that no message could be.
        ImpossibleMessage "document_impossible_message" "S8.08" "deliver broken bytes as `text` or `base64`";
    }
}

impl Code {
    /// The stage that answers with this code.
    #[must_use]
    pub const fn class(self) -> Class {
        match self {
            Self::TooLong
            | Self::NotUtf8
            | Self::ByteOrderMark
            | Self::Empty
            | Self::MalformedJson
            | Self::TrailingText
            | Self::LoneSurrogate
            | Self::DuplicateKey
            | Self::NumberOverflow
            | Self::TooDeep
            | Self::NotAnObject => Class::Syntax,
            Self::UnsupportedVersion => Class::Version,
            Self::MissingField
            | Self::UnknownField
            | Self::WrongType
            | Self::EmptyText
            | Self::EmptyList
            | Self::UnknownValue
            | Self::UnknownAct
            | Self::BadReference
            | Self::BadEvidenceReference
            | Self::BadTimestamp
            | Self::ColonInSender
            | Self::RepeatedRecipient
            | Self::ReplacementMismatch => Class::Shape,
            Self::IdNotOfSender
            | Self::SenderUnbound
            | Self::PrincipalMismatch
            | Self::PrincipalMissing => Class::Identity,
            Self::TooManyPending | Self::TooManyPendingOfSender | Self::TooManyVersions => {
                Class::Limit
            }
            Self::IdConflict => Class::IdConflict,
            Self::ReferenceRejected
            | Self::RequestNotRequest
            | Self::RequestOtherThread
            | Self::ReplacesNotCommit
            | Self::ReplacesOtherRequester
            | Self::CommitmentNotCommit
            | Self::CommitmentOtherAuthor
            | Self::FulfilledWithoutEvidence
            | Self::TargetNotRevisable
            | Self::TargetOtherAuthor
            | Self::PreviousNotInChain
            | Self::ReplacementInvalid
            | Self::ReplacementOtherCommitment
            | Self::TargetNotDeclinable => Class::Reference,
        }
    }
}

impl Block {
    /// What holds, in a few words.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::RequestConflicted => "revisions of the request compete",
            Self::CommitmentConflicted => "revisions of the commitment compete",
            Self::RequestRevisionPending => "a known revision of the request waits",
            Self::CommitmentRevisionPending => "a known revision of the commitment waits",
            Self::RequestEquivocal => {
                "the request, or a revision of it, rests on an id with several contents"
            }
            Self::CommitmentEquivocal => {
                "the commitment, a revision of it or an exchange that would replace it rests on an id with several contents"
            }
            Self::SupersessionPending => "a commitment that would take its place waits",
            Self::RequestWithdrawn => "the requester withdrew the request",
            Self::CommitmentWithdrawn => "its author withdrew, which is no release",
            Self::Superseded => "a later commitment took its place",
            Self::Terminal => "it is reported fulfilled or failed, and that cannot be reopened",
            Self::ReportedBlocked => "its author reports an obstacle",
            Self::ProgressUnresolved => "its reports do not settle where it stands",
            Self::ReportPending => "a report on it, or a revision of one, waits",
            Self::ReportEquivocal => {
                "a report on it, or a revision of one, rests on an id with several contents"
            }
            Self::NoAuthority => "nothing permits it",
            Self::GrantUnknown => "the grant that it names is not on record",
            Self::GrantRevoked => "the grant that it names is revoked",
            Self::GrantOtherPrincipal => "the grant is for another principal",
            Self::GrantTooNarrow => "the grant does not list this action",
            Self::GrantNotYetValid => "the grant is not valid yet",
            Self::GrantExpired => "the grant has expired",
            Self::ClockUnknown => "the grant is bounded in time and no clock is on record",
            Self::ApprovalMissing => "a person has not approved it",
            Self::ConditionUnconfirmed => "a condition of it is not confirmed",
            Self::TermsMismatch => "its terms do not satisfy the request",
            Self::TermsAmbiguous => "whether its terms satisfy the request is ambiguous",
        }
    }
}
