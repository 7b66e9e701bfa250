/* gemv.h: what gemv.c and gemv_steps.c have in common. */
#ifndef FUSEC_GEMV_H
#define FUSEC_GEMV_H

#include "emit/c/c.h"

/* The form, may two products share a lane (FX_PARTS), the phases of k that operands along it have,
 * and is k read in turns of two vectors: of numbers of 4 bits, which have their bytes in common? */
typedef struct Gemv {
    GemvForm form;
    bool pairs;
    CPhases phases;
    bool turns;
} Gemv;

enum { PAIRS_STEP = 32 }; /* elements of two vectors, whatever VL */

/* ---- gemv.c ---- */

Dtype gemv_sum_type(const Writer *w);
int gemv_root_of(const Writer *w, int value);
/* Joining vectors to pairs rounds: the source of a cast, or else the value itself. */
int gemv_before_rounding(const Body *b, int value);
/* Where the narrow operand has the vector at k, in a phase. */
const char *gemv_narrow_at(const Writer *w, const Gemv *gemv, int phase, const char *few);
/* The text of a value as a register of sums. */
const char *gemv_as_sum(const Writer *w, const char *x);
/* The address of the elements at `k`. */
const char *gemv_address_at(Writer *w, const Value *v, const char *k);
/* Prefetches what is read at the same place `distance` rows of the wide operand, or of k, further,
 * but for the lines that are there already. */
const char *gemv_ahead(Writer *w, const Gemv *gemv, int axis, int distance, const char *already);
/* Fills of templates. */
void gemv_add_pairs(const Writer *w, bool pairs, bool rounds, Fills *fills);
void gemv_add_types(const Writer *w, Fills *fills);
void gemv_add_axes(const Writer *w, const Gemv *gemv, Fills *fills);

/* ---- gemv_steps.c ---- */

/* Is k read in turns of two vectors? */
bool gemv_has_turns(Writer *w, const Gemv *gemv, int value);
const char *gemv_steps(Writer *w, const Gemv *gemv, int value);

#endif
