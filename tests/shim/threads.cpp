/* threads.cpp: launches, and the threads of a block as fibers that take turns: each runs until it
 * waits or ends. makecontext starts a fiber; after that the compiler's setjmp and longjmp switch: no
 * system calls, and no look at cleanups of pthreads. */
#include "runtime.h"

#include <algorithm>
#include <new>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cuda.h"

extern "C" {
uint3 shim_threadIdx asm("threadIdx"), shim_blockIdx asm("blockIdx");
dim3 shim_blockDim asm("blockDim"), shim_gridDim asm("gridDim");
}

namespace shim {

World world;
static char *stacks;

/* ---- fibers ---------------------------------------------------------------------------------- */

bool is_on_stacks(uintptr_t at) {
    return at - (uintptr_t)stacks < (uintptr_t)MOST_THREADS * STACK_STEP;
}

/* A fiber outlives its block and waits for the next one. */
static void fiber() {
    for (;;) {
        world.call(world.arguments);
        stores_check_end();
        thread_wait(State::done, 0);
    }
}

static uint64_t path_of(const Thread &t) {
    uint64_t hash = t.place;
    for (int i = 0; i < t.depth; i++) hash = hash * 0x9e3779b97f4a7c15u + t.calls[i];
    return hash;
}

void thread_wait(State state, Place place) {
    Thread *t = world.running;
    t->state = state;
    t->place = place;
    t->path = path_of(*t);
    if (state == State::in_warp) warp_try(world.warp[t->warp], *t);
    if (t->state == State::ready) return;
    if (!__builtin_setjmp(t->jump)) __builtin_longjmp(world.scheduler, 1);
}

static void start(Thread &t) {
    t.started = true;
    getcontext(&t.context);
    t.context.uc_stack.ss_sp = (void *)t.stack;
    t.context.uc_stack.ss_size = STACK_BYTES;
    t.context.uc_link = nullptr;
    makecontext(&t.context, fiber, 0);
    setcontext(&t.context);
}

static void resume(Thread &t) {
    const Size3 first = world.first;
    world.running = &t;
    world.block = {first.x + t.block, first.y, first.z};
    shared_show(t.block);
    shim_blockIdx = {(unsigned)world.block.x, (unsigned)first.y, (unsigned)first.z};
    shim_threadIdx = {t.index[0], t.index[1], t.index[2]};
    if (!__builtin_setjmp(world.scheduler)) {
        if (!t.started) start(t);
        __builtin_longjmp(t.jump, 1);
    }
    world.running = nullptr;
}

/* Room for all there can be. */
static void make_room() {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    world.thread = (Thread *)calloc(MOST_THREADS, sizeof(Thread));
    stacks = (char *)mmap(nullptr, MOST_THREADS * STACK_STEP, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (!world.thread || stacks == MAP_FAILED) fail(0, "out of memory for threads");
}

/* The first so many, with a page between stacks that nothing may touch. */
static void make_threads(int count) {
    static int made;
    if (!world.thread) make_room();
    for (; made < count; made++) {
        Thread &t = *new (&world.thread[made]) Thread();
        t.number = made;
        t.lane = made % WARP;
        t.warp = made / WARP;
        t.stack = (uintptr_t)stacks + (size_t)(made + 1) * STACK_STEP - STACK_BYTES;
        mprotect((void *)(t.stack + STACK_BYTES - STACK_STEP), STACK_STEP - STACK_BYTES, PROT_NONE);
    }
}

/* What each is in a block of this size. */
static void number_threads(const Size3 &size) {
    for (int i = 0; i < world.count; i++) {
        const long long number = i % world.threads;
        unsigned *const index = world.thread[i].index;
        index[0] = unsigned(number % size.x);
        index[1] = unsigned(number / size.x % size.y);
        index[2] = unsigned(number / (size.x * size.y));
    }
}

/* ---- a block --------------------------------------------------------------------------------- */

static bool all_are(State state, int first, int count) {
    return std::all_of(world.thread + first, world.thread + first + count,
                       [=](const Thread &t) { return t.state == state; });
}

/* Where every thread of a block is at a barrier: at the same one? */
static void release_barriers() {
    for (int first = 0; first < world.count; first += world.threads) {
        if (!all_are(State::at_barrier, first, world.threads)) continue;
        Thread *const thread = world.thread + first;
        for (int i = 0; i < world.threads; i++)
            if (thread[i].path != thread[0].path) report_stuck();
        for (int i = 0; i < world.threads; i++) thread[i].state = State::ready;
        world.epoch++;
    }
}

/* The barrier of the cluster waits for every thread that has not ended. */
static void release_cluster() {
    for (int i = 0; i < world.count; i++)
        if (world.thread[i].state != State::at_cluster && world.thread[i].state != State::done)
            return;
    for (int i = 0; i < world.count; i++)
        if (world.thread[i].state == State::at_cluster) world.thread[i].state = State::ready;
    world.cluster_epoch = ++world.epoch;
}

static void open_gates() {
    for (int i = 0; i < world.count; i++) {
        Thread &t = world.thread[i];
        if (t.state == State::at_gate && phase_has_ended(t)) t.state = State::ready;
    }
}

static bool run_ready() {
    bool ran = false;
    for (int i = 0; i < world.count; i++) {
        if (world.thread[i].state != State::ready) continue;
        resume(world.thread[i]);
        ran = true;
    }
    return ran;
}

static void run_threads() {
    for (int i = 0; i < world.count; i++) {
        Thread &t = world.thread[i];
        t.state = State::ready;
        t.block = i / world.threads;
        t.depth = 0;
        t.copies.clear();
        t.groups.clear();
        t.boxes.clear();
        t.box_groups.clear();
        if (t.knows || t.seen.size() != world.known) t.seen.assign(world.known, 0);
        t.knows = false;
        t.fenced = 0;
        t.arrived = false;
    }
    world.now = 1;
    barriers_forget();
    readers_forget();
    products_forget();
    stores_forget();
    while (!all_are(State::done, 0, world.count)) {
        release_barriers();
        release_cluster();
        open_gates();
        if (!run_ready()) report_stuck();
    }
}

/* ---- launches -------------------------------------------------------------------------------- */

static void check_config(const Config &c) {
    const Size3 &g = c.grid, &b = c.block;
    long long threads = b.x * b.y * b.z;
    if (b.x < 1 || b.y < 1 || b.z < 1 || b.z > 64 || threads > BLOCK_THREADS)
        fail(0, "launch of %s with blocks of %lld x %lld x %lld", c.kernel, b.x, b.y, b.z);
    if (threads > c.bounds.threads)
        fail(0, "launch of %s with %lld threads, but it is bound to %d", c.kernel, threads,
             c.bounds.threads);
    if (g.x % c.bounds.cluster)
        fail(0, "launch of %s with %lld blocks, which are no clusters of %d", c.kernel, g.x,
             c.bounds.cluster);
    if (c.bounds.cluster > 1 && (threads % WARP || threads * c.bounds.cluster > MOST_THREADS))
        fail(0, "a cluster of %d blocks of %lld threads is not known here", c.bounds.cluster, threads);
    if (g.x < 1 || g.y < 1 || g.z < 1 || g.x > 0x7fffffff || g.y > 65535 || g.z > 65535)
        fail(0, "launch of %s with a grid of %lld x %lld x %lld", c.kernel, g.x, g.y, g.z);
}

/* Of one block, or more. */
static void run_cluster(Size3 first) {
    world.first = world.block = first;
    world.block_epoch = ++world.epoch;
    world.known = (size_t)world.count + flags_count();
    history_block(first);
    shared_poison();
    run_threads();
}

void launch(const Config &c, void (*call)(void *), void *arguments) {
    check_config(c);
    world.config = &c;
    world.call = call;
    world.arguments = arguments;
    world.launch_epoch = world.epoch + 1;
    shim_blockDim = dim3((unsigned)c.block.x, (unsigned)c.block.y, (unsigned)c.block.z);
    shim_gridDim = dim3((unsigned)c.grid.x, (unsigned)c.grid.y, (unsigned)c.grid.z);
    history_launch(c.kernel);
    flags_forget();
    shared_open(c);
    world.threads = (int)(c.block.x * c.block.y * c.block.z);
    world.count = world.threads * c.bounds.cluster;
    make_threads(world.count);
    number_threads(c.block);
    for (long long z = 0; z < c.grid.z; z++)
        for (long long y = 0; y < c.grid.y; y++)
            for (long long x = 0; x < c.grid.x; x += c.bounds.cluster) run_cluster({x, y, z});
    world.config = nullptr;
}

void block_barrier(const void *from) { thread_wait(State::at_barrier, (Place)from); }

} // namespace shim
