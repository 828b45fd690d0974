//! The same set in other orders, repeated, and over two receivers.

use tern_conformance::Mixer;
use tern_conformance::shown::shown;
use tern_core::{Event, Limits, Log, State, Verdict, View};

use super::log;
use crate::kept::{Ids, Kept, is_refused};
use crate::views;

/// The log that grows out of the input, received otherwise, comes to the same digest (S7.01, S3.03,
/// S6.01); where an id is equivocal, to what S7.02 promises. What is repeated or refused changes
/// nothing (T1.27, R-01).
///
/// # Panics
/// Where this does not hold.
pub fn reduce_order(data: &[u8]) {
    let input = log::of(data);
    let Ok(log) = Log::read(&input.document) else {
        return;
    };
    let mut dice = Mixer::of(data);
    let first = receive(&log, log.events());
    let first = first.view();
    let tainted = tainted(&log, &first);
    let check = |name: &str, one: &View<'_>, other: &View<'_>| {
        if let Err(why) = agree(one, other, tainted.as_ref()) {
            panic!(
                "{why} ({name})\n{}\n{}\n{}",
                one.to_canonical_json(),
                other.to_canonical_json(),
                shown(&input.document)
            );
        }
    };
    let unchanged = |name: &str, other: &State| {
        assert!(
            first == other.view(),
            "{name}\n{}\n{}\n{}",
            first.to_canonical_json(),
            other.view().to_canonical_json(),
            shown(&input.document)
        );
    };

    let backwards = receive(&log, log.events().iter().rev());
    check("backwards", &first, &backwards.view());

    let (facts, deliveries): (Vec<_>, Vec<_>) = log
        .events()
        .iter()
        .partition(|event| matches!(event, Event::Fact(_)));
    let facts_last = receive(&log, deliveries.iter().chain(&facts).copied());
    unchanged("S6.01: facts that come last make another view", &facts_last);

    let kept = receive(
        &log,
        log.events().iter().filter(|event| is_kept(&log, event)),
    );
    unchanged("R-01: refused deliveries make another view", &kept);

    // A document, which may be a finding made small, has to fail by other dice, too.
    for _ in 0..if input.choice.is_none() { 8 } else { 1 } {
        let mut order: Vec<&Event<'_>> = log.events().iter().collect();
        dice.shuffle(&mut order);
        let shuffled = receive(&log, order.iter().copied());
        check("shuffled", &first, &shuffled.view());

        let repeated = repeat(&log, &mut dice, &input.document);
        unchanged("T1.27: repetitions make another view", &repeated);

        let (one, other) = join(&log, &mut dice);
        let one = one.view();
        check("two receivers, joined", &one, &other.view());
        check("in one piece and joined", &first, &one);
    }
}

/// No quota decides here, for what a quota refuses depends on the order.
fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_pending = usize::MAX;
    limits.max_pending_per_sender = usize::MAX;
    limits.max_versions = usize::MAX;
    limits
}

fn receive<'e>(log: &Log, events: impl IntoIterator<Item = &'e Event<'static>>) -> State {
    let mut state = State::new(log.context().clone(), limits());
    for event in events {
        state.apply(event);
    }
    state
}

/// what is tainted. None where nothing is equivocal.
fn tainted(log: &Log, view: &View<'_>) -> Option<Ids> {
    let equivocal: Ids = view.equivocal.keys().map(ToString::to_string).collect();
    let state = || State::new(log.context().clone(), limits());
    (!equivocal.is_empty()).then(|| Kept::of(state(), log.events()).tainted(equivocal))
}

/// What receivers of the same set agree on: on everything, or on what S7.02 leaves.
fn agree(one: &View<'_>, other: &View<'_>, tainted: Option<&Ids>) -> Result<(), String> {
    // Equal views are equal bytes, and have one digest: `view_json` sees to that.
    if one == other {
        return Ok(());
    }
    let Some(tainted) = tainted else {
        return Err("S7.01, S3.03: another order, another view".into());
    };
    let value = |view: &View<'_>| serde_json::to_value(view).unwrap();
    views::agree(&value(one), &value(other), tainted).map(drop)
}

/// Whether stages 1 to 4 let an event pass, whatever else has come.
fn is_kept(log: &Log, event: &Event<'static>) -> bool {
    let mut state = State::new(log.context().clone(), limits());
    !state.apply(event).is_some_and(|it| is_refused(&it))
}

/// All events, and some of them again later.
fn repeat(log: &Log, dice: &mut Mixer, document: &[u8]) -> State {
    let mut events: Vec<(&Event<'static>, bool)> =
        log.events().iter().map(|event| (event, false)).collect();
    if !events.is_empty() {
        for _ in 0..4 {
            let from = dice.below(events.len());
            let to = from + 1 + dice.below(events.len() - from);
            events.insert(to, (events[from].0, true));
        }
    }
    let mut state = State::new(log.context().clone(), limits());
    for (event, again) in events {
        let outcome = state.apply(event);
        if let Some(outcome) = outcome.filter(|_| again) {
            let is_new = matches!(outcome.verdict, Verdict::Accepted | Verdict::Pending { .. });
            assert!(
                !is_new && outcome.released.is_empty(),
                "T1.27, T8.04: a repeated delivery has an effect: {outcome:?}\n{}",
                shown(document)
            );
        }
    }
    state
}

/// Two receivers get a part each, some events both of them, and then what the other one has.
fn join(log: &Log, dice: &mut Mixer) -> (State, State) {
    let (mut one, mut other) = (Vec::new(), Vec::new());
    for event in log.events() {
        let to = dice.below(4);
        if to != 0 {
            one.push(event);
        }
        if to < 2 {
            other.push(event);
        }
    }
    (
        receive(log, one.iter().chain(&other).copied()),
        receive(log, other.iter().chain(&one).copied()),
    )
}
