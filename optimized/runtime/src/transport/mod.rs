//! Links between the parties: in order, without loss, of whole frames.

pub mod emulated;
pub mod queue;
pub mod tcp;

use std::fmt;

use duoram_reference::SessionId;
use zeroize::Zeroizing;

use crate::Error;

/// One end of a link to a peer. Frames hold secrets, and are wiped on both sides.
pub trait Link: Send {
    /// Hands a frame over without waiting for the peer: all parties send before they receive, so a link that made its
    /// sender wait would stop them all.
    ///
    /// # Errors
    ///
    /// What happened to the link.
    fn send(&mut self, frame: Zeroizing<Vec<u8>>) -> Result<(), String>;

    /// Waits for the next frame.
    ///
    /// # Errors
    ///
    /// What happened to the link.
    fn receive(&mut self) -> Result<Zeroizing<Vec<u8>>, String>;
}

/// A party's links, by the peer's index; none to itself.
pub type Links = [Option<Box<dyn Link>>; 3];

/// What the links are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Transport {
    /// Queues within the process.
    #[default]
    Memory,
    /// TCP on the loopback interface.
    Tcp,
    /// Queues within the process that are as slow as links to other places.
    Emulated(emulated::Emulation),
}

impl fmt::Display for Transport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Memory => "memory",
            Self::Tcp => "tcp",
            Self::Emulated(_) => "emulated",
        })
    }
}

impl Transport {
    /// A link between each two of three parties.
    ///
    /// # Errors
    ///
    /// [`Error::Connect`], [`Error::Thread`].
    pub fn connect(self, session: SessionId) -> Result<[Links; 3], Error> {
        let mut links: [Links; 3] = Default::default();
        let egresses = emulated::egresses();
        for (low, high) in [(0, 1), (0, 2), (1, 2)] {
            let (end_low, end_high): (Box<dyn Link>, Box<dyn Link>) = match self {
                Self::Memory => {
                    let (low, high) = queue::pair();
                    (Box::new(low), Box::new(high))
                }
                Self::Tcp => {
                    let (low, high) = tcp::pair(session, [low, high])?;
                    (Box::new(low), Box::new(high))
                }
                Self::Emulated(emulation) => {
                    let (low, high) = emulation.pair([&egresses[low], &egresses[high]]);
                    (Box::new(low), Box::new(high))
                }
            };
            links[low][high] = Some(end_low);
            links[high][low] = Some(end_high);
        }
        Ok(links)
    }
}
