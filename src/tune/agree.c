/* agree.c: do two results of the same program agree?
 * In: two tensors of one type and shape, of any size. Out: yes, if they differ by roundings only.
 * Blocks of the same bytes are passed over. */
#include "tune/serve_private.h"

#include <math.h>
#include <string.h>

enum {
    STEPS = 16,
    ROUNDINGS = 4096
}; /* of the output's type; of the largest result's computation */
enum { BLOCK = 4096, CODES = 1 << 16 };

typedef struct Agreement {
    const Tensor *a, *b;
    const double *number; /* of floats of 8 and 16 bits: by their bits */
    double own, most;     /* that elements may differ by: relative to a's, and absolute */
    int64_t different;
} Agreement;

static const char *bytes_at(const Tensor *t, int64_t i) {
    return (const char *)t->data + (size_t)i * dtype_size(t->type);
}

/* ---- numbers -------------------------------------------------------------------------------- */

static const double *numbers_of(Arena *arena, Dtype type) {
    const size_t size = dtype_size(type);
    if (!dtype_is_float(type) || size > 2) return NULL;
    double *number = arena_array(arena, double, CODES);
    for (int code = 0; code < (size == 1 ? 256 : CODES); code++) {
        const uint8_t byte = (uint8_t)code;
        const uint16_t pair = (uint16_t)code;
        number[code] = dtype_load(type, size == 1 ? (const void *)&byte : &pair).f;
    }
    return number;
}

/* A block of floats. */
static void read_block(const Agreement *g, const Tensor *t, int64_t from, int count, double *out) {
    const char *at = bytes_at(t, from);
    const uint8_t *byte = (const uint8_t *)at;
    const uint16_t *pair = (const uint16_t *)(const void *)at;
    const float *single = (const float *)(const void *)at;
    if (t->type == T_F64)
        memcpy(out, at, (size_t)count * sizeof *out);
    else if (t->type == T_F32)
        for (int i = 0; i < count; i++) out[i] = single[i];
    else if (dtype_size(t->type) == 2)
        for (int i = 0; i < count; i++) out[i] = g->number[pair[i]];
    else
        for (int i = 0; i < count; i++) out[i] = g->number[byte[i]];
}

static double largest_of(const Agreement *g) {
    double largest = 0, block[BLOCK];
    for (int64_t i = 0, size = tensor_count(g->a); i < size; i += BLOCK) {
        const int count = size - i < BLOCK ? (int)(size - i) : BLOCK;
        read_block(g, g->a, i, count, block);
        for (int j = 0; j < count; j++)
            if (isfinite(block[j])) largest = fmax(largest, fabs(block[j]));
    }
    return largest;
}

/* ---- comparison ----------------------------------------------------------------------------- */

static bool is_near(const Agreement *g, double a, double b) {
    if (isfinite(a) && isfinite(b)) return fabs(a - b) <= g->own * fabs(a) + g->most;
    return (isnan(a) && isnan(b)) || a == b;
}

/* Most blocks have only numbers that are near: this loop has no branches. */
static void compare_floats(Agreement *g, int64_t from, int count) {
    double a[BLOCK], b[BLOCK];
    int far = 0;
    read_block(g, g->a, from, count, a);
    read_block(g, g->b, from, count, b);
    for (int i = 0; i < count; i++) far += !(fabs(a[i] - b[i]) <= g->own * fabs(a[i]) + g->most);
    for (int i = 0; far && i < count; i++) g->different += !is_near(g, a[i], b[i]);
}

static void compare_integers(Agreement *g, int64_t from, int count) {
    for (int i = 0; i < count; i++)
        g->different += tensor_get(g->a, from + i).i != tensor_get(g->b, from + i).i;
}

/* Roundings decide comparisons: a few integers may differ. */
bool tensors_agree(Arena *arena, const Tensor *a, const Tensor *b, double *largest) {
    Agreement g = {.a = a, .b = b, .number = numbers_of(arena, a->type)};
    const bool is_float = dtype_is_float(a->type);
    const int64_t size = tensor_count(a);
    if (!a->bytes || !memcmp(a->data, b->data, a->bytes)) return true;
    if (is_float) {
        if (*largest < 0) *largest = largest_of(&g);
        g.own = dtype_epsilon(a->type) * STEPS;
        g.most = ROUNDINGS * dtype_epsilon(dtype_compute(a->type)) * *largest;
    }
    for (int64_t i = 0; i < size; i += BLOCK) {
        const int count = size - i < BLOCK ? (int)(size - i) : BLOCK;
        const size_t bytes = (size_t)count * dtype_size(a->type);
        if (!memcmp(bytes_at(a, i), bytes_at(b, i), bytes)) continue;
        if (is_float)
            compare_floats(&g, i, count);
        else
            compare_integers(&g, i, count);
    }
    return is_float ? !g.different : g.different <= size / 1000;
}
