/* schedules.c: the schedules that follow from a tile, before emission.
 * In: a body of a Kernel, its Tile. Out: a BodySchedule: stages, pieces, or both. */
#include "kernel/tile/tile.h"

typedef struct Pieces {
    const Body *b;
    Arena *arena;
    Vec(Piece) all;
} Pieces;

static const int *copied(const Pieces *p, const int *values, int count) {
    int *copy = arena_array(p->arena, int, count + 1);
    for (int i = 0; i < count; i++) copy[i] = values[i];
    return copy;
}

static void add_piece(Pieces *p, const char *title, Piece piece) {
    piece.title = title;
    piece.roots = copied(p, piece.roots, piece.count);
    piece.given = copied(p, piece.given, piece.given_count);
    piece.schedule = schedule_piece(p->b, &piece, -1, p->arena);
    vec_push(p->arena, &p->all, piece);
}

static void add_value(Pieces *p, PieceRole role, const char *title, int root, const int *given,
                      int count) {
    add_piece(
        p, title,
        (Piece){.role = role, .roots = &root, .count = 1, .given = given, .given_count = count});
}

static void add_operand(Pieces *p, const char *title, int value, int root) {
    add_piece(p, title,
              (Piece){.role = PIECE_OPERAND, .operand = value, .roots = &root, .count = 1});
}

static void add_stores(Pieces *p, PieceRole role, const char *title) {
    const Body *b = p->b;
    int *roots = arena_array(p->arena, int, b->stores.count + 1), count = 0;
    for (int i = 0; i < b->stores.count; i++)
        if (b->stores.at[i].of_row == (role == PIECE_ROWS)) roots[count++] = b->stores.at[i].value;
    add_piece(p, title, (Piece){.role = role, .roots = roots, .count = count});
}

/* ---- contractions ---------------------------------------------------------------------------- */

/* The value before a conversion that is left to what reads it: the store to shared memory, or the
 * loop that reads panels which are packed once. */
static int operand_root(const Kernel *k, const Body *b, int value, int panels, Dtype type) {
    const Value *v = &b->values.at[value];
    if (!panels) return value_unrounded(b, value, type);
    const Dtype packed = k->buffers.at[panels - 1].type;
    return v->kind == V_CAST && dtype_compute(packed) != dtype_compute(v->type) ? v->src[0] : value;
}

static void add_factors(Pieces *p, PieceRole role, const char *title, const FactorList *f) {
    add_piece(p, title, (Piece){.role = role, .roots = f->value, .count = f->count});
}

/* What is added up of each block. */
static void add_blocks(Pieces *p, const Tile *t) {
    const BlockFactors f = block_factors(p->b, t);
    int given[2 * BLOCK_FACTORS + 1] = {p->b->blocks.part}, count = 1;
    for (int i = 0; i < f.of_row.count; i++) given[count++] = f.of_row.value[i];
    for (int i = 0; i < f.of_column.count; i++) given[count++] = f.of_column.value[i];
    add_factors(p, PIECE_ROW_FACTORS, "factors of a row", &f.of_row);
    if (f.of_column.count)
        add_factors(p, PIECE_COLUMN_FACTORS, "factors of a column", &f.of_column);
    add_value(p, PIECE_BLOCK, "block", p->b->blocks.term, given, count);
}

/* `type`: in which tensor cores multiply them from shared memory, or T_NONE. */
static void add_contraction(Pieces *p, const Kernel *k, Dtype type) {
    const Body *b = p->b;
    const Accumulator *first = &b->accs.at[0];
    add_operand(p, "left operand", first->value,
                operand_root(k, b, first->value, first->panels[0], type));
    for (int i = 0; i < b->dots; i++) {
        const Accumulator *a = &b->accs.at[i];
        add_operand(p, arena_printf(p->arena, "right operand of acc %d", i), a->index,
                    operand_root(k, b, a->index, a->panels[1], type));
    }
    for (int i = 0; i < b->added.count; i++) {
        const Summand *s = &b->added.at[i];
        add_operand(p, arena_printf(p->arena, "left operand along i%d", s->axis), s->left,
                    operand_root(k, b, s->left, 0, type));
        for (int j = 0; j < b->dots; j++)
            add_operand(p, arena_printf(p->arena, "right operand of acc %d along i%d", j, s->axis),
                        s->right[j], operand_root(k, b, s->right[j], 0, type));
    }
    if (!body_has_rows(b)) add_stores(p, PIECE_RESULTS, "results");
}

