//! The specification's lean test vectors (`spec/vectors`), as parties at work compute them: memories and items are put into three
//! connected parties, which nobody outside can do. Of a `_bad_` vector, exactly what its fault spoils must be other.
//!
//! A vector gives the flags and values of all leaves. With one node a layer, which is up to 2^7 flags and 2^3 values, there
//! is a key for any; of larger memories the values, and so the states after UPDATE and WRITE, are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use duoram_vectors::json::{hex, words as shown};
use duoram_vectors::values::{array, vectors, words};
use serde_json::{Map, Value, json};
use zeroize::Zeroizing;

use super::items::{HelperReadItem, HelperUpdateItem, ReadItem, UpdateItem};
use super::layers::{node_flags, node_values, value_depth};
use super::local::LocalSession;
use super::message::{self, Beta, Shift, Unblinding, Update, Write};
use super::one_hot::{move_rows, moved, one_hot, scaled_folded};
use super::{Alpha, Both, LayeredKey, NODE_ROWS, Plain, add};
use crate::engine::local::Delivery;
use crate::engine::tree::Correction;
use crate::engine::{Parameters, PartyStream, SessionKey};
use crate::wire::{HEADER_LENGTH, Header, Kind, Message, Role, SessionId};
use crate::{Block, Word};

/// What a vector's output or ours is, by the path of each field.
type Fields = BTreeMap<String, Value>;

pub(super) fn word(hex: &Value) -> Word {
    words(hex)[0]
}

fn flatten(path: &str, value: &Value, fields: &mut Fields) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                flatten(&format!("{path}.{name}"), value, fields);
            }
        }
        _ => _ = fields.insert(path.trim_start_matches('.').to_owned(), value.clone()),
    }
}

fn fields(value: &Value) -> Fields {
    let mut fields = Fields::new();
    flatten("", value, &mut fields);
    fields
}

