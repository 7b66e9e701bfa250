/* narrow.h: every code of every narrow float, and every midpoint of two, against a reference that
 * is written here. */
#include "templates/c/memory.h"
#include "tests/lanes/lanes.h"

#include <float.h>

/* ---- narrow floats, the reference ---------------------------------------------------------- */

typedef struct Narrow {
    const char *name;
    int size, fraction, bias; /* bytes, bits, of the exponent */
    double most;
    bool has_infinity;
    f32 (*round)(f32);
    f32 (*round_f64)(f64);
    f32 (*load)(const void *, idx);
    void (*store)(void *, f32, idx);
} Narrow;

#define NARROW(S)                                                                                  \
    static f32 round32_##S(f32 x) { return round_##S(x); }                                         \
    static f32 round64_##S(f64 x) { return round_##S##_f64(x); }                                   \
    static f32 load_##S(const void *p, idx m) { return ld_##S(p, m); }                             \
    static void store_##S(void *p, f32 v, idx m) { st_##S(p, v, m); }
NARROW(bf16)
NARROW(f16)
NARROW(f8e4m3)
NARROW(f8e5m2)
#define CALLS(S) round32_##S, round64_##S, load_##S, store_##S

static const Narrow narrows[] = {
    {"bf16", 2, 7, 127, 0x1.fep127, true, CALLS(bf16)},
    {"f16", 2, 10, 15, 65504, true, CALLS(f16)},
    {"f8e4m3", 1, 3, 7, 448, false, CALLS(f8e4m3)},
    {"f8e5m2", 1, 2, 15, 57344, true, CALLS(f8e5m2)},
};
enum { NARROW_COUNT = sizeof narrows / sizeof *narrows };

static double narrow_decode(const Narrow *n, unsigned code) {
    unsigned bits = 8 * (unsigned)n->size - 1, magnitude = code & ((1u << bits) - 1);
    unsigned exponent = magnitude >> n->fraction, fraction = magnitude & ((1u << n->fraction) - 1);
    double value = exponent
                       ? ldexp(fraction + (1 << n->fraction), (int)exponent - n->bias - n->fraction)
                       : ldexp(fraction, 1 - n->bias - n->fraction);
    if (value > n->most) value = n->has_infinity && !fraction ? INFINITY : NAN;
    return code >> bits ? -value : value;
}

static double narrow_round(const Narrow *n, double x) {
    if (x == 0 || isnan(x) || isinf(x)) return isinf(x) && !n->has_infinity ? NAN : x;
    int exponent;
    frexp(x, &exponent);
    if (exponent < 2 - n->bias) exponent = 2 - n->bias;
    double unit = ldexp(1, exponent - 1 - n->fraction), near = rint(x / unit) * unit;
    if (fabs(near) > n->most) return n->has_infinity ? copysign(INFINITY, x) : NAN;
    return copysign(near, x);
}

static void check_round(const Narrow *n, const double *x) { /* VL numbers */
    float as_float[VL], stored[VL];
    uint8_t packed[2 * VL];
    f32 from32, from64 = n->round_f64(ld_f64(x, VL));
    for (int i = 0; i < VL; i++) as_float[i] = (float)x[i];
    from32 = n->round(ld_f32(as_float, VL));
    n->store(packed, ld_f32(as_float, VL), VL);
    st_f32(stored, n->load(packed, VL), VL);
    for (int i = 0; i < VL; i++) {
        double want = narrow_round(n, x[i]), want32 = narrow_round(n, as_float[i]);
        if (!same(from64[i], want)) fail_msg("%s of f64 %a: %a", n->name, x[i], from64[i]);
        if (!same(from32[i], want32)) fail_msg("%s of %a: %a", n->name, as_float[i], from32[i]);
        if (!same(stored[i], want32))
            fail_msg("%s of %a: stored %a", n->name, as_float[i], stored[i]);
    }
}

static void test_narrow_decode(void **state) {
    (void)state;
    for (int k = 0; k < NARROW_COUNT; k++) {
        const Narrow *n = &narrows[k];
        unsigned count = 1u << (8 * n->size);
        for (unsigned code = 0; code < count; code += VL) {
            uint8_t packed[2 * VL];
            for (unsigned i = 0; i < VL; i++) {
                uint16_t wide = (uint16_t)(code + i);
                uint8_t byte = (uint8_t)(code + i);
                memcpy(packed + i * (unsigned)n->size, n->size == 1 ? (void *)&byte : (void *)&wide,
                       (size_t)n->size);
            }
            f32 got = n->load(packed, VL);
            for (unsigned i = 0; i < VL; i++)
                if (!same(got[i], narrow_decode(n, code + i)))
                    fail_msg("%s code %#x: %a", n->name, code + i, got[i]);
        }
    }
}

/* Every code, every midpoint of neighbours, and the nearest floats and doubles around both. */
static void test_narrow_round(void **state) {
    (void)state;
    for (int k = 0; k < NARROW_COUNT; k++) {
        const Narrow *n = &narrows[k];
        unsigned top = 1u << (8 * n->size - 1);
        double x[VL];
        int fill = 0;
        for (unsigned code = 0; code + 1 < top; code++) {
            double low = narrow_decode(n, code), high = narrow_decode(n, code + 1);
            if (isnan(low) || isinf(low)) break;
            if (!(high <= n->most)) high = low + (low - narrow_decode(n, code - 1));
            double middle = low + (high - low) / 2;
            double around[] = {low,
                               middle,
                               nextafter(middle, 0),
                               nextafter(middle, INFINITY),
                               nextafterf((float)middle, 0),
                               nextafterf((float)middle, INFINITY),
                               nextafter(low, 0),
                               nextafter(low, INFINITY)};
            for (int i = 0; i < 16; i++) {
                x[fill++] = i & 1 ? -around[i / 2] : around[i / 2];
                if (fill == VL) check_round(n, x), fill = 0;
            }
        }
        for (int round = 0; round < 200000; round++) {
            for (int i = 0; i < VL; i++)
                x[i] = round % 3 == 0 ? double_of(random_bits())
                       : round % 3 == 1
                           ? float_of((uint32_t)random_bits())
                           : random_in(-2, 2) * n->most / (1 + (double)(random_bits() % 999));
            check_round(n, x);
        }
        double special[] = {0,        -0.0,    INFINITY,  -INFINITY, NAN,      DBL_MAX,
                            -DBL_MAX, DBL_MIN, 0x1p-1074, FLT_MAX,   0x1p-149, -0x1p-149,
                            0x1p-150, FLT_MIN, 1,         -1};
        for (int i = 0; i < 16; i += VL) check_round(n, special + i);
    }
}

/* NaN stays NaN whatever its other bits, which rounding could carry over or cut off. */
static void test_narrow_nan(void **state) {
    (void)state;
    static const uint32_t codes[] = {0x7fc00000, 0xffc00000, 0x7fffffff, 0xffffffff,
                                     0x7f800001, 0xff800001, 0x7fff8000, 0xffff7fff};
    for (int k = 0; k < NARROW_COUNT; k++)
        for (int i = 0; i < 8; i++) {
            uint8_t packed[2 * VL];
            f32 x = (f32)splat_i32((int32_t)codes[i]), rounded = narrows[k].round(x);
            narrows[k].store(packed, x, VL);
            f32 stored = narrows[k].load(packed, VL);
            for (int lane = 0; lane < VL; lane++)
                assert_true(isnan(rounded[lane]) && isnan(stored[lane]));
        }
}

int main(void) {
    if (!has_lanes()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_narrow_decode),
        cmocka_unit_test(test_narrow_round),
        cmocka_unit_test(test_narrow_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
