//! A message as the JSON it stands for: the one description of its fields, which both writers use.
//!
//! The depth of a tree is bounded by the table of acts; what can be deeper (`extensions`, a
//! shapeless replacement) is a leaf, kept as text.

use super::{
    Ask, Body, Challenge, Change, Claim, Commit, Content, Decline, Evidence, EvidenceRef, Impact,
    Message, Name as Sender, Propose, RawObject, Reference, Replacement, Report, Request, Revise,
    Tell, Text, Timestamp,
};
use crate::wire::write_string;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use serde::ser::{Serialize, SerializeMap as _, Serializer};

macro_rules! key {
    ($name:ident) => {
        Name {
            name: stringify!($name),
            key: concat!("\"", stringify!($name), "\":"),
        }
    };
}

/// A JSON value that a message holds.
#[derive(Clone, Copy)]
enum Tree<'m> {
    Null,
    Word(&'m str),
    Text(&'m Text<'m>),
    Texts(&'m [Text<'m>]),
    References(&'m [EvidenceRef<'m>]),
    Body(&'m Body<'m>),
    Replacement(&'m Replacement<'m>),
    Claims(&'m [Claim<'m>]),
    Impacts(&'m [Impact<'m>]),
    Evidence(&'m [Evidence<'m>]),
    Raw(&'m RawObject<'m>),
}

impl<'m> From<&'m Text<'m>> for Tree<'m> {
    fn from(text: &'m Text<'m>) -> Self {
        Self::Text(text)
    }
}

macro_rules! short {
    ($($kind:ident)+) => { $(
        impl<'m> From<&'m $kind<'m>> for Tree<'m> {
            fn from(string: &'m $kind<'m>) -> Self {
                Self::Word(string.as_str())
            }
        }
    )+ };
}

short!(EvidenceRef Reference Sender Timestamp);

/// Takes the fields of an object.
trait Fields<'m> {
    /// A field: its place in the table, its name, its value. They come in the order of canonical JSON (S7.03).
    fn field(&mut self, place: u8, name: Name, value: Tree<'m>);

    fn string(&mut self, place: u8, name: Name, string: impl Into<Tree<'m>>) {
        self.field(place, name, string.into());
    }

    fn or_null(&mut self, place: u8, name: Name, string: Option<impl Into<Tree<'m>>>) {
        self.field(place, name, string.map_or(Tree::Null, Into::into));
    }

    fn maybe(&mut self, place: u8, name: Name, string: Option<impl Into<Tree<'m>>>) {
        if let Some(string) = string {
            self.string(place, name, string);
        }
    }

    fn extensions(&mut self, place: u8, extensions: Option<&'m RawObject<'m>>) {
        if let Some(object) = extensions {
            self.field(place, key!(extensions), Tree::Raw(object));
        }
    }
}

/// The name of a field, by itself and as it stands in canonical JSON.
#[derive(Clone, Copy)]
struct Name {
    name: &'static str,
    key: &'static str,
}

/// An object of the table.
trait Object {
    fn fields<'m>(&'m self, to: &mut impl Fields<'m>);
}

impl Object for Message<'_> {
    fn fields<'m>(&'m self, to: &mut impl Fields<'m>) {
        to.field(6, key!(act), Tree::Word(self.act().as_str()));
        to.field(7, key!(body), Tree::Body(&self.body));
        if let Some(evidence) = &self.evidence {
            to.field(8, key!(evidence), Tree::Evidence(evidence));
        }
        to.extensions(9, self.extensions.as_ref());
        to.string(2, key!(from), &self.from);
        to.string(1, key!(id), &self.id);
        to.or_null(5, key!(reply), self.reply.as_ref());
        to.field(0, key!(tern), Tree::Word("0.1"));
        to.string(4, key!(thread), &self.thread);
        to.field(3, key!(to), Tree::Texts(self.to.as_slice()));
    }
}

impl Object for Body<'_> {
    fn fields<'m>(&'m self, to: &mut impl Fields<'m>) {
        match self {
            Self::Ask(Ask {
                question,
                about,
                extensions,
            }) => {
                to.maybe(1, key!(about), about.as_ref());
                to.extensions(2, extensions.as_ref());
                to.string(0, key!(question), question);
            }
            Self::Content(content) => content.fields(to),
            Self::Challenge(body) => body.fields(to),
            Self::Revise(body) => body.fields(to),
            Self::Decline(Decline {
                target,
                reason,
                alternative,
                extensions,
            }) => {
                to.maybe(2, key!(alternative), alternative.as_ref());
                to.extensions(3, extensions.as_ref());
                to.string(1, key!(reason), reason);
                to.string(0, key!(target), target);
            }
            Self::Ack(body) => {
                to.extensions(1, body.extensions.as_ref());
                to.string(0, key!(target), &body.target);
            }
        }
    }
}

