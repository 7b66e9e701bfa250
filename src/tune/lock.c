/* lock.c: decisions as a plain text, which needs no GPU to be applied, and which `diff` shows well.
 * In: a file, or what was decided. Out: decisions with their places in the file, and pins for a
 * compilation; or the text. docs/tuning.md has the format. */
#include "tune/tune.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION = 1, WORDS_MOST = 3 };

static const char magic[] = "fusec-tune-lock";

/* ---- writing ------------------------------------------------------------------------------ */

static void section_print(const LockSection *s, Text *out) {
    text_printf(out, "\nfunction %s\ntarget %s\nnumeric %s\n", s->fn, s->target, s->numeric);
    if (s->size) text_printf(out, "size %s\n", s->size);
    if (*s->dims) text_printf(out, "dims %s\n", s->dims);
    for (int i = 0; i < s->fusions.count; i++) {
        partition_put(&s->fusions.at[i], out);
        text_char(out, '\n');
    }
    for (int i = 0; i < s->entries.count; i++) {
        const LockEntry *e = &s->entries.at[i];
        text_printf(out, "tile %s", e->kernel);
        if (e->part) text_printf(out, ":%d", e->part);
        text_printf(out, " %s\n", e->tile);
    }
}

void lock_print(const Lock *lock, const char *command, Text *out) {
    text_printf(out, "# Decisions of fusec tune, for --tune-lock: see docs/tuning.md.\n");
    if (command) text_printf(out, "# %s\n", command);
    text_printf(out, "%s %d\n", magic, VERSION);
    for (int i = 0; i < lock->sections.count; i++) section_print(&lock->sections.at[i], out);
}

/* ---- reading ------------------------------------------------------------------------------ */

typedef struct Reading {
    Diag *diag;
    Lock *lock;
    uint32_t file;
    bool has_version;
    char *words[WORDS_MOST]; /* of a line; the last has the rest of it */
    Span at[WORDS_MOST], line;
    int count;
} Reading;

/* "tile geglu_0 kind=mma,m=128": at most three words. A # starts a comment. */
static void split(Reading *r, const char *line, size_t size, uint32_t from) {
    const char *comment = memchr(line, '#', size);
    if (comment) size = (size_t)(comment - line);
    while (size && strchr(" \t\r", line[size - 1])) size--;
    r->line = (Span){from, from + (uint32_t)size, r->file};
    r->count = 0;
    for (size_t at = 0; at < size && r->count < WORDS_MOST;) {
        size_t length = strcspn(line + at, " \t");
        if (length > size - at || r->count == WORDS_MOST - 1) length = size - at;
        const uint32_t lo = from + (uint32_t)at;
        r->at[r->count] = (Span){lo, lo + (uint32_t)length, r->file};
        r->words[r->count++] = arena_strndup(r->diag->arena, line + at, length);
        at += length;
        while (at < size && strchr(" \t", line[at])) at++;
    }
}

static bool refuse(const Reading *r, const char *text) {
    diag_error(r->diag, r->line, "%s", text);
    return false;
}

static LockSection *section(Reading *r) {
    return r->lock->sections.count ? &r->lock->sections.at[r->lock->sections.count - 1] : NULL;
}

static bool add_section(Reading *r) {
    LockSection s = {.fn = r->words[1], .at = r->at[1], .target = "", .numeric = "", .dims = ""};
    vec_push(r->diag->arena, &r->lock->sections, s);
    return true;
}

