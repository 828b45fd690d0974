//! Where a value stands, and what was found wrong with it.

use super::super::finding::{Lines, Token, escape_token, shown};
use super::super::near::nearest;
use super::super::{Finding, Kind, Rejection, Value};
use crate::Code;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// So many findings of one message are worked out: a hostile one could hold half a million.
const MOST: usize = 10_000;

/// Collects what is wrong with a message, or merely that something is.
pub(super) struct Reader {
    found: Vec<Found>,
    omitted: usize,
    /// The first code in the order of the rules, of all that was found.
    first: Option<Code>,
    quiet: bool,
}

struct Found {
    code: Code,
    pointer: String,
    span: Range<usize>,
    message: String,
    hint: Option<String>,
}

impl Reader {
    pub(super) const fn new() -> Self {
        Self {
            found: Vec::new(),
            omitted: 0,
            first: None,
            quiet: false,
        }
    }

    /// One that only tries whether something can be read.
    pub(super) const fn quiet() -> Self {
        Self {
            found: Vec::new(),
            omitted: 0,
            first: None,
            quiet: true,
        }
    }

    /// Whether nothing was found.
    pub(super) const fn is_satisfied(&self) -> bool {
        self.first.is_none()
    }

    /// Records a failure at a place. The sentence is made only if it is wanted.
    pub(super) fn report(
        &mut self,
        code: Code,
        spot: &Spot<'_, '_, '_>,
        sentence: impl FnOnce(&str) -> String,
    ) {
        self.report_with_hint(code, spot, |label| (sentence(label), None));
    }

