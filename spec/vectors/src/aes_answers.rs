//! Known answers of AES-128 that come from outside (`spec/vectors/external/aes_nist.txt` says from where).
//!
//! All other vectors are what the specification computes, so they cannot show that its AES is AES. These can: every AES
//! here, the specification's, the reference's and each backend's, is put to them.

/// One encryption of one block; byte 0 first, as FIPS 197 writes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AesAnswer {
    /// The name of NIST's set.
    pub set: &'static str,
    /// The key.
    pub key: [u8; 16],
    /// The plaintext.
    pub plain: [u8; 16],
    /// The ciphertext.
    pub cipher: [u8; 16],
}

/// All of them, in the order of the file.
///
/// # Panics
///
/// If a line of the file is not a set and three blocks. It is compiled in, so no input of a program causes this.
pub fn aes_answers() -> Vec<AesAnswer> {
    let lines = include_str!("../external/aes_nist.txt").lines();
    lines.filter(|line| !line.starts_with('#')).map(answer).collect()
}

fn answer(line: &'static str) -> AesAnswer {
    let fields: Vec<_> = line.split(' ').collect();
    let [set, key, plain, cipher] = fields[..] else { panic!("a set and three blocks: {line}") };
    AesAnswer { set, key: block(key), plain: block(plain), cipher: block(cipher) }
}

fn block(digits: &str) -> [u8; 16] {
    assert_eq!(digits.len(), 32, "a block: {digits}");
    match u128::from_str_radix(digits, 16) {
        Ok(number) => number.to_be_bytes(),
        Err(error) => panic!("{digits}: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Leading ones.
    fn ones(count: u32) -> [u8; 16] {
        (u128::MAX << (128 - count)).to_be_bytes()
    }

    /// A file that lost lines would still agree with every AES.
    #[test]
    fn every_set_is_whole() {
        let answers = aes_answers();
        let of = |name: &str| -> Vec<_> { answers.iter().filter(|answer| answer.set == name).collect() };
        let sizes =
            ["fips197", "sp800-38a", "gfsbox", "keysbox", "vartxt", "varkey"].map(|set| of(set).len());
        assert_eq!(sizes, [2, 4, 7, 21, 128, 128]);
        assert_eq!(sizes.iter().sum::<usize>(), answers.len());
        assert!(of("gfsbox").iter().all(|answer| answer.key == [0; 16]));
        assert!(of("keysbox").iter().all(|answer| answer.plain == [0; 16]));
        for (count, (text, key)) in (1..).zip(of("vartxt").iter().zip(of("varkey"))) {
            assert_eq!((text.key, text.plain), ([0; 16], ones(count)));
            assert_eq!((key.key, key.plain), (ones(count), [0; 16]));
        }
    }
}
