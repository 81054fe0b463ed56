//! Bytes as hexadecimal digits: seeds, keys, names of files.

use std::fmt;

/// Fills bytes from twice as many digits; `None` if that is not what there is.
pub(crate) fn read(digits: &[u8], bytes: &mut [u8]) -> Option<()> {
    let (pairs, rest) = digits.as_chunks::<2>();
    if pairs.len() != bytes.len() || !rest.is_empty() {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(pairs) {
        let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let [high, low] = pair.map(digit);
        *byte = high? << 4 | low?;
    }
    Some(())
}

/// Two digits a byte.
pub(crate) fn write(bytes: &[u8], out: &mut impl fmt::Write) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
}
