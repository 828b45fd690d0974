//! §13 The canonical view.

use crate::canonical::{canonical_object, digest, utf16_order};
use crate::commitments::Commitment;
use crate::json::{Value, objects_of, text_of};
use crate::readiness::{Pair, holding};
use crate::references::{Picture, Status};
use crate::shape::Message;
use std::collections::{BTreeMap, BTreeSet};

impl<'a> Picture<'a> {
    /// S7.01, S7.06: the canonical view as a value.
    pub(crate) fn view(&self) -> Value {
        let context = text_of(&self.model.context, "id");
        let commitments = self.commitments();
        let evidence = self.evidence().into_iter();
        let evidence = evidence.map(|(id, word)| (id, text(word)));
        object([
            ("tern_view", text("0.1")),
            ("context", text(context.unwrap_or(""))),
            ("messages", self.view_of_messages()),
            ("equivocal", self.view_of_equivocal()),
            ("cycles", self.view_of_cycles()),
            ("chains", self.view_of_chains()),
            ("requests", self.view_of_declinable("REQUEST")),
            ("proposals", self.view_of_declinable("PROPOSE")),
            ("commitments", self.view_of_commitments(&commitments)),
            ("challenges", self.view_of_challenges()),
            ("acknowledged", self.view_of_acknowledged()),
            ("impacts", self.view_of_impacts()),
            ("evidence", object(evidence)),
            ("reconcile", self.view_of_reconcile(&commitments)),
        ])
    }

    /// S7.07: every identified message.
    fn view_of_messages(&self) -> Value {
        object(self.messages.iter().map(|(id, version)| {
            let message = version.message;
            let (status, code) = match self.status(id) {
                Status::Accepted => ("accepted", None),
                Status::Pending => ("pending", None),
                Status::Rejected(code) => ("rejected", Some(code)),
            };
            let mut entry = vec![
                ("act", text(&message.act)),
                ("from", text(&message.from)),
                ("thread", text(&message.thread)),
                ("digest", text(&message.digest)),
                ("status", text(status)),
            ];
            if status == "pending" {
                let unsettled = |id: &&&str| !self.settled.contains_key(**id);
                let waiting_for = version.gating.iter().filter(unsettled);
                entry.push(("waiting_for", texts(waiting_for)));
            }
            entry.extend(code.map(|code| ("code", text(code))));
            (*id, object(entry))
        }))
    }

    /// S7.07: the digests of the kept versions of every equivocal id.
    fn view_of_equivocal(&self) -> Value {
        object(self.equivocal.iter().map(|id| {
            let versions = self.model.kept.iter().filter(|m| m.id == *id);
            (*id, texts(versions.map(|m| &m.digest)))
        }))
    }

    /// S7.07, S3.04: lists in a list are compared entry by entry.
    fn view_of_cycles(&self) -> Value {
        let mut cycles: Vec<Vec<&str>> = self.cycles().into_iter().map(sorted).collect();
        let utf16 = |id: &&str| id.encode_utf16().collect::<Vec<u16>>();
        cycles.sort_by_key(|ids| ids.iter().map(utf16).collect::<Vec<_>>());
        Value::List(cycles.into_iter().map(texts).collect())
    }

    /// S7.08: the accepted targets that have an accepted revision or a known pending one.
    fn view_of_chains(&self) -> Value {
        let named = |m: &Message| self.message(m.field("target").unwrap_or(""));
        let revises = self.pending().filter(|m| m.act == "REVISE");
        let targets = self.accepted("REVISE").chain(revises).filter_map(named);
        let targets = targets.filter(|m| self.status(&m.id) == Status::Accepted);
        let targets: BTreeMap<&str, &Message> = targets.map(|m| (m.id.as_str(), m)).collect();
        let chains = targets.into_values().map(|target| self.chain(target));
        let chains = chains.filter(|c| !c.revisions.is_empty() || !c.pending.is_empty());
        object(chains.map(|chain| {
            let content = chain.content.map(|body| digest(&canonical_object(body)));
            let entry = object([
                ("state", text(chain.state)),
                ("head", text(chain.head)),
                ("content", content.map_or(Value::Null, Value::Text)),
                ("competing", texts(&chain.competing)),
                ("revisions", texts(chain.revisions.iter().map(|m| &m.id))),
                ("pending", texts(&chain.pending)),
            ]);
            (chain.target.id.as_str(), entry)
        }))
    }

    /// The accepted messages of an act that name this id in this field.
    fn naming(&self, act: &str, field: &str, id: &str) -> Value {
        let messages = self.accepted(act).filter(|m| m.field(field) == Some(id));
        texts(messages.map(|m| &m.id))
    }

    /// S7.09: the requests or the proposals.
    fn view_of_declinable(&self, act: &str) -> Value {
        object(self.accepted(act).map(|m| {
            let mut entry = vec![("declined_by", self.naming("DECLINE", "target", &m.id))];
            if act == "REQUEST" {
                entry.push(("committed_by", self.naming("COMMIT", "request", &m.id)));
            }
            let replaces = m.field("replaces");
            entry.extend(replaces.map(|id| ("replaces", text(id))));
            (m.id.as_str(), object(entry))
        }))
    }

