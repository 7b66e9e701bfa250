/* test_dim.c: symbolic sizes: the normal form, ranges, facts and guards, values and text. */
#include "graph/dims/dims.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Fixture {
    Arena *arena;
    Dims *d;
    Dim n, m, k; /* symbols 0, 1, 2 */
} Fixture;

static int setup(void **state) {
    Fixture *f = calloc(1, sizeof *f);
    Limits limits = limits_default();
    f->arena = arena_new(0);
    f->d = dims_new(f->arena, &limits);
    f->n = dim_symbol(f->d, "N", NOWHERE);
    f->m = dim_symbol(f->d, "M", NOWHERE);
    f->k = dim_symbol(f->d, "K", NOWHERE);
    *state = f;
    return 0;
}

static int teardown(void **state) {
    Fixture *f = *state;
    arena_free(f->arena);
    free(f);
    return 0;
}

static Dim c(Fixture *f, int64_t value) { return dim_const(f->d, value); }
static Dim add(Fixture *f, Dim a, Dim b) { return dim_add(f->d, a, b); }
static Dim sub(Fixture *f, Dim a, Dim b) { return dim_sub(f->d, a, b); }
static Dim mul(Fixture *f, Dim a, Dim b) { return dim_mul(f->d, a, b); }
static Dim quot(Fixture *f, Dim a, Dim b) { return dim_div(f->d, a, b, NOWHERE); }
static Dim mod(Fixture *f, Dim a, Dim b) { return dim_mod(f->d, a, b); }
static int guards(Fixture *f) { return f->d->guards.count; }

static void assert_text(Fixture *f, Dim a, const char *text) {
    assert_string_equal(dim_text(f->d, a, f->arena), text);
}

static void assert_range(Fixture *f, Dim a, int64_t low, int64_t high) {
    int64_t lo, hi;
    dim_range(f->d, a, &lo, &hi);
    assert_int_equal(lo, low);
    assert_int_equal(hi, high);
}

static void assert_value(Fixture *f, Dim a, int64_t n, int64_t m, int64_t expected) {
    int64_t symbols[3] = {n, m, 1}, value;
    assert_true(dim_value(f->d, a, symbols, &value));
    assert_int_equal(value, expected);
}

/* ---- normal form -------------------------------------------------------------------------- */

static void equal_sizes_are_one_dim(void **state) {
    Fixture *f = *state;
    assert_int_equal(dim_symbol(f->d, "N", NOWHERE), f->n);
    assert_int_equal(add(f, f->n, f->m), add(f, f->m, f->n));
    assert_int_equal(quot(f, mul(f, c(f, 8), f->n), c(f, 2)), mul(f, c(f, 4), f->n));
    assert_int_equal(quot(f, mul(f, f->n, f->m), f->n), f->m);
    assert_int_equal(quot(f, add(f, mul(f, f->n, f->m), f->n), f->n), add(f, f->m, c(f, 1)));
    assert_int_equal(sub(f, add(f, f->n, f->m), f->m), f->n);
    assert_int_equal(sub(f, f->n, f->n), c(f, 0));
    assert_int_equal(mul(f, f->n, c(f, 0)), c(f, 0));
    assert_int_equal(guards(f), 0);
}

static void products_of_sums_divide(void **state) {
    Fixture *f = *state;
    Dim sum = add(f, f->n, f->m), less = sub(f, f->n, f->m);
    Dim squares = sub(f, mul(f, f->n, f->n), mul(f, f->m, f->m));
    assert_int_equal(quot(f, squares, sum), less);
    assert_int_equal(mul(f, sum, less), squares);
    assert_int_equal(guards(f), 0);
    assert_int_equal(quot(f, squares, less), sum);
    assert_int_equal(guards(f), 1); /* N - M may be 0 */
    assert_int_equal(f->d->guards.at[0].compare, DIM_NE);
}

