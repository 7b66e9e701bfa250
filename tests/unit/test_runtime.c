/* test_runtime.c: tensors and whole files. See also test_tensor_files.c and test_cpu.c. */
#define _XOPEN_SOURCE 700
#include "runtime/runtime.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixture.h"

/* ---- tensor.c --------------------------------------------------------------------------- */

static void tensors_are_made_or_refused(void **state) {
    (void)state;
    const int64_t shape[] = {3, 5, 7}, half[] = {INT64_MAX / 2, 4}, empty[] = {INT64_MAX, 4, 0},
                  negative[] = {-1}, most[] = {INT64_MAX / 4, 2}, many[9] = {1};
    Tensor *tensor = tensor_new(T_F16, 3, shape);
    assert_int_equal((uintptr_t)tensor->data % 64, 0);
    assert_int_equal(tensor->bytes, 210);
    assert_int_equal(tensor_count(tensor), 105);
    tensor_free(tensor);
    tensor = tensor_new(T_F64, 3, empty);
    assert_non_null(tensor->data);
    assert_int_equal(tensor_count(tensor), 0);
    tensor_free(tensor);
    tensor = tensor_new(T_I8, 0, NULL);
    assert_int_equal(tensor_count(tensor), 1);
    tensor_free(tensor);
    tensor_free(NULL);
    assert_null(tensor_new(T_U8, 2, half));
    assert_null(tensor_new(T_F64, 2, most));
    assert_null(tensor_new(T_F32, 1, negative));
    assert_null(tensor_new(T_F32, 9, many));
    assert_null(tensor_new(T_NONE, 0, NULL));
}

static void random_elements_stay_in_range(void **state) {
    (void)state;
    const int64_t shape[] = {20000};
    for (Dtype type = T_NONE + 1; type < T_COUNT; type++) {
        Tensor *tensor = random_tensor(type, 1, shape);
        double sum = 0, least = INFINITY, most = -INFINITY;
        for (int64_t i = 0; i < 20000; i++) {
            Scalar s = tensor_get(tensor, i);
            double value = dtype_is_float(type) ? s.f : (double)s.i;
            sum += value;
            least = fmin(least, value);
            most = fmax(most, value);
        }
        double mean = sum / 20000;
        if (dtype_is_float(type))
            assert_true(least >= -1 && most < 1 && fabs(mean) < 0.1);
        else if (type == T_BOOL)
            assert_true(least == 0 && most == 1 && fabs(mean - 0.5) < 0.05);
        else if (type == T_I8)
            assert_true(least == -8 && most == 7);
        else
            assert_true(least == 0 && most == 9 && fabs(mean - 4.5) < 0.1);
        uint64_t before = tensor_hash(tensor);
        tensor_random(tensor, 8);
        assert_true(tensor_hash(tensor) != before);
        tensor_random(tensor, 7);
        assert_true(tensor_hash(tensor) == before);
        tensor_free(tensor);
    }
}

static void poison_is_nan(void **state) {
    (void)state;
    const int64_t shape[] = {3};
    for (Dtype type = T_U8; type < T_COUNT; type++) {
        Tensor *tensor = tensor_new(type, 1, shape);
        tensor_poison(tensor);
        if (dtype_is_float(type))
            assert_true(isnan(tensor_get(tensor, 2).f));
        else
            assert_true(tensor_get(tensor, 2).i != 0);
        tensor_free(tensor);
    }
}

static void hashes_tell_tensors_apart(void **state) {
    (void)state;
    const int64_t wide[] = {2, 3}, tall[] = {3, 2};
    Tensor *a = random_tensor(T_F32, 2, wide), *b = tensor_new(T_F32, 2, tall);
    memcpy(b->data, a->data, a->bytes);
    assert_true(tensor_hash(a) != tensor_hash(b));
    b->type = T_I32;
    memcpy(b->shape, wide, sizeof wide);
    assert_true(tensor_hash(a) != tensor_hash(b));
    tensor_free(a);
    tensor_free(b);
}

static const char *summary(const Tensor *tensor) {
    Text out = text_new(arena);
    tensor_summary(tensor, &out);
    char *end = strstr(out.data, "  checksum ");
    assert_non_null(end);
    assert_int_equal(strlen(end), strlen("  checksum ") + 16);
    *end = '\0';
    return out.data;
}

static void summaries(void **state) {
    (void)state;
    const int64_t shape[] = {2, 2}, none[] = {0};
    Tensor *tensor = tensor_new(T_F32, 2, shape);
    const float values[] = {1, 2, 3.5, -0.5};
    memcpy(tensor->data, values, sizeof values);
    assert_string_equal(summary(tensor), "f32[2, 2]  mean 1.5  max 3.5");
    tensor_set(tensor, 3, (Scalar){.f = NAN});
    assert_string_equal(summary(tensor), "f32[2, 2]  mean 2.167  max 3.5  nan 1");
    tensor_free(tensor);
    tensor = tensor_new(T_I64, 0, NULL);
    tensor_set(tensor, 0, (Scalar){.i = 9007199254740993});
    assert_string_equal(summary(tensor), "i64  mean 9.007e+15  max 9007199254740993");
    tensor_free(tensor);
    tensor = tensor_new(T_BOOL, 1, none);
    assert_string_equal(summary(tensor), "bool[0]  empty");
    tensor_free(tensor);
}

/* ---- file.c ----------------------------------------------------------------------------- */

