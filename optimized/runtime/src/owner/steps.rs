//! What is to be done, as commands of all parties.

use duoram_reference::{Batch, Command, Operands, Protocol, Role, Word};
use zeroize::Zeroizing;

use crate::budget::Budget;
use crate::operation::Operation;
use crate::protocol::Rules;
use crate::schedule::{Piece, windows};
use crate::sharing::Sharing;

/// Words of a share that go to a primary in one command.
const PIECE_WORDS: usize = 1 << 16;

/// One step of all parties, as the owner has it done.
pub(super) struct Step {
    /// What each party is told, if it is told anything.
    pub(super) commands: [Option<Command>; 3],
    /// The place of the operation among all, if its result is the operation's.
    pub(super) result_of: Option<usize>,
}

/// All steps, in order: the same whenever they are made anew from the same seed.
pub(super) fn steps<'a, P: Rules>(
    seed: [u8; 32],
    budget: &'a Budget,
    memory: &'a [Word],
    operations: &'a [Operation],
) -> impl Iterator<Item = Step> + use<'a, P> {
    let mut sharing = Sharing::<P>::new(seed);
    let alike =
        |command: fn() -> Command| Step { commands: [(); 3].map(|()| Some(command())), result_of: None };
    let shares = sharing.words(memory).map(Zeroizing::new);
    let pieces = memory.len().div_ceil(PIECE_WORDS);
    let load = (0..pieces).map(move |piece| {
        let part = |share: &[Word]| {
            let words = share.chunks(PIECE_WORDS).nth(piece).unwrap_or_default();
            Some(Command::Load(Zeroizing::new(words.to_vec())))
        };
        let helper = (piece == 0).then(|| Command::Load(Operands::default()));
        Step { commands: [part(&shares[0]), part(&shares[1]), helper], result_of: None }
    });
    let mut operation = 0;
    let work = windows::<P>(budget, operations).flat_map(move |window| {
        let batches = budget.batches(window.demand).into_iter().map(|Batch { reads, updates }| Step {
            commands: [(); 3].map(|()| Some(Command::Preprocess(Batch { reads, updates }))),
            result_of: None,
        });
        let mut steps: Vec<Step> = batches.collect();
        for piece in window.pieces {
            steps.extend(piece_steps(&mut sharing, &piece, operation));
            operation += usize::from(piece.ends);
        }
        steps
    });
    std::iter::once(alike(|| Command::Connect)).chain(load).chain(work).map(told_to::<P>)
}

/// The step without commands for whoever does not take part.
fn told_to<P: Protocol>(mut step: Step) -> Step {
    for (role, command) in Role::ALL.into_iter().zip(&mut step.commands) {
        if !P::ROLES.contains(&role) {
            *command = None;
        }
    }
    step
}

/// The steps of an operation, or of a piece of one.
fn piece_steps<P: Rules>(sharing: &mut Sharing<P>, piece: &Piece, operation: usize) -> Vec<Step> {
    // Drawn in every case: what comes after must not depend on it.
    let mut operands = || {
        let row = piece.operation.row().unwrap_or_default();
        let words = Zeroizing::new([&[piece.operation.address()], row].concat());
        let [zero, one] = sharing.words(&words).map(Zeroizing::new);
        [zero, one, Operands::default()]
    };
    let result_of = Some(operation);
    let of = |commands: [Command; 3]| commands.map(Some);
    match piece.operation {
        Operation::Read { .. } => {
            let commands = operands().map(|addresses| Command::Read { count: 1, addresses });
            vec![Step { commands: of(commands), result_of }]
        }
        Operation::Update { .. } => {
            let commands = operands().map(|pairs| Command::Update { count: 1, pairs });
            vec![Step { commands: of(commands), result_of }]
        }
        Operation::Write { .. } => {
            vec![Step { commands: of(operands().map(Command::Write)), result_of }]
        }
        Operation::Swap { .. } => {
            vec![Step { commands: of(operands().map(Command::Swap)), result_of }]
        }
        Operation::Chase { steps, .. } => (0..steps)
            .map(|step| {
                let commands = if piece.begins && step == 0 {
                    operands().map(|addresses| Command::Read { count: 1, addresses })
                } else {
                    [(); 3].map(|()| Command::Follow)
                };
                let last = piece.ends && step + 1 == steps;
                Step { commands: of(commands), result_of: result_of.filter(|_| last) }
            })
            .collect(),
    }
}
