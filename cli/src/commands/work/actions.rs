//! The actions of a log: which may begin, and which began and did not end. All of it is in the records of the log, so that an
//! action is there together with the record that begins it, and nowhere else.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime};

use tern_core::log::{Input, Line, Reader, Record};
use tern_core::message::{Reference, Text, Timestamp};
use tern_core::view::Readiness;
use tern_core::{Context, Event, Fact, State};
use tern_store::{Error, Expected, Head, Link, Log, Records};

use crate::durable::{line_of, no_line};
use crate::failure::Failure;
use crate::input::new_state;
use crate::text::shown;

/// An action on a commitment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Action {
    pub(super) commitment: String,
    /// The same for the same commitment of the same context, whoever works.
    pub(super) key: String,
    /// What it undertakes, as the commitment words it.
    pub(super) action: String,
    pub(super) context: String,
}

/// A log, reduced as far as it was read.
pub(super) struct Actions {
    log: Box<dyn Log>,
    head: Head,
    reader: Reader,
    state: Option<State>,
    participant: String,
    /// The commitment of each key, and whether its action ended.
    begun: BTreeMap<String, (String, bool)>,
    /// The commitments on which an action began, with whatever key.
    acted_on: BTreeSet<String>,
}

impl Actions {
    pub(super) fn open(log: Box<dyn Log>, participant: &str) -> Result<Self, Failure> {
        let reader = if log.name() == Context::UNVERIFIED {
            Reader::resume(Input::Document, Context::unverified())
        } else {
            Reader::new(Input::Document)
        };
        let mut actions = Self {
            head: Head::start(log.name()),
            log,
            state: reader.context().map(new_state),
            reader,
            participant: participant.to_owned(),
            begun: BTreeMap::new(),
            acted_on: BTreeSet::new(),
        };
        actions.look()?;
        Ok(actions)
    }

    /// Reads on to the end of the log.
    pub(super) fn look(&mut self) -> Result<(), Failure> {
        let mut records = Records::after(&*self.log, self.head);
        for record in records.by_ref() {
            let record = record?;
            let line =
                line_of(&record.bytes).ok_or_else(|| no_line(self.log.name(), record.position))?;
            let read = self.reader.read(line).map_err(|error| Failure::Document {
                name: shown(self.log.name()),
                line: line.to_vec(),
                error: Box::new(error),
            })?;
            let state = match (&mut self.state, self.reader.context()) {
                (Some(state), _) => state,
                (empty, Some(context)) => empty.insert(new_state(context)),
                (None, None) => continue,
            };
            let Line::Event(event) = read else { continue };
            if let Event::Fact(Fact::Start { commitment, .. }) = &event {
                self.acted_on.insert(commitment.as_str().to_owned());
            }
            note(&mut self.begun, &event);
            state.apply(&event);
        }
        self.head = records.head().unwrap_or(self.head);
        Ok(())
    }

    /// Whether the context knows the participant: a name that is mistyped would wait for ever.
    pub(super) fn expect_participant(&self) -> Result<(), Failure> {
        let Some(context) = self.reader.context().filter(|it| it.is_verified()) else {
            return Ok(());
        };
        if context.principal_of(&self.participant).is_some() {
            return Ok(());
        }
        let names: Vec<String> = context
            .participants()
            .map(|(name, _)| shown(name))
            .collect();
        Err(Failure::usage(
            format!(
                "`{}` is no participant of `{}`",
                shown(&self.participant),
                shown(context.id())
            ),
            format!("its participants are: {}", names.join(", ")),
        ))
    }

    /// Waits until there is more to read.
    pub(super) fn wait(&self, patience: Duration) -> Result<(), Failure> {
        self.log.wait(self.head.position, patience)?;
        Ok(())
    }

