/* cuda.h: shared by the files of the CUDA target. */
#ifndef FUSEC_EMIT_CUDA_H
#define FUSEC_EMIT_CUDA_H

#include "emit/text/writer.h"
#include "kernel/tile/tile.h"

/* What packs take to be moved at once: see alignment.c. */
typedef struct Alignment {
    Dim size; /* that a multiple of `by` has to be; 0: the address of the buffer, in bytes */
    int buffer, by;
} Alignment;

typedef Vec(Alignment) Alignments;

/* Loads of one index that are a pack, or one element, for the elements of a pack: see
 * neighbours.c. */
typedef struct SharedPack {
    Ix ix;
    int buffer, guard;
    const char *element;
} SharedPack;

/* Neighbours in memory that one element of a row reads: the first load of them, how many elements
 * these are, and the place of a load among them. size 0: a load by itself. */
typedef struct Record {
    int first, size, place;
} Record;

/* Where a block has rows of a tensor in shared memory, one for each thread; NULL: nowhere. */
typedef struct ThreadRow {
    const char *name;
    int length;
} ThreadRow;

/* A Writer that also knows how threads share the elements of a row.
 *
 * An item is the unit of work of a thread: `vector` adjacent elements along the lane axis. Its text
 * has three parts:
 *
 *     before    whole packs are loaded     Pack<bf16, VEC> x_pack1 = load_pack<VEC>(..);
 *     elements  a loop over l < VEC        y_pack2.at[l] = to_bf16(.. x_pack1.at[l] ..);
 *     after     whole packs are stored     store_pack(y + .., y_pack2);
 *
 * With a vector of 1 there is no loop, `before` and `after` are empty and elements are scalars. */
typedef struct CudaWriter {
    Writer w; /* first: the dialect is given &w */
    Tile tile;
    int vector;   /* elements of one access: the tile's, or a piece's own */
    bool wide;    /* vector > 1: the text is a function template over VEC */
    bool shifted; /* packs start anywhere in a row; only crossing loads and stores are whole */
    /* rows that start anywhere in packs: the index of what is moved in these; 0: other rows */
    Ix shifted_row;
    /* packs are the same text in any case, single accesses unless the kernel's `wide` is true */
    bool tests_wide;
    bool is_edge;       /* of such a row: an element beside its whole packs, without a pack */
    bool is_32bit;      /* every offset provably fits an int */
    bool scans;         /* there are scans: all threads of a row step through it together */
    const char *index;  /* "int" or "idx": the type of positions */
    const char *add_if; /* "", or "if (active) ": guards a thread's accumulation */
    const char *store_if; /* "", or "if (valid) ": guards its stores */
    const char *row_if;   /* the same for stores of a row */
    /* casts to and from the type of positions; "" for int */
    const char *to_index, *to_int;
    /* the function that combines the threads of a row, with $ for the reduction, such as
     * "warp_reduce<$, 8>"; NULL when a thread has the whole row, or a block does it */
    const char *reduce;
    bool by_block;        /* the whole block combines them, by block_reduce */
    int calls;            /* of block_reduce so far */
    const char *lane;     /* position of the lane axis at the start of an item */
    const char **hoisted; /* value -> array of its loads, made in a loop before; NULL: none */
    const char **staged;  /* value -> element of a tile that holds its loads; NULL: none */
    const char **kept;    /* value -> where a kept result stays; NULL: none */
    bool is_product_row;  /* rows of results that are reduced */
    const char *sums;     /* contractions: where the sums of an item are in shared memory */
    int sum_width;        /* contractions: columns of each product in a row of them */
    bool holds_sums;      /* contractions: they are in the thread's registers */
    /* contractions: store -> where packs of its results go in shared memory; NULL: to the tensor */
    const char **boxed;
    const char **scanned; /* value -> element of its scan, in registers; NULL: none yet */
    /* store -> registers with the sums of columns that it adds to; NULL: they are in memory */
    const char **added;
    signed char *in_pack; /* value -> what combine.c knows of it */
    Alignments packs_if;  /* beside what accesses along the lane axis ask for */
    Text before, after;
    Words *outside;         /* names around the elements of an item */
    Vec(SharedPack) packs;  /* that are in `before` */
    const RawLoads *raw;    /* loads whose copies are read instead; NULL: none */
    const char **raw_name;  /* value -> where these start in `raw_memory`, */
    const char *raw_memory; /* which `raw_threads` threads copy them to */
    int raw_threads;
    const char **raw_read; /* value -> registers that they were read to, by item; NULL: they stay */
    bool reads_flat;       /* the text reads the flat position: see cuda_positions */
    /* pointwise: how many blocks have whole tiles of packs, where the elements behind these are
     * moved one by one; NULL: all are in packs */
    const char *whole_tiles;
    Ix block_ix; /* the index of rows that a block has in shared memory, 0: none, and by buffer */
    const char **block_rows;  /* where they are there; NULL: in memory */
    Windows windows;          /* pointwise: of its loads */
    Record *record;           /* kernels without packs: by value; NULL: there are none */
    Record *stored_record;    /* pointwise ones: by store */
    const char *part;         /* the pack that parts of a record are put into */
    ThreadRow *thread_row;    /* pointwise kernels without packs: by buffer; NULL: there are none */
    Alignments records_if;    /* what they take to be loaded at once */
    const char **window_name; /* by window; NULL: it is not declared yet */
} CudaWriter;

