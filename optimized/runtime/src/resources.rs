//! What the operating system knows of this process. Where it does not say, the answer is `None`, never a guess.

use std::time::Duration;

/// The CPU time that this thread has used.
#[cfg(unix)]
pub fn thread_cpu_time() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
}

/// The CPU time that this thread has used: not known here.
#[cfg(not(unix))]
pub fn thread_cpu_time() -> Option<Duration> {
    None
}

/// The most memory that this process has had resident, in bytes (Linux).
pub fn peak_resident_bytes() -> Option<u64> {
    kilobytes_after("/proc/self/status", "VmHWM:")
}

/// The memory that the machine has left without swapping, in bytes (Linux).
pub fn available_bytes() -> Option<u64> {
    kilobytes_after("/proc/meminfo", "MemAvailable:")
}

fn kilobytes_after(path: &str, label: &str) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(label))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn linux_tells() {
        let before = thread_cpu_time().unwrap();
        assert!(peak_resident_bytes().unwrap() > 0);
        assert!(available_bytes().unwrap() > 0);
        assert!(thread_cpu_time().unwrap() > before);
    }
}
