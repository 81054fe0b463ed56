//! What the page gets for a form, without a page: every step of a good one, a reason for a bad one.

use duoram_book_widgets::{
    crash, dpf_supposed, dpf_tree, game_guess, game_list, game_play, game_round, game_score, game_tool, lean,
    masks, read, sharing, update,
};
use serde_json::{Value, json};

type Widget = fn(&str) -> String;

fn ask(widget: Widget, form: &Value) -> Value {
    serde_json::from_str(&widget(&form.to_string())).unwrap()
}

fn operation(memory: u64, address: u64, seed: u64) -> Value {
    json!({ "memory": memory.to_string(), "address": address.to_string(), "value": "3", "seed": seed.to_string() })
}

/// The verdict that stands on the last step, for the reader alone.
fn verdict(answer: &Value, name: &str) -> Value {
    let last = answer["steps"].as_array().unwrap().last().unwrap();
    let entry = last["entries"].as_array().unwrap().iter().find(|entry| entry["name"] == name).unwrap();
    assert_eq!(entry["known"], json!([]), "{name} is known to no party");
    entry["words"][0].clone()
}

#[test]
fn operations_end_as_the_ideal_memory_does() {
    for (memory, seed) in [4, 8].iter().flat_map(|memory| (0..5).map(move |seed| (*memory, seed))) {
        for address in 0..memory {
            let form = operation(memory, address, seed);
            assert_eq!(verdict(&ask(read, &form), "equal"), "yes", "{form}");
            let updated = ask(update, &form);
            assert_eq!(verdict(&updated, "equal"), "yes", "{form}");
            assert_eq!(verdict(&updated, "blinds fit"), "yes", "{form}");
        }
    }
}

#[test]
fn lean_operations_end_as_the_ideal_memory_does() {
    for (memory, seed) in [4, 8].iter().flat_map(|memory| (0..5).map(move |seed| (*memory, seed))) {
        for address in 0..memory {
            let mut form = operation(memory, address, seed);
            for (kind, verdicts) in [
                ("read", &["equal"][..]),
                ("update", &["sharings agree"]),
                ("write", &["sharings agree"]),
                ("swap", &["equal", "sharings agree"]),
            ] {
                form["kind"] = json!(kind);
                let answer = ask(lean, &form);
                for name in verdicts {
                    assert_eq!(verdict(&answer, name), "yes", "{form}, {name}");
                }
            }
        }
    }
}

/// What P0 and P1 tell each other to move the one-hot vector is the one thing that P2 must not hear.
#[test]
fn p2_does_not_know_how_far_the_lean_vector_is_moved() {
    let mut form = operation(8, 3, 1);
    form["kind"] = json!("read");
    let answer = ask(lean, &form);
    // What was used up has left the table in later steps.
    let steps = answer["steps"].as_array().unwrap();
    let known = |list: &str, field: &str, name: &str| {
        let mut all = steps.iter().flat_map(|step| step[list].as_array().unwrap());
        all.find(|entry| entry[field] == name).unwrap()["known"].clone()
    };
    assert_eq!(known("entries", "name", "e"), json!(["P0", "P1"]));
    assert_eq!(known("messages", "what", "ri_0 xor r_0"), json!(["P0", "P1"]));
    assert_eq!(known("entries", "name", "o_1"), json!(["P1"]));
}

/// What the page asks for: a READ without a crash, and with one, whose result is the same.
#[test]
fn crashes_end_as_if_there_were_none() {
    // The last fails before anybody has said anything.
    let runs = [
        ("read", "", false),
        ("read", "P0@7", true),
        ("update", "P1@9 P2@11", true),
        ("update", "P2@4", false),
    ];
    for (operation, pulls, again) in runs {
        let mut form = operation_of(operation);
        form["pulls"] = json!(pulls);
        let answer = ask(crash, &form);
        let last = answer["steps"].as_array().unwrap().last().unwrap().clone();
        assert_eq!((&last["end"]["equal"], &last["two_ways"]), (&json!("yes"), &json!(0)), "{form}");
        let said: u64 =
            last["messages"].as_array().unwrap().iter().map(|one| one["times"].as_u64().unwrap()).sum();
        assert_eq!(again, said > last["messages"].as_array().unwrap().len() as u64, "{form}");
    }
    let mut form = operation_of("swap");
    assert_eq!(ask(crash, &form)["field"], "operation");
    form = operation_of("read");
    form["disks"] = json!("");
    assert_eq!(ask(crash, &form)["field"], "disks");
    // Unless the disks lie.
    form["disks"] = json!("cache");
    form["pulls"] = json!("P0@5");
    assert_eq!(ask(crash, &form)["steps"].as_array().unwrap().last().unwrap()["two_ways"], json!(2));
    form = operation_of("read");
    form["pulls"] = json!("P0@500");
    assert_eq!(ask(crash, &form)["field"], "pulls");
}

