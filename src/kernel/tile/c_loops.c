/* c_loops.c: tiles of loops in C: pointwise kernels, and reductions along rows.
 * In: a TileSpace. Out: legal tiles; times are not estimated: the first was the fastest on a core
 * with 512-bit vectors and 2 MB of L2. */
#include "kernel/tile/tile_private.h"

enum {
    SHORT_ROW = 4,         /* columns: see short_row; the least of bench on a Zen 5, one thread: */
    SHORT_NARROW_ROW = 8,  /* sum of bf16[16384, 8] 31 us, by columns 62; of f32 142, 40; */
    SHORT_COSTLY_ROW = 12, /* softmax of f32[32768, 4] 126 and 638; of [10922, 12] 162 and 190 */
    /* Of the rows of a block that is reduced at once, whose neighbours are those of other blocks:
     * loads of lanes are as far apart as a row is long. One thread of a Zen 5, group norms and silu
     * of bf16[4, 2048, 32, N], us, lanes across blocks and along rows: N = 2 201 and 1424, 4 726
     * and 1443, 8 1744 and 1663, 12 2885 and 1536. */
    SHORT_ROW_OF_BLOCK = 7,
    /* Of pointwise kernels. On a Zen 3, one thread: pairs of f32[128, 64, 2] turned by angles of
     * the 64, as rope does, 53 us and by columns 10, complex products of 8192 pairs 42 and 15, a
     * bias of 3 to bf16 454 and 71; but of 4 to f32 106 and 116. */
    SHORT_POINTWISE = 3,
    SHORT_NARROW_POINTWISE = 4,
    /* Of those that gather columns, the same ones of each row. One thread of a Zen 5, us, lanes
     * along rows and across: f32 [92043, 3] 244 and 79, [2605, 12] 25 and 15, [500, 1000] 500 and
     * 261, bf16 [20000, 12] 229 and 109; but u8 [20000, 12] 224 and 210, [8000, 60] 197 and 214. */
    SHORT_GATHERED = 1024,
    IN_FLIGHT = 8, /* vectors that hide the latency of an operation, on two pipelines */
    /* Instructions of a vector from which the next starts late; those of a special function. On a
     * Zen 5, one thread: cos(cos(x)) of f32[65536] 54 us instead of 68, of five exp in a chain
     * 280 instead of 597, black_scholes 2.0 ms instead of 2.7, 512 operations 3 times as fast. */
    WINDOW = 48,
    COSTLY_INSTRUCTIONS = 24,
    /* Rows side by side, of at most so many columns, where there are so many rows, and so few
     * instructions, which take time to compile; columns at least, of 4 bytes in two stages without
     * special functions. One thread of a Zen 3, ns for a row, one by one and by four: softmax of
     * f32[N, 32] 35 and 30, of bf16[N, 64] 108 and 83, layer_norm of bf16[N, 64] 74 and 45,
     * log_softmax of f32[N, 64] 72 and 53; but sums of f32[N, 32] 2.4 and 3.5. */
    BESIDE = 4,
    BESIDE_COLUMNS = 128,
    BESIDE_ROWS = 32,
    BESIDE_MOST = 80,
    BESIDE_PLAIN = 64,
    MOST_BESIDE = 16,
    /* Rows in pieces of at most so many bytes, the next row's piece behind each; tasks that are
     * left, at least. One thread of a Zen 4, silu of a group norm of bf16 [8, 2048, 320] in groups
     * of 10 channels, ms by 1, 4, 8, 16 and 32 groups at a time: 6.8, 6.4, 5.5, 5.0 and 5.0. */
    PIECE_BYTES = 48,
    BESIDE_TASKS = 16
};

/* ---- lanes across rows ----------------------------------------------------------------------- */

static const char *across_refusal(const TileSpace *s, const Tile *t) {
    const Body *b = s->b;
    if (!t->across) return NULL;
    if (t->across != 1) return "across is 1 or 0: lanes are rows, or columns";
    if (b->lane_is_row) return "lanes are rows in any case";
    return b->row_count && !b->chunks ? NULL : "there are no rows that could be lanes";
}

/* Columns up to which rows are computed side by side: strided loads take longer than vectors that
 * are not full, unless these are converted, or special functions of them computed. */
