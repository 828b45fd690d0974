//! What the tests in this folder share: where files are, and how a log document is read whole.

use std::path::{Path, PathBuf};

use tern_core::log::{Input, Line, Reader, begins_document, is_one_object};
use tern_core::{Context, Delivery, Event, Log};

/// The root of the project.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map_or_else(PathBuf::new, Path::to_path_buf)
}

/// A file of outside test data, which users of the project do not have. Without it the test says
/// what it leaves out, and fails where `CI=true`.
///
/// # Panics
/// Where `CI=true` and the file is not there.
#[must_use]
pub fn outside_data(path: &str) -> Option<PathBuf> {
    let found = root().join("../shared/data").join(path);
    if found.exists() {
        return Some(found);
    }
    let in_ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(!in_ci, "CI must have ../shared/data/{path}");
    // The handle itself: the harness captures what macros print in a test that passes.
    let _ = std::io::Write::write_all(
        &mut std::io::stderr(),
        format!("LEFT OUT: ../shared/data/{path} is not here\n").as_bytes(),
    );
    None
}

/// Reads a log document or a file of bare messages.
///
/// # Errors
/// The sentence of a document error.
pub fn read_log(bytes: &[u8]) -> Result<Log, String> {
    let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    lines.pop_if(|last| last.is_empty());
    let first = lines.first().copied().unwrap_or_default();
    if !begins_document(first) {
        let mut log = Log::new(Context::unverified());
        if is_one_object(bytes) {
            log.push(Event::Deliver(Delivery::new(bytes, None)));
        } else {
            for line in lines {
                log.push(Event::Deliver(Delivery::new(line, None)));
            }
        }
        return Ok(log);
    }
    let mut reader = Reader::new(Input::Document);
    let mut events = Vec::new();
    for line in lines {
        if let Line::Event(event) = reader.read(line).map_err(|error| error.to_string())? {
            events.push(event);
        }
    }
    let context = reader.context().ok_or("the document has no context")?;
    let mut log = Log::new(context.clone());
    events.into_iter().for_each(|event| log.push(event));
    Ok(log)
}
