//! How fast three hosts are: `cargo run --release -p duoram-client --example load -- SECONDS AT_ONCE read|update CLIENT.toml...`
//!
//! Each client has so many requests under way at once. Prints operations a second, and the latency of half and of 99 % of them.

use std::time::{Duration, Instant};

use duoram_client::{Config, Error, Memory};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seconds, at_once, kind, files @ ..] = &arguments[..] else {
        return Err("expected SECONDS AT_ONCE read|update CLIENT.toml...".into());
    };
    let (time, at_once): (_, u64) = (Duration::from_secs(seconds.parse()?), at_once.parse()?);
    let reads = match kind.as_str() {
        "read" => true,
        "update" => false,
        other => return Err(format!("expected read or update, got {other}").into()),
    };
    let mut memories = Vec::new();
    for file in files {
        memories.push(Memory::open(&Config::open(file.as_ref())?).await?);
    }
    let start = Instant::now();
    let each = memories.iter().flat_map(|memory| (0..at_once).map(move |task| (memory.clone(), task)));
    let tasks: Vec<_> = each
        .map(|(memory, task)| tokio::spawn(async move { ask(&memory, task, reads, start + time).await }))
        .collect();
    let mut latencies = Vec::new();
    for task in tasks {
        latencies.extend(task.await??);
    }
    let elapsed = start.elapsed().as_secs_f64();
    latencies.sort_unstable();
    let done = u32::try_from(latencies.len())?;
    let of = |percent: usize| latencies.get((latencies.len() * percent / 100).min(latencies.len() - 1));
    let [half, most] = [50, 99].map(|percent| of(percent).map_or(0.0, |latency| latency.as_secs_f64() * 1e3));
    println!(
        "{kind}: {:.0} a second, half within {half:.2} ms, 99 % within {most:.2} ms",
        f64::from(done) / elapsed
    );
    Ok(())
}

/// Asks again and again, for another word each time; how long each took. When there are no items it waits as it is told.
async fn ask(memory: &Memory, task: u64, reads: bool, until: Instant) -> Result<Vec<Duration>, Error> {
    let mut latencies = Vec::new();
    let mut address = task;
    while Instant::now() < until {
        address = (address * 5 + 1) % memory.len();
        let asked = Instant::now();
        let done = if reads { memory.read(address).await.map(drop) } else { memory.update(address, 1).await };
        match done {
            Ok(()) => latencies.push(asked.elapsed()),
            Err(error) => tokio::time::sleep(error.retry_after().ok_or(error)?).await,
        }
    }
    Ok(latencies)
}
