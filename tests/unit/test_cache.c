/* test_cache.c: the cache: what is put into it is found again, in this process and the next, and
 * nothing else is. */
#define _XOPEN_SOURCE 700
#include "cache/cache.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixture.h"

static const KeyField about_fields[] = {{"model", "m.fx"}, {"text", "1"}, {"function", "f"}};
static const KeyFields about = {about_fields, 3};

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at) {
    (void)st, (void)kind, (void)at;
    return remove(path);
}

static void remove_all(void) { nftw("cache", remove_one, 8, FTW_DEPTH | FTW_PHYS); }

static Cache *open_cache(void) {
    Cache *cache = cache_open(diag, &(CacheOptions){.folder = "cache", .build = "test"});
    assert_non_null(cache);
    return cache;
}

/* A new handle, as of another process. */
static Cache *reopen(Cache *cache) {
    cache_close(cache);
    return open_cache();
}

static KeyFields key_of(const char *source) {
    KeyField *fields = arena_array(arena, KeyField, 2);
    fields[0] = (KeyField){"compiler", "/usr/bin/cc"};
    fields[1] = (KeyField){"source", source};
    return (KeyFields){fields, 2};
}

static void add(Cache *cache, const char *source, const char *code) {
    const KeyFields key = key_of(source);
    CodeStore *store = cache_code_store(cache);
    store->add(store, diag, &(CodeEntry){key, about, code, strlen(code), 0.25}, 1);
}

/* NULL: not found. */
static const char *find(Cache *cache, const char *source) {
    const KeyFields key = key_of(source);
    CodeStore *store = cache_code_store(cache);
    void *bytes;
    size_t size;
    if (!store->find(store, diag, &key, &about, &bytes, &size)) return NULL;
    const char *copy = arena_strndup(arena, bytes, size);
    free(bytes);
    return copy;
}

/* ---- keys and code -------------------------------------------------------------------------- */

static void keys_are_printed_and_read(void **state) {
    (void)state;
    const KeyFields key = key_of("a\nb\\n=c\\");
    const char *text = key_print(arena, &key);
    assert_string_equal(text, "compiler=/usr/bin/cc\nsource=a\\nb\\\\n=c\\\\\n");
    const KeyFields again = key_parse(arena, text);
    assert_int_equal(again.count, 2);
    assert_string_equal(again.at[0].name, "compiler");
    assert_string_equal(key_value(&again, "source"), "a\nb\\n=c\\");
    assert_null(key_value(&again, "sour"));
}

static void code_is_found_again(void **state) {
    (void)state;
    Cache *cache = open_cache();
    assert_null(find(cache, "one"));
    add(cache, "one", "code of one");
    add(cache, "two", "code of two");
    assert_string_equal(find(cache, "one"), "code of one");
    cache = reopen(cache);
    assert_string_equal(find(cache, "two"), "code of two");
    assert_null(find(cache, "three"));
    add(cache, "two", "newer");
    cache = reopen(cache);
    assert_string_equal(find(cache, "two"), "newer");
    cache_close(cache);
    assert_string_equal(said(), "");
    remove_all();
}

static void notes_are_recalled(void **state) {
    (void)state;
    Cache *cache = open_cache();
    CodeStore *store = cache_code_store(cache);
    assert_null(store->recall(store, diag, "cc"));
    store->remember(store, diag, "cc", "12.1");
    store->remember(store, diag, "cc", "12.2");
    assert_string_equal(store->recall(store, diag, "cc"), "12.2");
    cache_close(cache);
    remove_all();
}

static void files_are_private(void **state) {
    (void)state;
    struct stat st;
    umask(0);
    cache_close(open_cache());
    umask(022);
    assert_false(stat("cache", &st));
    assert_int_equal(st.st_mode & 0777, 0700);
    assert_false(stat("cache/fusec.db", &st));
    assert_int_equal(st.st_mode & 0777, 0600);
    remove_all();
}

