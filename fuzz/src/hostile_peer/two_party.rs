//! What the parties of the two-party protocol await, with the plain PIR: empty keys, empty queries, tables as answers.

use duoram_reference::two_party::{Plain, PlainPir, TwoParty, step};
use duoram_reference::{Batch, Parameters, Role, Step, Word};
use duoram_runtime::fast::Fast;

use super::model::{Call, Due, Played, other};
use crate::party::Player;
use crate::party::two_party::{AnyParty, seat};
use crate::payloads::two_party::Shape;

/// The most bytes of a payload.
const MAX_PAYLOAD: u128 = 64 << 20;

impl Played for TwoParty {
    type Shape = Shape;
    type View = Vec<Word>;

    /// One level; columns of one byte, and of two, most of them with unused bits.
    const LOG_SIZES: &'static [u32] = &[1, 3, 5];

    fn seat(role: Role) -> Role {
        seat(role)
    }

    fn party(
        role: Role,
        parameters: Parameters,
        seed: [u8; 32],
        computation: Option<&Fast>,
    ) -> Box<dyn Player<View = Self::View>> {
        match computation {
            Some(fast) => Box::new(AnyParty::new(role, parameters, seed, fast, PlainPir)),
            None => Box::new(AnyParty::new(role, parameters, seed, &Plain, PlainPir)),
        }
    }

    fn same(reference: &Self::View, got: &Self::View) -> bool {
        reference == got
    }

    /// The columns must fit, and the operands of a level. So many items of any kind fit whose bits are whole bytes of both.
    fn too_large(log_size: u32, Batch { reads, updates }: Batch) -> Option<usize> {
        let (reads, updates, h) = (reads as u128, updates as u128, u128::from(log_size));
        let columns = 128 * ((reads + updates) * h).div_ceil(8);
        let operands = 16 * updates + (3 * updates).div_ceil(8);
        let most = (8 * (MAX_PAYLOAD / 128) / h).min(8 * (MAX_PAYLOAD / 131));
        (columns.max(operands) > MAX_PAYLOAD).then(|| usize::try_from(most).expect("fits a payload"))
    }

    fn takes(call: Call) -> Vec<Batch> {
        match call {
            Call::Read(reads) => vec![Batch { reads, updates: 0 }],
            Call::Update(updates) => vec![Batch { reads: 0, updates }],
            Call::Write | Call::Swap => vec![Batch { reads: 1, updates: 1 }],
            Call::Connect | Call::Load(_) | Call::Preprocess(_) => vec![],
        }
    }

    fn due(role: Role, log_size: u32, call: Call) -> Vec<Due<Shape>> {
        match call {
            Call::Connect => {
                let shapes = [Shape::Hello { log_size }, Shape::BaseChoices, Shape::PirKeys { bytes: 0 }];
                all(role, step::CONNECT, shapes)
            }
            Call::Load(_) => vec![],
            Call::Preprocess(batch) => preprocess(role, log_size, batch),
            Call::Read(count) => all(role, step::READ, read(log_size, count)),
            Call::Update(queries) => all(role, step::UPDATE, [Shape::Updates { log_size, queries }]),
            Call::Write => put(role, log_size, step::WRITE),
            Call::Swap => put(role, log_size, step::SWAP),
        }
    }
}

/// One after another from the other party.
fn all(role: Role, step: Step, shapes: impl IntoIterator<Item = Shape>) -> Vec<Due<Shape>> {
    let due = |shape| Due { from: other(role), round: 0, shape, step, later: 0 };
    shapes.into_iter().map(due).collect()
}

fn read(log_size: u32, queries: usize) -> [Shape; 2] {
    [Shape::Shifts { log_size, queries }, Shape::Answers { count: queries, bytes: 8 << log_size }]
}

/// A READ, and then an UPDATE.
fn put(role: Role, log_size: u32, step: Step) -> Vec<Due<Shape>> {
    let update = Shape::Updates { log_size, queries: 1 };
    all(role, step, read(log_size, 1).into_iter().chain([update]))
}

fn preprocess(role: Role, log_size: u32, Batch { reads, updates: dpfs }: Batch) -> Vec<Due<Shape>> {
    // The round of messages that are not of one level: how many of the items are for READs.
    let split = u32::try_from(reads).expect("a small batch");
    let due = |round, shape| Due { from: other(role), round, shape, step: step::PREPROCESS, later: 0 };
    let mut messages = vec![due(split, Shape::OtColumns { transfers: (reads + dpfs) * log_size as usize })];
    if reads > 0 {
        messages.push(due(split, Shape::Queries { count: reads, bytes: 0 }));
    }
    if dpfs > 0 {
        for level in 0..log_size {
            messages.push(due(level, Shape::LevelOperands { dpfs }));
            messages.push(due(level, Shape::LevelOpening { dpfs }));
        }
        messages.push(due(split, Shape::Sums { dpfs }));
    }
    messages
}
