//! Sealing: what is on disk can neither be read, nor changed, nor moved to another place without the key.

use std::fmt;
use std::io;
use std::path::Path;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use duoram_reference::{Role, SessionId};
use zeroize::{ZeroizeOnDrop, Zeroizing};

use super::folder::{folder_of, sync};
use crate::hex;

/// The key of a folder, which is kept outside of it.
#[derive(Clone, ZeroizeOnDrop)]
pub struct StoreKey([u8; 32]);

impl StoreKey {
    /// From its 32 bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// From a file of 64 hexadecimal digits.
    ///
    /// # Errors
    ///
    /// Those of the file, and [`io::ErrorKind::InvalidData`] if that is not what it holds.
    pub fn read(path: &Path) -> io::Result<Self> {
        let text = Zeroizing::new(std::fs::read_to_string(path)?);
        let digits = text.trim().as_bytes();
        let mut key = Self([0; 32]);
        hex::read(digits, &mut key.0).ok_or_else(|| {
            let got = format!("expected 64 hexadecimal digits, got {} characters", digits.len());
            io::Error::new(io::ErrorKind::InvalidData, got)
        })?;
        Ok(key)
    }

    /// Draws a key and writes it to a new file that only its owner can read: the file is there whole and on the disk, or not at all, at
    /// whatever moment the process ends. What it ends in between leaves, `PATH.PID.new`, is no key of anything.
    ///
    /// # Errors
    ///
    /// Those of the file and of the system's randomness. A file that is there is not overwritten.
    pub fn create(path: &Path) -> io::Result<Self> {
        use std::io::Write as _;
        let mut key = Self([0; 32]);
        getrandom::fill(&mut key.0).map_err(io::Error::other)?;
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut text = Zeroizing::new(String::with_capacity(2 * key.0.len() + 1));
        hex::write(&key.0, &mut *text).map_err(io::Error::other)?;
        text.push('\n');
        let mut beside = path.as_os_str().to_owned();
        beside.push(format!(".{}.new", std::process::id()));
        let mut file = options.open(&beside)?;
        // Unlike a renamed one, a second name takes the place of no other file.
        let named = file
            .write_all(text.as_bytes())
            .and_then(|()| file.sync_all())
            .and_then(|()| std::fs::hard_link(&beside, path));
        std::fs::remove_file(&beside)?;
        named?;
        sync(folder_of(path))?;
        Ok(key)
    }
}

/// Whose store it is: what is sealed in one is no good in another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Owner(Vec<u8>);

impl Owner {
    /// A party of a session.
    pub fn party(session: SessionId, role: Role) -> Self {
        Self(format!("duoram party {role} {:02x?}", session.0).into_bytes())
    }

    /// In words.
    pub(super) fn name(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }

    /// Whoever has a name of its own.
    pub fn named(name: &str) -> Self {
        Self(format!("duoram {name}").into_bytes())
    }
}

/// Where a sealed text belongs.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    /// In the journal, by its number.
    Record(u64),
    /// A file of its own, by its number.
    Snapshot(u64),
    /// The number of the snapshot.
    Name,
    /// In a file that begins with this, a piece by its number.
    Piece(&'a [u8], u64),
    /// Nowhere: it shows that whoever sealed it has the key.
    Proof,
}

/// Seals by XChaCha20-Poly1305: its nonces are long enough to be drawn at random, as often as one likes and by a process that
/// remembers nothing from before it crashed.
pub(super) struct Seal {
    /// Wipes itself.
    cipher: XChaCha20Poly1305,
    owner: Owner,
}

const NONCE_BYTES: usize = 24;

/// How much longer than a text it is when it is sealed: a nonce and a tag.
pub(super) const SEAL_BYTES: usize = NONCE_BYTES + 16;

impl Seal {
    pub(super) fn new(key: &StoreKey, owner: &Owner) -> Self {
        Self { cipher: XChaCha20Poly1305::new((&key.0).into()), owner: owner.clone() }
    }

    /// What binds a text to its place and owner.
    fn context(&self, place: Place<'_>) -> Vec<u8> {
        let mut context = match place {
            Place::Record(number) => format!("record {number} of "),
            Place::Snapshot(number) => format!("snapshot {number} of "),
            Place::Name => "the snapshot's number of ".to_owned(),
            Place::Piece(_, number) => format!("piece {number} of a range of "),
            Place::Proof => "the key of ".to_owned(),
        }
        .into_bytes();
        context.extend_from_slice(&self.owner.0);
        if let Place::Piece(header, _) = place {
            context.extend_from_slice(header);
        }
        context
    }

    /// Nonce, ciphertext and tag.
    pub(super) fn close(&self, place: Place<'_>, text: &[u8]) -> io::Result<Vec<u8>> {
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce).map_err(io::Error::other)?;
        let payload = Payload { msg: text, aad: &self.context(place) };
        let sealed = self.cipher.encrypt(&XNonce::from(nonce), payload);
        let sealed = sealed.map_err(|_| io::Error::other("too long to be sealed"))?;
        Ok([&nonce[..], &sealed].concat())
    }

    /// The text; `None` if it was not sealed with this key for this place.
    pub(super) fn open(&self, place: Place<'_>, sealed: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE_BYTES>()?;
        let payload = Payload { msg: sealed, aad: &self.context(place) };
        self.cipher.decrypt(&XNonce::from(*nonce), payload).ok().map(Zeroizing::new)
    }
}

/// No key shows itself.
impl fmt::Debug for Seal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Seal").finish_non_exhaustive()
    }
}
