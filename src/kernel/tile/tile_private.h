/* tile_private.h: shared by the files of src/kernel/tile. */
#ifndef FUSEC_TILE_PRIVATE_H
#define FUSEC_TILE_PRIVATE_H

#include "kernel/tile/tile.h"

/* What loops over a body load, store and keep. */
typedef struct LoopFacts {
    int vector;      /* elements along the lane axis that all accesses allow at once, if
                        elements of a thread may be neighbours along it */
    int whole;       /* the same, but where it is the only axis packs need not divide it */
    int shifted;     /* of packs that are aligned in memory, and that a row may start anywhere in;
                        0: there are none */
    int loads;       /* for each element, without guards, */
    int guarded;     /* and with: beyond the ends of a pad nothing is loaded */
    int windows;     /* that share packs: see windows.c */
    int packs;       /* of these, such that elements along the lane axis are neighbours */
    int of_columns;  /* bytes of a column of what all rows load alike */
    int64_t element; /* bytes of the largest element */
    int64_t least;   /* of the smallest that is loaded */
    int ops;         /* for each element */
    int values;      /* of the body */
    int64_t rows, cols; /* 0: open */
    int64_t neighbours; /* of rows, the extent along the lane axis; 0: open */
    int64_t kept, live; /* bytes of a column that are kept, and the peak */
    int64_t summed;     /* of these, partial sums that stay from row to row */
    int64_t reloaded;   /* bytes of a column that several stages load, if only loads are kept */
    int64_t exchanged;  /* bytes that a thread exchanges with others for reductions */
    int64_t scanned;    /* the same for scans */
    bool has_scan, has_online_pass, is_one_row, is_few_rows;
    bool has_lists;       /* elements of scatters, each a loop over a list */
    bool stores_elements; /* and not only results of rows */
    bool stores_parts;    /* an element's, as of records, which are apart along the lane axis */
} LoopFacts;

/* What stores the results of a contraction: elements at once, and operations for each. */
typedef struct EpilogueFacts {
    int vector, ops;
} EpilogueFacts;

/* What of a kernel decides which tiles are legal. */
typedef struct TileSpace {
    const Kernel *k;
    const Body *b;
    const Machine *machine;
    Arena *arena;
    bool explains; /* does anybody read what a refusal says? */
    LoopFacts loop;
    TransposeForm transpose;
    PermuteForm permute;
    DotForm dot;
    EpilogueFacts epilogue; /* on tensor cores, of elements */
    AttentionForm attention;
    ChainForm chain;
    bool is_for_mma;   /* an attention, or a chain */
    int column_stages; /* in C: of reductions across which memory is contiguous; 0: of others */
    int column_bytes;  /* of what later stages read of such a column, beside accumulators */
} TileSpace;

/* A tile and its expected time, in some unit. */
typedef struct Candidate {
    Tile tile;
    double cost;
    int order; /* among candidates of equal cost */
} Candidate;

typedef Vec(Candidate) Candidates;

/* Adds a tile, completed, if it is legal. */
void candidate_add(const TileSpace *s, Tile t, double cost, Candidates *out);

/* A kind of tile: its candidates; the derived fields; the rule that a tile breaks, or NULL. Where
 * times are not estimated, the default costs nothing, and others cost their distance from it. */
typedef struct TileFamily {
    void (*list)(const TileSpace *s, Candidates *out);
    void (*complete)(const TileSpace *s, Tile *t); /* NULL: no field is derived */
    const char *(*refusal)(const TileSpace *s, const Tile *t);
} TileFamily;

extern const TileFamily tile_pointwise;                 /* pointwise.c */
extern const TileFamily tile_row, tile_column;          /* row.c, column.c */
extern const TileFamily tile_transpose;                 /* transpose.c */
extern const TileFamily tile_permute;                   /* permute.c */
extern const TileFamily tile_segments, tile_binned;     /* segments.c, binned.c */
extern const TileFamily tile_fma, tile_mma, tile_wgmma; /* fma.c, mma.c, wgmma.c */
extern const TileFamily tile_gemv, tile_gemv_fma;       /* gemv_gpu.c, gemv_fma.c */
extern const TileFamily tile_attention_fma;             /* attention_fma.c */
extern const TileFamily tile_attention_mma;             /* attention.c */
extern const TileFamily tile_attention_wgmma;           /* attention_wgmma.c */

extern const TileFamily tile_chain_mma, tile_chain_wgmma; /* chain.c, chain_wgmma.c */

