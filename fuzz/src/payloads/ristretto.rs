//! Which 32 bytes are a point: decoding of ristretto255 (`[rfc9496, section 4.3.1]`), slow and without regard to time.

use std::iter;

/// A number mod p = 2^255 - 19: four 64-bit digits, the lowest first; below 2^256, and so not the only one of its class.
#[derive(Clone, Copy)]
struct Element([u64; 4]);

const P: [u64; 4] = [u64::MAX - 18, u64::MAX, u64::MAX, u64::MAX >> 1];

const ONE: Element = Element([1, 0, 0, 0]);

/// The curve's d.
const D: Element =
    Element([0x75eb_4dca_1359_78a3, 0x0070_0a4d_4141_d8ab, 0x8cc7_4079_7779_e898, 0x5203_6cee_2b6f_fe73]);

/// A square root of -1.
const ROOT_OF_MINUS_ONE: Element =
    Element([0xc4ee_1b27_4a0e_a0b0, 0x2f43_1806_ad2f_e478, 0x2b4d_0099_3dfb_d7a7, 0x2b83_2480_4fc1_df0b]);

/// The base point and its multiples up to 4 (`[rfc9496, appendix A.1]`): known, so that a valid message of many points costs little.
const KNOWN: [[u8; 32]; 4] = [
    [
        0xe2, 0xf2, 0xae, 0x0a, 0x6a, 0xbc, 0x4e, 0x71, 0xa8, 0x84, 0xa9, 0x61, 0xc5, 0x00, 0x51, 0x5f, 0x58,
        0xe3, 0x0b, 0x6a, 0xa5, 0x82, 0xdd, 0x8d, 0xb6, 0xa6, 0x59, 0x45, 0xe0, 0x8d, 0x2d, 0x76,
    ],
    [
        0x6a, 0x49, 0x32, 0x10, 0xf7, 0x49, 0x9c, 0xd1, 0x7f, 0xec, 0xb5, 0x10, 0xae, 0x0c, 0xea, 0x23, 0xa1,
        0x10, 0xe8, 0xd5, 0xb9, 0x01, 0xf8, 0xac, 0xad, 0xd3, 0x09, 0x5c, 0x73, 0xa3, 0xb9, 0x19,
    ],
    [
        0x94, 0x74, 0x1f, 0x5d, 0x5d, 0x52, 0x75, 0x5e, 0xce, 0x4f, 0x23, 0xf0, 0x44, 0xee, 0x27, 0xd5, 0xd1,
        0xea, 0x1e, 0x2b, 0xd1, 0x96, 0xb4, 0x62, 0x16, 0x6b, 0x16, 0x15, 0x2a, 0x9d, 0x02, 0x59,
    ],
    [
        0xda, 0x80, 0x86, 0x27, 0x73, 0x35, 0x8b, 0x46, 0x6f, 0xfa, 0xdf, 0xe0, 0xb3, 0x29, 0x3a, 0xb3, 0xd9,
        0xfd, 0x53, 0xc5, 0xea, 0x6c, 0x95, 0x53, 0x58, 0xf5, 0x68, 0x32, 0x2d, 0xaf, 0x6a, 0x57,
    ],
];

/// Leaves the canonical encoding of a point other than the identity as it is, and puts one into the place of anything else.
pub(super) fn repair(bytes: &mut [u8]) {
    let known = KNOWN.iter().any(|point| point == bytes);
    if !known && !bytes.as_array().is_some_and(is_point) {
        bytes.copy_from_slice(&KNOWN[usize::from(bytes[0] % 4)]);
    }
}

/// Whether this is the canonical encoding of a point other than the identity.
fn is_point(encoding: &[u8; 32]) -> bool {
    let mut digits = [0; 4];
    for (digit, bytes) in digits.iter_mut().zip(encoding.as_chunks().0) {
        *digit = u64::from_le_bytes(*bytes);
    }
    let s = Element(digits);
    // 0 is the identity.
    if s.canonical() != digits || s.is_negative() || digits == [0; 4] {
        return false;
    }
    let square = s.times(s);
    let (u_1, u_2) = (ONE.plus(square.minus()), ONE.plus(square));
    let u_2_square = u_2.times(u_2);
    let v = D.times(u_1).times(u_1).plus(u_2_square).minus();
    let Some(root) = v.times(u_2_square).inverse_root() else { return false };
    let (den_x, den_y) = (root.times(u_2), root.times(root).times(u_2).times(v));
    let x = s.plus(s).times(den_x).absolute();
    let y = u_1.times(den_y);
    !x.times(y).is_negative() && y.canonical() != [0; 4]
}

