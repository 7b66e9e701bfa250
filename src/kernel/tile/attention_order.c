/* attention_order.c: how many heads of an attention by wgmma are computed at a time, and whether
 * blocks are persistent: so that all multiprocessors are done at about the same time.
 * In: sizes, a tile. Out: its `l2` and `persistent`. The order is that of tile_at in
 * src/emit/cuda/attention_wgmma.c: of so many heads, long rows first; persistent blocks take tiles
 * in turns, and every other turn in reverse. */
#include "kernel/tile/tile_private.h"

#include <math.h>

enum {
    MOST_TILES = 1 << 13, /* of more, the order matters little */
    MOST_BLOCKS = 512,
    BLOCKS_OF_HEAD = 8, /* at least */
    STEP = 16,
    BYTES = 2 /* of an element */
};

/* What it takes to start and end a tile of queries, in units of the time of one tile of keys.
 * Fitted to 44 measurements on an H200, heads of 64 and 128 columns, 1024 to 32768 keys: most are
 * within 3 %. `start_alone`: of a block that has one tile, and loads nothing ahead. */
static const double start = 1.2, start_alone = 2.0;
static const double least_gain = 0.01; /* relative; for less, as many heads as possible, */
static const double short_gain = 0.03; /* or one at a time */

typedef struct Order {
    int64_t heads, rows, keys; /* rows: tiles of queries of a head */
    int64_t runs;              /* of rows: query heads that share keys, one after the other */
    int64_t before;            /* keys that the first query sees, too */
    int blocks;
    bool is_causal;
    const Tile *t;
} Order;

/* The time of a tile of queries. Masks other than causal ones leave about as many keys to each. */
static double tile_time(const Order *o, int64_t row) {
    const int64_t seen = o->is_causal ? o->before + (row + 1) * o->t->m : o->keys;
    const double first = o->t->persistent ? start : start_alone;
    return first + (double)ceil_div(seen < o->keys ? seen : o->keys, o->t->n);
}

/* The row in its run of tile `number`, if so many heads are computed at a time. */
static int64_t row_at(const Order *o, int64_t together, int64_t number) {
    const int64_t first = number / (together * o->rows) * together;
    const int64_t count = o->heads - first < together ? o->heads - first : together;
    return o->rows / o->runs - 1 - (number - first * o->rows) / count / o->runs;
}

static double longest(const double *time, int blocks) {
    double most = 0;
    for (int i = 0; i < blocks; i++) most = fmax(most, time[i]);
    return most;
}

static double persistent_time(const Order *o, int64_t together) {
    double time[MOST_BLOCKS] = {0};
    for (int64_t i = 0; i < o->heads * o->rows; i++) {
        const int64_t turn = i / o->blocks, place = i % o->blocks;
        time[turn % 2 ? o->blocks - 1 - place : place] += tile_time(o, row_at(o, together, i));
    }
    return longest(time, o->blocks);
}

/* Each tile goes to the block that is free first. `time` is a heap: none is before its parent. */
static double alone_time(const Order *o, int64_t together) {
    double time[MOST_BLOCKS] = {0};
    for (int64_t i = 0; i < o->heads * o->rows; i++) {
        const double end = time[0] + tile_time(o, row_at(o, together, i));
        int at = 0;
        for (int next = 1; next < o->blocks; next = 2 * at + 1) {
            if (next + 1 < o->blocks && time[next + 1] < time[next]) next++;
            if (time[next] >= end) break;
            time[at] = time[next], at = next;
        }
        time[at] = end;
    }
    return longest(time, o->blocks);
}

/* As tile_at has it. */
static int64_t together_of(const TileSpace *s, const Order *o, int l2) {
    const AttentionForm *f = &s->attention;
    const int64_t key_bytes = BYTES * STEP * (f->depth_steps + f->column_steps);
    const int64_t fitting = ((int64_t)l2 << 20) / key_bytes / (o->keys + 1);
    return fitting < 1 ? 1 : fitting < o->heads ? fitting : o->heads;
}

