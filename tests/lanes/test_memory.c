/* memory.h: loads and stores of every type and length at the ends of pages. */
#define _DEFAULT_SOURCE
#include "templates/c/memory.h"
#include "tests/lanes/lanes.h"

#include <sys/mman.h>

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

int main(void) {
    if (!has_lanes()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_f32),    cmocka_unit_test(test_memory_f64),
        cmocka_unit_test(test_memory_i32),    cmocka_unit_test(test_memory_i64),
        cmocka_unit_test(test_memory_bf16),   cmocka_unit_test(test_memory_f16),
        cmocka_unit_test(test_memory_f8e4m3), cmocka_unit_test(test_memory_f8e5m2),
        cmocka_unit_test(test_memory_i8),     cmocka_unit_test(test_memory_u8),
        cmocka_unit_test(test_memory_bool),   cmocka_unit_test(test_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
