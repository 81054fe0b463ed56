//! `session COMPUTATION LOG_SIZE [LEAK]`: a session that memcheck looks at. The computation is `reference`, `portable` or
//! `aesni`.

use crate::leak::Leak;
use crate::marks;
use crate::session::Session;
use crate::watched::Watched;
use duoram_kernel::{Backend, BackendName, Features, Workers};
use duoram_reference::{Batch, Compute, Plain};
use duoram_runtime::fast::Fast;

/// Every kind of operation on a memory of `2^log_size` words.
fn session<C: Compute + Clone>(
    log_size: u32,
    compute: C,
    leak: Option<Leak>,
) -> Result<usize, duoram_reference::Error> {
    let last = (1 << log_size) - 1;
    let mut session = Session::start(log_size, Watched { compute, leak })?;
    session.preprocess(Batch { reads: 7, updates: 4 })?;
    session.read(&[last])?;
    session.read(&[0, last / 2])?;
    session.chase(1, 2)?;
    session.update(&[(1, 100), (last, u64::MAX)])?;
    session.update(&[(0, 7)])?;
    session.write(last / 3, 5)?;
    session.read(&[last])?;
    // A second batch, of one operation.
    session.preprocess(Batch { reads: 1, updates: 0 })?;
    session.read(&[last / 3])?;
    Ok(session.frames())
}

/// The session, and what memcheck has found by its end.
///
/// # Errors
///
/// Of the arguments, or a party's.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let [computation, log_size, leak @ ..] = arguments else {
        return Err("expected COMPUTATION LOG_SIZE [LEAK]".to_owned());
    };
    let log_size = log_size.parse().map_err(|_| format!("expected a depth, got '{log_size}'"))?;
    let find = |name| Leak::ALL.into_iter().find(|leak| leak.name() == name);
    let leak = match leak.first() {
        Some(name) => Some(find(name.as_str()).ok_or_else(|| format!("no leak is called '{name}'"))?),
        None => None,
    };
    let done = if computation == "reference" {
        session(log_size, Plain, leak)
    } else {
        let named = BackendName::ALL.into_iter().find(|name| name.as_str() == computation);
        let name = named.ok_or_else(|| format!("no computation is called '{computation}'"))?;
        let backend = Backend::new(name, &Features::detect()).map_err(|error| error.to_string())?;
        let workers = Workers::new(1).map_err(|error| error.to_string())?;
        session(log_size, Fast::new(backend, workers, 1 << 20), leak)
    };
    let frames = done.map_err(|error| error.to_string())?;
    let watched = if marks::under_valgrind() { "under valgrind" } else { "NOT under valgrind" };
    println!(
        "{computation}, h = {log_size}: {frames} frames, all results right, {watched}, errors: {}",
        marks::errors()
    );
    Ok(())
}
