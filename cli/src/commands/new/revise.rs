//! REVISE: what changes is given as a whole object, or field by field over what the log has.

use clap::Args;
use tern_core::message::{
    Body, Change, Claim, Content, NonEmpty, RawObject, Reference, Replacement, ReportState, Revise,
    Text, Timestamp,
};

use super::acts::Draft;
use super::desk::{Desk, Stop};
use super::groups::{Claims, Impacts};
use super::interview::Interview;
use super::values::{object, reference, text, timestamp, word};
use crate::failure::Failure;

const FIELDS: &str = "Fields of the target that change (with --in; a list is replaced as a whole)";

#[derive(Debug, Args)]
pub(crate) struct ReviseDraft {
    /// Your own message, the original one
    #[arg(long, value_name = "REF", value_parser = reference)]
    target: Option<Reference<'static>>,

    /// What it follows; with --in it is found
    #[arg(long, value_name = "REF", value_parser = reference)]
    previous: Option<Reference<'static>>,

    /// Why
    #[arg(long, value_name = "TEXT", value_parser = text)]
    reason: Option<Text<'static>>,

    /// Take the content back instead of replacing it
    #[arg(long, conflicts_with = "replacement")]
    withdraw: bool,

    /// The whole new body, as one JSON object
    #[arg(long, value_name = "OBJECT", value_parser = object)]
    replacement: Option<RawObject<'static>>,

    #[command(flatten)]
    fields: Fields,

    #[command(flatten)]
    impacts: Impacts,
}

#[derive(Debug, Args)]
#[command(next_help_heading = FIELDS)]
struct Fields {
    /// Of a PROPOSE
    #[arg(long, value_name = "TEXT", value_parser = text)]
    plan: Option<Text<'static>>,
    /// Of a PROPOSE
    #[arg(long, value_name = "TEXT", value_parser = text)]
    success: Option<Text<'static>>,
    /// Of a REQUEST or COMMIT
    #[arg(long, value_name = "TEXT", value_parser = text)]
    action: Option<Text<'static>>,
    /// Of a REQUEST or COMMIT
    #[arg(long, value_name = "TEXT", value_parser = text)]
    done_when: Option<Text<'static>>,
    /// Of a PROPOSE or REQUEST; several allowed
    #[arg(long = "constraint", value_name = "TEXT", value_parser = text)]
    constraints: Option<Vec<Text<'static>>>,
    /// Of a REQUEST or COMMIT
    #[arg(long, value_name = "NAME", value_parser = text)]
    authority_ref: Option<Text<'static>>,
    /// Of a REQUEST
    #[arg(long, value_name = "REF", value_parser = reference)]
    replaces: Option<Reference<'static>>,
    /// Of a COMMIT
    #[arg(long, value_name = "REF", value_parser = reference)]
    request: Option<Reference<'static>>,
    /// Of a COMMIT
    #[arg(long, value_name = "TEXT", value_parser = text)]
    deliverable: Option<Text<'static>>,
    /// Of a COMMIT
    #[arg(long, value_name = "TIME", value_parser = timestamp)]
    due: Option<Timestamp<'static>>,
    /// Of a COMMIT; several allowed
    #[arg(long = "condition", value_name = "TEXT", value_parser = text)]
    conditions: Option<Vec<Text<'static>>>,
    /// Of a REPORT
    #[arg(long, value_name = "STATE", value_parser = word::<ReportState>())]
    state: Option<ReportState>,
    /// Of a REPORT
    #[arg(long, value_name = "TEXT", value_parser = text)]
    next: Option<Text<'static>>,

    #[command(flatten)]
    claims: Claims,
}

impl Draft for ReviseDraft {
    const ANSWERS: bool = true;

    fn body(
        self,
        interview: &mut Interview,
        desk: Option<&Desk>,
    ) -> Result<Option<Body<'static>>, Stop> {
        let target = interview.need(self.target, "--target REF", "your message to revise");
        let mut previous = self.previous;
        if let (Some(desk), Some(target)) = (desk, &target) {
            previous = desk.previous(target.as_str(), previous)?;
        }
        let previous = interview.need(
            previous,
            "--previous REF (or --in LOG, which finds it)",
            "what it follows: the target, or the REVISE before",
        );
        let content = desk
            .zip(target.as_ref())
            .and_then(|(desk, target)| desk.content(target.as_str()));
        let fields = self.fields.given(interview);
        let change = match (self.withdraw, self.replacement, fields) {
            (true, _, Some(given)) if given.any().is_some() => {
                return Err(Failure::usage(
                    "what is withdrawn has no fields to change",
                    "leave out --withdraw, or the fields",
                )
                .into());
            }
            (_, Some(_), Some(given)) if given.any().is_some() => {
                return Err(Failure::usage(
                    "--replacement is the whole new body; single fields do not go with it",
                    "leave out one or the other",
                )
                .into());
            }
            (true, _, _) => Some(Change::Withdraw),
            (false, Some(object), _) => Some(Change::Replace(Replacement::read(object))),
            (false, None, None) => None,
            (false, None, Some(given)) if given.any().is_some() => {
                let Some(content) = content else {
                    return Err(Failure::usage(
                        "there is no content at hand whose fields could change",
                        "give the whole new body as --replacement OBJECT, or the log as --in LOG",
                    )
                    .into());
                };
                Some(Change::Replace(given.over(content)?.into()))
            }
            (false, None, Some(_)) => {
                interview.tell("(to take it back instead, use --withdraw)");
                let option = "--withdraw, --replacement OBJECT or the fields that change";
                interview
                    .need(None, option, "the whole new body, as one JSON object")
                    .map(|object| Change::Replace(Replacement::read(object)))
            }
        };
        let reason = interview.need(self.reason, "--reason TEXT", "why");
        let impact = self.impacts.each(interview);
        let (Some(target), Some(previous), Some(change), Some(reason), Some(impact)) =
            (target, previous, change, reason, impact)
        else {
            return Ok(None);
        };
        Ok(Some(Body::Revise(Revise {
            target,
            previous,
            change,
            reason,
            impact,
            extensions: None,
        })))
    }
}

