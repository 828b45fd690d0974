//! A conversation in few words: messages with every other field by default, and questions to the
//! state that they make.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests: what fails should fail loudly, and no binary uses all of it"
)]

pub(crate) mod words;

use serde_json::Value;
use tern_core::log::Record;
use tern_core::wire::{Json, JsonOptions, canonical};
use tern_core::{Context, Delivery, Event, Limits, Log, Outcome, State, Verdict, View};
pub(crate) use words::*;

/// Principals are `key:` and the name, but for `d`, who speaks for the principal of `a`.
pub(crate) const PARTICIPANTS: [(&str, &str); 4] = [
    ("a", "key:a"),
    ("b", "key:b"),
    ("c", "key:c"),
    ("d", "key:a"),
];

pub(crate) fn context() -> Context {
    Context::new("design", PARTICIPANTS).unwrap()
}

/// A log and the state that follows it.
pub(crate) struct Chat {
    pub(crate) log: Log,
    pub(crate) state: State,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) limits: Limits,
}

impl Chat {
    pub(crate) fn new() -> Self {
        Self::with_limits(Limits::default())
    }

    pub(crate) fn with_limits(limits: Limits) -> Self {
        Self::in_context(context(), limits)
    }

    pub(crate) fn in_context(context: Context, limits: Limits) -> Self {
        Self {
            log: Log::new(context.clone()),
            state: State::new(context, limits),
            outcomes: Vec::new(),
            limits,
        }
    }

    /// `a:1` asks, `b:1` promises, local policy permits: nothing blocks.
    pub(crate) fn deal() -> Self {
        let mut chat = Self::new();
        chat.ok(request("a:1"))
            .ok(commit("b:1", "a:1"))
            .permit("b:1");
        chat
    }

    pub(crate) fn event(&mut self, event: Event<'_>) -> Option<&Outcome> {
        self.log.push(event.clone());
        let outcome = self.state.apply(&event)?;
        self.outcomes.push(outcome);
        self.outcomes.last()
    }

