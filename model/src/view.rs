//! §13 The canonical view.

use crate::canonical::{canonical, digest, utf16};
use crate::commitments::Commitment;
use crate::json::{Object, Value, list_of, text_of};
use crate::readiness::Action;
use crate::references::{Picture, Status};
use crate::shape::Message;
use std::collections::{BTreeMap, BTreeSet};

impl<'a> Picture<'a> {
    /// S7.01, S7.06: the canonical view as a value.
    pub(crate) fn view(&self) -> Value {
        let commitments = self.commitments();
        let evidence = self.evidence().into_iter();
        object([
            ("tern_view", text("0.1")),
            ("context", text(self.model.context())),
            ("messages", self.view_of_messages()),
            ("equivocal", self.view_of_equivocal()),
            ("cycles", self.view_of_cycles()),
            ("chains", self.view_of_chains()),
            ("requests", self.view_of_requests()),
            ("proposals", self.view_of_proposals()),
            ("commitments", self.view_of_commitments(&commitments)),
            ("challenges", self.view_of_challenges()),
            ("acknowledged", self.view_of_acknowledged()),
            ("impacts", self.view_of_impacts()),
            (
                "evidence",
                object(evidence.map(|(id, word)| (id, text(word)))),
            ),
            ("reconcile", self.view_of_reconcile(&commitments)),
        ])
    }

    /// S7.07: every identified message.
    fn view_of_messages(&self) -> Value {
        let entries = self.messages.iter().map(|(id, version)| {
            let message = version.message;
            let mut entry = vec![
                ("act", text(&message.act)),
                ("from", text(&message.from)),
                ("thread", text(&message.thread)),
                ("digest", text(&message.digest)),
            ];
            match self.settled.get(id) {
                Some(Status::Accepted) => entry.push(("status", text("accepted"))),
                Some(Status::Rejected(code)) => {
                    entry.push(("status", text("rejected")));
                    entry.push(("code", text(code)));
                }
                _ => {
                    let gating = version.gating.iter().copied();
                    let waiting_for = gating.filter(|other| !self.settled.contains_key(other));
                    entry.push(("status", text("pending")));
                    entry.push(("waiting_for", texts(waiting_for)));
                }
            }
            (*id, object(entry))
        });
        object(entries)
    }

    /// S7.07: the digests of the kept versions of every equivocal id.
    fn view_of_equivocal(&self) -> Value {
        let mut digests: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let versions = self.versions().map(|version| version.message);
        for message in versions.filter(|m| self.equivocal.contains(m.id.as_str())) {
            digests
                .entry(&message.id)
                .or_default()
                .push(&message.digest);
        }
        lists(digests)
    }

    /// S7.07, S3.04: lists in a list are compared entry by entry.
    fn view_of_cycles(&self) -> Value {
        let mut cycles: Vec<Vec<&str>> = self.cycles().into_iter().map(sorted).collect();
        cycles.sort_by_cached_key(|ids| ids.iter().map(|id| utf16(id)).collect::<Vec<_>>());
        Value::List(cycles.into_iter().map(texts).collect())
    }

    /// S7.08: accepted targets with an accepted revision or a known pending one.
    fn view_of_chains(&self) -> Value {
        let revises = self.messages.values().map(|version| version.message);
        let targets = revises
            .filter(|m| m.act == "REVISE")
            .filter_map(|m| m.field("target"));
        let targets: BTreeSet<&str> = targets.collect();
        let mut entries = Vec::new();
        for id in targets.into_iter().filter(|id| self.is_accepted(id)) {
            let Some(chain) = self.message(id).map(|target| self.chain(target)) else {
                continue;
            };
            if chain.revisions.is_empty() && chain.pending.is_empty() {
                continue;
            }
            let content = chain.content.map(digest_of);
            let entry = object([
                ("state", text(chain.state)),
                ("head", text(chain.head)),
                ("content", content.map_or(Value::Null, Value::Text)),
                ("competing", texts(chain.competing)),
                ("revisions", ids(chain.revisions)),
                ("pending", texts(chain.pending)),
            ]);
            entries.push((id, entry));
        }
        object(entries)
    }

    fn is_accepted(&self, id: &str) -> bool {
        self.settled.get(id) == Some(&Status::Accepted)
    }

    /// The accepted messages of an act that name this id in this field.
    fn naming(&self, act: &str, field: &str, id: &str) -> Value {
        let names = |m: &&Message| m.field(field) == Some(id);
        ids(self.accepted(act).filter(names))
    }

    /// S7.09
    fn view_of_requests(&self) -> Value {
        object(self.accepted("REQUEST").map(|request| {
            let id = request.id.as_str();
            let mut entry = vec![
                ("committed_by", self.naming("COMMIT", "request", id)),
                ("declined_by", self.naming("DECLINE", "target", id)),
            ];
            if let Some(replaces) = request.field("replaces") {
                entry.push(("replaces", text(replaces)));
            }
            (id, object(entry))
        }))
    }

    /// S7.09
    fn view_of_proposals(&self) -> Value {
        object(self.accepted("PROPOSE").map(|proposal| {
            let declined_by = self.naming("DECLINE", "target", &proposal.id);
            (proposal.id.as_str(), object([("declined_by", declined_by)]))
        }))
    }

