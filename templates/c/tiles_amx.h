/* tiles_amx.h: contractions of bf16 and bytes by AMX: tiles of 16 rows of 64 bytes. A panel of b is
 * 32 columns of pairs (quads) of steps, as for other processors. A panel of a has 32 rows, and each
 * square of 16 steps and 16 rows is transposed: a tile has steps side by side. Both end with zeros,
 * at a multiple of 16 lanes of steps. Sections as in lanes.h. */
#pragma once
#include "tiles_pack.h"
//@BEGIN
//@SECTION FX_AMX SHARED_MR
#if VL == 16 && defined(__AMX_TILE__) && defined(__AMX_BF16__) && defined(__AMX_INT8__) &&         \
    defined(__linux__)
#define FX_AMX    1
#define SHARED_MR 32 /* rows of a panel whose products share lanes */
#else
#define FX_AMX    0
#define SHARED_MR MR
#endif

//@SECTION SHARED_ROWS
/* Such rows in whole panels, one at least. */
#define SHARED_ROWS(n) ((n) < SHARED_MR ? SHARED_MR : (n) / SHARED_MR * SHARED_MR)

//@SECTION fx_amx_is_allowed
#if FX_AMX
/* Asks Linux once for the registers: arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA). */
extern long syscall(long number, ...);
static inline bool fx_amx_is_allowed(void) {
    static int known; /* 0: not asked, 1: yes, 2: no */
    int answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (!answer) {
        answer = syscall(158, 0x1023, 18) ? 2 : 1;
        __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
    }
    return answer == 1;
}
#endif

//@SECTION TILE_CONFIGURE TILE_RELEASE TILE_LOAD TILE_STORE TILE_ZERO TILE_MULTIPLY
/* Instructions on the registers. The intrinsics need <immintrin.h>, which takes as long to compile
 * as half a kernel. */
