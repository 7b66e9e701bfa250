/* dims.h: symbolic sizes: integer expressions of the dims of a function, in normal form, and facts
 * about them. */
#ifndef FUSEC_DIMS_H
#define FUSEC_DIMS_H

#include "base/base.h"

/* A size: an integer expression of the dims of a function, kept in a normal form, so that equal
 * sizes are one Dim and `8*D/2 == 4*D`, `N*M/N == M` hold by ==. The normal form is a sum of terms
 *
 *     (num/den) * atom^e * atom^e ...        e may be negative: exact division by a symbol
 *
 * over atoms: a symbol, p % q, or p / q where q is a sum. Every dim of a shape is at least 1. */
typedef int32_t Dim; /* index into Dims; 0 is none */

typedef enum DimCompare { DIM_EQ, DIM_NE, DIM_LT, DIM_LE } DimCompare;

/* A condition to check when the dims are known: from `assert`, exact divisions, slices, inputs. */
typedef struct DimGuard {
    Dim a, b;
    DimCompare compare;
    Span span;
    const char *why; /* "assert", "exact division", "slice" .. */
} DimGuard;

typedef struct DimSymbol {
    const char *name;
    int64_t lo, hi, multiple; /* facts: lo <= symbol <= hi, symbol % multiple == 0 */
    Span span;
} DimSymbol;

/* The dims of one function; shared by all graphs made from it. */
typedef struct Dims {
    Arena *arena;
    struct DimNode *node; /* private: dim_private.h */
    int node_count, node_cap;
    int32_t *table; /* interning */
    int table_size;
    Vec(DimSymbol) symbols;
    Vec(DimGuard) guards;
    int64_t term_limit;
} Dims;

Dims *dims_new(Arena *arena, const Limits *limits);
Dim dim_const(Dims *d, int64_t value);
Dim dim_symbol(Dims *d, const char *name, Span span); /* the same name: the same Dim */
int dim_symbol_find(const Dims *d, const char *name); /* symbol number or -1 */
/* 0 if the result overflows int64 or Limits.dim_terms. */
Dim dim_add(Dims *d, Dim a, Dim b);
Dim dim_sub(Dims *d, Dim a, Dim b);
Dim dim_mul(Dims *d, Dim a, Dim b);
/* exact; adds a guard unless proven; 0 if b is 0 or constants do not divide */
Dim dim_div(Dims *d, Dim a, Dim b, Span span);
Dim dim_mod(Dims *d, Dim a, Dim b);
/* a = q b + *rest for a whole q, with a number *rest that is not 0: b must divide it. False: not
 * known, or b is a number. */
bool dim_leaves(const Dims *d, Dim a, Dim b, int64_t *rest);
bool dim_is_const(const Dims *d, Dim a, int64_t *value);
bool dim_is(const Dims *d, Dim a, int64_t value);
/* Bounds over all values of the symbols that the facts allow. INT64_MIN/MAX: unknown. */
void dim_range(const Dims *d, Dim a, int64_t *lo, int64_t *hi);
bool dim_divides(Dims *d, Dim a, Dim b); /* proven: b % a == 0 */
bool dim_le(Dims *d, Dim a, Dim b);      /* proven: a <= b */
bool dim_equal(Dims *d, Dim a, Dim b);   /* a == b, proven or by a guard */
/* Records a fact; false if it can never hold (the caller reports it). A fact that is not proven
 * also becomes a guard. `N == 4*M` substitutes nothing: it is checked. */
bool dim_assume(Dims *d, DimCompare compare, Dim a, Dim b, Span span, const char *why);
/* The value for given symbol values (in symbol order); false if it is not whole or overflows. */
bool dim_value(const Dims *d, Dim a, const int64_t *symbols, int64_t *value);
/* The value of a, and those of the other symbols in it, determine the symbol: dim_solve finds it.
 * So does 8*N + M, linear in N, and N*N*M, which grows with N, but not N % 4. */
bool dim_determines(const Dims *d, Dim a, int symbol);
/* Solves a == value for the one symbol in it that `known` lacks, if a determines it; sets and marks
 * it. True if a is then known (it may still differ from value: check). */
bool dim_solve(const Dims *d, Dim a, int64_t value, int64_t *symbols, bool *known);
bool dim_uses(const Dims *d, Dim a, int symbol);
int dim_symbol_number(const Dims *d, Dim a); /* if a is a symbol; -1: it is not */
/* True if every guard holds; else *failed is the first that does not. */
bool dims_check(const Dims *d, const int64_t *symbols, const DimGuard **failed);
/* In the model's notation, valid in .fx, C and CUDA alike: "8*D", "(D*D + D)/2". */
void dim_print(const Dims *d, Dim a, Text *out);
const char *dim_text(const Dims *d, Dim a, Arena *arena);
/* "N % 2 == 0" */
const char *dim_guard_text(const Dims *d, const DimGuard *guard, Arena *arena);

/* Names of the symbols in emitted text, by symbol; `used`, if given, is set for each that is
 * printed. */
typedef struct DimNames {
    const char *const *name;
    bool *used;
} DimNames;

/* The same with these names (NULL: the model's). factor: in parentheses unless it is a name or a
 * number, so that it is safe inside any other expression. */
void dim_print_as(const Dims *d, const DimNames *names, Dim a, Text *out);
void dim_print_factor_as(const Dims *d, const DimNames *names, Dim a, Text *out);
const char *dim_text_as(const Dims *d, const DimNames *names, Dim a, Arena *arena);

/* ---- terms.c: sizes in arithmetic with real numbers ---- */

enum { DIM_NO_POWER = -1000 };

int dim_term_count(const Dims *d, Dim a);
/* The coefficient of term number i; *monomial: the rest of it, 0 if that does not fit. */
double dim_term(Dims *d, Dim a, int i, Dim *monomial);
/* The power of a symbol in a monomial; DIM_NO_POWER: it stands within a quotient or a remainder. */
int dim_power(const Dims *d, Dim monomial, int symbol);
/* The value at real symbol values, of which quotients need not be whole. */
double dim_real(const Dims *d, Dim a, const double *symbols);

typedef struct DimBinding { /* -D N=4096 */
    const char *name;
    int64_t value;
} DimBinding;

#endif
