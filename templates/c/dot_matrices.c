/* Part of dot.c: the blocks of a product of matrices that functions pack. */
#include "tiles_products.h"
#define M_SIZE       3
#define N_SIZE       5
#define K_SIZE       7
#define COLUMNS      1
#define LEFT         {a, 7, 7, pack_along_f32}
enum { NR = NR_OF(float), GROUP = 32 * NR, BLOCK = 224 / MR * MR, PRODUCTS = 1 };
static const fx_tile example_tile = {2048, 2048, 512, 224, 32, MR, 2, 100000};
#define TILE         example_tile
static void example(const float *a, char *packed)
{
//@BEGIN
const fx_matrix left = LEFT;
const fx_matrix right[PRODUCTS] = {
    //@HOLE RIGHT
};
fx_cut cut;
fx_product product;
product_start_f32(&product, &cut, &TILE, M_SIZE, N_SIZE, K_SIZE, PRODUCTS, COLUMNS, BLOCK, GROUP,
                  &left, right, packed);
//@FINISH
}
