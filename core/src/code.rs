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
    /// The stage of a delivery that refused it (semantics §2). Comparable between implementations.
    Class {
        /// Stage 1: the bytes are not one strict JSON object.
        Syntax "syntax" "" "send one JSON object in UTF-8";
        /// Stage 2: not Tern 0.1.
        Version "version" "" "send messages of version 0.1";
        /// Stage 3: not the shape of a message.
        Shape "shape" "" "compare the message with the table of acts";
        /// Stage 4: not said by whom it claims.
        Identity "identity" "" "send over the channel of the sender's own principal";
        /// A quota of this receiver.
        Limit "limit" "" "send it again later";
        /// Stage 5: the id is taken by different content.
        IdConflict "id_conflict" "" "use a fresh id for different content";
        /// Stage 6: what it refers to does not bear it.
        Reference "reference" "" "send a corrected message under a fresh id";
    }
}

codes! {
    /// Why a delivery was not accepted (semantics §2 and §3).
    Code {
        // stage 1
        /// More bytes than the limit.
        TooLong "too_long" "" "split the content over several messages";
        /// Not UTF-8.
        NotUtf8 "not_utf8" "" "encode the message as UTF-8";
        /// Starts with a byte-order mark.
        ByteOrderMark "byte_order_mark" "" "remove the three bytes EF BB BF at the start";
        /// Nothing but white space.
        Empty "empty" "" "send one JSON object; a line may not be blank";
        /// Not JSON.
        MalformedJson "malformed_json" "" "write the message as JSON (RFC 8259)";
        /// Something follows the JSON value.
        TrailingText "trailing_text" "" "send one JSON object and nothing after it";
        /// Half of a surrogate pair, escaped.
        LoneSurrogate "lone_surrogate" "" "escape both halves of the surrogate pair, or write the character itself";
        /// A key twice in one object.
        DuplicateKey "duplicate_key" "" "keep one of the two, and compare keys after their escapes are read";
        /// A number whose double is infinite.
        NumberOverflow "number_overflow" "" "write a number of smaller magnitude, or a string";
        /// Nested deeper than the limit.
        TooDeep "too_deep" "" "flatten the content";
        /// JSON, but no object.
        NotAnObject "not_an_object" "" "wrap the content in a message object";
        // stage 2
        /// `tern` is there and is not "0.1".
        UnsupportedVersion "unsupported_version" "" "set `tern` to \"0.1\"; nothing else of the message was looked at";
        // stage 3
        /// A required field is absent.
        MissingField "missing_field" "" "add the field";
        /// A field the table does not list.
        UnknownField "unknown_field" "" "remove the field, or move it into `extensions`";
        /// A value of the wrong JSON type.
        WrongType "wrong_type" "" "no value is converted: write the type the table asks for";
        /// A text of no characters.
        EmptyText "empty_text" "" "write at least one character";
        /// A list that must not be empty.
        EmptyList "empty_list" "" "list at least one entry";
        /// A word outside its enumeration.
        UnknownValue "unknown_value" "" "use one of the listed words, in this spelling";
        /// An act outside the vocabulary.
        UnknownAct "unknown_act" "" "use one of the ten acts, in capitals";
        /// Not `sender:suffix`.
        BadReference "bad_reference" "" "write `sender:suffix`, both parts nonempty";
        /// Not `ev:suffix`.
        BadEvidenceReference "bad_evidence_reference" "" "write `ev:` and a nonempty suffix";
        /// Not an RFC 3339 timestamp.
        BadTimestamp "bad_timestamp" "" "write an RFC 3339 timestamp such as 2026-11-30T12:00:00Z";
        /// A colon in `from`.
        ColonInSender "colon_in_sender" "" "choose a sender name without a colon";
        /// A recipient named twice.
        RepeatedRecipient "repeated_recipient" "" "name each recipient once";
        /// `replace` without an object, or `withdraw` without null.
        ReplacementMismatch "replacement_mismatch" "" "give a complete body with `replace`, and null with `withdraw`";
        // stage 4
        /// The id's prefix is not `from`.
        IdNotOfSender "id_not_of_sender" "" "begin the id with the sender's own name and a colon";
        /// The context binds nobody of that name.
        SenderUnbound "sender_unbound" "" "bind the name to a principal in a new context";
        /// The channel authenticated another principal.
        PrincipalMismatch "principal_mismatch" "" "send over the channel of the principal that the context binds to this name";
        /// The channel authenticated nobody.
        PrincipalMissing "principal_missing" "" "send over an authenticated channel";
        // quotas
        /// Too many messages wait for references.
        TooManyPending "too_many_pending" "" "deliver what the pending messages wait for, then send it again";
        /// Too many messages of this sender wait.
        TooManyPendingOfSender "too_many_pending_of_sender" "" "deliver what this sender's pending messages wait for, then send it again";
        /// Too many versions of one id.
        TooManyVersions "too_many_versions" "" "use a fresh id";
        // stage 5
        /// A known id with different content.
        IdConflict "id_conflict" "" "use a fresh id for different content; both versions are kept and the id is equivocal";
        // stage 6, in the order of the table in semantics §3
        /// A gating reference names a rejected message.
        ReferenceRejected "reference_rejected" "" "refer to an accepted message";
        /// COMMIT.request is no REQUEST.
        RequestNotRequest "request_not_request" "" "commit to a REQUEST";
        /// COMMIT.request is of another thread.
        RequestOtherThread "request_other_thread" "" "commit in the thread of the REQUEST";
        /// REQUEST.replaces is no COMMIT.
        ReplacesNotCommit "replaces_not_commit" "" "name the COMMIT that the request renegotiates";
        /// REQUEST.replaces is a COMMIT to somebody else's request.
        ReplacesOtherRequester "replaces_other_requester" "" "only the original requester may ask to replace a commitment";
        /// REPORT.commitment is no COMMIT.
        CommitmentNotCommit "commitment_not_commit" "" "report on a COMMIT";
        /// REPORT on somebody else's commitment.
        CommitmentOtherAuthor "commitment_other_author" "" "use TELL or CHALLENGE to speak of another's commitment";
        /// REPORT fulfilled that cites nothing.
        FulfilledWithoutEvidence "fulfilled_without_evidence" "" "cite the evidence that covers each condition of done_when";
        /// REVISE of an act that cannot be revised.
        TargetNotRevisable "target_not_revisable" "" "revise a TELL, PROPOSE, REQUEST, COMMIT or REPORT";
        /// REVISE of somebody else's message.
        TargetOtherAuthor "target_other_author" "" "use CHALLENGE to dispute another's message";
        /// REVISE.previous is not of this chain.
        PreviousNotInChain "previous_not_in_chain" "" "name the target for a first revision, and a REVISE of the same target after that";
        /// REVISE.replacement could not stand in the target's place.
        ReplacementInvalid "replacement_invalid" "" "give a complete body of the target's act that obeys the same rules";
        /// REVISE of a REPORT that moves it to another commitment.
        ReplacementOtherCommitment "replacement_other_commitment" "" "keep the commitment; report on the other one separately";
        /// DECLINE of an act that cannot be declined.
        TargetNotDeclinable "target_not_declinable" "" "decline a REQUEST or a PROPOSE";
    }
}

