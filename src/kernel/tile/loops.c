/* loops.c: what tiles of kernels that reduce rows and columns have in common, on a GPU.
 * In: numbers of a tile. Out: refusals, NULL where there are none; variants. */
#include "kernel/tile/loops.h"

enum { REGISTER_BYTES = 128 << 10 }; /* half of a multiprocessor's */

const char loop_keep_on_gpu[] = "on a GPU rows are kept in registers or shared memory, or not";

int loop_power_of_two(int64_t least) {
    int p = 1;
    while (p < least && p < MAX_THREADS) p *= 2;
    return p;
}

int loop_power_below(int64_t most) { return most > 1 ? loop_power_of_two(most + 1) / 2 : 1; }

const char *loop_number_refusal(const TileSpace *s, const char *what, int64_t n, int64_t least,
                                int64_t most) {
    if (is_power_of_two(n) && n >= least && n <= most) return NULL;
    return tile_refuse(s, "%s must be a power of 2 from %lld to %lld, not %lld", what,
                       (long long)least, (long long)most, (long long)n);
}

const char *loop_vector_refusal(const TileSpace *s, const Tile *t, int most) {
    if (is_power_of_two(t->vector) && t->vector <= most) return NULL;
    return tile_refuse(s,
                       "strides, sizes and 16 bytes of an access allow vectors of 1 to %d elements "
                       "(powers of 2), not %d",
                       most, t->vector);
}

int64_t loop_register_bytes(int threads) {
    int64_t part = (int64_t)REGISTER_BYTES / threads;
    return part < MOST_KEPT ? part : MOST_KEPT;
}

const char *loop_items_refusal(const TileSpace *s, const Tile *t, int64_t items, int64_t most) {
    const int64_t bytes = s->loop.live * t->vector * items;
    if (!s->loop.cols) return "values of a row of open length cannot be kept";
    const int most_items = t->vector * s->loop.least < NARROW ? NARROW_ITEMS : MOST_ITEMS;
    if (items > most_items)
        return tile_refuse(s,
                           "a thread has %lld vectors of a row, and at most %d can be "
                           "unrolled",
                           (long long)items, most_items);
    if (bytes <= most) return NULL;
    return tile_refuse(s, "a thread keeps %lld bytes, and has registers for %lld", (long long)bytes,
                       (long long)most);
}

void loop_variants(const TileSpace *s, const Tile *first, Tile t, Candidates *out) {
    for (int keep = KEEP_REGISTERS; keep <= KEEP_NOTHING; keep++) {
        t.keep = (Keep)keep;
        for (int unroll = 1; unroll <= 2 * IN_FLIGHT; unroll *= 2) {
            t.unroll = unroll;
            if (t.keep == KEEP_REGISTERS && unroll != first->unroll) continue;
            const int distance = tile_distance(first, &t);
            if (distance) candidate_add(s, t, distance, out);
        }
    }
}
