//! What the operating system knows of this process. Where it does not say, the answer is `None`, never a guess.

use std::path::{Component, Path};
use std::time::Duration;

/// The CPU time that this thread has used.
#[cfg(unix)]
pub fn thread_cpu_time() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    duration(clock_gettime(ClockId::ThreadCPUTime))
}

/// The CPU time that this thread has used: not known here.
#[cfg(not(unix))]
pub fn thread_cpu_time() -> Option<Duration> {
    None
}

/// The CPU time that all threads of this process have used.
#[cfg(unix)]
pub fn process_cpu_time() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    duration(clock_gettime(ClockId::ProcessCPUTime))
}

/// The CPU time that all threads of this process have used: not known here.
#[cfg(not(unix))]
pub fn process_cpu_time() -> Option<Duration> {
    None
}

#[cfg(unix)]
fn duration(time: rustix::time::Timespec) -> Option<Duration> {
    Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
}

/// The most memory that this process has had resident, in bytes (Linux).
pub fn peak_resident_bytes() -> Option<u64> {
    kilobytes_after("/proc/self/status", "VmHWM:")
}

/// The memory that this process may still take without swapping or being stopped, in bytes (Linux): the least of what the
/// machine has left, what each control group around the process has left, and what its address space may grow by.
pub fn available_bytes() -> Option<u64> {
    let machine = kilobytes_after("/proc/meminfo", "MemAvailable:");
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok();
    let groups = groups.and_then(|groups| left_in_groups(Path::new("/sys/fs/cgroup"), &groups));
    [machine, groups, left_of_address_space()].into_iter().flatten().min()
}

/// The least that any control group of a process has left: `groups` is its `/proc/self/cgroup`, `root` where the hierarchies
/// are mounted. Limits hold for all groups below, so each ancestor counts.
fn left_in_groups(root: &Path, groups: &str) -> Option<u64> {
    let left = groups.lines().filter_map(|line| {
        let (_, line) = line.split_once(':')?;
        let (controllers, group) = line.split_once(':')?;
        let (mount, files) = match controllers {
            "" => (root.to_owned(), &VERSION_2),
            _ if controllers.split(',').any(|controller| controller == "memory") => {
                (root.join("memory"), &VERSION_1)
            }
            _ => return None,
        };
        // In a container the group may be named from outside: then what is mounted is the group itself.
        let group = mount.join(group.trim_start_matches('/'));
        let outside = group.components().any(|part| part == Component::ParentDir);
        let group = if group.is_dir() && !outside { group } else { mount.clone() };
        let around = group.ancestors().take_while(|group| group.starts_with(&mount));
        around.filter_map(|group| files.left(group)).min()
    });
    left.min()
}

/// The files of a control group that tell of memory.
struct GroupFiles {
    limit: &'static str,
    used: &'static str,
    /// Of `memory.stat`: pages of files that are given back as soon as somebody wants them, but count as used.
    cached: &'static str,
}

const VERSION_2: GroupFiles =
    GroupFiles { limit: "memory.max", used: "memory.current", cached: "inactive_file " };
const VERSION_1: GroupFiles = GroupFiles {
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    cached: "total_inactive_file ",
};

impl GroupFiles {
    /// What a group has left of its limit; `None` if it has none, which version 2 writes as `max`, and version 1 as a number
    /// beyond any machine.
    fn left(&self, group: &Path) -> Option<u64> {
        let read = |file: &str| std::fs::read_to_string(group.join(file)).ok();
        let number = |file: &str| read(file)?.trim().parse::<u64>().ok();
        let cached = || {
            let stat = read("memory.stat")?;
            stat.lines().find_map(|line| line.strip_prefix(self.cached))?.trim().parse::<u64>().ok()
        };
        let used = number(self.used)?.saturating_sub(cached().unwrap_or_default());
        Some(number(self.limit)?.saturating_sub(used))
    }
}

/// What the address space may grow by under `ulimit -v`.
#[cfg(target_os = "linux")]
fn left_of_address_space() -> Option<u64> {
    let limit = rustix::process::getrlimit(rustix::process::Resource::As).current?;
    Some(limit.saturating_sub(kilobytes_after("/proc/self/status", "VmSize:")?))
}

#[cfg(not(target_os = "linux"))]
fn left_of_address_space() -> Option<u64> {
    None
}

/// All the memory of the machine, in bytes (Linux).
pub fn total_bytes() -> Option<u64> {
    kilobytes_after("/proc/meminfo", "MemTotal:")
}

fn kilobytes_after(path: &str, label: &str) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(label))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn linux_tells() {
        let before = thread_cpu_time().unwrap();
        assert!(peak_resident_bytes().unwrap() > 0);
        assert!(total_bytes().unwrap() >= available_bytes().unwrap());
        assert!(available_bytes().unwrap() > 0);
        assert!(thread_cpu_time().unwrap() > before);
        assert!(process_cpu_time().unwrap() >= thread_cpu_time().unwrap());
    }

    fn group(folder: &Path, files: &[(&str, &str)]) {
        fs::create_dir_all(folder).unwrap();
        for (file, text) in files {
            fs::write(folder.join(file), text).unwrap();
        }
    }

    #[test]
    fn the_tightest_of_nested_groups_counts() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        group(&root.join("a"), &[("memory.max", "1000\n"), ("memory.current", "900\n")]);
        group(&root.join("a/b"), &[("memory.max", "max\n"), ("memory.current", "700\n")]);
        group(&root.join("a/b/c"), &[("memory.max", "500\n"), ("memory.current", "100\n")]);
        assert_eq!(left_in_groups(root, "0::/a/b/c\n"), Some(100));
        assert_eq!(left_in_groups(root, "0::/a/b\n"), Some(100));
        group(&root.join("a"), &[("memory.stat", "anon 400\ninactive_file 450\n")]);
        assert_eq!(left_in_groups(root, "0::/a/b/c\n"), Some(400), "the cache of files is given back");
        assert_eq!(left_in_groups(root, "0::/\n"), None, "no limit");
        group(&root.join("a"), &[("memory.current", "2000\n")]);
        assert_eq!(left_in_groups(root, "0::/a\n"), Some(0), "above the limit");
    }

    #[test]
    fn groups_of_version_1_count() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let unlimited =
            [("memory.limit_in_bytes", "9223372036854771712\n"), ("memory.usage_in_bytes", "5\n")];
        group(&root.join("memory"), &unlimited);
        let groups = "5:cpu,cpuacct:/x\n4:memory:/docker/1\n0::/\n";
        assert_eq!(left_in_groups(root, groups), Some(9_223_372_036_854_771_707));
        let limited = [("memory.limit_in_bytes", "300\n"), ("memory.usage_in_bytes", "120\n")];
        group(&root.join("memory/docker/1"), &limited);
        assert_eq!(left_in_groups(root, groups), Some(180));
    }

    /// In a container the name of the group is that outside, and the mount is the group.
    #[test]
    fn a_group_that_is_not_below_the_mount_is_the_mount() {
        let root = tempfile::tempdir().unwrap();
        group(root.path(), &[("memory.max", "80"), ("memory.current", "30")]);
        assert_eq!(left_in_groups(root.path(), "0::/kubepods/pod1"), Some(50));
        assert_eq!(left_in_groups(root.path(), "0::/../../other"), Some(50));
    }
}
