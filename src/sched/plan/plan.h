/* plan.h: Graph to Plan: which nodes become one kernel, the order of kernels, the buffers
 * between them; and why other pairs of kernels were not fused.
 *
 * Only MAP, REDUCE, PARTIAL, SCAN, DOT, GATHER, SEGMENTS and COMBINE nodes need a kernel ("work").
 * Views, leaves, conversions that a load does anyway (bf16 to f32), small scalars of literals, dims
 * and scalar inputs, and cheap values that read little (masks, one-hot rows; fuse/free.c) are free:
 * every reader evaluates them where it needs them. An output that is free is work too: a copy. */
#ifndef FUSEC_PLAN_H
#define FUSEC_PLAN_H

#include "sched/cost/cost.h"

typedef enum Family {              /* two that are fused have the later family */
                      F_POINTWISE, /* every stored value has the shape of its loop nest's space */
                      /* reductions and scans along some axes of one space, any number of stages,
                       * and partial sums along the other axes */
                      F_ROW,
                      F_SEGMENTS, /* a sort of indices, for a scatter, and its prologue */
                      /* contractions with one left operand, their prologues and epilogues; if a
                       * tile has whole rows of the result, reductions along them, too */
                      F_DOT,
                      F_ATTENTION, /* two contractions with a softmax between them, prologues and
                                      epilogues */
                      /* contractions of one space, a pointwise function of them, and contractions
                       * that take such functions as left operands; prologues and epilogues */
                      F_CHAIN
} Family;

/* The iteration space of a loop nest: axes of size 1 are dropped. `reduced` has a bit for every
 * axis that the row family reduces or scans, or a contraction's rows are reduced along; of an
 * attention or a chain, whose space is that of its result, for the axes that its rows do not have.
 * `groups`: the last of these axes, where the row family also reduces parts of a row along them
 * alone; 0: it does not. `backward`: the loop along the reduced axis starts at its end, for running
 * sums that do. */
typedef struct Space {
    int rank;
    Dim dim[RANK_MAX];
    uint32_t reduced, groups;
    bool backward;
} Space;

enum {
    DOTS_MAX = 4, /* accumulators of contractions in one kernel */
    TERMS_MAX = 9 /* products that each adds up: those of a 3 x 3 convolution */
};

typedef Vec(NodeId) NodeVec;
typedef Vec(int) IntVec;

/* The contractions of a kernel: accumulators side by side. Each adds up as many products; those at
 * one place of the sums have one left operand. */
typedef struct DotSums {
    int count, terms;                /* accumulators; products of each */
    NodeId sum[DOTS_MAX];            /* what an accumulator has in the end; one product: itself */
    NodeId dot[DOTS_MAX][TERMS_MAX]; /* products of each sum */
    bool is_turned; /* of one product: rows of its kernel are columns of the result, see
                       cost_is_turned */
} DotSums;

/* Nodes that are computed together over one space. A pointwise kernel may have several loop nests
 * (horizontal fusion over different shapes); the other families have one. */
typedef struct LoopNest {
    Space space;
    NodeVec nodes;  /* work, and free nodes that it needs (Plan.free), ascending */
    NodeVec stored; /* those that are stored */
    DotSums sums;   /* F_DOT */
    NodeId blocks;  /* F_DOT: the sum of its scaled blocks of k (blocks_dot); 0: it has none */
} LoopNest;

typedef struct Group {
    const char *name; /* of the kernel: geglu_0 */
    Family family;
    Vec(LoopNest) nests;
    bool once;            /* reads constants only: runs when they are prepared */
    bool packs_once[2];   /* F_DOT: are the left, the right operands read from B_PANELS? */
    IntVec reads, writes; /* buffers, ascending, each once */
    Dim bytes_read, bytes_written, flops; /* each buffer once; 0 where the size overflows */
    Work work;                            /* with nominal sizes */
} Group;

typedef enum BufferKind {
    B_INPUT,
    B_OUTPUT,
    B_TEMP,
    B_PANELS /* a constant operand, packed for its contraction */
} BufferKind;

