//! §9 Commitments: what is derived about an accepted COMMIT.

use crate::chains::Chain;
use crate::json::text_of;
use crate::references::Picture;
use crate::shape::Message;
use std::collections::BTreeSet;

/// A commitment *k* on a request *r*, and what follows about it. Nothing here is stored (S5.01).
pub(crate) struct Commitment<'a> {
    pub message: &'a Message,
    pub request: &'a Message,
    pub chain: Chain<'a>,
    pub request_chain: Chain<'a>,
    /// All accepted REPORTs on it.
    pub reports: Vec<Report<'a>>,
    pub progress: Progress<'a>,
    pub reactivation_attempts: Vec<&'a str>,
    pub withdrawn: bool,
    pub disputed: bool,
    pub disputed_by: Vec<&'a str>,
    pub superseded_by: Vec<&'a str>,
    pub offers: Vec<&'a str>,
    pub request_changed_by: Vec<&'a str>,
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

/// The progress of a commitment.
pub(crate) struct Progress<'a> {
    pub state: &'a str,
    /// Why it is unresolved.
    pub cause: Option<&'static str>,
    pub candidates: Vec<&'a str>,
}

impl<'a> Picture<'a> {
    /// S5.12, T8.05: the commitments are the accepted COMMITs and nothing else.
    pub(crate) fn commitments(&self) -> Vec<Commitment<'a>> {
        let commits = self.accepted("COMMIT");
        commits.filter_map(|k| self.commitment(k)).collect()
    }

    fn commitment(&self, k: &'a Message) -> Option<Commitment<'a>> {
        let request = k.field("request").and_then(|id| self.message(id))?;
        let (chain, request_chain) = (self.chain(k), self.chain(request));
        let on_k = |m: &&Message| m.names("REPORT", "commitment", &k.id);
        let reports = self.accepted("REPORT").filter(on_k);
        let reports: Vec<Report> = reports.map(|m| self.report(m)).collect();
        // T4.30, S5.08: a withdrawal among the undisputed steps, whatever follows it.
        let withdrawn = chain.steps.iter().any(|step| step.replacement().is_none());
        let disputed_by = self.disputed_by(k, &chain, &reports);
        let judged = self.is_judged(&k.id, "mismatch") || self.is_judged(&k.id, "ambiguous");
        // S5.11: below a fork too.
        let offers = chain.revisions.iter().filter(|m| m.replacement().is_some());
        // the revisions of the request that are not ≺ k.
        let before = self.before(&k.id);
        let changes = request_chain.revisions.iter().map(|m| m.id.as_str());
        Some(Commitment {
            message: k,
            request,
            progress: progress(&reports),
            reactivation_attempts: reactivation_attempts(&reports),
            withdrawn,
            disputed: withdrawn || judged || !disputed_by.is_empty(),
            disputed_by,
            superseded_by: self.superseded_by(k),
            offers: offers.map(|m| m.id.as_str()).collect(),
            request_changed_by: changes.filter(|id| !before.contains(id)).collect(),
            reports,
            chain,
            request_chain,
        })
    }

    /// S5.02, S5.03: an accepted REPORT, its assessment, and what it adds to U.
    fn report(&self, message: &'a Message) -> Report<'a> {
        let chain = self.chain(message);
        let mut ids = vec![message.id.as_str()];
        ids.extend(chain.revisions.iter().map(|m| m.id.as_str()));
        ids.retain(|id| self.equivocal.contains(id));
        let state = chain.content.and_then(|body| text_of(body, "state"));
        let assessment = if ids.is_empty() { state } else { None };

        ids.extend(&chain.competing);
        let mut unsettling: Vec<_> = ids.iter().map(|id| (*id, "conflict")).collect();
        let mut state = message.field("state");
        for step in &chain.steps {
            let next = step.replacement().and_then(|body| text_of(body, "state"));
            if is_terminal(state) && !is_terminal(next) {
                unsettling.push((&step.id, "invalidated"));
            }
            state = next;
        }
        Report {
            id: &message.id,
            chain,
            assessment,
            before: self.before(&message.id),
            unsettling,
        }
    }

    /// S5.10: the accepted CHALLENGEs of k, of a REPORT on k, or of an accepted REVISE of either.
    fn disputed_by(&self, k: &Message, chain: &Chain, reports: &[Report]) -> Vec<&'a str> {
        let mut targets = BTreeSet::from([k.id.as_str()]);
        targets.extend(chain.revisions.iter().map(|m| m.id.as_str()));
        for report in reports {
            targets.insert(report.id);
            targets.extend(report.chain.revisions.iter().map(|m| m.id.as_str()));
        }
        let disputes = |m: &&Message| m.field("target").is_some_and(|id| targets.contains(id));
        let challenges = self.accepted("CHALLENGE").filter(disputes);
        challenges.map(|m| m.id.as_str()).collect()
    }

    /// S5.09: the accepted COMMITs of its author to a REQUEST that in its original body replaces it.
    fn superseded_by(&self, k: &Message) -> Vec<&'a str> {
        let replaces = |m: &Message| m.names("REQUEST", "replaces", &k.id);
        let supersedes = |m: &&Message| {
            let request = m.field("request").and_then(|id| self.message(id));
            m.from == k.from && request.is_some_and(replaces)
        };
        let commits = self.accepted("COMMIT").filter(supersedes);
        commits.map(|m| m.id.as_str()).collect()
    }
}

