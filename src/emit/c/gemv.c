/* gemv.c: contractions with few rows or columns as C: the narrow operand is packed, the wide one
 * evaluated where it is multiplied, through templates/c/gemv.c and its parts.
 * In: Kernel of family F_DOT, tiles of kind TILE_C_GEMV. Out: the body of the function, and the
 * bytes of its memory. */
#include "emit/c/c.h"

/* The form, and may two products share a lane (FX_PARTS)? */
typedef struct Gemv {
    GemvForm form;
    bool pairs;
} Gemv;

static GemvForm form_of(const Writer *w) {
    GemvForm form;
    if (!gemv_form(w->b, &form)) BUG("emit: no gemv");
    return form;
}

static Dtype sum_type(const Writer *w) { return dtype_compute(w->b->accs.at[0].type); }

static bool is_batched(const Writer *w) {
    return !dim_is(w->b->indices->dims, w->b->indices->extent[DOT_BATCH], 1);
}

/* fx_strips_of or fx_strips_bytes */
static const char *strips(const Writer *w, const char *name) {
    const GemvForm form = form_of(w);
    return arena_printf(w->arena, "%s(%d, %d, %s, %d, %s, %s, %d, %zu)", name, w->tile->n,
                        w->tile->parallel, c_size(w, DOT_BATCH), form.count, c_size(w, form.wide),
                        c_size(w, DOT_K), w->b->dots, dtype_size(sum_type(w)));
}

const char *c_gemv_packed(const Writer *w) { return strips(w, "fx_strips_bytes"); }

/* ---- pairs of bf16 --------------------------------------------------------------------------- */

enum { PAIRS_STEP = 32 }; /* elements of two vectors, whatever VL */

static int root_of(const Writer *w, int value) {
    return schedule_find(w->schedule, PIECE_OPERAND, value)->roots[0];
}

static int wide_operand(const Writer *w, const GemvForm *form, int product) {
    const Accumulator *a = &w->b->accs.at[product];
    return form->wide == DOT_M ? a->value : a->index;
}

/* Products of bf16, which may flush denormals (docs/language.md). */
static bool is_bf16(const Writer *w) {
    const Body *b = w->b;
    if (w->k->g->attrs.strict) return false;
    for (int i = 0; i < b->dots; i++)
        if (b->values.at[b->accs.at[i].value].type != T_BF16 ||
            b->values.at[b->accs.at[i].index].type != T_BF16)
            return false;
    return true;
}

/* Are k, and its ranges in operands that are read along it, whole pairs of vectors? */
static bool has_whole_pairs(Writer *w, const GemvForm *form) {
    int64_t k;
    if (!dim_is_const(w->b->indices->dims, w->b->indices->extent[DOT_K], &k) || k % PAIRS_STEP)
        return false;
    for (int i = 0; i < w->b->dots; i++) {
        if (form->is_across[i]) continue;
        c_piece(w, PIECE_OPERAND, wide_operand(w, form, i), DOT_K);
        const CRanges ranges = c_ranges(w, DOT_K);
        if (!ranges.count) return false;
        for (int r = 0; r < ranges.count; r++)
            if (ranges.at[r].from % PAIRS_STEP || ranges.at[r].to % PAIRS_STEP) return false;
    }
    return true;
}

/* Joining vectors to pairs rounds: the source of a cast, or else the value itself. */
static int before_rounding(const Body *b, int value) {
    const Value *v = &b->values.at[value];
    const bool rounds = v->kind == V_CAST && v->operand == T_F32 && v->type == T_BF16;
    return rounds ? v->src[0] : value;
}

static void add_pairs(const Writer *w, bool pairs, bool rounds, Fills *fills) {
    const Fill own[] = {{"PAIRS", pairs ? "yes" : ""},
                        {"SINGLE", pairs ? "" : "yes"},
                        {"JOIN", rounds ? "round_pairs" : "pairs_of"}};
    FILLS_ADD(w->arena, fills, own);
}

/* Are rows of the narrow operand one after the other, since a product needs single elements? Else
 * vectors of them take turns: one stream, whose lines do not share a set of L1. */
static bool has_narrow_rows(const Writer *w, const Gemv *gemv) {
    for (int i = 0; i < w->b->dots; i++)
        if (gemv->form.is_across[i]) return true;
    return false;
}

/* Where the narrow operand has the vector at k. */
static const char *narrow_at(const Writer *w, const Gemv *gemv, const char *few) {
    const char *k = gemv->pairs ? "k_at / FX_PARTS" : w->axis_name[DOT_K];
    if (has_narrow_rows(w, gemv)) return arena_printf(w->arena, "%s * narrow_row + %s", few, k);
    return arena_printf(w->arena, "%s * NARROW + %s * VL", k, few);
}

/* ---- operands -------------------------------------------------------------------------------- */

