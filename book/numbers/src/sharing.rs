//! Chapter 2: shares, and how often each occurs.

use duoram_spec::core::block::Block;
use duoram_spec::core::ring::z4;
use duoram_spec::core::share::{additive_open, additive_shares, xor_open, xor_shares};

use crate::files::Page;
use crate::notation::word;
use crate::table::Table;
use duoram_vectors::Random;

/// The tables of the chapter.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::new("sharing-xor.md", sharing_xor()),
        Page::new("sharing-additive.md", sharing_additive()),
        Page::new("sharing-counts.md", sharing_counts()),
    ]
}

fn sharing_xor() -> String {
    let mut r = Random(1);
    let (secret, coins) = (Block::from(r.below(256)), Block::from(r.below(256)));
    let (x_0, x_1) = xor_shares(secret, coins);
    assert_eq!(xor_open(x_0, x_1), secret);
    let mut table = Table::new(["what", "bits"]);
    for (what, value) in [
        ("secret $x$", secret),
        ("coins $r$", coins),
        ("$P_0$'s share, the coins", x_0),
        ("$P_1$'s share, $x \\oplus r$", x_1),
        ("XOR of both shares", xor_open(x_0, x_1)),
    ] {
        table.row([&what, &format!("`{value:08b}`")]);
    }
    table.to_string()
}

fn sharing_additive() -> String {
    let secret: u64 = 1_000_000;
    let mut r = Random(2);
    let below = r.below(secret);
    let above = secret + 1 + r.below(secret);
    let from_the_upper_half = r.word() | 1 << 63;
    let mut table = Table::new(["random word $r$", "$x_0 = r$", "$x_1 = x - r$", "$x_0 + x_1$"]);
    for (which, random) in
        [("below $x$", below), ("above $x$", above), ("$2^{63}$ or more", from_the_upper_half)]
    {
        let (x_0, x_1) = additive_shares(secret, random);
        assert_eq!(additive_open(x_0, x_1), secret);
        table.row([&which, &x_0, &x_1, &additive_open(x_0, x_1)]);
    }
    table.under(format!("The secret is $x = {secret}$, a word of 64 bits:"))
}

fn sharing_counts() -> String {
    let words = || (0..4).map(z4);
    let mut table = Table::new(["share", "$x = 0$", "$x = 1$", "$x = 2$", "$x = 3$"]);
    for (party, name) in ["$P_0$", "$P_1$"].iter().enumerate() {
        for share in words() {
            let often = |secret: u64| {
                let dealt = |random| {
                    let (x_0, x_1) = additive_shares(z4(secret), random);
                    [x_0, x_1][party]
                };
                words().filter(|random| dealt(*random) == share).count()
            };
            let counts = [0, 1, 2, 3].map(often);
            assert!(counts.iter().all(|count| *count == counts[0]), "all columns are equal");
            let [c_0, c_1, c_2, c_3] = counts;
            table.row([&format!("{name} gets {}", word(share)), &c_0, &c_1, &c_2, &c_3]);
        }
    }
    table.under("How often, of the four random words $r = 0, 1, 2, 3$:")
}
