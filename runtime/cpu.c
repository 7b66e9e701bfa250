/* cpu.c: compiles C for the CPU.
 * In: C source text, or machine code from a table. Out: machine code, by the C compiler of this
 * machine, loaded.
 * All intermediate memory is in a scratch arena and all files in one folder, so that build_end can
 * clean up after any error. */
#include "runtime/cpu_private.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct CpuModule {
    void *handle;
};

enum { LOG_MOST = 16 << 10, HINTS_MOST = 8 };

/* Flags a compiler may lack; the code is right without them, only slower. The hints are words in
 * the errors of a compiler that lacks the flag, or the library or header that comes with it.
 * -nolibc: the linker does not read the symbols of libc, which this process has: it takes half as
 * long. Flags that only gcc has: registers are allocated for whole functions, which spills fewer
 * than for each loop; passes that take a ninth of its time are left out, which change two
 * instructions in a thousand, since kernels are written without what these find; and so is the
 * scheduling of instructions, which processors do, and which makes products with 256-bit vectors
 * slower. Two instructions at a time are combined, not four, and few induction variables are
 * compared with all others. */
static const struct {
    const char *flag, *hints[HINTS_MOST];
} wishes[] = {
    {"-march=native", {"march"}},
#if defined(__x86_64__) || defined(__i386__)
    {"-mprefer-vector-width=512", {"prefer-vector-width"}},
#endif
    {"-ffp-contract=fast", {"ffp-contract"}},
    {"-nolibc", {"nolibc"}},
    {"-fno-delete-null-pointer-checks -DFX_NULL_IS_KEPT", {"delete-null"}},
    {"-fira-region=one -fno-tree-bit-ccp -fno-tree-dominator-opts -fno-tree-pre -fno-code-hoisting "
     "-fno-schedule-insns2 --param=max-combine-insns=2 "
     "--param=iv-consider-all-candidates-bound=10",
     {"ira-region", "tree-bit-ccp", "tree-dominator-opts", "tree-pre", "code-hoisting",
      "schedule-insns2", "max-combine", "iv-consider"}},
    {"-fopenmp", {"openmp", "gomp", "lomp", "omp.h"}},
};
enum { WISHES = sizeof wishes / sizeof wishes[0], WISH_OPENMP = WISHES - 1, WISH_GCC = WISHES - 2 };
_Static_assert((int)WISHES == (int)CPU_WISHES, "a Build knows which are dropped");

static bool fail(Build *b, const char *call, const char *path) {
    b->no_memory = errno == ENOMEM;
    b->failure = arena_printf(b->arena, "%s %s: %s", call, path, strerror(errno));
    return false;
}

/* ---- the folder ------------------------------------------------------------------------- */

static bool make_folder(Build *b) {
    b->folder = folder_make(b->arena, &b->failure);
    b->no_memory = !b->folder && errno == ENOMEM;
    if (!b->folder) return false;
    b->source = arena_printf(b->arena, "%s/fusec.c", b->folder);
    b->library = arena_printf(b->arena, "%s/fusec.so", b->folder);
    b->log = arena_printf(b->arena, "%s/fusec.log", b->folder);
    return true;
}

/* What went wrong in file.c. */
static bool fail_as(Build *b, const Diag *diag) {
    b->failure = diag->refusal ? diag->refusal : diag->messages.at[0].text;
    b->no_memory = diag->no_memory;
    return false;
}

bool build_write(Build *b, const char *path, const void *bytes, size_t size) {
    Diag *diag = diag_new(b->arena, 1);
    return file_write_atomic(diag, path, bytes, size) || fail_as(b, diag);
}

/* Copies one file, if it is there, to folder `keep`. */
static bool keep_file(Build *b, const char *path, const char *keep) {
    Diag *diag = diag_new(b->arena, 1);
    size_t size;
    if (access(path, R_OK)) return true;
    char *bytes = file_read(diag, path, SIZE_MAX, &size);
    const char *to = arena_printf(b->arena, "%s/%s", keep, strrchr(path, '/') + 1);
    bool ok = bytes && file_write_atomic(diag, to, bytes, size);
    free(bytes);
    return ok || fail_as(b, diag);
}

/* The library is loaded from the private folder all the same: dlopen takes a path that it has seen
 * for a library that it has. */
