/* permute_time.c: the expected time of boxes, and of the plain pointwise kernel in their place.
 * In: what is loaded in another order, a Tile. Out: clocks of a multiprocessor for each element.
 *
 * A block of a box of E elements, whose loads are rows of r bytes that copies of p bytes bring:
 *
 *     memory  (bytes + 0.5 of what whole sectors of 32 bytes add at the ends of loaded rows, and
 *             1.5 of what they add at the ends of stored rows) / bandwidth
 *     shared  copies / 32 + E / 32 reads, times their bank conflicts, + E / 32 stores
 *     issue   (60 threads + 16 copies + 3 E + 6 axes E / items) / 32 / 4
 *
 * These overlap with those of other blocks, but not quite, and not at all where blocks start
 * together. The time of a block alone is that of all blocks that a multiprocessor holds at a time,
 * at least, and of the end of the kernel. */
#include "kernel/tile/tile_private.h"

#include <stdlib.h>

enum {
    SECTOR = 32, /* bytes */
    WARP = 32,
    THREAD_OPS = 60, /* instructions of a thread before its first copy, */
    LAUNCH = 200,    /* clocks between two blocks */
    COPY_OPS = 16,   /* of a copy, */
    ITEM_OPS = 3,    /* of an element, besides operations, */
    AXIS_OPS = 6,    /* and of a thread for its position along an axis */
    START = 2000, /* clocks of a block that has nothing to do but wait for a copy, and a store; */
    COPY_CLOCKS = 25,    /* of a thread between two copies, */
    SHARE_CLOCKS = 60,   /* for its position, */
    ITEM_CLOCKS = 8,     /* and between two items */
    MOST_RESIDENT = 2048 /* threads of a multiprocessor */
};

/* How much the bytes of a sector count that a row does not fill: of loaded rows, whose sectors a
 * neighbouring block loads, too, and of stored rows. With 0.5 for both, 24 permutes take 0.95 to
 * 1.45 times as long on an H200, 1.1 times in the median. */
static const double EDGE = 0.5, STORED_EDGE = 1.5;
static const double SERIAL = 0.25; /* of what does not decide */

/* Bytes of a multiprocessor for each clock. */
static double bandwidth_of(const Machine *gpu) {
    return (double)gpu->bandwidth * 1000 / gpu->clock / gpu->processors;
}

static double most_of(double a, double b) { return a > b ? a : b; }

/* Bytes in sectors of a row that starts at multiples of `unit` bytes. */
static double in_sectors(double bytes, int64_t unit) {
    int64_t aligned = SECTOR;
    while (unit % aligned) aligned /= 2;
    if (aligned < SECTOR) return bytes + SECTOR - (double)aligned;
    return (double)ceil_div((int64_t)bytes, SECTOR) * SECTOR;
}

/* Of rows of a tile, with a part of the sectors at their ends. */
static double with_edges(double rows, double bytes, int64_t unit, double edge) {
    return rows * (bytes + edge * (in_sectors(bytes, unit) - bytes));
}

/* The alignment of rows is that of all steps between them, and so of the bits of these. */
static double loaded_bytes(const PermuteForm *f, const PermuteBox *box, int load) {
    const PermuteTile *tile = &box->tile[load];
    const PermuteLoad *l = &f->load[load];
    int64_t unit = 0;
    for (int i = 0; i < f->count; i++) {
        const bool is_cut = box->side[i] < f->extent[i];
        if (tile->is_row >> i & 1) unit |= l->stride[i];
        if (is_cut) unit |= l->stride[i] * box->side[i];
    }
    return with_edges((double)tile->rows, (double)(tile->row * l->size), unit * l->size, EDGE);
}

/* Threads beside each other store what is contiguous up to the axis along which each has several.
 */
static double stored_bytes(const PermuteForm *f, const PermuteBox *box) {
    int64_t row = 1, stride = 1, unit = 0;
    for (int i = 0; i <= box->last; i++) {
        row *= i == box->along ? box->step : box->side[i];
        if (box->side[i] < f->extent[i]) unit |= stride * box->side[i];
        stride *= f->extent[i];
    }
    const double rows = (double)box->elements / (double)row;
    return with_edges(rows, (double)(row * f->stored), (unit | stride) * f->element, STORED_EDGE);
}

static double copies_of(const PermuteForm *f, const PermuteBox *box) {
    double copies = 0;
    for (int i = 0; i < f->loads; i++) copies += (double)(box->tile[i].rows * box->tile[i].pieces);
    return copies;
}

/* Of a multiprocessor, for a block. */
typedef struct Clocks {
    double loads, stores; /* of memory */
    double shared, issue;
} Clocks;

