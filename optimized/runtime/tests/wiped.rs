//! Secrets are wiped before their memory goes back to the allocator: every backend's, and those of parties in threads.

use duoram_kernel::{Backend, Features, Workers};
use duoram_reference::{Paper, Parameters};
use duoram_runtime::fast::Fast;
use duoram_runtime::seed::Seeds;
use duoram_runtime::session::Session;
use duoram_runtime::transport::Transport;
use duoram_watching::session::{
    BATCH, SEEDS, SESSION, fail_after, memory_shares, operations, scrub_stack, secrets, started,
};
use duoram_watching::{assert_none, assert_watching, found, lean};

/// The kernels, in the thread of the party that uses them.
fn fast(backend: Backend) -> Fast {
    Fast::new(backend, Workers::new(1).unwrap(), 1 << 20)
}

/// Three parties in threads, through all that the owner can ask for.
fn session(log_size: u32, compute: &Fast) -> Result<(), duoram_runtime::Error> {
    // The padding of a new channel takes along what kernels left on this thread's stack, when the parties were all in it.
    scrub_stack();
    let parameters = Parameters::new(SESSION, log_size).unwrap();
    let seeds = Seeds { client: [0; 32], parties: SEEDS, session: SESSION };
    let mut session =
        Session::start::<Paper, _>(parameters, &seeds, |_| compute.clone(), Transport::Memory, false)?;
    session.connect()?;
    session.load(memory_shares(log_size))?;
    session.preprocess(BATCH)?;
    session.read([vec![1, 2], vec![3, 4]])?;
    session.chase(Some([1, 2]), 1, false)?;
    session.chase(None, 1, true)?;
    session.update([vec![1, 2], vec![3, 4]])?;
    session.write([vec![1, 3], vec![2, 4]])?;
    Ok(())
}

/// One test: the allocator is the whole program's.
#[test]
fn freed_memory_holds_no_secrets() {
    // One block of leaves, with errors midway; and several blocks, below a stored level.
    for (log_size, errors_after) in [(5, &[0, 1, 2, 3, 4, 9, 10][..]), (12, &[])] {
        let secrets = secrets(log_size);
        assert_watching(&secrets);
        // A party's thread is given its seed by value. What is left of it on that thread's stack is out of reach, and may be
        // moved to the heap with the unused bytes of a reply.
        let mut in_threads = secrets.clone();
        in_threads.retain(|word| !SEEDS.iter().any(|seed| seed.starts_with(&word.to_le_bytes())));
        for backend in Backend::available(&Features::detect()) {
            let what = format!("{}, h = {log_size}", backend.name());
            let compute = fast(backend);
            let whole =
                found(&secrets, || operations(&mut started(log_size, compute.clone()).unwrap()).unwrap());
            assert_none(whole, &format!("{what}, a session"));
            for &deliveries in errors_after {
                let stopped = found(&secrets, || {
                    let mut session = started(log_size, compute.clone()).unwrap();
                    assert!(fail_after(&mut session, deliveries).is_err());
                });
                assert_none(stopped, &format!("{what}, an error after {deliveries} deliveries"));
            }
            let of_lean = lean::secrets(log_size, 1);
            let whole = found(&of_lean, || {
                lean::operations(&mut lean::started(log_size, 1, compute.clone()).unwrap(), 1).unwrap();
            });
            assert_none(whole, &format!("{what}, a lean session"));
            for &deliveries in errors_after {
                let stopped = found(&of_lean, || {
                    let mut session = lean::started(log_size, 1, compute.clone()).unwrap();
                    assert!(fail_after(&mut session, deliveries).is_err());
                });
                assert_none(stopped, &format!("{what}, an error after {deliveries} lean deliveries"));
            }
            let threaded = found(&in_threads, || session(log_size, &compute).unwrap());
            assert_none(threaded, &format!("{what}, parties in threads"));
        }
    }
}