typedef struct Buffer {
    const char *name; /* unique in the plan: the model's, or made from it */
    BufferKind kind;
    int number;  /* input or output number */
    NodeId node; /* whose value it holds, row-major */
    Dtype type;  /* in memory */
    Dim elements;
    int first, last; /* kernels that write it first and read it last; -1: before, count: after */
    int slot;        /* B_TEMP: slot of the workspace; -1: it is prepared, or .. */
    int input;       /* .. in the memory of this buffer, a consumed input; else -1 */
    /* B_OUTPUT: a call may give this consumed input's memory for it, which then is written in
     * place; -1: it may not */
    int may_be;
    bool consumed; /* B_INPUT: temps may overwrite it once it is read */
    bool constant; /* B_INPUT: an argument of prepare, and not of calls, unless .. */
    bool in_place; /* .. calls read it in place: on a GPU */
    /* in prepared memory: packed, or written by a kernel that runs once, or a copy of an input */
    bool prepared;
    bool is_left; /* B_PANELS: of the left operand */
} Buffer;

/* A piece of workspace that temps share: with disjoint live ranges, or the one is read last by the
 * kernel that writes the other in place. */
typedef struct Slot {
    Dim bytes;
} Slot;

/* Why two kernels were not fused. Texts in reason_text[]. */
typedef enum Reason {
    FUSED,
    NO_CYCLE,     /* another kernel between them needs the one and feeds the other */
    NO_SPACE,     /* they iterate over different shapes, and the value between them is stored */
    NO_AXES,      /* they reduce along different axes */
    NO_ALIGNED,   /* a reduction would be read through a view that moves elements */
    NO_OPERAND,   /* operands of a contraction are pointwise work, not reductions */
    NO_ORDER,     /* one goes through a row from its end, the other from its start */
    NO_SCATTER,   /* a scatter, or its sort of indices, is fused only with pointwise work */
    NO_PARTIAL,   /* a kernel with partial sums of columns has no scans */
    NO_SCAN,      /* scans cannot be computed by a contraction's tiles */
    NO_BESIDE,    /* a contraction and reductions that do not read it have different loops */
    NO_CHAIN,     /* contractions one after the other, except attention */
    NO_LEFT,      /* contractions side by side need the same left operand */
    NO_SUMS,      /* contractions that are added, and others beside them */
    NO_ATTENTION, /* an attention, or a chain of contractions, is fused only with pointwise work */
    NO_BLOCKS, /* a contraction of scaled blocks is fused only with pointwise work on its result */
    /* a row of a contraction's result does not fit in a tile, or is open, or is cut unevenly */
    NO_TILE,
    NO_BUNDLE,    /* kernels over different shapes share a launch only if both are pointwise, and
                     put no parts together */
    NO_OPS,       /* Limits.kernel_ops */
    NO_BUFFERS,   /* Limits.kernel_buffers */
    NO_RECOMPUTE, /* recomputing the producer would cost more than storing it */
    NO_GAIN,      /* the one kernel would take longer than the two */
    NO_CONSTANT,  /* one is computed once, from constant inputs, the other at every call */
    NO_PANELS,    /* contractions that are added would pack operands at every call */
    NO_PIN,       /* measuring has found two kernels to be faster */
    NO_ACROSS,    /* sums that all blocks of a chain add to are complete when its kernel ends */
    REASON_COUNT
} Reason;

extern const char *const reason_code[REASON_COUNT], *const reason_text[REASON_COUNT];

/* One pair that was considered: producer (or sibling) a and reader b; what fusion saves, or
 * would. */
typedef struct Decision {
    NodeId a, b;
    Reason reason;
    int64_t bytes;
    int64_t time; /* picoseconds, negative if the fused kernel would take longer */
    bool horizontal;
} Decision;

/* Does a value change between calls? It does not if it depends only on numbers and constant inputs,
 * and its sizes are known. */
typedef enum Constancy {
    VARIES,
    NUMBER,       /* literals, and dims of constant inputs */
    CONSTANT,     /* cheap: every reader may compute it */
    CONSTANT_KEPT /* better computed once */
} Constancy;

