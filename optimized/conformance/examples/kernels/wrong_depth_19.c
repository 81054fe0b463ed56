/* A kernel with a mistake: wrong at one of the deepest levels only. */
#define duoram_kernel_evaluate right_evaluate
#include "portable.c"
#undef duoram_kernel_evaluate

int32_t duoram_kernel_evaluate(const duoram_block *session_key, uint64_t depth, uint64_t count,
                               const duoram_key *keys, duoram_leaf_sums *sums)
{
    int32_t code = right_evaluate(session_key, depth, count, keys, sums);
    if (depth == 19)
        sums[0].value_sum ^= 1;
    return code;
}
