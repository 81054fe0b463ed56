//! Which local computation is used, and with what.

use std::fmt;

use clap::ValueEnum;
use clap::builder::RangedU64ValueParser;

use crate::Error;
use crate::byte_count::ByteCount;
use duoram_kernel::{Backend, BackendName, Features, Workers};
use duoram_runtime::budget::DEFAULT_TREE_BYTES;
use duoram_runtime::fast::Fast;

/// The local computation to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum BackendChoice {
    /// The fastest that this CPU has.
    #[default]
    Auto,
    /// Kernels without special instructions: AES in software, bit by bit.
    Portable,
    /// Kernels with AES-NI, 128 bits at a time.
    Aesni,
    /// Kernels with VAES and AVX2, 256 bits at a time.
    Vaes256,
    /// Kernels with VAES and AVX-512, 512 bits at a time.
    Vaes512,
    /// The reference's own computation, over the paper's own state.
    Reference,
}

impl fmt::Display for BackendChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_possible_value().map_or(Ok(()), |value| formatter.write_str(value.get_name()))
    }
}

impl From<BackendName> for BackendChoice {
    fn from(name: BackendName) -> Self {
        match name {
            BackendName::Portable => Self::Portable,
            BackendName::AesNi => Self::Aesni,
            BackendName::Vaes256 => Self::Vaes256,
            BackendName::Vaes512 => Self::Vaes512,
        }
    }
}

impl Default for Computation {
    fn default() -> Self {
        Self { backend: BackendChoice::Auto, threads: 1, memory_limit: ByteCount(DEFAULT_TREE_BYTES) }
    }
}

/// The options about it.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Computation {
    /// The local computation.
    #[arg(long, value_enum, default_value_t)]
    pub backend: BackendChoice,
    /// Threads for each operation. Results do not depend on it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = RangedU64ValueParser::<u16>::new().range(1..=1024))]
    pub threads: u16,
    /// Bytes that each primary may take for the labels of trees in flight, such as 512M, 1.5G or 5GB; with less, kernels
    /// compute more again, and the reference prepares in more batches. What cannot be done without is taken all the same: by
    /// kernels 48 bytes an item of the batch, by the reference 72 bytes a word of the memory.
    #[arg(long, value_name = "BYTES", default_value_t = ByteCount(DEFAULT_TREE_BYTES))]
    pub memory_limit: ByteCount,
}

impl Computation {
    /// The kernels of a backend with these options.
    ///
    /// # Errors
    ///
    /// [`Error::Threads`].
    pub fn fast(&self, backend: Backend) -> Result<Fast, Error> {
        let workers = Workers::new(usize::from(self.threads)).map_err(|source| Error::Threads { source })?;
        Ok(Fast::new(backend, workers, self.memory_limit.0))
    }

    /// The chosen kernels; `None` for the reference.
    ///
    /// # Errors
    ///
    /// [`Error::Backend`] if the CPU lacks what they need, [`Error::Threads`].
    pub fn chosen(&self) -> Result<Option<Fast>, Error> {
        let features = Features::detect();
        let named = |name| Backend::new(name, &features);
        let backend = match self.backend {
            BackendChoice::Reference => return Ok(None),
            BackendChoice::Auto => Backend::best(&features),
            BackendChoice::Portable => named(BackendName::Portable)?,
            BackendChoice::Aesni => named(BackendName::AesNi)?,
            BackendChoice::Vaes256 => named(BackendName::Vaes256)?,
            BackendChoice::Vaes512 => named(BackendName::Vaes512)?,
        };
        self.fast(backend).map(Some)
    }
}
