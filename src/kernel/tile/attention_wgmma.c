/* attention_wgmma.c: attentions by wgmma and TMA, on sm_90a: which are possible, and with which
 * tiles.
 * In: a TileSpace. Out: the obstacle, or legal tiles. */
#include "kernel/tile/tile_private.h"

enum {
    GROUP_ROWS = 64, /* queries of a warpgroup */
    GROUP = 128,     /* threads */
    LEAST_GROUPS = 2,
    MOST_GROUPS = 3, /* consumers */
    ROW_BYTES = 128, /* bytes of a row of a panel */
    PANEL = 64,      /* columns of a panel */
    STEP = 16,       /* depth k of one instruction */
    MOST_KEYS = 256,
    SHORT_KEYS = 128,
    MOST_SHORT = 1024,
    LEAST_STAGES = 2,
    MOST_STAGES = 4,
    FEW_QUERIES = 64,
    CHUNK = 16, /* bytes: the alignment that TMA needs */
    BARRIER_BYTES = 8,
    PRODUCER_REGISTERS = 24, /* registers of a producer thread, after setmaxnreg */
    REGISTERS_OF_TWO = 240,  /* registers of a consumer thread, with two consumers */
    REGISTERS_OF_THREE = 160,
    SUMS_OF_TWO = 200, /* accumulators, at most */
    SUMS_OF_THREE = 112,
    BLOCK_BYTES = 227 << 10 /* shared memory of a block of sm_90a */
};

/* setmaxnreg can only redistribute the registers of the launch; requesting more would wait
 * forever. */
_Static_assert(PRODUCER_REGISTERS + LEAST_GROUPS * REGISTERS_OF_TWO <=
                       (LEAST_GROUPS + 1) *
                           (MACHINE_REGISTERS / ((LEAST_GROUPS + 1) * GROUP) / 8 * 8) &&
                   PRODUCER_REGISTERS + MOST_GROUPS * REGISTERS_OF_THREE <=
                       (MOST_GROUPS + 1) *
                           (MACHINE_REGISTERS / ((MOST_GROUPS + 1) * GROUP) / 8 * 8),
               "a block has the registers");

/* ---- which attentions ------------------------------------------------------------------------ */

/* The largest value of a term, and 1: the multiples of its scale that it spans. 0: not known. */
static Dim span_of(const Indices *x, const IxTerm *t) {
    const Dim hi = ix_atom_hi(x, t->atom);
    return hi ? dim_mul(x->dims, t->scale, dim_add(x->dims, hi, dim_const(x->dims, 1))) : 0;
}

static bool is_within(Dims *d, Dim span, Dim row) {
    return span && row && dim_le(d, dim_const(d, 0), span) && dim_le(d, span, row);
}

/* Strides of TMA are at least 1, and not too long. */
static bool is_stride(Dims *d, Dim step) {
    int64_t least, most;
    dim_range(d, step, &least, &most);
    return least >= 1 && dim_mul(d, dim_const(d, CHUNK), step);
}

/* Rows in runs: row % run steps through a plane, and row / run chooses a part of each row of it. */
static void find_run(const Body *b, const IxNode *n, int own, Dim *row, TensorForm *form) {
    for (int i = 0; i < n->count; i++) {
        const IxAtom *atom = &b->indices->atom.at[n->term[i].atom];
        const bool is_row = atom->kind == ATOM_MOD && atom->axes == (uint32_t)1 << own;
        if (!is_row ||
            !dim_divides(b->indices->dims, dim_const(b->indices->dims, TENSOR_RUN), atom->q))
            continue;
        form->run = atom->q, form->row = i;
        *row = n->term[i].scale;
    }
}

/* Sorts all other terms: within a row, or that of whole planes. */
static bool sort_terms(const Body *b, const IxNode *n, int own, int along, Dim row,
                       TensorForm *form) {
    const uint32_t batch = (uint32_t)1 << ATTENTION_BATCH, runs = (uint32_t)1 << own;
    Dims *d = b->indices->dims;
    for (int i = 0; i < n->count; i++) {
        const IxAtom *atom = &b->indices->atom.at[n->term[i].atom];
        if (atom->kind == ATOM_AXIS && (atom->a == along || atom->a == own)) continue;
        if (form->run && i == form->row) continue;
        if (atom->axes != batch && !(form->run && atom->axes == runs)) return false;
        if (is_within(d, span_of(b->indices, &n->term[i]), row))
            form->within |= (uint32_t)1 << i;
        else if (form->plane >= 0 || atom->axes != batch)
            return false;
        else
            form->plane = i;
    }
    return true;
}

