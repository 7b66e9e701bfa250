/* dot.h: shared by the files that write contractions. */
#ifndef FUSEC_EMIT_C_DOT_H
#define FUSEC_EMIT_C_DOT_H

#include "emit/c/c.h"

/* ---- dot_micro_kernel.c ---- */

/* How narrow products share a lane of the sums: as signed bytes, the left ones with an offset that
 * makes them unsigned; as 16-bit halves, which hold bytes of any sign; or as pairs of bf16. */
typedef enum Sharing { SHARE_NOTHING, SHARE_PAIRS, SHARE_BYTES, SHARE_BF16 } Sharing;

Sharing c_dot_sharing(const Writer *w);
bool c_dot_shares_lanes(const Writer *w); /* in the processor's own order? */
const char *c_dot_rows(const Writer *w);  /* of the micro-kernel */
bool c_dot_has_own_sums(const Writer *w); /* has the function a micro-kernel of its own? */
bool c_dot_knows_few_rows(const Writer *w, int64_t *rows);             /* of floats? */
const char *c_dot_panel_columns(const Writer *w, const char *element); /* of the micro-kernel */
/* "fx_sums_even18_2_f32": of a micro-kernel, which contractions of a file may have in common. */
const char *c_dot_micro_kernel(const Writer *w);
/* Its function, unless the file has it: in functions before this one, or in this one. */
void c_dot_put_micro_kernel(const Writer *w, const Text *before, Text *out);

/* ---- dot.c ---- */

/* The micro-kernel that stores the results itself, in rows `across` apart; "": none does. */
const char *c_dot_results(Writer *w, Dim *across);

/* ---- dot_matrices.c ---- */

bool c_dot_has_matrices(Writer *w); /* are all operands matrices of f32 that functions pack? */
const char *c_dot_matrices(Writer *w, const char *columns); /* their blocks, of such a multiple */
bool c_dot_is_plain(Writer *w); /* such ones, whose results are sums over all of k at once? */
/* `rest` rows of the last panel, and the columns of the last one; 0: it is full. */
void c_dot_plain(Writer *w, const char *rest, const char *ends, Text *body);

/* ---- dot_added.c ---- */

/* Products that are added follow each other along k, in blocks that start at multiples of cut.k:
 * one product each, of any depth, or several short ones. */
typedef struct KBlocks {
    int first[TERMS_MAX + 1]; /* product; behind the last: their number */
    int count;
    bool are_short; /* each is one step of k */
    int64_t depth;  /* then: of the deepest */
} KBlocks;

KBlocks c_dot_k_blocks(const Writer *w);
int c_dot_depth(const Writer *w); /* of a block, at most */
/* Does a function pack right operands of bf16 as parts of panels, which end after the last one? */
bool c_dot_packs_parts(const Writer *w);
const char *c_dot_element(const Writer *w,
                          int i); /* the first of product i in a panel of its block */
const char *c_dot_start(const Writer *w, int block);     /* of a block along k */
const char *c_dot_end(const Writer *w, int block);       /* behind its last element */
const char *c_dot_condition(const Writer *w, int block); /* is k_first in it, or before? */
const char *c_dot_stop(const Writer *w);                 /* the end of that which has k_first */
const char *c_dot_length(const Writer *w);               /* of all along k, for fx_cut_of */
bool c_dot_is_shallow(const Writer *w, int64_t *k); /* are all products one step of k? how deep? */

/* ---- dot_operands.c; side: 0 left, 1 right ---- */

bool c_dot_is_packed(const Writer *w, int side); /* does a function pack all operands of a side? */
bool c_dot_packs_rows(const Writer *w);  /* one that packs rows at any addresses, all left ones? */
bool c_dot_lists_rows(const Writer *w);  /* or lists them, to be multiplied where they are? */
int c_dot_listed_parts(const Writer *w); /* of a panel */
const char *c_dot_offset(const Writer *w); /* added to the bytes of the left operand */
/* Where left rows are multiplied: as panels; in place; or, of bf16, in place by tiles of AMX, and
 * as panels by other processors. */
typedef enum LeftRows { ROWS_PACKED, ROWS_IN_PLACE, ROWS_BY_TILES } LeftRows;

LeftRows c_dot_left_rows(Writer *w);
bool c_dot_has_few_rows(const Writer *w); /* in place, of f32? */
const char *c_dot_pack_left(Writer *w);
const char *c_dot_pack_right(Writer *w);
bool c_dot_packs_panels(Writer *w); /* does the micro-kernel pack panels of the right operand? */
const char *c_dot_right(Writer *w); /* where the micro-kernel has the right operand */
const char *c_dot_left(Writer *w);  /* where the micro-kernel has the left operand */
const char *c_dot_left_size(Writer *w); /* how far its panels are apart, or its rows in place */

#endif
