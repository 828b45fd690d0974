//! A database of its own in a PostgreSQL that this binary starts.

use tern_store::{Store, connect};

use crate::postgres_server::postgres;

fn fresh() -> Option<((), Box<dyn Store>)> {
    let address = postgres()?.fresh();
    Some(((), connect(&address.parse().unwrap()).unwrap()))
}

crate::hold!(match fresh() {
    Some(fresh) => fresh,
    None => return,
});