static bool folder_keep(Build *b, const char *keep) {
    if (mkdir(keep, 0777) && errno != EEXIST) return fail(b, "mkdir", keep);
    return keep_file(b, b->source, keep) && keep_file(b, b->library, keep) &&
           keep_file(b, b->log, keep);
}

/* ---- the command ------------------------------------------------------------------------ */

/* -O3 splits and peels the loops around a product for up to six times as long as -O2 takes, for
 * code that is about as fast: kernels say which of their loops are unrolled. A function of the
 * model is called, not one of libc that has its name. gcc's note on how vectors are passed is of no
 * use: every function that takes one is inlined. */
static const char always[] = "-O2 -shared -fPIC -Wno-psabi -Wl,-Bsymbolic";

const char *cpu_flags(Arena *arena, const CpuOptions *options) {
    Text text = text_new(arena);
    text_str(&text, always);
    for (int i = 0; i < WISHES; i++)
        if (i != WISH_OPENMP || !options->one_thread) text_printf(&text, " %s", wishes[i].flag);
    if (options->flags) text_printf(&text, " %s", options->flags);
    return text_get(&text);
}

void command_add(Build *b, Command *command, const char *words) {
    for (words += strspn(words, " "); *words && command->count < WORDS_MOST;) {
        size_t size = strcspn(words, " ");
        command->word[command->count++] = arena_strndup(b->arena, words, size);
        words += size + strspn(words + size, " ");
    }
}

/* As it is, blanks and all. */
void command_path(Build *b, Command *command, const char *path) {
    if (command->count < WORDS_MOST) command->word[command->count++] = arena_strdup(b->arena, path);
}

/* The compiler and its flags: what it is to make, and of what, follows. */
Command *command_begin(Build *b) {
    const char *flags = b->options && b->options->flags ? b->options->flags : "";
    Command *command = arena_new_of(b->arena, Command);
    command_add(b, command, cpu_compiler(b->options));
    command_add(b, command, always);
    for (int i = 0; i < WISHES; i++)
        if (!b->dropped[i]) command_add(b, command, wishes[i].flag);
    command_add(b, command, flags);
    return command;
}

/* Does a text call libm? The linker takes as long to read libm as for all the rest. arithmetic.h
 * calls it where there is no vector instruction for square roots. */
static bool calls_libm(const char *text) {
#if defined(__x86_64__) || defined(__aarch64__)
    return strstr(text, "#include <math.h>") || strstr(text, "__builtin_sqrt(");
#else
    (void)text;
    return true;
#endif
}

Command *command_of(Build *b, const char *const *files, int count) {
    Command *command = command_begin(b);
    command_add(b, command, "-o");
    command_path(b, command, b->library);
    for (int i = 0; i < count; i++) command_path(b, command, files[i]);
    if (calls_libm(b->text)) command_add(b, command, "-lm");
    return command;
}

static const char *command_text(Build *b, const Command *command) {
    Text text = text_new(b->arena);
    for (int i = 0; i < command->count; i++)
        text_printf(&text, "%s%s", i ? " " : "", command->word[i]);
    return text_get(&text);
}

/* ---- running it ------------------------------------------------------------------------- */

/* makes: the file that it writes; NULL: none. */
Child build_child(const Build *b, const Command *command, const char *log, const char *makes) {
    const Watch *watch = b->options ? b->options->watch : NULL;
    return (Child){.arena = b->arena,
                   .words = command->word,
                   .log = log,
                   .folder = b->folder,
                   .makes = makes,
                   .watch = watch};
}

/* An error number, or 0 and the exit status. Whatever else the compiler writes is in the folder,
 * which is removed. */
static int command_run(Build *b, Command *command, const char *makes, int *status) {
    Child child = build_child(b, command, b->log, makes);
    int error = child_run(&child);
    *status = child.status;
    b->was_ended = child.was_ended;
    return error;
}

/* The start of the output of the compiler. */
static const char *read_log(Build *b) {
    char *text = arena_alloc(b->arena, LOG_MOST + 1);
    int fd = open(b->log, O_RDONLY | O_CLOEXEC);
    size_t size = 0;
    for (ssize_t got = 1; fd >= 0 && got && size < LOG_MOST;) {
        got = read(fd, text + size, LOG_MOST - size);
        if (got > 0)
            size += (size_t)got;
        else if (got < 0 && errno != EINTR)
            break;
    }
    if (fd >= 0) close(fd);
    while (size && text[size - 1] == '\n') text[--size] = '\0';
    return text;
}