/* What is declared for a vector of the operand along the lane axis; `*x` is its text. */
static const char *operand(Writer *w, int value, int root, int lane, const char **x) {
    Text text = c_piece(w, PIECE_OPERAND, value, lane), *out = w->out;
    w->out = &text;
    if (w->is_aligned) w->lanes = "VL";
    declare_value(w, root);
    *x = value_text(w, root);
    w->out = out;
    return text_get(&text);
}

/* Registers, and functions on them: sums of integers wrap, so their registers are unsigned. */
static void add_types(const Writer *w, Fills *fills) {
    const bool is_whole = !dtype_is_float(sum_type(w));
    const char *type = reg_suffix(sum_type(w));
    const char *reg = is_whole ? arena_printf(w->arena, "u%s", type + 1) : type;
    const char *as = is_whole ? arena_printf(w->arena, "(%s)", reg) : "";
    const char *back = is_whole ? arena_printf(w->arena, "(%s)", type) : "";
    const Fill own[] = {
        {"REG", reg},
        {"LOAD", arena_printf(w->arena, "%sld_%s", as, type)},
        {"STORE", arena_printf(w->arena, "st_%s", type)},
        {"KEEP", arena_printf(w->arena, "keep_%s", type)},
        {"ADD_UP", arena_printf(w->arena, "sum_lanes_%s(%srow_sums[row][few])", type, back)},
        {"RESULT", arena_printf(w->arena, "%ssum[few]", back)},
    };
    FILLS_ADD(w->arena, fills, own);
}

/* The text of a value as a register of sums. */
static const char *as_sum(const Writer *w, const char *x) {
    if (dtype_is_float(sum_type(w))) return x;
    return arena_printf(w->arena, "(u%s)(%s)", reg_suffix(sum_type(w)) + 1, x);
}

static void add_axes(const Writer *w, const Gemv *gemv, Fills *fills) {
    const Fill own[] = {
        {"WIDE", w->axis_name[gemv->form.wide]},
        {"FEW_AXIS", w->axis_name[gemv->form.narrow]},
        {"K_AXIS", w->axis_name[DOT_K]},
        {"K_SIZE", c_size(w, DOT_K)},
    };
    FILLS_ADD(w->arena, fills, own);
}

static const char *pack(Writer *w, const Gemv *gemv) {
    const Accumulator *a = &w->b->accs.at[0];
    Text text = text_new(w->arena);
    Fills fills = {0};
    const int value = gemv->form.narrow == DOT_M ? a->value : a->index, rounded = root_of(w, value);
    const int root = gemv->pairs ? before_rounding(w->b, rounded) : rounded;
    const char *x, *lines;
    w->is_aligned = gemv->pairs;
    lines = operand(w, value, root, DOT_K, &x);
    w->is_aligned = false;
    const Fill own[] = {
        {"operand", lines}, {"X", x}, {"AT", narrow_at(w, gemv, w->axis_name[gemv->form.narrow])}};
    FILLS_ADD(w->arena, &fills, own);
    add_pairs(w, gemv->pairs, root != rounded, &fills);
    add_types(w, &fills);
    add_axes(w, gemv, &fills);
    template_fill("c/gemv_pack.c", fills.at, fills.count, &text);
    return text_get(&text);
}

static const char *sums_of(const Writer *w, int product) {
    if (!product) return "sums";
    return arena_printf(w->arena, "(sums + %d * NARROW * cut.n)", product);
}

/* The address of the elements at `k`. */
static const char *address_at(Writer *w, const Value *v, const char *k) {
    const char *here = w->axis_name[DOT_K];
    w->axis_name[DOT_K] = k;
    const char *text = address_text(w, v->attr, v->ix);
    w->axis_name[DOT_K] = here;
    return text;
}

/* Is it a load whose lines depend on the row and on k, and are known before other loads? */
static bool is_read_by_rows(const Writer *w, const Gemv *gemv, const Value *v) {
    const uint32_t both = 1u << gemv->form.wide | 1u << DOT_K;
    if (v->kind != V_LOAD || v->guard) return false;
    const IxNode *n = &w->b->indices->node.at[v->ix];
    return !n->dynamic && (n->axes & both) == both;
}

static bool is_in_l2(const Writer *w, const Value *v) {
    const KernelBuffer *buffer = &w->k->buffers.at[v->attr];
    int64_t elements;
    return buffer->elements && dim_is_const(w->b->indices->dims, buffer->elements, &elements) &&
           elements * (int64_t)dtype_size(buffer->type) < w->tile->prefetch_from;
}

/* Prefetches into L2 what is read at the same place `distance` rows (of the wide operand, or of k)
 * further: the processor's own prefetcher starts anew with each row, and stops at the end of a
 * page. L1 has the narrow operand, and lines of rows at a distance of pages share a set of it. What
 * is in L2 is prefetched for several narrow rows along k only; a single row of f32 across k leaves
 * the processor's own prefetcher time enough. */