static void the_size_is_bounded(void **state) {
    (void)state;
    char *code = arena_alloc(arena, 100001), name[16];
    struct stat st;
    memset(code, 'x', 100000);
    const CacheOptions options = {.folder = "cache", .most_bytes = 1 << 20};
    Cache *cache = cache_open(diag, &options);
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "%d", i);
        add(cache, name, code);
        assert_non_null(find(cache, name));
    }
    assert_null(find(cache, "0"));
    assert_non_null(find(cache, "37"));
    cache_close(cache);
    assert_false(stat("cache/fusec.db", &st));
    assert_in_range(st.st_size, 500000, 1400000);
    remove_all();
}

/* ---- places --------------------------------------------------------------------------------- */

static void the_place_follows_the_environment(void **state) {
    (void)state;
    setenv("HOME", "/h", 1);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("FUSEC_CACHE_DIR");
    assert_string_equal(cache_folder(arena, NULL), "/h/.cache/fusec");
    setenv("XDG_CACHE_HOME", "relative", 1); /* to be ignored, by its specification */
    assert_string_equal(cache_folder(arena, NULL), "/h/.cache/fusec");
    setenv("XDG_CACHE_HOME", "/x", 1);
    assert_string_equal(cache_folder(arena, NULL), "/x/fusec");
    setenv("FUSEC_CACHE_DIR", "/f", 1);
    assert_string_equal(cache_folder(arena, NULL), "/f");
    assert_string_equal(cache_folder(arena, "g"), "g");
    assert_null(cache_folder(arena, "off"));
    setenv("FUSEC_CACHE_DIR", "off", 1);
    assert_null(cache_folder(arena, NULL));
    assert_null(cache_open(diag, &(CacheOptions){0}));
    assert_string_equal(said(), "");
}

/* ---- tuning --------------------------------------------------------------------------------- */

static CacheTrial trial_of(const char *tile, double median) {
    return (CacheTrial){.tile = tile,
                        .median_ns = median,
                        .spread = 0.01,
                        .rounds = 20,
                        .registers = 128,
                        .spills = 0,
                        .shared_bytes = 49152,
                        .error = 0.5};
}

static void trials_are_kept_in_order(void **state) {
    (void)state;
    Cache *cache = open_cache();
    const KeyFields key = key_of("kernel"), other = key_of("other");
    CacheTrial first = trial_of("f:bm=64", 1000), second = trial_of("f:bm=128", 900);
    second.outcome = OUTCOME_INCORRECT;
    second.note = "error 7 times what is allowed";
    assert_true(cache_trial_add(cache, diag, &key, &first));
    cache = reopen(cache);
    assert_true(cache_trial_add(cache, diag, &key, &second));
    const CacheTrials trials = cache_trials(cache, diag, arena, &key);
    assert_int_equal(trials.count, 2);
    assert_string_equal(trials.at[0].tile, "f:bm=64");
    assert_true(trials.at[0].median_ns == 1000 && trials.at[0].shared_bytes == 49152);
    assert_int_equal(trials.at[1].outcome, OUTCOME_INCORRECT);
    assert_string_equal(trials.at[1].note, second.note);
    assert_true(trials.at[1].date > 1700000000);
    assert_int_equal(cache_trials(cache, diag, arena, &other).count, 0);
    first.median_ns = 800; /* measured again */
    assert_true(cache_trial_add(cache, diag, &key, &first));
    assert_int_equal(cache_trials(cache, diag, arena, &key).count, 2);
    cache_close(cache);
    remove_all();
}

static void the_choice_is_kept(void **state) {
    (void)state;
    Cache *cache = open_cache();
    const KeyFields key = key_of("kernel");
    CacheChoice choice = {.tile = "f:bm=128",
                          .median_ns = 900,
                          .default_ns = 1000,
                          .driver = "580"},
                got;
    assert_false(cache_choice_find(cache, diag, arena, &key, &got));
    assert_true(cache_choice_set(cache, diag, &key, &choice));
    cache = reopen(cache);
    assert_true(cache_choice_find(cache, diag, arena, &key, &got));
    assert_string_equal(got.tile, "f:bm=128");
    assert_string_equal(got.driver, "580");
    assert_true(got.default_ns == 1000 && !got.is_pinned && !got.is_imported);
    choice.is_pinned = true;
    assert_true(cache_choice_set(cache, diag, &key, &choice));
    choice = (CacheChoice){.tile = "f:bm=64", .median_ns = 800};
    assert_true(cache_choice_set(cache, diag, &key, &choice));
    assert_true(cache_choice_find(cache, diag, arena, &key, &got));
    assert_string_equal(got.tile, "f:bm=128"); /* pinned */
    cache_close(cache);
    remove_all();
}

