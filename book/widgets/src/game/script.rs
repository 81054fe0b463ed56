//! What is run in a round: one of two scripts, of which the player knows both.

use duoram_vectors::Random;

/// The depth of the trees: a memory of 8 words.
pub(crate) const LOG_SIZE: usize = 3;
/// Words of the memory.
pub(crate) const N: usize = 1 << LOG_SIZE;

/// One of the two scripts of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    A,
    B,
}

impl Side {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Side::A => "A",
            Side::B => "B",
        }
    }
}

/// An operation, with its secrets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operation {
    /// Of an address.
    Read(u64),
    /// Adds a value at an address.
    Update { address: u64, value: Addend },
}

/// What is known of the value of an UPDATE to whoever writes the script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Addend {
    /// The value; its shares are drawn.
    Value(u64),
    /// P1's share of it; P0's is drawn.
    ShareOfP1(u64),
}

/// A memory, and what is done with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Script {
    pub(crate) memory: Vec<u64>,
    pub(crate) operations: Vec<Operation>,
}

impl Script {
    pub(crate) fn reads(&self) -> usize {
        self.operations.iter().filter(|operation| matches!(operation, Operation::Read(_))).count()
    }

    pub(crate) fn updates(&self) -> usize {
        self.operations.len() - self.reads()
    }

    /// As the player reads it; `place` is the address at which the memories of the two scripts differ, if they do.
    pub(crate) fn text(&self, place: Option<usize>) -> String {
        let loaded = place.map(|place| format!("the word at {place} is {}", self.memory[place]));
        let done = self.operations.iter().map(|operation| match operation {
            Operation::Read(address) => format!("READ {address}"),
            Operation::Update { address, value: Addend::ShareOfP1(share) } => {
                format!("UPDATE {address} by a value of which P1’s share is {share}")
            }
            Operation::Update { address, value: Addend::Value(value) } => {
                format!("UPDATE {address} by {value}")
            }
        });
        loaded.into_iter().chain(done).collect::<Vec<_>>().join(", then ")
    }
}

/// In what the two scripts of a round differ. The address of B is that of A and a distance more, mod n.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scenario {
    /// A READ of one address or of another.
    Read,
    /// The same, at an even distance.
    ReadEven,
    /// Two READs of one address or of another, at an odd distance.
    ReadTwice,
    /// Two READs, of one address or of two.
    Repeat,
    /// An UPDATE by one value or by another, of which one is even and the other odd.
    Value,
    /// An UPDATE in which P1's share of the value is one word or another.
    Share,
    /// A word of the memory is one or another, and nothing is done.
    Memory,
}

impl Scenario {
    /// Draws both scripts: the memory, then an address, a distance, and what else the scenario has.
    pub(crate) fn draw(self, random: &mut Random) -> [Script; 2] {
        let n = N as u64;
        let memory: Vec<u64> = (0..n).map(|_| random.below(100)).collect();
        let a = random.below(n);
        let distance = match self {
            Scenario::ReadTwice => 1 + 2 * random.below(n / 2),
            Scenario::ReadEven => 2 + 2 * random.below(n / 2 - 1),
            _ => 1 + random.below(n - 1),
        };
        let b = (a + distance) % n;
        let script = |operations: Vec<Operation>| Script { memory: memory.clone(), operations };
        let reads =
            |addresses: &[u64]| script(addresses.iter().map(|address| Operation::Read(*address)).collect());
        let one = random.below(100);
        let other = (one + 1 + 2 * random.below(49)) % 100;
        let update = |value| script(vec![Operation::Update { address: a, value }]);
        match self {
            Scenario::Read | Scenario::ReadEven => [reads(&[a]), reads(&[b])],
            Scenario::ReadTwice => [reads(&[a, a]), reads(&[b, b])],
            Scenario::Repeat => [reads(&[a, a]), reads(&[a, b])],
            Scenario::Value => [one, other].map(|value| update(Addend::Value(value))),
            Scenario::Share => [one, other].map(|share| update(Addend::ShareOfP1(share))),
            Scenario::Memory => {
                let place = usize::try_from(a).unwrap_or(0);
                [one, other].map(|word| {
                    let mut memory = memory.clone();
                    memory[place] = word;
                    Script { memory, operations: vec![] }
                })
            }
        }
    }
}

/// The address at which two scripts' memories differ.
pub(crate) fn differing(scripts: &[Script; 2]) -> Option<usize> {
    (0..N).find(|place| scripts[0].memory[*place] != scripts[1].memory[*place])
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Scenario; 7] = [
        Scenario::Read,
        Scenario::ReadEven,
        Scenario::ReadTwice,
        Scenario::Repeat,
        Scenario::Value,
        Scenario::Share,
        Scenario::Memory,
    ];

    /// Else a player could win, or no player could, whatever is sent.
    #[test]
    fn the_two_scripts_differ_in_what_they_should_and_have_equally_many_operations() {
        for (scenario, seed) in ALL.iter().flat_map(|scenario| (0..200).map(move |seed| (*scenario, seed))) {
            let [a, b] = scenario.draw(&mut Random(seed));
            assert_ne!(a, b, "{scenario:?}");
            assert_eq!((a.reads(), a.updates()), (b.reads(), b.updates()), "{scenario:?}");
            assert_eq!(a.memory == b.memory, scenario != Scenario::Memory, "{scenario:?}");
            let place = differing(&[a.clone(), b.clone()]);
            assert_ne!(a.text(place), b.text(place), "the player could not tell the scripts apart");
        }
    }
}
