//! Packed bits: bit `j` is bit `j mod 8` of byte `j div 8`.

/// The number of bytes that `count` bits take.
pub(crate) const fn packed_length(count: usize) -> usize {
    count.div_ceil(8)
}

/// Packs bits; unused bits of the last byte are zero.
pub(crate) fn pack(bits: &[bool]) -> Vec<u8> {
    let mut bytes = vec![0; packed_length(bits.len())];
    for (j, &bit) in bits.iter().enumerate() {
        bytes[j / 8] |= u8::from(bit) << (j % 8);
    }
    bytes
}

/// Unpacks `count` bits from `packed_length(count)` bytes.
///
/// # Errors
///
/// The last byte, if an unused bit of it is set.
pub(crate) fn unpack(bytes: &[u8], count: usize) -> Result<Vec<bool>, u8> {
    check_padding(bytes, count)?;
    Ok(bytes.iter().flat_map(|byte| (0..8).map(move |j| (byte >> j) & 1 == 1)).take(count).collect())
}

/// Whether the unused bits of `packed_length(count)` bytes are zero.
///
/// # Errors
///
/// The last byte, if an unused bit of it is set.
pub(crate) fn check_padding(bytes: &[u8], count: usize) -> Result<(), u8> {
    match bytes.last() {
        Some(&last) if !count.is_multiple_of(8) && last >> (count % 8) != 0 => Err(last),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_first_bit_is_the_lowest() {
        let mut bits = vec![false; 11];
        bits[0] = true;
        bits[9] = true;
        assert_eq!(pack(&bits), [0b0000_0001, 0b0000_0010]);
    }

    #[test]
    fn unused_bits_must_be_zero() {
        assert_eq!(unpack(&[0b0000_1000], 3), Err(0b0000_1000));
        assert_eq!(unpack(&[0b1000_0000], 7), Err(0b1000_0000));
        assert!(unpack(&[0xff], 8).is_ok());
    }

    proptest! {
        #[test]
        fn unpack_undoes_pack(bits in prop::collection::vec(any::<bool>(), 0..100)) {
            prop_assert_eq!(unpack(&pack(&bits), bits.len()), Ok(bits));
        }
    }
}
