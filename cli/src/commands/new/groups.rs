//! Options that come in groups: `--claim`, and after it what belongs to that claim. Several groups
//! are allowed; each option belongs to the head that stands before it.

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use tern_core::message::{
    Assessment, Basis, Claim, Confidence, Evidence, EvidenceRef, Impact, Reference, Text, Timestamp,
};

use super::interview::Interview;
use super::values::{evidence_ref, reference, text, timestamp, word};

/// What was said with `--claim` and the options after it.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims(Vec<ClaimDraft>);

#[derive(Clone, Debug, Default)]
struct ClaimDraft {
    text: Option<Text<'static>>,
    basis: Option<Basis>,
    confidence: Option<Confidence>,
    scope: Option<Text<'static>>,
    evidence: Vec<EvidenceRef<'static>>,
    alternatives: Vec<Text<'static>>,
}

/// What was said with `--impact` and the options after it.
#[derive(Clone, Debug, Default)]
pub(super) struct Impacts(Vec<ImpactDraft>);

#[derive(Clone, Debug, Default)]
struct ImpactDraft {
    commitment: Option<Reference<'static>>,
    assessment: Option<Assessment>,
    reason: Option<Text<'static>>,
}

/// What was said with `--give` and the options after it.
#[derive(Clone, Debug, Default)]
pub(super) struct Given(Vec<EvidenceDraft>);

#[derive(Clone, Debug, Default)]
struct EvidenceDraft {
    id: Option<EvidenceRef<'static>>,
    source: Option<Text<'static>>,
    collected_at: Option<Timestamp<'static>>,
    method: Option<Text<'static>>,
    result: Option<Text<'static>>,
}

impl Claims {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The claims, at least one; none of them if something is missing.
    pub(super) fn need(self, interview: &mut Interview) -> Option<Vec<Claim<'static>>> {
        if self.is_empty() {
            if !interview.has_someone() {
                interview.lacks("--claim TEXT --basis WORD --confidence WORD --scope TEXT");
                return None;
            }
            return ClaimDraft::default()
                .complete(1, interview)
                .map(|claim| vec![claim]);
        }
        self.each(interview)
    }

    /// The claims that were given.
    pub(super) fn each(self, interview: &mut Interview) -> Option<Vec<Claim<'static>>> {
        let drafts = (1..).zip(self.0);
        let claims: Vec<_> = drafts
            .map(|(number, draft)| draft.complete(number, interview))
            .collect();
        claims.into_iter().collect()
    }
}

impl ClaimDraft {
    fn complete(self, number: usize, interview: &mut Interview) -> Option<Claim<'static>> {
        let is_new = self.text.is_none();
        let of = |option: &str| format!("{option} of claim {number}");
        let text = interview.need(self.text, "--claim TEXT", "what is claimed");
        let basis = interview.need(self.basis, &of("--basis WORD"), "how it is known");
        let confidence = interview.need(
            self.confidence,
            &of("--confidence WORD"),
            "how firmly it is believed",
        );
        let scope = interview.need(
            self.scope,
            &of("--scope TEXT"),
            "of what, where and when it holds",
        );
        let mut evidence = self.evidence;
        if is_new {
            evidence = interview.list(evidence, "evidence that it cites (ev:…)");
        }
        Some(Claim {
            text: text?,
            basis: basis?,
            confidence: confidence?,
            scope: scope?,
            evidence,
            alternatives: self.alternatives,
        })
    }
}

impl Impacts {
    pub(super) fn each(self, interview: &mut Interview) -> Option<Vec<Impact<'static>>> {
        let drafts = (1..).zip(self.0);
        let impacts: Vec<_> = drafts
            .map(|(number, draft)| {
                let of = |option: &str| format!("{option} of impact {number}");
                let assessment = interview.need(
                    draft.assessment,
                    &of("--assessment WORD"),
                    "how it is affected",
                );
                let reason = interview.need(draft.reason, &of("--impact-reason TEXT"), "why");
                Some(Impact {
                    commitment: draft.commitment?,
                    assessment: assessment?,
                    reason: reason?,
                })
            })
            .collect();
        impacts.into_iter().collect()
    }
}

