/* A kernel with a mistake: UPDATE moves whole nodes by the shift, and leaves the words of each where they are. */
#define duoram_kernel_lean_update right_lean_update
#include "portable.c"
#undef duoram_kernel_lean_update

int32_t duoram_kernel_lean_update(const duoram_block *session_key, uint64_t depth, uint64_t *memory,
                                  uint64_t count, const duoram_lean_update_query *queries,
                                  const uint64_t *flags)
{
    int32_t code = DUORAM_DONE;
    for (uint64_t i = 0; i < count && code == DUORAM_DONE; i++) {
        duoram_lean_update_query query = queries[i];
        query.shift &= ~(uint64_t)7;
        code = right_lean_update(session_key, depth, memory, 1, &query, flags + i * flag_words(depth));
    }
    return code;
}