/// The fields that were given, with their claims complete.
struct Changes {
    claims: Option<Vec<Claim<'static>>>,
    fields: Fields,
}

impl Fields {
    fn given(mut self, interview: &mut Interview) -> Option<Changes> {
        let claims = std::mem::take(&mut self.claims);
        let claims = if claims.is_empty() {
            None
        } else {
            Some(claims.each(interview)?)
        };
        Some(Changes {
            claims,
            fields: self,
        })
    }
}

impl Changes {
    /// An option that has not found its field yet.
    fn any(&self) -> Option<&'static str> {
        let fields = &self.fields;
        [
            (self.claims.is_some(), "--claim"),
            (fields.plan.is_some(), "--plan"),
            (fields.success.is_some(), "--success"),
            (fields.action.is_some(), "--action"),
            (fields.done_when.is_some(), "--done-when"),
            (fields.constraints.is_some(), "--constraint"),
            (fields.authority_ref.is_some(), "--authority-ref"),
            (fields.replaces.is_some(), "--replaces"),
            (fields.request.is_some(), "--request"),
            (fields.deliverable.is_some(), "--deliverable"),
            (fields.due.is_some(), "--due"),
            (fields.conditions.is_some(), "--condition"),
            (fields.state.is_some(), "--state"),
            (fields.next.is_some(), "--next"),
        ]
        .into_iter()
        .find_map(|(given, option)| given.then_some(option))
    }

    /// The content with these fields in place of its own.
    fn over(mut self, mut content: Content<'static>) -> Result<Content<'static>, Failure> {
        let fields = &mut self.fields;
        match &mut content {
            Content::Tell(tell) => put_claims(&mut tell.claims, &mut self.claims),
            Content::Propose(propose) => {
                put(&mut propose.plan, &mut fields.plan);
                put(&mut propose.success, &mut fields.success);
                put(&mut propose.constraints, &mut fields.constraints);
            }
            Content::Request(request) => {
                put(&mut request.action, &mut fields.action);
                put(&mut request.done_when, &mut fields.done_when);
                put(&mut request.constraints, &mut fields.constraints);
                put_some(&mut request.authority_ref, &mut fields.authority_ref);
                put_some(&mut request.replaces, &mut fields.replaces);
            }
            Content::Commit(commit) => {
                put(&mut commit.request, &mut fields.request);
                put(&mut commit.action, &mut fields.action);
                put(&mut commit.deliverable, &mut fields.deliverable);
                put(&mut commit.done_when, &mut fields.done_when);
                put_some(&mut commit.due, &mut fields.due);
                put(&mut commit.conditions, &mut fields.conditions);
                put_some(&mut commit.authority_ref, &mut fields.authority_ref);
            }
            Content::Report(report) => {
                put_claims(&mut report.claims, &mut self.claims);
                if let Some(state) = fields.state.take() {
                    report.state = state;
                }
                put_some(&mut report.next, &mut fields.next);
            }
        }
        match self.any() {
            None => Ok(content),
            Some(option) => Err(Failure::usage(
                format!("{option} is no field of a {}", content.act()),
                "`tern new revise --help` says which fields each act has",
            )),
        }
    }
}

fn put<T>(field: &mut T, given: &mut Option<T>) {
    if let Some(given) = given.take() {
        *field = given;
    }
}

fn put_some<T>(field: &mut Option<T>, given: &mut Option<T>) {
    if given.is_some() {
        *field = given.take();
    }
}

fn put_claims(field: &mut NonEmpty<Claim<'static>>, given: &mut Option<Vec<Claim<'static>>>) {
    if let Some(claims) = given.take().and_then(|claims| NonEmpty::new(claims).ok()) {
        *field = claims;
    }
}
