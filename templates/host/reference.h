/* What the plain reference of the self-test is written in: single values, floats in double and
 * integers in int64_t. fx_program 0 rounds nothing but what the model rounds; 1 rounds every float
 * to its type; the others then move it by up to two units in the last place. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static int fx_program;
static double fx_round(int type, double x);
//@BEGIN
/* ---- what the reference is written in -------------------------------------------------------- */

//@SECTION fx_ref_noise
static double fx_ref_noise(void) /* from -1 to 1; program 1 has none */
{
    static uint64_t state;
    if (fx_program == 1) return 0;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)state * 0x1p-63;
}

//@SECTION fx_ref_f32
/* A result of type f32. What is exact in f32 is so in every program. */
static double fx_ref_f32(double x)
{
    double rounded = (double)(float)x;
    if (!fx_program) return x;
    if (rounded == x || !isfinite(rounded)) return rounded;
    return (double)(float)(x * (1 + 0x1p-22 * fx_ref_noise()));
}

//@SECTION fx_ref_f64
static double fx_ref_f64(double x)
{
    if (!fx_program || !isfinite(x) || x == rint(x)) return x;
    return x * (1 + 0x1p-51 * fx_ref_noise());
}

//@SECTION fx_ref_sum_f32
/* A sum, or product, on its way: of type f32. */
static double fx_ref_sum_f32(double x) { return fx_program ? (double)(float)x : x; }

//@SECTION fx_ref_sum_f64
static double fx_ref_sum_f64(double x)
{
    return fx_program && isfinite(x) ? x * (1 + 0x1p-53 * fx_ref_noise()) : x;
}

//@SECTION fx_ref_narrow
/* x as a type below f32. Of numbers next to a tie, some honest program comes to the other side. */
static double fx_ref_narrow(int type, double x)
{
    double rounded = fx_round(type, x), opposite = 2 * x - rounded;
    if (!fx_program || !isfinite(rounded) || fx_round(type, opposite) == opposite) return rounded;
    return fx_round(type, x * (1 + 0x1p-18 * fx_ref_noise()));
}

//@SECTION fx_ref_short
/* An operand of a contraction whose @precision keeps so many bits. */
static double fx_ref_short(double x, int bits)
{
    int exponent;
    if (!fx_program || !isfinite(x)) return x;
    double mantissa = frexp(x, &exponent);
    return ldexp(rint(ldexp(mantissa, bits)), exponent - bits);
}

//@SECTION fx_ref_array
static void *fx_ref_array(int64_t count)
{
    void *at = malloc((size_t)count * 8);
    if (at) return at;
    fprintf(stderr, "out of memory for the reference\n");
    exit(3);
}

//@SECTION fx_ref_max
static double fx_ref_max(double a, double b) { return a > b || a != a ? a : b; }

//@SECTION fx_ref_min
static double fx_ref_min(double a, double b) { return a < b || a != a ? a : b; }

//@SECTION fx_ref_sign
static double fx_ref_sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

//@SECTION fx_ref_isnan
static int fx_ref_isnan(double x) { return x != x; }

//@SECTION fx_ref_above
/* For argmax: the first NaN wins, then the first of equals. */
static int fx_ref_above(double x, double best) { return best == best && !(x <= best); }

//@SECTION fx_ref_int
static int64_t fx_ref_int(double x, int64_t least, int64_t most)
{
    if (x != x) return 0;
    if (x <= (double)least) return least;
    return x >= (double)most ? most : (int64_t)x;
}

//@SECTION fx_ref_add
static int64_t fx_ref_add(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }

//@SECTION fx_ref_sub
static int64_t fx_ref_sub(int64_t a, int64_t b) { return (int64_t)((uint64_t)a - (uint64_t)b); }

//@SECTION fx_ref_mul
static int64_t fx_ref_mul(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }

//@SECTION fx_ref_div
static int64_t fx_ref_div(int64_t a, int64_t b)
{
    if (b == -1) return (int64_t)(0 - (uint64_t)a);
    return b ? a / b : 0;
}

//@SECTION fx_ref_mod
static int64_t fx_ref_mod(int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }

//@SECTION fx_ref_pow
static int64_t fx_ref_pow(int64_t a, int64_t n)
{
    uint64_t power = 1;
    if (n < 0) return a == 1 ? 1 : a == -1 ? (n % 2 ? -1 : 1) : 0;
    for (uint64_t factor = (uint64_t)a; n; n /= 2, factor *= factor)
        if (n % 2) power *= factor;
    return (int64_t)power;
}

//@SECTION fx_ref_index
static int64_t fx_ref_index(int64_t i, int64_t size) { return i < 0 ? 0 : i < size ? i : size - 1; }