static int short_row(const Body *b) {
    const uint32_t cols = body_col_axes(b);
    int most = SHORT_ROW;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (v->kind == V_OP && v->axes & cols && op_info[v->op].costly) most = SHORT_COSTLY_ROW;
        if (v->kind == V_LOAD && dtype_size(v->type) < 4 && most < SHORT_NARROW_ROW)
            most = SHORT_NARROW_ROW;
    }
    const bool is_block = b->axes.count > b->row_count + 1;
    return is_block && most > SHORT_ROW_OF_BLOCK ? SHORT_ROW_OF_BLOCK : most;
}

/* Are all elements at positions that are read from memory, and the same for all rows? Then loads of
 * a column of several rows are a step apart, and lanes along the row are loaded one by one. */
static bool gathers_columns(const Body *b) {
    const uint32_t rows = ~body_col_axes(b);
    bool gathers = false;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (v->kind == V_CURSOR || v->kind == V_COMBINE || v->kind == V_SCAN) return false;
        if (v->kind == V_CLAMP && v->axes & rows) return false;
        if (v->kind != V_LOAD || !(v->axes & rows)) continue;
        if (!b->indices->node.at[v->ix].dynamic || dtype_size(v->type) == 1) return false;
        gathers = true;
    }
    return gathers;
}

/* Are rows only moved? As copies of bytes they are faster than strided lanes: one thread of a Zen 5
 * takes 127 us for f32[300000, 3] in reverse order, and 145, for bf16 91 and 243, and to permute
 * f32[7, 300000, 3] 3.4 ms and 7.4. */
static bool moves_rows(const TileSpace *s) {
    const Body *b = s->b;
    const Store *to = &b->stores.at[0];
    Dim step = 0;
    return body_moved(s->k, b) && value_contiguous(b, to->value, b->lane) &&
           index_along(b, to->ix, b->lane, &step) == 1 && dim_is(b->indices->dims, step, 1);
}

/* The same of a pointwise kernel; 0: its positions are read from memory, or it reads bytes, which
 * are unpacked by whole vectors. */
static int short_pointwise(const TileSpace *s) {
    const Body *b = s->b;
    int most = SHORT_POINTWISE;
    if (gathers_columns(b)) return SHORT_GATHERED;
    if (moves_rows(s)) return 0;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (v->kind == V_CLAMP || v->kind == V_COMBINE || v->kind == V_SCAN) return 0;
        if (v->kind == V_LOAD && dtype_size(v->type) == 1) return 0;
        if (v->kind == V_LOAD && dtype_size(v->type) < 4) most = SHORT_NARROW_POINTWISE;
    }
    return most;
}

/* Are its rows so short that lanes are rows? Then there are enough of them, too. */
static bool is_of_short_rows(const TileSpace *s) {
    const Body *b = s->b;
    const Tile t = {.across = 1};
    if (across_refusal(s, &t) || (s->k->family != F_ROW && s->k->family != F_POINTWISE))
        return false;
    const int most = s->k->family == F_ROW ? short_row(b) : short_pointwise(s);
    if (b->lane < 0 || !tile_is_at_most(s, b->indices->extent[b->lane], most)) return false;
    return !tile_is_at_most(s, b->axes.at[b->row_count - 1].extent, SHORT_COSTLY_ROW);
}

/* ---- rows side by side ----------------------------------------------------------------------- */

static bool is_in_place(const Kernel *k) {
    for (int i = 0; i < k->buffers.count; i++)
        if (k->buffers.at[i].is_shared) return true;
    return false;
}

/* The extent of the innermost loop over rows. */
static Dim inner_rows(const TileSpace *s, const Tile *t) {
    int order[2 * RANK_MAX];
    tile_row_order(s->k, s->b, t, order);
    return s->b->axes.at[order[s->b->row_count - 1]].extent;
}

static bool is_multiple(const TileSpace *s, Dim n, int of) {
    Dims *d = s->b->indices->dims;
    return dim_divides(d, dim_const(d, of), n);
}

/* Is a row of one loop along its lanes, or of pieces of which nothing is kept? */
static bool may_be_beside(const TileSpace *s, const Tile *t) {
    const Body *b = s->b;
    const int cols = b->axes.count - b->row_count;
    if (cols == 1) return tile_is_at_most(s, b->cols, t->stack / t->rows);
    if (cols != 2 || b->axes.at[b->axes.count - 1].number != b->lane) return false;
    const Schedule *all = schedule_stages(b, true, false, s->arena);
    for (int i = 1; i < b->values.count; i++)
        if (all->value[i].keep && b->values.at[i].kind != V_LOAD) return false;
    return true;
}

