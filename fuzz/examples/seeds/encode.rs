//! The bytes from which `arbitrary` makes a given input: the inverse of its decoding.

use arbitrary::{Arbitrary, Unstructured};
use duoram_fuzz::conversion;
use duoram_fuzz::hostile_peer::{self, Action};
use duoram_fuzz::operations::{self, Step};
use duoram_fuzz::pir_messages::{self, Change, Which};
use duoram_fuzz::primitives::{self, Level, Operation, lean};
use duoram_fuzz::wire::{self, Due, Role3};

/// Something that can be written so that it decodes to itself.
pub(crate) trait Encode {
    fn encode(&self, out: &mut Vec<u8>);
}

/// The bytes of an input. That they decode to it is checked here and now.
pub(crate) fn encoded<I>(input: &I) -> Vec<u8>
where
    I: Encode + for<'a> Arbitrary<'a> + PartialEq + std::fmt::Debug,
{
    let mut bytes = Vec::new();
    input.encode(&mut bytes);
    let decoded = I::arbitrary_take_rest(Unstructured::new(&bytes)).expect("enough bytes");
    assert_eq!(&decoded, input, "does not decode to itself");
    bytes
}

macro_rules! integers {
    ($($type:ty)*) => {
        $(impl Encode for $type {
            fn encode(&self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }
        })*
    };
}

integers!(u8 i8 u16 i16 u32 u64 u128);

impl Encode for bool {
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }
}

impl<T: Encode> Encode for Vec<T> {
    fn encode(&self, out: &mut Vec<u8>) {
        for item in self {
            true.encode(out);
            item.encode(out);
        }
        false.encode(out);
    }
}

impl<T: Encode, const N: usize> Encode for [T; N] {
    fn encode(&self, out: &mut Vec<u8>) {
        for item in self {
            item.encode(out);
        }
    }
}

impl<A: Encode, B: Encode> Encode for (A, B) {
    fn encode(&self, out: &mut Vec<u8>) {
        self.0.encode(out);
        self.1.encode(out);
    }
}

/// The fields of a structure, in order.
macro_rules! structures {
    ($($type:ty { $($field:ident)* })*) => {
        $(impl Encode for $type {
            fn encode(&self, out: &mut Vec<u8>) {
                $(self.$field.encode(out);)*
            }
        })*
    };
}

structures! {
    Level { word left_flag right_flag }
    primitives::Input {
        depth operation queries party threads shift address seed session_key root levels
    }
    lean::Input {
        log_size operation queries role threads shift seed session_key root flag_correction levels
    }
    conversion::Input { log_size role computation reads updates load write seed first_tape second_tape }
    operations::Input { log_size computation load seed steps }
    Due { kind log_size count deltas }
    pir_messages::Input { backend log_size seed index message changes }
    hostile_peer::Input { role log_size computation seed actions }
}

/// A variant by its number: 32 bits that `arbitrary` scales to the number of variants.
fn variant(number: u64, of: u64, out: &mut Vec<u8>) {
    u32::try_from((number << 32).div_ceil(of)).expect("number < of").encode(out);
}

/// The variants of an enumeration with their fields, in order.
macro_rules! enumerations {
    ($($type:ty, $of:literal { $($number:literal $pattern:pat => $($field:ident)*;)* })*) => {
        $(impl Encode for $type {
            fn encode(&self, out: &mut Vec<u8>) {
                match self {
                    $($pattern => {
                        variant($number, $of, out);
                        $($field.encode(out);)*
                    })*
                }
            }
        })*
    };
}

enumerations! {
    Role3, 3 {
        0 Self::P0 => ;
        1 Self::P1 => ;
        2 Self::P2 => ;
    }
    Which, 3 {
        0 Self::Setup => ;
        1 Self::Query => ;
        2 Self::Answer => ;
    }
    Change, 4 {
        0 Self::Byte { at, xor } => at xor;
        1 Self::Number { at, above } => at above;
        2 Self::Resize(by) => by;
        3 Self::Raw(bytes) => bytes;
    }
    Operation, 6 {
        0 Self::Grow { trees, stored } => trees stored;
        1 Self::LeafSum => ;
        2 Self::Read => ;
        3 Self::Unblinding => ;
        4 Self::Update => ;
        5 Self::UpdateBlinds => ;
    }
    lean::Operation, 3 {
        0 Self::Grow { reads, stored } => reads stored;
        1 Self::Read => ;
        2 Self::Update => ;
    }
    Step, 6 {
        0 Self::Preprocess { reads, updates } => reads updates;
        1 Self::Reads(addresses) => addresses;
        2 Self::Chase { address, steps } => address steps;
        3 Self::Updates(updates) => updates;
        4 Self::Write(address, value) => address value;
        5 Self::Swap(address, value) => address value;
    }
    wire::Input, 3 {
        0 Self::Header(link, bytes) => link bytes;
        1 Self::Fields { link, bytes, round, length, operation, session } =>
            link bytes round length operation session;
        2 Self::Payload { from, due, misfit, bytes } => from due misfit bytes;
    }
    Action, 16 {
        0 Self::Connect => ;
        1 Self::Load(misfit) => misfit;
        2 Self::Preprocess(reads, updates) => reads updates;
        3 Self::PreprocessTooMuch(reads, updates) => reads updates;
        4 Self::Read(count) => count;
        5 Self::Update(count) => count;
        6 Self::Write => ;
        7 Self::Swap => ;
        8 Self::Deliver => ;
        9 Self::Finish => ;
        10 Self::Damage { at, xor } => at xor;
        11 Self::Resize { by, announced } => by announced;
        12 Self::Reroute { link, claimed } => link claimed;
        13 Self::Replay(which) => which;
        14 Self::Forge { link, kind, round, length, bytes, operation } =>
            link kind round length bytes operation;
        15 Self::Raw(link, bytes) => link bytes;
    }
}
