/* test_simplify.c: every rule of simplify: where it applies, and the numbers for which it must not;
 * then random expressions, before and after, compared bit for bit. */
#include "graph/eval/eval.h"
#include "graph/operands/operands.h"
#include "graph/pass/pass.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Fixture {
    Arena *arena;
    Diag *diag;
    Limits limits;
    Dims *dims;
    Dim n, d;
    Graph *g;
    NodeId x, y, b, c; /* inputs [N]: two of the type, two bool */
} Fixture;

static void fresh(Fixture *f, Dtype type) {
    f->g = graph_new(f->arena, f->diag, &f->limits, f->dims, "test");
    f->x = graph_input(f->g, "x", type, 1, &f->n, NOWHERE);
    f->y = graph_input(f->g, "y", type, 1, &f->n, NOWHERE);
    f->b = graph_input(f->g, "b", T_BOOL, 1, &f->n, NOWHERE);
    f->c = graph_input(f->g, "c", T_BOOL, 1, &f->n, NOWHERE);
}

static int setup(void **state) {
    Fixture *f = calloc(1, sizeof *f);
    f->limits = limits_default();
    f->arena = arena_new(0);
    f->diag = diag_new(f->arena, 100);
    f->dims = dims_new(f->arena, &f->limits);
    f->n = dim_symbol(f->dims, "N", NOWHERE);
    f->d = dim_symbol(f->dims, "D", NOWHERE);
    fresh(f, T_F32);
    *state = f;
    return 0;
}

static int teardown(void **state) {
    Fixture *f = *state;
    arena_free(f->arena);
    free(f);
    return 0;
}

static NodeId op(Fixture *f, Op o, NodeId a, NodeId b) {
    return graph_map(f->g, o, a, b, 0, NOWHERE);
}

static NodeId where(Fixture *f, NodeId c, NodeId a, NodeId b) {
    return graph_map(f->g, OP_WHERE, c, a, b, NOWHERE);
}

static NodeId cast(Fixture *f, NodeId x, Dtype type) { return graph_cast(f->g, x, type, NOWHERE); }

/* A number of x's type and shape. */
static NodeId number(Fixture *f, double value) {
    NodeId one = graph_const(f->g, f->g->node[f->x].type, value, NOWHERE);
    return graph_broadcast(f->g, one, 1, &f->n, NOWHERE);
}

static NodeId boolean(Fixture *f, bool value) {
    NodeId one = graph_const_int(f->g, T_BOOL, value, NOWHERE);
    return graph_broadcast(f->g, one, 1, &f->n, NOWHERE);
}

/* "add(x, mul(y, 2))"; numbers print alone, whatever their shape; a cast by its type. */
static void print_tree(const Graph *g, NodeId id, Text *out) {
    const Node *n = &g->node[id], *inner = n;
    double value;
    while (inner->op == OP_RESHAPE || inner->op == OP_BROADCAST) inner = &g->node[inner->src[0]];
    if (node_is_const(inner, &value)) {
        text_printf(out, "%g", value);
        return;
    }
    if (n->op == OP_INPUT) {
        text_str(out, g->inputs.at[n->attr[0]].name);
        return;
    }
    text_str(out, n->op == OP_CAST ? dtype_name(n->type) : op_info[n->op].name);
    for (int i = 0; i < n->src_count; i++) {
        text_str(out, i ? ", " : "(");
        print_tree(g, n->src[i], out);
    }
    if (n->src_count) text_char(out, ')');
}

static Graph *simplified(Fixture *f, NodeId id) {
    assert_int_not_equal(id, 0);
    f->g->outputs.count = 0;
    graph_output(f->g, "out", id, NOWHERE);
    Graph *to = simplify(f->g);
    assert_non_null(to);
    graph_verify(to, "simplify");
    return to;
}

static void assert_tree(Fixture *f, NodeId id, const char *expected) {
    Graph *to = simplified(f, id);
    Text out = text_new(f->arena);
    print_tree(to, to->outputs.at[0].node, &out);
    assert_string_equal(text_get(&out), expected);
}

/* Nothing may change. */
static void assert_kept(Fixture *f, NodeId id) {
    Text out = text_new(f->arena);
    print_tree(f->g, id, &out);
    assert_tree(f, id, text_get(&out));
}

