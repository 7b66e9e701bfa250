/* reference.h: functions of the self-test's reference, on scalars: floats in double, integers in
 * int64_t. With fx_program 0 they round only where the model does; with 1 they round every float
 * to its type; with others they also perturb it by up to two units in the last place. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
enum { FX_F32, FX_F64 };
static int fx_program;
static double fx_round(int type, double x);
//@BEGIN
/* ---- functions of the reference -------------------------------------------------------------- */

//@SECTION fx_ref_noise
static double fx_ref_noise(void) /* from -1 to 1; program 1 has none */
{
    static uint64_t state;
    if (fx_program == 1) return 0;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)state * 0x1p-63;
}

//@SECTION fx_ref_f32
/* A result of type f32. A result that is exact in f32 is exact in every program. */
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
/* A partial sum or product of type f32. */
static double fx_ref_sum_f32(double x) { return fx_program ? (double)(float)x : x; }

//@SECTION fx_ref_sum_f64
static double fx_ref_sum_f64(double x)
{
    return fx_program && isfinite(x) ? x * (1 + 0x1p-53 * fx_ref_noise()) : x;
}

//@SECTION fx_ref_of
/* A result of the given type. */
static double fx_ref_of(int type, double x)
{
    return type == FX_F64 ? fx_ref_f64(x) : fx_ref_f32(x);
}

//@SECTION fx_ref_power
/* x**n for a whole n from 0 to 64: repeated multiplication, as the language says. */
static double fx_ref_power(int type, double x, int n)
{
    double power = 1;
    if (!fx_program) return pow(x, n);
    for (int i = 0; i < n; i++) power = fx_ref_of(type, power * x);
    return power;
}

//@SECTION fx_ref_narrow
/* x as a type narrower than f32. Near a tie, a correct program may round to the other side. */
static double fx_ref_narrow(int type, double x)
{
    double rounded = fx_round(type, x), opposite = 2 * x - rounded;
    if (!fx_program || !isfinite(rounded) || fx_round(type, opposite) == opposite) return rounded;
    return fx_round(type, x * (1 + 0x1p-18 * fx_ref_noise()));
}

//@SECTION fx_ref_short
/* An operand of a contraction whose @precision keeps this many bits. */
static double fx_ref_short(double x, int bits)
{
    int exponent;
    if (!fx_program || !isfinite(x)) return x;
    double mantissa = frexp(x, &exponent);
    return ldexp(rint(ldexp(mantissa, bits)), exponent - bits);
}

//@SECTION fx_ref_f8_sum
/* A sum of products of f8, under @precision(f8): 32 at a time are added in 14 bits of the largest,
 * and sums of 128 in f32. */
typedef struct fx_ref_f8_sum {
    double term[33], part, total; /* term[32]: room for `part` */
    int64_t count;
} fx_ref_f8_sum;

static void fx_ref_f8_fold(fx_ref_f8_sum *s, int count)
{
    double largest = 0, sum = 0;
    int exponent;
    s->term[count] = s->part;
    for (int i = 0; i <= count; i++)
        if (!(fabs(s->term[i]) <= largest)) largest = fabs(s->term[i]);
    frexp(isinf(largest) ? 1 : largest, &exponent);
    for (int i = 0; i <= count; i++) {
        const double x = s->term[i];
        sum += fx_program ? ldexp(trunc(ldexp(x, 14 - exponent)), exponent - 14) : x;
    }
    s->part = fx_ref_sum_f32(sum);
}

static void fx_ref_f8_add(fx_ref_f8_sum *s, double x)
{
    s->term[s->count++ % 32] = x;
    if (s->count % 32 == 0) fx_ref_f8_fold(s, 32);
    if (s->count % 128) return;
    s->total = fx_ref_sum_f32(s->total + s->part);
    s->part = 0;
}