/* What is within a row leaves room for the elements, and boxes of whole steps show no others. */
static bool fits_row(const Body *b, const IxNode *n, int along, Dim row, uint32_t within) {
    Dims *d = b->indices->dims;
    Dim end = b->indices->extent[along];
    if (!within) return true;
    if (!dim_divides(d, dim_const(d, STEP), end)) return false;
    for (int i = 0; i < n->count; i++)
        if (within >> i & 1)
            end = dim_sub(d, dim_add(d, end, span_of(b->indices, &n->term[i])), n->term[i].scale);
    return dim_le(d, end, row);
}

bool tensor_form(const Body *b, int value, int own, int along, TensorForm *form) {
    const Value *v = &b->values.at[value];
    const IxNode *n = &b->indices->node.at[v->ix];
    Dims *d = b->indices->dims;
    Dim row = 0;
    *form = (TensorForm){.plane = -1};
    const int how = index_along(b, v->ix, own, &row);
    if (how == 2) find_run(b, n, own, &row, form);
    if (how == 2 ? !form->run : !how && !dim_is(d, b->indices->extent[own], 1)) return false;
    if (!sort_terms(b, n, own, along, row, form) || !fits_row(b, n, along, row, form->within))
        return false;
    const IxTerm *plane = form->plane < 0 ? NULL : &n->term[form->plane];
    return (!how || is_stride(d, row)) &&
           (!plane || (is_stride(d, plane->scale) && span_of(b->indices, plane)));
}

bool tensor_is_boxes(const Body *b, int value, int own, int along, Dtype type) {
    TensorForm form;
    return operand_is_copied(b, value, along, type) && tensor_form(b, value, own, along, &form);
}

static const char *obstacle(const Body *b, AttentionForm *f) {
    const Accumulator *scores = &b->accs.at[f->attention.scores],
                      *out = &b->accs.at[f->attention.out];
    if (!tensor_is_boxes(b, scores->value, ATTENTION_QUERY, ATTENTION_DEPTH, f->scores))
        return "queries are computed, or their rows are not evenly spaced";
    if (!tensor_is_boxes(b, scores->index, ATTENTION_KEY, ATTENTION_DEPTH, f->scores))
        return "keys are computed, or their rows are not evenly spaced";
    if (!tensor_is_boxes(b, out->index, ATTENTION_KEY, ATTENTION_COLUMN, f->values))
        return "values are computed, or their rows are not evenly spaced";
    return NULL;
}

void attention_wgmma_obstacle(const Body *b, const Machine *gpu, AttentionForm *f) {
    int64_t queries;
    f->layout_obstacle = false;
    if (!gpu->wgmma) {
        f->no_wgmma = "the architecture has none";
    } else if (f->f32_products) {
        f->no_wgmma = "products of f32 numbers round them, or split them, in shared memory";
    } else if (dim_is_const(b->indices->dims, b->indices->extent[ATTENTION_QUERY], &queries) &&
               queries <= FEW_QUERIES) {
        f->no_wgmma = "queries are few";
    } else {
        f->no_wgmma = obstacle(b, f);
        f->layout_obstacle = f->no_wgmma;
    }
}

/* ---- tiles ----------------------------------------------------------------------------------- */

static int panels(int steps) { return (16 * steps + PANEL - 1) / PANEL; }

static int shared_of(const AttentionForm *f, const Tile *t, int query_stages) {
    const int depth = panels(f->depth_steps), columns = panels(f->column_steps);
    return ROW_BYTES * (query_stages * GROUP_ROWS * depth + t->stages * t->n * (depth + columns)) +
           BARRIER_BYTES * (2 * query_stages + 4 * t->stages);
}