static void a_banned_tile_is_not_chosen(void **state) {
    (void)state;
    Cache *cache = open_cache();
    const KeyFields key = key_of("kernel");
    const CacheTrial trial = trial_of("f:bm=64", 1000);
    const CacheChoice choice = {.tile = "f:bm=64", .median_ns = 1000};
    CacheChoice got;
    assert_true(cache_trial_add(cache, diag, &key, &trial));
    assert_true(cache_choice_set(cache, diag, &key, &choice));
    assert_true(cache_ban(cache, diag, &key, "f:bm=64", "wrong at night"));
    assert_true(cache_ban(cache, diag, &key, "f:bm=32", "never tried"));
    assert_false(cache_choice_find(cache, diag, arena, &key, &got));
    assert_false(cache_choice_set(cache, diag, &key, &choice));
    assert_true(cache_trial_add(cache, diag, &key, &trial));
    const CacheTrials trials = cache_trials(cache, diag, arena, &key);
    assert_int_equal(trials.count, 2);
    assert_string_equal(trials.at[1].ban, "wrong at night");
    assert_true(cache_ban(cache, diag, &key, "f:bm=64", NULL));
    assert_true(cache_choice_set(cache, diag, &key, &choice));
    cache_close(cache);
    remove_all();
}

static void a_ban_is_of_all_tiles_with_its_values(void **state) {
    (void)state;
    Cache *cache = open_cache();
    const KeyFields key = key_of("kernel");
    const CacheChoice choice = {.tile = "kind=wgmma,m=128,n=256", .median_ns = 1000};
    const CacheChoice other = {.tile = "kind=wgmma,m=128,n=2560", .median_ns = 1000};
    CacheChoice got;
    assert_true(cache_choice_set(cache, diag, &key, &choice));
    assert_true(cache_ban(cache, diag, &key, "n=256,m=128", "wrong for M = 1"));
    assert_false(cache_choice_find(cache, diag, arena, &key, &got));
    assert_false(cache_choice_set(cache, diag, &key, &choice));
    assert_true(cache_choice_set(cache, diag, &key, &other));
    cache_close(cache);
    remove_all();
}

/* What `fusec cache why` says: the first of the fields that are the reason for the others. */
static void the_nearest_choice_differs_in(void **state) {
    (void)state;
    static const char key[] = "arch=sm_80\ntoolchain=13.0\nfamily=row\nshape=N=4\nkernel text=a\n";
    static const char about_it[] = "model=m\nfunction=f\ntext=1\ndim N=4\noptions=-O2\n";
    static const struct {
        const char *key, *about, *field;
        int count;
    } others[] = {
        {"arch=sm_90a\ntoolchain=13.0\nfamily=row\nshape=N=4\nkernel text=b\n", about_it, "arch",
         1},
        {"arch=sm_80\ntoolchain=13.1\nfamily=row\nshape=N=4\nkernel text=a\n", about_it,
         "toolchain", 1},
        {"arch=sm_80\ntoolchain=13.0\nfamily=row\nshape=N=8\nkernel text=b\n",
         "model=m\nfunction=f\ntext=1\ndim N=8\noptions=-O2\n", "dim N", 1},
        {"arch=sm_80\ntoolchain=13.0\nfamily=row\nshape=N=4\nkernel text=b\n",
         "model=m\nfunction=f\ntext=1\ndim N=4\noptions=-O0\n", "options", 1},
        {"arch=sm_80\ntoolchain=13.1\nfamily=row\nshape=N=4\nkernel text=b\n",
         "model=m\nfunction=f\ntext=2\ndim N=4\noptions=-O2\n", "text", 2},
        {key, "model=m\nfunction=f\ntext=2\ndim N=4\noptions=-O2\n", NULL, 0}, /* a comment */
        {"arch=sm_80\ntoolchain=13.0\nfamily=pointwise\nshape=N=4\nkernel text=a\n", about_it,
         "new", INT32_MAX},
        {"arch=sm_80\ntoolchain=13.0\nfamily=row\nshape=N=4\nkernel text=c\n", about_it,
         "kernel text", 1}};
    Cache *cache = open_cache();
    const KeyFields its = key_parse(arena, key), model = key_parse(arena, about_it);
    const CacheChoice choice = {.tile = "rows=2", .median_ns = 1, .about = &model};
    assert_true(cache_choice_set(cache, diag, &its, &choice));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const KeyFields k = key_parse(arena, others[i].key), a = key_parse(arena, others[i].about);
        CacheDifference d;
        assert_true(cache_why(cache, diag, arena, CACHE_TUNING, &k, &a, &d));
        assert_int_equal(d.is_found, !others[i].field);
        if (others[i].field) assert_string_equal(d.field, others[i].field);
        if (others[i].field) assert_int_equal(d.count, others[i].count);
    }
    cache_close(cache);
    remove_all();
}

