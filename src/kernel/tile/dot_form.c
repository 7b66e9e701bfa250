/* dot_form.c: how a contraction multiplies, and how its operands reach shared memory. Tensor cores
 * are used if they compute what the model asks for: exact products of the operands' own type,
 * summed in f32 or i32; products of f32 operands only as @precision allows.
 * In: a Kernel of family F_DOT, a Machine. Out: DotForm. */
#include "kernel/tile/tile_private.h"

enum { CHUNK = 16 };

static const DotProduct products[] = {
    [MULTIPLY_FMA] = {T_F32, 0, 0, 0},       [MULTIPLY_F16] = {T_F16, 1, 1, 0},
    [MULTIPLY_BF16] = {T_BF16, 1, 1, 0},     [MULTIPLY_I8] = {T_I8, 1, 1, 0},
    [MULTIPLY_F8E4M3] = {T_F8E4M3, 1, 1, 0}, [MULTIPLY_F8E5M2] = {T_F8E5M2, 1, 1, 0},
    [MULTIPLY_TF32] = {T_F32, 1, 1, 0},      [MULTIPLY_TF32X3] = {T_F32, 2, 3, 4},
    [MULTIPLY_BF16X3] = {T_F32, 2, 3, 2},    [MULTIPLY_BF16X6] = {T_F32, 3, 6, 2},
};

const DotProduct *dot_product(Multiply multiply) { return &products[multiply]; }

/* ---- products ------------------------------------------------------------------------------ */

static bool is_f8(Dtype type) { return type == T_F8E4M3 || type == T_F8E5M2; }

/* The narrowest type that holds all values of both. */
static Dtype join(Dtype a, Dtype b) {
    if (a == b) return a;
    if (a == T_NONE || b == T_NONE) return a == T_NONE ? b : a;
    if (!dtype_is_narrow(a) || !dtype_is_narrow(b)) return T_F32;
    if (is_f8(a) && is_f8(b)) return T_F16;
    if (is_f8(a)) return b;
    return is_f8(b) ? a : T_F32;
}

/* The type that holds the values of all operands; T_NONE if they are neither floats that f32 holds
 * nor all i8. */
static Dtype operand_type(const Body *b, bool *is_narrow) {
    Dtype type = T_NONE;
    *is_narrow = true;
    for (int i = 0; i < body_summand_count(b); i++) {
        const Summand s = body_summand(b, i);
        for (int j = -1; j < b->dots; j++) {
            Dtype t = b->values.at[j < 0 ? s.left : s.right[j]].type;
            if (t != T_I8 && !dtype_is_narrow(t) && t != T_F32) return T_NONE;
            if ((t == T_I8) != (type == T_I8) && type != T_NONE) return T_NONE;
            *is_narrow = *is_narrow && t != T_F32;
            type = join(type, t);
        }
    }
    return type;
}

Multiply dot_by_precision(Precision precision) {
    switch (precision) {
    case P_TF32: return MULTIPLY_TF32;
    case P_TF32X3: return MULTIPLY_TF32X3;
    case P_BF16X3: return MULTIPLY_BF16X3;
    case P_BF16X6: return MULTIPLY_BF16X6;
    default: return MULTIPLY_FMA;
    }
}

static Multiply multiply_of(const Kernel *k, const Body *b, const Machine *gpu) {
    bool is_narrow;
    if (!machine_has_mma(gpu)) return MULTIPLY_FMA;
    for (int i = 0; i < b->dots; i++)
        if (b->accs.at[i].type != T_F32 && b->accs.at[i].type != T_I32) return MULTIPLY_FMA;
    Dtype type = operand_type(b, &is_narrow);
    bool f8 = machine_has_mma_f8(gpu);
    switch (type) {
    case T_I8: return MULTIPLY_I8;
    case T_F8E4M3: return f8 ? MULTIPLY_F8E4M3 : MULTIPLY_F16;
    case T_F8E5M2: return f8 ? MULTIPLY_F8E5M2 : MULTIPLY_F16;
    case T_F16: return MULTIPLY_F16;
    case T_BF16: return MULTIPLY_BF16;
    case T_F32: /* f16 with bf16: tf32 holds both */
        return is_narrow ? MULTIPLY_TF32 : dot_by_precision(k->g->attrs.precision);
    default: return MULTIPLY_FMA;
    }
}

