/* The local computation of DUORAM's parties as a shared library, to be checked with
 *
 *     cc -O3 -shared -fPIC -I optimized/conformance/include -o kernel.so kernel.c
 *     duoram check --kernel kernel.so
 *
 * A kernel exports the first five functions below, and those of the lean protocol's four that it has;
 * examples/kernels/portable.c is one that has all. What they compute is said here in full;
 * reference/PROTOCOL.md says the same as part of the protocol, and `duoram oracle` answers questions about each step.
 *
 * Words are integers mod 2^64, n = 2^depth is the number of leaves, bit 0 is the lowest bit. Written for 64-bit,
 * little-endian machines: the bytes of an array are then the bytes of the protocol and of the test vectors.
 *
 * Arrays      hold what their comment says, one item after another, and begin at a multiple of the largest power of two that
 *             divides their size, up to 64 bytes: at least 8, and 64 for n words from n = 8 on. What lies before and after
 *             an array can be neither read nor written.
 * Aliasing    No two arrays of a call overlap, but for the corrections of several keys, which may. A function writes to the
 *             arrays that are not const, within their bounds, and to nothing else; output arrays hold arbitrary bytes before.
 *             No array may be used after the function has returned.
 * Threads     One call at a time, always from the same thread. A function may use threads of its own, which have
 *             finished with the arrays when it returns.
 * Results     DUORAM_DONE, or DUORAM_UNSUPPORTED for an operation or a size that the kernel does not have: such a case is
 *             counted, but not as passed. Anything else is a failure. A function neither exits nor throws.
 * State       A call depends on nothing but its arguments; what is kept from call to call must not show.
 */
#ifndef DUORAM_KERNEL_H
#define DUORAM_KERNEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. A change that kernels notice increases it; a function that may be missing does not. */
#define DUORAM_KERNEL_ABI 2

#define DUORAM_DONE 0
#define DUORAM_UNSUPPORTED 1

/* 128 bits: a label, a correction word, or the session's AES key. The flag of a label is bit 0 of low, its conversion word is
 * low, its value word is high. */
typedef struct {
    uint64_t low;
    uint64_t high;
} duoram_block;

/* Of one level: cw, whose bit 0 is 0, and cwt_L and cwt_R, which are 0 or 1. */
typedef struct {
    duoram_block word;
    uint64_t left_flag;
    uint64_t right_flag;
} duoram_correction;

/* A party's key of a DPF. The root has its flag; there are `depth` corrections, from the root's level down, but fewer in the
 * lean protocol. */
typedef struct {
    duoram_block root;
    const duoram_correction *corrections;
    uint64_t conversion_factor; /* A; of use to READ and UPDATE only, and arbitrary elsewhere, the lean protocol included */
} duoram_key;

/* Sums over the leaves of a tree: t is the flag, c the conversion word, v the value word, i the index from 0. No sign. */
typedef struct {
    uint64_t flag_count;           /* sum of t[i] */
    uint64_t conversion_sum;       /* sum of c[i] */
    uint64_t value_sum;            /* sum of v[i] */
    uint64_t index_flag_sum;       /* sum of i t[i] */
    uint64_t index_conversion_sum; /* sum of i c[i] */
} duoram_leaf_sums;

/* For duoram_kernel_read. Shifts are below n. */
typedef struct {
    duoram_key one;
    duoram_key two;
    uint64_t shift;
} duoram_read_query;

/* For duoram_kernel_update. */
typedef struct {
    duoram_key one;
    duoram_key two;
    uint64_t final_correction_one; /* F of the DPF of key one */
    uint64_t final_correction_two;
    uint64_t shift;
} duoram_update_query;

/* DUORAM_KERNEL_ABI, as it was when the kernel was compiled. */
uint32_t duoram_kernel_abi(void);

/* One level, uncorrected. pi is AES-128 under the session key; s' is a label s with bit 0 cleared:
 *
 *     G_L(s) = pi(s') xor s'            G_R(s) = pi(s' xor 1) xor s' xor 1
 *
 *     parents    trees * width labels, of the first tree first
 *     children   2 * trees * width blocks: G_L and G_R of each parent
 *     sums       2 * trees blocks: of each tree the XOR of all G_L, and of all G_R
 */
int32_t duoram_kernel_grow(const duoram_block *session_key, uint64_t trees, uint64_t width,
                           const duoram_block *parents, duoram_block *children, duoram_block *sums);

/* All leaves of some trees, summed up. The children of a node s with flag t are
 *
 *     G_L(s) xor t * (cw xor cwt_L)     G_R(s) xor t * (cw xor cwt_R)
 *
 * where cwt is added to bit 0; the left child of a node has the smaller indices.
 *
 *     keys   count keys of this depth
 *     sums   count
 */
int32_t duoram_kernel_evaluate(const duoram_block *session_key, uint64_t depth, uint64_t count,
                               const duoram_key *keys, duoram_leaf_sums *sums);

