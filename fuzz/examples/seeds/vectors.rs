//! Seeds from the specification's test vectors and the bundled samples.

use std::error::Error;
use std::fs;
use std::path::Path;

use duoram_fuzz::conversion;
use duoram_fuzz::hostile_peer::model::Played;
use duoram_fuzz::hostile_peer::{self, Action};
use duoram_fuzz::operations::{self, Step};
use duoram_fuzz::primitives::lean;
use duoram_fuzz::primitives::{self, Level, Operation};
use duoram_fuzz::wire::{self, Due, Role3};
use duoram_reference::lean::Lean;
use duoram_reference::two_party::TwoParty;
use duoram_reference::{Block, Paper, PartyStream, Word};
use duoram_runtime::protocol::Rules;
use duoram_spec::paper::tape::triple_words;
use serde_json::Value;

use crate::Seed;
use crate::encode::encoded;

const ROLES: [Role3; 3] = [Role3::P0, Role3::P1, Role3::P2];

/// All of them.
pub(crate) fn all(vectors: &Path, samples: &Path) -> Result<Vec<Seed>, Box<dyn Error>> {
    let read = |name: &str| -> Result<Vec<Value>, Box<dyn Error>> {
        let file: Value = serde_json::from_str(&fs::read_to_string(vectors.join(name))?)?;
        Ok(file["vectors"].as_array().ok_or("no vectors")?.clone())
    };
    let (aes, prg, dpf) = (read("aes.json")?, read("prg.json")?, read("dpf.json")?);
    let (generations, sessions) = (read("distributed_generation.json")?, read("session.json")?);
    let mut seeds = Vec::new();
    let mut add = |target: &'static str, made: Vec<Vec<u8>>| {
        seeds
            .extend(made.into_iter().enumerate().map(|(i, bytes)| (target, format!("vector-{i:03}"), bytes)));
    };
    let mut trees: Vec<_> = aes.iter().map(|v| node(&v["input"]["key"], &v["input"]["plain"])).collect();
    trees.extend(prg.iter().map(|v| node(&v["input"]["session_key"], &v["input"]["label"])));
    trees.extend(dpf.iter().enumerate().flat_map(|(i, v)| keys(i, v)));
    trees.extend(deep());
    add("primitives", trees.iter().map(encoded).collect());
    let mut items: Vec<_> = generations.iter().flat_map(generation).collect();
    items.extend(sessions.iter().flat_map(batch));
    add("conversion", items.iter().map(encoded).collect());
    add("operations", sessions.iter().enumerate().map(|(i, v)| encoded(&steps::<Paper>(i, v))).collect());
    add("wire", sessions.iter().flat_map(|v| messages(v, due)).map(|input| encoded(&input)).collect());
    let scenes = sessions.iter().flat_map(|v| ROLES.map(|role| encoded(&scene::<Paper>(role, v))));
    add("hostile_peer", scenes.collect());
    let (layers, sessions) = (read("lean_layers.json")?, read("lean_session.json")?);
    add("lean_primitives", layers.iter().flat_map(node_with_layers).map(|input| encoded(&input)).collect());
    let operations = sessions.iter().enumerate().map(|(i, v)| encoded(&steps::<Lean>(i, v)));
    add("lean_operations", operations.collect());
    add(
        "lean_wire",
        sessions.iter().flat_map(|v| messages(v, lean_due)).map(|input| encoded(&input)).collect(),
    );
    let scenes = sessions.iter().flat_map(|v| ROLES.map(|role| encoded(&scene::<Lean>(role, v))));
    add("lean_hostile_peer", scenes.collect());
    let sessions = read("two_party_session.json")?;
    let operations = sessions.iter().enumerate().map(|(i, v)| encoded(&steps::<TwoParty>(i, v)));
    add("two_party_operations", operations.collect());
    let messages = sessions.iter().flat_map(|v| messages(v, two_party_due));
    add("two_party_wire", messages.map(|input| encoded(&input)).collect());
    let scenes =
        sessions.iter().flat_map(|v| [Role3::P0, Role3::P1].map(|role| encoded(&scene::<TwoParty>(role, v))));
    add("two_party_hostile_peer", scenes.collect());
    let script = fs::read(samples.join("sample.ops"))?;
    let memory = fs::read(samples.join("ring.bin"))?;
    let lines = script.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let mut files: Vec<Vec<u8>> = lines.map(|line| [b"\xe9\x03", line].concat()).collect();
    files.push([b"\xe9\x03", &script[..]].concat());
    files.push(memory[..64].to_vec());
    add("files", files);
    Ok(seeds)
}

