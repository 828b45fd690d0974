//! §10 Evidence, §11 Before acting, §12 Reconcile: the local facts and what they decide.

use crate::commitments::Commitment;
use crate::document::Record;
use crate::json::{Object, Value, list_of, objects_of, text_of, texts_of};
use crate::number::Number;
use crate::references::Picture;
use crate::shape::Message;
use crate::time::instant;
use std::collections::{BTreeMap, BTreeSet};

/// Two texts, such as a commitment as it is named and an action key.
pub(crate) type Pair<'a> = (&'a str, &'a str);

impl<'a> Picture<'a> {
    /// S5.13, S7.12: each evidence id that is given or cited, and what is known for it. None is
    /// verified (T3.11).
    pub(crate) fn evidence(&self) -> BTreeMap<&'a str, &'static str> {
        let mut known: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
        for version in self.messages.values() {
            let body = &version.message.body;
            let bodies = [Some(body), version.replacement].into_iter().flatten();
            let claims = bodies.flat_map(|body| objects_of(body, "claims"));
            let cited = claims.flat_map(|claim| texts_of(claim, "evidence"));
            known.extend(cited.map(|id| (id, Vec::new())));
            known.extend(texts_of(body, "support").map(|id| (id, Vec::new())));
        }
        let given = self.model.kept.iter().flat_map(|m| &m.evidence);
        for object in given.chain(self.facts("evidence").map(|fact| &fact.value)) {
            let id = object.as_object().map(|members| text_of(members, "id"));
            let objects = known.entry(id.flatten().unwrap_or("")).or_default();
            if !objects.contains(&object) {
                objects.push(object);
            }
        }
        let states = known.into_iter().map(|(id, objects)| match objects.len() {
            0 => (id, "inaccessible"),
            1 => (id, "available"),
            _ => (id, "contradictory"),
        });
        states.collect()
    }

