//! A message as the JSON it stands for: the one description of its fields that both writers use.
//!
//! The depth of a tree is bounded by the table of acts; what can be deeper (`extensions`, a
//! shapeless replacement) is a leaf, kept as text.

use super::{
    Ask, Body, Challenge, Change, Claim, Content, Decline, Evidence, Impact, Message, RawObject,
    Revise,
};
use crate::wire::{utf16_cmp, write_string};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use serde::ser::{SerializeMap as _, Serializer};

/// A JSON value that a message holds.
pub(super) enum Tree<'m> {
    Null,
    Text(&'m str),
    List(Vec<Tree<'m>>),
    /// In the order of the table.
    Object(Vec<(&'static str, Tree<'m>)>),
    Raw(&'m RawObject<'m>),
}

impl Tree<'_> {
    /// Canonical JSON (S7.03).
    pub(super) fn write_canonical(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Text(text) => write_string(out, text),
            Self::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write_canonical(out);
                }
                out.push(']');
            }
            Self::Object(fields) => {
                let mut fields: Vec<_> = fields.iter().collect();
                fields.sort_unstable_by(|(left, _), (right, _)| utf16_cmp(left, right));
                out.push('{');
                for (index, (key, value)) in fields.into_iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    write_string(out, key);
                    out.push(':');
                    value.write_canonical(out);
                }
                out.push('}');
            }
            Self::Raw(object) => out.push_str(&object.to_canonical_json()),
        }
    }
}

impl serde::Serialize for Tree<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (key, value) in fields {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
            Self::Raw(object) => object.serialize(serializer),
        }
    }
}

impl Message<'_> {
    pub(super) fn tree(&self) -> Tree<'_> {
        let mut fields = vec![
            ("tern", Tree::Text("0.1")),
            ("id", text(&self.id)),
            ("from", text(&self.from)),
            ("to", list(&self.to, text)),
            ("thread", text(&self.thread)),
            ("reply", or_null(self.reply.as_ref())),
            ("act", Tree::Text(self.act().as_str())),
            ("body", self.body.tree()),
        ];
        if let Some(evidence) = &self.evidence {
            fields.push(("evidence", list(evidence, Evidence::tree)));
        }
        with_extensions(fields, self.extensions.as_ref())
    }
}

impl Evidence<'_> {
    pub(super) fn tree(&self) -> Tree<'_> {
        Tree::Object(vec![
            ("id", text(&self.id)),
            ("source", text(&self.source)),
            ("collected_at", text(&self.collected_at)),
            ("method", text(&self.method)),
            ("result", text(&self.result)),
        ])
    }
}

impl Body<'_> {
    fn tree(&self) -> Tree<'_> {
        match self {
            Self::Ask(Ask {
                question,
                about,
                extensions,
            }) => {
                let mut fields = vec![("question", text(question))];
                fields.extend(about.as_ref().map(|about| ("about", text(about))));
                with_extensions(fields, extensions.as_ref())
            }
            Self::Content(content) => content.tree(),
            Self::Challenge(body) => body.tree(),
            Self::Revise(body) => body.tree(),
            Self::Decline(Decline {
                target,
                reason,
                alternative,
                extensions,
            }) => {
                let mut fields = vec![("target", text(target)), ("reason", text(reason))];
                fields.extend(
                    alternative
                        .as_ref()
                        .map(|other| ("alternative", text(other))),
                );
                with_extensions(fields, extensions.as_ref())
            }
            Self::Ack(body) => with_extensions(
                vec![("target", text(&body.target))],
                body.extensions.as_ref(),
            ),
        }
    }
}

