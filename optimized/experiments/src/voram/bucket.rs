//! A bucket: the keys of both children, and pieces of blocks, under a key that is used once.
//!
//! ```text
//!    16        16        piece: 8      8       2        ..
//!    key left, key right,       leaf,  number, length,  bytes;   ...   zeros
//! ```
//!
//! The key of a bucket is in its parent, and that of the root with the client. So what is erased there takes all that was ever
//! written under it away: whoever has kept the old buckets cannot read them `[voram-hirb, section III]`.

use super::parameters::BUCKET;
use crate::cost::aes::Cipher;

/// A bucket as it is stored.
pub(super) type Enciphered = Box<[u128; BUCKET / 16]>;

/// Bytes for pieces.
pub(super) const ROOM: usize = BUCKET - 32;

/// Bytes before a piece's own.
pub(super) const HEADER: usize = 18;

/// What a block is found by. Used once: a block that is written gets another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Id {
    /// The leaf whose path it is on.
    pub(super) leaf: u64,
    /// Which block it is.
    pub(super) number: u64,
}

impl Id {
    pub(super) const BYTES: usize = 16;

    pub(super) fn to_bytes(self) -> [u8; Self::BYTES] {
        (u128::from(self.leaf) | u128::from(self.number) << 64).to_le_bytes()
    }

    #[allow(clippy::cast_possible_truncation, reason = "halves")]
    pub(super) fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let both = u128::from_le_bytes(bytes);
        Self { leaf: both as u64, number: (both >> 64) as u64 }
    }
}

/// A bucket in the clear.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Bucket {
    /// Of the children: none, of a child that has never been written.
    pub(super) keys: [Option<u128>; 2],
    pub(super) pieces: Vec<(Id, Vec<u8>)>,
}

impl Bucket {
    /// Bytes that are left for one more piece.
    pub(super) fn room(&self) -> usize {
        let taken: usize = self.pieces.iter().map(|(_, bytes)| HEADER + bytes.len()).sum();
        (ROOM - taken).saturating_sub(HEADER)
    }

    /// Enciphers it. Keys are not 0, which stands for none.
    pub(super) fn encipher(&self, key: u128) -> Enciphered {
        let mut bytes = Vec::with_capacity(BUCKET);
        for key in self.keys {
            bytes.extend(key.unwrap_or(0).to_le_bytes());
        }
        for (id, piece) in &self.pieces {
            bytes.extend(id.to_bytes());
            // A piece is shorter than a bucket.
            bytes.extend(u16::try_from(piece.len()).unwrap_or(u16::MAX).to_le_bytes());
            bytes.extend(piece);
        }
        bytes.resize(BUCKET, 0);
        let mut blocks = Box::new([0; BUCKET / 16]);
        for (block, bytes) in blocks.iter_mut().zip(bytes.as_chunks().0) {
            *block = u128::from_le_bytes(*bytes);
        }
        Cipher::new(key).mask(0, &mut blocks[..]);
        blocks
    }

    /// Deciphers it; what comes out under a wrong key is no bucket.
    pub(super) fn decipher(mut blocks: Enciphered, key: u128) -> Self {
        Cipher::new(key).mask(0, &mut blocks[..]);
        let bytes: Vec<u8> = blocks.iter().flat_map(|block| block.to_le_bytes()).collect();
        let keys = [blocks[0], blocks[1]].map(|key| (key != 0).then_some(key));
        let mut pieces = Vec::new();
        let mut rest = &bytes[32..];
        while let Some((id, after)) = rest.split_first_chunk()
            && let Some((length, after)) = after.split_first_chunk()
            && let Some((piece, after)) = after.split_at_checked(usize::from(u16::from_le_bytes(*length)))
            && !piece.is_empty()
        {
            pieces.push((Id::from_bytes(*id), piece.to_vec()));
            rest = after;
        }
        Self { keys, pieces }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket() -> Bucket {
        let piece = |number, length| (Id { leaf: 5, number }, vec![7; length]);
        Bucket { keys: [Some(9), None], pieces: vec![piece(1, 100), piece(2, 1)] }
    }

    #[test]
    fn a_bucket_is_what_was_enciphered() {
        let mut full = bucket();
        full.pieces.push((Id { leaf: 1, number: 3 }, vec![8; full.room()]));
        assert_eq!(full.room(), 0);
        for bucket in [Bucket::default(), bucket(), full] {
            assert_eq!(Bucket::decipher(bucket.encipher(77), 77), bucket);
        }
    }

    #[test]
    fn under_another_key_it_is_nothing() {
        let enciphered = bucket().encipher(77);
        assert_ne!(Bucket::decipher(enciphered.clone(), 78), bucket());
        assert_ne!(bucket().encipher(78), enciphered);
    }
}