fn operation_of(kind: &str) -> Value {
    json!({ "operation": kind, "address": "2", "value": "3", "seed": "1", "disks": "keep", "pulls": "" })
}

/// P0 has one key of each pair, and with them the word at its index and no other; P1 hears nothing of which.
#[test]
fn keys_open_the_word_at_the_index_alone() {
    for (memory, index) in [4, 8].iter().flat_map(|memory| (0..*memory).map(move |index| (*memory, index))) {
        let form = json!({ "memory": memory.to_string(), "index": index.to_string(), "seed": "3" });
        let answer = ask(masks, &form);
        let known = |cell: &Value, party: &str| cell["known"].as_array().unwrap().contains(&json!(party));
        for level in answer["levels"].as_array().unwrap() {
            let level = level.as_array().unwrap();
            assert_eq!(level[1..].iter().filter(|key| known(key, "P0")).count(), 1, "{form}");
            assert!(!known(&level[0], "P1"), "{form}");
        }
        for (x, cells) in answer["words"].as_array().unwrap().iter().enumerate() {
            let [word, mask, masked, lacking] = &cells.as_array().unwrap()[..] else { panic!("four cells") };
            let number = |cell: &Value| cell["value"].as_str().unwrap().parse::<u64>().unwrap();
            assert_eq!((number(word) + number(mask)) & 15, number(masked), "{form}");
            assert_eq!(
                (known(word, "P0"), known(mask, "P0"), number(lacking) == 0),
                (x == index, x == index, x == index)
            );
        }
        assert_eq!(answer["index"]["known"], json!(["P0"]));
    }
}

#[test]
fn trees_differ_on_the_path_and_nowhere_else() {
    let differing = |places: &Value| -> Vec<usize> {
        let places = places.as_array().unwrap().iter().enumerate();
        places.filter_map(|(node, place)| (place["same"] == false).then_some(node)).collect()
    };
    for depth in 2..=6_u32 {
        for target in (0..2_usize.pow(depth)).step_by(3) {
            let form = json!({ "depth": depth.to_string(), "target": target.to_string(), "value": "7", "seed": "9" });
            let answer = ask(dpf_tree, &form);
            for (level, shown) in answer["levels"].as_array().unwrap().iter().enumerate() {
                let path = target >> (depth as usize - level);
                assert_eq!(differing(&shown["places"]), [path], "{form}, level {level}");
                if level > 0 {
                    // Before correction both children of the node on the path differ.
                    assert_eq!(
                        differing(&shown["doubled"]["places"]),
                        [path & !1, path | 1],
                        "{form}, level {level}"
                    );
                }
            }
        }
    }
}

/// The key that GEN makes for the supposed target is P0's, and the shares add up to the value there.
#[test]
fn another_target_leaves_the_key_of_p0_as_it_is() {
    for supposed in 0..8 {
        let form = json!({ "depth": "3", "target": "5", "value": "7", "seed": "9", "supposed": supposed.to_string() });
        let answer = ask(dpf_supposed, &form);
        assert_eq!((&answer["same"], &answer["key"]), (&json!(true), &answer["generated"]), "{form}");
        assert_eq!(answer["real"], supposed == 5, "{form}");
        assert_eq!(answer["leaf"]["sum"], "7", "{form}");
        // 127 bits of the root, 127 of each level, 64 fewer on the last.
        assert_eq!(answer["free"], 127 * 4 - 64, "{form}");
    }
    let other = json!({ "depth": "3", "target": "5", "value": "7", "seed": "9", "supposed": "8" });
    assert_eq!(
        ask(dpf_supposed, &other)["error"],
        "supposed: expected a whole number from 0 to 7, got \"8\""
    );
}

