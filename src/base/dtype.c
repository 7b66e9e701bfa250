/* dtype.c: the element types, and the exact conversion of a number to each of them.
 * In: a double or an int64. Out: the bytes of one element, rounded once, to nearest, ties to even.
 * All narrow float formats are one format with different parameters: see Format. */
#include "base/base.h"

#include <math.h>
#include <string.h>

/* mantissa  bits stored after the point
 * emin      exponent of the smallest normal number; subnormals are multiples of 2^(emin-mantissa)
 * most      bit pattern of the largest finite number
 * inf, nan  bit patterns; f8e4m3 has no infinity and gives NaN instead (OCP FP8 without saturation)
 * sign      the sign's bit */
typedef struct Format {
    int mantissa, emin;
    uint16_t most, inf, nan, sign;
} Format;

static const struct TypeRow {
    const char *name;
    uint8_t size, precision; /* bytes; bits of the mantissa of a float type */
    enum { CLASS_NONE, CLASS_BOOL, CLASS_INT, CLASS_FLOAT } class;
    Dtype compute;
    Format format; /* of the narrow floats */
} types[T_COUNT] = {
    [T_NONE] = {"none", 0, 0, CLASS_NONE, T_NONE, {0}},
    [T_BOOL] = {"bool", 1, 0, CLASS_BOOL, T_BOOL, {0}},
    [T_U8] = {"u8", 1, 0, CLASS_INT, T_I32, {0}},
    [T_I8] = {"i8", 1, 0, CLASS_INT, T_I32, {0}},
    [T_I32] = {"i32", 4, 0, CLASS_INT, T_I32, {0}},
    [T_I64] = {"i64", 8, 0, CLASS_INT, T_I64, {0}},
    [T_F8E4M3] = {"f8e4m3", 1, 3, CLASS_FLOAT, T_F32, {3, -6, 0x7e, 0x7f, 0x7f, 0x80}},
    [T_F8E5M2] = {"f8e5m2", 1, 2, CLASS_FLOAT, T_F32, {2, -14, 0x7b, 0x7c, 0x7e, 0x80}},
    [T_BF16] = {"bf16", 2, 7, CLASS_FLOAT, T_F32, {7, -126, 0x7f7f, 0x7f80, 0x7fc0, 0x8000}},
    [T_F16] = {"f16", 2, 10, CLASS_FLOAT, T_F32, {10, -14, 0x7bff, 0x7c00, 0x7e00, 0x8000}},
    [T_F32] = {"f32", 4, 23, CLASS_FLOAT, T_F32, {0}},
    [T_F64] = {"f64", 8, 52, CLASS_FLOAT, T_F64, {0}},
};

static const struct TypeRow *row(Dtype type) {
    if ((unsigned)type >= T_COUNT) BUG("no type %d", type);
    return &types[type];
}

const char *dtype_name(Dtype type) { return row(type)->name; }

Dtype dtype_parse(const char *name) {
    for (Dtype type = T_NONE + 1; type < T_COUNT; type++)
        if (!strcmp(name, row(type)->name)) return type;
    return T_NONE;
}

size_t dtype_size(Dtype type) { return row(type)->size; }
bool dtype_is_float(Dtype type) { return row(type)->class == CLASS_FLOAT; }
bool dtype_is_narrow(Dtype type) { return dtype_is_float(type) && row(type)->size < 4; }
bool dtype_is_int(Dtype type) { return row(type)->class == CLASS_INT; }
Dtype dtype_compute(Dtype type) { return row(type)->compute; }

double dtype_epsilon(Dtype type) {
    return dtype_is_float(type) ? ldexp(1.0, -row(type)->precision) : 0.0;
}

/* ---- narrow floats ---------------------------------------------------------------------- */

enum { DOUBLE_MANTISSA = 52, DOUBLE_BIAS = 1023 };

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* mantissa >> shift, to nearest, ties to even; 1 <= shift <= 63. */
static uint64_t shift_rounding(uint64_t mantissa, int shift) {
    uint64_t kept = mantissa >> shift, lost = mantissa & (((uint64_t)1 << shift) - 1);
    uint64_t half = (uint64_t)1 << (shift - 1);
    return kept + (lost > half || (lost == half && (kept & 1)));
}

/* The bits of a positive finite double in format f. A carry out of the mantissa increments the
 * exponent, which is correct: it rounds up to the next power of two. A subnormal double is far
 * below every format's smallest number and becomes zero. */
static uint64_t encode_magnitude(const Format *f, uint64_t bits) {
    int exponent = (int)(bits >> DOUBLE_MANTISSA) - DOUBLE_BIAS;
    uint64_t hidden = (uint64_t)1 << DOUBLE_MANTISSA;
    uint64_t mantissa = (bits & (hidden - 1)) | hidden;
    int shift = DOUBLE_MANTISSA - f->mantissa, above = exponent - f->emin;
    if (above < 0) shift -= above, above = 0;
    if (shift > DOUBLE_MANTISSA + 2) return 0; /* below half of the smallest number */
    uint64_t code = shift_rounding(mantissa, shift);
    return code + ((uint64_t)above << f->mantissa);
}

static uint16_t encode(const Format *f, double value) {
    uint64_t bits = bits_of(value);
    uint16_t sign = bits >> 63 ? f->sign : 0;
    if (isnan(value)) return sign | f->nan;
    if (isinf(value)) return sign | f->inf;
    uint64_t code = encode_magnitude(f, bits & ~((uint64_t)1 << 63));
    return sign | (code > f->most ? f->inf : (uint16_t)code);
}

