//! Inputs made by hand: every variant of every target's input, at its edges. `regressions/` holds them and what fuzzing
//! found.

use duoram_fuzz::conversion;
use duoram_fuzz::hostile_peer::{self, Action};
use duoram_fuzz::operations::{self, Step};
use duoram_fuzz::pir_messages::{self, Change, Which};
use duoram_fuzz::primitives::{self, Level, Operation, lean};
use duoram_fuzz::wire::{self, Due, Role3};

use crate::Seed;
use crate::encode::encoded;

/// All of them.
pub(crate) fn all() -> Vec<Seed> {
    let mut seeds = Vec::new();
    let mut add = |target: &'static str, name: String, bytes: Vec<u8>| seeds.push((target, name, bytes));
    for (name, input) in primitives() {
        add("primitives", name, encoded(&input));
    }
    for (name, input) in conversion() {
        add("conversion", name, encoded(&input));
    }
    for (name, input) in operations() {
        add("operations", name.clone(), encoded(&input));
        add("lean_operations", name.clone(), encoded(&input));
        add("two_party_operations", name.clone(), encoded(&input));
        // One is enough of what takes so long.
        if input.computation == 0 {
            let other = operations::Input { computation: operations::OTHER, ..input };
            add("two_party_operations", format!("{name}-spiral"), encoded(&other));
        }
    }
    for (target, kinds) in [("wire", 13), ("lean_wire", 15), ("two_party_wire", 11)] {
        for (name, input) in wire(kinds) {
            add(target, name, encoded(&input));
        }
    }
    for (name, input) in points() {
        add("two_party_wire", name, encoded(&input));
    }
    for (name, input) in hostile_peer() {
        add("hostile_peer", name.clone(), encoded(&input));
        add("lean_hostile_peer", name.clone(), encoded(&input));
        // There is no P2.
        if input.role != Role3::P2 {
            add("two_party_hostile_peer", name, encoded(&input));
        }
    }
    for (name, input) in lean_primitives() {
        add("lean_primitives", name, encoded(&input));
    }
    for (name, input) in pir_messages() {
        add("pir_messages", name, encoded(&input));
    }
    for (name, bytes) in files() {
        add("files", name.to_owned(), bytes);
    }
    for (name, bytes) in envelopes() {
        add("envelopes", name, bytes);
    }
    seeds
}

/// Each operation below, at and above the width of a block of leaves (2^11) and of a register's first level (2^6).
fn primitives() -> Vec<(String, primitives::Input)> {
    let operations = [
        ("grow", Operation::Grow { trees: 1, stored: 4 }),
        ("leaf-sum", Operation::LeafSum),
        ("read", Operation::Read),
        ("unblinding", Operation::Unblinding),
        ("update", Operation::Update),
        ("update-blinds", Operation::UpdateBlinds),
    ];
    let mut inputs = Vec::new();
    for (name, operation) in operations {
        for (log_size, shift) in [(1, 1), (3, 5), (5, 31), (6, 33), (11, 2047), (12, 1)] {
            let input = primitives::Input {
                depth: log_size - 1,
                operation,
                queries: log_size % 3,
                party: log_size % 2 == 0,
                threads: log_size == 12,
                shift,
                address: shift,
                seed: u64::from(log_size),
                session_key: u128::MAX,
                root: 1 << 127 | 1,
                levels: vec![Level { word: u128::MAX, left_flag: true, right_flag: true }],
            };
            inputs.push((format!("{name}-{log_size}"), input));
        }
    }
    inputs
}

/// Each operation of each party, below, at and above the leaves of a node of values (2^3) and of flags (2^7), the words of a
/// register of flags, and a chunk of a scan (2^12); alone, and more queries than are scanned one by one.
fn lean_primitives() -> Vec<(String, lean::Input)> {
    let operations = [
        ("grow", lean::Operation::Grow { reads: 1, stored: 4 }),
        ("read", lean::Operation::Read),
        ("update", lean::Operation::Update),
    ];
    let mut inputs = Vec::new();
    for (name, operation) in operations {
        for (log_size, queries, shift) in
            [(1, 0, 1), (3, 2, 5), (4, 9, 9), (7, 1, 127), (8, 19, 200), (12, 0, 4095), (13, 1, 1)]
        {
            for role in [Role3::P0, Role3::P1, Role3::P2] {
                let input = lean::Input {
                    log_size: log_size - 1,
                    operation,
                    queries,
                    role,
                    threads: log_size == 13,
                    shift,
                    seed: u64::from(log_size),
                    session_key: u128::MAX,
                    root: 1 << 127 | 1,
                    flag_correction: u128::MAX,
                    levels: vec![Level { word: u128::MAX, left_flag: true, right_flag: true }],
                };
                inputs.push((format!("{name}-{log_size}-{role:?}"), input));
            }
        }
    }
    inputs
}

