/* tiles_blocks.h: the blocks of a contraction cover the result once, and threads have equal shares. */
#include "templates/c/rows.h"
#include "tests/lanes/lanes.h"

static idx team; /* of threads */
#define fx_threads() team
#include "templates/c/tiles_blocks.h"

enum { NR = 2 * VL };
static const fx_tile tile = {2048, 2048, 512, 224, 32, MR, 2, 100000};

typedef struct Size {
    idx batch, m, n, k, columns;
} Size;

/* Elements of the result that a block has; they are whole panels, and fit its memory. */
static double block_area(const fx_blocks *of, const fx_block *at) {
    const fx_cut *c = of->cut;
    const idx m = at->m_end - at->m_first, n = at->n_end - at->n_first;
    assert_in_range(at->batch, 0, of->batch - 1);
    assert_in_range(m, 1, c->m);
    assert_in_range(n, 1, c->n);
    assert_true(at->m_first % MR == 0 && (at->m_end % MR == 0 || at->m_end == of->m));
    assert_true(at->n_first % c->columns == 0 &&
                (at->n_end % c->columns == 0 || at->n_end == of->n));
    return (double)m * (double)n;
}

/* Each block follows the one before it along n, then along m, then in the batch. */
static double cover(Size s) {
    const fx_cut c = fx_cut_of(&tile, s.batch, s.m, s.n, s.k, 1, sizeof(float), s.columns);
    fx_blocks blocks = {.cut = &c, .batch = s.batch, .m = s.m, .n = s.n, .k = s.k};
    fx_block at = {0}, last = {.m_end = s.m, .n_end = s.n, .batch = -1};
    double area = 0, most = 0;
    assert_in_range(c.threads, 1, team);
    for (; fx_take_block(&blocks, &at); last = at) {
        const double own = block_area(&blocks, &at);
        const bool row_ends = last.n_end == s.n, is_whole = row_ends && last.m_end == s.m;
        assert_int_equal(at.n_first, row_ends ? 0 : last.n_end);
        assert_int_equal(at.m_first, is_whole ? 0 : row_ends ? last.m_end : last.m_first);
        assert_int_equal(at.batch, last.batch + is_whole);
        area += own;
        if (own > most) most = own;
    }
    assert_true(last.batch == s.batch - 1 && last.m_end == s.m && last.n_end == s.n);
    assert_true(area == (double)s.batch * (double)s.m * (double)s.n);
    const idx count = s.batch * c.m_parts * c.n_parts, turns = (count + c.threads - 1) / c.threads;
    return most * (double)turns * (double)team / area;
}

static void test_cover(void **state) {
    (void)state;
    for (int i = 0; i < 20000; i++) {
        static const idx most[] = {3, 40, 300, 5000};
        const idx m = most[random_bits() % 4], n = most[random_bits() % 4];
        Size s = {.batch = i % 3 ? 1 : 1 + (idx)(random_bits() % 20),
                  .m = 1 + (idx)(random_bits() % (uint64_t)m),
                  .n = 1 + (idx)(random_bits() % (uint64_t)n),
                  .k = 1 + (idx)(random_bits() % 1000),
                  .columns = 1};
        if (i % 5 == 0) s.columns = s.n;
        team = i % 2 ? 1 + (idx)(random_bits() % 130) : 1 + i % 4;
        cover(s);
    }
}

/* Products of usual sizes leave no thread idle for long. */
static void test_balance(void **state) {
    static const Size sizes[] = {{1, 1000, 1023, 777, 1}, {1, 256, 256, 256, 1},
                                 {1, 4096, 64, 1024, 1},  {1, 64, 4096, 1024, 1},
                                 {3, 500, 500, 500, 1},   {1, 2048, 2048, 2048, 1},
                                 {1, 33, 8191, 100, 1},   {9, 4096, 4096, 64, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (team = 1; team <= 64; team *= 2) {
            const double share = cover(sizes[i]);
            if (share > (team <= 4 ? 1.15 : 1.5))
                fail_msg("size %zu, %d threads: %.3f", i, (int)team, share);
        }
}

/* Rows of the result are whole in a block if that costs little: where a row ends in a block and
 * goes on in another one, both threads write one cache line. */
static void test_rows_are_whole(void **state) {
    (void)state;
    team = 2;
    const fx_cut c = fx_cut_of(&tile, 1, 1000, 1023, 777, 1, sizeof(float), 1);
    assert_int_equal(c.n_parts, 1);
    assert_int_equal(c.m_parts, 2);
}

/* A product that is done before other threads have started wakes none. */
static void test_small_product(void **state) {
    (void)state;
    team = 64;
    assert_int_equal(fx_cut_of(&tile, 1, 40, 50, 49, 1, sizeof(float), 1).threads, 1);
    assert_true(fx_cut_of(&tile, 1, 40, 50, 50, 1, sizeof(float), 1).threads > 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cover),
        cmocka_unit_test(test_balance),
        cmocka_unit_test(test_rows_are_whole),
        cmocka_unit_test(test_small_product),
    };
    if (!has_lanes()) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
