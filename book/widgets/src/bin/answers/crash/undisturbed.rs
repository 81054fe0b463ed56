//! The same operation by parties of the reference without disks, none of which ever fails.

use std::collections::{BTreeMap, VecDeque};

use duoram_reference::{Batch, Command, Frame, Parameters, Plain, Role, SessionId, paper};

use super::{N, Place};

/// What parties without disks say in the operation, by its place, and what they answer.
pub(super) struct Undisturbed {
    pub(super) said: BTreeMap<Place, Vec<u8>>,
    pub(super) answers: [String; 3],
}

/// `masks` hide the memory, and `hidden` the operation: of each primary what it hides its share with.
pub(super) fn undisturbed(
    memory: &[u64],
    masks: &[u64],
    hidden: [[u64; 2]; 2],
    address: u64,
    value: Option<u64>,
) -> Undisturbed {
    let parameters = Parameters::new(SessionId(*b"chapter seventee"), 2).expect("4 words");
    let mut parties = Role::ALL.map(|role| paper::lasting(role, parameters, [role.number() + 1; 32], Plain));
    let mut all = |command: &dyn Fn(usize) -> Command| -> Vec<(usize, usize, Vec<u8>)> {
        let mut queue = VecDeque::new();
        let mut said = Vec::new();
        let mut send = |queue: &mut VecDeque<_>, from: usize, frames: Vec<Frame>| {
            for Frame { to, bytes, .. } in frames {
                said.push((from, to.index(), bytes.to_vec()));
                queue.push_back((from, to.index(), bytes));
            }
        };
        for (me, party) in parties.iter_mut().enumerate() {
            send(&mut queue, me, party.begin(&command(me)).expect("all is ready"));
        }
        // A message waits for its turn.
        while let Some((from, to, bytes)) = queue.pop_front() {
            let lane = parties[to].lane(&bytes).expect("it is one of this protocol");
            if parties[to].awaits_in(lane) == Some(Role::ALL[from]) {
                send(&mut queue, to, parties[to].receive(Role::ALL[from], &bytes).expect("it is due"));
            } else {
                queue.push_back((from, to, bytes));
            }
        }
        said
    };
    let of = |me: usize, words: &[u64], masks: &[u64]| -> Vec<u64> {
        let own = |(word, mask): (&u64, &u64)| if me == 0 { word.wrapping_sub(*mask) } else { *mask };
        if me == 2 { vec![] } else { words.iter().zip(masks).map(own).collect() }
    };
    all(&|_| Command::Connect);
    all(&|_| Command::Preprocess(Batch { reads: N + 1, updates: 1 }));
    all(&|me| Command::Load(of(me, memory, masks).into()));
    let masked = |me: usize, words: &[u64]| of(me, words, &hidden[me.min(1)]);
    let frames = all(&|me| match value {
        None => Command::Read { count: 1, addresses: masked(me, &[address]).into() },
        Some(value) => Command::Update { count: 1, pairs: masked(me, &[address, value]).into() },
    });
    let mut said: BTreeMap<Place, Vec<u8>> = BTreeMap::new();
    for (from, to, bytes) in frames {
        let which = said.keys().filter(|(a, b, _)| (*a, *b) == (from, to)).count();
        said.insert((from, to, which), bytes);
    }
    let answer = |me: usize| match value {
        None if me < 2 => parties[me].results()[0].to_string(),
        _ => "done".to_owned(),
    };
    let answers = [answer(0), answer(1), answer(2)];
    Undisturbed { said, answers }
}

/// FNV-1a with 32 bits, its halves added without carry.
pub(super) fn fingerprint(bytes: &[u8]) -> String {
    let mut hash: u32 = 2_166_136_261;
    for byte in bytes {
        hash ^= u32::from(*byte);
        hash = hash.wrapping_mul(16_777_619);
    }
    format!("{:04x}", (hash >> 16) ^ (hash & 0xffff))
}
