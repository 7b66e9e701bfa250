/* The C prelude, measured: every function of one argument against long double libm, every narrow
 * float code and midpoint against a reference written here, loads and stores at page ends.
 * Built for VL 4, 8 and 16 from this one source. The bounds are those of the `ulp:` comments in
 * the prelude (PRELUDE_FILE). `test_math all exp_f32` tries every float instead. */
#define _DEFAULT_SOURCE
#include "templates/c/prelude.h"

#include <float.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <cmocka.h>

#ifndef PRELUDE_FILE
#define PRELUDE_FILE "templates/c/prelude.h"
#endif

enum { CHUNK = 4096 };

static uint64_t random_state = 1;

static uint64_t random_bits(void) { /* SplitMix64 (Steele, Lea, Flood) */
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static double random_in(double lo, double hi) {
    return lo + (hi - lo) * (double)(random_bits() >> 11) * 0x1p-53;
}

static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double double_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- errors in units of the last place ---------------------------------------------------- */

/* Of a format with `digits` bits of significand, least normal exponent `least`, and `most`. NaN
 * against a number, a wrong infinity and a zero of the wrong sign are infinitely wrong. */
static double ulps(long double got, long double want, int digits, int least, long double most) {
    if (isnan(want)) return isnan(got) ? 0 : INFINITY;
    if (isnan(got) || signbit(got) != signbit(want)) return INFINITY;
    int exponent = 0;
    if (isinf(want)) return isinf(got) ? 0 : INFINITY;
    if (want == 0) return got == 0 ? 0 : INFINITY;
    frexpl(want, &exponent);
    if (exponent - 1 < least) exponent = least + 1;
    long double unit = ldexpl(1, exponent - digits), above = most + ldexpl(most, -digits);
    if (isinf(got)) return fabsl(want) >= above ? 0 : (double)((above - fabsl(want)) / unit);
    if (fabsl(want) > most) want = copysignl(fminl(fabsl(want), 2 * most), want);
    return (double)(fabsl(got - want) / unit);
}

static double ulps_f32(float got, long double want) {
    return ulps(got, want, FLT_MANT_DIG, FLT_MIN_EXP - 1, FLT_MAX);
}

static double ulps_f64(double got, long double want) {
    return ulps(got, want, DBL_MANT_DIG, DBL_MIN_EXP - 1, DBL_MAX);
}

/* Whether this build turns a * b + c into one operation. */
static bool contracts(void) {
    volatile float a = 0x1.001p0f, c = 0x1.002p0f; /* a * a = c + 2**-24 */
    return a * a - c != 0;
}

/* The number after "ulp:" in the section of this name; the one after "without FMA" if need be. */
static double bound_of(const char *name) {
    static char *text;
    if (!text) {
        FILE *file = fopen(PRELUDE_FILE, "r");
        if (!file) fail_msg("cannot read %s", PRELUDE_FILE);
        text = calloc(1, 1 << 20);
        if (!text || !fread(text, 1, (1 << 20) - 1, file)) fail_msg("%s is empty", PRELUDE_FILE);
        fclose(file);
    }
    char title[64];
    snprintf(title, sizeof title, "//@SECTION %s\n", name);
    char *section = strstr(text, title), *bound = section ? strstr(section, "ulp: ") : NULL;
    if (!bound) fail_msg("no \"ulp:\" for %s in %s", name, PRELUDE_FILE);
    double value = strtod(bound + 5, &bound);
    if (!contracts() && !strncmp(bound, " (without FMA ", 14)) value = strtod(bound + 14, NULL);
    return value;
}

typedef struct Worst {
    const char *name;
    double error, at, at2;
} Worst;

static void worst_note(Worst *worst, double error, double at, double at2) {
    if (!(error > worst->error)) return;
    worst->error = error;
    worst->at = at;
    worst->at2 = at2;
}

static bool worst_check(const Worst *worst) {
    double bound = bound_of(worst->name);
    bool good = worst->error <= bound;
    printf("  %-12s %8.3f %8.2f   %a %a%s\n", worst->name, worst->error, bound, worst->at,
           worst->at2, good ? "" : "  TOO MUCH");
    return good;
}

/* name, reference, and where it is neither trivial nor out of range */
#define EACH_F32(X)                                                                                \
    X(exp_f32, expl, exp, -105, 90)                                                                \
    X(exp2_f32, exp2l, exp2, -152, 130)                                                            \
    X(expm1_f32, expm1l, expm1, -20, 90)                                                           \
    X(log_f32, logl, log, 0, 4)                                                                    \
    X(log2_f32, log2l, log2, 0, 4)                                                                 \
    X(log1p_f32, log1pl, log1p, -1, 4)                                                             \
    X(sin_f32, sinl, sin, -20000, 20000)                                                           \
    X(cos_f32, cosl, cos, -20000, 20000)                                                           \
    X(tanh_f32, tanhl, tanh, -10, 10)                                                              \
    X(erf_f32, erfl, erf, -4.5, 4.5)                                                               \
    X(sqrt_f32, sqrtl, sqrt, 0, 4)                                                                 \
    X(rsqrt_f32, rsqrt_reference, rsqrt_double, 0, 4)

#define EACH_F64(X)                                                                                \
    X(exp_f64, expl, exp, -746, 711)                                                               \
    X(exp2_f64, exp2l, exp2, -1076, 1025)                                                          \
    X(expm1_f64, expm1l, expm1, -40, 711)                                                          \
    X(log_f64, logl, log, 0, 4)                                                                    \
    X(log2_f64, log2l, log2, 0, 4)                                                                 \
    X(log1p_f64, log1pl, log1p, -1, 4)                                                             \
    X(sin_f64, sinl, sin, -20000, 20000)                                                           \
    X(cos_f64, cosl, cos, -20000, 20000)                                                           \
    X(tanh_f64, tanhl, tanh, -20, 20)                                                              \
    X(erf_f64, erfl, erf, -6, 6)                                                                   \
    X(sqrt_f64, sqrtl, sqrt, 0, 4)                                                                 \
    X(rsqrt_f64, rsqrt_reference, rsqrt_double, 0, 4)

static long double rsqrt_reference(long double x) { return 1 / sqrtl(x); }
static double rsqrt_double(double x) { return 1 / sqrt(x); }

typedef struct Unary32 {
    const char *name;
    void (*run)(float *y, const float *x, int n); /* n: a multiple of VL */
    long double (*want)(long double);
    double (*quick)(double); /* exact enough for f32 */
    double lo, hi;
} Unary32;

typedef struct Unary64 {
    const char *name;
    void (*run)(double *y, const double *x, int n);
    long double (*want)(long double);
    double lo, hi;
} Unary64;

#define RUN32(F, WANT, QUICK, LO, HI)                                                              \
    static void run_##F(float *y, const float *x, int n) {                                         \
        for (int i = 0; i < n; i += VL) st_f32(y + i, F(ld_f32(x + i, VL)), VL);                   \
    }