    /// S7.10
    fn view_of_commitments(&self, commitments: &[Commitment]) -> Value {
        object(commitments.iter().map(|k| {
            let blocked_by = self.blocked_by(k);
            let ready = blocked_by.is_empty();
            // T4.31: derived, and stated by no REPORT.
            let annotations = [
                ("disputed", k.disputed),
                ("superseded", !k.superseded_by.is_empty()),
                ("withdrawn", k.withdrawn),
            ];
            let annotations = annotations.iter().filter(|(_, holds)| *holds);
            let due = k.message.field("due");
            let mut entry = vec![
                ("request", text(&k.request.id)),
                ("by", text(&k.message.from)),
                ("requester", text(&k.request.from)),
                ("due", due.map_or(Value::Null, text)),
                ("progress", text(k.progress.state)),
                ("reports", texts(k.reports.iter().map(|report| report.id))),
                ("candidates", texts(k.progress.candidates.iter().copied())),
                (
                    "reactivation_attempts",
                    texts(k.reactivation_attempts.iter().copied()),
                ),
                ("annotations", texts(annotations.map(|(word, _)| *word))),
                ("disputed_by", texts(k.disputed_by.iter().copied())),
                ("superseded_by", texts(k.superseded_by.iter().copied())),
                ("offers", texts(k.offers.iter().copied())),
                (
                    "request_changed_by",
                    texts(k.request_changed_by.iter().copied()),
                ),
                ("readiness", text(if ready { "ready" } else { "blocked" })),
                ("blocked_by", texts(blocked_by)),
            ];
            if let Some(cause) = k.progress.cause {
                entry.push(("progress_cause", text(cause)));
            }
            (k.message.id.as_str(), object(entry))
        }))
    }

    /// S7.11
    fn view_of_challenges(&self) -> Value {
        object(self.accepted("CHALLENGE").map(|challenge| {
            let field = |name: &str| challenge.field(name).map_or(Value::Null, text);
            let entry = object([("target", field("target")), ("kind", field("kind"))]);
            (challenge.id.as_str(), entry)
        }))
    }

    /// S7.11, T2.09
    fn view_of_acknowledged(&self) -> Value {
        let mut senders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for ack in self.accepted("ACK") {
            let target = ack.field("target").unwrap_or("");
            senders.entry(target).or_default().push(&ack.from);
        }
        lists(senders)
    }

    /// S7.11, T4.38: under each reference as named, known or not.
    fn view_of_impacts(&self) -> Value {
        let mut impacts: BTreeMap<&str, BTreeSet<(&str, &str)>> = BTreeMap::new();
        for revise in self.accepted("REVISE") {
            for impact in list_of(&revise.body, "impact")
                .iter()
                .filter_map(Value::as_object)
            {
                let field = |name: &str| text_of(impact, name).unwrap_or("");
                let entry = (revise.id.as_str(), field("assessment"));
                impacts
                    .entry(field("commitment"))
                    .or_default()
                    .insert(entry);
            }
        }
        object(impacts.into_iter().map(|(id, entries)| {
            let mut entries: Vec<(&str, &str)> = entries.into_iter().collect();
            entries.sort_by_cached_key(|(by, assessment)| (utf16(by), utf16(assessment)));
            let entry = |(by, word)| object([("by", text(by)), ("assessment", text(word))]);
            (id, Value::List(entries.into_iter().map(entry).collect()))
        }))
    }

    /// S6.23
    fn view_of_reconcile(&self, commitments: &[Commitment]) -> Value {
        let mut entries: Vec<_> = self.reconcile(commitments).into_iter().collect();
        entries.sort_by_cached_key(|((id, action), _)| (utf16(id), utf16(action)));
        let entry = |((id, action), causes): (Action, Vec<&str>)| {
            object([
                ("commitment", text(id)),
                ("action", text(action)),
                ("causes", texts(causes)),
            ])
        };
        Value::List(entries.into_iter().map(entry).collect())
    }
}

fn digest_of(body: &Object) -> String {
    digest(&canonical(&Value::Object(body.clone())))
}

fn text(text: &str) -> Value {
    Value::Text(text.to_string())
}

fn object<'a>(members: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    let members = members.into_iter();
    Value::Object(
        members
            .map(|(key, value)| (key.to_string(), value))
            .collect(),
    )
}

/// S7.06: in UTF-16 order, and nothing twice.
fn sorted<'a>(entries: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut entries: Vec<&str> = entries.into_iter().collect();
    entries.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
    entries.dedup();
    entries
}

fn texts<'a>(entries: impl IntoIterator<Item = &'a str>) -> Value {
    Value::List(sorted(entries).into_iter().map(text).collect())
}

fn ids<'a>(messages: impl IntoIterator<Item = &'a Message>) -> Value {
    texts(messages.into_iter().map(|message| message.id.as_str()))
}

fn lists(entries: BTreeMap<&str, Vec<&str>>) -> Value {
    let entries = entries.into_iter();
    object(entries.map(|(key, list)| (key, texts(list))))
}