static void files_are_written_whole(void **state) {
    (void)state;
    size_t size;
    struct stat st;
    umask(022);
    assert_true(file_write_atomic(diag, "out", "abc", 3));
    assert_string_equal(get("out", &size), "abc");
    assert_false(stat("out", &st));
    assert_int_equal(st.st_mode & 0777, 0644);
    assert_false(chmod("out", 0751));
    const FilePart parts[] = {{"de", 2}, {NULL, 0}, {"f\0g", 3}};
    assert_true(file_write_parts(diag, "out", parts, 3));
    assert_memory_equal(get("out", &size), "def\0g", 5);
    assert_int_equal(size, 5);
    assert_false(stat("out", &st));
    assert_int_equal(st.st_mode & 0777, 0751);
    assert_string_equal(said(), "");
    assert_false(unlink("out"));
}

static void links_are_followed(void **state) {
    (void)state;
    size_t size;
    struct stat st;
    assert_false(mkdir("sub", 0777));
    put("sub/real", "old", 3);
    assert_false(symlink("sub/real", "link"));
    assert_true(file_write_atomic(diag, "link", "new", 3));
    assert_string_equal(get("sub/real", &size), "new");
    assert_false(lstat("link", &st));
    assert_true(S_ISLNK(st.st_mode));
    unlink("link");
    unlink("sub/real");
    assert_false(rmdir("sub"));
}

static void unwritable_places_are_refused(void **state) {
    (void)state;
    assert_false(file_write_atomic(diag, ".", "x", 1));
    assert_string_equal(said(), "fusec: error: .: is a directory\n");
    assert_false(file_write_atomic(diag, "none/out", "x", 1));
    assert_string_equal(said(), "fusec: error: open none/out: No such file or directory\n");
    assert_false(file_write_atomic(diag, "", "x", 1));
    assert_non_null(strstr(said(), "No such file or directory"));
    if (access("/dev/full", W_OK)) return;
    assert_false(file_write_atomic(diag, "/dev/full", "x", 1));
    assert_string_equal(said(), "fusec: error: write /dev/full: No space left on device\n");
}

static void unreadable_places_are_refused(void **state) {
    (void)state;
    size_t size;
    FileReader reader;
    assert_null(file_read(diag, ".", 100, &size));
    assert_string_equal(said(), "fusec: error: .: is a directory\n");
    assert_null(file_read(diag, "none", 100, &size));
    assert_string_equal(said(), "fusec: error: open none: No such file or directory\n");
    assert_false(file_open(&reader, diag, "."));
    assert_string_equal(said(), "fusec: error: .: is a directory\n");
    assert_false(file_open(&reader, diag, "/dev/null"));
    assert_string_equal(said(), "fusec: error: /dev/null: is not a regular file\n");
    assert_false(mkfifo("pipe", 0666));
    assert_false(file_open(&reader, diag, "pipe"));
    unlink("pipe");
}

static void reading_has_a_limit(void **state) {
    (void)state;
    size_t size;
    put("in", "12345", 5);
    assert_string_equal(get("in", &size), "12345");
    assert_null(file_read(diag, "in", 4, &size));
    assert_string_equal(said(), "fusec: error: in: larger than 4 bytes\n");
    char *bytes = file_read(diag, "in", 5, &size);
    assert_string_equal(bytes, "12345");
    free(bytes);
    assert_null(file_read(diag, "/dev/zero", 1000000, &size));
    assert_string_equal(said(), "fusec: error: /dev/zero: larger than 1000000 bytes\n");
    unlink("in");
}

static void a_file_that_shrinks_is_noticed(void **state) {
    (void)state;
    FileReader reader;
    char bytes[10];
    put("in", "1234567890", 10);
    assert_true(file_open(&reader, diag, "in"));
    assert_false(truncate("in", 5));
    assert_false(file_fetch(&reader, 0, bytes, 10));
    assert_string_equal(said(), "fusec: error: read in: it became shorter meanwhile\n");
    file_close(&reader);
    unlink("in");
}

static void dash_is_standard_output(void **state) {
    (void)state;
    size_t size;
    int out = dup(1), file = open("caught", O_WRONLY | O_CREAT, 0666);
    fflush(stdout);
    dup2(file, 1);
    bool ok =
        file_write_atomic(diag, "-", "abc", 3) && file_write_atomic(diag, "/dev/stdout", "def", 3);
    dup2(out, 1);
    close(out);
    close(file);
    assert_true(ok);
    assert_string_equal(get("caught", &size), "abcdef");
    unlink("caught");
}

/* ---- threads.c -------------------------------------------------------------------------- */

enum { RANGE = 100 };

static void count_each(void *of, int64_t first, int64_t end) {
    int *times = of;
    for (int64_t i = first; i < end; i++) times[i]++;
}

/* Whatever the number of threads, and where there are more of them than parts. */
static void every_part_of_a_range_is_worked_on_once(void **state) {
    (void)state;
    for (int64_t count = 0; count <= RANGE; count += count < 20 ? 1 : 40)
        for (int parts = 1; parts < 40; parts++) {
            int times[RANGE] = {0};
            share_range(count, parts, count_each, times);
            for (int64_t i = 0; i < RANGE; i++) assert_int_equal(times[i], i < count);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(tensors_are_made_or_refused),
        TEST(random_elements_stay_in_range),
        TEST(poison_is_nan),
        TEST(hashes_tell_tensors_apart),
        TEST(summaries),
        TEST(files_are_written_whole),
        TEST(links_are_followed),
        TEST(unwritable_places_are_refused),
        TEST(unreadable_places_are_refused),
        TEST(reading_has_a_limit),
        TEST(a_file_that_shrinks_is_noticed),
        TEST(dash_is_standard_output),
        TEST(every_part_of_a_range_is_worked_on_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
