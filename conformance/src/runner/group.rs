//! What a process and those that it started hold and are: they are ended together.

use std::collections::BTreeSet;
use std::process::{Child, Command};
use std::sync::{Mutex, PoisonError};

/// The groups that were started and not ended, by the ids of their first processes.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Notes that a group runs.
pub(super) fn begun(child: &Child) {
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    running.insert(child.id());
}

/// Ends every implementation that runs, with what it started: for a program that is about to be ended itself.
/// Their groups are their own, so what a terminal sends to the program does not reach them.
pub fn end_all() {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    running.iter().for_each(|process| kill_group(*process));
}

/// Gives a command a process group of its own, so that what it starts can be ended with it.
pub(super) fn own_group(command: &mut Command) {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        command.process_group(0);
    }
    #[cfg(not(unix))]
    let _ = command;
}

/// Ends a process and, where there are groups, all of its group.
pub(super) fn end_group(child: &mut Child) {
    kill_group(child.id());
    let _gone = child.kill();
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    running.remove(&child.id());
}

#[cfg(unix)]
fn kill_group(process: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let group = i32::try_from(process).ok().and_then(Pid::from_raw);
    if let Some(group) = group {
        let _gone = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
const fn kill_group(_: u32) {}

/// How many bytes a process and its group hold; 0 where the system does not say.
#[cfg(target_os = "linux")]
pub(super) fn held_by(process: u32) -> u64 {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return 0;
    };
    let page = rustix::param::page_size() as u64;
    let held = processes.filter_map(|entry| {
        let path = entry.ok()?.path();
        let stat = std::fs::read_to_string(path.join("stat")).ok()?;
        // The name of the command, in parentheses, may hold anything.
        let (_, fields) = stat.rsplit_once(") ")?;
        let group: u32 = fields.split(' ').nth(2)?.parse().ok()?;
        if group != process {
            return None;
        }
        let pages = std::fs::read_to_string(path.join("statm")).ok()?;
        let resident: u64 = pages.split(' ').nth(1)?.parse().ok()?;
        Some(resident * page)
    });
    held.sum()
}

/// How many bytes a process holds: this system is not asked.
#[cfg(not(target_os = "linux"))]
pub(super) const fn held_by(_: u32) -> u64 {
    0
}
