//! A memory that is loaded passes through worker 0 piece by piece: it needs room for its own range only.

use duoram_kernel::{Backend, Features, Workers};
use duoram_reference::engine::together::step;
use duoram_reference::{Command, Lasting, Parameters, Role, SessionId, Word, lean};
use duoram_runtime::fast::Fast;
use duoram_shards::{Cut, Sharded};
use duoram_watching::longest_block;
use zeroize::Zeroizing;

/// A range is longer than a message.
const LOG_SIZE: u32 = 20;
/// In bytes.
const VECTOR: usize = size_of::<Word>() << LOG_SIZE;
/// Words of a share that a primary is given at a time.
const PIECE: usize = 40_000;

fn party(role: Role, workers: usize) -> Box<dyn Lasting> {
    let parameters = Parameters::new(SessionId(*b"for one's range."), LOG_SIZE).unwrap();
    let fast = Fast::new(Backend::best(&Features::detect()), Workers::one(), 0);
    let sharded = Sharded::in_threads(&fast, &Cut::even(workers), None).unwrap();
    lean::lasting(role, parameters, [u8::try_from(role.index()).unwrap(); 32], sharded)
}

/// Three parties are loaded; the longest block that anybody took for it.
fn longest_of_a_load(workers: usize) -> usize {
    let mut parties = Role::ALL.map(|role| party(role, workers));
    step(&mut parties, |_| Some(Command::Connect)).unwrap();
    longest_block(|| {
        for from in (0..1 << LOG_SIZE).step_by(PIECE) {
            let to = (from + PIECE).min(1 << LOG_SIZE);
            let command = |role| match role {
                Role::P2 => (from == 0).then(|| Command::Load(Zeroizing::default())),
                _ => Some(Command::Load(Zeroizing::new((from as Word..to as Word).collect()))),
            };
            step(&mut parties, command).unwrap();
        }
        assert!(parties.iter().all(|party| party.awaits().is_none()));
    })
}

#[test]
fn nobody_has_room_for_more_than_a_range() {
    let workers = 5;
    // Ranges are kept in whole units of 128 words.
    let range = VECTOR / workers + 2 * 128 * size_of::<Word>();
    let longest = longest_of_a_load(workers);
    assert!(longest <= range, "expected at most {range} bytes, got {longest}");
    // One worker's range is the memory, and is seen.
    assert!(longest_of_a_load(1) >= VECTOR);
}
