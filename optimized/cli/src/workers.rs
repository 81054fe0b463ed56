//! The workers that the parties of this process have: none, or threads.

use std::fmt;

use clap::builder::RangedU64ValueParser;
use duoram_shards::{Cut, Sharded};

use crate::computation::Computation;
use crate::{Error, Output};

/// The options about them.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Workers {
    /// Divide each party's memory and trees among N workers, which are threads of this process.
    #[arg(long = "workers", value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=4096))]
    count: Option<usize>,
    /// The shares of the workers of memory and trees, in any unit; without them all are equal.
    #[arg(long, value_name = "S,S,..", value_delimiter = ',')]
    shares: Vec<u32>,
}

impl Workers {
    /// Which part is whose; none if no workers were asked for.
    ///
    /// # Errors
    ///
    /// [`Error::Workers`] if there are not as many shares as workers.
    pub fn cut(&self) -> Result<Option<Cut>, Error> {
        Ok(match (self.count, self.shares.len()) {
            (None, 0) => None,
            (Some(workers), 0) => Some(Cut::even(workers)),
            (count, shares) => Some(Cut::new(self.shares.clone(), count.unwrap_or(shares))?),
        })
    }

    /// Starts them, if they were asked for.
    ///
    /// # Errors
    ///
    /// [`Error::Workers`], [`Error::PlainWorkers`], [`Error::Backend`], [`Error::Threads`].
    pub fn start(&self, computation: &Computation) -> Result<Option<Sharded>, Error> {
        let Some(cut) = self.cut()? else { return Ok(None) };
        let fast = computation.chosen()?.ok_or(Error::PlainWorkers)?;
        Ok(Some(Sharded::in_threads(&fast, &cut)?))
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
        self.count.or_else(|| Some(self.shares.len()).filter(|shares| *shares > 0))
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