/* ---- floats ------------------------------------------------------------------------------- */

static void zero_is_only_neutral_with_the_right_sign(void **state) {
    Fixture *f = *state;
    assert_tree(f, op(f, OP_ADD, f->x, number(f, -0.0)), "x");
    assert_kept(f, op(f, OP_ADD, f->x, number(f, 0.0))); /* -0.0 + 0.0 is 0.0 */
    assert_tree(f, op(f, OP_SUB, f->x, number(f, 0.0)), "x");
    assert_kept(f, op(f, OP_SUB, f->x, number(f, -0.0)));
    assert_kept(f, op(f, OP_SUB, number(f, 0.0), f->x)); /* 0.0 - 0.0 is not -0.0 */
    assert_kept(f, op(f, OP_SUB, f->x, f->x));           /* Inf - Inf */
    assert_kept(f, op(f, OP_MUL, f->x, number(f, 0.0))); /* 0 * Inf, 0 * -1 */
    assert_kept(f, op(f, OP_DIV, f->x, f->x));
    assert_kept(f, op(f, OP_DIV, number(f, 0.0), f->x));
}

static void one_is_neutral(void **state) {
    Fixture *f = *state;
    assert_tree(f, op(f, OP_MUL, f->x, number(f, 1)), "x");
    assert_tree(f, op(f, OP_MUL, number(f, 1), f->x), "x");
    assert_tree(f, op(f, OP_MUL, f->x, number(f, -1)), "neg(x)");
    assert_tree(f, op(f, OP_DIV, f->x, number(f, 1)), "x");
    assert_kept(f, op(f, OP_MOD, f->x, number(f, 1)));
    fresh(f, T_BF16);
    assert_tree(f, op(f, OP_MUL, f->x, number(f, 1)), "f32(x)"); /* the op widens */
    assert_tree(f, op(f, OP_ADD, f->x, number(f, -0.0)), "f32(x)");
}

static void signs_cancel(void **state) {
    Fixture *f = *state;
    NodeId nx = op(f, OP_NEG, f->x, 0), ny = op(f, OP_NEG, f->y, 0);
    assert_tree(f, op(f, OP_NEG, nx, 0), "x");
    assert_tree(f, op(f, OP_ADD, f->x, ny), "sub(x, y)");
    assert_tree(f, op(f, OP_ADD, nx, f->y), "sub(y, x)");
    assert_tree(f, op(f, OP_SUB, f->x, ny), "add(x, y)");
    assert_tree(f, op(f, OP_MUL, nx, ny), "mul(x, y)");
    assert_tree(f, op(f, OP_ABS, nx, 0), "abs(x)");
    assert_tree(f, op(f, OP_ABS, op(f, OP_ABS, f->x, 0), 0), "abs(x)");
    assert_kept(f, op(f, OP_NEG, op(f, OP_SUB, f->x, f->y), 0)); /* of equal x and y: -0.0 */
    assert_tree(f, op(f, OP_FLOOR, op(f, OP_CEIL, f->x, 0), 0), "ceil(x)");
}

static void division_by_a_power_of_two_multiplies(void **state) {
    Fixture *f = *state;
    assert_tree(f, op(f, OP_DIV, f->x, number(f, 8)), "mul(x, 0.125)");
    assert_tree(f, op(f, OP_DIV, f->x, number(f, -0.5)), "mul(x, -2)");
    assert_kept(f, op(f, OP_DIV, f->x, number(f, 3)));
    assert_kept(f, op(f, OP_DIV, f->x, number(f, 0)));
    assert_kept(f, op(f, OP_DIV, f->x, number(f, INFINITY)));
    assert_kept(f, op(f, OP_DIV, f->x, number(f, 0x1p127)));  /* the inverse is denormal */
    assert_kept(f, op(f, OP_DIV, f->x, number(f, 0x1p-149))); /* the inverse overflows */
    fresh(f, T_F16);
    assert_kept(f, op(f, OP_DIV, f->x, number(f, 0x1p-24))); /* 2**24 is no f16 */
}

