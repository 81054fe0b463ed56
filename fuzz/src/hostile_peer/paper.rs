//! What the parties of the paper's protocol await.

use duoram_reference::{Batch, Paper, Parameters, Plain, Role, step};
use duoram_runtime::fast::Fast;

use super::model::{Call, Due, Played, other, primaries};
use crate::party::Player;
use crate::party::paper::{AnyParty, View};
use crate::payloads::paper::Shape;

impl Played for Paper {
    type Shape = Shape;
    type View = View;

    const LOG_SIZES: &'static [u32] = &[1, 2, 3];

    fn party(
        role: Role,
        parameters: Parameters,
        seed: [u8; 32],
        computation: Option<&Fast>,
    ) -> Box<dyn Player<View = View>> {
        match computation {
            Some(fast) => Box::new(AnyParty::new(role, parameters, seed, fast)),
            None => Box::new(AnyParty::new(role, parameters, seed, &Plain)),
        }
    }

    fn same(reference: &View, got: &View) -> bool {
        reference.is(got)
    }

    /// As many items as have triples that fit 64 MiB: in bits, two blocks and a bit a level and three words more, for each
    /// of three DPFs.
    fn too_large(log_size: u32, Batch { reads, updates }: Batch) -> Option<usize> {
        let most = (64 << 23) / (3 * (log_size as usize * 257 + 192));
        (reads.saturating_add(updates) > most).then_some(most)
    }

    /// A WRITE is a READ and, when that is done, an UPDATE; its READ has a SWAP's result.
    fn takes(call: Call) -> Vec<Batch> {
        let (reads, updates) = (|reads| Batch { reads, updates: 0 }, |updates| Batch { reads: 0, updates });
        match call {
            Call::Read(count) => vec![reads(count)],
            Call::Update(count) => vec![updates(count)],
            Call::Write | Call::Swap => vec![reads(1), updates(1)],
            Call::Connect | Call::Load(_) | Call::Preprocess(_) => vec![],
        }
    }

    fn due(role: Role, log_size: u32, call: Call) -> Vec<Due<Shape>> {
        match call {
            Call::Connect => {
                let hello = |from| Due {
                    from,
                    round: 0,
                    shape: Shape::Hello { log_size },
                    step: step::CONNECT,
                    later: 0,
                };
                role.peers().map(hello).to_vec()
            }
            Call::Load(_) => {
                let words = 1 << log_size;
                let shape = if role == Role::P2 { Shape::Blind { words } } else { Shape::Blinded { words } };
                let chunk = |from| Due { from, round: 0, shape, step: step::LOAD, later: 0 };
                primaries(role).into_iter().map(chunk).collect()
            }
            Call::Preprocess(batch) => preprocess(role, log_size, batch),
            Call::Read(count) => read(role, log_size, count),
            Call::Update(count) => update(role, log_size, count, 0),
            Call::Write | Call::Swap => [read(role, log_size, 1), update(role, log_size, 1, 1)].concat(),
        }
    }
}

fn preprocess(role: Role, log_size: u32, Batch { reads, updates }: Batch) -> Vec<Due<Shape>> {
    let (items, other) = (reads + updates, other(role));
    let dpfs = 3 * items;
    // The round of messages that are not of one level: how many of the items are for READs.
    let split = u32::try_from(reads).expect("a small batch");
    let due = |from, round, shape| Due { from, round, shape, step: step::PREPROCESS, later: 0 };
    if role == Role::P2 {
        return [Role::P0, Role::P1]
            .map(|from| due(from, split, Shape::HelperKeys { log_size, items }))
            .to_vec();
    }
    let mut all = vec![due(Role::P2, split, Shape::Triples { log_size, dpfs })];
    for level in 0..log_size {
        all.push(due(other, level, Shape::LevelOperands { dpfs }));
        all.push(due(other, level, Shape::LevelOpening { dpfs }));
    }
    let deltas = if other == Role::P0 { updates } else { 0 };
    all.push(due(other, split, Shape::ConversionOperands { dpfs, deltas }));
    all.push(due(other, split, Shape::ConversionOpening { dpfs }));
    all
}

fn read(role: Role, log_size: u32, queries: usize) -> Vec<Due<Shape>> {
    let due = |from, shape| Due { from, round: 0, shape, step: step::READ, later: 0 };
    let shifts = primaries(role).into_iter().map(|from| due(from, Shape::Shift { log_size, queries }));
    let unblinding = (role != Role::P2).then(|| due(Role::P2, Shape::Unblinding { queries }));
    shifts.chain(unblinding).collect()
}

fn update(role: Role, log_size: u32, queries: usize, later: u64) -> Vec<Due<Shape>> {
    let shape = if role == Role::P2 {
        Shape::HelperUpdate { log_size, queries }
    } else {
        Shape::Update { log_size, queries }
    };
    primaries(role).into_iter().map(|from| Due { from, round: 0, shape, step: step::UPDATE, later }).collect()
}