#define RUN64(F, WANT, QUICK, LO, HI)                                                              \
    static void run_##F(double *y, const double *x, int n) {                                       \
        for (int i = 0; i < n; i += VL) st_f64(y + i, F(ld_f64(x + i, VL)), VL);                   \
    }
#define ROW32(F, WANT, QUICK, LO, HI) {#F, run_##F, WANT, QUICK, LO, HI},
#define ROW64(F, WANT, QUICK, LO, HI) {#F, run_##F, WANT, LO, HI},
EACH_F32(RUN32)
EACH_F64(RUN64)
static const Unary32 unary32[] = {EACH_F32(ROW32)};
static const Unary64 unary64[] = {EACH_F64(ROW64)};
enum { UNARY32_COUNT = sizeof unary32 / sizeof *unary32 };
enum { UNARY64_COUNT = sizeof unary64 / sizeof *unary64 };

static void measure32(const Unary32 *f, const float *x, Worst *worst) {
    static float y[CHUNK];
    f->run(y, x, CHUNK);
    for (int i = 0; i < CHUNK; i++) worst_note(worst, ulps_f32(y[i], f->want(x[i])), x[i], 0);
}

/* Around these things go wrong: zeros, denormals, 1, the ends of exp, large integers. */
static const float edges[] = {
    0,       0x1p-149f, 0x1p-127f, FLT_MIN, 0x1p-24f, 0x1p-12f, 0.25f, 0.5f,    0.707107f,
    1,       1.414214f, 1.5f,      2,       3,        4,        9.01f, 10,      17,
    18,      24,        25,        87.336f, 88.3763f, 88.7228f, 89,    103.28f, 103.972f,
    104,     126,       127,       128,     129,      149,      150,   151,     12000,
    0x1p23f, 0x1p24f,   0x1p31f,   0x1p63f, FLT_MAX,  INFINITY, NAN};
