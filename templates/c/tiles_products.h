/* tiles_products.h: products of matrices of f32 over all of k at once, whose operands functions
 * pack: what such products of a file share. Sections as in lanes.h. */
#pragma once
#include "tiles_results.h"
//@BEGIN
//@SECTION fx_matrix
/* An operand: rows, or columns, `next` apart, and the function that packs them with its stride. */
typedef struct fx_matrix {
    const float *at;
    idx next, stride;
    void (*pack)(float *panel, idx size, idx width, const float *x, idx stride, idx own, idx steps);
} fx_matrix;

//@SECTION fx_product
/* One left operand, and as many right ones as an element of the result has products. */
typedef struct fx_product {
    fx_blocks blocks;
    const fx_tile *tile;
    const fx_matrix *a, *b;
} fx_product;

//@SECTION product_start_f32
/* `columns`, `rows` and `group`: of a block a multiple, and what a step has at most. */
SHARED_FUNCTION void product_start_f32(fx_product *of, fx_cut *cut, const fx_tile *tile, idx m,
                                       idx n, idx k, idx count, idx columns, idx rows, idx group,
                                       const fx_matrix *a, const fx_matrix *b, char *packed)
{
    *cut = fx_cut_of(tile, 1, m, n, k, count, sizeof(float), columns);
    *of = (fx_product){
        .blocks = {.cut = cut, .batch = 1, .m = m, .n = n, .k = k, .rows = rows, .columns = group,
                   .panel = VL * tile->vectors, .count = count, .size = sizeof(float),
                   .packed = packed},
        .tile = tile, .a = a, .b = b};
}

//@SECTION product_next_f32
/* fx_next_block, whose operands it packs. */
SHARED_FUNCTION bool product_next_f32(fx_product *of, fx_block *at)
{
    const fx_matrix *const a = of->a, *const b = of->b;
    const fx_cut *const cut = of->blocks.cut;
    const idx count = of->blocks.count, k = of->blocks.k;
    if (!fx_next_block(&of->blocks, at)) return false;
    if (at->packs_a)
        a->pack(at->a, cut->a, of->tile->rows, a->at + at->m_start * a->next, a->stride,
                at->m_stop - at->m_start, k);
    for (idx i = 0; at->packs_b && i < count; i++)
        b[i].pack((float *)at->b + i * cut->b, count * cut->b, of->blocks.panel,
                  b[i].at + at->n_start * b[i].next, b[i].stride, at->n_stop - at->n_start, k);
    return true;
}

//@SECTION product_f32
/* y = a times b; y's rows are `y_across` apart. */
SHARED_FUNCTION void product_f32(const fx_tile *tile, idx m, idx n, idx k, const fx_matrix *a,
                                 const fx_matrix *b, float *restrict y, idx y_across, idx rest,
                                 idx ends, char *packed)
{
    enum { NR = NR_OF(float) };
    fx_cut cut;
    fx_product of;
    product_start_f32(&of, &cut, tile, m, n, k, 1, 1, tile->block / MR * MR, tile->group * NR, a, b,
                      packed);
#pragma omp parallel num_threads((int)cut.threads)
    for (fx_block at = {0}; product_next_f32(&of, &at);)
        tile_results_f32(k, at.a, cut.a, at.b, cut.b, at.sum, cut.sum_rows * NR,
                         y + at.m_start * y_across + at.n_start, y_across,
                         at.m_stop - at.m_start, at.n_stop - at.n_start, rest, ends);
}
