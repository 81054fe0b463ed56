//! `ci/fuzz 60 lean_hostile_peer`; see [`duoram_fuzz::hostile_peer`].
#![no_main]

use duoram_fuzz::hostile_peer::{Input, check};
use duoram_reference::lean::Lean;

libfuzzer_sys::fuzz_target!(|input: Input| check::<Lean>(&input));