/* The last row is computed several times where their number is no multiple: not in place. */
static const char *beside_refusal(const TileSpace *s, const Tile *t) {
    const Body *b = s->b;
    if (t->rows == 1) return NULL;
    if (t->rows < 1 || t->rows > MOST_BESIDE || t->rows & (t->rows - 1))
        return "rows is 1, 2, 4, 8 or 16: so many rows side by side";
    if (s->k->family != F_ROW || b->lane_is_row || t->across || !b->row_count || b->chunks)
        return "only reductions along rows have several side by side";
    if (b->group_axes) return "rows with groups are computed one after the other";
    if (!may_be_beside(s, t))
        return "rows side by side are short, or of pieces of which nothing is kept";
    if (t->unroll != 1) return "rows side by side have sums in one part: unroll=1";
    for (int i = 1; i < b->values.count; i++) {
        const ValueKind kind = b->values.at[i].kind;
        if (kind == V_SCAN || kind == V_COMBINE)
            return "scans and segments are of one row at a time";
    }
    if (is_in_place(s->k) && !is_multiple(s, inner_rows(s, t), t->rows))
        return "rows are computed in place, and may be no multiple";
    return NULL;
}

/* Do the instructions of a row fill the processor's window, so that it sees nothing of the next
 * one's while a reduction waits? Those of a sum do not. */
static bool fills_window(const TileSpace *s) {
    const Body *b = s->b;
    const uint32_t cols = body_col_axes(b);
    const int stages = schedule_stages(b, true, false, s->arena)->stage_count;
    bool is_long = stages > 2 || !tile_is_at_most(s, b->cols, BESIDE_PLAIN - 1);
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (!(v->axes & cols)) continue;
        is_long |= v->kind == V_OP && op_info[v->op].costly;
        is_long |= v->kind == V_LOAD && dtype_size(v->type) < 4;
    }
    return stages > 1 && is_long;
}

/* About the instructions that the C compiler makes four of. */
static int instructions(const Body *b) {
    int count = 0;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (v->kind == V_OP && v->axes) count += op_info[v->op].costly ? COSTLY_INSTRUCTIONS : 1;
    }
    return count;
}

static bool is_worth_beside(const TileSpace *s, const Tile *t) {
    const Dim rows = inner_rows(s, t);
    if (!tile_is_at_most(s, s->b->cols, BESIDE_COLUMNS) || instructions(s->b) > BESIDE_MOST)
        return false;
    if (tile_is_at_most(s, s->b->rows, BESIDE_ROWS - 1)) return false;
    if (!is_multiple(s, rows, BESIDE) && tile_is_at_most(s, rows, BESIDE_ROWS / 2)) return false;
    return fills_window(s);
}

/* Does each row have a short piece in each of many lines, as a group of channels of an image has,
 * next to those of its neighbours? Row by row, every line would be read as often as it has pieces.
 */
static bool is_in_pieces(const TileSpace *s, const Tile *t) {
    const Body *b = s->b;
    int order[2 * RANK_MAX];
    if (b->axes.count != b->row_count + 2 || !b->row_count) return false;
    tile_row_order(s->k, b, t, order);
    const int row = b->axes.at[order[b->row_count - 1]].number;
    const Dim piece = b->indices->extent[b->axes.at[b->axes.count - 1].number];
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        Dim by_row = 0, by_piece = 0;
        if (v->kind != V_LOAD || index_along(b, v->ix, row, &by_row) != 1) continue;
        if (index_along(b, v->ix, b->axes.at[b->axes.count - 2].number, &by_piece) != 1) continue;
        return by_row == piece && tile_is_at_most(s, piece, PIECE_BYTES / dtype_size(v->type));
    }
    return false;
}

/* The most of these rows, of which so many tasks are left. */
static int pieces_beside(const TileSpace *s, const Tile *t) {
    const Dim inner = inner_rows(s, t);
    int rows = MOST_BESIDE;
    while (rows > 1 && (!is_multiple(s, inner, rows) ||
                        tile_is_at_most(s, s->b->rows, BESIDE_TASKS * rows - 1)))
        rows /= 2;
    return rows;
}