/* "tile geglu_0:2 kind=mma,m=128": of part 2 of that kernel. */
static bool add_entry(Reading *r) {
    LockEntry e = {.kernel = r->words[1], .at = r->line};
    char *colon = strchr(r->words[1], ':');
    if (r->count < 3) return refuse(r, "a tile is 'tile KERNEL KEY=VALUE,..'");
    e.tile = r->words[2];
    for (const char *p = colon ? colon + 1 : ""; *p; p++) {
        if (*p < '0' || *p > '9' || e.part > 999)
            return refuse(r, "the part of a kernel is a number");
        e.part = 10 * e.part + *p - '0';
    }
    if (colon) *colon = '\0';
    if (colon && !e.part) return refuse(r, "parts of a kernel are numbered from 1");
    LockSection *s = section(r);
    for (int i = 0; i < s->entries.count; i++)
        if (!strcmp(s->entries.at[i].kernel, e.kernel) && s->entries.at[i].part == e.part)
            return refuse(r, "this kernel has a tile already");
    vec_push(r->diag->arena, &s->entries, e);
    return true;
}

/* "cut h y" */
static bool add_fusion(Reading *r, bool is_cut) {
    LockSection *s = section(r);
    if (r->count < 3)
        return refuse(r, is_cut ? "a pair is 'cut VALUE VALUE'" : "a pair is 'fuse VALUE VALUE'");
    const FusePin pin = {
        .fn = s->fn, .a = r->words[1], .b = r->words[2], .is_cut = is_cut, .at = r->line};
    vec_push(r->diag->arena, &s->fusions, pin);
    return true;
}

/* "split %5:matmul 4" */
static bool add_split(Reading *r) {
    LockSection *s = section(r);
    char *end = r->words[1];
    const long parts = r->count < 3 ? 0 : strtol(r->words[2], &end, 10);
    if (parts < 1 || *end) return refuse(r, "a split is 'split VALUE PARTS'");
    vec_push(r->diag->arena, &s->fusions,
             ((FusePin){.fn = s->fn, .a = r->words[1], .parts = parts, .at = r->line}));
    return true;
}

static bool wrong_version(const Reading *r) {
    diag_error(r->diag, r->line, "this is no tune lock of version %d: those start with '%s %d'",
               VERSION, magic, VERSION);
    return false;
}

static bool unknown(const Reading *r) {
    static const char *const words[] = {"function", "target", "numeric", "size", "dims",
                                        "cut",      "fuse",   "split",   "tile"};
    diag_error(r->diag, r->at[0], "a tune lock has no '%s'", r->words[0]);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text_distance(r->words[0], words[i], 2) <= 2)
            diag_note(r->diag, NOWHERE, "did you mean '%s'?", words[i]);
    return false;
}

/* The rest of the line after its first word. */
static const char *rest(const Reading *r) {
    const char *first = r->words[1];
    return r->count < 3 ? first : arena_printf(r->diag->arena, "%s %s", first, r->words[2]);
}

static bool read_line(Reading *r) {
    if (!r->count) return true;
    const char *word = r->words[0];
    if (!r->has_version) {
        r->has_version = r->count == 2 && !strcmp(word, magic) && !strcmp(r->words[1], "1");
        return r->has_version || wrong_version(r);
    }
    if (r->count < 2) return refuse(r, "a value is missing here");
    if (!strcmp(word, "function")) return add_section(r);
    LockSection *s = section(r);
    if (!s) return refuse(r, "'function NAME' comes first");
    if (!strcmp(word, "tile")) return add_entry(r);
    if (!strcmp(word, "cut") || !strcmp(word, "fuse")) return add_fusion(r, *word == 'c');
    if (!strcmp(word, "split")) return add_split(r);
    if (!strcmp(word, "target")) return s->target = rest(r), s->target_at = r->line, true;
    if (!strcmp(word, "numeric")) return s->numeric = rest(r), s->numeric_at = r->line, true;
    if (!strcmp(word, "size")) return s->size = rest(r), s->size_at = r->line, true;
    if (!strcmp(word, "dims")) return s->dims = rest(r), true;
    return unknown(r);
}

static bool is_twice(Reading *r, const LockSection *s) {
    for (const LockSection *other = r->lock->sections.at; other < s; other++)
        if (!strcmp(other->fn, s->fn) && !strcmp(other->target, s->target)) {
            diag_error(r->diag, s->at, "function '%s' is in this file twice for target %s", s->fn,
                       s->target);
            return true;
        }
    return false;
}

