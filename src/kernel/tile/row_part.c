/* row_part.c: how the threads of a tile share rows of a contraction's results, which the kernel
 * reduces in its epilogue, on a GPU.
 * In: LoopFacts. Out: fields of a Tile, or why they are refused. */
#include "kernel/tile/loops.h"

enum { MOST_BESIDE = 160 }; /* bytes of registers beside the accumulators of a tile */

/* As few threads as keep their values in registers: a warp then has several rows, and hides their
 * latency. */
void row_part_choose(const TileSpace *s, Tile *t, int most_vector, int least_threads) {
    const LoopFacts *f = &s->loop;
    t->vector = f->vector < most_vector ? f->vector : most_vector;
    t->unroll = IN_FLIGHT;
    t->keep = KEEP_REGISTERS;
    for (t->row_threads = least_threads; t->row_threads <= WARP; t->row_threads *= 2) {
        const int64_t items = ceil_div(f->cols, t->row_threads * t->vector);
        if (items <= MOST_ITEMS && f->live * t->vector * items <= MOST_BESIDE) return;
    }
    t->keep = KEEP_NOTHING;
    t->row_threads = WARP;
}

void row_part_complete(const TileSpace *s, Tile *t) {
    const int each = t->row_threads * t->vector;
    t->items = t->keep == KEEP_REGISTERS && each > 0 ? (int)ceil_div(s->loop.cols, each) : 0;
}

const char *row_part_refusal(const TileSpace *s, const Tile *t, int most_vector,
                             int least_threads) {
    const int most = s->loop.vector < most_vector ? s->loop.vector : most_vector;
    const char *wrong = loop_number_refusal(s, "row_threads", t->row_threads, least_threads, WARP);
    if (!wrong) wrong = loop_vector_refusal(s, t, most);
    if (!wrong) wrong = loop_number_refusal(s, "unroll", t->unroll, 1, MOST_ITEMS);
    if (wrong || t->keep == KEEP_NOTHING) return wrong;
    if (t->keep == KEEP_MEMORY) return loop_keep_on_gpu;
    if (t->keep == KEEP_SHARED) return "the sums of a tile leave no shared memory to keep rows in";
    return loop_items_refusal(s, t, ceil_div(s->loop.cols, t->row_threads * t->vector),
                              MOST_BESIDE);
}
