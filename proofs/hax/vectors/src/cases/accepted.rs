//! The constructs of `proofs/hax/tests/accepted`.

use crate::random::{Random, Rng};
use crate::rocq::{Rocq, structure};
use crate::{Vectors, case, given};
use accepted::core::steps::{self, Stride};
use accepted::enums::{self, Shape, Side};
use accepted::structures::{self, Pair, Point};
use accepted::traits::{self, Group};
use accepted::{
    booleans, closures, constants, early_return, east, integers, lists, loops, modules, mutation, options,
    references, shadowing, tuples, west,
};

pub fn accepted(v: &mut Vectors) {
    values(v);
    data(v);
    control(v);
    folders(v);
}

fn folders(v: &mut Vectors) {
    case!(v, 3, "core::steps::stride", "", |s: Stride, x: u64| steps::stride(&s, x));
    case!(v, 3, "east::road::walked", "", |s: Stride, x: u64| east::road::walked(&s, x));
    case!(v, 3, "west::road::walked", "", |s: Stride, x: u64| west::road::walked(&s, x));
    case!(v, 3, "east::far", "", |x: u64| east::far(x));
}

fn values(v: &mut Vectors) {
    case!(v, 6, "integers::wrapping", "", |a: u32, b: u32| integers::wrapping(a, b));
    case!(v, 12, "integers::shifts", "", |a: u8, k: u32| integers::shifts(a, k));
    case!(v, 6, "integers::bits", "", |a: u128, b: u128| integers::bits(a, b));
    case!(v, 12, "integers::compare", "", |a: u64, b: u64| integers::compare(a, b));
    case!(v, 3, "integers::narrow", "", |a: u128| integers::narrow(a));
    case!(v, 3, "integers::widen", "", |a: u8| integers::widen(a));
    given!(v, "integers::LARGEST", "", integers::LARGEST;);
    given!(v, "constants::SIZE", "", constants::SIZE;);
    given!(v, "constants::TWICE", "", constants::TWICE;);
    case!(v, 3, "constants::last", "", |n: usize| constants::last(n));
    case!(v, 6, "booleans::mix", "", |a: bool, b: bool| booleans::mix(a, b));
    case!(v, 4, "booleans::differ", "", |a: bool, b: bool| booleans::differ(a, b));
    case!(v, 4, "booleans::select", "", |c: bool, a: u64, b: u64| booleans::select(c, a, b));
    case!(v, 2, "references::through", "", |x: u64| references::through(&x));
    case!(v, 3, "references::twice", "", |x: u64, l: Vec<u64>| references::twice(&x, &l));
    case!(v, 2, "references::call", "", |x: u64| references::call(x));
    case!(v, 3, "shadowing::sequence", "", |x: u64| shadowing::sequence(x));
    case!(v, 3, "shadowing::inner", "", |x: u64, l: Vec<u64>| shadowing::inner(x, &l));
    case!(v, 3, "shadowing::reserved", "", |a: u64, b: u64, c: u64, d: u64| shadowing::reserved(a, b, c, d));
    case!(v, 3, "shadowing::of_an_item", "", |x: u64| shadowing::of_an_item(x));
    case!(v, 3, "shadowing::of_a_type", "", |x: u64| shadowing::of_a_type(x));
}

fn data(v: &mut Vectors) {
    case!(v, 2, "tuples::swap", "", |p: (u64, bool)| tuples::swap(p));
    case!(v, 2, "tuples::third", "", |p: (u64, u64, u8)| tuples::third(p));
    case!(v, 2, "tuples::rotate", "", |p: (u64, u64), q: (u64, bool)| tuples::rotate(p, q));
    given!(v, "tuples::nothing", "", tuples::nothing(););
    case!(v, 2, "structures::mirrored", "", |p: Point| structures::mirrored(&p));
    case!(v, 2, "structures::moved", "", |p: Point, y: u64| structures::moved(p, y));
    case!(v, 2, "structures::pair", "", |x: u64| structures::pair(x));
    case!(v, 2, "structures::left", "", |p: Pair<u64>| structures::left(&p));
    case!(v, 4, "enums::other", "", |s: Side| enums::other(s));
    case!(v, 6, "enums::start", "", |s: Shape<u8>, d: u8| enums::start(&s, d));
    case!(v, 2, "enums::line", "", |x: u8| enums::line(x));
    case!(v, 8, "enums::truth", "", |x: bool, s: Side| enums::truth(x, s));
    case!(v, 4, "options::or", "", |x: Option<u64>, d: u64| options::or(x, d));
    case!(v, 6, "options::keep", "", |x: Option<u64>, w: bool| options::keep(x, w));
    case!(v, 6, "options::of", "", |l: Vec<u64>, i: usize| options::of(&l, i));
    case!(v, 3, "lists::sum", "", |l: Vec<u64>| lists::sum(&l));
    case!(v, 3, "lists::sums", "", |a: Vec<u64>, b: Vec<u64>| lists::sums(&a, &b));
    case!(v, 3, "lists::doubled", "", |l: Vec<u64>| lists::doubled(&l));
    case!(v, 8, "lists::window", "", |l: Vec<u64>, n: usize| lists::window(&l, n));
    let five: Vec<u64> = vec![10, 11, 12, 13, 14];
    for n in 0..7usize {
        given!(v, "lists::window", "", lists::window(&five, n); five, n);
    }
    case!(v, 3, "lists::numbered", "", |l: Vec<u8>| lists::numbered(&l));
    case!(v, 4, "lists::ends", "", |l: Vec<u64>| lists::ends(l.clone()));
    given!(v, "lists::squares", "", lists::squares(9); 9u32);
    given!(v, "lists::squares", "", lists::squares(0); 0u32);
    case!(v, 3, "lists::repeated", "", |x: u8| lists::repeated(x));
    case!(v, 3, "modules::twice", "", |p: Point| modules::twice(&p));
    given!(v, "traits::Group::unit for u64", "", <u64 as Group>::unit(););
    given!(v, "traits::Group::unit for bool", "", <bool as Group>::unit(););
    case!(v, 2, "traits::Group::combine for u64", "", |a: u64, b: u64| a.combine(&b));
    case!(v, 4, "traits::Group::combine for bool", "", |a: bool, b: bool| a.combine(&b));
    case!(v, 3, "traits::power", "", |g: u64, n: usize| traits::power(g, n));
    case!(v, 2, "traits::units", " bool", |n: usize| traits::units::<bool>(n));
    case!(v, 3, "traits::both", "", |x: u64, b: bool| traits::both(x, b));
}

