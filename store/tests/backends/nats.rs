//! A stream of its own on a nats-server that all tests share.

#[path = "../common/nats_server.rs"]
mod nats_server;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use nats_server::NatsServer;
use tern_store::{Store, connect};

static SERVER: OnceLock<NatsServer> = OnceLock::new();
static STREAMS: AtomicU32 = AtomicU32::new(0);

fn fresh() -> Option<((), Box<dyn Store>)> {
    if !nats_server::is_here() {
        return None;
    }
    let server = SERVER.get_or_init(NatsServer::start);
    let number = STREAMS.fetch_add(1, Ordering::Relaxed);
    let address = server.address(&format!("S{number}"));
    Some(((), connect(&address.parse().unwrap()).unwrap()))
}

crate::hold!(match fresh() {
    Some(fresh) => fresh,
    None => return,
});