static const char *ahead(Writer *w, const Gemv *gemv, int axis, int distance) {
    const char *here = w->axis_name[axis];
    Text lines = text_new(w->arena);
    int loads = 0, large = 0;
    w->axis_name[axis] = arena_printf(w->arena, "(%s + %d)", here, distance);
    for (int i = 1; i < w->b->values.count; i++) {
        const Value *v = &w->b->values.at[i];
        const char *k = gemv->pairs && axis != DOT_K ? "k_at" : w->axis_name[DOT_K];
        if (!w->s->value[i].used || !is_read_by_rows(w, gemv, v)) continue;
        text_printf(&lines, "__builtin_prefetch(%s, 0, 2);\n", address_at(w, v, k));
        loads++;
        large += !is_in_l2(w, v);
    }
    w->axis_name[axis] = here;
    const bool is_along = axis != DOT_K, has_time = loads > 1 || gemv->form.count > 1;
    const bool pays = is_along ? large || has_time : large && (gemv->pairs || has_time);
    return pays ? text_get(&lines) : "";
}

static const char *across(Writer *w, const Gemv *gemv, int product) {
    Text text = text_new(w->arena);
    Fills fills = {0};
    const int value = wide_operand(w, &gemv->form, product);
    const char *x, *lines = operand(w, value, root_of(w, value), gemv->form.wide, &x);
    const int depth = w->tile->k + (gemv->pairs ? w->tile->k % 2 : 0);
    const Fill own[] = {{"operand", lines},
                        {"ahead", ahead(w, gemv, DOT_K, depth)},
                        {"X", as_sum(w, x)},
                        {"SUMS", sums_of(w, product)},
                        {"DEPTH", arena_printf(w->arena, "%d", depth)}};
    FILLS_ADD(w->arena, &fills, own);
    add_pairs(w, gemv->pairs, false, &fills);
    add_types(w, &fills);
    add_axes(w, gemv, &fills);
    template_fill("c/gemv_across.c", fills.at, fills.count, &text);
    return text_get(&text);
}

/* The loop over the vectors of a range of k, NULL: of all of it, where the last may be shorter. */
static const char *loop_text(const Writer *w, const CRange *range, bool pairs) {
    const char *k = pairs ? "k_at" : w->axis_name[DOT_K], *step = pairs ? "FX_PARTS * VL" : "VL";
    if (w->tile->block)
        return arena_printf(w->arena, "for (idx %s = k_block; %s < k_end; %s += %s)", k, k, k,
                            step);
    if (!range) return arena_printf(w->arena, "EACH_VECTOR(%s, lanes, %s)", k, c_size(w, DOT_K));
    return arena_printf(w->arena, "for (idx %s = %lld; %s < %lld; %s += %s)", k,
                        (long long)range->from, k, (long long)range->to, k, step);
}

/* Is it a load of elements that follow each other along k? */
static bool is_load_along_k(const Writer *w, const Value *v) {
    Dim step = 0;
    return v->kind == V_LOAD && !v->guard && !w->b->indices->node.at[v->ix].dynamic &&
           index_along(w->b, v->ix, DOT_K, &step) == 1 && dim_is(w->b->indices->dims, step, 1);
}

/* Adds the products of a range of k. */
static void put_steps(Writer *w, const Gemv *gemv, int rounded, const CRange *range, Text *text) {
    Fills fills = {0};
    Text lines = text_new(w->arena), *out = w->out;
    const int root = gemv->pairs ? before_rounding(w->b, rounded) : rounded;
    const bool direct = gemv->pairs && root == rounded && /* else memory is not of bf16 */
                        is_load_along_k(w, &w->b->values.at[root]);
    w->out = &lines;
    w->lanes = range ? "VL" : "lanes";
    count_uses(w);
    declare_value(w, root);
    const char *x = value_text(w, root);
    if (!range) x = arena_printf(w->arena, "keep_%s(%s, lanes, 0)", reg_suffix(sum_type(w)), x);
    const Value *v = &w->b->values.at[root];
    const bool in_one_register = dtype_size(sum_type(w)) == 4;
    const Fill own[] = {{"operand", text_get(&lines)},
                        {"ahead", ahead(w, gemv, gemv->form.wide, w->tile->rows)},
                        {"STEPS", loop_text(w, range, gemv->pairs)},
                        {"X", as_sum(w, x)},
                        {"AT", narrow_at(w, gemv, "few")},
                        {"IF_WIDE", axes_taken(w) >> gemv->form.wide & 1 ? "1" : ""},
                        {"DIRECT", direct ? "yes" : ""},
                        {"KEPT", gemv->pairs || v->kind == V_LOAD || !in_one_register ? "" : "yes"},
                        {"COMPUTED", gemv->pairs && !direct ? "yes" : ""},
                        {"ADDRESS", direct ? address_at(w, v, "k_at") : ""},
                        {"AT_ONCE", arena_printf(w->arena, "%d", w->tile->rows)}};
    FILLS_ADD(w->arena, &fills, own);
    add_pairs(w, gemv->pairs, root != rounded, &fills);
    add_types(w, &fills);
    add_axes(w, gemv, &fills);
    template_fill("c/gemv_steps.c", fills.at, fills.count, text);
    w->out = out;
}