static void a_sum_below_the_line_cancels(void **state) {
    Fixture *f = *state;
    Dim sum = add(f, f->m, c(f, 1)), part = quot(f, f->n, sum);
    assert_text(f, part, "N/(M + 1)");
    assert_int_equal(guards(f), 1);
    assert_int_equal(mul(f, part, sum), f->n);
    assert_int_equal(mul(f, sum, part), f->n);
    assert_int_equal(add(f, mul(f, part, f->m), part), f->n);
    assert_int_equal(quot(f, f->n, part), sum);
    assert_int_equal(quot(f, mul(f, c(f, 2), f->n), mul(f, c(f, 2), sum)), part);
    assert_value(f, part, 12, 2, 4);
}

static void an_exact_division_leaves_a_guard(void **state) {
    Fixture *f = *state;
    Dim half = quot(f, f->n, c(f, 2));
    assert_int_equal(guards(f), 1);
    const DimGuard *g = &f->d->guards.at[0];
    assert_text(f, g->a, "N % 2");
    assert_true(dim_is(f->d, g->b, 0));
    assert_int_equal(g->compare, DIM_EQ);
    assert_string_equal(g->why, "exact division");
    assert_int_equal(mul(f, c(f, 2), half), f->n);
    assert_int_equal(quot(f, f->n, c(f, 2)), half);
    assert_int_equal(guards(f), 1); /* N % 2 == 0 is known now */
    assert_int_equal(quot(f, mul(f, c(f, 3), f->n), c(f, 6)), half);
    assert_int_equal(guards(f), 1);
}

static void impossible_divisions_are_none(void **state) {
    Fixture *f = *state;
    assert_int_equal(quot(f, f->n, c(f, 0)), 0);
    assert_int_equal(quot(f, c(f, 7), c(f, 2)), 0);
    assert_int_equal(quot(f, add(f, mul(f, c(f, 2), f->n), c(f, 1)), c(f, 2)), 0);
    assert_int_equal(quot(f, f->n, sub(f, f->m, f->m)), 0);
    assert_int_equal(quot(f, c(f, -8), c(f, 2)), c(f, -4));
}

static void what_does_not_fit_is_none(void **state) {
    Fixture *f = *state;
    Dim huge = c(f, INT64_MAX), power = f->n, sum = c(f, 0);
    assert_int_equal(add(f, huge, c(f, 1)), 0);
    assert_int_equal(mul(f, huge, c(f, 2)), 0);
    assert_int_equal(mul(f, mul(f, huge, f->n), c(f, 2)), 0);
    assert_int_equal(dim_const(f->d, INT64_MIN), 0);
    assert_int_equal(add(f, 0, f->n), 0);
    for (int i = 0; i < 6; i++) power = mul(f, power, power);
    assert_int_equal(power, 0);
    for (int i = 0; i < 100; i++) {
        char name[16];
        snprintf(name, sizeof name, "s%d", i);
        sum = add(f, sum, dim_symbol(f->d, name, NOWHERE));
        assert_int_equal(sum != 0, i < 64);
    }
    for (Dim nested = f->n, i = 0; i < 100; i++) { /* 9*N % (M + 9*N % (M + ..)) */
        nested = mod(f, mul(f, c(f, 9), f->n), add(f, f->m, nested));
        if (i > 50) assert_int_equal(nested, 0);
    }
    Dim wide = f->n,
        grown = wide; /* a % (a*a + K), with the last one as a: text doubles and more */
    for (int i = 0; i < 100 && wide; i++) {
        grown = wide;
        Dim square = mul(f, wide, wide);
        wide = mod(f, mul(f, c(f, 9), wide), add(f, add(f, square, wide), f->k));
    }
    assert_int_equal(wide, 0);
    assert_true(strlen(dim_text(f->d, grown, f->arena)) < 1 << 15);
}

