/* wgmma_form.c: contractions by wgmma and TMA, on sm_90a: which are possible, and whose results go
 * through boxes.
 * In: Body, DotForm. Out: the obstacle, or NULL. */
#include "kernel/tile/tile_private.h"

enum {
    SLOT_ROW = 128, /* bytes of a row in shared memory: one swizzle width */
    CHUNK = 16,     /* bytes: the alignment that TMA needs */
    BOX_RESULT = 2, /* bytes of a result in a box that TMA stores */
    MOST_BOXED = 3  /* results of a kernel that has boxes */
};

/* ---- which contractions ---------------------------------------------------------------------- */

bool wgmma_promotes(const DotForm *f) {
    return f->multiply == MULTIPLY_F8E4M3 || f->multiply == MULTIPLY_F8E5M2;
}

OperandLayout wgmma_left(const DotForm *f, int i) {
    if (f->has_pixels) return f->pixels_are_k ? OPERAND_MN_MAJOR : OPERAND_K_MAJOR;
    return i ? f->added[i - 1].left : f->left;
}

bool wgmma_computes(const DotForm *f) {
    bool any = wgmma_left(f, 0) == OPERAND_COMPUTED;
    for (int i = 0; i < f->count; i++) any = any || f->right[i] == OPERAND_COMPUTED;
    return any;
}

/* Is it, in elements, a distance between rows that TMA has? */
static bool is_step(Dims *d, Dim step) {
    int64_t least, most;
    dim_range(d, step, &least, &most);
    return least >= 1 && dim_mul(d, dim_const(d, CHUNK), step); /* else too long */
}

/* Rows start at multiples of 16 bytes, evenly spaced, one batch after the other. The OperandLayout
 * says that the operand is contiguous and copied without change, up to n_end. */
static bool is_mapped(const Body *b, int value, int own, int summed, OperandLayout feed) {
    const Value *v = &b->values.at[value];
    const int across = feed == OPERAND_K_MAJOR ? own : summed;
    Dims *d = b->indices->dims;
    for (int i = 0; i < 2; i++) {
        Dim step = 0;
        int how = index_along(b, v->ix, i ? across : DOT_BATCH, &step);
        if (how == 2 || how < i) return false;
        if (!how) continue;
        if (!is_step(d, step)) return false;
    }
    return true;
}

/* Is an operand that is not copied in chunks loaded as it is, from rows that start anywhere? */
static bool is_unaligned(const Body *b, const DotForm *f, int value, int own, int summed) {
    const Value *v = &b->values.at[value];
    Dim step = 0;
    if (v->kind != V_LOAD || v->type != f->product->type || v->guard) return false;
    if (b->indices->node.at[v->ix].dynamic) return false;
    for (int i = 0; i < 2; i++)
        if (index_along(b, v->ix, i ? own : summed, &step) == 1 &&
            dim_is(b->indices->dims, step, 1))
            return true;
    return false;
}

/* Producers compute operands of 16 bits, whose stages are rows along k. */
static const char *computed_obstacle(const Body *b, const DotForm *f, const char *right) {
    if (dtype_size(f->product->type) == 2 && !b->blocks.term && !b->added.count && !f->is_scattered)
        return NULL;
    return right;
}

/* 16-byte aligned, one pixel after the other. */
static bool is_pixels(const Body *b, int value, int pixels, int channels, Dtype type) {
    const Value *v = &b->values.at[value];
    PixelForm form;
    Dim step = 0;
    return v->type == type && pixel_form(b, value, pixels, channels, &form) &&
           index_along(b, v->ix, pixels, &step) == 1 && is_step(b->indices->dims, step);
}

static bool has_pixels(const Body *b, const DotForm *f, bool are_k) {
    const OperandLayout plain = are_k ? OPERAND_MN_MAJOR : OPERAND_K_MAJOR;
    const Dtype type = f->product->type;
    bool any = false;
    if (!f->gpu->wgmma || (are_k && dtype_size(type) != 2)) return false;
    for (int i = 0; i < body_summand_count(b); i++) {
        const Summand s = body_summand(b, i);
        const bool is_plain = (i ? f->added[i - 1].left : f->left) == plain;
        const int pixels = are_k ? s.axis : DOT_M, channels = are_k ? DOT_M : s.axis;
        if (!is_plain && !is_pixels(b, s.left, pixels, channels, type)) return false;
        any = any || !is_plain;
    }
    return any;
}

void wgmma_find_pixels(const Body *b, DotForm *f) {
    f->pixels_are_k = has_pixels(b, f, true);
    f->has_pixels = f->pixels_are_k || has_pixels(b, f, false);
}

/* Of product i of a sum. */
static const char *left_obstacle(const Body *b, const DotForm *f, int i) {
    const Summand s = body_summand(b, i);
    const OperandLayout layout = i ? f->added[i - 1].left : f->left;
    if (f->has_pixels && layout == OPERAND_COMPUTED) return NULL;
    if (layout == OPERAND_COMPUTED && is_unaligned(b, f, s.left, DOT_M, s.axis))
        return "rows of the left operand are no multiple of 16 bytes";
    if (layout == OPERAND_COMPUTED) return computed_obstacle(b, f, "the left operand is computed");
    return is_mapped(b, s.left, DOT_M, s.axis, layout)
               ? NULL
               : "rows of the left operand are not evenly spaced";
}

static const char *right_obstacle(const Body *b, const DotForm *f, int i, int j) {
    const Summand s = body_summand(b, i);
    const OperandLayout layout = i ? f->added[i - 1].right[j] : f->right[j];
    const int value = s.right[j];
    if (layout == OPERAND_COMPUTED && is_unaligned(b, f, value, DOT_N, s.axis))
        return "rows of a right operand are no multiple of 16 bytes";
    if (layout == OPERAND_COMPUTED) return computed_obstacle(b, f, "a right operand is computed");
    return is_mapped(b, value, DOT_N, s.axis, layout)
               ? NULL
               : "rows of a right operand are not evenly spaced";
}