static void powers_multiply(void **state) {
    Fixture *f = *state;
    assert_tree(f, op(f, OP_POW, f->x, number(f, 0)), "1"); /* of NaN too, as C's pow */
    assert_tree(f, op(f, OP_POW, f->x, number(f, 1)), "x");
    assert_tree(f, op(f, OP_POW, f->x, number(f, 2)), "mul(x, x)");
    assert_tree(f, op(f, OP_POW, f->x, number(f, 3)), "mul(x, mul(x, x))");
    assert_kept(f, op(f, OP_POW, f->x, number(f, 0.5))); /* sqrt(-0.0) is -0.0 */
    assert_kept(f, op(f, OP_POW, f->x, number(f, 65)));
    assert_kept(f, op(f, OP_POW, f->x, number(f, NAN)));
    assert_kept(f, op(f, OP_POW, f->x, number(f, -1)));
}

static void nan_is_never_equal(void **state) {
    Fixture *f = *state;
    assert_kept(f, op(f, OP_EQ, f->x, f->x));
    assert_kept(f, op(f, OP_NE, f->x, f->x));
    assert_kept(f, op(f, OP_LE, f->x, f->x));
    assert_tree(f, op(f, OP_LT, f->x, f->x), "0");
    assert_tree(f, op(f, OP_MAX, f->x, f->x), "x");
    assert_kept(f, op(f, OP_NOT, op(f, OP_LT, f->x, f->y), 0)); /* not x >= y */
}

/* ---- integers, bool ----------------------------------------------------------------------- */

static void integers_follow_algebra(void **state) {
    Fixture *f = *state;
    fresh(f, T_I32);
    assert_tree(f, op(f, OP_ADD, f->x, number(f, 0)), "x");
    assert_tree(f, op(f, OP_SUB, f->x, number(f, 0)), "x");
    assert_tree(f, op(f, OP_SUB, f->x, f->x), "0");
    assert_tree(f, op(f, OP_MUL, f->x, number(f, 0)), "0");
    assert_tree(f, op(f, OP_MUL, f->x, number(f, 1)), "x");
    assert_tree(f, op(f, OP_DIV, f->x, number(f, 1)), "x");
    assert_kept(f, op(f, OP_DIV, f->x, number(f, 8))); /* truncates */
    assert_kept(f, op(f, OP_DIV, f->x, f->x));         /* 0 / 0 is 0 */
    assert_tree(f, op(f, OP_MOD, f->x, number(f, 1)), "0");
    assert_tree(f, op(f, OP_EQ, f->x, f->x), "1");
    assert_tree(f, op(f, OP_NE, f->x, f->x), "0");
    assert_tree(f, op(f, OP_LE, f->x, f->x), "1");
    assert_tree(f, op(f, OP_POW, f->x, number(f, 4)), "mul(mul(x, x), mul(x, x))");
}

static void small_integers_wrap_before_they_widen(void **state) {
    Fixture *f = *state;
    fresh(f, T_I8);
    NodeId ny = op(f, OP_NEG, f->y, 0);
    assert_tree(f, op(f, OP_ADD, f->x, number(f, 0)), "i32(x)");
    assert_kept(f, op(f, OP_ADD, f->x, ny)); /* -(-128) is -128 in i8 */
    assert_kept(f, op(f, OP_SUB, f->x, ny));
    assert_kept(f, op(f, OP_MUL, op(f, OP_NEG, f->x, 0), ny));
    fresh(f, T_U8);
    assert_kept(f, op(f, OP_ABS, op(f, OP_NEG, f->x, 0), 0)); /* 256 - x */
}

static void logic_is_boolean_algebra(void **state) {
    Fixture *f = *state;
    NodeId yes = boolean(f, true), no = boolean(f, false);
    assert_tree(f, op(f, OP_AND, f->b, yes), "b");
    assert_tree(f, op(f, OP_AND, f->b, no), "0");
    assert_tree(f, op(f, OP_OR, f->b, yes), "1");
    assert_tree(f, op(f, OP_OR, f->b, no), "b");
    assert_tree(f, op(f, OP_AND, f->b, f->b), "b");
    assert_tree(f, op(f, OP_NOT, op(f, OP_NOT, f->b, 0), 0), "b");
    assert_kept(f, op(f, OP_AND, f->b, f->c));
}