/// Each role, with and without a load and a WRITE, with all-zero and all-one randomness.
fn conversion() -> Vec<(String, conversion::Input)> {
    let mut inputs = Vec::new();
    for role in [Role3::P0, Role3::P1, Role3::P2] {
        for (name, log_size, reads, updates, load, write, word) in [
            ("nothing", 1, 0, 0, true, false, 0),
            ("reads", 2, 2, 0, false, false, u64::MAX),
            ("updates", 2, 0, 3, true, false, 0),
            ("write", 4, 2, 2, true, true, u64::MAX),
        ] {
            let tape = vec![word; 40];
            let input = conversion::Input {
                log_size: log_size - 1,
                role,
                computation: log_size,
                reads,
                updates,
                load,
                write,
                seed: u64::from(log_size),
                first_tape: tape.clone(),
                second_tape: tape,
            };
            inputs.push((format!("{name}-{role:?}"), input));
        }
    }
    inputs
}

/// Steps that are granted and steps that are refused; what is left of one batch is used before the next.
fn operations() -> Vec<(String, operations::Input)> {
    let two_batches = vec![
        Step::Reads(vec![1]),
        Step::Preprocess { reads: 3, updates: 2 },
        Step::Reads(vec![0, u64::MAX]),
        Step::Updates(vec![(u64::MAX, 1)]),
        Step::Preprocess { reads: 0, updates: 3 },
        Step::Write(3, u64::MAX),
        Step::Updates(vec![(0, 1), (0, u64::MAX), (1, 1 << 63)]),
        Step::Swap(0, 0),
        Step::Preprocess { reads: 0, updates: 0 },
        Step::Preprocess { reads: 3, updates: 0 },
        Step::Chase { address: 2, steps: 4 },
        Step::Updates(vec![]),
    ];
    let mut inputs = Vec::new();
    for log_size in [1, 6] {
        for computation in 0..4 {
            let load = computation % 2 == 0;
            let (seed, steps) = (u64::from(log_size), two_batches.clone());
            let input = operations::Input { log_size: log_size - 1, computation, load, seed, steps };
            inputs.push((format!("two-batches-{log_size}-{computation}"), input));
        }
    }
    inputs
}

/// Each kind with zeros and with ones, which some kinds take and others refuse; a byte too few, a byte too many; headers.
fn wire(kinds: u8) -> Vec<(String, wire::Input)> {
    let mut inputs = Vec::new();
    for kind in 1..=kinds {
        for (name, misfit, byte) in [("zeros", 0, 0), ("ones", 0, 0xff), ("short", -1, 0), ("long", 1, 0)] {
            let due = Due { kind: kind - 1, log_size: 2, count: 3, deltas: 1 };
            let input = wire::Input::Payload { from: Role3::P1, due, misfit, bytes: vec![byte; 400] };
            inputs.push((format!("{kind:02}-{name}"), input));
        }
    }
    let fields = |kind, length| wire::Input::Fields {
        link: Role3::P0,
        bytes: [kind, 0, 1, 0],
        round: u32::MAX,
        length,
        operation: u64::MAX,
        session: u128::MAX,
    };
    inputs.push(("header-largest".to_owned(), fields(1, 64 << 20)));
    inputs.push(("header-too-large".to_owned(), fields(kinds, (64 << 20) + 1)));
    inputs.push(("header-unknown-kind".to_owned(), fields(kinds + 1, 0)));
    inputs.push(("header-short".to_owned(), wire::Input::Header(Role3::P2, b"DUO\x01".to_vec())));
    inputs
}

