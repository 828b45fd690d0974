//! §9 Commitments: what is derived about an accepted COMMIT.

use crate::chains::Chain;
use crate::json::text_of;
use crate::references::Picture;
use crate::shape::Message;
use std::collections::BTreeSet;

/// A commitment *k* on a request *r*, and what follows about it. Nothing of it is stored (S5.01).
pub(crate) struct Commitment<'a> {
    pub message: &'a Message,
    pub request: &'a Message,
    pub chain: Chain<'a>,
    pub request_chain: Chain<'a>,
    /// All accepted REPORTs on it.
    pub reports: Vec<Report<'a>>,
}

/// An accepted REPORT on a commitment.
pub(crate) struct Report<'a> {
    pub id: &'a str,
    pub chain: Chain<'a>,
    /// Its effective assessment (S5.02).
    assessment: Option<&'a str>,
    /// What it is causally after; revisions do not move it (S5.01).
    before: BTreeSet<&'a str>,
    /// What it and its revisions add to U, with causes (S5.03).
    unsettling: Vec<(&'a str, &'static str)>,
}

/// The progress of a commitment, and why it is unresolved, if it is.
#[derive(Default)]
pub(crate) struct Progress<'a> {
    pub state: &'a str,
    pub cause: Option<&'static str>,
    pub candidates: Vec<&'a str>,
    pub reactivation_attempts: Vec<&'a str>,
}

impl<'a> Picture<'a> {
    /// S5.12, T8.05: the commitments are the accepted COMMITs and nothing else.
    pub(crate) fn commitments(&self) -> Vec<Commitment<'a>> {
        let commits = self.accepted("COMMIT");
        commits.filter_map(|k| self.commitment(k)).collect()
    }

    fn commitment(&self, k: &'a Message) -> Option<Commitment<'a>> {
        let request = k.field("request").and_then(|id| self.message(id))?;
        let on_k = |m: &&Message| m.field("commitment") == Some(&k.id);
        let reports = self.accepted("REPORT").filter(on_k);
        Some(Commitment {
            message: k,
            request,
            chain: self.chain(k),
            request_chain: self.chain(request),
            reports: reports.map(|m| self.report(m)).collect(),
        })
    }

    /// S5.02, S5.03: an accepted REPORT, its assessment, and what it adds to U.
    fn report(&self, message: &'a Message) -> Report<'a> {
        let chain = self.chain(message);
        let mut doubtful: Vec<&str> = chain.ids().collect();
        doubtful.retain(|id| self.equivocal.contains(id));
        let firm = doubtful.is_empty();
        doubtful.extend(&chain.competing);
        let mut unsettling: Vec<_> = doubtful.iter().map(|id| (*id, "conflict")).collect();
        let mut state = message.field("state");
        for step in &chain.steps {
            let next = step.replacement().and_then(|body| text_of(body, "state"));
            if is_terminal(state) && !is_terminal(next) {
                unsettling.push((&step.id, "invalidated"));
            }
            state = next;
        }
        let effective = chain.content.and_then(|body| text_of(body, "state"));
        Report {
            id: &message.id,
            chain,
            assessment: effective.filter(|_| firm),
            before: self.before(&message.id),
            unsettling,
        }
    }

    /// S5.10: the accepted CHALLENGEs of k, of a REPORT on k, or of an accepted REVISE of either.
    pub(crate) fn disputed_by(&self, k: &Commitment) -> Vec<&'a str> {
        let of_reports = k.reports.iter().flat_map(|report| report.chain.ids());
        let targets: BTreeSet<&str> = k.chain.ids().chain(of_reports).collect();
        let disputes = |m: &&Message| m.field("target").is_some_and(|id| targets.contains(id));
        let challenges = self.accepted("CHALLENGE").filter(disputes);
        challenges.map(|m| m.id.as_str()).collect()
    }

    /// S5.09: the accepted COMMITs of its author to a REQUEST whose original body replaces it.
    pub(crate) fn superseded_by(&self, k: &Commitment) -> Vec<&'a str> {
        let commits = self.accepted("COMMIT").filter(|m| m.from == k.message.from);
        let supersedes = commits.filter(|m| {
            let request = m.field("request").and_then(|id| self.message(id));
            request.is_some_and(|m| m.names("REQUEST", "replaces", &k.message.id))
        });
        supersedes.map(|m| m.id.as_str()).collect()
    }

    /// the accepted REVISEs of the request that are not ≺ k.
    pub(crate) fn request_changed_by(&self, k: &Commitment<'a>) -> Vec<&'a str> {
        let before = self.before(&k.message.id);
        let changes = k.request_chain.revisions.iter().map(|m| m.id.as_str());
        changes.filter(|id| !before.contains(id)).collect()
    }
}

impl<'a> Commitment<'a> {
    /// S5.08, T4.30: a withdrawal is among the undisputed steps, whatever follows it.
    pub(crate) fn is_withdrawn(&self) -> bool {
        let mut steps = self.chain.steps.iter();
        steps.any(|step| step.replacement().is_none())
    }

    /// S5.11: the accepted REVISEs with mode replace, below a fork too.
    pub(crate) fn offers(&self) -> impl Iterator<Item = &'a str> {
        let replaces = |m: &&&Message| m.replacement().is_some();
        let offers = self.chain.revisions.iter().filter(replaces);
        offers.map(|m| m.id.as_str())
    }

    /// What its REPORTs say of its progress.
    pub(crate) fn progress(&self) -> Progress<'a> {
        let effective = self.reports.iter().filter(|r| r.assessment.is_some());
        let (terminal, open): (Vec<&Report>, Vec<&Report>) =
            effective.partition(|r| is_terminal(r.assessment));
        // Rule 1 (S5.04): terminal assessments decide, whatever U holds.
        if !terminal.is_empty() {
            let mut progress = agreed(&terminal, "contradictory");
            // S5.07: the others that are causally after one of them.
            let after = |r: &&&Report| terminal.iter().any(|t| r.before.contains(t.id));
            progress.reactivation_attempts = open.iter().filter(after).map(|r| r.id).collect();
            return progress;
        }
        // Rule 2 (S5.05): only REPORTs causally after each member of U count.
        let u: Vec<_> = self.reports.iter().flat_map(|r| &r.unsettling).collect();
        let after_u = |r: &&Report| u.iter().all(|(id, _)| r.before.contains(id));
        let counted: Vec<&Report> = open.into_iter().filter(after_u).collect();
        if counted.is_empty() && !u.is_empty() {
            let conflict = u.iter().any(|(_, cause)| *cause == "conflict");
            return Progress {
                state: "unresolved",
                cause: Some(if conflict { "conflict" } else { "invalidated" }),
                ..Progress::default()
            };
        }
        // Rule 3 (S5.06): those that are ≺ no other counted one decide.
        let mut last = counted.clone();
        last.retain(|r| !counted.iter().any(|other| other.before.contains(r.id)));
        agreed(&last, "concurrent")
    }
}

fn is_terminal(state: Option<&str>) -> bool {
    matches!(state, Some("fulfilled" | "failed"))
}

/// The state on which REPORTs agree, `none` if there are none; else unresolved, for this cause.
fn agreed<'a>(reports: &[&Report<'a>], cause: &'static str) -> Progress<'a> {
    let states: BTreeSet<&str> = reports.iter().filter_map(|r| r.assessment).collect();
    let mut progress = Progress::default();
    if states.len() > 1 {
        progress.state = "unresolved";
        progress.cause = Some(cause);
        progress.candidates = reports.iter().map(|r| r.id).collect();
    } else {
        progress.state = states.first().unwrap_or(&"none");
    }
    progress
}