impl Object for Content<'_> {
    fn fields<'m>(&'m self, to: &mut impl Fields<'m>) {
        match self {
            Self::Tell(Tell { claims, extensions }) => {
                to.field(0, key!(claims), Tree::Claims(claims.as_slice()));
                to.extensions(1, extensions.as_ref());
            }
            Self::Propose(Propose {
                plan,
                success,
                constraints,
                extensions,
            }) => {
                to.field(2, key!(constraints), Tree::Texts(constraints));
                to.extensions(3, extensions.as_ref());
                to.string(0, key!(plan), plan);
                to.string(1, key!(success), success);
            }
            Self::Request(Request {
                action,
                done_when,
                constraints,
                authority_ref,
                replaces,
                extensions,
            }) => {
                to.string(0, key!(action), action);
                to.or_null(3, key!(authority_ref), authority_ref.as_ref());
                to.field(2, key!(constraints), Tree::Texts(constraints));
                to.string(1, key!(done_when), done_when);
                to.extensions(5, extensions.as_ref());
                to.maybe(4, key!(replaces), replaces.as_ref());
            }
            Self::Commit(Commit {
                request,
                action,
                deliverable,
                done_when,
                due,
                conditions,
                authority_ref,
                extensions,
            }) => {
                to.string(1, key!(action), action);
                to.or_null(6, key!(authority_ref), authority_ref.as_ref());
                to.field(5, key!(conditions), Tree::Texts(conditions));
                to.string(2, key!(deliverable), deliverable);
                to.string(3, key!(done_when), done_when);
                to.or_null(4, key!(due), due.as_ref());
                to.extensions(7, extensions.as_ref());
                to.string(0, key!(request), request);
            }
            Self::Report(Report {
                commitment,
                state,
                claims,
                next,
                extensions,
            }) => {
                to.field(2, key!(claims), Tree::Claims(claims.as_slice()));
                to.string(0, key!(commitment), commitment);
                to.extensions(4, extensions.as_ref());
                to.maybe(3, key!(next), next.as_ref());
                to.field(1, key!(state), Tree::Word(state.as_str()));
            }
        }
    }
}

impl Object for Challenge<'_> {
    fn fields<'m>(&'m self, to: &mut impl Fields<'m>) {
        to.extensions(5, self.extensions.as_ref());
        to.field(1, key!(kind), Tree::Word(self.kind.as_str()));
        to.string(2, key!(objection), &self.objection);
        to.string(4, key!(resolution_test), &self.resolution_test);
        to.field(3, key!(support), Tree::References(&self.support));
        to.string(0, key!(target), &self.target);
    }
}

impl Object for Revise<'_> {
    fn fields<'m>(&'m self, to: &mut impl Fields<'m>) {
        let replacement = match &self.change {
            Change::Withdraw => Tree::Null,
            Change::Replace(replacement) => Tree::Replacement(replacement),
        };
        to.extensions(6, self.extensions.as_ref());
        to.field(5, key!(impact), Tree::Impacts(&self.impact));
        to.field(2, key!(mode), Tree::Word(self.change.mode().as_str()));
        to.string(1, key!(previous), &self.previous);
        to.string(3, key!(reason), &self.reason);
        to.field(4, key!(replacement), replacement);
        to.string(0, key!(target), &self.target);
    }
}

impl Object for Claim<'_> {
    fn fields<'m>(&'m self, to: &mut impl Fields<'m>) {
        to.field(5, key!(alternatives), Tree::Texts(&self.alternatives));
        to.field(1, key!(basis), Tree::Word(self.basis.as_str()));
        to.field(2, key!(confidence), Tree::Word(self.confidence.as_str()));
        to.field(4, key!(evidence), Tree::References(&self.evidence));
        to.string(3, key!(scope), &self.scope);
        to.string(0, key!(text), &self.text);
    }
}

impl Object for Impact<'_> {
    fn fields<'m>(&'m self, to: &mut impl Fields<'m>) {
        to.field(1, key!(assessment), Tree::Word(self.assessment.as_str()));
        to.string(0, key!(commitment), &self.commitment);
        to.string(2, key!(reason), &self.reason);
    }
}

impl Object for Evidence<'_> {
    fn fields<'m>(&'m self, to: &mut impl Fields<'m>) {
        to.string(2, key!(collected_at), &self.collected_at);
        to.string(0, key!(id), &self.id);
        to.string(3, key!(method), &self.method);
        to.string(4, key!(result), &self.result);
        to.string(1, key!(source), &self.source);
    }
}