/* Of rows of the results of all products. Of one product, two warpgroups share them. */
static int most_columns(const DotForm *f) {
    if (wgmma_promotes(f)) return WGMMA_PROMOTED;
    const bool is_shared = f->count == 1 && !f->has_segments && !f->blocks && !wgmma_computes(f);
    return is_shared ? 2 * WGMMA_COLUMNS : WGMMA_COLUMNS;
}

const char *wgmma_obstacle(const Body *b, const DotForm *f, Precision precision) {
    if (!f->gpu->wgmma) return "the architecture has none";
    if (wgmma_promotes(f) && precision != P_F8)
        return "it adds f8 products in 14 bits, as @precision(f8) allows";
    if (f->product->terms != 1) return "operands are split into terms";
    if (f->columns * f->count > most_columns(f)) return "rows of the result are longer than a tile";
    for (int i = 0; i < body_summand_count(b); i++) {
        const char *wrong = left_obstacle(b, f, i);
        for (int j = 0; j < f->count && !wrong; j++) wrong = right_obstacle(b, f, i, j);
        if (wrong) return wrong;
    }
    return NULL;
}

/* ---- results that go through boxes ----------------------------------------------------------- */

/* Is what is loaded for a result the same in all rows, or in all columns? */
static bool has_few_loads(const Body *b, int value) {
    const Value *v = &b->values.at[value];
    Dim step = 0;
    switch (v->kind) {
    case V_ACC:
    case V_CONST:
    case V_UNIFORM: return true;
    case V_LOAD:
        if (v->guard || b->indices->node.at[v->ix].dynamic) return false;
        return index_along(b, v->ix, DOT_M, &step) + index_along(b, v->ix, DOT_N, &step) < 2;
    case V_OP:
    case V_CAST: break;
    default: return false;
    }
    if (v->kind == V_OP && v->op == OP_PHILOX) return false;
    for (int i = 0; i < value_sources(v); i++)
        if (!has_few_loads(b, v->src[i])) return false;
    return true;
}

/* Rows of 16-bit results, evenly spaced, are contiguous. */
static bool fits_box(const Kernel *k, const Body *b, const Store *s) {
    Dim step = 0;
    const int size = (int)dtype_size(k->buffers.at[s->buffer].type);
    if (s->adds || size != BOX_RESULT || b->indices->node.at[s->ix].dynamic) return false;
    if (!has_few_loads(b, s->value)) return false;
    if (index_along(b, s->ix, DOT_N, &step) != 1 || !dim_is(b->indices->dims, step, 1))
        return false;
    return index_along(b, s->ix, DOT_M, &step) == 1 && index_along(b, s->ix, DOT_BATCH, &step) < 2;
}

/* May all rows be 16-byte aligned, at distances that TMA has? */
static bool is_stored_by_tma(const Body *b, const Store *s) {
    Dims *d = b->indices->dims;
    Dim step = 0;
    if (index_along(b, s->ix, DOT_M, &step) != 1 || !is_step(d, step)) return false;
    if (index_along(b, s->ix, DOT_BATCH, &step) && !is_step(d, step)) return false;
    return tile_may_align(b, DOT_N, s->ix, CHUNK / BOX_RESULT);
}

/* Are stores of rows that start anywhere in 16 bytes most of the time? On an H200 4096 x 4095 x 256
 * takes 28 us from boxes, 39 by elements, 4096 x 4092 x 256, in packs of 8 bytes, 26 and 28, and
 * 91 times 872 x 255 x 1135 115 and 94. */
static bool is_shifted_faster(const Body *b) {
    enum { SHORT = 512, NARROW = 48 };
    const Dim *extent = b->indices->extent;
    int64_t k, columns;
    if (dim_is_const(b->indices->dims, extent[DOT_N], &columns) && columns < NARROW) return false;
    return dim_is_const(b->indices->dims, extent[DOT_K], &k) && k <= SHORT;
}

/* What is computed from several products is faster from strips, where more of it is in flight:
 * geglu takes 389 us on an H200, and 396 from boxes. */
void wgmma_find_boxes(const Kernel *k, const Body *b, DotForm *f) {
    bool by_tma = true;
    if (f->columns || b->stores.count < f->count || b->stores.count > MOST_BOXED) return;
    for (int i = 0; i < b->stores.count; i++) {
        if (!fits_box(k, b, &b->stores.at[i])) return;
        by_tma = by_tma && is_stored_by_tma(b, &b->stores.at[i]);
    }
    if (!by_tma && !is_shifted_faster(b)) return;
    f->box_is_shifted = !by_tma;
    f->box_columns = SLOT_ROW / BOX_RESULT;
    f->box_results = b->stores.count;
}

/* Shifted boxes take registers beside the accumulators: in ping-pong those of more than 256 columns
 * of a warpgroup are spilled, several results of one product of 256. */
bool wgmma_has_boxes(const DotForm *f, const Tile *t) {
    enum { COLUMNS = 256, SEVERAL = 192 };
    const int columns = t->n * f->count * wgmma_blocks(t);
    const bool is_crowded = f->box_is_shifted && ((t->ping_pong && columns > COLUMNS) ||
                                                  (f->box_results > f->count && columns > SEVERAL));
    return t->kind == TILE_WGMMA && f->box_columns && t->n % f->box_columns == 0 && !t->split_k &&
           !is_crowded;
}
