/* permute.c: tiles of pointwise kernels that load their axes in another order than they store them,
 * where the inner axes are so short that a cache line spans several. A block has a box: parts of
 * all axes that rows of the loads, or of the stores, span. It copies these rows to shared memory as
 * they are, and gathers elements there in the order of the stores. In: a body of a Kernel. Out:
 * what is loaded in another order, boxes, and legal tiles. */
#include "kernel/tile/tile_private.h"

#include <string.h>

enum {
    ACCESS_BYTES = 16,
    LINE = 128, /* bytes of a cache line */
    BANKS = 32, /* of shared memory, of 4 bytes */
    BANK = 4,
    WARP = 32,
    WARPS = 2,      /* whose bank conflicts are counted */
    LEAST_ROW = 16, /* elements */
    MOST_ROW = 4096,
    MOST_THREADS = 512,
    MOST_ITEMS = 16
};

/* ---- what is loaded in another order --------------------------------------------------------- */

/* Strides along all axes, which are positive, and known; false: they are not. */
static bool strides_of(const Body *b, const PermuteForm *f, Ix ix, int64_t *stride) {
    for (int i = 0; i < f->count; i++) {
        Dim scale = 0;
        if (index_along(b, ix, f->axis[i], &scale) != 1) return false;
        if (!dim_is_const(b->indices->dims, scale, &stride[i]) || stride[i] <= 0) return false;
    }
    return !b->indices->node.at[ix].dynamic;
}

static void swap_axes(PermuteForm *f, int64_t *stride, int i, int j) {
    const int axis = f->axis[i];
    const int64_t extent = f->extent[i], step = stride[i];
    f->axis[i] = f->axis[j], f->extent[i] = f->extent[j], stride[i] = stride[j];
    f->axis[j] = axis, f->extent[j] = extent, stride[j] = step;
}

/* Orders the axes as they are stored; false: not all sizes are known, or not all of one store. */
static bool order_axes(const Body *b, PermuteForm *f) {
    PermuteAxes stride;
    for (int i = 0; i < b->axes.count; i++, f->count++) {
        f->axis[i] = b->axes.at[i].number;
        if (!dim_is_const(b->indices->dims, b->axes.at[i].extent, &f->extent[i])) return false;
    }
    if (!b->stores.count || !strides_of(b, f, b->stores.at[0].ix, stride)) return false;
    for (int i = 0; i < f->count; i++)
        for (int j = i; j > 0 && stride[j] < stride[j - 1]; j--) swap_axes(f, stride, j, j - 1);
    return f->count > 1 && stride[0] == 1;
}

static bool stores_in_order(const Body *b) {
    for (int i = 1; i < b->stores.count; i++)
        if (b->stores.at[i].ix != b->stores.at[0].ix) return false;
    return true;
}

/* Bytes that are neighbours in both orders. */
static int64_t common_bytes(const PermuteForm *f, const PermuteLoad *load) {
    int64_t common = 1;
    for (int i = 0; i < f->count && load->stride[i] == common; i++) common *= f->extent[i];
    return common * load->size;
}

static void find_loads(const Body *b, PermuteForm *f) {
    for (int i = 1; i < b->values.count && f->loads < PERMUTE_LOADS; i++) {
        const Value *v = &b->values.at[i];
        PermuteLoad load = {.value = i, .size = (int64_t)dtype_size(v->type)};
        if (v->kind != V_LOAD || v->guard || !strides_of(b, f, v->ix, load.stride)) continue;
        if (common_bytes(f, &load) < LINE) f->load[f->loads++] = load;
    }
}

PermuteForm permute_form(const Kernel *k, const Body *b) {
    PermuteForm f = {0};
    if (order_axes(b, &f) && stores_in_order(b)) find_loads(b, &f);
    for (int i = 0; i < b->stores.count; i++) {
        const int64_t size = (int64_t)dtype_size(k->buffers.at[b->stores.at[i].buffer].type);
        if (size > f.element) f.element = size;
        f.stored += size;
    }
    if (!f.loads) f.count = 0;
    return f;
}

/* ---- boxes ------------------------------------------------------------------------------------
 */