/* ---- operands ------------------------------------------------------------------------------ */

/* Ignoring a guard. */
static bool is_copied(const Body *b, int value, int axis, Dtype type) {
    const Value *v = &b->values.at[value];
    Dim scale = 0;
    if (v->kind != V_LOAD || v->type != type || b->indices->node.at[v->ix].dynamic) return false;
    return index_along(b, v->ix, axis, &scale) == 1 && dim_is(b->indices->dims, scale, 1) &&
           tile_may_align(b, axis, v->ix, CHUNK / (int)dtype_size(type));
}

bool operand_is_copied(const Body *b, int value, int axis, Dtype type) {
    return !b->values.at[value].guard && is_copied(b, value, axis, type);
}

/* The end of an operand along n: a tile may have padding beyond it. 0: elsewhere. */
static Dim end_of(const Body *b, int value) {
    const Value *v = &b->values.at[value];
    if (!v->guard) return b->indices->extent[DOT_N];
    const Value *g = &b->values.at[v->guard];
    const IxNode *at = &b->indices->node.at[g->ix];
    Dim scale = 0;
    bool is_n = g->kind == V_INSIDE && at->count == 1 && !g->attr && g->attr2 &&
                index_along(b, g->ix, DOT_N, &scale) == 1;
    return is_n && dim_is(b->indices->dims, scale, 1) && dim_is(b->indices->dims, at->offset, 0)
               ? g->attr2
               : 0;
}

static Dim common_end(const Body *b) {
    Dim end = end_of(b, b->accs.at[0].index);
    for (int i = 0; i < body_summand_count(b); i++) {
        const Summand s = body_summand(b, i);
        for (int j = 0; j < b->dots; j++)
            if (end_of(b, s.right[j]) != end) return 0;
    }
    return end;
}

/* ldmatrix transposes 16-bit elements only. */
static OperandLayout feed_of(const Body *b, int value, int own, int summed, Dtype type, Dim end) {
    if (b->values.at[value].guard && (own != DOT_N || !end)) return OPERAND_COMPUTED;
    if (is_copied(b, value, summed, type)) return OPERAND_K_MAJOR;
    if (dtype_size(type) == 2 && is_copied(b, value, own, type)) return OPERAND_MN_MAJOR;
    return OPERAND_COMPUTED;
}

/* Does a load below the value change along k in a way that needs divisions for each element? */
static bool jumps(const Body *b, int value, int summed) {
    enum { PACK = 8 }; /* elements of 16 bytes, as operands are in shared memory */
    const Value *v = &b->values.at[value];
    Dim scale = 0;
    if (v->kind == V_LOAD && index_along(b, v->ix, summed, &scale) == 2 &&
        !tile_sharers(b, summed, v->ix, PACK))
        return true;
    for (int i = 0; i < value_sources(v); i++)
        if (jumps(b, v->src[i], summed)) return true;
    return false;
}

/* Loads below the value that change along k, of 4 bytes and more. */
static int wide_loads(const Body *b, int value, int summed) {
    const Value *v = &b->values.at[value];
    Dim scale = 0;
    int loads = v->kind == V_LOAD && dtype_size(v->type) >= sizeof(float) &&
                index_along(b, v->ix, summed, &scale) != 0;
    for (int i = 0; i < value_sources(v); i++) loads += wide_loads(b, v->src[i], summed);
    return loads;
}

/* Is a computed operand of bytes contiguous across the rows of the stage? */
static bool crosses(const Body *b, int value, int own, int summed) {
    return dtype_size(b->values.at[value].type) == 1 &&
           value_contiguous(b, value, own) > value_contiguous(b, value, summed);
}