static void remainders_simplify(void **state) {
    Fixture *f = *state;
    Dim eight = c(f, 8), eight_n = mul(f, eight, f->n);
    assert_int_equal(mod(f, eight_n, eight), c(f, 0));
    assert_int_equal(mod(f, eight_n, c(f, 4)), c(f, 0));
    assert_int_equal(mod(f, mul(f, f->n, f->m), f->n), c(f, 0));
    assert_int_equal(mod(f, add(f, eight_n, c(f, 3)), eight), c(f, 3));
    assert_int_equal(mod(f, c(f, 5), add(f, f->n, c(f, 5))), c(f, 5)); /* 5 < N + 5 */
    assert_int_equal(mod(f, c(f, -7), c(f, 4)), c(f, -3));             /* as in C */
    assert_int_equal(mod(f, f->n, c(f, 0)), 0);
    assert_int_equal(mod(f, f->n, c(f, 1)), c(f, 0));
    assert_text(f, mod(f, eight_n, c(f, 16)), "8*(N % 2)");
    assert_text(f, mod(f, mul(f, f->n, f->k), mul(f, f->m, f->k)), "K*(N % M)");
    assert_text(f, mod(f, add(f, eight_n, f->m), eight), "M % 8");
    assert_int_equal(mod(f, mod(f, f->n, eight), eight), mod(f, f->n, eight));
    assert_int_equal(guards(f), 0);
}

/* ---- facts -------------------------------------------------------------------------------- */

static void ranges_come_from_the_facts(void **state) {
    Fixture *f = *state;
    int64_t top = (int64_t)1 << 40;
    assert_range(f, f->n, 1, top);
    assert_range(f, sub(f, f->n, c(f, 1)), 0, top - 1);
    assert_range(f, mul(f, c(f, -2), f->n), -2 * top, -2);
    assert_range(f, mod(f, f->n, c(f, 8)), 0, 7);
    assert_range(f, sub(f, mul(f, f->n, f->m), f->n), 0, INT64_MAX);
    assert_range(f, mul(f, f->n, mul(f, f->n, f->m)), 1, INT64_MAX);
    assert_range(f, sub(f, f->n, mul(f, f->n, f->m)), INT64_MIN, 0);
    assert_range(f, c(f, 0), 0, 0);
    assert_true(dim_assume(f->d, DIM_LE, f->n, c(f, 100), NOWHERE, "assert"));
    assert_range(f, quot(f, f->n, c(f, 3)), 1, 33);
    assert_range(f, f->n, 3, 99); /* and a multiple of 3 */
    assert_range(f, quot(f, f->n, f->m), 1, 99);
    assert_range(f, 0, INT64_MIN, INT64_MAX);
}

static void order_is_proven_by_cancelling(void **state) {
    Fixture *f = *state;
    Dim n2 = mul(f, c(f, 2), f->n);
    assert_true(dim_le(f->d, f->n, n2));
    assert_true(dim_le(f->d, f->n, mul(f, f->n, f->m)));
    assert_true(dim_le(f->d, f->n, f->n));
    assert_false(dim_le(f->d, n2, f->n));
    assert_false(dim_le(f->d, f->n, f->m));
    assert_true(dim_le(f->d, sub(f, f->n, f->m), f->n));
}

static void assumptions_become_facts(void **state) {
    Fixture *f = *state;
    Dims *d = f->d;
    assert_true(dim_assume(d, DIM_LT, f->n, c(f, 65), NOWHERE, "assert"));
    assert_true(dim_assume(d, DIM_LE, c(f, 9), mul(f, c(f, 2), f->n), NOWHERE, "assert"));
    assert_range(f, f->n, 5, 64);
    assert_true(dim_assume(d, DIM_EQ, mod(f, f->n, c(f, 8)), c(f, 0), NOWHERE, "assert"));
    assert_range(f, f->n, 8, 64);
    assert_true(dim_divides(d, c(f, 4), f->n));
    assert_true(dim_divides(d, c(f, 16), mul(f, c(f, 2), f->n)));
    assert_false(dim_divides(d, c(f, 16), f->n));
    assert_int_equal(mod(f, f->n, c(f, 8)), c(f, 0));
    assert_int_equal(guards(f), 3);
    assert_true(dim_assume(d, DIM_LE, f->n, c(f, 1000), NOWHERE, "assert")); /* known */
    assert_int_equal(guards(f), 3);
    assert_true(dim_assume(d, DIM_EQ, f->m, c(f, 7), NOWHERE, "assert"));
    assert_range(f, f->m, 7, 7);
    assert_false(dim_assume(d, DIM_EQ, f->m, c(f, 8), NOWHERE, "assert"));
    assert_false(dim_assume(d, DIM_LE, f->n, c(f, 4), NOWHERE, "assert"));
    assert_false(dim_assume(d, DIM_LE, c(f, 65), f->n, NOWHERE, "assert"));
    assert_false(dim_assume(d, DIM_NE, f->n, f->n, NOWHERE, "assert"));
    assert_false(dim_assume(d, DIM_EQ, mul(f, c(f, 2), f->k), c(f, 3), NOWHERE, "assert"));
}

