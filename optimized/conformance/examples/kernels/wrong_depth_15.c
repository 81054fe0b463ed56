/* A kernel with a mistake: UPDATE leaves the last word alone at one depth. */
#define duoram_kernel_update right_update
#include "portable.c"
#undef duoram_kernel_update

int32_t duoram_kernel_update(const duoram_block *session_key, uint64_t party, uint64_t depth, uint64_t *first,
                             uint64_t *second, uint64_t count, const duoram_update_query *queries)
{
    uint64_t last = depth == 15 ? first[32767] : 0;
    int32_t code = right_update(session_key, party, depth, first, second, count, queries);
    if (depth == 15)
        first[32767] = last;
    return code;
}
