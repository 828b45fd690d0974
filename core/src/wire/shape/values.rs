//! The rules for single values and lists (S1.01, S1.02).

use super::super::finding::shown;
use super::super::near::nearest;
use super::super::repeats::repeats;
use super::super::{Kind, Value};
use super::reader::{Reader, Spot};
use crate::Code;
use crate::message::{
    Act, Assessment, Basis, ChallengeKind, Confidence, EvidenceRef, Mode, Name, NonEmpty,
    RawObject, Recipients, Reference, ReportState, Text, Timestamp,
};
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub(super) fn text<'a>(reader: &mut Reader, spot: &Spot<'_, '_, 'a>) -> Option<Text<'a>> {
    checked(
        reader,
        spot,
        Text::new,
        "a string of at least one character",
    )
}

pub(super) fn name<'a>(reader: &mut Reader, spot: &Spot<'_, '_, 'a>) -> Option<Name<'a>> {
    checked(reader, spot, Name::new, "a name without a colon")
}

pub(super) fn reference<'a>(reader: &mut Reader, spot: &Spot<'_, '_, 'a>) -> Option<Reference<'a>> {
    checked(
        reader,
        spot,
        Reference::new,
        "a message reference `sender:suffix`",
    )
}

pub(super) fn evidence_ref<'a>(
    reader: &mut Reader,
    spot: &Spot<'_, '_, 'a>,
) -> Option<EvidenceRef<'a>> {
    checked(
        reader,
        spot,
        EvidenceRef::new,
        "an evidence reference `ev:suffix`",
    )
}

pub(super) fn time<'a>(reader: &mut Reader, spot: &Spot<'_, '_, 'a>) -> Option<Timestamp<'a>> {
    checked(reader, spot, Timestamp::new, "an RFC 3339 timestamp")
}

/// A string that a constructor accepts.
fn checked<'a, T>(
    reader: &mut Reader,
    spot: &Spot<'_, '_, 'a>,
    new: impl FnOnce(Cow<'a, str>) -> Result<T, Code>,
    expected: &str,
) -> Option<T> {
    let Some(text) = spot.value.as_cow() else {
        return reader.wrong_type(spot, expected);
    };
    match new(text) {
        Ok(value) => Some(value),
        Err(code) => {
            let found = spot.value.as_str().unwrap_or_default();
            reader.report(code, spot, |label| wrong(label, found, expected));
            None
        }
    }
}

/// `` `x` is `y`; it must be … ``
fn wrong(label: &str, found: &str, expected: &str) -> String {
    if found.is_empty() {
        return format!("{label} is empty; it must be {expected}");
    }
    format!("{label} is {}; it must be {expected}", shown(found))
}

/// A value, or null for none.
pub(super) fn or_null<'j, 'a: 'j, T>(
    read: impl FnOnce(&mut Reader, &Spot<'_, 'j, 'a>) -> Option<T>,
) -> impl FnOnce(&mut Reader, &Spot<'_, 'j, 'a>) -> Option<Option<T>> {
    move |reader, spot| match spot.value.kind() {
        Kind::Null => Some(None),
        _ => read(reader, spot).map(Some),
    }
}

