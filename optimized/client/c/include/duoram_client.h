/* An oblivious memory on two or three hosts, for those who own its words: the crate duoram-client for C.
 *
 *     cargo build --release -p duoram-client-c
 *     cc -I optimized/client/c/include program.c -L target/release -lduoram_client_c
 *
 * Words are integers mod 2^64, an address is the number of a word from 0, or of a row of words. The library shares addresses and words between P0 and P1, and opens
 * what comes back; it makes its links again whenever they break, and each request is done once.
 *
 * Results     DUORAM_DONE, or one of the codes below; duoram_error says more, in words. Output is written with DUORAM_DONE only.
 * Waiting     Each call waits until P0 and P1 have answered, however long one of them is away. Requests wait for their turn no longer than
 *             the settings' deadline_ms.
 * Threads     A memory may be used by many threads at once, but not while or after it is closed. The library has a thread of its own for
 *             each memory. After fork, a child must not use its parent's.
 * Pointers    NULL is refused where a comment does not allow it. Arrays have as many items as the call says; with 0 of them the
 *             pointer is not looked at.
 */
#ifndef DUORAM_CLIENT_H
#define DUORAM_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DUORAM_DONE 0
/* Refused for now: too many requests, or no items; duoram_retry_after_ms says when to try again. Nothing has changed. */
#define DUORAM_AGAIN 1
/* Refused by the parties, or by the client's rights. Nothing has changed. */
#define DUORAM_REFUSED 2
/* An argument is wrong: NULL, an address outside of the memory, too many steps. Nothing was asked. */
#define DUORAM_INVALID 3
/* The memory is of no more use: wrong keys or settings, or another process with the same name. A request may be done or not. */
#define DUORAM_FAILED 4

typedef struct duoram_memory duoram_memory;

/* Opens a memory: `config` is the path of the client's settings, which `duoram deploy` has written. Waits until P0 and P1 are there. NULL
 * if that is impossible. */
duoram_memory *duoram_open(const char *config);

/* Ends its links. NULL is no error. */
void duoram_close(duoram_memory *memory);

/* The addresses of the memory: its words, or its rows; 0 for NULL. */
uint64_t duoram_len(const duoram_memory *memory);

/* The words at an address: 1 or, where it holds a row, W; 0 for NULL. With more than one the functions for words below return
 * DUORAM_INVALID, and those for rows do what they do, of W words in a row. */
size_t duoram_row_words(const duoram_memory *memory);

/* words[j] <- D[addresses[j]], all at the same time */
int duoram_read(const duoram_memory *memory, const uint64_t *addresses, size_t count, uint64_t *words);

/* D[addresses[j]] <- D[addresses[j]] + deltas[j], or xor in the lean protocol. If it fails, some may have been added to. */
int duoram_update(const duoram_memory *memory, const uint64_t *addresses, const uint64_t *deltas, size_t count);

/* D[address] <- value */
int duoram_write(const duoram_memory *memory, uint64_t address, uint64_t value);

/* *old <- D[address], D[address] <- value */
int duoram_swap(const duoram_memory *memory, uint64_t address, uint64_t value, uint64_t *old);

/* a <- address; `steps` times: a <- D[a mod n]; *word <- the last a. Nothing in between is opened. */
int duoram_chase(const duoram_memory *memory, uint64_t address, uint64_t steps, uint64_t *word);

/* rows[W j ... W j + W - 1] <- D[addresses[j]], all at the same time */
int duoram_read_rows(const duoram_memory *memory, const uint64_t *addresses, size_t count, uint64_t *rows);

/* As duoram_update, of the row deltas[W j ... W j + W - 1]. */
int duoram_update_rows(const duoram_memory *memory, const uint64_t *addresses, const uint64_t *deltas, size_t count);

/* D[address] <- row[0 ... W - 1] */
int duoram_write_row(const duoram_memory *memory, uint64_t address, const uint64_t *row);

/* old[0 ... W - 1] <- D[address], D[address] <- row[0 ... W - 1] */
int duoram_swap_row(const duoram_memory *memory, uint64_t address, const uint64_t *row, uint64_t *old);

/* As duoram_chase: the first word of each row is the next address; row[0 ... W - 1] <- the last row. */
int duoram_chase_row(const duoram_memory *memory, uint64_t address, uint64_t steps, uint64_t *row);

/* The whole memory, rows one behind the other; words that are not given are 0. */
int duoram_load(const duoram_memory *memory, const uint64_t *words, size_t count);

/* What went wrong in this thread's last call that failed, in words; good until its next call. Empty if none has failed. */
const char *duoram_error(void);

/* After DUORAM_AGAIN in this thread: in how many milliseconds it may go better; else 0. */
uint32_t duoram_retry_after_ms(void);

#ifdef __cplusplus
}
#endif

#endif
