//! What every protocol is made of: words and labels, AES and the PRG, sharing, triples, DPFs, and the memory that a session
//! must behave like.

pub mod aes;
pub mod block;
pub mod bytes;
pub mod dealer;
pub mod distributed_gen;
pub mod dpf;
pub mod du_atallah;
pub mod ideal;
pub mod lemmas;
pub mod prg;
pub mod ring;
pub mod share;
pub mod vector;
