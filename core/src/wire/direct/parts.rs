//! The objects within messages: Claim, Impact, Evidence (A-CLAIM, A-IMPACT, A-EVIDENCE) and `extensions`.

use super::cursor::Cursor;
use super::names::names;
use crate::message::{Claim, Evidence, Impact, RawObject};

/// A-CLAIM
pub(super) fn claim<'a>(c: &mut Cursor<'a>) -> Option<Claim<'a>> {
    names!(Names {
        text,
        basis,
        confidence,
        scope,
        evidence,
        alternatives
    });
    let (mut text, mut basis, mut confidence) = (None, None, None);
    let (mut scope, mut evidence, mut alternatives) = (None, None, None);
    c.object(&Names::NAMES, |c, name| {
        match name {
            Names::text => text = Some(c.text()?),
            Names::basis => basis = Some(c.word()?),
            Names::confidence => confidence = Some(c.word()?),
            Names::scope => scope = Some(c.text()?),
            Names::evidence => evidence = Some(c.list(Cursor::evidence_ref)?),
            Names::alternatives => alternatives = Some(c.list(Cursor::text)?),
            _ => return None,
        }
        Some(())
    })?;
    Some(Claim {
        text: text?,
        basis: basis?,
        confidence: confidence?,
        scope: scope?,
        evidence: evidence?,
        alternatives: alternatives?,
    })
}

/// A-IMPACT
pub(super) fn impact<'a>(c: &mut Cursor<'a>) -> Option<Impact<'a>> {
    names!(Names {
        commitment,
        assessment,
        reason
    });
    let (mut commitment, mut assessment, mut reason) = (None, None, None);
    c.object(&Names::NAMES, |c, name| {
        match name {
            Names::commitment => commitment = Some(c.reference()?),
            Names::assessment => assessment = Some(c.word()?),
            Names::reason => reason = Some(c.text()?),
            _ => return None,
        }
        Some(())
    })?;
    Some(Impact {
        commitment: commitment?,
        assessment: assessment?,
        reason: reason?,
    })
}

/// A-EVIDENCE
pub(super) fn evidence<'a>(c: &mut Cursor<'a>) -> Option<Evidence<'a>> {
    names!(Names {
        id,
        source,
        collected_at,
        method,
        result
    });
    let (mut id, mut source, mut collected_at) = (None, None, None);
    let (mut method, mut result) = (None, None);
    c.object(&Names::NAMES, |c, name| {
        match name {
            Names::id => id = Some(c.evidence_ref()?),
            Names::source => source = Some(c.text()?),
            Names::collected_at => collected_at = Some(c.time()?),
            Names::method => method = Some(c.text()?),
            Names::result => result = Some(c.text()?),
            _ => return None,
        }
        Some(())
    })?;
    Some(Evidence {
        id: id?,
        source: source?,
        collected_at: collected_at?,
        method: method?,
        result: result?,
    })
}

/// Any object, kept as written.
pub(super) fn extensions<'a>(c: &mut Cursor<'a>) -> Option<RawObject<'a>> {
    c.any_object().map(RawObject::read)
}
