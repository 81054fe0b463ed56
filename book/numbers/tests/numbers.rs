//! What is committed is what the code says.

use std::path::Path;
use std::process::Command;

#[test]
fn the_committed_numbers_and_pictures_are_those_of_the_code() {
    let generated = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/generated");
    let checked = Command::new(env!("CARGO_BIN_EXE_duoram-book-numbers"))
        .arg("--check")
        .arg(generated)
        .output()
        .unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}
