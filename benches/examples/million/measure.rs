//! What is measured of every kind of store.

use crate::file::PlainFile;
use crate::ours;
use crate::table::{Table, load, median};
use crate::{BATCH, Expected, Input, Kind, Peer};

/// Rounds in which all take turns, at sizes that allow it.
const ROUNDS: usize = 3;
const OF_ROUND: usize = 100_000;
/// So far behind the end is the snapshot: `tern` keeps one after ten thousand new records.
const BEHIND: usize = 5000;

pub(crate) fn measure(kind: &mut dyn Kind, input: &Input<'_>) {
    let lines = &*input.lines;
    println!("## {}\n\n{}; {}\n", kind.name(), kind.versions(), load());
    let mut peers = kind.peers();
    peers.push(Box::new(PlainFile::new(input.folder)));
    let raw = peers[0].name();
    let some = &lines[..lines.len().min(OF_ROUND)];
    let mut times = vec![Vec::new(); peers.len() + 1];
    for _ in 0..ROUNDS {
        times[0].push(ours::append(&*kind.fresh().0, some, BATCH));
        for (peer, times) in peers.iter_mut().zip(&mut times[1..]) {
            times.push(peer.append(some));
        }
    }
    let mut table = Table::new();
    let names = ["tern-store"].into_iter();
    let names = names.chain(peers.iter().map(|peer| peer.name()));
    for (name, times) in names.zip(times) {
        table.row(name, some.len(), median(times));
    }
    table.print(&format!("append, median of {ROUNDS} rounds"), raw);

    let (store, address) = kind.fresh();
    let mut table = Table::new();
    table.row(
        "tern-store",
        lines.len(),
        ours::append(&*store, lines, BATCH),
    );
    for peer in &mut peers {
        table.row(peer.name(), lines.len(), peer.append(lines));
    }
    table.row("the links alone", lines.len(), ours::hash(lines));
    let time = ours::import(&*kind.fresh().0, input.document);
    table.row("import: read strictly and append", lines.len(), time);
    let document = input.document.to_str().unwrap();
    if let Some(time) = ours::tern(&["log", "import", &kind.fresh().1, document]) {
        table.row("`tern log import`", lines.len(), time);
    }
    table.print("append, one run", raw);

    kind.settle();
    scans(&*store, &address, lines, &mut peers);
    restarts(&*store, input);
    println!("{} at the end\n", load());
}

fn scans(
    store: &dyn tern_store::Store,
    address: &str,
    lines: &[&[u8]],
    peers: &mut [Box<dyn Peer>],
) {
    let expected = Expected::of(lines);
    let mut names = Vec::new();
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let mut measured = vec![
            ("tern-store, verified", ours::verify(store, expected)),
            ("tern-store, `Log::read`", ours::read(store, expected)),
        ];
        for peer in peers.iter_mut() {
            measured.extend(peer.scan(expected));
        }
        measured.push(("the links alone", ours::hash(lines)));
        if let Some(time) = ours::tern(&["log", "verify", address]) {
            measured.push(("`tern log verify`", time));
        }
        names = measured.iter().map(|(name, _)| *name).collect();
        times.resize(names.len(), Vec::new());
        for (times, (_, time)) in times.iter_mut().zip(measured) {
            times.push(time);
        }
    }
    let mut table = Table::new();
    for (name, times) in names.iter().zip(times) {
        table.row(*name, lines.len(), median(times));
    }
    // Behind both of ours stands the raw scan.
    let title = format!("read all, in the system's cache, median of {ROUNDS} rounds");
    table.print(&title, names[2]);
}

fn restarts(store: &dyn tern_store::Store, input: &Input<'_>) {
    let records = input.lines.len();
    let behind = BEHIND.min(records / 10);
    let replayed = ours::replay(store, (records - behind) as u64);
    let (plain, digest) = ours::replay_file(input.document);
    assert_eq!(digest, replayed.digest, "the same view");
    let restarted = ours::restart(store, &replayed);
    let mut table = Table::new();
    let without = "without a snapshot";
    table.row(without, records, replayed.time);
    table.row("from a plain file, unverified", records, plain);
    table.row(
        format!("from a snapshot and {behind} records"),
        records,
        restarted.time,
    );
    table.row("of that, `State::restore`", records, restarted.restore);
    table.row("keeping the snapshot", records, restarted.put);
    table.print(
        "restart: read, reduce, digest of the view, one run",
        without,
    );
    println!(
        "The snapshot has {} bytes, {:.0} a record.\n",
        restarted.bytes,
        restarted.bytes as f64 / records as f64
    );
}
