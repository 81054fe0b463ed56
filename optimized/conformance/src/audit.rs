//! What the audit tools have to know of a protocol: how to look at its parties, and what its specification says.

use duoram_reference::{Batch, Operands, Parameters, Role, SessionId, Word};
use duoram_runtime::local_computation::{Extent, LocalComputation};
use duoram_runtime::observer::Inputs;
use duoram_runtime::operation::{Operation, Row};
use duoram_runtime::protocol::{Rules, Runs};
use duoram_runtime::seed::Seeds;

/// A protocol whose sessions can be compared with its specification.
pub trait Audited: Rules + Sized {
    /// What is held to be true of their states, in words.
    const LEMMAS: &'static str;

    /// Whether messages of a kind are the specification's byte by byte: they are not if what it has as ideal makes them.
    fn is_specified(_kind: u8) -> bool {
        true
    }

    /// What the three parties hold between two steps.
    type View: Clone;

    /// Where parties that are watched write down what they hold.
    type Slots: Clone + Default;

    /// The specification's session.
    type Follower: Follower<View = Self::View>;

    /// What all three parties hold; `None` before all of them have a memory.
    fn view(slots: &Self::Slots) -> Option<Self::View>;

    /// The memory that a view stands for.
    fn opened(view: &Self::View) -> Vec<Word>;

    /// Which lemmas about states fail. `before` is what the states opened to before the operation, `change` what it put in
    /// where, w words; a READ puts in zeros.
    fn faults(before: &[Word], view: &Self::View, change: (u64, &[Word])) -> Vec<String>;

    /// The first share that is not the specification's.
    fn difference(expected: &Self::View, got: &Self::View) -> Option<String>;

    /// The ideal memory, or a column of one, after an UPDATE.
    fn ideal_update(memory: &[Word], address: u64, delta: Word) -> Vec<Word>;
}

/// A protocol whose sessions can be compared while its parties use the local computation `C`.
pub trait Audits<C: LocalComputation>: Audited + Runs<C> + Runs<Self::Watched> {
    /// `C`, watched.
    type Watched: LocalComputation;

    /// The computation of the party with this role, which writes copies of its memory to `slots`.
    fn watched(computation: C, role: Role, slots: Self::Slots) -> Self::Watched;
}

/// A message of a specification's session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Its kind.
    pub kind: u8,
    /// The sender's number.
    pub from: u8,
    /// The receiver's.
    pub to: u8,
    /// The number of the step.
    pub operation: u64,
    /// The header's field of this name.
    pub round: u32,
    /// What it says.
    pub payload: Vec<u8>,
}

/// The word of a row by which a chase goes on; in a protocol without rows all of it.
pub(crate) fn first_word(row: &[Word]) -> Word {
    row.first().copied().unwrap_or_default()
}

/// What the specification says a step sends and returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The session's name, which the specification's messages do not hold.
    pub session: SessionId,
    /// All messages.
    pub sent: Vec<Sent>,
    /// The shares of each READ's result.
    pub results: Vec<[Row; 2]>,
}

/// The specification's session, taken through the same steps on the same random words.
pub trait Follower: Sized {
    /// See [`Audited::View`].
    type View;

    /// Draws in advance the words that the parties will draw: for `demand` in items, and for a memory if one is loaded.
    fn new(parameters: Parameters, seeds: &Seeds, loads: bool, demand: Batch) -> Self;

    /// About how many bytes it keeps.
    fn bytes(extent: Extent, demand: Batch) -> u64;

    /// What the parties hold; `None` before the connection.
    fn view(&self) -> Option<Self::View>;

    /// Step 0.
    fn connect(&mut self) -> Expected;

    /// A load of these shares.
    fn load(&mut self, share_0: &[Word], share_1: &[Word]) -> Expected;

    /// A batch.
    fn preprocess(&mut self, batch: &Batch) -> Expected;

    /// What a step sends before the connection.
    fn nothing(&self) -> Expected;

    /// A READ at these shares of an address.
    fn read(&mut self, address: [Word; 2]) -> Expected;

    /// An UPDATE.
    fn update(&mut self, inputs: &Inputs) -> Expected;

    /// A WRITE.
    fn write(&mut self, inputs: &Inputs) -> Expected;

    /// A SWAP.
    fn swap(&mut self, inputs: &Inputs) -> Expected;

    /// An operation on these shares; or a piece of a chase, which without shares goes on from where the one before got to.
    fn perform(
        &mut self,
        operation: &Operation,
        inputs: Option<&Inputs>,
        reached: &mut [Word; 2],
    ) -> Expected {
        let inputs =
            inputs.cloned().unwrap_or(Inputs { address: *reached, value: <[Operands; 2]>::default() });
        match *operation {
            Operation::Read { .. } => self.read(inputs.address),
            Operation::Update { .. } => self.update(&inputs),
            Operation::Write { .. } => self.write(&inputs),
            Operation::Swap { .. } => self.swap(&inputs),
            Operation::Chase { steps, .. } => {
                *reached = inputs.address;
                let mut all = self.nothing();
                for _ in 0..steps {
                    let one = self.read(*reached);
                    if let Some([share_0, share_1]) = one.results.last() {
                        *reached = [first_word(share_0), first_word(share_1)];
                    }
                    all.sent.extend(one.sent);
                    all.results.extend(one.results);
                }
                all
            }
        }
    }
}
