//! `ci/model-check`: the models have the outcomes that `proofs/tla/models.tsv` lists, real runs are behaviours of the model, and
//! traces that were tampered with are found out at the line where they must be.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::answers::Question;
use crate::error::{Error, Result, found};
use crate::pairs::two_at_a_time;
use crate::tlc::Tlc;
use crate::validate::{self, Validator, Verdict};
use crate::{files, process, tampered};

pub(crate) mod model;
pub(crate) mod seen;

use model::Model;
use seen::Seen;

/// Without an option: the models of ci/test, and traces. ci/test has them in two steps, for models need nothing that is compiled.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Larger models instead, for hours: those that were not seen as they now are.
    #[arg(long, conflicts_with = "models")]
    deep: bool,
    /// Stop each of these after so long: nothing was wrong up to there, which is kept as what it is.
    #[arg(long, requires = "deep")]
    seconds: Option<u64>,
    /// Only these models, or all of ci/test if none is named, and no traces.
    #[arg(long, num_args = 0.., value_name = "NAME")]
    models: Option<Vec<String>>,
    /// Only traces.
    #[arg(long, conflicts_with_all = ["deep", "models"])]
    traces: bool,
}

impl Arguments {
    /// The models that were named, if any.
    fn named(&self) -> &[String] {
        self.models.as_deref().unwrap_or_default()
    }
}

const LIST: &str = "proofs/tla/models.tsv";
const MODELS: &str = "target/tla/models";
const TRACES: &str = "target/tla/traces";
const ACTIONS: [&str; 7] = ["Start", "Receive", "Write", "Crash", "Restart", "AnswerLate", "Finished"];

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let list = files::read(LIST)?;
    let models = chosen(model::parse(&list)?, arguments)?;
    let tlc = Tlc::installed()?;
    let mut disagreements = 0;
    if !arguments.traces {
        disagreements += explored(&tlc, &models, arguments)?;
    }
    if arguments.models.is_none() {
        disagreements += traced(&tlc, arguments.deep)?;
    }
    if disagreements == 0 { Ok(()) } else { Err(Error::Shown) }
}

fn chosen<'a>(mut models: Vec<Model<'a>>, arguments: &Arguments) -> Result<Vec<Model<'a>>> {
    let names = arguments.named();
    if let Some(name) = names.iter().find(|&name| models.iter().all(|model| model.name != name)) {
        return found(format!("no model is called {name}"));
    }
    models.retain(|model| match (names, arguments.deep) {
        ([], deep) => (model.set == "deep") == deep,
        (names, _) => names.iter().any(|name| name == model.name),
    });
    Ok(models)
}

