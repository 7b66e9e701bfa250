/* test_import.c: files that models name, text of headers that nobody has checked, and a machine
 * without libclang. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "world.h"

#include "graph/import/import.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- libclang is loaded by name: in place of the loader's function ------------------------------
 */

static bool hides_clang;

void *dlopen(const char *name, int flags) {
    void *(*real)(const char *, int);
    void *next = dlsym(RTLD_NEXT, "dlopen");
    memcpy(&real, &next, sizeof real);
    return hides_clang && name && strstr(name, "libclang") ? NULL : real(name, flags);
}

/* ---- a folder -----------------------------------------------------------------------------------
 */

typedef struct Folder {
    char path[64];
    Arena *arena;
} Folder;

static const char *in(Folder *f, const char *name) {
    return arena_printf(f->arena, "%s/%s", f->path, name);
}

static void write_file(Folder *f, const char *name, const char *text) {
    FILE *file = fopen(in(f, name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int open_folder(void **state) {
    static Folder f;
    strcpy(f.path, "/tmp/fusec-import-XXXXXX");
    f.arena = arena_new(0);
    assert_non_null(mkdtemp(f.path));
    assert_int_equal(mkdir(in(&f, "sub"), 0700), 0);
    write_file(&f, "ops.h", "float twice(float x) { return 2 * x; }\n");
    write_file(&f, "sub/more.h", "#include \"ops.h\"\n");
    assert_int_equal(symlink("ops.h", in(&f, "link.h")), 0);
    assert_int_equal(symlink("sub", in(&f, "linked")), 0);
    assert_int_equal(mkfifo(in(&f, "pipe.h"), 0600), 0);
    *state = &f;
    return 0;
}

static int close_folder(void **state) {
    static const char *const all[] = {"ops.h", "sub/more.h", "link.h", "linked", "pipe.h"};
    Folder *f = *state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) unlink(in(f, all[i]));
    rmdir(in(f, "sub"));
    rmdir(f->path);
    arena_free(f->arena);
    return 0;
}

/* ---- reading below a folder ---------------------------------------------------------------------
 */

static void files_below_are_read(void **state) {
    Folder *f = *state;
    const char *why;
    size_t size;
    const char *text = file_read_below(f->arena, f->path, "sub/more.h", 17, &size, &why);
    assert_string_equal(text, "#include \"ops.h\"\n");
    assert_int_equal(size, 17);
    assert_non_null(file_read_below(f->arena, f->path, "./ops.h", 1000, &size, &why));
}

static void others_are_not(void **state) {
    static const char *const paths[] = {
        "",       "/etc/passwd",   "../x",   "sub/../ops.h", "..",     "sub", "sub/", "sub//more.h",
        "link.h", "linked/more.h", "pipe.h", "none.h",       "ops.h/x"};
    Folder *f = *state;
    size_t size;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const char *why = NULL;
        assert_null(file_read_below(f->arena, f->path, paths[i], 1000, &size, &why));
        assert_non_null(why);
    }
    const char *why = NULL;
    assert_null(file_read_below(f->arena, f->path, "sub/more.h", 16, &size, &why));
    assert_string_equal(why, "has more than 16 bytes");
}

/* ---- tokens -------------------------------------------------------------------------------------
 */

static uint64_t random_state = 1;

static unsigned random_below(unsigned limit) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(random_state >> 33) % limit;
}

/* Whatever the bytes are, tokens are of them, in order, and end. */
static void tokens_cover_the_text(void **state) {
    static const char alphabet[] = "ab_1.eE+-'\"/*\\\n\r\t (){}[]#<>;\xc3\xa9";
    (void)state;
    for (int round = 0; round < 20000; round++) {
        char text[40];
        const size_t size = random_below(sizeof text);
        for (size_t i = 0; i < size; i++) text[i] = alphabet[random_below(sizeof alphabet - 1)];
        char *exact = malloc(size + 1); /* so that a sanitizer sees a read behind it */
        memcpy(exact, text, size);
        const char *at = exact, *end = exact + size;
        for (CToken token; token = c_token(at, end), token.kind != C_END; at += token.size) {
            assert_ptr_equal(token.at, at);
            assert_in_range(token.size, 1, (size_t)(end - at));
        }
        assert_ptr_equal(at, end);
        const char *behind = size ? c_behind_bracket(exact, end) : NULL;
        assert_true(!behind || (behind > exact && behind <= end));
        free(exact);
    }
}

/* ---- libclang -----------------------------------------------------------------------------------
 */

static const char model[] = "import \"ops.h\";\n"
                            "fn f[N](x: f32[N]) -> (y: f32[N]) { y = twice(x); }\n";

static Model *lower_in(World *w, const char *folder, const char *text) {
    const LowerOptions options = {.imports = {.folder = folder}};
    const uint32_t file = diag_source(w->diag, "test.fx", text, strlen(text));
    const Ast *ast = parse(w->arena, w->diag, file, &w->limits);
    assert_non_null(ast);
    return lower(w->arena, w->diag, ast, "test", &w->limits, &options);
}

static void functions_are_found(void **state) {
    Folder *f = *state;
    World w;
    world_open(&w);
    const Model *m = lower_in(&w, f->path, model);
    assert_non_null(m);
    assert_int_equal(m->imports->functions.count, 1);
    assert_false(m->imports->functions.at[0].costly);
    world_close(&w);
}

static void its_absence_is_a_refusal(void **state) {
    Folder *f = *state;
    World w;
    world_open(&w);
    hides_clang = true;
    assert_null(lower_in(&w, f->path, model));
    hides_clang = false;
    assert_non_null(w.diag->refusal);
    assert_non_null(strstr(w.diag->refusal, "libclang1"));
    world_close(&w);
}

/* A model from memory has no folder. */
static void there_may_be_no_folder(void **state) {
    World w;
    (void)state;
    world_open(&w);
    assert_null(lower_in(&w, NULL, model));
    assert_int_equal(w.diag->errors, 1);
    world_close(&w);
}

/* Parts of a header that is cut anywhere: a message or a model, and no file but itself. */
static void cut_headers_do_no_harm(void **state) {
    static const char header[] =
        "#pragma once\n/* a \"b\" */ #define FN static inline\n#include \"ops.h\"\n"
        "#define TWO(x) \\\n  ((x) * 2.0f) // two\n"
        "enum { A, B }; typedef struct pair { float x, y; } pair;\n"
        "static const float k[2] = {1, 2}, m = '{';\n"
        "static inline pair both(float x) { pair p = {x, k[A]}; return p; }\n"
        "static inline float g(float x) { return both(TWO(x)).x + twice(x); }\n";
    static const char text[] =
        "import \"cut.h\";\nfn f[N](x: f32[N]) -> (y: f32[N]) { y = g(x); }\n";
    Folder *f = *state;
    for (size_t size = 0; size < sizeof header; size += 3) {
        World w;
        world_open(&w);
        write_file(f, "cut.h", arena_strndup(w.arena, header, size));
        const Model *m = lower_in(&w, f->path, text);
        assert_true(m || w.diag->errors);
        if (m) assert_int_equal(m->imports->files.count, 2);
        world_close(&w);
    }
    unlink(in(f, "cut.h"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_below_are_read),     cmocka_unit_test(others_are_not),
        cmocka_unit_test(tokens_cover_the_text),    cmocka_unit_test(functions_are_found),
        cmocka_unit_test(its_absence_is_a_refusal), cmocka_unit_test(there_may_be_no_folder),
        cmocka_unit_test(cut_headers_do_no_harm),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