codes! {
    /// Why a commitment may not be acted on (semantics §6).
    Block {
        /// The request's revisions compete.
        RequestConflicted "request_conflicted" "" "nothing clears it: agree on a fresh REQUEST and COMMIT";
        /// The commitment's revisions compete.
        CommitmentConflicted "commitment_conflicted" "" "nothing clears it: agree on a fresh REQUEST and COMMIT";
        /// A known revision of the request still waits.
        RequestRevisionPending "request_revision_pending" "" "deliver what the revision waits for";
        /// A known revision of the commitment still waits.
        CommitmentRevisionPending "commitment_revision_pending" "" "deliver what the revision waits for";
        /// The request, or a revision of it, rests on an id with several contents.
        RequestEquivocal "request_equivocal" "" "nothing clears it: agree on a fresh REQUEST and COMMIT with fresh ids";
        /// The commitment, a revision or a superseding exchange rests on such an id.
        CommitmentEquivocal "commitment_equivocal" "" "nothing clears it: agree on a fresh REQUEST and COMMIT with fresh ids";
        /// A superseding COMMIT is known and waits.
        SupersessionPending "supersession_pending" "" "deliver what the superseding COMMIT waits for";
        /// The requester withdrew the request.
        RequestWithdrawn "request_withdrawn" "" "ask the requester for a replacement, or for a fresh REQUEST";
        /// The committer withdrew.
        CommitmentWithdrawn "commitment_withdrawn" "" "a later replacement is an offer only: a fresh REQUEST and COMMIT are needed";
        /// A later commitment took its place.
        Superseded "superseded" "" "act on the commitment that took its place";
        /// It was reported fulfilled or failed.
        Terminal "terminal" "" "renewed work needs a fresh REQUEST and COMMIT";
        /// It is reported blocked.
        ReportedBlocked "reported_blocked" "" "clear the obstacle; then its author reports it active";
        /// The reports do not agree on where it stands.
        ProgressUnresolved "progress_unresolved" "" "its author sends a fresh REPORT that refers to every disputed one";
        /// A report, or a revision of one, waits.
        ReportPending "report_pending" "" "deliver what the report waits for";
        /// A report, or a revision of one, rests on an id with several contents.
        ReportEquivocal "report_equivocal" "" "nothing clears it: agree on a fresh REQUEST and COMMIT with fresh ids";
        /// No authority is named and no local permit given.
        NoAuthority "no_authority" "" "record a local `permit` if policy already allows it; a message cannot grant it";
        /// The named grant is not on record.
        GrantUnknown "grant_unknown" "" "record the `grant` that the executor checked";
        /// The named grant was revoked.
        GrantRevoked "grant_revoked" "" "a revoked grant stays revoked: commit again under another grant";
        /// The grant is another principal's.
        GrantOtherPrincipal "grant_other_principal" "" "commit again under a grant for the committer's own principal";
        /// The grant does not list the action.
        GrantTooNarrow "grant_too_narrow" "" "commit to an action that the grant lists, word for word";
        /// The grant is not valid yet.
        GrantNotYetValid "grant_not_yet_valid" "" "wait for its `not_before`, then record a `clock`";
        /// The grant has expired.
        GrantExpired "grant_expired" "" "commit again under a grant that has not expired";
        /// The grant has a bound and no clock was recorded.
        ClockUnknown "clock_unknown" "" "record a `clock`";
        /// A required approval is not on record.
        ApprovalMissing "approval_missing" "" "record the `approve` of a person";
        /// A condition of the commitment is not confirmed.
        ConditionUnconfirmed "condition_unconfirmed" "" "record a `confirm` for each condition";
        /// The local judge found that the terms differ.
        TermsMismatch "terms_mismatch" "" "negotiate: PROPOSE changed terms, then a fresh REQUEST and COMMIT";
        /// The local judge found the terms ambiguous.
        TermsAmbiguous "terms_ambiguous" "" "clarify: then a fresh REQUEST and COMMIT";
    }
}