enum { EDGE_COUNT = sizeof edges / sizeof *edges };

static int edge_points(float *x) { /* each edge, its sign changed, and 16 floats either side */
    int count = 0;
    for (int e = 0; e < EDGE_COUNT; e++) {
        uint32_t bits;
        memcpy(&bits, &edges[e], sizeof bits);
        for (int d = -16; d <= 16; d++)
            if ((int64_t)bits + d >= 0)
                x[count++] = float_of(bits + (uint32_t)d),
                x[count++] = float_of((bits + (uint32_t)d) ^ 0x80000000);
    }
    return count;
}

static void test_f32(void **state) {
    (void)state;
    static float x[CHUNK];
    bool good = true;
    printf("  VL %d            ulp    bound   at\n", VL);
    for (int k = 0; k < UNARY32_COUNT; k++) {
        Worst worst = {unary32[k].name, -1, 0, 0};
        for (int i = edge_points(x); i < CHUNK; i++) x[i] = 1;
        measure32(&unary32[k], x, &worst);
        for (uint32_t exponent = 0; exponent < 256; exponent++) {
            for (int i = 0; i < CHUNK; i++)
                x[i] = float_of(exponent << 23 | ((uint32_t)random_bits() & 0x807fffff));
            measure32(&unary32[k], x, &worst);
        }
        for (int round = 0; round < 256; round++) {
            for (int i = 0; i < CHUNK; i++) x[i] = (float)random_in(unary32[k].lo, unary32[k].hi);
            measure32(&unary32[k], x, &worst);
        }
        good &= worst_check(&worst);
    }
    assert_true(good);
}

static void test_f64(void **state) {
    (void)state;
    static double x[CHUNK], y[CHUNK];
    bool good = true;
    for (int k = 0; k < UNARY64_COUNT; k++) {
        Worst worst = {unary64[k].name, -1, 0, 0};
        for (int round = 0; round < 40; round++) {
            for (int i = 0; i < CHUNK; i++)
                x[i] = i % 2 ? double_of(random_bits()) : random_in(unary64[k].lo, unary64[k].hi);
            for (int e = 0; !round && e < EDGE_COUNT; e++) x[e] = edges[e];
            unary64[k].run(y, x, CHUNK);
            for (int i = 0; i < CHUNK; i++)
                worst_note(&worst, ulps_f64(y[i], unary64[k].want(x[i])), x[i], 0);
        }
        good &= worst_check(&worst);
    }
    assert_true(good);
}

static void measure_pow(const float *a, const float *b, Worst *worst, Worst *worst64) {
    static float y[CHUNK];
    for (int i = 0; i < CHUNK; i += VL)
        st_f32(y + i, pow_f32(ld_f32(a + i, VL), ld_f32(b + i, VL)), VL);
    for (int i = 0; i < CHUNK; i++) {
        long double want = powl(a[i], b[i]);
        double wide = pow_f64(splat_f64(a[i]), splat_f64(b[i]))[i % VL];
        worst_note(worst, ulps_f32(y[i], want), a[i], b[i]);
        worst_note(worst64, ulps_f64(wide, want), a[i], b[i]);
    }
}

static void test_pow(void **state) {
    (void)state;
    static const float odd_ones[] = {0,        1,           2,
                                     3,        0.5f,        1.5f,
                                     7,        0x1p23f,     0x1.000002p23f,
                                     0x1p24f,  1e30f,       0x1p-149f,
                                     FLT_MAX,  0.99999994f, 1.0000001f,
                                     INFINITY, NAN};
    enum { ODD = sizeof odd_ones / sizeof *odd_ones };
    static float a[CHUNK], b[CHUNK];
    Worst worst = {"pow_f32", -1, 0, 0}, worst64 = {"pow_f64", -1, 0, 0};
    for (int i = 0; i < CHUNK; i++) { /* every pair, in every combination of signs */
        a[i] = odd_ones[i / 4 % ODD] * (i & 1 ? -1 : 1);
        b[i] = odd_ones[i / 4 / ODD % ODD] * (i & 2 ? -1 : 1);
    }
    measure_pow(a, b, &worst, &worst64);
    for (int round = 0; round < 128; round++) {
        for (int i = 0; i < CHUNK; i++) {
            a[i] = float_of((uint32_t)random_bits());
            double most = 152 / fabs(log2(fabs((double)a[i])));
            b[i] = i % 4 == 0   ? float_of((uint32_t)random_bits())
                   : i % 4 == 1 ? (float)(int)random_in(-20, 20)
                                : (float)random_in(-most, most);
        }
        measure_pow(a, b, &worst, &worst64);
        for (int i = 0; i < CHUNK; i++) { /* near 1, large exponents */
            a[i] = (float)random_in(0.9, 1.1);
            b[i] = (float)random_in(-1000, 1000);
        }
        measure_pow(a, b, &worst, &worst64);
    }
    bool good = worst_check(&worst);
    assert_true(worst_check(&worst64) && good);
}

