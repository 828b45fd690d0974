//! §6 once more, from the naive model: what the history blocks, row by row of the table.

use std::collections::BTreeSet;

use serde_json::Value;

use super::naive::{Naive, act, sender, text};

impl Naive {
    /// Whether some kept version of some id passes; `tainted` asks for tainted ids only.
    fn some_version(&self, tainted: bool, test: impl Fn(&str, &Value) -> bool) -> bool {
        self.versions.iter().any(|(id, versions)| {
            (!tainted || self.tainted.contains(id)) && versions.iter().any(|it| test(id, it))
        })
    }

    /// Whether in some kept version of a tainted id the author of `target` revises it.
    fn tainted_revision(&self, target: &str) -> bool {
        self.some_version(true, |id, it| {
            act(it) == "REVISE"
                && sender(id) == sender(target)
                && text(&it["body"], "target") == target
        })
    }

    pub(crate) fn withdrawn(&self, target: &str) -> bool {
        self.walk(target)
            .0
            .iter()
            .any(|step| self.mode(step) == "withdraw")
    }

    /// S5.09.
    pub(crate) fn superseded_by(&self, commitment: &str) -> BTreeSet<String> {
        let requests = self.who(false, "REQUEST", "replaces", commitment);
        let commits = requests
            .iter()
            .flat_map(|it| self.who(false, "COMMIT", "request", it));
        commits
            .filter(|id| sender(id) == sender(commitment))
            .collect()
    }

    /// S5.10, the CHALLENGEs.
    pub(crate) fn disputed_by(&self, commitment: &str) -> BTreeSet<String> {
        let mut targets = self.who(false, "REPORT", "commitment", commitment);
        targets.insert(commitment.to_owned());
        let revisions: Vec<String> = targets
            .iter()
            .flat_map(|it| self.who(false, "REVISE", "target", it))
            .collect();
        targets.extend(revisions);
        targets
            .iter()
            .flat_map(|it| self.who(false, "CHALLENGE", "target", it))
            .collect()
    }

    /// S5.11.
    pub(crate) fn offers(&self, commitment: &str) -> BTreeSet<String> {
        let mut offers = self.who(false, "REVISE", "target", commitment);
        offers.retain(|id| self.mode(id) == "replace");
        offers
    }

    ///
    pub(crate) fn request_changed_by(&self, commitment: &str) -> BTreeSet<String> {
        let known = self.before(commitment);
        let mut revisions = self.who(false, "REVISE", "target", self.request_of(commitment));
        revisions.retain(|id| !known.contains(id));
        revisions
    }

    pub(crate) fn request_of(&self, commitment: &str) -> &str {
        text(&self.first(commitment).unwrap()["body"], "request")
    }

    /// The codes of S6.03 to S6.12 that hold.
    pub(crate) fn history_blocks(&self, k: &str) -> BTreeSet<&'static str> {
        let r = self.request_of(k);
        let (a, q) = (sender(k), sender(r));
        let progress = self.progress(k);
        let progress = progress[0].as_str().unwrap();
        let is_report_on_k = |id: &str, it: &Value| {
            act(it) == "REPORT" && sender(id) == a && text(&it["body"], "commitment") == k
        };
        let report_pending = self
            .who(true, "REPORT", "commitment", k)
            .iter()
            .any(|id| sender(id) == a)
            || self.who(false, "REPORT", "commitment", k).iter().any(|it| {
                self.who(true, "REVISE", "target", it)
                    .iter()
                    .any(|id| sender(id) == a)
            });
        let report_equivocal = self.some_version(true, |id, it| {
            let target = text(&it["body"], "target");
            let target_reports = self
                .versions
                .get(target)
                .is_some_and(|all| all.iter().any(|version| is_report_on_k(target, version)));
            is_report_on_k(id, it) || (act(it) == "REVISE" && sender(id) == a && target_reports)
        });
        let replaces_k = |id: &str, it: &Value| {
            act(it) == "REQUEST" && sender(id) == q && text(&it["body"], "replaces") == k
        };
        let tainted_supersession = self.some_version(false, |id, it| {
            let request = text(&it["body"], "request");
            let versions = self.versions.get(request).map_or(&[][..], Vec::as_slice);
            act(it) == "COMMIT"
                && sender(id) == a
                && versions.iter().any(|version| replaces_k(request, version))
                && (self.tainted.contains(id) || self.tainted.contains(request))
        });
        let supersession_pending = self.versions.iter().any(|(id, versions)| {
            let request = text(&versions[0]["body"], "request");
            self.is_pending(id)
                && act(&versions[0]) == "COMMIT"
                && sender(id) == a
                && self
                    .first(request)
                    .is_some_and(|it| replaces_k(request, it))
        });
        let is_state = |target: &str, state: &str| self.chain(target).0 == state;
        [
            ("request_conflicted", is_state(r, "conflicted")),
            ("commitment_conflicted", is_state(k, "conflicted")),
            (
                "request_revision_pending",
                !self.known_pending(r).is_empty(),
            ),
            (
                "commitment_revision_pending",
                !self.known_pending(k).is_empty(),
            ),
            (
                "request_equivocal",
                self.tainted.contains(r) || self.tainted_revision(r),
            ),
            (
                "commitment_equivocal",
                self.tainted.contains(k) || self.tainted_revision(k) || tainted_supersession,
            ),
            ("supersession_pending", supersession_pending),
            ("request_withdrawn", is_state(r, "withdrawn")),
            ("commitment_withdrawn", self.withdrawn(k)),
            ("superseded", !self.superseded_by(k).is_empty()),
            ("terminal", progress == "fulfilled" || progress == "failed"),
            ("reported_blocked", progress == "blocked"),
            ("progress_unresolved", progress == "unresolved"),
            ("report_pending", report_pending),
            ("report_equivocal", report_equivocal),
        ]
        .into_iter()
        .filter_map(|(code, holds)| holds.then_some(code))
        .collect()
    }
}
