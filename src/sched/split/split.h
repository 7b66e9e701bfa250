/* split.h: passes that split work, so that it fills the machine (split-K, split-KV, split rows and
 * columns), or that do it twice, so that a chain of products is one kernel. */
#ifndef FUSEC_SPLIT_H
#define FUSEC_SPLIT_H

#include "graph/pass/pass.h"
#include "sched/cost/cost.h"

/* ---- mirror.c: transposed functions of products become functions of transposed products ---- */

const Graph *mirror(const Graph *g, const Machine *machine);

/* ---- rows.c: reductions of few, very long rows in two steps: g itself when there are none --- */

const Graph *split_rows(const Graph *g, const Machine *machine);

/* ---- partials.c: sums of columns, where a kernel goes through the rows --- */

const Graph *split_partials(const Graph *g, const Machine *machine);

/* ---- columns.c: reductions of a product's rows that are longer than a tile, in chunks --- */

const Graph *split_columns(const Graph *g, const Machine *machine);

/* ---- products.c: split-K of products with few output tiles, for a GPU ------------------------ */

const Graph *split_products(const Graph *g, const Machine *machine);

/* ---- attention.c: split-KV: attentions of few queries, in chunks of their keys -------- */

const Graph *split_attention(const Graph *g, int processors);

#endif