static void a_part_of_a_symbol_teaches_its_divisor(void **state) {
    Fixture *f = *state;
    Dim half = quot(f, f->n, c(f, 2));
    assert_true(dim_assume(f->d, DIM_EQ, mod(f, half, c(f, 4)), c(f, 0), NOWHERE, "assert"));
    assert_true(dim_divides(f->d, c(f, 8), f->n));
    assert_true(dim_assume(f->d, DIM_EQ, mod(f, mul(f, c(f, 6), f->m), c(f, 4)), c(f, 0), NOWHERE,
                           "assert"));
    assert_true(dim_divides(f->d, c(f, 2), f->m));
    assert_false(dim_divides(f->d, c(f, 4), f->m));
}

static void other_assumptions_are_only_checked(void **state) {
    Fixture *f = *state;
    const DimGuard *failed;
    Dim m4 = mul(f, c(f, 4), f->m);
    assert_true(dim_assume(f->d, DIM_EQ, f->n, m4, NOWHERE, "assert"));
    assert_int_not_equal(f->n, m4);
    assert_true(dim_equal(f->d, m4, f->n));
    assert_false(dim_equal(f->d, m4, f->m));
    assert_int_equal(guards(f), 1);
    assert_true(dim_assume(f->d, DIM_EQ, f->n, m4, NOWHERE, "assert")); /* no second guard */
    assert_int_equal(guards(f), 1);
    assert_true(dims_check(f->d, (int64_t[]){8, 2, 1}, &failed));
    assert_false(dims_check(f->d, (int64_t[]){9, 2, 1}, &failed));
    assert_ptr_equal(failed, &f->d->guards.at[0]);
}

/* ---- values ------------------------------------------------------------------------------- */

static void values_need_only_be_whole_in_the_end(void **state) {
    Fixture *f = *state;
    Dim triangle = quot(f, add(f, mul(f, f->n, f->n), f->n), c(f, 2));
    int64_t value;
    assert_value(f, triangle, 5, 1, 15);
    assert_value(f, triangle, 6, 1, 21);
    assert_value(f, mod(f, sub(f, f->n, f->m), c(f, 3)), 1, 3, -2);
    assert_false(dim_value(f->d, quot(f, f->n, c(f, 2)), (int64_t[]){5, 1, 1}, &value));
    assert_false(dim_value(f->d, quot(f, f->n, f->m), (int64_t[]){5, 0, 1}, &value));
    assert_false(dim_value(f->d, mul(f, f->n, f->m), (int64_t[]){INT64_MAX, 2, 1}, &value));
    assert_false(dim_value(f->d, mod(f, f->n, f->m), (int64_t[]){5, 0, 1}, &value));
    assert_false(dim_value(f->d, 0, (int64_t[]){5, 0, 1}, &value));
}

static void a_size_gives_its_one_unknown_symbol(void **state) {
    Fixture *f = *state;
    int64_t symbols[3] = {0, 6, 0};
    bool known[3] = {false, true, false};
    Dim a = add(f, mul(f, mul(f, c(f, 8), f->n), f->m), c(f, 2)); /* 8*N*M + 2 */
    assert_true(dim_solve(f->d, a, 146, symbols, known));
    assert_int_equal(symbols[0], 3);
    assert_true(known[0]);
    assert_true(dim_solve(f->d, a, 1, symbols, known)); /* known: for the caller to check */
    assert_false(dim_solve(f->d, mod(f, f->k, c(f, 4)), 1, symbols, known));
    assert_true(dim_solve(f->d, quot(f, f->k, c(f, 2)), 9, symbols, known));
    assert_int_equal(symbols[2], 18);
    known[0] = known[1] = false;
    assert_false(dim_solve(f->d, a, 146, symbols, known)); /* two unknowns */
    assert_true(dim_uses(f->d, mod(f, f->n, f->m), 1));
    assert_false(dim_uses(f->d, a, 2));
}