static double fx_ref_f8_total(fx_ref_f8_sum *s)
{
    if (s->count % 32) fx_ref_f8_fold(s, (int)(s->count % 32));
    return fx_ref_sum_f32(s->total + s->part);
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

//@SECTION fx_ref_philox
/* Philox 4x32-10: word index % 4 of the block with counter index / 4. */
static int64_t fx_ref_philox(int64_t seed, int64_t index)
{
    uint64_t block = (uint64_t)index / 4, key = (uint64_t)seed;
    uint32_t c[4] = {(uint32_t)block, (uint32_t)(block >> 32), 0, 0};
    uint32_t k[2] = {(uint32_t)key, (uint32_t)(key >> 32)};
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)c[0] * 0xD2511F53, b = (uint64_t)c[2] * 0xCD9E8D57;
        c[0] = (uint32_t)(b >> 32) ^ c[1] ^ k[0];
        c[1] = (uint32_t)b;
        c[2] = (uint32_t)(a >> 32) ^ c[3] ^ k[1];
        c[3] = (uint32_t)a;
        k[0] += 0x9E3779B9;
        k[1] += 0xBB67AE85;
    }
    return (int32_t)c[(uint64_t)index % 4];
}

//@SECTION fx_ref_unit_float
static double fx_ref_unit_float(int64_t bits) { return (double)((uint32_t)bits >> 8) * 0x1p-24; }

//@SECTION fx_ref_index
static int64_t fx_ref_index(int64_t i, int64_t size) { return i < 0 ? 0 : i < size ? i : size - 1; }

//@SECTION fx_ref_sigmoid
static double fx_ref_sigmoid(int type, double x)
{
    return fx_ref_of(type, 1 / fx_ref_of(type, 1 + fx_ref_of(type, exp(-x))));
}

//@SECTION fx_ref_silu
static double fx_ref_silu(int type, double x)
{
    return fx_ref_of(type, x / fx_ref_of(type, 1 + fx_ref_of(type, exp(-x))));
}

//@SECTION fx_ref_gelu
/* Program 0 uses a form without cancellation; so do the functions below. */
static double fx_ref_gelu(int type, double x)
{
    const double sqrt_half = 0.70710678118654752440;
    if (!fx_program) return x * erfc(-x * sqrt_half) / 2;
    double half = fx_ref_of(type, x / 2);
    double y = fx_ref_of(type, erf(fx_ref_of(type, x * fx_ref_of(type, sqrt_half))));
    return fx_ref_of(type, half + fx_ref_of(type, half * y));
}

//@SECTION fx_ref_gelu_tanh
static double fx_ref_gelu_tanh(int type, double x)
{
    double cube = fx_ref_of(type, fx_ref_of(type, x * x) * x), half = fx_ref_of(type, x / 2);
    double sum = fx_ref_of(type, x + fx_ref_of(type, fx_ref_of(type, 0.044715) * cube));
    double inner = fx_ref_of(type, fx_ref_of(type, 0.79788456080286535588) * sum); /* sqrt(2/pi) */
    if (!fx_program) return x / (1 + exp(-2 * inner));
    return fx_ref_of(type, half + fx_ref_of(type, half * fx_ref_of(type, tanh(inner))));
}

//@SECTION fx_ref_softplus
static double fx_ref_softplus(int type, double x)
{
    double tail = fx_ref_of(type, log1p(fx_ref_of(type, exp(-fabs(x)))));
    return fx_ref_of(type, fx_ref_max(x, 0) + tail);
}

//@SECTION fx_ref_row_max
static double fx_ref_row_max(const double *row, int64_t size)
{
    double most = -INFINITY;
    for (int64_t i = 0; i < size; i++) most = fx_ref_max(most, row[i]);
    return most;
}

//@SECTION fx_ref_row_sum
static double fx_ref_row_sum(int type, const double *row, int64_t size)
{
    double sum = 0;
    for (int64_t i = 0; i < size; i++)
        sum = type == FX_F64 ? fx_ref_sum_f64(sum + row[i]) : fx_ref_sum_f32(sum + row[i]);
    return fx_ref_of(type, sum);
}

//@SECTION fx_ref_row_exp
/* exp(x - most) in place; returns the sum. */
static double fx_ref_row_exp(int type, double *row, int64_t size, double most)
{
    for (int64_t i = 0; i < size; i++)
        row[i] = fx_ref_of(type, exp(fx_ref_of(type, row[i] - most)));
    return fx_ref_row_sum(type, row, size);
}

