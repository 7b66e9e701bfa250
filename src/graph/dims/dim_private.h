/* dim_private.h: what the dim*.c files share and nobody else sees: the normal form itself.
 *
 *   Dim --> DimNode (interned)      kind SUM      a sum of terms
 *             kind, a, b                 SYMBOL   symbol number a            } atoms: their only
 *             terms, in order            MOD      a % b                      } term is themselves
 *
 *   8*N*M/3 - 1  is  { 8/3 * [N^1 M^1],  -1/1 * [] }
 *   p/(N + 1)    is  { .. * [(N + 1)^-1] }    a SUM as a factor: only ever below the line
 *
 * Terms stand by falling degree, then by atoms, so that equal sums have equal arrays. */
#ifndef FUSEC_DIM_PRIVATE_H
#define FUSEC_DIM_PRIVATE_H

#include "graph/dims/dims.h"

/* Atoms of one term, terms of one sum (Limits.dim_terms may be lower), the largest exponent; the
 * nesting depth of atoms and their total size, which bound every walk and every text. A size beyond
 * these "does not fit", like an overflow. */
enum { FACTOR_MAX = 12, TERM_MAX = 128, DEGREE_MAX = 32, DEPTH_MAX = 8, WEIGHT_MAX = 4096 };

__extension__ typedef __int128 Int128;

typedef struct DimFactor {
    Dim atom;
    int32_t exponent; /* never 0 */
} DimFactor;

/* num/den in lowest terms, den > 0, num != 0; factors by rising atom; the rest of the array is
 * 0. */
typedef struct DimTerm {
    int64_t num, den;
    int32_t count, degree; /* degree: the sum of the exponents */
    DimFactor factor[FACTOR_MAX];
} DimTerm;

typedef enum DimKind { DIM_SUM, DIM_SYMBOL, DIM_MOD } DimKind;

typedef struct DimNode {
    DimKind kind;
    Dim a, b;
    int32_t depth, weight; /* nesting of atoms; number of factors, nested ones included */
    int32_t count;         /* terms; none: the number 0 */
    const DimTerm *term;
    uint64_t hash;
} DimNode;

/* A sum under construction. `failed` stays set after an overflow, or too many terms. */
typedef struct DimPoly {
    int count, limit;
    bool failed;
    DimTerm term[TERM_MAX];
} DimPoly;

/* ---- poly.c: sums as values ----------------------------------------------------------- */

DimTerm term_const(int64_t num, int64_t den);
DimTerm term_power(Dim atom, int exponent);
bool term_mul(const DimTerm *a, const DimTerm *b, DimTerm *product); /* false: does not fit */
bool term_inverse(const DimTerm *a, DimTerm *inverse);
int term_exponent(const DimTerm *t, Dim atom); /* 0: absent */
void poly_init(DimPoly *p, const Dims *d);
void poly_add_term(DimPoly *p, const DimTerm *t);
void poly_remove(DimPoly *p, int i);
void poly_add(DimPoly *p, const DimTerm *terms, int count,
              const DimTerm *factor); /* += f * terms */
/* quotient = a / b if it is a sum of terms without remainder. b has at least one term. */
bool poly_divide(DimPoly *quotient, const DimTerm *a, int a_count, const DimTerm *b, int b_count);
/* The largest term that divides all terms (at least one): the quotients have whole coefficients
 * without a common factor and no negative exponents. Negative if the first term is. */
bool poly_content(const DimTerm *terms, int count, DimTerm *content);
/* terms == above / below, both with whole coefficients and without negative exponents. */
bool poly_over(DimPoly *above, DimTerm *below, const DimTerm *terms, int count);
int64_t gcd64(int64_t a, int64_t b); /* never negative */

/* ---- dim.c -------------------------------------------------------------------------------- */

static inline const DimNode *dim_node(const Dims *d, Dim a) { return &d->node[a]; }
Dim dim_quotient(Dims *d, Dim a, Dim b);         /* a / b, exact or not; b is not 0 */
const DimTerm *dim_single(const Dims *d, Dim a); /* the one term of a, or NULL */

#endif