/// Runs models, and prints a row of each. How many outcomes are not as expected, and, unless some models were named, how many actions no
/// model takes.
fn explored(tlc: &Tlc, models: &[Model<'_>], arguments: &Arguments) -> Result<usize> {
    let started = Instant::now();
    files::emptied(MODELS)?;
    println!(
        "{:<31} {:<9} {:<18} {:<18} {:<22} {:>9} {:>5}    outcome",
        "model", "", "programs", "constants", "fault", "states", ""
    );
    let (mut disagreements, mut taken) = (0, BTreeMap::new());
    let mut seen = Seen::read()?;
    for model in models {
        // What is small is not kept.
        let what = (model.set == "deep").then(|| seen::of_what(model, &tlc.jar)).transpose()?;
        let asked = what.as_ref().filter(|_| arguments.deep);
        let before = asked.and_then(|what| seen.when(model.name, what, arguments.seconds));
        if let Some(row) = before {
            let part = if row.is_whole() { "" } else { ", not all" };
            println!(
                "{:<31} {:<9} {} states{part}, seen on {}",
                model.name, model.protocol, row.states, row.day
            );
            continue;
        }
        let begin = Instant::now();
        let (log, agrees) = explore(tlc, model, arguments.seconds)?;
        disagreements += usize::from(!agrees);
        if let Some(what) = what.filter(|_| agrees) {
            let [states, left] = [model::states(&log), model::left(&log)]
                .map(|number| number.unwrap_or_else(|| "?".to_string()));
            let seconds = begin.elapsed().as_secs();
            seen.put(model.name, seen::Row { what, states, left, seconds, day: process::today()? })?;
        }
        for (action, states) in model::coverage(&log) {
            *taken.entry(action).or_insert(0) += states;
        }
    }
    println!();
    // Of the large ones, the one that counts actions may have been seen before.
    if arguments.named().is_empty() && !(arguments.deep && taken.is_empty()) {
        disagreements += never_taken(&taken, arguments.deep);
    }
    let (count, seconds) = (models.len(), started.elapsed().as_secs());
    println!("\nci/model-check: {count} models; {disagreements} disagreements; {seconds} s");
    Ok(disagreements)
}

/// Validates traces: of real runs, of runs with crashes, and such as were tampered with. How many are not judged as expected.
fn traced(tlc: &Tlc, deep: bool) -> Result<usize> {
    let started = Instant::now();
    files::emptied(TRACES)?;
    println!();
    let validator = Validator::new(tlc)?;
    let real = real_traces()?;
    let mut disagreements = usize::from(!validator.all(&real)?);
    let small = small_traces()?;
    let crashed = crashed_traces(&small)?;
    disagreements += usize::from(!validator.all(&crashed)?);
    let (tampered, unexpected) = tampered_traces(&validator, &small, &crashed, deep)?;
    disagreements += unexpected + faults_in_traces(&validator, &crashed)?;
    println!(
        "\nci/model-check: {} real traces, {} crashed, {tampered} tampered; {disagreements} disagreements; {} s",
        real.len(),
        crashed.len(),
        started.elapsed().as_secs()
    );
    Ok(disagreements)
}

/// Runs TLC on a model, for so many seconds if a number is given, and prints its row; what TLC printed, and whether the outcome is as
/// listed.
fn explore(tlc: &Tlc, model: &Model<'_>, seconds: Option<u64>) -> Result<(String, bool)> {
    let begin = Instant::now();
    let at = |extension: &str| Path::new(MODELS).join(format!("{}{extension}", model.name));
    files::write(at(".cfg"), model.configuration())?;
    let question = Question::new("model")?.with_files(Path::new("proofs/tla"), "tla")?;
    let question = question.with(tlc.jar.as_bytes()).with(model.configuration().as_bytes());
    let (java, options) = model.options();
    let stop = seconds.map(|seconds| format!("-Dtlc2.TLC.stopAfter={seconds}"));
    let java: Vec<&str> = java.iter().copied().chain(stop.as_deref()).collect();
    let mut tlc = tlc.command(&java)?;
    tlc.args(["-workers", "2", "-difftrace"]).args(options);
    tlc.arg("-metadir").arg(at("")).arg("-config").arg(at(".cfg"));
    tlc.arg("proofs/tla/Programs.tla");
    let before = question.answered()?;
    let log = match &before {
        Some(log) => log.clone(),
        None => process::run(&mut tlc)?.all(),
    };
    files::write(at(".log"), &log)?;
    if at("").exists() {
        fs::remove_dir_all(at("")).map_err(Error::file(&at("")))?;
    }
    let outcome = model::outcome(&log).unwrap_or_else(|| "failed".to_string());
    let agrees = outcome == model.expected;
    let left = model::left(&log).filter(|left| left != "0" && outcome == "passes");
    if agrees && before.is_none() && left.is_none() {
        question.remember(&log)?;
    }
    println!(
        "{:<31} {:<9} {:<18} h={:<2} w={} crashes={} {:<22} {:>9} {:>5} s  {outcome}{}{}",
        model.name,
        model.protocol,
        model.programs,
        model.depth,
        model.window,
        model.crashes,
        model.fault,
        model::states(&log).as_deref().unwrap_or("?"),
        begin.elapsed().as_secs(),
        left.map_or_else(String::new, |left| format!(" so far, {left} states are left")),
        match (agrees, before) {
            (true, None) => String::new(),
            (true, Some(_)) => ", as before: nothing has changed".to_string(),
            (false, _) => format!("  <-- expected {} (see {})", model.expected, at(".log").display()),
        }
    );
    Ok((log, agrees))
}

/// Every action was taken in some model that counts them: nothing that is checked is checked of nothing.
fn never_taken(taken: &BTreeMap<String, u64>, deep: bool) -> usize {
    let mut never = 0;
    for action in ACTIONS {
        let states = taken.get(action).copied().unwrap_or(0);
        println!("action {action:<12} {states:>9} states");
        // The late answer is a fault: no model of the protocol takes it.
        if states == 0 && !(deep && action == "AnswerLate") {
            println!("  <-- never taken");
            never += 1;
        }
    }
    never
}

fn duoram(arguments: &[&str], trace: &Path) -> Result<()> {
    let mut program = Command::new(validate::target().join("release/duoram"));
    process::check(program.arg("run").args(arguments).arg("--trace").arg(trace)).map(drop)
}

const PROTOCOLS: [&str; 3] = ["paper", "lean", "two-party"];

/// Of runs of all protocols, with every transport, by the reference and by the fastest backend; of two parties by the reference,
/// whose PIR is the model's.
fn real_traces() -> Result<Vec<PathBuf>> {
    process::check(Command::new("cargo").args(["build", "--quiet", "--release", "-p", "duoram"]))?;
    let mut traces = Vec::new();
    for protocol in PROTOCOLS {
        let backends = if protocol == "two-party" { &["reference"][..] } else { &["reference", "auto"] };
        for &backend in backends {
            for transport in ["memory", "tcp"] {
                let trace = Path::new(TRACES).join(format!("{protocol}-{backend}-{transport}.ndjson"));
                duoram(&["--protocol", protocol, "--backend", backend, "--transport", transport], &trace)?;
                traces.push(trace);
            }
        }
    }
    Ok(traces)
}

/// The trace of a small run of each protocol.
fn small_traces() -> Result<Vec<PathBuf>> {
    let memory: Vec<u8> = (0..32).collect();
    let (memory_file, ops) = (format!("{TRACES}/memory.bin"), format!("{TRACES}/small.ops"));
    files::write(&memory_file, memory)?;
    files::write(&ops, "read 1\nupdate 2 5\nwrite 3 7\nchase 0 2\n")?;
    PROTOCOLS
        .iter()
        .map(|protocol| {
            let small = Path::new(TRACES).join(format!("{protocol}-small.ndjson"));
            let by = ["--protocol", protocol, "--backend", "reference"];
            duoram(&[&by[..], &["--memory", &memory_file, "--ops", &ops]].concat(), &small)?;
            Ok(small)
        })
        .collect()
}

/// The seeds of the crashed runs; tampering finds a place in those of the last.
const SEEDS: [&str; 2] = ["1", "2"];

/// The same runs with disks and crashes: after all inputs with one lane, after commands with two. Of each protocol in turn.
fn crashed_traces(small: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut traces = Vec::new();
    for seed in SEEDS {
        for rule in [&[][..], &["--after-commands", "--lanes"]] {
            for (protocol, small) in PROTOCOLS.iter().zip(small) {
                let mut crash = Command::new(validate::target().join("debug/duoram-crash"));
                let text = process::check(crash.arg(small).args(["--seed", seed]).args(rule))?;
                let trace =
                    Path::new(TRACES).join(format!("{protocol}-crashed{}-{seed}.ndjson", rule.concat()));
                files::write(&trace, text)?;
                traces.push(trace);
            }
        }
    }
    Ok(traces)
}

/// The ways to tamper that have a place only where there are disks.
const OF_DISKS: [&str; 6] =
    ["acknowledged-early", "spoken-early", "written-early", "item-restored", "down-acts", "restart-twice"];

/// Tampers in each way with the trace of a small run of each protocol, or of a crashed one; each way with one protocol, these in
/// turn, unless it is `deep`. How many traces there are, and how many are not found out where they must be.
fn tampered_traces(
    validator: &Validator<'_>,
    small: &[PathBuf],
    crashed: &[PathBuf],
    deep: bool,
) -> Result<(usize, usize)> {
    let ways = tampered::ways()?;
    let crashed = &crashed[crashed.len() - PROTOCOLS.len()..];
    let mut tampered = Vec::new();
    for (turn, ((protocol, small), crashed)) in PROTOCOLS.iter().zip(small).zip(crashed).enumerate() {
        for (_, way) in ways.iter().enumerate().filter(|(i, _)| deep || i % PROTOCOLS.len() == turn) {
            tampered.push((protocol, way, if OF_DISKS.contains(&way.as_str()) { crashed } else { small }));
        }
    }
    let outcomes = two_at_a_time(&tampered, |(protocol, way, whole)| {
        let trace = Path::new(TRACES).join(format!("{protocol}-{way}.ndjson"));
        tampered::judge(validator, way, whole, &trace)
    })?;
    let mut unexpected = 0;
    for ((protocol, way, _), outcome) in tampered.iter().zip(&outcomes) {
        unexpected += usize::from(!outcome.agrees());
        println!("tampered {protocol:<5} {way:<22} {outcome}");
    }
    Ok((tampered.len(), unexpected))
}

/// Faults that leave the lines of a crashed run as they are: they show in the invariants, which are checked on every trace.
const FAULTS: [(&str, &str); 2] =
    [("stream-not-restored", "NeverTwice"), ("torn-snapshot", "StatesBelongTogether")];

/// How many of them do not show.
fn faults_in_traces(validator: &Validator<'_>, crashed: &[PathBuf]) -> Result<usize> {
    let last_shown = two_at_a_time(&FAULTS, |(fault, expected)| {
        let mut shown = None;
        for trace in crashed {
            shown = Some(validator.judge_with(fault, trace)?);
            if matches!(&shown, Some(Verdict::Violates(_, by)) if by == expected) {
                break;
            }
        }
        Ok(shown)
    })?;
    let mut hidden = 0;
    for ((fault, expected), shown) in FAULTS.into_iter().zip(last_shown) {
        let agrees = matches!(&shown, Some(Verdict::Violates(_, by)) if by == expected);
        hidden += usize::from(!agrees);
        println!(
            "fault in a crashed run {fault:<22} {}{}",
            shown.map_or_else(String::new, |verdict| verdict.to_string()),
            if agrees { String::new() } else { format!("  <-- expected: {expected}") }
        );
    }
    Ok(hidden)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "model\tset\na\tbase\tpaper\tP\t1\t1\t1\t1\t0\t0\t1\tinputs\t{1}\tnone\tinvariants\tpasses\n\
                        b\tdeep\tlean\tP\t1\t1\t1\t1\t0\t0\t1\tinputs\t{1}\tnone\tinvariants\tpasses\n";

    #[test]
    fn models_are_chosen_by_set_or_name() {
        let names = |deep, models: Option<&[&str]>| {
            let models = models.map(|names| names.iter().map(ToString::to_string).collect());
            let arguments = Arguments { deep, seconds: None, models, traces: false };
            let chosen = chosen(model::parse(LIST).unwrap(), &arguments);
            chosen
                .map(|models| models.iter().map(|model| model.name).collect::<String>())
                .map_err(|e| e.to_string())
        };
        assert_eq!(names(false, None).unwrap(), "a");
        assert_eq!(names(false, Some(&[])).unwrap(), "a");
        assert_eq!(names(true, None).unwrap(), "b");
        assert_eq!(names(false, Some(&["b", "a"])).unwrap(), "ab");
        assert_eq!(names(false, Some(&["c"])).unwrap_err(), "no model is called c");
    }

    #[test]
    fn an_action_that_no_model_takes_is_counted() {
        let mut taken: BTreeMap<_, _> = ACTIONS.iter().map(|action| ((*action).to_string(), 1)).collect();
        assert_eq!(never_taken(&taken, false), 0);
        taken.remove("AnswerLate");
        assert_eq!((never_taken(&taken, true), never_taken(&taken, false)), (0, 1));
        taken.insert("Crash".to_string(), 0);
        assert_eq!(never_taken(&taken, true), 1);
    }
}
