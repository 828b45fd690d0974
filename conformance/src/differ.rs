//! Where two engines part.

use std::fmt;

use serde_json::Value;

use crate::engine::{Answer, Ask, Engine, EngineError, Outcome, View, caught};
use crate::shown::inline;

/// The first thing on which two engines do not agree. `left` and `right` are in the order in which
/// the engines were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// One failed, or both: crashed, panicked, or said what is no answer.
    Failure {
        /// How the first one failed; none where it answered.
        left: Option<String>,
        /// How the second one failed; none where it answered.
        right: Option<String>,
    },
    /// One refuses the document, or they refuse it at different lines. None: it was read.
    Refusal {
        /// The line that the first one refuses.
        left: Option<usize>,
        /// The line that the second one refuses.
        right: Option<usize>,
    },
    /// The numbers of deliveries or of views differ.
    Count {
        /// Of what.
        of: &'static str,
        /// How many the first one has.
        left: usize,
        /// How many the second one has.
        right: usize,
    },
    /// A delivery was answered otherwise.
    Outcome {
        /// Which delivery, from 1.
        delivery: usize,
        /// What the first one says.
        left: Outcome,
        /// What the second one says.
        right: Outcome,
    },
    /// The views differ.
    View {
        /// After how many events, where both looked after each; none at the end.
        events: Option<usize>,
        /// JSON pointer of the first difference. Empty where the bytes differ and the values do not.
        pointer: String,
        /// What the first one has there; none where there is nothing.
        left: Option<String>,
        /// What the second one has there; none where there is nothing.
        right: Option<String>,
    },
    /// Equal views have different digests.
    Digest {
        /// What the first one says.
        left: String,
        /// What the second one says.
        right: String,
    },
}

/// Asks two engines about a document and gives the first difference.
///
/// # Errors
/// [`EngineError::Io`], where an engine could not be run at all. Any other failure is a difference.
pub fn compare(
    left: &mut dyn Engine,
    right: &mut dyn Engine,
    document: &[u8],
    ask: Ask,
) -> Result<Option<Difference>, EngineError> {
    let (left, right) = (hear(left, document, ask)?, hear(right, document, ask)?);
    Ok(found(&left, &right))
}

/// What an engine answers, or how it failed.
pub(crate) fn hear(
    engine: &mut dyn Engine,
    document: &[u8],
    ask: Ask,
) -> Result<Result<Answer, String>, EngineError> {
    let name = engine.name().to_owned();
    match caught(&name, || engine.run(document, ask)).flatten() {
        Err(EngineError::Io { engine, source }) => Err(EngineError::Io { engine, source }),
        answer => Ok(answer.map_err(|failure| failure.to_string())),
    }
}

/// The first difference of what two engines were heard to say.
pub(crate) fn found(
    left: &Result<Answer, String>,
    right: &Result<Answer, String>,
) -> Option<Difference> {
    match (left, right) {
        (Ok(left), Ok(right)) => difference(left, right),
        (left, right) => Some(Difference::Failure {
            left: left.as_ref().err().cloned(),
            right: right.as_ref().err().cloned(),
        }),
    }
}

/// The first difference of two answers to the same document.
#[must_use]
pub fn difference(left: &Answer, right: &Answer) -> Option<Difference> {
    let (left, right) = match (left, right) {
        (Answer::Read(left), Answer::Read(right)) => (left, right),
        _ => {
            let (left, right) = (refused(left), refused(right));
            return (left != right).then_some(Difference::Refusal { left, right });
        }
    };
    let each = left.outcomes.iter().zip(&right.outcomes).enumerate();
    for (index, (left, right)) in each {
        if !left.agrees_with(right) {
            return Some(Difference::Outcome {
                delivery: index + 1,
                left: left.clone(),
                right: right.clone(),
            });
        }
    }
    if left.outcomes.len() != right.outcomes.len() {
        return Some(Difference::Count {
            of: "deliveries",
            left: left.outcomes.len(),
            right: right.outcomes.len(),
        });
    }
    let counts = (left.views.len(), right.views.len());
    // One that can only look at the end is compared there.
    let both_looked = left.looked == Ask::ViewAfterEach && right.looked == Ask::ViewAfterEach;
    let found = if both_looked {
        let mut each = left.views.iter().zip(&right.views).enumerate();
        each.find_map(|(events, (left, right))| view_difference(left, right, Some(events)))
    } else {
        let ends = left.views.last().zip(right.views.last());
        ends.and_then(|(left, right)| view_difference(left, right, None))
    };
    let is_whole = if both_looked {
        counts.0 == counts.1
    } else {
        counts.0.min(1) == counts.1.min(1)
    };
    found.or_else(|| {
        (!is_whole).then_some(Difference::Count {
            of: "views",
            left: counts.0,
            right: counts.1,
        })
    })
}