/* Axes by their strides, the innermost first. */
static void order_by(const PermuteForm *f, const int64_t *stride, int *order) {
    for (int i = 0; i < f->count; i++) {
        int at = i;
        for (; at > 0 && stride[i] < stride[order[at - 1]]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
}

/* Parts of an axis of at most so many elements: all of one size where that is at least 2/3 of it,
 * or about. */
static int64_t side_of(int64_t extent, int64_t most) {
    const int64_t balanced = ceil_div(extent, ceil_div(extent, most));
    for (int64_t side = balanced; 3 * side >= 2 * balanced; side--)
        if (extent % side == 0) return side;
    return balanced;
}

/* Widens the box along the inner axes of an order to rows of up to `most` elements; returns the
 * last of them. */
static int widen(const PermuteForm *f, const int *order, int64_t most, PermuteBox *box) {
    int64_t row = 1;
    int last = 0;
    for (int i = 0; i < f->count && 2 * row <= most; i++) {
        const int64_t extent = f->extent[order[i]], side = side_of(extent, most / row);
        if (side > box->side[order[i]]) box->side[order[i]] = side;
        last = i;
        if (side < extent) break;
        row *= extent;
    }
    return last;
}

/* The axis along which threads have the most elements, up to `unroll`: any but the inner ones of
 * stored rows, which neighbouring threads share out. */
static void choose_items(const PermuteForm *f, const Tile *t, PermuteBox *box) {
    int64_t most = 1;
    for (int i = box->last; i < f->count; i++) {
        const int64_t items = box->side[i] < t->unroll ? box->side[i] : t->unroll;
        if (items >= most) most = items, box->along = i;
    }
    const int64_t side = box->side[box->along];
    box->step = ceil_div(side, most);
    box->items = (int)ceil_div(side, box->step);
}

/* ---- in shared memory --------------------------------------------------------------------------
 */

/* Positions in a box of the threads of its first warps. */
typedef struct Lanes {
    int64_t at[WARPS * WARP][PERMUTE_AXES];
} Lanes;

static void find_lanes(const PermuteForm *f, const PermuteBox *box, Lanes *lanes) {
    for (int lane = 0; lane < WARPS * WARP; lane++) {
        int64_t left = lane;
        for (int i = 0; i < f->count; i++) {
            const int64_t positions = i == box->along ? box->step : box->side[i];
            lanes->at[lane][i] = left % positions;
            left /= positions;
        }
    }
}

/* Different words that threads read from one bank take turns. */
typedef struct Banks {
    int64_t word[BANKS][WARP];
    int words[BANKS], most;
} Banks;

static void add_read(Banks *b, int64_t word, int64_t banks) {
    const int64_t bank = word % banks;
    for (int i = 0; i < b->words[bank]; i++)
        if (b->word[bank][i] == word) return;
    b->word[bank][b->words[bank]++] = word;
    if (b->words[bank] > b->most) b->most = b->words[bank];
}

/* Clocks in which the first warps read an element each; 8 bytes are read by halves of a warp. */
static int read_clocks(const PermuteForm *f, const Lanes *lanes, const PermuteTile *tile,
                       int64_t size) {
    const int together = size > BANK ? WARP / 2 : WARP;
    const int64_t width = size > BANK ? size : BANK;
    int clocks = 0;
    for (int first = 0; first < WARPS * WARP; first += together) {
        Banks banks;
        memset(banks.words, 0, sizeof banks.words);
        banks.most = 0;
        for (int lane = first; lane < first + together; lane++) {
            int64_t at = 0;
            for (int i = 0; i < f->count; i++) at += lanes->at[lane][i] * tile->stride[i];
            add_read(&banks, at * size / width, BANKS * BANK / width);
        }
        clocks += banks.most;
    }
    return clocks;
}

/* The least distance from `room` on that is congruent to that in memory. */
static int64_t congruent(int64_t room, int64_t stride, int piece) {
    return room + ((stride - room) % piece + piece) % piece;
}

/* Distances of rows, one after the other where `axis` has none of its own; and their end. */
static int64_t place_rows(const PermuteForm *f, const PermuteBox *box, const PermuteLoad *load,
                          PermuteTile *tile, int from) {
    int64_t room = tile->pieces * tile->piece;
    for (int i = 0; i < f->count; i++) {
        if (!(tile->is_row >> i & 1)) continue;
        if (i >= from) tile->stride[i] = congruent(room, load->stride[i], tile->piece);
        room = tile->stride[i] * box->side[i];
    }
    return room;
}

/* Moves rows apart, so that reads across them have the fewest bank conflicts. */
static void pad_rows(const PermuteForm *f, const PermuteBox *box, const PermuteLoad *load,
                     PermuteTile *tile) {
    const int pads = (int)(BANKS * BANK / (tile->piece * load->size));
    Lanes lanes;
    find_lanes(f, box, &lanes);
    int least = read_clocks(f, &lanes, tile, load->size);
    for (int i = 0; i < f->count; i++) {
        if (!(tile->is_row >> i & 1)) continue;
        PermuteTile best = *tile;
        for (int pad = 1; pad < pads && least > WARPS; pad++) {
            tile->stride[i] += tile->piece;
            place_rows(f, box, load, tile, i + 1);
            const int clocks = read_clocks(f, &lanes, tile, load->size);
            if (clocks < least) least = clocks, best = *tile;
        }
        *tile = best;
    }
    tile->read_clocks = (double)least / WARPS;
}

static int piece_of(const PermuteForm *f, const Tile *t, const PermuteLoad *load) {
    const int64_t bytes = t->vector * f->load[0].size;
    return (int)(bytes > load->size ? bytes / load->size : 1);
}

static PermuteTile tile_of(const PermuteForm *f, const PermuteBox *box, const PermuteLoad *load,
                           int piece) {
    PermuteTile tile = {.piece = piece, .row = 1, .rows = 1};
    int order[PERMUTE_AXES];
    order_by(f, load->stride, order);
    int64_t next = 1; /* the stride of an axis that continues the row */
    for (int i = 0; i < f->count; i++) {
        const int axis = order[i];
        const int64_t side = box->side[axis];
        if (load->stride[axis] == next) {
            tile.stride[axis] = next;
            tile.row += (side - 1) * next;
            next = side == f->extent[axis] ? next * side : 0;
        } else if (side > 1) {
            tile.is_row |= (uint32_t)1 << axis;
            tile.rows *= side;
        }
    }
    tile.pieces = ceil_div(tile.row + piece - 1, piece);
    place_rows(f, box, load, &tile, 0);
    pad_rows(f, box, load, &tile);
    const int64_t elements = place_rows(f, box, load, &tile, f->count) + piece;
    tile.bytes = ceil_div(elements * load->size, ACCESS_BYTES) * ACCESS_BYTES;
    return tile;
}

static PermuteBox box_sides(const PermuteForm *f, const Tile *t) {
    PermuteBox box = {.elements = 1};
    int order[PERMUTE_AXES];
    for (int i = 0; i < f->count; i++) box.side[i] = 1, order[i] = i;
    box.last = widen(f, order, t->n, &box);
    for (int i = 0; i < f->loads; i++) {
        order_by(f, f->load[i].stride, order);
        widen(f, order, t->m, &box);
    }
    return box;
}

PermuteBox permute_box(const PermuteForm *f, const Tile *t) {
    PermuteBox box = box_sides(f, t);
    for (int i = 0; i < f->count; i++) box.elements *= box.side[i];
    choose_items(f, t, &box);
    for (int i = 0; i < f->loads; i++) {
        box.tile[i] = tile_of(f, &box, &f->load[i], piece_of(f, t, &f->load[i]));
        box.tile[i].at = box.bytes;
        box.bytes += box.tile[i].bytes;
    }
    return box;
}

/* ---- tiles ----------------------------------------------------------------------------------- */

static const char *piece_refusal(const TileSpace *s, const Tile *t) {
    const int64_t size = s->permute.load[0].size;
    const int least = size < BANK ? (int)(BANK / size) : 1, most = (int)(ACCESS_BYTES / size);
    return loop_number_refusal(s->arena, "vector", t->vector, least, most);
}

const char *permute_obstacle(const TileSpace *s) {
    if (!machine_has_mma(s->machine)) return "asynchronous copies to shared memory take sm_80";
    if (s->permute.count) return NULL;
    return "no load has all axes, of known sizes, in another order than the stores, and lines of "
           "memory "
           "that span several";
}

static const char *permute_refusal(const TileSpace *s, const Tile *t) {
    const PermuteForm *f = &s->permute;
    const char *wrong = permute_obstacle(s);
    if (!wrong) wrong = loop_number_refusal(s->arena, "m", t->m, LEAST_ROW, MOST_ROW);
    if (!wrong) wrong = loop_number_refusal(s->arena, "n", t->n, LEAST_ROW, MOST_ROW);
    if (!wrong) wrong = loop_number_refusal(s->arena, "threads", t->threads, WARP, MOST_THREADS);
    if (!wrong) wrong = loop_number_refusal(s->arena, "unroll", t->unroll, 1, MOST_ITEMS);
    if (!wrong) wrong = piece_refusal(s, t);
    if (wrong) return wrong;
    const PermuteBox box = permute_box(f, t);
    if (box.bytes <= TILE_SHARED) return NULL;
    return arena_printf(s->arena, "a box takes %lld bytes of shared memory, and %d are there",
                        (long long)box.bytes, TILE_SHARED);
}

/* ---- which are worth a trial ------------------------------------------------------------------
 */

enum { LISTED = 12, LEAST_LISTED = 32, THREADS = 256 };

/* The fastest by expectation, in order. */
typedef struct Ranking {
    Tile tile[LISTED];
    PermuteAxes side[LISTED];
    double clocks[LISTED];
    int count;
} Ranking;

static bool is_ranked(const Ranking *r, const Tile *t, const int64_t *side) {
    for (int i = 0; i < r->count; i++)
        if (r->tile[i].vector == t->vector && !memcmp(r->side[i], side, sizeof r->side[i]))
            return true;
    return false;
}

static void rank(const TileSpace *s, const Tile *t, Ranking *r) {
    const PermuteBox box = box_sides(&s->permute, t);
    if (is_ranked(r, t, box.side) || permute_refusal(s, t)) return;
    const double clocks = permute_clocks(s, t);
    if (r->count == LISTED && clocks >= r->clocks[LISTED - 1]) return;
    int at = r->count < LISTED ? r->count++ : LISTED - 1;
    for (; at > 0 && clocks < r->clocks[at - 1]; at--) {
        r->tile[at] = r->tile[at - 1], r->clocks[at] = r->clocks[at - 1];
        memcpy(r->side[at], r->side[at - 1], sizeof r->side[at]);
    }
    r->tile[at] = *t, r->clocks[at] = clocks;
    memcpy(r->side[at], box.side, sizeof r->side[at]);
}

static void rank_all(const TileSpace *s, Ranking *r) {
    Tile t = {.kind = TILE_PERMUTE,
              .threads = THREADS,
              .unroll = s->permute.element > 1 ? 8 : MOST_ITEMS,
              .keep = KEEP_NOTHING,
              .split = 1};
    for (t.m = LEAST_LISTED; t.m <= MOST_ROW; t.m *= 2)
        for (t.n = LEAST_LISTED; t.n <= MOST_ROW; t.n *= 2)
            for (int bytes = BANK; bytes <= ACCESS_BYTES; bytes *= 2) {
                t.vector = bytes / (int)s->permute.load[0].size;
                rank(s, &t, r);
            }
}

/* Those that are expected to be slower than a plain pointwise kernel come after that and its
 * neighbours. */
static void permute_list(const TileSpace *s, Candidates *out) {
    enum { DISTANCE = 16, LATER = 4 };
    Ranking r = {.count = 0};
    if (permute_obstacle(s)) return;
    rank_all(s, &r);
    const bool pays = r.count && r.clocks[0] < permute_flat_clocks(s);
    for (int i = 0; i < r.count; i++)
        candidate_add(s, r.tile[i], (pays ? 0 : LATER) + DISTANCE * (r.clocks[i] / r.clocks[0] - 1),
                      out);
}

static void complete_nothing(const TileSpace *s, Tile *t) {
    (void)s;
    (void)t;
}

const TileFamily tile_permute = {permute_list, complete_nothing, permute_refusal};
