/* gemv.h: contractions with few rows or columns (the narrow operand): how threads share those of
 * the other, wide operand. Sections as in lanes.h. */
#pragma once
#include "tiles_weights.h"
//@BEGIN
//@SECTION fx_strips fx_strips_of
/* Strips of the wide operand, one after the other for each batch. */
typedef struct fx_strips {
    idx threads, count; /* count: of each batch */
    idx n;              /* rows or columns of a strip */
    idx narrow;         /* elements of the narrow operand, packed */
    idx bytes;          /* of it and of the sums, for each thread */
} fx_strips;

/* As wide as `most`, or narrower, so that each thread has as many. A strip is a multiple of 16: of
 * whole vectors, and of groups of 2, 4 or 8 rows. */
static inline fx_strips fx_strips_of(idx most, idx parallel, idx batch, idx few, idx many, idx k,
                                     idx products, idx size) {
    const double work = (double)batch * (double)few * (double)many * (double)k;
    fx_strips s = {.threads = work < (double)parallel ? 1 : fx_threads()};
    s.count = (many + most - 1) / most;
    while (batch * s.count % s.threads && many / s.count > VL) s.count++;
    s.n = FX_ROUND((many + s.count - 1) / s.count, 16);
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

//@SECTION SUMS_OF_LANES
/* The sums of the lanes of each of VL vectors, in the order of sum_lanes: each round adds up halves
 * of two vectors, so that half as many are left. */
#define ADD_HALVES(COUNT)                                                                          \
    _Pragma("GCC unroll 8") for (int i = 0; i < COUNT; i++)                                        \
        square[i] = __builtin_shufflevector(square[i], square[i + COUNT], LANES_LOW) +             \
                    __builtin_shufflevector(square[i], square[i + COUNT], LANES_HIGH);
#if VL == 16
#define SUMS_OF_LANES ADD_HALVES(8) ADD_HALVES(4) ADD_HALVES(2) ADD_HALVES(1)
#elif VL == 8
#define SUMS_OF_LANES ADD_HALVES(4) ADD_HALVES(2) ADD_HALVES(1)
#else
#define SUMS_OF_LANES ADD_HALVES(2) ADD_HALVES(1)
#endif

//@SECTION sums_of_lanes_f32
LANES f32 sums_of_lanes_f32(f32 *square) {
    SUMS_OF_LANES
    return square[0];
}

//@SECTION sums_of_lanes_u32
LANES u32 sums_of_lanes_u32(u32 *square) {
    SUMS_OF_LANES
    return square[0];
}

//@SECTION FX_PARTS DOT_ADD
/* Products of bf16: two to a lane where there is an instruction for them, else one. */
#ifdef BF16_ADD
#define FX_PARTS           2
#define DOT_ADD(sum, x, y) BF16_ADD(sum, x, y)
#else
#define FX_PARTS           1
#define DOT_ADD(sum, x, y) sum += x * y
#endif

//@SECTION round_pairs
/* FX_PARTS vectors one after the other as bf16, in the order of memory; pairs may flush denormals.
 */
LANES f32 round_pairs(const f32 *part) {
#if FX_PARTS == 2
    f32 pairs;
    __asm__("vcvtne2ps2bf16 %1, %2, %0" : "=v"(pairs) : "v"(part[0]), "v"(part[1]));
    return pairs;
#else
    return round_bf16(part[0]);
#endif
}

//@SECTION pairs_of
/* The same of numbers that are bf16: their high halves. */
LANES f32 pairs_of(const f32 *part) {
    f32 pairs = part[0];
#if FX_PARTS == 2
    __asm__("vpermt2w %2, %1, %0"
            : "+v"(pairs)
            : "v"(lanes_i32(0) * 0x40004 + 0x30001), "v"(part[1]));
#endif
    return pairs;
}

//@SECTION pairs_at
/* The same from memory. */
LANES f32 pairs_at(const bf16 *p) {
#if FX_PARTS == 2
    return ld_f32((const float *)p, VL);
#else
    return ld_bf16(p, VL);
#endif
}

//@SECTION pairs_across
/* Rows k and k + 1, which are bf16: each lane has a pair. */
LANES f32 pairs_across(const f32 *part) {
#if FX_PARTS == 2
    return (f32)((u32)part[0] >> 16 | (u32)part[1]);
#else
    return part[0];
#endif
}

//@SECTION each_nibble at_nibble
/* What is computed from a number of 4 bits, and else from what all lanes have in common, has 16
 * results. Where a vector has as many lanes, each_nibble() is 0 to 15, and at_nibble() looks them up
 * in what is computed from that; elsewhere they are the numbers and the results. The numbers are
 * `shift` bits up in lanes of bytes. */
#if VL == 16 && defined(__AVX512F__)
LANES i32 each_nibble(i32 bytes, int shift) {
    (void)bytes, (void)shift;
    return lanes_i32(0);
}
LANES f32 at_nibble(f32 results, i32 bytes, int shift) {
    f32 x; /* by the lowest 4 bits of each lane */
    __asm__("vpermps %1, %2, %0" : "=v"(x) : "v"(results), "v"(bytes >> shift));
    return x;
}
#else
LANES i32 each_nibble(i32 bytes, int shift) { return bytes >> shift & 15; }
LANES f32 at_nibble(f32 results, i32 bytes, int shift) {
    (void)bytes, (void)shift;
    return results;
}
#endif

//@SECTION ld_part_bytes
/* FX_PARTS * VL bytes, FX_PARTS to a lane. */
LANES u32 ld_part_bytes(const uint8_t *p) {
#if FX_PARTS == 2
    u32 bytes;
    u16 pairs; /* gcc loads a vector twice that it uses twice, as part of an asm */
    memcpy(&pairs, p, sizeof pairs);
    __asm__("vpmovzxbw %1, %0" : "=v"(bytes) : "v"(pairs));
    return bytes;
#else
    return (u32)ld_u8(p, VL);
#endif
}

//@SECTION ld_turns
/* 2 * VL bytes, two to a lane. */
LANES i32 ld_turns(const uint8_t *p) {
    u16 halves;
    memcpy(&halves, p, sizeof halves);
#if (VL == 16 && defined(__AVX512F__)) || (VL == 8 && defined(__AVX2__))
    i32 bytes; /* gcc 12 widens them by halves */
    __asm__("vpmovzxwd %1, %0" : "=v"(bytes) : "v"(halves));
    return bytes;
#else
    return __builtin_convertvector(halves, i32);
#endif
}

//@SECTION ld_turns_of_parts
/* FX_PARTS * 2 * VL bytes, FX_PARTS * 2 to a lane. */
LANES u32 ld_turns_of_parts(const uint8_t *p) {
#if FX_PARTS == 2
    u32 bytes;
    memcpy(&bytes, p, sizeof bytes);
    return bytes;
#else
    return (u32)ld_turns(p);
#endif
}

//@SECTION each_nibble_of_parts
LANES i32 each_nibble_of_parts(u32 bytes, int shift) {
#if FX_PARTS == 2
    (void)bytes, (void)shift;
    return lanes_i32(0);
#else
    return each_nibble((i32)bytes, shift);
#endif
}

//@SECTION at_nibble_of_parts
/* The results as bf16: those of both halves of a register are the same, so that its fifth bit does
 * not count. */
LANES f32 at_nibble_of_parts(f32 results, u32 bytes, int shift) {
#if FX_PARTS == 2
    typedef uint16_t halves __attribute__((vector_size(4 * VL)));
    f32 table, pairs;
    __asm__("vcvtne2ps2bf16 %1, %1, %0" : "=v"(table) : "v"(results));
    __asm__("vpermw %1, %2, %0" : "=v"(pairs) : "v"(table), "v"((halves)bytes >> shift));
    return pairs;
#else
    return at_nibble(round_bf16(results), (i32)bytes, shift);
#endif
}

//@SECTION take_turns
/* Vectors whose elements, one after the other, turn[0] and turn[1] have in turn. */
LANES void take_turns(f32 *turn) {
    float from[2 * VL], to[2 * VL];
    memcpy(from, turn, sizeof from);
    for (int i = 0; i < 2 * VL; i++) to[i % 2 * VL + i / 2] = from[i];
    memcpy(turn, to, sizeof to);
}

//@SECTION take_turns_of_parts
LANES void take_turns_of_parts(f32 *turn) {
#if FX_PARTS == 2
    uint16_t from[4 * VL], to[4 * VL];
    memcpy(from, turn, sizeof from);
    for (int i = 0; i < 4 * VL; i++) to[i % 2 * 2 * VL + i / 2] = from[i];
    memcpy(turn, to, sizeof to);
#else
    take_turns(turn);
#endif
}

//@SECTION EACH_OF
/* A loop that is unrolled. */
#define EACH_OF(i, count) _Pragma("GCC unroll 16") for (idx i = 0; i < (count); i++)

//@SECTION KEEP_LOADED
/* Keeps a vector in a register: gcc would load it again for each multiplication, and a core loads
 * no more vectors at a time than it multiplies. */
#if defined(__GNUC__) && !defined(__clang__) && \
    (defined(__AVX512F__) || (defined(__AVX__) && VL <= 8))
#define KEEP_LOADED(x) __asm__("" : "+v"(x))
#else
#define KEEP_LOADED(x) (void)(x)
#endif
