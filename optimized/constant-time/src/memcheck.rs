//! `session PROTOCOL COMPUTATION LOG_SIZE ROW_WORDS [LEAK]`: a session that memcheck looks at. The computation is `reference`, `portable`
//! or `aesni`.

use duoram_kernel::{Backend, BackendName, Features, Workers};
use duoram_reference::lean::Lean;
use duoram_reference::two_party::TwoParty;
use duoram_reference::{Batch, Error, Paper};
use duoram_runtime::fast::Fast;
use duoram_runtime::local_computation::{Extent, LocalComputation};
use duoram_runtime::protocol::{Rules, Runs};

use crate::leak::Leak;
use crate::marks;
use crate::opened::Opens;
use crate::session::Session;
use crate::watched::Watched;

/// Every kind of operation on a memory of this size; the number of frames.
fn session<P: Opens + Runs<Watched<C>>, C: LocalComputation>(
    extent: Extent,
    compute: C,
    leak: Option<Leak>,
) -> Result<usize, Error> {
    let last = (1 << extent.log_size) - 1;
    let mut session = Session::<P>::start(extent, &Watched { compute, leak })?;
    session.preprocess(Batch { reads: 8, updates: 5 })?;
    session.read(&[last])?;
    session.read(&[0, last / 2])?;
    session.chase(1, 2)?;
    let [row_0, row_1, row_2] = [100, u64::MAX, 7].map(|first| session.row(first));
    session.update(&[(1, row_0), (last, row_1)])?;
    session.update(&[(0, row_2)])?;
    session.write(last / 3, session.row(5))?;
    session.swap(last / 5, session.row(6))?;
    session.read(&[last])?;
    // A second batch, of one operation.
    session.preprocess(Batch { reads: 1, updates: 0 })?;
    session.read(&[last / 3])?;
    Ok(session.frames())
}

/// The same, with a computation by its name.
fn named<P: Opens + Runs<Watched<Fast>> + Runs<Watched<<P as Rules>::Plain>>>(
    computation: &str,
    extent: Extent,
    leak: Option<Leak>,
) -> Result<usize, String> {
    let frames = if computation == "reference" {
        session::<P, _>(extent, P::Plain::default(), leak)
    } else {
        let named = BackendName::ALL.into_iter().find(|name| name.as_str() == computation);
        let name = named.ok_or_else(|| format!("no computation is called '{computation}'"))?;
        let backend = Backend::new(name, &Features::detect()).map_err(|error| error.to_string())?;
        let workers = Workers::new(1).map_err(|error| error.to_string())?;
        session::<P, _>(extent, Fast::new(backend, workers, 1 << 20), leak)
    };
    frames.map_err(|error| error.to_string())
}

/// The session, and what memcheck has found by its end.
///
/// # Errors
///
/// Of the arguments, or a party's.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let [protocol, computation, log_size, row_words, leak @ ..] = arguments else {
        return Err("expected PROTOCOL COMPUTATION LOG_SIZE ROW_WORDS [LEAK]".to_owned());
    };
    let log_size = log_size.parse().map_err(|_| format!("expected a depth, got '{log_size}'"))?;
    let row_words = row_words.parse().map_err(|_| format!("expected words of a row, got '{row_words}'"))?;
    let extent = Extent::of(log_size, row_words);
    let find = |name| Leak::ALL.into_iter().find(|leak| leak.name() == name);
    let leak = match leak.first() {
        Some(name) => Some(find(name.as_str()).ok_or_else(|| format!("no leak is called '{name}'"))?),
        None => None,
    };
    let frames = match protocol.as_str() {
        "paper" => named::<Paper>(computation, extent, leak)?,
        "lean" => named::<Lean>(computation, extent, leak)?,
        "two-party" => named::<TwoParty>(computation, extent, leak)?,
        _ => return Err(format!("no protocol is called '{protocol}'")),
    };
    let watched = if marks::under_valgrind() { "under valgrind" } else { "NOT under valgrind" };
    println!(
        "{protocol}, {computation}, h = {log_size}, w = {row_words}: {frames} frames, all results right, {watched}, errors: {}",
        marks::errors()
    );
    Ok(())
}