static void where_chooses(void **state) {
    Fixture *f = *state;
    assert_tree(f, where(f, boolean(f, true), f->x, f->y), "x");
    assert_tree(f, where(f, boolean(f, false), f->x, f->y), "y");
    assert_tree(f, where(f, f->b, f->x, f->x), "x");
    assert_tree(f, where(f, op(f, OP_NOT, f->b, 0), f->x, f->y), "where(b, y, x)");
    assert_kept(f, where(f, f->b, f->x, number(f, 0)));
}

/* ---- constants ---------------------------------------------------------------------------- */

static void constants_fold_in_their_type(void **state) {
    Fixture *f = *state;
    NodeId third = op(f, OP_DIV, number(f, 1), number(f, 3));
    Graph *to = simplified(f, third);
    double value;
    const Node *n = &to->node[to->outputs.at[0].node];
    while (n->src_count) n = &to->node[n->src[0]];
    assert_true(node_is_const(n, &value) && value == 1.0f / 3.0f);
    assert_tree(f, op(f, OP_SQRT, number(f, 16), 0), "4");
    assert_tree(f, op(f, OP_LT, number(f, 1), number(f, 2)), "1");
    assert_tree(f, op(f, OP_ISNAN, op(f, OP_SUB, number(f, INFINITY), number(f, INFINITY)), 0),
                "1");
    assert_tree(f, cast(f, number(f, 3.7), T_I32), "3");
    assert_tree(f, cast(f, number(f, NAN), T_I32), "0");
    assert_tree(f, op(f, OP_MUL, f->x, op(f, OP_SUB, number(f, 3), number(f, 2))), "x");
    assert_tree(f, where(f, boolean(f, true), number(f, 1), number(f, 2)), "1");
}

static void known_dims_are_constants(void **state) {
    Fixture *f = *state;
    Graph *g = f->g;
    NodeId eight = graph_dim(g, dim_const(f->dims, 8), NOWHERE), n = graph_dim(g, f->n, NOWHERE);
    NodeId root = op(f, OP_RSQRT, cast(f, op(f, OP_MUL, eight, eight), T_F32), 0);
    assert_tree(f, root, "0.125");
    assert_tree(f, op(f, OP_EQ, eight, eight), "1");
    assert_kept(f, cast(f, n, T_F32));
    NodeId share = graph_broadcast(g, cast(f, eight, T_F32), 1, &f->n, NOWHERE);
    assert_tree(f, op(f, OP_DIV, f->x, share), "mul(x, 0.125)");
}

/* ---- casts -------------------------------------------------------------------------------- */

static void exact_casts_collapse(void **state) {
    Fixture *f = *state;
    fresh(f, T_BF16);
    assert_tree(f, cast(f, cast(f, f->x, T_F32), T_BF16), "x");
    assert_tree(f, cast(f, cast(f, f->x, T_F32), T_F64), "f64(x)");
    assert_tree(f, cast(f, cast(f, f->x, T_F32), T_F16), "f16(x)");
    assert_tree(f, cast(f, cast(f, f->x, T_F32), T_I32), "i32(x)");
    assert_kept(f, cast(f, cast(f, f->x, T_F16), T_F32)); /* f16 has less range */
    fresh(f, T_F32);
    assert_kept(f, cast(f, cast(f, f->x, T_BF16), T_F32)); /* rounds */
    assert_kept(f, cast(f, cast(f, f->x, T_I32), T_F32));  /* truncates */
    assert_kept(f, cast(f, cast(f, f->x, T_F16), T_BF16));
    fresh(f, T_F8E5M2);
    assert_kept(f, cast(f, cast(f, f->x, T_F8E4M3), T_F8E5M2));
    fresh(f, T_I32);
    assert_tree(f, cast(f, cast(f, f->x, T_I64), T_I8), "i8(x)");
    assert_tree(f, cast(f, cast(f, f->x, T_F64), T_I32), "x");
    assert_tree(f, cast(f, cast(f, f->x, T_F64), T_F32), "f32(x)");
    assert_kept(f, cast(f, cast(f, f->x, T_F64), T_I8)); /* saturates, and i32 to i8 wraps */
    assert_kept(f, cast(f, cast(f, f->x, T_F32), T_I32));
    assert_kept(f, cast(f, cast(f, f->x, T_I8), T_I32));
    assert_kept(f, cast(f, cast(f, f->x, T_BOOL), T_I32));
    assert_tree(f, cast(f, cast(f, f->b, T_I32), T_BOOL), "b");
    fresh(f, T_U8);
    assert_kept(f, cast(f, cast(f, f->x, T_I8), T_I32));
    assert_tree(f, cast(f, cast(f, f->x, T_BF16), T_F32), "f32(x)");
}

