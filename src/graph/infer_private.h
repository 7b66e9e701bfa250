/* infer_private.h: shared by the files that infer the type and the shape of a node. */
#ifndef FUSEC_INFER_PRIVATE_H
#define FUSEC_INFER_PRIVATE_H

#include "graph/graph.h"

static inline const Node *infer_source(const Graph *g, const Node *n, int i) {
    return &g->node[n->src[i]];
}
static inline const char *infer_name(const Node *n) { return op_info[n->op].name; }
/* "f32[N, D]", for messages. */
const char *infer_text(const Graph *g, const Node *n);

/* ---- infer_type.c ---- */

/* By the type rule of its op. False after a diag_error at the source that does not fit. */
bool infer_type(Graph *g, Node *n);

#endif
