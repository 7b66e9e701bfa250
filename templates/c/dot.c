/* A contraction on the CPU: C[m][n] = sum over k of A[m][k] B[n][k], for each batch. Threads share
 * out blocks of M x N. Blocks of A and B are packed into local arrays, so that the innermost loop
 * reads whole vectors; REG is the vector type, ELEMENT its element. */
#include "prelude.h"
#define KERNEL example
#define PARAMS const float *a, const float *b, float *c
#define REG f32
#define ELEMENT float
#define SPLAT splat_f32
#define ADD add_f32
#define MUL mul_f32
#define BATCH 2
#define M_SIZE 3
#define N_SIZE 5
#define K_SIZE 7
static void KERNEL(PARAMS)
{
//@BEGIN
    enum { MB = 48, NB = 4 * 16, KB = 256, MR = 6 };
    const idx m_blocks = (M_SIZE + MB - 1) / MB, n_blocks = (N_SIZE + NB - 1) / NB;
#pragma omp parallel for collapse(2) schedule(static)
    for (idx i0 = 0; i0 < BATCH; i0++) {
        for (idx block = 0; block < m_blocks * n_blocks; block++) {
            const idx m0 = block / n_blocks * MB, n0 = block % n_blocks * NB;
            const idx m_count = M_SIZE - m0 < MB ? M_SIZE - m0 : MB;
            const idx n_count = N_SIZE - n0 < NB ? N_SIZE - n0 : NB;
            ELEMENT a_pack[MB][KB] __attribute__((aligned(64)));
            ELEMENT b_pack[KB][NB] __attribute__((aligned(64)));
            REG sum[MB][NB / VL];
            memset(sum, 0, sizeof sum);
            memset(a_pack, 0, sizeof a_pack);
            memset(b_pack, 0, sizeof b_pack);
            for (idx k0 = 0; k0 < K_SIZE; k0 += KB) {
                const idx k_count = K_SIZE - k0 < KB ? K_SIZE - k0 : KB;
                for (idx i1 = m0; i1 < m0 + m_count; i1++) {
                    for (idx i3 = k0; i3 < k0 + k_count; i3 += VL) {
                        const idx lanes = k0 + k_count - i3 < VL ? k0 + k_count - i3 : VL;
                        //@HOLE a
                    }
                }
                //@IF b_along_n
                for (idx i3 = k0; i3 < k0 + k_count; i3++) {
                    for (idx i2 = n0; i2 < n0 + n_count; i2 += VL) {
                        const idx lanes = n0 + n_count - i2 < VL ? n0 + n_count - i2 : VL;
                        //@HOLE b_along_n
                    }
                }
                //@END
                //@IF b_along_k
                for (idx i2 = n0; i2 < n0 + n_count; i2++) {
                    for (idx i3 = k0; i3 < k0 + k_count; i3 += VL) {
                        const idx lanes = k0 + k_count - i3 < VL ? k0 + k_count - i3 : VL;
                        //@HOLE b_along_k
                    }
                }
                //@END
                for (idx m = 0; m < m_count; m += MR) {
                    for (idx n = 0; n < n_count; n += 2 * VL) {
                        REG acc[MR][2];
                        for (int r = 0; r < MR; r++)
                            for (int v = 0; v < 2; v++) acc[r][v] = sum[m + r][n / VL + v];
                        for (idx k = 0; k < k_count; k++) {
                            REG row[2];
                            memcpy(row, &b_pack[k][n], sizeof row);
                            for (int r = 0; r < MR; r++) {
                                const REG x = SPLAT(a_pack[m + r][k]);
                                //@IF real
                                acc[r][0] += x * row[0];
                                acc[r][1] += x * row[1];
                                //@END
                                //@IF whole
                                acc[r][0] = ADD(acc[r][0], MUL(x, row[0]));
                                acc[r][1] = ADD(acc[r][1], MUL(x, row[1]));
                                //@END
                            }
                        }
                        for (int r = 0; r < MR; r++)
                            for (int v = 0; v < 2; v++) sum[m + r][n / VL + v] = acc[r][v];
                    }
                }
            }
            for (idx i1 = m0; i1 < m0 + m_count; i1++) {
                for (idx i2 = n0; i2 < n0 + n_count; i2 += VL) {
                    const idx lanes = n0 + n_count - i2 < VL ? n0 + n_count - i2 : VL;
                    const REG result = sum[i1 - m0][(i2 - n0) / VL];
                    //@HOLE store
                }
            }
        }
    }
//@FINISH
}