codes! {
    /// Why a log document is refused as a whole (semantics §8).
    DocumentCode {
        /// A blank line.
        BlankLine "document_blank_line" "" "remove the blank line";
        /// A line that is not one strict JSON object.
        BrokenLine "document_broken_line" "" "write one JSON object a line";
        /// A record with no key, several keys or an unknown one.
        UnknownRecord "document_unknown_record" "" "give the record exactly one of the listed keys";
        /// A required field is absent.
        MissingField "document_missing_field" "" "add the field";
        /// A field that the record does not have.
        UnknownField "document_unknown_field" "" "remove the field";
        /// A value of the wrong type or form.
        BadValue "document_bad_value" "" "write the value as semantics §8 shows it";
        /// A record before `context`.
        BeforeContext "document_before_context" "" "begin the document with its `context` record";
        /// A second and different `context`.
        SecondContext "document_second_context" "" "one log holds one context; start another log";
        /// A context named `unverified`.
        ReservedContext "document_reserved_context" "" "choose another name: `unverified` marks bare messages";
        /// Not exactly one payload in `deliver`.
        NotOnePayload "document_not_one_payload" "" "give one of `message`, `text` and `base64`";
        /// JSON under `message` that no message could be.
        ImpossibleMessage "document_impossible_message" "" "deliver broken bytes as `text` or `base64`";
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
            Self::TooManyPending | Self::TooManyPendingOfSender | Self::TooManyVersions => Class::Limit,
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