/* The same tile with several rows side by side, where that is legal and worth it. */
static Tile beside(const TileSpace *s, const Tile *t) {
    Tile several = *t;
    several.rows = BESIDE, several.unroll = 1;
    if (is_in_pieces(s, t)) {
        several.rows = pieces_beside(s, t);
        return !beside_refusal(s, &several) && several.rows > 2 ? several : *t;
    }
    return !beside_refusal(s, &several) && is_worth_beside(s, &several) ? several : *t;
}

/* ---- vectors in flight ----------------------------------------------------------------------- */

static const char *flight_refusal(const TileSpace *s, const Tile *t) {
    enum { MOST = 16 };
    const Body *b = s->b;
    const char *wrong = tile_range_refusal(s, "vectors", t->vectors, 1, MOST);
    if (wrong || t->vectors == 1) return wrong;
    if (s->k->family != F_POINTWISE || b->lane < 0 || b->lane_is_row || t->across)
        return "only pointwise loops along their lanes have several vectors in flight";
    if (b->lane != b->axes.at[b->axes.count - 1].number)
        return "vectors in flight are neighbours along the innermost loop";
    if (body_untouched(s->k, b).are_there)
        return "vectors that may be left as they are, are one at a time";
    for (int i = 1; i < b->values.count; i++) {
        const ValueKind kind = b->values.at[i].kind;
        if (kind == V_CLAMP || kind == V_CURSOR || kind == V_COMBINE || kind == V_SCAN)
            return "gathered positions and scans are of one vector at a time";
    }
    return NULL;
}

typedef struct Longest {
    const int *path;
    int most;
} Longest;

static void longest(const Body *b, int source, void *context) {
    Longest *l = context;
    (void)b;
    if (l->path[source] > l->most) l->most = l->path[source];
}

/* Is a vector's critical path so long that the next vector starts late? Operations beside the path
 * fill the pipelines. */
static bool is_bound_by_latency(const TileSpace *s) {
    const Body *b = s->b;
    const uint32_t cols = body_col_axes(b);
    int *path = arena_array(s->arena, int, b->values.count + 1), work = 0, most = 0;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        Longest l = {path, 0};
        each_source(b, i, longest, &l);
        path[i] = l.most;
        if ((v->kind != V_OP && v->kind != V_CAST) || !(v->axes & cols)) continue;
        const int cost = op_info[v->op].costly ? COSTLY_INSTRUCTIONS : 1;
        path[i] += cost, work += cost;
        if (path[i] > most) most = path[i];
    }
    return work >= WINDOW && work < IN_FLIGHT / 2 * most;
}

/* ---- loops ----------------------------------------------------------------------------------- */

static const char *loops_refusal(const TileSpace *s, const Tile *t) {
    enum { MOST_STACK = 1 << 16, MOST_PARTIAL = 64 };
    const char *wrong = tile_range_refusal(s, "parallel", t->parallel, 0, C_LARGEST);
    if (!wrong) wrong = tile_range_refusal(s, "stream", t->stream, 0, C_LARGEST);
    if (!wrong) wrong = tile_range_refusal(s, "prefetch", t->prefetch, 0, 1 << 20);
    if (!wrong) wrong = tile_range_refusal(s, "prefetch_from", t->prefetch_from, 0, C_LARGEST);
    if (!wrong) wrong = tile_range_refusal(s, "stack", t->stack, 0, MOST_STACK);
    if (!wrong) wrong = tile_range_refusal(s, "partial", t->partial, 0, MOST_PARTIAL);
    if (!wrong) wrong = tile_range_refusal(s, "partial_sums", t->partial_sums, 0, MOST_PARTIAL);
    if (wrong) return wrong;
    if (t->prefetch % 256) return "prefetch is a multiple of 256 bytes: a quarter of it is a line";
    if (t->unroll != 1 && t->unroll != 4) return "unroll is 4 or 1: sums in four parts, or in one";
    if (t->keep != KEEP_MEMORY && t->keep != KEEP_NOTHING) return "a row is kept in memory, or not";
    const char *wrong_lanes = across_refusal(s, t);
    if (!wrong_lanes) wrong_lanes = beside_refusal(s, t);
    return wrong_lanes ? wrong_lanes : flight_refusal(s, t);
}