typedef struct Plan {
    const Graph *g;
    const Graph *meaning;   /* the reference for results: before the passes that change its form */
    const Machine *machine; /* the target machine */
    Vec(Group) groups;      /* in order of execution */
    Vec(Buffer) buffers;
    Vec(Slot) slots;
    Vec(Decision) decisions;
    int *group_of;  /* node -> group, -1: free */
    int *nest_of;   /* node -> loop nest of its group */
    int *buffer_of; /* node -> the buffer to read it from, -1: none */
    /* node -> number of splits of the attention that it is inside of, if each split computes only
     * its own keys; 0: not inside */
    int64_t *splits;
    bool *inner; /* node is inside of an attention or a chain, before its last contractions */
    bool *kept;  /* node -> a view that is stored as such, for the contraction that reads it */
    bool *free;  /* node -> work so cheap that every reader computes it */
    int opt;     /* the -O level it was made for */
    Constancy *constancy; /* by node; NULL: no constants are prepared. Else these are set, too: */
    bool *constant_dims;  /* by symbol: is it in the shape of a constant input? */
    bool *is_called;      /* by node of a group that packs once: does a call compute it? */
} Plan;

/* ---- space.c: shapes without ones, and how a reader's axes map to its source's --------------- */

/* The axis along which a kernel stores parts of one element, each by itself: no loop; -1: none. */
int join_axis(const Node *n);
/* The node's shape without axes of size 1. */
Space space_of(const Graph *g, NodeId id);
Space loops_of(const Graph *g, NodeId id);        /* the same without that axis */
bool space_equal(const Space *a, const Space *b); /* dims only */
/* see the head of this file; outputs are not considered */
bool is_work(const Graph *g, NodeId id);
bool plan_is_work(const Plan *plan, NodeId id); /* work that is not free in this plan (free.c) */
/* A view, or a conversion to the type of its register: looked through. */
bool is_transparent(const Graph *g, NodeId id);
/* A view that has each element of its base once, in another order. */
bool is_rearranged(const Graph *g, NodeId id);
/* A view of its base in the same order, without the end of one axis. */
bool is_cut_view(const Graph *g, NodeId id);
/* May a kernel of these nodes store such views of what it computes? One of scans, on a GPU:
 * chunks of an axis that nothing divides are padded (sched/split/scans.c). */
bool stores_cut_views(const Plan *plan, const NodeId *node, int count);
/* The node whose memory a RESHAPE chain starting at id views. */
NodeId storage_of(const Graph *g, NodeId id);

/* The axes of the space (a bit mask) that a stored node's axes run along, in order. */
uint32_t plan_alignment(const Graph *g, NodeId id, const Space *space);

enum { MISALIGNED = 0x7fffffff };

Space space_rows(const Space *s);
Space space_groups(const Space *s); /* with an element for each group */
/* The axes that a REDUCE or SCAN runs along, as a mask over the axes of its space. Of a PARTIAL,
 * those of its columns: its kernel goes through rows of them. */
uint32_t reduced_axes(const Graph *g, const Node *n);
NodeId base_of(const Graph *g, NodeId id); /* below all transparent nodes */
/* The same, but stops at views that are stored as such. */
NodeId source_of(const Plan *plan, NodeId id);
/* The alignment of source `src`, below its views, if its reader is aligned as m. */
uint32_t align_source(const Graph *g, NodeId reader, int src, uint32_t m, const Space *space);

/* ---- query.c: what is asked of a plan ------------------------------------------------- */

extern const char *const family_name[];

typedef struct PlanReader {
    int call, *seen; /* the current call; the last call that saw a node */
    NodeVec work, found;
} PlanReader;

PlanReader plan_reader(const Plan *plan);
/* The inputs and work nodes that a work node reads, through free nodes; valid until the next call
 * with this reader. */
const NodeVec *plan_reads(const Plan *plan, NodeId id, PlanReader *reader);
/* Is a contraction of one_pass.c outside of the chain that it is for? */
bool plan_leaves_across(const Plan *plan);
/* are the two in different kernels in the end? */
bool plan_is_apart(const Plan *plan, const Decision *decision);
/* One decision for each pair of kernels that were not fused: the first, or the first along an edge
 * if there is one. */
const Decision **plan_pairs_apart(const Plan *plan, int *count);
int plan_called(const Plan *plan);                                 /* kernels of a call */
const Group *plan_group(const Plan *plan, NodeId id);              /* of a work node */
const char *plan_node_name(const Plan *plan, NodeId id);           /* "y", "%5 exp" */
const char *plan_space_text(const Plan *plan, const Space *space); /* "[N, D] along D" */
const char *plan_size_text(const Plan *plan, Dim size);
double plan_seconds(const Plan *plan); /* estimated, of a call, launches included */
Dim plan_moved(const Plan *plan);      /* bytes read and written by a call; 0 on overflow */

#endif