impl Given {
    /// The evidence given with the message; absent where there is none.
    pub(super) fn each(self, interview: &mut Interview) -> Option<Option<Vec<Evidence<'static>>>> {
        if self.0.is_empty() {
            return Some(None);
        }
        let drafts = (1..).zip(self.0);
        let given: Vec<_> = drafts
            .map(|(number, draft)| {
                let of = |option: &str| format!("{option} of evidence {number}");
                let source = interview.need(draft.source, &of("--source TEXT"), "where it is from");
                let collected_at = interview.need(
                    draft.collected_at,
                    &of("--collected-at TIME"),
                    "when it was collected",
                );
                let method = interview.need(draft.method, &of("--method TEXT"), "how");
                let result = interview.need(draft.result, &of("--result TEXT"), "what it shows");
                Some(Evidence {
                    id: draft.id?,
                    source: source?,
                    collected_at: collected_at?,
                    method: method?,
                    result: result?,
                })
            })
            .collect();
        given.into_iter().collect::<Option<Vec<_>>>().map(Some)
    }
}

/// An option of a group.
fn option(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name(value)
        .action(ArgAction::Append)
        .help(help)
}

/// The values of an option, each with the place among the arguments where it stands.
fn placed<T: Clone + Send + Sync + 'static>(matches: &ArgMatches, name: &str) -> Vec<(usize, T)> {
    let places = matches.indices_of(name).into_iter().flatten();
    let values = matches.get_many::<T>(name).into_iter().flatten();
    places.zip(values.cloned()).collect()
}

/// Puts each value of an option into the group whose head stands before it.
fn sort<T: Clone + Send + Sync + 'static, G>(
    matches: &ArgMatches,
    (head, name): (&str, &str),
    groups: &mut [(usize, G)],
    mut put: impl FnMut(&mut G, T) -> bool,
) -> Result<(), clap::Error> {
    for (place, value) in placed::<T>(matches, name) {
        let after = groups.partition_point(|(head, _)| *head < place);
        let Some((_, group)) = after.checked_sub(1).and_then(|at| groups.get_mut(at)) else {
            let why = format!("--{name} belongs to a --{head}, which has to stand before it\n");
            return Err(clap::Error::raw(ErrorKind::ArgumentConflict, why));
        };
        if !put(group, value) {
            let why = format!("--{name} stands twice after one --{head}\n");
            return Err(clap::Error::raw(ErrorKind::ArgumentConflict, why));
        }
    }
    Ok(())
}

/// Fills a place once.
fn once<T>(place: &mut Option<T>, value: T) -> bool {
    place.replace(value).is_none()
}

fn push<T>(list: &mut Vec<T>, value: T) -> bool {
    list.push(value);
    true
}

fn without_places<G>(groups: Vec<(usize, G)>) -> Vec<G> {
    groups.into_iter().map(|(_, group)| group).collect()
}

/// The two traits of clap for a group, written by its options and its reading.
macro_rules! group {
    ($kind:ident, $heading:literal, [$($arg:expr),+ $(,)?], |$matches:ident| $read:expr) => {
        impl Args for $kind {
            fn augment_args(command: Command) -> Command {
                command.args([$($arg.help_heading($heading)),+])
            }

            fn augment_args_for_update(command: Command) -> Command {
                Self::augment_args(command)
            }
        }

        impl FromArgMatches for $kind {
            fn from_arg_matches($matches: &ArgMatches) -> Result<Self, clap::Error> {
                $read
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
                *self = Self::from_arg_matches(matches)?;
                Ok(())
            }
        }
    };
}

