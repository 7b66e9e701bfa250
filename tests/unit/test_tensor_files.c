/* test_tensor_files.c: .npy and .safetensors. Hostile files are made here, byte by byte. */
#define _XOPEN_SOURCE 700
#include "runtime/runtime.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixture.h"

static const int64_t shapes[][TENSOR_RANK_MAX] = {
    {0}, {5}, {0, 3}, {2, 3, 4}, {1, 2, 1, 2, 1, 2, 1, 2}};
static const int ranks[] = {0, 1, 2, 3, 8};
enum { SHAPES = sizeof ranks / sizeof ranks[0] };

/* ---- .npy ------------------------------------------------------------------------------- */

static void npy_round_trips(void **state) {
    (void)state;
    for (Dtype type = T_NONE + 1; type < T_COUNT; type++)
        for (int i = 0; i < SHAPES; i++) {
            Tensor *tensor = random_tensor(type, ranks[i], shapes[i]);
            assert_true(npy_write(diag, "t.npy", tensor));
            Tensor *back = npy_read(diag, "t.npy", type);
            assert_string_equal(said(), "");
            assert_same(back, tensor);
            tensor_free(tensor);
            tensor_free(back);
        }
    unlink("t.npy");
}

static void npy_headers_are_as_numpy_writes_them(void **state) {
    (void)state;
    size_t size;
    const int64_t shape[] = {5};
    Tensor *tensor = random_tensor(T_F32, 1, shape);
    assert_true(npy_write(diag, "t.npy", tensor));
    const char *bytes = get("t.npy", &size);
    assert_int_equal(size, 128 + 20);
    assert_memory_equal(bytes,
                        "\x93NUMPY\1\0\x76\0{'descr': '<f4', 'fortran_order': False, "
                        "'shape': (5,), }  ",
                        68);
    assert_int_equal(bytes[127], '\n');
    tensor_free(tensor);
    unlink("t.npy");
}

/* Reads a file of this header, then `data` bytes; what is said, or "" when it is fine. */
static const char *npy_of(int major, const char *header, size_t data, Dtype expected) {
    char bytes[1000] = "\x93NUMPY";
    size_t size = strlen(header), at = 8;
    bytes[6] = (char)major;
    bytes[at++] = (char)(size & 0xff);
    bytes[at++] = (char)(size >> 8);
    if (major > 1) at += 2;
    memcpy(bytes + at, header, size);
    put("t.npy", bytes, at + size + data);
    tensor_free(npy_read(diag, "t.npy", expected));
    unlink("t.npy");
    return said();
}

#define HEADER(DESCR, ORDER, SHAPE)                                                                \
    "{'descr': " DESCR ", 'fortran_order': " ORDER ", 'shape': " SHAPE ", }"

static void npy_accepts_what_python_writes(void **state) {
    (void)state;
    const char *plain = HEADER("'<f4'", "False", "(2, 3)");
    assert_string_equal(npy_of(1, plain, 24, T_NONE), "");
    assert_string_equal(npy_of(2, plain, 24, T_NONE), "");
    assert_string_equal(npy_of(3, plain, 24, T_I8), "");
    assert_string_equal(
        npy_of(1, "{\"shape\":(2L,3),\"fortran_order\":False,\"descr\":\"=f4\"}\n", 24, T_NONE),
        "");
    assert_string_equal(npy_of(1, HEADER("'>i1'", "True", "(3,)"), 3, T_NONE), "");
    assert_string_equal(npy_of(1, HEADER("'<V2'", "False", "()"), 2, T_BF16), "");
    assert_string_equal(npy_of(1, HEADER("'|V1'", "False", "()"), 1, T_F8E4M3), "");
    assert_string_equal(npy_of(1, HEADER("'|V1'", "False", "()"), 1, T_F8E5M2), "");
}

