/* hooks.cpp: what the compiler calls: before each access to memory, at the start and end of each
 * function (-fsanitize=thread), and where an operation has no meaning (-fsanitize=bounds and
 * others). These are the names of its own runtimes, which are not linked. */
#include "runtime.h"

using namespace shim;

#define FROM ((Place)__builtin_return_address(0))

extern "C" {

void __tsan_init() {}

void __tsan_func_entry(void *caller) {
    Thread *t = world.running;
    if (!t) return;
    if (t->depth == CALLS) fail((Place)caller, "calls are nested too deeply");
    t->calls[t->depth++] = (Place)caller;
}

void __tsan_func_exit() {
    if (world.running) world.running->depth--;
}

#define HOOKS(SIZE)                                                                                \
    void __tsan_read##SIZE(void *at) {                                                             \
        memory_access((uintptr_t)at, SIZE, Access::read, true, FROM);                              \
    }                                                                                              \
    void __tsan_write##SIZE(void *at) {                                                            \
        memory_access((uintptr_t)at, SIZE, Access::write, true, FROM);                             \
    }                                                                                              \
    void __tsan_unaligned_read##SIZE(void *at) {                                                   \
        memory_access((uintptr_t)at, SIZE, Access::read, false, FROM);                             \
    }                                                                                              \
    void __tsan_unaligned_write##SIZE(void *at) {                                                  \
        memory_access((uintptr_t)at, SIZE, Access::write, false, FROM);                            \
    }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

void __tsan_read_range(void *at, size_t size) {
    memory_access((uintptr_t)at, size, Access::read, false, FROM);
}

void __tsan_write_range(void *at, size_t size) {
    memory_access((uintptr_t)at, size, Access::write, false, FROM);
}

#define MEANINGLESS(NAME, TEXT)                                                                    \
    void __ubsan_handle_##NAME() { fail(FROM, TEXT); }
MEANINGLESS(out_of_bounds, "out of bounds: an index beyond the end of its array")
MEANINGLESS(type_mismatch_v1, "misaligned: an address that its type does not allow")
MEANINGLESS(add_overflow, "signed overflow of an addition")
MEANINGLESS(sub_overflow, "signed overflow of a subtraction")
MEANINGLESS(mul_overflow, "signed overflow of a multiplication")
MEANINGLESS(negate_overflow, "signed overflow of a negation")
MEANINGLESS(divrem_overflow, "division by zero, or of the least number by -1")
MEANINGLESS(shift_out_of_bounds, "shift by a negative number, or by too much")
MEANINGLESS(float_cast_overflow, "conversion of a float that the integer cannot hold")
MEANINGLESS(load_invalid_value, "a bool that is neither 0 nor 1")
}
