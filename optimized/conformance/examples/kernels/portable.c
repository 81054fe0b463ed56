/* A kernel in plain C, as an example of the interface: right and short, with an AES of its own.
 *
 *     cc -O3 -shared -fPIC -I optimized/conformance/include -o portable.so optimized/conformance/examples/kernels/portable.c
 *     duoram check --kernel portable.so
 *
 * Its AES looks bytes up in a table, so its timing tells secrets: an example of what to compute, not of how.
 */
#include "duoram_kernel.h"

#include <string.h>

/* ---- AES-128 (FIPS 197) ---- */

static uint8_t s_box[256];

static uint8_t times_x(uint8_t a) { return (uint8_t)(a << 1 ^ (a >> 7) * 0x1b); }

static uint8_t rotated(uint8_t a, int by) { return (uint8_t)(a << by | a >> (8 - by)); }

static uint8_t product(uint8_t a, uint8_t b)
{
    uint8_t sum = 0;
    for (; b; b >>= 1, a = times_x(a))
        sum ^= a * (b & 1);
    return sum;
}

/* The inverse, which is the 254th power, and then the affine map over the bits. */
static void make_s_box(void)
{
    for (int a = 0; a < 256; a++) {
        uint8_t b = 1;
        for (int i = 0; i < 254; i++)
            b = product(b, (uint8_t)a);
        s_box[a] = b ^ rotated(b, 1) ^ rotated(b, 2) ^ rotated(b, 3) ^ rotated(b, 4) ^ 0x63;
    }
}

static uint32_t turned(uint32_t column, int rows)
{
    return rows == 0 ? column : column << 8 * rows | column >> (32 - 8 * rows);
}

/* SUBBYTES and MIXCOLUMNS of one byte of the state, by its row: what it gives to its column. */
static uint32_t columns[4][256];

static void make_columns(void)
{
    make_s_box();
    for (int a = 0; a < 256; a++) {
        uint32_t b = s_box[a], twice = times_x((uint8_t)b);
        for (int row = 0; row < 4; row++)
            columns[row][a] = turned(twice | b << 8 | b << 16 | (twice ^ b) << 24, row);
    }
}

typedef struct {
    union {
        uint8_t bytes[176];
        uint32_t columns[11][4];
    } round_keys;
} aes;

static aes expand(const duoram_block *key)
{
    aes cipher;
    uint8_t *bytes = cipher.round_keys.bytes;
    uint8_t constant = 1;
    if (columns[0][0] == 0)
        make_columns();
    memcpy(bytes, key, 16);
    for (int i = 16; i < 176; i++) {
        uint8_t last = bytes[i - 4];
        if (i % 16 < 4) { /* the first word of a round key: rotated, substituted, with the round constant */
            last = s_box[bytes[i % 4 == 3 ? i - 7 : i - 3]];
            if (i % 16 == 0) {
                last ^= constant;
                constant = times_x(constant);
            }
        }
        bytes[i] = bytes[i - 16] ^ last;
    }
    return cipher;
}

static uint8_t byte_of(uint32_t column, int row) { return (uint8_t)(column >> 8 * row); }

/* Column c after a round: row r comes from r columns to the right. */
static uint32_t mixed(const uint32_t *state, int c, const uint32_t *key)
{
    return columns[0][byte_of(state[c], 0)] ^ columns[1][byte_of(state[(c + 1) % 4], 1)]
           ^ columns[2][byte_of(state[(c + 2) % 4], 2)] ^ columns[3][byte_of(state[(c + 3) % 4], 3)] ^ key[c];
}

