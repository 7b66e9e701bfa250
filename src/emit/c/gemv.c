/* gemv.c: contractions with few rows or columns as C: the narrow operand is packed, the wide one
 * evaluated where it is multiplied, through templates/c/gemv.c and its parts.
 * In: Kernel of family F_DOT, tiles of kind TILE_C_GEMV. Out: the body of the function, and the
 * bytes of its memory. */
#include "emit/c/gemv.h"

#include <string.h>

static GemvForm form_of(const Writer *w) {
    GemvForm form;
    if (!gemv_form(w->b, &form)) BUG("emit: no gemv");
    return form;
}

Dtype gemv_sum_type(const Writer *w) { return dtype_compute(w->b->accs.at[0].type); }

static bool is_batched(const Writer *w) {
    return !dim_is(w->b->indices->dims, w->b->indices->extent[DOT_BATCH], 1);
}

/* Narrow rows that are packed: whole parts. */
static int all_packed(const GemvForm *form) {
    return (form->all + form->count - 1) / form->count * form->count;
}

static bool has_parts(const GemvForm *form) { return form->all != form->count; }

/* fx_strips_of or fx_strips_bytes */
static const char *strips(const Writer *w, const char *name) {
    const GemvForm form = form_of(w);
    return arena_printf(w->arena, "%s(%d, %d, %s, %d, %s, %s, %d, %zu)", name, w->tile->n,
                        w->tile->parallel, c_size(w, DOT_BATCH), all_packed(&form),
                        c_size(w, form.wide), c_size(w, DOT_K), w->b->dots,
                        dtype_size(gemv_sum_type(w)));
}

const char *c_gemv_packed(const Writer *w) { return strips(w, "fx_strips_bytes"); }

/* ---- pairs of bf16 --------------------------------------------------------------------------- */