static void npy_says_what_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *header;
        size_t data;
        const char *message;
    } rows[] = {
        {HEADER("'<f4'", "False", "(2, 3)"), 23,
         "f32[2, 3] needs 24 bytes, the file has 23 for it"},
        {HEADER("'<f4'", "False", "(2, 3)"), 25,
         "f32[2, 3] needs 24 bytes, the file has 25 for it"},
        {HEADER("'<f4'", "True", "(2, 3)"), 24, "Fortran order"},
        {HEADER("'>f4'", "False", "(2, 3)"), 24, "'>f4' is big-endian; save it as '<f4'"},
        {HEADER("'<c16'", "False", "()"), 16, "element type '<c16' is not supported"},
        {HEADER("''", "False", "()"), 16, "element type '' is not supported"},
        {HEADER("'<V2'", "False", "()"), 2, "read only where bf16 is expected"},
        {HEADER("'|V1'", "False", "()"), 1, "read only where f8e4m3 or f8e5m2 is expected"},
        {HEADER("[('x', '<f4')]", "False", "()"), 4, "structured element types"},
        {HEADER("'<f4'", "Maybe", "()"), 4, "'fortran_order' is not True or False"},
        {HEADER("'<f4'", "False", "(3)"), 12, "'shape' is not a tuple of sizes"},
        {HEADER("'<f4'", "False", "3"), 12, "'shape' is not a tuple of sizes"},
        {HEADER("'<f4'", "False", "(-3,)"), 12, "'shape' is not a tuple of sizes"},
        {HEADER("'<f4'", "False", "(3,,)"), 12, "'shape' is not a tuple of sizes"},
        {HEADER("'<f4'", "False", "(3 4)"), 12, "'shape' is not a tuple of sizes"},
        {HEADER("'<f4'", "False", "(1,1,1,1,1,1,1,1,1)"), 4, "more than 8 dims"},
        {HEADER("'<f4'", "False", "(9223372036854775808,)"), 0, "a size is too large"},
        {HEADER("'<f4'", "False", "(9223372036854775807,)"), 8, "has too many elements"},
        {HEADER("'<f4'", "False", "(4294967296, 4294967296)"), 0, "has too many elements"},
        {HEADER("'<f4'", "False", "(1099511627776,)"), 4, "needs 4398046511104 bytes"},
        {HEADER("'a\\x41'", "False", "()"), 4, "a string has escapes"},
        {HEADER("'aaaaaaaaaaaaaaaaa'", "False", "()"), 4, "a string is too long"},
        {HEADER("'<f4'", "False", "()") " ()", 4, "something follows the dict"},
        {"{'descr': '<f4', 'fortran_order': False}", 4, "is missing"},
        {"{'descr': '<f4', 'descr': '<f4'}", 4, "a key is unknown or comes twice"},
        {"{'colour': 1}", 4, "a key is unknown or comes twice"},
        {"{'descr' '<f4'}", 4, "a ':' is missing"},
        {"{'descr': '<f4' 'shape': ()}", 4, "a ',' or '}' is missing"},
        {"{'descr': '<f4", 0, "a string does not end"},
        {"{", 0, "a string is missing"},
        {"", 4, "it is not a Python dict"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *message = npy_of(1, rows[i].header, rows[i].data, T_NONE);
        assert_memory_equal(message, "fusec: error: t.npy: ", 21);
        if (!strstr(message, rows[i].message)) fail_msg("%s", message);
    }
    assert_non_null(strstr(npy_of(4, HEADER("'<f4'", "False", "()"), 4, T_NONE), "version 4.0"));
    assert_non_null(strstr(npy_of(0, "", 4, T_NONE), "version 0.0"));
}

/* Every prefix of a good file, in a buffer of just that size for the sanitizer. */
static void npy_cut_anywhere_is_an_error(void **state) {
    (void)state;
    size_t size;
    const int64_t shape[] = {2, 3};
    Tensor *tensor = random_tensor(T_I8, 2, shape);
    assert_true(npy_write(diag, "t.npy", tensor));
    const char *whole = get("t.npy", &size);
    for (size_t cut = 0; cut < size; cut++) {
        put("t.npy", whole, cut);
        assert_null(npy_read(diag, "t.npy", T_NONE));
        assert_int_equal(diag->errors, 1);
        said();
    }
    put("t.npy", "\x93NUMPY\2\0\xff\xff\xff\xff{}", 14);
    assert_null(npy_read(diag, "t.npy", T_NONE));
    assert_non_null(strstr(said(), "a header of 4294967295 bytes does not fit"));
    put("t.npy", "PK\3\4 not numpy", 14);
    assert_null(npy_read(diag, "t.npy", T_NONE));
    assert_string_equal(said(), "fusec: error: t.npy: is not a .npy file\n");
    tensor_free(tensor);
    unlink("t.npy");
}

