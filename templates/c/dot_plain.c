/* A contraction of two matrices of f32 whose results are its sums: dot.c as a function that such
 * contractions of a file share. Compiling it takes as long as one and a half of them. */
#include "tiles_products.h"
#define M_SIZE         3
#define N_SIZE         5
#define K_SIZE         7
#define LEFT           {a, 7, 7, pack_along_f32}
#define RIGHT          {b, 1, 5, pack_across_f32}
#define RESULTS_FROM   y
#define RESULTS_ACROSS N_SIZE
#define REST           M_SIZE % MR
#define ENDS           FX_ENDS(N_SIZE % NR_OF(float))
static const fx_tile example_tile = {2048, 2048, 512, 224, 32, MR, 2, 100000};
#define TILE           example_tile
static void example(const float *a, const float *b, float *y, char *packed)
{
    //@BEGIN
    const fx_matrix left = LEFT;
    const fx_matrix right = RIGHT;
    product_f32(&TILE, M_SIZE, N_SIZE, K_SIZE, &left, &right, RESULTS_FROM, RESULTS_ACROSS,
                REST, ENDS, packed);
    //@FINISH
}
