/* A kernel with a mistake: keys of one call that have the same root are taken for the same key. */
#define duoram_kernel_evaluate right_evaluate
#include "portable.c"
#undef duoram_kernel_evaluate

int32_t duoram_kernel_evaluate(const duoram_block *session_key, uint64_t depth, uint64_t count,
                               const duoram_key *keys, duoram_leaf_sums *sums)
{
    int32_t code = right_evaluate(session_key, depth, count, keys, sums);
    for (uint64_t i = 1; i < count; i++)
        if (memcmp(&keys[i].root, &keys[i - 1].root, sizeof keys->root) == 0)
            sums[i] = sums[i - 1];
    return code;
}
