//! The core behind the trait, as far as these tests need it.

use std::borrow::Cow;

use tern_conformance::engine::View;
use tern_conformance::{Answer, Ask, Engine, EngineError, Outcome, Step};
use tern_core::log::{Input, Line, Reader, begins_document, is_one_object};
use tern_core::{Code, Delivery, Event, Limits, State, Verdict};

/// The core.
pub(crate) struct Core;

impl Engine for Core {
    fn name(&self) -> &str {
        "core"
    }

    fn run(&mut self, document: &[u8], ask: Ask) -> Result<Answer, EngineError> {
        let first = document.split(|byte| *byte == b'\n').next();
        let input = if begins_document(first.unwrap_or_default()) {
            Input::Document
        } else {
            Input::Bare
        };
        let mut reader = Reader::new(input);
        let mut events: Vec<Event<'_>> = Vec::new();
        if input == Input::Bare && is_one_object(document) {
            events.push(Event::Deliver(Delivery::new(document, None)));
        } else {
            let body = document.strip_suffix(b"\n").unwrap_or(document);
            for (at, line) in body.split(|byte| *byte == b'\n').enumerate() {
                if document.is_empty() {
                    break;
                }
                match reader.read(line) {
                    Ok(Line::Context(_)) => {}
                    Ok(Line::Event(event)) => events.push(event),
                    Err(_) => return Ok(Answer::Refused { line: at + 1 }),
                }
            }
        }
        let context = reader.context().cloned();
        let context = context.unwrap_or_else(tern_core::Context::unverified);
        let mut state = State::new(context, Limits::default());
        let mut steps = vec![Step {
            outcome: None,
            view: None,
        }];
        for event in &events {
            let outcome = state.apply(event).map(|outcome| answer(&outcome.verdict));
            let view = (ask == Ask::ViewAfterEach).then(|| view(&state));
            steps.push(Step { outcome, view });
        }
        if let Some(last) = steps.last_mut() {
            last.view = Some(view(&state));
        }
        Ok(Answer::Read(steps))
    }
}

fn view(state: &State) -> View {
    let view = state.view();
    View {
        json: view.to_canonical_json(),
        digest: String::new(),
    }
}

fn answer(verdict: &Verdict) -> Outcome {
    match verdict {
        Verdict::Accepted => Outcome::Accepted,
        Verdict::Pending { .. } => Outcome::Pending,
        Verdict::Duplicate => Outcome::Duplicate,
        Verdict::IdConflict(_) => Outcome::IdConflict,
        Verdict::Rejected(rejection) => {
            let code: Code = rejection.code();
            Outcome::Rejected {
                class: Cow::Borrowed(code.class().as_str()),
                code: Cow::Borrowed(code.as_str()),
            }
        }
    }
}
