//! `tern new`: a person takes part by hand. A correct message comes out, or the reason why not.

mod acts;
mod check;
mod desk;
mod groups;
mod interview;
mod notes;
mod order;
mod revise;
mod values;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use tern_core::message::{Body, Content, Message, Name, Recipients, Reference, Text};
use tern_core::wire::write_string;

use crate::failure::{Exit, Failure};
use crate::input::warn_unverified;
use crate::output::print_data;
use acts::Draft;
use desk::{Desk, Stop};
use groups::Given;
use interview::Interview;
use values::{Reply, name, reference, reply, text};

/// Write a correct message
///
/// The message goes to standard output, on one line. What is missing is asked for if standard input
/// and standard error are a terminal; otherwise every missing option is named.
///
/// With --in, the message is written for that log: the next id of its sender is found, thread and
/// recipients come from what it answers, and `reply` is filled so that order is explicit. Then the
/// message is really delivered to the state of the log, as by the principal that the log binds its
/// sender to, and what the log would reject does not come out. The log itself is not changed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct New {
    #[command(subcommand)]
    act: ActDraft,
}

const EXAMPLES: &str = "\
Examples:
  tern new ask --in log.jsonl --from drafter --to reviewer --thread design \\
      --question 'Which assumption is weakest?'
  tern new commit --in log.jsonl --from reviewer --request drafter:1 --action 'Review it.' \\
      --deliverable 'A finding.' --done-when 'It is explained.'
  tern new report --in log.jsonl --from reviewer --commitment reviewer:1 --state fulfilled \\
      --claim 'It is explained.' --basis observed --confidence high --scope 'Draft 3.' \\
      --evidence ev:finding
  tern new revise --in log.jsonl --from drafter --target drafter:1 --done-when 'By page 3.' \\
      --reason 'The rest is not ready.'
  tern new ack --in log.jsonl --from drafter              asks for the rest on a terminal

Exit codes: 0 written, 1 the log would refuse it, 2 something is missing or wrong.";

#[derive(Debug, Subcommand)]
enum ActDraft {
    /// Ask for information, not work
    #[command(after_help = "\
Example:
  tern new ask --in log.jsonl --from a --reply b:2 --about b:3 --question 'Which of the two?'")]
    #[command(alias = "ASK")]
    Ask(Box<Letter<acts::AskDraft>>),
    /// Assert something
    #[command(after_help = "\
Example:
  tern new tell --in log.jsonl --from a --reply b:2 \\
      --claim 'The pump leaks.' --basis observed --confidence high --scope 'Bed 4, today.'")]
    #[command(alias = "TELL")]
    Tell(Box<Letter<acts::TellDraft>>),
    /// Offer a plan, without obligation
    #[command(after_help = "\
Example:
  tern new propose --in log.jsonl --from a --to b --thread garden \\
      --plan 'Replace the pump.' --success 'It holds for a week.' --constraint 'Under 40 euro.'")]
    #[command(alias = "PROPOSE")]
    Propose(Box<Letter<acts::ProposeDraft>>),
    /// Ask for an action
    #[command(after_help = "\
Example:
  tern new request --in log.jsonl --from a --to b --thread garden \\
      --action 'Replace the pump.' --done-when 'Bed 4 is wet.'")]
    #[command(alias = "REQUEST")]
    Request(Box<Letter<acts::RequestDraft>>),
    /// Promise to do something yourself
    #[command(after_help = "\
Example:
  tern new commit --in log.jsonl --from b --request a:1 --action 'Replace the pump.' \\
      --deliverable 'A pump that holds.' --done-when 'Bed 4 is wet.' \\
      --due 2026-05-01T18:00:00Z --condition 'The shed is open.'")]
    #[command(alias = "COMMIT")]
    Commit(Box<Letter<acts::CommitDraft>>),
    /// Say how far your own commitment is
    #[command(after_help = "\
Example:
  tern new report --in log.jsonl --from b --commitment b:1 --state blocked \\
      --claim 'The shed is locked.' --basis observed --confidence high --scope 'Today.' \\
      --next 'Please leave the key.'")]
    #[command(alias = "REPORT")]
    Report(Box<Letter<acts::ReportDraft>>),
    /// Dispute a message without overwriting it
    #[command(after_help = "\
Example:
  tern new challenge --in log.jsonl --from a --target b:2 --kind factual \\
      --objection 'The shed was open.' --resolution-test 'Ask the neighbour.'")]
    #[command(alias = "CHALLENGE")]
    Challenge(Box<Letter<acts::ChallengeDraft>>),
    /// Correct or withdraw your own message
    #[command(after_help = "\
Examples:
  tern new revise --in log.jsonl --from a --target a:1 --done-when 'Beds 4 and 5 are wet.' \\
      --reason 'There are two.' --impact b:1 --assessment unaffected --impact-reason 'Same pump.'
  tern new revise --in log.jsonl --from a --target a:1 --withdraw --reason 'It rained.'")]
    #[command(alias = "REVISE")]
    Revise(Box<Letter<revise::ReviseDraft>>),
    /// Refuse a request or a proposal
    #[command(after_help = "\
Example:
  tern new decline --in log.jsonl --from b --target a:1 --reason 'No time.'")]
    #[command(alias = "DECLINE")]
    Decline(Box<Letter<acts::DeclineDraft>>),
    /// Say that you received something, and nothing more
    #[command(after_help = "\
Example:
  tern new ack --in log.jsonl --from a --target b:2")]
    #[command(alias = "ACK")]
    Ack(Box<Letter<acts::AckDraft>>),
}