/* ---- attentions ------------------------------------------------------------------------------ */

/* What tensor cores multiply is rounded as it is stored to shared memory, or packed in pairs. */
typedef struct AttentionTypes {
    Dtype scores, values;
} AttentionTypes;

static void add_queries_and_keys(Pieces *p, AttentionTypes types) {
    const Body *b = p->b;
    const AttentionValues *a = &b->attention;
    const Accumulator *scores = &b->accs.at[a->scores];
    add_operand(p, "queries", scores->value, value_unrounded(b, scores->value, types.scores));
    add_operand(p, "keys", scores->index, value_unrounded(b, scores->index, types.scores));
}

/* In C scores are memory, and so is each row's maximum. */
static void add_softmax_in_c(Pieces *p) {
    const AttentionValues *a = &p->b->attention;
    const int roots[] = {a->e, a->weights}, given[] = {a->x, a->shift};
    add_value(p, PIECE_SCORES, "scores", a->x, NULL, 0);
    if (a->unmasked != a->x)
        add_value(p, PIECE_UNMASKED, "scores where no mask changes one", a->unmasked, NULL, 0);
    add_value(p, PIECE_SHIFT, "shift", a->shift, NULL, 0);
    add_piece(p, "weights", (Piece){PIECE_WEIGHTS, 0, roots, 2, given, 2, NULL, NULL});
}

/* On a GPU all are registers. Tensor cores have tiles in which no mask changes a score, and rows of
 * which the maximum is known to be finite; warpgroups multiply scores late, where they may. */
static void add_softmax(Pieces *p, const Tile *t, AttentionTypes types) {
    const Body *b = p->b;
    const AttentionValues *a = &b->attention;
    const bool by_fma = t->kind == TILE_ATTENTION_FMA;
    const int exponent = b->values.at[a->e].src[0], max = b->accs.at[a->max].result;
    int scaled = 0;
    if (t->kind == TILE_ATTENTION_WGMMA) attention_scale(b, &scaled);
    const int of_scores[] = {b->accs.at[a->scores].result, scaled};
    const int of_exponents[] = {scaled ? b->values.at[exponent].src[0] : a->x, a->shift};
    /* Of where(max < MASKED, 0, shift). */
    const int shift = by_fma ? a->shift : b->values.at[a->shift].src[2];
    add_value(p, PIECE_SCORES, "scores", a->x, of_scores, scaled ? 2 : 1);
    if (!by_fma && a->unmasked != a->x)
        add_value(p, PIECE_UNMASKED, "scores where no mask changes one", a->unmasked, of_scores,
                  scaled ? 2 : 1);
    const int masked = !by_fma && !scaled ? attention_masked(b) : 0;
    if (masked) add_value(p, PIECE_MASKED, "masks of scores", a->x, &masked, 1);
    add_value(p, PIECE_SHIFT, "shift", shift, &max, 1);
    add_value(p, PIECE_EXPONENTS, "exponents", exponent, of_exponents, 2);
    add_value(p, PIECE_WEIGHTS, "weights", value_unrounded(b, a->weights, types.values), &a->e, 1);
}

static void add_attention(Pieces *p, const Tile *t, AttentionTypes types) {
    const Body *b = p->b;
    const int values = b->accs.at[b->attention.out].index;
    add_queries_and_keys(p, types);
    if (t->kind == TILE_C_ATTENTION)
        add_softmax_in_c(p);
    else
        add_softmax(p, t, types);
    add_operand(p, "values", values, value_unrounded(b, values, types.values));
    add_stores(p, PIECE_ROWS, "rows");
    add_stores(p, PIECE_RESULTS, "results");
}

/* ---- chains ---------------------------------------------------------------------------------- */

/* Pieces of weights, all or one, and of them where no mask changes one. */
typedef struct Weights {
    PieceRole role;
    const char *title, *clear_title;
    const int *roots;
    int count;
} Weights;

