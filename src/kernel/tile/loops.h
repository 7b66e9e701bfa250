/* loops.h: what tiles of kernels that reduce rows and columns have in common, on a GPU. */
#ifndef FUSEC_KERNEL_TILE_LOOPS_H
#define FUSEC_KERNEL_TILE_LOOPS_H

#include "kernel/tile/tile_private.h"

enum {
    IN_FLIGHT = 4, /* loads in flight that hide the latency of memory */
    BLOCK = 256,   /* threads of a block by default */
    WARP = 32,
    MAX_THREADS = 1024,
    LOOP_THREADS = 512, /* threads of a row that is looped over */
    ACCESS_BYTES = 16,  /* the widest access */
    NARROW = 4,         /* bytes of an access */
    THREAD_ITEMS = 9,   /* vectors of a row per thread of a block */
    NARROW_ITEMS = 32,  /* vectors of a row per thread that are kept, where these are narrower */
    MOST_ITEMS = 16,    /* vectors of a row per thread that are unrolled */
    MOST_KEPT = 320,    /* bytes of registers */
    SCANNED = 16        /* elements of a scan that a thread has at a time */
};

extern const char loop_keep_on_gpu[];

int loop_power_of_two(int64_t least); /* from 1 to MAX_THREADS */
int loop_power_below(int64_t most);   /* rounded down, from 1 to MAX_THREADS / 2 */
/* Registers of a thread for kept values, in bytes: its part of half a multiprocessor, minus those
 * of the computation. */
int64_t loop_register_bytes(int threads);
const char *loop_items_refusal(const TileSpace *s, const Tile *t, int64_t items, int64_t most);
/* A tile with each way to keep values, and unrolled if rows are looped over. */
void loop_variants(const TileSpace *s, const Tile *first, Tile t, Candidates *out);

/* ---- row_threads.c: how many threads share a row, of so many vectors ---- */

bool row_is_shifted(const LoopFacts *f, const Tile *t); /* in packs that it may start anywhere in */
bool row_is_narrow(const LoopFacts *f, const Tile *t);  /* in single elements of 2 bytes or less */
bool row_is_part(const LoopFacts *f, const Tile *t);    /* in accesses of less than 16 bytes */
int row_shifted_threads(const Tile *t, int wanted);     /* of shifted packs: the least, or more */
void row_share(const TileSpace *s, Tile *t, int64_t vectors);
/* More threads, until each has registers for its sums of columns. */
void row_spread_sums(const LoopFacts *f, Tile *t, int64_t vectors);

#endif
