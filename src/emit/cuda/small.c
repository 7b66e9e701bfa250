/* small.c: integers of a few bits, such as quantised weights, as floats: instructions that convert
 * have a quarter of the rate of others.
 * In: values of operands of contractions. Out: what computes them, exactly. */
#include "emit/cuda/cuda.h"

#include <math.h>
#include <string.h>

enum { MOST = 1 << 20 }; /* the largest such number */

static bool has_operands(const Writer *w) {
    return w->k->family == F_DOT || w->k->family == F_ATTENTION;
}

/* Up to which all whole numbers are exact. */
static int64_t largest_exact(Dtype type) {
    if (type == T_BF16) return 1 << 8;
    if (type == T_F16) return 1 << 11;
    return type == T_F32 ? MOST : -1;
}

/* A cast that rounds nothing. */
static bool is_exact_cast(const Body *b, const Value *v) {
    const int64_t most = largest_exact(v->type);
    if (v->kind != V_CAST || most < 0) return false;
    const IntRange r = value_range(b, v->src[0]);
    return r.least >= -most && r.most <= most;
}

bool cuda_is_small_float(const Writer *w, const Value *v) {
    return has_operands(w) && is_exact_cast(w->b, v);
}

/* Is it a literal, or such a number, that is whole? */
static bool is_small_whole(const Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    if (v->kind != V_CONST) return cuda_is_small_float(w, v);
    const double x = const_float(v);
    return fabs(x) <= MOST && x == trunc(x);
}

/* ---- bytes of packs -------------------------------------------------------------------------- */

typedef enum Half { HALF_NONE, HALF_LOW, HALF_HIGH } Half;

/* Of a byte without a sign: x % 16, x / 16. */
static Half half_of(const Body *b, const Value *v) {
    if (v->kind != V_OP || (v->op != OP_MOD && v->op != OP_DIV)) return HALF_NONE;
    const Value *x = &b->values.at[v->src[0]], *n = &b->values.at[v->src[1]];
    const double by = n->kind == V_CONST ? const_float(n) : 0;
    if (x->kind != V_LOAD || x->type != T_U8 || by != 16) return HALF_NONE;
    return v->op == OP_MOD ? HALF_LOW : HALF_HIGH;
}

static bool becomes_float(const Body *b, int reader, int value) {
    const Value *v = &b->values.at[reader];
    return is_exact_cast(b, v) || (half_of(b, v) != HALF_NONE && v->src[0] == value);
}

bool cuda_is_byte(const CudaWriter *c, int value) {
    const Writer *w = &c->w;
    const Value *v = &w->b->values.at[value];
    if (!has_operands(w) || v->kind != V_LOAD || (v->type != T_U8 && v->type != T_I8)) return false;
    if (c->staged[value] || c->hoisted[value] || w->level != 2) return false;
    const int sharers = cuda_pack_sharers(c, v); /* one element for all of a pack is no pack */
    return (cuda_is_packed(c, v) || (sharers && sharers < c->vector)) &&
           value_is_read_only_by(w->b, value, becomes_float);
}

const char *cuda_byte_text(Arena *arena, const char *element) {
    const char *at = strstr(element, ".at[");
    if (!at) BUG("small: no element of a pack: %s", element);
    return arena_printf(arena, "pack_byte(%.*s, %.*s)", (int)(at - element), element,
                        (int)strlen(at + 4) - 1, at + 4);
}

const char *cuda_half(const CudaWriter *c, const Value *v) {
    const Half half = half_of(c->w.b, v);
    if (half == HALF_NONE || !cuda_is_byte(c, v->src[0])) return NULL;
    return half == HALF_LOW ? "low_half($a)" : "high_half($a)";
}

/* ---------------------------------------------------------------------------------------------- */

const char *cuda_small_difference(Writer *w, const Value *v) {
    if (v->op != OP_SUB || v->operand != T_F32) return NULL;
    const Value *x = &w->b->values.at[v->src[0]];
    if (!cuda_is_small_float(w, x) || !is_small_whole(w, v->src[1])) return NULL;
    return arena_printf(w->arena, "small_difference(%s, $b)", value_text(w, x->src[0]));
}
