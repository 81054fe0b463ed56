//! The paper's three-party protocol: sections 3 and 4, with Appendix D.

pub mod compressed;
pub mod conversion;
pub mod lemmas;
pub mod memory;
pub mod parties;
pub mod party;
pub mod party_online;
pub mod party_preprocessing;
pub mod party_turn;
pub mod payload;
pub mod preprocessing;
pub mod read;
pub mod session;
pub mod tape;
pub mod update;
