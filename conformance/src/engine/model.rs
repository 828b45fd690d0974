//! The reference model, in this process: a list that is read anew for each question.

use tern_model::{Document, Limits};

use super::{Answer, Ask, Engine, EngineError, Outcome, Reading, View};

/// `tern-model`, the second opinion.
#[derive(Clone, Debug, Default)]
pub struct Model {
    limits: Limits,
}

impl Model {
    /// The model under limits other than the default ones.
    #[must_use]
    pub const fn with_limits(limits: Limits) -> Self {
        Self { limits }
    }

    fn read(&self, document: &[u8], ask: Ask) -> Answer {
        let document = match Document::read(document) {
            Ok(document) => document,
            Err(broken) => return Answer::Refused { line: broken.line },
        };
        let mut model = tern_model::Model::new(&document, self.limits.clone());
        let mut reading = Reading::new(ask);
        for record in document.records() {
            if ask == Ask::ViewAfterEach {
                reading.views.push(look(&model));
            }
            reading
                .outcomes
                .extend(model.step(record).map(Outcome::from));
        }
        reading.views.push(look(&model));
        Answer::Read(reading)
    }
}

impl Engine for Model {
    fn name(&self) -> &str {
        "model"
    }

    fn run(&mut self, document: &[u8], ask: Ask) -> Result<Answer, EngineError> {
        Ok(self.read(document, ask))
    }
}

fn look(model: &tern_model::Model) -> View {
    // The same as `model.digest()`, which would make the view once more.
    let json = model.view();
    let digest = tern_model::digest(&json);
    View { json, digest }
}

impl From<tern_model::Outcome> for Outcome {
    fn from(outcome: tern_model::Outcome) -> Self {
        match outcome {
            tern_model::Outcome::Accepted => Self::Accepted,
            tern_model::Outcome::Pending => Self::Pending,
            tern_model::Outcome::Duplicate => Self::Duplicate,
            tern_model::Outcome::IdConflict => Self::IdConflict,
            tern_model::Outcome::Rejected { class, code } => Self::Rejected {
                class: class.into(),
                code: code.into(),
            },
        }
    }
}
