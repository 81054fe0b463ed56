//! The lean protocol's kernels against PROTOCOL.md, part two, written down naively: every backend, sizes below those of the output
//! layers, of a register, of a block and above, all shifts of small memories, and with the feature `threads` one to three threads.
#![allow(missing_docs)]
#![allow(clippy::cast_possible_truncation)] // words are taken from blocks by casts

mod fewer;
mod growth;
mod naive;
mod online;
mod protocol;
mod rows;

use duoram_kernel::{Backend, BackendName, Features, Kernels, Workers};

/// Every backend as it is on a CPU whose memory is asked for ahead; and those with VAES a second time as on one that foresees what is read,
/// `vaes256` then without GFNI.
fn backends() -> Vec<Backend> {
    let features = Features::detect().foreseeing(false);
    let mut backends = Backend::available(&features);
    let foreseeing = features.foreseeing(true);
    backends.extend(Backend::new(BackendName::Vaes512, &foreseeing));
    backends.extend(Backend::new(BackendName::Vaes256, &foreseeing.without("gfni")));
    backends
}

/// Every backend with every number of threads.
fn each(mut body: impl FnMut(&Kernels<'_>, &str)) {
    #[cfg(feature = "threads")]
    let all_workers: Vec<_> = (1..=3).map(|threads| Workers::new(threads).unwrap()).collect();
    #[cfg(not(feature = "threads"))]
    let all_workers = [Workers::one()];
    for workers in all_workers {
        for backend in backends() {
            // Software AES has nothing unsafe in it, and takes Miri too long.
            if !(cfg!(miri) && backend.name() == BackendName::Portable) {
                let kernels = Kernels::new(backend, naive::PRG_KEY, &workers);
                body(&kernels, &format!("{}, {} threads", kernels.backend().name(), kernels.threads()));
            }
        }
    }
}

/// Depths: all small ones, and one with several blocks.
fn log_sizes() -> impl Iterator<Item = usize> {
    (0..=12).chain([16]).filter(|h| !cfg!(miri) || [0, 2, 5, 8, 10].contains(h))
}
