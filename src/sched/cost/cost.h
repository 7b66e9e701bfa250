/* cost.h: the machines that kernels are planned for, and their rooflines: estimated times of
 * kernels. */
#ifndef FUSEC_COST_H
#define FUSEC_COST_H

#include "graph/pass/pass.h"

/* ---- machine.c: what kernels are planned for: chips by architecture, and a core ------------ */

/* What computes, by the type that it computes in. Products of matrices on tensor cores have those
 * after UNIT_SPECIAL; without them, the first ones. */
typedef enum Unit {
    UNIT_F64,
    UNIT_F32,
    UNIT_INT,
    UNIT_SPECIAL, /* exponentials, sines and the like */
    UNIT_TF32,
    UNIT_BF16, /* or f16 */
    UNIT_F8,
    UNIT_I8,
    UNIT_COUNT
} Unit;

/* The figures of a chip: its peaks. */
typedef struct Chip {
    const char *name, *arch; /* arch: NULL where code is not for a GPU */
    bool is_arithmetic;      /* figures only: no code can be emitted for it */
    int processors, clock;   /* MHz; 0: unknown */
    double bandwidth, link;  /* bytes per second; link 0: unknown */
    double rate[UNIT_COUNT]; /* operations per second; 0: there is no such unit, or unknown */
    int l2;                  /* MiB; 0: unknown */
    const char *memory, *source;
} Chip;

typedef struct Machine {
    int sm; /* 80, 90, ..; 0: a CPU */
    const char *name;
    int processors; /* multiprocessors, or cores */
    /* bytes of shared memory: the most of a block, and of a multiprocessor */
    int shared_block, shared_processor;
    int clock, bandwidth;          /* MHz, GB/s */
    int fma, special, mma, wgmma;  /* per clock and processor: see machine.c */
    int tensor;                    /* peak of the tensor cores; 0: chips differ */
    int l2, l2_tma, shared, issue; /* per clock and processor: bytes, and instructions */
    /* clocks from the start of a block until its first tile is loaded */
    int start;
    int finish, finish_wgmma; /* results of a product that are stored per clock */
    int launch;               /* ns from the end of a kernel to the start of the next */
    int l2_size, l3_size;     /* MiB; of a CPU: of a core, and of all; a GPU has no L3 */
    int prefetch;     /* of a CPU: bytes that programs prefetch ahead; 0: it does so itself */
    const Chip *chip; /* NULL: the chip of this name */
} Machine;

/* 32-bit registers of a multiprocessor, and the most of a thread: of all architectures here. */
enum { MACHINE_REGISTERS = 65536, MACHINE_THREAD_REGISTERS = 255 };

const Machine *machine_gpu(const char *arch); /* "sm_90a"; NULL: the default */
const Machine *machine_cpu(void);
const Machine *machine_processor(const char *name); /* the CPU of that name, "AMD EPYC" */
/* Facts of the machine that a plan may depend on, besides the numbers; never the target. */
bool machine_is_gpu(const Machine *machine);
bool machine_has_mma(const Machine *machine);    /* mma.sync, and cp.async */
bool machine_has_mma_f8(const Machine *machine); /* mma.sync of 8-bit floats */

/* ---- chips.c: peak rates ---- */

extern const char *const unit_name[UNIT_COUNT];
const Chip *chip_at(int i);              /* NULL: there are not so many */
const Chip *chip_find(const char *name); /* NULL: none */
Machine *machine_of_chip(Arena *arena, const Chip *chip);
const Chip *machine_chip(const Machine *machine); /* NULL: none; its rates are derived */
/* Operations per second, of another unit where there is none for the type; 0: unknown. */
double machine_rate(const Machine *machine, Unit unit);
double machine_bandwidth(const Machine *machine); /* bytes per second */
double machine_link(const Machine *machine);      /* that it sends to another; 0: unknown */
/* The unit of a node; *times: operations that one of the node takes. */
Unit node_unit(const Graph *g, NodeId id, int *times);