/* The same of code, of which the source follows from the rest. */
static void the_nearest_code_differs_in(void **state) {
    (void)state;
    static const struct {
        const char *key, *about, *field;
    } others[] = {
        {"arch=sm_90a\nnvrtc=13.0\nsource=b\n", "text=1\ndim N=4\n", "arch"},
        {"arch=sm_80\nnvrtc=13.1\nsource=a\n", "text=1\ndim N=4\n", "nvrtc"},
        {"arch=sm_80\nnvrtc=13.0\nsource=b\n", "text=1\ndim N=8\n", "dim N"},
        {"arch=sm_80\nnvrtc=13.1\nsource=b\n", "text=1\ndim N=4\nchoices=f_0:m=1\n", "nvrtc"},
        {"arch=sm_80\nnvrtc=13.0\nsource=b\n", "text=1\ndim N=4\nchoices=f_0:m=1\n", "choices"}};
    Cache *cache = open_cache();
    CodeStore *store = cache_code_store(cache);
    const KeyFields its = key_parse(arena, "arch=sm_80\nnvrtc=13.0\nsource=a\n");
    const KeyFields model = key_parse(arena, "model=m\nfunction=f\ntext=1\ndim N=4\n");
    store->add(store, diag, &(CodeEntry){its, model, "code", 4, 0.25}, 1);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const char *text = arena_printf(arena, "model=m\nfunction=f\n%s", others[i].about);
        const KeyFields k = key_parse(arena, others[i].key), a = key_parse(arena, text);
        CacheDifference d;
        assert_true(cache_why(cache, diag, arena, CACHE_CODE, &k, &a, &d));
        assert_false(d.is_found);
        assert_string_equal(d.field, others[i].field);
        assert_int_equal(d.count, 1);
    }
    cache_close(cache);
    remove_all();
}

static void no_cache_is_an_empty_one(void **state) {
    (void)state;
    const KeyFields key = key_of("kernel");
    const CacheTrial trial = trial_of("t", 1);
    const CacheChoice choice = {.tile = "t"};
    CacheChoice got;
    assert_null(cache_code_store(NULL));
    assert_false(cache_trial_add(NULL, diag, &key, &trial));
    assert_false(cache_choice_set(NULL, diag, &key, &choice));
    assert_false(cache_choice_find(NULL, diag, arena, &key, &got));
    assert_int_equal(cache_trials(NULL, diag, arena, &key).count, 0);
    assert_false(cache_ban(NULL, diag, &key, "t", NULL));
    cache_close(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(keys_are_printed_and_read),
        TEST(code_is_found_again),
        TEST(notes_are_recalled),
        TEST(files_are_private),
        TEST(the_size_is_bounded),
        TEST(the_place_follows_the_environment),
        TEST(trials_are_kept_in_order),
        TEST(the_choice_is_kept),
        TEST(a_banned_tile_is_not_chosen),
        TEST(a_ban_is_of_all_tiles_with_its_values),
        TEST(the_nearest_choice_differs_in),
        TEST(the_nearest_code_differs_in),
        TEST(no_cache_is_an_empty_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
