/* mma.cu: a matrix product on the tensor cores of sm_80 and later:
 * c[batch, m, n] = sum over k of a[batch, m, k] * b[batch, n, k], for `products` right operands b that
 * share a. A block computes a tile of tile_m x tile_n of each product. Tiles of the operands,
 * tile_k along k, are copied by cp.async into a pipeline of `stages` stages in shared memory. Each
 * warp accumulates warp_m x warp_n of each product in registers, as fragments of 16 x 8, and loads
 * the fragments of one k step by ldmatrix while it multiplies those of the step before.
 *
 * `wide`: sizes and pointers allow 16-byte accesses. Rows of a stage are swizzled in 16-byte
 * chunks. */
#include "prelude.cuh"
#define HEAD template <class> __global__ void alone(const bf16 *x, const bf16 *w, float *y)
#define IS_WIDE is_aligned(x, 16)
#define IDX int
#define SUM float
#define MULTIPLY mma_bf16
#define DOT_M 100
#define DOT_N 100
#define BEYOND at_m >= 100 || at_n >= 100
#define COUNT 1
#define TERMS 1
#define TERM_STEPS 1
#define SPLIT_LEFT split_left
#define SPLIT_RIGHT split_right
#define A_TILE slot
#define B_TILE slot + a_bytes
#define FIRST_SET 0,
#define NEXT_SET (step + 1) % 2,
#define SET step % 2
#define FINISH_VECTOR 4
#define FINISH_UNROLL 1
#define ROW_THREADS 8
//@BEGIN
HEAD {
    //@IF IF_TESTED
    const bool wide = IS_WIDE;
    //@END
    constexpr int products = COUNT; /* right operands that share the left one */
    //@HOLE SIZES
    constexpr int warp_m = tile_m / warps_m, warp_n = tile_n / warps_n;
    constexpr int pieces_m = warp_m / 16, pieces_n = warp_n / 8;
    unsigned char *const shared = dynamic_shared;
    const unsigned thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    const int m_warp = warp / warps_n * warp_m, n_warp = warp % warps_n * warp_n;

    /* Rasterisation: `group` rows of tiles at a time, column by column: operands stay in L2. */
    const IDX tiles_m = (DOT_M + tile_m - 1) / tile_m, tiles_n = (DOT_N + tile_n - 1) / tile_n;
    //@HOLE TILES_K
    //@IF IF_HINT
    /* The remainder changes nothing; it shows the compiler the range of `at`. */
    //@END
    //@IF IF_REMAINDER
    const IDX at = (IDX)blockIdx.x % (tiles_m * tiles_n);
    //@END
    //@IF IF_ALL
    const IDX at = blockIdx.x;
    //@END
    const IDX first = at / (group * tiles_n) * group;
    const IDX rows = tiles_m - first < group ? tiles_m - first : group;
    const IDX m_start = (first + at % (group * tiles_n) % rows) * tile_m;
    const IDX n_start = at % (group * tiles_n) / rows * tile_n;
    //@HOLE AT_BATCH
    //@HOLE LEFT
    //@HOLE POINTERS

    /* Issues the copies of a k tile into its stage. */
    const auto fetch = [&](int tile) {
        unsigned char *const slot = shared + tile % stages * stage_bytes;
        //@HOLE OPERANDS
    };
    //@IF IF_RAW

    /* Computes operands of a k tile whose copies this thread has waited for: every `parts`-th of
     * its chunks. */
    const auto convert = [&](int tile, int part_of_tile, int parts) {
        const unsigned char *const slot = shared + tile % stages * stage_bytes;
        unsigned char *const ready = shared + stages * stage_bytes + tile % 2 * ready_bytes;
        //@HOLE CONVERTED
    };
    //@END

    SUM sum[products][pieces_m][pieces_n][4] = {};
    //@IF IF_WHOLE
    unsigned a_part[2][pieces_m][4], b_part[2][products][pieces_n][2];

    /* Loads the fragments of one k step: 32 bytes of each row. */
    const auto load = [&](int set, int tile, int step) {
        const unsigned char *const slot = shared + tile % stages * stage_bytes;
        //@IF IF_RAW
        const unsigned char *const ready = shared + stages * stage_bytes + tile % 2 * ready_bytes;
        //@END
        //@IF A_K_MAJOR
        const auto *const a_from =
            A_TILE + swizzled<k_bytes>(m_warp + lane % 16, 2 * step + lane / 16);
        //@END
        //@IF B_K_MAJOR
        const auto *const b_from = B_TILE + swizzled<k_bytes>(
            n_warp + lane / 16 * 8 + lane % 8, 2 * step + lane / 8 % 2);
        //@END
#pragma unroll
        for (int i = 0; i < pieces_m; i++) {
            auto &part = a_part[set][i];
            //@IF A_K_MAJOR
            ldmatrix_x4(part[0], part[1], part[2], part[3], a_from + 16 * i * k_bytes);
            //@END
            //@IF A_MN_MAJOR
            const int row = 16 * step + lane / 16 * 8 + lane % 8;
            const int chunk = (m_warp + 16 * i) / 8 + lane / 8 % 2;
            ldmatrix_x4_trans(part[0], part[1], part[2], part[3],
                              A_TILE + swizzled<tile_m * 2>(row, chunk));
            //@END
        }
#pragma unroll
        for (int c = 0; c < products; c++)
#pragma unroll
            for (int j = 0; j < pieces_n; j += 2) {
                auto &part = b_part[set][c][j], &next = b_part[set][c][j + 1];
                //@IF B_K_MAJOR
                ldmatrix_x4(part[0], part[1], next[0], next[1],
                            b_from + c * b_bytes + 8 * j * k_bytes);
                //@END
                //@IF B_MN_MAJOR
                const int row = 16 * step + lane % 16, chunk = (n_warp + 8 * j) / 8 + lane / 16;
                ldmatrix_x4_trans(part[0], part[1], next[0], next[1],
                                  B_TILE + c * b_bytes + swizzled<tile_n * 2>(row, chunk));
                //@END
            }
    };
    const auto multiply = [&](int set) {
        //@IF IF_ROUNDED
#pragma unroll
        for (int i = 0; i < pieces_m; i++) round_tf32(a_part[set][i]);
#pragma unroll
        for (int c = 0; c < products; c++)
#pragma unroll
            for (int j = 0; j < pieces_n; j++) round_tf32(b_part[set][c][j]);
        //@END
#pragma unroll
        for (int c = 0; c < products; c++)
#pragma unroll
            for (int i = 0; i < pieces_m; i++)
#pragma unroll
                for (int j = 0; j < pieces_n; j++)
                    MULTIPLY(sum[c][i][j], a_part[set][i], b_part[set][c][j]);
    };
    //@END
    //@IF IF_SPLIT
    unsigned a_part[pieces_m][8], b_part[products][pieces_n][4];
    constexpr int each = TERM_STEPS; /* instructions along k of a step */
    unsigned a_term[pieces_m][each][TERMS][4], b_term[products][pieces_n][each][TERMS][2];

    /* Loads the fragments of one k step: 64 bytes of each row, 16 f32 elements. */
    const auto load = [&](int tile, int step) {
        const unsigned char *const slot = shared + tile % stages * stage_bytes;
        //@IF IF_RAW
        const unsigned char *const ready = shared + stages * stage_bytes + tile % 2 * ready_bytes;
        //@END
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const auto *const a_from =
                A_TILE + swizzled<k_bytes>(m_warp + lane % 16, 4 * step + 2 * h + lane / 16);
            const auto *const b_from = B_TILE + swizzled<k_bytes>(
                n_warp + lane / 16 * 8 + lane % 8, 4 * step + 2 * h + lane / 8 % 2);
#pragma unroll
            for (int i = 0; i < pieces_m; i++) {
                unsigned *const part = a_part[i] + 4 * h;
                ldmatrix_x4(part[0], part[1], part[2], part[3], a_from + 16 * i * k_bytes);
            }
#pragma unroll
            for (int c = 0; c < products; c++)
#pragma unroll
                for (int j = 0; j < pieces_n; j += 2) {
                    unsigned *const part = b_part[c][j] + 2 * h;
                    unsigned *const next = b_part[c][j + 1] + 2 * h;
                    ldmatrix_x4(part[0], part[1], next[0], next[1],
                                b_from + c * b_bytes + 8 * j * k_bytes);
                }
        }
    };
    /* Numbers become sums of TERMS narrower ones. */
    const auto split = [&]() {
#pragma unroll
        for (int i = 0; i < pieces_m; i++) SPLIT_LEFT(a_term[i], a_part[i]);
#pragma unroll
        for (int c = 0; c < products; c++)
#pragma unroll
            for (int j = 0; j < pieces_n; j++) SPLIT_RIGHT(b_term[c][j], b_part[c][j]);
    };
    /* Small products of terms come first; the smallest are left out. Each step is summed from 0 and
     * added in f32: a tensor core truncates sums, and the error would grow with k. */
    const auto multiply = [&]() {
#pragma unroll
        for (int c = 0; c < products; c++)
#pragma unroll
            for (int i = 0; i < pieces_m; i++)
#pragma unroll
                for (int j = 0; j < pieces_n; j++) {
                    SUM part[4] = {};
#pragma unroll
                    for (int s = TERMS - 1; s >= 0; s--)
#pragma unroll
                        for (int t = 0; t <= s; t++)
#pragma unroll
                            for (int h = 0; h < each; h++)
                                MULTIPLY(part, a_term[i][h][t], b_term[c][j][h][s - t]);
#pragma unroll
                    for (int l = 0; l < 4; l++) sum[c][i][j][l] += part[l];
                }
    };
    //@END

