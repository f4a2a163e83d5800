/* The floating-point state of this thread, for tests of the arithmetic contract. x86-64 only; elsewhere nothing changes. */
#ifndef C_FLOAT_STATE_H
#define C_FLOAT_STATE_H

static const unsigned hdr_float_default = 0x1f80;
/* Results that are subnormal become 0; operands that are subnormal count as 0. */
static const unsigned hdr_float_flush_results = 0x8000, hdr_float_flush_operands = 0x0040;
static const unsigned hdr_float_round_down = 0x2000, hdr_float_round_up = 0x4000, hdr_float_truncate = 0x6000;
/* Raised by an operation with a subnormal operand, and by one with a subnormal result that is flushed or inexact. */
static const unsigned hdr_float_met_subnormal_operand = 0x0002, hdr_float_met_subnormal_result = 0x0010;

/* Whether the functions below do anything. */
int hdr_float_state_is_known(void);
unsigned hdr_float_state(void);
void hdr_set_float_state(unsigned state);

#endif