group!(
    Claims,
    "Claims (several allowed; each option belongs to the --claim before it)",
    [
        option("claim", "TEXT", "What is claimed").value_parser(text),
        option("basis", "WORD", "How it is known").value_parser(word::<Basis>()),
        option("confidence", "WORD", "How firmly it is believed")
            .value_parser(word::<Confidence>()),
        option("scope", "TEXT", "Of what, where and when it holds").value_parser(text),
        option(
            "evidence",
            "EV",
            "Evidence that it cites, ev:…; several allowed"
        )
        .value_parser(evidence_ref),
        option(
            "alternative-reading",
            "TEXT",
            "Another explanation; several allowed"
        )
        .value_parser(text),
    ],
    |matches| {
        let mut groups: Vec<(usize, ClaimDraft)> = placed::<Text<'static>>(matches, "claim")
            .into_iter()
            .map(|(place, text)| {
                let draft = ClaimDraft {
                    text: Some(text),
                    ..ClaimDraft::default()
                };
                (place, draft)
            })
            .collect();
        let groups_of = &mut groups;
        sort(matches, ("claim", "basis"), groups_of, |to, it| {
            once(&mut to.basis, it)
        })?;
        sort(matches, ("claim", "confidence"), groups_of, |to, it| {
            once(&mut to.confidence, it)
        })?;
        sort(matches, ("claim", "scope"), groups_of, |to, it| {
            once(&mut to.scope, it)
        })?;
        sort(matches, ("claim", "evidence"), groups_of, |to, it| {
            push(&mut to.evidence, it)
        })?;
        sort(
            matches,
            ("claim", "alternative-reading"),
            groups_of,
            |to, it| push(&mut to.alternatives, it),
        )?;
        Ok(Self(without_places(groups)))
    }
);

group!(
    Impacts,
    "Impacts (several allowed; each option belongs to the --impact before it)",
    [
        option(
            "impact",
            "COMMITMENT",
            "A commitment that is known to be affected"
        )
        .value_parser(reference),
        option("assessment", "WORD", "How it is affected").value_parser(word::<Assessment>()),
        option("impact-reason", "TEXT", "Why").value_parser(text),
    ],
    |matches| {
        let mut groups: Vec<(usize, ImpactDraft)> = placed::<Reference<'static>>(matches, "impact")
            .into_iter()
            .map(|(place, commitment)| {
                let draft = ImpactDraft {
                    commitment: Some(commitment),
                    ..ImpactDraft::default()
                };
                (place, draft)
            })
            .collect();
        let groups_of = &mut groups;
        sort(matches, ("impact", "assessment"), groups_of, |to, it| {
            once(&mut to.assessment, it)
        })?;
        sort(matches, ("impact", "impact-reason"), groups_of, |to, it| {
            once(&mut to.reason, it)
        })?;
        Ok(Self(without_places(groups)))
    }
);

group!(
    Given,
    "Evidence given with the message (several allowed; each option belongs to the --give before it)",
    [
        option("give", "EV", "The id of a piece of evidence, ev:…").value_parser(evidence_ref),
        option("source", "TEXT", "Where it comes from").value_parser(text),
        option("collected-at", "TIME", "When it was collected, RFC 3339").value_parser(timestamp),
        option("method", "TEXT", "How it was collected").value_parser(text),
        option("result", "TEXT", "What it shows").value_parser(text),
    ],
    |matches| {
        let mut groups: Vec<(usize, EvidenceDraft)> =
            placed::<EvidenceRef<'static>>(matches, "give")
                .into_iter()
                .map(|(place, id)| {
                    let draft = EvidenceDraft {
                        id: Some(id),
                        ..EvidenceDraft::default()
                    };
                    (place, draft)
                })
                .collect();
        let groups_of = &mut groups;
        sort(matches, ("give", "source"), groups_of, |to, it| {
            once(&mut to.source, it)
        })?;
        sort(matches, ("give", "collected-at"), groups_of, |to, it| {
            once(&mut to.collected_at, it)
        })?;
        sort(matches, ("give", "method"), groups_of, |to, it| {
            once(&mut to.method, it)
        })?;
        sort(matches, ("give", "result"), groups_of, |to, it| {
            once(&mut to.result, it)
        })?;
        Ok(Self(without_places(groups)))
    }
);
