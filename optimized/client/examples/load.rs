//! How fast hosts are, and whether they stay so:
//! `cargo run --release -p duoram-client --example load -- SECONDS AT_ONCE RATE read|update CLIENT.toml...`
//!
//! Each client has so many requests under way at once; all of them together ask RATE times a second, or as often as they can if
//! RATE is 0. Prints operations a second and the latency of half, of 99 % and of all of them, for each tenth of the time and for all
//! of it. Latency is counted from when a request was due, so that one that had to wait for its turn is no faster for it.

use std::time::{Duration, Instant};

use duoram_client::{Config, Error, Memory};
use tokio::time::sleep;

/// When a request was due, since the start, and how long it took from then.
type Sample = (Duration, Duration);

const PARTS: u32 = 10;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seconds, at_once, rate, kind, files @ ..] = &arguments[..] else {
        return Err("expected SECONDS AT_ONCE RATE read|update CLIENT.toml...".into());
    };
    let (time, at_once): (_, u64) = (Duration::from_secs(seconds.parse()?), at_once.parse()?);
    let rate: f64 = rate.parse()?;
    let reads = match kind.as_str() {
        "read" => true,
        "update" => false,
        other => return Err(format!("expected read or update, got {other}").into()),
    };
    let mut memories = Vec::new();
    for file in files {
        memories.push(Memory::open(&Config::open(file.as_ref())?).await?);
    }
    let tasks = at_once * memories.len() as u64;
    // Each task asks at every so many seconds, the first time at its own part of them.
    let pause = if rate > 0.0 { f64::from(u32::try_from(tasks)?) / rate } else { 0.0 };
    let start = Instant::now();
    let mut asking = Vec::new();
    for task in 0..tasks {
        let memory = memories[usize::try_from(task)? % memories.len()].clone();
        let first = pause * f64::from(u32::try_from(task)?) / f64::from(u32::try_from(tasks)?);
        let pace = (Duration::from_secs_f64(first), Duration::from_secs_f64(pause));
        asking.push(tokio::spawn(async move { ask(&memory, task, reads, start, (pace, time)).await }));
    }
    let mut samples = Vec::new();
    for task in asking {
        samples.extend(task.await??);
    }
    for part in 0..PARTS {
        let (from, to) = (time * part / PARTS, time * (part + 1) / PARTS);
        let within = |(due, _): &&Sample| *due >= from && *due < to;
        let title = format!("{} s to {} s", from.as_secs(), to.as_secs());
        println!("{}", told(&title, kind, samples.iter().filter(within), time / PARTS));
    }
    println!("{}", told("all", kind, samples.iter(), time));
    Ok(())
}

/// A line of the report.
fn told<'a>(title: &str, kind: &str, samples: impl Iterator<Item = &'a Sample>, time: Duration) -> String {
    let mut latencies: Vec<_> = samples.map(|(_, latency)| *latency).collect();
    latencies.sort_unstable();
    let Some(last) = latencies.len().checked_sub(1) else { return format!("{title}: nothing was done") };
    let of = |percent: usize| latencies[(latencies.len() * percent / 100).min(last)].as_secs_f64() * 1e3;
    let a_second = u32::try_from(latencies.len()).map_or(f64::NAN, f64::from) / time.as_secs_f64();
    format!(
        "{title}: {a_second:.0} {kind}s a second, half within {:.2} ms, 99 % within {:.2} ms, all within {:.2} ms",
        of(50),
        of(99),
        of(100)
    )
}

/// Asks again and again, for another word each time. When there are no items it waits as it is told.
async fn ask(
    memory: &Memory,
    task: u64,
    reads: bool,
    start: Instant,
    ((first, pause), time): ((Duration, Duration), Duration),
) -> Result<Vec<Sample>, Error> {
    let mut samples = Vec::new();
    let (mut address, mut next) = (task, first);
    loop {
        sleep(next.saturating_sub(start.elapsed())).await;
        // Without a rate the next request is due when there is time for it.
        let due = if pause.is_zero() { start.elapsed() } else { next };
        if due >= time {
            return Ok(samples);
        }
        address = (address * 5 + 1) % memory.len();
        let done = loop {
            let done =
                if reads { memory.read(address).await.map(drop) } else { memory.update(address, 1).await };
            match done {
                Err(error) if error.retry_after().is_some() => {
                    sleep(error.retry_after().unwrap_or_default()).await;
                }
                done => break done,
            }
        };
        done?;
        samples.push((due, start.elapsed().saturating_sub(due)));
        next += pause;
    }
}