static inline bool cuda_tests_packs(const CudaWriter *c) { return c->tests_wide && c->vector > 1; }

static inline CudaWriter *cuda_of(Writer *w) { return (CudaWriter *)w; }

/* ---- value.c: values as CUDA text ---- */

extern const Dialect cuda_dialect;

const char *cuda_storage(Dtype type); /* float, bf16, signed char .. */
/* What was loaded, in the type that a register has. */
const char *cuda_loaded(CudaWriter *c, Dtype type, const char *x);
const char *cuda_register(Dtype type); /* float, int, bool .. */
bool cuda_is_contiguous(const CudaWriter *c, Ix ix); /* along the lane axis, if packs are used */
bool cuda_is_packed(const CudaWriter *c, const Value *v); /* a load of whole packs */
/* Random bits of neighbours in a pack, which share the blocks of the generator. */
bool cuda_shares_random(const CudaWriter *c, const Value *v);
/* register type to storage type */
const char *cuda_stored(CudaWriter *c, Dtype type, const char *x);
bool cuda_is_of_element(const CudaWriter *c, int value); /* is it declared for each of a pack? */
/* Is a load read by nothing but a store of its type, which needs no conversion? */
bool cuda_is_only_stored(const CudaWriter *c, int value);
/* Packs are loaded before the loop over their elements: are the positions of an index known there,
 * and what a guard compares? */
bool cuda_is_known_before(const CudaWriter *c, Ix ix);
bool cuda_is_guard_known(const CudaWriter *c, int guard);
/* Declares a pack before that loop; guard: the value under which it is loaded; 0: always. */
void cuda_put_pack(CudaWriter *c, int guard, const char *type, const char *name, const char *load);
/* A load of this type as it is in memory; NULL: the value is computed, or has a condition. */
const char *cuda_copied(CudaWriter *c, int value, Dtype type);

/* ---- combine.c: an element of a scatter ---- */

void cuda_declare_combine(Writer *w, int value);
/* Is it computed from a position in a segment? */
bool cuda_is_in_segment(const CudaWriter *c, int value);
/* Does such a value, or a segment's start or end, differ between the elements of a pack? Guards of
 * loads do not where whole packs have them. */
bool cuda_varies_in_pack(const CudaWriter *c, int value);

/* ---- neighbours.c: packs whose neighbours share what is loaded ---- */

/* tile_pack_sharers, of packs of c->vector elements; 0: neighbours do not share the load. */
int cuda_pack_sharers(const CudaWriter *c, const Value *v);
/* Are the results of a pack neighbours in memory, in one aligned store? */
bool cuda_stores_pack(const CudaWriter *c, const Store *s);
/* Is the guard of a load the same for the whole pack, and known before? */
bool cuda_has_pack_guard(const CudaWriter *c, const Value *v);
/* The text of an element of such a load, without its guard if that differs in a pack. */
const char *cuda_shared_element(CudaWriter *c, int value);
/* The position along the lane axis by which an index, or whether it is inside, is written. */
const char *cuda_position_in_pack(const CudaWriter *c, const Value *v);