/* ---- views, reductions -------------------------------------------------------------------- */

static NodeId matrix(Fixture *f) {
    return graph_input(f->g, "m", T_F32, 2, (Dim[]){f->n, f->d}, NOWHERE);
}

static void views_of_views_are_one_view(void **state) {
    Fixture *f = *state;
    Graph *g = f->g;
    NodeId m = matrix(f);
    Dim one = dim_const(f->dims, 1), two = dim_const(f->dims, 2), zero = dim_const(f->dims, 0);
    Dim flat = dim_mul(f->dims, f->n, f->d), less = dim_sub(f->dims, f->n, two);
    Dim least = dim_sub(f->dims, less, one), n2 = dim_mul(f->dims, f->n, two);
    NodeId r = graph_reshape(g, m, 1, &flat, NOWHERE);
    assert_tree(f, graph_reshape(g, r, 3, (Dim[]){one, f->d, f->n}, NOWHERE), "reshape(m)");
    assert_tree(f, graph_reshape(g, r, 2, (Dim[]){f->n, f->d}, NOWHERE), "m");
    NodeId p = graph_permute(g, m, (int[]){1, 0}, NOWHERE);
    assert_tree(f, graph_permute(g, p, (int[]){1, 0}, NOWHERE), "m");
    NodeId s = graph_slice(g, f->x, &one, &less, NOWHERE);
    NodeId ss = graph_slice(g, s, &one, &least, NOWHERE);
    Graph *to = simplified(f, ss);
    const Node *n = &to->node[to->outputs.at[0].node];
    assert_int_equal(n->op, OP_SLICE);
    assert_int_equal(to->node[n->src[0]].op, OP_INPUT);
    assert_int_equal(n->attr[0], two);
    assert_int_equal(n->shape[0], least);
    NodeId row = graph_reshape(g, f->x, 3, (Dim[]){one, one, f->n}, NOWHERE);
    NodeId wide = graph_broadcast(g, row, 3, (Dim[]){one, two, f->n}, NOWHERE);
    wide = graph_broadcast(g, wide, 3, (Dim[]){n2, two, f->n}, NOWHERE);
    assert_tree(f, wide, "broadcast(reshape(x))");
    NodeId spread = graph_permute(
        g, graph_broadcast(g, graph_const(g, T_F32, 2, NOWHERE), 2, (Dim[]){f->n, f->d}, NOWHERE),
        (int[]){1, 0}, NOWHERE);
    assert_tree(f, spread, "2");
    (void)zero;
}

static void three_axes_turn_round(void **state) {
    Fixture *f = *state;
    NodeId x =
        graph_input(f->g, "t", T_F32, 3, (Dim[]){f->n, f->d, dim_const(f->dims, 3)}, NOWHERE);
    int turn[3] = {1, 2, 0};
    NodeId once = graph_permute(f->g, x, turn, NOWHERE),
           twice = graph_permute(f->g, once, turn, NOWHERE);
    Graph *to = simplified(f, twice);
    const Node *n = &to->node[to->outputs.at[0].node];
    assert_memory_equal(n->attr, ((int32_t[3]){2, 0, 1}), sizeof(int32_t[3]));
    f->g->outputs.count = 0;
    assert_tree(f, graph_permute(f->g, twice, turn, NOWHERE), "t");
}

static void asserted_sizes_do_not_chain(void **state) {
    Fixture *f = *state;
    Dims *d = f->dims;
    Dim nd = dim_mul(d, f->n, f->d), a = dim_symbol(d, "A", NOWHERE),
        b = dim_symbol(d, "B", NOWHERE);
    Dim aa = dim_mul(d, a, a), bb = dim_mul(d, b, b);
    assert_true(dim_assume(d, DIM_EQ, nd, aa, NOWHERE, "assert"));
    assert_true(dim_assume(d, DIM_EQ, aa, bb, NOWHERE, "assert"));
    NodeId square = graph_reshape(f->g, matrix(f), 2, (Dim[]){a, a}, NOWHERE);
    assert_kept(f, graph_reshape(f->g, square, 2, (Dim[]){b, b}, NOWHERE));
    assert_int_equal(f->diag->errors, 0);
}

