//! Parties that compute by the kernels are saved and restored after every step, and say what plain ones say.

use duoram_kernel::{Backend, Features, Workers};
use duoram_reference::engine::together::step;
use duoram_reference::{
    Batch, Bound, Command, Error, Lane, Lasting, Parameters, Plain, Role, SavedError, SessionId, Word, lean,
    paper,
};
use duoram_runtime::fast::Fast;
use zeroize::Zeroizing;

const SEEDS: [[u8; 32]; 3] = [[1; 32], [2; 32], [3; 32]];

fn parameters(log_size: u32) -> Parameters {
    Parameters::new(SessionId(*b"of lasting ones."), log_size).unwrap()
}

type Parties = [Box<dyn Lasting>; 3];
type Make<'a> = &'a dyn Fn(Role, [u8; 32]) -> Box<dyn Lasting>;

/// Of each role, how each of its lanes is saved, memory first.
fn saved(parties: &Parties) -> [[Zeroizing<Vec<u8>>; 2]; 3] {
    parties.each_ref().map(|party| Lane::ALL.map(|lane| party.save(lane).unwrap()))
}

/// Goes through all kinds of steps; `alike`: whether both implementations keep a memory in the same vectors.
fn compare(make: Make<'_>, make_plain: Make<'_>, log_size: u32, alike: bool) {
    let [mut parties, mut plain] =
        [make, make_plain].map(|make| Role::ALL.map(|role| make(role, SEEDS[role.index()])));
    let operands = |role: Role, words: &[Word]| {
        Zeroizing::new(if role == Role::P2 {
            Vec::new()
        } else {
            words.iter().map(|w| w + role.index() as u64).collect()
        })
    };
    let memory: Vec<Word> =
        (0..1_u64 << log_size).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 1).collect();
    let commands: [&dyn Fn(Role) -> Command; 9] = [
        &|_| Command::Connect,
        &|role| Command::Load(operands(role, &memory)),
        &|_| Command::Preprocess(Batch { reads: 4, updates: 4 }),
        &|role| Command::Read { count: 2, addresses: operands(role, &[1, 5]) },
        &|role| Command::Update { count: 1, pairs: operands(role, &[1, 9]) },
        &|role| Command::Write(operands(role, &[3, 4])),
        &|_| Command::Preprocess(Batch { reads: 1, updates: 1 }),
        &|role| Command::Swap(operands(role, &[3, 6])),
        &|_| Command::Follow,
    ];
    for command in commands {
        let [said, plain_said] =
            [&mut parties, &mut plain].map(|parties| step(parties, |role| Some(command(role))).unwrap());
        assert!(said == plain_said, "other frames");
        let before = saved(&parties);
        assert_eq!(before == saved(&plain), alike, "one layout");
        parties = Role::ALL.map(|role| {
            let mut party = make(role, [9; 32]);
            for lane in Lane::ALL {
                party.restore(lane, &before[role.index()][usize::from(lane.number())]).unwrap();
            }
            party
        });
        assert!(saved(&parties) == before, "restored as something else");
        for (party, plain) in parties.iter().zip(&plain) {
            assert_eq!(party.results(), plain.results());
        }
    }
}

#[test]
fn parties_of_every_backend_are_saved_and_restored() {
    for backend in Backend::available(&Features::detect()) {
        let fast = Fast::new(backend, Workers::new(1).unwrap(), 1 << 20);
        for log_size in [3, 8, 11] {
            let parameters = parameters(log_size);
            compare(
                &|role, seed| paper::lasting(role, parameters, seed, fast.clone()),
                &|role, seed| paper::lasting(role, parameters, seed, Plain),
                log_size,
                // The kernels keep C and zeta, not the paper's three vectors.
                false,
            );
            compare(
                &|role, seed| lean::lasting(role, parameters, seed, fast.clone()),
                &|role, seed| lean::lasting(role, parameters, seed, lean::Plain),
                log_size,
                true,
            );
        }
    }
}

/// What one implementation has saved in two vectors, another does not take for its three.
#[test]
fn a_memory_in_other_vectors_is_refused() {
    let backend = Backend::available(&Features::detect()).remove(0);
    let fast = Fast::new(backend, Workers::new(1).unwrap(), 1 << 20);
    let fast = paper::lasting(Role::P0, parameters(3), SEEDS[0], fast);
    let mut plain = paper::lasting(Role::P0, parameters(3), SEEDS[0], Plain);
    let error = SavedError::Content { what: "the number of vectors", expected: Bound::Is(3), got: 2 };
    let refused = plain.restore(Lane::Memory, &fast.save(Lane::Memory).unwrap());
    assert_eq!(refused, Err(Error::Saved(error)));
}
