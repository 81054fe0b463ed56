//! A circuit whose AND gates are counted, and not evaluated.
//!
//! XOR and NOT are free, as in every garbling scheme since free XOR; a gate with a public input is no gate. So a circuit that is
//! written down with these operations costs exactly what the same circuit costs in a compiler that folds constants.

/// What is known of a wire when the circuit is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wire {
    /// The same in every run.
    Public(bool),
    /// Depends on the inputs.
    Secret,
}

/// Wires of a number, the lowest bit first.
pub type Number = Vec<Wire>;

/// A number that is the same in every run, of so many bits.
pub fn public(number: u64, bits: usize) -> Number {
    (0..bits).map(|bit| Wire::Public(bit < 64 && number >> bit & 1 == 1)).collect()
}

/// A number that depends on the inputs.
pub fn secret(bits: usize) -> Number {
    vec![Wire::Secret; bits]
}

/// The lowest bits of a number, or zeros behind it.
pub fn resized(number: &[Wire], bits: usize) -> Number {
    let mut number = number.to_vec();
    number.resize(bits, Wire::Public(false));
    number
}

/// XOR; free.
pub fn xor(one: Wire, other: Wire) -> Wire {
    match (one, other) {
        (Wire::Public(one), Wire::Public(other)) => Wire::Public(one ^ other),
        _ => Wire::Secret,
    }
}

/// NOT; free.
pub fn not(wire: Wire) -> Wire {
    xor(wire, Wire::Public(true))
}

/// Counts the AND gates of a circuit while it is written down.
#[derive(Default)]
pub struct Counter {
    ands: u64,
}

impl Counter {
    /// The AND gates so far.
    pub fn ands(&self) -> u64 {
        self.ands
    }

    /// AND: a gate, if both are secret.
    pub fn and(&mut self, one: Wire, other: Wire) -> Wire {
        match (one, other) {
            (Wire::Public(false), _) | (_, Wire::Public(false)) => Wire::Public(false),
            (Wire::Public(true), wire) | (wire, Wire::Public(true)) => wire,
            (Wire::Secret, Wire::Secret) => {
                self.ands += 1;
                Wire::Secret
            }
        }
    }

    /// OR: one AND.
    pub fn or(&mut self, one: Wire, other: Wire) -> Wire {
        let both = self.and(one, other);
        xor(xor(one, other), both)
    }

    /// `no` where the condition is 0 and `yes` where it is 1: an AND a bit. As long as the shorter.
    pub fn choose(&mut self, no: &[Wire], yes: &[Wire], condition: Wire) -> Number {
        let bits = no.iter().zip(yes);
        bits.map(|(no, yes)| xor(self.and(xor(*no, *yes), condition), *no)).collect()
    }

    /// The sum and the last carry: an AND a bit.
    pub fn add(&mut self, one: &[Wire], other: &[Wire], carry: Wire) -> (Number, Wire) {
        let mut carry = carry;
        let mut sum = Vec::with_capacity(one.len());
        for (one, other) in one.iter().zip(other) {
            let (first, second) = (xor(*one, carry), xor(*other, carry));
            sum.push(xor(*one, second));
            carry = xor(carry, self.and(first, second));
        }
        (sum, carry)
    }

    /// Whether `one` is less than `other`, both with a sign bit.
    pub fn less(&mut self, one: &[Wire], other: &[Wire]) -> Wire {
        let other: Number = other.iter().copied().map(not).collect();
        let (difference, _) = self.add(one, &other, Wire::Public(true));
        difference.last().copied().unwrap_or(Wire::Public(false))
    }

    /// The difference, and whether it is below zero: an AND a bit.
    pub fn subtract(&mut self, one: &[Wire], other: &[Wire]) -> (Number, Wire) {
        let mut borrow = Wire::Public(false);
        let mut difference = Vec::with_capacity(one.len());
        for (one, other) in one.iter().zip(other) {
            let unequal = xor(*one, *other);
            difference.push(xor(unequal, borrow));
            borrow = xor(borrow, self.and(unequal, xor(borrow, *other)));
        }
        (difference, borrow)
    }

    /// Quotient and remainder, of as many bits each: for every bit of the quotient a subtraction, and a choice of what is left. A
    /// compiler that folds constants saves what falls off the end, and not the subtractions: that a bit of the remainder is 0
    /// for every dividend, it does not see.
    pub fn divide(&mut self, dividend: &[Wire], divisor: &[Wire]) -> (Number, Number) {
        let bits = dividend.len();
        // Whether the divisor is too large when shifted by so much.
        let mut too_large = vec![Wire::Public(false)];
        for shift in 1..bits {
            let more = self.or(too_large[shift - 1], divisor[bits - shift]);
            too_large.push(more);
        }
        let (mut quotient, mut rest) = (public(0, bits), dividend.to_vec());
        for shift in (0..bits).rev() {
            let (difference, below) = self.subtract(&rest[shift..], &divisor[..bits - shift]);
            let stays = self.or(below, too_large[shift]);
            let chosen = self.choose(&difference, &rest[shift..], stays);
            rest.splice(shift.., chosen);
            quotient[shift] = not(stays);
        }
        (quotient, rest)
    }

