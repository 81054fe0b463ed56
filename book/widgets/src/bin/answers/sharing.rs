//! The sharing playground. One step: all is shown at once.

use duoram_spec::core::share::{additive_open, additive_shares, xor_open, xor_shares};
use serde_json::Value;

use crate::cells::{Cells, Views, number, text};
use duoram_vectors::Random;

pub(crate) fn steps(form: &Value) -> Vec<Views> {
    let (xor, mask) = match text(form, "kind") {
        "additive-64" => (false, u64::MAX),
        "additive-4" => (false, 3),
        _ => (true, 0xff),
    };
    let show = |word: u64| if xor { format!("{word:08b}") } else { word.to_string() };
    let typed = |field: &str| u64::from_str_radix(text(form, field), if xor { 2 } else { 10 }).ok();
    // Over 64-bit words, and reduced: the smaller rings are quotients of the larger one.
    let split = |x: u64, r: u64| {
        let (x_0, x_1) = if xor {
            let (x_0, x_1) = xor_shares(x.into(), r.into());
            (u64::try_from(x_0).unwrap(), u64::try_from(x_1).unwrap())
        } else {
            additive_shares(x, r)
        };
        (x_0 & mask, x_1 & mask)
    };
    let join = |x_0: u64, x_1: u64| {
        let x = if xor {
            u64::try_from(xor_open(x_0.into(), x_1.into())).unwrap()
        } else {
            additive_open(x_0, x_1)
        };
        x & mask
    };

    let mut random = Random(number(form, "seed"));
    let (r, s) = (random.word() & mask, random.word() & mask);
    let (x, y) = (typed("x").unwrap(), typed("y").unwrap());
    let of_x = split(x, typed("r").unwrap_or(r));
    let of_y = split(y, typed("s").unwrap_or(s));
    let changed = (typed("change_0").unwrap_or(of_x.0), typed("change_1").unwrap_or(of_x.1));

    let mut cells = Cells::default();
    for (row, secret, shares) in [
        ("x", x, of_x),
        ("y", y, of_y),
        ("sum", join(x, y), (join(of_x.0, of_y.0), join(of_x.1, of_y.1))),
        ("changed", x, changed),
    ] {
        cells.set(format!("{row}.secret"), show(secret), "");
        cells.set(format!("{row}.share_0"), show(shares.0), "P0");
        cells.set(format!("{row}.share_1"), show(shares.1), "P1");
        cells.set(format!("{row}.opened"), show(join(shares.0, shares.1)), "");
    }
    let mut views = cells.views();
    views.remove("P2");
    if mask == 3 {
        for secret in 0..4_u64 {
            // P0's share is the random word; for P1 there is one word that leads from the secret to its share.
            let of_p1 = secret.wrapping_sub(of_x.1) & 3;
            views.get_mut("P0").unwrap().insert(format!("fits.{secret}"), of_x.0.to_string());
            views.get_mut("P1").unwrap().insert(format!("fits.{secret}"), of_p1.to_string());
        }
    }
    vec![views]
}