    /// S7.10
    fn view_of_commitments(&self, commitments: &[Commitment]) -> Value {
        object(commitments.iter().map(|k| {
            let blocked_by = self.blocked_by(k);
            let ready = blocked_by.is_empty();
            let progress = k.progress();
            let (disputed_by, superseded_by) = (self.disputed_by(k), self.superseded_by(k));
            let judged = self.judgements(k).iter().any(|terms| *terms != "satisfied");
            let disputed = judged || k.is_withdrawn() || !disputed_by.is_empty(); // S5.10
            // T4.31: derived, and stated by no REPORT.
            let annotations = holding(&[
                ("disputed", disputed),
                ("superseded", !superseded_by.is_empty()),
                ("withdrawn", k.is_withdrawn()),
            ]);
            let due = k.message.field("due");
            let attempts = texts(&progress.reactivation_attempts);
            let mut entry = vec![
                ("request", text(&k.request.id)),
                ("by", text(&k.message.from)),
                ("requester", text(&k.request.from)),
                ("due", due.map_or(Value::Null, text)),
                ("progress", text(progress.state)),
                ("reports", texts(k.reports.iter().map(|report| report.id))),
                ("candidates", texts(&progress.candidates)),
                ("reactivation_attempts", attempts),
                ("annotations", texts(annotations)),
                ("disputed_by", texts(disputed_by)),
                ("superseded_by", texts(superseded_by)),
                ("offers", texts(k.offers())),
                ("request_changed_by", texts(self.request_changed_by(k))),
                ("readiness", text(if ready { "ready" } else { "blocked" })),
                ("blocked_by", texts(blocked_by)),
            ];
            entry.extend(progress.cause.map(|cause| ("progress_cause", text(cause))));
            (k.message.id.as_str(), object(entry))
        }))
    }

    /// S7.11
    fn view_of_challenges(&self) -> Value {
        object(self.accepted("CHALLENGE").map(|m| {
            let field = |name: &str| text(m.field(name).unwrap_or(""));
            let entry = [("target", field("target")), ("kind", field("kind"))];
            (m.id.as_str(), object(entry))
        }))
    }

    /// S7.11, T2.09
    fn view_of_acknowledged(&self) -> Value {
        let mut senders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for ack in self.accepted("ACK") {
            let target = ack.field("target").unwrap_or("");
            senders.entry(target).or_default().push(&ack.from);
        }
        object(senders.into_iter().map(|(id, names)| (id, texts(names))))
    }

    /// S7.11, T4.38: under each reference as it is named, known or not.
    fn view_of_impacts(&self) -> Value {
        let mut impacts: BTreeMap<&str, BTreeSet<Pair>> = BTreeMap::new();
        for revise in self.accepted("REVISE") {
            for impact in objects_of(&revise.body, "impact") {
                let field = |name: &str| text_of(impact, name).unwrap_or("");
                let entries = impacts.entry(field("commitment")).or_default();
                entries.insert((&revise.id, field("assessment")));
            }
        }
        let entry = |(by, word)| object([("by", text(by)), ("assessment", text(word))]);
        let impacts = impacts.into_iter();
        object(impacts.map(|(id, pairs)| (id, pairs_in_order(pairs, entry))))
    }

    /// S6.23
    fn view_of_reconcile(&self, commitments: &[Commitment]) -> Value {
        let entries = self.reconcile(commitments);
        pairs_in_order(entries.keys().copied().collect(), |(id, action)| {
            let causes = entries.get(&(id, action));
            object([
                ("commitment", text(id)),
                ("action", text(action)),
                ("causes", texts(causes.into_iter().flatten())),
            ])
        })
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.to_string())
}

fn object<'a>(members: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    let owned = |(key, value): (&str, Value)| (key.to_string(), value);
    Value::Object(members.into_iter().map(owned).collect())
}

/// S7.06: in UTF-16 order, and nothing twice.
fn sorted<T: AsRef<str>>(entries: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut entries: Vec<T> = entries.into_iter().collect();
    entries.sort_by(|a, b| utf16_order(a.as_ref(), b.as_ref()));
    entries.dedup_by(|a, b| a.as_ref() == b.as_ref());
    entries
}

fn texts<T: AsRef<str>>(entries: impl IntoIterator<Item = T>) -> Value {
    let entries = sorted(entries).into_iter();
    Value::List(entries.map(|entry| text(entry.as_ref())).collect())
}

/// S7.06: objects in a list are compared field by field; the first two fields decide.
fn pairs_in_order<'a>(pairs: BTreeSet<Pair<'a>>, entry: impl Fn(Pair<'a>) -> Value) -> Value {
    let mut pairs: Vec<_> = pairs.into_iter().collect();
    pairs.sort_by(|a, b| utf16_order(a.0, b.0).then(utf16_order(a.1, b.1)));
    Value::List(pairs.into_iter().map(entry).collect())
}
