/* test_dtype.c: the element types, at every bit pattern and every midpoint of the narrow floats. */
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

/* A value of splitmix64, for random inputs that are the same in every run. */
static uint64_t random_bits(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A narrow float, described from the standards and not from dtype.c. */
typedef struct Narrow {
    Dtype type;
    int bytes, exponent_bits, mantissa_bits;
} Narrow;

static const Narrow narrows[] = {
    {T_F8E4M3, 1, 4, 3}, {T_F8E5M2, 1, 5, 2}, {T_BF16, 2, 8, 7}, {T_F16, 2, 5, 10}};
enum { NARROWS = sizeof narrows / sizeof narrows[0] };

static double narrow_value(const Narrow *n, unsigned bits) {
    int bias = (1 << (n->exponent_bits - 1)) - 1, top = (1 << n->exponent_bits) - 1;
    int exponent = (int)(bits >> n->mantissa_bits) & top;
    int mantissa = (int)bits & ((1 << n->mantissa_bits) - 1);
    double sign = bits >> (8 * n->bytes - 1) ? -1.0 : 1.0;
    if (n->type == T_F8E4M3 && exponent == top && mantissa == 7) return NAN;
    if (n->type != T_F8E4M3 && exponent == top) return mantissa ? NAN : sign * INFINITY;
    if (!exponent) return sign * ldexp(mantissa, 1 - bias - n->mantissa_bits);
    return sign * ldexp(mantissa + (1 << n->mantissa_bits), exponent - bias - n->mantissa_bits);
}

static double load_bits(const Narrow *n, unsigned bits) {
    uint8_t byte = (uint8_t)bits;
    uint16_t half = (uint16_t)bits;
    return dtype_load(n->type, n->bytes == 1 ? (void *)&byte : (void *)&half).f;
}

static unsigned store_bits(const Narrow *n, double value) {
    uint8_t byte[2] = {0, 0xcd};
    uint16_t half;
    dtype_store(n->type, n->bytes == 1 ? (void *)byte : (void *)&half, (Scalar){.f = value});
    assert_int_equal(byte[1], 0xcd);
    return n->bytes == 1 ? byte[0] : half;
}

static void every_pattern_loads_and_round_trips(void **state) {
    (void)state;
    for (int k = 0; k < NARROWS; k++) {
        const Narrow *n = &narrows[k];
        for (unsigned bits = 0; bits < 1u << (8 * n->bytes); bits++) {
            double value = load_bits(n, bits), expected = narrow_value(n, bits);
            if (isnan(expected)) {
                assert_true(isnan(value));
                assert_true(isnan(load_bits(n, store_bits(n, value))));
                continue;
            }
            assert_true(value == expected && !signbit(value) == !signbit(expected));
            assert_int_equal(store_bits(n, value), bits);
        }
    }
}

/* Between every two neighbours: what is nearer wins, and at the midpoint the even one. All three
 * are exact in double, the midpoint's own neighbours included. */
static void rounding_at_every_midpoint(void **state) {
    (void)state;
    for (int k = 0; k < NARROWS; k++) {
        const Narrow *n = &narrows[k];
        for (unsigned lo = 0; isfinite(narrow_value(n, lo + 1)); lo++) {
            double a = narrow_value(n, lo), b = narrow_value(n, lo + 1), middle = (a + b) / 2;
            unsigned even = lo & 1 ? lo + 1 : lo, sign = 1u << (8 * n->bytes - 1);
            assert_int_equal(store_bits(n, middle), even);
            assert_int_equal(store_bits(n, nextafter(middle, a)), lo);
            assert_int_equal(store_bits(n, nextafter(middle, b)), lo + 1);
            assert_int_equal(store_bits(n, nextafter(b, a)), lo + 1);
            assert_int_equal(store_bits(n, -middle), even | sign);
            assert_int_equal(store_bits(n, -nextafter(middle, b)), (lo + 1) | sign);
        }
    }
}

static void overflow_is_infinity_and_nan_for_e4m3(void **state) {
    (void)state;
    static const struct {
        Dtype type;
        double most, midpoint; /* the midpoint to the number after the largest */
        double at_midpoint;
    } rows[] = {{T_F16, 65504, 65520, INFINITY},
                {T_F8E5M2, 57344, 61440, INFINITY},
                {T_F8E4M3, 448, 464, 448},
                {T_BF16, 0x1.fep127, 0x1.ffp127, INFINITY},
                {T_F32, 0x1.fffffep127, 0x1.ffffffp127, INFINITY}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Dtype type = rows[i].type;
        double beyond = dtype_round(type, nextafter(rows[i].midpoint, INFINITY));
        assert_true(dtype_round(type, rows[i].most) == rows[i].most);
        assert_true(dtype_round(type, nextafter(rows[i].midpoint, 0)) == rows[i].most);
        assert_true(dtype_round(type, rows[i].midpoint) == rows[i].at_midpoint);
        assert_true(type == T_F8E4M3 ? isnan(beyond) : beyond == INFINITY);
        assert_true(type == T_F8E4M3 ? isnan(dtype_round(type, -1e300))
                                     : dtype_round(type, -1e300) == -INFINITY);
        assert_true(type == T_F8E4M3 ? isnan(dtype_round(type, INFINITY))
                                     : dtype_round(type, INFINITY) == INFINITY);
        assert_true(isnan(dtype_round(type, NAN)));
        assert_true(dtype_round(type, 5e-324) == 0.0);
        assert_true(signbit(dtype_round(type, -5e-324)));
        assert_true(signbit(dtype_round(type, -0.0)));
    }
}

/* 1 + 2^-8 + 2^-40 lies just above the midpoint of two bf16 numbers; a stop at f32 on the way
 * would put it on the midpoint and then down to 1. */
static void no_double_rounding(void **state) {
    (void)state;
    assert_true(dtype_round(T_BF16, 1 + 0x1p-8 + 0x1p-40) == 1 + 0x1p-7);
    assert_true(dtype_round(T_F16, 1 + 0x1p-11 + 0x1p-40) == 1 + 0x1p-10);
    assert_true(dtype_round(T_F8E4M3, 1 + 0x1p-4 + 0x1p-40) == 1 + 0x1p-3);
}

static void f16_agrees_with_the_compiler(void **state) {
    (void)state;
#if defined(__FLT16_MANT_DIG__) && !defined(__clang__)
    uint64_t seed = 1;
    for (int i = 0; i < 2000000; i++) {
        uint64_t bits = random_bits(&seed);
        double value = ldexp((double)(int64_t)bits, (int)(bits % 48) - 63 - 26);
        __extension__ _Float16 half = (_Float16)value;
        uint16_t mine, its;
        dtype_store(T_F16, &mine, (Scalar){.f = value});
        memcpy(&its, &half, sizeof its);
        assert_int_equal(mine, its);
        assert_true(dtype_load(T_F16, &its).f == (double)half);
    }
#else
    skip();
#endif
}

static void integers_load_store_and_wrap(void **state) {
    (void)state;
    static const struct {
        Dtype type;
        int64_t in, out;
    } rows[] = {{T_BOOL, 0, 0},
                {T_BOOL, 256, 1},
                {T_BOOL, -1, 1},
                {T_U8, 255, 255},
                {T_U8, 256, 0},
                {T_U8, -1, 255},
                {T_I8, 127, 127},
                {T_I8, 128, -128},
                {T_I8, -129, 127},
                {T_I32, 1LL << 31, INT32_MIN},
                {T_I32, (1LL << 32) + 5, 5},
                {T_I32, -1, -1},
                {T_I64, INT64_MIN, INT64_MIN}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t memory;
        dtype_store(rows[i].type, &memory, (Scalar){.i = rows[i].in});
        assert_int_equal(dtype_load(rows[i].type, &memory).i, rows[i].out);
        assert_int_equal(dtype_convert(T_I64, rows[i].type, (Scalar){.i = rows[i].in}).i,
                         rows[i].out);
    }
}

static int64_t to_int(Dtype type, double value) {
    return dtype_convert(T_F64, type, (Scalar){.f = value}).i;
}

static void floats_truncate_and_saturate(void **state) {
    (void)state;
    assert_int_equal(to_int(T_I32, 2.9), 2);
    assert_int_equal(to_int(T_I32, -2.9), -2);
    assert_int_equal(to_int(T_I32, 1e10), INT32_MAX);
    assert_int_equal(to_int(T_I32, -1e10), INT32_MIN);
    assert_int_equal(to_int(T_I32, 2147483647.5), INT32_MAX);
    assert_int_equal(to_int(T_I8, 127.9), 127);
    assert_int_equal(to_int(T_I8, -128.9), -128);
    assert_int_equal(to_int(T_U8, -0.5), 0);
    assert_int_equal(to_int(T_U8, 255.9), 255);
    assert_true(to_int(T_I64, INFINITY) == INT64_MAX);
    assert_true(to_int(T_I64, -INFINITY) == INT64_MIN);
    assert_true(to_int(T_I64, 0x1p63) == INT64_MAX);
    assert_true(to_int(T_I64, 0x1.fffffffffffffp62) == 0x7ffffffffffffc00);
    assert_int_equal(to_int(T_I64, NAN), 0);
    assert_int_equal(to_int(T_BOOL, NAN), 1);
    assert_int_equal(to_int(T_BOOL, 0.25), 1);
    assert_int_equal(to_int(T_BOOL, -0.0), 0);
    assert_true(dtype_round(T_U8, 300.5) == 255);
    assert_true(dtype_convert(T_F64, T_F16, (Scalar){.f = 1e9}).f == INFINITY);
}

/* x to `bits` bits of mantissa, exactly, in long double, which holds every int64. */
static double rounded(long double x, int bits) {
    int exponent;
    frexpl(x, &exponent);
    return (double)ldexpl(rintl(ldexpl(x, bits - exponent)), exponent - bits);
}

static void integers_become_floats_in_one_rounding(void **state) {
    (void)state;
    if (LDBL_MANT_DIG < 64) skip();
    uint64_t seed = 2;
    for (int i = 0; i < 300000; i++) {
        /* close to a midpoint of bf16 or f32: a few high bits, a half, and a trifle */
        uint64_t bits = random_bits(&seed);
        int64_t value = (int64_t)bits >> (bits % 60);
        if (bits & 1024)
            value = (value & ~(INT64_C(0xffffff) << (bits % 40))) + (int64_t)(bits % 3) - 1;
        assert_true(dtype_convert(T_I64, T_F32, (Scalar){.i = value}).f == (double)(float)value);
        assert_true(dtype_convert(T_I64, T_BF16, (Scalar){.i = value}).f == rounded(value, 8));
        assert_true(dtype_convert(T_I64, T_F64, (Scalar){.i = value}).f == (double)value);
    }
    assert_true(dtype_convert(T_I64, T_BF16, (Scalar){.i = (257LL << 54) + 1}).f == 0x1.02p62);
    assert_true(dtype_convert(T_I64, T_F32, (Scalar){.i = INT64_MIN}).f == -0x1p63);
    assert_true(dtype_convert(T_I64, T_F16, (Scalar){.i = 70000}).f == INFINITY);
    assert_true(isnan(dtype_convert(T_I64, T_F8E4M3, (Scalar){.i = 500}).f));
    assert_true(dtype_convert(T_BOOL, T_F16, (Scalar){.i = 1}).f == 1.0);
}

static void types_have_names_and_facts(void **state) {
    (void)state;
    for (Dtype type = T_NONE + 1; type < T_COUNT; type++) {
        assert_int_equal(dtype_parse(dtype_name(type)), type);
        assert_true(dtype_size(type) > 0);
        assert_int_equal(dtype_is_float(type) + dtype_is_int(type) + (type == T_BOOL), 1);
        assert_int_equal(dtype_compute(dtype_compute(type)), dtype_compute(type));
        if (!dtype_is_float(type)) continue;
        assert_true(dtype_round(type, 1 + dtype_epsilon(type)) == 1 + dtype_epsilon(type));
        assert_true(dtype_round(type, 1 + dtype_epsilon(type) / 2) == 1);
    }
    assert_int_equal(dtype_parse("none"), T_NONE);
    assert_int_equal(dtype_parse("float"), T_NONE);
    assert_string_equal(dtype_name(T_BF16), "bf16");
    assert_int_equal(dtype_compute(T_U8), T_I32);
    assert_int_equal(dtype_compute(T_F8E5M2), T_F32);
    assert_true(dtype_is_narrow(T_F16) && !dtype_is_narrow(T_F32) && !dtype_is_narrow(T_I8));
    assert_true(dtype_epsilon(T_I32) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pattern_loads_and_round_trips),
        cmocka_unit_test(rounding_at_every_midpoint),
        cmocka_unit_test(overflow_is_infinity_and_nan_for_e4m3),
        cmocka_unit_test(no_double_rounding),
        cmocka_unit_test(f16_agrees_with_the_compiler),
        cmocka_unit_test(integers_load_store_and_wrap),
        cmocka_unit_test(floats_truncate_and_saturate),
        cmocka_unit_test(integers_become_floats_in_one_rounding),
        cmocka_unit_test(types_have_names_and_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
