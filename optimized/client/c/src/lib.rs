//! `duoram-client` for C: `include/duoram_client.h` says what each function does. Built as `libduoram_client_c`, shared and static.

mod abi;
mod outcome;
