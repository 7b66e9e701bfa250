/* test_cpu.c: the CPU device: compile, load, run; compilers that are missing, refuse or fail. */
#define _GNU_SOURCE /* sched_setaffinity */
#include "runtime/runtime.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixture.h"

typedef int IntFn(int);

/* ISO C has no conversion from an object's pointer to a function's. */
static IntFn *int_fn(CpuModule *module, const char *name) {
    IntFn *fn;
    void *symbol = cpu_symbol(module, name);
    assert_non_null(symbol);
    memcpy(&fn, &symbol, sizeof fn);
    return fn;
}

/* Writes an executable shell script called `name` into the test's folder. */
static const char *script(const char *name, const char *text) {
    put(name, text, strlen(text));
    assert_false(chmod(name, 0755));
    return arena_printf(arena, "%s/%s", folder, name);
}

static const char source[] = "int twice(int x) { return 2 * x; }\n";

static void code_is_compiled_and_run(void **state) {
    (void)state;
    CpuModule *module = cpu_compile(diag, source, NULL, NULL);
    assert_non_null(module);
    assert_int_equal(int_fn(module, "twice")(21), 42);
    assert_null(cpu_symbol(module, "thrice"));
    CpuModule *other = cpu_compile(diag, "int twice(int x) { return x + x + 1; }\n", NULL, NULL);
    assert_int_equal(int_fn(other, "twice")(21), 43);
    assert_int_equal(int_fn(module, "twice")(21), 42);
    cpu_free(module);
    cpu_free(other);
    cpu_free(NULL);
}

static void put_line(const char *name, const char *text) { put(name, text, strlen(text)); }

/* The last one counts, once for each group of processors that has one. */
static void caches_are_those_of_linux(void **state) {
    (void)state;
    assert_int_equal(cpu_cache_bytes(folder, 4), 0);
    assert_false(mkdir("index0", 0755) || mkdir("index3", 0755));
    put_line("index0/size", "48K\n");
    put_line("index0/shared_cpu_map", "00000001\n");
    put_line("index3/size", "32768K\n");
    put_line("index3/shared_cpu_map", "00ff,0000ffff\n");
    assert_int_equal(cpu_cache_bytes(folder, 24), 32 << 20);
    assert_int_equal(cpu_cache_bytes(folder, 48), 64 << 20);
    put_line("index3/size", "many\n");
    assert_int_equal(cpu_cache_bytes(folder, 2), 2 * 48 << 10);
    assert_true(cpu_cache_here() > 0);
    remove("index0/size"), remove("index0/shared_cpu_map"), remove("index0");
    remove("index3/size"), remove("index3/shared_cpu_map"), remove("index3");
}

static void openmp_outlives_its_module(void **state) {
    (void)state;
    static const char parallel[] = "int sum(int n) {\n"
                                   "    int s = 0;\n"
                                   "    #pragma omp parallel for reduction(+ : s)\n"
                                   "    for (int i = 0; i < n; i++) s += i;\n"
                                   "    return s;\n"
                                   "}\n";
    for (int i = 0; i < 3; i++) {
        CpuModule *module = cpu_compile(diag, parallel, NULL, NULL);
        assert_int_equal(int_fn(module, "sum")(1000), 499500);
        cpu_free(module);
    }
}

static void a_missing_compiler_is_named(void **state) {
    (void)state;
    assert_null(cpu_compile(diag, source, NULL, &(CpuOptions){.compiler = "/nonexistent/cc -m64"}));
    assert_non_null(strstr(diag->refusal, "the C compiler cannot be run: /nonexistent/cc: No such "
                                          "file or directory; install gcc or clang, or set CC\n"
                                          "/nonexistent/cc -m64 -O2"));
    assert_int_equal(diag->errors, 0);
    said();
    assert_false(setenv("CC", "/nonexistent", 1));
    assert_null(cpu_compile(diag, source, NULL, NULL));
    assert_non_null(strstr(said(), "/nonexistent: No such file or directory"));
    assert_false(setenv("CC", "  ", 1));
    CpuModule *module = cpu_compile(diag, source, NULL, NULL);
    assert_non_null(module);
    cpu_free(module);
    unsetenv("CC");
}