/// Hellos with a point and base choices of points: the base point and what is next to it, the identity, p, and the largest number.
fn points() -> Vec<(String, wire::Input)> {
    let mut base = [
        0xe2, 0xf2, 0xae, 0x0a, 0x6a, 0xbc, 0x4e, 0x71, 0xa8, 0x84, 0xa9, 0x61, 0xc5, 0x00, 0x51, 0x5f, 0x58,
        0xe3, 0x0b, 0x6a, 0xa5, 0x82, 0xdd, 0x8d, 0xb6, 0xa6, 0x59, 0x45, 0xe0, 0x8d, 0x2d, 0x76,
    ];
    let mut points = vec![("base", base)];
    base[0] ^= 1;
    points.push(("negative", base));
    base[0] ^= 3;
    points.push(("next", base));
    let mut p = [0xff; 32];
    (p[0], p[31]) = (0xed, 0x7f);
    points.extend([("identity", [0; 32]), ("p", p), ("largest", [0xff; 32])]);
    let mut inputs = Vec::new();
    for (name, point) in points {
        let hello = [&[7; 16][..], &3_u64.to_le_bytes(), &point].concat();
        for (message, kind, bytes) in [("hello", 0, hello), ("choices", 1, point.to_vec())] {
            let due = Due { kind, log_size: 2, count: 0, deltas: 0 };
            let input = wire::Input::Payload { from: Role3::P0, due, misfit: 0, bytes };
            inputs.push((format!("{message}-{name}"), input));
        }
    }
    inputs
}

/// Each kind of attack on each role, at each message of each step.
fn hostile_peer() -> Vec<(String, hostile_peer::Input)> {
    let attacks = [
        ("damage-header", Action::Damage { at: 6, xor: 1 }),
        ("damage-payload", Action::Damage { at: 40, xor: 1 }),
        ("damage-later", Action::Damage { at: 56, xor: 1 }),
        ("short", Action::Resize { by: -1, announced: false }),
        ("long", Action::Resize { by: 8, announced: true }),
        ("reroute", Action::Reroute { link: Role3::P1, claimed: true }),
        ("replay", Action::Replay(0)),
        (
            "forge",
            Action::Forge {
                link: Role3::P0,
                kind: 10,
                round: 0,
                length: (64 << 20) - 1,
                bytes: 8,
                operation: 3,
            },
        ),
        ("raw", Action::Raw(Role3::P0, b"DUO\x01\x01".to_vec())),
        ("busy", Action::Read(1)),
        ("too-much", Action::PreprocessTooMuch(u64::MAX, 0)),
    ];
    let steps = [
        (Action::Connect, 2),
        (Action::Load(-1), 0),
        (Action::Load(0), 2),
        (Action::Preprocess(3, 3), 9),
        (Action::Read(1), 2),
        (Action::Update(1), 2),
        (Action::Write, 4),
        (Action::Swap, 4),
    ];
    let mut inputs = Vec::new();
    for (name, attack) in attacks {
        for role in [Role3::P0, Role3::P1, Role3::P2] {
            let mut actions = Vec::new();
            for (start, messages) in &steps {
                actions.push(start.clone());
                for _ in 0..*messages {
                    actions.extend([attack.clone(), Action::Deliver]);
                }
            }
            let input = hostile_peer::Input { role, log_size: 1, computation: role as u8, seed: 7, actions };
            inputs.push((format!("{name}-{role:?}"), input));
        }
    }
    inputs
}

/// Each message as it is, of each size, and with each change, numbers just below and at their moduli.
fn pir_messages() -> Vec<(String, pir_messages::Input)> {
    let changes = [
        ("honest", vec![]),
        ("byte", vec![Change::Byte { at: 100, xor: 1 }]),
        ("seed", vec![Change::Byte { at: 31, xor: 0x80 }]),
        ("greatest", vec![Change::Number { at: 0, above: -1 }, Change::Number { at: 4095, above: -1 }]),
        ("first-not-reduced", vec![Change::Number { at: 0, above: 0 }]),
        ("second-not-reduced", vec![Change::Number { at: 1, above: 0 }]),
        ("late-not-reduced", vec![Change::Number { at: u32::MAX, above: 0 }]),
        ("short", vec![Change::Resize(-1)]),
        ("long", vec![Change::Resize(1)]),
        ("raw", vec![Change::Raw(b"spiral".to_vec())]),
        ("nothing", vec![Change::Raw(vec![]), Change::Byte { at: 0, xor: 1 }]),
    ];
    let mut inputs = Vec::new();
    for (number, (name, changes)) in (0..).zip(changes) {
        for message in [Which::Setup, Which::Query, Which::Answer] {
            let (backend, seed, index) = (number + message as u8, number.into(), u64::MAX);
            for log_size in (0..4).filter(|log_size| name == "honest" || *log_size == number % 4) {
                let changes = changes.clone();
                let input = pir_messages::Input { backend, log_size, seed, index, message, changes };
                inputs.push((format!("{name}-{message:?}-{log_size}").to_lowercase(), input));
            }
        }
    }
    inputs
}