/// One of a closed set of words, in exactly its spelling.
pub(super) fn word<T>(
    reader: &mut Reader,
    spot: &Spot<'_, '_, '_>,
    code: Code,
    words: &[&'static str],
    from_name: impl FnOnce(&str) -> Option<T>,
) -> Option<T> {
    let Some(found) = spot.value.as_str() else {
        return reader.wrong_type(spot, &one_of(words));
    };
    let value = from_name(found);
    if value.is_none() {
        reader.report_with_hint(code, spot, |label| {
            (wrong(label, found, &one_of(words)), nearest(found, words))
        });
    }
    value
}

/// `low, medium, high or unspecified`
fn one_of(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// The reader of an enumerated word.
macro_rules! word_reader {
    ($($name:ident $type:ident $code:ident;)+) => { $(
        pub(super) fn $name(reader: &mut Reader, spot: &Spot<'_, '_, '_>) -> Option<$type> {
            word(reader, spot, Code::$code, $type::WORDS, $type::from_name)
        }
    )+ };
}

word_reader! {
    act Act UnknownAct;
    assessment Assessment UnknownValue;
    basis Basis UnknownValue;
    challenge_kind ChallengeKind UnknownValue;
    confidence Confidence UnknownValue;
    mode Mode UnknownValue;
    report_state ReportState UnknownValue;
}

/// A list that may be empty. Every entry is judged.
pub(super) fn list<'j, 'a: 'j, T>(
    read: impl Fn(&mut Reader, &Spot<'_, 'j, 'a>) -> Option<T>,
) -> impl FnOnce(&mut Reader, &Spot<'_, 'j, 'a>) -> Option<Vec<T>> {
    move |reader, spot| entries(reader, spot, read)?.into_iter().collect()
}

/// A list of at least one entry.
pub(super) fn list_of_some<'j, 'a: 'j, T>(
    read: impl Fn(&mut Reader, &Spot<'_, 'j, 'a>) -> Option<T>,
) -> impl FnOnce(&mut Reader, &Spot<'_, 'j, 'a>) -> Option<NonEmpty<T>> {
    move |reader, spot| {
        let entries = list(read)(reader, spot)?;
        NonEmpty::new(entries)
            .map_err(|code| empty_list(reader, spot, code))
            .ok()
    }
}

fn empty_list(reader: &mut Reader, spot: &Spot<'_, '_, '_>, code: Code) {
    reader.report(code, spot, |label| {
        format!("{label} is empty; it must have at least one entry")
    });
}

fn entries<'j, 'a: 'j, T>(
    reader: &mut Reader,
    spot: &Spot<'_, 'j, 'a>,
    read: impl Fn(&mut Reader, &Spot<'_, 'j, 'a>) -> Option<T>,
) -> Option<Vec<Option<T>>> {
    if spot.value.kind() != Kind::Array {
        return reader.wrong_type(spot, "an array");
    }
    let items = spot.value.items().enumerate();
    Some(
        items
            .map(|(index, value)| read(reader, &spot.item(index, value)))
            .collect(),
    )
}

/// `to`: some names, each once.
pub(super) fn recipients<'a>(
    reader: &mut Reader,
    spot: &Spot<'_, '_, 'a>,
) -> Option<Recipients<'a>> {
    let names = entries(reader, spot, text)?;
    // Only valid names are compared: two empty ones are two empty texts already.
    let valid: Vec<_> = spot
        .value
        .items()
        .enumerate()
        .zip(&names)
        .filter(|(_, name)| name.is_some())
        .collect();
    let texts = valid
        .iter()
        .map(|((_, value), _)| value.as_str().unwrap_or_default());
    let repeated = repeats(texts);
    for &index in &repeated {
        let Some(&((index, value), _)) = valid.get(index) else {
            continue;
        };
        reader.report(Code::RepeatedRecipient, &spot.item(index, value), |label| {
            format!(
                "{label} is {} again",
                shown(value.as_str().unwrap_or_default())
            )
        });
    }
    let names: Vec<_> = names.into_iter().collect::<Option<_>>()?;
    if !repeated.is_empty() {
        return None;
    }
    Recipients::distinct(names)
        .map_err(|code| empty_list(reader, spot, code))
        .ok()
}

/// `extensions`: any object, kept as written.
pub(super) fn extensions<'a>(
    reader: &mut Reader,
    spot: &Spot<'_, '_, 'a>,
) -> Option<RawObject<'a>> {
    object(reader, spot).map(|object| RawObject::read(object.source()))
}

/// An object, whatever it holds.
pub(super) fn object<'j, 'a>(
    reader: &mut Reader,
    spot: &Spot<'_, 'j, 'a>,
) -> Option<Value<'j, 'a>> {
    match spot.value.kind() {
        Kind::Object => Some(spot.value),
        _ => reader.wrong_type(spot, "an object"),
    }
}