static void a_compile_error_is_told(void **state) {
    (void)state;
    assert_null(cpu_compile(diag, "int f(void) { return nowhere; }\n", NULL, NULL));
    assert_non_null(strstr(diag->refusal, "the C compiler failed (exit status 1): cc -O2"));
    assert_non_null(strstr(diag->refusal, "nowhere"));
    assert_int_equal(diag->messages.count, 0);
    assert_int_equal(diag->errors, 0);
}

static void a_killed_compiler_is_told(void **state) {
    (void)state;
    const char *cc = script("cc-killed", "#!/bin/sh\nkill -9 $$\n");
    assert_null(cpu_compile(diag, source, NULL, &(CpuOptions){.compiler = cc}));
    assert_non_null(strstr(diag->refusal, "the C compiler failed (killed by signal 9)"));
    unlink("cc-killed");
}

/* Like a compiler without OpenMP's library, and like one for another machine. */
static void unknown_flags_are_left_out(void **state) {
    (void)state;
    const char *cc = script("cc-plain", "#!/bin/sh\n"
                                        "case \"$*\" in *-fopenmp*)\n"
                                        "  echo 'ld: cannot find -lgomp' >&2; exit 1;; esac\n"
                                        "case \"$*\" in *-march=native*)\n"
                                        "  echo \"unknown option '-march=native'\"; exit 1;; esac\n"
                                        "exec cc \"$@\"\n");
    CpuModule *module = cpu_compile(diag, source, NULL, &(CpuOptions){.compiler = cc});
    assert_non_null(module);
    assert_int_equal(int_fn(module, "twice")(4), 8);
    assert_string_equal(
        said(), "fusec: remark: the C compiler does not take -march=native: compiled without it\n"
                "fusec: remark: the C compiler does not take -fopenmp: compiled without it\n");
    cpu_free(module);
    assert_null(cpu_compile(diag, "#error unknown -fopenmp\n", NULL, NULL));
    assert_non_null(strstr(diag->refusal, "-fopenmp -o")); /* the first failure, and no remark */
    assert_int_equal(diag->messages.count, 0);
    unlink("cc-plain");
}

/* By its name, or as the compiler itself says. */
static void flags_of_gcc_are_not_for_others(void **state) {
    (void)state;
    static const char *const scripts[][2] = {
        {"cc-like-clang", "#!/bin/sh\n"
                          "case \"$*\" in *-fira-region*) exit 1;; esac\n"
                          "exec cc \"$@\"\n"},
        {"cc-other", "#!/bin/sh\n"
                     "case \"$*\" in *-fira-region*)\n"
                     "  echo \"unknown argument: '-fira-region=one'\"; exit 1;; esac\n"
                     "exec cc \"$@\"\n"},
    };
    for (int i = 0; i < 2; i++) {
        const char *cc = script(scripts[i][0], scripts[i][1]);
        CpuModule *module = cpu_compile(diag, source, NULL, &(CpuOptions){.compiler = cc});
        assert_non_null(module);
        assert_int_equal(int_fn(module, "twice")(4), 8);
        assert_int_equal(diag->messages.count, 0);
        cpu_free(module);
        unlink(scripts[i][0]);
    }
}

static void libm_is_linked_where_it_is_called(void **state) {
    (void)state;
    const char *cc = script("cc-without-libm", "#!/bin/sh\n"
                                               "case \"$*\" in *-lm*) exit 1;; esac\n"
                                               "exec cc \"$@\"\n");
    CpuModule *module = cpu_compile(diag, source, NULL, &(CpuOptions){.compiler = cc});
    assert_non_null(module);
    cpu_free(module);
    const char *text = "#include <math.h>\nint twice(int x) { return (int)cosh(0.0 * x) + x; }\n";
    assert_null(cpu_compile(diag, text, NULL, &(CpuOptions){.compiler = cc}));
    module = cpu_compile(diag, text, NULL, NULL);
    assert_non_null(module);
    assert_int_equal(int_fn(module, "twice")(4), 5);
    cpu_free(module);
    unlink("cc-without-libm");
}