/* ---- window.c: loads at constant distances along the lane axis ---- */

void cuda_find_windows(CudaWriter *c); /* call it when the writer is ready */
bool cuda_is_in_window(const CudaWriter *c, int value);
/* The text of an element of such a load. */
const char *cuda_window_element(CudaWriter *c, int value);

/* ---- record.c: neighbours in memory that one element reads ---- */

void cuda_find_records(CudaWriter *c); /* call it when hoisted loads are known */
bool cuda_is_of_record(const CudaWriter *c, int value);
/* The text of such a load; declares its record. */
const char *cuda_record_element(CudaWriter *c, int value);
/* Stores a part of a record, or keeps it until the last one; false: it is no part. */
bool cuda_store_part(CudaWriter *c, int store, const char *x);

/* ---- small.c: integers of a few bits as floats ---- */

/* Is it an integer as f32 that small_float makes, in an operand of a contraction? */
bool cuda_is_small_float(const Writer *w, const Value *v);
/* The pattern of such a number minus a whole one; NULL: v is another operation. */
const char *cuda_small_difference(Writer *w, const Value *v);
/* Is it a load of a byte of a pack that is only read to become a float, as are its halves? */
bool cuda_is_byte(const CudaWriter *c, int value);
const char *cuda_byte_text(Arena *arena, const char *element); /* element: "x_pack.at[l]" */
/* The pattern of the low or high 4 bits of such a byte; NULL: v is another operation. */
const char *cuda_half(const CudaWriter *c, const Value *v);

/* ---- raw.c: copies of what a computed operand loads, in shared memory ---- */

/* Declares where the copies of each load start, from *at on, and moves *at behind them; places: how
 * many chunks the operand's tile has. */
void cuda_raw_names(CudaWriter *c, const RawLoads *raw, int places, const char **at, Text *sizes);
/* Copies to them; from: the address in global memory by load; NULL, or one that is: its index. */
const char *cuda_raw_copies(CudaWriter *c, const RawLoads *raw, const char *const *from);
/* Declares registers, and reads all copies of a thread to them at once: between stores to shared
 * memory the compiler would read them one after the other. */
const char *cuda_raw_reads(CudaWriter *c, const RawLoads *raw, int places);
/* The copy of a load that does not change along a pack; NULL: it has none. */
const char *cuda_raw_element(CudaWriter *c, int value);
/* Where a pack of a load, or what its elements share, is read: there or in the tensor. */
const char *cuda_pack_address(CudaWriter *c, int value);

/* ---- random.c ---- */

const char *cuda_random(Writer *w, const Value *v); /* NULL: it is not about random numbers */

/* ---- pattern.c ---- */

/* Of an operation: "fmaxf($a, $b)". */
const char *cuda_pattern(Writer *w, const Value *v);
/* Do all readers of a value accept it, and is there one? */
bool value_is_read_only_by(const Body *b, int value,
                           bool (*accepts)(const Body *b, int reader, int value));

/* ---- item.c: the elements of one item ---- */

/* Of rows that a block has in shared memory: "x_rows[own * 33 + col]"; else NULL: row_block.c. */
const char *cuda_block_element(CudaWriter *c, int buffer, Ix ix);
/* May the load be issued in a loop of its own? Then nothing computed comes before it. */
bool cuda_may_hoist_load(const CudaWriter *c, int value);
/* Declares the array of a hoisted load and writes the loop body that fills it, one item at a
 * time. */
void cuda_hoist_load(CudaWriter *c, int value, Text *arrays, Text *fill);
/* The text of a stage for one item: values, accumulator steps, stores. */
const char *cuda_item(CudaWriter *c, int stage);
/* Puts what a scan combines into packs of the array `items`; ragged: the identity where `active` is
 * false. */
