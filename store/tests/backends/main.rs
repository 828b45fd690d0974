//! What every backend promises, held against each of them (INVARIANTS of `DESIGN.md`).
//!
//! `suite` has the promises, one function each; a module for each backend starts what it needs and runs them all.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

#[cfg(feature = "nats")]
mod nats;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "postgres")]
#[path = "../common/postgres_server.rs"]
mod postgres_server;
#[cfg(feature = "sqlite")]
mod sqlite;
mod suite;

/// A test for each promise of `suite`, on the fresh store that an expression gives; what it gives besides the store is
/// kept until the test is over.
macro_rules! hold {
    ($fresh:expr) => {
        crate::hold! { $fresh;
            an_empty_store_has_no_logs
            reads_back_what_was_appended
            a_stale_expectation_is_a_conflict
            two_that_expect_the_same_head
            a_batch_with_a_refused_record_leaves_nothing
            answers_are_bounded
            a_large_batch_is_one
            logs_are_apart
            bad_names_are_refused
            a_reader_creates_nothing
            a_reader_cannot_append
            the_chain_is_that_of_the_records
            waiting_ends_with_an_append
            waiting_ends_with_the_patience
            snapshots_are_kept_by_kind
            bad_snapshots_are_refused
            writers_at_once_have_one_order
            what_was_acknowledged_is_there_for_others
        }
    };
    ($fresh:expr; $($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                let (_kept, store) = $fresh;
                crate::suite::$name(&*store);
            }
        )*
    };
}
pub(crate) use hold;
