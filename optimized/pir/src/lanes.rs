//! What a backend offers: registers of residues, and the handful of operations that the kernels are written in.
//!
//! A kernel is a [`Work`], generic over [`Lanes`]; [`Lanes::run`] calls it inside a function that is compiled with the
//! backend's target features. Everything below that call is `#[inline(always)]` and uses no closures, so that no piece is left
//! behind in a function without the features.
//!
//! A register has `WIDTH` lanes of 32 bits. "Wide" stands for the same register read as half as many lanes of 64 bits: products
//! are wide, of the lanes with even numbers (low halves of wide lanes), and [`Lanes::odd`] brings the others there.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) mod avx512;
pub(crate) mod portable;

use crate::ring::Tables;

/// Words of an item, the unit that a query is about.
pub(crate) const ITEM_WORDS: usize = 256;

/// The widest register's lanes.
const WIDEST: usize = 16;

/// A computation inside a backend's features.
pub(crate) trait Work {
    type Output;
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// A backend. The value is a witness that the CPU has the features: it can be made only by detection.
pub(crate) trait Lanes: Copy + Send + Sync + 'static {
    /// Lanes of a register; a power of two, 16 at most.
    const WIDTH: usize;
    /// The orders in which a transform's last levels hold two registers.
    const ORDERS: &'static Orders = &Orders::new(Self::WIDTH);
    type Register: Copy;
    /// A pair of AES keys for one level, in the form that [`Self::mask`] wants; wiped when dropped.
    type Keys: Send + Sync;

    fn run<W: Work>(self, work: W) -> W::Output;
    /// Of both primes, made once.
    fn tables(self) -> &'static [Tables; 2];

    fn load(self, from: &[u32], at: usize) -> Self::Register;
    fn store(self, to: &mut [u32], at: usize, register: Self::Register);
    /// One byte a lane.
    fn load_bytes(self, from: &[u8], at: usize) -> Self::Register;
    fn load_wide(self, from: &[u64], at: usize) -> Self::Register;
    fn store_wide(self, to: &mut [u64], at: usize, register: Self::Register);
    fn splat(self, lane: u32) -> Self::Register;
    fn splat_wide(self, lane: u64) -> Self::Register;
    /// Lanes of two registers: entry `i` of `index` is below `WIDTH` for a lane of `a`, and else counts on in `b`.
    fn pick(self, a: Self::Register, b: Self::Register, index: &[u32; WIDEST]) -> Self::Register;

    fn add(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn sub(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// Of unsigned lanes.
    fn min(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn and(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn or(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// The low halves of the products of all lanes.
    fn mul_low(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// The whole products of the even lanes.
    fn mul_even(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn add_wide(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn shift_right_wide(self, a: Self::Register, bits: u32) -> Self::Register;
    fn shift_left_wide(self, a: Self::Register, bits: u32) -> Self::Register;
    /// The high halves of wide lanes, of `even` in even and of `odd` in odd lanes.
    fn join_high(self, even: Self::Register, odd: Self::Register) -> Self::Register;

    /// The odd lanes where the even ones were; the others are 0.
    #[inline(always)]
    fn odd(self, a: Self::Register) -> Self::Register {
        self.shift_right_wide(a, 32)
    }

    /// `place` is the level's bit in x: 0 for the last level.
    fn keys(self, pair: [u128; 2], place: u32) -> Self::Keys;
    /// Adds to word `i` the high halves of AES of the block `first + i`, under the key of each level that its bit of
    /// `first + i` chooses. `keys` are of the levels from the most significant on; `first` is a multiple of [`ITEM_WORDS`].
    fn mask(self, keys: &[Self::Keys], first: u64, words: &mut [u64; ITEM_WORDS]);
}

/// `number` with a bit of `value` put in at `place`; the bits from there on move up.
pub(crate) const fn insert_bit(number: usize, place: u32, value: usize) -> usize {
    let low = number & ((1 << place) - 1);
    (number - low) << 1 | value << place | low
}

/// How to come from one order of two registers to another. In the order of a bit, the first register has the places without
/// the bit and the second those with it, each ascending; so a level whose distance is the bit works on whole registers.
pub(crate) struct Reorder {
    pub(crate) first: [u32; WIDEST],
    pub(crate) second: [u32; WIDEST],
}

impl Reorder {
    const fn new(width: usize, from: u32, to: u32) -> Self {
        Self { first: Self::half(width, from, to, 0), second: Self::half(width, from, to, 1) }
    }

    const fn half(width: usize, from: u32, to: u32, value: usize) -> [u32; WIDEST] {
        let mut index = [0; WIDEST];
        let mut lane = 0;
        while lane < width {
            let place = insert_bit(lane, to, value);
            let low = place & ((1 << from) - 1);
            let rank = (place >> (from + 1)) << from | low;
            index[lane] = (rank + width * (place >> from & 1)) as u32;
            lane += 1;
        }
        index
    }
}

/// All that are needed for one width. The order of memory is that of the bit `lg WIDTH`.
pub(crate) struct Orders {
    /// `down[b]`: from the order of bit `b + 1` to that of `b`.
    pub(crate) down: [Reorder; 4],
    /// `up[b]`: from the order of bit `b` to that of `b + 1`.
    pub(crate) up: [Reorder; 4],
    pub(crate) from_memory: Reorder,
    pub(crate) to_memory: Reorder,
}

impl Orders {
    const fn new(width: usize) -> Self {
        let top = width.ilog2();
        Self {
            down: [
                Reorder::new(width, 1, 0),
                Reorder::new(width, 2, 1),
                Reorder::new(width, 3, 2),
                Reorder::new(width, 4, 3),
            ],
            up: [
                Reorder::new(width, 0, 1),
                Reorder::new(width, 1, 2),
                Reorder::new(width, 2, 3),
                Reorder::new(width, 3, 4),
            ],
            from_memory: Reorder::new(width, top, 0),
            to_memory: Reorder::new(width, 0, top),
        }
    }
}
