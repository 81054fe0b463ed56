//! Which protocol the parties speak: the one place where the choice becomes a type.

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
    /// The paper's of two parties, without P2: words are added mod 2^64.
    TwoParty,
}

impl fmt::Display for ProtocolChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_possible_value().map_or(Ok(()), |value| formatter.write_str(value.get_name()))
    }
}

/// Calls a function that is generic over the protocol with the one that was chosen.
macro_rules! with_protocol {
    ($protocol:expr, $function:ident($($argument:expr),*)) => {
        match $protocol {
            $crate::protocol::ProtocolChoice::Paper => $function::<duoram_reference::Paper>($($argument),*),
            $crate::protocol::ProtocolChoice::Lean => $function::<duoram_reference::lean::Lean>($($argument),*),
            $crate::protocol::ProtocolChoice::TwoParty => {
                $function::<duoram_reference::two_party::TwoParty>($($argument),*)
            }
        }
    };
}
pub(crate) use with_protocol;