/* a == value has this root for K, with N = 3 and M = 6; -1: none that is found. */
static void assert_root(Fixture *f, Dim a, int64_t value, int64_t root) {
    int64_t symbols[3] = {3, 6, 77};
    bool known[3] = {true, true, false};
    bool is_solved = dim_solve(f->d, a, value, symbols, known);
    assert_int_equal(is_solved, root >= 0);
    assert_int_equal(known[2], is_solved);
    assert_int_equal(symbols[2], is_solved ? root : 77);
}

static void solves_what_grows(void **state) {
    Fixture *f = *state;
    Dim k = f->k, kk = mul(f, k, k);
    assert_root(f, kk, 9, 3);
    assert_root(f, kk, 0, 0);
    assert_root(f, mul(f, kk, kk), 10000, 10);
    assert_root(f, quot(f, add(f, kk, k), c(f, 2)), 5050, 100);
    assert_root(f, sub(f, mul(f, kk, f->n), f->m), 69, 5);
    assert_root(f, kk, 10, 4); /* no root: for the caller to check */
    assert_root(f, kk, INT64_MAX, 3037000500);
    assert_root(f, mul(f, k, sub(f, f->n, c(f, 3))), 9, -1);
    assert_root(f, sub(f, kk, k), 6, -1);
    assert_root(f, mul(f, k, mod(f, k, c(f, 4))), 6, -1);
    assert_false(dim_determines(f->d, mod(f, k, c(f, 4)), 2));
    assert_false(dim_determines(f->d, f->n, 2));
    assert_true(dim_determines(f->d, mul(f, kk, f->n), 2));
}

/* ---- text --------------------------------------------------------------------------------- */

static void assert_factor(Fixture *f, Dim a, const char *expected) {
    Text out = text_new(f->arena);
    dim_print_factor_as(f->d, NULL, a, &out);
    assert_string_equal(text_get(&out), expected);
}

static void text_reads_as_written(void **state) {
    Fixture *f = *state;
    Dim n = f->n, m = f->m, one = c(f, 1), two = c(f, 2), nn = mul(f, n, n);
    assert_text(f, mul(f, c(f, 8), n), "8*N");
    assert_text(f, quot(f, n, two), "N/2");
    assert_text(f, quot(f, mul(f, c(f, 3), n), two), "3*N/2");
    assert_text(f, quot(f, add(f, nn, n), two), "(N*N + N)/2");
    assert_text(f, add(f, quot(f, n, two), m), "(N + 2*M)/2");
    assert_text(f, sub(f, n, one), "N - 1");
    assert_text(f, sub(f, one, n), "1 - N");
    assert_text(f, sub(f, c(f, 0), n), "-N");
    assert_text(f, sub(f, sub(f, c(f, 0), n), one), "-N - 1");
    assert_text(f, quot(f, n, mul(f, two, m)), "N/(2*M)");
    assert_text(f, quot(f, n, add(f, m, one)), "N/(M + 1)");
    assert_text(f, c(f, 0), "0");
    assert_text(f, c(f, -3), "-3");
    assert_text(f, add(f, mod(f, n, c(f, 6)), one), "N % 6 + 1");
    assert_text(f, quot(f, n, mod(f, m, n)), "N/(M % N)");
    assert_text(f, quot(f, mod(f, m, n), n), "(M % N)/N");
    assert_text(f, mod(f, add(f, n, one), add(f, m, one)), "(N + 1) % (M + 1)");
    assert_factor(f, n, "N");
    assert_factor(f, c(f, 7), "7");
    assert_factor(f, c(f, -7), "(-7)");
    assert_factor(f, mul(f, c(f, 8), n), "(8*N)");
    assert_factor(f, sub(f, n, one), "(N - 1)");
    assert_factor(f, quot(f, n, two), "(N/2)");
    assert_factor(f, mod(f, n, c(f, 6)), "(N % 6)");
}

