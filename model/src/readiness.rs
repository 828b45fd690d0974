//! §10 Evidence, §11 Before acting, §12 Reconcile: the local facts and what they decide.

use crate::commitments::{Commitment, Report};
use crate::document::Record;
use crate::json::{Value, list_of, objects_of, text_of, texts_of};
use crate::number::Number;
use crate::references::Picture;
use crate::shape::Message;
use crate::time::instant;
use std::collections::{BTreeMap, BTreeSet};

impl<'a> Picture<'a> {
    /// S5.13, S7.12: each evidence id that is given or cited, with what is known for it. None is
    /// verified (T3.11).
    pub(crate) fn evidence(&self) -> BTreeMap<&'a str, &'static str> {
        let given = self
            .versions()
            .flat_map(|version| &version.message.evidence);
        let stored = self.facts("evidence").map(|fact| &fact.value);
        let mut known: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
        for object in given.chain(stored) {
            let id = object
                .as_object()
                .and_then(|members| text_of(members, "id"));
            let objects = known.entry(id.unwrap_or("")).or_default();
            if !objects.contains(&object) {
                objects.push(object);
            }
        }
        for version in self.messages.values() {
            let body = &version.message.body;
            let claims = objects_of(body, "claims");
            let claims = claims.chain(
                version
                    .replacement
                    .into_iter()
                    .flat_map(|b| objects_of(b, "claims")),
            );
            let cited = claims.flat_map(|claim| texts_of(claim, "evidence"));
            for id in cited.chain(texts_of(body, "support")) {
                known.entry(id).or_default();
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

    /// The local facts of a kind with this text in this field.
    fn facts_with(&self, kind: &str, field: &str, text: &str) -> impl Iterator<Item = &'a Record> {
        self.facts(kind)
            .filter(move |fact| fact.text(field) == Some(text))
    }

    fn is_on_record(&self, kind: &str, field: &str, text: &str) -> bool {
        self.facts_with(kind, field, text).next().is_some()
    }

    /// S6.21: whether some judgement of a commitment says this of its terms.
    pub(crate) fn is_judged(&self, k: &str, terms: &str) -> bool {
        let mut judgements = self.facts_with("judge", "commitment", k);
        judgements.any(|judgement| judgement.text("terms") == Some(terms))
    }

    /// S6.02: every code that blocks a commitment; it is ready if there is none.
    pub(crate) fn blocked_by(&self, k: &Commitment) -> Vec<&'static str> {
        let (id, progress) = (k.message.id.as_str(), k.progress.state);
        let is = |fact: &str| self.is_on_record(fact, "commitment", id);
        let grant = k.message.field("authority_ref");
        let conditions = [
            ("terminal", progress == "fulfilled" || progress == "failed"), // S6.10
            ("reported_blocked", progress == "blocked"),
            ("progress_unresolved", progress == "unresolved"),
            ("report_pending", self.is_report_pending(k)), // S6.11
            ("report_equivocal", self.is_report_equivocal(k)), // S6.12
            ("no_authority", grant.is_none() && !is("permit")), // S6.13
            ("approval_missing", is("require_approval") && !is("approve")), // S6.20
            ("condition_unconfirmed", self.is_condition_unconfirmed(k)), // S6.20
            ("terms_mismatch", self.is_judged(id, "mismatch")), // S6.21
            ("terms_ambiguous", self.is_judged(id, "ambiguous")),
        ];
        let mut codes = self.uncertain(k);
        codes.extend(holding(&conditions));
        codes.extend(
            grant
                .into_iter()
                .flat_map(|grant| self.grant_defects(k.message, grant)),
        );
        codes
    }

    /// The codes that are also causes to reconcile (S6.23).
    fn uncertain(&self, k: &Commitment) -> Vec<&'static str> {
        let doubtful = |m: &Message| self.is_tainted(&m.id) || self.is_revised_in_taint(m);
        let conditions = [
            ("request_conflicted", k.request_chain.state == "conflicted"), // S6.03
            ("commitment_conflicted", k.chain.state == "conflicted"),
            (
                "request_revision_pending",
                !k.request_chain.pending.is_empty(),
            ), // S6.04
            ("commitment_revision_pending", !k.chain.pending.is_empty()),
            ("request_equivocal", doubtful(k.request)), // S6.05
            (
                "commitment_equivocal",
                doubtful(k.message) || self.is_superseded_in_taint(k),
            ), // S6.06
            ("supersession_pending", self.is_supersession_pending(k)), // S6.07
            ("request_withdrawn", k.request_chain.state == "withdrawn"), // S6.08
            ("commitment_withdrawn", k.withdrawn),
            ("superseded", !k.superseded_by.is_empty()), // S6.09
        ];
        holding(&conditions).collect()
    }

    fn is_tainted(&self, id: &str) -> bool {
        self.tainted.contains(id)
    }