/* Queries of the next tile, of one warpgroup or of all, are loaded ahead where there is room. */
int tile_attention_wgmma_query_stages(const AttentionForm *f, const Tile *t) {
    const int groups = t->m / GROUP_ROWS;
    int stages = 2 * groups;
    while (stages > groups && shared_of(f, t, stages) > BLOCK_BYTES) stages--;
    return stages;
}

int tile_attention_wgmma_shared(const AttentionForm *f, const Tile *t) {
    return shared_of(f, t, tile_attention_wgmma_query_stages(f, t));
}

WarpgroupRegisters tile_attention_wgmma_registers(const Tile *t) {
    return (WarpgroupRegisters){MACHINE_REGISTERS / t->threads / 8 * 8, PRODUCER_REGISTERS,
                                t->warpgroups > LEAST_GROUPS ? REGISTERS_OF_THREE
                                                             : REGISTERS_OF_TWO};
}

static void complete(const TileSpace *s, Tile *t) {
    (void)s;
    t->warpgroups = t->m / GROUP_ROWS;
    t->threads = (t->warpgroups + 1) * GROUP;
    t->blocks = 1;
}

/* Accumulators of scores, weights in pairs, and accumulators of results, of a thread. */
static int sums_of(const AttentionForm *f, const Tile *t) {
    return t->n / 2 + t->n / 4 + STEP * f->column_steps / 2;
}

static const char *refusal(const TileSpace *s, const Tile *t) {
    const AttentionForm *f = &s->attention;
    if (f->no_wgmma) return f->no_wgmma;
    if (t->m != LEAST_GROUPS * GROUP_ROWS && t->m != MOST_GROUPS * GROUP_ROWS)
        return tile_refuse(s, "m must be %d for each of %d or %d warpgroups, not %d", GROUP_ROWS,
                           LEAST_GROUPS, MOST_GROUPS, t->m);
    if (t->n < STEP || t->n % STEP || t->n > MOST_KEYS)
        return tile_refuse(s, "n must be a multiple of %d up to %d, not %d", STEP, MOST_KEYS, t->n);
    if (t->stages < LEAST_STAGES || t->stages > MOST_STAGES)
        return tile_refuse(s, "stages must be %d to %d, not %d", LEAST_STAGES, MOST_STAGES,
                           t->stages);
    if (t->l2 < 0 || t->l2 > ATTENTION_MOST_L2)
        return tile_refuse(s, "l2 must be 0 to %d, not %d", ATTENTION_MOST_L2, t->l2);
    if (t->persistent < 0 || t->persistent > 1)
        return tile_refuse(s, "persistent is 0 or 1, not %d", t->persistent);
    const int shared = tile_attention_wgmma_shared(f, t), sums = sums_of(f, t);
    const int most = t->m > LEAST_GROUPS * GROUP_ROWS ? SUMS_OF_THREE : SUMS_OF_TWO;
    if (sums > most)
        return tile_refuse(s, "a thread has %d registers for sums, and needs %d", most, sums);
    if (shared <= s->machine->shared_block) return NULL;
    return tile_refuse(s, "%d stages take %d bytes of shared memory, and a block has %d", t->stages,
                       shared, s->machine->shared_block);
}

/* For up to so many columns, of scores with a mask or without; measured on an H200. */
typedef struct Form {
    int columns;
    bool has_mask;
    int m, n, stages;
} Form;

static const Form tiles[] = {{64, true, 128, 128, 2},  {64, false, 128, 208, 2},
                             {128, true, 128, 128, 2}, {128, false, 128, 176, 2},
                             {192, true, 128, 112, 2}, {192, false, 128, 112, 2},
                             {256, true, 128, 80, 2},  {256, false, 128, 80, 2}};

/* MiB: the largest power of 2, which leaves room for queries and results. */
static int l2_of(const Machine *machine) {
    int size = 1;
    while (2 * size <= machine->l2_size) size *= 2;
    return size;
}

/* The time of so many keys in tiles of n, in that of a key: each tile takes that of EACH more. */
static int64_t keys_time(int64_t keys, int n) {
    enum { EACH = 60 };
    return ceil_div(keys, n) * (n + EACH);
}