static duoram_block encrypt(const aes *cipher, duoram_block block)
{
    uint32_t state[4], next[4];
    memcpy(state, &block, 16);
    for (int c = 0; c < 4; c++)
        state[c] ^= cipher->round_keys.columns[0][c];
    for (int round = 1; round < 10; round++) {
        const uint32_t *key = cipher->round_keys.columns[round];
        uint32_t a = mixed(state, 0, key), b = mixed(state, 1, key);
        uint32_t c = mixed(state, 2, key), d = mixed(state, 3, key);
        state[0] = a, state[1] = b, state[2] = c, state[3] = d;
    }
    for (int c = 0; c < 4; c++) {
        next[c] = cipher->round_keys.columns[10][c];
        for (int row = 0; row < 4; row++)
            next[c] ^= (uint32_t)s_box[byte_of(state[(c + row) % 4], row)] << 8 * row;
    }
    memcpy(&block, next, 16);
    return block;
}

/* ---- trees ---- */

/* T_c: G_L for tweak 0, G_R for tweak 1, and more for output layers. */
static duoram_block hash(const aes *cipher, duoram_block label, uint64_t tweak)
{
    duoram_block input = {(label.low & ~(uint64_t)1) ^ tweak, label.high};
    duoram_block output = encrypt(cipher, input);
    output.low ^= input.low;
    output.high ^= input.high;
    return output;
}

typedef void visitor(void *context, uint64_t index, duoram_block leaf);

/* Visits the leaves below a node, from left to right; `index` is that of the first. */
static void visit(const aes *cipher, duoram_block label, const duoram_correction *corrections, uint64_t depth,
                  uint64_t index, visitor *leaf, void *context)
{
    if (depth == 0) {
        leaf(context, index, label);
        return;
    }
    uint64_t selected = -(label.low & 1);
    for (uint64_t bit = 0; bit < 2; bit++) {
        duoram_block next = hash(cipher, label, bit);
        uint64_t flag = bit ? corrections->right_flag : corrections->left_flag;
        next.low ^= selected & (corrections->word.low ^ flag);
        next.high ^= selected & corrections->word.high;
        visit(cipher, next, corrections + 1, depth - 1, index + (bit << (depth - 1)), leaf, context);
    }
}

/* ---- the five functions that every kernel has ---- */

uint32_t duoram_kernel_abi(void) { return DUORAM_KERNEL_ABI; }

int32_t duoram_kernel_grow(const duoram_block *session_key, uint64_t trees, uint64_t width,
                           const duoram_block *parents, duoram_block *children, duoram_block *sums)
{
    const aes cipher = expand(session_key);
    memset(sums, 0, 2 * trees * sizeof *sums);
    for (uint64_t i = 0; i < trees * width; i++) {
        for (uint64_t bit = 0; bit < 2; bit++) {
            duoram_block *sum = &sums[2 * (i / width) + bit];
            children[2 * i + bit] = hash(&cipher, parents[i], bit);
            sum->low ^= children[2 * i + bit].low;
            sum->high ^= children[2 * i + bit].high;
        }
    }
    return DUORAM_DONE;
}

static void add_up(void *context, uint64_t index, duoram_block leaf)
{
    duoram_leaf_sums *sums = context;
    uint64_t flag = leaf.low & 1;
    sums->flag_count += flag;
    sums->conversion_sum += leaf.low;
    sums->value_sum += leaf.high;
    sums->index_flag_sum += index * flag;
    sums->index_conversion_sum += index * leaf.low;
}

int32_t duoram_kernel_evaluate(const duoram_block *session_key, uint64_t depth, uint64_t count,
                               const duoram_key *keys, duoram_leaf_sums *sums)
{
    const aes cipher = expand(session_key);
    memset(sums, 0, count * sizeof *sums);
    for (uint64_t i = 0; i < count; i++)
        visit(&cipher, keys[i].root, keys[i].corrections, depth, 0, add_up, &sums[i]);
    return DUORAM_DONE;
}

/* What the leaves of a key are used for; s is the sign of its owner, +1 or -1 mod 2^64. */
typedef struct {
    uint64_t s, factor, shift, mask; /* mask = n - 1 */
    const uint64_t *memory;
    uint64_t dot;
    uint64_t final_correction;
    uint64_t *added_to, *taken_from[2]; /* NULL for none */
} use;

