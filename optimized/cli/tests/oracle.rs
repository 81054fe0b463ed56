//! `duoram oracle`, asked as another program asks it: every kind of request against the test vectors, refusals, and many
//! requests in a row.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// The program, answering.
struct Oracle {
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Oracle {
    fn start() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_duoram"));
        command.arg("oracle").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let requests = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().unwrap());
        Self { process, requests, answers }
    }

    /// The answer to a line, which must come before the next line is sent.
    fn line(&mut self, line: &[u8]) -> Value {
        let requests = self.requests.as_mut().unwrap();
        requests.write_all(line).unwrap();
        requests.write_all(b"\n").unwrap();
        self.next()
    }

    fn next(&mut self) -> Value {
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap()
    }

    fn ask(&mut self, request: &str, input: &Value) -> Value {
        let answer =
            self.line(json!({ "id": "x", "request": request, "input": input }).to_string().as_bytes());
        assert_eq!(answer["id"], "x");
        answer["output"].clone()
    }

    /// Ends the input; the program must end well.
    fn finish(mut self) {
        drop(self.requests.take());
        assert!(self.process.wait().unwrap().success());
    }

    /// A line of `/proc/PID/status`, in KiB.
    fn status(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    }
}

/// The vectors of a file.
fn vectors(name: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/vectors");
    let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    file["vectors"].as_array().unwrap().clone()
}

/// The requests that are topics of the vectors.
const TOPICS: [&str; 22] = [
    "prg",
    "distributed_generation",
    "conversion",
    "read",
    "update",
    "write",
    "two_party_read",
    "two_party_triple",
    "two_party_masks",
    "two_party_update",
    "two_party_write",
    "two_party_session",
    "randomness",
    "session",
    "lean_layers",
    "lean_one_hot",
    "lean_delta",
    "lean_load",
    "lean_read",
    "lean_update",
    "lean_write",
    "lean_session",
];

#[test]
fn the_input_of_a_vector_is_answered_with_its_output() {
    let mut oracle = Oracle::start();
    for topic in TOPICS {
        for vector in vectors(topic) {
            assert_eq!(oracle.ask(topic, &vector["input"]), vector["output"], "{topic}, {}", vector["name"]);
        }
    }
    oracle.finish();
}

/// Sees to it that the comparison above can fail: an output with one digit changed, and those of all known faults.
#[test]
fn no_wrong_vector_is_answered_with_its_output() {
    let mut oracle = Oracle::start();
    let faults = [
        "prg_bad_flag_not_cleared",
        "prg_bad_no_feed_forward",
        "distributed_generation_bad_additive_index",
        "distributed_generation_bad_lowest_bit_first",
        "distributed_generation_bad_negation_missing",
        "distributed_generation_bad_cw_lowest_bit",
        "conversion_bad_sign_ignored",
        "conversion_bad_factor_without_correction",
        "read_bad_shift_sign",
        "read_bad_shift_not_reduced",
        "read_bad_gamma_masks_equal",
        "update_bad_index_plus_ri",
        "update_bad_blinded_of_p0",
        "update_bad_shift_in_place",
        "update_bad_shares_not_rerandomized",
        "write_bad_old_value_not_subtracted",
        "two_party_read_bad_blind_not_subtracted",
        "two_party_triple_bad_t_not_shared",
        "two_party_triple_bad_y_one_of_the_pair",
        "two_party_masks_bad_lowest_bit_first",
        "two_party_masks_bad_row_not_masked",
        "two_party_update_bad_inverse_missing",
        "two_party_update_bad_value_not_masked",
        "two_party_write_bad_blind_not_added",
        "two_party_session_bad_keys_used_twice",
        "two_party_session_bad_blind_stale",
        "randomness_bad_high_half_first",
        "session_bad_index_from_dpf_2",
        "session_bad_material_used_twice",
        "lean_layers_bad_tweaks_overlap",
        "lean_layers_bad_flag_not_cleared",
        "lean_one_hot_bad_value_known_to_the_dealer",
        "lean_delta_bad_shares_not_masked",
        "lean_load_bad_share_of_p0_not_masked",
        "lean_load_bad_share_of_p1_not_masked",
        "lean_read_bad_mask_missing",
        "lean_read_bad_moved_cyclically",
        "lean_read_bad_shift_not_cut",
        "lean_update_bad_alpha_of_p2_not_updated",
        "lean_update_bad_delta_ignored",
        "lean_update_bad_values_not_masked",
        "lean_write_bad_old_value_not_subtracted",
        "lean_write_bad_parts_not_masked",
        "lean_session_bad_item_used_twice",
        "lean_session_bad_mask_stale",
    ];
    for fault in faults {
        let (topic, _) = fault.split_once("_bad_").unwrap();
        for vector in vectors(fault) {
            assert_ne!(oracle.ask(topic, &vector["input"]), vector["output"], "{fault}, {}", vector["name"]);
        }
    }
    for topic in TOPICS {
        for vector in vectors(topic) {
            let mut corrupted = vector["output"].to_string();
            let digit = corrupted.rfind(|c: char| c.is_ascii_hexdigit() && c.is_ascii_digit()).unwrap();
            let other = if corrupted.as_bytes()[digit] == b'0' { "1" } else { "0" };
            corrupted.replace_range(digit..=digit, other);
            assert_ne!(oracle.ask(topic, &vector["input"]).to_string(), corrupted, "{topic}");
        }
    }
    oracle.finish();
}