fn control(v: &mut Vectors) {
    case!(v, 3, "closures::twice", "", |x: u64, y: u64| closures::twice(x, y));
    case!(v, 3, "closures::table", "", |n: usize| closures::table(n));
    case!(v, 3, "loops::total", "", |l: Vec<u64>| loops::total(&l));
    case!(v, 3, "loops::pairs", "", |n: usize| loops::pairs(n));
    case!(v, 6, "loops::weighted", "", |l: Vec<(u64, u64)>| loops::weighted(&l));
    case!(v, 4, "mutation::branches", "", |c: bool, x: u64| mutation::branches(c, x));
    case!(v, 3, "mutation::in_a_block", "", |x: u64| mutation::in_a_block(x));
    case!(v, 4, "mutation::matched", "", |x: Option<u64>| mutation::matched(x));
    case!(v, 3, "mutation::in_a_closure", "", |l: Vec<u64>| mutation::in_a_closure(&l));
    case!(v, 12, "early_return::clipped", "", |x: u64| early_return::clipped(x));
    case!(v, 8, "early_return::both", "", |a: Option<u64>, b: Option<u64>| early_return::both(a, b));
    case!(v, 8, "early_return::of_a_match", "", |a: Option<u64>, c: bool| early_return::of_a_match(a, c));
    case!(v, 6, "early_return::of_a_closure", "", |l: Vec<u64>| early_return::of_a_closure(&l));
    case!(v, 4, "early_return::with_mutation", "", |c: bool| early_return::with_mutation(c));
    case!(v, 4, "early_return::of_a_block", "", |c: bool| early_return::of_a_block(c));
}

impl Random for Point {
    fn random(rng: &mut Rng) -> Point {
        Point { x: Random::random(rng), y: Random::random(rng) }
    }
}

impl Rocq for Point {
    fn rocq(&self) -> String {
        structure("structures::Point", &[self.x.rocq(), self.y.rocq()])
    }
}

impl Random for Stride {
    fn random(rng: &mut Rng) -> Stride {
        Stride { length: Random::random(rng) }
    }
}

impl Rocq for Stride {
    fn rocq(&self) -> String {
        structure("core::steps::Stride", &[self.length.rocq()])
    }
}

impl Random for Pair<u64> {
    fn random(rng: &mut Rng) -> Pair<u64> {
        Pair { left: Random::random(rng), right: Random::random(rng) }
    }
}

impl Rocq for Pair<u64> {
    fn rocq(&self) -> String {
        structure("structures::Pair", &[self.left.rocq(), self.right.rocq()])
    }
}

impl Random for Side {
    fn random(rng: &mut Rng) -> Side {
        if bool::random(rng) { Side::Left } else { Side::Right }
    }
}

impl Rocq for Side {
    fn rocq(&self) -> String {
        format!("enums_Side_{self:?}")
    }
}

impl Random for Shape<u8> {
    fn random(rng: &mut Rng) -> Shape<u8> {
        match rng.below(3) {
            0 => Shape::Empty,
            1 => Shape::Point(Random::random(rng)),
            _ => Shape::Line { from: Random::random(rng), to: Random::random(rng) },
        }
    }
}

impl Rocq for Shape<u8> {
    fn rocq(&self) -> String {
        match self {
            Shape::Empty => "enums_Shape_Empty".to_string(),
            Shape::Point(at) => format!("(enums_Shape_Point {})", at.rocq()),
            Shape::Line { from, to } => format!("(enums_Shape_Line {} {})", from.rocq(), to.rocq()),
        }
    }
}
