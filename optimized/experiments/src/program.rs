//! A workload as what each party is told: windows of items to prepare and of operations that use them up, in shares.

use duoram_reference::{Batch, Parameters, Party, Role, Word};
use duoram_runtime::budget::{self, Budget, DEFAULT_TREE_BYTES};
use duoram_runtime::fast::Fast;
use duoram_runtime::local_computation::Extent;
use duoram_runtime::operation::Operation;
use duoram_runtime::protocol::{HelperParty, PrimaryParty, Rules, Runs, Started};
use duoram_runtime::schedule::windows;
use duoram_runtime::seed::{Seed, Seeds};
use duoram_runtime::sharing::Sharing;

use crate::Error;
use crate::system::{Step, Workload};

/// A step, and the shares of P0 and P1 of what is secret in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedStep {
    pub(crate) step: Step,
    pub(crate) address: [Word; 2],
    /// Zero of a READ.
    pub(crate) value: [Word; 2],
}

/// Items, and the steps that use all of them up.
pub(crate) struct Stage {
    pub(crate) batches: Vec<Batch>,
    pub(crate) steps: Vec<SharedStep>,
}

/// What all parties are told.
pub(crate) struct Program {
    pub(crate) parameters: Parameters,
    pub(crate) seeds: Seeds,
    /// Of the words at the start.
    pub(crate) memory: [Vec<Word>; 2],
    pub(crate) stages: Vec<Stage>,
    /// READs of what was put in last, where a workload answers nothing by itself: to be checked, and not to be counted.
    pub(crate) check: Stage,
}

/// How many words are read back.
const READ_BACK: usize = 2;

/// What an operation is to the parties.
fn operation(step: Step) -> Operation {
    match step {
        Step::Read { address } => Operation::Read { address },
        Step::Write { address, value } => Operation::Write { address, value: vec![value] },
        Step::Update { address, delta } => Operation::Update { address, delta: vec![delta] },
    }
}

impl Program {
    /// The workload, in the windows that the memory for items allows.
    ///
    /// # Errors
    ///
    /// What the parameters or the machine's memory do not allow.
    pub(crate) fn new<P: Runs<Fast>>(workload: &Workload, computation: &Fast) -> Result<Self, Error> {
        let mut stream = Seed(workload.seed).stream();
        // Stream 0 is the memory's, 1 the steps'.
        stream.set_stream(2);
        let seeds = Seeds::derive(&mut stream);
        let parameters = Parameters::new(seeds.session, workload.log_size)?;
        let budget = Budget::new::<P, Fast>(computation, DEFAULT_TREE_BYTES, Extent::from(&parameters));
        let steps: Vec<Step> = workload.steps().collect();
        let operations: Vec<Operation> = steps.iter().copied().map(operation).collect();
        let items = operations.iter().map(Operation::items::<P>).sum();
        // The words, an array of them, two shares, and these once more as messages.
        let owner = 8 * 6 * workload.size();
        budget::require_memory::<P, Fast>(computation, parameters, &budget, items, owner)?;
        let mut sharing = Sharing::<P>::new(seeds.client);
        let memory = sharing.words(&workload.memory());
        let answers = steps.iter().any(|step| matches!(step, Step::Read { .. }));
        let written = steps.iter().rev().take(if answers { 0 } else { READ_BACK }).map(|step| match *step {
            Step::Read { address } | Step::Write { address, .. } | Step::Update { address, .. } => address,
        });
        let written: Vec<_> = written.collect();
        let mut left = steps.into_iter();
        let stages = windows::<P>(&budget, &operations).map(|window| {
            let steps = left.by_ref().take(window.pieces.len()).map(|step| {
                let (address, value) = match step {
                    Step::Read { address } => (address, 0),
                    Step::Write { address, value } => (address, value),
                    Step::Update { address, delta } => (address, delta),
                };
                SharedStep { step, address: sharing.word(address), value: sharing.word(value) }
            });
            Stage { batches: budget.batches(window.demand), steps: steps.collect() }
        });
        let stages = stages.collect();
        let read = |address| SharedStep {
            step: Step::Read { address },
            address: sharing.word(address),
            value: [0; 2],
        };
        let steps: Vec<_> = written.into_iter().map(read).collect();
        let reads = steps.len();
        let batches = if reads > 0 { vec![Batch { reads, updates: 0 }] } else { Vec::new() };
        Ok(Self { parameters, seeds, memory, stages, check: Stage { batches, steps } })
    }
}

/// A party of any of the protocols.
pub(crate) enum Actor {
    Primary(usize, Box<dyn PrimaryParty>),
    Helper(Box<dyn HelperParty>),
}

impl Actor {
    /// The party of this role.
    ///
    /// # Errors
    ///
    /// Of a role that does not take part.
    pub(crate) fn new<P: Runs<Fast>>(
        role: Role,
        parameters: Parameters,
        seeds: &Seeds,
        computation: Fast,
    ) -> Result<Self, Error> {
        let seed = seeds.parties[role.index()];
        Ok(match role {
            Role::P2 => Self::Helper(
                P::helper(parameters, seed, computation)
                    .ok_or(duoram_reference::Error::NotPrimary { got: role })?,
            ),
            primary => Self::Primary(role.index(), P::primary(primary, parameters, seed, computation)?),
        })
    }

    pub(crate) fn party(&mut self) -> &mut dyn Party {
        match self {
            Self::Primary(_, party) => &mut **party,
            Self::Helper(party) => &mut **party,
        }
    }

    /// Takes its share of the words at the start; the helper has none.
    pub(crate) fn load(&mut self, share: Vec<Word>) -> Started {
        match self {
            Self::Primary(_, party) => party.load(share),
            Self::Helper(party) => party.load(),
        }
    }

    /// Begins a step.
    pub(crate) fn perform(&mut self, shared: &SharedStep) -> Started {
        match self {
            Self::Primary(index, party) => {
                let (address, value) = (shared.address[*index], shared.value[*index]);
                match shared.step {
                    Step::Read { .. } => party.read(&[address]),
                    Step::Write { .. } => party.write(&[address, value]),
                    Step::Update { .. } => party.update(&[address, value]),
                }
            }
            Self::Helper(party) => match shared.step {
                Step::Read { .. } => party.read(1),
                Step::Write { .. } => party.write(),
                Step::Update { .. } => party.update(1),
            },
        }
    }

    /// Its share of what the step that has just been done answers: nothing, unless it was a READ. A WRITE of the paper's
    /// protocol leaves a result too, which nobody asked for.
    pub(crate) fn take_result(&mut self, step: Step) -> Option<Word> {
        let Self::Primary(_, party) = self else { return None };
        party.take_results().pop().filter(|_| matches!(step, Step::Read { .. }))
    }
}

/// What the shares of P0 and P1 stand for, if both have one.
pub(crate) fn opened<P: Rules>(shares: [Option<Word>; 2]) -> Option<Word> {
    let [zero, one] = shares;
    Some(P::open([zero?, one?]))
}

/// What an UPDATE does to a word.
pub(crate) fn updated<P: Rules>(word: Word, delta: Word) -> Word {
    P::open([word, delta])
}
