//! A cluster of three servers, of which one is killed and one is stopped, both to come back. INVARIANTS 1 to 4.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tern_store::{Expected, Kept, Log, Position, Record, Records, Store as _};

use crate::nats_server::{self, NatsServer, free_port};
use crate::{Random, at, bare, open};

const MINUTE: Duration = Duration::from_secs(60);

/// Three servers that know each other.
fn cluster() -> Vec<NatsServer> {
    let ports = [free_port(), free_port(), free_port()];
    let routes = ports
        .map(|port| format!("nats://127.0.0.1:{port}"))
        .join(", ");
    let server = |(number, port): (usize, u16)| {
        NatsServer::with(&format!(
            "server_name: n{number}\njetstream: {{}}\ncluster {{ name: c, listen: \"127.0.0.1:{port}\", routes: [{routes}] }}"
        ))
    };
    ports.into_iter().enumerate().map(server).collect()
}

/// What is asked of a cluster that is choosing its leader may fail.
fn until<T, E: std::fmt::Display>(mut ask: impl FnMut() -> Result<T, E>) -> T {
    let begun = Instant::now();
    loop {
        match ask() {
            Ok(answer) => return answer,
            Err(error) if begun.elapsed() > MINUTE => panic!("{error}"),
            Err(_) => thread::sleep(Duration::from_millis(200)),
        }
    }
}

/// All records, asked for until the cluster, which may be choosing a leader, answers.
fn all_texts(log: &dyn Log) -> Vec<String> {
    until(|| {
        let records = Records::new(log, Position::START);
        let records: Result<Vec<Record>, tern_store::Error> = records.collect();
        let text = |record: Record| String::from_utf8(record.bytes).unwrap();
        Ok::<_, tern_store::Error>(records?.into_iter().map(text).collect())
    })
}

#[test]
fn a_cluster_keeps_one_history() {
    if !nats_server::is_here() {
        return;
    }
    let mut servers = cluster();
    let hosts: Vec<String> = servers
        .iter()
        .map(|it| format!("127.0.0.1:{}", it.port))
        .collect();
    let address = format!("nats://{}/TERN?replicas=3", hosts.join(","));
    until(|| at(&address).open("a"));
    let promise = at(&address).promise().unwrap();
    assert_eq!(
        (promise.power_lost, promise.machine_lost),
        (Kept::AllButTheLast(2 * MINUTE), Kept::All)
    );
    let acknowledged = Mutex::new(BTreeMap::new());
    let done = AtomicBool::new(false);
    let mut random = Random::new();
    thread::scope(|scope| {
        for writer in 0..3 {
            let (acknowledged, done, address) = (&acknowledged, &done, &address);
            scope.spawn(move || append(writer, address, acknowledged, done));
        }
        for _ in 0..2 {
            let (killed, stopped) = (random.below(3) as usize, random.below(3) as usize);
            thread::sleep(Duration::from_secs(2));
            servers[killed].kill();
            thread::sleep(Duration::from_secs(3));
            servers[killed].start_again();
            thread::sleep(Duration::from_secs(5));
            servers[stopped].signal("STOP");
            thread::sleep(Duration::from_secs(6));
            servers[stopped].signal("CONT");
        }
        thread::sleep(Duration::from_secs(5));
        done.store(true, Ordering::Relaxed);
    });
    let acknowledged = acknowledged.into_inner().unwrap();
    println!("{} acknowledged", acknowledged.len());
    assert!(acknowledged.len() > 20, "{}", acknowledged.len());
    same_everywhere(&servers, &address, &acknowledged);
}

/// Appends until it is done; opens the log again where it was left undecided.
fn append(
    writer: usize,
    address: &str,
    acknowledged: &Mutex<BTreeMap<usize, String>>,
    done: &AtomicBool,
) {
    let mut log: Option<Box<dyn Log>> = None;
    let mut number = 0;
    while !done.load(Ordering::Relaxed) {
        let Some(open) = &mut log else {
            log = at(address).open("a").ok();
            continue;
        };
        number += 1;
        let record = format!("{writer} {number}");
        match open.append(Expected::Any, &[record.as_bytes()]) {
            Ok(head) => {
                let position = head.position.as_u64() as usize - 1;
                let before = acknowledged.lock().unwrap().insert(position, record);
                assert_eq!(before, None, "two at one position");
            }
            Err(_) => log = None,
        }
    }
}

