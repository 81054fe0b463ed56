//! How fast three hosts are: three processes of this machine with TLS between them, in turn with the same parties in one process
//! (`ci/hosts-speed`). Every word is compared with an array's; of times nothing is asserted.
//!
//! `DUORAM_HOSTS_SPEED` is the file that the tables are written to, as Markdown. Without it little is asked for, and nothing is written.

use std::fmt::Write as _;
use std::fs;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use duoram::machine;
use duoram_client::blocking::Memory;
use duoram_experiments::gigadoram::GigaDoram;
use duoram_experiments::system::System as _;
use duoram_host::config::{Config, Items};
use duoram_host::loopback::{Caller, Loopback};
use duoram_host::process::{computation, engine_settings};
use duoram_kernel::{Backend, Features};
use duoram_link::WorkKind;
use duoram_reference::lean::Lean;
use duoram_reference::{Paper, Role};
use duoram_runtime::fast::Fast;
use duoram_runtime::protocol::Runs;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::hosts::{Hosts, load};
use crate::soak::Latencies;

/// So many of a kind in one process follow so many in three: what else the machine does in the meantime is alike for both.
const BLOCK: usize = 16;
/// How many clients ask at once, each for one READ at a time.
const CLIENTS: [usize; 3] = [1, 4, 16];
/// As many as the most of those.
const NAMES: &str = "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p";

/// How much is asked for.
#[derive(Clone, Copy)]
struct Effort {
    /// Latencies of each kind, at most.
    samples: usize,
    /// For how long READs are counted.
    time: Duration,
    /// Whether items come from a stock, as by the settings, and none are made while latencies are taken.
    stocked: bool,
}

/// Parties that do what a client asks for.
trait Parties {
    fn read(&mut self, address: u64) -> u64;
    fn update(&mut self, address: u64, delta: u64);
}

impl Parties for Memory {
    fn read(&mut self, address: u64) -> u64 {
        Self::read(self, address).unwrap()
    }

    fn update(&mut self, address: u64, delta: u64) {
        Self::update(self, address, delta).unwrap();
    }
}

/// The parties of one process: the processes' engines, settings and disks, without an edge and its TLS.
struct OneProcess<P> {
    parties: Loopback,
    caller: Caller<P>,
}

impl<P: Runs<Fast>> OneProcess<P> {
    /// With the settings that were deployed for three processes.
    fn start(hosts: &Hosts, array: &[u64]) -> Self {
        let config = |place| Config::open(&hosts.path(&format!("p{place}.toml"))).unwrap();
        let settings: Vec<_> = hosts.places().map(|place| engine_settings(&config(place)).unwrap()).collect();
        let client = settings[0].clients.keys().next().unwrap().clone();
        let fast = computation(&config(0)).unwrap();
        let parties = Loopback::start::<P, Fast>(settings, &fast, &hosts.path("one"), [1; 32]);
        let mut caller = Caller::connect(&parties, 10, &client);
        caller.ask(&parties, WorkKind::Load, array.len() as u64, array);
        assert_eq!(caller.wait(&parties).result, Ok(vec![]));
        Self { parties, caller }
    }

    fn ask(&mut self, kind: WorkKind, words: &[u64]) -> Vec<u64> {
        self.caller.ask(&self.parties, kind, 1, words);
        self.caller.wait(&self.parties).result.unwrap()
    }

    fn wait_until_stocked(&self, items: Items) {
        let is_full = |(role, stock): (Role, Items)| role == Role::P0 && covers(stock, items);
        let stock = |(role, status): (Role, duoram_host::engine::Status)| {
            (role, Items { reads: status.stock.reads, updates: status.stock.updates })
        };
        while !is_full(stock(self.parties.status.recv().unwrap())) {}
    }
}

impl<P: Runs<Fast>> Parties for OneProcess<P> {
    fn read(&mut self, address: u64) -> u64 {
        self.ask(WorkKind::Read, &[address])[0]
    }

    fn update(&mut self, address: u64, delta: u64) {
        self.ask(WorkKind::Update, &[address, delta]);
    }
}

