/* row.h: what the files that write kernels of the row family share among themselves. */
#ifndef FUSEC_EMIT_CUDA_ROW_H
#define FUSEC_EMIT_CUDA_ROW_H

#include "emit/cuda/cuda.h"

typedef struct Row {
    CudaWriter c; /* first: see row_of */
    CudaKernel *k;
    const Body *b;
    Dims *d;
    bool open;          /* threads per row are decided at launch */
    int lanes;          /* column.cu: rows of a block; row.cu: threads of a row, 0: at launch */
    const char **carry; /* value -> what its scan has reached */
    Text body;
    Text sums, after; /* partial sums of columns: before and after all rows */
    Text results;     /* of neighbouring rows of a thread: what is computed and stored of each */
    const char *results_if; /* "if (part == 0) " in front of that */
    const char **outside;   /* index_name of the Writer outside of these */
} Row;

static inline Row *row_of(Writer *w) { return (Row *)w; }

/* ---- row.c ---- */

const char *row_thread(const Row *r); /* of those of the row: "lane" or "thread" */
/* The text after the positions along the columns that it reads. */
const char *row_with_positions(Row *r, const char *text);
const char *row_item_position(const Row *r); /* of an item in what is unrolled */
bool row_is_whole(const Row *r);             /* no thread is ever beyond the end of a row */
bool row_leaves(const Row *r);               /* do threads beyond the last row leave? */
bool row_hoists(const Row *r, int value);    /* are its loads issued before the first stage? */

/* Writes a loop over the columns of a thread. */
void row_columns(Row *r, const char *columns, Text *out);

/* ---- row_launch.c: blocks and threads ---- */

bool row_is_alone(const Row *r);         /* is it the only one? */
bool row_has_whole_blocks(const Row *r); /* has every thread a row? */
void row_launch(Row *r);
const char *row_of_thread(const Row *r);     /* the number of a thread's row, if there is one */
const char *row_thread_number(const Row *r); /* of a thread among those of its row */

/* ---- row_keep.c: what a row keeps ---- */

int64_t row_keep(Row *r);                /* before the first stage; bytes of shared memory */
int64_t row_part(const Row *r);          /* columns of a block of a cluster, at most */
const char *row_part_text(const Row *r); /* how many it has */

/* ---- row_block.c: rows of a block that go through shared memory ---- */

void row_block_start(Row *r); /* before what is kept */
void row_block_finish(Row *r);

/* ---- row_edges.c: rows that start anywhere in packs ---- */

/* Packs are aligned in memory: a row has `head` elements before them, which end at `whole`. Each of
 * the elements beside them, `edge`, is of a thread. */
void row_declare_edges(Row *r);
void row_load_edges(Row *r); /* that are kept */
const char *row_edge_item(Row *r, int stage);

/* ---- partial.c: sums of columns over the rows of a chunk ---- */

void row_sums_start(Row *r, const char *items); /* items: declares how many a thread has */
void row_sums_finish(Row *r);
/* While a row is computed, the loads of the next one are in flight; loads that are the same for all
 * rows come before them. false: a thread has no registers for that. */
bool row_prefetch(Row *r);
void cuda_add_element(CudaWriter *c, int store); /* to the sum of its column */

/* ---- row_groups.c: stages that go through the groups of a row ---- */

const char *row_groups(Row *r, int stage); /* the loop over all of them */

/* ---- scan.c: stages with scans ---- */

const char *row_carries(Row *r, int stage); /* declares what is carried from step to step */
const char *row_scan(Row *r, int stage);    /* all that a stage does in a step */

#endif