#pragma unroll 1
    for (int s = 0; s < stages - 1; s++) {
        if (s < tiles_k) fetch(s);
        cp_async_commit();
    }
    cp_async_wait<stages - 2>();
    //@IF IF_RAW
    convert(0, 0, 1);
    //@END
    __syncthreads();
    load(FIRST_SET 0, 0);
#pragma unroll 1
    for (int tile = 0; tile < tiles_k; tile++) {
#pragma unroll
        for (int step = 0; step < steps; step++) {
            //@IF IF_SPLIT
            split();
            //@END
            if (step == steps - 1) { /* the next tile has arrived; no warp still reads this one */
                cp_async_wait<stages - 2>();
                __syncthreads();
                if (tile + 1 < tiles_k) load(NEXT_SET tile + 1, 0);
            } else {
                load(NEXT_SET tile, step + 1);
            }
            if (step == 0) {
                if (tile + stages - 1 < tiles_k) fetch(tile + stages - 1);
                cp_async_commit();
                //@IF IF_RAW
                cp_async_wait<stages - 2>();
                //@END
            }
            //@IF IF_RAW
            if (step < steps - 1 && tile + 1 < tiles_k) convert(tile + 1, step, steps - 1);
            //@END
            multiply(SET);
        }
    }

    cp_async_wait<0>();
    __syncthreads();
    //@IF IF_ROWS
    /* Results go through shared memory, 16 rows of each warp at a time; ROW_THREADS threads take a
     * row. */
    constexpr int pitch = products * tile_n + 8;
    SUM *const strip = (SUM *)shared;
