//! Draws from a stream: uniform elements, secrets, noise. No branch and no address depends on what is drawn, but for what is
//! public anyway.

use std::hint::black_box;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;
use zeroize::{Zeroize, Zeroizing};

use crate::element::ELEMENT;
use crate::ring::{N, PRIMES, Residues, zeros};

/// Coefficients of a secret that are 1, and as many are -1 `[spiral, section 5]`: those of the authors' program.
const WEIGHT: usize = 256;

/// The greatest absolute value of noise: four widths.
const TAIL: i32 = 26;

/// `2^64 P(noise <= i - 26)`, rounded, below 2^64: the discrete Gaussian of width 6.4 (standard deviation `6.4 / sqrt(2 pi)`, 2.55), cut at
/// four widths.
#[rustfmt::skip]
const CUMULATIVE: [u64; 2 * TAIL as usize] = [
    0, 0, 0, 7,
    225, 6_114, 142_809, 2_864_512,
    49_349_166, 730_367_088, 9_288_667_698, 101_545_086_850,
    954_617_134_063, 7_720_973_857_474, 53_757_667_977_838, 322_436_486_442_815,
    1_667_499_996_257_361, 7_443_566_871_362_048, 28_720_140_744_863_884, 95_948_302_954_529_081,
    278_161_926_109_627_739, 701_795_634_139_702_303, 1_546_646_853_635_104_741, 2_991_920_295_851_131_431,
    5_112_721_055_115_151_939, 7_782_220_156_096_217_088, 10_664_523_917_613_334_528, 13_334_023_018_594_399_677,
    15_454_823_777_858_420_185, 16_900_097_220_074_446_875, 17_744_948_439_569_849_313, 18_168_582_147_599_923_877,
    18_350_795_770_755_022_535, 18_418_023_932_964_687_732, 18_439_300_506_838_189_568, 18_445_076_573_713_294_255,
    18_446_421_637_223_108_801, 18_446_690_316_041_573_778, 18_446_736_352_735_694_142, 18_446_743_119_092_417_553,
    18_446_743_972_164_464_766, 18_446_744_064_420_883_918, 18_446_744_072_979_184_528, 18_446_744_073_660_202_450,
    18_446_744_073_706_687_104, 18_446_744_073_709_408_807, 18_446_744_073_709_545_502, 18_446_744_073_709_551_391,
    18_446_744_073_709_551_609, 18_446_744_073_709_551_615, 18_446_744_073_709_551_615, 18_446_744_073_709_551_615,
];

/// A uniform element, as values. It is public: how often a draw is repeated may be seen.
// Not inlined: optimized/constant-time knows this one branch on what is public by the function's name.
#[inline(never)]
pub(crate) fn uniform(stream: &mut ChaCha20Rng, element: &mut [Residues]) {
    for (residues, prime) in element.iter_mut().zip(PRIMES) {
        for residue in residues {
            *residue = loop {
                let draw = stream.next_u32() >> 4;
                if draw < prime {
                    break draw;
                }
            };
        }
    }
}

/// The secret's coefficients, as residues: 256 times 1, 256 times -1, else 0, in a random order.
pub(crate) fn secret(stream: &mut ChaCha20Rng) -> Zeroizing<Vec<Residues>> {
    // Sorting random numbers shuffles what their lowest bits say. Two of them are equal with a probability below 2^-40, and
    // then it is only their order that is not random.
    let mut numbers = Zeroizing::new([0_u64; N]);
    for (i, number) in numbers.iter_mut().enumerate() {
        let kind = if i < WEIGHT {
            1
        } else if i < 2 * WEIGHT {
            2
        } else {
            0
        };
        *number = stream.next_u64() & !3 | kind;
    }
    sort(&mut numbers);
    let mut secret = Zeroizing::new(zeros(ELEMENT));
    for (residues, prime) in secret.iter_mut().zip(PRIMES) {
        for (residue, number) in residues.iter_mut().zip(numbers.iter()) {
            let (plus, minus) = ((number & 1) as u32, (number >> 1 & 1) as u32);
            *residue = plus + minus * (prime - 1);
        }
    }
    secret
}