fn hex(value: &Value) -> Vec<u8> {
    let digits = value.as_str().expect("hexadecimal digits").as_bytes();
    let digit = |digit: u8| char::from(digit).to_digit(16).expect("a hexadecimal digit");
    let byte = |pair: &[u8]| u8::try_from(16 * digit(pair[0]) + digit(pair[1])).expect("below 256");
    digits.chunks_exact(2).map(byte).collect()
}

fn blocks(value: &Value) -> Vec<Block> {
    hex(value).as_chunks().0.iter().map(|bytes| Block::from_le_bytes(*bytes)).collect()
}

fn words(value: &Value) -> Vec<Word> {
    hex(value).as_chunks().0.iter().map(|bytes| Word::from_le_bytes(*bytes)).collect()
}

fn bits(value: &Value) -> Vec<bool> {
    value.as_str().expect("bits").bytes().map(|bit| bit == b'1').collect()
}

fn number(value: &Value) -> u8 {
    value.as_u64().and_then(|number| number.try_into().ok()).expect("a small number")
}

/// A tree of two leaves.
fn node(key: &Value, root: &Value) -> primitives::Input {
    primitives::Input {
        depth: 0,
        operation: Operation::Grow { trees: 0, stored: 0 },
        queries: 0,
        party: false,
        threads: false,
        shift: 0,
        address: 0,
        seed: 0,
        session_key: blocks(key)[0],
        root: blocks(root)[0],
        levels: vec![],
    }
}

/// Both keys of a DPF, each with an operation.
fn keys(number: usize, vector: &Value) -> [primitives::Input; 2] {
    let operations = [
        Operation::Read,
        Operation::Unblinding,
        Operation::Update,
        Operation::UpdateBlinds,
        Operation::Grow { trees: 2, stored: 3 },
        Operation::LeafSum,
    ];
    ["p0", "p1"].map(|party| {
        let key = &vector["output"][party]["key"];
        let flags = bits(&key["left_flags"]).into_iter().zip(bits(&key["right_flags"]));
        let words = blocks(&key["words"]).into_iter();
        let levels: Vec<Level> = words
            .zip(flags)
            .map(|(word, (left_flag, right_flag))| Level { word, left_flag, right_flag })
            .collect();
        let target = vector["input"]["target"].as_u64().expect("a target");
        primitives::Input {
            depth: u8::try_from(levels.len() - 1).expect("short"),
            operation: operations[(2 * number + usize::from(party == "p1")) % operations.len()],
            queries: u8::try_from(number % 3).expect("small"),
            party: party == "p1",
            shift: target,
            address: target,
            seed: number as u64,
            levels,
            ..node(&vector["input"]["session_key"], &key["root"])
        }
    })
}

/// Trees of more than one block, by several threads: no vector is that large.
fn deep() -> Vec<primitives::Input> {
    let operations =
        [Operation::Read, Operation::Update, Operation::Grow { trees: 1, stored: 5 }, Operation::LeafSum];
    let input = |(number, operation): (u8, Operation)| primitives::Input {
        depth: 11 + number % 2,
        operation,
        queries: 0,
        party: false,
        threads: true,
        shift: 1 << 11,
        address: 0,
        seed: 1,
        session_key: 1,
        root: 2,
        levels: vec![],
    };
    (0..).zip(operations).map(input).collect()
}

/// P0 and P2, and P1 and P2, as a vector of App. C has them.
fn generation(vector: &Value) -> [conversion::Input; 2] {
    let input = &vector["input"];
    let primary = |party: &str| {
        let bits = bits(&input[party]["target_bits"]);
        let index = bits.iter().fold(0, |index: Word, bit| 2 * index + Word::from(*bit));
        // Contribution, share of ri, root of DPF 1.
        [vec![1, 2, index], words(&input[party]["root"])].concat()
    };
    let triples = |party: &str| (bits(&input[party]["triples"]["x"]), words(&input[party]["triples"]["y"]));
    let ((x_0, y_0), (x_1, y_1)) = (triples("p0"), triples("p1"));
    let mut dealt = vec![3, 4];
    for level in 0..x_0.len() {
        dealt.push(Word::from(x_0[level]) + 2 * Word::from(x_1[level]));
        dealt.extend([&y_0[2 * level..2 * level + 2], &y_1[2 * level..2 * level + 2], &[5, 6]].concat());
    }
    let common = |role, first_tape| conversion::Input {
        log_size: number(&input["log_size"]) - 1,
        role,
        computation: 0,
        reads: 1,
        updates: 0,
        load: false,
        write: false,
        seed: 0,
        first_tape,
        second_tape: dealt.clone(),
    };
    [common(Role3::P1, primary("p0")), common(Role3::P0, primary("p1"))]
}

