//! Tests that need what is not there.

use std::io::Write as _;

/// Says what was not checked. In CI nothing may be missing.
pub(crate) fn leave_out(why: &str) {
    let in_ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(!in_ci, "this was not checked: {why}");
    // The handle itself: the harness captures what macros print in a test that passes.
    let _ = std::io::stderr().write_all(format!("LEFT OUT: {why}\n").as_bytes());
}
