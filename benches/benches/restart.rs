//! What a restart costs: from a snapshot, and from the log, beside each other in the same run.
//!
//! Times are processor times of one thread. `replay` applies events that are in memory already; `read
//! the document and replay` is what a program does that has the log as a file.

use std::cell::RefCell;
use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, SamplingMode};
use tern_benches::measure::timed;
use tern_benches::mixed;
use tern_core::{Context, Event, HashKey, Limits, Log, State};

const SIZES: [usize; 2] = [10_000, 100_000];
const SEED: u64 = 7;

struct Corpus {
    context: Context,
    events: Vec<Event<'static>>,
    document: Vec<u8>,
    state: State,
    snapshot: Vec<u8>,
}

type Work = fn(&Corpus) -> u64;

const WORKS: [(&str, Work); 6] = [
    ("read the document and replay", Corpus::read_and_replay),
    ("replay", |corpus| corpus.replay().position()),
    ("restore", Corpus::restore),
    ("snapshot", |corpus| {
        black_box(corpus.state.snapshot()).len() as u64
    }),
    ("digest", |corpus| {
        let digest = black_box(corpus.state.digest());
        u64::from(digest.as_bytes().first().copied().unwrap_or_default())
    }),
    ("view and its digest", |corpus| {
        let digest = black_box(corpus.state.view().digest());
        u64::from(digest.as_bytes().first().copied().unwrap_or_default())
    }),
];

impl Corpus {
    fn new(messages: usize) -> Self {
        let document: Vec<String> = mixed(SEED, messages).document().collect();
        let mut corpus = Self {
            context: mixed(SEED, 0).context(),
            events: mixed(SEED, messages).events().collect(),
            document: document.join("\n").into_bytes(),
            state: State::new(Context::unverified(), Limits::default()),
            snapshot: Vec::new(),
        };
        corpus.state = corpus.replay();
        corpus.snapshot = corpus.state.snapshot();
        corpus
    }

    fn replay(&self) -> State {
        let mut state = State::new(self.context.clone(), Limits::default());
        for event in &self.events {
            black_box(state.apply(event));
        }
        state
    }

    fn read_and_replay(&self) -> u64 {
        let log = Log::read(&self.document).map(|log| log.state_at(usize::MAX, &Limits::default()));
        log.map_or(0, |(state, _)| black_box(state).position())
    }

    fn restore(&self) -> u64 {
        let key = HashKey::default();
        let state = State::restore(&self.snapshot, self.context.clone(), Limits::default(), key);
        black_box(state).map_or(0, |state| state.position())
    }
}

fn main() {
    let mut criterion = Criterion::default()
        .without_plots()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3))
        .configure_from_args();
    for messages in SIZES {
        let corpus = Corpus::new(messages);
        let least: RefCell<Vec<(&str, Duration)>> = RefCell::default();
        let mut group = criterion.benchmark_group(format!("restart after {messages}"));
        group.sampling_mode(SamplingMode::Flat);
        for (name, work) in WORKS {
            group.bench_function(name, |bencher| {
                bencher.iter_custom(|iterations| {
                    let mut total = Duration::ZERO;
                    for _ in 0..iterations {
                        let time = timed(|| work(&corpus)).0;
                        total += time;
                        note(&mut least.borrow_mut(), name, time);
                    }
                    total
                });
            });
        }
        group.finish();
        print_table(&corpus, messages, &least.borrow());
    }
    criterion.final_summary();
}

fn note<'n>(least: &mut Vec<(&'n str, Duration)>, name: &'n str, time: Duration) {
    match least.iter_mut().find(|(other, _)| *other == name) {
        Some((_, before)) => *before = time.min(*before),
        None => least.push((name, time)),
    }
}

fn print_table(corpus: &Corpus, messages: usize, least: &[(&str, Duration)]) {
    let restore = least.iter().find(|(name, _)| *name == "restore");
    let Some(&(_, restore)) = restore else {
        return;
    };
    println!(
        "\n{messages} messages: a document of {} bytes a message, a snapshot of {}; the least time of each\n",
        corpus.document.len() / messages,
        corpus.snapshot.len() / messages,
    );
    println!("{:<30} {:>12} {:>14}", "what", "µs/message", "restore = 1");
    for &(name, time) in least {
        println!(
            "{name:<30} {:>12.3} {:>14.2}",
            time.as_secs_f64() * 1e6 / messages as f64,
            time.as_secs_f64() / restore.as_secs_f64(),
        );
    }
    println!();
}
