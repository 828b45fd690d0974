//! A message as somebody would type it for serde: every field of every act, those that an act may lack as options, texts
//! borrowed where they can be. It takes much that Tern refuses.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;

/// The envelope.
#[derive(Debug, Deserialize)]
#[allow(missing_docs, reason = "named as on the wire")]
pub struct Typed<'a> {
    #[serde(borrow)]
    pub tern: Cow<'a, str>,
    #[serde(borrow)]
    pub id: Cow<'a, str>,
    #[serde(borrow)]
    pub from: Cow<'a, str>,
    #[serde(borrow)]
    pub to: Vec<Cow<'a, str>>,
    #[serde(borrow)]
    pub thread: Cow<'a, str>,
    #[serde(borrow)]
    pub reply: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub act: Cow<'a, str>,
    #[serde(borrow)]
    pub body: Body<'a>,
    #[serde(borrow, default)]
    pub evidence: Vec<Evidence<'a>>,
    pub extensions: Option<IgnoredAny>,
}

/// The bodies of all ten acts in one.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[allow(missing_docs, reason = "named as on the wire")]
pub struct Body<'a> {
    #[serde(borrow)]
    pub question: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub about: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub claims: Vec<Claim<'a>>,
    #[serde(borrow)]
    pub plan: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub success: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub constraints: Vec<Cow<'a, str>>,
    #[serde(borrow)]
    pub action: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub done_when: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub authority_ref: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub replaces: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub request: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub deliverable: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub due: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub conditions: Vec<Cow<'a, str>>,
    #[serde(borrow)]
    pub commitment: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub state: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub next: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub target: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub objection: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub support: Vec<Cow<'a, str>>,
    #[serde(borrow)]
    pub resolution_test: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub previous: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub mode: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub reason: Option<Cow<'a, str>>,
    pub replacement: Option<IgnoredAny>,
    #[serde(borrow)]
    pub impact: Vec<Impact<'a>>,
    #[serde(borrow)]
    pub alternative: Option<Cow<'a, str>>,
    pub extensions: Option<IgnoredAny>,
}

/// A claim.
#[derive(Debug, Deserialize)]
#[allow(missing_docs, reason = "named as on the wire")]
pub struct Claim<'a> {
    #[serde(borrow)]
    pub text: Cow<'a, str>,
    #[serde(borrow)]
    pub basis: Cow<'a, str>,
    #[serde(borrow)]
    pub confidence: Cow<'a, str>,
    #[serde(borrow)]
    pub scope: Cow<'a, str>,
    #[serde(borrow)]
    pub evidence: Vec<Cow<'a, str>>,
    #[serde(borrow)]
    pub alternatives: Vec<Cow<'a, str>>,
}

/// An impact.
#[derive(Debug, Deserialize)]
#[allow(missing_docs, reason = "named as on the wire")]
pub struct Impact<'a> {
    #[serde(borrow)]
    pub commitment: Cow<'a, str>,
    #[serde(borrow)]
    pub assessment: Cow<'a, str>,
    #[serde(borrow)]
    pub reason: Cow<'a, str>,
}

/// Evidence.
#[derive(Debug, Deserialize)]
#[allow(missing_docs, reason = "named as on the wire")]
pub struct Evidence<'a> {
    #[serde(borrow)]
    pub id: Cow<'a, str>,
    #[serde(borrow)]
    pub source: Cow<'a, str>,
    #[serde(borrow)]
    pub collected_at: Cow<'a, str>,
    #[serde(borrow)]
    pub method: Cow<'a, str>,
    #[serde(borrow)]
    pub result: Cow<'a, str>,
}