/// Each server in turn leads the stream, and has the same records: everything acknowledged, nothing twice.
fn same_everywhere(servers: &[NatsServer], address: &str, acknowledged: &BTreeMap<usize, String>) {
    let mut leaders = BTreeSet::new();
    let mut first: Option<Vec<String>> = None;
    let begun = Instant::now();
    while leaders.len() < servers.len() {
        assert!(begun.elapsed() < 2 * MINUTE, "only {leaders:?} would lead");
        let leader = until(|| {
            bare(servers[0].port, async |context| {
                let stream = context
                    .get_stream("TERN")
                    .await
                    .map_err(|it| it.to_string())?;
                let cluster = stream.cached_info().cluster.clone();
                cluster
                    .and_then(|it| it.leader)
                    .ok_or_else(|| "no leader".to_owned())
            })
        });
        if leaders.insert(leader) {
            let log = until(|| at(address).open("a"));
            let all = all_texts(&*log);
            for (position, record) in acknowledged {
                assert_eq!(all.get(*position), Some(record), "acknowledged and lost");
            }
            let different: BTreeSet<&String> = all.iter().collect();
            assert_eq!(different.len(), all.len(), "a record is there twice");
            match &first {
                None => first = Some(all),
                Some(first) => assert!(*first == all, "another history"),
            }
            let head = || until(|| log.head());
            assert_eq!(until(|| open(address, "a").head()), head());
        }
        bare(servers[0].port, async |context| {
            let client = context.client();
            let step_down = "$JS.API.STREAM.LEADER.STEPDOWN.TERN";
            let _ = client.request(step_down, "".into()).await;
        });
        thread::sleep(Duration::from_millis(500));
    }
}

/// One of three servers loses its medium, goes on with an empty one, and is one of three again: then another one goes,
/// and everything acknowledged is read from what is left.
#[test]
fn a_cluster_outlasts_a_lost_medium() {
    if !nats_server::is_here() {
        return;
    }
    let mut servers = cluster();
    let hosts: Vec<String> = servers
        .iter()
        .map(|it| format!("127.0.0.1:{}", it.port))
        .collect();
    let address = format!("nats://{}/TERN?replicas=3", hosts.join(","));
    let lost = Random::new().below(3) as usize;
    let mut log = until(|| at(&address).open("a"));
    let mut acknowledged = Vec::new();
    let mut append = |log: &mut Box<dyn Log>, count: usize| {
        for _ in 0..count {
            let record = acknowledged.len().to_string();
            log.append(Expected::Any, &[record.as_bytes()]).unwrap();
            acknowledged.push(record);
        }
        acknowledged.clone()
    };
    append(&mut log, 200);
    servers[lost].kill();
    std::fs::remove_dir_all(servers[lost].folder.join("jetstream")).unwrap();
    let mut log = until(|| at(&address).open("a"));
    until(|| log.head());
    append(&mut log, 50);
    servers[lost].start_again();
    whole(servers[lost].port);
    let acknowledged = append(&mut log, 50);
    whole(servers[lost].port);
    drop(log);
    servers[(lost + 1) % 3].kill();
    let log = until(|| at(&address).open("a"));
    assert!(all_texts(&*log) == acknowledged, "acknowledged and lost");
    servers[(lost + 1) % 3].start_again();
    whole(servers[lost].port);
    // the one that was empty, and the one that was not there just now
    servers[(lost + 2) % 3].kill();
    let log = until(|| at(&address).open("a"));
    assert!(all_texts(&*log) == acknowledged, "acknowledged and lost");
}

/// Waits until each of three servers has the stream as it is.
fn whole(port: u16) {
    let begun = Instant::now();
    until(|| {
        bare(port, async |context| {
            let stream = context.get_stream("TERN").await;
            let stream = stream.map_err(|it| it.to_string())?;
            let cluster = stream.cached_info().cluster.clone().unwrap();
            let mut peers = cluster.replicas.iter();
            let has_all = peers.all(|it| it.current && !it.offline && it.lag.unwrap_or(0) == 0);
            match cluster.leader.is_some() && cluster.replicas.len() == 2 && has_all {
                true => Ok(()),
                false => Err(format!("{cluster:?}")),
            }
        })
    });
    println!("whole after {:?}", begun.elapsed());
}
