/* A kernel with a mistake: the sum of indices times flags is kept in 32 bits, which is enough up to depth 16. */
#define duoram_kernel_evaluate right_evaluate
#include "portable.c"
#undef duoram_kernel_evaluate

int32_t duoram_kernel_evaluate(const duoram_block *session_key, uint64_t depth, uint64_t count,
                               const duoram_key *keys, duoram_leaf_sums *sums)
{
    int32_t code = right_evaluate(session_key, depth, count, keys, sums);
    for (uint64_t i = 0; i < count; i++)
        sums[i].index_flag_sum = (uint32_t)sums[i].index_flag_sum;
    return code;
}