static bool is_scattered(const Body *b, int value, int own, int summed, OperandLayout feed) {
    return feed == OPERAND_COMPUTED && (jumps(b, value, summed) || crosses(b, value, own, summed));
}

/* Operands of one side have one layout: MN-major if all can have it. */
static void agree(OperandLayout **feed, int count) {
    bool across = true;
    for (int i = 0; i < count; i++) across = across && *feed[i] == OPERAND_MN_MAJOR;
    for (int i = 0; i < count; i++)
        if (*feed[i] == OPERAND_MN_MAJOR && !across) *feed[i] = OPERAND_COMPUTED;
}

/* What the operands' layouts imply for the loads of computed ones. */
static void find_loads(const Body *b, DotForm *f) {
    if (f->left == OPERAND_COMPUTED) f->wide_loads = wide_loads(b, b->accs.at[0].value, DOT_K);
    for (int i = 0; i < f->count; i++)
        if (f->right[i] == OPERAND_COMPUTED)
            f->wide_loads += wide_loads(b, b->accs.at[i].index, DOT_K);
    f->is_scattered = is_scattered(b, b->accs.at[0].value, DOT_M, DOT_K, f->left);
    for (int i = 0; i < f->count; i++)
        f->is_scattered |= is_scattered(b, b->accs.at[i].index, DOT_N, DOT_K, f->right[i]);
    for (int i = 0; i < b->added.count; i++) {
        const Summand s = b->added.at[i];
        f->is_scattered |= is_scattered(b, s.left, DOT_M, s.axis, f->added[i].left);
        for (int j = 0; j < f->count; j++)
            f->is_scattered |= is_scattered(b, s.right[j], DOT_N, s.axis, f->added[i].right[j]);
    }
}

/* What cp.async may bring of them. */
static void find_raw_loads(const Kernel *k, const Body *b, DotForm *f) {
    const Dtype type = f->product->type;
    if (b->added.count || b->blocks.term) return;
    if (f->left == OPERAND_COMPUTED)
        f->raw_left = operand_raw_loads(k, b, b->accs.at[0].value, DOT_M, DOT_K, type);
    bool all = true; /* right operands lie one behind the other */
    for (int i = 0; i < f->count; i++) {
        if (f->right[i] == OPERAND_COMPUTED)
            f->raw_right[i] = operand_raw_loads(k, b, b->accs.at[i].index, DOT_N, DOT_K, type);
        all = all && f->raw_right[i].count;
    }
    for (int i = 0; i < f->count && !all; i++) f->raw_right[i].count = 0;
}

/* What it brings for producers. */
static void find_fed_loads(const Kernel *k, const Body *b, DotForm *f) {
    const Dtype type = f->product->type;
    if (wgmma_left(f, 0) == OPERAND_COMPUTED)
        f->fed_left = operand_fed_loads(k, b, b->accs.at[0].value, DOT_M, type);
    for (int i = 0; i < f->count; i++)
        if (f->right[i] == OPERAND_COMPUTED)
            f->fed_right[i] = operand_fed_loads(k, b, b->accs.at[i].index, DOT_N, type);
}

static int result_loads(const Body *b) {
    int loads = 0;
    Dim step;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        loads += v->kind == V_LOAD && index_along(b, v->ix, DOT_M, &step) &&
                 index_along(b, v->ix, DOT_N, &step);
    }
    return loads;
}

/* On an H200 an epilogue with a residual that has more in flight, at the price of a stage, makes
 * 1416 x 4096 x 1968 take 0.94 times as long, and 5176 x 1696 x 5624 1.05 times; with gelu and two
 * vectors 1264 x 7800 x 3056 takes 1.04 times as long. */
static bool is_short(const Body *b) {
    enum { SHORT = 2048 };
    int64_t k;
    return dim_is_const(b->indices->dims, b->indices->extent[DOT_K], &k) && k <= SHORT;
}