/* c.c */
extern const TileFamily tile_c_loops, tile_c_transpose, tile_c_column, tile_c_dot, tile_c_attention;
extern const TileFamily tile_c_gemv; /* gemv.c */

/* ---- c.c ---- */

/* What loops in C, and stages of other kernels, have by default. */
enum {
    C_PARALLEL_FROM = 32768, /* elements from which threads pay */
    C_STACK = 16384,         /* elements of a row that are kept in a local array */
    /* stages with more values are not bound by the latency of accumulators */
    C_PARTIAL_VALUES = 16,
    C_PARTIAL_SUMS = 3, /* accumulators of such a stage: each is four registers */
    C_LARGEST = 1 << 30
};

/* Bytes of an output that is written around the caches: it and what it is computed from leave L3.
 */
int tile_stream_from(const TileSpace *s);
int tile_prefetched_from(const TileSpace *s); /* bytes of an array that leaves L2 beside others */
bool tile_is_at_most(const TileSpace *s, Dim dim, int64_t most); /* known, and no more? */

/* The rule that a tile breaks. Where nobody reads it, its format stands for it. */
const char *tile_refuse(const TileSpace *s, const char *format, ...) PRINTF_LIKE(2, 3);
/* "m must be a number from 1 to 8, not 9"; NULL: it is one. */
const char *tile_range_refusal(const TileSpace *s, const char *what, int n, int least, int most);
/* What the stages of a kernel in C take besides. */
int tile_c_unroll(const TileSpace *s);
void tile_c_complete(const TileSpace *s, Tile *t);
bool tile_has_panels(const Body *b); /* is an operand packed once? */

/* ---- candidates.c ---- */

/* The cost of a tile, if it is a candidate, in the unit of its family; 0: it is none. */
double candidate_cost(const Kernel *k, int body, const Machine *machine, const Tile *t,
                      Arena *arena);

/* ---- dot_form.c ---- */

/* Of a contraction: its tiles; is their number known? And the waves of them. */
double tile_count(const Body *b, const Tile *t);
bool tile_is_counted(const Body *b);
double tile_waves(const Body *b, const Machine *gpu, const Tile *t);

/* ---- transpose.c ---- */

/* Are its rows or columns known to be short? Then each element is as well loaded by itself. */
bool transpose_is_short(const TransposeForm *f);
/* Is one side known to be less than the largest tile's? Boxes of a permute then have no empty
 * parts: most of 60 such shapes take 0.26 to 0.98 times as long so on an H200 as in tiles,
 * four 1.02 to 1.3 times. Bytes in whole packs are faster in tiles. */
bool transpose_is_small(const TransposeForm *f);
/* Of those, has it accesses of less than 16 bytes? Then the plain kernel is faster, too, where
 * boxes do not pay: bf16 [55555, 64, 9] takes 41 us on an H200 so, and 100 in tiles, [31250, 64,
 * 16] 40 and 41. */
bool transpose_is_narrow(const TransposeForm *f);

/* ---- permute.c: why no tile is of this kind; NULL: some are ---- */

const char *permute_obstacle(const TileSpace *s);

/* ---- permute_box.c: without what keeps bank conflicts away, which takes longest to find ---- */

PermuteBox permute_box_unpadded(const PermuteForm *f, const Tile *t);

/* ---- permute_time.c: expected clocks of an element on a multiprocessor ---- */

double permute_clocks(const TileSpace *s, const Tile *t, const PermuteBox *box);
double permute_flat_clocks(const TileSpace *s); /* the same of a plain pointwise kernel */

/* ---- access.c ---- */

/* Of each result that threads of a column exchange: those of packs and, where memory is not
 * aligned, of single elements have memory of their own. */
static inline int tile_exchanged_elements(int vector) { return vector > 1 ? vector + 1 : 1; }

LoopFacts loop_facts(const Kernel *k, const Schedule *s);

/* ---- epilogue.c: vectors of results that leave at once, and how many of them ---- */

EpilogueFacts epilogue_facts(const Kernel *k, const Body *b, Arena *arena);
bool epilogue_is_late(const TileSpace *s);
void epilogue_choose(const TileSpace *s, Tile *t);
/* Are columns neighbours in a result? Those of products that are turned are not. */
bool epilogue_stores_neighbours(const TileSpace *s);
const char *epilogue_refusal(const TileSpace *s, const Tile *t);
/* Adds t with others, each expected to be a bit slower. */
void epilogue_variants(const TileSpace *s, const Tile *t, double cost, Candidates *out);

