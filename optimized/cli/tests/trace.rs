//! The trace of a run: what it says is what the plan in its first line asks for, and no secret is in it.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

const MEMORY: [u64; 5] = [0x1111_1111_1111, 2, 0x3333_3333_3333, 1, 0x5555_5555_5555];
const OPS: &str = "read 4\nupdate 3 0x777777777777\nwrite 2 0x999999999999\nchase 1 3\nread 0";

/// READ items, UPDATE items.
const ITEMS: (u64, u64) = (6, 2);

fn run(more: &[&str]) -> (Vec<String>, Value) {
    run_on(&MEMORY, OPS, more)
}

/// A run's trace, and the rest of its report.
fn run_on(memory: &[u64], ops: &str, more: &[&str]) -> (Vec<String>, Value) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let bytes: Vec<u8> = memory.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(path("memory"), bytes).unwrap();
    std::fs::write(path("ops"), ops).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_duoram"))
        .args(["run", "--json", "--memory"])
        .arg(path("memory"))
        .arg("--ops")
        .arg(path("ops"))
        .arg("--trace")
        .arg(path("trace"))
        .args(more)
        .output()
        .unwrap();
    assert!(output.status.success(), "{more:?}: {}", String::from_utf8_lossy(&output.stderr));
    let trace = std::fs::read_to_string(path("trace")).unwrap();
    assert!(trace.ends_with('\n'));
    (trace.lines().map(str::to_owned).collect(), serde_json::from_slice(&output.stdout).unwrap())
}

/// The plan and the events.
fn parse(lines: &[String]) -> (Value, Vec<Value>) {
    let mut values = lines.iter().map(|line| serde_json::from_str(line).unwrap());
    (values.next().unwrap(), values.collect())
}

fn items(event: &Value) -> Vec<u64> {
    event["items"].as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect()
}

/// The steps of a plan as their names, and how many items each takes or makes.
fn steps(plan: &Value) -> Vec<(&str, u64)> {
    let steps = plan["steps"].as_array().unwrap().iter();
    let number = |step: &Value, field: &str| step[field].as_u64().unwrap_or(0);
    steps
        .map(|step| {
            let count = number(step, "reads") + number(step, "updates") + number(step, "count");
            (step["step"].as_str().unwrap(), count)
        })
        .collect()
}

/// Every message is received once, after it was sent, and on each link in the order of sending.
fn check_links(events: &[Value]) {
    let mut links: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for event in events {
        let name = |field: &str| event[field].as_str().unwrap_or_default().to_owned();
        let message =
            format!("{} {} {} {}", event["kind"], event["operation"], event["round"], event["items"]);
        match event["event"].as_str().unwrap() {
            "send" => links.entry((name("party"), name("peer"))).or_default().push(message),
            "receive" => {
                let link = links.get_mut(&(name("peer"), name("party"))).expect("received before sent");
                assert!(!link.is_empty() && link.remove(0) == message, "{event} is not the oldest: {link:?}");
            }
            other => assert_eq!((other, &event["peer"]), ("apply", &Value::Null)),
        }
    }
    assert!(links.values().all(Vec::is_empty), "never received: {links:?}");
}

/// Each party goes through the planned steps one after another, and each step has its own items, the same at all.
fn check_steps(plan: &Value, events: &[Value]) {
    let steps = steps(plan);
    let mut uses = Vec::new();
    for party in ["P0", "P1", "P2"] {
        let of_party: Vec<&Value> = events.iter().filter(|event| event["party"] == party).collect();
        let operations: Vec<u64> =
            of_party.iter().map(|event| event["operation"].as_u64().unwrap()).collect();
        assert!(operations.is_sorted(), "{party}");
        let mut used = Vec::new();
        for (number, &(name, count)) in (0..).zip(&steps) {
            let of_step: Vec<_> = of_party.iter().filter(|event| event["operation"] == number).collect();
            let last = of_step.last().unwrap();
            let applied = of_step.iter().filter(|event| event["event"] == "apply").count();
            assert_eq!((applied, &last["event"], &last["kind"]), (1, &"apply".into(), &name.into()));
            let of_items: BTreeSet<Vec<u64>> = of_step.iter().map(|event| items(event)).collect();
            assert_eq!(of_items.len(), 1, "{party}, step {number}: {of_items:?}");
            let of_items = of_items.into_iter().next().unwrap();
            assert_eq!(of_items.len() as u64, count, "{party}, step {number}: {of_items:?}");
            used.push((name, of_items));
        }
        assert_eq!(
            of_party.len(),
            of_party.iter().filter(|e| e["operation"].as_u64() < Some(steps.len() as u64)).count()
        );
        uses.push(used);
    }
    assert!(uses[0] == uses[1] && uses[1] == uses[2], "the parties disagree on items: {uses:?}");

    let all = |preparing: bool| -> Vec<u64> {
        let of = uses[0].iter().filter(|(name, _)| (*name == "preprocess") == preparing);
        of.flat_map(|(_, items)| items.clone()).collect()
    };
    assert_eq!(all(true), (0..ITEMS.0 + ITEMS.1).collect::<Vec<_>>(), "made in order");
    let (used, distinct) = (all(false), all(false).into_iter().collect::<BTreeSet<_>>());
    assert_eq!(used.len(), distinct.len(), "used twice: {used:?}");
    assert_eq!(distinct.into_iter().collect::<Vec<_>>(), all(true), "the run uses up what it makes");
}