static bool is_along_row(const Body *b, Ix ix) {
    Dim step;
    return index_along(b, ix, DOT_COLUMN, &step) && index_along(b, ix, DOT_M, &step);
}

/* Are rows of the results reduced, and nothing else? */
static bool only_reduces(const Body *b) {
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (v->kind == V_COMBINE || (v->kind == V_ACC && v->ix)) return false;
        if (v->kind == V_LOAD && is_along_row(b, v->ix)) return false;
    }
    for (int i = 0; i < b->stores.count; i++)
        if (is_along_row(b, b->stores.at[i].ix)) return false;
    return true;
}

DotForm dot_form(const Kernel *k, const Body *b, const Machine *gpu) {
    DotForm f = {.multiply = multiply_of(k, b, gpu), .gpu = gpu};
    f.product = dot_product(f.multiply);
    f.blocks = b->blocks.term ? b : NULL;
    f.count = b->dots;
    int64_t columns;
    if (body_has_rows(b) && dim_is_const(b->indices->dims, b->cols, &columns)) {
        f.columns = (int)columns;
        f.only_reduces = only_reduces(b);
        f.has_segments = !dim_is(b->indices->dims, b->indices->extent[DOT_SEGMENT], 1);
    }
    f.result_loads = result_loads(b);
    f.is_short = is_short(b);
    if (f.multiply == MULTIPLY_FMA) return f;
    const Dtype type = f.product->type;
    const Dim end = common_end(b);
    OperandLayout *left[TERMS_MAX] = {&f.left}, *right[DOTS_MAX * TERMS_MAX];
    f.n_end = end ? end : b->indices->extent[DOT_N];
    f.left = feed_of(b, b->accs.at[0].value, DOT_M, DOT_K, type, 0);
    for (int i = 0; i < f.count; i++) {
        right[i] = &f.right[i];
        f.right[i] = feed_of(b, b->accs.at[i].index, DOT_N, DOT_K, type, end);
    }
    for (int i = 0; i < b->added.count; i++) {
        const Summand s = b->added.at[i];
        OperandLayouts *added = &f.added[i];
        left[1 + i] = &added->left;
        added->left = feed_of(b, s.left, DOT_M, s.axis, type, 0);
        for (int j = 0; j < f.count; j++) {
            right[(1 + i) * f.count + j] = &added->right[j];
            added->right[j] = feed_of(b, s.right[j], DOT_N, s.axis, type, end);
        }
    }
    agree(left, body_summand_count(b));
    agree(right, body_summand_count(b) * f.count);
    find_loads(b, &f);
    find_raw_loads(k, b, &f);
    wgmma_find_pixels(b, &f);
    f.no_wgmma = wgmma_obstacle(b, &f, k->g->attrs.precision);
    if (!f.no_wgmma) find_fed_loads(k, b, &f);
    if (!f.no_wgmma) wgmma_find_boxes(k, b, &f);
    return f;
}

static const int result_axes[] = {DOT_BATCH, DOT_M, DOT_N};

/* Blocks of a cluster have tiles below each other: the last cluster may have fewer rows. */
double tile_count(const Body *b, const Tile *t) {
    const int cluster = t->cluster > 1 ? t->cluster : 1;
    const double sides[] = {1, cluster * t->m, t->n};
    double tiles = cluster;
    for (int i = 0; i < 3; i++)
        tiles *= cost_tiles(b->indices->dims, b->indices->extent[result_axes[i]], sides[i]);
    return tiles;
}

bool tile_is_counted(const Body *b) {
    bool counted = true;
    int64_t known;
    for (int i = 0; i < 3; i++)
        counted &= dim_is_const(b->indices->dims, b->indices->extent[result_axes[i]], &known);
    return counted;
}

double tile_waves(const Body *b, const Machine *gpu, const Tile *t) {
    return cost_waves(gpu, tile_count(b, t), !tile_is_counted(b));
}
