//! The functions that expand a key of AES. The S-box is computed and not copied, which takes Rocq two seconds, once a file: the table
//! is a constant, and `vm_compute` keeps the values of constants. So their examples share one.

/// Those functions.
pub const FUNCTIONS: [&str; 13] = [
    "core::aes::expand_key",
    "core::aes::s_box_table",
    "lean::delivery::session_prg",
    "lean::row_session::connect",
    "lean::session::connect",
    "paper::parties::connect",
    "paper::party::connected_helper",
    "paper::party::connected_primary",
    "paper::party::session_prg",
    "paper::session::connect",
    "two_party::masks::aes_prf",
    "two_party::party::session_prg",
    "two_party::session::connect",
];

/// What the file of their examples is called after.
pub const FILE: &str = "key_expansion";
