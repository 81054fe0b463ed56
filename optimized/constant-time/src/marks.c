// Client requests of memcheck are macros of a C header: these are the ones we need, as functions. Outside of valgrind they
// do nothing. (Bindings made from the header would do the same, and need libclang.)
#include <stddef.h>
#include <valgrind/memcheck.h>

unsigned long ct_under_valgrind(void) { return RUNNING_ON_VALGRIND; }
unsigned long ct_errors(void) { return VALGRIND_COUNT_ERRORS; }
void ct_secret(const void *at, size_t length) { VALGRIND_MAKE_MEM_UNDEFINED(at, length); }
void ct_public(const void *at, size_t length) { VALGRIND_MAKE_MEM_DEFINED(at, length); }

void ct_public_bits(const unsigned char *at, unsigned char bits) {
  unsigned char undefined = 0xff;
  VALGRIND_GET_VBITS(at, &undefined, 1);
  undefined &= (unsigned char)~bits;
  VALGRIND_SET_VBITS(at, &undefined, 1);
}
