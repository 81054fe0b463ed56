//! A PRG that is quick to compute, in Rust and, by hand, in Rocq: most functions work with any.

use crate::random::{Random, Rng};
use crate::rocq::Rocq;
use duoram_spec::core::block::Block;
use duoram_spec::core::prg::Prg;
use duoram_spec::lean::layers::Layers;
use duoram_spec::two_party::masks::Prf;

#[derive(Clone)]
pub struct Toy;

const FACTOR: u128 = 0x2545_f491_4f6c_dd1d_9e37_79b9_7f4a_7c15;

impl Prg for Toy {
    fn left(&self, label: Block) -> Block {
        label.wrapping_mul(FACTOR) ^ label.wrapping_shr(61)
    }
    fn right(&self, label: Block) -> Block {
        label.wrapping_add(1).wrapping_mul(FACTOR) ^ label.wrapping_shr(67)
    }
}

impl Layers for Toy {
    fn output(&self, label: Block, tweak: Block) -> Block {
        self.left(label ^ tweak)
    }
}

impl Prf for Toy {
    fn value(&self, key: Block, input: Block) -> Block {
        self.left(key ^ input)
    }
}

/// The same, for the files of examples.
pub const ROCQ: &str = "
Inductive toy : Type := Toy.
Definition factor : u128 := repr 128 49544664747888569933475507198893915157.
#[local] Instance prg_Prg_toy : prg_Prg toy := {|
  prg_Prg_left := fun _ label => ixor (wmul label factor) (wshr label (repr 32 61));
  prg_Prg_right := fun _ label => ixor (wmul (wadd label (repr 128 1)) factor) (wshr label (repr 32 67));
|}.
#[local] Instance lean_layers_Layers_toy : lean_layers_Layers toy := {|
  lean_layers_Layers_output := fun toy label tweak => prg_Prg_left toy (ixor label tweak);
|}.
#[local] Instance two_party_masks_Prf_toy : two_party_masks_Prf toy := {|
  two_party_masks_Prf_value := fun toy key input => prg_Prg_left toy (ixor key input);
|}.
#[local] Instance toy_eqb : Eqb toy := fun _ _ => true.
";

impl Random for Toy {
    fn random(_: &mut Rng) -> Toy {
        Toy
    }
}

impl Rocq for Toy {
    fn rocq(&self) -> String {
        "Toy".to_string()
    }
}
