/* fma.c: the time of tiles that are multiplied by fused multiply-adds, one at a time. In: a
 * Machine, how many tiles there are, and of which size. Out: clocks, fitted to measurements on an
 * H200. */
#include "sched/cost/cost.h"

#include <math.h>

/* A tile, how many of them a multiprocessor has at a time if its shared memory has room for so many
 * elements of k of each, and how many times as long as their multiply-adds so many take together,
 * the first alone: where an operand is contiguous across k, and where both are along it. Of tiles
 * of 64 x 64, 252 take 25 us (366 x 2655 x 403), 100 44 (640 x 640 x 1024); of 64 x 128, 561 230 us
 * (2050 x 2050 x 1023), 377 53 (1851 x 1591 x 302) and 126 28; of 128 x 128, 289 276 us, 1024 (4096
 * x 4096 x 512) 357; of 32 x 64, 494 18 us (386 x 2377 x 179), 504 31 (366 x 2655 x 403), 720 45
 * (936 x 323 x 428). */
enum { MOST_HELD = 8 };
typedef struct Fma {
    int m, n, held, across_k, along_k;
    double across[MOST_HELD], along[MOST_HELD];
} Fma;

static const Fma forms[] = {
    {32,
     64,
     8,
     48,
     48,
     {2.9, 1.75, 1.75, 1.7, 1.7, 1.68, 1.68, 1.66},
     {3.2, 1.85, 1.8, 1.7, 1.68, 1.68, 1.66, 1.66}},
    {64, 64, 2, 48, 32, {2.6, 1.8}, {2.6, 1.85}},
    {64, 128, 4, 48, 48, {1.5, 1.4, 1.35, 1.25}, {1.6, 1.4, 1.35, 1.25}},
    {128, 64, 4, 48, 48, {1.5, 1.4, 1.35, 1.25}, {1.6, 1.4, 1.35, 1.25}},
    {128, 128, 2, 48, 16, {1.5, 1.25}, {2, 1.25}},
};

/* Tiles that a multiprocessor has at a time. */
static int held_of(const Machine *machine, const Fma *f, bool is_across) {
    enum { PAD = 4 /* elements between rows */, RESERVED = 1024 /* bytes of a block */ };
    const int k = is_across ? f->across_k : f->along_k;
    const int bytes = (f->m + f->n + 2 * PAD) * k * (int)sizeof(float) + RESERVED;
    const int most = machine->shared_processor / bytes;
    return most < 1 ? 1 : most < f->held ? most : f->held;
}

double cost_fma_tiles(const Machine *machine, double tiles, int m, int n, bool is_across) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const Fma *f = &forms[i];
        if (f->m != m || f->n != n) continue;
        const double *share = is_across ? f->across : f->along;
        const int held = held_of(machine, f, is_across);
        const double all = (double)held * machine->processors, full = floor(tiles / all);
        const int rest = (int)ceil((tiles - full * all) / machine->processors);
        const double waves = full * held * share[held - 1] + (rest ? rest * share[rest - 1] : 0);
        return waves * m * n / machine->fma;
    }
    return INFINITY;
}
