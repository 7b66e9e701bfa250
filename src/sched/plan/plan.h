/* plan.h: floor 4. Graph to Plan: which nodes become one kernel, in which order, through which
 * buffers; and why every other pair of kernels stayed apart.
 *
 * Only MAP, REDUCE, SCAN, DOT and GATHER nodes need a kernel ("work"). Views, leaves, conversions
 * that a load does anyway (bf16 to f32), small scalars of literals, dims and scalar inputs, and
 * cheap values that read little (masks, one-hot rows; fuse/free.c) are free: every reader evaluates
 * them where it needs them. An output that is free is work too: a copy. */
#ifndef FUSEC_PLAN_H
#define FUSEC_PLAN_H

#include "sched/cost/cost.h"

typedef enum Family { /* of two that join, the kernel is of the later one */
    F_POINTWISE, /* every stored value has the shape of the part's space */
    F_ROW,       /* reductions and scans along some axes of one space, any number of stages */
    F_DOT,       /* contractions of one left operand, what makes operands, what reads results; where
                    a tile owns the rows of a result, reductions along them, too */
    F_ATTENTION  /* two contractions with a softmax between them, and the same around them */
} Family;

/* The iteration space of a part: axes of size 1 are dropped. `reduced` has a bit for every axis
 * that the row family reduces or scans, or a contraction's rows are reduced along; of an attention,
 * whose space is that of its result, for the axes that its rows do not have. */
typedef struct Space {
    int rank;
    Dim dim[RANK_MAX];
    uint32_t reduced;
} Space;

enum { DOTS_MAX = 4 }; /* contractions of one kernel */

typedef Vec(NodeId) NodeVec;
typedef Vec(int) IntVec;

/* Nodes computed together over one space. A pointwise kernel may have several (horizontal fusion
 * of tensors of different shapes); the other families have one. */
typedef struct Part {
    Space space;
    NodeVec nodes;  /* work, and what is free and made for it (Plan.free), ascending */
    NodeVec stored; /* those that leave the kernel */
    NodeId sum;     /* F_DOT: of all its contractions, which one accumulator adds up; 0: each has
                       its own */
} Part;

typedef struct Group {
    const char *name; /* of the kernel: geglu_0 */
    Family family;
    Vec(Part) parts;
    bool once;                           /* reads constants only: runs when they are prepared */
    bool packs_once[2]; /* F_DOT: are the left, the right operands read from B_PANELS? */
    IntVec reads, writes;                /* buffers, ascending, each once */
    Dim bytes_read, bytes_written, flops; /* each buffer once; 0 where the size overflows */
    Work work;                            /* what it counts as, with nominal sizes */
} Group;

typedef enum BufferKind {
    B_INPUT,
    B_OUTPUT,
    B_TEMP,
    B_PANELS /* an operand that does not change, packed as its contraction reads it */
} BufferKind;

typedef struct Buffer {
    const char *name; /* unique in the plan: the model's, or made from it */
    BufferKind kind;
    int number;  /* input or output number */
    NodeId node; /* whose value it holds, row-major */
    Dtype type;  /* as stored */
    Dim elements;
    int first, last; /* kernels that write it first and read it last; -1: before, count: after */
    int slot;        /* B_TEMP: place in the workspace; -1: it is prepared */
    bool constant;   /* B_INPUT: given when constants are prepared, and not to calls */
    bool prepared;   /* calls find it in prepared memory: as packed, as a kernel that runs once has
                        written it, or, of an input, a copy */
    bool is_left;    /* B_PANELS: of the left operand */
} Buffer;

/* A piece of workspace that temps with disjoint lifetimes share. */
typedef struct Slot {
    Dim bytes;
} Slot;

/* Why two kernels were not made one. Texts in reason_text[]. */
typedef enum Reason {
    FUSED,
    NO_CYCLE,     /* another kernel between them needs the one and feeds the other */
    NO_SPACE,     /* they iterate over different shapes, and the value between them is stored */
    NO_AXES,      /* they reduce along different axes */
    NO_ALIGNED,   /* a reduction would be read through a view that moves elements */
    NO_OPERAND,   /* operands of a contraction are pointwise work, not reductions */
    NO_SCAN,      /* running sums do not follow a contraction's tiles */
    NO_BESIDE,    /* a contraction and reductions that do not read it have loops of their own */
    NO_CHAIN,     /* contractions that follow each other, but for attention */
    NO_LEFT,      /* contractions that stand side by side have one left operand */
    NO_ATTENTION, /* an attention is fused only with pointwise work */
    NO_TILE,      /* a row of a contraction's result is longer than a tile, or open, or in parts */
    NO_BUNDLE,    /* kernels over different shapes go side by side only when all are pointwise */
    NO_OPS,       /* Limits.kernel_ops */
    NO_BUFFERS,   /* Limits.kernel_buffers */
    NO_RECOMPUTE, /* recomputing the producer would cost more than storing it */
    NO_GAIN,      /* the one kernel would take longer than the two */
    NO_CONSTANT,  /* one is computed once, from constant inputs, the other at every call */
    NO_PANELS,    /* contractions that are added up would pack operands at every call */
    REASON_COUNT
} Reason;