static Clocks clocks_of(const TileSpace *s, const Tile *t, const PermuteBox *box) {
    const PermuteForm *f = &s->permute;
    const Machine *gpu = s->machine;
    const double elements = (double)box->elements, copies = copies_of(f, box);
    double bytes = 0, reads = 0;
    for (int i = 0; i < f->loads; i++) {
        bytes += loaded_bytes(f, box, i);
        reads += elements * box->tile[i].read_clocks;
    }
    const double ops = ITEM_OPS * f->loads + s->loop.ops + AXIS_OPS * (double)f->count / box->items;
    return (Clocks){.loads = bytes / bandwidth_of(gpu),
                    .stores = stored_bytes(f, box) / bandwidth_of(gpu),
                    .shared = (copies + reads + elements / box->vector) / WARP,
                    .issue = (THREAD_OPS * t->threads + COPY_OPS * copies + ops * elements) / WARP /
                             gpu->issue};
}

/* Of many blocks, each at another place. */
static double busy_clocks(const Clocks *c) {
    const double memory = c->loads + c->stores;
    const double most = most_of(memory, most_of(c->shared, c->issue));
    return LAUNCH + most + SERIAL * (memory + c->shared + c->issue - most);
}

/* Blocks that start together first all load, and then all store. */
static double in_step_clocks(const Clocks *c) {
    const double rest = most_of(c->stores, most_of(c->shared, c->issue));
    return c->loads < rest ? c->loads : rest;
}

/* Of a block alone. */
static double alone_clocks(const PermuteForm *f, const Tile *t, const PermuteBox *box) {
    const int64_t shares = box->elements / (box->items * box->vector);
    const int64_t copies = ceil_div((int64_t)copies_of(f, box), t->threads);
    return START + (double)copies * COPY_CLOCKS +
           (double)ceil_div(shares, t->threads) * (SHARE_CLOCKS + ITEM_CLOCKS * box->items);
}

static int64_t resident_blocks(const TileSpace *s, const Tile *t, const PermuteBox *box) {
    const int64_t most = MOST_RESIDENT / t->threads;
    const int64_t fit = s->machine->shared_processor / (box->bytes + 1);
    return fit < most ? fit : most;
}

double permute_clocks(const TileSpace *s, const Tile *t, const PermuteBox *box) {
    const PermuteForm *f = &s->permute;
    const Clocks c = clocks_of(s, t, box);
    const double alone = alone_clocks(f, t, box);
    double elements = 1;
    int64_t blocks = 1;
    for (int i = 0; i < f->count; i++)
        elements *= (double)f->extent[i], blocks *= permute_parts(f, box, i);
    const double each = (double)ceil_div(blocks, s->machine->processors);
    const double together = (double)resident_blocks(s, t, box);
    const double first = each < together ? each : together, turns = each / first;
    const double busy = each * busy_clocks(&c) + first * in_step_clocks(&c);
    return (START + most_of(busy, turns * alone)) * s->machine->processors / elements;
}

/* ---- the plain kernel ------------------------------------------------------------------------ */

enum {
    BLOCK = 512,       /* neighbours in the order of the stores, that share L1; */
    FLAT_BLOCK = 2048, /* elements of a block */
    LINE = 128         /* bytes */
};

static int by_place(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* How many pieces of `bytes` neighbouring elements are in, from `first` on. */
static int pieces_of(const PermuteForm *f, const PermuteLoad *load, int first, int count,
                     int64_t bytes) {
    int64_t place[BLOCK];
    for (int k = 0; k < count; k++) {
        int64_t left = first + k, at = 0;
        for (int i = 0; i < f->count; left /= f->extent[i++])
            at += left % f->extent[i] * load->stride[i];
        place[k] = at * load->size / bytes;
    }
    qsort(place, (size_t)count, sizeof *place, by_place);
    int pieces = 1;
    for (int k = 1; k < count; k++) pieces += place[k] != place[k - 1];
    return pieces;
}

/* L1 has what a block loads; a warp's access takes a clock for each line. */
double permute_flat_clocks(const TileSpace *s) {
    const PermuteForm *f = &s->permute;
    double bytes = (double)f->stored, lines = 0, elements = 1;
    for (int i = 0; i < f->count; i++) elements *= (double)f->extent[i];
    for (int i = 0; i < f->loads; i++) {
        bytes += (double)pieces_of(f, &f->load[i], 0, BLOCK, SECTOR) * SECTOR / BLOCK;
        for (int first = 0; first < BLOCK; first += WARP)
            lines += (double)pieces_of(f, &f->load[i], first, WARP, LINE) / BLOCK;
    }
    const double memory = bytes / bandwidth_of(s->machine);
    return most_of(memory, lines) + (double)LAUNCH / FLAT_BLOCK +
           (double)START * s->machine->processors / elements;
}