#pragma unroll 1
    for (int piece = 0; piece < pieces_m; piece++) {
#pragma unroll
        for (int i = 0; i < pieces_m; i++)
            if (i == piece)
#pragma unroll
                for (int c = 0; c < products; c++)
#pragma unroll
                    for (int j = 0; j < pieces_n; j++) {
                        const SUM *const d = sum[c][i][j];
                        SUM *const to = strip + (warp / warps_n * 16 + lane / 4) * pitch +
                                        c * tile_n + n_warp + 8 * j + lane % 4 * 2;
                        store_pack(to, Pack<SUM, 2>{d[0], d[1]});
                        store_pack(to + 8 * pitch, Pack<SUM, 2>{d[2], d[3]});
                    }
        __syncthreads();
#pragma unroll 1
        for (int own = thread / ROW_THREADS; own < 16 * warps_m;
             own += 32 * warps_m * warps_n / ROW_THREADS) {
            const int lane = thread % ROW_THREADS;
            const SUM *const row_sums = strip + own * pitch;
            //@IF IF_RAGGED
            const IDX at_row = m_start + own / 16 * warp_m + 16 * piece + own % 16;
            const bool valid = at_row < DOT_M; /* beyond: read the last row, store nothing */
            [[maybe_unused]] const IDX at_m = valid ? at_row : DOT_M - 1;
            //@END
            //@IF IF_EVEN
            [[maybe_unused]] const IDX at_m = m_start + own / 16 * warp_m + 16 * piece + own % 16;
            //@END
            //@HOLE ROW
        }
        __syncthreads();
    }
    //@END
    //@IF IF_ELEMENTS
    /* The threads of a warp exchange results through shared memory, 16 rows at a time, so that each
     * stores whole packs. */
    constexpr int pitch = products * warp_n + 8;
    SUM *const strip = (SUM *)shared + warp * 16 * pitch;
#pragma unroll 1
    for (int piece = 0; piece < pieces_m; piece++) {
        __syncwarp();
#pragma unroll
        for (int i = 0; i < pieces_m; i++)
            if (i == piece)
#pragma unroll
                for (int c = 0; c < products; c++)
#pragma unroll
                    for (int j = 0; j < pieces_n; j++) {
                        const SUM *const d = sum[c][i][j];
                        SUM *const to =
                            strip + lane / 4 * pitch + c * warp_n + 8 * j + lane % 4 * 2;
                        store_pack(to, Pack<SUM, 2>{d[0], d[1]});
                        store_pack(to + 8 * pitch, Pack<SUM, 2>{d[2], d[3]});
                    }
        __syncwarp();
        const IDX m_piece = m_start + m_warp + 16 * piece;
        if (wide) {
            constexpr int VEC = FINISH_VECTOR;
#pragma unroll FINISH_UNROLL
            for (unsigned item = lane; item < 16 * warp_n / VEC; item += 32) {
                const int row = item / (warp_n / VEC), col = item % (warp_n / VEC) * VEC;
                const IDX at_m = m_piece + row, at_n = n_start + n_warp + col;
                const SUM *const sums = strip + row * pitch + col;
                //@IF IF_BEYOND
                if (BEYOND) continue;
                //@END
                //@HOLE FINISH
            }
        } else {
#pragma unroll 1
            for (int item = lane; item < 16 * warp_n; item += 32) {
                constexpr int VEC = 1;
                const int row = item / warp_n, col = item % warp_n;
                const IDX at_m = m_piece + row, at_n = n_start + n_warp + col;
                const SUM *const sums = strip + row * pitch + col;
                //@IF IF_BEYOND
                if (BEYOND) continue;
                //@END
                //@HOLE FINISH_SINGLE
            }
        }
    }
    //@END
}
