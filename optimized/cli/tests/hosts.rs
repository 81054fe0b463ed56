//! The parties of a protocol as real processes on loopback, from what `duoram deploy` has written.

use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use duoram_client::Config;
use duoram_client::blocking::Memory;
use duoram_link::settings::{ProtocolName, Value as _};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// How long anything may take that has to happen.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// How long the requests of a client wait for their turn, in its settings.
pub(crate) const DEADLINE: &str = "deadline_ms = 600000";

/// `duoram` with these arguments, which has to succeed; its standard output.
pub(crate) fn duoram(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_duoram")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Ports that nobody listens on, each given once, and none of those that the system gives to callers: one of them could be taken by
/// another test's call before a party listens there.
pub(crate) fn free_ports(count: usize) -> Vec<u16> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let first = std::process::id() % 64 * 300;
    let port = || 10_000 + (first + NEXT.fetch_add(1, Ordering::Relaxed)) % 20_000;
    let ports = std::iter::repeat_with(|| u16::try_from(port()).unwrap());
    ports.filter(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).take(count).collect()
}

/// Parties by their places, which are killed when this is dropped.
pub(crate) struct Hosts {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) http: Vec<u16>,
    pub(crate) parties: Vec<Option<Child>>,
    pub(crate) log: &'static str,
    /// What all are started with besides.
    pub(crate) more: &'static [&'static str],
}

impl Hosts {
    /// Deployed and started.
    pub(crate) fn start(log_size: u32, protocol: &str, log: &'static str) -> Self {
        let mut hosts = Self::deployed(log_size, protocol, log);
        hosts.places().for_each(|place| hosts.run(place));
        hosts
    }

    /// Deployed only.
    pub(crate) fn deployed(log_size: u32, protocol: &str, log: &'static str) -> Self {
        Self::deployed_for("a,b", log_size, protocol, log)
    }

    /// Deployed only, for clients of these names.
    pub(crate) fn deployed_for(clients: &str, log_size: u32, protocol: &str, log: &'static str) -> Self {
        Self::deployed_of_rows(clients, (log_size, 1 << log_size, 1), protocol, log)
    }

    /// Deployed only, with so many rows of so many words.
    pub(crate) fn deployed_of_rows(
        clients: &str,
        (log_size, rows, row_words): (u32, usize, usize),
        protocol: &str,
        log: &'static str,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let count = ProtocolName::of(protocol).unwrap().roles().len();
        let mut called = free_ports(2 * count);
        let http = called.split_off(count);
        let hosts: Vec<_> = called.iter().map(|port| format!("127.0.0.1:{port}")).collect();
        let hosts = hosts.join(",");
        let out = folder.path().join("d");
        let (out, size) = (out.to_str().unwrap(), log_size.to_string());
        let (rows, row_words) = (rows.to_string(), row_words.to_string());
        duoram(&[
            "deploy",
            "--hosts",
            &hosts,
            "--log-size",
            &size,
            "--rows",
            &rows,
            "--row-words",
            &row_words,
            "--out",
            out,
            "--protocol",
            protocol,
            "--clients",
            clients,
        ]);
        let hosts = Self { folder, http, parties: (0..count).map(|_| None).collect(), log, more: &[] };
        for place in hosts.places() {
            let from = format!("127.0.0.1:810{place}");
            set(&hosts, &format!("p{place}"), &from, &format!("127.0.0.1:{}", hosts.http[place]));
        }
        // As long as a slow machine takes to start a party again, and not for ever: what is lost must show.
        for client in clients.split(',') {
            set(&hosts, client, "log_size", &format!("{DEADLINE}\nlog_size"));
        }
        hosts
    }

    /// Of all parties.
    pub(crate) fn places(&self) -> Range<usize> {
        0..self.http.len()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("d").join(name)
    }

    pub(crate) fn run(&mut self, place: usize) {
        self.run_by(place, Command::new(env!("CARGO_BIN_EXE_duoram")));
    }