/* ---- size.c: a device that has more or fewer multiprocessors than the usual chip ---- */

/* What a driver says of a GPU; 0: nothing. */
typedef struct MachineSize {
    int processors, l2;                 /* l2: MiB */
    int shared_block, shared_processor; /* as in Machine */
} MachineSize;

/* The usual chip of an architecture as a device has it: `usual` itself where nothing differs. */
const Machine *machine_of_size(Arena *arena, const Machine *usual, const MachineSize *size);
const char *machine_size_print(Arena *arena, const Machine *machine);
bool machine_size_parse(const char *text, MachineSize *size); /* such a text; false: it is none */

/* The work of a kernel. */
typedef struct Work {
    double bytes;    /* read and written, each value once */
    double flops;    /* outside of tensor cores; a multiply-add is two */
    double special;  /* exponentials and other special functions */
    double products; /* on tensor cores, counted as products of 16-bit floats */
    double tiles;    /* of a product: those of one wave run concurrently; 0: no product */
} Work;

typedef enum Bound { BOUND_MEMORY, BOUND_FLOPS, BOUND_SPECIAL, BOUND_PRODUCTS, BOUND_COUNT } Bound;

typedef struct Estimate {
    double seconds; /* without the launch */
    Bound bound;    /* the largest part */
} Estimate;

/* ---- cost.c: numbers ----------------------------------------------------------------------- */

enum {
    COST_NOMINAL = 1024, /* size of an open dim, adjusted to the facts about it */
    COST_TILE = 128, /* side of a tile of a large product: rows that share one load of an operand */
    COST_PAD = COST_TILE / 2, /* on a GPU, work of products is counted in multiples of it */
};

int64_t cost_size(const Dims *d, Dim size); /* with the nominal sizes of open dims */
int64_t cost_dim(const Graph *g, Dim d);    /* the same */
/* Elements along the axes [from, to) of a node. */
double cost_extent(const Graph *g, const Node *n, int from, int to);
/* Tiles along a size, and waves of tiles: whole ones, except if the size is open, since then the
 * last tile or wave of the nominal size means nothing. */
double cost_tiles(const Dims *d, Dim size, double tile);
double cost_waves(const Machine *machine, double tiles, bool is_open);
double cost_elements(const Graph *g, NodeId id);
int64_t cost_bytes(const Graph *g, NodeId id);
enum { COSTLY_FLOPS = 16 }; /* operations that a costly node counts as */

Work cost_node(const Machine *machine, const Graph *g, NodeId id); /* without bytes */
void work_add(Work *w, const Work *more);                          /* without bytes */
extern const char *const bound_name[BOUND_COUNT];
Estimate cost_estimate(const Machine *machine, const Work *work);

/* Products of 16-bit floats that take as long as one product of the contraction; 0: not on tensor
 * cores. */
double cost_product_weight(const Graph *g, NodeId dot);

/* ---- attention.c ---- */

/* Depth, and number of columns, of kernels on tensor cores. */
enum { ATTENTION_LONGEST = 256, ATTENTION_LONGEST_F32 = 128 };

/* Is one kernel faster than products whose scores are stored, and a softmax of these? */
bool attention_pays(const Machine *machine, const Graph *g, const Attention *a);

/* ---- chain.c ---- */

/* Is one kernel for the whole chain faster than several? */
bool chain_pays(const Machine *machine, const Graph *g, const Chain *c);
/* Of f32 on tensor cores, registers hold one long result beside the scores: does the chain that
 * ends with this contraction share no kernel with others? */
bool chain_has_own_kernel(const Machine *machine, const Graph *g, const Node *dot);
/* Are rows of its operands and of its result as short as those of heads? */
bool chain_is_of_heads(const Graph *g, const Chain *c);

/* ---- row_tiles.c: tiles that own rows of a contraction's result ---------------------------- */

