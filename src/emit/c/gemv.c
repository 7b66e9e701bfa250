/* gemv.c: contractions with few rows or columns as C: the narrow operand is packed, the wide one
 * evaluated where it is multiplied, through templates/c/gemv.c and its parts.
 * In: Kernel of family F_DOT, tiles of kind TILE_C_GEMV. Out: the body of the function, and the
 * bytes of its memory. */
#include "emit/c/c.h"

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

/* ---- operands -------------------------------------------------------------------------------- */

/* What is declared for a vector of the operand along the lane axis; `*x` is its text. */
static const char *operand(Writer *w, int value, int lane, const char **x) {
    const int root = schedule_find(w->schedule, PIECE_OPERAND, value)->roots[0];
    Text text = c_piece(w, PIECE_OPERAND, value, lane), *out = w->out;
    w->out = &text;
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
        {"ADD_UP", arena_printf(w->arena, "sum_lanes_%s(%ssum[row][few])", type, back)},
        {"RESULT", arena_printf(w->arena, "%ssum[few]", back)},
    };
    FILLS_ADD(w->arena, fills, own);
}

/* The text of a value as a register of sums. */
static const char *as_sum(const Writer *w, const char *x) {
    if (dtype_is_float(sum_type(w))) return x;
    return arena_printf(w->arena, "(u%s)(%s)", reg_suffix(sum_type(w)) + 1, x);
}

static void add_axes(const Writer *w, const GemvForm *form, Fills *fills) {
    const Fill own[] = {
        {"WIDE", w->axis_name[form->wide]},
        {"FEW_AXIS", w->axis_name[form->narrow]},
        {"K_AXIS", w->axis_name[DOT_K]},
        {"K_SIZE", c_size(w, DOT_K)},
    };
    FILLS_ADD(w->arena, fills, own);
}

static const char *pack(Writer *w, const GemvForm *form) {
    const Accumulator *a = &w->b->accs.at[0];
    Text text = text_new(w->arena);
    Fills fills = {0};
    const char *x;
    const char *lines = operand(w, form->narrow == DOT_M ? a->value : a->index, DOT_K, &x);
    const Fill own[] = {{"operand", lines}, {"X", x}};
    FILLS_ADD(w->arena, &fills, own);
    add_types(w, &fills);
    add_axes(w, form, &fills);
    template_fill("c/gemv_pack.c", fills.at, fills.count, &text);
    return text_get(&text);
}

static const char *sums_of(const Writer *w, int product) {
    if (!product) return "sums";
    return arena_printf(w->arena, "(sums + %d * NARROW * cut.n)", product);
}

static int wide_operand(const Writer *w, const GemvForm *form, int product) {
    const Accumulator *a = &w->b->accs.at[product];
    return form->wide == DOT_M ? a->value : a->index;
}

static const char *across(Writer *w, const GemvForm *form, int product) {
    Text text = text_new(w->arena);
    Fills fills = {0};
    const char *x, *lines = operand(w, wide_operand(w, form, product), form->wide, &x);
    const Fill own[] = {{"operand", lines},
                        {"X", as_sum(w, x)},
                        {"SUMS", sums_of(w, product)},
                        {"DEPTH", arena_printf(w->arena, "%d", w->tile->k)}};
    FILLS_ADD(w->arena, &fills, own);
    add_types(w, &fills);
    add_axes(w, form, &fills);
    template_fill("c/gemv_across.c", fills.at, fills.count, &text);
    return text_get(&text);
}

/* The loop over the vectors of a range of k, NULL: of all of it, where the last may be shorter. */
static const char *loop_text(const Writer *w, const CRange *range) {
    const char *k = w->axis_name[DOT_K];
    if (!range) return arena_printf(w->arena, "EACH_VECTOR(%s, lanes, %s)", k, c_size(w, DOT_K));
    return arena_printf(w->arena, "for (idx %s = %lld; %s < %lld; %s += VL)", k,
                        (long long)range->from, k, (long long)range->to, k);
}

/* Adds the products of a range of k. */
static void put_steps(Writer *w, const GemvForm *form, int root, const CRange *range, Text *text) {
    Fills fills = {0};
    Text lines = text_new(w->arena), *out = w->out;
    w->out = &lines;
    w->lanes = range ? "VL" : "lanes";
    count_uses(w);
    declare_value(w, root);
    const char *x = value_text(w, root);
    if (!range) x = arena_printf(w->arena, "keep_%s(%s, lanes, 0)", reg_suffix(sum_type(w)), x);
    const Fill own[] = {{"operand", text_get(&lines)},
                        {"STEPS", loop_text(w, range)},
                        {"X", as_sum(w, x)},
                        {"IF_WIDE", axes_taken(w) >> form->wide & 1 ? "1" : ""},
                        {"AT_ONCE", arena_printf(w->arena, "%d", w->tile->rows)}};
    FILLS_ADD(w->arena, &fills, own);
    add_types(w, &fills);
    add_axes(w, form, &fills);
    template_fill("c/gemv_steps.c", fills.at, fills.count, text);
    w->out = out;
}

/* Range by range, if the conditions on k are known in each. */
static const char *steps(Writer *w, const GemvForm *form, int value) {
    const int root = schedule_find(w->schedule, PIECE_OPERAND, value)->roots[0];
    Text text = c_piece(w, PIECE_OPERAND, value, DOT_K);
    const CRanges ranges = c_ranges(w, DOT_K);
    const Body *all = w->b;
    w->is_aligned = true;
    if (!ranges.count) put_steps(w, form, root, NULL, &text);
    for (int i = 0; i < ranges.count; i++) {
        int known = root;
        const Body within = c_body_within(w, DOT_K, ranges.at[i], &known);
        w->b = &within;
        put_steps(w, form, known, &ranges.at[i], &text);
        w->b = all;
    }
    w->is_aligned = false;
    return text_get(&text);
}

static const char *along(Writer *w, const GemvForm *form, int product) {
    Text text = text_new(w->arena);
    Fills fills = {0};
    const Fill own[] = {{"steps", steps(w, form, wide_operand(w, form, product))},
                        {"SUMS", sums_of(w, product)},
                        {"AT_ONCE", arena_printf(w->arena, "%d", w->tile->rows)}};
    FILLS_ADD(w->arena, &fills, own);
    add_types(w, &fills);
    template_fill("c/gemv_along.c", fills.at, fills.count, &text);
    return text_get(&text);
}

static const char *products(Writer *w, const GemvForm *form) {
    Text text = text_new(w->arena);
    for (int i = 0; i < w->b->dots; i++)
        text_str(&text, form->is_across[i] ? across(w, form, i) : along(w, form, i));
    return text_get(&text);
}

/* ---- results --------------------------------------------------------------------------------- */

static const char *finish(Writer *w, const GemvForm *form) {
    const Body *b = w->b;
    Text text = c_piece(w, PIECE_RESULTS, 0, form->wide), *out = w->out;
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
    Fills fills = {0};
    w->used.packed = true;
    const char *packing = pack(w, &form), *nests = products(w, &form), *results = finish(w, &form);
    const Fill own[] = {
        {"ELEMENT", storage_type(sum_type(w))},
        {"FEW", arena_printf(w->arena, "%d", form.count)},
        {"STRIPS", strips(w, "fx_strips_of")},
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
    add_axes(w, &form, &fills);
    template_fill("c/gemv.c", fills.at, fills.count, body);
}
