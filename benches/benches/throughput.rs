//! Reading, reducing and viewing the mixed corpus, beside `serde_json::Value` in the same run.
//!
//! Times are processor times of one thread. The table at the end gives each as a multiple of what
//! `serde_json` takes to parse the same bytes into `Value`s, which checks nothing of what Tern
//! must reject, nor do the other peers.

use std::cell::RefCell;
use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput};
use tern_benches::measure::timed;
use tern_benches::mixed;
use tern_benches::reading::{PEER, WAYS};
use tern_core::{Event, Limits, State};

const MESSAGES: usize = 20_000;
const SEED: u64 = 7;

struct Corpus {
    context: tern_core::Context,
    events: Vec<Event<'static>>,
    messages: Vec<String>,
    state: State,
}

impl Corpus {
    fn new() -> Self {
        let context = mixed(SEED, 0).context();
        let events: Vec<Event<'static>> = mixed(SEED, MESSAGES).events().collect();
        let state = reduce(State::new(context.clone(), Limits::default()), &events);
        Self {
            messages: mixed(SEED, MESSAGES).bare().collect(),
            context,
            events,
            state,
        }
    }

    fn bytes(&self) -> u64 {
        let bytes: usize = self.messages.iter().map(String::len).sum();
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }

    fn read_and_reduce(&self) -> u64 {
        let state = State::new(self.context.clone(), Limits::default());
        black_box(reduce(state, &self.events)).position()
    }

    fn view_and_digest(&self) -> u64 {
        let digest = black_box(self.state.view().digest());
        u64::from(digest.as_bytes().first().copied().unwrap_or_default())
    }
}

fn reduce(mut state: State, events: &[Event<'static>]) -> State {
    for event in events {
        black_box(state.apply(event));
    }
    state
}

fn main() {
    let mut criterion = Criterion::default()
        .without_plots()
        .sample_size(20)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3))
        .configure_from_args();
    let corpus = Corpus::new();
    type Work<'c> = Box<dyn Fn() -> u64 + 'c>;
    let reading = WAYS.iter().filter(|(name, _)| *name != "nothing");
    let reading = reading.map(|&(name, way)| -> (&str, Work<'_>) {
        let corpus = &corpus;
        (name, Box::new(move || way(&corpus.messages) as u64))
    });
    let reducing: [(&str, Work<'_>); 2] = [
        ("read and reduce", Box::new(|| corpus.read_and_reduce())),
        ("view and digest", Box::new(|| corpus.view_and_digest())),
    ];
    let works: Vec<(&str, Work<'_>)> = reading.chain(reducing).collect();
    let least: RefCell<Vec<(&str, Duration)>> = RefCell::default();
    let mut group = criterion.benchmark_group("mixed");
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Bytes(corpus.bytes()));
    for (name, work) in works {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|iterations| {
                let mut total = Duration::ZERO;
                for _ in 0..iterations {
                    let time = timed(&work).0;
                    total += time;
                    note(&mut least.borrow_mut(), name, time);
                }
                total
            });
        });
    }
    group.finish();
    criterion.final_summary();
    print_table(&least.borrow(), corpus.bytes());
}

fn note<'n>(least: &mut Vec<(&'n str, Duration)>, name: &'n str, time: Duration) {
    match least.iter_mut().find(|(other, _)| *other == name) {
        Some((_, before)) => *before = time.min(*before),
        None => least.push((name, time)),
    }
}

fn print_table(least: &[(&str, Duration)], bytes: u64) {
    let time_of = |name: &str| {
        least
            .iter()
            .find(|(other, _)| *other == name)
            .map(|row| row.1)
    };
    let Some(peer) = time_of(PEER) else {
        return;
    };
    println!(
        "\n{MESSAGES} messages of {} bytes on average; the least time of each\n",
        bytes / MESSAGES as u64
    );
    println!(
        "{:<28} {:>12} {:>10} {:>16}",
        "what", "µs/message", "MB/s", "time of the peer"
    );
    let parts = time_of("read and reduce").zip(time_of("view and digest"));
    let whole = parts.map(|(reduce, view)| ("read, reduce, view, digest", reduce + view));
    for (name, time) in least.iter().copied().chain(whole) {
        let seconds = time.as_secs_f64();
        println!(
            "{name:<28} {:>12.2} {:>10.0} {:>15.2}x",
            seconds * 1e6 / MESSAGES as f64,
            bytes as f64 / 1e6 / seconds,
            seconds / peer.as_secs_f64(),
        );
    }
}
