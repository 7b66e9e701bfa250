/* pointwise.c: tiles of pointwise kernels on a GPU.
 * In: LoopFacts. Out: legal tiles; times are not estimated: the first follows from element sizes
 * and strides, the others by their distance from it. */
#include "kernel/tile/tile_private.h"

enum {
    IN_FLIGHT = 4, /* loads in flight that hide the latency of memory */
    BLOCK = 256,   /* threads of a block by default */
    WARP = 32,
    MAX_THREADS = 1024,
    MOST_ITEMS = 16,     /* vectors of a thread that are unrolled */
    MOST_UNROLLED = 256, /* operations of a thread after unrolling */
    LEAST_LOADED = 32,   /* bytes of a thread in flight, */
    MOST_LOADED = 256    /* and at most */
};

/* Are there enough threads with so many items each? */
static bool has_threads(const LoopFacts *f, const Tile *t, int items) {
    enum { ENOUGH = 1 << 19 };
    return !f->rows || !f->cols || f->rows * f->cols / t->vector / items >= ENOUGH;
}

/* Elements of a pack, at most: where there are whole tiles of packs that do not divide the tensor,
 * what is behind them goes one by one. */
static int widest(const LoopFacts *f, const Tile *t) {
    const int64_t tile = (int64_t)t->threads * t->unroll * f->whole;
    return f->rows * f->cols >= tile ? f->whole : f->vector;
}

/* May a thread have so many items? Lists of items are gone through one after the other. */
static bool may_have(const LoopFacts *f, const Tile *t, int items) {
    return t->unroll * f->ops * t->vector < MOST_UNROLLED &&
           (!f->has_lists || has_threads(f, t, items));
}

/* With windows a second item is loaded after the first: on an H200 products of interleaved pairs,
 * bf16 [4, 4096, 16, 128], take 37.3 us with 4 items, and 35.3 with 1. */
static bool may_have_more(const LoopFacts *f, const Tile *t) {
    return f->loads && !f->windows && t->unroll * f->loads < IN_FLIGHT &&
           may_have(f, t, 2 * t->unroll);
}

/* Several items per thread hide the latency of few loads, unless each item is much work; so many
 * that narrow loads bring as much, if threads are enough: on an H200 rows of 25 and 774 f32 one
 * after the other take 12.5 us with 4 items, and 18 with 1. */
static Tile pointwise_first(const LoopFacts *f) {
    enum { MANY = 1 << 16, NARROW = 8 }; /* elements of several tiles of packs; bytes */
    const bool is_narrow = f->vector * f->element < NARROW;
    Tile t = {.kind = TILE_POINTWISE,
              .threads = BLOCK,
              .vector = is_narrow && f->rows * f->cols >= MANY ? f->whole : f->vector,
              .unroll = 1,
              .keep = KEEP_NOTHING,
              .split = 1};
    if (f->stores_parts) {
        t.vector = 1;
        return t;
    }
    const int loads = f->loads + f->guarded;
    const int bytes = loads * t.vector * (int)f->element;
    while (may_have_more(f, &t)) t.unroll *= 2;
    while (loads && t.unroll * bytes < LEAST_LOADED && 2 * t.unroll <= 2 * IN_FLIGHT &&
           may_have(f, &t, 2 * t.unroll) && has_threads(f, &t, 2 * t.unroll))
        t.unroll *= 2;
    return t;
}

static const char *pointwise_refusal(const TileSpace *s, const Tile *t) {
    const LoopFacts *f = &s->loop;
    const char *wrong = loop_number_refusal(s, "threads", t->threads, WARP, MAX_THREADS);
    if (!wrong) wrong = loop_vector_refusal(s, t, widest(f, t));
    if (!wrong) wrong = loop_number_refusal(s, "unroll", t->unroll, 1, MOST_ITEMS);
    if (wrong || t->unroll == 1) return wrong;
    const int64_t bytes = t->unroll * f->loads * t->vector * f->element;
    const int64_t ops = (int64_t)t->unroll * f->ops * t->vector;
    if (bytes > MOST_LOADED)
        return tile_refuse(s, "%lld bytes of loads in flight are more than %d of registers",
                           (long long)bytes, MOST_LOADED);
    if (ops <= 2 * MOST_UNROLLED) return NULL;
    return tile_refuse(s, "%lld operations written out are more than %d", (long long)ops,
                       2 * MOST_UNROLLED);
}

static void pointwise_list(const TileSpace *s, Candidates *out) {
    const Tile first = pointwise_first(&s->loop);
    candidate_add(s, first, 0, out);
    for (int threads = 64; threads <= MAX_THREADS; threads *= 2)
        for (int vector = s->loop.whole; vector; vector /= 2)
            for (int unroll = 1; unroll <= 2 * IN_FLIGHT; unroll *= 2) {
                Tile t = first;
                t.threads = threads, t.vector = vector, t.unroll = unroll;
                if (tile_distance(&first, &t)) candidate_add(s, t, tile_distance(&first, &t), out);
            }
}

const TileFamily tile_pointwise = {pointwise_list, NULL, pointwise_refusal};
