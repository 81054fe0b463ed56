//! Which protocol the parties speak, and with which local computation: the one place where choices become types.

use std::fmt;

use clap::ValueEnum;

/// The protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum ProtocolChoice {
    /// The paper's: words are added mod 2^64.
    #[default]
    Paper,
    /// The lean one: words and addresses are XOR-shared, and an update XORs.
    Lean,
}

impl fmt::Display for ProtocolChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_possible_value().map_or(Ok(()), |value| formatter.write_str(value.get_name()))
    }
}

/// Calls a function that is generic over a protocol and a computation with those that were chosen.
macro_rules! with_choices {
    ($protocol:expr, $computation:expr, $function:ident $(, $argument:expr)* $(,)?) => {
        match $protocol {
            $crate::protocol::ProtocolChoice::Paper => $crate::protocol::with_backend!(
                duoram_reference::Paper, $computation, $function $(, $argument)*
            ),
            $crate::protocol::ProtocolChoice::Lean => $crate::protocol::with_backend!(
                duoram_reference::lean::Lean, $computation, $function $(, $argument)*
            ),
        }
    };
}
pub(crate) use with_choices;

/// The same of one protocol.
macro_rules! with_backend {
    ($protocol:ty, $computation:expr, $function:ident $(, $argument:expr)*) => {
        match $computation.chosen()? {
            Some(fast) => $function::<$protocol, _>(&fast $(, $argument)*),
            None => {
                let plain = <$protocol as duoram_runtime::protocol::Rules>::Plain::default();
                $function::<$protocol, _>(&plain $(, $argument)*)
            }
        }
    };
}
pub(crate) use with_backend;
