/* selftest.c: the main program of an emitted file under -DFUSEC_MAIN, C or CUDA: valid C11 and
 * C++17. Its holes take the reference and the sizes of each function, and cpu.c or cuda.cu. */
#define MOST_TENSORS 1
#define MOST_DIMS 1
//@BEGIN
//@IF FOR_CUDA
#if defined(FUSEC_MAIN) && !defined(__CUDACC_RTC__)
//@END
//@IF FOR_CPU
#ifdef FUSEC_MAIN
//@END
/* With -DFUSEC_MAIN this file is a program that tests and times its functions: inputs are random,
 * and outputs are compared with a reference that evaluates the model's graph node by node in
 * double. Arguments such as N=1024 are sizes. Exit status: 0, or 1 on a mismatch, 2 usage, 3 no
 * memory or device.
 *
 * The exact reference (e) rounds only where the model does. The same steps with every float rounded
 * to its type and slightly perturbed (d, several times) show how far a correct program may be from
 * it:
 *
 *     every element    |c - e| <= 4 E + step + 8 u M,   E the largest |d - e| beyond step
 *     all together     rms(c - e) <= 4 rms(d - e) + 8 u rms(e) + steps, from 64 elements up
 *
 * where u is 2^-23 or 2^-52, M the largest |e|, and step the distance of neighbours at e in a type
 * narrower than f32. Integers, NaN and infinities must be as in e or in some d. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

//@IF FOR_CPU
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O1") /* of the test alone: it compiles in half the time */
#endif

//@END
enum {
    FX_BOOL, FX_U8, FX_I8, FX_I32, FX_I64, FX_F8E4M3, FX_F8E5M2, FX_BF16, FX_F16, FX_F32, FX_F64
};

typedef struct fx_tensor {
    const char *name;
    int type, rank;
    int64_t shape[8], count;
    int64_t below;         /* inputs of indices: the exclusive upper bound; else 0 */
    void *stored, *at;     /* elements as stored: on the host, where the function runs */
    void *given;           /* their values, in double or int64_t, as in the next two */
    void *exact, *other;   /* outputs: e and d */
    unsigned char *as_any; /* outputs: is the element as in e or some d: integer, NaN, infinity? */
    double most, rms;      /* of e */
    double error, spread;  /* E and rms(d - e) */
} fx_tensor;

typedef struct fx_function {
    const char *name;
    int inputs, outputs, dims;
    const char *const *dim;
    const int64_t *size; /* default size of each dim; 0: an argument must give it */
    const char *(*broken)(const int64_t *dims); /* the condition that these sizes break, or NULL */
    void (*shapes)(const int64_t *dims, fx_tensor *tensors);
    int64_t (*workspace)(const int64_t *dims);
    int (*call)(const int64_t *dims, void *const *at, void *workspace);
    void (*plain)(const int64_t *dims, void *const *data); /* the reference, or NULL */
    void (*work)(const int64_t *dims, double *bytes, double *flops, double *steps);
    //@IF PREPARES
    int64_t (*prepared)(const int64_t *dims); /* NULL: no input is constant. Else: */
    int (*prepare)(const int64_t *dims, void *const *at);
    //@END
} fx_function;

static int fx_program; /* of the reference: 0 exact, others with their own roundings */

static void fx_stop(const char *why)
{
    fprintf(stderr, "%s\n", why);
    exit(3);
}

//@HOLE TEST_MEMORY

//@HOLE TEST_VALUES

/* ---- inputs and outputs ---------------------------------------------------------------------- */

static void *fx_array(int64_t count, int bytes)
{
    void *at = calloc((size_t)count, (size_t)bytes);
    if (!at) fx_stop("out of memory");
    return at;
}

static void fx_open(fx_tensor *t, int number, int is_output)
{
    int64_t bytes;
    t->count = 1;
    for (int axis = 0; axis < t->rank; axis++) t->count *= t->shape[axis];
    bytes = t->count * fx_type[t->type].bytes;
    t->stored = fx_array(bytes, 1);
    t->given = fx_array(t->count, 8);
    t->at = fx_space(bytes);
    if (is_output) {
        t->exact = fx_array(t->count, 8);
        t->other = fx_array(t->count, 8);
        t->as_any = (unsigned char *)fx_array(t->count, 1);
        memset(t->stored, fx_is_float(t->type) ? 0xff : 0xcd, (size_t)bytes);
    } else {
        fx_fill(t, (uint64_t)number);
    }
    fx_put(t->at, t->stored, bytes);
}

