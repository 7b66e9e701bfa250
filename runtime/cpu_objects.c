/* cpu_objects.c: compiles a text as objects, several at a time, which are linked.
 * In: a text; a store with objects of functions that other programs share. Out: the library; in the
 * store the objects of those that it did not have. */
#include "runtime/cpu_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { OBJECTS_MOST = 2 * CPU_PARTS_MOST };

typedef struct Objects {
    Build *b;
    const char *functions;        /* stands for the text of all that may be shared */
    Child children[OBJECTS_MOST]; /* runs of the compiler */
    const char *made[OBJECTS_MOST];
    int count;
    const char *stored[CPU_NAMES_MOST]; /* files with objects of the store */
    FilePart bytes[CPU_NAMES_MOST];
    int stored_count;
    bool drops; /* objects of the store may have more functions than are called */
} Objects;

/* Functions that the store does not have, dealt to some runs of the compiler. */
typedef struct Missing {
    CpuNames names[CPU_PARTS_MOST];
    int made[CPU_PARTS_MOST]; /* which object has them */
    int count;
} Missing;

/* ---- runs of the compiler --------------------------------------------------------------- */

static bool object_start(Objects *o, const char *text, const char *flags) {
    Build *b = o->b;
    const char *source = arena_printf(b->arena, "%s/part%d.c", b->folder, o->count);
    const char *object = arena_printf(b->arena, "%s/part%d.o", b->folder, o->count);
    const char *log = arena_printf(b->arena, "%s/part%d.log", b->folder, o->count);
    Command *command = command_begin(b);
    command_add(b, command, flags);
    command_add(b, command, "-c -o");
    command_path(b, command, object);
    command_path(b, command, source);
    if (command->count == WORDS_MOST || !build_write(b, source, text, strlen(text))) return false;
    o->children[o->count] = build_child(b, command, log, object);
    o->made[o->count++] = object;
    return true;
}

static bool children_succeed(Build *b, Child *children, int count) {
    bool ok = !child_run_all(children, count);
    for (int i = 0; i < count; i++) {
        ok = ok && WIFEXITED(children[i].status) && WEXITSTATUS(children[i].status) == 0;
        b->was_ended = b->was_ended || children[i].was_ended;
    }
    return ok && !b->was_ended;
}

static bool link_objects(Objects *o) {
    Build *b = o->b;
    const char *files[OBJECTS_MOST + CPU_NAMES_MOST];
    int count = 0;
    for (int i = 0; i < o->count; i++) files[count++] = o->made[i];
    for (int i = 0; i < o->stored_count; i++) files[count++] = o->stored[i];
    Command *command = command_of(b, files, count);
    command_add(b, command, o->drops ? "-Wl,--gc-sections" : "");
    Child child = build_child(b, command, b->log, b->library);
    return command->count < WORDS_MOST && children_succeed(b, &child, 1);
}

/* All parts together take the compiler up to half as long again as the whole does. */
static int parts_most(const Build *b) {
    const int most = b->options && b->options->parts ? b->options->parts : processors_here();
    return most < CPU_PARTS_MOST ? most : CPU_PARTS_MOST;
}

/* ---- the store -------------------------------------------------------------------------- */

static const char *functions_of(const Build *b) {
    const char *text = b->options->shared->text(b->arena, NULL);
    return arena_printf(b->arena, "%016" PRIx64, hash_bytes(text, strlen(text), 0));
}

/* By all that code of this machine depends on, and all text that the function needs. Its object has
 * others, too, and the linker takes any of one name: no object of other texts may be found. */
static KeyFields key_of(const Objects *o, const char *name) {
    const CpuShared *shared = o->b->options->shared;
    const int last = shared->key.count - 1;
    KeyField *at = arena_array(o->b->arena, KeyField, last + 2);
    memcpy(at, shared->key.at, (size_t)last * sizeof *at);
    at[last] = (KeyField){"functions", o->functions};
    at[last + 1] = (KeyField){"source", shared->text(o->b->arena, name)};
    return (KeyFields){at, last + 2};
}

/* Several functions may have come from one run of the compiler: its object is linked once. */
static bool take(Objects *o, void *bytes, size_t size) {
    Build *b = o->b;
    arena_owns(b->arena, free, bytes);
    for (int i = 0; i < o->stored_count; i++)
        if (o->bytes[i].size == size && !memcmp(o->bytes[i].data, bytes, size)) return true;
    const char *path = arena_printf(b->arena, "%s/stored%d.o", b->folder, o->stored_count);
    o->bytes[o->stored_count] = (FilePart){bytes, size};
    o->stored[o->stored_count++] = path;
    return build_write(b, path, bytes, size);
}