/* given: the first of `count` are what masked values are computed of; the array has room for a
 * mask. */
static void add_weights(Pieces *p, Weights w, int *given, int count, int mask) {
    add_piece(p, w.title, (Piece){w.role, 0, w.roots, w.count, given, count, NULL, NULL});
    if (!mask) return;
    given[count] = mask;
    add_piece(p, w.clear_title,
              (Piece){w.role, mask, w.roots, w.count, given, count + 1, NULL, NULL});
}

/* Warpgroups have tiles in which no mask changes a weight, loads of columns, and results whose
 * weights are computed first. */
static void add_all_weights(Pieces *p, const Tile *t, const Dtype *types) {
    const Body *b = p->b;
    const ChainValues *c = &b->chain;
    int roots[CHAIN_SCORES], given[CHAIN_SCORES + CHAIN_COLUMNS + 1], count = c->count;
    for (int i = 0; i < c->out_count; i++)
        roots[i] = value_unrounded(b, b->accs.at[c->outs[i]].value, types[c->outs[i]]);
    for (int i = 0; i < c->count; i++) given[i] = b->accs.at[c->scores[i]].result;
    const Weights all = {PIECE_WEIGHTS, "weights", "weights where no mask changes one", roots,
                         c->out_count};
    if (t->kind != TILE_CHAIN_WGMMA) {
        add_weights(p, all, given, count, 0);
        return;
    }
    const ChainColumns columns = chain_columns(b);
    for (int i = 0; i < columns.count; i++) given[count++] = columns.value[i];
    if (columns.count)
        add_piece(
            p, "loads for each column",
            (Piece){.role = PIECE_COLUMN_FACTORS, .roots = columns.value, .count = columns.count});
    int unmasked = 0;
    const int mask = chain_mask(b, &unmasked);
    if (mask) add_value(p, PIECE_UNMASKED, "what is masked", unmasked, given, count);
    add_weights(p, all, given, count, mask);
    const ChainSplit split = chain_split(b, types[c->outs[0]]);
    if (split.first < 0) return;
    const int *const first = &roots[split.first], *const second = &roots[!split.first];
    add_weights(p,
                (Weights){PIECE_FIRST_WEIGHTS, "first weights",
                          "first weights where no mask changes one", first, 1},
                given, count, mask);
    given[count++] = *first;
    add_weights(p, (Weights){PIECE_SECOND_WEIGHTS, "second weights", NULL, second, 1}, given, count,
                0);
}

/* `types`: by accumulator, in which tensor cores multiply its operands, or T_NONE. */
static void add_chain(Pieces *p, const Tile *t, const Dtype *types) {
    const Body *b = p->b;
    const ChainValues *c = &b->chain;
    for (int i = 0; i < c->count; i++) {
        const Accumulator *a = &b->accs.at[c->scores[i]];
        const Dtype type = types[c->scores[i]];
        add_operand(p, arena_printf(p->arena, "left operand of acc %d", c->scores[i]), a->value,
                    value_unrounded(b, a->value, type));
        add_operand(p, arena_printf(p->arena, "right operand of acc %d", c->scores[i]), a->index,
                    value_unrounded(b, a->index, type));
    }
    for (int i = 0; i < c->out_count; i++) {
        const Accumulator *a = &b->accs.at[c->outs[i]];
        add_operand(p, arena_printf(p->arena, "right operand of acc %d", c->outs[i]), a->index,
                    value_unrounded(b, a->index, types[c->outs[i]]));
    }
    if (c->across.is_there && t->kind == TILE_C_ATTENTION)
        add_operand(p, "right operand of the result of n rows", c->across.right, c->across.right);
    add_all_weights(p, t, types);
    add_stores(p, PIECE_RESULTS, "results");
}

/* ---- transposes ------------------------------------------------------------------------------ */

static void add_crossing(Pieces *p, TransposeForm form) {
    const Body *b = p->b;
    int *roots = arena_array(p->arena, int, b->values.count + 1), count = 0;
    for (int i = 1; i < b->values.count; i++)
        if (transpose_crosses(b, &form, i)) roots[count++] = i;
    add_piece(p, "loads across", (Piece){.role = PIECE_CROSSING, .roots = roots, .count = count});
}