static void loops_thresholds(const TileSpace *s, const Tile *first, Candidates *out) {
    const int from = tile_prefetched_from(s);
    const struct {
        int prefetch_from, stack, partial;
    } all[] = {{0, C_STACK, C_PARTIAL_VALUES},
               {1 << 16, C_STACK, C_PARTIAL_VALUES},
               {from, 0, C_PARTIAL_VALUES},
               {from, 1024, C_PARTIAL_VALUES},
               {from, C_STACK, 4},
               {from, C_STACK, 64}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        Tile t = *first;
        t.prefetch_from = all[i].prefetch_from;
        t.stack = all[i].stack, t.partial = all[i].partial;
        candidate_add(s, t, tile_distance(first, &t), out);
    }
}

/* Rows short or long the other way; other numbers of vectors in flight. */
static void loops_forms(const TileSpace *s, const Tile *first, Candidates *out) {
    Tile t = *first;
    t.across = !t.across;
    candidate_add(s, t, 1, out);
    for (int vectors = 1; vectors <= 2 * IN_FLIGHT; vectors *= 2) {
        t = *first;
        t.vectors = vectors;
        if (vectors != first->vectors) candidate_add(s, t, tile_distance(first, &t), out);
    }
    for (int rows = 1; rows <= MOST_BESIDE; rows *= 2) {
        t = *first;
        t.rows = rows, t.unroll = 1;
        if (rows != first->rows) candidate_add(s, t, tile_distance(first, &t), out);
    }
}

/* The first tile, with as many vectors in flight as it may have. */
static Tile in_flight(const TileSpace *s, Tile t) {
    t.vectors = is_bound_by_latency(s) ? IN_FLIGHT : 1;
    if (flight_refusal(s, &t)) t.vectors = 1;
    return t;
}

/* Processors that fetch ahead by themselves do so up to the end of a page: rows of several pages
 * that are read several times are prefetched on all. One thread of a Zen 4, f32 [8192, 4096]:
 * softmax 16.4 ms instead of 21.7, layer_norm 12.8 instead of 16.6; no difference from [.., 64] to
 * [.., 1024]. */
static int prefetch_of(const TileSpace *s) {
    enum { PAGES = 2048, DISTANCE = 8192 }; /* columns; bytes */
    if (s->machine->prefetch || s->k->family != F_ROW) return s->machine->prefetch;
    if (tile_is_at_most(s, s->b->cols, PAGES - 1)) return 0;
    return schedule_stages(s->b, true, false, s->arena)->stage_count > 1 ? DISTANCE : 0;
}

static void loops_list(const TileSpace *s, Candidates *out) {
    static const int prefetches[] = {0, 2048, 4096, 8192, 16384, 32768};
    static const int parallels[] = {4096, C_PARALLEL_FROM, 1 << 18};
    int64_t cols;
    const bool is_known = dim_is_const(s->b->indices->dims, s->b->cols, &cols);
    const bool is_long = is_known && cols > tile_prefetched_from(s);
    const Tile usual = {.kind = TILE_C_LOOPS,
                        .unroll = tile_c_unroll(s),
                        .keep = is_long ? KEEP_NOTHING : KEEP_MEMORY,
                        .prefetch = prefetch_of(s),
                        .parallel = C_PARALLEL_FROM,
                        .stream = tile_stream_from(s),
                        .prefetch_from = tile_prefetched_from(s),
                        .stack = C_STACK,
                        .partial = C_PARTIAL_VALUES,
                        .partial_sums = C_PARTIAL_SUMS,
                        .rows = 1,
                        .across = is_of_short_rows(s)};
    const Tile single = in_flight(s, usual), first = beside(s, &single);
    candidate_add(s, first, 0, out);
    loops_forms(s, &first, out);
    loops_thresholds(s, &first, out);
    for (size_t i = 0; i < sizeof prefetches / sizeof *prefetches; i++)
        for (size_t j = 0; j < sizeof parallels / sizeof *parallels; j++)
            for (int choice = 0; choice < 8; choice++) {
                Tile t = first;
                t.prefetch = prefetches[i], t.parallel = parallels[j];
                t.unroll = choice & 1 ? 1 : 4;
                t.keep = choice & 2 ? KEEP_NOTHING : KEEP_MEMORY;
                t.stream = choice & 4 ? 1 << 20 : tile_stream_from(s);
                const int distance = tile_distance(&first, &t);
                if (distance) candidate_add(s, t, distance, out);
            }
}

const TileFamily tile_c_loops = {loops_list, NULL, loops_refusal};
