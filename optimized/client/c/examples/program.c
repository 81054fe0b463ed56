/* Every function of duoram_client.h once, on a memory of 256 words, or rows of 3, with the lean protocol: `program client.toml` prints nothing and returns 0
 * if all is as it should be. */
#include "duoram_client.h"

#include <stdio.h>
#include <string.h>

#define EXPECT(condition)                                                                     \
    do {                                                                                      \
        if (!(condition)) {                                                                   \
            fprintf(stderr, "line %d: %s; %s\n", __LINE__, #condition, duoram_error());       \
            return 1;                                                                         \
        }                                                                                     \
    } while (0)

/* What is done with rows, and that a row is never taken for a word. */
static int rows(duoram_memory *memory) {
    uint64_t words[3 * 256], addresses[] = {1, 2, 1}, deltas[] = {7, 0, 1, 0, 7, 0, 8, 8, 8}, read[9], row[3];
    for (uint64_t place = 0; place < 3 * 256; place++)
        words[place] = (place / 3 + 5 * (place % 3) + 3) % 256;
    EXPECT(duoram_load(memory, words, 3 * 256) == DUORAM_DONE);
    EXPECT(duoram_read_rows(memory, addresses, 3, read) == DUORAM_DONE);
    EXPECT(memcmp(read, words + 3, 6 * sizeof *words) == 0 && memcmp(read + 6, words + 3, 3 * sizeof *words) == 0);
    EXPECT(duoram_chase_row(memory, 0, 5, row) == DUORAM_DONE && row[0] == 15 && row[1] == 20 && row[2] == 25);
    EXPECT(duoram_update_rows(memory, addresses, deltas, 3) == DUORAM_DONE);
    EXPECT(duoram_read_rows(memory, addresses, 2, read) == DUORAM_DONE);
    EXPECT(read[0] == (4 ^ 7 ^ 8) && read[1] == (9 ^ 8) && read[2] == (14 ^ 1 ^ 8));
    EXPECT(read[3] == 5 && read[4] == (10 ^ 7) && read[5] == 15);
    EXPECT(duoram_write_row(memory, 200, words) == DUORAM_DONE);
    EXPECT(duoram_swap_row(memory, 200, words + 3, row) == DUORAM_DONE && memcmp(row, words, sizeof row) == 0);
    EXPECT(duoram_read_rows(memory, addresses, 0, NULL) == DUORAM_DONE);

    EXPECT(duoram_read(memory, addresses, 3, read) == DUORAM_INVALID && strstr(duoram_error(), "expected 3 words"));
    EXPECT(duoram_update(memory, addresses, deltas, 3) == DUORAM_INVALID);
    EXPECT(duoram_write(memory, 0, 1) == DUORAM_INVALID && duoram_swap(memory, 0, 1, row) == DUORAM_INVALID);
    EXPECT(duoram_chase(memory, 0, 1, row) == DUORAM_INVALID);
    EXPECT(duoram_write_row(memory, 256, row) == DUORAM_INVALID && strstr(duoram_error(), "below 256"));
    EXPECT(duoram_write_row(memory, 0, NULL) == DUORAM_INVALID && strstr(duoram_error(), "row: "));
    EXPECT(duoram_swap_row(memory, 0, row, NULL) == DUORAM_INVALID && strstr(duoram_error(), "old: "));
    EXPECT(duoram_read_rows(memory, addresses, SIZE_MAX / 2, read) == DUORAM_INVALID);
    EXPECT(duoram_load(memory, words, 3 * 256 - 2) == DUORAM_DONE);
    addresses[0] = 255;
    EXPECT(duoram_read_rows(memory, addresses, 1, read) == DUORAM_DONE && read[0] == 2 && read[1] == 0);
    duoram_close(memory);
    return 0;
}

int main(int count, char **arguments) {
    EXPECT(count == 2);
    EXPECT(duoram_open(NULL) == NULL && strstr(duoram_error(), "config: expected a pointer"));
    EXPECT(duoram_open("/there/is/no/file") == NULL && strstr(duoram_error(), "/there/is/no/file: "));

    duoram_memory *memory = duoram_open(arguments[1]);
    EXPECT(memory != NULL);
    EXPECT(duoram_len(memory) == 256 && duoram_len(NULL) == 0 && duoram_row_words(NULL) == 0);
    if (duoram_row_words(memory) == 3)
        return rows(memory);
    EXPECT(duoram_row_words(memory) == 1);

    uint64_t words[256], addresses[] = {1, 2, 1}, deltas[] = {7, 7, 8}, read[3], word;
    for (uint64_t address = 0; address < 256; address++)
        words[address] = (address + 3) % 256;
    EXPECT(duoram_load(memory, words, 256) == DUORAM_DONE);
    EXPECT(duoram_read(memory, addresses, 3, read) == DUORAM_DONE);
    EXPECT(read[0] == 4 && read[1] == 5 && read[2] == 4);
    EXPECT(duoram_chase(memory, 0, 5, &word) == DUORAM_DONE && word == 15);
    EXPECT(duoram_update(memory, addresses, deltas, 3) == DUORAM_DONE);
    EXPECT(duoram_read(memory, addresses, 3, read) == DUORAM_DONE);
    EXPECT(read[0] == (4 ^ 7 ^ 8) && read[1] == (5 ^ 7) && read[2] == read[0]);
    EXPECT(duoram_write(memory, 200, UINT64_MAX) == DUORAM_DONE);
    EXPECT(duoram_swap(memory, 200, 1, &word) == DUORAM_DONE && word == UINT64_MAX);

    /* What is wrong, and changes nothing. */
    EXPECT(duoram_write(memory, 256, 1) == DUORAM_INVALID && strstr(duoram_error(), "below 256"));
    EXPECT(duoram_write(NULL, 0, 1) == DUORAM_INVALID && strstr(duoram_error(), "memory: "));
    EXPECT(duoram_swap(memory, 0, 1, NULL) == DUORAM_INVALID && strstr(duoram_error(), "old: "));
    EXPECT(duoram_read(memory, NULL, 3, read) == DUORAM_INVALID);
    EXPECT(duoram_read(memory, addresses, 3, NULL) == DUORAM_INVALID);
    EXPECT(duoram_read(memory, NULL, 0, NULL) == DUORAM_DONE);
    EXPECT(duoram_update(memory, addresses, NULL, 3) == DUORAM_INVALID);
    EXPECT(duoram_chase(memory, 0, 0, &word) == DUORAM_INVALID);
    EXPECT(duoram_retry_after_ms() == 0);
    EXPECT(duoram_read(memory, addresses, 1, read) == DUORAM_DONE && read[0] == (4 ^ 7 ^ 8));
    duoram_close(memory);
    duoram_close(NULL);
    return 0;
}