/// All vectors of a topic and of its faults, each of which spoils some of these fields (by the beginnings of their paths) and no
/// others.
pub(super) fn check(topic: &str, compute: impl Fn(&Value) -> Value, faults: &[(&str, &[&str])]) {
    let read = |name: &str| vectors(&format!("{name}.json"));
    let differing = |vector: &Value| -> BTreeSet<String> {
        let (got, expected) = (fields(&compute(&vector["input"])), fields(&vector["output"]));
        assert!(got.len() > 2 && got.keys().all(|path| expected.contains_key(path)));
        got.into_iter().filter(|(path, got)| expected[path] != *got).map(|(path, _)| path).collect()
    };
    for vector in read(topic) {
        assert_eq!(differing(&vector), BTreeSet::new(), "{topic}, {}", vector["name"]);
    }
    for (fault, spoiled) in faults {
        let mut shows = false;
        for vector in read(&format!("{topic}_bad_{fault}")) {
            let differing = differing(&vector);
            let name = &vector["name"];
            shows |= !differing.is_empty();
            let other = differing.iter().find(|path| !spoiled.iter().any(|start| path.starts_with(start)));
            assert_eq!(other, None, "{topic}_bad_{fault}, {name}");
        }
        assert!(shows, "{topic}_bad_{fault}: no vector was told apart");
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/vectors");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let bad = files.filter(|name| name.starts_with(&format!("{topic}_bad_"))).count();
    assert_eq!(bad, faults.len(), "{topic}: all files of faults are read");
}

/// Three connected parties with a memory.
fn connected(log_size: u32) -> LocalSession {
    let parameters = Parameters::new(SessionId([7; 16]), log_size).unwrap();
    let mut session = LocalSession::new(parameters, [[1; 32], [2; 32], [3; 32]], Plain);
    session.record();
    session.connect().unwrap();
    session.take_log();
    session
}

/// The parties with the vector's memory; h.
fn with_state(input: &Value) -> (LocalSession, u32) {
    let state = &input["state"];
    let part = |party: &str, name: &str| words(&state[party][name]);
    let log_size = part("p0", "alpha").len().ilog2();
    let mut session = connected(log_size);
    let parties = &mut session.parties;
    let both = |party| Both { alpha: part(party, "alpha"), beta: part(party, "beta"), row_words: 1 };
    parties.p0.engine.world.memory = both("p0");
    parties.p1.engine.world.memory = Alpha { alpha: part("p1", "alpha"), row_words: 1 };
    parties.helper.engine.world.memory = both("p2");
    (session, log_size)
}

fn state(session: &LocalSession) -> Value {
    let (p0, p1, p2) = session.parties();
    json!({
        "p0": { "alpha": shown(&p0.memory().alpha), "beta": shown(&p0.memory().beta) },
        "p1": { "alpha": shown(&p1.memory().alpha) },
        "p2": { "alpha": shown(&p2.memory().alpha), "beta": shown(&p2.memory().beta) },
    })
}

/// A key of these flags and, if it has a node for all of them, values.
fn key(key: &SessionKey, log_size: u32, flags: &[Word], values: &[Word]) -> LayeredKey {
    // A root whose flag is set: the correction decides alone.
    let root = 1;
    let bits = flags.iter().rev().fold(0, |bits, flag| bits << 1 | Block::from(flag & 1));
    let mut value_correction = node_values(key, root, 0).to_vec();
    value_correction.iter_mut().zip(values).for_each(|(word, value)| *word ^= value);
    let levels = (0..value_depth(log_size))
        .map(|_| Correction { word: 0, left_flag: false, right_flag: false })
        .collect();
    LayeredKey::new(root, levels, node_flags(key, root) ^ bits, value_correction)
}

/// Puts the item of an operation into the three parties, as one for READs or one for UPDATEs. What is not in the input is zero.
fn put_item(session: &mut LocalSession, log_size: u32, input: &Value, update: bool) {
    let given = |name: &str| if input[name].is_null() { 0 } else { word(&input[name]) };
    let session_key = &session.parties.p0.engine.world.core.key;
    let side = |name: &str| {
        let values = if update { words(&input["value_sides"][name]) } else { vec![] };
        key(session_key, log_size, &words(&input["flag_sides"][name]), &values)
    };
    let [y_01, y_02, y_12] = ["y_01", "y_02", "y_12"].map(given);
    let [f_0, f_1] = ["value_share_0", "value_share_1"].map(given);
    let kept = |word: Word| Zeroizing::new(word);
    let row = |word: Word| Zeroizing::new(vec![word]);
    let read_0 = ReadItem { keys: [side("a_0"), side("b_0")], random_index: kept(given("index_0")), rho: () };
    let read_1 =
        ReadItem { keys: [side("a_1")], random_index: kept(given("index_1")), rho: row(given("mask")) };
    let read_2 = HelperReadItem { keys: [side("a_0"), side("b_1")], rho: row(given("mask")) };
    let parties = &mut session.parties;
    let items = (
        &mut parties.p0.engine.world.items,
        &mut parties.p1.engine.world.items,
        &mut parties.helper.engine.world.items,
    );
    if !update {
        items.0.put_read(read_0);
        items.1.put_read(read_1);
        items.2.put_read(read_2);
        return;
    }
    let (x, delta) = (given("x"), given("delta"));
    items.0.put_update(UpdateItem {
        read: read_0,
        update_mask: row(f_0 ^ x),
        write_mask: row(f_0 ^ y_01 ^ y_02),
        delta: row(delta),
    });
    items.1.put_update(UpdateItem {
        read: read_1,
        update_mask: row(f_1 ^ x),
        write_mask: row(f_1 ^ y_01 ^ y_12),
        delta: (),
    });
    items.2.put_update(HelperUpdateItem { read: read_2, write_mask: row(y_02 ^ y_12), delta: row(delta) });
}

/// The payload of a party's first message of a kind.
fn payload(log: &[Delivery], kind: Kind, from: Role) -> Vec<u8> {
    let mut sent = log.iter().map(|delivery| &delivery.frame).filter(|frame| frame.from == from);
    let of_kind = sent.find(|frame| Header::decode(from, &frame.bytes).unwrap().kind == kind.number());
    of_kind.unwrap().bytes[HEADER_LENGTH..].to_vec()
}

/// A number, in eight bytes.
fn padded(mut bytes: Vec<u8>) -> Value {
    bytes.resize(8, 0);
    hex(&bytes)
}

/// Both shares of inputs.
fn pair(input: &Value, name: &str) -> [Word; 2] {
    [0, 1].map(|b| word(&input[format!("{name}_{b}")]))
}

fn results(output: &mut Map<String, Value>, [of_0, of_1]: &[Vec<Word>; 2]) {
    output.insert("read_0".to_owned(), shown(of_0));
    output.insert("read_1".to_owned(), shown(of_1));
    output.insert("opened".to_owned(), shown(&[of_0[0] ^ of_1[0]]));
}

#[test]
fn reads_are_those_of_the_vectors() {
    let compute = |input: &Value| {
        let (mut session, log_size) = with_state(input);
        put_item(&mut session, log_size, input, false);
        let [address_0, address_1] = pair(input, "address");
        let read = session.read([&[address_0], &[address_1]]).unwrap();
        let log = session.take_log();
        let mut output = Map::new();
        output.insert("shift_0".to_owned(), padded(payload(&log, Shift::KIND, Role::P0)));
        output.insert("shift_1".to_owned(), padded(payload(&log, Shift::KIND, Role::P1)));
        output.insert("unblinding".to_owned(), hex(&payload(&log, Unblinding::KIND, Role::P2)));
        results(&mut output, &read);
        Value::Object(output)
    };
    check(
        "lean_read",
        compute,
        &[
            ("mask_missing", &["unblinding", "read_"]),
            ("shift_not_cut", &["shift_"]),
            ("moved_cyclically", &["unblinding", "read_", "opened"]),
        ],
    );
}

#[test]
fn updates_are_those_of_the_vectors() {
    let compute = |input: &Value| {
        let (mut session, log_size) = with_state(input);
        put_item(&mut session, log_size, input, true);
        let ([i_0, i_1], [m_0, m_1]) = (pair(input, "address"), pair(input, "value"));
        session.update([&[(i_0, m_0)], &[(i_1, m_1)]]).unwrap();
        let log = session.take_log();
        let message = |from| {
            let payload = payload(&log, Update::KIND, from);
            let (shift, masked) = payload.split_at(payload.len() - 8);
            json!({ "shift": padded(shift.to_vec()), "masked": hex(masked) })
        };
        let mut output = json!({ "message_0": message(Role::P0), "message_1": message(Role::P1) });
        if value_depth(log_size) == 0 {
            output["state"] = state(&session);
        }
        output
    };
    check(
        "lean_update",
        compute,
        &[
            ("values_not_masked", &["message_0.masked", "message_1.masked"]),
            ("delta_ignored", &["state.p0.beta", "state.p2.beta"]),
            ("alpha_of_p2_not_updated", &["state.p2.alpha"]),
        ],
    );
}

#[test]
fn writes_and_swaps_are_those_of_the_vectors() {
    let compute = |input: &Value| {
        let (mut session, log_size) = with_state(input);
        put_item(&mut session, log_size, input, true);
        let swapped = session.swap(pair(input, "address"), pair(input, "value")).unwrap();
        let log = session.take_log();
        let mut output = Map::new();
        for (b, from) in [Role::P0, Role::P1].into_iter().enumerate() {
            output.insert(format!("shift_{b}"), padded(payload(&log, Shift::KIND, from)));
        }
        for from in Role::ALL {
            output.insert(format!("part_{}", from.number()), hex(&payload(&log, Write::KIND, from)));
        }
        output.insert("unblinding".to_owned(), hex(&payload(&log, Unblinding::KIND, Role::P2)));
        results(&mut output, &swapped);
        // A WRITE without a result sends the same and ends the same.
        let (mut written, _) = with_state(input);
        put_item(&mut written, log_size, input, true);
        written.write(pair(input, "address"), pair(input, "value")).unwrap();
        assert_eq!(state(&written), state(&session));
        if value_depth(log_size) == 0 {
            output.insert("state".to_owned(), state(&session));
        }
        Value::Object(output)
    };
    check(
        "lean_write",
        compute,
        &[("parts_not_masked", &["part_"]), ("old_value_not_subtracted", &["state."])],
    );
}

/// The parties draw x and B of their own. What they draw is taken out by shares that hold the difference to the vector's: one
/// load gives all that has x in it, another all that has B.
#[test]
fn loads_are_those_of_the_vectors() {
    let compute = |input: &Value| {
        let sum = |one: &[Word], other: &[Word]| -> Vec<Word> {
            one.iter().zip(other).map(|(one, other)| one ^ other).collect()
        };
        let [d_0, d_1, x, beta] =
            ["memory_share_0", "memory_share_1", "x", "beta"].map(|name| words(&input[name]));
        let session = || connected(d_0.len().ilog2());
        let drawing = session();
        let draws = |mut stream: PartyStream| -> Vec<Word> { d_0.iter().map(|_| stream.word()).collect() };
        let drawn_x = draws(drawing.parties.p1.engine.world.pairs.load(Role::P0));
        let drawn_beta = draws(drawing.parties.p1.engine.world.pairs.load(Role::P2));
        let (to_x, to_beta) = (sum(&x, &drawn_x), sum(&beta, &drawn_beta));
        let mut with_x = session();
        with_x.load([sum(&d_0, &to_x), sum(&d_1, &to_x)]).unwrap();
        let mut with_beta = session();
        with_beta.load([d_0.clone(), sum(&d_1, &to_beta)]).unwrap();
        let sent_0 = payload(&with_x.take_log(), message::Alpha::KIND, Role::P0);
        let sent_1 = payload(&with_beta.take_log(), Beta::KIND, Role::P1);
        let (of_x, of_beta) = (with_x.parties(), with_beta.parties());
        let (a, e, h) = (&of_x.0.memory().alpha, &of_x.1.memory().alpha, &of_beta.0.memory().beta);
        let b = sum(&of_beta.2.memory().beta, &to_beta);
        json!({
            "sent_0": hex(&sent_0),
            "sent_1": hex(&sent_1),
            "state": {
                "p0": { "alpha": shown(a), "beta": shown(h) },
                "p1": { "alpha": shown(e) },
                "p2": { "alpha": shown(&of_x.2.memory().alpha), "beta": shown(&b) },
            },
            "opened_alpha": shown(&sum(a, e)),
            "opened_beta": shown(&sum(h, &b)),
        })
    };
    check(
        "lean_load",
        compute,
        &[
            ("share_of_p0_not_masked", &["sent_0", "state.p0.alpha", "state.p1.alpha", "state.p2.alpha"]),
            ("share_of_p1_not_masked", &["sent_1", "state.p0.beta", "state.p2.beta"]),
        ],
    );
}

#[test]
fn one_hot_vectors_are_those_of_the_vectors() {
    let compute = |input: &Value| {
        let log_size = input["log_size"].as_u64().unwrap();
        let places = (1 << log_size.min(7)) - 1;
        let block = |name: &str| Block::from_le_bytes(array(&input[name]));
        let ([i_0, i_1], [r_0, r_1]) = (pair(input, "index"), pair(input, "place"));
        let unit_1 = block("unit_0") ^ one_hot(r_0 ^ r_1);
        let unit_words = words(&input["value_unit_0"]);
        let [v_0, v_1] = pair(input, "dealt_value");
        let mut dealt = vec![0; NODE_ROWS];
        dealt[0] = v_0 ^ v_1;
        move_rows(&mut dealt, r_0 ^ r_1);
        add(&mut dealt, &unit_words);
        let offsets = [i_0 & places ^ r_0, i_1 & places ^ r_1];
        let e = offsets[0] ^ offsets[1];
        let one_hots = [moved(block("unit_0"), e), moved(unit_1, e)];
        let side = |words: &[Word], one_hot| {
            let mut share = words.to_vec();
            move_rows(&mut share, e);
            add(&mut share, &scaled_folded(one_hot, &[word(&input["common"])]));
            share
        };
        let (values_0, values_1) = (side(&unit_words, one_hots[0]), side(&dealt, one_hots[1]));
        let opened: Vec<_> = values_0.iter().zip(&values_1).map(|(one, other)| one ^ other).collect();
        json!({
            "unit_1": hex(&unit_1.to_le_bytes()),
            "value_unit_1": shown(&dealt),
            "moved_0": shown(&[offsets[0]]),
            "moved_1": shown(&[offsets[1]]),
            "one_hot_0": hex(&one_hots[0].to_le_bytes()),
            "one_hot_1": hex(&one_hots[1].to_le_bytes()),
            "value_one_hot_0": shown(&values_0),
            "value_one_hot_1": shown(&values_1),
            "opened": shown(&opened),
        })
    };
    check(
        "lean_one_hot",
        compute,
        &[("value_known_to_the_dealer", &["value_one_hot_0", "value_one_hot_1", "opened"])],
    );
}
