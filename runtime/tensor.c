/* tensor.c: arrays of numbers in memory.
 * In: a type and a shape. Out: aligned memory, access to elements, reproducible random contents,
 * and a one-line summary. */
#include "runtime/runtime.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TENSOR_ALIGN = 64 }; /* a cache line, and the widest vector */

/* A shape with a 0 in it is fine however large its other dims are. */
int64_t shape_count(int rank, const int64_t *shape) {
    int64_t count = 1;
    bool empty = false, overflow = false;
    if (rank < 0 || rank > TENSOR_RANK_MAX) return -1;
    for (int i = 0; i < rank; i++) {
        if (shape[i] < 0) return -1;
        if (shape[i] == 0)
            empty = true;
        else if (count > INT64_MAX / shape[i])
            overflow = true;
        else
            count *= shape[i];
    }
    return empty ? 0 : overflow ? -1 : count;
}

void tensor_shape_print(Dtype type, int rank, const int64_t *shape, Text *out) {
    text_str(out, dtype_name(type));
    for (int i = 0; i < rank; i++) text_printf(out, "%s%" PRId64, i ? ", " : "[", shape[i]);
    if (rank) text_char(out, ']');
}

Tensor *tensor_new(Dtype type, int rank, const int64_t *shape) {
    int64_t count = shape_count(rank, shape);
    size_t size = dtype_size(type);
    if (count < 0 || !size || (uint64_t)count > (PTRDIFF_MAX - TENSOR_ALIGN) / size) return NULL;
    Tensor *tensor = calloc(1, sizeof *tensor);
    if (!tensor) return NULL;
    *tensor = (Tensor){.type = type, .rank = rank, .bytes = (size_t)count * size};
    if (rank) memcpy(tensor->shape, shape, (size_t)rank * sizeof *shape);
    if (posix_memalign(&tensor->data, TENSOR_ALIGN, tensor->bytes ? tensor->bytes : 1)) {
        free(tensor);
        return NULL;
    }
    return tensor;
}

void tensor_free(Tensor *tensor) {
    if (!tensor) return;
    free(tensor->data);
    free(tensor);
}

int64_t tensor_count(const Tensor *tensor) {
    return (int64_t)(tensor->bytes / dtype_size(tensor->type));
}

static void *element_at(const Tensor *tensor, int64_t index) {
    if (index < 0 || index >= tensor_count(tensor))
        BUG("element %" PRId64 " of a tensor of %" PRId64, index, tensor_count(tensor));
    return (char *)tensor->data + (size_t)index * dtype_size(tensor->type);
}

Scalar tensor_get(const Tensor *tensor, int64_t index) {
    return dtype_load(tensor->type, element_at(tensor, index));
}

void tensor_set(Tensor *tensor, int64_t index, Scalar value) {
    dtype_store(tensor->type, element_at(tensor, index), value);
}

/* ---- contents --------------------------------------------------------------------------- */

/* SplitMix64 (Steele, Lea, Flood 2014), as a function of the counter: 64 bits of output for every
 * counter, no state. */
static uint64_t splitmix64(uint64_t counter) {
    uint64_t z = counter * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A multiple of half the type's epsilon in [-1, 1): each is a number of the type, so that no
 * rounding makes a 1 of it. There are 4 / epsilon of them, a power of two. */
static double random_float(Dtype type, uint64_t bits) {
    double step = dtype_epsilon(type) / 2;
    int64_t half = (int64_t)(1 / step);
    return (double)((int64_t)(bits & (2 * (uint64_t)half - 1)) - half) * step;
}

static Scalar random_scalar(Dtype type, uint64_t bits) {
    if (dtype_is_float(type)) return (Scalar){.f = random_float(type, bits)};
    if (type == T_BOOL) return (Scalar){.i = bits & 1};
    if (type == T_I8) return (Scalar){.i = (int64_t)(bits & 15) - 8};
    return (Scalar){.i = (int64_t)(bits % 10)};
}

void tensor_random(Tensor *tensor, uint64_t seed) {
    uint64_t start = splitmix64(seed + 1);
    for (int64_t i = 0, count = tensor_count(tensor); i < count; i++)
        tensor_set(tensor, i, random_scalar(tensor->type, splitmix64(start + (uint64_t)i)));
}

/* A number from ceil(low) to below ceil(high), or ceil(low) if there is none. */
static int64_t random_integer(double low, double high, uint64_t bits) {
    const double numbers = ceil(high) - ceil(low);
    if (numbers < 0x1p64) bits = numbers > 0 ? bits % (uint64_t)numbers : 0; /* else: all of i64 */
    return (int64_t)((uint64_t)(int64_t)ceil(low) + bits);
}

void tensor_random_between(Tensor *tensor, uint64_t seed, double low, double high) {
    uint64_t start = splitmix64(seed + 1);
    bool is_float = dtype_is_float(tensor->type);
    for (int64_t i = 0, size = tensor_count(tensor); i < size; i++) {
        uint64_t bits = splitmix64(start + (uint64_t)i);
        double part = (double)(bits >> 11) * 0x1p-53;
        Scalar value = is_float ? (Scalar){.f = low + (high - low) * part}
                                : (Scalar){.i = random_integer(low, high, bits)};
        tensor_set(tensor, i, value);
    }
}

void tensor_poison(Tensor *tensor) {
    memset(tensor->data, dtype_is_float(tensor->type) ? 0xff : 0xcd, tensor->bytes);
}

uint64_t tensor_hash(const Tensor *tensor) {
    size_t rank = (size_t)tensor->rank;
    uint64_t seed = hash_bytes(tensor->shape, rank * sizeof *tensor->shape, tensor->type);
    return hash_bytes(tensor->data, tensor->bytes, seed);
}

/* ---- one line about it ------------------------------------------------------------------ */

typedef struct Summary {
    double sum, most;
    int64_t most_int; /* `most` of an integer type, exactly */
    int64_t numbers, nans;
} Summary;

static Summary summarise(const Tensor *tensor) {
    Summary s = {.most = -INFINITY, .most_int = INT64_MIN};
    bool is_float = dtype_is_float(tensor->type);
    for (int64_t i = 0, count = tensor_count(tensor); i < count; i++) {
        Scalar element = tensor_get(tensor, i);
        double value = is_float ? element.f : (double)element.i;
        if (isnan(value)) {
            s.nans++;
            continue;
        }
        s.numbers++;
        s.sum += value;
        if (value > s.most) s.most = value;
        if (!is_float && element.i > s.most_int) s.most_int = element.i;
    }
    return s;
}

void tensor_summary(const Tensor *tensor, Text *out) {
    Summary s = summarise(tensor);
    tensor_shape_print(tensor->type, tensor->rank, tensor->shape, out);
    if (s.numbers) {
        const double mean = s.sum / (double)s.numbers;
        text_printf(out, "  mean %.4g  max ", isnan(mean) ? (double)NAN : mean); /* never "-nan" */
        if (dtype_is_float(tensor->type))
            text_printf(out, "%.4g", s.most);
        else
            text_printf(out, "%" PRId64, s.most_int);
    }
    if (s.nans) text_printf(out, "  nan %" PRId64, s.nans);
    if (!tensor->bytes) text_str(out, "  empty");
    text_printf(out, "  checksum %016" PRIx64, tensor_hash(tensor));
}
