/* reduce.h: reductions over the lanes of a vector, and replacing the lanes beyond a row's end.
 * Sections as in lanes.h. */
#pragma once
#include "arithmetic.h"
//@BEGIN
//@SECTION --
// ---- reductions over the lanes; every lane gets the result ---------------------------------

//@SECTION add_f32
LANES f32 add_f32(f32 a, f32 b) { return a + b; }

//@SECTION mul_f32
LANES f32 mul_f32(f32 a, f32 b) { return a * b; }

//@SECTION add_f64
LANES f64 add_f64(f64 a, f64 b) { return a + b; }

//@SECTION mul_f64
LANES f64 mul_f64(f64 a, f64 b) { return a * b; }

//@SECTION sum_lanes_f32
LANES f32 sum_lanes_f32(f32 x) {
    FOLD(add_f32, x);
    return x;
}

//@SECTION prod_lanes_f32
LANES f32 prod_lanes_f32(f32 x) {
    FOLD(mul_f32, x);
    return x;
}

//@SECTION LANES_OF_NUMBERS
/* The largest or smallest lane, or NaN: a test of all lanes beside the chain of folds, which has
 * the instruction alone. */
#define LANES_OF_NUMBERS(F, X)                                                                     \
    unsigned has_nan;                                                                              \
    __asm__("vcmpunordps %1, %1, %%k1\n\tkmovw %%k1, %0" : "=r"(has_nan) : "v"(X) : "k1");         \
    FOLD(F, X);                                                                                    \
    return has_nan ? splat_f32(__builtin_nanf("")) : X

//@SECTION max_lanes_f32
#if defined(__AVX512F__) && VL == 16
LANES f32 max_number_f32(f32 a, f32 b) {
    __asm__("vmaxps %1, %0, %0" : "+v"(a) : "v"(b));
    return a;
}
LANES f32 max_lanes_f32(f32 x) { LANES_OF_NUMBERS(max_number_f32, x); }
#else
LANES f32 max_lanes_f32(f32 x) {
    FOLD(max_f32, x);
    return x;
}
#endif

//@SECTION min_lanes_f32
#if defined(__AVX512F__) && VL == 16
LANES f32 min_number_f32(f32 a, f32 b) {
    __asm__("vminps %1, %0, %0" : "+v"(a) : "v"(b));
    return a;
}
LANES f32 min_lanes_f32(f32 x) { LANES_OF_NUMBERS(min_number_f32, x); }
#else
LANES f32 min_lanes_f32(f32 x) {
    FOLD(min_f32, x);
    return x;
}
#endif

//@SECTION sum_lanes_f64
LANES f64 sum_lanes_f64(f64 x) {
    FOLD_64(add_f64, x, f);
    return x;
}

//@SECTION prod_lanes_f64
LANES f64 prod_lanes_f64(f64 x) {
    FOLD_64(mul_f64, x, f);
    return x;
}

//@SECTION max_lanes_f64
LANES f64 max_lanes_f64(f64 x) {
    FOLD_64(max_f64, x, f);
    return x;
}

//@SECTION min_lanes_f64
LANES f64 min_lanes_f64(f64 x) {
    FOLD_64(min_f64, x, f);
    return x;
}

//@SECTION sum_lanes_i32
LANES i32 sum_lanes_i32(i32 x) {
    FOLD(add_i32, x);
    return x;
}

//@SECTION prod_lanes_i32
LANES i32 prod_lanes_i32(i32 x) {
    FOLD(mul_i32, x);
    return x;
}

//@SECTION max_lanes_i32
LANES i32 max_lanes_i32(i32 x) {
    FOLD(max_i32, x);
    return x;
}

//@SECTION min_lanes_i32
LANES i32 min_lanes_i32(i32 x) {
    FOLD(min_i32, x);
    return x;
}

//@SECTION sum_lanes_i64
LANES i64 sum_lanes_i64(i64 x) {
    FOLD_64(add_i64, x, i);
    return x;
}

//@SECTION prod_lanes_i64
LANES i64 prod_lanes_i64(i64 x) {
    FOLD_64(mul_i64, x, i);
    return x;
}

//@SECTION max_lanes_i64
LANES i64 max_lanes_i64(i64 x) {
    FOLD_64(max_i64, x, i);
    return x;
}

//@SECTION min_lanes_i64
LANES i64 min_lanes_i64(i64 x) {
    FOLD_64(min_i64, x, i);
    return x;
}

//@SECTION --
// ---- lanes m and beyond replaced -----------------------------------------------------------

//@SECTION keep_f32
LANES f32 keep_f32(f32 v, idx m, float identity) {
    return m >= VL ? v : where_f32(lanes_i32(0) < (int32_t)m, v, splat_f32(identity));
}

//@SECTION keep_f64
LANES f64 keep_f64(f64 v, idx m, double identity) {
    return m >= VL ? v : where_f64(lanes_i32(0) < (int32_t)m, v, splat_f64(identity));
}

//@SECTION keep_i32
LANES i32 keep_i32(i32 v, idx m, int32_t identity) {
    return m >= VL ? v : where_i32(lanes_i32(0) < (int32_t)m, v, splat_i32(identity));
}

//@SECTION keep_i64
LANES i64 keep_i64(i64 v, idx m, int64_t identity) {
    return m >= VL ? v : where_i64(lanes_i32(0) < (int32_t)m, v, splat_i64(identity));
}

//@SECTION keep_b1
LANES b1 keep_b1(b1 v, idx m, int32_t identity) {
    return m >= VL ? v : where_b1(lanes_i32(0) < (int32_t)m, v, splat_b1(identity));
}