/* Columns of the result, and of those beside it, if a tile may have whole rows of them. */
int64_t tile_columns(const Machine *machine, const Graph *g, NodeId dot);
/* Can a tile have so many columns of each of `dots` products? On a GPU a tile's side is a power of
 * 2. */
bool tile_has_columns(const Machine *machine, const Graph *g, NodeId dot, int64_t columns,
                      int dots);
/* What equal segments of rows, of which a tile has some, are multiples of, in columns. */
int cost_segment_step(const Machine *machine, const Graph *g, NodeId dot);
/* Has it so few rows or columns that a CPU reads its other operand in place? It does so in a kernel
 * that needs neither whole rows of the result nor tiles of an attention. */
bool cost_reads_in_place(const Machine *machine, const Graph *g, NodeId dot);
/* The extra seconds that the products take in tiles with so many columns. */
double rows_delay(const Machine *machine, const Graph *g, NodeId dot, double columns);

/* ---- groups.c: rows, and groups of a row, reduced by one kernel ---- */

bool cost_may_group(const Machine *m, const Dims *d, Dim rows, Dim columns, Dim group);

/* ---- bins.c -------------------------------------------------------------------------------- */

int64_t cost_bin_bytes(const Graph *g, NodeId binned); /* of the results of one part */
/* How many times a block, or a core, has so many bytes of results; 0: they are too many for it. */
int cost_bin_tables(const Machine *machine, int64_t bytes);

/* ---- fma.c --------------------------------------------------------------------------------- */

/* Clocks for one k of so many tiles of m x n elements that are multiplied by fused multiply-adds;
 * infinite: there are no such tiles. is_across: an operand is contiguous across k, in rows that are
 * copied to shared memory as they are. */
double cost_fma_tiles(const Machine *machine, double tiles, int m, int n, bool is_across);

/* ---- split_k.c ----------------------------------------------------------------------------- */

/* Tiles of a product for each multiprocessor, from which on operands whose rows are read element by
 * element are copied to longer rows (fuse/padded.c), unless that takes longer. */
#define COST_COPIED 0.05
/* Has a product of f32 so few rows that its right operand goes from memory to registers, for fused
 * multiply-adds? */
bool cost_is_gemv_fma(const Machine *machine, const Graph *g, NodeId dot);
/* May one kernel have several of them, of one left operand? Their right operands have one layout.
 */
bool cost_may_share_rows(const Machine *machine, const Graph *g, const NodeId *dot, int count);
/* Is a product of few columns multiplied as one of few rows, which reads the other operand as it
 * lies in memory? On a GPU, of 16-bit floats whose right operand is not contiguous along k, and of
 * f32. */
bool cost_is_turned(const Machine *machine, const Graph *g, NodeId dot);
/* Has the product such operands, and so many tiles? */
bool cost_is_copied(const Machine *machine, const Graph *g, NodeId dot);
/* Clusters of so many blocks (2 to 8), with the memory of a multiprocessor each, that run at once.
 */
double cost_clusters(const Machine *machine, int blocks);
enum { COST_CLUSTER_START = 2600 }; /* clocks: see wgmma_time.c */
/* Its loads take so many times as long, since few blocks read the same at about the same time: 1024
 * x 1024 x 8192 in two parts takes 34.6 us on an H200. */
#define COST_APART 1.4
/* Loads by TMA of rows that start within sectors of L2 take so many times as long, by all
 * multiprocessors, and by few: see wgmma_time.c. */
#define COST_CROSSING       2.6
#define COST_CROSSING_ALONE 1.4
/* Clocks in which the blocks of a cluster add up the sums of rows and columns that each has. */
double cost_cluster_sums(double rows, double columns, int blocks);
/* Seconds of a contraction of known sizes on a GPU, its sums split in so many (1: whole), with the
 * kernel that adds the partial results. */
double cost_split_k(const Machine *machine, const Graph *g, NodeId dot, int64_t splits);

#endif
