/* epilogue.c: how the results of a contraction on tensor cores leave: elements that a thread stores
 * at once, and how many such vectors are in flight. In: a TileSpace. Out: two numbers of a Tile. */
#include "kernel/tile/tile_private.h"

enum {
    WIDEST = 8, /* elements */
    UNROLL = 4, /* of epilogues of few operations */
    MOST_OPS = 64,
    MOST_UNROLL = 8,
    PING_PONG_VECTOR = 4,
    SHORT_K = 1024
};

/* Operations for an element. */
static int ops_of(const Schedule *s) {
    const Body *b = s->body;
    int ops = 0;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (v->kind == V_OP && s->value[i].used) ops += op_info[v->op].costly ? COSTLY_FLOPS : 1;
    }
    return ops;
}

EpilogueFacts epilogue_facts(const Kernel *k, const Body *b, Arena *arena) {
    int *roots = arena_array(arena, int, b->stores.count + 1);
    for (int i = 0; i < b->stores.count; i++) roots[i] = b->stores.at[i].value;
    const Piece stores = {.role = PIECE_RESULTS, .roots = roots, .count = b->stores.count};
    const Schedule *s = schedule_piece(b, &stores, DOT_N, arena);
    return (EpilogueFacts){tile_piece_vector(k, s, WIDEST, true), ops_of(s)};
}

/* Is k known to be so short that the main loop of the other warpgroup does not hide an epilogue of
 * many operations? */
bool epilogue_is_late(const TileSpace *s) {
    int64_t k;
    const bool is_known = dim_is_const(s->b->indices->dims, s->b->indices->extent[DOT_K], &k);
    return is_known && k <= SHORT_K && s->epilogue.ops * WIDEST > MOST_OPS;
}

/* In ping-pong over a short k more of the epilogue is in flight: a product with gelu takes 0.88
 * times as long on an H200 (8192 x 4096 x 1024), 0.85 times (8192 x 3072 x 768), with four vectors
 * instead of one; where k is 2048 and more it does not pay. */
static void choose_late(const TileSpace *s, Tile *t, bool boxes) {
    if (t->kind != TILE_WGMMA || !t->ping_pong || !epilogue_is_late(s)) return;
    if (s->dot.count > 2 || (s->dot.count == 1 && !boxes)) return;
    t->unroll = UNROLL;
    if (s->dot.count == 2 && t->vector > PING_PONG_VECTOR) t->vector = PING_PONG_VECTOR;
}

/* Results of warpgroups have few registers beside the sums: of three products or more, the epilogue
 * would spill, and in ping-pong a whole vector of each would, too. Of two, a second vector hides
 * latencies: geglu (16384 x 1024) takes 446 us instead of 481 on an H200; where several loads
 * belong to an element of one, four do: the gates of swiglu's backward (8192 x 5632 x 2048) take
 * 320 us instead of 372 with two. Of one product with gelu and a residual over a short k two do:
 * 8192 x 2048 x 512 takes 51 us instead of 61, 2048 x 2048 x 2048 30 instead of 34. */
void epilogue_choose(const TileSpace *s, Tile *t) {
    const bool boxes = t->n && wgmma_has_boxes(&s->dot, t);
    const bool is_tight = t->kind == TILE_WGMMA && s->dot.count > 2 && !boxes;
    t->vector = s->epilogue.vector;
    t->unroll = s->epilogue.ops * t->vector <= MOST_OPS && !is_tight ? UNROLL : 1;
    if (is_tight && t->ping_pong && t->vector > PING_PONG_VECTOR) t->vector = PING_PONG_VECTOR;
    /* Where tensors are not aligned, a loop over slices that is not unrolled spills. */
    const bool is_shared = boxes && !t->ping_pong;
    if (t->kind == TILE_WGMMA && (s->dot.count == 2 || is_shared) && t->unroll == 1) t->unroll = 2;
    if (t->kind == TILE_WGMMA && s->dot.count == 1 && s->dot.result_loads > 1) t->unroll = UNROLL;
    const bool waits = s->dot.is_short && s->dot.result_loads == 1;
    if (t->kind == TILE_WGMMA && s->dot.count < 3 && waits && t->unroll == 1) t->unroll = 2;
    choose_late(s, t, boxes);
}

bool epilogue_stores_neighbours(const TileSpace *s) {
    const Body *b = s->b;
    Dim step = 0;
    for (int i = 0; i < b->stores.count; i++)
        if (index_along(b, b->stores.at[i].ix, DOT_N, &step) == 1 &&
            dim_is(b->indices->dims, step, 1))
            return true;
    return false;
}

const char *epilogue_refusal(const TileSpace *s, const Tile *t) {
    if (!is_power_of_two(t->vector) || t->vector > s->epilogue.vector)
        return tile_refuse(s, "vector is a power of 2 up to %d, and not %d", s->epilogue.vector,
                           t->vector);
    if (is_power_of_two(t->unroll) && t->unroll <= MOST_UNROLL) return NULL;
    return tile_refuse(s, "unroll is a power of 2 up to %d, and not %d", MOST_UNROLL, t->unroll);
}

void epilogue_variants(const TileSpace *s, const Tile *t, double cost, Candidates *out) {
    static const double slower = 0.02; /* for each doubling or halving */
    for (int vector = t->vector; vector >= 1; vector /= 2)
        for (int unroll = 1; unroll <= MOST_UNROLL; unroll *= 2) {
            Tile other = *t;
            other.vector = vector, other.unroll = unroll;
            const int distance = tile_distance(t, &other);
            if (distance && distance < 3)
                candidate_add(s, other, cost * (1 + slower * distance), out);
        }
}
