/* fixture.h: what the tests of the runtime share: an arena and a Diag for each test, and a folder
 * for each program, which must be empty again at the end. Include once, after cmocka.h. */
#ifndef FUSEC_FIXTURE_H
#define FUSEC_FIXTURE_H

static Arena *arena;
static Diag *diag;
static char folder[] = "/tmp/fusec-test-XXXXXX";

/* Temporary files go to the test's folder too, where teardown finds what is left behind. */
static int setup(void **state) {
    (void)state;
    memcpy(strchr(folder, '\0') - 6, "XXXXXX", 6);
    arena = arena_new(0);
    diag = diag_new(arena, 100);
    return mkdtemp(folder) && !chdir(folder) && !setenv("TMPDIR", folder, 1) ? 0 : -1;
}

/* Fails when the test, or what it tests, left a file. */
static int teardown(void **state) {
    (void)state;
    arena_free(arena);
    return chdir("/") || rmdir(folder);
}

/* All that was said since the last call. */
static inline const char *said(void) {
    Text out = text_new(arena);
    diag_print(diag, &out, false);
    diag = diag_new(arena, 100);
    return text_get(&out);
}

static inline void put(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static inline const char *get(const char *path, size_t *size) {
    char *bytes = file_read(diag, path, 1 << 20, size);
    const char *copy = bytes ? arena_strndup(arena, bytes, *size) : NULL;
    free(bytes);
    return copy;
}

static inline Tensor *random_tensor(Dtype type, int rank, const int64_t *shape) {
    Tensor *tensor = tensor_new(type, rank, shape);
    assert_non_null(tensor);
    tensor_random(tensor, 7);
    return tensor;
}

static inline void assert_same(const Tensor *a, const Tensor *b) {
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->rank, b->rank);
    assert_memory_equal(a->shape, b->shape, sizeof a->shape);
    assert_memory_equal(a->data, b->data, a->bytes);
    assert_true(tensor_hash(a) == tensor_hash(b));
}

#define TEST(NAME) cmocka_unit_test_setup_teardown(NAME, setup, teardown)

#endif
