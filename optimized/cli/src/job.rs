//! This process as one of an MPI job: worker 0 is the party, or all parties of a run, and the others do what it tells them.

use duoram_runtime::fast::Fast;
use duoram_runtime::store::RangeFolders;
#[cfg(feature = "mpi")]
use duoram_shards::{Collective as _, Cut, Mpi, Sharded, serve};

use crate::Error;
use crate::workers::{Crew, Workers};

/// The job that this process was started in, as those who start such jobs tell their processes.
pub struct Job {
    /// Which of the processes this is.
    pub rank: usize,
    /// How many there are.
    pub size: usize,
    /// Of the workers.
    #[cfg(feature = "mpi")]
    cut: Cut,
}

impl Job {
    /// `None` if the process was started alone.
    pub fn this() -> Option<Self> {
        let number = |name: &str| std::env::var(name).ok()?.parse::<usize>().ok();
        let of = |rank, size| Some((number(rank)?, number(size)?));
        // Open MPI; MPICH, Intel MPI and Slurm by PMI.
        let (rank, size) =
            of("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE").or_else(|| of("PMI_RANK", "PMI_SIZE"))?;
        Some(Self {
            rank,
            size,
            #[cfg(feature = "mpi")]
            cut: Cut::even(size),
        })
    }

    /// Whether this is a process that does what another one tells it.
    pub fn is_worker() -> bool {
        Self::this().is_some_and(|job| job.rank > 0)
    }

    /// The job with workers as the options say.
    #[cfg(feature = "mpi")]
    pub(crate) fn of(self, options: &Workers) -> Result<Option<Self>, Error> {
        let (expected, shares) = (self.size, options.shares.len());
        let got = options.count.unwrap_or(if shares == 0 { expected } else { shares });
        if got != expected {
            return Err(Error::Processes { expected, got });
        }
        let cut = if shares == 0 { Cut::even(expected) } else { Cut::new(options.shares.clone(), expected)? };
        Ok(Some(Self { cut, ..self }))
    }

    /// A program without MPI can be one of one process, and of no more: each would do everything.
    #[cfg(not(feature = "mpi"))]
    pub(crate) fn of(self, options: &Workers) -> Result<Option<Self>, Error> {
        match (self.size, options.count.is_none() && options.shares.is_empty()) {
            (1, true) => Ok(None),
            (size, _) => Err(Error::NoMpi { rank: self.rank, size }),
        }
    }

    /// Takes part in it: at rank 0 the workers, at the others the end of their work.
    ///
    /// # Errors
    ///
    /// [`Error::Workers`], and what the kernels' choice may say. What happens at any process later ends all of them.
    #[cfg(feature = "mpi")]
    pub fn crew(
        self,
        fast: impl FnOnce() -> Result<Fast, Error>,
        folders: Option<&RangeFolders>,
    ) -> Result<Crew, Error> {
        // Before MPI knows of the process: what fails here, whoever started the job ends and tells.
        let fast = fast()?;
        let mut mpi = Mpi::start()?;
        if mpi.rank() == 0 {
            return Ok(Crew::Party(Sharded::new(Box::new(mpi), fast, &self.cut, folders)?));
        }
        match serve(&mut mpi, fast, folders.cloned()) {
            Ok(()) => Ok(Crew::Worker),
            Err(failure) => mpi.abort(&failure),
        }
    }

    /// There is none.
    #[cfg(not(feature = "mpi"))]
    #[allow(clippy::missing_errors_doc, reason = "always the same")]
    pub fn crew(
        self,
        _fast: impl FnOnce() -> Result<Fast, Error>,
        _folders: Option<&RangeFolders>,
    ) -> Result<Crew, Error> {
        Err(Error::NoMpi { rank: self.rank, size: self.size })
    }
}
