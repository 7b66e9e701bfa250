/* runtime.h: what the files of the shim's runtime share. */
#ifndef FUSEC_SHIM_RUNTIME_H
#define FUSEC_SHIM_RUNTIME_H

#include <stdint.h>
#include <string>
#include <ucontext.h>
#include <vector>

#include "shim.h"

namespace shim {

typedef uintptr_t Place; /* of an instruction: an address that addr2line knows */

enum { WARP = 32, BLOCK_THREADS = 1024, MOST_THREADS = 8 * BLOCK_THREADS, CALLS = 100 };

/* ---- threads.cpp: fibers --------------------------------------------------------------------- */

enum class State { ready, at_barrier, at_cluster, at_gate, in_warp, done };

/* What the 32 threads of a warp asked for together is done, given what each of them brought. */
typedef void Together(void *const *values);

/* What a thread asks its warp for. */
struct Request {
    Exchange what;
    unsigned mask;
    void *value;
    size_t size;
    int argument, width;
    Together *together;
};

/* A group of bytes on their way to shared memory. */
struct AsyncCopy {
    void *to;
    std::vector<unsigned char> bytes;
    Place from;
};

/* A box in shared memory that TMA stores. */
struct StoredBox {
    uintptr_t start, end;
    Place place;
};

struct Thread {
    int number, lane, warp; /* in the cluster: those of its second block follow the first's */
    int block;              /* of the cluster */
    unsigned index[3];      /* threadIdx */
    bool started;           /* as a fiber, which then serves one block after the other */
    State state;
    Place place;   /* where it waits */
    uint64_t path; /* a hash of place and of the calls that led there */
    Request request;
    Place calls[CALLS]; /* return addresses, outermost first */
    int depth;
    std::vector<AsyncCopy> copies;              /* not yet committed */
    std::vector<std::vector<AsyncCopy>> groups; /* committed, the oldest first */
    std::vector<StoredBox> boxes;                   /* the same for stores by TMA */
    std::vector<std::vector<StoredBox>> box_groups;
    /* By thread: the time before which it knows what that one did. Behind those: 1 for each flag of
     * an earlier block that it knows of. */
    std::vector<uint32_t> seen;
    bool knows;                 /* is any of these not 0? */
    bool arrived;               /* at the barrier of the cluster, for which it has not waited */
    uint32_t fenced;            /* its stores before this time are there for products */
    uintptr_t gate;             /* a barrier in shared memory that it waits at, */
    unsigned parity;            /* for a phase of this parity to end */
    uintptr_t stack;            /* its lowest address */
    ucontext_t context;
    void *jump[5];
};

enum : size_t { STACK_BYTES = 128 << 10, STACK_STEP = STACK_BYTES + (4 << 10) };

/* An operand of wgmma, as its descriptor says: bytes from 64 elements across k, and from 8 rows, to
 * the next. */
struct Operand64 {
    uintptr_t start, next, stride;
    bool across; /* memory does not run along k */
};

/* An element type of operands of tensor cores. */
struct Type {
    const char *name;
    int bytes;
    bool is_float;
    double (*value)(uint32_t word); /* of the lowest bytes of a word */
    int sum_bits;                   /* significant bits of sums of wgmma on Hopper; 0: all */
};

/* A product of a warp that has started. */
struct Product {
    Operand64 a, b;
    int columns, warp;
    const Type *type;
    bool in_registers; /* the left operand: what each lane has of it, and not a */
    bool adds;         /* else sums start at 0 */
    uint32_t left[WARP][4];
    uint32_t *sum[WARP]; /* of each lane: the bits of floats, or integers */
    Place place;
};

struct Warp {
    std::vector<Product> products;            /* not yet committed */
    std::vector<std::vector<Product>> groups; /* committed, the oldest first */
};

/* The launch that runs, and the cluster of it: one block, if the kernel has no clusters. */
struct World {
    const Config *config;
    void (*call)(void *);
    void *arguments;
    Size3 first, block; /* of the cluster; the one whose thread runs */
    Thread *thread;     /* of the cluster */
    int count, threads; /* in all, and of each block */
    size_t known;       /* entries of Thread.seen */
    Warp warp[MOST_THREADS / WARP];
    Thread *running; /* NULL: host code */
    void *scheduler[5];
    /* Time counts barriers: epochs of one cluster are apart from those of another. */
    uint32_t epoch, block_epoch, launch_epoch;
    uint32_t cluster_epoch; /* after the last barrier of the cluster */
    uint32_t now; /* counts what orders threads with others: __syncwarp, arrivals, fences */
};
extern World world;

/* Is this in the stack of the thread that runs? */
inline bool is_local(uintptr_t at) {
    return world.running && at - world.running->stack < STACK_BYTES;
}

void thread_wait(State state, Place place);
bool is_on_stacks(uintptr_t at); /* of any thread */

/* ---- warps.cpp ------------------------------------------------------------------------------- */

void warp_try(Warp &warp, Thread &last); /* answers the requests of a warp when all are there */
/* Waits for the whole warp; then the last to come does it for all. */
void warp_together(Together *together, void *value, Place place);
/* To know what others know, too. */
void learn(std::vector<uint32_t> &knows, const std::vector<uint32_t> &known);
[[noreturn]] void report_stuck(); /* no thread can go on */

/* ---- memory.cpp: regions and their shadows --------------------------------------------------- */

enum class Kind { input, output, workspace, shared };
enum class Access { read, write, atomic };

/* What is known of one byte. An epoch of 0 means never. */
struct Cell {
    uint32_t write_epoch, write_time, write_place;
    uint32_t read_epoch, read_time, read_place;
    uint32_t first_read; /* epoch, in this launch */
    uint32_t lanes;      /* of the reader's warp, that read it in read_epoch */
    uint16_t writer, reader;
    uint16_t other_reader; /* of another warp than the reader, where several have read */
    bool read_by_warps;    /* several, in read_epoch: see read_times in memory.cpp */
    bool is_atomic;        /* the write */
    bool in_flight;        /* the write: by an asynchronous copy that has not been waited for */
    bool by_tma;           /* the write: by TMA */
    bool is_split;         /* of a word's first byte: what the others know is their own */
};

struct Region {
    std::string name;
    Kind kind;
    uintptr_t at;
    size_t bytes;   /* of dynamic shared memory: what the launch opened */
    size_t element; /* bytes of one; 0: not known */
    Cell *cells = nullptr; /* four for each word: see memory.cpp; NULL for an input */
    size_t room = 0;       /* bytes that there are cells for */
    uintptr_t end() const { return at + bytes; }
};

void region_add(Region region);
Region *region_of(uintptr_t at); /* NULL: none */
/* The one that ends before `at` or starts behind it, whichever is nearer; NULL: there is none. */
Region *region_near(uintptr_t at);
std::vector<Region> &regions();
[[gnu::noinline]] void memory_access(uintptr_t at, size_t size, Access what, bool must_align,
                                     Place place);
void memory_in_flight(uintptr_t at, size_t size, bool in_flight); /* after a write of all of it */
void memory_by_engine(uintptr_t at, size_t size);                 /* likewise */
void memory_by_product(uintptr_t at, size_t size, Place place);   /* a read */
void memory_by_engine_read(uintptr_t at, size_t size, Place place); /* by TMA */
void memory_note_read(uintptr_t start, uintptr_t end, Place place); /* what was checked before */
/* It has values before the first launch: an input that the function may overwrite. */
void memory_given(uintptr_t at, size_t size);
void readers_forget(); /* before each block */
void memory_check_written(); /* of all outputs, when the kernels are done */

/* ---- barriers.cpp: barriers in shared memory, and TMA ---------------------------- */

void barriers_forget();                /* before each block */
bool barriers_exist();
bool barrier_is_in(uintptr_t start, uintptr_t end); /* any of the block */
bool phase_has_ended(const Thread &t); /* the one that it waits for */
void barrier_start(unsigned address, int arrivals, const void *from);
void barrier_come(unsigned address, long long bytes, const void *from);
void barrier_come_to(unsigned address, const void *from); /* of any block: see cluster_address */
void barrier_await(unsigned address, unsigned parity, const void *from);
/* The barrier of a block that has this number: arrives, and waits for the others or not. */
void named_barrier(int number, int threads, bool waits, const void *from);
/* To the blocks of the cluster that the bits name, at the same place, for the barrier there. */
void copy_box(unsigned to, const void *map, const int (&at)[4], unsigned barrier, unsigned blocks,
              const void *from);
void prefetch_box(const void *map, const void *from);
uintptr_t swizzled_place(uintptr_t at);

/* ---- flags.cpp: between blocks of a launch --------------------------------------------------- */

void flags_forget(); /* before each launch */
size_t flags_count();
void flag_set(uintptr_t at, unsigned value, Place place);
unsigned flag_read(uintptr_t at, Place place);
/* Does the thread know of a flag that was set after this write of an earlier block? */
bool flags_order(const Thread &t, const Cell &written);

/* ---- stores.cpp: boxes that TMA stores ------------------------------------------------------- */

void store_box(unsigned from, const void *map, const int (&at)[3], const void *at_place);
void commit_boxes();
void wait_for_boxes(int pending);
void stores_forget(); /* before each block */
void stores_check_write(uintptr_t at, size_t size, Place place);
void stores_check_end(); /* of the running thread */

/* ---- wgmma.cpp: products of warpgroups ------------------------------------------------------- */

void products_forget(); /* before each block */
Operand64 operand_of(uint64_t descriptor, bool across, Place place);
void product_start(const Product &p); /* when all of the warp are there */
void products_commit(Warp &warp);
void products_wait(Warp &warp, int pending);
void products_check_write(uintptr_t at, size_t size, Place place);

/* ---- ptx.cpp -------------------------------------------------------------------------------- */

/* A float of so many bits of exponent and fraction. */
double small_float(uint32_t bits, int exponent_bits, int fraction_bits, bool has_infinity);
double half_float(uint16_t bits); /* f16 */

/* ---- shared.cpp: shared memory as regions ---------------------------------------------------- */

void shared_find();                       /* static variables, once */
void shared_open(const Config &config);   /* dynamic, for a launch */
void shared_poison();                     /* before each cluster */
/* Blocks of a cluster have their shared memory at the same place: that of one is there. */
void shared_show(int block);
int shared_shown();
/* The address, for other blocks, of a place in the shared memory of one; and back. */
unsigned cluster_address(unsigned address, int block);
unsigned address_within(unsigned address, int *block);
uintptr_t shared_place(unsigned address); /* what shared_address gave it for */

/* ---- history.cpp: which launch and block an epoch belongs to --------------------------------- */

void history_launch(const char *kernel);
void history_block(const Size3 &block);
/* "block 3, thread 5" or "an earlier kernel, NAME", as seen from now. */
std::string history_text(uint32_t epoch, int thread);

/* ---- report.cpp ------------------------------------------------------------------------------ */

std::string place_text(Place place); /* FILE:LINE */
std::string block_text(const Size3 &block);
/* Prints the message with kernel, block, thread and calls, and ends the process with status 1. */
[[noreturn]] void fail(Place place, const char *format, ...) __attribute__((format(printf, 2, 3)));

} // namespace shim

#endif
