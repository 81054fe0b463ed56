//! Parties with workers that keep their ranges: saved, ended and restored after each step, they say what parties say that have none.

use duoram_reference::engine::together::step;
use duoram_reference::{
    Batch, Command, Lane, Lasting, Parameters, Plain, Role, SessionId, Word, lean, paper,
};
use zeroize::Zeroizing;

use crate::aside::{SHARES, some_words, workers};
use crate::fast;

type Make<'a> = &'a dyn Fn(Role) -> Box<dyn Lasting>;

/// After each step all parties are saved, end, and are restored with workers that are new: they say what parties say that have none.
fn a_session_says_the_same(divided: Make<'_>, plain: Make<'_>, log_size: u32) {
    let operands = |role: Role, words: &[Word]| {
        let share = |word: &Word| word.wrapping_add(role.index() as u64);
        Zeroizing::new(if role == Role::P2 { Vec::new() } else { words.iter().map(share).collect() })
    };
    let memory = some_words(9, log_size).remove(0);
    let commands: [&dyn Fn(Role) -> Command; 8] = [
        &|_| Command::Connect,
        &|role| Command::Load(operands(role, &memory)),
        &|_| Command::Preprocess(Batch { reads: 6, updates: 4 }),
        &|role| Command::Read { count: 2, addresses: operands(role, &[1, 5]) },
        &|role| Command::Update { count: 1, pairs: operands(role, &[1, 9]) },
        &|role| Command::Write(operands(role, &[3, 4])),
        &|role| Command::Swap(operands(role, &[3, 6])),
        &|role| Command::Read { count: 1, addresses: operands(role, &[3]) },
    ];
    let [mut parties, mut plain] = [divided, plain].map(|make| Role::ALL.map(make));
    for (number, command) in commands.into_iter().enumerate() {
        let [said, plain_said] =
            [&mut parties, &mut plain].map(|parties| step(parties, |role| Some(command(role))).unwrap());
        assert!(said == plain_said, "step {number}: other frames");
        let saved = parties.each_ref().map(|party| Lane::ALL.map(|lane| party.save(lane).unwrap()));
        // No vector is in there.
        assert!(saved.iter().all(|[memory, _]| memory.len() < 8 << log_size), "step {number}");
        drop(parties);
        parties = Role::ALL.map(|role| {
            let mut party = divided(role);
            for lane in Lane::ALL {
                party.restore(lane, &saved[role.index()][usize::from(lane.number())]).unwrap();
            }
            party
        });
        for (party, plain) in parties.iter().zip(&plain) {
            assert_eq!(party.results(), plain.results(), "step {number}");
        }
    }
}

#[test]
fn parties_are_saved_and_restored_with_the_ranges_of_their_workers() {
    let log_size = 13;
    let parameters = Parameters::new(SessionId(*b"of those divided"), log_size).unwrap();
    let seed = |role: Role| [u8::try_from(role.index()).unwrap(); 32];
    let folder = tempfile::tempdir().unwrap();
    let divided = |name: &str, role: Role| workers(&folder.path().join(format!("{name}{role}")), &SHARES);
    a_session_says_the_same(
        &|role| paper::lasting(role, parameters, seed(role), divided("paper", role)),
        &|role| paper::lasting(role, parameters, seed(role), Plain),
        log_size,
    );
    a_session_says_the_same(
        &|role| lean::lasting(role, parameters, seed(role), divided("lean", role)),
        &|role| lean::lasting(role, parameters, seed(role), lean::Plain),
        log_size,
    );
}

/// A memory that workers have put aside is refused, in words, by a party that has none.
#[test]
fn a_party_without_workers_refuses_what_they_have() {
    let folder = tempfile::tempdir().unwrap();
    let parameters = Parameters::new(SessionId(*b"of those divided"), 5).unwrap();
    let party = paper::lasting(Role::P0, parameters, [1; 32], workers(folder.path(), &SHARES));
    let saved = party.save(Lane::Memory).unwrap();
    let mut alone = paper::lasting(Role::P0, parameters, [1; 32], fast(1));
    let refused = alone.restore(Lane::Memory, &saved).unwrap_err().to_string();
    let expected = "expected the vectors of the memory, got the name of one that workers have put aside";
    assert!(refused.contains(expected), "{refused}");
}