/* READ: answers each query from one memory. The owner of a key has the sign s, +1 for P0 and -1 for P1; its share of the unit
 * vector is t[i] = s (A flag[i] - c[i]), moved by the shift S: t'[i] = t[(i - S) mod n].
 *
 *     party   first    second   key one      key two      results, for each query
 *     0       C        zeta_0   P0's, DPF 1  P0's, DPF 3  <first, t'_one> - <second, t'_two>
 *     1       C        zeta_1   P1's, DPF 1  P1's, DPF 2  the same
 *     2       zeta_0   zeta_1   P0's, DPF 2  P1's, DPF 3  two words: <first, t'_two>, <second, t'_one>
 *
 * first and second have n words. C = D_b + D~_(1-b) + zeta_b: if you keep the paper's three vectors, take
 * D_b = C - zeta_b and D~_(1-b) = 0, and add them up to C after an UPDATE.
 */
int32_t duoram_kernel_read(const duoram_block *session_key, uint64_t party, uint64_t depth,
                           const uint64_t *first, const uint64_t *second, uint64_t count,
                           const duoram_read_query *queries, uint64_t *results);

/* UPDATE: applies the queries one after another. With t' as for READ, v'[i] = s v[(i - S) mod n] and
 * w[i] = v'[i] + F t'[i]:
 *
 *     party   key one      key two      first                second
 *     0       P0's, DPF 2  P0's, DPF 3  C += w_two - w_one   zeta_0 -= w_one
 *     1       P1's, DPF 2  P1's, DPF 3  C += w_one - w_two   zeta_1 -= w_two
 *     2       P0's, DPF 2  P1's, DPF 3  zeta_0 -= w_one      zeta_1 -= w_two
 *
 * (DPF 1 cancels in C.)
 */
int32_t duoram_kernel_update(const duoram_block *session_key, uint64_t party, uint64_t depth,
                             uint64_t *first, uint64_t *second, uint64_t count,
                             const duoram_update_query *queries);

/* ---- The lean protocol: reference/PROTOCOL.md, part two. Each of these four functions may be missing. ----
 *
 * Words are XOR shares here. Trees are those of above, but they end early: leaves are bits and words of an output layer of
 * one level. A node with label s and flag t yields
 *
 *     128 flags, at level max(depth - 7, 0):   X(s) xor t * CWf     where X(s) = T_2(s)
 *     8 words, at level max(depth - 3, 0):     Y(s) xor t * CWw     where Y(s) = T_8(s), T_9(s), T_10(s), T_11(s)
 *
 * with T_c(s) = pi(s' xor c) xor s' xor c. The words 2 c and 2 c + 1 of Y are low and high of T_(8 + c). If there
 * are fewer than 128 leaves or fewer than 8, they are the first bits or the first words.
 *
 * Flags    max(n / 64, 1) words: flag j is bit j mod 64 of word j div 64. Bits after the last flag are 0.
 * Shifts   S, below n. A flag or a value j meets word j xor S of the memory.
 *
 * Functions know no party: P1 has one vector, E, and P0 and P2 do the same to each of their two.
 */

/* For duoram_kernel_lean_flags. */
typedef struct {
    duoram_key key;               /* max(depth - 7, 0) corrections */
    duoram_block flag_correction; /* CWf */
} duoram_lean_flag_key;

/* For duoram_kernel_lean_update. */
typedef struct {
    duoram_key key;              /* max(depth - 3, 0) corrections */
    uint64_t word_correction[8]; /* CWw */
    uint64_t final_correction;   /* F */
    uint64_t shift;
} duoram_lean_update_query;

/* Both output layers of one level, uncorrected and summed up: what the corrections are made of while preparing.
 *
 *     nodes       trees * width labels, of the first tree first
 *     flag_sums   trees blocks: of each tree the XOR of all X
 *     word_sums   4 * trees blocks: of each tree the XOR of all T_8, of all T_9, T_10 and T_11
 */
int32_t duoram_kernel_lean_sums(const duoram_block *session_key, uint64_t trees, uint64_t width,
                                const duoram_block *nodes, duoram_block *flag_sums, duoram_block *word_sums);

/* The flags of all leaves.
 *
 *     keys    count
 *     flags   flags of the first key, of the second, ..
 */
int32_t duoram_kernel_lean_flags(const duoram_block *session_key, uint64_t depth, uint64_t count,
                                 const duoram_lean_flag_key *keys, uint64_t *flags);

/* READ: the masked XOR of a memory, for some queries in one call.
 *
 *     memory    n words
 *     flags     flags t of the first query, of the second, .. (P0 has them XORed already for its vector A)
 *     shifts    count
 *     results   count: the XOR of all memory[j xor S] for which t[j] is set
 */
int32_t duoram_kernel_lean_read(uint64_t depth, const uint64_t *memory, uint64_t count, const uint64_t *flags,
                                const uint64_t *shifts, uint64_t *results);

/* UPDATE in place: applies the queries one after another. With the values v of the key's word layer, and the flags t given,
 * memory[j xor S] ^= v[j] xor t[j] * F.
 *
 *     memory    n words
 *     flags     flags t of the first query, of the second, ..
 */
int32_t duoram_kernel_lean_update(const duoram_block *session_key, uint64_t depth, uint64_t *memory,
                                  uint64_t count, const duoram_lean_update_query *queries,
                                  const uint64_t *flags);

#ifdef __cplusplus
}
#endif

#endif
