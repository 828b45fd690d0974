//! What a person can answer: each kind of value with the rule that it obeys.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use tern_core::Code;
use tern_core::message::{
    Assessment, Basis, ChallengeKind, Confidence, EvidenceRef, Name, RawObject, Reference,
    ReportState, Text, Timestamp,
};

/// A value that can be read from what somebody typed.
pub(super) trait Answer: Sized {
    /// Reads it, or says what is wrong and how it should look.
    fn read(typed: &str) -> Result<Self, String>;

    /// The words among which to choose, if it is one of a few.
    fn choices() -> Option<String> {
        None
    }
}

fn why(code: Code) -> String {
    format!("{} ({code}, {})", code.hint(), code.clause())
}

/// Checked strings: a parser for clap, and the same for prompts.
macro_rules! strings {
    ($($kind:ident $parser:ident;)+) => { $(
        pub(super) fn $parser(typed: &str) -> Result<$kind<'static>, String> {
            $kind::new(typed.to_string()).map_err(why)
        }

        impl Answer for $kind<'static> {
            fn read(typed: &str) -> Result<Self, String> {
                $parser(typed)
            }
        }
    )+ };
}

strings! {
    Text text;
    Name name;
    Reference reference;
    EvidenceRef evidence_ref;
    Timestamp timestamp;
    RawObject object;
}

/// A word of one of the closed vocabularies.
pub(super) trait Word: Copy + Send + Sync + 'static {
    const WORDS: &'static [Self];
    fn word(self) -> &'static str;
}

macro_rules! words {
    ($($kind:ident)+) => { $(
        impl Word for $kind {
            const WORDS: &'static [Self] = Self::ALL;
            fn word(self) -> &'static str {
                self.as_str()
            }
        }

        impl Answer for $kind {
            fn read(typed: &str) -> Result<Self, String> {
                find(typed).ok_or_else(|| format!("one of {}", spelled::<Self>()))
            }

            fn choices() -> Option<String> {
                Some(spelled::<Self>())
            }
        }
    )+ };
}

words! { Basis Confidence ReportState ChallengeKind Assessment }

fn find<W: Word>(typed: &str) -> Option<W> {
    W::WORDS.iter().copied().find(|word| word.word() == typed)
}

fn spelled<W: Word>() -> String {
    let words: Vec<&str> = W::WORDS.iter().map(|word| word.word()).collect();
    words.join(", ")
}

/// The parser of a vocabulary, which tells clap its words for help and completion.
pub(super) fn word<W: Word>() -> impl TypedValueParser<Value = W> {
    PossibleValuesParser::new(W::WORDS.iter().map(|word| word.word()))
        .try_map(|typed| find::<W>(&typed).ok_or("no such word"))
}

/// What `--reply` takes: a reference, or `none` for a message that answers nothing. No reference
/// is called so, for each has a colon.
#[derive(Clone, Debug)]
pub(super) enum Reply {
    Nothing,
    To(Reference<'static>),
}

pub(super) fn reply(typed: &str) -> Result<Reply, String> {
    match typed {
        "none" => Ok(Reply::Nothing),
        _ => reference(typed).map(Reply::To),
    }
}
