/* fuse_private.h: private to the files of src/sched/fuse. */
#ifndef FUSEC_FUSION_H
#define FUSEC_FUSION_H

#include "graph/pass/pass.h"
#include "sched/fuse/fuse.h"

/* ---- free.c ---- */

void find_free(Plan *plan);

/* ---- stored_views.c ---- */

void find_kept(Plan *plan);

/* ---- constant.c ---- */

void find_constant(Plan *plan);

/* ---- cluster.c: the groups while they grow ---- */

/* A future group. Merging appends the smaller list to the larger one. */
typedef struct Cluster {
    Family family;
    Space space;
    NodeVec nodes;
    NodeVec outs; /* nodes that are stored: outputs, or read by another cluster */
    NodeVec ins;  /* what is read from memory: inputs and other clusters' nodes; ascending */
    IntVec nests; /* horizontal fusion: further clusters in this kernel */
    NodeId lo, hi;
    int dots;      /* contractions */
    NodeId blocks; /* the sum of its scaled blocks; 0: it has none */
    int loops;     /* reductions and scans */
    int scatters;
    int joins; /* values whose parts are stored one by one */
    int moves; /* reads through views */
    int stamp; /* the last cycle search that visited it */
    Work work;
} Cluster;

/* Two values of a FusePin. */
typedef struct DecidedPair {
    NodeId a, b;
    const FusePin *pin;
} DecidedPair;

typedef struct Clusters {
    const Graph *g;
    Arena *arena;
    Plan *plan;
    Cluster *at; /* by number; merged ones are empty */
    int count;
    int *of;        /* node -> cluster, -1 */
    int64_t *bytes; /* of a node in memory */
    bool *copy;     /* work that is a copy: an output that is a view or a leaf */
    bool *output;   /* node is stored because the function returns it */
    bool *inner;    /* of the plan */
    bool *beside;   /* addition of contractions, of a sum that may be beside others */
    int *reader_at; /* readers of node n: reader[reader_at[n] .. reader_at[n + 1]) */
    NodeId *reader;
    int stamp;      /* of the last search */
    int *listed;    /* node -> the last search that listed it */
    int *crossings; /* node -> clusters with nodes up to it and behind it */
    Vec(DecidedPair) decided;
    struct Places *places; /* of the nodes of a pair, while it is asked; NULL: none was so far */
} Clusters;

Clusters *clusters_new(const Graph *g, Plan *plan);
/* Would n be stored if clusters a and b (-1: none) were one? */
bool is_stored(const Clusters *c, NodeId n, int a, int b);
int source_count(const Graph *g, NodeId id); /* without the value of a pad */
bool reads_cluster(const Clusters *c, NodeId n, int reader);
int node_order(const void *a, const void *b); /* for qsort: ascending ids */
bool has_path(Clusters *c, int from, int to); /* through at least one other cluster */
const NodeId *clusters_nodes(const Clusters *c, int a, int b, int *count); /* of both, ascending */
int clusters_merge(Clusters *c, int a, int b, const Space *space);

/* ---- decided.c ---- */

/* Those of this function; errors for unknown values. */
void pins_find(Clusters *c, const FusePins *pins);
const FusePin *pin_of(const Clusters *c, int a, int b); /* NULL: nothing is decided */
void pins_verify(const Clusters *c);                    /* an error for each that does not hold */

/* ---- gain.c ---- */

typedef struct Gain {
    int64_t bytes; /* saved memory traffic */
    int64_t time;  /* picoseconds saved, minus those of recomputation */
    Reason lost;   /* why there is no gain, if time <= 0 */
} Gain;

/* The gain of fusing producer (or sibling) a and its reader b, over a space; NULL: it is not
 * known. */
Gain fuse_gain(const Clusters *c, int a, int b, const Space *space);
Work fuse_work(const Clusters *c, int a, int b);

/* ---- sums.c ---- */

bool are_dot_sums(const Clusters *c, int a, int b);         /* of the nodes of both; a may be b */
int count_accumulators(const Clusters *c, int a, int b);    /* of a kernel of both; a may be b */
DotSums nest_sums(const Clusters *c, const NodeVec *nodes); /* or contractions side by side */
/* Marks the additions of sums that may be beside others, with the same left operands. */
void find_sums_beside(Clusters *c);

/* ---- apart.c ---- */

/* The value is a pointwise function of contractions of one left operand, and its reader also of
 * another one of it, and of one of another left operand: if the value's kernel had the reader, it
 * could not have that contraction, which it would depend on. The other one's kernel may have it. */
bool keeps_siblings_apart(const Clusters *c, NodeId value, NodeId reader);

/* ---- attention.c ---- */

/* Makes each softmax between two contractions one cluster. */
void fuse_attention(Clusters *c);

/* ---- chain.c ---- */

/* Makes chains of contractions that share scores one cluster. */
void fuse_chains(Clusters *c);

/* ---- blocks.c ---- */

/* Makes each sum of scaled products of blocks one cluster, if warpgroups can multiply them. */
void fuse_blocks(Clusters *c);

/* ---- partial.c ---- */

/* Makes one cluster of the nodes that reduce chunks of a product's rows. */
void fuse_partials(Clusters *c);

/* ---- may_fuse.c ---- */

/* Producer a into its reader b: the joined space, or the reason against it. */
Reason may_fuse(Clusters *c, int a, int b, Space *space);
/* Siblings: over one space, in one loop; over different ones, as loop nests of one kernel. */
Reason may_join(Clusters *c, int a, int b, Space *space);
Reason may_bundle(Clusters *c, int a, int b);
/* May a tile of the contraction in a or b have the rows of this space whole? */
Reason join_columns(const Clusters *c, int a, int b, const Space *space);

/* ---- aligned.c ---- */

/* Where the result of a contraction is read at other columns, sets the columns of its rows. */
Reason join_aligned(const Clusters *c, int a, int b, Space *space);
int node_find(const NodeId *node, int count, NodeId id); /* nodes ascending; -1: it is not there */

/* ---- groups.c ---- */

/* Row kernels of one space along different axes: rows, and groups of a row. */
Reason join_groups(const Clusters *c, int a, int b, Space *space);

/* ---- places.c ---- */

Reason join_places(Clusters *c, int a, int b);

#endif