const char *cuda_scan_item(CudaWriter *c, int stage, int value, const char *items, bool ragged);
/* All of a pointwise body for one item: loads of packs, then the loop over their elements. */
const char *cuda_pointwise_item(CudaWriter *c);
void cuda_store_element(Writer *w, int store);
void cuda_store_row(Writer *w, int store);
/* Indices are written with one flat position along these axes where that is simpler. */
void cuda_name_flat(CudaWriter *c, const Axis *axes, int count, const char *name);
/* Declares the positions along axes that were written since the last call, from one flat position:
 * "const int i1 = row % 4;". */
const char *cuda_positions(CudaWriter *c, const Axis *axes, int count, const char *flat);
/* Are all offsets that a schedule has proven to fit 32 bits? */
bool cuda_is_32bit(const Body *b, const Schedule *s);

/* ---- reduce.c: accumulators ---- */

const char *cuda_identity(Op op, Dtype type); /* of a reduction or a scan */
void cuda_accumulator_start(Writer *w, int acc);
void cuda_accumulate(Writer *w, int acc);
void cuda_accumulator_finish(Writer *w, int acc);
void cuda_group_finish(Writer *w, int acc);
    /* among the lanes that have the group */ /* combines the threads of a row */

/* ---- alignment.c: when packs may be moved at once ---- */

/* Adds those of the values in use, and of the stores. */
void cuda_add_alignments(CudaWriter *c, bool stores, Alignments *all);
/* Of an operand's rows that TMA brings, and of rows along n that it stores. A row may end
 * anywhere. */
void cuda_add_row_alignments(CudaWriter *c, int value, int bytes, Alignments *all);
void cuda_add_box_alignments(CudaWriter *c, const Store *s, int bytes, Alignments *all);

/* ---- pack.c: the same text for each element of a pack ---- */

/* Starts a piece, with `lane` as the axis along which elements are packed, c->vector at once; adds
 * to the `alignments` for packs. */
const Piece *cuda_choose_pack(CudaWriter *c, PieceRole role, int operand, int lane, int most,
                              Alignments *alignments);
void cuda_begin_elements(CudaWriter *c, Text *elements);
const char *cuda_end_elements(CudaWriter *c, const Text *elements);
/* A pack of an operand that cp.async may copy, a load of this type: where it is (NULL: it is none),
 * and when it is not 0 ("": always). */
typedef struct CudaPart {
    const char *from, *inside;
} CudaPart;

CudaPart cuda_part(CudaWriter *c, int value, Dtype type);
/* The condition under which a packed load has elements in memory; "": always. */
const char *cuda_pack_condition(CudaWriter *c, int load);
/* Statements that make `elements`, stored as `type`, of an operand's value, from `part` on. */
const char *cuda_operand_pack(CudaWriter *c, int value, Dtype type);

/* ---- row.c, pointwise.c, dot.c, attention.c: the families ---- */

/* Memory that a kernel has for itself while it runs: bytes, and how many of the first of them are 0
 * when it starts. */
typedef struct Scratch {
    int64_t bytes, zeroed;
} Scratch;

/* Dynamic shared memory: `count` times `bytes`, and what it is for. */
typedef struct SharedPart {
    int64_t count, bytes;
    const char *what;
} SharedPart;

/* A kernel during emission. */
typedef struct CudaKernel {
    const Kernel *k;
    const Names *names;
    const Tile *tiles;             /* of its bodies */
    const BodySchedule *schedules; /* the same */
    const Machine *gpu;
    const char *callers; /* see names_callers */
    Arena *arena;
    Text *instructions; /* functions of this kernel alone, before its comment */
    Text *out;          /* device code */
    int threads;        /* of a block, at most */
    int blocks;         /* launch bounds: blocks that must fit on a multiprocessor; 0: no bound */
    int cluster;        /* blocks of a cluster; 0: none */
    bool persistent;    /* its blocks take tiles until none is left: grid is the number of tiles */
    const char *grid, *block_x, *block_y, *shared; /* see Launch */
    Vec(SharedPart) shared_parts;                  /* of `shared` */
    Parameters arguments;                          /* see Launch */
    int64_t static_shared;                         /* bytes that the text declares, at most */
    int zeroed; /* 1 + the buffer that holds zeros when it starts; 0: none */
    Scratch scratch;
    const char *how;              /* for the comment: how threads share the work */
    Vec(ProgramMap) maps;         /* tensor maps, which are parameters */
    bool one_arch, needs_aligned; /* see Launch */
    bool assumes_aligned, marks;  /* see EmitOptions.aligned, marks */
} CudaKernel;