/* Returns the stages that read them. */
static const Schedule *add_permuted(Pieces *p, const Kernel *k) {
    const PermuteForm form = permute_form(k, p->b);
    int roots[PERMUTE_LOADS];
    for (int i = 0; i < form.loads; i++) roots[i] = form.load[i].value;
    add_piece(p, "loads in another order",
              (Piece){.role = PIECE_CROSSING, .roots = roots, .count = form.loads});
    return schedule_packs(p->b, form.axis[0], p->arena);
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static Dtype product_type(const Kernel *k, const Body *b, const Tile *t, const Machine *machine) {
    const bool by_mma = t->kind == TILE_MMA || t->kind == TILE_MMA_ROWS || t->kind == TILE_GEMV ||
                        t->kind == TILE_WGMMA || t->kind == TILE_WGMMA_ROWS;
    return by_mma ? dot_form(k, b, machine).product->type : T_NONE;
}

static AttentionTypes attention_types(const Kernel *k, const Body *b, const Tile *t,
                                      const Machine *machine) {
    AttentionForm form = {0};
    if (t->kind == TILE_ATTENTION_MMA || t->kind == TILE_ATTENTION_WGMMA)
        attention_form(k, b, machine, &form);
    return (AttentionTypes){form.scores, form.values};
}

static const Dtype *chain_types(const Kernel *k, const Body *b, const Tile *t,
                                const Machine *machine, Arena *arena) {
    Dtype *types = arena_array(arena, Dtype, b->accs.count);
    ChainForm form;
    if (t->kind != TILE_CHAIN_MMA && t->kind != TILE_CHAIN_WGMMA) return types;
    chain_form(k, b, machine, &form);
    for (int i = 0; i < form.count; i++) types[b->chain.scores[i]] = form.scores[i];
    for (int i = 0; i < form.out_count; i++) types[b->chain.outs[i]] = form.values[i];
    return types;
}

/* If values are not kept, an online softmax saves one pass. */
static BodySchedule schedule_of(const Kernel *k, const Body *b, const Tile *t,
                                const Machine *machine, Arena *arena) {
    const bool keep = t->keep != KEEP_NOTHING && !tile_has_cluster(t);
    Pieces p = {.b = b, .arena = arena};
    BodySchedule s = {0};
    if (k->family == F_DOT) add_contraction(&p, k, product_type(k, b, t, machine));
    if (b->blocks.term) add_blocks(&p, t);
    if (k->family == F_ATTENTION) add_attention(&p, t, attention_types(k, b, t, machine));
    if (k->family == F_CHAIN) add_chain(&p, t, chain_types(k, b, t, machine, arena));
    const bool transposes = t->kind == TILE_TRANSPOSE || t->kind == TILE_C_TRANSPOSE;
    if (transposes) add_crossing(&p, transpose_form(k, b));
    if (transposes)
        s.stages = schedule_packs(b, transpose_form(k, b).lane, arena);
    else if (t->kind == TILE_PERMUTE)
        s.stages = add_permuted(&p, k);
    else if (t->kind == TILE_POINTWISE)
        s.stages = schedule_packs(b, b->lane, arena);
    else if (k->family == F_POINTWISE || k->family == F_ROW || k->family == F_SEGMENTS ||
             (k->family == F_DOT && body_has_rows(b)))
        s.stages = schedule_stages(b, keep, !keep && body_has_online(b), arena);
    if (t->kind == TILE_C_LOOPS && t->across) s.stages = schedule_across(s.stages, arena);
    s.pieces.at = p.all.at, s.pieces.count = p.all.count;
    return s;
}

const BodySchedule *const *schedules_make(const Kernel *const *kernels, const Tile *const *tiles,
                                          int count, const Machine *machine, Arena *arena) {
    const BodySchedule **all = arena_array(arena, const BodySchedule *, count + 1);
    for (int i = 0; i < count; i++) {
        const Kernel *k = kernels[i];
        BodySchedule *of = arena_array(arena, BodySchedule, k->bodies.count + 1);
        for (int body = 0; body < k->bodies.count; body++)
            of[body] = schedule_of(k, &k->bodies.at[body], &tiles[i][body], machine, arena);
        all[i] = of;
    }
    return all;
}