    /// Whether two numbers are equal: an AND a bit but one.
    pub fn equal(&mut self, one: &[Wire], other: &[Wire]) -> Wire {
        let mut equal = Wire::Public(true);
        for (one, other) in one.iter().zip(other) {
            equal = self.and(equal, not(xor(*one, *other)));
        }
        equal
    }

    /// Every bit below the highest 1 becomes 1.
    pub fn fill_below(&mut self, number: &[Wire]) -> Number {
        let mut filled = number.to_vec();
        for bit in (1..filled.len()).rev() {
            filled[bit - 1] = self.or(filled[bit - 1], filled[bit]);
        }
        filled
    }

    /// How many bits are 1, in a number with a sign bit.
    pub fn ones(&mut self, bits: &[Wire]) -> Number {
        match bits.len() {
            0 => public(0, 2),
            1 => resized(bits, 2),
            len => {
                // The longest part whose length is a power of two, and the rest.
                let part = 1 << len.ilog2();
                let width = len.ilog2() as usize + 2;
                let first = self.ones_of_power(&bits[..part]);
                let rest = self.ones(&bits[part..]);
                self.add(&resized(&first, width), &resized(&rest, width), Wire::Public(false)).0
            }
        }
    }

    /// The same, of a power of two of bits, without a sign bit.
    fn ones_of_power(&mut self, bits: &[Wire]) -> Number {
        if bits.len() == 1 {
            return bits.to_vec();
        }
        let (low, high) = bits.split_at(bits.len() / 2);
        let (low, high) = (self.ones_of_power(low), self.ones_of_power(high));
        let (mut sum, carry) = self.add(&low, &high, Wire::Public(false));
        sum.push(carry);
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ands(circuit: impl FnOnce(&mut Counter)) -> u64 {
        let mut counter = Counter::default();
        circuit(&mut counter);
        counter.ands()
    }

    #[test]
    fn circuits_cost_what_they_are_known_to_cost() {
        let word = secret(64);
        assert_eq!(ands(|counter| drop(counter.add(&word, &word, Wire::Public(false)))), 63 + 1);
        assert_eq!(ands(|counter| drop(counter.choose(&word, &word, Wire::Secret))), 64);
        assert_eq!(ands(|counter| _ = counter.equal(&word, &word)), 63);
        assert_eq!(ands(|counter| drop(counter.fill_below(&word))), 63);
        // 32 half adders (one AND), 16 adders of two bits, 8 of three, ..
        assert_eq!(ands(|counter| drop(counter.ones_of_power(&word))), 32 + 32 + 24 + 16 + 10 + 6);
    }

    #[test]
    fn a_gate_with_a_public_input_is_none() {
        let (word, constant) = (secret(64), public(0x0123_4567_89ab_cdef, 64));
        assert_eq!(ands(|counter| drop(counter.choose(&word, &constant, Wire::Public(true)))), 0);
        assert_eq!(ands(|counter| _ = counter.equal(&constant, &constant)), 0);
        assert_eq!(ands(|counter| drop(counter.add(&constant, &constant, Wire::Public(false)))), 0);
        // The first carry is public where the constant's lowest bits are.
        assert_eq!(ands(|counter| drop(counter.add(&word, &public(0, 64), Wire::Public(false)))), 0);
    }

    /// Public circuits are evaluated as they are made: what they compute is right, so what is counted is the circuit.
    #[test]
    fn what_is_counted_computes_what_it_says() {
        let value = |number: &[Wire]| {
            number.iter().rev().fold(0, |value, wire| 2 * value + u64::from(*wire == Wire::Public(true)))
        };
        let mut counter = Counter::default();
        for one in 0..16 {
            assert_eq!(value(&counter.ones(&public(one, 4))), u64::from(one.count_ones()));
            assert_eq!(value(&counter.fill_below(&public(one, 5))), (one + 1).next_power_of_two() - 1);
            for other in 0..16 {
                let (a, b) = (public(one, 6), public(other, 6));
                assert_eq!(value(&counter.add(&a, &b, Wire::Public(false)).0), one + other);
                assert_eq!(counter.less(&a, &b), Wire::Public(one < other));
                assert_eq!(counter.subtract(&a, &b).1, Wire::Public(one < other));
                if let Some(expected) = one.checked_div(other) {
                    let (quotient, rest) = counter.divide(&a, &b);
                    assert_eq!((value(&quotient), value(&rest)), (expected, one - expected * other));
                }
                assert_eq!(counter.equal(&a, &b), Wire::Public(one == other));
                assert_eq!(value(&counter.choose(&a, &b, Wire::Public(true))), other);
                let or = counter.or(a[0], b[0]);
                assert_eq!(or, Wire::Public((one | other) & 1 == 1));
            }
        }
        assert_eq!(counter.ands(), 0);
    }
}