    /// The same, with a word that was probably meant.
    pub(super) fn report_with_hint(
        &mut self,
        code: Code,
        spot: &Spot<'_, '_, '_>,
        sentence: impl FnOnce(&str) -> (String, Option<&'static str>),
    ) {
        if self.first.is_none_or(|first| code < first) {
            self.first = Some(code);
        }
        if self.quiet {
            return;
        }
        if self.found.len() == MOST {
            self.omitted += 1;
            return;
        }
        let (message, meant) = sentence(&spot.label());
        let hint = meant.map(|word| format!("did you mean `{word}`?"));
        self.found.push(Found {
            code,
            pointer: spot.pointer(),
            span: spot.span.clone(),
            message,
            hint,
        });
    }

    pub(super) fn wrong_type<T>(&mut self, spot: &Spot<'_, '_, '_>, expected: &str) -> Option<T> {
        let kind = spot.value.kind();
        self.report(Code::WrongType, spot, |label| {
            format!("{label} is {kind}; it must be {expected}")
        });
        None
    }

    /// Looks up the fields of an object, and reports every other one.
    pub(super) fn fields<'s, 'j, 'a, const N: usize>(
        &mut self,
        spot: &'s Spot<'s, 'j, 'a>,
        owner: &'static str,
        names: [&'static str; N],
    ) -> Option<[Field<'s, 'j, 'a>; N]> {
        if spot.value.kind() != Kind::Object {
            return self.wrong_type(spot, "an object");
        }
        let mut fields = names.map(|name| Field {
            parent: spot,
            name,
            value: None,
        });
        for (key, span, value) in spot.value.entries() {
            match fields.iter_mut().find(|field| field.name == key) {
                Some(field) => field.value = Some(value),
                None => self.unknown_field(&spot.entry(key, value, span), owner, key, &names),
            }
        }
        Some(fields)
    }

    fn unknown_field(
        &mut self,
        spot: &Spot<'_, '_, '_>,
        owner: &str,
        key: &str,
        names: &[&'static str],
    ) {
        self.report_with_hint(Code::UnknownField, spot, |_| {
            (
                format!("{} is not a field of {owner}", shown(key)),
                nearest(key, names),
            )
        });
    }

    /// The value, if nothing was found; otherwise everything that was, in the order of the text.
    pub(super) fn finish<T>(self, root: Value<'_, '_>, value: Option<T>) -> Result<T, Rejection> {
        let Self {
            mut found,
            omitted,
            first,
            ..
        } = self;
        match (value, first) {
            (Some(value), None) => Ok(value),
            // INVARIANT: no value is withheld without a report.
            (_, first) => {
                found.sort_by_key(|found| found.span.start);
                let mut lines = Lines::new(root.json.text.as_bytes());
                let findings = found
                    .into_iter()
                    .map(|found| found.place(&mut lines))
                    .collect();
                Err(Rejection::new(
                    first.unwrap_or(Code::WrongType),
                    findings,
                    omitted,
                ))
            }
        }
    }
}

impl Found {
    fn place(self, lines: &mut Lines<'_>) -> Finding {
        let (line, column) = lines.place(self.span.start);
        Finding {
            code: self.code,
            pointer: self.pointer,
            span: self.span,
            line,
            column,
            message: self.message,
            hint: self.hint.unwrap_or_else(|| self.code.hint().into()),
        }
    }
}

/// A value and the way to it from the root.
#[derive(Clone)]
pub(super) struct Spot<'s, 'j, 'a> {
    pub(super) value: Value<'j, 'a>,
    step: Option<(&'s Spot<'s, 'j, 'a>, Token<'s>)>,
    span: Range<usize>,
}

impl<'s, 'j, 'a> Spot<'s, 'j, 'a> {
    pub(super) fn root(value: Value<'j, 'a>) -> Self {
        Self {
            value,
            step: None,
            span: value.span(),
        }
    }

    pub(super) fn item(&'s self, index: usize, value: Value<'j, 'a>) -> Self {
        Self {
            value,
            step: Some((self, Token::Index(index))),
            span: value.span(),
        }
    }

    fn entry(&'s self, key: &'s str, value: Value<'j, 'a>, span: Range<usize>) -> Self {
        Self {
            value,
            step: Some((self, Token::Key(key))),
            span,
        }
    }

    fn pointer(&self) -> String {
        let mut tokens = Vec::new();
        let mut spot = self;
        while let Some((parent, token)) = spot.step {
            tokens.push(token);
            spot = parent;
        }
        let mut pointer = String::new();
        tokens
            .into_iter()
            .rev()
            .for_each(|token| escape_token(&mut pointer, token));
        pointer
    }

    /// How a sentence names the value: its key, and its place in a list, as in `` `to[1]` ``.
    fn label(&self) -> String {
        let mut indexes = String::new();
        let mut spot = self;
        loop {
            match spot.step {
                None if indexes.is_empty() => return "the value".into(),
                None => return format!("entry `{indexes}`"),
                Some((_, Token::Key(key))) => return shown(&[key, &indexes].concat()),
                Some((parent, Token::Index(index))) => {
                    indexes.insert_str(0, &format!("[{index}]"));
                    spot = parent;
                }
            }
        }
    }
}

/// A field of the table, there or not.
pub(super) struct Field<'s, 'j, 'a> {
    parent: &'s Spot<'s, 'j, 'a>,
    name: &'static str,
    value: Option<Value<'j, 'a>>,
}

impl<'s, 'j, 'a> Field<'s, 'j, 'a> {
    /// The field, if it is there.
    pub(super) fn spot(&self) -> Option<Spot<'s, 'j, 'a>> {
        let value = self.value?;
        Some(self.parent.entry(self.name, value, value.span()))
    }

    /// Reads a field that must be there.
    pub(super) fn required<T>(
        &self,
        reader: &mut Reader,
        read: impl FnOnce(&mut Reader, &Spot<'_, 'j, 'a>) -> Option<T>,
    ) -> Option<T> {
        if let Some(spot) = self.spot() {
            return read(reader, &spot);
        }
        let place = self
            .parent
            .entry(self.name, self.parent.value, self.parent.span.clone());
        reader.report(Code::MissingField, &place, |label| {
            format!("{label} is missing")
        });
        None
    }

    /// Reads a field that may be absent; null is not absent.
    pub(super) fn optional<T>(
        &self,
        reader: &mut Reader,
        read: impl FnOnce(&mut Reader, &Spot<'_, 'j, 'a>) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.spot() {
            Some(spot) => read(reader, &spot).map(Some),
            None => Some(None),
        }
    }
}
