//! What a process and those that it started hold and are: they are ended together.

use std::process::{Child, Command};

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
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        if let Some(group) = group {
            let _gone = kill_process_group(group, Signal::KILL);
        }
    }
    let _gone = child.kill();
}

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