/// Words that only an owner or a party knows: contents, values, what is added, results.
fn secrets(report: &Value) -> Vec<u64> {
    let results = report["operations"].as_array().unwrap().iter().filter_map(|done| {
        done["result"].as_str().map(|word| u64::from_str_radix(word.strip_prefix("0x").unwrap(), 16).unwrap())
    });
    let given = [0x7777_7777_7777, 0x9999_9999_9999];
    // Small words are among the numbers that a trace may have.
    MEMORY.into_iter().chain(given).chain(results).filter(|word| *word > 0xffff).collect()
}

fn check_secrets(lines: &[String], report: &Value) {
    let secrets = secrets(report);
    assert!(secrets.len() >= 6, "{secrets:?}");
    for line in lines {
        for secret in &secrets {
            let forms = [secret.to_string(), format!("{secret:x}"), format!("{secret:X}")];
            assert!(forms.iter().all(|form| !line.contains(form)), "{secret:#x} is in {line}");
        }
    }
    // Nothing but these fields, and in them only names, and numbers that count steps, levels and items.
    let (plan, events) = parse(lines);
    let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&plan), ["chunks", "lanes", "log_size", "protocol", "speaks_after", "steps", "trace"]);
    for step in plan["steps"].as_array().unwrap() {
        let known = ["after", "count", "reads", "step", "updates"];
        assert!(names(step).iter().all(|name| known.contains(&name.as_str())), "{step}");
    }
    let count = steps(&plan).len() as u64;
    for event in &events {
        assert_eq!(names(event), ["event", "items", "kind", "operation", "party", "peer", "round", "size"]);
        assert!(event["operation"].as_u64() < Some(count) && event["round"].as_u64() < Some(3), "{event}");
        assert!(items(event).iter().all(|number| *number < ITEMS.0 + ITEMS.1), "{event}");
        assert!(event["size"].as_u64() < Some(1 << 16), "{event}");
        assert!(event["kind"].as_str().unwrap().chars().all(|c| c.is_ascii_lowercase() || c == ' '));
    }
}

fn all_runs() -> impl Iterator<Item = Vec<&'static str>> {
    let backends = ["reference", "auto"];
    backends.into_iter().flat_map(|backend| {
        ["memory", "tcp"].map(|transport| vec!["--backend", backend, "--transport", transport])
    })
}

#[test]
fn every_message_is_received_once_and_every_step_has_its_own_items() {
    for arguments in all_runs() {
        let (lines, report) = run(&arguments);
        let (plan, events) = parse(&lines);
        assert_eq!((&plan["trace"], &plan["log_size"], &plan["chunks"]), (&3.into(), &3.into(), &1.into()));
        let expected = [
            ("connect", 0),
            ("load", 0),
            ("preprocess", 8),
            ("read", 1),
            ("update", 1),
            ("read", 1), // of the WRITE
            ("update", 1),
            ("read", 1), // of the chase
            ("read", 1),
            ("read", 1),
            ("read", 1),
        ];
        assert_eq!(steps(&plan), expected);
        let after: Vec<bool> =
            plan["steps"].as_array().unwrap().iter().filter_map(|step| step["after"].as_bool()).collect();
        assert_eq!(after, [false, false, false, true, false, true, true, false]);
        check_links(&events);
        check_steps(&plan, &events);
        check_secrets(&lines, &report);
    }
}

/// A step more or less is a batch more or less: the plan must follow.
#[test]
fn a_run_in_many_batches_counts_items_on() {
    let (lines, _) = run(&["--backend", "reference", "--memory-limit", "1K"]);
    let (plan, events) = parse(&lines);
    let batches = steps(&plan).iter().filter(|(name, _)| *name == "preprocess").count();
    assert!(batches > 1, "{plan}");
    check_links(&events);
    check_steps(&plan, &events);
}

/// Contents, addresses, values and randomness may all differ: up to which thread was faster, the trace is the same.
#[test]
fn a_trace_depends_on_sizes_and_kinds_only() {
    let other = [9, 8, 7, 6, 5];
    let other_ops = "read 0\nupdate 0 -1\nwrite 0 1\nchase 4 3\nread 2";
    let sorted = |memory: &[u64], ops: &str, seed: &str| {
        let (mut lines, _) = run_on(memory, ops, &["--seed", seed]);
        lines.sort();
        lines
    };
    assert_eq!(sorted(&MEMORY, OPS, "1"), sorted(&other, other_ops, "2"));
}
