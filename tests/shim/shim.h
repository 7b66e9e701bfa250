/* shim.h: what the runtime of the shim offers to cuda.h, which gives CUDA's names their meaning.
 * The runtime runs each thread of a block as a fiber, one block (or cluster of blocks) after the
 * other, and sees every access to memory through the calls that -fsanitize=thread puts before them (hooks.cpp). */
#ifndef FUSEC_SHIM_H
#define FUSEC_SHIM_H

#include <stddef.h>

namespace shim {

extern int multiprocessors; /* of the GPU */

struct Size3 {
    long long x, y, z;
};

/* What a kernel says of its launches: threads in __launch_bounds__, blocks along x in
 * __cluster_dims__. */
struct Bounds {
    int threads, cluster;
    constexpr Bounds(int most_threads, int blocks = 1) : threads(most_threads), cluster(blocks) {}
};

struct Config {
    const char *kernel;
    Bounds bounds;
    Size3 grid, block;
    size_t shared; /* bytes of dynamic shared memory */
};

/* Runs call(arguments) in every thread of every block. */
void launch(const Config &config, void (*call)(void *), void *arguments);

/* `from` is the place in the emitted text, for messages and to tell one barrier from another. */
void block_barrier(const void *from);

enum class Exchange { barrier, index, up, down, exclusive_or, ballot, together };

/* Waits for all threads of the warp that the mask names to come to the same place. Then, for
 * shuffles, `value` of `size` bytes becomes that of the thread that `argument` leads to within
 * groups of `width`; for ballot, value is an unsigned: first a condition, then the mask of those
 * where it holds. */
void exchange(Exchange what, unsigned mask, void *value, size_t size, int argument, int width,
              const void *from);

/* An atomic operation on `size` bytes is about to happen; it cannot be interrupted. */
void atomic(const void *at, size_t size, const void *from);

/* The host sets bytes of a tensor or the workspace before the next launch. */
void fill(void *to, int value, size_t size, const void *from);

/* Bytes that are on their way: they arrive in `to` when this thread waits for their group. Behind
 * the first `read` of them, which are those of memory, come zeros. */
void cp_async(void *to, const void *from_memory, size_t size, size_t read, const void *from);
void commit_async();
/* Until no more than `pending` groups are on their way. */
void wait_async(int pending, const void *from);

/* The address of a place in shared memory as instructions have it. */
unsigned shared_address(const void *at);

/* An operand of inline PTX: a register, or the number or address that is in it. */
struct Operand {
    void *at;
    size_t size;
};

/* Executes the instruction `text`. `constraints` are those of its operands, separated by commas. */
void ptx(const char *text, const char *constraints, const Operand *operands, const void *from);

/* The kernel gives up. */
[[noreturn]] void trap(const void *from);

} // namespace shim

#endif
