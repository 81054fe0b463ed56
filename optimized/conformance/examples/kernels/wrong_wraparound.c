/* A kernel with a mistake that is easy to make: UPDATE moves its vector in two runs, and where the shift wraps around the
 * second run begins one word late. With shift 0 nothing wraps, and all is right.
 *
 *     cc -O3 -shared -fPIC -I optimized/conformance/include -o wrong.so optimized/conformance/examples/kernels/wrong_wraparound.c
 *     duoram check --kernel wrong.so
 */
#define duoram_kernel_update right_update
#include "portable.c"
#undef duoram_kernel_update

#include <stdlib.h>

static void keep(void *context, uint64_t index, duoram_block leaf)
{
    ((duoram_block *)context)[index] = leaf;
}

/* w of one key, moved, added to `to` with this sign. */
static int add_moved(const aes *cipher, const duoram_key *key, use u, uint64_t depth, uint64_t sign, uint64_t *to)
{
    const uint64_t n = u.mask + 1;
    duoram_block *leaves = malloc(n * sizeof *leaves);
    if (!leaves)
        return 0;
    visit(cipher, key->root, key->corrections, depth, 0, keep, leaves);
    for (uint64_t i = 0; i < n - u.shift; i++)
        to[i + u.shift] += sign * (u.s * leaves[i].high + u.final_correction * unit(&u, leaves[i]));
    for (uint64_t i = n - u.shift + 1; i < n; i++) /* the mistake: + 1 */
        to[i + u.shift - n] += sign * (u.s * leaves[i].high + u.final_correction * unit(&u, leaves[i]));
    free(leaves);
    return 1;
}

int32_t duoram_kernel_update(const duoram_block *session_key, uint64_t party, uint64_t depth, uint64_t *first,
                             uint64_t *second, uint64_t count, const duoram_update_query *queries)
{
    const uint64_t minus = -(uint64_t)1;
    const aes cipher = expand(session_key);
    int done = 1;
    for (uint64_t i = 0; i < count; i++) {
        const duoram_update_query *q = &queries[i];
        use one = use_of(&q->one, party == 1, depth, q->shift);
        use two = use_of(&q->two, party != 0, depth, q->shift);
        one.final_correction = q->final_correction_one;
        two.final_correction = q->final_correction_two;
        if (party != 1)
            done &= add_moved(&cipher, &q->one, one, depth, minus, party == 0 ? second : first);
        if (party != 0)
            done &= add_moved(&cipher, &q->two, two, depth, minus, second);
        if (party != 2) {
            done &= add_moved(&cipher, &q->one, one, depth, party == 0 ? minus : 1, first);
            done &= add_moved(&cipher, &q->two, two, depth, party == 0 ? 1 : minus, first);
        }
    }
    return done ? DUORAM_DONE : -1;
}