/* ---- thread_rows.c: rows of single threads that a block stores ---- */

void cuda_find_thread_rows(CudaKernel *k, CudaWriter *c, Text *declarations);
static inline bool cuda_has_thread_row(const CudaWriter *c, int buffer) {
    return c->thread_row && c->thread_row[buffer].name;
}
/* Where a part of the thread's own row is in shared memory. */
const char *cuda_thread_row_at(CudaWriter *c, int buffer, Ix ix);
const char *cuda_copies_of_rows(CudaWriter *c, const char *count); /* of so many rows, as text */

/* ---- alignment.c: what a kernel tests ---- */

const char *cuda_condition(CudaKernel *k, const Writer *w,
                           const Alignments *all); /* "": there is none */
const char *cuda_condition_value(CudaKernel *k, const Writer *w,
                                 const Alignments *all);        /* of a variable; "true" */
const char *cuda_packs_condition(CudaKernel *k, CudaWriter *c); /* of all packs that it moves */
/* For a block behind those with whole tiles of packs: the number of its tile of single elements. */
const char *cuda_rest_block(const CudaWriter *c, const char *block);

/* A body of a pointwise kernel: what its template is filled with. */
typedef struct CudaBody {
    CudaWriter c;
    const char *template;
    Fills fills;
    const char *blocks; /* how many it takes */
    const char *how;    /* as in CudaKernel */
    Dim counted;        /* elements, which are a parameter of its function; 0: they are not */
    bool splits;        /* one element at a time it takes `vector` blocks for each */
} CudaBody;

void cuda_row(CudaKernel *k);
/* row.c: the stages of one row of a contraction's result in shared memory, for at least so many
 * threads of a warp; ragged: the row may not exist; segment: its number in the whole row. Adds to
 * the alignments for packs. */
const char *cuda_warp_row(CudaKernel *k, CudaWriter *c, bool wide, bool ragged, const char *segment,
                          Alignments *alignments);
/* The same, in packs where the kernel's `wide` is true, and one by one where it is not. */
const char *cuda_warp_rows(CudaKernel *k, CudaWriter *c, bool ragged, const char *segment,
                           Alignments *alignments);
void cuda_pointwise(CudaKernel *k);
/* transpose.c: a body of a pointwise kernel that has such a tile. `names`: of the function that
 * counts its blocks. `block`: the number of one; NULL: the kernel has one body. */
CudaBody cuda_transpose(CudaKernel *k, int body, const Names *names, const char *block);
/* permute.c: the same. */
CudaBody cuda_permute(CudaKernel *k, int body, const char *block);
void cuda_segments(CudaKernel *k);
/* Starts the statements of a device function of one element, at the position `at`. */
void cuda_start_element(CudaWriter *c, const char *at, Text *text);
/* Writes the function "f_0_row", with a parameter beside the tensors; returns a call. */
const char *cuda_element_function(CudaKernel *k, const CudaWriter *c, const char *suffix,
                                  const char *parameter, const char *argument, const char *text);
/* binned.c: of elements that are combined without a sort. */
void cuda_binned(CudaKernel *k, CudaWriter *c);
void cuda_dot(CudaKernel *k);
/* mma.c, gemv.c, wgmma.c: by mma.sync, of few rows, or by wgmma. */
void cuda_mma(CudaKernel *k, CudaWriter *c, const DotForm *form);
void cuda_gemv(CudaKernel *k, CudaWriter *c, const DotForm *form);
void cuda_gemv_fma(CudaKernel *k, CudaWriter *c); /* of f32, by fused multiply-adds */
/* mma.c: the instruction for 16 x 8 elements, 32 bytes along k, in templates/cuda/mma.cuh; and its
 * description. */