    /// On a disk that takes no file longer than so many blocks of 512 bytes. Whoever goes beyond is told so, as of a full disk.
    pub(crate) fn run_on_a_full_disk(&mut self, place: usize, blocks: u64) {
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; ulimit -f \"$0\"; exec \"$@\"", &blocks.to_string()]);
        shell.arg(env!("CARGO_BIN_EXE_duoram"));
        self.run_by(place, shell);
    }

    pub(crate) fn run_by(&mut self, place: usize, mut command: Command) {
        let log =
            OpenOptions::new().create(true).append(true).open(self.path(&format!("p{place}.log"))).unwrap();
        command.arg("party").arg("--config").arg(self.path(&format!("p{place}.toml")));
        command
            .args(["--log", self.log])
            .args(self.more)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log);
        self.parties[place] = Some(command.spawn().unwrap());
    }

    /// Waits until a party has ended by itself; its exit code.
    pub(crate) fn ended(&mut self, place: usize) -> Option<i32> {
        let since = Instant::now();
        loop {
            if let Some(status) = self.parties[place].as_mut().unwrap().try_wait().unwrap() {
                self.parties[place] = None;
                return status.code();
            }
            assert!(since.elapsed() < PATIENCE, "P{place} goes on:\n{}", self.logged(place));
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// kill -9
    pub(crate) fn kill(&mut self, place: usize) {
        let mut party = self.parties[place].take().unwrap();
        assert!(party.try_wait().unwrap().is_none(), "P{place} has ended by itself:\n{}", self.logged(place));
        party.kill().unwrap();
        party.wait().unwrap();
    }

    /// kill -9 of a party a while after some work has begun, and it is started again; what was found in between.
    pub(crate) fn kill_during<T>(
        &mut self,
        (place, after): (usize, Duration),
        what: &str,
        work: impl FnOnce() + Send,
        in_between: impl FnOnce(&Self) -> T,
    ) -> T {
        thread::scope(|scope| {
            let work = scope.spawn(work);
            thread::sleep(after);
            self.kill(place);
            let found = in_between(self);
            self.run(place);
            work.join().unwrap_or_else(|_| {
                let logs: Vec<_> = self.places().map(|place| self.logged(place)).collect();
                panic!("{what}, P{place} killed:\n{}", logs.join("\n--\n"))
            });
            found
        })
    }

    /// Sends a signal to a party, by its name.
    pub(crate) fn signal(&self, place: usize, signal: &str) {
        let pid = self.parties[place].as_ref().unwrap().id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
    }

    /// Stops a party where it is, until the value goes.
    pub(crate) fn stopped(&self, place: usize) -> Stopped<'_> {
        self.signal(place, "STOP");
        Stopped { hosts: self, place }
    }

    pub(crate) fn logged(&self, place: usize) -> String {
        fs::read_to_string(self.path(&format!("p{place}.log"))).unwrap()
    }

    /// Waits until somebody listens where a party's page is.
    pub(crate) fn wait_until_there(&self, place: usize) {
        let since = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.http[place])).is_err() {
            assert!(since.elapsed() < PATIENCE, "P{place}: {}", self.logged(place));
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until a line of a party's log, after so many bytes, has all of some words.
    pub(crate) fn wait_until_logged(&self, place: usize, after: usize, words: &[&str]) {
        let since = Instant::now();
        let is_said = |line: &str| words.iter().all(|word| line.contains(word));
        while !self.logged(place)[after..].lines().any(is_said) {
            assert!(since.elapsed() < PATIENCE, "P{place} does not say {words:?}:\n{}", self.logged(place));
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until all are ready.
    pub(crate) fn wait_until_ready(&self) {
        let since = Instant::now();
        for place in self.places() {
            let config = self.path(&format!("p{place}.toml"));
            let ready = || {
                let mut command = Command::new(env!("CARGO_BIN_EXE_duoram"));
                command.args(["party", "--ready", "--config"]).arg(&config);
                command.output().unwrap()
            };
            loop {
                let output = ready();
                if output.status.success() {
                    break;
                }
                let error = String::from_utf8_lossy(&output.stderr).into_owned();
                assert!(since.elapsed() < PATIENCE, "P{place}: {error}\n{}", self.logged(place));
                thread::sleep(Duration::from_millis(50));
            }
        }
    }

    pub(crate) fn memory(&self, client: &str) -> Memory {
        Memory::open(&Config::open(&self.path(&format!("{client}.toml"))).unwrap()).unwrap()
    }

    /// What a party's page says.
    pub(crate) fn get(&self, place: usize, path: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.http[place])).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        answer
    }

    /// What `/status.json` says of a party.
    pub(crate) fn status(&self, place: usize) -> serde_json::Value {
        let page = self.get(place, "/status.json");
        let page: serde_json::Value = serde_json::from_str(&page[page.find('{').unwrap()..]).unwrap();
        page["status"].clone()
    }

    /// UPDATEs that a party has refused since its start.
    pub(crate) fn refused_updates(&self, place: usize) -> u64 {
        let status = self.status(place);
        let requests = status["requests"].as_array().unwrap();
        let updates = requests.iter().find(|requests| requests["kind"] == "update").unwrap();
        updates["refused"].as_u64().unwrap()
    }

    /// Waits until something is so.
    pub(crate) fn wait_until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let since = Instant::now();
        while !is_so(self) {
            assert!(since.elapsed() < PATIENCE, "never: {what}");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Stops all as a service manager does: each ends well.
    pub(crate) fn stop(&mut self) {
        for place in self.places().filter(|place| self.parties[*place].is_some()) {
            self.signal(place, "TERM");
        }
        for (place, party) in self.parties.iter_mut().enumerate() {
            let status = party.take().unwrap().wait().unwrap();
            assert_eq!(
                status.code(),
                Some(0),
                "P{place}: {}",
                fs::read_to_string(self.folder.path().join(format!("d/p{place}.log"))).unwrap()
            );
        }
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for party in self.parties.iter_mut().flatten() {
            let _ = party.kill();
            let _ = party.wait();
        }
    }
}

/// A party that was stopped and goes on when this value goes: also when a test fails, or those who wait for it would wait for ever.
pub(crate) struct Stopped<'a> {
    hosts: &'a Hosts,
    place: usize,
}

