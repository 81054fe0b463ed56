//! READs a second through three engines in one process, with their disks and without TLS: `throughput [LOG_SIZE [SECONDS [CLIENTS [AHEAD]]]]`.
#![allow(missing_docs, clippy::cast_precision_loss)]

use std::time::{Duration, Instant};

use duoram_host::loopback::{Caller, Loopback};
use duoram_host::settings::{Settings, StockMarks};
use duoram_kernel::{Backend, Features, Workers};
use duoram_link::{ClientName, Rights, WorkKind};
use duoram_reference::durable::Limits;
use duoram_reference::lean::Lean;
use duoram_reference::{Batch, Parameters, Protocol as _, Role, SessionId, Word};
use duoram_runtime::fast::Fast;

fn argument(place: usize, default: u64) -> u64 {
    std::env::args().nth(place).and_then(|argument| argument.parse().ok()).unwrap_or(default)
}

fn main() {
    let log_size = u32::try_from(argument(1, 16)).unwrap();
    let time = Duration::from_secs(argument(2, 10));
    let (clients, ahead) = (argument(3, 1), usize::try_from(argument(4, 1)).unwrap());
    let names: Vec<ClientName> = (0..clients).map(|client| format!("c{client}").parse().unwrap()).collect();
    let all = Rights::READ.and(Rights::UPDATE).and(Rights::LOAD);
    let of = |reads, updates| Batch { reads, updates };
    let settings = Lean::ROLES.iter().map(|&role| Settings {
        role,
        parameters: Parameters::new(SessionId([1; 16]), log_size).unwrap(),
        clients: names.iter().map(|name| (name.clone(), all)).collect(),
        window: 64,
        stock: StockMarks { low: of(1024, 0), high: of(2048, 0), batch: of(256, 0) },
        limits: Limits {
            journal: 16 << 20,
            items: 4096,
            unacknowledged: 64 << 20,
            ahead: 1 << 28,
            commands: 1 << 14,
        },
    });
    let settings: Vec<_> = settings.collect();
    let backend = Backend::available(&Features::detect()).remove(0);
    let fast = Fast::new(backend, Workers::new(1).unwrap(), 1 << 26);
    let folder = tempfile::tempdir().unwrap();
    let parties = Loopback::start::<Lean, Fast>(settings, &fast, folder.path(), [1; 32]);
    let mut callers: Vec<_> = (10..)
        .zip(&names)
        .map(|(connection, name)| Caller::<Lean>::connect(&parties, connection, name))
        .collect();
    let memory: Vec<Word> = (0..1 << log_size).collect();
    callers[0].ask(&parties, WorkKind::Load, 1 << log_size, &memory);
    callers[0].wait(&parties).result.unwrap();
    let start = Instant::now();
    let stocked = |stock: usize| stock >= 1024;
    while !parties.status.iter().any(|(role, status)| role == Role::P0 && stocked(status.stock.reads)) {}
    println!("stock after {:.1} s", start.elapsed().as_secs_f64());
    let (start, mut address, mut done, mut took) = (Instant::now(), 0, 0_u64, Vec::new());
    while start.elapsed() < time {
        for caller in &mut callers {
            while caller.open() < ahead {
                address = (address + 12_345) % (1 << log_size);
                caller.ask(&parties, WorkKind::Read, 1, &[address]);
            }
        }
        let (party, told) = parties.told.recv().unwrap();
        let duoram_host::loopback::Told::Client(connection, _) = told else { continue };
        let caller = &mut callers[usize::try_from(connection - 10).unwrap()];
        if let Some(came) = caller.hear(&parties, party, told) {
            came.result.unwrap();
            done += 1;
            took.push(came.took);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    took.sort();
    let at = |share: usize| took[(took.len() - 1) * share / 100].as_secs_f64() * 1e3;
    let status = parties.status.try_iter().filter(|(role, _)| *role == Role::P0).last().unwrap().1;
    println!(
        "2^{log_size}, {clients} clients, {ahead} ahead: {:.0} READs a second, {:.0} orders a second; ms: median {:.2}, 99 % {:.2}; a sync {:.2} ms",
        done as f64 / seconds,
        status.orders as f64 / seconds,
        at(50),
        at(99),
        status.sync_microseconds as f64 / status.syncs.max(1) as f64 / 1e3,
    );
    for ended in parties.stop() {
        ended.unwrap();
    }
}
