//! What an embedder builds on: which types cross threads (T1.30 asks for a store between the state
//! and the effects, which is often another thread's).

use tern_core::{Context, Event, Explanation, Log, Message, Outcome, Rejection, State, View};

const fn crosses_threads<T: Send + Sync>() {}

/// T1.30: the state and what it tells can be handed to, and shared with, another thread.
#[test]
fn t1_30_types_cross_threads() {
    const {
        crosses_threads::<State>();
        crosses_threads::<View<'static>>();
        crosses_threads::<Log>();
        crosses_threads::<Outcome>();
        crosses_threads::<Event<'static>>();
        crosses_threads::<Message<'static>>();
        crosses_threads::<Explanation>();
        crosses_threads::<Rejection>();
        crosses_threads::<Context>();
    }
}