/* ---- at random ---------------------------------------------------------------------------- */

enum { TRIALS = 40, STEPS = 40, POINTS = 4, POOL = STEPS + 5 };

static uint32_t random_below(uint64_t *seed, uint32_t n) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % n;
}

/* A C-like evaluator for what dim_print writes: + - * / % ( ) names and numbers. */
typedef struct Reader {
    const char *at;
    const int64_t *symbols;
    bool exact; /* every division so far was */
} Reader;

static int64_t read_sum(Reader *r);

static int64_t read_atom(Reader *r) {
    if (*r->at == '-') return r->at++, -read_atom(r);
    if (*r->at == '(') {
        r->at++;
        int64_t value = read_sum(r);
        r->at++;
        return value;
    }
    if (*r->at == 'N') return r->at++, r->symbols[0];
    if (*r->at == 'M') return r->at++, r->symbols[1];
    if (*r->at == 'K') return r->at++, r->symbols[2];
    char *end;
    int64_t value = strtoll(r->at, &end, 10);
    assert_ptr_not_equal(end, r->at);
    r->at = end;
    return value;
}

static int64_t read_product(Reader *r) {
    int64_t value = read_atom(r);
    for (;;) {
        const char *op = r->at + (*r->at == ' ');
        if (*op != '*' && *op != '/' && *op != '%') return value;
        r->at = op + 1 + (op[1] == ' ');
        int64_t right = read_atom(r);
        if (*op == '/') r->exact = r->exact && right && value % right == 0;
        value = *op == '*'   ? value * right
                : !right     ? 0
                : *op == '/' ? value / right
                             : value % right;
    }
}

static int64_t read_sum(Reader *r) {
    int64_t value = read_product(r);
    while (!strncmp(r->at, " + ", 3) || !strncmp(r->at, " - ", 3)) {
        bool minus = r->at[1] == '-';
        r->at += 3;
        int64_t right = read_product(r);
        value = minus ? value - right : value + right;
    }
    return value;
}

/* A pool of sizes with their values at a few points, kept small enough never to overflow. */
typedef struct Pool {
    int count;
    Dim dim[POOL];
    int64_t value[POOL][POINTS];
} Pool;

static bool apply(int op, int64_t a, int64_t b, int64_t *value) {
    if (op >= 3 && (!b || (op == 3 && a % b))) return false;
    *value = op == 0 ? a + b : op == 1 ? a - b : op == 2 ? a * b : op == 3 ? a / b : a % b;
    return llabs(*value) < 1000000;
}

static void grow(Fixture *f, Pool *p, uint64_t *seed) {
    int a = (int)random_below(seed, (uint32_t)p->count);
    int b = (int)random_below(seed, (uint32_t)p->count), op = (int)random_below(seed, 5);
    for (int i = 0; i < POINTS; i++)
        if (!apply(op, p->value[a][i], p->value[b][i], &p->value[p->count][i])) return;
    Dim x = p->dim[a], y = p->dim[b];
    Dim z = op == 0   ? add(f, x, y)
            : op == 1 ? sub(f, x, y)
            : op == 2 ? mul(f, x, y)
            : op == 3 ? quot(f, x, y)
                      : mod(f, x, y);
    if (z) p->dim[p->count++] = z;
}

static void check(Fixture *f, Dim a, const int64_t *values, int64_t points[POINTS][3]) {
    int64_t lo, hi, value;
    const DimGuard *failed;
    dim_range(f->d, a, &lo, &hi);
    for (int i = 0; i < POINTS; i++) {
        Reader r = {dim_text(f->d, a, f->arena), points[i], true};
        assert_true(dim_value(f->d, a, points[i], &value));
        assert_int_equal(value, values[i]);
        assert_true(lo <= value && value <= hi);
        assert_true(dims_check(f->d, points[i], &failed));
        assert_int_equal(read_sum(&r), value);
        assert_int_equal(*r.at, 0);
        assert_true(r.exact);
    }
}

