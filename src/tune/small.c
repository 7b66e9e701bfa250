/* small.c: sizes at which a large problem is compared with the evaluator.
 * In: the sizes of a problem. Out: smaller ones: several units and the same remainder, so that what
 * the model asserts still holds, and tiles of a unit or less have several blocks and the same edge.
 * Some tiles need one size as it is: a row that is divided among threads. */
#include "tune/serve_private.h"

bool small_sizes(const CompileOptions *o, int number, DimBinding *small) {
    static const int units[] = {512, 256, 128, 32, 8};
    enum { UNITS = sizeof units / sizeof *units };
    const int64_t unit = units[number % UNITS];
    const int kept = number / UNITS - 1; /* -1: none */
    if (kept >= o->binding_count) return false;
    for (int i = 0; i < o->binding_count; i++) {
        const int64_t size = o->bindings[i].value, least = 2 * unit + size % unit;
        small[i] = (DimBinding){o->bindings[i].name, i == kept || size < least ? size : least};
    }
    return true;
}
