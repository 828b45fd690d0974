//! Who waits again and again.

use std::thread;
use std::time::{Duration, Instant};

use tern_store::{Expected, Position};

use crate::nats_server::{self, NatsServer};
use crate::{bare, open};

/// How many the server has to tell of new messages.
fn consumers(server: &NatsServer) -> usize {
    bare(server.port, async |context| {
        let stream = context.get_stream("TERN").await.unwrap();
        stream.cached_info().state.consumer_count
    })
}

/// Many short waits are one question to the server, which is taken back at the end; and each hears of an append.
#[test]
fn short_waits_leave_nothing_behind() {
    if !nats_server::is_here() {
        return;
    }
    let server = NatsServer::start();
    let address = server.address("TERN");
    let mut writer = open(&address, "a");
    let follower = open(&address, "a");
    let mut at = Position::START;
    for round in 0..60 {
        let head = follower.wait(at, Duration::from_millis(100)).unwrap();
        assert_eq!(head.position, at);
        if round % 20 == 19 {
            let appending = thread::spawn(move || {
                thread::sleep(Duration::from_millis(200));
                writer.append(Expected::Any, &[b"x"]).unwrap();
                (writer, Instant::now())
            });
            at = follower.wait(at, Duration::from_secs(30)).unwrap().position;
            let (back, appended) = appending.join().unwrap();
            assert!(appended.elapsed() < Duration::from_secs(1));
            writer = back;
        }
        assert!(consumers(&server) <= 2, "{}", consumers(&server));
    }
    assert_eq!(at, Position::new(3));
    assert_eq!(follower.read(Position::START, 9).unwrap().len(), 3);
    // what is told is what nobody has looked at: many appends, of which it was told long ago
    for _ in 0..100 {
        writer.append(Expected::Any, &[b"y"]).unwrap();
    }
    let head = follower.wait(at, Duration::from_secs(9)).unwrap();
    assert_eq!(head.position, Position::new(103));
    let begun = Instant::now();
    let patience = Duration::from_millis(300);
    assert_eq!(follower.wait(head.position, patience).unwrap(), head);
    assert!(begun.elapsed() >= patience);
    // the connection is there for as long as the store is
    let store = crate::at(&address);
    let other = tern_store::Store::open(&store, "a").unwrap();
    other.wait(head.position, patience).unwrap();
    drop(other);
    drop(follower);
    let begun = Instant::now();
    while consumers(&server) > 0 {
        assert!(begun.elapsed() < Duration::from_secs(8));
        thread::sleep(Duration::from_millis(50));
    }
}