/* Range by range, if the conditions on k are known in each. */
static const char *steps(Writer *w, const Gemv *gemv, int value) {
    const int root = schedule_find(w->schedule, PIECE_OPERAND, value)->roots[0];
    Text text = c_piece(w, PIECE_OPERAND, value, DOT_K);
    const CRanges ranges = c_ranges(w, DOT_K);
    const Body *all = w->b;
    w->is_aligned = true;
    if (!ranges.count) put_steps(w, gemv, root, NULL, &text);
    for (int i = 0; i < ranges.count; i++) {
        int known = root;
        const Body within = c_body_within(w, DOT_K, ranges.at[i], &known);
        w->b = &within;
        put_steps(w, gemv, known, &ranges.at[i], &text);
        w->b = all;
    }
    w->is_aligned = false;
    return text_get(&text);
}

enum { STRIP_GROUPS = 32 }; /* groups of rows whose sums stay in L2 */

static const char *along(Writer *w, const Gemv *gemv, int product) {
    Text text = text_new(w->arena);
    Fills fills = {0};
    const Fill own[] = {{"steps", steps(w, gemv, wide_operand(w, &gemv->form, product))},
                        {"SUMS", sums_of(w, product)},
                        {"BLOCKED", w->tile->block ? "yes" : ""},
                        {"WHOLE_ROWS", w->tile->block ? "" : "yes"},
                        {"K_BLOCK", arena_printf(w->arena, "%d", w->tile->block)},
                        {"STRIP", arena_printf(w->arena, "%d", STRIP_GROUPS * w->tile->rows)},
                        {"AT_ONCE", arena_printf(w->arena, "%d", w->tile->rows)}};
    FILLS_ADD(w->arena, &fills, own);
    add_types(w, &fills);
    add_axes(w, gemv, &fills);
    template_fill("c/gemv_along.c", fills.at, fills.count, &text);
    return text_get(&text);
}

static const char *products(Writer *w, const Gemv *gemv) {
    Text text = text_new(w->arena);
    for (int i = 0; i < w->b->dots; i++)
        text_str(&text, gemv->form.is_across[i] ? across(w, gemv, i) : along(w, gemv, i));
    return text_get(&text);
}

/* ---- results --------------------------------------------------------------------------------- */

static const char *finish(Writer *w, const Gemv *gemv) {
    const Body *b = w->b;
    Text text = c_piece(w, PIECE_RESULTS, 0, gemv->form.wide), *out = w->out;
    w->out = &text;
    w->sums = "at";
    w->sums_each = "NARROW * cut.n";
    for (int i = 0; i < b->stores.count; i++) declare_value(w, b->stores.at[i].value);
    for (int i = 0; i < b->stores.count; i++) c_store(w, &b->stores.at[i], "st");
    w->out = out;
    return text_get(&text);
}

/* ---- the function ---------------------------------------------------------------------------- */

void c_gemv(Writer *w, Text *body) {
    const GemvForm form = form_of(w);
    const Gemv gemv = {form, is_bf16(w) && has_whole_pairs(w, &form)};
    Fills fills = {0};
    w->used.packed = true;
    const char *packing = pack(w, &gemv), *nests = products(w, &gemv), *results = finish(w, &gemv);
    const Fill own[] = {
        {"ELEMENT", storage_type(sum_type(w))},
        {"FEW", arena_printf(w->arena, "%d", form.count)},
        {"STRIPS", strips(w, "fx_strips_of")},
        {"ROWS", has_narrow_rows(w, &gemv) ? "yes" : ""},
        {"BATCHED", is_batched(w) ? "yes" : ""},
        {"BLOCKS", is_batched(w) ? arena_printf(w->arena, "%s * cut.count", c_size(w, DOT_BATCH))
                                 : "cut.count"},
        {"FIRST", is_batched(w) ? "block % cut.count" : "block"},
        {"WIDE_SIZE", c_size(w, form.wide)},
        {"LANES", w->used.lanes ? "yes" : ""},
        {"pack", packing},
        {"products", nests},
        {"finish", results},
    };
    FILLS_ADD(w->arena, &fills, own);
    add_axes(w, &gemv, &fills);
    template_fill("c/gemv.c", fills.at, fills.count, body);
}