/// What a line may be, and what it may not.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let script = |text: &str| [b"\x09\x00", text.as_bytes()].concat();
    vec![
        ("all-operations", script("read 0x7 # seven\r\nupdate 1 -1\n\nwrite 2 0xff\nswap 4 -2\nchase 3 4\n")),
        ("address-edge", script("read 7\nread 8")),
        ("least-number", script("write 0 -9223372036854775808")),
        ("below-least", script("write 0 -9223372036854775809")),
        ("greatest-number", script("update 0 18446744073709551615")),
        ("above-greatest", script("update 0 18446744073709551616")),
        ("no-number", script("update 0 -")),
        ("plus", script("read +1")),
        ("too-many-fields", script("read 1 2")),
        ("unknown", script("peek 1")),
        ("most-items", script("chase 0 1048576")),
        ("too-many-items", script("chase 0 1048575\nwrite 0 0")),
        ("comment-only", script("# nothing")),
        ("other-digits", script("read \u{661}")),
        ("not-text", [&script("read 1\nread "), &b"\xff"[..]].concat()),
        ("one-word", vec![1; 8]),
        ("three-words", vec![2; 24]),
        ("part-of-a-word", vec![3; 23]),
        ("nothing", vec![]),
    ]
}

/// One message of each type, of an order each entry, and of a request each kind.
fn envelopes() -> Vec<(String, Vec<u8>)> {
    let client = b"\x02c1";
    let number = 7_u64.to_le_bytes();
    let who = |magic: &[u8]| [magic, &[2, 0, 2, 1], &[9; 16], &[20, 3, 0]].concat();
    let refusal = b"\x02\x10\x27\0\0expected 1, got 2";
    let work = |kind: u8, count: u64| [&[kind][..], &count.to_le_bytes()].concat();
    let order = |entry: &[u8]| [&number, entry].concat();
    let part = [&client[..], &number, &3_u64.to_le_bytes()].concat();
    let request = |kind, count, piece: u32, words: usize| {
        [&number[..], &work(kind, count), &[0; 4], &piece.to_le_bytes(), &vec![5; 8 * words]].concat()
    };
    let peer = [
        ("hello", 1, [&who(b"DUOH")[..], &number, &number, &number].concat()),
        ("frame", 2, [&[1][..], &number, &[3; 48]].concat()),
        ("acknowledged", 3, [&[0][..], &number].concat()),
        ("connect", 4, order(&[0])),
        ("preprocess", 4, order(&[1, 2, 0, 0, 0, 3, 0, 0, 0])),
        ("step", 4, order(&[&[2, 0, 2, 0, 0, 0][..], &part, &part].concat())),
        ("step-of-two-chases", 4, order(&[&[2, 4, 2, 0, 0, 0][..], &part, &part].concat())),
        ("refuse", 4, order(&[&[3][..], client, &number, refusal].concat())),
        ("discard", 4, order(&[4])),
        ("ordered", 5, number.to_vec()),
        ("holds", 6, [&client[..], &number, &work(5, 1 << 20)].concat()),
        ("holds-what-is-not-allowed", 6, [&client[..], &number, &work(2, 0)].concat()),
        ("heartbeat", 7, vec![]),
        ("goodbye", 8, "f\u{fc}r heute".as_bytes().to_vec()),
        ("goodbye-control", 8, b"a\nb".to_vec()),
    ];
    let to_party = [
        ("begin", 32, number.to_vec()),
        ("read", 33, request(0, 3, 0, 3)),
        ("update", 33, request(1, 2, 0, 4)),
        ("update-of-rows", 33, request(1, 2, 0, 8)),
        ("update-of-half-a-row", 33, request(1, 2, 0, 7)),
        ("write", 33, request(2, 1, 0, 2)),
        ("swap", 33, request(3, 1, 0, 2)),
        ("chase", 33, request(4, 4096, 0, 1)),
        ("load-last-piece", 33, request(5, (1 << 16) + 2, 1, 2)),
        ("load-no-piece", 33, request(5, 1 << 16, 1, 1)),
        ("acknowledge", 34, number.to_vec()),
        ("status", 35, vec![]),
    ];
    let to_client = [
        ("welcome", 64, [&who(b"DUOW")[..], &number, &[7, 0, 1]].concat()),
        ("accepted", 65, number.to_vec()),
        ("done", 66, [&number[..], &[0], &[6; 24]].concat()),
        ("refused", 66, [&number[..], &[1], refusal].concat()),
        ("report", 67, b"{}".to_vec()),
    ];
    let mut all = Vec::new();
    for (direction, messages) in [(0, &peer[..]), (1, &to_party), (2, &to_client)] {
        for (name, kind, body) in messages {
            all.push(((*name).to_owned(), [&[direction, *kind][..], body].concat()));
        }
    }
    all
}
