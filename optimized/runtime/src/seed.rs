//! Where the randomness of a session comes from: the operating system, or one seed for tests.

use std::fmt;
use std::str::FromStr;

use duoram_reference::SessionId;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::{Error, hex};

/// 32 bytes, from which everything random in a run or a check follows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub [u8; 32]);

impl Seed {
    /// A fresh seed from the operating system.
    ///
    /// # Errors
    ///
    /// [`Error::Randomness`].
    pub fn from_system() -> Result<Self, Error> {
        system_bytes().map(Self)
    }

    /// The seed's own stream.
    pub fn stream(&self) -> ChaCha20Rng {
        ChaCha20Rng::from_seed(self.0)
    }
}

/// As many hexadecimal digits as [`Seed`]'s [`FromStr`] takes, most significant first.
impl fmt::Display for Seed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex::write(&self.0, formatter)
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// 1 to 64 hexadecimal digits; fewer than 64 are taken as if zeros stood before them.
impl FromStr for Seed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected 1 to 64 hexadecimal digits".to_owned();
        if text.is_empty() {
            return Err(expected());
        }
        let mut bytes = [0; 32];
        hex::read(format!("{text:0>64}").as_bytes(), &mut bytes).ok_or_else(expected)?;
        Ok(Self(bytes))
    }
}

/// The seeds of one session: the owner's, each party's, and the session's name.
///
/// In a real deployment each would be drawn on a machine of its own. None of them is used for anything else.
#[derive(Clone)]
pub struct Seeds {
    /// The owner's, for sharing.
    pub client: [u8; 32],
    /// Those of P0, P1, P2.
    pub parties: [[u8; 32]; 3],
    /// Not a secret.
    pub session: SessionId,
}

impl Seeds {
    /// Independent seeds from the operating system.
    ///
    /// # Errors
    ///
    /// [`Error::Randomness`].
    pub fn from_system() -> Result<Self, Error> {
        Ok(Self {
            client: system_bytes()?,
            parties: [system_bytes()?, system_bytes()?, system_bytes()?],
            session: SessionId(system_bytes()?),
        })
    }

    /// All seeds from one stream, in order: owner, P0, P1, P2, session. Whoever knows the stream's seed knows all
    /// secrets: for tests.
    pub fn derive(stream: &mut ChaCha20Rng) -> Self {
        let mut seed = || {
            let mut bytes = [0; 32];
            stream.fill_bytes(&mut bytes);
            bytes
        };
        let (client, parties) = (seed(), [seed(), seed(), seed()]);
        let mut session = [0; 16];
        stream.fill_bytes(&mut session);
        Self { client, parties, session: SessionId(session) }
    }
}

fn system_bytes<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(Error::Randomness)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_reads_back() {
        let seed: Seed = "1234567890aBc".parse().unwrap();
        assert_eq!(seed.0[25..], [0x01, 0x23, 0x45, 0x67, 0x89, 0x0a, 0xbc]);
        assert_eq!(seed.to_string().parse(), Ok(seed));
        for text in ["", "0x1", "g", &"0".repeat(65)] {
            assert!(text.parse::<Seed>().is_err(), "{text}");
        }
    }

    #[test]
    fn one_seed_one_set_of_seeds_all_different() {
        let derive = || Seeds::derive(&mut Seed([7; 32]).stream());
        assert_eq!(derive().parties, derive().parties);
        assert_eq!(derive().session, derive().session);
        let [p0, p1, p2] = derive().parties;
        assert!(p0 != p1 && p1 != p2 && p2 != p0 && derive().client != p0);
    }
}