static void bools_are_zero_or_one(void **state) {
    (void)state;
    const int64_t shape[] = {3};
    Tensor *tensor = random_tensor(T_BOOL, 1, shape);
    ((char *)tensor->data)[2] = 2;
    assert_true(npy_write(diag, "t.npy", tensor));
    assert_null(npy_read(diag, "t.npy", T_NONE));
    assert_string_equal(said(), "fusec: error: t.npy: element 2 is 2, but a bool is 0 or 1\n");
    tensor_free(tensor);
    unlink("t.npy");
}

/* ---- .safetensors ----------------------------------------------------------------------- */

static void safetensors_round_trip(void **state) {
    (void)state;
    NamedTensors out = {0}, in = {0};
    for (Dtype type = T_NONE + 1; type < T_COUNT; type++)
        for (int i = 0; i < SHAPES; i++)
            assert_true(tensors_add(&out,
                                    arena_printf(arena, "%s \"%d\" \xc3\xa9", dtype_name(type), i),
                                    random_tensor(type, ranks[i], shapes[i])));
    assert_true(tensors_write(diag, "t.safetensors", &out));
    assert_true(tensors_read(diag, "t.safetensors", T_NONE, &in));
    assert_string_equal(said(), "");
    assert_int_equal(in.count, out.count);
    for (int i = 0; i < out.count; i++)
        assert_same(tensors_find(&in, out.at[i].name), out.at[i].tensor);
    tensors_free(&in);
    assert_true(safetensors_read(diag, "t.safetensors", out.at[9].name, &in));
    assert_int_equal(in.count, 1);
    assert_same(in.at[0].tensor, out.at[9].tensor);
    assert_false(safetensors_read(diag, "t.safetensors", "absent", &in));
    assert_non_null(strstr(said(), "tensor 'absent': the file has none of this name"));
    assert_int_equal(in.count, 1);
    assert_null(tensors_find(&in, "absent"));
    tensors_free(&in);
    tensors_free(&out);
    unlink("t.safetensors");
}

static void no_tensors_are_a_file_too(void **state) {
    (void)state;
    NamedTensors none = {0};
    assert_true(tensors_write(diag, "t.safetensors", &none));
    assert_true(tensors_read(diag, "t.safetensors", T_NONE, &none));
    assert_int_equal(none.count, 0);
    unlink("t.safetensors");
}

/* Reads a file of this header, then `data` zero bytes; what is said, or "". */
static const char *safetensors_of(const char *header, size_t data) {
    char bytes[2000] = {0};
    NamedTensors in = {0};
    size_t size = strlen(header);
    bytes[0] = (char)(size & 0xff);
    bytes[1] = (char)(size >> 8);
    memcpy(bytes + 8, header, size);
    put("t.safetensors", bytes, 8 + size + data);
    bool ok = tensors_read(diag, "t.safetensors", T_NONE, &in);
    assert_true(ok || in.count == 0);
    tensors_free(&in);
    unlink("t.safetensors");
    return said();
}

#define ENTRY(NAME, DTYPE, SHAPE, OFFSETS)                                                         \
    "\"" NAME "\":{\"dtype\":\"" DTYPE "\",\"shape\":" SHAPE ",\"data_offsets\":" OFFSETS "}"

static void safetensors_accept_what_the_format_allows(void **state) {
    (void)state;
    assert_string_equal(
        safetensors_of(
            "{" ENTRY("b", "F32", "[1]", "[4,8]") "," ENTRY("a", "F32", "[]", "[0,4]") "}   ", 8),
        "");
    assert_string_equal(
        safetensors_of(
            "{\"__metadata__\":{\"format\":\"pt\"}," ENTRY("a", "U8", "[0,7]", "[0,0]") "}", 0),
        "");
}

