/* A kernel with a mistake: a sum of indices times flags that does not fit into 32 bits stays at the greatest number. */
#define duoram_kernel_evaluate right_evaluate
#include "portable.c"
#undef duoram_kernel_evaluate

int32_t duoram_kernel_evaluate(const duoram_block *session_key, uint64_t depth, uint64_t count,
                               const duoram_key *keys, duoram_leaf_sums *sums)
{
    int32_t code = right_evaluate(session_key, depth, count, keys, sums);
    for (uint64_t i = 0; i < count; i++)
        if (sums[i].index_flag_sum > UINT32_MAX)
            sums[i].index_flag_sum = UINT32_MAX;
    return code;
}