int gemv_root_of(const Writer *w, int value) {
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

/* Phases that all products have in common. */
static CPhases phases_of(Writer *w, const GemvForm *form) {
    CPhases phases = {.count = 1};
    for (int i = 0; i < w->b->dots; i++) {
        const CPhases own = form->is_across[i] || w->tile->block
                                ? (CPhases){.count = 1}
                                : c_phases(w, wide_operand(w, form, i), DOT_K);
        if (i && (own.count != phases.count || own.run != phases.run)) return (CPhases){.count = 1};
        phases = own;
    }
    return phases;
}

/* Are k, and its ranges in operands that are read along it, whole pairs of vectors? */
static bool has_whole_pairs(Writer *w, const GemvForm *form, CPhases phases) {
    int64_t k;
    if (!dim_is_const(w->b->indices->dims, w->b->indices->extent[DOT_K], &k) || k % PAIRS_STEP)
        return false;
    if (phases.count > 1) return true;
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
int gemv_before_rounding(const Body *b, int value) {
    const Value *v = &b->values.at[value];
    const bool rounds = v->kind == V_CAST && v->operand == T_F32 && v->type == T_BF16;
    return rounds ? v->src[0] : value;
}

void gemv_add_pairs(const Writer *w, bool pairs, bool rounds, Fills *fills) {
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

/* Where the narrow operand has the vector at k, in a phase. */
const char *gemv_narrow_at(const Writer *w, const Gemv *gemv, int phase, const char *few) {
    const char *k = gemv->turns && gemv->pairs ? "(k_at / FX_PARTS + half * VL)"
                    : gemv->turns              ? "(k_at + half * VL)"
                    : gemv->pairs              ? "k_at / FX_PARTS"
                                               : w->axis_name[DOT_K];
    const int phases = (int)gemv->phases.count;
    if (has_narrow_rows(w, gemv)) return arena_printf(w->arena, "%s * narrow_row + %s", few, k);
    if (has_parts(&gemv->form))
        return arena_printf(w->arena, "few_from * narrow_row + %s * NARROW + %s * VL", k, few);
    if (phases == 1) return arena_printf(w->arena, "%s * NARROW + %s * VL", k, few);
    const char *turn = arena_printf(w->arena, "%s * (%d * NARROW)", k, phases);
    if (!phase) return arena_printf(w->arena, "%s + %s * VL", turn, few);
    if (phase == 1) return arena_printf(w->arena, "%s + (NARROW + %s) * VL", turn, few);
    return arena_printf(w->arena, "%s + (%d * NARROW + %s) * VL", turn, phase, few);
}

/* ---- operands -------------------------------------------------------------------------------- */

/* What is declared for a vector of the operand along the lane axis, which is whole and starts at a
 * multiple of VL if `is_aligned`; `*x` is its text. */
static const char *operand(Writer *w, int value, int root, int lane, bool is_aligned,
                           const char **x) {
    Text text = c_piece(w, PIECE_OPERAND, value, lane), *out = w->out;
    w->out = &text;
    w->is_aligned = is_aligned;
    if (is_aligned) w->lanes = "VL";
    declare_value(w, root);
    *x = value_text(w, root);
    w->is_aligned = false;
    w->out = out;
    return text_get(&text);
}

/* The registers of sums: those of integers wrap, so they are unsigned. */
static const char *sum_register(const Writer *w) {
    const char *type = reg_suffix(gemv_sum_type(w));
    return dtype_is_float(gemv_sum_type(w)) ? type : arena_printf(w->arena, "u%s", type + 1);
}

static const char *zero_text(const Writer *w) {
    return arena_printf(w->arena, "(%s){0}", sum_register(w));
}

/* Registers, and functions on them. */
void gemv_add_types(const Writer *w, Fills *fills) {
    const bool is_whole = !dtype_is_float(gemv_sum_type(w));
    const char *type = reg_suffix(gemv_sum_type(w)), *reg = sum_register(w);
    const char *as = is_whole ? arena_printf(w->arena, "(%s)", reg) : "";
    const char *back = is_whole ? arena_printf(w->arena, "(%s)", type) : "";
    const Fill own[] = {
        {"REG", reg},
        {"LOAD", arena_printf(w->arena, "%sld_%s", as, type)},
        {"STORE", arena_printf(w->arena, "st_%s", type)},
        {"KEEP", arena_printf(w->arena, "keep_%s", type)},
        {"ADD_UP", arena_printf(w->arena, "sum_lanes_%s(%srow_sums[row][few])", type, back)},
        {"RESULTS", arena_printf(w->arena, "%ssums_of_lanes_%s(square)", back, reg)},
        {"RESULT", arena_printf(w->arena, "%ssum[few]", back)},
    };
    FILLS_ADD(w->arena, fills, own);
}

/* The text of a value as a register of sums. */
const char *gemv_as_sum(const Writer *w, const char *x) {
    if (dtype_is_float(gemv_sum_type(w))) return x;
    return arena_printf(w->arena, "(u%s)(%s)", reg_suffix(gemv_sum_type(w)) + 1, x);
}

void gemv_add_axes(const Writer *w, const Gemv *gemv, Fills *fills) {
    const Fill own[] = {
        {"WIDE", w->axis_name[gemv->form.wide]},
        {"FEW_AXIS", w->axis_name[gemv->form.narrow]},
        {"K_AXIS", w->axis_name[DOT_K]},
        {"K_SIZE", c_size(w, DOT_K)},
    };
    FILLS_ADD(w->arena, fills, own);
}

static void add_parts(const Writer *w, const Gemv *gemv, Fills *fills) {
    const bool parts = has_parts(&gemv->form);
    const Fill own[] = {
        {"PARTS", parts ? "yes" : ""},
        {"ALL_FEW", parts ? arena_printf(w->arena, "%d", gemv->form.all) : "NARROW"}};
    FILLS_ADD(w->arena, fills, own);
}

/* The number of a narrow row within those that are packed at a time. */
static const char *of_part(const Writer *w, const Gemv *gemv) {
    return has_parts(&gemv->form) ? "few" : w->axis_name[gemv->form.narrow];
}

/* Packs the narrow operand, or those of its elements that a phase of k has. */
static void put_pack(Writer *w, const Gemv *gemv, int phase, int value, int rounded, Text *text) {
    Fills fills = {0};
    const int root = gemv->pairs ? gemv_before_rounding(w->b, rounded) : rounded;
    const char *x, *lines;
    lines = operand(w, value, root, DOT_K, gemv->pairs || gemv->phases.count > 1, &x);
    const Fill own[] = {{"operand", lines},
                        {"X", x},
                        {"AT", gemv_narrow_at(w, gemv, phase, of_part(w, gemv))},
                        {"OF_PART", of_part(w, gemv)},
                        {"TURN", gemv->pairs ? "FX_PARTS * VL" : "VL"},
                        {"TURNS", gemv->turns ? "yes" : ""},
                        {"ONCE", gemv->turns ? "" : "yes"}};
    FILLS_ADD(w->arena, &fills, own);
    gemv_add_pairs(w, gemv->pairs, root != rounded, &fills);
    gemv_add_types(w, &fills);
    gemv_add_axes(w, gemv, &fills);
    add_parts(w, gemv, &fills);
    template_fill("c/gemv_pack.c", fills.at, fills.count, text);
    drop_unused(text);
}

static const char *pack(Writer *w, const Gemv *gemv) {
    const Accumulator *a = &w->b->accs.at[0];
    const int value = gemv->form.narrow == DOT_M ? a->value : a->index;
    const Body *all = w->b;
    Text text = text_new(w->arena);
    for (int phase = 0; phase < gemv->phases.count; phase++) {
        int root = gemv_root_of(w, value);
        if (gemv->phases.count == 1) {
            put_pack(w, gemv, phase, value, root, &text);
            continue;
        }
        const Body within = c_body_of_phase(w, DOT_K, gemv->phases, phase, &root);
        w->b = &within;
        put_pack(w, gemv, phase, value, root, &text);
        w->b = all;
    }
    return text_get(&text);
}

static const char *sums_of(const Writer *w, const Gemv *gemv, int product) {
    const char *all =
        has_parts(&gemv->form) ? arena_printf(w->arena, "%d", all_packed(&gemv->form)) : "NARROW";
    if (!product) return "sums";
    return arena_printf(w->arena, "(sums + %d * %s * cut.n)", product, all);
}

/* The address of the elements at `k`. */
const char *gemv_address_at(Writer *w, const Value *v, const char *k) {
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

/* Elements that a group of k shares are in a new cache line only now and then. */
static const char *when_new_line(const Writer *w, const Value *v, const char *k) {
    const bool is_shared = c_is_in_lanes(w) && c_is_of_group(w, v->ix, PAIRS_STEP / 2);
    const int64_t group = is_shared ? c_group_of(w, v->ix) : 0;
    if (!group) return "";
    return arena_printf(w->arena, "if (%s %% %lld == 0) ", k,
                        (long long)group * 64 / (int64_t)dtype_size(v->type));
}

/* Prefetches into L2 what is read at the same place `distance` rows (of the wide operand, or of k)
 * further: the processor's own prefetcher starts anew with each row, and stops at the end of a
 * page. L1 has the narrow operand, and lines of rows at a distance of pages share a set of it. What
 * is in L2 is prefetched for several narrow rows along k only; a single row of f32 across k leaves
 * the processor's own prefetcher time enough. */
const char *gemv_ahead(Writer *w, const Gemv *gemv, int axis, int distance, const char *already) {
    const char *here = w->axis_name[axis];
    Text lines = text_new(w->arena);
    int loads = 0, large = 0;
    w->axis_name[axis] = arena_printf(w->arena, "(%s + %d)", here, distance);
    for (int i = 1; i < w->b->values.count; i++) {
        const Value *v = &w->b->values.at[i];
        const char *k =
            (gemv->pairs || gemv->turns) && axis != DOT_K ? "k_at" : w->axis_name[DOT_K];
        if (!w->s->value[i].used || !is_read_by_rows(w, gemv, v)) continue;
        const char *line = arena_printf(w->arena, "%s__builtin_prefetch(%s, 0, 2);\n",
                                        when_new_line(w, v, k), gemv_address_at(w, v, k));
        if (!strstr(already, line)) text_str(&lines, line);
        loads++;
        large += !c_is_in_l2(w, v->attr);
    }
    w->axis_name[axis] = here;
    const bool is_along = axis != DOT_K, has_time = loads > 1 || gemv->form.count > 1;
    const bool pays = is_along ? large || has_time : large && (gemv->pairs || has_time);
    return pays ? text_get(&lines) : "";
}

/* Is the loop over the rows of a whole pass unrolled? Then the elements of a few narrow rows stay
 * in registers. One thread of a Zen 5, f32, rows times 4096 x 4096, us:
 *
 *     rows          1      3      4      5      6      8
 *     loop       2240   1520   2720   2730   2330   2010
 *     unrolled   1320   1560   1710   1790   1970   2240 */
static bool unrolls_passes(const Gemv *gemv) {
    enum { MOST = 6 };
    return !gemv->pairs && gemv->form.count <= MOST;
}

static bool are_passes_whole(const Writer *w, int depth) {
    Dims *d = w->b->indices->dims;
    return dim_divides(d, dim_const(d, depth), w->b->indices->extent[DOT_K]);
}

static const char *across(Writer *w, const Gemv *gemv, int product) {
    Text text = text_new(w->arena);
    Fills fills = {0};
    const int value = wide_operand(w, &gemv->form, product);
    const char *x, *lines = operand(w, value, gemv_root_of(w, value), gemv->form.wide, false, &x);
    const int depth = w->tile->k + (gemv->pairs ? w->tile->k % 2 : 0);
    const bool is_unrolled = unrolls_passes(gemv);
    const bool has_ends = !is_unrolled || !are_passes_whole(w, depth);
    const bool has_both = is_unrolled && has_ends;
    const Fill own[] = {
        {"operand", lines},
        {"WHOLE", is_unrolled ? "yes" : ""},
        {"CUT", has_ends && !gemv->pairs ? "yes" : ""},
        {"IF_WHOLE", has_both ? arena_printf(w->arena, "if (k_end - k_first == %d)", depth) : ""},
        {"IF_CUT", has_both ? "else" : ""},
        {"ENDS", has_ends ? "yes" : ""},
        {"ahead", gemv_ahead(w, gemv, DOT_K, depth, "")},
        {"X", gemv_as_sum(w, x)},
        {"SUMS", sums_of(w, gemv, product)},
        {"DEPTH", arena_printf(w->arena, "%d", depth)}};
    FILLS_ADD(w->arena, &fills, own);
    gemv_add_pairs(w, gemv->pairs, false, &fills);
    gemv_add_types(w, &fills);
    gemv_add_axes(w, gemv, &fills);
    template_fill("c/gemv_across.c", fills.at, fills.count, &text);
    return text_get(&text);
}

/* Wide rows, in whole groups and squares of lanes, whose sums stay in L2, or L1. */
static int strip_rows(const Writer *w, const Gemv *gemv) {
    enum { LANES_MOST = 16, SUMS = 2048, ROWS = 128 };
    const int rows = w->tile->rows, fit = SUMS / all_packed(&gemv->form);
    int step = LANES_MOST;
    while (step % rows) step += LANES_MOST;
    const int most = fit < ROWS ? fit : ROWS;
    return w->tile->block && most > step ? most / step * step : step;
}

static const char *along(Writer *w, const Gemv *gemv, int product) {
    Text text = text_new(w->arena);
    Fills fills = {0};
    const bool parts = has_parts(&gemv->form);
    const char *all = parts ? arena_printf(w->arena, "%d", all_packed(&gemv->form)) : "NARROW";
    const char *of_part = parts ? "few_from + few" : "few", *zero = zero_text(w);
    const char *before = arena_printf(w->arena, "k_block ? of_group[row][%s] : %s", of_part, zero);
    const bool in_squares = dtype_size(gemv_sum_type(w)) == 4;
    const Fill own[] = {{"steps", gemv_steps(w, gemv, wide_operand(w, &gemv->form, product))},
                        {"SUMS", sums_of(w, gemv, product)},
                        {"BLOCKED", w->tile->block ? "yes" : ""},
                        {"BEFORE", w->tile->block ? before : zero},
                        {"SQUARES", in_squares ? "yes" : ""},
                        {"ONE_BY_ONE", in_squares ? "" : "yes"},
                        {"K_BLOCK", arena_printf(w->arena, "%d", w->tile->block)},
                        {"STRIP", arena_printf(w->arena, "%d", strip_rows(w, gemv))},
                        {"ALL", all},
                        {"OF_PART", of_part},
                        {"AT_ONCE", arena_printf(w->arena, "%d", w->tile->rows)}};
    FILLS_ADD(w->arena, &fills, own);
    gemv_add_types(w, &fills);
    gemv_add_axes(w, gemv, &fills);
    add_parts(w, gemv, &fills);
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
    w->sums_each = has_parts(&gemv->form)
                       ? arena_printf(w->arena, "%d * cut.n", all_packed(&gemv->form))
                       : "NARROW * cut.n";
    for (int i = 0; i < b->stores.count; i++) declare_value(w, b->stores.at[i].value);
    for (int i = 0; i < b->stores.count; i++) c_store(w, &b->stores.at[i], "st");
    w->out = out;
    return text_get(&text);
}

/* ---- the function ---------------------------------------------------------------------------- */

void c_gemv(Writer *w, Text *body) {
    const GemvForm form = form_of(w);
    const CPhases phases = phases_of(w, &form);
    Gemv gemv = {form, is_bf16(w) && has_whole_pairs(w, &form, phases), phases, phases.count > 1};
    for (int i = 0; i < w->b->dots && gemv.turns; i++)
        gemv.turns = gemv_has_turns(w, &gemv, wide_operand(w, &form, i));
    Fills fills = {0};
    w->used.packed = true;
    const char *packing = pack(w, &gemv), *nests = products(w, &gemv), *results = finish(w, &gemv);
    const Fill own[] = {
        {"ELEMENT", storage_type(gemv_sum_type(w))},
        {"FEW", arena_printf(w->arena, "%d", form.count)},
        {"STRIPS", strips(w, "fx_strips_of")},
        {"ROWS", has_narrow_rows(w, &gemv) || has_parts(&form) ? "yes" : ""},
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
    gemv_add_axes(w, &gemv, &fills);
    add_parts(w, &gemv, &fills);
    template_fill("c/gemv.c", fills.at, fills.count, body);
}
