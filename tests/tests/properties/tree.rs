//! JSON as trees that owe nothing to the reader under test: serde_json finds the parts, and numbers
//! stay the texts that they are.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use tern_conformance::Mixer;

/// A value. R-02 says when two are equal: keys in any order, arrays in one, strings code point by code
/// point, numbers by their exact value.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    /// `true`, `false` or `null`.
    Word(String),
    Number(String),
    Text(String),
    List(Vec<Self>),
    Object(BTreeMap<String, Self>),
}

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => decimal(one) == decimal(other),
            (Self::Word(one), Self::Word(other)) | (Self::Text(one), Self::Text(other)) => {
                one == other
            }
            (Self::List(one), Self::List(other)) => one == other,
            (Self::Object(one), Self::Object(other)) => one == other,
            _ => false,
        }
    }
}

impl Tree {
    /// None where it is not JSON. Of a repeated key the last one counts.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let text = text.trim_matches([' ', '\t', '\r', '\n']);
        match text.bytes().next()? {
            b'{' => {
                let fields: BTreeMap<String, &RawValue> = serde_json::from_str(text).ok()?;
                let fields = fields.into_iter();
                let fields = fields.map(|(key, field)| Some((key, Self::read(field.get())?)));
                Some(Self::Object(fields.collect::<Option<_>>()?))
            }
            b'[' => {
                let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
                let items = items.into_iter().map(|item| Self::read(item.get()));
                Some(Self::List(items.collect::<Option<_>>()?))
            }
            b'"' => serde_json::from_str(text).ok().map(Self::Text),
            b't' | b'f' | b'n' => Some(Self::Word(text.to_owned())),
            _ => Some(Self::Number(text.to_owned())),
        }
    }

    pub(crate) fn write(&self) -> String {
        let quoted = |text: &String| serde_json::to_string(text).unwrap();
        match self {
            Self::Word(text) | Self::Number(text) => text.clone(),
            Self::Text(text) => quoted(text),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(Self::write).collect();
                format!("[{}]", items.join(","))
            }
            Self::Object(fields) => {
                let field = |(key, field): (&String, &Self)| quoted(key) + ":" + &field.write();
                let fields: Vec<String> = fields.iter().map(field).collect();
                format!("{{{}}}", fields.join(","))
            }
        }
    }

    pub(crate) fn get(&mut self, key: &str) -> Option<&mut Self> {
        match self {
            Self::Object(fields) => fields.get_mut(key),
            _ => None,
        }
    }

    /// Changes one thing somewhere inside, and says what: a text, a number, a word, a key or the order of
    /// a list. None where it came to an empty list or object, or to equal items.
    pub(crate) fn change(&mut self, dice: &mut Mixer) -> Option<&'static str> {
        match self {
            Self::Word(word) => {
                *word = if word == "true" { "false" } else { "true" }.to_owned();
                Some("word")
            }
            Self::Number(number) => {
                *number = neighbour(number);
                Some("number")
            }
            Self::Text(text) => {
                longer(text, dice);
                Some("text")
            }
            Self::List(items) => {
                if items.len() > 1 && dice.below(2) == 0 {
                    let at = dice.below(items.len() - 1);
                    items.swap(at, at + 1);
                    return (items[at] != items[at + 1]).then_some("order");
                }
                let at = dice.below(items.len());
                items.get_mut(at)?.change(dice)
            }
            Self::Object(fields) => {
                let key = fields.keys().nth(dice.below(fields.len()))?.clone();
                if dice.below(4) > 0 {
                    return fields.get_mut(&key)?.change(dice);
                }
                let field = fields.remove(&key)?;
                let mut other = key;
                longer(&mut other, dice);
                // A field that had this key before is gone, which is a change as well.
                fields.insert(other, field);
                Some("key")
            }
        }
    }
}

fn longer(text: &mut String, dice: &mut Mixer) {
    text.push(['x', ' ', '\u{301}', '\0'][dice.below(4)]);
}

/// The value of a decimal as sign, digits without zeros at either end, and exponent of the last one.
/// Plain school arithmetic, for a third opinion.
pub(crate) fn decimal(text: &str) -> (bool, String, i128) {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let mut exponent: i128 = exponent.parse().unwrap();
    let negative = mantissa.starts_with('-');
    let mantissa = mantissa.trim_start_matches('-');
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    exponent -= fraction.len() as i128;
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    let end = digits.trim_end_matches('0');
    if end.is_empty() {
        return (false, String::new(), 0);
    }
    exponent += (digits.len() - end.len()) as i128;
    (negative, end.to_owned(), exponent)
}

/// The same spelling with another last digit before the exponent, and so another number.
pub(crate) fn neighbour(text: &str) -> String {
    let end = text.find(['e', 'E']).unwrap_or(text.len());
    let (mantissa, exponent) = text.split_at(end);
    let (head, last) = mantissa.split_at(mantissa.len() - 1);
    let last = if last == "7" { "8" } else { "7" };
    format!("{head}{last}{exponent}")
}
