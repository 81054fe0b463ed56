//! Lean parties whose addresses hold rows are those of the reference only.

use duoram_reference::{Error, Parameters, Role, SessionId, lean};
use duoram_runtime::protocol::{Runs, check_rows};

/// What they would take of the memory is not budgeted, and not all that computes knows them: so they are refused, and in words.
#[test]
fn a_party_at_work_has_no_rows_yet() {
    let parameters = Parameters::new(SessionId(*b"rows of words..."), 4).unwrap();
    assert_eq!(check_rows(&parameters), Ok(()));
    let rows = parameters.with_row_words(2).unwrap();
    let refused = Error::RowWordsOutOfRange { max: 1, got: 2 };
    assert_eq!(refused.to_string(), "a row has from 1 to 1 words, got 2");
    for role in [Role::P0, Role::P1] {
        let primary = <lean::Lean as Runs<lean::Plain>>::primary(role, rows, [1; 32], lean::Plain);
        assert_eq!(primary.err(), Some(refused.clone()));
    }
    assert!(<lean::Lean as Runs<lean::Plain>>::helper(rows, [1; 32], lean::Plain).is_none());
    let lasting = <lean::Lean as Runs<lean::Plain>>::lasting(Role::P2, rows, [1; 32], lean::Plain);
    assert_eq!(lasting.err(), Some(refused));
}