static double decode_magnitude(const Format *f, uint16_t code) {
    if (code > f->most) return code == f->inf && f->inf != f->nan ? INFINITY : NAN;
    uint64_t exponent = code >> f->mantissa;
    uint64_t mantissa = code & ((1u << f->mantissa) - 1);
    double smallest = double_of((uint64_t)(f->emin - f->mantissa + DOUBLE_BIAS) << DOUBLE_MANTISSA);
    if (!exponent) return (double)mantissa * smallest;
    exponent += (uint64_t)(f->emin - 1 + DOUBLE_BIAS);
    return double_of(exponent << DOUBLE_MANTISSA | mantissa << (DOUBLE_MANTISSA - f->mantissa));
}

static double decode(const Format *f, uint16_t code) {
    double magnitude = decode_magnitude(f, code & (uint16_t)~f->sign);
    return code & f->sign ? -magnitude : magnitude;
}

/* ---- elements in memory ----------------------------------------------------------------- */

/* One element in memory. */
typedef union Element {
    uint8_t u8;
    int8_t i8;
    uint16_t u16;
    int32_t i32;
    int64_t i64;
    float f32;
    double f64;
} Element;

/* A copy whose length the compiler knows in each case: the evaluator makes hundreds of millions. */
static void copy_element(void *to, const void *from, size_t size) {
    switch (size) {
    case 1: memcpy(to, from, 1); break;
    case 2: memcpy(to, from, 2); break;
    case 4: memcpy(to, from, 4); break;
    default: memcpy(to, from, 8);
    }
}

Scalar dtype_load(Dtype type, const void *at) {
    Element x;
    copy_element(&x, at, row(type)->size);
    switch (type) {
    case T_BOOL: return (Scalar){.i = x.u8 != 0};
    case T_U8: return (Scalar){.i = x.u8};
    case T_I8: return (Scalar){.i = x.i8};
    case T_I32: return (Scalar){.i = x.i32};
    case T_I64: return (Scalar){.i = x.i64};
    case T_F8E4M3:
    case T_F8E5M2: return (Scalar){.f = decode(&row(type)->format, x.u8)};
    case T_BF16:
    case T_F16: return (Scalar){.f = decode(&row(type)->format, x.u16)};
    case T_F32: return (Scalar){.f = x.f32};
    case T_F64: return (Scalar){.f = x.f64};
    default: BUG("load of element type %d", (int)type);
    }
}

/* Conversions of an integer to a narrower signed type wrap, as gcc and clang define. */
void dtype_store(Dtype type, void *at, Scalar value) {
    Element x;
    switch (type) {
    case T_BOOL: x.u8 = value.i != 0; break;
    case T_U8: x.u8 = (uint8_t)value.i; break;
    case T_I8: x.i8 = (int8_t)value.i; break;
    case T_I32: x.i32 = (int32_t)value.i; break;
    case T_I64: x.i64 = value.i; break;
    case T_F8E4M3:
    case T_F8E5M2: x.u8 = (uint8_t)encode(&row(type)->format, value.f); break;
    case T_BF16:
    case T_F16: x.u16 = encode(&row(type)->format, value.f); break;
    case T_F32: x.f32 = (float)value.f; break;
    case T_F64: x.f64 = value.f; break;
    default: BUG("store of element type %d", (int)type);
    }
    copy_element(at, &x, row(type)->size);
}

/* ---- conversions ------------------------------------------------------------------------ */

double dtype_round(Dtype type, double value) {
    Element x;
    if (!dtype_is_float(type)) return (double)dtype_convert(T_F64, type, (Scalar){.f = value}).i;
    dtype_store(type, &x, (Scalar){.f = value});
    return dtype_load(type, &x).f;
}

static Scalar wrap(Dtype type, int64_t value) {
    Element x;
    dtype_store(type, &x, (Scalar){.i = value});
    return dtype_load(type, &x);
}

int64_t dtype_int_min(Dtype type) {
    return type == T_U8 ? 0 : type == T_I8 ? INT8_MIN : type == T_I32 ? INT32_MIN : INT64_MIN;
}

int64_t dtype_int_max(Dtype type) {
    return type == T_U8    ? UINT8_MAX
           : type == T_I8  ? INT8_MAX
           : type == T_I32 ? INT32_MAX
                           : INT64_MAX;
}

/* Truncates, then saturates. (double)INT64_MAX is 2^63, one too large: hence >=. */
static int64_t int_from_float(Dtype type, double value) {
    if (isnan(value)) return 0;
    if (value <= (double)dtype_int_min(type)) return dtype_int_min(type);
    if (value >= (double)dtype_int_max(type)) return dtype_int_max(type);
    return (int64_t)value;
}

/* An int64 of more than 53 bits does not fit in a double. For a narrower target it is first rounded
 * to odd: the low eleven bits are ORed into the bit above them, so that the second rounding gives
 * the same result as a single one. */
static double float_from_int(Dtype type, int64_t value) {
    uint64_t lost = (1 << 11) - 1, size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    if (type == T_F64 || size >> 53 == 0) return dtype_round(type, (double)value);
    if (size & lost) size = (size & ~lost) | (lost + 1);
    return dtype_round(type, value < 0 ? -(double)size : (double)size);
}

Scalar dtype_convert(Dtype from, Dtype to, Scalar value) {
    bool was_float = dtype_is_float(from);
    if (to == T_BOOL) return (Scalar){.i = was_float ? value.f != 0.0 : value.i != 0};
    if (!dtype_is_float(to))
        return was_float ? (Scalar){.i = int_from_float(to, value.f)} : wrap(to, value.i);
    return (Scalar){.f = was_float ? dtype_round(to, value.f) : float_from_int(to, value.i)};
}
