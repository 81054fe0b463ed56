//! What the benches measure with.

use duoram_kernel::Kernels;

/// CPU time of this thread, which is the only one: what others do to the machine is not counted.
#[cfg(unix)]
fn now() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// Wall time, where the system tells no better.
#[cfg(not(unix))]
fn now() -> f64 {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed().as_secs_f64() * 1e9
}

/// Of some work.
pub(crate) fn nanoseconds(work: impl FnOnce()) -> f64 {
    let start = now();
    work();
    now() - start
}

/// The middle one of a few.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The time of an AES call.
pub(crate) fn aes_call(kernels: &Kernels<'_>) -> f64 {
    let mut calls = 0;
    nanoseconds(|| calls = kernels.run_aes_limit(400)) / calls as f64
}
