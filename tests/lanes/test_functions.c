/* functions.h and the roots, measured: each against libm, in double or long double, in units in the
 * last place. The bounds are those of the `ulp:` comments in templates/c (TEMPLATES). `test_functions
 * all exp_f32` tries every float instead. */
#define _DEFAULT_SOURCE
#include "templates/c/functions.h"
#include "templates/c/memory.h"
#include "tests/lanes/lanes.h"

#include <float.h>

#ifndef TEMPLATES
#define TEMPLATES "templates/c"
#endif

enum { CHUNK = 4096 };

/* ---- errors in units of the last place ----------------------------------------------------- */

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

/* A template, whole. */
static char *template_read(const char *file) {
    enum { MOST = 1 << 18 };
    char path[4096], *text = calloc(1, MOST);
    snprintf(path, sizeof path, "%s/%s", TEMPLATES, file);
    FILE *opened = fopen(path, "r");
    if (!opened) fail_msg("cannot read %s", path);
    if (!text || !fread(text, 1, MOST - 1, opened)) fail_msg("%s is empty", path);
    fclose(opened);
    return text;
}

/* The number after "ulp:" in the section of this name; the one after "without FMA" if need be. */
static double bound_of(const char *name) {
    static char *texts[2];
    if (!texts[0])
        texts[0] = template_read("functions.h"), texts[1] = template_read("arithmetic.h");
    char title[64], *bound = NULL;
    snprintf(title, sizeof title, "//@SECTION %s\n", name);
    for (int i = 0; i < 2 && !bound; i++) {
        char *section = strstr(texts[i], title);
        if (section) bound = strstr(section, "ulp: ");
    }
    if (!bound) fail_msg("no \"ulp:\" for %s in %s", name, TEMPLATES);
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

/* The names of libm's, in double and in long double, are the names of ours. */
static long double rsqrt_of(long double x) { return 1 / sqrtl(x); }
static double rsqrt_double(double x) { return 1 / sqrt(x); }
#define rsqrtl rsqrt_of
#define rsqrt  rsqrt_double

typedef struct Unary32 {
    const char *name;
    void (*run)(float *y, const float *x, int n); /* n: a multiple of VL */
    double (*quick)(double); /* exact enough for f32 */
    double lo, hi;           /* where it is neither trivial nor out of range */
} Unary32;

typedef struct Unary64 {
    const char *name;
    void (*run)(double *y, const double *x, int n);
    long double (*want)(long double);
    double lo, hi;
} Unary64;

typedef struct Binary {
    const char *name, *name64;
    void (*run)(float *y, const float *a, const float *b, int n);
    void (*run64)(double *y, const double *a, const double *b, int n);
    long double (*want)(long double, long double);
} Binary;

/* measured.inc is made from templates/c: every function that states a bound is in it. */
#define F32(F, LO, HI)                                                                             \
    static void run_##F##_f32(float *y, const float *x, int n) {                                   \
        for (int i = 0; i < n; i += VL) st_f32(y + i, F##_f32(ld_f32(x + i, VL)), VL);             \
    }
#define F64(F, LO, HI)                                                                             \
    static void run_##F##_f64(double *y, const double *x, int n) {                                 \
        for (int i = 0; i < n; i += VL) st_f64(y + i, F##_f64(ld_f64(x + i, VL)), VL);             \
    }
#define BINARY(F)                                                                                  \
    static void run_##F##_f32(float *y, const float *a, const float *b, int n) {                   \
        for (int i = 0; i < n; i += VL)                                                            \
            st_f32(y + i, F##_f32(ld_f32(a + i, VL), ld_f32(b + i, VL)), VL);                      \
    }                                                                                              \
    static void run_##F##_f64(double *y, const double *a, const double *b, int n) {                \
        for (int i = 0; i < n; i += VL)                                                            \
            st_f64(y + i, F##_f64(ld_f64(a + i, VL), ld_f64(b + i, VL)), VL);                      \
    }
#include "measured.inc"
#undef F32
#undef F64
#undef BINARY

#define F32(F, LO, HI) {#F "_f32", run_##F##_f32, F, LO, HI},
#define F64(F, LO, HI)
#define BINARY(F)
static const Unary32 unary32[] = {
#include "measured.inc"
};
#undef F32
#undef F64
#define F32(F, LO, HI)
#define F64(F, LO, HI) {#F "_f64", run_##F##_f64, F##l, LO, HI},
static const Unary64 unary64[] = {
#include "measured.inc"
};
#undef F64
#undef BINARY
#define F64(F, LO, HI)
#define BINARY(F) {#F "_f32", #F "_f64", run_##F##_f32, run_##F##_f64, F##l},
static const Binary binaries[] = {
#include "measured.inc"
};
enum { UNARY32_COUNT = sizeof unary32 / sizeof *unary32 };
enum { UNARY64_COUNT = sizeof unary64 / sizeof *unary64 };
enum { BINARY_COUNT = sizeof binaries / sizeof *binaries };

static void measure32(const Unary32 *f, const float *x, Worst *worst) {
    static float y[CHUNK];
    f->run(y, x, CHUNK);
    for (int i = 0; i < CHUNK; i++) {
        const double want = f->quick(x[i]);
        const float nearest = (float)want; /* half a unit away at most, and no bound is less */
        if (memcmp(&y[i], &nearest, sizeof nearest))
            worst_note(worst, ulps_f32(y[i], want), x[i], 0);
    }
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
        Worst worst = {unary32[k].name, 0.5, 0, 0};
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

static void measure_binary(const Binary *f, const float *a, const float *b, Worst *worst,
                           Worst *worst64) {
    static float y[CHUNK];
    static double wide_a[CHUNK], wide_b[CHUNK], wide[CHUNK];
    for (int i = 0; i < CHUNK; i++) wide_a[i] = a[i], wide_b[i] = b[i];
    f->run(y, a, b, CHUNK);
    f->run64(wide, wide_a, wide_b, CHUNK);
    for (int i = 0; i < CHUNK; i++) {
        long double want = f->want(a[i], b[i]);
        worst_note(worst, ulps_f32(y[i], want), a[i], b[i]);
        worst_note(worst64, ulps_f64(wide[i], want), a[i], b[i]);
    }
}

/* Every pair of numbers at which something happens, in every combination of signs. */
static void odd_pairs(float *a, float *b) {
    static const float odd_ones[] = {0,        1,           2,
                                     3,        0.5f,        1.5f,
                                     7,        0x1p23f,     0x1.000002p23f,
                                     0x1p24f,  1e30f,       0x1p-149f,
                                     FLT_MAX,  0.99999994f, 1.0000001f,
                                     INFINITY, NAN};
    enum { ODD = sizeof odd_ones / sizeof *odd_ones };
    for (int i = 0; i < CHUNK; i++) {
        a[i] = odd_ones[i / 4 % ODD] * (i & 1 ? -1 : 1);
        b[i] = odd_ones[i / 4 / ODD % ODD] * (i & 2 ? -1 : 1);
    }
}

/* Any first operand; second ones of any size, whole, of the first's size, and such that a power of
 * the first is in range. */
static void random_pairs(float *a, float *b) {
    for (int i = 0; i < CHUNK; i++) {
        a[i] = float_of((uint32_t)random_bits());
        double most = 152 / fabs(log2(fabs((double)a[i])));
        b[i] = i % 4 == 0   ? float_of((uint32_t)random_bits())
               : i % 4 == 1 ? (float)(int)random_in(-20, 20)
               : i % 4 == 2 ? a[i] * (float)random_in(-4, 4)
                            : (float)random_in(-most, most);
    }
}

static void near_one(float *a, float *b) {
    for (int i = 0; i < CHUNK; i++) {
        a[i] = (float)random_in(0.9, 1.1);
        b[i] = (float)random_in(-1000, 1000);
    }
}

static void test_binary(void **state) {
    (void)state;
    static float a[CHUNK], b[CHUNK];
    bool good = true;
    for (int k = 0; k < BINARY_COUNT; k++) {
        const Binary *f = &binaries[k];
        Worst worst = {f->name, -1, 0, 0}, worst64 = {f->name64, -1, 0, 0};
        odd_pairs(a, b);
        measure_binary(f, a, b, &worst, &worst64);
        for (int round = 0; round < 128; round++) {
            random_pairs(a, b);
            measure_binary(f, a, b, &worst, &worst64);
            near_one(a, b);
            measure_binary(f, a, b, &worst, &worst64);
        }
        good &= worst_check(&worst);
        good &= worst_check(&worst64);
    }
    assert_true(good);
}

/* ---- every float --------------------------------------------------------------------------- */

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
    fprintf(stderr, "test_functions all FUNCTION: exp_f32 and so on\n");
    return 2;
}

int main(int argc, char **argv) {
    if (argc == 3 && !strcmp(argv[1], "all")) return try_all(argv[2]);
    if (!has_lanes()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_f32),
        cmocka_unit_test(test_f64),
        cmocka_unit_test(test_binary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