#[test]
fn a_bad_field_is_named_with_what_was_expected_and_got() {
    let good = json!({
        "kind": "additive-4", "x": "1", "y": "1", "memory": "4", "address": "1", "value": "1", "depth": "2", "target": "1",
        "seed": "1",
    });
    let cases: [(Widget, &str, &str, &str); 9] = [
        (sharing, "kind", "and", "kind: expected additive-64, additive-4 or xor-8, got \"and\""),
        (sharing, "x", "4", "x: expected a whole number from 0 to 3, got \"4\""),
        (sharing, "r", "é", "r: expected a whole number from 0 to 3, got \"é\""),
        (dpf_tree, "depth", "1", "depth: expected one of 2, 3, 4, 5, 6, got \"1\""),
        (dpf_tree, "target", "4", "target: expected a whole number from 0 to 3, got \"4\""),
        (read, "memory", "16", "memory: expected one of 4, 8, got \"16\""),
        (read, "address", "4", "address: expected a whole number from 0 to 3, got \"4\""),
        (update, "value", "4", "value: expected a whole number from 0 to 3, got \"4\""),
        (update, "seed", "", "seed: expected a whole number from 0 to 18446744073709551615, got nothing"),
    ];
    for (widget, field, text, error) in cases {
        let mut form = good.clone();
        assert_eq!(ask(widget, &form)["error"], Value::Null, "{form}");
        form[field] = json!(text);
        assert_eq!(ask(widget, &form), json!({ "field": field, "error": error }));
    }
    assert_eq!(ask(lean, &good)["error"], "kind: expected read, update, write or swap, got \"additive-4\"");
    let bits = json!({ "kind": "xor-8", "x": "012", "y": "1", "seed": "1" });
    assert_eq!(ask(sharing, &bits)["error"], "x: expected 1 to 8 binary digits, got \"012\"");
}

fn round_of(fault: &Value, protocol: &str, number: u64) -> Value {
    json!({ "fault": fault, "protocol": protocol, "seed": "5", "round": number.to_string() })
}

/// What the page is given before the guess has the same shape whichever script is run, and nothing in it is named after the answer.
#[test]
fn a_round_of_the_game_tells_its_answer_to_a_guess_only() {
    let faults = ask(game_list, &json!({}));
    assert_eq!(faults.as_array().unwrap().len(), 15);
    for fault in faults.as_array().unwrap() {
        let mut form = round_of(&fault["name"], "with-fault", 1);
        let round = ask(game_round, &form);
        let shown = round.as_object().unwrap().keys().cloned().collect::<Vec<String>>();
        assert_eq!(shown, ["drawn", "memory", "messages", "scripts", "sections"], "{form}");
        let computed = ask(game_tool, &form);
        assert!(computed["lines"].as_array().is_some_and(|lines| !lines.is_empty()), "{form}");
        let mut was = vec![];
        for guess in ["A", "B"] {
            form["guess"] = json!(guess);
            let told = ask(game_guess, &form);
            assert_eq!(told["right"], told["was"] == guess, "{form}");
            was.push(told["was"].clone());
        }
        assert_eq!(was[0], was[1], "{form}");
    }
}

/// A round is a function of its fields, so that the tool by itself wins what the tool's verdicts win one by one.
#[test]
fn rounds_that_the_tool_plays_are_those_that_are_shown() {
    let fault = json!("heard");
    let wins = (3..13).filter(|number| {
        let mut form = round_of(&fault, "with-fault", *number);
        let says = ask(game_tool, &form)["says"].clone();
        form["guess"] = json!(if says == "It fits A, and not B." { "A" } else { "B" });
        ask(game_guess, &form)["right"] == true
    });
    let mut form = round_of(&fault, "with-fault", 3);
    form["count"] = json!("10");
    assert_eq!(ask(game_play, &form)["wins"], wins.count());
}

#[test]
fn the_game_refuses_what_it_cannot_play() {
    let good = json!({
        "fault": "no-rho", "protocol": "as-it-is", "seed": "1", "round": "1", "guess": "A", "count": "2", "wins": "1", "rounds": "2",
    });
    let cases: [(Widget, &str, &str, &str); 7] = [
        (game_round, "fault", "no-such", "fault: expected the name of a fault, got \"no-such\""),
        (game_round, "protocol", "", "protocol: expected as-it-is or with-fault, got nothing"),
        (game_tool, "round", "10000", "round: expected a whole number from 0 to 9999, got \"10000\""),
        (game_tool, "seed", "x", "seed: expected a whole number from 0 to 18446744073709551615, got \"x\""),
        (game_guess, "guess", "C", "guess: expected A or B, got \"C\""),
        (game_play, "count", "201", "count: expected a whole number from 0 to 200, got \"201\""),
        (game_score, "wins", "3", "wins: expected a whole number from 0 to 2, got \"3\""),
    ];
    for (widget, field, text, error) in cases {
        let mut form = good.clone();
        assert_eq!(ask(widget, &form)["error"], Value::Null, "{form}");
        form[field] = json!(text);
        assert_eq!(ask(widget, &form), json!({ "field": field, "error": error }));
    }
}
