/* threads.cpp: launches, and the threads of a block as fibers that take turns: each runs until it
 * waits or ends. makecontext starts a fiber; after that _setjmp and _longjmp switch, without system
 * calls. */
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
    if (!_setjmp(t->jump)) _longjmp(world.scheduler, 1);
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
    Size3 size = world.config->block;
    world.running = &t;
    shim_threadIdx = {unsigned(t.number % size.x), unsigned(t.number / size.x % size.y),
                      unsigned(t.number / (size.x * size.y))};
    if (!_setjmp(world.scheduler)) {
        if (!t.started) start(t);
        _longjmp(t.jump, 1);
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

/* ---- a block --------------------------------------------------------------------------------- */

static bool all_are(State state) {
    return std::all_of(world.thread, world.thread + world.count,
                       [=](const Thread &t) { return t.state == state; });
}

/* Every thread is at a barrier: at the same one? */
static void release_barrier() {
    for (int i = 0; i < world.count; i++)
        if (world.thread[i].path != world.thread[0].path) report_stuck();
    for (int i = 0; i < world.count; i++) world.thread[i].state = State::ready;
    world.epoch++;
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
        t.depth = 0;
        t.copies.clear();
        t.groups.clear();
        t.seen.assign((size_t)world.count, 0);
        t.fenced = 0;
    }
    for (Warp &w : world.warp) w.now = 1;
    barriers_forget();
    products_forget();
    while (!all_are(State::done)) {
        if (all_are(State::at_barrier)) release_barrier();
        open_gates();
        if (!run_ready()) report_stuck();
    }
}

/* ---- launches -------------------------------------------------------------------------------- */

static void check_config(const Config &c) {
    const Size3 &g = c.grid, &b = c.block;
    long long threads = b.x * b.y * b.z;
    if (b.x < 1 || b.y < 1 || b.z < 1 || b.z > 64 || threads > MOST_THREADS)
        fail(0, "launch of %s with blocks of %lld x %lld x %lld", c.kernel, b.x, b.y, b.z);
    if (threads > c.most_threads)
        fail(0, "launch of %s with %lld threads, but it is bound to %d", c.kernel, threads,
             c.most_threads);
    if (g.x < 1 || g.y < 1 || g.z < 1 || g.x > 0x7fffffff || g.y > 65535 || g.z > 65535)
        fail(0, "launch of %s with a grid of %lld x %lld x %lld", c.kernel, g.x, g.y, g.z);
}

static void run_block(Size3 block) {
    world.block = block;
    world.block_epoch = ++world.epoch;
    shim_blockIdx = {(unsigned)block.x, (unsigned)block.y, (unsigned)block.z};
    history_block(block);
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
    shared_open(c);
    world.count = (int)(c.block.x * c.block.y * c.block.z);
    make_threads(world.count);
    for (long long z = 0; z < c.grid.z; z++)
        for (long long y = 0; y < c.grid.y; y++)
            for (long long x = 0; x < c.grid.x; x++) run_block({x, y, z});
    world.config = nullptr;
}

void block_barrier(const void *from) { thread_wait(State::at_barrier, (Place)from); }

} // namespace shim