#define TILE_CONFIGURE(shapes) __asm__ volatile("ldtilecfg %0" : : "m"(shapes))
#define TILE_RELEASE()         __asm__ volatile("tilerelease" : :)
#define TILE_LOAD(t, p, bytes)                                                                     \
    __asm__ volatile("tileloadd (%0,%1,1), %%tmm" #t : : "r"(p), "r"((int64_t)(bytes)) : "memory")
#define TILE_STORE(t, p, bytes)                                                                    \
    __asm__ volatile("tilestored %%tmm" #t ", (%0,%1,1)"                                           \
                     :                                                                             \
                     : "r"(p), "r"((int64_t)(bytes))                                               \
                     : "memory")
#define TILE_ZERO(t) __asm__ volatile("tilezero %%tmm" #t : :)
#define TILE_MULTIPLY(how, sum, x, y)                                                              \
    __asm__ volatile(how " %%tmm" #y ", %%tmm" #x ", %%tmm" #sum : :)

//@SECTION tiles_start tiles_end
/* The shapes of the tiles of this thread, for the blocks that follow. */
#if FX_AMX
static inline void tiles_start(void) {
    struct {
        uint8_t palette, start_row, reserved[14];
        uint16_t bytes[16]; /* of a row, by tile */
        uint8_t rows[16];
    } shapes __attribute__((aligned(64))) = {.palette = 1};
    if (!fx_amx_is_allowed()) return;
    for (int t = 0; t < 8; t++) shapes.bytes[t] = 64, shapes.rows[t] = 16;
    TILE_CONFIGURE(shapes);
}
static inline void tiles_end(void) {
    if (fx_amx_is_allowed()) TILE_RELEASE();
}
#else
#define tiles_start() (void)0
#define tiles_end()   (void)0
#endif

//@SECTION FX_WHOLE_TILES
#define FX_WHOLE_TILES(steps) (((steps) + 15) / 16 * 16)

//@SECTION zero_steps
/* Zeros after the steps of a panel, up to a whole tile. */
LANES void zero_steps(void *panel, idx width, idx steps) {
    memset((char *)panel + steps * width * 4, 0,
           (size_t)((FX_WHOLE_TILES(steps) - steps) * width * 4));
}

//@SECTION transpose_squares
/* A panel of a as tiles. */
LANES void transpose_squares(void *panel, idx width, idx steps) {
    zero_steps(panel, width, steps);
    for (idx p = 0; p < steps; p += 16)
        for (idx i = 0; i < width; i += 16) {
            int32_t *const at = (int32_t *)panel + p * width + i;
            i32 square[VL];
            for (idx l = 0; l < VL; l++) square[l] = ld_i32(at + l * width, VL);
            transpose_i32(square, at, width, VL);
        }
}

//@SECTION EACH_PANEL
/* The panels of a whole operand, as `at`. */
#define EACH_PANEL(TYPE)                                                                           \
    for (TYPE *at = panel, *end = panel + (own + width - 1) / width * size; at < end; at += size)

//@SECTION PACK_TILES
/* The same from memory that is contiguous along k. */
#define PACK_TILES(EACH, LOAD, STORE)                                                              \
    for (idx start = 0; start < own; start += width)                                               \
        for (idx k = 0; k < steps; k += EACH * 16)                                                 \
            for (idx i = 0; i < width; i++)                                                        \
                STORE(panel + start / width * size + (k / EACH + i % 16) * width + i / 16 * 16,    \
                      LOAD(x + fx_least(start + i, own - 1) * stride + k, steps - k), VL);

//@SECTION TILES_PRODUCT
/* sums[32][32] = the product of two panels, or += with `add`. */
#define TILES_PRODUCT(PRODUCT) TILES_OF(PRODUCT, row / 32 * left_size, 32, 16, 128)

//@SECTION TILES_OF
/* The same of a at `left + FROM`: STEP elements between its steps, DOWN from its upper tile to its
 * lower one, BYTES from row to row of a tile. A tile of an operand is loaded for the next step once
 * its products are started, beside those of other tiles. */
#define TILES_OF(PRODUCT, FROM, STEP, DOWN, BYTES)                                                 \
    EACH_TILE(32) {                                                                                \
        const int32_t *const a = (const int32_t *)left + FROM;                                     \
        const int32_t *const b = (const int32_t *)right + panel * right_size;                      \
        int32_t *const c = (int32_t *)sums + panel * sums_size + row * stride;                     \
        if (add) {                                                                                 \
            TILE_LOAD(0, c, stride * 4);                                                           \
            TILE_LOAD(1, c + 16, stride * 4);                                                      \
            TILE_LOAD(2, c + 16 * stride, stride * 4);                                             \
            TILE_LOAD(3, c + 16 * stride + 16, stride * 4);                                        \
        } else {                                                                                   \
            TILE_ZERO(0);                                                                          \
            TILE_ZERO(1);                                                                          \
            TILE_ZERO(2);                                                                          \
            TILE_ZERO(3);                                                                          \
        }                                                                                          \
        TILE_LOAD(4, a, BYTES);                                                                    \
        TILE_LOAD(6, b, 128);                                                                      \
        TILE_LOAD(7, b + 16, 128);                                                                 \
        TILE_LOAD(5, a + DOWN, BYTES);                                                             \
        for (idx p = 16; p < steps; p += 16) {                                                     \
            TILE_MULTIPLY(PRODUCT, 0, 4, 6);                                                       \
            TILE_MULTIPLY(PRODUCT, 1, 4, 7);                                                       \
            TILE_LOAD(4, a + p * STEP, BYTES);                                                     \
            TILE_MULTIPLY(PRODUCT, 2, 5, 6);                                                       \
            TILE_LOAD(6, b + p * 32, 128);                                                         \
            TILE_MULTIPLY(PRODUCT, 3, 5, 7);                                                       \
            TILE_LOAD(7, b + p * 32 + 16, 128);                                                    \
            TILE_LOAD(5, a + p * STEP + DOWN, BYTES);                                              \
        }                                                                                          \
        TILE_MULTIPLY(PRODUCT, 0, 4, 6);                                                           \
        TILE_MULTIPLY(PRODUCT, 1, 4, 7);                                                           \
        TILE_MULTIPLY(PRODUCT, 2, 5, 6);                                                           \
        TILE_MULTIPLY(PRODUCT, 3, 5, 7);                                                           \
        TILE_STORE(0, c, stride * 4);                                                              \
        TILE_STORE(1, c + 16, stride * 4);                                                         \
        TILE_STORE(2, c + 16 * stride, stride * 4);                                                \
        TILE_STORE(3, c + 16 * stride + 16, stride * 4);                                           \
    }

//@SECTION TILES_REFUSED
/* The same as TILES_PRODUCT where Linux refuses the registers. */
#define TILES_REFUSED(REG, TYPE, ADD)                                                              \
    TILES_REFUSED_OF(REG, TYPE, ADD, row / 32 * left_size,                                         \
                     (p / 16 * 16 + r % 16) * 32 + r / 16 * 16 + p % 16)

//@SECTION TILES_REFUSED_OF
/* Of a at `left + FROM`, with row r at step p at AT. */
#define TILES_REFUSED_OF(REG, TYPE, ADD, FROM, AT)                                                 \
    EACH_TILE(32) {                                                                                \
        const TYPE *const a = left + FROM, *const b = right + panel * right_size;                  \
        TYPE *const c = sums + panel * sums_size + row * stride;                                   \
        for (idx r = 0; r < 32; r++)                                                               \
            for (idx j = 0; j < 32; j += VL) {                                                     \
                REG sum = {0};                                                                     \
                if (add) memcpy(&sum, c + r * stride + j, sizeof sum);                             \
                for (idx p = 0; p < steps; p++) {                                                  \
                    u32 x, y;                                                                      \
                    memcpy(&y, b + p * 32 + j, sizeof y);                                          \
                    uint32_t bits;                                                                 \
                    memcpy(&bits, a + AT, 4);                                                      \
                    x = bits - (u32){0};                                                           \
                    ADD(sum, x, y);                                                                \
                }                                                                                  \
                memcpy(c + r * stride + j, &sum, sizeof sum);                                      \
            }                                                                                      \
    }

//@SECTION BF16_PAIR
#define BF16_PAIR(sum, x, y)                                                                       \
    sum += (f32)(x << 16) * (f32)(y << 16);                                                        \
    sum += (f32)(x & 0xffff0000) * (f32)(y & 0xffff0000)

//@SECTION BYTE_QUADS UBYTE_QUADS
#define BYTE_AT(x, q)  (u32)((i32)(x << (24 - 8 * q)) >> 24)
#define UBYTE_AT(x, q) (x << (24 - 8 * q) >> 24)
#define BYTE_QUADS(sum, x, y)                                                                      \
    for (int q = 0; q < 4; q++) sum += BYTE_AT(x, q) * BYTE_AT(y, q)
#define UBYTE_QUADS(sum, x, y)                                                                     \
    for (int q = 0; q < 4; q++) sum += UBYTE_AT(x, q) * BYTE_AT(y, q)