/// An act with its envelope.
#[derive(Debug, Args)]
struct Letter<B: Args> {
    #[command(flatten)]
    body: B,

    #[command(flatten)]
    envelope: Envelope,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Envelope")]
struct Envelope {
    /// Who speaks: your name in the context
    #[arg(long, value_name = "NAME", value_parser = name)]
    from: Option<Name<'static>>,

    /// Whom it is for; several allowed. With --in: whoever takes part in what it answers
    #[arg(long, value_name = "NAME", value_parser = text)]
    to: Vec<Text<'static>>,

    /// The thread. With --in: that of what it answers
    #[arg(long, value_name = "TEXT", value_parser = text)]
    thread: Option<Text<'static>>,

    /// What it answers, or `none`. With --in it is filled so that order is explicit
    #[arg(long, value_name = "REF", value_parser = reply)]
    reply: Option<Reply>,

    /// The id. With --in: the next number of the sender
    #[arg(long, value_name = "ID", value_parser = reference)]
    id: Option<Reference<'static>>,

    /// The log that the message is for: a log document, a database or bare messages
    #[arg(long = "in", value_name = "FILE")]
    log: Option<PathBuf>,

    /// Which log of a database that holds several
    #[arg(long, value_name = "CONTEXT", requires = "log")]
    name: Option<String>,

    /// Print a `deliver` record for the log document, with the sender's principal
    #[arg(long, requires = "log")]
    deliver: bool,

    /// Print JSON, which a message is anyway
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    given: Given,
}

impl New {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let written = match self.act {
            ActDraft::Ask(letter) => letter.write(),
            ActDraft::Tell(letter) => letter.write(),
            ActDraft::Propose(letter) => letter.write(),
            ActDraft::Request(letter) => letter.write(),
            ActDraft::Commit(letter) => letter.write(),
            ActDraft::Report(letter) => letter.write(),
            ActDraft::Challenge(letter) => letter.write(),
            ActDraft::Revise(letter) => letter.write(),
            ActDraft::Decline(letter) => letter.write(),
            ActDraft::Ack(letter) => letter.write(),
        };
        match written {
            Ok(text) => {
                print_data(&text)?;
                Ok(Exit::Fine)
            }
            Err(Stop::Refused(why)) => {
                anstream::eprint!("{why}");
                Ok(Exit::Findings)
            }
            Err(Stop::Failure(failure)) => Err(failure),
        }
    }
}

impl<B: Draft + Args> Letter<B> {
    /// The line to print.
    fn write(self) -> Result<String, Stop> {
        let envelope = self.envelope;
        let deliver = envelope.deliver;
        let name = envelope.name.as_deref();
        let log = envelope.log.as_deref();
        let mut desk = log.map(|log| Desk::open(log, name)).transpose()?;
        if let Some(desk) = &desk {
            warn_unverified(desk.history.state.context(), envelope.json);
            if deliver && !desk.history.state.context().is_verified() {
                return Err(Failure::usage(
                    "the log holds bare messages, which are not wrapped in records",
                    "leave out --deliver",
                )
                .into());
            }
        }
        let mut interview = Interview::new();
        let from = interview.need(envelope.from.clone(), "--from NAME", "who speaks");
        let body = self.body.body(&mut interview, desk.as_ref())?;
        let message = match (body, &desk) {
            // The log will know the rest once it is known what is answered.
            (None, Some(_)) if B::ANSWERS => None,
            (body, desk) => envelope.around(from, body, &mut interview, desk.as_ref())?,
        };
        interview.finish()?;
        let Some(message) = message else {
            return Err(Failure::usage("something is missing", "see `tern new --help`").into());
        };
        let source = serde_json::to_string(&message)
            .map_err(|error| Failure::io("the new message", error.into()))?;
        let principal = check::check(&message, &source, desk.as_mut())?;
        Ok(line(&source, deliver, principal.as_deref()))
    }
}

