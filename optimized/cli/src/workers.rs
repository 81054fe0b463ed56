//! The workers that the parties of this process have: none, threads, or the processes of an MPI job ([`crate::job`]).

use std::fmt;

use clap::builder::RangedU64ValueParser;
use duoram_runtime::fast::Fast;
use duoram_runtime::store::RangeFolders;
use duoram_shards::{Cut, Sharded};

use crate::computation::Computation;
use crate::job::Job;
use crate::{Error, Output};

/// The options about them.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Workers {
    /// Divide each party's memory and trees among N workers, which are threads of this process. Started by `mpirun -n N`, a program
    /// with the feature mpi has the job's N processes for workers, and this is not given.
    #[arg(long = "workers", value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=4096))]
    pub(crate) count: Option<usize>,
    /// The shares of the workers of memory and trees, in any unit; without them all are equal.
    #[arg(long, value_name = "S,S,..", value_delimiter = ',')]
    pub(crate) shares: Vec<u32>,
}

/// Workers that were asked for.
pub enum Asked {
    /// None.
    Nothing,
    /// Threads, of this cut.
    Threads(Cut),
    /// The processes of the job that this one belongs to.
    Job(Job),
}

/// What this process is.
pub enum Crew {
    /// All there is.
    Alone,
    /// The one that has workers.
    Party(Sharded),
    /// A worker, and it has been told to stop.
    Worker,
}

impl Workers {
    /// Which were asked for: by options, or by whoever started this process as one of several.
    ///
    /// # Errors
    ///
    /// [`Error::Workers`] if there are not as many shares as workers, [`Error::Processes`], [`Error::NoMpi`].
    pub fn asked(&self) -> Result<Asked, Error> {
        if let Some(job) = Job::this() {
            return job.of(self).map(|job| job.map_or(Asked::Nothing, Asked::Job));
        }
        Ok(match (self.count, self.shares.len()) {
            (None, 0) => Asked::Nothing,
            (Some(workers), 0) => Asked::Threads(Cut::even(workers)),
            (count, shares) => Asked::Threads(Cut::new(self.shares.clone(), count.unwrap_or(shares))?),
        })
    }

    /// Starts them, or finds that this process is one of them and does what it is told until the end.
    ///
    /// # Errors
    ///
    /// See [`Workers::asked`]; [`Error::PlainWorkers`], [`Error::Backend`], [`Error::Threads`].
    pub fn crew(&self, computation: &Computation) -> Result<Crew, Error> {
        self.crew_of(|| computation.chosen()?.ok_or(Error::PlainWorkers), || Ok(None))
    }

    /// The same with kernels that come from elsewhere, and with folders for ranges or without.
    ///
    /// # Errors
    ///
    /// See [`Workers::crew`].
    pub fn crew_of(
        &self,
        fast: impl FnOnce() -> Result<Fast, Error>,
        folders: impl FnOnce() -> Result<Option<RangeFolders>, Error>,
    ) -> Result<Crew, Error> {
        match self.asked()? {
            Asked::Nothing => Ok(Crew::Alone),
            Asked::Threads(cut) => Ok(Crew::Party(Sharded::in_threads(&fast()?, &cut, folders()?.as_ref())?)),
            Asked::Job(job) => job.crew(fast, folders()?.as_ref()),
        }
    }

    /// A line that says how many there are.
    ///
    /// # Errors
    ///
    /// [`Error::Output`].
    pub fn tell(&self, output: &mut Output) -> Result<(), Error> {
        let Some(number) = self.number() else { return Ok(()) };
        let shares: Vec<_> = self.shares.iter().map(ToString::to_string).collect();
        let shares = if shares.is_empty() { String::new() } else { format!(", shares {}", shares.join(",")) };
        output.line(&format!("workers:   {number}{shares}"))
    }

    /// The same, unless what is printed is for a program.
    ///
    /// # Errors
    ///
    /// [`Error::Output`].
    pub fn tell_unless(&self, machine: bool, output: &mut Output) -> Result<(), Error> {
        if machine { Ok(()) } else { self.tell(output) }
    }

    fn number(&self) -> Option<usize> {
        let job = Job::this().map(|job| job.size);
        job.or(self.count).or_else(|| Some(self.shares.len()).filter(|shares| *shares > 0))
    }
}

/// The options that say the same.
impl fmt::Display for Workers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(count) = self.count {
            write!(formatter, " --workers {count}")?;
        }
        if !self.shares.is_empty() {
            let shares: Vec<_> = self.shares.iter().map(ToString::to_string).collect();
            write!(formatter, " --shares {}", shares.join(","))?;
        }
        Ok(())
    }
}

/// Calls a function that is generic over the protocol with the one that was chosen, if its parties may have workers.
macro_rules! with_divided_protocol {
    ($protocol:expr, $function:ident($($argument:expr),*)) => {
        match $protocol {
            $crate::protocol::ProtocolChoice::Paper => $function::<duoram_reference::Paper>($($argument),*),
            $crate::protocol::ProtocolChoice::Lean => $function::<duoram_reference::lean::Lean>($($argument),*),
            $crate::protocol::ProtocolChoice::TwoParty => Err($crate::Error::NoWorkers { got: "two-party" }),
        }
    };
}
pub(crate) use with_divided_protocol;