static void safetensors_say_what_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *header;
        size_t data;
        const char *message;
    } rows[] = {
        {"{" ENTRY("a", "F32", "[2]", "[0,8]") "}", 7,
         "'a': its data is beyond the end of the file"},
        {"{" ENTRY("a", "F32", "[2]", "[0,8]") "}", 9, "there are bytes behind the last tensor"},
        {"{" ENTRY("a", "F32", "[2]", "[0,4]") "}", 4,
         "f32[2] needs 8 bytes, the file has 4 for it"},
        {"{" ENTRY("a", "F32", "[1]", "[4,8]") "}", 8, "there is a gap before its data"},
        {"{" ENTRY("a", "F32", "[1]", "[0,4]") "," ENTRY("b", "F32", "[1]", "[2,6]") "}", 6,
         "'b': its data overlaps another tensor's"},
        {"{" ENTRY("a", "F32", "[1]", "[0,4]") "," ENTRY("b", "F32", "[1]", "[0,4]") "}", 4,
         "overlaps"},
        {"{" ENTRY("a", "I16", "[2]", "[0,4]") "}", 4, "element type 'I16' is not supported"},
        {"{" ENTRY("a", "F32", "[-1]", "[0,4]") "}", 4, "'shape' is not a list of sizes"},
        {"{" ENTRY("a", "F32", "[1.0]", "[0,4]") "}", 4, "'shape' is not a list of sizes"},
        {"{" ENTRY("a", "F32", "1", "[0,4]") "}", 4, "'shape' is not a list"},
        {"{" ENTRY("a", "F32", "[1,1,1,1,1,1,1,1,1]", "[0,4]") "}", 4, "more than 8 dims"},
        {"{" ENTRY("a", "F32", "[4294967296,4294967296]", "[0,4]") "}", 4, "too many elements"},
        {"{" ENTRY("a", "F32", "[4611686018427387904,4]", "[0,0]") "}", 0, "too many elements"},
        {"{" ENTRY("a", "F64", "[2305843009213693952]", "[0,0]") "}", 0, "too many elements"},
        {"{" ENTRY("a", "F32", "[1]", "[4,0]") "}", 4, "'data_offsets' is not [start, end]"},
        {"{" ENTRY("a", "F32", "[1]", "[-4,0]") "}", 4, "'data_offsets' is not [start, end]"},
        {"{" ENTRY("a", "F32", "[1]", "[0,4,8]") "}", 4, "'data_offsets' is not [start, end]"},
        {"{" ENTRY("a", "F32", "[1]", "{}") "}", 4, "'data_offsets' is not [start, end]"},
        {"{" ENTRY("a", "F32", "[1]", "[0,9223372036854775807]") "}", 4, "beyond the end"},
        {"{" ENTRY("a", "F32", "[1]", "[0,9223372036854775808]") "}", 4, "header: too big integer"},
        {"{" ENTRY("a", "F32", "[1]", "[0,4]") "," ENTRY("a", "F32", "[1]", "[0,4]") "}", 4,
         "header: duplicate object key"},
        {"{\"a\":{\"shape\":[],\"data_offsets\":[0,4]}}", 4, "'dtype' is not a string"},
        {"{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", 4, "'shape' is not a list"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[]}}", 4, "'data_offsets' is not [start, end]"},
        {"{\"a\":3}", 0, "'a': is not a JSON object"},
        {"{\"a\\u0000\":3}", 0, "header: "},
        {"[]", 0, "header: not a JSON object"},
        {"{", 0, "header: "},
        {"", 0, "header: "},
        {"{} x", 0, "header: end of file expected"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *message = safetensors_of(rows[i].header, rows[i].data);
        assert_memory_equal(message, "fusec: error: t.safetensors: ", 29);
        if (!strstr(message, rows[i].message)) fail_msg("%zu: %s", i, message);
    }
}

