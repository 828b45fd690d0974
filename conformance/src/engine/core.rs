//! The core, in this process: one state that takes record after record.

use tern_core::{Limits, Log, State, Verdict};

use super::{Answer, Ask, Engine, EngineError, Outcome, Reading, View};

/// `tern-core` as it is embedded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Core {
    limits: Limits,
}

impl Core {
    /// The core under limits other than the default ones.
    #[must_use]
    pub const fn with_limits(limits: Limits) -> Self {
        Self { limits }
    }

    fn read(&self, document: &[u8], ask: Ask) -> Answer {
        let log = match Log::read(document) {
            Ok(log) => log,
            Err(error) => {
                let line = usize::try_from(error.line).unwrap_or(usize::MAX);
                return Answer::Refused { line };
            }
        };
        let mut state = State::new(log.context().clone(), self.limits);
        let mut reading = Reading::new(ask);
        for event in log.events() {
            if ask == Ask::ViewAfterEach {
                reading.views.push(look(&state));
            }
            let outcome = state.apply(event);
            reading
                .outcomes
                .extend(outcome.map(|it| Outcome::from(&it.verdict)));
        }
        reading.views.push(look(&state));
        Answer::Read(reading)
    }
}

impl Engine for Core {
    fn name(&self) -> &str {
        "core"
    }

    fn run(&mut self, document: &[u8], ask: Ask) -> Result<Answer, EngineError> {
        Ok(self.read(document, ask))
    }
}

fn look(state: &State) -> View {
    let view = state.view();
    View {
        json: view.to_canonical_json(),
        digest: view.digest().to_string(),
    }
}

impl From<&Verdict> for Outcome {
    fn from(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Accepted => Self::Accepted,
            Verdict::Pending { .. } => Self::Pending,
            Verdict::Duplicate => Self::Duplicate,
            Verdict::IdConflict(_) => Self::IdConflict,
            Verdict::Rejected(rejection) => Self::Rejected {
                class: rejection.code().class().as_str().into(),
                code: rejection.code().as_str().into(),
            },
        }
    }
}