static uint64_t unit(const use *u, duoram_block leaf) { return u->s * (u->factor * (leaf.low & 1) - leaf.low); }

static void multiply(void *context, uint64_t index, duoram_block leaf)
{
    use *u = context;
    u->dot += u->memory[(index + u->shift) & u->mask] * unit(u, leaf);
}

static void add(void *context, uint64_t index, duoram_block leaf)
{
    use *u = context;
    uint64_t place = (index + u->shift) & u->mask;
    uint64_t w = u->s * leaf.high + u->final_correction * unit(u, leaf);
    if (u->added_to)
        u->added_to[place] += w;
    for (int i = 0; i < 2; i++)
        if (u->taken_from[i])
            u->taken_from[i][place] -= w;
}

static use use_of(const duoram_key *key, uint64_t owner, uint64_t depth, uint64_t shift)
{
    use u = {.s = 1 - 2 * owner, .factor = key->conversion_factor, .shift = shift,
             .mask = ((uint64_t)1 << depth) - 1};
    return u;
}

static uint64_t dot(const aes *cipher, const duoram_key *key, uint64_t owner, uint64_t depth, uint64_t shift,
                    const uint64_t *memory)
{
    use u = use_of(key, owner, depth, shift);
    u.memory = memory;
    visit(cipher, key->root, key->corrections, depth, 0, multiply, &u);
    return u.dot;
}

int32_t duoram_kernel_read(const duoram_block *session_key, uint64_t party, uint64_t depth, const uint64_t *first,
                           const uint64_t *second, uint64_t count, const duoram_read_query *queries,
                           uint64_t *results)
{
    const aes cipher = expand(session_key);
    for (uint64_t i = 0; i < count; i++) {
        const duoram_read_query *q = &queries[i];
        if (party == 2) {
            results[2 * i] = dot(&cipher, &q->two, 1, depth, q->shift, first);
            results[2 * i + 1] = dot(&cipher, &q->one, 0, depth, q->shift, second);
        } else {
            results[i] = dot(&cipher, &q->one, party, depth, q->shift, first)
                       - dot(&cipher, &q->two, party, depth, q->shift, second);
        }
    }
    return DUORAM_DONE;
}

int32_t duoram_kernel_update(const duoram_block *session_key, uint64_t party, uint64_t depth, uint64_t *first,
                             uint64_t *second, uint64_t count, const duoram_update_query *queries)
{
    const aes cipher = expand(session_key);
    for (uint64_t i = 0; i < count; i++) {
        const duoram_update_query *q = &queries[i];
        use one = use_of(&q->one, party == 1, depth, q->shift);
        use two = use_of(&q->two, party != 0, depth, q->shift); /* P2 has P1's key */
        one.final_correction = q->final_correction_one;
        two.final_correction = q->final_correction_two;
        if (party == 2) {
            one.taken_from[0] = first;
            two.taken_from[0] = second;
        } else { /* C += w_other - w_own, zeta -= w_own */
            use *own = party == 0 ? &one : &two, *other = party == 0 ? &two : &one;
            other->added_to = first;
            own->taken_from[0] = first;
            own->taken_from[1] = second;
        }
        visit(&cipher, q->one.root, q->one.corrections, depth, 0, add, &one);
        visit(&cipher, q->two.root, q->two.corrections, depth, 0, add, &two);
    }
    return DUORAM_DONE;
}

/* ---- the lean protocol ---- */

static void add_block(duoram_block *sum, duoram_block block)
{
    sum->low ^= block.low;
    sum->high ^= block.high;
}

int32_t duoram_kernel_lean_sums(const duoram_block *session_key, uint64_t trees, uint64_t width,
                                const duoram_block *nodes, duoram_block *flag_sums, duoram_block *word_sums)
{
    const aes cipher = expand(session_key);
    memset(flag_sums, 0, trees * sizeof *flag_sums);
    memset(word_sums, 0, 4 * trees * sizeof *word_sums);
    for (uint64_t i = 0; i < trees * width; i++) {
        add_block(&flag_sums[i / width], hash(&cipher, nodes[i], 2));
        for (uint64_t k = 0; k < 4; k++)
            add_block(&word_sums[4 * (i / width) + k], hash(&cipher, nodes[i], 8 + k));
    }
    return DUORAM_DONE;
}

