//! Snapshots of the reduced state, so that a restart costs what is new.

use tern_core::{Context, Limits, State};
use tern_store::{Head, Log, Position, Snapshot, Store};

use crate::failure::Failure;
use crate::input::hash_key;
use crate::text::shown;

/// What the snapshots of a reduced state are kept as, with the version of what reads them.
pub(crate) const SNAPSHOT: &str = "tern-state/1";

/// After so many records that no snapshot holds, a new one is worth its place.
const WORTH: u64 = 10_000;

/// A state, and up to where the log is in it.
pub(crate) struct Restored {
    pub(crate) state: State,
    pub(crate) head: Head,
}

/// The state of the kept snapshot, if there is one that is of this log. One that cannot be used, or read, is left alone, and
/// said: the records say the same. Those before the snapshot are not looked at: `tern log verify` does that.
pub(crate) fn restore(
    log: &dyn Log,
    context: &Context,
    json: bool,
) -> Result<Option<Restored>, Failure> {
    let restored = match log.snapshot(SNAPSHOT) {
        Ok(None) => return Ok(None),
        Ok(Some(snapshot)) => try_restore(log, context, &snapshot)?,
        Err(error) => Err(error.to_string()),
    };
    Ok(match restored {
        Ok(restored) => Some(restored),
        Err(why) => {
            let log = log.name();
            note(
                &format!("the snapshot of log `{log}` is not used: {why}"),
                json,
            );
            None
        }
    })
}

fn note(sentence: &str, json: bool) {
    let sentence = shown(sentence);
    if json {
        anstream::eprintln!("{}", serde_json::json!({"note": sentence}));
    } else {
        anstream::eprintln!("note: {sentence}");
    }
}

fn try_restore(
    log: &dyn Log,
    context: &Context,
    snapshot: &Snapshot,
) -> Result<Result<Restored, String>, Failure> {
    let head = snapshot.head;
    let last = head.position.as_u64().checked_sub(1);
    let before = match last {
        Some(last) => log.read(Position::new(last), 1)?,
        None => Vec::new(),
    };
    if before.first().map(|record| record.link) != Some(head.link) {
        return Ok(Err("it is of other records".to_owned()));
    }
    let restored = State::restore(
        &snapshot.bytes,
        context.clone(),
        Limits::default(),
        hash_key(),
    );
    Ok(match restored {
        Err(error) => Err(error.to_string()),
        Ok(state) if events_at(head.position, context) != state.position() => {
            Err("it is of another place in the log".to_owned())
        }
        Ok(state) => Ok(Restored { state, head }),
    })
}

/// How many events the records before a position are: all but the context.
fn events_at(position: Position, context: &Context) -> u64 {
    position
        .as_u64()
        .saturating_sub(u64::from(context.is_verified()))
}

/// Keeps a snapshot of the state at `head`, if so much came after the one before it that it is worth it. That it could not be
/// kept is said, and changes nothing.
pub(crate) fn keep(store: &dyn Store, state: &State, head: Head, since: Position, json: bool) {
    let new = head.position.as_u64().saturating_sub(since.as_u64());
    if new < WORTH || events_at(head.position, state.context()) != state.position() {
        return;
    }
    let snapshot = Snapshot::new(SNAPSHOT, head, state.snapshot());
    let kept = store
        .open(state.context().id())
        .and_then(|mut log| log.put_snapshot(&snapshot));
    if let Err(error) = kept {
        note(&format!("no snapshot was kept: {error}"), json);
    }
}
