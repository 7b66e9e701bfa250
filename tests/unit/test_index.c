/* test_index.c: index expressions against arithmetic: every operation on random expressions is
 * evaluated at every point of its loops, and the bounds it claims must hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "kernel/index.h"

enum { AXES = 3 };

static const int64_t extent[AXES] = {4, 3, 10};
static const int64_t no_symbols[1];

static int64_t value_of(const Indices *x, Dim d) {
    int64_t value;
    assert_true(dim_value(x->dims, d, no_symbols, &value));
    return value;
}

static int64_t floor_div(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

static int64_t at(const Indices *x, Ix a, const int64_t *axis) {
    const IxNode *n = &x->node.at[a];
    int64_t sum = value_of(x, n->offset);
    for (int i = 0; i < n->count; i++) {
        const IxAtom *t = &x->atom.at[n->term[i].atom];
        int64_t inner = t->kind == ATOM_AXIS ? axis[t->a] : at(x, t->a, axis), atom = inner;
        assert_true(inner >= 0); /* emitted text divides as C does */
        if (t->kind == ATOM_DIV) atom = floor_div(inner, value_of(x, t->q));
        if (t->kind == ATOM_MOD)
            atom = inner - floor_div(inner, value_of(x, t->q)) * value_of(x, t->q);
        sum += value_of(x, n->term[i].scale) * atom;
    }
    return sum;
}

typedef struct Rng {
    uint64_t state;
} Rng;

static int64_t pick(Rng *r, int64_t below) {
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((r->state >> 33) % (uint64_t)below);
}

typedef struct World {
    Arena *arena;
    Indices *x;
} World;

static World world(void) {
    Limits limits = limits_default();
    World w = {.arena = arena_new(0)};
    w.x = indices_new(w.arena, dims_new(w.arena, &limits));
    for (int i = 0; i < AXES; i++) w.x->extent[i] = dim_const(w.x->dims, extent[i]);
    return w;
}

static Dim number(const World *w, int64_t n) { return dim_const(w->x->dims, n); }

/* a in an axis that is read backwards. */
static Ix from_end(const World *w, Rng *r, Ix a) {
    const Dim hi = w->x->node.at[a].hi;
    return hi ? ix_from_end(w->x, a, number(w, value_of(w->x, hi) + 1 + pick(r, 3))) : a;
}

/* A random non-negative expression. */
static Ix random_ix(const World *w, Rng *r, int depth) {
    if (depth == 0 || pick(r, 5) == 0)
        return pick(r, 3) ? ix_axis(w->x, (int)pick(r, AXES))
                          : ix_const(w->x, number(w, pick(r, 7)));
    Ix a = random_ix(w, r, depth - 1);
    switch (pick(r, 5)) {
    case 0: return ix_add(w->x, a, random_ix(w, r, depth - 1));
    case 1: return ix_scale(w->x, a, number(w, 1 + pick(r, 6)));
    case 2: return ix_div(w->x, a, number(w, 1 + pick(r, 6)));
    case 3: return from_end(w, r, a);
    default: return ix_mod(w->x, a, number(w, 1 + pick(r, 12)));
    }
}

typedef int64_t Meaning(int64_t a, int64_t b);

static int64_t sum(int64_t a, int64_t b) { return a + b; }
static int64_t quotient(int64_t a, int64_t b) { return a / b; }
static int64_t rest(int64_t a, int64_t b) { return a % b; }

static void check_everywhere(const World *w, Ix result, Ix a, Ix b, int64_t number_b, Meaning *f) {
    const IxNode *n = &w->x->node.at[result];
    for (int64_t p = 0; p < extent[0] * extent[1] * extent[2]; p++) {
        int64_t axis[AXES] = {p / 30, p / 10 % 3, p % 10};
        int64_t got = at(w->x, result, axis);
        assert_int_equal(got, f(at(w->x, a, axis), b ? at(w->x, b, axis) : number_b));
        if (n->lo) assert_true(got >= value_of(w->x, n->lo));
        if (n->hi) assert_true(got <= value_of(w->x, n->hi));
    }
}

