//! `statistics`: times READs with one fixed key and with random keys, for every backend of this CPU, VAES included, and tells whether the
//! two differ. A leaky READ must.
//!
//! What it can show is limited: a difference that is smaller than the noise of this machine, or that shows between other
//! classes than these two, is not seen.

use crate::leak::Leak;
use crate::watched::Watched;
use crate::welch::t;
use duoram_kernel::{Backend, Features, Workers};
use duoram_reference::{Compute, Correction, DpfShare, Plain, ReadQuery, Role, SessionKey};
use duoram_runtime::fast::Fast;
use duoram_vectors::Random;

const LOG_SIZE: u32 = 10;
const CALLS: usize = 5_000;
/// Beyond this, dudect calls a difference certain.
const CERTAIN: f64 = 10.0;

fn key(words: &mut Random) -> DpfShare {
    let mut correction = || {
        let flags = words.word();
        Correction { word: words.block() & !1, left_flag: flags & 1 == 1, right_flag: flags & 2 == 2 }
    };
    let corrections = (0..LOG_SIZE).map(|_| correction()).collect();
    DpfShare::for_test(words.block(), corrections, words.word())
}

/// t for READs of a computation.
fn read<C: Compute>(compute: &C) -> f64 {
    let (mut words, session_key) = (Random(2), SessionKey::new(*b"a key for timing"));
    let mut vector = || (0..1 << LOG_SIZE).map(|_| words.word()).collect::<Vec<_>>();
    let memory = compute.primary_memory(vector(), vector(), vector());
    let mut random = Random(3);
    let make = |class: bool| {
        // The fixed class makes a key of its own each time too.
        let mut fixed = Random(4);
        let source = if class { &mut random } else { &mut fixed };
        [ReadQuery { read: key(source), refresh: key(source), shift: 5 }]
    };
    t(CALLS, make, |queries| compute.read(&session_key, Role::P0, &memory, queries))
}

/// The smallest of three: what is there shows every time.
fn report<C: Compute>(name: &str, compute: &C) -> f64 {
    let all = [0; 3].map(|_| read(compute).abs());
    let least = all.into_iter().fold(f64::INFINITY, f64::min);
    println!("{name:<24} |t| = {:>7.1} {:>7.1} {:>7.1}", all[0], all[1], all[2]);
    least
}

/// All backends of this CPU, and the reference.
///
/// # Errors
///
/// Whose times differ, or that nothing can be told.
pub(crate) fn run() -> Result<(), String> {
    let mut differing = Vec::new();
    for backend in Backend::available(&Features::detect()) {
        let workers = Workers::new(1).map_err(|error| error.to_string())?;
        let name = backend.name().as_str();
        if report(name, &Fast::new(backend, workers, 1 << 20)) > CERTAIN {
            differing.push(name);
        }
    }
    if report("reference", &Plain) > CERTAIN {
        differing.push("reference");
    }
    let leaky = report("reference, made leaky", &Watched { compute: Plain, leak: Some(Leak::Branch) });
    if leaky <= CERTAIN {
        return Err(
            "a leaky READ was not told apart: this machine is too noisy, and nothing above means much"
                .to_owned(),
        );
    }
    if differing.is_empty() {
        Ok(())
    } else {
        Err(format!("times depend on the key: {}", differing.join(", ")))
    }
}
