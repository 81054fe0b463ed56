//! The fields of a form, as typed, and their validation.

use std::collections::BTreeMap;

/// Why an input was refused: which field, what was expected, what was got.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BadInput {
    pub(crate) field: String,
    pub(crate) message: String,
}

/// The fields by name.
pub(crate) struct Inputs(BTreeMap<String, String>);

impl Inputs {
    pub(crate) fn parse(fields: &str) -> Result<Inputs, BadInput> {
        serde_json::from_str(fields).map(Inputs).map_err(|error| BadInput {
            field: String::new(),
            message: format!("expected a JSON object of strings, got what is none: {error}"),
        })
    }

    /// The text of a field, without white space around it; a field that is missing is empty.
    pub(crate) fn text(&self, field: &str) -> &str {
        self.0.get(field).map_or("", |text| text.trim())
    }

    /// A whole number from 0 to `last`.
    pub(crate) fn number(&self, field: &str, last: u64) -> Result<u64, BadInput> {
        self.text(field)
            .parse()
            .ok()
            .filter(|number| *number <= last)
            .ok_or_else(|| self.refused(field, &format!("a whole number from 0 to {last}")))
    }

    /// One of some numbers.
    pub(crate) fn one_of(&self, field: &str, numbers: &[usize]) -> Result<usize, BadInput> {
        self.text(field).parse().ok().filter(|number| numbers.contains(number)).ok_or_else(|| {
            let known: Vec<String> = numbers.iter().map(usize::to_string).collect();
            self.refused(field, &format!("one of {}", known.join(", ")))
        })
    }

    /// The refusal of what stands in a field.
    pub(crate) fn refused(&self, field: &str, expected: &str) -> BadInput {
        // Not all of a text of any length.
        let got: String = self.text(field).chars().take(40).collect();
        let got = if got.is_empty() { "nothing".to_owned() } else { format!("\"{got}\"") };
        BadInput { field: field.to_owned(), message: format!("{field}: expected {expected}, got {got}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(text: &str) -> Inputs {
        Inputs::parse(&serde_json::json!({ "address": text }).to_string()).unwrap()
    }

    #[test]
    fn a_number_is_taken_with_space_around_it() {
        assert_eq!(inputs(" 7 ").number("address", 7), Ok(7));
        assert_eq!(inputs("18446744073709551615").number("address", u64::MAX), Ok(u64::MAX));
    }

    #[test]
    fn a_refusal_names_expected_and_got() {
        for (text, got) in
            [("8", "\"8\""), ("-1", "\"-1\""), ("x", "\"x\""), ("", "nothing"), ("1.5", "\"1.5\"")]
        {
            let refusal = inputs(text).number("address", 7).unwrap_err();
            assert_eq!(refusal.field, "address");
            assert_eq!(refusal.message, format!("address: expected a whole number from 0 to 7, got {got}"));
        }
        let refusal = inputs("5").one_of("address", &[4, 8]).unwrap_err();
        assert_eq!(refusal.message, "address: expected one of 4, 8, got \"5\"");
    }

    #[test]
    fn what_is_no_object_of_strings_is_refused() {
        for text in ["", "[]", "{\"address\": 1}", "{"] {
            assert!(Inputs::parse(text).is_err(), "{text}");
        }
    }
}