static void more_flags_are_passed_on(void **state) {
    (void)state;
    const char *text = "int twice(int x) { return FACTOR * x; }\n";
    CpuModule *module = cpu_compile(diag, text, NULL, &(CpuOptions){.flags = " -DFACTOR=2  -O0 "});
    assert_non_null(module);
    assert_int_equal(int_fn(module, "twice")(5), 10);
    cpu_free(module);
    char many[2000];
    memset(many, ' ', sizeof many);
    for (size_t i = 0; i < sizeof many; i += 2) many[i] = 'x';
    many[sizeof many - 1] = '\0';
    assert_null(cpu_compile(diag, source, NULL, &(CpuOptions){.flags = many}));
    assert_non_null(strstr(said(), "too many words"));
}

static void the_files_can_be_kept(void **state) {
    (void)state;
    size_t size;
    CpuModule *module = cpu_compile(diag, source, "kept", NULL);
    assert_non_null(module);
    assert_string_equal(get("kept/fusec.c", &size), source);
    assert_false(access("kept/fusec.so", R_OK));
    CpuModule *again = cpu_compile(diag, "int twice(int x) { return x; }\n", "kept", NULL);
    assert_int_equal(int_fn(again, "twice")(5), 5);
    assert_int_equal(int_fn(module, "twice")(5), 10);
    assert_null(cpu_compile(diag, "int twice(", "kept", NULL));
    assert_string_equal(get("kept/fusec.c", &size), "int twice(");
    assert_true(get("kept/fusec.log", &size) && size > 0);
    said();
    assert_null(cpu_compile(diag, source, "no/such/folder", NULL));
    assert_non_null(strstr(said(), "mkdir no/such/folder: No such file or directory"));
    cpu_free(module);
    cpu_free(again);
    unlink("kept/fusec.c");
    unlink("kept/fusec.so");
    unlink("kept/fusec.log");
    assert_false(rmdir("kept"));
}

/* As many compilers run at a time as the process may have processors. */
static void processors_are_those_of_the_process(void **state) {
    cpu_set_t all, one;
    (void)state;
    assert_false(sched_getaffinity(0, sizeof all, &all));
    assert_int_equal(processors_here(), CPU_COUNT(&all));
    int first = 0;
    while (!CPU_ISSET(first, &all)) first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_false(sched_setaffinity(0, sizeof one, &one));
    assert_int_equal(processors_here(), 1);
    assert_false(sched_setaffinity(0, sizeof all, &all));
}

/* Two kernels that are long enough for parts of their own, functions that they share, of which one
 * is not called, and a function that calls them. */
static const char *long_text(const char *last_statement) {
    enum { LONG = 9 << 10 };
    char *filler = arena_alloc(arena, LONG + 1);
    memset(filler, ' ', LONG);
    return arena_printf(arena,
                        "#define LANES static inline __attribute__((always_inline, unused))\n"
                        "LANES int more(void)\n{\n    return 3;\n}\n"
                        "int imported(int x)\n{\n    return x;\n}\n"
                        "static inline int add(int x, int y) { return x + y; }\n"
                        "#define SHARED_FUNCTION static __attribute__((noinline, unused))\n"
                        "SHARED_FUNCTION int twice(int x)\n{\n    return 2 * x;\n}\n\n"
                        "SHARED_FUNCTION int thrice(int x)\n{\n    return 3 * x;\n}\n\n"
                        "static void one(int x,\n                int *y)\n{\n%s\n"
                        "    *y = add(x, more());\n}\n\n"
                        "static void two(int x, int *y)\n{\n%s\n    %s\n}\n\n"
                        "int both(int x)\n{\n    int y;\n    one(x, &y);\n    two(y, &y);\n"
                        "    return y;\n}\n",
                        filler, filler, last_statement);
}