impl Content<'_> {
    pub(super) fn tree(&self) -> Tree<'_> {
        match self {
            Self::Tell(body) => with_extensions(
                vec![("claims", list(&body.claims, Claim::tree))],
                body.extensions.as_ref(),
            ),
            Self::Propose(body) => with_extensions(
                vec![
                    ("plan", text(&body.plan)),
                    ("success", text(&body.success)),
                    ("constraints", list(&body.constraints, text)),
                ],
                body.extensions.as_ref(),
            ),
            Self::Request(body) => {
                let mut fields = vec![
                    ("action", text(&body.action)),
                    ("done_when", text(&body.done_when)),
                    ("constraints", list(&body.constraints, text)),
                    ("authority_ref", or_null(body.authority_ref.as_ref())),
                ];
                fields.extend(
                    body.replaces
                        .as_ref()
                        .map(|commit| ("replaces", text(commit))),
                );
                with_extensions(fields, body.extensions.as_ref())
            }
            Self::Commit(body) => with_extensions(
                vec![
                    ("request", text(&body.request)),
                    ("action", text(&body.action)),
                    ("deliverable", text(&body.deliverable)),
                    ("done_when", text(&body.done_when)),
                    ("due", or_null(body.due.as_ref())),
                    ("conditions", list(&body.conditions, text)),
                    ("authority_ref", or_null(body.authority_ref.as_ref())),
                ],
                body.extensions.as_ref(),
            ),
            Self::Report(body) => {
                let mut fields = vec![
                    ("commitment", text(&body.commitment)),
                    ("state", Tree::Text(body.state.as_str())),
                    ("claims", list(&body.claims, Claim::tree)),
                ];
                fields.extend(body.next.as_ref().map(|next| ("next", text(next))));
                with_extensions(fields, body.extensions.as_ref())
            }
        }
    }
}

impl Challenge<'_> {
    fn tree(&self) -> Tree<'_> {
        let fields = vec![
            ("target", text(&self.target)),
            ("kind", Tree::Text(self.kind.as_str())),
            ("objection", text(&self.objection)),
            ("support", list(&self.support, text)),
            ("resolution_test", text(&self.resolution_test)),
        ];
        with_extensions(fields, self.extensions.as_ref())
    }
}

impl Revise<'_> {
    fn tree(&self) -> Tree<'_> {
        let replacement = match &self.change {
            Change::Withdraw => Tree::Null,
            Change::Replace(replacement) => replacement.tree(),
        };
        let fields = vec![
            ("target", text(&self.target)),
            ("previous", text(&self.previous)),
            ("mode", Tree::Text(self.change.mode().as_str())),
            ("reason", text(&self.reason)),
            ("replacement", replacement),
            ("impact", list(&self.impact, Impact::tree)),
        ];
        with_extensions(fields, self.extensions.as_ref())
    }
}

impl Claim<'_> {
    fn tree(&self) -> Tree<'_> {
        Tree::Object(vec![
            ("text", text(&self.text)),
            ("basis", Tree::Text(self.basis.as_str())),
            ("confidence", Tree::Text(self.confidence.as_str())),
            ("scope", text(&self.scope)),
            ("evidence", list(&self.evidence, text)),
            ("alternatives", list(&self.alternatives, text)),
        ])
    }
}

impl Impact<'_> {
    fn tree(&self) -> Tree<'_> {
        Tree::Object(vec![
            ("commitment", text(&self.commitment)),
            ("assessment", Tree::Text(self.assessment.as_str())),
            ("reason", text(&self.reason)),
        ])
    }
}

fn text<T: AsRef<str>>(text: &T) -> Tree<'_> {
    Tree::Text(text.as_ref())
}

fn or_null<T: AsRef<str>>(value: Option<&T>) -> Tree<'_> {
    value.map_or(Tree::Null, text)
}

fn list<'m, T: 'm>(
    items: impl IntoIterator<Item = &'m T>,
    tree: impl FnMut(&'m T) -> Tree<'m>,
) -> Tree<'m> {
    Tree::List(items.into_iter().map(tree).collect())
}

fn with_extensions<'m>(
    mut fields: Vec<(&'static str, Tree<'m>)>,
    extensions: Option<&'m RawObject<'m>>,
) -> Tree<'m> {
    fields.extend(extensions.map(|object| ("extensions", Tree::Raw(object))));
    Tree::Object(fields)
}