/* Each text has some of them, so that several are compiled at a time. */
static void deal_missing(Missing *missing, const CpuNames *names, int most) {
    enum { OF_A_TEXT = 4 };
    missing->count = (names->count + OF_A_TEXT - 1) / OF_A_TEXT;
    if (missing->count > most) missing->count = most;
    for (int i = 0; i < names->count; i++) {
        CpuNames *to = &missing->names[i % missing->count];
        to->at[to->count++] = names->at[i];
    }
}

static bool start_missing(Objects *o, Missing *missing, const CpuNames *all) {
    Build *b = o->b;
    for (int i = 0; i < missing->count; i++) {
        const CpuNames *names = &missing->names[i];
        Text words = text_new(b->arena);
        for (int j = 0; j < names->count; j++) text_printf(&words, "%s ", names->at[j]);
        const char *whole = b->options->shared->text(b->arena, text_get(&words));
        const char *text = cpu_parts_of(b->arena, whole, names, all);
        missing->made[i] = o->count;
        if (!text || !object_start(o, text, "-ffunction-sections")) return false;
    }
    return true;
}

static bool take_stored(Objects *o, const CpuNames *names, Missing *missing) {
    CodeStore *store = o->b->options->shared->store;
    CpuNames without = {0};
    for (int i = 0; i < names->count; i++) {
        const KeyFields key = key_of(o, names->at[i]);
        void *bytes;
        size_t size;
        if (!store->find(store, o->b->diag, &key, NULL, &bytes, &size))
            without.at[without.count++] = names->at[i];
        else if (!take(o, bytes, size))
            return false;
    }
    deal_missing(missing, &without, parts_most(o->b));
    return start_missing(o, missing, names);
}

/* Of one run of the compiler: its object is the code of each of its functions. */
static void add_entries(Objects *o, const CpuNames *names, const char *path, double seconds,
                        CodeEntry *entries, int *count) {
    Build *b = o->b;
    size_t size;
    char *bytes = file_read(diag_new(b->arena, 1), path, SIZE_MAX, &size);
    if (!bytes) return;
    arena_owns(b->arena, free, bytes);
    for (int i = 0; i < names->count; i++) {
        KeyField *about = arena_new_of(b->arena, KeyField);
        *about = (KeyField){"function", names->at[i]};
        entries[(*count)++] =
            (CodeEntry){key_of(o, names->at[i]), {about, 1}, bytes, size, seconds / names->count};
    }
}

static void store_missing(Objects *o, const Missing *missing, double seconds) {
    CodeStore *store = o->b->options->shared->store;
    CodeEntry entries[CPU_NAMES_MOST];
    int count = 0;
    for (int i = 0; i < missing->count; i++)
        add_entries(o, &missing->names[i], o->made[missing->made[i]], seconds, entries, &count);
    if (count) store->add(store, o->b->diag, entries, count);
}

/* ---- the whole -------------------------------------------------------------------------- */

static bool start_all(Objects *o, const char *const *texts, int count) {
    for (int i = 0; i < count; i++)
        if (!object_start(o, texts[i], "")) return false;
    return true;
}

/* With functions of the store. */
static bool build_shared(Build *b) {
    const CpuShared *shared = b->options->shared;
    const char *texts[CPU_PARTS_MOST];
    CpuNames *names = arena_new_of(b->arena, CpuNames);
    Missing *missing = arena_new_of(b->arena, Missing);
    Objects *o = arena_new_of(b->arena, Objects);
    *o = (Objects){.b = b, .functions = functions_of(b), .drops = true};
    const int count =
        cpu_parts_without(b->arena, b->text, shared->before, parts_most(b), names, texts);
    if (!count || !take_stored(o, names, missing) || !start_all(o, texts, count)) return false;
    const double start = clock_now();
    if (!children_succeed(b, o->children, o->count) || !link_objects(o)) return false;
    store_missing(o, missing, clock_now() - start);
    return true;
}

static bool build_parts(Build *b) {
    const char *texts[CPU_PARTS_MOST];
    Objects *o = arena_new_of(b->arena, Objects);
    o->b = b;
    const int count = cpu_parts_split(b->arena, b->text, parts_most(b), texts);
    return count > 1 && start_all(o, texts, count) && children_succeed(b, o->children, count) &&
           link_objects(o);
}

bool build_objects(Build *b) {
    if (b->options && b->options->shared && build_shared(b)) return true;
    return !b->was_ended && build_parts(b);
}