static void a_long_text_has_parts(void **state) {
    (void)state;
    const char *parts[CPU_PARTS_MOST], *text = long_text("*y = twice(x);");
    assert_int_equal(cpu_parts_split(arena, source, 8, parts), 1);
    assert_int_equal(cpu_parts_split(arena, text, 1, parts), 1);
    assert_int_equal(cpu_parts_split(arena, text, 8, parts), 2); /* as many as long kernels */
    for (int i = 0; i < 2; i++) {
        assert_non_null(strstr(parts[i], "static inline int add"));
        assert_non_null(strstr(parts[i], "void one(int x,\n                int *y)\n"));
        assert_null(strstr(parts[i], "static void"));
        assert_int_equal(!strstr(parts[i], "*y = twice(x);"), !!strstr(parts[i], "add(x, more())"));
        assert_non_null(strstr(parts[i], "LANES int more(void)\n{"));
        assert_non_null(strstr(parts[i], "\nint imported(int x)\n")); /* as it is compiled alone */
        assert_null(strstr(parts[i], "SHARED_FUNCTION int twice"));
        assert_non_null(strstr(parts[i], "SHARED_FUNCTION int thrice"));
    }
    assert_int_equal(!strstr(parts[0], "return 2 * x;"), !!strstr(parts[1], "return 2 * x;"));
    assert_non_null(strstr(parts[0], "return y;"));
    assert_non_null(strstr(parts[1], "int both(int x)\n;\n"));
}

/* A kernel as long as three others: those that call its micro-kernel are with it. */
static void kernels_of_one_micro_kernel_are_in_one_part(void **state) {
    (void)state;
    enum { SHORT = 3 << 10, LONG = 3 * SHORT };
    char *filler = arena_alloc(arena, LONG + 1);
    memset(filler, ' ', LONG);
    const char *parts[CPU_PARTS_MOST];
    const char *text = arena_printf(arena,
                                    "#define TILE_FUNCTION static void\n"
                                    "TILE_FUNCTION tile_a(int *x)\n{\n    *x += 1;\n}\n"
                                    "TILE_FUNCTION tile_b(int *x)\n{\n    *x += 2;\n}\n"
                                    "static void one(int *x)\n{\n%s\n    tile_a(x);\n}\n\n"
                                    "static void two(int *x)\n{\n%.*s\n    tile_b(x);\n}\n\n"
                                    "static void three(int *x)\n{\n%.*s\n    tile_b(x);\n}\n\n",
                                    filler, SHORT, filler, SHORT, filler);
    assert_int_equal(cpu_parts_split(arena, text, 8, parts), 2);
    for (int i = 0; i < 2; i++)
        assert_int_not_equal(!strstr(parts[i], " tile_a(x)"), !strstr(parts[i], " tile_b(x)"));
}

/* Then one part has its text, and the others declare it. */
static void a_micro_kernel_of_many_is_in_one_part(void **state) {
    (void)state;
    enum { LONG = 8 << 10 };
    char *filler = arena_alloc(arena, LONG + 1);
    memset(filler, ' ', LONG);
    filler[LONG] = '\0';
    const char *parts[CPU_PARTS_MOST];
    Text text = text_new(arena);
    text_str(&text, "\nTILE_FUNCTION tile(int *x)\n{\n    *x += 1;\n}\n");
    for (int i = 0; i < 4; i++)
        text_printf(&text, "static void kernel%d(int *x)\n{\n%s\n    tile(x);\n}\n", i, filler);
    assert_int_equal(cpu_parts_split(arena, text_get(&text), 2, parts), 2);
    assert_int_not_equal(!strstr(parts[0], "*x += 1;"), !strstr(parts[1], "*x += 1;"));
    for (int i = 0; i < 2; i++)
        assert_non_null(strstr(parts[i], "FULL_VECTORS void tile(int *x)\n"));
}