/// Batcher's bitonic network: which places are compared does not depend on what stands there.
fn sort(numbers: &mut [u64; N]) {
    let mut block = 2;
    while block <= N {
        let mut distance = block / 2;
        while distance > 0 {
            for i in 0..N {
                let other = i ^ distance;
                if other > i {
                    let (a, b) = (numbers[i], numbers[other]);
                    let descending = u64::from(i & block != 0);
                    // The compiler must not know that it is 0 or 1: it made a branch of it.
                    let less = black_box(u64::from(b < a));
                    let swap = 0_u64.wrapping_sub(less ^ descending) & (a ^ b);
                    numbers[i] = a ^ swap;
                    numbers[other] = b ^ swap;
                }
            }
            distance /= 2;
        }
        block *= 2;
    }
}

/// Coefficients of noise, as residues.
pub(crate) fn noise(stream: &mut ChaCha20Rng, element: &mut [Residues]) {
    for i in 0..N {
        let mut draw = stream.next_u64();
        let mut value = -TAIL;
        for bound in CUMULATIVE {
            value += i32::from(draw >= bound);
        }
        let negative = (value >> 31).cast_unsigned();
        for (residues, prime) in element.iter_mut().zip(PRIMES) {
            residues[i] = value.cast_unsigned().wrapping_add(prime & negative);
        }
        draw.zeroize();
    }
}

#[cfg(test)]
#[allow(clippy::cast_precision_loss)] // statistics
mod tests {
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    fn signed(residue: u32, prime: u32) -> i64 {
        let residue = i64::from(residue);
        if residue > i64::from(prime) / 2 { residue - i64::from(prime) } else { residue }
    }

    #[test]
    fn the_secret_has_its_weight_and_is_shuffled() {
        let secret = secret(&mut ChaCha20Rng::from_seed([1; 32]));
        for (residues, prime) in secret.iter().zip(PRIMES) {
            let count = |of| residues.iter().filter(|residue| signed(**residue, prime) == of).count();
            assert_eq!([count(1), count(-1), count(0)], [WEIGHT, WEIGHT, N - 2 * WEIGHT]);
        }
        let in_first_half = secret[0][..N / 2].iter().filter(|residue| **residue == 1).count();
        assert!((90..166).contains(&in_first_half), "{in_first_half} of {WEIGHT}, expected about a half");
    }

    #[test]
    fn the_network_sorts() {
        let mut numbers = [0; N];
        let mut stream = ChaCha20Rng::from_seed([2; 32]);
        numbers.fill_with(|| stream.next_u64() >> 54);
        let mut expected = numbers;
        expected.sort_unstable();
        sort(&mut numbers);
        assert_eq!(numbers, expected);
    }

    #[test]
    fn noise_has_mean_zero_and_the_width_of_spiral() {
        let mut stream = ChaCha20Rng::from_seed([3; 32]);
        let (mut sum, mut squares) = (0, 0);
        for _ in 0..32 {
            let mut element = zeros(ELEMENT);
            noise(&mut stream, &mut element);
            for (a, b) in element[0].iter().zip(&element[1]) {
                let value = signed(*a, PRIMES[0]);
                assert_eq!(value, signed(*b, PRIMES[1]));
                sum += value;
                squares += value * value;
            }
        }
        let count = 32.0 * N as f64;
        let variance = 6.4 * 6.4 / (2.0 * std::f64::consts::PI);
        assert!((sum as f64 / count).abs() < 5.0 * (variance / count).sqrt());
        assert!((squares as f64 / count / variance - 1.0).abs() < 0.03);
    }

    #[test]
    fn uniform_elements_reach_both_ends_of_the_range() {
        let mut stream = ChaCha20Rng::from_seed([4; 32]);
        let mut greatest = [0; ELEMENT];
        for _ in 0..32 {
            let mut element = zeros(ELEMENT);
            uniform(&mut stream, &mut element);
            for i in 0..ELEMENT {
                assert!(element[i].iter().all(|residue| *residue < PRIMES[i]));
                greatest[i] = greatest[i].max(*element[i].iter().max().unwrap());
            }
        }
        assert!((0..ELEMENT).all(|i| PRIMES[i] - greatest[i] < 1 << 16), "{greatest:?}");
    }
}