    /// The local facts of a kind. They are a set: order and repetition never matter (S6.01).
    fn facts(&self, kind: &str) -> impl Iterator<Item = &'a Record> {
        self.model.facts.iter().filter(move |fact| fact.key == kind)
    }

    /// The fields of the local facts of a kind that have this text in this field.
    fn about(&self, kind: &str, field: &str, text: &str) -> impl Iterator<Item = &'a Object> {
        let records = self.facts(kind).filter_map(|fact| fact.value.as_object());
        records.filter(move |record| text_of(record, field) == Some(text))
    }

    /// S6.21, S5.10: what the judgements of a commitment say of its terms.
    pub(crate) fn judgements(&self, k: &Commitment) -> Vec<&'a str> {
        let judged = self.about("judge", "commitment", &k.message.id);
        judged.filter_map(|fact| text_of(fact, "terms")).collect()
    }

    /// S6.02: every code that blocks a commitment; it is ready if there is none.
    pub(crate) fn blocked_by(&self, k: &Commitment) -> Vec<&'static str> {
        let (id, progress) = (k.message.id.as_str(), k.progress().state);
        let is = |fact: &str| self.about(fact, "commitment", id).next().is_some();
        let judged = self.judgements(k);
        let mut codes = self.causes(k);
        codes.extend(holding(&[
            ("terminal", progress == "fulfilled" || progress == "failed"), // S6.10
            ("reported_blocked", progress == "blocked"),
            ("progress_unresolved", progress == "unresolved"),
            ("report_pending", self.is_report_pending(k)), // S6.11
            ("report_equivocal", self.is_report_equivocal(k)), // S6.12
            ("approval_missing", is("require_approval") && !is("approve")), // S6.20
            ("condition_unconfirmed", self.is_condition_unconfirmed(k)), // S6.20
            ("terms_mismatch", judged.contains(&"mismatch")), // S6.21
            ("terms_ambiguous", judged.contains(&"ambiguous")),
        ]));
        match k.message.field("authority_ref") {
            Some(grant) => codes.extend(self.grant_defects(k.message, grant)),
            None if is("permit") => {}
            None => codes.push("no_authority"), // S6.13
        }
        codes
    }

    /// S6.23: the blocking codes that are also causes to reconcile.
    fn causes(&self, k: &Commitment) -> Vec<&'static str> {
        let (chain, request_chain) = (&k.chain, &k.request_chain);
        let pending = !request_chain.pending.is_empty();
        let is_tainted = |m: &Message| self.tainted.contains(m.id.as_str());
        let doubtful = |m: &Message| is_tainted(m) || self.is_revised_in_taint(m);
        let equivocal = doubtful(k.message) || self.is_superseded_in_taint(k);
        holding(&[
            ("request_conflicted", request_chain.state == "conflicted"), // S6.03
            ("commitment_conflicted", chain.state == "conflicted"),
            ("request_revision_pending", pending), // S6.04
            ("commitment_revision_pending", !chain.pending.is_empty()),
            ("request_equivocal", doubtful(k.request)), // S6.05
            ("commitment_equivocal", equivocal),        // S6.06
            ("supersession_pending", self.is_supersession_pending(k)), // S6.07
            ("request_withdrawn", request_chain.state == "withdrawn"), // S6.08
            ("commitment_withdrawn", k.is_withdrawn()),
            ("superseded", !self.superseded_by(k).is_empty()), // S6.09
        ])
    }

    /// Whether this is said of some kept version of a tainted id.
    fn in_taint(&self, said: impl Fn(&Message) -> bool) -> bool {
        let mut kept = self.model.kept.iter();
        kept.any(|m| self.tainted.contains(m.id.as_str()) && said(m))
    }

    /// Whether this is said of some kept version of this id.
    fn in_version(&self, id: &str, said: impl Fn(&Message) -> bool) -> bool {
        self.model.kept.iter().any(|m| m.id == id && said(m))
    }

    /// S6.05, S6.06: in some kept version of a tainted id, the author of a message revises it.
    fn is_revised_in_taint(&self, message: &Message) -> bool {
        self.in_taint(|m| m.from == message.from && m.names("REVISE", "target", &message.id))
    }

    /// S6.06: in a kept version, the author of *k* commits to a request of which a kept version
    /// replaces *k*, and one of these two ids is tainted.
    fn is_superseded_in_taint(&self, k: &Commitment) -> bool {
        let by_author = |m: &&Message| m.act == "COMMIT" && m.from == k.message.from;
        let is_tainted = |id: &str| self.tainted.contains(id);
        self.model.kept.iter().filter(by_author).any(|commit| {
            let request = commit.field("request").unwrap_or("");
            let doubtful = is_tainted(&commit.id) || is_tainted(request);
            doubtful && self.in_version(request, |m| replaces(m, k))
        })
    }

    /// S6.07: a pending COMMIT by the author of *k* names a request that replaces *k*.
    fn is_supersession_pending(&self, k: &Commitment) -> bool {
        let by_author = |m: &&Message| m.act == "COMMIT" && m.from == k.message.from;
        let commits = self.pending().filter(by_author);
        let requests = commits.filter_map(|commit| commit.field("request"));
        let mut requests = requests.filter_map(|id| self.message(id));
        requests.any(|request| replaces(request, k))
    }

    /// S6.11: a REPORT on *k* by its author is pending, or a REVISE of an accepted one.
    fn is_report_pending(&self, k: &Commitment) -> bool {
        let mut chains = k.reports.iter().map(|report| &report.chain);
        self.pending().any(|m| reports(m, k)) || chains.any(|chain| !chain.pending.is_empty())
    }

    /// S6.12: in some kept version of a tainted id, the author of *k* reports on *k*, or revises an
    /// id of which some kept version is such a report.
    fn is_report_equivocal(&self, k: &Commitment) -> bool {
        let is_report = |id: &str| self.in_version(id, |m| reports(m, k));
        self.in_taint(|m| {
            let revises = m.act == "REVISE" && m.from == k.message.from;
            reports(m, k) || revises && m.field("target").is_some_and(is_report)
        })
    }

    /// S6.20: a condition of the original body has no `confirm`; those of no condition are ignored.
    fn is_condition_unconfirmed(&self, k: &Commitment) -> bool {
        let conditions = list_of(&k.message.body, "conditions").len();
        (0..conditions).any(|place| {
            let place = Number::read(&place.to_string()).map(Value::Number);
            let mut confirms = self.about("confirm", "commitment", &k.message.id);
            confirms.all(|fact| fact.get("condition") != place.as_ref())
        })
    }

    /// S6.14-S6.19: what is wrong with the grant that a commitment names. Each record must suffice.
    fn grant_defects(&self, k: &Message, grant: &str) -> BTreeSet<&'static str> {
        let is = |fact: &str| self.about(fact, "ref", grant).next().is_some();
        let mut codes = BTreeSet::from_iter(holding(&[
            ("grant_unknown", !is("grant")), // S6.14
            ("grant_revoked", is("revoke")), // S6.15
        ]));
        let clocks = self.facts("clock").filter_map(|fact| fact.value.as_text());
        let now = clocks.filter_map(instant).max();
        let bound = self.model.principal(&k.from);
        for record in self.about("grant", "ref", grant) {
            let time = |field: &str| text_of(record, field).and_then(instant);
            let (not_before, expires) = (time("not_before"), time("expires"));
            let other = bound.is_some() && text_of(record, "principal") != bound;
            let mut actions = texts_of(record, "actions").map(Some);
            let narrow = record.contains_key("actions") && actions.all(|a| a != k.field("action"));
            let bounded = not_before.is_some() || expires.is_some();
            let early = now.is_some() && not_before.is_some() && now < not_before;
            let late = now.is_some() && expires.is_some() && now >= expires;
            codes.extend(holding(&[
                ("grant_other_principal", other),            // S6.16
                ("grant_too_narrow", narrow),                // S6.17
                ("clock_unknown", bounded && now.is_none()), // S6.18
                ("grant_not_yet_valid", early),
                ("grant_expired", late),
            ]));
        }
        codes
    }

    /// S6.23: for each started commitment and action, the causes that hold now, less those that
    /// `reconciled` facts name. `finish` closes nothing.
    pub(crate) fn reconcile(
        &self,
        commitments: &[Commitment],
    ) -> BTreeMap<Pair<'a>, Vec<&'static str>> {
        let mut entries = BTreeMap::new();
        let pair = |fact: &'a Record| fact.text("commitment").zip(fact.text("action"));
        for (id, action) in self.facts("start").filter_map(pair) {
            let k = commitments.iter().find(|k| k.message.id == id);
            let mut causes = k.map_or(vec!["not_accepted"], |k| self.causes(k));
            for record in self.about("reconciled", "commitment", id) {
                let same = text_of(record, "action") == Some(action);
                causes.retain(|cause| !same || texts_of(record, "causes").all(|c| c != *cause));
            }
            entries.insert((id, action), causes);
        }
        entries.retain(|_, causes| !causes.is_empty());
        entries
    }
}

/// The codes whose conditions hold.
pub(crate) fn holding(conditions: &[(&'static str, bool)]) -> Vec<&'static str> {
    let held = conditions.iter().filter(|(_, holds)| *holds);
    held.map(|(code, _)| *code).collect()
}

/// Whether a message is a REQUEST by the requester of *k* that replaces *k*.
fn replaces(message: &Message, k: &Commitment) -> bool {
    message.from == k.request.from && message.names("REQUEST", "replaces", &k.message.id)
}

/// Whether a message is a REPORT on *k* by the author of *k*.
fn reports(message: &Message, k: &Commitment) -> bool {
    message.from == k.message.from && message.names("REPORT", "commitment", &k.message.id)
}
