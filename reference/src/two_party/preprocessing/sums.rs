//! The sums of conversion words, of which the inverse makes a unit vector; and the items, which are complete then.

use zeroize::Zeroizing;

use super::material::Material;
use super::{READ_ITEMS, agreed};
use crate::Word;
use crate::engine::endpoint::Due;
use crate::engine::step::{Next, State};
use crate::two_party::dpf::inverse;
use crate::two_party::items::UpdateItem;
use crate::two_party::pir::Pir;
use crate::two_party::primary::PrimaryWorld;
use crate::two_party::{Compute, Correction, DpfKey, LeafSums};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Bound, Kind, Length, Message, Misbehaviour, Role};

/// The rule that the opened sum of conversion words is odd: the flags differ at one leaf.
pub const SUM_BIT: &str = "the lowest bit of an opened sum";

/// P_b to P_c: for each DPF `w_b`, the sum of its conversion words, signed.
pub struct Sums(pub Vec<Word>);

impl Message for Sums {
    const KIND: Kind = Kind::agreeing(8, "sums", READ_ITEMS).making();

    /// The number of DPFs.
    type Shape = usize;

    fn length(dpfs: usize) -> Length {
        Length::words(dpfs)
    }

    fn write(&self, out: &mut Writer) {
        out.words(&self.0);
    }

    fn read(reader: &mut Reader<'_>, dpfs: usize) -> Result<Self, Misbehaviour> {
        Ok(Self(reader.words(dpfs)))
    }
}

/// A party that has sent its sums: the other's are due.
struct SumsDue {
    material: Material,
    corrections: Vec<Vec<Correction>>,
    /// Over the leaves, for each DPF.
    leaves: Zeroizing<Vec<LeafSums>>,
    /// `w_b` for each DPF.
    own: Vec<Word>,
}

/// An even sum has no inverse.
// Not inlined: optimized/constant-time knows this one branch on what is opened by the function's name.
#[inline(never)]
fn check_sums(from: Role, own: &[Word], theirs: &[Word]) -> Result<(), Misbehaviour> {
    let even = |(own, theirs): (&Word, &Word)| own.wrapping_add(*theirs) & 1 == 0;
    match own.iter().zip(theirs).position(even) {
        Some(dpf) => Err(Misbehaviour::Content {
            from,
            kind: Sums::KIND,
            rule: SUM_BIT,
            at: vec![("DPF", dpf)],
            expected: Bound::Is(1),
            got: 0,
        }),
        None => Ok(()),
    }
}

/// Sends `w_b` for each tree, all of which have grown.
pub(super) fn begin<C: Compute, P: Pir>(
    material: Material,
    forest: C::Forest,
    corrections: Vec<Vec<Correction>>,
    world: &mut PrimaryWorld<C, P>,
) -> Next<PrimaryWorld<C, P>> {
    let leaves = Zeroizing::new(world.tools.compute.leaf_sums(forest));
    let sign = world.core.role().sign();
    let sums = Sums(leaves.iter().map(|sums| sign.wrapping_mul(sums.conversion_sum)).collect());
    world.core.send(world.other, agreed(material.drawn.batch), &sums);
    Next::state(SumsDue { material, corrections, leaves, own: sums.0 })
}

impl<C: Compute, P: Pir> State<PrimaryWorld<C, P>> for SumsDue {
    type Message = Sums;

    fn due(&self, world: &PrimaryWorld<C, P>) -> Due<Sums> {
        Due { from: world.other, round: agreed(self.material.drawn.batch), shape: self.own.len() }
    }

    fn check(&self, _world: &PrimaryWorld<C, P>, from: Role, theirs: &Sums) -> Result<(), Misbehaviour> {
        check_sums(from, &self.own, &theirs.0)
    }

    /// `z^-1`, `ri_b` and `F_b` of each DPF.
    fn receive(self, theirs: Sums, world: &mut PrimaryWorld<C, P>) -> Next<PrimaryWorld<C, P>> {
        let Self { mut material, corrections, leaves, own } = self;
        let parameters = *world.core.parameters();
        let sign = world.core.role().sign();
        material.put_reads(&mut world.items);
        let opened = own.iter().zip(&theirs.0).map(|(own, theirs)| own.wrapping_add(*theirs));
        let trees = material.drawn.roots.iter().zip(corrections).zip(leaves.iter());
        for (((&root, corrections), sums), z) in trees.zip(opened) {
            let inverse = inverse(z);
            let index = sign.wrapping_mul(sums.index_conversion_sum).wrapping_mul(inverse);
            world.items.put_update(UpdateItem {
                key: DpfKey::new(root, corrections, inverse),
                random_index: Zeroizing::new(parameters.reduce(index)),
                final_correction: Zeroizing::new(sign.wrapping_mul(sums.value_sum).wrapping_neg()),
            });
        }
        Next::Done
    }
}