    /// Delivers bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8], principal: Option<&str>) -> String {
        let delivery = Delivery::new(bytes, principal);
        answer(self.event(Event::Deliver(delivery)).unwrap())
    }

    /// Delivers a message. Gives the outcome, and of a rejection its code.
    pub(crate) fn say(&mut self, words: Words) -> String {
        self.raw(words.text().as_bytes(), words.principal.as_deref())
    }

    fn expect(&mut self, words: Words, expected: &str) -> &mut Self {
        let text = words.text();
        assert_eq!(self.say(words), expected, "{text}");
        self
    }

    pub(crate) fn ok(&mut self, words: Words) -> &mut Self {
        self.expect(words, "accepted")
    }

    pub(crate) fn wait(&mut self, words: Words) -> &mut Self {
        self.expect(words, "pending")
    }

    pub(crate) fn refuse(&mut self, words: Words, code: &str) -> &mut Self {
        self.expect(words, code)
    }

    pub(crate) fn conflict(&mut self, words: Words) -> &mut Self {
        self.expect(words, "id_conflict")
    }

    /// Takes a record of a log document.
    pub(crate) fn fact(&mut self, record: &Value) -> &mut Self {
        let line = record.to_string();
        match Record::read(line.as_bytes()) {
            Ok(Record::Event(event)) => self.event(event),
            other => panic!("{line}: {other:?}"),
        };
        self
    }

    pub(crate) fn permit(&mut self, commitment: &str) -> &mut Self {
        self.fact(&serde_json::json!({"permit": {"commitment": commitment}}))
    }

    /// Which earlier messages the last delivery settled, as `id` or `id:code`.
    pub(crate) fn released(&self) -> Vec<String> {
        let last = self.outcomes.last().unwrap();
        let shown = last.released.iter().map(|released| match released.code {
            None => released.id.clone(),
            Some(code) => format!("{} {code}", released.id),
        });
        let mut shown: Vec<String> = shown.collect();
        shown.sort();
        shown
    }

    /// What the last delivery waits for.
    pub(crate) fn waiting(&self) -> Vec<String> {
        match &self.outcomes.last().unwrap().verdict {
            Verdict::Pending { waiting_for } => {
                let mut ids = waiting_for.clone();
                ids.sort();
                ids
            }
            other => panic!("{other:?}"),
        }
    }

    /// The canonical view; that it is canonical and survives a round trip is checked each time.
    pub(crate) fn view(&self) -> Value {
        let view = self.state.view();
        let text = view.to_canonical_json();
        let json = Json::read(text.as_bytes(), JsonOptions::STRICT).unwrap();
        assert_eq!(canonical(json.root()), text, "S7.03: not canonical");
        let back: View<'_> = serde_json::from_str(&text).unwrap();
        assert_eq!(back, view, "S7.06: lost in a round trip");
        assert_eq!(view.clone().into_owned(), view, "lost in letting go");
        serde_json::from_str(&text).unwrap()
    }

    /// A part of the view; null where it is absent.
    pub(crate) fn at(&self, pointer: &str) -> Value {
        self.view().pointer(pointer).cloned().unwrap_or(Value::Null)
    }

    /// `accepted`, `pending`, the code of a rejection, or `unknown`.
    pub(crate) fn status(&self, id: &str) -> String {
        let message = self.at(&format!("/messages/{id}"));
        match (message.get("code"), message.get("status")) {
            (Some(code), _) => code.as_str().unwrap().to_owned(),
            (None, Some(status)) => status.as_str().unwrap().to_owned(),
            (None, None) => "unknown".to_owned(),
        }
    }

    pub(crate) fn commitment(&self, id: &str) -> Value {
        let view = self.at(&format!("/commitments/{id}"));
        assert!(view.is_object(), "{id} is no commitment");
        view
    }

    /// The codes that block a commitment, one space between.
    pub(crate) fn blocks(&self, id: &str) -> String {
        let commitment = self.commitment(id);
        let codes = words_of(&commitment["blocked_by"]);
        let readiness = if codes.is_empty() { "ready" } else { "blocked" };
        assert_eq!(commitment["readiness"], readiness, "S6.02");
        codes
    }

    /// Progress, with its cause and the candidates if it is unresolved.
    pub(crate) fn progress(&self, id: &str) -> String {
        let commitment = self.commitment(id);
        let mut shown = commitment["progress"].as_str().unwrap().to_owned();
        if let Some(cause) = commitment.get("progress_cause") {
            shown = format!("{shown} {}", cause.as_str().unwrap());
        }
        let candidates = words_of(&commitment["candidates"]);
        if !candidates.is_empty() {
            shown = format!("{shown} {candidates}");
        }
        shown
    }

    /// A list at a commitment, one space between.
    pub(crate) fn list(&self, id: &str, field: &str) -> String {
        words_of(&self.commitment(id)[field])
    }

    /// State and head of a chain, and what competes.
    pub(crate) fn chain(&self, id: &str) -> String {
        let chain = self.at(&format!("/chains/{id}"));
        if chain.is_null() {
            return "none".into();
        }
        let competing = words_of(&chain["competing"]);
        let mut shown = format!(
            "{} {}",
            chain["state"].as_str().unwrap(),
            chain["head"].as_str().unwrap()
        );
        if !competing.is_empty() {
            shown = format!("{shown}: {competing}");
        }
        shown
    }

    /// What there is to reconcile, as `commitment/action: causes`.
    pub(crate) fn reconcile(&self) -> Vec<String> {
        let entries = self.at("/reconcile");
        let shown = entries.as_array().unwrap().iter().map(|entry| {
            format!(
                "{}/{}: {}",
                entry["commitment"].as_str().unwrap(),
                entry["action"].as_str().unwrap(),
                words_of(&entry["causes"])
            )
        });
        shown.collect()
    }
}

/// The texts of a list, one space between.
pub(crate) fn words_of(list: &Value) -> String {
    let texts: Vec<&str> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect();
    texts.join(" ")
}

/// The outcome in a word: of a rejection its code.
pub(crate) fn answer(outcome: &Outcome) -> String {
    match &outcome.verdict {
        Verdict::Rejected(rejection) => rejection.code().to_string(),
        other => other.as_str().to_owned(),
    }
}
