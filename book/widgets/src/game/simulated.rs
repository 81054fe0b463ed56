//! A simulated player, who has the tool that is shown with a fault and does what it says.
//!
//! With the fault put back it must win at least 95 of 100 rounds, in a thousand sessions; against the protocol as it is the same
//! tool must be at chance, within four standard deviations, in ten thousand. All under a PRG that costs little; some of each
//! under AES too.

use duoram_spec::core::prg::AesPrg;

use super::faults::{ALL, Fault};
use super::prg::{CheapPrg, GamePrg};
use super::{Game, wins};

/// Enough to tell 95 of 100 from less.
const WITH_FAULT: u64 = 1000;
/// Enough to see an advantage of two in a hundred.
const AS_IT_IS: u64 = 10_000;

fn won<P: GamePrg>(fault: Fault, put_back: bool, seed: u64, sessions: u64) -> u64 {
    let game = Game { fault, put_back, seed };
    (0..sessions).filter(|number| wins::<P>(game, *number)).count() as u64
}

/// Both claims about one fault.
fn plays(fault: Fault) {
    let name = fault.about().name;
    let with_fault = won::<CheapPrg>(fault, true, 1, WITH_FAULT);
    assert!(
        with_fault * 100 >= WITH_FAULT * 95,
        "{name}, put back: the shown tool must win 95 % of the rounds, and won {with_fault} of {WITH_FAULT}"
    );
    // A standard deviation is half the square root of the sessions: 50 of 10 000.
    let as_it_is = won::<CheapPrg>(fault, false, 2, AS_IT_IS);
    assert!(
        as_it_is.abs_diff(AS_IT_IS / 2) <= 200,
        "{name}: against the protocol as it is the tool must be at chance, within four standard deviations, and won {as_it_is} \
         of {AS_IT_IS}"
    );
    println!("{name}: {with_fault} of {WITH_FAULT} with the fault, {as_it_is} of {AS_IT_IS} as it is");
}

macro_rules! each_fault {
    ($($test:ident: $fault:ident,)*) => {
        $(#[test]
        fn $test() {
            plays(Fault::$fault);
        })*

        #[test]
        fn each_fault_is_played() {
            assert_eq!(ALL.each_ref().map(|about| about.fault), [$(Fault::$fault),*]);
            assert!(ALL.iter().all(|about| about.fault.about().name == about.name));
        }
    };
}

each_fault! {
    p2_that_has_both_keys_of_a_dpf_finds_the_address: RootsEqual,
    p2_tells_the_two_addresses_of_one_item_apart: ItemTwice,
    p2_finds_the_value_under_shares_of_f_that_are_not_fresh: DeltasZero,
    p2_finds_the_value_under_shares_of_f_made_fresh_by_one_word: DeltasEqual,
    p2_that_hears_the_primaries_finds_the_address: HeardByHelper,
    p2_finds_the_address_in_lowest_bits_that_were_not_cleared: LowestBit,
    p2_finds_p1s_share_of_a_lean_value_without_x: LeanNoX,
    p2_finds_a_lean_value_that_it_has_dealt_without_g: LeanNoG,
    p0_finds_the_address_without_rho: NoRho,
    p0_finds_the_address_under_one_triple: TripleReused,
    p0_finds_the_address_by_a_sign_without_blind: SignNotBlinded,
    p0_tells_two_lean_addresses_apart_under_one_rho: LeanStaleRho,
    p1_finds_the_memory_without_blinds: LoadNotBlinded,
    p1_tells_two_addresses_apart_under_one_rho: RhoTwice,
    p1_finds_whether_the_value_is_even_with_the_flag_in_it: FlagInValue,
}

/// The page plays under AES, the tests above under a PRG that costs little.
#[test]
fn tools_win_under_aes_too() {
    for about in &ALL {
        let (sessions, least) = (20, 17);
        let wins = won::<AesPrg>(about.fault, true, 3, sessions);
        assert!(wins >= least, "{}: {wins} of {sessions} under AES", about.name);
    }
}