static bool sections_verify(Reading *r) {
    for (int i = 0; i < r->lock->sections.count; i++) {
        const LockSection *s = &r->lock->sections.at[i];
        if (!*s->target || !*s->numeric) {
            diag_error(r->diag, s->at, "function '%s' needs a line '%s'", s->fn,
                       *s->target ? "numeric MODE" : "target NAME");
            return false;
        }
        if (is_twice(r, s)) return false;
    }
    return true;
}

bool lock_read(Diag *diag, uint32_t file, Lock *lock) {
    Reading r = {.diag = diag, .lock = lock, .file = file};
    const Source *source = &diag->sources.at[file];
    *lock = (Lock){.file = file};
    for (size_t at = 0; at < source->size;) {
        const char *line = source->text + at, *end = memchr(line, '\n', source->size - at);
        const size_t size = end ? (size_t)(end - line) : source->size - at;
        split(&r, line, size, (uint32_t)at);
        if (!read_line(&r)) return false;
        at += size + 1;
    }
    return r.has_version ? sections_verify(&r) : wrong_version(&r);
}

/* ---- applying ----------------------------------------------------------------------------- */

const char *lock_target(Arena *arena, const CompileOptions *o) {
    if (o->target->device == DEVICE_CPU) return o->target->name;
    return arena_printf(arena, "%s sm_%d%s", o->target->name, o->target->machine(o->emit.arch)->sm,
                        o->target->machine(o->emit.arch)->wgmma ? "a" : "");
}

/* Decisions are legal on all devices of the architecture, but were measured on some. */
static void tell_size(Diag *diag, const LockSection *s, const MachineSize *size,
                      const CompileOptions *o) {
    const Machine *usual = o->target->machine(o->emit.arch);
    const Machine *here = machine_of_size(diag->arena, usual, &o->size);
    const Machine *there = machine_of_size(diag->arena, usual, size);
    const char *own = machine_size_print(diag->arena, here);
    if (!o->size.processors || !strcmp(own, machine_size_print(diag->arena, there))) return;
    diag_remark(diag, s->size ? s->size_at : s->target_at,
                "the decisions for function '%s' were made on another GPU: this one has %s", s->fn,
                own);
}

static bool apply_section(Diag *diag, const LockSection *s, CompileOptions *o) {
    FunctionPin pin = {.fn = s->fn, .mode = s->numeric, .at = s->numeric_at};
    if (s->size && !machine_size_parse(s->size, &pin.size)) {
        diag_error(diag, s->size_at, "a size is '%s'",
                   machine_size_print(diag->arena, machine_gpu(NULL)));
        return false;
    }
    tell_size(diag, s, &pin.size, o);
    vec_push(diag->arena, &o->function_pins, pin);
    for (int i = 0; i < s->fusions.count; i++)
        vec_push(diag->arena, &o->fuse_pins, s->fusions.at[i]);
    for (int i = 0; i < s->entries.count; i++) {
        const LockEntry *e = &s->entries.at[i];
        const TilePin like = {.kernel = e->kernel, .part = e->part, .at = e->at, .is_chosen = true};
        if (!tile_parse_values(diag, e->tile, &like, &o->tile_pins)) return false;
    }
    return true;
}

bool lock_apply(Diag *diag, const Lock *lock, CompileOptions *o) {
    const char *target = lock_target(diag->arena, o);
    int applied = 0;
    for (int i = 0; i < lock->sections.count; i++) {
        const LockSection *s = &lock->sections.at[i];
        if (strcmp(s->target, target) != 0 || (o->fn && strcmp(s->fn, o->fn) != 0)) continue;
        if (!apply_section(diag, s, o)) return false;
        applied++;
    }
    if (applied || !lock->sections.count) return true;
    diag_error(diag, lock->sections.at[0].target_at, "there are no decisions for target %s%s%s",
               target, o->fn ? " and function " : "", o->fn ? o->fn : "");
    return false;
}
