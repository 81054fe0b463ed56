//! What is asked for on the command line.

use std::ops::RangeInclusive;

/// How often a system is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runs {
    /// So often, reading.
    Times(usize),
    /// Once for each line of standard input, which says `read` or `write`.
    Asked,
}

/// What is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// lg of the numbers of words.
    pub log_sizes: RangeInclusive<u32>,
    /// Of each run.
    pub operations: usize,
    /// How often.
    pub runs: Runs,
}

/// What is wrong, in words.
pub type Wrong = String;

impl Arguments {
    /// Parses `--log-size H[..H] --operations N`, and `--runs N` or `--wait`, each of which may be missing.
    ///
    /// # Errors
    ///
    /// What was expected, and what was there.
    pub fn parse(words: impl IntoIterator<Item = String>) -> Result<Self, Wrong> {
        let mut arguments = Self { log_sizes: 16..=16, operations: 1024, runs: Runs::Times(3) };
        let mut words = words.into_iter();
        while let Some(name) = words.next() {
            if name == "--wait" {
                arguments.runs = Runs::Asked;
                continue;
            }
            let value = words.next().ok_or_else(|| format!("expected a value of {name}, got none"))?;
            let number = |text: &str| {
                text.parse::<u32>().map_err(|_| format!("expected a number as {name}, got {text}"))
            };
            match &*name {
                "--log-size" => {
                    let (first, last) = value.split_once("..").unwrap_or((&value, &value));
                    arguments.log_sizes = number(first)?..=number(last)?;
                }
                "--operations" => arguments.operations = number(&value)? as usize,
                "--runs" => arguments.runs = Runs::Times(number(&value)? as usize),
                _ => return Err(format!("expected --log-size, --operations, --runs or --wait, got {name}")),
            }
        }
        let sizes = &arguments.log_sizes;
        if *sizes.end() > 28 || *sizes.start() < 4 {
            return Err(format!("expected sizes from 2^4 to 2^28, got {sizes:?}"));
        }
        if arguments.runs == Runs::Asked && sizes.start() != sizes.end() {
            return Err(format!("expected one size with --wait, got {sizes:?}"));
        }
        Ok(arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str) -> Result<Arguments, Wrong> {
        Arguments::parse(words.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn arguments_are_parsed_or_refused_in_words() {
        let expected = Arguments { log_sizes: 10..=12, operations: 7, runs: Runs::Times(2) };
        assert_eq!(parse("--log-size 10..12 --operations 7 --runs 2"), Ok(expected));
        assert_eq!(parse("").unwrap().log_sizes, 16..=16);
        assert_eq!(parse("--wait --log-size 9").unwrap().runs, Runs::Asked);
        for wrong in [
            "--log-size x",
            "--log-size",
            "--size 4",
            "--log-size 3",
            "--log-size 10..40",
            "--wait --log-size 9..10",
        ] {
            assert!(parse(wrong).unwrap_err().starts_with("expected"));
        }
    }
}