/* Do scores load something of each query and key, such as a bias? */
static bool loads_of_pairs(const Body *b) {
    const uint32_t both = 1u << ATTENTION_QUERY | 1u << ATTENTION_KEY;
    for (int i = 1; i < b->values.count; i++)
        if (b->values.at[i].kind == V_LOAD && (index_axes(b, b->values.at[i].ix) & both) == both)
            return true;
    return false;
}

/* Keys of a tile, at most `most`: fewer where few keys fill them better, and where positions of 64
 * bits or biases take registers: on an H200 8 x 12 heads of 1024 with a bias of bf16 take 119 us of
 * 64 columns, 143 of 128, and with 176 keys 157 and 218. */
static int keys_of(const Body *b, int most) {
    int64_t keys;
    if (most <= SHORT_KEYS || !body_is_32bit(b) || loads_of_pairs(b))
        return most < SHORT_KEYS ? most : SHORT_KEYS;
    if (!dim_is_const(b->indices->dims, b->indices->extent[ATTENTION_KEY], &keys) ||
        keys > MOST_SHORT)
        return most;
    return keys_time(keys, SHORT_KEYS) < keys_time(keys, most) ? SHORT_KEYS : most;
}

/* Of up to 32 columns, three warpgroups hide more of each other's softmax, where there are enough
 * queries: on an H200 2 x 16 heads of 4096 x 32 take 241 us so, and 283 in tiles of 128 queries,
 * causal 142 and 151; 8 x 16 causal heads of 1024 x 32 54 and 49. */
static bool has_thin_heads(const TileSpace *s) {
    enum { THIN = 32, MANY = 2048 };
    int64_t queries;
    return s->attention.widest <= THIN &&
           dim_is_const(s->b->indices->dims, s->b->indices->extent[ATTENTION_QUERY], &queries) &&
           queries >= MANY;
}

/* Is more loaded than queries, keys and values? Then three warpgroups have registers for tiles of
 * 112 keys, and spill with 128. */
static bool has_other_loads(const Body *b) {
    enum { OPERANDS = 3 };
    int loads = 0;
    for (int i = 1; i < b->values.count; i++) loads += b->values.at[i].kind == V_LOAD;
    return loads > OPERANDS;
}

static const Form *form_of(const TileSpace *s) {
    static const Form thin = {.m = 192, .n = 128, .stages = 2},
                      thin_loads = {.m = 192, .n = 112, .stages = 2};
    const bool has_mask = s->attention.attention.x != s->attention.attention.unmasked;
    const Form *f = tiles;
    if (has_thin_heads(s)) return has_other_loads(s->b) ? &thin_loads : &thin;
    while (f->columns < s->attention.widest || f->has_mask != has_mask) f++;
    return f;
}

static void list(const TileSpace *s, Candidates *out) {
    enum { BEFORE = -1000 }; /* before the tiles of mma.sync */
    if (s->attention.no_wgmma) return;
    const int l2 = l2_of(s->machine);
    const Form *form = form_of(s);
    Tile first = {.kind = TILE_ATTENTION_WGMMA,
                  .m = form->m,
                  .n = keys_of(s->b, form->n),
                  .stages = form->stages,
                  .l2 = l2,
                  .persistent = 1};
    attention_order(s, &first);
    candidate_add(s, first, BEFORE, out);
    for (int size = l2; size >= l2 / 4 && size > 0; size /= 2)
        for (int persistent = 1; persistent >= 0; persistent--) {
            Tile t = first;
            t.l2 = size, t.persistent = persistent;
            const int distance = tile_distance(&first, &t);
            if (distance) candidate_add(s, t, BEFORE + 1 + distance, out);
        }
    for (int groups = LEAST_GROUPS; groups <= MOST_GROUPS; groups++)
        for (int n = STEP; n <= MOST_KEYS; n += STEP)
            for (int stages = LEAST_STAGES; stages <= MOST_STAGES; stages++) {
                Tile t = first;
                t.m = groups * GROUP_ROWS, t.n = n, t.stages = stages;
                const int distance = tile_distance(&first, &t);
                if (!tile_equal(&first, &t)) candidate_add(s, t, BEFORE + 1 + distance, out);
            }
}

const TileFamily tile_attention_wgmma = {list, complete, refusal};