    /// All kept versions of all ids.
    fn kept(&self) -> impl Iterator<Item = &'a Message> {
        self.model.kept.iter()
    }

    /// The kept versions of tainted ids.
    fn kept_in_taint(&self) -> impl Iterator<Item = &'a Message> {
        self.kept().filter(|message| self.is_tainted(&message.id))
    }

    /// S6.05, S6.06: in some kept version of a tainted id, the author of a message revises it.
    fn is_revised_in_taint(&self, message: &Message) -> bool {
        let revises =
            |m: &Message| m.from == message.from && m.names("REVISE", "target", &message.id);
        self.kept_in_taint().any(revises)
    }

    /// S6.06: in a kept version, the author of *k* commits to a request of which a kept version
    /// replaces *k*, and one of these two ids is tainted.
    fn is_superseded_in_taint(&self, k: &Commitment) -> bool {
        let mut commits = self
            .kept()
            .filter(|m| m.act == "COMMIT" && m.from == k.message.from);
        commits.any(|commit| {
            let request = commit.field("request").unwrap_or("");
            let mut versions = self.kept().filter(|m| m.id == request);
            (self.is_tainted(&commit.id) || self.is_tainted(request))
                && versions.any(|m| replaces(m, k))
        })
    }

    /// S6.07: a pending COMMIT by the author of *k* names a request that replaces *k*.
    fn is_supersession_pending(&self, k: &Commitment) -> bool {
        let mut commits = self
            .pending()
            .filter(|m| m.act == "COMMIT" && m.from == k.message.from);
        commits.any(|commit| {
            let request = commit.field("request").and_then(|id| self.message(id));
            request.is_some_and(|request| replaces(request, k))
        })
    }

    /// S6.11: a REPORT on *k* by its author is pending, or a REVISE of an accepted one.
    fn is_report_pending(&self, k: &Commitment) -> bool {
        let revised = |report: &Report| !report.chain.pending.is_empty();
        self.pending().any(|m| reports(m, k)) || k.reports.iter().any(revised)
    }

    /// S6.12: in some kept version of a tainted id, the author of *k* reports on *k*, or revises an id
    /// of which some kept version is such a report.
    fn is_report_equivocal(&self, k: &Commitment) -> bool {
        let is_report = |id: &str| self.kept().any(|m| m.id == id && reports(m, k));
        let revises = |m: &Message| {
            let by_author = m.act == "REVISE" && m.from == k.message.from;
            by_author && m.field("target").is_some_and(is_report)
        };
        self.kept_in_taint().any(|m| reports(m, k) || revises(m))
    }

    /// S6.20: a condition of the original body has no `confirm`; those of no condition are ignored.
    fn is_condition_unconfirmed(&self, k: &Commitment) -> bool {
        let confirms = self.facts_with("confirm", "commitment", &k.message.id);
        let confirmed: Vec<_> = confirms
            .map(|fact| fact.field("condition").cloned())
            .collect();
        let conditions = list_of(&k.message.body, "conditions").len();
        let number = |place: usize| Number::read(&place.to_string()).map(Value::Number);
        (0..conditions).any(|place| !confirmed.contains(&number(place)))
    }

    /// S6.14-S6.19: what is wrong with the grant that a commitment names. Each record must suffice.
    fn grant_defects(&self, k: &Message, grant: &str) -> BTreeSet<&'static str> {
        let mut codes = BTreeSet::new();
        if !self.is_on_record("grant", "ref", grant) {
            codes.insert("grant_unknown"); // S6.14
        }
        if self.is_on_record("revoke", "ref", grant) {
            codes.insert("grant_revoked"); // S6.15
        }
        let clocks = self
            .facts("clock")
            .filter_map(|clock| clock.value.as_text());
        let now = clocks.filter_map(instant).max();
        let bound = self.model.principal(&k.from);
        for record in self.facts_with("grant", "ref", grant) {
            let not_before = record.text("not_before").and_then(instant);
            let expires = record.text("expires").and_then(instant);
            let bounded = not_before.is_some() || expires.is_some();
            let mut allowed = record.texts("actions");
            let conditions = [
                (
                    "grant_other_principal",
                    bound.is_some() && record.text("principal") != bound,
                ), // S6.16
                (
                    "grant_too_narrow",
                    record.field("actions").is_some()
                        && !allowed.any(|a| k.field("action") == Some(a)),
                ), // S6.17
                // S6.18
                ("clock_unknown", bounded && now.is_none()),
                (
                    "grant_not_yet_valid",
                    not_before.is_some_and(|start| now.as_ref().is_some_and(|now| *now < start)),
                ),
                (
                    "grant_expired",
                    expires.is_some_and(|end| now.as_ref().is_some_and(|now| *now >= end)),
                ),
            ];
            codes.extend(holding(&conditions));
        }
        codes
    }

    /// S6.23: for each started commitment and action, the causes that hold now, less those that
    /// `reconciled` facts name. `finish` closes nothing.
    pub(crate) fn reconcile(
        &self,
        commitments: &[Commitment],
    ) -> BTreeMap<Action<'a>, Vec<&'static str>> {
        let started = self.facts("start").filter_map(action_of);
        let mut entries = BTreeMap::new();
        for action in started {
            let mut causes = match commitments.iter().find(|k| k.message.id == action.0) {
                Some(k) => self.uncertain(k),
                None => vec!["not_accepted"],
            };
            for fact in self
                .facts("reconciled")
                .filter(|fact| action_of(fact) == Some(action))
            {
                causes.retain(|cause| !fact.texts("causes").any(|named| named == *cause));
            }
            if !causes.is_empty() {
                entries.insert(action, causes);
            }
        }
        entries
    }
}

/// A commitment as it is named, and an action key.
pub(crate) type Action<'a> = (&'a str, &'a str);

fn action_of(fact: &Record) -> Option<Action<'_>> {
    fact.text("commitment").zip(fact.text("action"))
}

/// The codes whose conditions hold.
fn holding(conditions: &[(&'static str, bool)]) -> impl Iterator<Item = &'static str> {
    conditions
        .iter()
        .filter(|(_, holds)| *holds)
        .map(|(code, _)| *code)
}

/// Whether a message is a REQUEST by the requester of *k* that replaces *k*.
fn replaces(message: &Message, k: &Commitment) -> bool {
    message.from == k.request.from && message.names("REQUEST", "replaces", &k.message.id)
}

/// Whether a message is a REPORT on *k* by the author of *k*.
fn reports(message: &Message, k: &Commitment) -> bool {
    message.from == k.message.from && message.names("REPORT", "commitment", &k.message.id)
}
