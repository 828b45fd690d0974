//! Panics that are an answer, and are not to be printed.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// As long as it lives, panics of this thread print nothing. Other threads are as they were.
#[derive(Debug)]
pub struct Quiet {
    was_quiet: bool,
}

impl Quiet {
    /// From now on.
    #[must_use]
    pub fn begin() -> Self {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let aloud = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                if !IS_QUIET.get() {
                    aloud(panic);
                    return;
                }
                let place = panic.location().map(ToString::to_string);
                let what = panic.payload_as_str().unwrap_or_default();
                LAST.set(format!("at {}: {what}", place.unwrap_or_default()));
            }));
        });
        Self {
            was_quiet: IS_QUIET.replace(true),
        }
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        IS_QUIET.set(self.was_quiet);
    }
}

/// Does work in which a panic is an answer.
///
/// # Errors
/// Where it panicked: `at FILE:LINE:COLUMN: what it said`.
pub fn quietly<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let _quiet = Quiet::begin();
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| LAST.take())
}
