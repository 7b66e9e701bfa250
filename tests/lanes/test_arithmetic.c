/* lanes.h, arithmetic.h and reduce.h: what is exact, lane by lane, against plain C. */
#include "templates/c/arithmetic.h"
#include "templates/c/random.h"
#include "templates/c/reduce.h"
#include "tests/lanes/lanes.h"

#include <float.h>

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
        assert_int_equal(is_any(a), any);
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

/* Quotients near whole numbers, which may be rounded up to them. */
static void test_mod(void **state) {
    (void)state;
    for (int round = 0; round < 50000; round++) {
        f32 a, b;
        for (int i = 0; i < VL; i++) {
            const int bits = (int)(random_bits() % 26), exponent = (int)(random_bits() % 40) - 20;
            b[i] = ldexpf((float)random_in(1, 2), exponent);
            const float near = b[i] * (float)(random_bits() >> (63 - bits));
            a[i] = random_bits() & 1 ? near : nextafterf(near, random_bits() & 1 ? 0 : INFINITY);
            if (random_bits() & 1) a[i] = -a[i];
            if (random_bits() & 1) b[i] = -b[i];
        }
        CHECK_FLOAT(mod_f32(a, b), fmodf(a[i], b[i]));
    }
}

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

/* One block at a time: test_eval_map.c has the known answers. */
static uint32_t philox_reference(uint64_t seed, uint64_t index) {
    uint32_t c[4] = {(uint32_t)(index / 4), (uint32_t)(index / 4 >> 32), 0, 0};
    uint32_t k[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    for (int round = 0; round < 10; round++, k[0] += 0x9E3779B9, k[1] += 0xBB67AE85) {
        uint64_t a = (uint64_t)c[0] * 0xD2511F53, b = (uint64_t)c[2] * 0xCD9E8D57;
        uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ k[0], (uint32_t)b,
                            (uint32_t)(a >> 32) ^ c[3] ^ k[1], (uint32_t)a};
        memcpy(c, next, sizeof c);
    }
    return c[index % 4];
}

static void test_words(int64_t seed, int64_t start) {
    i64 at = lanes_i64(start);
    i32 words = philox_from_i64(splat_i64(seed), start);
    i32_pair of = philox_two_i64(splat_i64(seed), at);
    i32_pair from = philox_two_from_i64(splat_i64(seed), start);
    for (int i = 0; i < VL; i++) {
        const uint64_t index = (uint64_t)start + (uint64_t)i;
        const uint32_t first = philox_reference((uint64_t)seed, 2 * index);
        const uint32_t second = philox_reference((uint64_t)seed, 2 * index + 1);
        const uint32_t word = philox_reference((uint64_t)seed, index);
        if ((uint32_t)words[i] != word) fail_msg("word %lld", (long long)index);
        if ((uint32_t)of.first[i] != first || (uint32_t)of.second[i] != second)
            fail_msg("words at %lld", (long long)index);
        if ((uint32_t)from.first[i] != first || (uint32_t)from.second[i] != second)
            fail_msg("words from %lld, at %lld", (long long)start, (long long)index);
    }
}

/* Counters below 0, as of positions moved beyond an edge, continue at 0. */
static void test_neighbouring_words(void **state) {
    (void)state;
    for (int start = -3 * VL; start < 3 * VL; start++) test_words(start * 7, start);
    for (int round = 0; round < 500; round++)
        test_words((int64_t)random_bits(), (int64_t)random_bits());
}

static void test_random(void **state) {
    (void)state;
    for (int round = 0; round < 2000; round++) {
        i64 seed, index;
        for (int i = 0; i < VL; i++) {
            seed[i] = (int64_t)random_bits();
            index[i] = round % 2 ? (int64_t)random_bits() : round * VL + i;
        }
        i32 bits = philox_i64(seed, index);
        f32 unit = unit_float_i32(bits);
        for (int i = 0; i < VL; i++) {
            uint32_t want = philox_reference((uint64_t)seed[i], (uint64_t)index[i]);
            if ((uint32_t)bits[i] != want || unit[i] != (float)(want >> 8) / 0x1p24f)
                fail_msg("bits %lld of seed %lld", (long long)index[i], (long long)seed[i]);
        }
    }
}

int main(void) {
    if (!has_lanes()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_int_i32),
        cmocka_unit_test(test_int_i64),
        cmocka_unit_test(test_bool),
        cmocka_unit_test(test_float_f32),
        cmocka_unit_test(test_float_f64),
        cmocka_unit_test(test_convert),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_mod),
        cmocka_unit_test(test_neighbouring_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
