//! Base OTs (`[chou-orlandi15, section 3]`) in the group ristretto255 (`[rfc9496, section 4]`), with seeds as their keys.
//!
//! The sender has a point `A = a G`. For each OT the receiver has a scalar `b_i` and its bit `x_i`, and sends
//! `B_i = b_i G + x_i A`. The sender's keys are hashes of `a B_i` and of `a B_i - a A`; the receiver's is that of `b_i A`,
//! which is the one that `x_i` chooses.
//!
//! The receiver of the extended OTs is the sender of the base OTs that they come from.

use curve25519_dalek::{RistrettoPoint, Scalar, ristretto::CompressedRistretto};
use sha2::{Digest, Sha256};
use zeroize::{Zeroize, Zeroizing};

use super::{COLUMNS, Seed};
use crate::Block;
use crate::engine::PartyStream;
use crate::wire::{Role, SessionId};

/// A point and its encoding. One that came from a peer is in its canonical encoding, and not the identity.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Zeroize)]
pub struct Point {
    point: RistrettoPoint,
    encoding: [u8; 32],
}

impl Point {
    fn new(point: RistrettoPoint) -> Self {
        Self { point, encoding: point.compress().to_bytes() }
    }

    /// The point of an encoding. `None`: not canonical, or the identity, under which both keys of an OT would be the same.
    pub(crate) fn read(encoding: [u8; 32]) -> Option<Self> {
        let point = CompressedRistretto(encoding).decompress()?;
        // The identity's encoding.
        (encoding != [0; 32]).then_some(Self { point, encoding })
    }

    /// Its 32 bytes.
    pub const fn encoding(&self) -> &[u8; 32] {
        &self.encoding
    }
}

/// Which base OTs: of this session, from which extended OTs come that this party receives, with the sender's point.
#[derive(Clone, Copy)]
struct Place<'a> {
    session: SessionId,
    receiver: Role,
    sender_point: &'a Point,
}

impl Place<'_> {
    /// `SHA-256("DUORAM base OT", session, receiver of the extended OTs, i, A, B_i, S)`, where S is the point that both know.
    fn seed(&self, number: u8, choice: &Point, shared: &RistrettoPoint) -> Zeroizing<Seed> {
        let mut shared = shared.compress();
        let mut hash = Sha256::new();
        hash.update(b"DUORAM base OT");
        hash.update(self.session.0);
        hash.update([self.receiver.number(), number]);
        hash.update(self.sender_point.encoding);
        hash.update(choice.encoding);
        hash.update(shared.0);
        shared.zeroize();
        Zeroizing::new(hash.finalize().into())
    }
}

/// The sender of the base OTs, between its point and the receiver's. In a place of its own, so that no move leaves a copy.
pub struct BaseSender {
    /// a
    scalar: Box<Zeroizing<Scalar>>,
    point: Point,
}

impl BaseSender {
    /// Draws a.
    pub(crate) fn draw(stream: &mut PartyStream) -> Self {
        let scalar = Box::new(Zeroizing::new(scalar(stream)));
        let point = Point::new(RistrettoPoint::mul_base(&scalar));
        Self { scalar, point }
    }

    /// A.
    pub const fn point(&self) -> &Point {
        &self.point
    }

    /// Both seeds of each OT. `receiver`: who receives the extended OTs, which is this party.
    pub fn seeds(&self, session: SessionId, receiver: Role, choices: &[Point]) -> Zeroizing<Vec<[Seed; 2]>> {
        let place = Place { session, receiver, sender_point: &self.point };
        let scalar = **self.scalar;
        let own = scalar * self.point.point;
        let mut seeds = Zeroizing::new(Vec::with_capacity(COLUMNS));
        for (number, choice) in (0..).zip(choices) {
            let shared = scalar * choice.point;
            let pair = [shared, shared - own].map(|shared| place.seed(number, choice, &shared));
            seeds.push(pair.each_ref().map(|seed| **seed));
        }
        seeds
    }
}

/// What the receiver draws: `b_i` of each OT. Copied and compared by tests only, which that is for: it takes no constant time.
#[cfg_attr(any(test, feature = "test-util"), derive(Clone, PartialEq))]
pub struct Scalars(Zeroizing<Vec<Scalar>>);

impl Scalars {
    /// Draws all of them.
    pub(crate) fn draw(stream: &mut PartyStream) -> Self {
        let mut scalars = Zeroizing::new(Vec::with_capacity(COLUMNS));
        scalars.extend((0..COLUMNS).map(|_| scalar(stream)));
        Self(scalars)
    }
}

/// The points to send, and the seeds that the bits choose.
pub type Chosen = (Vec<Point>, Zeroizing<Vec<Seed>>);

/// The receiver's part, with a scalar for each bit of `bits`, the lowest first. `receiver`: who receives the extended OTs,
/// which is the peer whose point this is.
pub fn choose(
    scalars: &Scalars,
    session: SessionId,
    receiver: Role,
    sender_point: &Point,
    bits: Block,
) -> Chosen {
    let place = Place { session, receiver, sender_point };
    let mut points = Vec::with_capacity(COLUMNS);
    let mut seeds = Zeroizing::new(Vec::with_capacity(COLUMNS));
    for (number, (place_in_bits, scalar)) in (0..).zip((0..Block::BITS).zip(scalars.0.iter())) {
        // x_i A is a product, and no branch on x_i.
        let bit = Zeroizing::new(Scalar::from(bits >> place_in_bits & 1));
        let point = Point::new(RistrettoPoint::mul_base(scalar) + *bit * sender_point.point);
        let seed = place.seed(number, &point, &(scalar * sender_point.point));
        points.push(point);
        seeds.push(*seed);
    }
    (points, seeds)
}

/// A scalar: 64 bytes, little-endian, mod the order of the group.
fn scalar(stream: &mut PartyStream) -> Scalar {
    let mut bytes = Zeroizing::new([0; 64]);
    for chunk in bytes.as_chunks_mut().0 {
        *chunk = stream.word().to_le_bytes();
    }
    Scalar::from_bytes_mod_order_wide(&bytes)
}
