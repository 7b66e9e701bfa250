/* squares.h: squares of vectors, transposed in registers. Sections as in lanes.h. */
#pragma once
#include "rows.h"
//@BEGIN
//@SECTION TRANSPOSE
/* Transposes a square of VL vectors in log2(VL) rounds, each of which interleaves its halves. All
 * is unrolled, with -O2 too: the square is in registers. */
#define TRANSPOSE(REG)                                                                             \
    _Pragma("GCC unroll 4") for (int round = 1; round < VL; round *= 2) {                          \
        REG old[VL];                                                                               \
        _Pragma("GCC unroll 16") for (int i = 0; i < VL; i++) old[i] = square[i];                  \
        _Pragma("GCC unroll 8") for (int i = 0; i < VL / 2; i++) {                                 \
            square[2 * i] = __builtin_shufflevector(old[i], old[i + VL / 2], LANES_LOW);           \
            square[2 * i + 1] = __builtin_shufflevector(old[i], old[i + VL / 2], LANES_HIGH);      \
        }                                                                                          \
    }

//@SECTION transpose_8
LANES void transpose_8(u8 *square) {
    TRANSPOSE(u8)
}

//@SECTION TRANSPOSE_QUARTERS HALVES_LOW HALVES_HIGH
/* Transposes squares of N elements in 128 bits, those of each N vectors side by side: KIND##_LOW
 * and KIND##_HIGH interleave within 128 bits, which x86 does faster than across them. */
