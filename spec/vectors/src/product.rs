//! The product of additively shared words: a dot product of length one.

use duoram_spec::core::du_atallah::{ProductTriple, product_share, product_triples};
use duoram_spec::core::ring::Ring;
use serde_json::{Value, json};

use crate::Random;
use crate::json::word;
use crate::topic::{Fault, Topic};

struct Case {
    operands: [u64; 4],
    /// `X_0`, `X_1`, `Y_0`, `Y_1`, `T`.
    dealer: [u64; 5],
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0x960d);
    let mut of = |operands: Option<[u64; 4]>| Case {
        operands: operands.unwrap_or_else(|| [0; 4].map(|_| r.word())),
        dealer: [0; 5].map(|_| r.word()),
    };
    vec![
        ("random".to_owned(), of(None)),
        ("another".to_owned(), of(None)),
        ("-1 times -1".to_owned(), of(Some([0, u64::MAX, 1, u64::MAX - 1]))),
        ("6 times 7".to_owned(), of(Some([2, 4, 3, 4]))),
    ]
}

fn output(case: &Case, share: impl Fn(u64, u64, &ProductTriple<u64>, u64, u64) -> u64) -> Value {
    let [x_0, x_1, y_0, y_1] = case.operands;
    let [mask_x_0, mask_x_1, mask_y_0, mask_y_1, t] = case.dealer;
    let (triple_0, triple_1) = product_triples(mask_x_0, mask_x_1, mask_y_0, mask_y_1, t);
    let message_0 = (x_0.plus(triple_0.x), y_0.plus(triple_0.y));
    let message_1 = (x_1.plus(triple_1.x), y_1.plus(triple_1.y));
    let share_0 = share(x_0, y_0, &triple_0, message_1.0, message_1.1);
    let share_1 = share(x_1, y_1, &triple_1, message_0.0, message_0.1);
    let party = |triple: ProductTriple<u64>, message: (u64, u64), share| {
        json!({
            "triple": { "x": word(triple.x), "y": word(triple.y), "z": word(triple.z) },
            "message": { "masked_x": word(message.0), "masked_y": word(message.1) },
            "share": word(share),
        })
    };
    json!({
        "p0": party(triple_0, message_0, share_0),
        "p1": party(triple_1, message_1, share_1),
        "opened": word(share_0.plus(share_1)),
    })
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "product",
        about: "A multiplication triple from the dealer's five words, and the product of two additively \
                shared words.",
        paper: "section 2.2.1, definition 5 (erratum 2) with n = 1, appendix A",
        cases: cases(),
        input: |case| {
            let [x_0, x_1, y_0, y_1] = case.operands.map(word);
            let [mask_x_0, mask_x_1, mask_y_0, mask_y_1, t] = case.dealer.map(word);
            json!({
                "operands": { "x_0": x_0, "x_1": x_1, "y_0": y_0, "y_1": y_1 },
                "dealer": { "x_0": mask_x_0, "x_1": mask_x_1, "y_0": mask_y_0, "y_1": mask_y_1, "t": t },
            })
        },
        output: |case| output(case, product_share),
    }
    .files(&[Fault {
        name: "cross_term_added",
        about: "Y_b times the other party's x + X is added, not subtracted: right for bits, wrong for words.",
        output: |case| {
            output(case, |x, y, triple, masked_x, masked_y| {
                x.times(y.plus(masked_y)).plus(triple.y.times(masked_x)).plus(triple.z)
            })
        },
    }])
}