impl Element {
    fn plus(self, other: Self) -> Self {
        let mut wide = [0; 8];
        let mut carry = 0;
        for (digit, (a, b)) in wide.iter_mut().zip(self.0.iter().zip(other.0)) {
            let sum = u128::from(*a) + u128::from(b) + carry;
            *digit = low(sum);
            carry = sum >> 64;
        }
        wide[4] = low(carry);
        Self::reduced(wide)
    }

    fn minus(self) -> Self {
        Self(subtracted(P, self.canonical()).expect("below p"))
    }

    fn times(self, other: Self) -> Self {
        let mut wide = [0; 8];
        for (i, a) in self.0.into_iter().enumerate() {
            let mut carry = 0;
            for (j, b) in other.0.into_iter().enumerate() {
                let sum = u128::from(wide[i + j]) + u128::from(a) * u128::from(b) + carry;
                wide[i + j] = low(sum);
                carry = sum >> 64;
            }
            wide[i + 4] = low(carry);
        }
        Self::reduced(wide)
    }

    /// 2^256 is 38.
    fn reduced(wide: [u64; 8]) -> Self {
        let (digits, above) = wide.split_at(4);
        let mut digits: [u64; 4] = digits.try_into().expect("four");
        let mut carry = 0;
        for (digit, above) in digits.iter_mut().zip(above) {
            let sum = u128::from(*digit) + 38 * u128::from(*above) + carry;
            *digit = low(sum);
            carry = sum >> 64;
        }
        while carry > 0 {
            carry *= 38;
            for digit in &mut digits {
                let sum = u128::from(*digit) + carry;
                *digit = low(sum);
                carry = sum >> 64;
            }
        }
        Self(digits)
    }

    /// Below p.
    fn canonical(self) -> [u64; 4] {
        iter::successors(Some(self.0), |digits| subtracted(*digits, P)).last().expect("one at least")
    }

    fn is_negative(self) -> bool {
        self.canonical()[0] & 1 == 1
    }

    fn absolute(self) -> Self {
        if self.is_negative() { self.minus() } else { self }
    }

    fn squared(self, times: usize) -> Self {
        (0..times).fold(self, |power, _| power.times(power))
    }

    /// `self^((p - 5) / 8)`: to the power `2^252 - 3`.
    fn power(self) -> Self {
        // To the power 2^n - 1; doubling n, and adding one to it.
        let double = |(power, n): (Self, usize)| (power.squared(n).times(power), 2 * n);
        let next = |(power, n): (Self, usize)| (power.squared(1).times(self), n + 1);
        // n: 1, 3, 7, 15, 31, 62, 125, 250.
        let fifteen = next(double(next(double(next(double((self, 1)))))));
        let (power, n) = double(next(double(double(next(double(fifteen))))));
        debug_assert_eq!(n, 250);
        power.squared(2).times(self)
    }

    /// The root of its inverse that is not negative, if its inverse is a square (`[rfc9496, section 4.2]`, with u = 1).
    fn inverse_root(self) -> Option<Self> {
        let cube = self.times(self).times(self);
        let root = cube.times(cube.times(cube).times(self).power());
        let check = self.times(root).times(root).canonical();
        if check == ONE.0 {
            Some(root.absolute())
        } else if check == ONE.minus().canonical() {
            Some(root.times(ROOT_OF_MINUS_ONE).absolute())
        } else {
            None
        }
    }
}

/// a - b, unless it is below 0.
fn subtracted(a: [u64; 4], b: [u64; 4]) -> Option<[u64; 4]> {
    let mut borrowed = false;
    let mut difference = [0; 4];
    for (digit, (a, b)) in difference.iter_mut().zip(a.into_iter().zip(b)) {
        let (partial, first) = a.overflowing_sub(b);
        let (rest, second) = partial.overflowing_sub(borrowed.into());
        (*digit, borrowed) = (rest, first || second);
    }
    (!borrowed).then_some(difference)
}

/// The lowest 64 bits.
#[allow(clippy::cast_possible_truncation)]
const fn low(sum: u128) -> u64 {
    sum as u64
}