#define TRANSPOSE_QUARTERS(REG, N, KIND)                                                           \
    _Pragma("GCC unroll 4") for (int first = 0; first < VL; first += N)                            \
        _Pragma("GCC unroll 3") for (int round = 1; round < N; round *= 2) {                       \
        REG old[N];                                                                                \
        _Pragma("GCC unroll 8") for (int i = 0; i < N; i++) old[i] = square[first + i];            \
        _Pragma("GCC unroll 4") for (int i = 0; i < N / 2; i++) {                                  \
            square[first + 2 * i] = __builtin_shufflevector(old[i], old[i + N / 2], KIND##_LOW);   \
            square[first + 2 * i + 1] =                                                            \
                __builtin_shufflevector(old[i], old[i + N / 2], KIND##_HIGH);                      \
        }                                                                                          \
    }
#if VL == 16
#define HALVES_LOW  0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define HALVES_HIGH 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31
#else
#define HALVES_LOW  0, 1, 2, 3, 8, 9, 10, 11
#define HALVES_HIGH 4, 5, 6, 7, 12, 13, 14, 15
#endif

//@SECTION TRANSPOSE_HALVES
/* The same, with two such squares in a vector. */
#define TRANSPOSE_HALVES(REG, KIND)                                                                \
    TRANSPOSE_QUARTERS(REG, VL / 2, KIND)                                                          \
    _Pragma("GCC unroll 8") for (int i = 0; i < VL / 2; i++) {                                     \
        const REG a = square[i], b = square[i + VL / 2];                                           \
        square[i] = __builtin_shufflevector(a, b, HALVES_LOW);                                     \
        square[i + VL / 2] = __builtin_shufflevector(a, b, HALVES_HIGH);                           \
    }

//@SECTION transpose_16
#if VL == 16
#define WORDS_LOW  0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27
#define WORDS_HIGH 4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31
LANES void transpose_16(u16 *square) {
    TRANSPOSE_HALVES(u16, WORDS)
}
#else
LANES void transpose_16(u16 *square) {
    TRANSPOSE(u16)
}
#endif

//@SECTION transpose_32
#if VL == 16
#define DOUBLES_LOW  0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define DOUBLES_HIGH 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31
#define EVEN_QUARTERS 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27
#define ODD_QUARTERS  4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31
LANES void transpose_32(u32 *square) {
    TRANSPOSE_QUARTERS(u32, 4, DOUBLES)
    _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) {
        const u32 a = square[i], b = square[i + 4], c = square[i + 8], d = square[i + 12];
        const u32 left = __builtin_shufflevector(a, b, HALVES_LOW);
        const u32 right = __builtin_shufflevector(a, b, HALVES_HIGH);
        const u32 left_2 = __builtin_shufflevector(c, d, HALVES_LOW);
        const u32 right_2 = __builtin_shufflevector(c, d, HALVES_HIGH);
        square[i] = __builtin_shufflevector(left, left_2, EVEN_QUARTERS);
        square[i + 4] = __builtin_shufflevector(left, left_2, ODD_QUARTERS);
        square[i + 8] = __builtin_shufflevector(right, right_2, EVEN_QUARTERS);
        square[i + 12] = __builtin_shufflevector(right, right_2, ODD_QUARTERS);
    }
}
#elif VL == 8
#define DOUBLES_LOW  0, 8, 1, 9, 4, 12, 5, 13
#define DOUBLES_HIGH 2, 10, 3, 11, 6, 14, 7, 15
LANES void transpose_32(u32 *square) {
    TRANSPOSE_HALVES(u32, DOUBLES)
}
#else
LANES void transpose_32(u32 *square) {
    TRANSPOSE(u32)
}
#endif

//@SECTION transpose_64
/* A vector is two registers: so are its four quarters transposed, and two of them exchanged. */
#if VL == 16
#define HALF_LOW  0, 8, 1, 9, 2, 10, 3, 11
#define HALF_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#elif VL == 8
#define HALF_LOW  0, 4, 1, 5
#define HALF_HIGH 2, 6, 3, 7
#else
#define HALF_LOW  0, 2
#define HALF_HIGH 1, 3
#endif
LANES void transpose_64(u64 *square) {
    enum { H = VL / 2 };
    i64_half to[VL][2];
    _Pragma("GCC unroll 4") for (int quarter = 0; quarter < 4; quarter++) {
        const int down = quarter / 2, right = quarter % 2;
        i64_half part[H];
        _Pragma("GCC unroll 8") for (int i = 0; i < H; i++)
            part[i] = ((pair64){.i = (i64)square[down * H + i]}).i_half[right];
        _Pragma("GCC unroll 3") for (int round = 1; round < H; round *= 2) {
            i64_half old[H];
            _Pragma("GCC unroll 8") for (int i = 0; i < H; i++) old[i] = part[i];
            _Pragma("GCC unroll 4") for (int i = 0; i < H / 2; i++) {
                part[2 * i] = __builtin_shufflevector(old[i], old[i + H / 2], HALF_LOW);
                part[2 * i + 1] = __builtin_shufflevector(old[i], old[i + H / 2], HALF_HIGH);
            }
        }
        _Pragma("GCC unroll 8") for (int i = 0; i < H; i++) to[right * H + i][down] = part[i];
    }
    _Pragma("GCC unroll 16") for (int i = 0; i < VL; i++)
        square[i] = (u64)((pair64){.i_half = {to[i][0], to[i][1]}}).i;
}

//@SECTION st_quarters
/* Stores each 128 bits of x, `step` bytes apart. */
LANES void st_quarters(uint8_t *to, idx step, u32 x) {
    typedef uint64_t words __attribute__((vector_size(VL * 4)));
    typedef uint64_t quarter __attribute__((vector_size(16), may_alias, aligned(1)));
    const words v = (words)x;
    (void)step;
#if VL == 16
    *(quarter *)(to + 3 * step) = __builtin_shufflevector(v, v, 6, 7);
    *(quarter *)(to + 2 * step) = __builtin_shufflevector(v, v, 4, 5);
#endif
#if VL >= 8
    *(quarter *)(to + step) = __builtin_shufflevector(v, v, 2, 3);
#endif
    *(quarter *)to = __builtin_shufflevector(v, v, 0, 1);
}

//@SECTION cross_words
/* Transposes 8 x 8 elements of 32 bits: 8 columns, `stride` elements apart, become 8 rows. Registers
 * are loaded by quarters of 512 bits, two columns to a register: columns a multiple of 4 KiB apart
 * are in one set of L1, which holds the lines of 8, and fewer quarters than registers are in two
 * lines. f32 4095 x 4097, one thread of a Zen 4: 6.2 ms, and 7.4 by whole registers. */
#if VL >= 8
typedef uint32_t quarter_32 __attribute__((vector_size(16), aligned(4), may_alias));
typedef uint32_t half_32 __attribute__((vector_size(32)));
LANES half_32 two_quarters(const uint32_t *low, const uint32_t *high) {
    return __builtin_shufflevector(*(const quarter_32 *)low, *(const quarter_32 *)high, 0, 1, 2, 3,
                                   4, 5, 6, 7);
}
LANES void cross_words(void *to, idx pitch, const void *from, idx stride) {
    const uint32_t *const x = from;
    half_32 square[8];
    _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) {
        square[i] = two_quarters(x + i * stride, x + (i + 4) * stride);
        square[i + 4] = two_quarters(x + i * stride + 4, x + (i + 4) * stride + 4);
    }
    _Pragma("GCC unroll 2") for (int round = 1; round < 4; round *= 2) {
        half_32 old[8];
        _Pragma("GCC unroll 8") for (int i = 0; i < 8; i++) old[i] = square[i];
        _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) {
            const half_32 a = old[i / 2 * 4 + i % 2], b = old[i / 2 * 4 + i % 2 + 2];
            square[2 * i] = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
            square[2 * i + 1] = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
        }
    }
    _Pragma("GCC unroll 8") for (int i = 0; i < 8; i++)
        memcpy((uint32_t *)to + i * pitch, &square[i], sizeof square[i]);
}
#else
LANES void cross_words(void *to, idx pitch, const void *from, idx stride) {
    for (idx i = 0; i < 8; i += VL)
        for (idx j = 0; j < 8; j += VL) {
            u32 square[VL];
            for (idx l = 0; l < VL; l++)
                square[l] = ld_32((const uint32_t *)from + (i + l) * stride + j, VL);
            transpose_32(square);
            for (idx l = 0; l < VL; l++) st_32((uint32_t *)to + (j + l) * pitch + i, square[l], VL);
        }
}
#endif

