//! How often chance does as well: the upper tail of the binomial distribution with p = 1/2, exactly.

/// A natural number, in digits of base 2^32, the lowest first.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Natural(Vec<u32>);

impl Natural {
    fn one() -> Natural {
        Natural(vec![1])
    }

    fn power_of_two(exponent: usize) -> Natural {
        let mut digits = vec![0; exponent / 32 + 1];
        digits[exponent / 32] = 1 << (exponent % 32);
        Natural(digits)
    }

    fn trimmed(mut self) -> Natural {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    fn times(&self, factor: u32) -> Natural {
        let mut carry = 0_u64;
        let mut digits = Vec::with_capacity(self.0.len() + 1);
        for digit in &self.0 {
            let sum = u64::from(*digit) * u64::from(factor) + carry;
            digits.push((sum & 0xffff_ffff) as u32);
            carry = sum >> 32;
        }
        digits.push(u32::try_from(carry).unwrap_or(u32::MAX));
        Natural(digits).trimmed()
    }

    /// The quotient by a number that is not 0, without the rest.
    fn over(&self, divisor: u32) -> Natural {
        let mut rest = 0_u64;
        let mut digits = vec![0; self.0.len()];
        for (place, digit) in self.0.iter().enumerate().rev() {
            let part = rest << 32 | u64::from(*digit);
            digits[place] = u32::try_from(part / u64::from(divisor)).unwrap_or(u32::MAX);
            rest = part % u64::from(divisor);
        }
        Natural(digits).trimmed()
    }

    fn plus(&self, other: &Natural) -> Natural {
        let mut carry = 0_u64;
        let mut digits = vec![];
        for place in 0..=self.0.len().max(other.0.len()) {
            let digit = |of: &Natural| u64::from(of.0.get(place).copied().unwrap_or(0));
            let sum = digit(self) + digit(other) + carry;
            digits.push((sum & 0xffff_ffff) as u32);
            carry = sum >> 32;
        }
        Natural(digits).trimmed()
    }

    fn at_most(&self, other: &Natural) -> bool {
        let (one, other) = (self.clone().trimmed(), other.clone().trimmed());
        match one.0.len().cmp(&other.0.len()) {
            std::cmp::Ordering::Equal => one.0.iter().rev().le(other.0.iter().rev()),
            order => order.is_lt(),
        }
    }

    /// The quotient by 2^exponent, rounded to the nearest, of numbers for which it is below 2^32.
    fn shifted_down(&self, exponent: usize) -> u32 {
        let half = if exponent == 0 { Natural(vec![]) } else { Natural::power_of_two(exponent - 1) };
        let rounded = self.plus(&half);
        let digit = |place: usize| u64::from(rounded.0.get(place).copied().unwrap_or(0));
        let (place, bits) = (exponent / 32, exponent % 32);
        ((((digit(place + 1) << 32) | digit(place)) >> bits) & 0xffff_ffff) as u32
    }
}

/// In how many of the 2^rounds ways that coins can fall at least `wins` of them show heads.
fn at_least(wins: u32, rounds: u32) -> Natural {
    let mut ways = Natural::one();
    let mut sum = Natural(vec![]);
    for heads in 0..=rounds {
        if heads >= wins {
            sum = sum.plus(&ways);
        }
        ways = ways.times(rounds - heads).over(heads + 1);
    }
    sum
}

/// How often chance gives as many wins or more, in words.
pub(crate) fn in_words(wins: u32, rounds: u32) -> String {
    if rounds == 0 {
        return "No round has been played yet.".to_owned();
    }
    let ways = at_least(wins, rounds);
    let all = Natural::power_of_two(rounds as usize);
    let how_often = if all.at_most(&ways.times(1000)) {
        format!("in {} % of games", percent(&ways, rounds as usize))
    } else {
        // The largest power of ten for which it is still less than one of so many.
        let mut zeros = 3;
        let mut scaled = ways.times(1000);
        while scaled.times(10).at_most(&all) {
            scaled = scaled.times(10);
            zeros += 1;
        }
        format!("in less than one of {} games", power_of_ten(zeros))
    };
    format!("Chance gives {wins} or more of {rounds} {how_often}.")
}

/// A part of 2^rounds in percent, with two digits that count.
fn percent(ways: &Natural, rounds: usize) -> String {
    let hundredths = ways.times(10_000).shifted_down(rounds);
    match hundredths {
        1000.. => format!("{}", ways.times(100).shifted_down(rounds)),
        100..1000 => {
            let tenths = ways.times(1000).shifted_down(rounds);
            format!("{}.{}", tenths / 10, tenths % 10)
        }
        _ => format!("0.{hundredths:02}"),
    }
}

fn power_of_ten(zeros: usize) -> String {
    let names = ["a thousand", "10 thousand", "100 thousand", "a million"];
    let superscripts = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    names.get(zeros - 3).map_or_else(
        || {
            let digits = zeros.to_string();
            let raised: String =
                digits.bytes().map(|digit| superscripts[usize::from(digit - b'0')]).collect();
            format!("10{raised}")
        },
        |name| (*name).to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_is_said_in_words() {
        for (wins, rounds, words) in [
            (14, 20, "Chance gives 14 or more of 20 in 5.8 % of games."),
            (0, 3, "Chance gives 0 or more of 3 in 100 % of games."),
            (1, 1, "Chance gives 1 or more of 1 in 50 % of games."),
            (10, 10, "Chance gives 10 or more of 10 in less than one of a thousand games."),
            (9, 9, "Chance gives 9 or more of 9 in 0.20 % of games."),
            (20, 20, "Chance gives 20 or more of 20 in less than one of a million games."),
            (100, 100, "Chance gives 100 or more of 100 in less than one of 10³⁰ games."),
            (0, 0, "No round has been played yet."),
        ] {
            assert_eq!(in_words(wins, rounds), words);
        }
    }

    /// Counted one by one, over all ways that up to 14 coins can fall.
    #[test]
    fn the_tail_is_that_of_all_ways_that_coins_can_fall() {
        for rounds in 1..=14_u32 {
            for wins in 0..=rounds {
                let counted = (0..1_u32 << rounds).filter(|coins| coins.count_ones() >= wins).count();
                assert_eq!(at_least(wins, rounds), Natural(vec![u32::try_from(counted).unwrap()]));
            }
        }
    }

    /// The tails at k and at n + 1 - k make up all ways, also where numbers have many digits.
    #[test]
    fn both_tails_make_up_the_whole() {
        for rounds in [31, 32, 33, 64, 100, 333, 1000_u32] {
            for wins in [1, rounds / 3, rounds / 2, rounds] {
                let both = at_least(wins, rounds).plus(&at_least(rounds + 1 - wins, rounds));
                assert_eq!(both, Natural::power_of_two(rounds as usize).trimmed());
            }
        }
    }
}
