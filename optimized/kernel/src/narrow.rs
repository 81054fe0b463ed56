//! What AES-NI and VAES-256 share: registers that only differ in width, sixteen of them, and no masks.

/// Registers of parents in flight: eight states hide the latency of a round.
pub(crate) const PARENTS: usize = 4;

/// Implements [`crate::lanes::Lanes`] for a backend with these features and intrinsics. What the two write in different ways
/// follows as functions in braces.
macro_rules! narrow_lanes {
    (
        $backend:ident, $single:ty, width: $width:literal, register: $register:ident $class:ident,
        features: $features:literal, bits: $bits:ty, distance: $distance:ty,
        load: $load:ident, store: $store:ident, broadcast: $broadcast:ident,
        aesenc: $aesenc:ident, aesenclast: $aesenclast:ident,
        and: $and:ident, andnot: $andnot:ident, xor: $xor:ident, shuffle: $shuffle:ident,
        add: $add:ident, sub: $sub:ident, sub32: $sub32:ident, mul: $mul:ident,
        shift_left: $shift_left:ident, shift_right: $shift_right:ident,
        unpack_low: $unpack_low:ident, unpack_high: $unpack_high:ident,
        { $($own:item)* }
    ) => {
        /// The entry of every kernel: all below is inlined into this function, and so compiled with its features.
        #[target_feature(enable = $features)]
        fn run<W: Work<$backend>>(lanes: $backend, work: W) -> W::Output {
            work.run::<PARENTS>(lanes)
        }

        /// One round of all states.
        #[target_feature(enable = $features)]
        #[inline]
        fn round<const N: usize>(mut states: [[$register; N]; 2], key: $register) -> [[$register; N]; 2] {
            for side in 0..2 {
                for i in 0..N {
                    states[side][i] = $aesenc(states[side][i], key);
                }
            }
            // With sixteen registers the compiler likes to cipher one state after the other, which leaves the pipelined AES
            // units idle for most of the time. A barrier without instructions makes it finish the round first. What is done
            // between rounds stays there only if it ends in such a barrier, too, and neither counts as pure: compilers keep the order
            // of those that are not.
            #[cfg(not(miri))]
            if N == PARENTS {
                let [l, r] = &mut states;
                // SAFETY: there are no instructions, only a comment.
                unsafe {
                    asm!(
                        "/* {0} {1} {2} {3} {4} {5} {6} {7} */",
                        inlateout($class) l[0], inlateout($class) l[1], inlateout($class) l[2], inlateout($class) l[3],
                        inlateout($class) r[0], inlateout($class) r[1], inlateout($class) r[2], inlateout($class) r[3],
                        options(nomem, nostack, preserves_flags),
                    );
                }
            }
            states
        }

        /// The same labels. What becomes of them must wait for this place.
        #[target_feature(enable = $features)]
        #[inline]
        fn now(#[cfg_attr(miri, allow(unused_mut))] mut labels: $register) -> $register {
            // SAFETY: there are no instructions, only a comment.
            #[cfg(not(miri))]
            unsafe {
                asm!("/* {0} */", inlateout($class) labels, options(nomem, nostack, preserves_flags));
            }
            labels
        }

        // "Witness" stands for: `self` was made by `new`, hence the CPU has every feature listed there.
        impl Lanes for $backend {
            const WIDTH: usize = $width;
            type Blocks = $register;
            /// All ones where the flag is set.
            type Flags = $register;
            type Words = $register;
            type Bits = $bits;
            type Distance = $distance;
            type Keys = [$register; 9];
            /// Low by low, and the cross products, which count 2^32 times; added up separately.
            type Product = [$register; 2];
            type BlockRow = [u128; $width];
            type WordRow = [u64; 2 * $width];
            type Single = $single;

            $($own)*

            #[inline]
            fn run<W: Work<Self>>(self, work: W) -> W::Output {
                // SAFETY: witness.
                unsafe { run(self, work) }
            }

            #[inline(always)]
            fn load_blocks(self, row: &[u128; $width]) -> $register {
                // SAFETY: witness; a row has the register's size, and the load needs no alignment.
                unsafe { $load(row.as_ptr().cast()) }
            }

            #[inline(always)]
            fn store_blocks(self, row: &mut [u128; $width], blocks: $register) {
                // SAFETY: witness; a row has the register's size, and the store needs no alignment.
                unsafe { $store(row.as_mut_ptr().cast(), blocks) }
            }

            #[inline(always)]
            fn load_words(self, row: &[u64; 2 * $width]) -> $register {
                // SAFETY: witness; a row has the register's size, and the load needs no alignment.
                unsafe { $load(row.as_ptr().cast()) }
            }

            #[inline(always)]
            fn store_words(self, row: &mut [u64; 2 * $width], words: $register) {
                // SAFETY: witness; a row has the register's size, and the store needs no alignment.
                unsafe { $store(row.as_mut_ptr().cast(), words) }
            }

            #[inline(always)]
            fn prefetch<T>(self, items: &[T], index: usize) {
                // SAFETY: nothing is read; a prefetch of any address is harmless.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(items.as_ptr().wrapping_add(index).cast()) }
            }

            #[inline(always)]
            fn to_word_row(self, words: $register) -> [u64; 2 * $width] {
                let mut row = [0; 2 * $width];
                self.store_words(&mut row, words);
                row
            }

            #[inline(always)]
            fn to_block_row(self, blocks: $register) -> [u128; $width] {
                let mut row = [0; $width];
                self.store_blocks(&mut row, blocks);
                row
            }

            #[inline(always)]
            fn splat_word(self, word: u64) -> $register {
                // SAFETY: witness.
                unsafe { $broadcast(word as i64) }
            }

            #[inline(always)]
            fn keys(self, schedule: &Schedule) -> [$register; 9] {
                let mut keys = [self.splat_block(schedule.round_key(1)); 9];
                for round in 1..9 {
                    keys[round] = self.splat_block(schedule.round_key(round + 1));
                }
                keys
            }

            #[inline(always)]
            fn rounds<const N: usize, M: Meanwhile<Self>>(
                self,
                keys: &[$register; 9],
                mut states: [[$register; N]; 2],
                meanwhile: &mut M,
            ) -> [[$register; N]; 2] {
                $crate::lanes::each_round!(number, {
                    // SAFETY: witness.
                    states = unsafe { round(states, keys[number]) };
                    meanwhile.after_round(self, number);
                });
                states
            }

            #[inline(always)]
            fn last_round<const N: usize>(
                self,
                mut states: [[$register; N]; 2],
                last: [[$register; N]; 2],
            ) -> [[$register; N]; 2] {
                for side in 0..2 {
                    for i in 0..N {
                        // SAFETY: witness.
                        states[side][i] = unsafe { $aesenclast(states[side][i], last[side][i]) };
                    }
                }
                states
            }

            #[inline(always)]
            fn now(self, labels: $register) -> $register {
                // SAFETY: witness.
                unsafe { now(labels) }
            }

            #[inline(always)]
            fn xor_blocks(self, a: $register, b: $register) -> $register {
                // SAFETY: witness.
                unsafe { $xor(a, b) }
            }

            #[inline(always)]
            fn cleared_xor(self, labels: $register, key: $register) -> $register {
                // SAFETY: witness.
                unsafe { $xor($andnot(self.splat_block(1), labels), key) }
            }

            #[inline(always)]
            fn flags<const N: usize>(self, labels: [$register; N]) -> [$register; N] {
                let mut flags = labels;
                for flag in &mut flags {
                    // SAFETY: witness. The lowest quarter of each label is copied to all four; 0 or 1 is subtracted from 0.
                    // Two shifts would do the same, but compete with the cipher.
                    *flag = unsafe {
                        let bit = $and($shuffle::<0>(*flag), self.splat_word(0x1_0000_0001));
                        $sub32(self.splat_word(0), bit)
                    };
                }
                flags
            }

            #[inline(always)]
            fn xor_unless(self, flags: $register, base: $register, correction: $register) -> $register {
                // SAFETY: witness.
                unsafe { $xor(base, $andnot(flags, correction)) }
            }

            #[inline(always)]
            fn words(self, labels: $register) -> $register {
                labels
            }

            #[inline(always)]
            fn labels(self, words: $register) -> $register {
                words
            }

            #[inline(always)]
            fn unzip(self, left: $register, right: $register) -> [$register; 2] {
                // SAFETY: witness.
                unsafe { [$unpack_low(left, right), $unpack_high(left, right)] }
            }

            #[inline(always)]
            fn swap_words(self, words: $register) -> $register {
                // SAFETY: witness.
                unsafe { $shuffle::<0x4e>(words) }
            }

            #[inline(always)]
            fn add(self, a: $register, b: $register) -> $register {
                // SAFETY: witness.
                unsafe { $add(a, b) }
            }

            #[inline(always)]
            fn sub(self, a: $register, b: $register) -> $register {
                // SAFETY: witness.
                unsafe { $sub(a, b) }
            }

            #[inline(always)]
            fn and(self, a: $register, b: $register) -> $register {
                // SAFETY: witness.
                unsafe { $and(a, b) }
            }

            #[inline(always)]
            fn xor(self, a: $register, b: $register) -> $register {
                self.xor_blocks(a, b)
            }

            #[inline(always)]
            fn add_where_odd(self, sum: $register, flags: $register, addend: $register) -> $register {
                let zero = self.splat_word(0);
                let odd = self.sub(zero, self.and(flags, self.splat_word(1)));
                self.add(sum, self.and(odd, addend))
            }

            #[inline(always)]
            fn mul(self, a: $register, b: $register) -> $register {
                let [low, cross] = self.add_product(self.product(), a, b);
                // SAFETY: witness.
                unsafe { $add(low, $shift_left::<32>(cross)) }
            }

            #[inline(always)]
            fn product(self) -> [$register; 2] {
                [self.splat_word(0); 2]
            }

            #[inline(always)]
            fn add_product(self, sum: [$register; 2], a: $register, b: $register) -> [$register; 2] {
                // SAFETY: witness. 32 by 32 bits at a time: a b = a0 b0 + 2^32 (a0 b1 + a1 b0) mod 2^64.
                unsafe {
                    let low = $mul(a, b);
                    let upper = $mul($shift_right::<32>(a), b);
                    let lower = $mul(a, $shift_right::<32>(b));
                    [$add(sum[0], low), $add(sum[1], $add(upper, lower))]
                }
            }

            #[inline(always)]
            fn product_sum(self, sum: [$register; 2]) -> u64 {
                self.word_sum(sum[0]).wrapping_add(self.word_sum(sum[1]) << 32)
            }
        }
    };
}
pub(crate) use narrow_lanes;