static void safetensors_bound_the_header(void **state) {
    (void)state;
    NamedTensors in = {0};
    put("t.safetensors", "\xff\xff\xff\xff\xff\xff\xff\xff{}", 10);
    assert_false(tensors_read(diag, "t.safetensors", T_NONE, &in));
    assert_non_null(strstr(said(), "its header is longer than it"));
    put("t.safetensors", "\1\0\0", 3);
    assert_false(tensors_read(diag, "t.safetensors", T_NONE, &in));
    assert_non_null(strstr(said(), "is not a safetensors file"));
    put("t.safetensors", "\0\0\0\2\0\0\0\0", 8);
    assert_false(truncate("t.safetensors", 64 << 20));
    assert_false(tensors_read(diag, "t.safetensors", T_NONE, &in));
    assert_non_null(strstr(said(), "the header is longer than 8 MiB"));
    unlink("t.safetensors");
}

static void safetensors_refuse_bad_names(void **state) {
    (void)state;
    static const struct {
        const char *names[2], *message;
    } rows[] = {{{"a", "a"}, "tensor name 'a' is there twice"},
                {{"__metadata__", "a"}, "tensor name '__metadata__' is reserved"},
                {{"\xff", "a"}, "is not UTF-8"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        NamedTensors out = {0};
        for (int j = 0; j < 2; j++)
            tensors_add(&out, rows[i].names[j], random_tensor(T_F32, 0, NULL));
        assert_false(tensors_write(diag, "t.safetensors", &out));
        assert_non_null(strstr(said(), rows[i].message));
        assert_int_equal(access("t.safetensors", F_OK), -1);
        tensors_free(&out);
    }
}

/* ---- by suffix, and failures of the machine --------------------------------------------- */

static void the_suffix_decides(void **state) {
    (void)state;
    NamedTensors one = {0}, in = {0};
    tensors_add(&one, "x", random_tensor(T_BF16, 1, shapes[1]));
    assert_true(tensors_write(diag, "./some.name.npy", &one));
    assert_true(tensors_read(diag, "./some.name.npy", T_BF16, &in));
    assert_string_equal(in.at[0].name, "some.name");
    tensors_add(&one, "y", random_tensor(T_F32, 0, NULL));
    assert_false(tensors_write(diag, "two.npy", &one));
    assert_non_null(strstr(said(), "two.npy: a .npy file holds one tensor, not 2"));
    assert_false(tensors_write(diag, "two.bin", &one));
    assert_non_null(strstr(said(), "two.bin: the name ends in neither .npy nor .safetensors"));
    assert_false(tensors_read(diag, "two", T_NONE, &in));
    assert_false(tensors_read(diag, "none.npy", T_NONE, &in));
    assert_string_equal(diag->refusal, "open none.npy: No such file or directory");
    tensors_free(&one);
    tensors_free(&in);
    unlink("some.name.npy");
}

/* A file size limit stands for the full disk: the write fails half way, and the old file stays. */
static void a_full_disk_leaves_the_old_file(void **state) {
    (void)state;
    size_t size;
    const int64_t shape[] = {4096};
    struct rlimit before, small;
    Tensor *tensor = random_tensor(T_F32, 1, shape);
    put("t.npy", "old", 3);
    signal(SIGXFSZ, SIG_IGN);
    assert_false(getrlimit(RLIMIT_FSIZE, &before));
    small = before;
    small.rlim_cur = 1000;
    assert_false(setrlimit(RLIMIT_FSIZE, &small));
    bool ok = npy_write(diag, "t.npy", tensor);
    assert_false(setrlimit(RLIMIT_FSIZE, &before));
    assert_false(ok);
    assert_string_equal(said(), "fusec: error: write t.npy: File too large\n");
    assert_string_equal(get("t.npy", &size), "old");
    tensor_free(tensor);
    unlink("t.npy"); /* and the folder is empty now, or teardown fails */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(npy_round_trips),
        TEST(npy_headers_are_as_numpy_writes_them),
        TEST(npy_accepts_what_python_writes),
        TEST(npy_says_what_is_wrong),
        TEST(npy_cut_anywhere_is_an_error),
        TEST(bools_are_zero_or_one),
        TEST(safetensors_round_trip),
        TEST(no_tensors_are_a_file_too),
        TEST(safetensors_accept_what_the_format_allows),
        TEST(safetensors_say_what_is_wrong),
        TEST(safetensors_bound_the_header),
        TEST(safetensors_refuse_bad_names),
        TEST(the_suffix_decides),
        TEST(a_full_disk_leaves_the_old_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