/* ---- narrow floats, the reference --------------------------------------------------------- */

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

static bool same(double a, double b) {
    return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
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

/* ---- loads and stores ---------------------------------------------------------------------- */

/* Two pages, the second forbidden: ends[-1] is the last byte that may be touched. */
static uint8_t *page_end(void) {
    static uint8_t *end;
    if (!end) {
        uint8_t *pages =
            mmap(NULL, 3 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED) fail_msg("mmap");
        mprotect(pages, 1 << 16, PROT_NONE);
        mprotect(pages + (2 << 16), 1 << 16, PROT_NONE);
        end = pages + (2 << 16);
    }
    return end;
}

/* Each m at a page end and at a page start: lanes, zeros after them, and untouched neighbours. */
#define TEST_MEMORY(S, T, V, VALUE)                                                                \
    static void test_memory_##S(void **state) {                                                    \
        (void)state;                                                                               \
        for (idx m = 1; m <= VL; m++)                                                              \
            for (int place = 0; place < 2; place++) {                                              \
                T *p = (T *)(place ? page_end() - (1 << 16) : page_end() - sizeof(T) * (size_t)m); \
                for (idx i = 0; i < m; i++) p[i] = (T)(VALUE);                                     \
                V v = ld_##S(p, m), first = lds_##S(p);                                            \
                for (idx i = 0; i < m; i++) assert_true(v[i] == get_##S(p + i));                   \
                for (idx i = m; i < VL; i++) assert_true(v[i] == 0);                               \
                for (idx i = 0; i < VL; i++) assert_true(first[i] == v[0]);                        \
                T want[VL];                                                                        \
                memcpy(want, p, sizeof(T) * (size_t)m);                                            \
                memset(p, 0x5a, sizeof(T) * (size_t)m);                                            \
                st_##S(p, v, m);                                                                   \
                assert_memory_equal(p, want, sizeof(T) * (size_t)m);                               \
                uint8_t room[sizeof(T) * (VL + 2)];                                                \
                memset(room, 0x5a, sizeof room);                                                   \
                st_##S((T *)(void *)(room + sizeof(T)), v, m);                                     \
                assert_memory_equal(room + sizeof(T), want, sizeof(T) * (size_t)m);                \
                for (size_t i = 0; i < sizeof(T); i++) assert_int_equal(room[i], 0x5a);            \
                for (size_t i = sizeof(T) * (size_t)(m + 1); i < sizeof room; i++)                 \
                    assert_int_equal(room[i], 0x5a);                                               \
                memset(p, 0x5a, sizeof(T) * (size_t)m);                                            \
                put_##S(p, v);                                                                     \
                assert_memory_equal(p, want, sizeof(T));                                           \
            }                                                                                      \
    }
TEST_MEMORY(f32, float, f32, (float)i + 0.5f)
TEST_MEMORY(f64, double, f64, (double)i + 0.5)
TEST_MEMORY(i32, int32_t, i32, i * 1000003 - 5)
TEST_MEMORY(i64, int64_t, i64, i * 100000000003 - 5)
TEST_MEMORY(bf16, bf16, f32, 0x3f80 + i)
TEST_MEMORY(f16, f16, f32, 0xbc00 + i)
TEST_MEMORY(f8e4m3, f8e4m3, f32, 0x38 + i)
TEST_MEMORY(f8e5m2, f8e5m2, f32, 0x81 + i)
TEST_MEMORY(i8, int8_t, i32, i * 37)
TEST_MEMORY(u8, uint8_t, i32, i * 37)
TEST_MEMORY(bool, bool_t, b1, i % 3 == 1)

#define CHECK_STREAM(S, T)                                                                         \
    for (size_t shift = 0; shift < 2; shift++)                                                     \
        for (idx m = 1; m <= VL; m++) {                                                            \
            T want[VL], *p = (T *)(void *)page_end() - 3 * VL + shift;                             \
            memset(p - 1, 0x5a, sizeof(T) * (VL + 2));                                             \
            stream_##S(p, value_##S, m);                                                           \
            stream_fence();                                                                        \
            st_##S(want, value_##S, VL);                                                           \
            assert_memory_equal(p, want, sizeof(T) * (size_t)m);                                   \
            assert_int_equal(((uint8_t *)(p + m))[0], 0x5a);                                       \
            assert_int_equal(((uint8_t *)p)[-1], 0x5a);                                            \
        }

static void test_stream(void **state) {
    (void)state;
    i32 value_i32 = lanes_i32(100);
    i64 value_i64 = lanes_i64((int64_t)1 << 40);
    f32 value_f32 = f32_i32(value_i32), value_bf16 = value_f32, value_f16 = value_f32;
    f64 value_f64 = f64_i64(value_i64);
    CHECK_STREAM(f32, float)
    CHECK_STREAM(f64, double)
    CHECK_STREAM(i32, int32_t)
    CHECK_STREAM(i64, int64_t)
    CHECK_STREAM(bf16, bf16)
    CHECK_STREAM(f16, f16)
}

/* ---- integers ------------------------------------------------------------------------------ */

static int64_t pow_reference(int64_t a, int64_t b, int bits) {
    if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;
    uint64_t power = 1, square = (uint64_t)a;
    for (; b; b /= 2, square *= square)
        if (b % 2) power *= square;
    return bits == 32 ? (int32_t)power : (int64_t)power;
}

#define CHECK_INT(F, WANT)                                                                         \
    for (int i = 0; i < VL; i++)                                                                   \
        if ((F)[i] != (WANT)) fail_msg("%s of %lld, %lld", #F, (long long)a[i], (long long)b[i])

#define TEST_INT(S, T, U, MIN, MAX)                                                                \
    static void test_int_##S(void **state) {                                                       \
        (void)state;                                                                               \
        static const T special[] = {0, 1, -1, 2, -2, 3, 7, -10, 255, 65536, MIN, MAX, MIN + 1};    \
        for (int round = 0; round < 20000; round++) {                                              \
            S a, b;                                                                                \
            for (int i = 0; i < VL; i++) {                                                         \
                uint64_t r = random_bits();                                                        \
                a[i] = r & 1 ? special[(r >> 8) % 13] : (T)random_bits();                          \
                b[i] = r & 2 ? special[(r >> 16) % 13] : (T)random_bits() >> (r >> 58) % 31;       \
            }                                                                                      \
            CHECK_INT(add_##S(a, b), (T)((U)a[i] + (U)b[i]));                                      \
            CHECK_INT(sub_##S(a, b), (T)((U)a[i] - (U)b[i]));                                      \
            CHECK_INT(mul_##S(a, b), (T)((U)a[i] * (U)b[i]));                                      \
            CHECK_INT(neg_##S(a), (T)(0 - (U)a[i]));                                               \
            CHECK_INT(abs_##S(a), a[i] < 0 ? (T)(0 - (U)a[i]) : a[i]);                             \
            CHECK_INT(sign_##S(a), a[i]<0 ? -1 : a[i]> 0);                                         \
            CHECK_INT(div_##S(a, b), !b[i] ? 0 : b[i] == -1 ? (T)(0 - (U)a[i]) : a[i] / b[i]);     \
            CHECK_INT(mod_##S(a, b), !b[i] || b[i] == -1 ? 0 : a[i] % b[i]);                       \
            CHECK_INT(max_##S(a, b), a[i] > b[i] ? a[i] : b[i]);                                   \
            CHECK_INT(min_##S(a, b), a[i] < b[i] ? a[i] : b[i]);                                   \
            CHECK_INT(lt_##S(a, b), -(a[i] < b[i]));                                               \
            CHECK_INT(le_##S(a, b), -(a[i] <= b[i]));                                              \
            CHECK_INT(eq_##S(a, b), -(a[i] == b[i]));                                              \
            CHECK_INT(ne_##S(a, b), -(a[i] != b[i]));                                              \
            CHECK_INT(pow_##S(a, b), pow_reference(a[i], b[i], 8 * sizeof(T)));                    \
            CHECK_INT(where_##S(lt_##S(a, b), a, b), a[i] < b[i] ? a[i] : b[i]);                   \
            U sum = 0, product = 1;                                                                \
            T most = MIN, least = MAX;                                                             \
            for (int i = 0; i < VL; i++) {                                                         \
                sum += (U)a[i], product *= (U)a[i];                                                \
                most = a[i] > most ? a[i] : most, least = a[i] < least ? a[i] : least;             \
            }                                                                                      \
            CHECK_INT(sum_lanes_##S(a), (T)sum);                                                   \
            CHECK_INT(prod_lanes_##S(a), (T)product);                                              \
            CHECK_INT(max_lanes_##S(a), most);                                                     \
            CHECK_INT(min_lanes_##S(a), least);                                                    \
            CHECK_INT(lanes_##S(a[0]), (T)((U)a[0] + (U)i));                                       \
            CHECK_INT(splat_##S(a[0]), a[0]);                                                      \
            idx m = round % VL + 1;                                                                \
            CHECK_INT(keep_##S(a, m, 77), i < m ? a[i] : 77);                                      \
        }                                                                                          \
    }
TEST_INT(i32, int32_t, uint32_t, INT32_MIN, INT32_MAX)
TEST_INT(i64, int64_t, uint64_t, INT64_MIN, INT64_MAX)

static void test_bool(void **state) {
    (void)state;
    for (int round = 0; round < 1000; round++) {
        i32 a, b;
        bool any = false, all = true;
        for (int i = 0; i < VL; i++) {
            a[i] = -(int)(random_bits() & 1), b[i] = -(int)(random_bits() & 1);
            if (round % 4 == 0) a[i] = 0;
            if (round % 4 == 1) a[i] = -1;
            any |= a[i] != 0, all &= a[i] != 0;
        }
        CHECK_INT(not_b1(a), ~a[i]);
        CHECK_INT(and_b1(a, b), a[i] & b[i]);
        CHECK_INT(or_b1(a, b), a[i] | b[i]);
        CHECK_INT(eq_b1(a, b), -(a[i] == b[i]));
        CHECK_INT(ne_b1(a, b), -(a[i] != b[i]));
        CHECK_INT(lt_b1(a, b), -(!a[i] && b[i]));
        CHECK_INT(le_b1(a, b), -(!a[i] || b[i]));
        CHECK_INT(where_b1(a, b, ~b), a[i] ? b[i] : ~b[i]);
        CHECK_INT(any_lanes_b1(a), -any);
        CHECK_INT(all_lanes_b1(a), -all);
        CHECK_INT(f32_b1(a), a[i] ? 1 : 0);
        CHECK_INT(f64_b1(a), a[i] ? 1 : 0);
        CHECK_INT(i32_b1(a), a[i] ? 1 : 0);
        CHECK_INT(i64_b1(a), a[i] ? 1 : 0);
        CHECK_INT(b1_i32(i32_b1(a)), a[i]);
        CHECK_INT(b1_i64(i64_b1(a)), a[i]);
        CHECK_INT(b1_f32(f32_b1(a)), a[i]);
        CHECK_INT(b1_f64(f64_b1(a)), a[i]);
        CHECK_INT(keep_b1(a, round % VL + 1, -1), i < round % VL + 1 ? a[i] : -1);
        CHECK_INT(splat_b1(a[0]), a[0]);
    }
}

/* ---- floats: exact operations -------------------------------------------------------------- */

static double sign_reference(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
static double max_reference(double a, double b) {
    return isnan(a) || isnan(b) ? NAN : a > b ? a : b;
}
static double min_reference(double a, double b) {
    return isnan(a) || isnan(b) ? NAN : a < b ? a : b;
}
static double saturate(double x, double lo, double hi) {
    return isnan(x) ? 0 : x <= lo ? lo : x >= hi ? hi : trunc(x);
}

#define CHECK_FLOAT(F, WANT)                                                                       \
    do {                                                                                           \
        __typeof__(F) got = F;                                                                     \
        for (int i = 0; i < VL; i++)                                                               \
            if (!same((double)got[i], (double)(WANT)))                                             \
                fail_msg("%s of %a, %a: %a", #F, (double)a[i], (double)b[i], (double)got[i]);      \
    } while (0)

#define TEST_FLOAT(S, T, OF_BITS, FMOD)                                                            \
    static void test_float_##S(void **state) {                                                     \
        (void)state;                                                                               \
        static const T special[] = {0,                                                             \
                                    -0.0f,                                                         \
                                    1,                                                             \
                                    -1,                                                            \
                                    0.5f,                                                          \
                                    -0.5f,                                                         \
                                    1.5f,                                                          \
                                    2.5f,                                                          \
                                    -2.5f,                                                         \
                                    INFINITY,                                                      \
                                    -INFINITY,                                                     \
                                    NAN,                                                           \
                                    FLT_MAX,                                                       \
                                    -FLT_MAX,                                                      \
                                    0x1p-149f,                                                     \
                                    0x1p31f,                                                       \
                                    -0x1p31f,                                                      \
                                    0x1p63f,                                                       \
                                    -0x1p63f,                                                      \
                                    127.5f,                                                        \
                                    -128.5f,                                                       \
                                    255.5f,                                                        \
                                    256,                                                           \
                                    0x1p23f,                                                       \
                                    0x1.fffffep22f,                                                \
                                    0x1p52f,                                                       \
                                    0.49999997f,                                                   \
                                    2147483520.0f};                                                \
        enum { SPECIAL = sizeof special / sizeof *special };                                       \
        for (int round = 0; round < 40000; round++) {                                              \
            S a, b;                                                                                \
            for (int i = 0; i < VL; i++) {                                                         \
                uint64_t r = random_bits();                                                        \
                a[i] = r & 1 ? special[(r >> 8) % SPECIAL] : (T)OF_BITS;                           \
                b[i] = r & 2 ? special[(r >> 16) % SPECIAL] : (T)OF_BITS;                          \
                if (!(r & 12)) a[i] = (T)random_in(-300, 300), b[i] = (T)random_in(-9, 9);         \
            }                                                                                      \
            CHECK_FLOAT(div_##S(a, b), a[i] / b[i]);                                               \
            CHECK_FLOAT(mod_##S(a, b), FMOD(a[i], b[i]));                                          \
            CHECK_FLOAT(abs_##S(a), fabs((double)a[i]));                                           \
            CHECK_FLOAT(sign_##S(a), sign_reference((double)a[i]));                                \
            CHECK_FLOAT(max_##S(a, b) + (T)0, max_reference((double)a[i], (double)b[i]) + 0);      \
            CHECK_FLOAT(min_##S(a, b) + (T)0, min_reference((double)a[i], (double)b[i]) + 0);      \
            CHECK_FLOAT(floor_##S(a), floor((double)a[i]));                                        \
            CHECK_FLOAT(ceil_##S(a), ceil((double)a[i]));                                          \
            CHECK_FLOAT(round_##S(a), rint((double)a[i]));                                         \
            CHECK_FLOAT(trunc_##S(a), trunc((double)a[i]));                                        \
            CHECK_FLOAT(where_##S(lt_##S(a, b), a, b), a[i] < b[i] ? a[i] : b[i]);                 \
            CHECK_INT(lt_##S(a, b), -(a[i] < b[i]));                                               \
            CHECK_INT(le_##S(a, b), -(a[i] <= b[i]));                                              \
            CHECK_INT(eq_##S(a, b), -(a[i] == b[i]));                                              \
            CHECK_INT(ne_##S(a, b), -(a[i] != b[i]));                                              \
            CHECK_INT(isnan_##S(a), -(a[i] != a[i]));                                              \
            CHECK_INT(b1_##S(a), -(a[i] != 0));                                                    \
            CHECK_INT(i8_##S(a), (int)saturate((double)a[i], -128, 127));                          \
            CHECK_INT(u8_##S(a), (int)saturate((double)a[i], 0, 255));                             \
            CHECK_INT(i32_##S(a), (int32_t)saturate((double)a[i], INT32_MIN, INT32_MAX));          \
            CHECK_INT(i64_##S(a), (double)a[i] >= 0x1p63                                           \
                                      ? INT64_MAX                                                  \
                                      : (int64_t)saturate((double)a[i], -0x1p63, 0x1p63));         \
            T most = -INFINITY, least = INFINITY;                                                  \
            for (int i = 0; i < VL; i++) {                                                         \
                most = (T)max_reference((double)most, (double)a[i]);                               \
                least = (T)min_reference((double)least, (double)a[i]);                             \
            }                                                                                      \
            CHECK_FLOAT(max_lanes_##S(a) + (T)0, most + 0);                                        \
            CHECK_FLOAT(min_lanes_##S(a) + (T)0, least + 0);                                       \
            CHECK_FLOAT(splat_##S(a[0]), a[0]);                                                    \
            idx m = round % VL + 1;                                                                \
            CHECK_FLOAT(keep_##S(a, m, 7), i < m ? a[i] : (T)7);                                   \
            S small = trunc_##S((S){0} + (T)random_in(-99, 99));                                   \
            for (int i = 0; i < VL; i++) small[i] += (T)i;                                         \
            CHECK_FLOAT(sum_lanes_##S(small), VL *small[0] + VL * (VL - 1) / 2);                   \
            S powers = where_##S(lt_##S(small, small[0] + 2 + (S){0}), (S){0} + 2, (S){0} + 1);    \
            CHECK_FLOAT(prod_lanes_##S(powers), 4);                                                \
        }                                                                                          \
    }
TEST_FLOAT(f32, float, float_of((uint32_t)random_bits()), fmodf)
TEST_FLOAT(f64, double, double_of(random_bits()), fmod)

static void test_convert(void **state) {
    (void)state;
    for (int round = 0; round < 20000; round++) {
        i64 a, b = {0};
        for (int i = 0; i < VL; i++) a[i] = (int64_t)random_bits() >> (random_bits() % 64);
        i32 narrow = i32_i64(a);
        CHECK_INT(narrow, (int32_t)a[i]);
        CHECK_INT(i64_i32(narrow), (int64_t)(int32_t)a[i]);
        CHECK_INT(i8wrap_i32(narrow), (int8_t)a[i]);
        CHECK_INT(u8wrap_i32(narrow), (uint8_t)a[i]);
        CHECK_INT(f32_i32(narrow), (float)(int32_t)a[i]);
        CHECK_INT(f64_i32(narrow), (double)(int32_t)a[i]);
        CHECK_INT(f32_i64(a), (float)a[i]);
        CHECK_INT(f64_i64(a), (double)a[i]);
        f64 wide = f64_i64(a) * 0x1.23456789p-20;
        CHECK_INT(f32_f64(wide), (float)wide[i]);
        CHECK_INT(f64_f32(f32_f64(wide)), (double)(float)wide[i]);
    }
}

/* ---- every float ---------------------------------------------------------------------------- */

static int try_all(const char *name) {
    static float x[CHUNK], y[CHUNK];
    for (int k = 0; k < UNARY32_COUNT; k++) {
        if (strcmp(name, unary32[k].name)) continue;
        Worst worst = {name, -1, 0, 0};
        for (uint64_t bits = 0; bits < (uint64_t)1 << 32; bits += CHUNK) {
            for (uint32_t i = 0; i < CHUNK; i++) x[i] = float_of((uint32_t)bits + i);
            unary32[k].run(y, x, CHUNK);
            for (int i = 0; i < CHUNK; i++)
                if (y[i] != (float)unary32[k].quick(x[i]))
                    worst_note(&worst, ulps_f32(y[i], unary32[k].quick(x[i])), x[i], 0);
        }
        printf("%s %.4f at %a\n", name, worst.error, worst.at);
        return 0;
    }
    fprintf(stderr, "test_math all FUNCTION: exp_f32 and so on\n");
    return 2;
}

int main(int argc, char **argv) {
    if (argc == 3 && !strcmp(argv[1], "all")) return try_all(argv[2]);
#ifdef __GNUC__
    if (VL == 16 && !__builtin_cpu_supports("avx512f")) return 77;
    if (VL == 8 && !__builtin_cpu_supports("avx2")) return 77;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_f32),           cmocka_unit_test(test_f64),
        cmocka_unit_test(test_pow),           cmocka_unit_test(test_narrow_decode),
        cmocka_unit_test(test_narrow_round),  cmocka_unit_test(test_narrow_nan),
        cmocka_unit_test(test_memory_f32),    cmocka_unit_test(test_memory_f64),
        cmocka_unit_test(test_memory_i32),    cmocka_unit_test(test_memory_i64),
        cmocka_unit_test(test_memory_bf16),   cmocka_unit_test(test_memory_f16),
        cmocka_unit_test(test_memory_f8e4m3), cmocka_unit_test(test_memory_f8e5m2),
        cmocka_unit_test(test_memory_i8),     cmocka_unit_test(test_memory_u8),
        cmocka_unit_test(test_memory_bool),   cmocka_unit_test(test_stream),
        cmocka_unit_test(test_int_i32),       cmocka_unit_test(test_int_i64),
        cmocka_unit_test(test_bool),          cmocka_unit_test(test_float_f32),
        cmocka_unit_test(test_float_f64),     cmocka_unit_test(test_convert),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
