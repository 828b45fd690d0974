//! Servers for tests: started when first needed, on a loopback port, and gone with the test process however it ends.
#![allow(dead_code, reason = "each test file uses some of it")]

use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

#[path = "missing.rs"]
mod missing;
pub(crate) use missing::leave_out;

/// A PostgreSQL server of its own, with syncs on.
///
/// It is kept by a shell in a process group of its own, which starts it at every line that it reads; at the end of its
/// input, which is when this process ends or drops the value, it stops the server and removes its folder.
pub(crate) struct Postgres {
    /// Its files.
    folder: PathBuf,
    log: PathBuf,
    port: u16,
    guard: Mutex<Child>,
    lines: Mutex<Option<ChildStdin>>,
}

/// `$0` is the folder, `$@` the server.
const GUARD: &str = r#"
trap '' INT TERM HUP
while read -r line; do "$@" >>"$0/log" 2>&1 </dev/null & pid=$!; done
test -z "$pid" || { kill -CONT "$pid"; kill -QUIT "$pid"; wait "$pid"; } 2>/dev/null
rm -rf "$0"
"#;

/// The folder with PostgreSQL's programs: that of the highest version as Debian has them, or what is in PATH.
fn programs() -> Option<PathBuf> {
    let is_there = |folder: &PathBuf| folder.join("initdb").exists();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let mut debian: Vec<(u32, PathBuf)> = versions
        .flatten()
        .filter_map(|version| {
            let number = version.file_name().to_str()?.parse().ok()?;
            Some((number, version.path().join("bin")))
        })
        .filter(|(_, folder)| is_there(folder))
        .collect();
    debian.sort();
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let path = || std::env::split_paths(&paths).find(|folder| is_there(folder));
    debian.pop().map(|(_, folder)| folder).or_else(path)
}

