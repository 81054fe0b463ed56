//! What a READ, an UPDATE and their items take on this machine, by a short run of all parties.

use duoram_runtime::local_computation::{Extent, LocalComputation};
use duoram_runtime::meter::{Phase, PhaseCost};
use duoram_runtime::protocol::Runs;

use super::workload::{Kind, Workload, measure};
use crate::Error;

/// Operations in a run, and in the warm-up before it.
const OPERATIONS: usize = 3;

/// What one operation takes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Each {
    /// Seconds of one core, by party; 0 where the system does not tell.
    pub(crate) cpu: [f64; 3],
    /// The bytes that each party sends.
    pub(crate) bytes: [f64; 3],
    /// Messages that wait for one another.
    pub(crate) sequential: f64,
}

/// What one of a kind takes, and its item.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Calibration {
    pub(crate) online: Each,
    pub(crate) item: Each,
}

/// READs or UPDATEs of a memory of this size, one after the other.
pub(crate) fn calibrate<P: Runs<C>, C: LocalComputation>(
    backend: &C,
    kind: Kind,
    Extent { log_size, row_words, .. }: Extent,
    tree_bytes: u64,
) -> Result<Calibration, Error> {
    let workload = Workload { kind, ops: OPERATIONS, batch: 1, runs: 1, tree_bytes, row_words };
    let measured = measure::<P, C>(backend, &workload, log_size, None)?;
    let phase = |phase| measured.runs.first().map(|run| each(run.meter.phase(phase))).unwrap_or_default();
    let (online, mut item) = (phase(Phase::Online), phase(Phase::Preprocessing));
    // However many items are prepared side by side, their messages are as many.
    #[allow(clippy::cast_precision_loss)] // a small count
    let batch = OPERATIONS as f64;
    item.sequential *= batch;
    Ok(Calibration { online, item })
}

#[allow(clippy::cast_precision_loss)] // of small counts
fn each(cost: &PhaseCost) -> Each {
    let count = OPERATIONS as f64;
    Each {
        cpu: cost.parties.map(|usage| usage.cpu.unwrap_or_default().as_secs_f64() / count),
        bytes: cost.parties.map(|usage| usage.payload_bytes as f64 / count),
        sequential: cost.sequential_messages() as f64 / count,
    }
}
