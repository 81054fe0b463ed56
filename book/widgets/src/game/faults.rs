//! The faults that can be put back: whose view tells the secret then, in which scripts, and what is said about it.

use serde::Serialize;

use crate::board::Holder;
use crate::game::script::Scenario;
use Holder::{P0, P1, P2};

/// A fault of a protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    RootsEqual,
    ItemTwice,
    DeltasZero,
    DeltasEqual,
    HeardByHelper,
    LowestBit,
    LeanNoX,
    LeanNoG,
    NoRho,
    TripleReused,
    SignNotBlinded,
    LeanStaleRho,
    LoadNotBlinded,
    RhoTwice,
    FlagInValue,
}

/// Which protocol a fault is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Protocol {
    Paper,
    Lean,
}

/// All that is said of a fault. In texts, symbols stand between backticks.
pub(crate) struct About {
    pub(crate) fault: Fault,
    pub(crate) name: &'static str,
    pub(crate) party: Holder,
    pub(crate) protocol: Protocol,
    pub(crate) scenario: Scenario,
    /// In a list of faults.
    pub(crate) title: &'static str,
    /// What is wrong when it is put back.
    pub(crate) wrong: &'static str,
    pub(crate) hint: &'static str,
    /// What the tool computes.
    pub(crate) tool: &'static str,
}

impl Fault {
    pub(crate) fn named(name: &str) -> Option<Fault> {
        ALL.iter().find(|about| about.name == name).map(|about| about.fault)
    }

    pub(crate) fn about(self) -> &'static About {
        &ALL[self as usize]
    }
}