typedef struct MultiplyText {
    const char *function, *products;
} MultiplyText;

const MultiplyText *cuda_multiply_text(const DotForm *form);
void cuda_wgmma(CudaKernel *k, CudaWriter *c, const DotForm *form);
/* wgmma_operands.c: where right operand i is in a stage: "slot + a_bytes + 2 * b_bytes". */
const char *cuda_wgmma_right_slot(Arena *arena, int i);
/* boxes.c: the tensor map, made by the launcher, of what has an element for each result of a
 * contraction: rows along `columns`, below each other along DOT_M. Returns its name. */
typedef struct ResultMap {
    const char *stem; /* of the name */
    int buffer;
    Ix ix;
    int columns, box[2]; /* axis; columns and rows of a box */
} ResultMap;

const char *cuda_result_map(CudaKernel *k, CudaWriter *c, const ResultMap *of);
/* fills of a wgmma kernel whose results TMA stores. */
void cuda_add_boxes(CudaKernel *k, CudaWriter *c, const DotForm *form, bool ragged,
                    Alignments *alignments, Fills *fills);
/* panels.c: copies of an operand's tile that TMA cannot bring, in panels of 128 bytes of a row. */
typedef struct PanelSide {
    const char *name, *start, *end; /* axis; where the tile starts, NULL: at 0; size of the axis */
} PanelSide;

typedef struct PanelCopy {
    const char *name, *slot; /* of the operand; where it is in shared memory */
    int rows, panels, each;  /* of the tile; elements of a chunk of 16 bytes */
    PanelSide row, column;
    const char *copy, *from; /* the function that copies a chunk; its address */
    const char *condition;   /* without which it is 0; NULL or "": there is none */
} PanelCopy;

const char *cuda_panels(CudaWriter *c, const PanelCopy *p);

/* blocks.c: fills of a wgmma kernel that say what it adds up of what tensor cores return of a
 * stage. */
const char *cuda_tile_sums(Arena *arena, const DotForm *form, const Tile *t);
void cuda_add_parts(CudaKernel *k, CudaWriter *c, const DotForm *form, Fills *fills);
/* wgmma_computed.c: fills of a wgmma kernel whose producers compute operands. */
void cuda_wgmma_computed(CudaKernel *k, CudaWriter *c, const DotForm *form, Alignments *alignments,
                         Fills *fills);
/* wgmma_prefetch.c: fills of a wgmma kernel that bring what its epilogue loads to L2. */
void cuda_add_wgmma_prefetches(CudaKernel *k, CudaWriter *c, const DotForm *form,
                               Alignments *alignments, Fills *fills);
/* summands.c: declares tiles_k and, for several products, where the tiles of each end; k_start of
 * a tile of product i; and of the texts of all products the one that `tile` needs. */
const char *cuda_tiles_text(const CudaWriter *c);
const char *cuda_k_start(const CudaWriter *c, int summand);
const char *cuda_of_summand(const CudaWriter *c, const char *const *texts);
/* What reads the results, for as many neighbours in a row as the tile says: their sums are at
 * `sums`, those of the next product `sum_width` on. Adds to the alignments. */
const char *cuda_finish(CudaWriter *c, int sum_width, Alignments *alignments);
/* The same one by one, with VEC as 1, wherever tensors are. */
const char *cuda_finish_single(CudaWriter *c, int sum_width);
void cuda_attention(CudaKernel *k);
void cuda_chain(CudaKernel *k);

/* ---- wgmma_text.c: the instructions of warpgroups ---- */

typedef struct WgmmaText {
    const char *name, *comment; /* of the function */
    int columns;                /* of the right operand */
    Dtype type;
    int steps;               /* along k, of 32 bytes */
    bool in_registers;       /* the left operand is in registers, four of a thread for each step */
    bool a_across, b_across; /* MN-major operands */
    int a_rows, b_rows;      /* of the tiles of operands that are not, if there are over 4 steps */
    bool sets;               /* sum =, instead of sum += */
    bool adds;               /* a template argument decides between both */
} WgmmaText;

