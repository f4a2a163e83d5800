#include "CFloatState.h"

#ifdef __x86_64__
#include <xmmintrin.h>
int hdr_float_state_is_known(void) { return 1; }
unsigned hdr_float_state(void) { return _mm_getcsr(); }
void hdr_set_float_state(unsigned state) { _mm_setcsr(state); }
#else
int hdr_float_state_is_known(void) { return 0; }
unsigned hdr_float_state(void) { return hdr_float_default; }
void hdr_set_float_state(unsigned state) { (void)state; }
#endif
