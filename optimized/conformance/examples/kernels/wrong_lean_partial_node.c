/* A kernel with a mistake: where a node has more flags than there are leaves, those that are too many are left in. */
#define duoram_kernel_lean_flags right_lean_flags
#include "portable.c"
#undef duoram_kernel_lean_flags

int32_t duoram_kernel_lean_flags(const duoram_block *session_key, uint64_t depth, uint64_t count,
                                 const duoram_lean_flag_key *keys, uint64_t *flags)
{
    return right_lean_flags(session_key, depth < 6 ? 6 : depth, count, keys, flags);
}
