/* gemv_steps.c: the loop along k of a contraction with few rows or columns: its steps, each of a
 * vector of k, where the wide operand is contiguous along it.
 * In: the Writer in a body with such a tile. Out: text. */
#include "emit/c/gemv.h"

/* The loop over the vectors of a range of k, NULL: of all of it, where the last may be shorter. */
static const char *loop_text(const Writer *w, const Gemv *gemv, const CRange *range) {
    const char *k = gemv->pairs || gemv->turns ? "k_at" : w->axis_name[DOT_K];
    const char *step = arena_printf(w->arena, "%s%sVL", gemv->turns ? "2 * " : "",
                                    gemv->pairs ? "FX_PARTS * " : "");
    if (w->tile->block && !range)
        return arena_printf(w->arena, "EACH_VECTOR_FROM(%s, lanes, k_block, k_end)", k);
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

/* Positions of k in a step, at most. */
static int step_of(const Gemv *gemv) {
    return (gemv->pairs ? PAIRS_STEP : PAIRS_STEP / 2) * (gemv->turns ? 2 : 1);
}

/* Numbers of 4 bits of bytes that follow each other, if the rest is the same in a whole step. */
static CNibbles loaded_nibbles(const Writer *w, const Gemv *gemv, int root) {
    const CNibbles none = {0}, n = c_nibbles(w, root, step_of(gemv));
    return n.value && is_load_along_k(w, &w->b->values.at[n.bytes]) ? n : none;
}

/* The text of the wide operand at a step, after what it is computed from is declared. `*whole`: it
 * is FX_PARTS vectors. */
static const char *wide_text(Writer *w, const Gemv *gemv, int root, const CRange *range,
                             bool *whole) {
    const char *here = w->axis_name[DOT_K];
    CNibbles nibbles = {0};
    if (range && (gemv->pairs || gemv->turns)) nibbles = loaded_nibbles(w, gemv, root);
    *whole = nibbles.value;
    if (*whole) {
        const char *at = gemv_address_at(w, &w->b->values.at[nibbles.bytes], "k_at");
        w->axis_name[DOT_K] = "k_at";
        const char *x = c_nibbles_at(w, root, nibbles, gemv->pairs, gemv->turns, at);
        w->axis_name[DOT_K] = here;
        return x;
    }
    if (range) nibbles = c_nibbles(w, root, PAIRS_STEP / 2);
    if (nibbles.value) return c_at_nibbles(w, root, nibbles);
    declare_value(w, root);
    const char *x = value_text(w, root);
    return range ? x
                 : arena_printf(w->arena, "keep_%s(%s, lanes, 0)", reg_suffix(gemv_sum_type(w)), x);
}

/* A row of a group: the last one again for those beyond it, unless groups are whole: strips are
 * multiples of 16. */
static const char *row_text(const Writer *w, const Gemv *gemv) {
    int64_t rows;
    const Dim extent = w->b->indices->extent[gemv->form.wide];
    const bool is_whole = 16 % w->tile->rows == 0 &&
                          dim_is_const(w->b->indices->dims, extent, &rows) &&
                          rows % w->tile->rows == 0;
    return is_whole ? "group + row" : "group + row < end ? group + row : end - 1";
}

static bool in_one_register(const Writer *w) { return dtype_size(gemv_sum_type(w)) == 4; }

/* Narrow rows up to which parts that need no rounding are joined without it: that permutes, and
 * takes turns with products. One row of bf16 times 4096 x 4096 of i8 took 0.61 ms where rounding
 * took 0.78 (Zen 4), eight rows 1.61 and 1.39. */
enum { JOINED_MOST = 4 };

/* A step: the products of a vector of k, in a phase. */
static void put_step(Writer *w, const Gemv *gemv, int rounded, const CRange *range, int phase,
                     const char *ahead, Text *text) {
    Fills fills = {0};
    Text lines = text_new(w->arena), *out = w->out;
    const int root = gemv->pairs ? gemv_before_rounding(w->b, rounded) : rounded;
    const bool direct = gemv->pairs && root == rounded && /* else memory is not of bf16 */
                        is_load_along_k(w, &w->b->values.at[root]);
    bool whole;
    w->out = &lines;
    w->lanes = range ? "VL" : "lanes";
    count_uses(w);
    const char *x = wide_text(w, gemv, root, range, &whole);
    const Value *v = &w->b->values.at[root];
    const bool has_time = v->kind != V_LOAD || w->tile->block; /* memory is not what it waits for */
    const bool is_kept = !gemv->pairs && has_time && in_one_register(w);
    const Fill own[] = {{"operand", text_get(&lines)},
                        {"ahead", ahead},
                        {"X", gemv_as_sum(w, x)},
                        {"AT", gemv_narrow_at(w, gemv, phase, "few")},
                        {"ROWS", fresh(w, "wide")},
                        {"ROW", row_text(w, gemv)},
                        {"DIRECT", direct ? "yes" : ""},
                        {"KEPT", is_kept ? "yes" : ""},
                        {"COMPUTED", gemv->pairs && !direct && !whole ? "yes" : ""},
                        {"WHOLE", !gemv->pairs || whole ? "yes" : ""},
                        {"ADDRESS", direct ? gemv_address_at(w, v, "k_at") : ""},
                        {"AT_ONCE", arena_printf(w->arena, "%d", w->tile->rows)}};
    FILLS_ADD(w->arena, &fills, own);
    gemv_add_pairs(w, gemv->pairs, root != rounded || gemv->form.count > JOINED_MOST, &fills);
    gemv_add_types(w, &fills);
    gemv_add_axes(w, gemv, &fills);
    template_fill("c/gemv_step.c", fills.at, fills.count, text);
    drop_unused(text);
    w->out = out;
}

static const char *ahead_of(Writer *w, const Gemv *gemv, const char *already) {
    return gemv_ahead(w, gemv, gemv->form.wide, w->tile->rows, already);
}

static void put_steps(const Writer *w, const Gemv *gemv, const CRange *range, const Text *step,
                      Text *text) {
    const Fill own[] = {{"STEPS", loop_text(w, gemv, range)},
                        {"TURNS", gemv->turns ? "yes" : ""},
                        {"ONCE", gemv->turns ? "" : "yes"},
                        {"step", text_get(step)}};
    TEMPLATE_FILL("c/gemv_steps.c", own, text);
}

/* ---- phases ---------------------------------------------------------------------------------- */

/* Vectors of the narrow operand that stay in registers beside the rest. */
enum { FACTORS_MOST = 4 };

/* In a phase, the products of a vector of one row; false: its parts are joined. */
static bool put_row(Writer *w, const Gemv *gemv, int rounded, const CRange *range, int phase,
                    Text *factors, Text *rows) {
    Fills fills = {0};
    Text lines = text_new(w->arena), *out = w->out;
    const int root = gemv->pairs ? gemv_before_rounding(w->b, rounded) : rounded;
    bool whole;
    w->out = &lines;
    w->lanes = "VL";
    count_uses(w);
    const char *x = wide_text(w, gemv, root, range, &whole), *name = fresh(w, "factors");
    const char *turns = gemv->turns ? "[2]" : "", *half = gemv->turns ? "[half]" : "";
    const char *each =
        gemv->turns ? "EACH_OF(half, 2) EACH_OF(few, NARROW)" : "EACH_OF(few, NARROW)";
    const Fill own[] = {{"operand", text_get(&lines)},
                        {"X", gemv_as_sum(w, x)},
                        {"AT", gemv_narrow_at(w, gemv, phase, "few")},
                        {"FACTORS", arena_printf(w->arena, "%s%s[NARROW]", name, turns)},
                        {"FACTOR", arena_printf(w->arena, "%s%s[few]", name, half)},
                        {"EACH_ONE", each},
                        {"KEPT", in_one_register(w) ? "yes" : ""},
                        {"ROW", fresh(w, "wide")}};
    FILLS_ADD(w->arena, &fills, own);
    gemv_add_pairs(w, gemv->pairs, root != rounded, &fills);
    gemv_add_types(w, &fills);
    template_fill("c/gemv_factors.c", fills.at, fills.count, factors);
    template_fill("c/gemv_row.c", fills.at, fills.count, rows);
    w->out = out;
    return whole || !gemv->pairs;
}

/* Row by row: the vectors of the narrow operand for all phases stay in registers. */
static bool put_by_row(Writer *w, const Gemv *gemv, int root, Text *text) {
    const Body *all = w->b;
    Text factors = text_new(w->arena), rows = text_new(w->arena), ahead = text_new(w->arena);
    CRange range = {0};
    const int factors_of_step = gemv->form.count * (int)gemv->phases.count * (gemv->turns ? 2 : 1);
    bool good = factors_of_step <= FACTORS_MOST;
    for (int phase = 0; phase < gemv->phases.count && good; phase++) {
        int known = root;
        const Body within = c_body_of_phase(w, DOT_K, gemv->phases, phase, &known);
        w->b = &within;
        dim_is_const(within.indices->dims, within.indices->extent[DOT_K], &range.to);
        good = put_row(w, gemv, known, &range, phase, &factors, &rows);
        text_str(&ahead, ahead_of(w, gemv, text_get(&ahead)));
        w->b = all;
    }
    const Fill own[] = {{"STEPS", loop_text(w, gemv, &range)},
                        {"AT_ONCE", arena_printf(w->arena, "%d", w->tile->rows)},
                        {"WIDE", w->axis_name[gemv->form.wide]},
                        {"ROW", row_text(w, gemv)},
                        {"TURNS", gemv->turns ? "yes" : ""},
                        {"ONCE", gemv->turns ? "" : "yes"},
                        {"ahead", text_get(&ahead)},
                        {"factors", text_get(&factors)},
                        {"rows", text_get(&rows)}};
    if (good) TEMPLATE_FILL("c/gemv_by_row.c", own, text);
    return good;
}

/* Phase by phase in one loop: they have loads in common. */
static void put_phases(Writer *w, const Gemv *gemv, int root, Text *text) {
    const Body *all = w->b;
    Text step = text_new(w->arena), ahead = text_new(w->arena);
    CRange range = {0};
    for (int phase = 0; phase < gemv->phases.count; phase++) {
        int known = root;
        const Body within = c_body_of_phase(w, DOT_K, gemv->phases, phase, &known);
        w->b = &within;
        dim_is_const(within.indices->dims, within.indices->extent[DOT_K], &range.to);
        const char *lines = ahead_of(w, gemv, text_get(&ahead));
        put_step(w, gemv, known, &range, phase, lines, &step);
        text_str(&ahead, lines);
        w->b = all;
    }
    put_steps(w, gemv, &range, &step, text);
}

/* Range by range, if the conditions on k are known in each. */
static void put_ranges(Writer *w, const Gemv *gemv, int root, Text *text) {
    const CRanges ranges = c_ranges(w, DOT_K);
    const Body *all = w->b;
    for (int i = 0; i < (ranges.count ? ranges.count : 1); i++) {
        const CRange *range = ranges.count ? &ranges.at[i] : NULL;
        Text step = text_new(w->arena);
        int known = root;
        Body within = *all;
        if (range) within = c_body_within(w, DOT_K, *range, &known);
        w->b = &within;
        put_step(w, gemv, known, range, 0, ahead_of(w, gemv, ""), &step);
        w->b = all;
        put_steps(w, gemv, range, &step, text);
    }
}

/* Do two vectors that follow each other, in each phase, differ in loaded numbers of 4 bits alone?
 */
bool gemv_has_turns(Writer *w, const Gemv *gemv, int value) {
    const Body *all = w->b;
    bool good = true;
    c_piece(w, PIECE_OPERAND, value, DOT_K);
    w->is_aligned = true;
    for (int phase = 0; phase < gemv->phases.count && good; phase++) {
        int root = gemv_root_of(w, value);
        int64_t k;
        const Body within = c_body_of_phase(w, DOT_K, gemv->phases, phase, &root);
        w->b = &within;
        if (gemv->pairs) root = gemv_before_rounding(&within, root);
        good = dim_is_const(within.indices->dims, within.indices->extent[DOT_K], &k) &&
               k % step_of(gemv) == 0 && loaded_nibbles(w, gemv, root).value;
        w->b = all;
    }
    w->is_aligned = false;
    return good;
}

const char *gemv_steps(Writer *w, const Gemv *gemv, int value) {
    const int root = gemv_root_of(w, value);
    Text text = c_piece(w, PIECE_OPERAND, value, DOT_K);
    w->is_aligned = true;
    if (gemv->phases.count == 1)
        put_ranges(w, gemv, root, &text);
    else if (!put_by_row(w, gemv, root, &text))
        put_phases(w, gemv, root, &text);
    w->is_aligned = false;
    return text_get(&text);
}
