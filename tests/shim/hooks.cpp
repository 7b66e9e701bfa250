/* hooks.cpp: what the compiler calls: before each access to memory, and at the start and end of
 * each function (-fsanitize=thread). These are the names of its own runtime, which is not linked.
 * Undefined behaviour (-fsanitize=bounds and others) is an instruction that traps: calls with
 * messages of their own take a quarter longer to compile. */
#include "runtime.h"

#include <signal.h>

using namespace shim;

#define FROM ((Place)__builtin_return_address(0))

static void undefined(int, siginfo_t *info, void *) {
    fail((Place)info->si_addr + 1,
         "undefined: an index beyond the end of its array, an address that its type does not "
         "allow, signed overflow, a shift by too much, division by zero, or a float that the "
         "integer cannot hold");
}

extern "C" {

void __tsan_init() {
    struct sigaction action = {};
    action.sa_sigaction = undefined;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGILL, &action, nullptr);
    sigaction(SIGTRAP, &action, nullptr); /* of arm64 */
}

void __tsan_func_entry(void *caller) {
    Thread *t = world.running;
    if (!t) return;
    if (t->depth == CALLS) fail((Place)caller, "calls are nested too deeply");
    t->calls[t->depth++] = (Place)caller;
}

void __tsan_func_exit() {
    if (world.running) world.running->depth--;
}

/* Most accesses are to the thread's own stack: nothing is called for them. */
#define HOOK(NAME, SIZE, WHAT, MUST_ALIGN)                                                         \
    void __tsan_##NAME##SIZE(void *at) {                                                           \
        if (!is_local((uintptr_t)at))                                                              \
            memory_access((uintptr_t)at, SIZE, Access::WHAT, MUST_ALIGN, FROM);                    \
    }
#define HOOKS(SIZE)                                                                                \
    HOOK(read, SIZE, read, true)                                                                   \
    HOOK(write, SIZE, write, true)                                                                 \
    HOOK(unaligned_read, SIZE, read, false)                                                        \
    HOOK(unaligned_write, SIZE, write, false)
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
/* g++ takes arrays in shared memory for aligned to 16; -fsanitize=alignment checks packs. */
HOOK(read, 16, read, false)
HOOK(write, 16, write, false)
HOOK(unaligned_read, 16, read, false)
HOOK(unaligned_write, 16, write, false)

/* Of the guard of a static variable of the host: it is no memory of a kernel. */
char __tsan_atomic8_load(const volatile char *at, int) {
    return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}

void __tsan_read_range(void *at, size_t size) {
    memory_access((uintptr_t)at, size, Access::read, false, FROM);
}

void __tsan_write_range(void *at, size_t size) {
    memory_access((uintptr_t)at, size, Access::write, false, FROM);
}
}
