/* gemv.h: contractions with few rows or columns (the narrow operand): how threads share those of
 * the other, wide operand. Sections as in lanes.h. */
#pragma once
#include "tiles.h"
//@BEGIN
//@SECTION fx_strips fx_strips_of
/* Strips of the wide operand, one after the other for each batch. */
typedef struct fx_strips {
    idx threads, count; /* count: of each batch */
    idx n;              /* rows or columns of a strip */
    idx narrow;         /* elements of the narrow operand, packed */
    idx bytes;          /* of it and of the sums, for each thread */
} fx_strips;

/* As wide as `most`, or narrower, so that each thread has as many. A strip is a multiple of VL. */
static inline fx_strips fx_strips_of(idx most, idx parallel, idx batch, idx few, idx many, idx k,
                                     idx products, idx size) {
    const double work = (double)batch * (double)few * (double)many * (double)k;
    fx_strips s = {.threads = work < (double)parallel ? 1 : fx_threads()};
    s.count = (many + most - 1) / most;
    while (batch * s.count % s.threads && many / s.count > VL) s.count++;
    s.n = FX_ROUND((many + s.count - 1) / s.count, VL);
    s.count = (many + s.n - 1) / s.n;
    s.narrow = FX_ROUND(few * FX_ROUND(k, VL) + VL, 64);
    s.bytes = (s.narrow + fx_align(products * few * s.n)) * size;
    return s;
}

//@SECTION fx_strips_bytes
static inline int64_t fx_strips_bytes(idx most, idx parallel, idx batch, idx few, idx many, idx k,
                                      idx products, idx size) {
    const fx_strips s = fx_strips_of(most, parallel, batch, few, many, k, products, size);
    return s.threads * s.bytes;
}

//@SECTION EACH_OF
/* A loop that is unrolled. */
#define EACH_OF(i, count) _Pragma("GCC unroll 8") for (idx i = 0; i < (count); i++)
