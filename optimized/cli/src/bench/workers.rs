//! What workers cost: what they say to each other, and how long each of them computes.

use std::time::Duration;

use duoram_shards::{Sharded, WorkerUsage};

use crate::{Error, Output};

/// Words that go out to all, and words of each that become one: as much as a READ takes, and a level of a thousand trees.
const ROUND_TRIPS: [(usize, usize); 2] = [(1 << 7, 1), (1 << 11, 1 << 12)];

/// What a broadcast and a reduce take.
pub(super) fn tell_round_trips(sharded: &Sharded, output: &mut Output) -> Result<(), Error> {
    for (words, back) in ROUND_TRIPS {
        output.line(&format!(
            "round trip: {:.1} us for a broadcast of {} KiB and a reduce of {}",
            1e6 * sharded.round_trip_seconds(words, back),
            words / 128,
            if back == 1 { "a word".to_owned() } else { format!("{} KiB", back / 128) }
        ))?;
    }
    Ok(())
}

/// What each worker has computed for between two moments, warm-up included, and of how much time that is. CPU time is that of
/// computing; what is spent on waiting is not counted.
pub(super) fn tell_usage(
    before: &[WorkerUsage],
    after: &[WorkerUsage],
    elapsed: Duration,
    output: &mut Output,
) -> Result<(), Error> {
    for (rank, (before, after)) in before.iter().zip(after).enumerate() {
        let computing = after.computing.saturating_sub(before.computing).as_secs_f64();
        let cpu = after.cpu.zip(before.cpu).map(|(after, before)| after.saturating_sub(before).as_secs_f64());
        let cpu = cpu.map_or("not known".to_owned(), |cpu| format!("{cpu:.3} s"));
        output.line(&format!(
            "worker {rank}: {computing:.3} s computing (cpu {cpu}) of {:.3} s, {:.0} %",
            elapsed.as_secs_f64(),
            100.0 * computing / elapsed.as_secs_f64()
        ))?;
    }
    Ok(())
}
