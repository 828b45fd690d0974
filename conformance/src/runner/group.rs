//! What a process and those that it started hold and are: they are ended together.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// What runs.
struct Running {
    /// The groups that were started and not ended, by the ids of their first processes.
    groups: BTreeSet<u32>,
    /// Whether the program is about to end, and starts nothing more.
    is_over: bool,
}

static RUNNING: Mutex<Running> = Mutex::new(Running {
    groups: BTreeSet::new(),
    is_over: false,
});

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a command in a group of its own, so that what it starts can be ended with it.
pub(super) fn start(command: &mut Command) -> io::Result<Child> {
    own_group(command);
    stay_if_over();
    // Under the lock, so that who ends all misses none.
    let mut running = running();
    let child = command.spawn()?;
    running.groups.insert(child.id());
    Ok(child)
}

/// Ends every implementation that runs, with what it started: for a program that is about to be ended itself.
/// Their groups are their own, so what a terminal sends to the program does not reach them. Whoever asks one of
/// them waits from now on for the end of the program, and says nothing of what became of it.
pub fn end_all() {
    let mut running = running();
    running.is_over = true;
    running
        .groups
        .iter()
        .for_each(|process| kill_group(*process));
}

/// Waits for the end of the program, if it was told to end.
pub(super) fn stay_if_over() {
    while running().is_over {
        thread::park();
    }
}

fn own_group(command: &mut Command) {
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
    running().groups.remove(&child.id());
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

#[cfg(not(target_os = "linux"))]
mod memory {
    /// How many bytes a group holds: this system is not asked.
    pub(in super::super) const fn held_by(_: u32, _: u64) -> u64 {
        0
    }
}

#[cfg(target_os = "linux")]
mod memory {
    use std::collections::BTreeMap;
    use std::fs;
    use std::sync::{Mutex, PoisonError};
    use std::time::{Duration, Instant};

    /// How old what is known may be: all who ask share one look.
    const FRESH: Duration = Duration::from_millis(40);

    /// The processes of each group, with the bytes of their resident pages.
    type Groups = BTreeMap<u32, Vec<(u32, u64)>>;

    static KNOWN: Mutex<Option<(Instant, Groups)>> = Mutex::new(None);

    /// How many bytes a group holds, by the id of its first process; 0 where the system does not say. Pages that
    /// several of its processes share count for each of them, unless that is more than `most`.
    pub(in super::super) fn held_by(group: u32, most: u64) -> u64 {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let is_fresh = |looked: &Instant| looked.elapsed() < FRESH;
        if !known.as_ref().is_some_and(|(looked, _)| is_fresh(looked)) {
            *known = Some((Instant::now(), groups()));
        }
        let groups = known.as_ref().map(|(_, groups)| groups);
        let members = groups.and_then(|it| it.get(&group)).cloned();
        drop(known);
        let members = members.unwrap_or_default();
        let resident = members.iter().map(|(_, bytes)| bytes).sum();
        if resident <= most {
            return resident;
        }
        let parts = members.iter();
        parts
            .map(|&(process, bytes)| part(process).unwrap_or(bytes))
            .sum()
    }

    fn groups() -> Groups {
        let page = rustix::param::page_size() as u64;
        let mut groups = Groups::new();
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        for process in processes {
            let id = process.file_name();
            let Some(id) = id.to_str().and_then(|it| it.parse().ok()) else {
                continue;
            };
            let held = group_of(id).zip(pages(id));
            if let Some((group, pages)) = held {
                groups.entry(group).or_default().push((id, pages * page));
            }
        }
        groups
    }

    /// The group of a process. The name of its command, in parentheses, may hold any bytes.
    fn group_of(process: u32) -> Option<u32> {
        let stat = fs::read(format!("/proc/{process}/stat")).ok()?;
        let name_ends = stat.iter().rposition(|byte| *byte == b')')?;
        let fields = std::str::from_utf8(stat.get(name_ends..)?).ok()?;
        fields.split(' ').nth(3)?.parse().ok()
    }

    fn pages(process: u32) -> Option<u64> {
        let pages = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
        pages.split(' ').nth(1)?.parse().ok()
    }

    /// The bytes of a process, of what it shares with others its part.
    fn part(process: u32) -> Option<u64> {
        let sums = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
        let mut lines = sums.lines();
        let part = lines.find_map(|line| line.strip_prefix("Pss:"))?;
        let kibibytes: u64 = part.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kibibytes << 10)
    }
}

pub(super) use memory::held_by;