    /// Appends that an action begins for each commitment that may be acted on and has none, together with the time at which
    /// that was decided, at just the state in which it was.
    pub(super) fn begin(&mut self, now: impl Fn() -> SystemTime) -> Result<Vec<Action>, Failure> {
        loop {
            let Some(clock) = clock(now()) else {
                return Ok(Vec::new());
            };
            let ready: Vec<Action> = self.ready(&clock);
            if ready.is_empty() {
                return Ok(ready);
            }
            let begin = ready.iter().filter_map(|action| {
                Some(Fact::Start {
                    commitment: Reference::new(action.commitment.clone()).ok()?,
                    action: Text::new(action.key.clone()).ok()?,
                })
            });
            let facts = std::iter::once(Fact::Clock(clock)).chain(begin);
            let lines: Vec<String> = facts.map(line).collect();
            let batch: Vec<&[u8]> = lines
                .iter()
                .map(|line| line.trim_end().as_bytes())
                .collect();
            match self.log.append(Expected::At(self.head.position), &batch) {
                Ok(_) => {
                    self.look()?;
                    return Ok(ready);
                }
                // Something was said meanwhile, which may speak against it.
                Err(Error::Conflict { .. }) => self.look()?,
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// What may begin, at this time.
    fn ready(&self, clock: &Timestamp<'static>) -> Vec<Action> {
        let Some(state) = &self.state else {
            return Vec::new();
        };
        let candidates: Vec<Action> = state
            .commitments()
            .filter_map(|id| self.action(state, id))
            // Also with a key of somebody else's making: what they began is theirs to end.
            .filter(|action| !self.acted_on.contains(&action.commitment))
            .filter(|action| self.is_own(state, action))
            .collect();
        if candidates.is_empty() {
            return candidates;
        }
        let then = at(state, clock.clone());
        let is_ready = |action: &Action| {
            let commitment = then.commitment(&action.commitment);
            commitment.is_some_and(|it| it.readiness == Readiness::Ready)
        };
        candidates.into_iter().filter(is_ready).collect()
    }

    /// The participant's actions that began and did not end, each with what speaks against its commitment at this time.
    pub(super) fn open_actions(&self, now: SystemTime) -> Vec<(Action, Vec<String>)> {
        let Some(state) = &self.state else {
            return Vec::new();
        };
        let open = self.begun.iter().filter(|(_, (_, ended))| !ended);
        let open: Vec<Action> = open
            .filter_map(|(key, (commitment, _))| {
                let own = self.action(state, commitment)?;
                // Keys of somebody else's making are theirs to run.
                (own.key == *key && self.is_own(state, &own)).then_some(own)
            })
            .collect();
        if open.is_empty() {
            return Vec::new();
        }
        let then = clock(now).map(|clock| at(state, clock));
        let then = then.as_ref().unwrap_or(state);
        open.into_iter()
            .map(|action| {
                let blocked = blocked_by(then, &action);
                (action, blocked)
            })
            .collect()
    }

    fn is_own(&self, state: &State, action: &Action) -> bool {
        let commitment = state.commitment(&action.commitment);
        commitment.is_some_and(|it| it.by == self.participant)
    }

    /// Whether it began and did not end.
    pub(super) fn is_open(&self, action: &Action) -> bool {
        self.begun.get(&action.key).is_some_and(|(_, ended)| !ended)
    }

    /// What speaks against the commitment at this time, if anything does.
    pub(super) fn blocked_by(&self, action: &Action, now: SystemTime) -> Vec<String> {
        let Some(state) = &self.state else {
            return Vec::new();
        };
        match clock(now) {
            Some(clock) => blocked_by(&at(state, clock), action),
            None => blocked_by(state, action),
        }
    }

    /// What the command is given: the commitment as in the canonical view.
    pub(super) fn input(&self, action: &Action) -> String {
        let commitment = self
            .state
            .as_ref()
            .and_then(|state| state.commitment(&action.commitment));
        let object = serde_json::json!({
            "commitment": action.commitment,
            "action": action.action,
            "context": action.context,
            "key": action.key,
            "view": commitment,
        });
        format!("{object}\n")
    }

    /// Appends that an action ended.
    pub(super) fn finish(&mut self, action: &Action) -> Result<(), Failure> {
        let (Ok(commitment), Ok(key)) = (
            Reference::new(action.commitment.clone()),
            Text::new(action.key.clone()),
        ) else {
            return Ok(());
        };
        let line = line(Fact::Finish {
            commitment,
            action: key,
        });
        self.log
            .append(Expected::Any, &[line.trim_end().as_bytes()])?;
        self.look()
    }

    fn action(&self, state: &State, commitment: &str) -> Option<Action> {
        let context = state.context().id();
        Some(Action {
            commitment: commitment.to_owned(),
            key: Link::start(context).then(commitment.as_bytes()).to_string(),
            action: state.action(commitment)?.to_owned(),
            context: context.to_owned(),
        })
    }
}

/// The state as it is at this time.
fn at(state: &State, clock: Timestamp<'static>) -> State {
    let mut then = state.clone();
    then.apply(&Event::Fact(Fact::Clock(clock)));
    then
}

fn blocked_by(state: &State, action: &Action) -> Vec<String> {
    let blocked = match state.commitment(&action.commitment) {
        Some(commitment) => commitment.blocked_by,
        None => return vec!["not_accepted".to_owned()],
    };
    let codes = blocked.iter().map(|block| block.as_str().to_owned());
    codes.collect()
}

fn note(begun: &mut BTreeMap<String, (String, bool)>, event: &Event<'_>) {
    let (commitment, action, ended) = match event {
        Event::Fact(Fact::Start { commitment, action }) => (commitment, action, false),
        Event::Fact(Fact::Finish { commitment, action }) => (commitment, action, true),
        _ => return,
    };
    let action = action.as_str().to_owned();
    let entry = begun
        .entry(action)
        .or_insert_with(|| (commitment.as_str().to_owned(), false));
    entry.1 |= ended;
}

fn line(fact: Fact) -> String {
    Record::Event(Event::Fact(fact)).to_line()
}

/// A time as the language writes it, to the second.
fn clock(now: SystemTime) -> Option<Timestamp<'static>> {
    let text = jiff::Timestamp::try_from(now).ok()?;
    let text = text.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    Timestamp::new(text).ok()
}