//@SECTION u8x4 cross_bytes
/* Transposes 16 registers of bytes: squares of 16 x 16, one for each 128 bits, which x86
 * interleaves faster than whole registers. Row k of square i becomes row 16 i + k of `to`. */
typedef uint8_t u8x4 __attribute__((vector_size(VL * 4)));
#define PAIR(i, n)    (i), (i) + (n)
#define PAIRS_4(i, n) PAIR(i, n), PAIR((i) + 1, n), PAIR((i) + 2, n), PAIR((i) + 3, n)
#define PAIRS_8(i, n) PAIRS_4(i, n), PAIRS_4((i) + 4, n)
#if VL == 16
#define BYTES(i) PAIRS_8(i, 64), PAIRS_8(i + 16, 64), PAIRS_8(i + 32, 64), PAIRS_8(i + 48, 64)
#elif VL == 8
#define BYTES(i) PAIRS_8(i, 32), PAIRS_8(i + 16, 32)
#else
#define BYTES(i) PAIRS_8(i, 16)
#endif
LANES void cross_bytes(void *to, idx pitch, u8x4 *x) {
    _Pragma("GCC unroll 4") for (int round = 1; round < 16; round *= 2) {
        u8x4 old[16];
        _Pragma("GCC unroll 16") for (int i = 0; i < 16; i++) old[i] = x[i];
        _Pragma("GCC unroll 8") for (int i = 0; i < 8; i++) {
            x[2 * i] = __builtin_shufflevector(old[i], old[i + 8], BYTES(0));
            x[2 * i + 1] = __builtin_shufflevector(old[i], old[i + 8], BYTES(8));
        }
    }
    _Pragma("GCC unroll 16") for (int i = 0; i < 16; i++)
        st_quarters((uint8_t *)to + i * pitch, 16 * pitch, (u32)x[i]);
}