/// The first batch of a session, as each of the three parties sees it.
fn batch(vector: &Value) -> [conversion::Input; 3] {
    let input = &vector["input"];
    let log_size = number(&input["log_size"]);
    let steps = input["steps"].as_array().expect("steps");
    let batch = steps.iter().find(|step| step["step"] == "preprocess").expect("a batch");
    let tape = |role: Role3| {
        let mut stream = PartyStream::new(
            hex(&input[["seed_0", "seed_1", "seed_2"][role as usize]]).try_into().expect("32 bytes"),
        );
        let item = if role as usize == 2 { 3 * triple_words(log_size.into()) + 1 } else { 12 };
        (0..2 + (1 << log_size) + item).map(|_| stream.word()).collect::<Vec<_>>()
    };
    ROLES.map(|role| {
        let mut others = ROLES.into_iter().filter(|other| *other != role).map(tape);
        conversion::Input {
            log_size: log_size - 1,
            role,
            computation: 1,
            reads: number(&batch["reads"]).min(2),
            updates: number(&batch["updates"]).min(3),
            load: steps[1]["step"] == "load",
            write: steps.iter().any(|step| step["step"] == "write"),
            seed: 1,
            first_tape: others.next().expect("two others"),
            second_tape: others.next().expect("two others"),
        }
    })
}

/// The opened addresses and values of a step.
fn opened<P: Rules>(step: &Value, name: &str) -> Vec<Word> {
    let share = |b: &str| words(&step[format!("{name}_{b}")]);
    share("0").into_iter().zip(share("1")).map(|(a, b)| P::open([a, b])).collect()
}

/// The steps of a session, in the clear. READs that follow are at the results of the step before.
fn steps<P: Rules>(computation: usize, vector: &Value) -> operations::Input {
    let steps = vector["input"]["steps"].as_array().expect("steps");
    let outputs = vector["output"]["steps"].as_array().expect("steps");
    let operation = |(place, step): (usize, &Value)| {
        let opened = |name| opened::<P>(step, name);
        let pairs = || -> Vec<_> { opened("addresses").into_iter().zip(opened("values")).collect() };
        match step["step"].as_str().expect("a name") {
            "preprocess" => {
                Some(Step::Preprocess { reads: number(&step["reads"]), updates: number(&step["updates"]) })
            }
            "read" => Some(Step::Reads(opened("addresses"))),
            "follow" => Some(Step::Reads(self::opened::<P>(&outputs[place - 1], "results"))),
            "update" => Some(Step::Updates(pairs())),
            "write" => pairs().first().map(|&(address, value)| Step::Write(address, value)),
            "swap" => pairs().first().map(|&(address, value)| Step::Swap(address, value)),
            _ => None,
        }
    };
    operations::Input {
        log_size: number(&vector["input"]["log_size"]) - 1,
        computation: u8::try_from(computation).expect("small"),
        load: steps[1]["step"] == "load",
        seed: 1,
        steps: steps.iter().enumerate().filter_map(operation).collect(),
    }
}

/// A message: its kind, its sender, the numbers of READ and of UPDATE items of its step, h, and the length of its payload.
struct Sent {
    kind: u8,
    from: u8,
    items: [u64; 2],
    log_size: u64,
    length: u64,
}

/// The numbers of the shape of a message of the paper's protocol: count and deltas.
fn due(sent: &Sent) -> [u64; 2] {
    let [reads, updates] = sent.items;
    let items = reads + updates;
    match sent.kind {
        4..=6 | 8 => [3 * items, 0],
        7 => [3 * items, if sent.from == 0 { updates } else { 0 }],
        9 => [items, 0],
        12 => [sent.length / 32, 0],
        13 => [sent.length / 24, 0],
        _ => [sent.length / 8, 0],
    }
}

/// The same of the lean protocol.
fn lean_due(sent: &Sent) -> [u64; 2] {
    let address = sent.log_size.div_ceil(8);
    match sent.kind {
        4 | 5 | 8..=11 => sent.items,
        // A block and three bits each.
        6 => [(8 * sent.length) / 131, 0],
        7 => [sent.length / 16, 0],
        12 => [sent.length / address, 0],
        14 => [sent.length / (address + 8), 0],
        _ => [sent.length / 8, 0],
    }
}