static void parts_are_one_library(void **state) {
    (void)state;
    size_t size;
    const char *cc = script("cc-counted", "#!/bin/sh\necho >>calls\nexec cc \"$@\"\n");
    CpuOptions options = {.compiler = cc, .parts = 2};
    CpuModule *module = cpu_compile(diag, long_text("*y = twice(x);"), "kept", &options);
    assert_non_null(module);
    assert_int_equal(int_fn(module, "both")(4), 14);
    assert_null(cpu_symbol(module, "one"));
    assert_string_equal(get("calls", &size), "\n\n\n"); /* two parts, and the linker */
    assert_non_null(strstr(get("kept/fusec.c", &size), "static void one"));
    cpu_free(module);
    unlink("calls"), unlink("cc-counted");
    unlink("kept/fusec.c"), unlink("kept/fusec.so"), unlink("kept/fusec.log");
    assert_false(rmdir("kept"));
}

static void shared_functions_may_be_outside(void **state) {
    (void)state;
    const char *parts[CPU_PARTS_MOST], *text = long_text("*y = twice(x);");
    const size_t before = (size_t)(strstr(text, "static void one") - text);
    CpuNames names;
    assert_int_equal(cpu_parts_without(arena, text, 0, 8, &names, parts), 0);
    assert_int_equal(cpu_parts_without(arena, text, before, 8, &names, parts), 2);
    assert_int_equal(names.count, 1);
    assert_string_equal(names.at[0], "twice");
    for (int i = 0; i < 2; i++) {
        assert_non_null(strstr(parts[i], "noinline)) int twice(int x)\n;\n"));
        assert_non_null(strstr(parts[i], "SHARED_FUNCTION int thrice"));
    }
    const char *of = cpu_parts_of(arena, text, &names, &names);
    assert_non_null(strstr(of, "__attribute__((weak)) int twice(int x)\n{"));
    const CpuNames none = {.count = 0};
    of = cpu_parts_of(arena, text, &none, &names);
    assert_non_null(strstr(of, "noinline)) int twice(int x)\n;\n"));
    assert_non_null(strstr(of, "SHARED_FUNCTION int thrice(int x)\n{"));
    assert_true(cpu_parts_share(text));
    assert_false(cpu_parts_share(source));
}

/* It keeps the last object. */
typedef struct OneObject {
    CodeStore store;
    char key[200];
    char bytes[16 << 10];
    size_t size;
} OneObject;

static const char *object_key(const KeyFields *key) {
    assert_int_equal(key->count, 2);
    return arena_printf(arena, "%s %s", key->at[0].value, key->at[1].value);
}

static bool object_find(CodeStore *store, Diag *d, const KeyFields *key, const KeyFields *about,
                        void **bytes, size_t *size) {
    OneObject *one = (OneObject *)store;
    (void)d;
    assert_null(about);
    if (strcmp(one->key, object_key(key))) return false;
    *bytes = malloc(one->size);
    assert_non_null(*bytes);
    memcpy(*bytes, one->bytes, one->size);
    *size = one->size;
    return true;
}

static void object_add(CodeStore *store, Diag *d, const CodeEntry *entries, int count) {
    OneObject *one = (OneObject *)store;
    (void)d;
    assert_int_equal(count, 1);
    assert_true(entries->size <= sizeof one->bytes && entries->seconds > 0);
    assert_string_equal(entries->about.at[0].value, "twice");
    snprintf(one->key, sizeof one->key, "%s", object_key(&entries->key));
    memcpy(one->bytes, entries->bytes, one->size = entries->size);
}

static const char *shared_text(Arena *a, const char *names) {
    (void)a;
    if (!names) return "all";
    return strcmp(names, "twice") && strcmp(names, "twice ")
               ? NULL
               : "#define SHARED_FUNCTION\nSHARED_FUNCTION int twice(int x)\n{\n    return 2 * "
                 "x;\n}\n";
}

/* Objects that have the function may have others, too. */
static const char *changed_text(Arena *a, const char *names) {
    return names ? shared_text(a, names) : "all, and one has changed";
}

/* Four runs of the compiler with the linker, then three: another program has the function. And four
 * where the text of another function has changed. */