static void fx_close(fx_tensor *t)
{
    fx_release(t->at);
    free(t->stored);
    free(t->given);
    free(t->exact);
    free(t->other);
    free(t->as_any);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static double fx_real(const void *values, int64_t i) { return ((const double *)values)[i]; }

static int fx_alike(const fx_tensor *t, const void *values, int64_t i)
{
    if (!fx_is_float(t->type))
        return ((const int64_t *)t->given)[i] == ((const int64_t *)values)[i];
    double c = fx_real(t->given, i), x = fx_real(values, i);
    return c == x || (isfinite(c) && isfinite(x)) || (c != c && x != x);
}

/* |values - e|; 0 if one of them is not finite: fx_alike compares those. */
static double fx_off(const fx_tensor *t, const void *values, int64_t i)
{
    double off = fabs(fx_real(values, i) - fx_real(t->exact, i));
    return isfinite(off) ? off : 0;
}

static double fx_rms(const fx_tensor *t, const void *values)
{
    double sum = 0;
    for (int64_t i = 0; i < t->count; i++) sum += fx_off(t, values, i) * fx_off(t, values, i);
    return sqrt(sum / (double)t->count);
}

/* Updates the error bounds after a run of the reference. */
static void fx_learn(fx_tensor *t)
{
    const void *values = fx_program ? t->other : t->exact;
    for (int64_t i = 0; i < t->count; i++) t->as_any[i] |= (unsigned char)fx_alike(t, values, i);
    if (!fx_is_float(t->type)) return;
    double sum = 0, spread = fx_program ? fx_rms(t, values) : 0;
    if (spread > t->spread) t->spread = spread;
    for (int64_t i = 0; i < t->count; i++) {
        double e = fx_real(t->exact, i), size = isfinite(e) ? fabs(e) : 0;
        double error = fx_program ? fx_off(t, values, i) : 0;
        if (fx_is_narrow(t->type)) error -= fx_step(t->type, e);
        if (size > t->most) t->most = size;
        if (error > t->error) t->error = error;
        sum += size * size;
    }
    t->rms = sqrt(sum / (double)t->count);
}

typedef struct fx_verdict {
    const fx_tensor *tensor;
    int64_t at; /* the worst element */
    double error, allowed, ratio;
    const char *what;
} fx_verdict;

static void fx_worse(fx_verdict *v, fx_verdict found)
{
    found.ratio = found.error <= found.allowed ? found.error / found.allowed : INFINITY;
    if (found.error == 0) found.ratio = 0;
    if (!v->tensor || found.ratio > v->ratio) *v = found;
}

static void fx_judge(const fx_tensor *t, fx_verdict *v)
{
    double n = (double)t->count, unit = ldexp(8, t->type == FX_F64 ? -52 : -23), mean, steps = 0;
    for (int64_t i = 0; i < t->count; i++) {
        fx_verdict found = {t, i, t->as_any[i] ? 0.0 : 1.0, 0, 0, "largest error"};
        if (t->as_any[i] && fx_is_float(t->type)) {
            found.error = fx_off(t, t->given, i);
            found.allowed = 4 * t->error + unit * t->most;
            if (fx_is_narrow(t->type)) found.allowed += fx_step(t->type, fx_real(t->exact, i));
        }
        fx_worse(v, found);
    }
    if (t->count < 64 || !fx_is_float(t->type)) return;
    mean = fx_rms(t, t->given);
    if (fx_is_narrow(t->type)) steps = fx_step(t->type, t->rms) * sqrt(fmax(4, n / 256) / n);
    steps += 4 * t->spread + unit * t->rms;
    fx_verdict found = {t, v->tensor == t ? v->at : 0, mean, steps, 0, "mean error"};
    if (!(found.error <= found.allowed)) fx_worse(v, found);
}

/* Runs the reference until the result is within the bounds, at most six times. */
static fx_verdict fx_compare(const fx_function *f, fx_tensor *tensors, const int64_t *dims)
{
    void *data[MOST_TENSORS];
    fx_verdict verdict = {NULL, 0, 0, 0, 0, ""};
    for (fx_program = 0; fx_program < 6; fx_program++) {
        for (int i = 0; i < f->inputs + f->outputs; i++) {
            data[i] = fx_program ? tensors[i].other : tensors[i].exact;
            if (i < f->inputs) data[i] = tensors[i].given;
        }
        f->plain(dims, data);
        verdict.tensor = NULL;
        for (int i = f->inputs; i < f->inputs + f->outputs; i++) {
            fx_learn(&tensors[i]);
            fx_judge(&tensors[i], &verdict);
        }
        if (fx_program >= 2 && verdict.ratio <= 1) break;
    }
    return verdict;
}

static void fx_print_value(const fx_tensor *t, const void *values, int64_t i)
{
    if (!fx_is_float(t->type)) printf("%lld", (long long)((const int64_t *)values)[i]);
    else if (isnan(fx_real(values, i))) printf("nan");
    else printf("%.9g", fx_real(values, i));
}

static void fx_print_verdict(const fx_verdict *v)
{
    const fx_tensor *t = v->tensor;
    int64_t rest = v->at, index[8] = {0};
    printf(v->ratio <= 1 ? "ok" : "FAILED");
    if (fx_is_float(t->type) && v->allowed > 0)
        printf(", %s %.2g of %.2g allowed", v->what, v->error, v->allowed);
    if (v->ratio <= 1) return;
    for (int axis = t->rank - 1; axis >= 0; rest /= t->shape[axis], axis--)
        index[axis] = rest % t->shape[axis];
    printf(": %s[", t->name);
    for (int axis = 0; axis < t->rank; axis++)
        printf("%s%lld", axis ? ", " : "", (long long)index[axis]);
    printf("] is ");
    fx_print_value(t, t->given, v->at);
    printf(", not ");
    fx_print_value(t, t->exact, v->at);
}

/* ---- timing ---------------------------------------------------------------------------------- */

static int fx_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Seconds of one run: the median of samples of at least a millisecond, over 0.2 s or more. */
static double fx_time(const fx_function *f, void *const *at, const int64_t *dims, void *space)
{
    double sample[201], total = 0;
    int runs = 1, count = 0;
    while (fx_seconds(f, at, dims, space, runs) < 1e-3 && runs < 1 << 20) runs *= 2;
    while (count < 201 && (total < 0.2 || count < 5)) {
        sample[count] = fx_seconds(f, at, dims, space, runs);
        total += sample[count++];
    }
    qsort(sample, (size_t)count, sizeof *sample, fx_order);
    return sample[count / 2] / runs;
}

/* ---- one function after the other ------------------------------------------------------------ */

static void fx_check(const fx_function *f, fx_tensor *tensors, const int64_t *dims, double steps,
                     int *failed)
{
    if (!f->plain || steps > 4e9) {
        printf("not checked (%s)", f->plain ? "the reference would take too long" : "no reference");
        return;
    }
    fx_verdict verdict = fx_compare(f, tensors, dims);
    *failed |= !(verdict.ratio <= 1);
    fx_print_verdict(&verdict);
}

static int fx_test(const fx_function *f, const int64_t *dims)
{
    fx_tensor tensors[MOST_TENSORS];
    void *at[MOST_TENSORS], *space = NULL;
    double bytes, flops, steps, seconds;
    int count = f->inputs + f->outputs, failed = 0;
    memset(tensors, 0, sizeof tensors);
    f->shapes(dims, tensors);
    f->work(dims, &bytes, &flops, &steps);
    for (int i = 0; i < count; i++) {
        fx_open(&tensors[i], i, i >= f->inputs);
        at[i] = tensors[i].at;
    }
    //@IF PREPARES
    if (f->prepared) {
        at[count] = fx_space(f->prepared(dims));
        if (f->prepare(dims, at)) fx_stop("the constants were not prepared");
    }
    //@END
    if (f->workspace(dims) > 0) space = fx_space(f->workspace(dims));
    if (f->call(dims, at, space)) fx_stop("the function did not run");
    for (int i = f->inputs; i < count; i++) {
        fx_get(tensors[i].stored, at[i], tensors[i].count * fx_type[tensors[i].type].bytes);
        for (int64_t j = 0; j < tensors[i].count; j++) fx_load(&tensors[i], j);
    }
    printf("%s", f->name);
    for (int i = 0; i < f->dims; i++) printf(" %s=%lld", f->dim[i], (long long)dims[i]);
    printf(": ");
    fx_check(f, tensors, dims, steps, &failed);
    seconds = fx_time(f, at, dims, space);
    printf("; %.2f us", 1e6 * seconds);
    if (bytes > 0) printf(", %.1f GB/s", 1e-9 * bytes / seconds);
    if (flops >= 1e12 * seconds) printf(", %.2f TFLOP/s", 1e-12 * flops / seconds);
    else if (flops > 0) printf(", %.1f GFLOP/s", 1e-9 * flops / seconds);
    printf("\n");
    for (int i = 0; i < count; i++) fx_close(&tensors[i]);
    if (space) fx_release(space);
    //@IF PREPARES
    if (f->prepared) fx_release(at[count]);
    //@END
    return failed;
}

//@HOLE TEST_FUNCTIONS
static const fx_function fx_functions[] = {
    //@HOLE TEST_TABLE
};
enum { FX_FUNCTIONS = sizeof fx_functions / sizeof *fx_functions };

/* ---- arguments ------------------------------------------------------------------------------- */

static int fx_usage(const char *program, const char *why, const char *what)
{
    fprintf(stderr, "%s%s\nusage: %s [NAME=SIZE..]\n", why, what, program);
    for (int k = 0; k < FX_FUNCTIONS; k++) {
        fprintf(stderr, "  %s", fx_functions[k].name);
        for (int i = 0; i < fx_functions[k].dims; i++)
            fprintf(stderr, " %s=%lld", fx_functions[k].dim[i], (long long)fx_functions[k].size[i]);
        fprintf(stderr, "\n");
    }
    return 2;
}

/* The size that an argument gives to a dim, 0 when it gives none. */
static int64_t fx_argument(const char *argument, const char *dim)
{
    size_t length = strlen(dim);
    char *end;
    if (strncmp(argument, dim, length) || argument[length] != '=') return 0;
    if (argument[length + 1] < '1' || argument[length + 1] > '9') return 0;
    long long size = strtoll(argument + length + 1, &end, 10);
    return *end || size > (long long)1 << 40 ? 0 : (int64_t)size;
}

int main(int argc, char **argv)
{
    int64_t dims[FX_FUNCTIONS][MOST_DIMS] = {{0}};
    int failed = 0;
    for (int k = 0; k < FX_FUNCTIONS; k++)
        for (int i = 0; i < fx_functions[k].dims; i++) dims[k][i] = fx_functions[k].size[i];
    for (int a = 1; a < argc; a++) {
        int known = 0;
        for (int k = 0; k < FX_FUNCTIONS; k++)
            for (int i = 0; i < fx_functions[k].dims; i++) {
                int64_t size = fx_argument(argv[a], fx_functions[k].dim[i]);
                if (size > 0) dims[k][i] = size, known = 1;
            }
        if (!known) return fx_usage(argv[0], "not a size: ", argv[a]);
    }
    for (int k = 0; k < FX_FUNCTIONS; k++) {
        for (int i = 0; i < fx_functions[k].dims; i++)
            if (dims[k][i] < 1) return fx_usage(argv[0], "no size for ", fx_functions[k].dim[i]);
        const char *broken = fx_functions[k].broken(dims[k]);
        if (broken) return fx_usage(argv[0], "the sizes break a condition of the model: ", broken);
    }
    for (int k = 0; k < FX_FUNCTIONS; k++) failed |= fx_test(&fx_functions[k], dims[k]);
    return failed;
}
#endif