/// The same of the two-party protocol, with the plain PIR. A hello lacks what the specification does not have.
fn two_party_due(sent: &Sent) -> [u64; 2] {
    match sent.kind {
        // A block and three bits each.
        6 => [(8 * sent.length) / 131, 0],
        7 | 11 => [sent.length / 16, 0],
        10 => [sent.length / 4, 4],
        _ => [sent.length / 8, 0],
    }
}

/// The messages of a session: headers and payloads.
fn messages(vector: &Value, due: fn(&Sent) -> [u64; 2]) -> Vec<wire::Input> {
    let log_size = number(&vector["input"]["log_size"]);
    let (inputs, outputs) = (&vector["input"]["steps"], &vector["output"]["steps"]);
    let steps = inputs.as_array().expect("steps").iter().zip(outputs.as_array().expect("steps"));
    let mut made = Vec::new();
    for (step, sent) in steps {
        let items = ["reads", "updates"].map(|name| step[name].as_u64().unwrap_or(0));
        for message in sent["sent"].as_array().expect("messages") {
            let payload = hex(&message["payload"]);
            let (kind, from) = (number(&message["kind"]), number(&message["from"]));
            let (log_size_of, length) = (log_size.into(), payload.len() as u64);
            let [count, deltas] = due(&Sent { kind, from, items, log_size: log_size_of, length });
            let small = |number: u64| u8::try_from(number).expect("small");
            made.push(wire::Input::Fields {
                link: ROLES[usize::from(from)],
                bytes: [kind, from, number(&message["to"]), 0],
                round: number(&message["round"]).into(),
                length: u32::try_from(payload.len()).expect("short"),
                operation: number(&message["operation"]).into(),
                session: 1,
            });
            made.push(wire::Input::Payload {
                from: ROLES[usize::from(from)],
                due: Due {
                    kind: kind - 1,
                    log_size: log_size - 1,
                    count: small(count),
                    deltas: small(deltas),
                },
                misfit: 0,
                bytes: payload,
            });
        }
    }
    made
}

/// A node's label and layers, as the root of an item that is made, read and updated by each party.
fn node_with_layers(vector: &Value) -> Vec<lean::Input> {
    let input = &vector["input"];
    let log_size = number(&input["log_size"]);
    let operations =
        [lean::Operation::Grow { reads: 1, stored: 3 }, lean::Operation::Read, lean::Operation::Update];
    let input = |operation, role| lean::Input {
        log_size: log_size - 1,
        operation,
        queries: 1,
        role,
        threads: false,
        shift: 1,
        seed: log_size.into(),
        session_key: blocks(&input["session_key"])[0],
        root: blocks(&input["label"])[0],
        flag_correction: blocks(&input["flag_correction"])[0],
        levels: Vec::new(),
    };
    operations.into_iter().flat_map(|operation| ROLES.map(|role| input(operation, role))).collect()
}

/// An undisturbed session, as a party sees it.
fn scene<P: Played>(role: Role3, vector: &Value) -> hostile_peer::Input {
    let start = |(step, output): (&Value, &Value)| {
        let words = |shares: &Value| shares.as_str().map_or(0, |digits| digits.len() / 16);
        let queries = u8::try_from(words(&step["addresses_0"])).expect("few");
        match step["step"].as_str().expect("a name") {
            "connect" => Action::Connect,
            "load" => Action::Load(0),
            "preprocess" => Action::Preprocess(number(&step["reads"]), number(&step["updates"])),
            "read" => Action::Read(queries),
            "follow" => Action::Read(u8::try_from(words(&output["results_0"])).expect("few")),
            "update" => Action::Update(queries),
            "swap" => Action::Swap,
            _ => Action::Write,
        }
    };
    let steps = vector["input"]["steps"].as_array().expect("steps");
    let outputs = vector["output"]["steps"].as_array().expect("steps");
    let log_size = u32::from(number(&vector["input"]["log_size"]));
    let played = P::LOG_SIZES.iter().position(|&played| played == log_size).unwrap_or_default();
    hostile_peer::Input {
        role,
        log_size: u8::try_from(played).expect("few sizes"),
        computation: role as u8,
        seed: 1,
        actions: steps.iter().zip(outputs).flat_map(|step| [start(step), Action::Finish]).collect(),
    }
}