static void test_arithmetic(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        Rng r = {seed};
        World w = world();
        Ix a = random_ix(&w, &r, 4), b = random_ix(&w, &r, 3);
        int64_t q = 1 + pick(&r, 12);
        check_everywhere(&w, ix_add(w.x, a, b), a, b, 0, sum);
        check_everywhere(&w, ix_div(w.x, a, number(&w, q)), a, 0, q, quotient);
        check_everywhere(&w, ix_mod(w.x, a, number(&w, q)), a, 0, q, rest);
        arena_free(w.arena);
    }
}

static void test_reshape_and_back(void **state) {
    (void)state;
    World w = world();
    Ix index[3] = {ix_axis(w.x, 0), ix_axis(w.x, 1), ix_axis(w.x, 2)}, other[2], back[3];
    Dim shape[3] = {number(&w, 4), number(&w, 3), number(&w, 10)};
    Dim pair[2] = {number(&w, 6), number(&w, 20)};
    ix_unflatten(w.x, ix_flatten(w.x, 3, index, shape), 2, pair, other);
    ix_unflatten(w.x, ix_flatten(w.x, 2, other, pair), 3, shape, back);
    for (int i = 0; i < 3; i++) assert_int_equal(back[i], index[i]);
    arena_free(w.arena);
}

/* [B, C, H, W] as rows of several channels and back: three digits of one axis are the axis again,
 * and the lower two a remainder of it. */
static void test_digits(void **state) {
    (void)state;
    World w = world();
    const Ix c = ix_axis(w.x, 2);
    w.x->extent[2] = number(&w, 1000);
    const Dim shape[3] = {number(&w, 20), number(&w, 5), number(&w, 10)};
    Ix digits[3];
    ix_unflatten(w.x, c, 3, shape, digits);
    assert_int_equal(ix_flatten(w.x, 3, digits, shape), c);
    assert_int_equal(ix_flatten(w.x, 2, digits + 1, shape + 1), ix_mod(w.x, c, number(&w, 50)));
    arena_free(w.arena);
}

/* The same with open dims: [B, S, D] seen as [B*S, D] and back. */
static void test_symbolic_reshape(void **state) {
    (void)state;
    World w = world();
    Dims *d = w.x->dims;
    Dim shape[3] = {dim_symbol(d, "B", NOWHERE), dim_symbol(d, "S", NOWHERE),
                    dim_symbol(d, "D", NOWHERE)};
    for (int i = 0; i < 3; i++) w.x->extent[i] = shape[i];
    Ix index[3] = {ix_axis(w.x, 0), ix_axis(w.x, 1), ix_axis(w.x, 2)}, other[2], back[3];
    Dim pair[2] = {dim_mul(d, shape[0], shape[1]), shape[2]};
    ix_unflatten(w.x, ix_flatten(w.x, 3, index, shape), 2, pair, other);
    assert_int_equal(other[1], index[2]);
    ix_unflatten(w.x, ix_flatten(w.x, 2, other, pair), 3, shape, back);
    for (int i = 0; i < 3; i++) assert_int_equal(back[i], index[i]);
    arena_free(w.arena);
}

static void test_along(void **state) {
    (void)state;
    World w = world();
    Dim scale = 0;
    Ix a = ix_add(w.x, ix_scale(w.x, ix_axis(w.x, 0), number(&w, 10)), ix_axis(w.x, 2));
    assert_int_equal(ix_along(w.x, a, 0, &scale), 1);
    assert_int_equal(value_of(w.x, scale), 10);
    assert_int_equal(ix_along(w.x, a, 1, &scale), 0);
    assert_int_equal(ix_along(w.x, ix_div(w.x, a, number(&w, 7)), 2, &scale), 2);
    arena_free(w.arena);
}

static void test_32bit(void **state) {
    (void)state;
    World w = world();
    Ix a = ix_axis(w.x, 2);
    assert_true(ix_is_32bit(w.x, ix_scale(w.x, a, number(&w, 200000000))));
    assert_false(ix_is_32bit(w.x, ix_scale(w.x, a, number(&w, 300000000))));
    w.x->extent[1] = dim_symbol(w.x->dims, "N", NOWHERE);
    assert_false(ix_is_32bit(w.x, ix_axis(w.x, 1)));
    arena_free(w.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arithmetic),
                                       cmocka_unit_test(test_reshape_and_back),
                                       cmocka_unit_test(test_symbolic_reshape),
                                       cmocka_unit_test(test_digits),
                                       cmocka_unit_test(test_along), cmocka_unit_test(test_32bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
