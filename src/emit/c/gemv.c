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
static void add_types(const Writer *w, bool is_pack, Fills *fills) {
    const bool is_whole = !dtype_is_float(sum_type(w));
    const char *type = reg_suffix(sum_type(w));
    const char *reg = is_whole ? arena_printf(w->arena, "u%s", type + 1) : type;
    const char *as = is_whole ? arena_printf(w->arena, "(%s)", reg) : "";
    const char *back = is_whole ? arena_printf(w->arena, "(%s)", type) : "";
    const Fill own[] = {
        {"REG", reg},
        {"LOAD", arena_printf(w->arena, "%sld_%s", as, type)},
        {"STORE", arena_printf(w->arena, "st_%s", type)},
        {"KEEP", arena_printf(w->arena, "%skeep_%s", is_pack ? "" : as, type)},
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
    add_types(w, true, &fills);
    add_axes(w, form, &fills);
    template_fill("c/gemv_pack.c", fills.at, fills.count, &text);
    return text_get(&text);
}

static const char *sums_of(const Writer *w, int product) {
    if (!product) return "sums";
    return arena_printf(w->arena, "(sums + %d * NARROW * cut.n)", product);
}

static const char *products(Writer *w, const GemvForm *form) {
    Text text = text_new(w->arena);
    for (int i = 0; i < w->b->dots; i++) {
        const Accumulator *a = &w->b->accs.at[i];
        Fills fills = {0};
        const char *x, *lines = operand(w, form->wide == DOT_M ? a->value : a->index,
                                        form->is_across[i] ? form->wide : DOT_K, &x);
        const Fill own[] = {{"operand", lines},
                            {"X", form->is_across[i] ? as_sum(w, x) : x},
                            {"SUMS", sums_of(w, i)},
                            {"AT_ONCE", arena_printf(w->arena, "%d", w->tile->rows)},
                            {"DEPTH", arena_printf(w->arena, "%d", w->tile->k)}};
        FILLS_ADD(w->arena, &fills, own);
        add_types(w, false, &fills);
        add_axes(w, form, &fills);
        template_fill(form->is_across[i] ? "c/gemv_across.c" : "c/gemv_along.c", fills.at,
                      fills.count, &text);
    }
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