void cuda_wgmma_text(const WgmmaText *w, Text *out);
const char *cuda_wgmma_type(Dtype type); /* the products' name: "bf16", "tf32" of f32 */

/* ---- kernel.c ---- */

CudaWriter cuda_writer(const CudaKernel *k, int body);
/* Call it after the schedule, tile and axis names are set. */
void cuda_writer_ready(CudaWriter *c);
/* Fills a template whose function starts at HEAD: the kernel itself or, if packs are used, a
 * function template NAME_suffix and the kernel that selects VEC. `tiles`: the function gets the
 * number of a tile, too. */
void cuda_function(CudaKernel *k, CudaWriter *c, const char *name, const char *suffix, bool tiles,
                   const Fill *fills, int count);
/* The same for a function template over `wide` and the kernel that selects it by these. */
void cuda_function_wide(CudaKernel *k, CudaWriter *c, const char *name, const char *suffix,
                        const Alignments *alignments, const Fill *fills, int count);
/* The same for the kernel itself, whose text tests `wide`, which says whether these hold. */
void cuda_function_tested(CudaKernel *k, CudaWriter *c, const char *name,
                          const Alignments *alignments, const Fill *fills, int count);
/* `extern "C" __global__ __launch_bounds__(threads)` .. up to the closing parenthesis. */
const char *cuda_head(const CudaKernel *k, const char *parameters);
const char *cuda_number(Arena *arena, int64_t n);
const char *cuda_behind(Arena *arena, const char *start,
                        int64_t n);               /* "start + n"; "start" for 0 */
const char *cuda_dim(const CudaWriter *c, Dim d); /* safe inside any expression */
/* The type of positions. */
void cuda_choose_index(CudaWriter *c, bool is_32bit);
/* The kernel's dynamic shared memory has room for `count` times `bytes`. */
void cuda_shared(CudaKernel *k, int64_t count, int64_t bytes, const char *what);
void cuda_shared_most(CudaKernel *k, int64_t bytes, const char *what); /* of several bodies */
/* Does the axis provably end at the end of a tile? */
bool cuda_is_whole(const CudaWriter *c, int axis, int64_t tile);
/* "at_m >= M || at_n >= N": an element of a tile of a contraction lies beyond the result; "": none
 * does. */
const char *cuda_beyond(const CudaWriter *c, int64_t rows, int64_t columns);
/* In the launch: a size as text, and the number of blocks for `count` elements, `each` in a
 * block. */
const char *cuda_size(const CudaKernel *k, Dim d);
const char *cuda_blocks(const Names *names, Dim count, int64_t each);
const char *cuda_times(Arena *arena, const char *a, const char *b); /* no factor of 1 is written */

/* ---- kernel.c: one kernel -------------------------------------------------------------------- */

/* How to launch it: formulas (see runtime.h): C expressions of the dims. */
typedef struct Launch {
    const char *grid; /* blocks, in one dimension; or tiles: */
    int persistent;   /* blocks of a cluster of a persistent kernel; 0: it is not one */
    const char *block_x, *block_y; /* threads of a block */
    const char *shared;            /* bytes of dynamic shared memory: a number */
    Parameters arguments;
    const ProgramMap *maps; /* of tensors, by the names of the parameters */
    int map_count;
    int zeroed; /* as in CudaKernel */
    Scratch scratch;
    bool one_arch;      /* it runs only on the architecture that it is made for */
    bool needs_aligned; /* it relies on tensors that are aligned to TENSOR_ALIGNED */
    size_t source_at;   /* offset of the function in the device code */
} Launch;

/* Writes a kernel that is not identical to an earlier one. */
Launch emit_cuda_kernel(const TiledKernels *kernels, int number, const Names *names,
                        const EmitOptions *options, Text *out);

/* ---- launch.c: the function an application calls, and the kernels before it ----------- */

/* Also records in the program how its kernels are launched. */
void emit_cuda_launcher(const Names *names, const TiledKernels *kernels, const EmitOptions *options,
                        Program *program, Text *out);
void emit_cuda_prototypes(const Names *names, const EmitOptions *options, Text *out);

#endif