static void shared_functions_are_compiled_once(void **state) {
    (void)state;
    size_t size;
    const char *cc = script("cc-counted", "#!/bin/sh\necho >>calls\nexec cc \"$@\"\n");
    OneObject one = {.store = {.find = object_find, .add = object_add}};
    const KeyField source_field = {"source", ""};
    CpuShared shared = {&one.store, {&source_field, 1}, 0, shared_text};
    const CpuOptions options = {.compiler = cc, .parts = 2, .shared = &shared};
    for (int i = 0; i < 3; i++) {
        const char *text = long_text(i ? "*y = 5 * twice(x);" : "*y = twice(x);");
        if (i == 2) shared.text = changed_text;
        shared.before = (size_t)(strstr(text, "static void one") - text);
        CpuModule *module = cpu_compile(diag, text, NULL, &options);
        assert_non_null(module);
        assert_int_equal(int_fn(module, "both")(4), i ? 70 : 14);
        assert_null(cpu_symbol(module, "twice"));
        cpu_free(module);
        assert_string_equal(get("calls", &size), i == 1 ? "\n\n\n" : "\n\n\n\n");
        unlink("calls");
    }
    one.size = 3; /* no object: all is compiled as if there was no store */
    const char *text = long_text("*y = twice(x) + 1;");
    CpuModule *module = cpu_compile(diag, text, NULL, &options);
    assert_non_null(module);
    assert_int_equal(int_fn(module, "both")(4), 15);
    cpu_free(module);
    unlink("calls"), unlink("cc-counted");
}

static void an_error_in_a_part_is_told_as_of_the_whole(void **state) {
    (void)state;
    assert_null(cpu_compile(diag, long_text("*y = nowhere;"), NULL, &(CpuOptions){.parts = 2}));
    assert_non_null(strstr(diag->refusal, "/fusec.c\n"));
    assert_non_null(strstr(diag->refusal, "nowhere"));
}

static bool never(void *user) {
    (void)user;
    return false;
}

static void parts_are_ended_by_their_watcher(void **state) {
    (void)state;
    const char *cc = script("cc-slow", "#!/bin/sh\nexec sleep 60\n");
    const Watch watch = {never, NULL};
    const CpuOptions options = {.compiler = cc, .parts = 2, .watch = &watch};
    assert_null(cpu_compile(diag, long_text("*y = x;"), NULL, &options));
    assert_non_null(strstr(said(), "the C compiler was ended before it was done"));
    unlink("cc-slow");
}

static void a_folder_that_cannot_be_made_is_refused(void **state) {
    (void)state;
    setenv("TMPDIR", "/nonexistent", 1);
    assert_null(cpu_compile(diag, source, NULL, NULL));
    setenv("TMPDIR", folder, 1);
    assert_non_null(strstr(said(), "mkdtemp /nonexistent/fusec-"));
}

int main(void) {
    unsetenv("CC");
    const struct CMUnitTest tests[] = {
        TEST(code_is_compiled_and_run),
        TEST(caches_are_those_of_linux),
        TEST(openmp_outlives_its_module),
        TEST(a_missing_compiler_is_named),
        TEST(a_compile_error_is_told),
        TEST(a_killed_compiler_is_told),
        TEST(unknown_flags_are_left_out),
        TEST(flags_of_gcc_are_not_for_others),
        TEST(libm_is_linked_where_it_is_called),
        TEST(more_flags_are_passed_on),
        TEST(the_files_can_be_kept),
        TEST(a_folder_that_cannot_be_made_is_refused),
        TEST(processors_are_those_of_the_process),
        TEST(a_long_text_has_parts),
        TEST(shared_functions_may_be_outside),
        TEST(shared_functions_are_compiled_once),
        TEST(kernels_of_one_micro_kernel_are_in_one_part),
        TEST(a_micro_kernel_of_many_is_in_one_part),
        TEST(parts_are_one_library),
        TEST(an_error_in_a_part_is_told_as_of_the_whole),
        TEST(parts_are_ended_by_their_watcher),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