/// The canonical JSON of a message, and where in it what has digests of its own stands.
pub(crate) struct Canonical {
    pub(crate) json: String,
    /// The body of the five revisable acts; of a REVISE, the object under `replacement`.
    pub(crate) content: Option<Range<usize>>,
    /// Each object under `evidence`.
    pub(crate) evidence: Vec<Range<usize>>,
}

impl Canonical {
    pub(super) fn of_message(message: &Message<'_>) -> Self {
        let mut out = Self::with_capacity(1024);
        out.object(message);
        out
    }

    pub(super) fn of_evidence(evidence: &Evidence<'_>) -> Self {
        let mut out = Self::with_capacity(256);
        out.object(evidence);
        out
    }

    fn with_capacity(bytes: usize) -> Self {
        Self {
            json: String::with_capacity(bytes),
            content: None,
            evidence: Vec::new(),
        }
    }

    #[inline]
    fn object(&mut self, object: &impl Object) -> Range<usize> {
        let start = self.json.len();
        self.json.push('{');
        object.fields(self);
        self.json.push('}');
        start..self.json.len()
    }

    fn list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        self.json.push('[');
        for (index, each) in items.iter().enumerate() {
            if index > 0 {
                self.json.push(',');
            }
            item(self, each);
        }
        self.json.push(']');
    }

    fn objects(&mut self, objects: &[impl Object]) {
        self.list(objects, |out, it| {
            out.object(it);
        });
    }

    fn value(&mut self, value: Tree<'_>) {
        match value {
            Tree::Null => self.json.push_str("null"),
            Tree::Word(word) => write_string(&mut self.json, word),
            Tree::Text(text) => text.write_canonical(&mut self.json),
            Tree::Texts(texts) => self.list(texts, |out, it| it.write_canonical(&mut out.json)),
            Tree::References(ids) => {
                self.list(ids, |out, it| write_string(&mut out.json, it.as_str()));
            }
            Tree::Body(body @ Body::Content(_)) => self.content = Some(self.object(body)),
            Tree::Body(body) => {
                self.object(body);
            }
            Tree::Replacement(replacement) => {
                let start = self.json.len();
                match replacement.shape() {
                    Ok(content) => {
                        self.object(content);
                    }
                    Err(object) => self.json.push_str(&object.to_canonical_json()),
                }
                self.content = Some(start..self.json.len());
            }
            Tree::Claims(claims) => self.objects(claims),
            Tree::Impacts(impacts) => self.objects(impacts),
            Tree::Evidence(evidence) => self.list(evidence, |out, it| {
                let range = out.object(it);
                out.evidence.push(range);
            }),
            Tree::Raw(object) => self.json.push_str(&object.to_canonical_json()),
        }
    }
}

impl<'m> Fields<'m> for Canonical {
    #[inline]
    fn field(&mut self, _: u8, name: Name, value: Tree<'m>) {
        // No value ends so: the object was just opened.
        if !self.json.ends_with('{') {
            self.json.push(',');
        }
        self.json.push_str(name.key);
        self.value(value);
    }
}

/// The fields of an object in the order of the table.
#[derive(Default)]
struct Table<'m>(Vec<(u8, &'static str, Tree<'m>)>);

impl<'m> Fields<'m> for Table<'m> {
    fn field(&mut self, place: u8, name: Name, value: Tree<'m>) {
        self.0.push((place, name.name, value));
    }
}

/// An object, to be written with its fields in the order of the table.
pub(super) struct InTable<'m, T>(pub(super) &'m T);

impl<T: Object> Serialize for InTable<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut table = Table::default();
        self.0.fields(&mut table);
        table.0.sort_unstable_by_key(|(place, _, _)| *place);
        let mut map = serializer.serialize_map(Some(table.0.len()))?;
        for (_, name, value) in &table.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl Serialize for Tree<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Null => serializer.serialize_unit(),
            Self::Word(word) => serializer.serialize_str(word),
            Self::Text(text) => text.serialize(serializer),
            Self::Texts(texts) => serializer.collect_seq(texts),
            Self::References(ids) => serializer.collect_seq(ids),
            Self::Body(body) => InTable(body).serialize(serializer),
            Self::Replacement(replacement) => match replacement.shape() {
                Ok(content) => InTable(content).serialize(serializer),
                Err(object) => object.serialize(serializer),
            },
            Self::Claims(claims) => serializer.collect_seq(claims.iter().map(InTable)),
            Self::Impacts(impacts) => serializer.collect_seq(impacts.iter().map(InTable)),
            Self::Evidence(evidence) => serializer.collect_seq(evidence.iter().map(InTable)),
            Self::Raw(object) => object.serialize(serializer),
        }
    }
}
