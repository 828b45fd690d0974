//! What goes wrong: to one message, on its way, or to the whole document.

mod again;
mod broken;
mod cycle;
pub(crate) mod document;
mod fields;
mod references;
mod way;

use std::rc::Rc;

use super::node::Node;
use super::post::{Mail, When};
use super::world::{Hope, Known, Said, World};

/// Declares the damages with their names.
macro_rules! damages {
    ($( $(#[$doc:meta])* $variant:ident $name:literal; )+) => {
        /// A kind of damage.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Damage { $( $(#[$doc])* $variant, )+ }

        impl Damage {
            /// Every kind.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// What it is called in reports.
            #[must_use]
            pub const fn as_str(self) -> &'static str { match self { $( Self::$variant => $name, )+ } }
        }
    };
}

damages! {
    // on the way
    /// The message is never delivered.
    Drop "drop";
    /// It comes after later ones.
    Late "late";
    /// It comes before earlier ones.
    Early "early";
    /// The last few records change places.
    Shuffle "shuffle";
    /// All records change places.
    ShuffleAll "shuffle_all";
    /// The same bytes again.
    Repeat "repeat";
    /// The same message again, keys in another order.
    RepeatReordered "repeat_reordered";
    /// The same message again, with other white space.
    RepeatSpaced "repeat_spaced";
    /// The same message again, with other escapes.
    RepeatEscaped "repeat_escaped";
    /// The same message again, its numbers in another notation.
    RepeatNumbers "repeat_numbers";
    /// The channel authenticated somebody else.
    SpoofPrincipal "spoof_principal";
    /// The channel authenticated nobody.
    SpoofNobody "spoof_nobody";
    /// The context does not bind the sender.
    SpoofUnbound "spoof_unbound";
    /// The id is another sender's.
    SpoofPrefix "spoof_prefix";
    /// A message of one sender delivered by another as well, perhaps first, perhaps changed.
    SpoofReplay "spoof_replay";
    // one id, several contents
    /// Another text under the same id.
    EquivocateText "equivocate_text";
    /// Another act under the same id.
    EquivocateAct "equivocate_act";
    /// Other references under the same id.
    EquivocateReference "equivocate_reference";
    /// Several other contents under the same id, some of them twice.
    EquivocateMore "equivocate_more";
    // structure
    /// A second revision of the same `previous`.
    ForkChain "fork_chain";
    /// A message that refers to itself.
    CycleSelf "cycle_self";
    /// Two that refer to each other.
    CycleTwo "cycle_two";
    /// Three in a ring.
    CycleThree "cycle_three";
    /// A ring through a replacement.
    CycleReplacement "cycle_replacement";
    /// A reference to what never comes.
    ReferUnknown "refer_unknown";
    /// A reference to what waits for ever.
    ReferPending "refer_pending";
    /// A reference to what was rejected.
    ReferRejected "refer_rejected";
    /// A reference to a message of another act.
    ReferOtherAct "refer_other_act";
    /// A COMMIT in another thread than its request.
    CrossThreads "cross_threads";
    /// Said by somebody who may not say it.
    WrongAuthor "wrong_author";
    /// `fulfilled` without any evidence cited.
    Uncite "uncite";
    /// A replacement that is no body of the target's act.
    ReplacementForeign "replacement_foreign";
    /// A replacement of a REPORT that names another commitment.
    ReplacementOtherCommitment "replacement_other_commitment";
    /// `previous` is of another chain.
    OtherChain "other_chain";
    // fields
    /// A field is absent.
    RemoveField "remove_field";
    /// A field is null.
    NullField "null_field";
    /// A field is an empty text or list.
    EmptyField "empty_field";
    /// A field has another JSON type.
    WrongType "wrong_type";
    /// A field that the tables do not list.
    UnknownField "unknown_field";
    /// A word outside its enumeration.
    BadWord "bad_word";
    /// What is no message reference.
    BadReference "bad_reference";
    /// What is no evidence reference.
    BadEvidence "bad_evidence";
    /// What is no time.
    BadTime "bad_time";
    /// A colon in the sender's name.
    ColonInFrom "colon_in_from";
    /// A recipient named twice.
    RepeatedRecipient "repeated_recipient";
    /// `replace` with null, or `withdraw` with an object.
    ReplacementMismatch "replacement_mismatch";
    /// Another version.
    WrongVersion "wrong_version";
    // odd, and mostly valid
    /// An id of up to some kB.
    HugeId "huge_id";
    /// A very long text.
    HugeText "huge_text";
    /// A text of odd Unicode.
    OddText "odd_text";
    /// Nested about as deep as the limit.
    Deep "deep";
    // bytes
    /// A key twice.
    RepeatedKey "repeated_key";
    /// A key twice, once escaped.
    RepeatedKeyEscaped "repeated_key_escaped";
    /// Bytes that are not UTF-8.
    NotUtf8 "not_utf8";
    /// A byte-order mark.
    ByteOrderMark "byte_order_mark";
    /// The end is missing.
    Truncated "truncated";
    /// Text after the message.
    TrailingText "trailing_text";
    /// Half a surrogate pair, escaped.
    LoneSurrogate "lone_surrogate";
    /// A number whose double is infinite.
    NumberOverflow "number_overflow";
    /// Nothing, or white space.
    NoContent "no_content";
    /// JSON that is no object.
    NotAnObject "not_an_object";
    /// What is not quite JSON.
    NotJson "not_json";
    /// Bytes changed at random.
    Garbled "garbled";
    /// About 1 MiB.
    TooLong "too_long";
    // documents
    /// A line that is no JSON object.
    DocumentBrokenLine "document_broken_line";
    /// A blank line.
    DocumentBlankLine "document_blank_line";
    /// A record with no key, another key or several.
    DocumentUnknownRecord "document_unknown_record";
    /// A record before the context.
    DocumentBeforeContext "document_before_context";
    /// No context at all.
    DocumentNoContext "document_no_context";
    /// A second context that differs.
    DocumentSecondContext "document_second_context";
    /// The same context again, which is allowed.
    DocumentSameContext "document_same_context";
    /// A context named `unverified`.
    DocumentReservedContext "document_reserved_context";
    /// A field is absent.
    DocumentMissingField "document_missing_field";
    /// A field that the record does not have.
    DocumentUnknownField "document_unknown_field";
    /// A value of another type or form.
    DocumentBadValue "document_bad_value";
    /// No payload, or two.
    DocumentPayloads "document_payloads";
    /// JSON under `message` that no message could be.
    DocumentImpossibleMessage "document_impossible_message";
    /// Base64 that is not canonical.
    DocumentBadBase64 "document_bad_base64";
    /// Carriage returns, which are white space.
    DocumentCrlf "document_crlf";
    /// The last newline is missing, which is allowed.
    DocumentNoLastNewline "document_no_last_newline";
    /// Spaces and escapes in records, which are allowed.
    DocumentSpaced "document_spaced";
    /// A byte-order mark at the start.
    DocumentByteOrderMark "document_byte_order_mark";
    /// A bare file that is one message over several lines.
    BarePretty "bare_pretty";
    /// A blank line in a bare file.
    BareBlankLine "bare_blank_line";
}

/// What a damage leaves to do after its message went out.
pub(crate) struct Harm {
    damage: Damage,
    /// Ids that were promised to messages still to come.
    ids: Vec<Rc<str>>,
}

impl Harm {
    fn of(damage: Damage) -> Self {
        Self {
            damage,
            ids: Vec::new(),
        }
    }
}

/// What befell a message.
#[derive(Default)]
pub(crate) struct Misfortune {
    pub(crate) harms: Vec<Harm>,
    /// The message as it was meant, where it is to come after what went wrong: what is refused at
    /// stages 1 to 4 takes no id.
    pub(crate) genuine: Option<Node>,
}

/// Perhaps does some damage to a message.
pub(crate) fn befall(world: &mut World<'_, '_>, said: &mut Said, mail: &mut Mail) -> Misfortune {
    let mut misfortune = Misfortune::default();
    if world.is_harming || !world.dice.chance(world.plan.damage) {
        return misfortune;
    }
    world.is_harming = true;
    let (meant, hope) = (said.node.clone(), said.hope);
    let most = if world.dice.chance(15) { 2 } else { 1 };
    // What does not fit this message is tried again, though not for ever.
    for _ in 0..4 {
        let Some(damage) = world.plan.damages.pick(&mut world.dice) else {
            break;
        };
        if let Some(harm) = strike(damage, world, said, mail) {
            world.damages.push(damage);
            misfortune.harms.push(harm);
        }
        if misfortune.harms.len() == most {
            break;
        }
    }
    let is_refused = said.hope == Hope::Lost && !matches!(mail.when, When::Never);
    let is_same = said.node.get("id") == meant.get("id");
    if is_refused && is_same && world.dice.chance(40) {
        misfortune.genuine = Some(meant);
        said.hope = hope;
    }
    world.is_harming = false;
    misfortune
}

/// Does what remains to be done after the message went out.
pub(crate) fn follow_up(world: &mut World<'_, '_>, harm: Harm, known: &Known) {
    world.is_harming = true;
    match harm.damage {
        Damage::ForkChain => references::fork(world, known),
        Damage::CycleTwo | Damage::CycleThree | Damage::CycleReplacement => {
            cycle::close(world, &harm.ids, known);
        }
        Damage::Shuffle => {
            let (count, seed) = (world.dice.between(2, 8), world.dice.word());
            world.post.shuffle_last(count, seed);
        }
        damage => again::follow(damage, world, known),
    }
    world.is_harming = false;
}

/// Does a damage to a message, unless it does not fit.
fn strike(
    damage: Damage,
    world: &mut World<'_, '_>,
    said: &mut Said,
    mail: &mut Mail,
) -> Option<Harm> {
    let hope = match damage {
        Damage::CycleSelf | Damage::CycleTwo | Damage::CycleThree | Damage::CycleReplacement => {
            let harm = cycle::open(damage, world, said)?;
            said.hope = Hope::Waiting;
            return Some(harm);
        }
        damage if damage <= Damage::SpoofReplay => way::strike(damage, world, said, mail),
        damage if damage <= Damage::EquivocateMore => Some(said.hope),
        damage if damage <= Damage::OtherChain => references::strike(damage, world, said, mail),
        damage if damage <= Damage::Deep => fields::strike(damage, world, said),
        damage => broken::strike(damage, world, said, mail),
    }?;
    said.hope = said.hope.min(hope);
    Some(Harm::of(damage))
}