static void along_axes_of_one_nothing_is_reduced(void **state) {
    Fixture *f = *state;
    Graph *g = f->g;
    Dim one = dim_const(f->dims, 1);
    NodeId x = graph_reshape(g, f->x, 3, (Dim[]){one, f->n, one}, NOWHERE);
    NodeId h = graph_input(g, "h", T_BF16, 1, &one, NOWHERE);
    assert_tree(f, graph_reduce(g, OP_SUM, x, 5, NOWHERE), "reshape(x)");
    assert_tree(f, graph_reduce(g, OP_RMAX, h, 1, NOWHERE), "h");
    assert_tree(f, graph_reduce(g, OP_SUM, h, 1, NOWHERE), "f32(h)");
    assert_tree(f, graph_reduce(g, OP_ARGMAX, h, 1, NOWHERE), "0");
    Graph *to = simplified(f, graph_reduce(g, OP_SUM, x, 7, NOWHERE));
    assert_int_equal(to->node[to->outputs.at[0].node].attr[0], 2);
    Node scan = {.op = OP_CUMSUM, .src_count = 1, .src = {x}, .attr = {2}, .span = NOWHERE};
    assert_tree(f, graph_add(g, &scan), "reshape(x)");
    assert_tree(f, graph_scan(g, OP_CUMMAX, h, 0, true, NOWHERE), "h");
    assert_kept(f, graph_reduce(g, OP_SUM, f->x, 1, NOWHERE));
}

/* ---- size --------------------------------------------------------------------------------- */

static void a_long_chain_is_one_walk_or_two(void **state) {
    Fixture *f = *state;
    NodeId x = f->x;
    for (int i = 0; i < 3000; i++) {
        x = op(f, OP_ADD, x, f->y);
        x = op(f, OP_MUL, x, number(f, 1));
        x = op(f, OP_NEG, op(f, OP_NEG, x, 0), 0);
    }
    size_t before = f->arena->used;
    Graph *to = simplified(f, x);
    assert_int_equal(to->count, 3000 + 5);
    assert_true(f->arena->used - before < 40u << 20);
}

/* ---- at random ---------------------------------------------------------------------------- */

enum { TRIALS = 3000, STEPS = 14, POOL = 64 };

static const double specials[] = {0.0,    -0.0,     1,         -1,  2,     -2,   0.5,
                                  3,      INFINITY, -INFINITY, NAN, 1e-40, 7.25, 1e30,
                                  -1e-30, 127,      -128,      255, 0.1};
enum { SPECIALS = sizeof specials / sizeof specials[0], POINTS = SPECIALS * SPECIALS };

static uint32_t random_below(uint64_t *seed, uint32_t n) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % n;
}

/* One more node from the pool, of whatever the types allow; 0 when they do not. */
static NodeId random_node(Fixture *f, const NodeId *pool, int count, uint64_t *seed) {
    NodeId a = pool[random_below(seed, (uint32_t)count)],
           b = pool[random_below(seed, (uint32_t)count)];
    NodeId c = pool[random_below(seed, (uint32_t)count)];
    Op o = (Op)(1 + random_below(seed, OP_COUNT - 1));
    Dtype type = (Dtype)(1 + random_below(seed, T_COUNT - 1));
    if (random_below(seed, 4) == 0) return number(f, specials[random_below(seed, SPECIALS)]);
    if (random_below(seed, 4) == 0) return graph_cast(f->g, a, type, NOWHERE);
    if (random_below(seed, 8) == 0) b = a;
    if (o == OP_POW)
        b = number(f, random_below(seed, 4)); /* beyond, the order of products differs */
    if (op_info[o].class != MAP || o == OP_CAST || op_is_call(o)) return 0;
    int sources = op_sources(o);
    return graph_map(f->g, o, a, sources > 1 ? b : 0, sources > 2 ? c : 0, NOWHERE);
}

