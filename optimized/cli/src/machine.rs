//! What this machine and this program are: without them a measurement says little.

use std::fs;
use std::thread;

use duoram_kernel::{Backend, Features};
use duoram_runtime::resources;
use serde::Serialize;

/// The program's version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that was checked out when the program was built; `unknown` outside of the repository.
pub const COMMIT: &str = env!("DUORAM_COMMIT");

/// The machine.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The CPU.
    pub cpu: String,
    /// Those of its features that some backend needs.
    pub features: Vec<&'static str>,
    /// How many threads can run at the same time.
    pub cores: Option<usize>,
    /// All of its memory, in bytes (Linux).
    pub memory_bytes: Option<u64>,
}

impl Machine {
    /// This one.
    pub fn this() -> Self {
        Self {
            cpu: cpu(),
            features: Features::detect().names().to_vec(),
            cores: thread::available_parallelism().ok().map(usize::from),
            memory_bytes: resources::total_bytes(),
        }
    }
}

/// The CPU as it names itself, with family and model: a virtual machine's name may say no more than `Xeon` (Linux).
pub fn cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    described(&text).unwrap_or_else(|| "unknown CPU".to_owned())
}

fn described(cpuinfo: &str) -> Option<String> {
    let field = |name: &str| {
        let mut fields = cpuinfo.lines().filter_map(|line| line.split_once(':'));
        fields.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
    };
    let name = field("model name")?;
    Some(match (field("cpu family"), field("model")) {
        (Some(family), Some(model)) => format!("{name} (family {family}, model {model})"),
        _ => name.to_owned(),
    })
}

/// What `--version` says: version and commit, and what was found of the CPU.
pub fn version() -> String {
    let machine = Machine::this();
    let features = if machine.features.is_empty() { "none".to_owned() } else { machine.features.join(" ") };
    let backends: Vec<_> =
        Backend::available(&Features::detect()).iter().map(|backend| backend.name().as_str()).collect();
    format!(
        "{VERSION} (commit {COMMIT})\nCPU:      {}\nfeatures: {features}\nbackends: {}, the first by default; reference",
        machine.cpu,
        backends.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_cpu_is_described() {
        let text =
            "processor\t: 0\ncpu family\t: 6\nmodel\t\t: 143\nmodel name\t: A CPU @ 2: GHz\nmodel\t: 7\n";
        assert_eq!(described(text).unwrap(), "A CPU @ 2: GHz (family 6, model 143)");
        assert_eq!(described("model name : B\n").unwrap(), "B");
        assert_eq!(described("processor : 0\n"), None);
    }
}
