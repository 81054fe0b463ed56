/* A kernel with a mistake: the two keys of an UPDATE are taken for the same one if the upper halves of their roots agree. */
#define duoram_kernel_update right_update
#include "portable.c"
#undef duoram_kernel_update

int32_t duoram_kernel_update(const duoram_block *session_key, uint64_t party, uint64_t depth, uint64_t *first,
                             uint64_t *second, uint64_t count, const duoram_update_query *queries)
{
    int32_t code = DUORAM_DONE;
    for (uint64_t i = 0; i < count && code == DUORAM_DONE; i++) {
        duoram_update_query query = queries[i];
        if (query.one.root.high == query.two.root.high)
            query.two.root.low = (query.one.root.low & ~(uint64_t)1) | (query.two.root.low & 1);
        code = right_update(session_key, party, depth, first, second, 1, &query);
    }
    return code;
}