extern const char *const reason_code[REASON_COUNT], *const reason_text[REASON_COUNT];

/* One pair that was considered: producer (or sibling) a and reader b; what one kernel saves, or
 * would. */
typedef struct Decision {
    NodeId a, b;
    Reason reason;
    int64_t bytes;
    int64_t time; /* picoseconds, negative where one kernel would take longer */
    bool horizontal;
} Decision;

/* Does a value change between calls? It does not where it is made of numbers alone, or of these and
 * constant inputs, and has known sizes. */
typedef enum Constancy {
    VARIES,
    NUMBER,       /* literals, and dims of constant inputs */
    CONSTANT,     /* cheap: whoever reads it may compute it */
    CONSTANT_KEPT /* better computed once */
} Constancy;

typedef struct Plan {
    const Graph *g;
    const Graph *meaning;   /* what results are held to: before the passes that change its form */
    const Machine *machine; /* that it was made for */
    Vec(Group) groups;      /* in order of execution */
    Vec(Buffer) buffers;
    Vec(Slot) slots;
    Vec(Decision) decisions;
    int *group_of;  /* node -> group, -1: free */
    int *part_of;   /* node -> part of its group */
    int *buffer_of; /* node -> the buffer to read it from, -1: none */
    int64_t *parts; /* node -> inside of an attention in so many parts of its keys, of which each is
                       computed once; 0: not */
    bool *kept;     /* node -> a view that is stored as such, for the contraction that reads it */
    bool *free;     /* node -> would be work, and is so cheap that every reader computes it */
    int opt;        /* the -O level it was made for */
    Constancy *constancy; /* by node; NULL: no constants are prepared. Else these are there, too: */
    bool *constant_dims;  /* by symbol: does it stand in the shape of a constant input? */
    bool *is_called;      /* by node of a group that packs once: does a call compute it? */
} Plan;

/* ---- space.c: shapes without ones, and how a reader's axes map to its source's --------------- */

/* The node's shape without axes of size 1. */
Space space_of(const Graph *g, NodeId id);
bool space_equal(const Space *a, const Space *b); /* dims only */
bool is_work(const Graph *g, NodeId id);          /* see the head of this file; outputs aside */
bool plan_is_work(const Plan *plan, NodeId id);   /* and is not free in this plan (free.c) */
/* A view, or a conversion to the type that a register holds anyway: looked through. */
bool is_transparent(const Graph *g, NodeId id);
/* A view that has each element of its base once, in another order. */
bool is_rearranged(const Graph *g, NodeId id);
/* The node whose memory a RESHAPE chain starting at id views. */
NodeId storage_of(const Graph *g, NodeId id);

/* The axes of the space (a bit mask) that a stored node's axes run along, in order. */
uint32_t plan_alignment(const Graph *g, NodeId id, const Space *space);

enum { MISALIGNED = 0x7fffffff };

Space space_rows(const Space *s);
NodeId base_of(const Graph *g, NodeId id); /* below all that is transparent */
/* The same, but for views that are stored as such. */
NodeId source_of(const Plan *plan, NodeId id);
/* How source `src` of a reader that is aligned as m is aligned below its views. */
uint32_t align_source(const Graph *g, NodeId reader, int src, uint32_t m, const Space *space);

/* ---- query.c: what is asked of a plan ------------------------------------------------- */

extern const char *const family_name[];

typedef struct PlanReader {
    int call, *seen; /* in which call a node was seen last */
    NodeVec work, found;
} PlanReader;

PlanReader plan_reader(const Plan *plan);
/* The inputs and work nodes that a work node reads, free nodes looked through; valid until the next
 * call with this reader. */
const NodeVec *plan_reads(const Plan *plan, NodeId id, PlanReader *reader);
bool plan_is_apart(const Plan *plan, const Decision *decision); /* in two kernels in the end */
/* One decision for each pair of kernels that stayed apart: of several the first, where data flows
 * between the two one that says so. */
const Decision **plan_pairs_apart(const Plan *plan, int *count);
int plan_called(const Plan *plan);                              /* kernels of a call */
const Group *plan_group(const Plan *plan, NodeId id);           /* of a work node */
const char *plan_node_name(const Plan *plan, NodeId id);        /* "y", "%5 exp" */
const char *plan_space_text(const Plan *plan, const Space *space); /* "[N, D] along D" */
const char *plan_size_text(const Plan *plan, Dim size);
Dim plan_moved(const Plan *plan);       /* bytes read and written by a call; 0: too many */

#endif
