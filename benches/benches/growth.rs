//! How the cost of a state grows with its size, for every shape that might grow too fast.
//!
//! Each row takes a shape in several sizes and times one thing in processor time: reducing it,
//! reducing it with a look at one message after each delivery, or the view and its digest at the
//! end. The table at the end gives the growth exponent of each and flags what is above 1.1. It is
//! for people to read: no test asserts a time.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, SamplingMode};
use tern_benches::hostile::{self, Target, commitment_id, target_id};
use tern_benches::measure::{exponent, timed};
use tern_benches::{Corpus, mixed};
use tern_core::{Event, Limits, State};

const BOUND: f64 = 1.1;

/// What is timed.
#[derive(Clone, Copy)]
enum Work {
    /// Every delivery, and nothing else.
    Reduce,
    /// The canonical view and its digest, after everything.
    View,
    /// Every delivery, and after each `State::commitment` or `State::chain` of this id; of the
    /// delivered message itself where there is none.
    Look(Option<&'static str>),
    /// Every delivery, in limits that let one message be as large and as deep as it likes.
    Wide,
}

struct Row {
    shape: &'static str,
    work: Work,
    sizes: &'static [usize],
    make: fn(usize) -> Corpus,
    /// Why it may be above the bound.
    note: &'static str,
}

const LONG: &[usize] = &[1_000, 10_000, 100_000];
const MIDDLE: &[usize] = &[300, 1_000, 3_000, 10_000];
const SHORT: &[usize] = &[250, 500, 1_000];
/// For what was quadratic once and must not be again.
const ONCE: &[usize] = &[1_000, 3_000, 10_000];

const LISTS: &str = "each look lists everything so far";

const fn row(
    shape: &'static str,
    work: Work,
    sizes: &'static [usize],
    make: fn(usize) -> Corpus,
) -> Row {
    Row {
        shape,
        work,
        sizes,
        make,
        note: "",
    }
}

const fn noted(note: &'static str, row: Row) -> Row {
    Row { note, ..row }
}

fn rows() -> Vec<Row> {
    use Work::{Look, Reduce, View, Wide};
    let fork_tell = |n| hostile::fork(Target::Tell, n);
    let fork_report = |n| hostile::fork(Target::Report, n);
    let fork_commit = |n| hostile::fork(Target::Commit, n);
    let tell = Look(Some(target_id(Target::Tell)));
    let promise = Look(commitment_id(Target::Commit));
    vec![
        row("mixed", Reduce, LONG, |n| mixed(7, n)),
        row("mixed", View, LONG, |n| mixed(7, n)),
        row("mixed", Look(None), LONG, |n| mixed(7, n)),
        row("chain", Reduce, LONG, hostile::chain),
        row("chain", View, LONG, hostile::chain),
        noted(LISTS, row("chain", tell, SHORT, hostile::chain)),
        row("waiting", Reduce, LONG, hostile::waiting),
        row("waiting", View, LONG, hostile::waiting),
        row("fork of a TELL", Reduce, MIDDLE, fork_tell),
        row("fork of a TELL", View, MIDDLE, fork_tell),
        noted(LISTS, row("fork of a TELL", tell, SHORT, fork_tell)),
        row("fork of a REPORT", Reduce, MIDDLE, fork_report),
        row("fork of a REPORT", View, MIDDLE, fork_report),
        noted(LISTS, row("fork of a REPORT", promise, SHORT, fork_report)),
        row("fork of a COMMIT", Reduce, MIDDLE, fork_commit),
        row("fork of a COMMIT", View, MIDDLE, fork_commit),
        noted(LISTS, row("fork of a COMMIT", promise, SHORT, fork_commit)),
        row(
            "commitments on one request",
            Reduce,
            LONG,
            hostile::commitments,
        ),
        row(
            "commitments on one request",
            View,
            LONG,
            hostile::commitments,
        ),
        row(
            "commitments on one request",
            Look(None),
            MIDDLE,
            hostile::commitments,
        ),
        row("reports on one commitment", Reduce, LONG, hostile::reports),
        row("reports on one commitment", View, LONG, hostile::reports),
        noted(
            LISTS,
            row(
                "reports on one commitment",
                promise,
                SHORT,
                hostile::reports,
            ),
        ),
        row("acks of one message", Reduce, LONG, hostile::acks),
        row("acks of one message", View, LONG, hostile::acks),
        row("keys in a message", Wide, LONG, hostile::keys),
        row(
            "unknown fields in a message",
            Wide,
            LONG,
            hostile::unknown_fields,
        ),
        row("recipients of a message", Wide, LONG, hostile::recipients),
        row("citations in a message", Wide, LONG, hostile::citations),
        row("evidence in a message", Wide, LONG, hostile::given),
        row("claims in a message", Wide, LONG, hostile::claims),
        row("impacts in a message", Wide, LONG, hostile::impacts),
        row(
            "impacts in a message",
            View,
            &[1_000, 3_000, 10_000],
            hostile::impacts,
        ),
        row("nested arrays", Wide, LONG, hostile::nesting),
        row(
            "broken in nested objects",
            Wide,
            LONG,
            hostile::broken_nesting,
        ),
        row("16 versions of each id", Reduce, MIDDLE, hostile::versions),
        row("16 versions of each id", View, MIDDLE, hostile::versions),
        row(
            "cycle",
            Reduce,
            &[1_000, 3_000, 10_000, 30_000],
            hostile::cycle,
        ),
        row(
            "cycle",
            View,
            &[1_000, 3_000, 10_000, 30_000],
            hostile::cycle,
        ),
        row(
            "challenges of one commitment",
            View,
            LONG,
            hostile::challenges,
        ),
        row(
            "strangers' revisions of a request",
            Reduce,
            MIDDLE,
            hostile::strangers_revisions,
        ),
        row(
            "strangers' revisions of a request",
            View,
            ONCE,
            hostile::strangers_revisions,
        ),
        row("grants of one name", View, ONCE, hostile::grants),
        row("starts on one commitment", View, ONCE, hostile::starts),
        row("unsettled reports", View, ONCE, hostile::unsettled),
        row("interleaved, alike", View, ONCE, |n| {
            hostile::interleaved(n, false)
        }),
        row("interleaved, of two states", View, ONCE, |n| {
            hostile::interleaved(n, true)
        }),
        row("revised request, known", View, ONCE, |n| {
            hostile::changed_request(n, true)
        }),
        noted(
            "lists every revision at every commitment",
            row("revised request, unknown", View, SHORT, |n| {
                hostile::changed_request(n, false)
            }),
        ),
    ]
}

impl Row {
    /// What its work begins with.
    fn prepare(&self, size: usize) -> (State, Vec<Event<'static>>) {
        let corpus = (self.make)(size);
        let state = State::new(corpus.context(), self.work.limits());
        let events: Vec<Event<'static>> = corpus.events().collect();
        match self.work {
            Work::View => (reduce(state, &events), Vec::new()),
            Work::Reduce | Work::Look(_) | Work::Wide => (state, events),
        }
    }
}

impl Work {
    const fn name(self) -> &'static str {
        match self {
            Self::Reduce | Self::Wide => "reduce",
            Self::View => "view",
            Self::Look(_) => "look",
        }
    }