impl Drop for Stopped<'_> {
    fn drop(&mut self) {
        self.hosts.signal(self.place, "CONT");
    }
}

/// Puts one text for another into settings.
pub(crate) fn set(hosts: &Hosts, name: &str, before: &str, after: &str) {
    let path = hosts.path(&format!("{name}.toml"));
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(before), "{before} is not in {text}");
    // At once: a party that was just started may be about to read it, and must not find half of it.
    let new = path.with_extension("new");
    fs::write(&new, text.replace(before, after)).unwrap();
    fs::rename(&new, &path).unwrap();
}

/// How often a party is killed, if it is not said.
pub(crate) fn crash_rounds(rounds: usize) -> usize {
    std::env::var("DUORAM_CRASH_ROUNDS").map_or(rounds, |rounds| rounds.parse().unwrap())
}

/// Writes the words of a memory to a file, which the program loads.
pub(crate) fn load_words(hosts: &Hosts, words: &[u64]) {
    let file = hosts.path("memory.bin");
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    File::create(&file).unwrap().write_all(&bytes).unwrap();
    let config = hosts.path("a.toml");
    let printed = duoram(&["client", "--config", config.to_str().unwrap(), "load", file.to_str().unwrap()]);
    let size = words.len();
    assert!(printed.ends_with(&format!("{size} words, {size} in all\n")), "{printed}");
}

/// The memory: random words in the lower half, a ring in the upper one. It is loaded.
pub(crate) fn load(hosts: &Hosts, log_size: u32) -> Vec<u64> {
    let (size, mut random) = (1 << log_size, ChaCha20Rng::from_seed([3; 32]));
    let half = size / 2;
    let lower = (0..half).map(|_| random.next_u64());
    let array: Vec<u64> = lower.chain((0..half).map(|place| half + (place * 5 + 1) % half)).collect();
    load_words(hosts, &array);
    array
}