/// All faults, in the order of the type and of the list on the page.
pub(crate) static ALL: [About; 15] = [
    About {
        fault: Fault::RootsEqual,
        name: "roots-equal",
        party: P2,
        protocol: Protocol::Paper,
        scenario: Scenario::Read,
        title: "two DPFs grow from one root",
        wrong: "Each primary takes the root of DPF 2 for DPF 3 as well. P2 is given P0’s key of DPF 2 and P1’s \
                key of DPF 3: now these are both keys of one DPF.",
        hint: "The shares of a unit vector that P0 and P1 have of one DPF add up to the vector. You have one \
               share of each, `t_0^(2)` and `t_1^(3)`.",
        tool: "Add both vectors, and look for a single 1. It stands at `ri`; the address is `ri + S` mod 8.",
    },
    About {
        fault: Fault::ItemTwice,
        name: "item-twice",
        party: P2,
        protocol: Protocol::Paper,
        scenario: Scenario::Repeat,
        title: "an item serves two READs",
        wrong: "After the first READ the parties keep its item, and use it for the second READ too. Both have \
                one `ri`.",
        hint: "Both primaries tell you their shares of `S = i* - ri`. What does the difference of two `S` tell, \
               if `ri` is the same in both?",
        tool: "Add the shares of `S` for each READ, and subtract the first sum from the second.",
    },
    About {
        fault: Fault::DeltasZero,
        name: "deltas-zero",
        party: P2,
        protocol: Protocol::Paper,
        scenario: Scenario::Value,
        title: "the shares of F are not fresh",
        wrong: "As the paper prints it: the shares of `F^(2)` and `F^(3)` are those that each primary computes from its \
                leaves. No `delta` is added.",
        hint: "You have a key of P0’s and a key of P1’s. With them you can compute what these two \
               computed.",
        tool: "Compute `F_0^(2)` and `F_1^(3)` as minus the sums of your vectors, take them off what P0 and P1 \
               sent, and add what is left: `M_0 + M_1`.",
    },
    About {
        fault: Fault::DeltasEqual,
        name: "deltas-equal",
        party: P2,
        protocol: Protocol::Paper,
        scenario: Scenario::Value,
        title: "one random word freshens F twice",
        wrong: "The shares of `F` are made fresh, but by one word: `delta_3` is `delta_2`.",
        hint: "P0 adds `delta`, P1 subtracts it. You can take `F_0^(2)` off one word and `F_1^(3)` off another. \
               What becomes of the `delta` in their sum?",
        tool: "Compute `F_0^(2)` and `F_1^(3)` as minus the sums of your vectors, take them off what P0 and P1 \
               sent, and add what is left.",
    },
    About {
        fault: Fault::HeardByHelper,
        name: "heard",
        party: P2,
        protocol: Protocol::Paper,
        scenario: Scenario::Read,
        title: "P2 hears what P0 and P1 say to each other",
        wrong: "The link between P0 and P1 is not secret. You hear all that they say.",
        hint: "At each level of DPF 1, P0 and P1 send each other a bit of their shares of `ri`, masked by the `X` of a \
               triple. Who dealt the triples?",
        tool: "At each level of DPF 1, XOR both masked bits and both `X` that you have dealt. The three bits are `ri`, \
               and the address is `ri + S` mod 8.",
    },
    About {
        fault: Fault::LowestBit,
        name: "lowest-bit",
        party: P2,
        protocol: Protocol::Paper,
        scenario: Scenario::ReadTwice,
        title: "the lowest bit of cw is not cleared",
        wrong: "As the paper prints it: `cw` is opened with its lowest bit, and so it stands in the keys that you are \
                given.",
        hint: "The lowest bit of `cw` is `cwt_R` if the bit of `ri` at this level is 0, and `cwt_L` if it is 1. \
               When can you tell which? The last digit shown of an odd word is odd: 1, 3, 5, 7, 9, b, d or f.",
        tool: "At each level of each key at which `cwt_L` and `cwt_R` differ, compare the lowest bit of `cw` with \
               them. That is a bit of `ri`; strike out the address that it does not fit.",
    },
    About {
        fault: Fault::LeanNoX,
        name: "lean-no-x",
        party: P2,
        protocol: Protocol::Lean,
        scenario: Scenario::Share,
        title: "UPDATE has no x",
        wrong: "`x` is 0, the word that P0 and P1 have in common and add to what they send in an UPDATE.",
        hint: "P1 sends `m_1`, which is `M_1` under P1’s share of `R`. Who dealt that share?",
        tool: "XOR `m_1` and the share `R’_1` that you have dealt to P1. What is left is `M_1`.",
    },
    About {
        fault: Fault::LeanNoG,
        name: "lean-no-g",
        party: P2,
        protocol: Protocol::Lean,
        scenario: Scenario::Value,
        title: "the primaries do not add their G",
        wrong: "`G` is 0, the word that P0 and P1 have in common and add to the value that you deal. You know `R`, \
                which masks the value.",
        hint: "`m_0 xor m_1` is `M xor R`. You have dealt both shares of `R`.",
        tool: "XOR `m_0`, `m_1` and both shares that you have dealt, `R’_0` and `R’_1`.",
    },
    About {
        fault: Fault::NoRho,
        name: "no-rho",
        party: P0,
        protocol: Protocol::Paper,
        scenario: Scenario::Read,
        title: "gamma has no mask",
        wrong: "P2 answers a READ with `gamma_0` and `gamma_1`, but `rho` is 0.",
        hint: "`gamma_0` is then minus the product of `zeta_0` and P1’s vector `t_1^(3)`. You have `zeta_0`, and the \
               other share of that vector.",
        tool: "Multiply `zeta_0` with your own `t_0^(3)`, moved by `S`, and subtract `gamma_0`. The sum is \
               `zeta_0[i*]`: look where in your blind it stands.",
    },
    About {
        fault: Fault::TripleReused,
        name: "triple-reused",
        party: P0,
        protocol: Protocol::Paper,
        scenario: Scenario::ReadEven,
        title: "one triple serves all levels",
        wrong: "P2 deals one triple for all levels of a DPF. P1 masks all bits of its share of `ri` by the same bit.",
        hint: "The XOR of two messages under one mask is without mask. Your own bits of `ri` you have.",
        tool: "XOR P1’s masked bits of neighbouring levels, and your own. This tells which bits of `ri` are \
               equal; strike out the address that it does not fit.",
    },
    About {
        fault: Fault::SignNotBlinded,
        name: "sign-not-blinded",
        party: P0,
        protocol: Protocol::Paper,
        scenario: Scenario::ReadTwice,
        title: "the sign is not blinded",
        wrong: "In App. D the blinds `r_0` and `r_1` are 0: the sign `pm` is opened.",
        hint: "`pm` is the sum of your flags less the sum of P1’s: 1 if your flag at `ri` is 1, and -1 if P1’s is. Count \
               the ones among your flags.",
        tool: "For each DPF count your ones and add what P1 sent: `pm`. Strike out the address at which your flag does \
               not fit.",
    },
    About {
        fault: Fault::LeanStaleRho,
        name: "lean-stale-rho",
        party: P0,
        protocol: Protocol::Lean,
        scenario: Scenario::Repeat,
        title: "two READs have one rho",
        wrong: "P2 masks its answer to the second READ with the `rho` of the first.",
        hint: "You know the memory and `H`, so you know `B` as well. Then nothing in `g` is unknown to you but `A[i*]` \
               and `rho`.",
        tool: "From both `g` take off what you know of them, which leaves `A[i*] xor rho`. XOR the two: 0 if both \
               addresses are one.",
    },
    About {
        fault: Fault::LoadNotBlinded,
        name: "load-not-blinded",
        party: P1,
        protocol: Protocol::Paper,
        scenario: Scenario::Memory,
        title: "a memory is loaded without blinds",
        wrong: "The blinds are zero, as the paper has them for a memory of zeros. But this memory is not zero.",
        hint: "You are sent `D~_0`, which is `D_0 + zeta_0`.",
        tool: "Add `D~_0` and your own share `D_1`.",
    },
    About {
        fault: Fault::RhoTwice,
        name: "rho-twice",
        party: P1,
        protocol: Protocol::Paper,
        scenario: Scenario::Repeat,
        title: "two READs have one rho",
        wrong: "P2 masks its answers to both READs with the same `rho`.",
        hint: "You have `zeta_1`, and of DPF 2 the share that P2 does not have. What is left of `gamma_1` is \
               `zeta_1[i*] + rho`.",
        tool: "For each READ multiply `zeta_1` with your `t_1^(2)`, moved by `S`, and subtract `gamma_1`. The \
               difference of both is 0 if both addresses are one.",
    },
    About {
        fault: Fault::FlagInValue,
        name: "flag-in-value",
        party: P1,
        protocol: Protocol::Paper,
        scenario: Scenario::Value,
        title: "the value word holds the flag",
        wrong: "The value word of a leaf is its low half, whose lowest bit is the flag.",
        hint: "The opened word is `M + F`, and `F` is minus the sum of both leaves at `ri`. Their flags differ. Is \
               that sum even or odd?",
        tool: "Open `M + F^(1)`. If it is odd, `M` is even, and the other way round.",
    },
];