//@SECTION fx_ref_mean
static double fx_ref_mean(int type, const double *row, int64_t size)
{
    return fx_ref_of(type, fx_ref_row_sum(type, row, size) / (double)size);
}

//@SECTION fx_ref_var
/* Overwrites the row with the squared differences from the mean. */
static double fx_ref_var(int type, double *row, int64_t size)
{
    double mean = fx_ref_mean(type, row, size);
    for (int64_t i = 0; i < size; i++) {
        double x = fx_ref_of(type, row[i] - mean);
        row[i] = fx_ref_of(type, x * x);
    }
    return fx_ref_mean(type, row, size);
}

//@SECTION fx_ref_logsumexp
/* Overwrites the row with the exponentials. */
static double fx_ref_logsumexp(int type, double *row, int64_t size)
{
    double most = fx_ref_row_max(row, size);
    if (!isfinite(most)) return most;
    double sum = fx_ref_row_exp(type, row, size, most);
    return fx_ref_of(type, most + fx_ref_of(type, log(sum)));
}

//@SECTION fx_ref_softmax
static void fx_ref_softmax(int type, double *row, int64_t size)
{
    double most = fx_ref_row_max(row, size);
    int empty = most == -INFINITY;
    double sum = empty ? 1 : fx_ref_row_exp(type, row, size, most);
    for (int64_t i = 0; i < size; i++) row[i] = empty ? 0 : fx_ref_of(type, row[i] / sum);
}

//@SECTION fx_ref_log_softmax
static void fx_ref_log_softmax(int type, double *row, int64_t size)
{
    double *copy = (double *)fx_ref_array(size), most = fx_ref_row_max(row, size);
    double shift = most == -INFINITY ? 0 : most;
    for (int64_t i = 0; i < size; i++) copy[i] = row[i];
    double rest = fx_ref_of(type, log(fx_ref_row_exp(type, copy, size, shift)));
    for (int64_t i = 0; i < size; i++)
        row[i] = fx_ref_of(type, fx_ref_of(type, row[i] - shift) - rest);
    free(copy);
}

//@SECTION fx_ref_layer_norm
/* Without gain and bias. */
static void fx_ref_layer_norm(int type, double *row, int64_t size, double eps)
{
    double *copy = (double *)fx_ref_array(size), mean = fx_ref_mean(type, row, size);
    for (int64_t i = 0; i < size; i++) copy[i] = row[i];
    double inside = fx_ref_of(type, fx_ref_var(type, copy, size) + fx_ref_of(type, eps));
    double scale = fx_ref_of(type, 1 / sqrt(inside));
    for (int64_t i = 0; i < size; i++)
        row[i] = fx_ref_of(type, fx_ref_of(type, row[i] - mean) * scale);
    free(copy);
}

//@SECTION fx_ref_rms_norm
/* Without the gain. */
static void fx_ref_rms_norm(int type, double *row, int64_t size, double eps)
{
    double *copy = (double *)fx_ref_array(size);
    for (int64_t i = 0; i < size; i++) copy[i] = fx_ref_of(type, row[i] * row[i]);
    double inside = fx_ref_of(type, fx_ref_mean(type, copy, size) + fx_ref_of(type, eps));
    double scale = fx_ref_of(type, 1 / sqrt(inside));
    for (int64_t i = 0; i < size; i++) row[i] = fx_ref_of(type, row[i] * scale);
    free(copy);
}

//@SECTION fx_ref_cross_entropy
static double fx_ref_cross_entropy(int type, double *row, int64_t size, int64_t label)
{
    double most = fx_ref_row_max(row, size), shift = most == -INFINITY ? 0 : most;
    double below = fx_ref_of(type, shift - row[fx_ref_index(label, size)]);
    if (most == INFINITY) return below;
    double rest = fx_ref_of(type, log(fx_ref_row_exp(type, row, size, shift)));
    return fx_ref_of(type, below + rest);
}

//@SECTION fx_ref_clamp
static int64_t fx_ref_clamp(int64_t x, int64_t lo, int64_t hi)
{
    int64_t raised = x > lo ? x : lo;
    return raised < hi ? raised : hi;
}