fn is_terminal(state: Option<&str>) -> bool {
    matches!(state, Some("fulfilled" | "failed"))
}

/// Progress of a commitment with these REPORTs (S5.04-S5.06).
fn progress<'a>(reports: &[Report<'a>]) -> Progress<'a> {
    let effective = |report: &&Report| report.assessment.is_some();
    let effective: Vec<&Report> = reports.iter().filter(effective).collect();

    // Rule 1 (S5.04): terminal assessments decide, whatever U holds.
    let terminal = effective.iter().copied();
    let terminal: Vec<_> = terminal.filter(|r| is_terminal(r.assessment)).collect();
    if !terminal.is_empty() {
        return alike(&terminal, "contradictory");
    }

    // Rule 2 (S5.05): only REPORTs causally after each member of U count.
    let u: Vec<_> = reports.iter().flat_map(|r| &r.unsettling).collect();
    let after_u = |report: &&Report| u.iter().all(|(id, _)| report.before.contains(id));
    let counted: Vec<&Report> = effective.into_iter().filter(after_u).collect();
    if counted.is_empty() && !u.is_empty() {
        let conflict = u.iter().any(|(_, cause)| *cause == "conflict");
        return Progress {
            state: "unresolved",
            cause: Some(if conflict { "conflict" } else { "invalidated" }),
            candidates: Vec::new(),
        };
    }

    // Rule 3 (S5.06): the last ones decide.
    let is_last = |r: &&&Report| !counted.iter().any(|other| other.before.contains(r.id));
    let last: Vec<&Report> = counted.iter().filter(is_last).copied().collect();
    alike(&last, "concurrent")
}

/// The state on which all these REPORTs agree; `none` if there are none.
fn alike<'a>(reports: &[&Report<'a>], otherwise: &'static str) -> Progress<'a> {
    let states: BTreeSet<&str> = reports.iter().filter_map(|r| r.assessment).collect();
    let unresolved = states.len() > 1;
    let mut progress = Progress {
        state: states.first().copied().unwrap_or("none"),
        cause: None,
        candidates: Vec::new(),
    };
    if unresolved {
        progress.state = "unresolved";
        progress.cause = Some(otherwise);
        progress.candidates = reports.iter().map(|r| r.id).collect();
    }
    progress
}

/// S5.07: effective non-terminal REPORTs causally after one with an effective terminal assessment.
fn reactivation_attempts<'a>(reports: &[Report<'a>]) -> Vec<&'a str> {
    let terminal = reports.iter().filter(|r| is_terminal(r.assessment));
    let terminal: Vec<&str> = terminal.map(|r| r.id).collect();
    let open = |r: &&Report| r.assessment.is_some() && !is_terminal(r.assessment);
    let after = |r: &&Report| terminal.iter().any(|id| r.before.contains(id));
    let attempts = reports.iter().filter(open).filter(after);
    attempts.map(|r| r.id).collect()
}
