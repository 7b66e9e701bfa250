/* masked.h, strided.h: loads and stores of the lanes that a mask sets, or that are evenly spaced,
 * at the ends of pages: no other memory is touched. */
#define _DEFAULT_SOURCE
#include "templates/c/masked.h"
#include "templates/c/strided.h"
#include "tests/lanes/lanes.h"

#include <sys/mman.h>

enum { PAGES = 1 << 16 };

/* Pages that may be touched, between forbidden ones. */
static uint8_t *pages(void) {
    static uint8_t *start;
    if (!start) {
        start = mmap(NULL, 3 * PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (start == MAP_FAILED) fail_msg("mmap");
        mprotect(start, PAGES, PROT_NONE);
        mprotect(start + 2 * PAGES, PAGES, PROT_NONE);
    }
    return start + PAGES;
}

/* The first or the last of the elements from..to lies at an end of the pages: the element 0. */
static uint8_t *element_0(bool is_last, idx from, idx to, size_t size) {
    return is_last ? pages() + PAGES - (size_t)(to + 1) * size : pages() - from * (idx)size;
}

static b1 mask_of(int bits) {
    b1 mask;
    for (int l = 0; l < VL; l++) mask[l] = bits >> l & 1 ? -1 : 0;
    return mask;
}

/* The lanes from..to are set, or of these every third is not. */
static int bits_of(int from, int to, bool has_holes) {
    int bits = 0;
    for (int l = from; l <= to; l++) bits |= (!has_holes || (l - from) % 3 != 1) << l;
    return bits;
}

#define TEST_MASKED(S, T, V, VALUE)                                                                \
    static void test_masked_##S(void **state) {                                                    \
        (void)state;                                                                               \
        for (int from = 0; from < VL; from++)                                                      \
            for (int to = from; to < VL; to++)                                                     \
                for (int m = to + 1; m <= VL; m++)                                                 \
                    for (int how = 0; how < 4; how++) {                                            \
                        const int bits = bits_of(from, to, how & 1);                               \
                        T *p = (T *)(void *)element_0(how / 2, from, to, sizeof(T));               \
                        for (idx i = from; i <= to; i++) p[i] = (T)(VALUE);                        \
                        const V v = ld_where_##S(p, mask_of(bits), m);                             \
                        for (int i = 0; i < VL; i++)                                               \
                            assert_true(v[i] == (bits >> i & 1 ? get_##S(p + i) : 0));             \
                        const V none = ld_where_##S(p, mask_of(bits), from ? from : 1);            \
                        for (int i = 1; i < VL; i++) assert_true(none[i] == 0);                    \
                    }                                                                              \
    }

#define TEST_STRIDED(S, T, V, VALUE)                                                               \
    static void test_strided_##S(void **state) {                                                   \
        static const idx strides[] = {-2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9};                          \
        (void)state;                                                                               \
        for (int k = 0; k < 11; k++)                                                               \
            for (idx m = 1; m <= VL; m++)                                                          \
                for (int place = 0; place < 2; place++) {                                          \
                    const idx n = strides[k], end = n * (m - 1), from = n < 0 ? end : 0;           \
                    const idx to = n < 0 ? 0 : end;                                                \
                    T *p = (T *)(void *)element_0(place, from, to, sizeof(T)), old[9 * VL];        \
                    for (idx i = from; i <= to; i++) p[i] = (T)(VALUE);                            \
                    const V v = ld_strided_##S(p, n, m);                                           \
                    for (idx i = 0; i < VL; i++)                                                   \
                        assert_true(v[i] == (i < m ? get_##S(p + i * n) : 0));                     \
                    memcpy(old, p + from, sizeof(T) * (size_t)(to - from + 1));                    \
                    for (idx i = 0; i < m; i++) memset(p + i * n, 0x5a, sizeof(T));                \
                    st_strided_##S(p, n, v, m);                                                    \
                    assert_memory_equal(p + from, old, sizeof(T) * (size_t)(to - from + 1));       \
                }                                                                                  \
    }

#define TEST_TWICE(S, T, V, VALUE)                                                                 \
    static void test_twice_##S(void **state) {                                                     \
        (void)state;                                                                               \
        for (idx m = 1; m <= VL; m++)                                                              \
            for (int place = 0; place < 2; place++) {                                              \
                const idx to = (m - 1) / 2;                                                        \
                T *p = (T *)(void *)element_0(place, 0, to, sizeof(T));                            \
                for (idx i = 0; i <= to; i++) p[i] = (T)(VALUE);                                   \
                V v = ld_twice_##S(p, m);                                                          \
                for (idx i = 0; i < m; i++) assert_true(v[i] == get_##S(p + i / 2));               \
                p = (T *)(void *)element_0(place, 0, 2 * to, sizeof(T));                           \
                for (idx i = 0; i <= 2 * to; i++) p[i] = (T)(VALUE);                               \
                v = ld_even_twice_##S(p, m);                                                       \
                for (idx i = 0; i < m; i++) assert_true(v[i] == get_##S(p + i / 2 * 2));           \
            }                                                                                      \
    }
TEST_TWICE(f32, float, f32, (float)i + 0.5f)
TEST_TWICE(i32, int32_t, i32, i * 1000003 - 5)
TEST_TWICE(bf16, bf16, f32, 0x3f80 + i)
TEST_TWICE(f16, f16, f32, 0x3c00 + i)

TEST_MASKED(f32, float, f32, (float)i + 0.5f)
TEST_STRIDED(f32, float, f32, (float)i + 0.5f)
TEST_MASKED(f64, double, f64, (double)i + 0.5)
TEST_STRIDED(f64, double, f64, (double)i + 0.5)
TEST_MASKED(i32, int32_t, i32, i * 1000003 - 5)
TEST_STRIDED(i32, int32_t, i32, i * 1000003 - 5)
TEST_MASKED(i64, int64_t, i64, i * 100000000003 - 5)
TEST_STRIDED(i64, int64_t, i64, i * 100000000003 - 5)
TEST_MASKED(bf16, bf16, f32, 0x3f80 + i)
TEST_STRIDED(bf16, bf16, f32, 0x3f80 + i)
TEST_MASKED(f16, f16, f32, 0x3c00 + i)
TEST_STRIDED(f16, f16, f32, 0x3c00 + i)
TEST_MASKED(f8e4m3, f8e4m3, f32, 0x38 + (i & 15))
TEST_STRIDED(f8e4m3, f8e4m3, f32, 0x38 + (i & 15))
TEST_MASKED(f8e5m2, f8e5m2, f32, 0x31 + (i & 15))
TEST_STRIDED(f8e5m2, f8e5m2, f32, 0x31 + (i & 15))
TEST_MASKED(i8, int8_t, i32, i * 37)
TEST_STRIDED(i8, int8_t, i32, i * 37)
TEST_MASKED(u8, uint8_t, i32, i * 37)
TEST_STRIDED(u8, uint8_t, i32, i * 37)
TEST_MASKED(bool, bool_t, b1, i % 3 == 1)
TEST_STRIDED(bool, bool_t, b1, i % 3 == 1)

int main(void) {
    if (!has_lanes()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_masked_f32),    cmocka_unit_test(test_strided_f32),
        cmocka_unit_test(test_masked_f64),    cmocka_unit_test(test_strided_f64),
        cmocka_unit_test(test_masked_i32),    cmocka_unit_test(test_strided_i32),
        cmocka_unit_test(test_masked_i64),    cmocka_unit_test(test_strided_i64),
        cmocka_unit_test(test_masked_bf16),   cmocka_unit_test(test_strided_bf16),
        cmocka_unit_test(test_masked_f16),    cmocka_unit_test(test_strided_f16),
        cmocka_unit_test(test_masked_f8e4m3), cmocka_unit_test(test_strided_f8e4m3),
        cmocka_unit_test(test_masked_f8e5m2), cmocka_unit_test(test_strided_f8e5m2),
        cmocka_unit_test(test_masked_i8),     cmocka_unit_test(test_strided_i8),
        cmocka_unit_test(test_masked_u8),     cmocka_unit_test(test_strided_u8),
        cmocka_unit_test(test_masked_bool),   cmocka_unit_test(test_strided_bool),
        cmocka_unit_test(test_twice_f32),     cmocka_unit_test(test_twice_i32),
        cmocka_unit_test(test_twice_bf16),    cmocka_unit_test(test_twice_f16),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