static uint64_t levels_above(uint64_t depth, uint64_t layer) { return depth < layer ? 0 : depth - layer; }

static uint64_t flag_words(uint64_t depth) { return (uint64_t)1 << levels_above(depth, 6); }

static uint64_t flag_at(const uint64_t *flags, uint64_t j) { return flags[j / 64] >> j % 64 & 1; }

typedef struct {
    const aes *cipher;
    duoram_block correction;
    uint64_t depth, *flags;
} flag_layer;

static void put_flags(void *context, uint64_t index, duoram_block node)
{
    const flag_layer *layer = context;
    uint64_t selected = -(node.low & 1), *flags = &layer->flags[2 * index];
    duoram_block bits = hash(layer->cipher, node, 2);
    flags[0] = bits.low ^ (selected & layer->correction.low);
    if (layer->depth < 6)
        flags[0] &= ((uint64_t)1 << ((uint64_t)1 << layer->depth)) - 1;
    if (layer->depth > 6)
        flags[1] = bits.high ^ (selected & layer->correction.high);
}

int32_t duoram_kernel_lean_flags(const duoram_block *session_key, uint64_t depth, uint64_t count,
                                 const duoram_lean_flag_key *keys, uint64_t *flags)
{
    const aes cipher = expand(session_key);
    for (uint64_t i = 0; i < count; i++) {
        flag_layer layer = {&cipher, keys[i].flag_correction, depth, flags + i * flag_words(depth)};
        visit(&cipher, keys[i].key.root, keys[i].key.corrections, levels_above(depth, 7), 0, put_flags, &layer);
    }
    return DUORAM_DONE;
}

int32_t duoram_kernel_lean_read(uint64_t depth, const uint64_t *memory, uint64_t count, const uint64_t *flags,
                                const uint64_t *shifts, uint64_t *results)
{
    for (uint64_t i = 0; i < count; i++) {
        results[i] = 0;
        for (uint64_t j = 0; j >> depth == 0; j++)
            results[i] ^= -flag_at(flags + i * flag_words(depth), j) & memory[j ^ shifts[i]];
    }
    return DUORAM_DONE;
}

typedef struct {
    const aes *cipher;
    const duoram_lean_update_query *query;
    const uint64_t *flags;
    uint64_t n, *memory;
} word_layer;

static void change_words(void *context, uint64_t index, duoram_block node)
{
    const word_layer *layer = context;
    const duoram_lean_update_query *q = layer->query;
    uint64_t words[8], selected = -(node.low & 1);
    for (uint64_t k = 0; k < 4; k++) {
        duoram_block block = hash(layer->cipher, node, 8 + k);
        words[2 * k] = block.low;
        words[2 * k + 1] = block.high;
    }
    for (uint64_t i = 0, j = 8 * index; i < 8 && j < layer->n; i++, j++)
        layer->memory[j ^ q->shift] ^= words[i] ^ (selected & q->word_correction[i])
                                     ^ (-flag_at(layer->flags, j) & q->final_correction);
}

int32_t duoram_kernel_lean_update(const duoram_block *session_key, uint64_t depth, uint64_t *memory,
                                  uint64_t count, const duoram_lean_update_query *queries,
                                  const uint64_t *flags)
{
    const aes cipher = expand(session_key);
    for (uint64_t i = 0; i < count; i++) {
        word_layer layer = {&cipher, &queries[i], flags + i * flag_words(depth), (uint64_t)1 << depth, memory};
        visit(&cipher, queries[i].key.root, queries[i].key.corrections, levels_above(depth, 3), 0, change_words,
              &layer);
    }
    return DUORAM_DONE;
}