/* ---- time.c ---- */

/* Rows of a tile's operands that are copied element by element, since they start anywhere; half of
 * those that are copied by pairs. */
double tile_copied_rows(const Body *b, const DotForm *f, const Tile *t);

/* ---- mma.c ---- */

const char *tile_operand_refusal(const TileSpace *s, const Tile *t); /* of mma.sync */
/* Bytes of shared memory for a block of so many threads, registers of each at least. */
const char *tile_memory_refusal(const TileSpace *s, const Tile *t, int threads, int shared,
                                int registers);
/* Of a contraction whose rows are reduced. */
const char *tile_rows_refusal(const TileSpace *s, const Tile *t);

/* ---- gemv_gpu.c ---- */

const char *gemv_obstacle(const TileSpace *s); /* why no tile is of this kind; NULL: some are */
/* Of threads, of what they load ahead, and of results: also of those by fused multiply-adds. */
const char *gemv_block_refusal(const TileSpace *s, const Tile *t);

/* ---- gemv_fma.c ---- */

const char *gemv_fma_obstacle(const TileSpace *s); /* the same */

/* ---- wgmma_form.c ---- */

enum {
    WGMMA_COLUMNS = 256,  /* of the accumulators of a warpgroup, at most */
    WGMMA_PROMOTED = 192, /* of those that registers add up */
    WGMMA_FED = 144,      /* where producers compute operands */
    WGMMA_THREE = 192     /* of three consumers */
};

/* ---- wgmma_memory.c ---- */

int wgmma_depth(const DotForm *f); /* elements of a stage along k */
/* Columns of a product are multiples of the epilogue's strip, or of a box in shared memory; those
 * of all products are what the instruction takes (PTX ISA, "wgmma.mma_async"). */
int wgmma_piece(const DotForm *f, const Tile *t);
int wgmma_stage_bytes(const DotForm *f, const Tile *t);

/* ---- wgmma_time.c: the expected clocks of a tile, of a shape that was measured to take so many
 * times as long as its estimate ---- */

double wgmma_clocks(const TileSpace *s, const Tile *t, double slower);
/* Are rows along an axis, or columns, known to start within a sector of 32 bytes? */
bool wgmma_crosses_sectors(const Body *b, Ix ix, int across, Dtype type);
bool wgmma_loads_cross(const Body *b, const DotForm *f); /* those of any operand */

/* ---- row_cluster.c: rows that the blocks of a cluster share ---------------------------------- */

bool tile_has_narrow_online(const TileSpace *s); /* row.c */
const char *row_cluster_refusal(const TileSpace *s, const Tile *t);
bool row_is_long(const TileSpace *s); /* so long that a cluster shares it? */
/* Sets threads, keep and cluster of a tile for one long row; false: it has none. */
bool row_cluster_choose(const TileSpace *s, Tile *chosen);
bool row_reads_twice(const TileSpace *s, Tile *chosen); /* few long rows, the second time from L2 */
/* Rows that are fewer than fill all multiprocessors, and are looped over: a cluster shares each. */
void row_cluster_fill(const TileSpace *s, Tile *chosen);
void row_cluster_list(const TileSpace *s, const Tile *first, Candidates *out);

/* ---- loops.c: rules of numbers that are powers of 2; NULL: it is one ---- */

const char *loop_number_refusal(const TileSpace *s, const char *what, int64_t n, int64_t least,
                                int64_t most);
const char *loop_vector_refusal(const TileSpace *s, const Tile *t, int most);

/* ---- row_part.c: rows of a contraction, which part of a warp takes from shared memory ---- */

void row_part_choose(const TileSpace *s, Tile *t, int most_vector, int least_threads);
void row_part_complete(const TileSpace *s, Tile *t);
const char *row_part_refusal(const TileSpace *s, const Tile *t, int most_vector, int least_threads);

/* ---- attention_order.c ---- */

enum { ATTENTION_MOST_L2 = 1024 }; /* MiB */
/* Sets l2 and persistent where sizes are known. */
void attention_order(const TileSpace *s, Tile *t);

/* ---- chain_wgmma.c ---- */

const char *chain_wgmma_obstacle(const Body *b, const Machine *gpu, const ChainForm *form);

/* ---- numbers ---- */

static inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
static inline bool is_power_of_two(int64_t n) { return n > 0 && !(n & (n - 1)); }

#endif
