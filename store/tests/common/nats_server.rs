//! A real nats-server on the loopback, which ends with the test process, however that ends.
#![allow(dead_code, reason = "each test file uses some of it")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Starts servers when it is told to, and when the pipe to it closes, kills the last one and removes the folder: its other
/// end closes with the test process also when that is killed.
const GUARD: &str = r#"
pid=
while read -r line; do "$@" & pid=$!; echo $pid; done
[ -n "$pid" ] && kill -9 $pid 2>/dev/null
wait
rm -rf "$FOLDER"
"#;

pub(crate) struct NatsServer {
    pub(crate) port: u16,
    pub(crate) folder: PathBuf,
    guard: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    pid: String,
}

/// Whether there is a nats-server to test with. Where there is none, says so; in CI nothing may be missing.
pub(crate) fn is_here() -> bool {
    let found = Command::new("nats-server")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let is_here = found.is_ok_and(|status| status.success());
    if !is_here {
        let in_ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
        assert!(!in_ci, "there is no nats-server here");
        // The handle itself: the harness captures what macros print in a test that passes.
        let _ = std::io::stderr().write_all(b"LEFT OUT: no nats-server here\n");
    }
    is_here
}

/// A port that nobody listens on, and that no connection is given by itself: a client that tries to come back to a server
/// that was killed could be given the server's own port.
pub(crate) fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let first = std::process::id().wrapping_mul(7919);
    loop {
        let number = first.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
        let port = 10_000 + u16::try_from(number % 20_000).unwrap();
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

impl NatsServer {
    /// A server with JetStream in a folder of its own.
    pub(crate) fn start() -> Self {
        Self::with("jetstream: {}")
    }

    /// A server with more settings; `$FOLDER/jetstream` is where its streams are.
    pub(crate) fn with(settings: &str) -> Self {
        Self::on(free_port(), settings)
    }

    pub(crate) fn on(port: u16, settings: &str) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("tern-nats-")
            .tempdir()
            .unwrap()
            .keep();
        let config = folder.join("server.conf");
        let in_folder = folder.display();
        let settings = settings.replace(
            "jetstream: {",
            &format!("jetstream: {{ store_dir: \"{in_folder}\"\n"),
        );
        let settings =
            format!("host: 127.0.0.1\nport: {port}\nlog_file: \"{in_folder}/log\"\n{settings}\n");
        std::fs::write(&config, settings).unwrap();
        let mut guard = Command::new("sh")
            .args(["-c", GUARD, "sh", "nats-server", "-c"])
            .arg(&config)
            .env("FOLDER", &folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let to = guard.stdin.take();
        let from = BufReader::new(guard.stdout.take().unwrap());
        let mut server = Self {
            port,
            folder,
            guard,
            to,
            from,
            pid: String::new(),
        };
        server.start_again();
        server
    }

    /// After [`NatsServer::kill`]: the same folder, the same port.
    pub(crate) fn start_again(&mut self) {
        let to = self.to.as_mut().unwrap();
        to.write_all(b"start\n").unwrap();
        to.flush().unwrap();
        self.pid.clear();
        self.from.read_line(&mut self.pid).unwrap();
        self.pid.truncate(self.pid.trim_end().len());
        let begun = Instant::now();
        while !self.answers() {
            if begun.elapsed() > Duration::from_secs(20) {
                let log = std::fs::read_to_string(self.folder.join("log")).unwrap();
                let last = log.lines().last();
                panic!("nats-server does not start: {last:?}");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn answers(&self) -> bool {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) else {
            return false;
        };
        stream
            .set_read_timeout(Some(Duration::from_secs(1)))
            .unwrap();
        let mut first = [0; 4];
        stream.read_exact(&mut first).is_ok() && &first == b"INFO"
    }

    /// `KILL`, `STOP`, `CONT`.
    pub(crate) fn signal(&self, signal: &str) {
        let sent = Command::new("kill")
            .args(["-s", signal, &self.pid])
            .status();
        assert!(sent.unwrap().success());
    }

    /// kill -9. Its port is free afterwards.
    pub(crate) fn kill(&self) {
        self.signal("KILL");
        let stat = || std::fs::read_to_string(format!("/proc/{}/stat", self.pid));
        let begun = Instant::now();
        while stat().is_ok_and(|stat| !stat.contains(") Z ")) {
            let patience = Duration::from_secs(20);
            assert!(begun.elapsed() < patience, "{} does not end", self.pid);
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The address of a stream of it.
    pub(crate) fn address(&self, stream: &str) -> String {
        format!("nats://127.0.0.1:{}/{stream}", self.port)
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        drop(self.to.take());
        let _ = self.guard.wait();
    }
}