fn covers(stock: Items, items: Items) -> bool {
    stock.reads >= items.reads && stock.updates >= items.updates
}

/// Waits until P0 has all items that it may have.
fn wait_until_stocked(hosts: &Hosts, items: Items) {
    loop {
        let stock = hosts.status(0)["stock"].clone();
        let of = |kind: &str| usize::try_from(stock[kind].as_u64().unwrap()).unwrap();
        if covers(Items { reads: of("reads"), updates: of("updates") }, items) {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
}

/// What is compared, for a protocol: the sense in which it adds.
type Add = fn(u64, u64) -> u64;

/// So many UPDATEs, and then READs of the same words; how long each took.
fn block(
    parties: &mut impl Parties,
    array: &mut [u64],
    add: Add,
    random: &mut ChaCha20Rng,
    [reads, updates]: &mut [Latencies; 2],
) {
    let size = array.len() as u64;
    let places: [u64; BLOCK] = std::array::from_fn(|_| random.next_u64() % size);
    for address in places {
        let (delta, begin) = (random.next_u64(), Instant::now());
        parties.update(address, delta);
        updates.0.push(begin.elapsed());
        let word = &mut array[usize::try_from(address).unwrap()];
        *word = add(*word, delta);
    }
    for address in places {
        let begin = Instant::now();
        let word = parties.read(address);
        reads.0.push(begin.elapsed());
        assert_eq!(word, array[usize::try_from(address).unwrap()], "read {address}");
    }
}

/// READs a second by so many clients, once they have used up as many items as a full stock has: from then on, items are made at the
/// rate at which they are used.
fn reads_a_second(clients: &[Memory], array: &[u64], stock: usize, time: Duration) -> f64 {
    let (done, begun) = (AtomicU64::new(0), OnceLock::new());
    let stock = stock as u64;
    let ask = |memory: &Memory, number: u8| {
        let mut random = ChaCha20Rng::from_seed([number; 32]);
        while begun.get().is_none_or(|begun: &Instant| begun.elapsed() < time) {
            let place = usize::try_from(random.next_u64() % array.len() as u64).unwrap();
            assert_eq!(memory.read(place as u64).unwrap(), array[place], "read {place}");
            if done.fetch_add(1, Ordering::Relaxed) + 1 == stock {
                begun.set(Instant::now()).unwrap();
            }
        }
    };
    thread::scope(|scope| {
        for (memory, number) in clients.iter().zip(0..) {
            scope.spawn(move || ask(memory, number));
        }
    });
    #[allow(clippy::cast_precision_loss)]
    let counted = (done.into_inner() - stock) as f64;
    counted / begun.get().unwrap().elapsed().as_secs_f64()
}

/// The rows of both tables for a protocol and a size.
struct Rows {
    latencies: String,
    throughput: String,
}

fn measured<P: Runs<Fast>>(protocol: &str, add: Add, log_size: u32, effort: Effort) -> Rows {
    let mut hosts = Hosts::deployed_for(NAMES, log_size, protocol, "warn");
    hosts.places().for_each(|place| hosts.run(place));
    let mut array = load(&hosts, log_size);
    hosts.wait_until_ready();
    let clients: Vec<_> = NAMES.split(',').map(|name| hosts.memory(name)).collect();
    let stock = Config::open(&hosts.path("p0.toml")).unwrap().stock();

    let mut one = OneProcess::<P>::start(&hosts, &array);
    let mut array_of_one = array.clone();
    let mut samples = effort.samples;
    if effort.stocked {
        wait_until_stocked(&hosts, stock.high);
        one.wait_until_stocked(stock.high);
        let [high, low] = [stock.high, stock.low].map(|Items { reads, updates }| reads.min(updates));
        samples = samples.min(high - low);
    }
    let [mut random, mut random_of_one] = [[1; 32]; 2].map(ChaCha20Rng::from_seed);
    let (mut three, mut in_one) = <([Latencies; 2], [Latencies; 2])>::default();
    for _ in 0..samples / BLOCK {
        block(&mut clients[0].clone(), &mut array, add, &mut random, &mut three);
        block(&mut one, &mut array_of_one, add, &mut random_of_one, &mut in_one);
    }
    assert_eq!(array, array_of_one);
    for ended in one.parties.stop() {
        ended.unwrap();
    }

    let what = format!("{protocol} | 2^{log_size}");
    let mut latencies = String::new();
    for (kind, (three, one)) in ["READ", "UPDATE"].into_iter().zip(three.iter_mut().zip(&mut in_one)) {
        let [median, most, median_of_one, most_of_one] =
            [three.at(0.5), three.at(0.99), one.at(0.5), one.at(0.99)];
        let (ratio, ratio_of_most) = (median / median_of_one, most / most_of_one);
        let _ = writeln!(
            latencies,
            "| {what} | {kind} | {median:.2} | {most:.2} | {median_of_one:.2} | {most_of_one:.2} | {ratio:.1} | {ratio_of_most:.1} |"
        );
    }
    let rates = CLIENTS.map(|count| {
        let stock = if effort.stocked { stock.high.reads } else { 1 };
        format!("{:.0}", reads_a_second(&clients[..count], &array, stock, effort.time))
    });
    hosts.stop();
    Rows { latencies, throughput: format!("| {what} | {} |\n", rates.join(" | ")) }
}

fn load_average() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap();
    text.split_whitespace().next().unwrap().to_owned()
}

/// What GigaDORAM's authors published for three parties of one machine.
fn beside() -> String {
    let published = GigaDoram.published().unwrap();
    let of = |unit: &str| published.iter().find(|published| published.unit == unit).unwrap();
    let (rate, bytes) = (of("queries a second"), of("bytes"));
    format!(
        "Beside it, GigaDORAM `[gigadoram]`, three parties on a machine of its authors', 2^16 words, one thread: {:.0} queries a second, \
         {:.1} KB each ({}).\n",
        rate.published,
        // Of 1,000 queries.
        bytes.published / 1e6,
        rate.place
    )
}

#[test]
fn hosts_answer_rightly_while_they_are_measured() {
    let file = std::env::var_os("DUORAM_HOSTS_SPEED");
    let xor: Add = |word, delta| word ^ delta;
    let Some(file) = file else {
        let little = Effort { samples: BLOCK, time: Duration::from_millis(100), stocked: false };
        measured::<Lean>("lean", xor, 6, little);
        return;
    };
    let effort = Effort { samples: 256, time: Duration::from_secs(5), stocked: true };
    let before = load_average();
    let rows = [
        measured::<Lean>("lean", xor, 16, effort),
        measured::<Lean>("lean", xor, 20, effort),
        measured::<Paper>("paper", u64::wrapping_add, 16, effort),
    ];
    let backend = Backend::best(&Features::detect());
    let machine = machine::Machine::this();
    let mut text = format!(
        "One run of `ci/hosts-speed` on {}, {} cores, backend {}, at commit {}; load average {before} before and {} after. Three parties of a \
         thread each, and their clients, share this machine. Milliseconds from a request to its answer, one request at a time, with \
         items in stock; three processes with TLS and the same parties in one process were asked in turn:\n\n\
         | protocol | words | operation | three processes: median | 99 % | one process: median | 99 % | three / one: median | 99 % |\n\
         |---|---|---|---|---|---|---|---|---|\n",
        machine.cpu,
        machine.cores.unwrap_or_default(),
        backend.name().as_str(),
        machine::COMMIT,
        load_average(),
    );
    text.extend(rows.iter().map(|rows| rows.latencies.as_str()));
    text.push_str(
        "\nREADs a second of three processes by so many clients, each with one READ under way, items being made all the while:\n\n\
         | protocol | words | 1 client | 4 | 16 |\n|---|---|---|---|---|\n",
    );
    text.extend(rows.iter().map(|rows| rows.throughput.as_str()));
    let _ = write!(text, "\n{}", beside());
    fs::write(file, text).unwrap();
}
