/* Part of dot.c: the blocks of a contraction that packs its operands itself. */
#include "tiles_weights.h"
#define ELEMENT      float
#define BATCH        2
#define M_SIZE       3
#define N_SIZE       5
#define K_SIZE       7
#define COLUMNS      1
#define CUT          fx_cut_of(&example_tile, BATCH, M_SIZE, N_SIZE, K_SIZE, PRODUCTS, sizeof(ELEMENT), COLUMNS)
enum { NR = NR_OF(float), GROUP = 32 * NR, BLOCK = 224 / MR * MR, PRODUCTS = 1 };
static const fx_tile example_tile = {2048, 2048, 512, 224, 32, MR, 2, 100000};
static void example(char *packed)
{
//@BEGIN
const fx_cut cut = CUT;
//@HOLE panel_sizes
//@HOLE k_size
fx_blocks blocks = {.cut = &cut, .batch = BATCH, .m = M_SIZE, .n = N_SIZE, .k = K_SIZE,
                    .rows = BLOCK, .columns = GROUP, .panel = NR, .count = PRODUCTS,
                    .size = sizeof(ELEMENT), .packed = packed};
//@FINISH
}
