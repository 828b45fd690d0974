//! The objects within messages: Claim, Impact and Evidence (A-CLAIM, A-IMPACT, A-EVIDENCE).

use super::reader::{Reader, Spot};
use super::values::{assessment, basis, confidence, evidence_ref, list, reference, text, time};
use crate::message::{Claim, Evidence, Impact};

/// A-CLAIM
pub(super) fn claim<'a>(r: &mut Reader, spot: &Spot<'_, '_, 'a>) -> Option<Claim<'a>> {
    let names = [
        "text",
        "basis",
        "confidence",
        "scope",
        "evidence",
        "alternatives",
    ];
    let [words, how, how_firmly, scope, evidence, alternatives] =
        r.fields(spot, "a claim", names)?;
    let words = words.required(r, text);
    let how = how.required(r, basis);
    let how_firmly = how_firmly.required(r, confidence);
    let scope = scope.required(r, text);
    let evidence = evidence.required(r, list(evidence_ref));
    let alternatives = alternatives.required(r, list(text));
    Some(Claim {
        text: words?,
        basis: how?,
        confidence: how_firmly?,
        scope: scope?,
        evidence: evidence?,
        alternatives: alternatives?,
    })
}

/// A-IMPACT
pub(super) fn impact<'a>(r: &mut Reader, spot: &Spot<'_, '_, 'a>) -> Option<Impact<'a>> {
    let names = ["commitment", "assessment", "reason"];
    let [commitment, verdict, reason] = r.fields(spot, "an impact", names)?;
    let commitment = commitment.required(r, reference);
    let verdict = verdict.required(r, assessment);
    let reason = reason.required(r, text);
    Some(Impact {
        commitment: commitment?,
        assessment: verdict?,
        reason: reason?,
    })
}

/// A-EVIDENCE
pub(super) fn evidence<'a>(r: &mut Reader, spot: &Spot<'_, '_, 'a>) -> Option<Evidence<'a>> {
    let names = ["id", "source", "collected_at", "method", "result"];
    let [id, source, collected_at, method, result] = r.fields(spot, "an evidence object", names)?;
    let id = id.required(r, evidence_ref);
    let source = source.required(r, text);
    let collected_at = collected_at.required(r, time);
    let method = method.required(r, text);
    let result = result.required(r, text);
    Some(Evidence {
        id: id?,
        source: source?,
        collected_at: collected_at?,
        method: method?,
        result: result?,
    })
}
