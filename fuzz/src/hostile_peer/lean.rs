//! What the parties of the lean protocol await.

use duoram_reference::lean::{Lean, Plain, step};
use duoram_reference::{Batch, Parameters, Role, Step, Word};
use duoram_runtime::fast::Fast;

use super::model::{Call, Due, Played, other, primaries};
use crate::party::Player;
use crate::party::lean::AnyParty;
use crate::payloads::lean::{self as payloads, Shape};

impl Played for Lean {
    type Shape = Shape;
    type View = Vec<Vec<Word>>;

    /// No level; a level of UPDATE items; and two of READ items, six of UPDATE items, and addresses of two bytes.
    const LOG_SIZES: &'static [u32] = &[1, 4, 9];

    fn party(
        role: Role,
        parameters: Parameters,
        seed: [u8; 32],
        computation: Option<&Fast>,
    ) -> Box<dyn Player<View = Self::View>> {
        match computation {
            Some(fast) => Box::new(AnyParty::new(role, parameters, seed, fast)),
            None => Box::new(AnyParty::new(role, parameters, seed, &Plain)),
        }
    }

    fn same(reference: &Self::View, got: &Self::View) -> bool {
        reference == got
    }

    /// The deal must fit 64 MiB. As many items with as large a part of READ items would fit.
    fn too_large(log_size: u32, Batch { reads, updates }: Batch) -> Option<usize> {
        let (reads, updates) = (reads as u128, updates as u128);
        let levels = |bits: u32| u128::from(log_size.saturating_sub(bits));
        let read = 2 * 16 * (levels(7) + 1);
        let update = 2 * (16 * (levels(3) + 1) + 9 * 8);
        // Lengths and counts are cut to 64 bits.
        let length = (reads * read + updates * update).min(u64::MAX.into());
        let items = (reads + updates).min(u64::MAX.into());
        let most = (64 << 20) / length.div_ceil(items);
        (length > 64 << 20).then(|| usize::try_from(most).expect("below the payload's length"))
    }

    fn takes(call: Call) -> Vec<Batch> {
        match call {
            Call::Read(reads) => vec![Batch { reads, updates: 0 }],
            Call::Update(updates) => vec![Batch { reads: 0, updates }],
            Call::Write | Call::Swap => vec![Batch { reads: 0, updates: 1 }],
            Call::Connect | Call::Load(_) | Call::Preprocess(_) => vec![],
        }
    }

    fn due(role: Role, log_size: u32, call: Call) -> Vec<Due<Shape>> {
        let words = 1 << log_size;
        match (call, role) {
            (Call::Connect, _) => {
                all(step::CONNECT, role.peers(), Shape::Hello { rows: words, row_words: 1 })
            }
            (Call::Load(_), Role::P0) => all(step::LOAD, [Role::P1], Shape::Beta { words }),
            (Call::Load(_), Role::P1) => vec![],
            (Call::Load(_), Role::P2) => all(step::LOAD, [Role::P0], Shape::Alpha { words }),
            (Call::Preprocess(batch), _) => preprocess(role, log_size, batch),
            (Call::Read(queries), _) => {
                let shifts = all(step::READ, primaries(role), Shape::Shift { log_size, queries });
                [shifts, unblinding(role, step::READ, queries)].concat()
            }
            (Call::Update(queries), _) => {
                all(step::UPDATE, primaries(role), Shape::Update { log_size, row_words: 1, queries })
            }
            (Call::Write, _) => put(role, log_size, step::WRITE),
            (Call::Swap, _) => [put(role, log_size, step::SWAP), unblinding(role, step::SWAP, 1)].concat(),
        }
    }
}

/// The same message from some peers.
fn all(step: Step, from: impl IntoIterator<Item = Role>, shape: Shape) -> Vec<Due<Shape>> {
    from.into_iter().map(|from| Due { from, round: 0, shape, step, later: 0 }).collect()
}

/// g, which only P0 gets.
fn unblinding(role: Role, step: Step, queries: usize) -> Vec<Due<Shape>> {
    all(step, (role == Role::P0).then_some(Role::P2), Shape::Unblinding { row_words: 1, queries })
}

/// A WRITE: the shifts, and then a part of `F_a` from each of the others, P2's last.
fn put(role: Role, log_size: u32, step: Step) -> Vec<Due<Shape>> {
    let shifts = all(step, primaries(role), Shape::Shift { log_size, queries: 1 });
    let part = Shape::Write { row_words: 1 };
    let parts = all(step, primaries(role).into_iter().chain((role != Role::P2).then_some(Role::P2)), part);
    [shifts, parts].concat()
}

fn preprocess(role: Role, log_size: u32, Batch { reads, updates }: Batch) -> Vec<Due<Shape>> {
    let batch = payloads::Batch { log_size, row_words: 1, reads, updates };
    // The round of messages that are not of one level: how many of the items are for READs.
    let split = u32::try_from(reads).expect("a small batch");
    let due = |from, round, shape| Due { from, round, shape, step: step::PREPROCESS, later: 0 };
    let differences = |from: &[Role]| -> Vec<_> {
        let from = if updates > 0 { from } else { &[] };
        from.iter().map(|&from| due(from, split, Shape::Difference(batch))).collect()
    };
    if role == Role::P2 {
        let primaries = [Role::P0, Role::P1];
        let keys = primaries.map(|from| due(from, split, Shape::HelperKeys(batch)));
        return [&keys[..], &differences(&primaries)].concat();
    }
    let other = other(role);
    let mut messages = Vec::new();
    if role == Role::P1 {
        messages.push(due(Role::P2, split, Shape::Deal(batch)));
    }
    messages.push(due(other, split, Shape::IndexOffset(batch)));
    let height = if updates > 0 { batch.update_levels() } else { batch.read_levels() };
    for level in 0..=height {
        if level == batch.read_levels() {
            messages.push(due(other, split, Shape::FlagLayer(batch)));
        }
        if level < height {
            let dpfs = if level < batch.read_levels() { batch.dpfs() } else { 2 * updates };
            let round = u32::try_from(level).expect("few levels");
            messages.push(due(other, round, Shape::LevelOperands { dpfs }));
            messages.push(due(other, round, Shape::LevelOpening { dpfs }));
        }
    }
    if updates > 0 {
        messages.push(due(other, split, Shape::ValueLayer(batch)));
    }
    if role == Role::P0 {
        messages.extend(differences(&[Role::P1]));
    }
    messages
}