static void sizes_mean_what_they_were_made_of(void **state) {
    (void)state;
    int made = 0, together = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        uint64_t seed = trial * 977 + 1;
        Fixture *f = NULL;
        Pool p = {.count = 5};
        int64_t points[POINTS][3];
        setup((void **)&f);
        for (int i = 0; i < POINTS; i++)
            for (int j = 0; j < 3; j++) points[i][j] = 12 * (1 + random_below(&seed, 4)) / (j + 1);
        Dim start[5] = {f->n, f->m, f->k, c(f, 1 + random_below(&seed, 6)), c(f, 2)};
        for (int i = 0; i < 5; i++) {
            p.dim[i] = start[i];
            for (int j = 0; j < POINTS; j++)
                assert_true(i < 3 || dim_is_const(f->d, start[i], &p.value[i][j]));
            for (int j = 0; j < POINTS && i < 3; j++) p.value[i][j] = points[j][i];
        }
        for (int i = 0; i < STEPS; i++) grow(f, &p, &seed);
        for (int i = 0; i < p.count; i++) check(f, p.dim[i], p.value[i], points);
        for (int i = 0; i < p.count; i++)
            for (int j = 0; j < p.count; j++) {
                if (dim_le(f->d, p.dim[i], p.dim[j]))
                    for (int k = 0; k < POINTS; k++) assert_true(p.value[i][k] <= p.value[j][k]);
                if (dim_divides(f->d, p.dim[i], p.dim[j]))
                    for (int k = 0; k < POINTS; k++)
                        assert_true(!p.value[i][k] || p.value[j][k] % p.value[i][k] == 0);
                /* (a + b) - b is the very same size */
                Dim a = p.dim[i], b = p.dim[j], both = add(f, a, b);
                if (both && sub(f, both, b)) assert_int_equal(sub(f, both, b), a), together++;
            }
        made += p.count;
        teardown((void **)&f);
    }
    assert_true(made > 10 * TRIALS && together > made);
}

/* 3*N*N*M/2 + 5 */
static void terms_of_sizes(void **state) {
    Fixture *f = *state;
    const Dim half = quot(f, mul(f, mul(f, mul(f, c(f, 3), f->n), f->n), f->m), c(f, 2));
    const Dim size = add(f, half, c(f, 5));
    const double symbols[] = {3, 7, 1};
    Dim monomial;
    assert_int_equal(dim_term_count(f->d, size), 2);
    assert_true(dim_term(f->d, size, 0, &monomial) == 1.5);
    assert_text(f, monomial, "N*N*M");
    assert_int_equal(dim_power(f->d, monomial, 0), 2);
    assert_int_equal(dim_power(f->d, monomial, 1), 1);
    assert_int_equal(dim_power(f->d, monomial, 2), 0);
    assert_true(dim_term(f->d, size, 1, &monomial) == 5);
    assert_true(dim_is(f->d, monomial, 1));
    assert_true(dim_real(f->d, size, symbols) == 1.5 * 9 * 7 + 5);
    assert_int_equal(dim_power(f->d, mod(f, f->n, f->m), 0), DIM_NO_POWER);
    assert_true(dim_real(f->d, mod(f, f->m, f->n), symbols) == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(F) cmocka_unit_test_setup_teardown(F, setup, teardown)
        TEST(equal_sizes_are_one_dim),
        TEST(products_of_sums_divide),
        TEST(a_sum_below_the_line_cancels),
        TEST(an_exact_division_leaves_a_guard),
        TEST(impossible_divisions_are_none),
        TEST(what_does_not_fit_is_none),
        TEST(remainders_simplify),
        TEST(ranges_come_from_the_facts),
        TEST(order_is_proven_by_cancelling),
        TEST(assumptions_become_facts),
        TEST(a_part_of_a_symbol_teaches_its_divisor),
        TEST(other_assumptions_are_only_checked),
        TEST(values_need_only_be_whole_in_the_end),
        TEST(a_size_gives_its_one_unknown_symbol),
        TEST(solves_what_grows),
        TEST(text_reads_as_written),
        TEST(terms_of_sizes),
        cmocka_unit_test(sizes_mean_what_they_were_made_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