static const char *exit_text(Build *b, int status) {
    return WIFSIGNALED(status) ? arena_printf(b->arena, "killed by signal %d", WTERMSIG(status))
                               : arena_printf(b->arena, "exit status %d", WEXITSTATUS(status));
}

static bool fail_as_ended(Build *b) {
    b->failure = "the C compiler was ended before it was done, as was asked for";
    return false;
}

/* One run of the compiler. *log is what it said when it failed, and NULL when it could not run. */
static bool compile_once(Build *b, const char **log) {
    Command *command = command_of(b, &b->source, 1);
    int status = 0;
    *log = NULL;
    if (command->count == WORDS_MOST) {
        b->failure = "the command of the C compiler has too many words";
        return false;
    }
    int error = command_run(b, command, b->library, &status);
    if (b->was_ended) return fail_as_ended(b);
    if (!error && WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    b->no_memory = error == ENOMEM;
    if (error || (WIFEXITED(status) && WEXITSTATUS(status) == 127)) {
        const bool is_missing = !error || error == ENOENT || error == EACCES;
        b->failure = arena_printf(b->arena, "the C compiler cannot be run: %s: %s%s\n%s",
                                  command->word[0], strerror(error ? error : ENOENT),
                                  is_missing ? "; install gcc or clang, or set CC" : "",
                                  command_text(b, command));
        return false;
    }
    *log = read_log(b);
    b->failure = arena_printf(b->arena, "the C compiler failed (%s): %s\n%s", exit_text(b, status),
                              command_text(b, command), *log);
    return false;
}

static bool speaks_of(const char *log, int wish) {
    for (int i = 0; i < HINTS_MOST && wishes[wish].hints[i]; i++)
        if (strstr(log, wishes[wish].hints[i])) return true;
    return false;
}

/* Marks the flags that the log complains of. False if there is no new one. */
static bool drop_wishes(Build *b, const char *log) {
    bool any = false;
    for (int i = 0; i < WISHES; i++)
        if (!b->dropped[i] && speaks_of(log, i)) any = b->dropped[i] = true;
    return any;
}

const char *cpu_compiler(const CpuOptions *options) {
    const char *compiler = options && options->compiler ? options->compiler : getenv("CC");
    return compiler && compiler[strspn(compiler, " ")] ? compiler : "cc";
}

/* Again without the flags that it complains of; if that fails, too, the first failure is reported.
 */
static bool compile(Build *b) {
    const char *log, *first = NULL;
    while (!compile_once(b, &log)) {
        if (!first) first = b->failure;
        if (!log || !drop_wishes(b, log)) {
            b->failure = first;
            return false;
        }
    }
    b->failure = NULL;
    return true;
}

/* ---- loading ---------------------------------------------------------------------------- */

/* OpenMP's threads outlive the module that started them, and crash when their code is unmapped
 * with it: hold its library, if the module brought one, for as long as the process lives. */
static void hold_openmp(void) {
    static const char *const names[] = {"libgomp.so.1", "libomp.so.5", "libomp.so", "libiomp5.so"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        (void)dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
}

/* Is it a file whose code may not be executed where it is? */
static bool forbids_code(const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    void *code = mmap(NULL, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
    bool forbids = code == MAP_FAILED && (errno == EPERM || errno == EACCES);
    if (code != MAP_FAILED) munmap(code, 1);
    close(fd);
    return forbids;
}

static bool load(Build *b) {
    b->handle = dlopen(b->library, RTLD_NOW | RTLD_LOCAL);
    if (b->handle) {
        hold_openmp();
        return true;
    }
    const char *why = dlerror();
    b->failure = arena_printf(b->arena, "dlopen: %s", why ? why : b->library);
    if (forbids_code(b->library))
        b->failure = arena_printf(b->arena,
                                  "%s; code cannot be run from %s (is it mounted noexec?): set "
                                  "TMPDIR to a folder where it can",
                                  b->failure, folder_base());
    return false;
}

/* ---- the whole -------------------------------------------------------------------------- */

static bool make_library(Build *b) {
    if (b->code) return build_write(b, b->library, b->code->bytes, b->code->size);
    if (!build_write(b, b->source, b->text, strlen(b->text))) return false;
    if (!b->to && build_objects(b)) return true;
    if (b->was_ended) return fail_as_ended(b);
    b->failure = NULL, b->no_memory = false;
    return compile(b);
}

/* The library's bytes, to where they are wanted. */
static bool deliver(Build *b) {
    const CpuOptions *o = b->options;
    Diag *diag = diag_new(b->arena, 1);
    size_t size;
    char *bytes = file_read(diag, b->library, SIZE_MAX, &size);
    bool ok = bytes && (!b->to || file_write_atomic(diag, b->to, bytes, size));
    if (ok && !b->to && !code_add(o->codes, o->key, bytes, size)) {
        diag_refuse_memory(diag, "malloc: %s", strerror(ENOMEM));
        ok = false;
    }
    free(bytes);
    return ok || fail_as(b, diag);
}

static bool is_one_thread(const Build *b) { return b->options && b->options->one_thread; }

static void report(const Build *b) {
    if (b->failure && b->no_memory) diag_refuse_memory(b->diag, "%s", b->failure);
    if (b->failure && !b->no_memory) diag_refuse(b->diag, "%s", b->failure);
    for (int i = 0; !b->failure && i < WISHES; i++)
        if (b->dropped[i] && i != WISH_GCC && !(i == WISH_OPENMP && is_one_thread(b)))
            diag_remark(b->diag, NOWHERE, "the C compiler does not take %s: compiled without it",
                        wishes[i].flag);
}

static void build(void *of) {
    Build *b = of;
    b->dropped[WISH_OPENMP] = is_one_thread(b);
    b->dropped[WISH_GCC] = b->text && toolchain_is_clang(b->arena, cpu_compiler(b->options));
    if (make_folder(b)) {
        bool ok = make_library(b) && (b->to || load(b));
        if (ok && (b->to || (b->options && b->options->codes))) deliver(b);
        if (b->keep) folder_keep(b, b->keep);
    }
    report(b);
    if (b->failure || b->to) return;
    b->module = malloc(sizeof *b->module);
    if (!b->module) leave_for_memory(__FILE__, __LINE__);
    b->module->handle = b->handle;
}

static void build_end(void *of) {
    Build *b = of;
    folder_remove(b->folder);
    if (b->handle && !b->module) dlclose(b->handle);
    arena_free(b->arena);
}

static void build_run(Build *b) {
    b->arena = arena_new(0);
    if (!b->arena) leave_for_memory(__FILE__, __LINE__);
    ensure(build, build_end, b);
}

CpuModule *cpu_compile(Diag *diag, const char *source, const char *keep,
                       const CpuOptions *options) {
    Build b = {.diag = diag, .text = source, .keep = keep, .options = options};
    build_run(&b);
    return b.module;
}

CpuModule *cpu_load(Diag *diag, const Code *code) {
    Build b = {.diag = diag, .code = code};
    build_run(&b);
    return b.module;
}

bool cpu_library(Diag *diag, const char *source, const char *path, const CpuOptions *options) {
    Build b = {.diag = diag, .text = source, .to = path, .options = options};
    build_run(&b);
    return !b.failure;
}

typedef struct Version {
    Build b;
    const char *compiler, *text;
    bool is_known;
} Version;

static void ask_version(void *of) {
    Version *v = of;
    Build *b = &v->b;
    Command *command = arena_new_of(b->arena, Command);
    int status = 0;
    command_add(b, command, v->compiler);
    command_add(b, command, "--version");
    int error = make_folder(b) ? command_run(b, command, NULL, &status) : errno;
    v->is_known = !error && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    const char *log = b->folder ? read_log(b) : "";
    v->text = v->is_known ? arena_strndup(b->arena, log, strcspn(log, "\n"))
                          : arena_printf(b->arena, "%s: %s", command->word[0],
                                         error ? strerror(error) : exit_text(b, status));
}

static void version_end(void *of) { folder_remove(((Version *)of)->b.folder); }

bool cpu_compiler_version(Arena *arena, const char *compiler, const char **text) {
    Version v = {.b = {.arena = arena}, .compiler = compiler};
    ensure(ask_version, version_end, &v);
    *text = v.text;
    return v.is_known;
}

void *cpu_symbol(CpuModule *module, const char *name) { return dlsym(module->handle, name); }

void cpu_free(CpuModule *module) {
    if (!module) return;
    dlclose(module->handle);
    free(module);
}