    fn limits(self) -> Limits {
        match self {
            Self::Wide | Self::View => {
                let mut limits = Limits::default();
                limits.max_bytes = 1 << 28;
                limits.max_depth = 1 << 28;
                limits
            }
            Self::Reduce | Self::Look(_) => Limits::default(),
        }
    }

    /// From a new state; a view from one that holds everything already.
    fn time(self, state: &State, events: &[Event<'static>]) -> Duration {
        match self {
            Self::Reduce | Self::Wide => timed(|| reduce(state.clone(), events)).0,
            Self::Look(id) => timed(|| look(state.clone(), events, id)).0,
            Self::View => timed(|| state.view().digest()).0,
        }
    }
}

fn reduce(mut state: State, events: &[Event<'static>]) -> State {
    for event in events {
        state.apply(event);
    }
    state
}

fn look(mut state: State, events: &[Event<'static>], id: Option<&str>) -> usize {
    let mut seen = 0;
    for event in events {
        let outcome = state.apply(event);
        let Some(id) = id.or(outcome.as_ref().and_then(|outcome| outcome.id.as_deref())) else {
            continue;
        };
        seen += usize::from(state.commitment(id).is_some());
        seen += usize::from(state.chain(id).is_some());
    }
    seen
}

/// The least time of each size of a row.
type Times = BTreeMap<(usize, usize), Duration>;

fn main() {
    let begin = Instant::now();
    let mut criterion = Criterion::default()
        .without_plots()
        .sample_size(10)
        .nresamples(1_000)
        .warm_up_time(Duration::from_millis(1))
        .measurement_time(Duration::from_millis(1))
        .configure_from_args();
    let times: RefCell<Times> = RefCell::default();
    let rows = rows();
    for (place, row) in rows.iter().enumerate() {
        let mut group = criterion.benchmark_group(format!("{}, {}", row.shape, row.work.name()));
        group.sampling_mode(SamplingMode::Flat);
        for &size in row.sizes {
            // Criterion calls the closure once a sample.
            let prepared = OnceCell::new();
            group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
                let (state, events) = prepared.get_or_init(|| row.prepare(size));
                bencher.iter_custom(|iterations| {
                    let mut total = Duration::ZERO;
                    for _ in 0..iterations {
                        let time = row.work.time(state, events);
                        let mut times = times.borrow_mut();
                        let least = times.entry((place, size)).or_insert(time);
                        *least = time.min(*least);
                        total += time;
                    }
                    total
                });
            });
        }
        group.finish();
    }
    criterion.final_summary();
    print_table(&rows, &times.borrow());
    println!("\n{} s in all", begin.elapsed().as_secs());
}

fn print_table(rows: &[Row], times: &Times) {
    println!(
        "\n{:<36} {:<7} {:>8} {:>12} {:>8} {:>12} {:>9}",
        "shape", "what", "from", "µs each", "to", "µs each", "exponent"
    );
    for (place, row) in rows.iter().enumerate() {
        let points: Vec<(usize, Duration)> = row
            .sizes
            .iter()
            .filter_map(|&size| Some((size, *times.get(&(place, size))?)))
            .collect();
        let (Some(&first), Some(&last)) = (points.first(), points.last()) else {
            continue;
        };
        let logs: Vec<(f64, f64)> = points
            .iter()
            .map(|&(size, time)| (size as f64, time.as_secs_f64()))
            .collect();
        let Some(exponent) = exponent(&logs) else {
            continue;
        };
        let each = |(size, time): (usize, Duration)| time.as_secs_f64() * 1e6 / size as f64;
        let flag = match (exponent > BOUND, row.note) {
            (false, _) => String::new(),
            (true, "") => format!("  > {BOUND}"),
            (true, note) => format!("  > {BOUND}: {note}"),
        };
        println!(
            "{:<36} {:<7} {:>8} {:>12.3} {:>8} {:>12.3} {exponent:>9.3}{flag}",
            row.shape,
            row.work.name(),
            first.0,
            each(first),
            last.0,
            each(last),
        );
    }
}