/* Queries at(i % run): those of heads that share keys. */
static bool repeats(const Body *b, const IxAtom *atom, int64_t *run) {
    const uint32_t queries = (uint32_t)1 << ATTENTION_QUERY;
    return atom->kind == ATOM_MOD && atom->axes == queries &&
           dim_is_const(b->indices->dims, atom->q, run);
}

int64_t attention_runs(const Body *b, const Tile *t) {
    int64_t queries, run;
    if (!dim_is_const(b->indices->dims, b->indices->extent[ATTENTION_QUERY], &queries)) return 1;
    for (int i = 0; i < b->indices->atom.count; i++)
        if (repeats(b, &b->indices->atom.at[i], &run) && run % t->m == 0 && queries % run == 0)
            return queries / run;
    return 1;
}

/* False: a size is open, or too large for its order to matter. */
static bool order_of(const TileSpace *s, const Tile *t, Order *o) {
    const Dims *d = s->b->indices->dims;
    const Dim *extent = s->b->indices->extent;
    int64_t queries;
    *o = (Order){.blocks = s->machine->processors, .t = t};
    if (!dim_is_const(d, extent[ATTENTION_BATCH], &o->heads) ||
        !dim_is_const(d, extent[ATTENTION_QUERY], &queries) ||
        !dim_is_const(d, extent[ATTENTION_KEY], &o->keys))
        return false;
    o->rows = ceil_div(queries, t->m);
    o->runs = attention_runs(s->b, t);
    o->before = o->keys > queries / o->runs ? o->keys - queries / o->runs : 0;
    o->is_causal = s->attention.attention.x != s->attention.attention.unmasked;
    return o->heads > 0 && o->rows > 0 && o->heads <= MOST_TILES / o->rows &&
           o->blocks <= MOST_BLOCKS;
}

/* Are several heads computed at a time, although one begins after the other? Then neighbours read
 * the same keys at about the same time, and L2 passes them on once for several. On an H100, 128
 * heads of 1024 keys, 128 columns: all take 121 us, and 153 where neighbours have different heads,
 * which L2 limits; causal ones 82 and 95. */
static bool is_short(const Order *o) { return ATTENTION_HEADS * o->rows <= o->blocks; }

/* Takes l2 if it is faster, with other heads than before. */
static void try_l2(const TileSpace *s, Order *o, int l2, Tile *t, int64_t *together, double *best) {
    const int64_t count = together_of(s, o, l2);
    const double gain = is_short(o) ? short_gain : least_gain;
    if (count == *together) return;
    *together = count;
    const double time = persistent_time(o, count);
    if (time < *best * (1 - gain)) t->l2 = l2, *best = time;
}

/* Fewer heads than fit in L2; or more, where several blocks read the keys of each at a time: then
 * memory keeps up. On an H200, 128 columns: 16 heads of 32768 keys together 6.9 ms, one after the
 * other 10.4; of 16384 keys 1.72 ms, by threes 2.07. */
void attention_order(const TileSpace *s, Tile *t) {
    const int fitting = t->l2;
    Order o;
    if (!order_of(s, t, &o)) return;
    if (is_short(&o)) t->l2 = 0;
    Tile alone = *t;
    const int64_t all = together_of(s, &o, t->l2);
    int64_t together = all;
    double best = persistent_time(&o, together);
    for (int l2 = is_short(&o) ? fitting : fitting - 1; l2 > 0; l2--)
        try_l2(s, &o, l2, t, &together, &best);
    together = all;
    for (int l2 = fitting + 1; l2 <= ATTENTION_MOST_L2; l2++)
        if (together_of(s, &o, l2) <= o.blocks / BLOCKS_OF_HEAD)
            try_l2(s, &o, l2, t, &together, &best);
    alone.l2 = t->l2, alone.persistent = 0;
    o.t = &alone;
    if (alone_time(&o, together_of(s, &o, t->l2)) < best * (1 - least_gain)) *t = alone;
}