#[test]
fn gen_eval_and_evalfull_give_the_fields_of_the_dpf_vectors() {
    let mut oracle = Oracle::start();
    for vector in vectors("dpf") {
        let (input, output) = (&vector["input"], &vector["output"]);
        let keys = oracle.ask("gen", input);
        assert_eq!(keys, json!({ "key_0": output["p0"]["key"], "key_1": output["p1"]["key"] }));
        for (party, name) in [(0, "p0"), (1, "p1")] {
            let (session_key, key) = (&input["session_key"], &output[name]["key"]);
            let eval = json!({ "session_key": session_key, "key": key, "address": input["target"] });
            assert_eq!(oracle.ask("eval", &eval), json!({ "label": output[name]["target_label"] }));
            let full = json!({ "session_key": session_key, "key": key, "party": party });
            let mut expected = output[name].clone();
            expected.as_object_mut().unwrap().retain(|field, _| field != "key" && field != "target_label");
            assert_eq!(oracle.ask("evalfull", &full), expected);
        }
    }
    oracle.finish();
}

/// A line that is not answered: the request, the field that the error names, a part of what is expected, a part of what was got.
type Refused = (Value, &'static str, &'static str, &'static str);

fn zeros(bytes: usize) -> String {
    "00".repeat(bytes)
}

#[allow(clippy::needless_pass_by_value)] // of json!, which makes values
fn request(request: &str, input: Value) -> Value {
    json!({ "id": [1], "request": request, "input": input })
}

/// The first vector of a topic, changed.
fn with(topic: &str, change: &dyn Fn(&mut Value)) -> Value {
    let mut input = vectors(topic)[0]["input"].clone();
    change(&mut input);
    request(topic, input)
}

/// The same, with one field changed.
#[allow(clippy::needless_pass_by_value)] // of json!
fn set(topic: &str, pointer: &str, value: Value) -> Value {
    with(topic, &|input| *input.pointer_mut(pointer).unwrap() = value.clone())
}

fn refuses(oracle: &mut Oracle, refused: impl IntoIterator<Item = Refused>) {
    for (line, field, expected, got) in refused {
        let answer = oracle.line(line.to_string().as_bytes());
        let error = &answer["error"];
        assert_eq!((&answer["id"], &error["field"]), (&json!([1]), &json!(field)), "{line}: {answer}");
        assert!(error["expected"].as_str().unwrap().contains(expected), "{expected}: {answer}");
        assert!(error["got"].as_str().unwrap().contains(got), "{got}: {answer}");
        assert!(answer.get("output").is_none());
    }
}

#[test]
fn what_does_not_fit_is_refused_by_name_and_the_next_line_is_served() {
    let key = |words: usize, flags: usize| {
        json!({ "root": zeros(16), "words": zeros(16 * words), "left_flags": "0".repeat(flags),
                "right_flags": "0".repeat(flags) })
    };
    let prg = |session_key: &str, label: &str| {
        request("prg", json!({ "session_key": session_key, "label": label }))
    };
    let tree = |name: &str, field: &str, number: u64, key: Value| {
        request(name, json!({ "session_key": zeros(16), "key": key, field: number }))
    };
    let refused = [
        (json!({ "id": [1] }), "line.request", "one of prg, gen", "nothing"),
        (json!({ "id": [1], "request": "prg", "also": 1 }), "line", "one of the fields id, request", "also"),
        (request("eval_full", json!({})), "line.request", "evalfull", "eval_full"),
        (request("prg", Value::Null), "input", "an object", "null"),
        (prg(&zeros(16), &zeros(15)), "input.label", "32 hexadecimal digits (a block)", "30 digits"),
        (prg(&zeros(16), &"0g".repeat(16)), "input.label", "hexadecimal", "0g0g"),
        (prg(&"é".repeat(16), &zeros(16)), "input.session_key", "a key of 16 bytes", "éé"),
        (tree("evalfull", "party", 2, key(1, 1)), "input.party", "0 to 1", "2"),
        (tree("evalfull", "party", 0, key(15, 15)), "input.key.words", "1 to 14 blocks", "(482 bytes)"),
        (tree("eval", "address", 0, key(41, 41)), "input.key.words", "1 to 40 blocks", "..."),
        (tree("eval", "address", 2, key(1, 1)), "input.address", "0 to 1", "2"),
        (tree("eval", "address", 0, key(0, 0)), "input.key.words", "1 to 40 blocks", "\"\""),
        (tree("eval", "address", 0, key(2, 1)), "input.key.left_flags", "2 digits 0 or 1", "\"0\""),
        (set("distributed_generation", "/log_size", json!(15)), "input.log_size", "1 to 14", "15"),
        (set("distributed_generation", "/target", json!(1)), "input.target", "0, which", "1"),
        (set("distributed_generation", "/p1/triples/x", json!("")), "input.p1.triples.x", "1 digits", "\"\""),
        (set("conversion", "/p0/labels", json!(zeros(48))), "input.p0.labels", "2^h times 32", "96 digits"),
        (set("conversion", "/p1/labels", json!(zeros(16))), "input.p1.labels", "2 blocks", "32 digits"),
        (set("read", "/index_1", json!("ff00000000000000")), "input.index_1", "below 2", "ff00"),
        (set("read", "/state/p2/blind_0", json!("00")), "input.state.p2.blind_0", "2 words", "2 digits"),
        (set("update", "/units/p0", json!([])), "input.units.p0", "an array of 3", "an array of 0"),
        (set("update", "/values/p1/2", json!("00")), "input.values.p1.3", "2 words", "2 digits"),
        (with("read", &|input| input["values"] = json!(1)), "input", "fields state, units", "values"),
        (set("write", "/read_index_0", json!("ff00000000000000")), "input.read_index_0", "below 2", "ff00"),
        (
            set("two_party_read", "/memory_share_1", json!("00")),
            "input.memory_share_1",
            "2 words",
            "2 digits",
        ),
        (set("randomness", "/count", json!(65_537)), "input.count", "1 to 65536", "65537"),
        (set("session", "/log_size", json!(9)), "input.log_size", "1 to 8", "9"),
        (set("session", "/seed_2", json!("00")), "input.seed_2", "a seed of 32 bytes", "2 digits"),
        (set("session", "/steps", json!([])), "input.steps", "a step connect", "an array of 0"),
        (set("session", "/steps/0/step", json!("load")), "input.steps[0].step", "connect", "load"),
        (
            set("session", "/steps/1/step", json!("connect")),
            "input.steps[1].step",
            "load, preprocess",
            "connect",
        ),
        (set("session", "/steps/2/reads", json!(33)), "input.steps[2].reads", "0 to 32", "33"),
        (set("session", "/steps/2/reads", json!(0)), "input.steps[3].step", "at most 0 READ", "read"),
        (
            set("session", "/steps/3/addresses_1", json!("")),
            "input.steps[3].addresses_1",
            "1 words",
            "0 digits",
        ),
        (set("session", "/steps/3/step", json!("swap")), "input.steps[3].step", "update or write", "swap"),
    ];
    let mut oracle = Oracle::start();
    refuses(&mut oracle, refused);
    let no_json: [&[u8]; 6] = [b"", b"{", b"\xff\xfe", b"\"id\"", b"[{}]", b"{\"id\":1}{\"id\":2}"];
    for line in no_json {
        let answer = oracle.line(line);
        assert!(answer["id"].is_null() && answer["error"]["field"] == "line", "{answer}");
    }
    let deep = "[".repeat(100_000);
    assert_eq!(oracle.line(deep.as_bytes())["error"]["field"], "line");
    let long = oracle.line(&vec![b' '; (16 << 20) + 1]);
    assert_eq!(long["error"]["got"], "a line of 16777217 bytes, of at most 16777216");
    let vector = &vectors("prg")[0];
    assert_eq!(oracle.ask("prg", &vector["input"]), vector["output"], "served after all of these");
    oracle.finish();
}

#[test]
fn what_does_not_fit_the_lean_protocol_is_refused_by_name() {
    let mut oracle = Oracle::start();
    refuses(
        &mut oracle,
        [
            (set("lean_session", "/log_size", json!(11)), "input.log_size", "1 to 10", "11"),
            (set("lean_session", "/steps/2/updates", json!(0)), "input.steps[4].step", "0 UPDATE", "update"),
            (
                set("lean_session", "/steps/3/step", json!("load")),
                "input.steps[3].step",
                "write or swap",
                "load",
            ),
            (
                set("lean_layers", "/word_correction", json!("00")),
                "input.word_correction",
                "8 words",
                "2 digits",
            ),
            (set("lean_one_hot", "/place_0", json!("0200000000000000")), "input.place_0", "below 2", "0200"),
            (set("lean_load", "/x", json!("00")), "input.x", "2 words", "2 digits"),
            (set("lean_read", "/state/p2/beta", json!("00")), "input.state.p2.beta", "2 words", "2 digits"),
            (
                set("lean_read", "/flag_sides/b_1", json!("01".repeat(16))),
                "input.flag_sides.b_1",
                "zeros or of ones",
                "0101",
            ),
            (
                with("lean_update", &|input| input["mask"] = json!(1)),
                "input",
                "fields state, flag_sides",
                "mask",
            ),
            (set("lean_write", "/y_12", json!("00")), "input.y_12", "a word", "2 digits"),
        ],
    );
    oracle.finish();
}

#[test]
fn a_batch_is_answered_in_order_and_its_last_line_needs_no_end() {
    let mut oracle = Oracle::start();
    let input = &vectors("prg")[1]["input"];
    let line = |id: u64| json!({ "id": id, "request": "prg", "input": input }).to_string();
    let batch: Vec<_> = (0..50).map(line).collect();
    let mut requests = oracle.requests.take().unwrap();
    requests.write_all(batch.join("\n").as_bytes()).unwrap();
    drop(requests);
    for id in 0..50 {
        assert_eq!(oracle.next()["id"], id);
    }
    oracle.finish();
}

/// A hundred thousand requests, with session keys in turn: what the first ten thousand need is enough for all.
#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_number_of_requests() {
    let mut oracle = Oracle::start();
    let vectors = vectors("prg");
    let mut peak = 0;
    for number in 0..100_000 {
        // Now and then another session key: its schedule takes the specification a while.
        let vector = &vectors[number / 1000 % vectors.len()];
        assert_eq!(oracle.ask("prg", &vector["input"]), vector["output"]);
        if number == 10_000 {
            peak = oracle.status("VmHWM:");
        }
    }
    let after = oracle.status("VmHWM:");
    println!("peak after 10 000 requests: {peak} KiB, after 100 000: {after} KiB");
    assert!(after <= peak + 256, "from {peak} to {after} KiB");
    oracle.finish();
}

/// The code between two marks of the documentation.
fn documented(name: &str) -> Vec<String> {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/README.md"))
            .unwrap();
    let (_, rest) = text.split_once(&format!("<!-- begin: {name} -->\n\n```json\n")).unwrap();
    let (block, _) = rest.split_once("```\n").unwrap();
    block.lines().map(str::to_owned).collect()
}

#[test]
fn the_documented_session_is_what_the_program_answers() {
    let mut oracle = Oracle::start();
    let (requests, answers) = (documented("requests"), documented("answers"));
    assert!(requests.len() == answers.len() && requests.len() > 3);
    for (request, answer) in requests.iter().zip(&answers) {
        assert_eq!(oracle.line(request.as_bytes()), serde_json::from_str::<Value>(answer).unwrap());
    }
    oracle.finish();
}
