/* permute_box.c: what a block of a permute has: parts of all axes that rows of the loads, or of the
 * stores, span, as long as the tile allows. Rows of the loads are in shared memory as they are in
 * the tensor. In: what is loaded in another order, a Tile. Out: sides, and places in shared memory.
 */
#include "kernel/tile/tile_private.h"

#include <string.h>

enum {
    ACCESS_BYTES = 16,
    SECTOR = 32, /* bytes */
    BANKS = 32,  /* of shared memory, of 4 bytes */
    BANK = 4,
    WARP = 32,
    WARPS = 2 /* whose bank conflicts are counted */
};

/* ---- boxes ----------------------------------------------------------------------------------- */

/* Axes by their strides, the innermost first. */
static void order_by(const PermuteForm *f, const int64_t *stride, int *order) {
    for (int i = 0; i < f->count; i++) {
        int at = i;
        for (; at > 0 && stride[i] < stride[order[at - 1]]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
}

/* The largest divisor from `least` to `most`; else `most`. */
static int64_t divisor_near(int64_t n, int64_t least, int64_t most) {
    for (int64_t d = most; d >= least; d--)
        if (n % d == 0) return d;
    return most;
}

/* Has the box all of the inner axes, so that what it has along this one is stored without gaps? */
static bool is_stored_along(const PermuteForm *f, const PermuteBox *box, int axis) {
    for (int i = 0; i < axis; i++)
        if (box->side[i] < f->extent[i]) return false;
    return true;
}

/* Along the innermost axis of the stores there are whole vectors, and along the outermost one of a
 * stored row as many elements as sectors start at, where rows do. */
static int64_t unit_of(const PermuteForm *f, const PermuteBox *box, int axis) {
    int64_t step = f->element, unit = axis ? 1 : f->vector;
    for (int i = 0; i < axis; i++) step *= f->extent[i];
    const bool starts = axis == f->count - 1 || step * f->extent[axis] % SECTOR == 0;
    if (!starts || !is_stored_along(f, box, axis)) return unit;
    while (unit * step % SECTOR) unit *= 2;
    return unit;
}

/* Widens the box to at most so many elements along an axis, or one unit: parts of equal sizes, or
 * nearly. Is that all of it? */
static bool widen(const PermuteForm *f, int axis, int64_t most, PermuteBox *box) {
    const int64_t extent = f->extent[axis], unit = unit_of(f, box, axis);
    const int64_t units = ceil_div(extent, unit), fits = most < unit ? 1 : most / unit;
    const int64_t balanced = ceil_div(units, ceil_div(units, fits));
    int64_t side =
        unit *
        (extent % unit ? balanced : divisor_near(units, ceil_div(2 * balanced, 3), balanced));
    if (side > extent) side = extent;
    if (side > box->side[axis]) box->side[axis] = side;
    return side == extent;
}

/* Rows of up to so many elements, where they are stored, */
static void widen_stores(const PermuteForm *f, int64_t most, PermuteBox *box) {
    int64_t row = 1;
    for (int i = 0; i < f->count && 2 * row <= most; i++) {
        if (!widen(f, i, most / row, box)) return;
        row *= f->extent[i];
    }
}

/* and where they are loaded. */
static void widen_loads(const PermuteForm *f, const PermuteLoad *load, int64_t most,
                        PermuteBox *box) {
    int order[PERMUTE_AXES];
    int64_t row = 1;
    order_by(f, load->stride, order);
    for (int i = 0; i < f->count && 2 * row <= most; i++) {
        if (!widen(f, order[i], most / row, box)) return;
        row *= f->extent[order[i]];
    }
}

/* The outermost axis along which what the box has is stored without gaps. */
static int last_stored(const PermuteForm *f, const PermuteBox *box) {
    int last = 0;
    while (last + 1 < f->count && box->side[last + 1] > 1 && is_stored_along(f, box, last + 1))
        last++;
    return last;
}

/* The axis along which threads have the most elements, up to `unroll`: any but the inner ones of
 * stored rows, which neighbouring threads share out. */
static void choose_items(const PermuteForm *f, const Tile *t, PermuteBox *box) {
    int64_t most = 1, unit = 1;
    for (int i = box->last; i < f->count; i++) {
        const int64_t own = unit_of(f, box, i), side = box->side[i], each = own < side ? own : side;
        const int64_t count = ceil_div(side, each), items = count < t->unroll ? count : t->unroll;
        if (i == box->last || (side > 1 && items >= most))
            most = items, unit = each, box->along = i;
    }
    const int64_t count = ceil_div(box->side[box->along], unit);
    const int64_t step = ceil_div(count, divisor_near(count, ceil_div(most, 2), most));
    box->step = step * unit;
    box->items = (int)ceil_div(count, step);
}

/* ---- in shared memory ------------------------------------------------------------------------ */

/* Positions in a box of the threads of its first warps. */
typedef struct Lanes {
    int at[WARPS * WARP][PERMUTE_AXES];
} Lanes;

static void find_lanes(const PermuteForm *f, const PermuteBox *box, Lanes *lanes) {
    for (int lane = 0; lane < WARPS * WARP; lane++) {
        int64_t left = lane;
        for (int i = 0; i < f->count; i++) {
            const int unit = i ? 1 : box->vector;
            const int64_t positions = (i == box->along ? box->step : box->side[i]) / unit;
            lanes->at[lane][i] = (int)(left % positions) * unit;
            left /= positions;
        }
    }
}

/* Different words that threads read from one bank take turns. */
typedef struct Banks {
    int word[BANKS][WARP];
    int words[BANKS], most;
} Banks;

static void add_read(Banks *b, int bank, int word) {
    for (int i = 0; i < b->words[bank]; i++)
        if (b->word[bank][i] == word) return;
    b->word[bank][b->words[bank]++] = word;
    if (b->words[bank] > b->most) b->most = b->words[bank];
}

/* Clocks in which the first warps read an element each; 8 bytes are read by halves of a warp. */
static int read_clocks(const PermuteForm *f, const Lanes *lanes, const PermuteTile *tile,
                       int64_t size) {
    const bool is_wide = size > BANK;
    const int together = is_wide ? WARP / 2 : WARP, banks = is_wide ? BANKS / 2 : BANKS;
    const unsigned bytes = (unsigned)size, width = is_wide ? 2 * BANK : BANK;
    int stride[PERMUTE_AXES], clocks = 0;
    for (int i = 0; i < f->count; i++) stride[i] = (int)tile->stride[i];
    for (int first = 0; first < WARPS * WARP; first += together) {
        Banks read;
        memset(read.words, 0, sizeof read.words);
        read.most = 0;
        for (int lane = first; lane < first + together; lane++) {
            int at = 0;
            for (int i = 0; i < f->count; i++) at += lanes->at[lane][i] * stride[i];
            const unsigned word = (unsigned)at * bytes / width;
            add_read(&read, (int)(word & (unsigned)(banks - 1)), (int)word);
        }
        clocks += read.most;
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

static void end_rows(const PermuteForm *f, const PermuteBox *box, const PermuteLoad *load,
                     PermuteTile *tile) {
    const int64_t elements = place_rows(f, box, load, tile, f->count) + tile->piece;
    tile->bytes = ceil_div(elements * load->size, ACCESS_BYTES) * ACCESS_BYTES;
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
    end_rows(f, box, load, tile);
}

static int piece_of(const PermuteForm *f, const Tile *t, const PermuteLoad *load) {
    const int64_t bytes = t->vector * f->load[0].size;
    return (int)(bytes > load->size ? bytes / load->size : 1);
}

static PermuteTile tile_of(const PermuteForm *f, const PermuteBox *box, const PermuteLoad *load,
                           int piece) {
    PermuteTile tile = {.piece = piece, .row = 1, .rows = 1, .read_clocks = 1};
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
    end_rows(f, box, load, &tile);
    return tile;
}

static PermuteBox box_sides(const PermuteForm *f, const Tile *t) {
    PermuteBox box = {.elements = 1};
    for (int i = 0; i < f->count; i++) box.side[i] = 1;
    widen_stores(f, t->n, &box);
    for (int i = 0; i < f->loads; i++) widen_loads(f, &f->load[i], t->m, &box);
    box.last = last_stored(f, &box);
    return box;
}

/* One tile after the other. */
static void place_tiles(const PermuteForm *f, PermuteBox *box) {
    box->bytes = 0;
    for (int i = 0; i < f->loads; i++) {
        box->tile[i].at = box->bytes;
        box->bytes += box->tile[i].bytes;
    }
}

PermuteBox permute_box_unpadded(const PermuteForm *f, const Tile *t) {
    PermuteBox box = box_sides(f, t);
    for (int i = 0; i < f->count; i++) box.elements *= box.side[i];
    box.vector = box.side[0] % f->vector ? 1 : f->vector;
    choose_items(f, t, &box);
    for (int i = 0; i < f->loads; i++)
        box.tile[i] = tile_of(f, &box, &f->load[i], piece_of(f, t, &f->load[i]));
    place_tiles(f, &box);
    return box;
}

PermuteBox permute_box(const PermuteForm *f, const Tile *t) {
    PermuteBox box = permute_box_unpadded(f, t);
    for (int i = 0; i < f->loads; i++) pad_rows(f, &box, &f->load[i], &box.tile[i]);
    place_tiles(f, &box);
    return box;
}