/// A command that runs as nobody special: PostgreSQL refuses to be root.
fn unprivileged(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    let user = account();
    command
        .args([
            &format!("--reuid={user}"),
            "--regid",
            &user,
            "--clear-groups",
        ])
        .arg(program);
    command
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

/// The number of the user `postgres`, or else of `nobody`.
fn account() -> String {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let number = |name: &str| {
        let line = users
            .lines()
            .find(|line| line.split(':').next() == Some(name))?;
        line.split(':').nth(2).map(str::to_owned)
    };
    number("postgres")
        .or_else(|| number("nobody"))
        .unwrap_or_else(|| "65534".to_owned())
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn must_succeed(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

impl Postgres {
    /// Starts one in a new folder; `settings` are lines of its configuration. None, and a word about it, where there is
    /// no PostgreSQL.
    pub(crate) fn start(settings: &str) -> Option<Self> {
        Self::start_in(None, settings)
    }

    /// The same with its files in `data`.
    pub(crate) fn start_in(data: Option<&Path>, settings: &str) -> Option<Self> {
        let Some(programs) = programs() else {
            leave_out("no PostgreSQL here");
            return None;
        };
        let folder = tempfile::Builder::new()
            .prefix("tern-postgres-")
            .tempdir()
            .unwrap()
            .keep();
        let data = data.map_or_else(|| folder.join("data"), Path::to_owned);
        let mut make = Command::new("mkdir");
        must_succeed(make.arg("-p").arg(&data));
        if is_root() {
            let mut own = Command::new("chown");
            must_succeed(own.args(["-R", &account()]).args([&folder, &data]));
        }
        let mut initdb = unprivileged(&programs.join("initdb"));
        initdb
            .args([
                "--auth=trust",
                "--username=postgres",
                "--encoding=UTF8",
                "--no-locale",
            ])
            .args(["--no-sync", "-D"])
            .arg(&data);
        must_succeed(initdb.current_dir(&folder));
        let port = free_port();
        let address = "127.0.0.1/32";
        let who = format!(
            "host all with_password {address} scram-sha-256\nhost all all {address} trust\n"
        );
        fs::write(data.join("pg_hba.conf"), who).unwrap();
        let all = format!(
            "listen_addresses = '127.0.0.1'\nport = {port}\nunix_socket_directories = ''\n\
             max_connections = 300\nshared_buffers = '128MB'\nmax_wal_size = '2GB'\n{settings}\n"
        );
        let file = data.join("postgresql.conf");
        let given = fs::read_to_string(&file).unwrap();
        fs::write(&file, given + &all).unwrap();
        let server = unprivileged(&programs.join("postgres"));
        let mut guard = Command::new("/bin/sh")
            .args(["-c", GUARD])
            .arg(&folder)
            .arg(server.get_program())
            .args(server.get_args())
            .arg("-D")
            .arg(&data)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        let lines = Mutex::new(guard.stdin.take());
        let started = Self {
            folder: data,
            log: folder.join("log"),
            port,
            guard: Mutex::new(guard),
            lines,
        };
        started.start_again();
        Some(started)
    }

    /// Starts the server again, which must not run, and waits until it answers.
    pub(crate) fn start_again(&self) {
        let start = || {
            let mut lines = self.lines.lock().unwrap();
            lines.as_mut().unwrap().write_all(b"start\n").unwrap();
        };
        // A process of a server that was killed may not be gone yet: then the new one says so, and ends.
        const TOO_EARLY: &str = "pre-existing shared memory block";
        let mut too_early = self.log().matches(TOO_EARLY).count();
        start();
        let begun = Instant::now();
        while !self.answers() {
            if self.log().matches(TOO_EARLY).count() > too_early {
                too_early += 1;
                thread::sleep(Duration::from_millis(200));
                start();
            }
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "it does not start: {}",
                self.log()
            );
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// What the server says of itself.
    fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    fn answers(&self) -> bool {
        let ready = fs::read_to_string(self.folder.join("postmaster.pid")).unwrap_or_default();
        ready
            .lines()
            .nth(7)
            .is_some_and(|status| status.trim() == "ready")
    }

    /// The server's first process.
    pub(crate) fn pid(&self) -> u32 {
        let file = fs::read_to_string(self.folder.join("postmaster.pid")).unwrap();
        file.lines().next().unwrap().trim().parse().unwrap()
    }

    /// All processes of the server.
    pub(crate) fn pids(&self) -> Vec<u32> {
        let first = self.pid();
        let mut pids = vec![first];
        for process in fs::read_dir("/proc").unwrap().flatten() {
            let Some(pid) = process.file_name().to_str().and_then(|it| it.parse().ok()) else {
                continue;
            };
            let stat = fs::read_to_string(process.path().join("stat")).unwrap_or_default();
            let after = stat.rsplit_once(") ").map_or("", |(_, after)| after);
            if after.split(' ').nth(1) == Some(&first.to_string()) {
                pids.push(pid);
            }
        }
        pids
    }

    /// Sends a signal to all its processes, the first one first.
    pub(crate) fn signal(&self, signal: &str) -> Vec<u32> {
        let send = |signal: &str, pids: &[u32]| {
            let mut kill = Command::new("kill");
            // some may be gone already
            let _sent = kill
                .arg(signal)
                .args(pids.iter().map(u32::to_string))
                .stderr(Stdio::null())
                .status();
        };
        if signal != "-CONT" {
            // a process that the first one makes meanwhile would be left out
            let first = self.pid();
            send("-STOP", &[first]);
            let begun = Instant::now();
            while let Ok(stat) = fs::read_to_string(format!("/proc/{first}/stat")) {
                if stat.contains(") T ") || stat.contains(") Z ") {
                    break;
                }
                assert!(
                    begun.elapsed() < Duration::from_secs(20),
                    "{first} does not stop"
                );
                thread::sleep(Duration::from_millis(1));
            }
        }
        let pids = self.pids();
        send(signal, &pids);
        pids
    }

    /// Kills it and all its processes, and waits until they are gone.
    pub(crate) fn kill(&self) {
        let mut pids = self.signal("-KILL");
        let begun = Instant::now();
        loop {
            pids.retain(|pid| {
                let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
                !stat.is_empty() && !stat.contains(") Z ")
            });
            if pids.is_empty() {
                break;
            }
            assert!(
                begun.elapsed() < Duration::from_secs(20),
                "{pids:?} do not end"
            );
            thread::sleep(Duration::from_millis(2));
        }
        fs::remove_file(self.folder.join("postmaster.pid")).unwrap();
    }

    /// The address of a database, as the user who may everything.
    pub(crate) fn address(&self, database: &str) -> String {
        self.address_as("postgres", database)
    }

    /// `user` may have a password behind a `:`.
    pub(crate) fn address_as(&self, user: &str, database: &str) -> String {
        format!(
            "postgres://{user}@127.0.0.1:{}/{database}?sslmode=disable",
            self.port
        )
    }

    /// The address of a new, empty database.
    pub(crate) fn fresh(&self) -> String {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("t{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        self.sql(
            "postgres",
            &format!("CREATE DATABASE {name} TEMPLATE template0"),
        );
        self.address(&name)
    }

    /// Runs statements as the user who may everything, and gives what they answer, a line for each row.
    pub(crate) fn sql(&self, database: &str, statements: &str) -> String {
        let psql = programs().unwrap().join("psql");
        let output = Command::new(psql)
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d"])
            .arg(self.address(database))
            .args(["-c", statements])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{statements}: {said}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.lines.lock().unwrap().take();
        let _ended = self.guard.lock().unwrap().wait();
    }
}

/// The one server of this test binary, which lives as long as its process.
pub(crate) fn postgres() -> Option<&'static Postgres> {
    static SERVER: OnceLock<Option<Postgres>> = OnceLock::new();
    SERVER.get_or_init(|| Postgres::start("")).as_ref()
}

/// The name of the database in an address.
pub(crate) fn database(address: &str) -> &str {
    let (_, rest) = address.rsplit_once('/').unwrap();
    rest.split('?').next().unwrap()
}