fn refused(answer: &Answer) -> Option<usize> {
    match answer {
        Answer::Refused { line } => Some(*line),
        Answer::Read(_) => None,
    }
}

fn view_difference(left: &View, right: &View, events: Option<usize>) -> Option<Difference> {
    if left.json == right.json {
        return (left.digest != right.digest).then(|| Difference::Digest {
            left: left.digest.clone(),
            right: right.digest.clone(),
        });
    }
    let read = |view: &View| serde_json::from_str::<Value>(&view.json);
    let (pointer, at_left, at_right) = match (read(left), read(right)) {
        (Ok(left), Ok(right)) => first_difference(&left, &right),
        _ => (String::new(), None, None),
    };
    let whole = pointer.is_empty() && at_left.is_none() && at_right.is_none();
    Some(Difference::View {
        events,
        pointer,
        left: if whole {
            Some(left.json.clone())
        } else {
            at_left
        },
        right: if whole {
            Some(right.json.clone())
        } else {
            at_right
        },
    })
}

/// Where two values differ first, and what stands there.
pub(crate) fn first_difference(
    left: &Value,
    right: &Value,
) -> (String, Option<String>, Option<String>) {
    let mut pointer = String::new();
    let (mut left, mut right) = (Some(left), Some(right));
    loop {
        let next = match (left, right) {
            (Some(Value::Object(a)), Some(Value::Object(b))) => a
                .keys()
                .chain(b.keys())
                .find(|key| a.get(*key) != b.get(*key))
                .map(|key| (key.clone(), a.get(key), b.get(key))),
            (Some(Value::Array(a)), Some(Value::Array(b))) => (0..a.len().max(b.len()))
                .find(|&index| a.get(index) != b.get(index))
                .map(|index| (index.to_string(), a.get(index), b.get(index))),
            _ => None,
        };
        let Some((step, a, b)) = next else {
            let shown = |value: Option<&Value>| value.map(Value::to_string);
            return if left == right {
                (pointer, None, None)
            } else {
                (pointer, shown(left), shown(right))
            };
        };
        pointer.push('/');
        pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
        (left, right) = (a, b);
    }
}

impl Difference {
    /// Whether two differences are about the same thing: the same kind and, of views, the same part, of
    /// failures, the same engines.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::View { pointer, .. }, Self::View { pointer: at, .. }) => {
                pointer.split('/').nth(1) == at.split('/').nth(1)
            }
            (
                Self::Failure { left, right },
                Self::Failure {
                    left: other_left,
                    right: other_right,
                },
            ) => left.is_some() == other_left.is_some() && right.is_some() == other_right.is_some(),
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |line: &Option<usize>| match line {
            Some(line) => format!("refused at line {line}"),
            None => "read".to_owned(),
        };
        let there = |text: &Option<String>| text.as_deref().map_or("nothing".to_owned(), inline);
        let failed = |failure: &Option<String>| match failure {
            Some(failure) => inline(failure),
            None => "answered".to_owned(),
        };
        match self {
            Self::Failure { left, right } => {
                write!(f, "a failure: {} | {}", failed(left), failed(right))
            }
            Self::Refusal { left, right } => {
                write!(f, "the document: {} | {}", line(left), line(right))
            }
            Self::Count { of, left, right } => write!(f, "number of {of}: {left} | {right}"),
            Self::Outcome {
                delivery,
                left,
                right,
            } => write!(f, "delivery {delivery}: {left} | {right}"),
            Self::View {
                events,
                pointer,
                left,
                right,
            } => {
                let when = events.map_or("at the end".into(), |n| format!("after {n} events"));
                let (left, right, pointer) = (there(left), there(right), inline(pointer));
                write!(f, "the view {when}, at `{pointer}`: {left} | {right}")
            }
            Self::Digest { left, right } => {
                let (left, right) = (inline(left), inline(right));
                write!(f, "digest of equal views: {left} | {right}")
            }
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected { class, code } => {
                write!(f, "rejected, {}: {}", inline(class), inline(code))
            }
            other => f.write_str(other.word()),
        }
    }
}