impl Envelope {
    fn around(
        self,
        from: Option<Name<'static>>,
        body: Option<Body<'static>>,
        interview: &mut Interview,
        desk: Option<&Desk>,
    ) -> Result<Option<Message<'static>>, Stop> {
        let answers = body.as_ref().and_then(answered).cloned();
        let explicit = match &self.reply {
            Some(Reply::To(reply)) => Some(reply.clone()),
            _ => None,
        };
        let reply = match (self.reply, &body, &from) {
            (Some(Reply::Nothing), _, _) => None,
            (Some(Reply::To(reply)), _, _) => Some(reply),
            (None, Some(body), Some(from)) => filled(body, from, interview, desk)?,
            (None, _, _) => None,
        };
        // A commitment belongs to the thread of its request (T4.02); anything else goes on where
        // what it answers was said.
        let is_commit = matches!(body, Some(Body::Content(Content::Commit(_))));
        let spoken = explicit.as_ref().or(answers.as_ref());
        let near = if is_commit { answers.as_ref() } else { spoken };
        let thread = self.thread.or_else(|| desk?.thread(near?.as_str()));
        let mut to = self.to;
        if let (true, Some(desk), Some(from)) = (to.is_empty(), desk, &from) {
            for reference in spoken.into_iter().chain(answers.as_ref()) {
                let others = desk.others(reference.as_str(), from.as_str());
                for name in others.into_iter().flatten() {
                    if !to.contains(&name) && (to.is_empty() || name.as_str() != from.as_str()) {
                        to.push(name);
                    }
                }
            }
        }
        let thread = interview.need(thread, "--thread TEXT", "in which thread");
        if to.is_empty() {
            to = interview
                .need(None, "--to NAME", "whom it is for")
                .into_iter()
                .collect();
        }
        let id = self.id.or_else(|| desk?.next_id(from.as_ref()?.as_str()));
        let id = interview.need(
            id,
            "--id ID (or --in LOG, which finds it)",
            "its id, sender:N",
        );
        let evidence = self.given.each(interview);
        let (Some(from), Some(body), Some(thread), Some(id), Some(evidence), false) =
            (from, body, thread, id, evidence, to.is_empty())
        else {
            return Ok(None);
        };
        let to = Recipients::new(to).map_err(|code| {
            Failure::usage(
                format!("--to names somebody twice ({code}, {})", code.clause()),
                code.hint(),
            )
        })?;
        Ok(Some(Message {
            id,
            from,
            to,
            thread,
            reply,
            body,
            evidence,
            extensions: None,
        }))
    }
}

/// What a body is about, where it names one thing before all others.
fn answered<'b>(body: &'b Body<'static>) -> Option<&'b Reference<'static>> {
    body.references().next().map(|gate| gate.to)
}

/// The `reply` of a message for which none was given, so that its place is explicit.
fn filled(
    body: &Body<'static>,
    from: &Name<'static>,
    interview: &mut Interview,
    desk: Option<&Desk>,
) -> Result<Option<Reference<'static>>, Stop> {
    match (body, desk) {
        (Body::Content(Content::Report(report)), Some(desk)) => {
            let what = (&report.commitment, report.state);
            order::report_reply(desk, from.as_str(), what).map(Some)
        }
        (Body::Content(Content::Report(_)), None) => Ok(interview.need(
            None,
            "--reply REF (or --in LOG, which finds it)",
            "what it follows: your last report on that commitment, or its correction",
        )),
        // The last word of the request: so the commitment knows of it.
        (Body::Content(Content::Commit(commit)), Some(desk)) => Ok(Some(
            desk.head(commit.request.as_str())
                .unwrap_or_else(|| commit.request.clone()),
        )),
        (Body::Revise(revise), _) => Ok(Some(revise.previous.clone())),
        _ => Ok(answered(body).cloned()),
    }
}

fn line(source: &str, deliver: bool, principal: Option<&str>) -> String {
    if !deliver {
        return format!("{source}\n");
    }
    let mut out = String::from("{\"deliver\":{");
    if let Some(principal) = principal {
        out.push_str("\"principal\":");
        write_string(&mut out, principal);
        out.push(',');
    }
    out.push_str("\"message\":");
    out.push_str(source);
    out.push_str("}}\n");
    out
}