static void fill(Tensor *x, Tensor *y, Tensor *b, Tensor *c) {
    for (int i = 0; i < POINTS; i++) {
        Scalar p = {.f = specials[i / SPECIALS]}, q = {.f = specials[i % SPECIALS]};
        tensor_set(x, i, dtype_convert(T_F64, x->type, p));
        tensor_set(y, i, dtype_convert(T_F64, y->type, q));
        tensor_set(b, i, (Scalar){.i = i / SPECIALS % 2});
        tensor_set(c, i, (Scalar){.i = i % 2});
    }
}

static void assert_same_bits(Fixture *f, Graph *to, const Tensor *a, const Tensor *b) {
    for (int64_t i = 0; i < tensor_count(a); i++) {
        Scalar p = tensor_get(a, i), q = tensor_get(b, i);
        bool both_nan = dtype_is_float(a->type) && isnan(p.f) && isnan(q.f);
        if (both_nan || !memcmp(&p, &q, sizeof p)) continue;
        Text old = text_new(f->arena), new = text_new(f->arena);
        print_tree(f->g, f->g->outputs.at[0].node, &old);
        print_tree(to, to->outputs.at[0].node, &new);
        fail_msg("%s\n%s\nelement %d of %s: %g (%lld) and %g (%lld)", text_get(&old),
                 text_get(&new), (int)i, dtype_name(a->type), p.f, (long long)p.i, q.f,
                 (long long)q.i);
    }
}

static void simplified_is_the_same_to_the_last_bit(void **state) {
    (void)state;
    const Dtype types[] = {T_F32, T_BF16, T_F64, T_F16, T_I32, T_I8, T_U8, T_F8E4M3, T_I64};
    int smaller = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        uint64_t seed = trial * 7919 + 3;
        Fixture *f;
        NodeId pool[POOL];
        int count = 4;
        int64_t symbols[2] = {POINTS, 1};
        setup((void **)&f);
        f->diag->error_limit = 0;
        fresh(f, types[trial % 9]);
        NodeId start[4] = {f->x, f->y, f->b, f->c};
        memcpy(pool, start, sizeof start);
        for (int i = 0; i < STEPS * 8 && count < STEPS; i++) {
            NodeId id = random_node(f, pool, count, &seed);
            if (id) pool[count++] = id;
        }
        Graph *to = simplified(f, pool[count - 1]);
        Graph *from = graph_rewrite(f->g, NULL, NULL);
        smaller += to->count < from->count;
        Tensor *in[4], *a, *b;
        for (int i = 0; i < 4; i++)
            in[i] = tensor_new(i < 2 ? types[trial % 9] : T_BOOL, 1, (int64_t[]){POINTS});
        fill(in[0], in[1], in[2], in[3]);
        assert_true(eval(from, symbols, (const Tensor *const *)in, EVAL_DECLARED, false, &a));
        assert_true(eval(to, symbols, (const Tensor *const *)in, EVAL_DECLARED, false, &b));
        assert_same_bits(f, to, a, b);
        for (int i = 0; i < 4; i++) tensor_free(in[i]);
        tensor_free(a);
        tensor_free(b);
        teardown((void **)&f);
    }
    assert_true(smaller > TRIALS / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(F) cmocka_unit_test_setup_teardown(F, setup, teardown)
        TEST(zero_is_only_neutral_with_the_right_sign),
        TEST(one_is_neutral),
        TEST(signs_cancel),
        TEST(division_by_a_power_of_two_multiplies),
        TEST(powers_multiply),
        TEST(nan_is_never_equal),
        TEST(integers_follow_algebra),
        TEST(small_integers_wrap_before_they_widen),
        TEST(logic_is_boolean_algebra),
        TEST(where_chooses),
        TEST(constants_fold_in_their_type),
        TEST(known_dims_are_constants),
        TEST(exact_casts_collapse),
        TEST(views_of_views_are_one_view),
        TEST(three_axes_turn_round),
        TEST(asserted_sizes_do_not_chain),
        TEST(along_axes_of_one_nothing_is_reduced),
        TEST(a_long_chain_is_one_walk_or_two),
        cmocka_unit_test(simplified_is_the_same_to_the_last_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
