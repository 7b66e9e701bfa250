/* cpu_parts.c: a long C text as several, which the C compiler takes at a time.
 * In: an emitted file. Out: a text for each part. All have its macros, types, constants, inline
 * functions and micro-kernels of few kernels: the compiler leaves out those that a part does not
 * call. A kernel (`static void`), or a shared function (SHARED_FUNCTION, or a micro-kernel of many)
 * that one calls, is in one of them, or outside; functions that an application calls are in the
 * first. */
#include "runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of a kernel, 6 ms/KB, that take as long to compile as a further run of the compiler, which
 * parses what all have again; as a function with loops, or that inlines others, long or short; as a
 * macro that is the text of one; and as a micro-kernel, for the sizes of one kernel and for all. */
enum {
    PART_BYTES = 2 << 10,
    FUNCTION_BYTES = 600,
    MACRO_BYTES = 1600,
    TILE_BYTES = 4 << 10,
    WHOLE_TILE_BYTES = 6 << 10
};

/* Calls of a micro-kernel from which it is compiled once, for all sizes. */
enum { TILE_CALLS = 4 };

/* Bytes that take as long as one of a kernel if they are not optimised. */
enum { FAST_BYTES = 9 };

enum { FUNCTIONS_MOST = 1 << 10 };

/* In place of the number of a part. */
enum { NOT_DEALT = -1, OUTSIDE = -2 };

static const char is_static[] = "static ", is_kernel[] = "static void ", is_lanes[] = "LANES ",
                  is_shared[] = "SHARED_FUNCTION ", is_tile[] = "TILE_FUNCTION ",
                  hidden[] = "__attribute__((visibility(\"hidden\"), noinline)) ",
                  weak[] = "__attribute__((weak)) ", hidden_tile[] = "FULL_VECTORS void ";

/* What an application calls, behind the kernels, only calls them, and is as long as there are many.
 * Functions before the kernels may be of headers that the model imports. */
static const char not_optimised[] = "#if defined(__clang__)\n__attribute__((optnone, noinline))\n"
                                    "#elif defined(__GNUC__)\n__attribute__((optimize(0)))\n"
                                    "#endif\n";

/* A function whose braces stand alone on their lines. */
typedef struct Function {
    const char *start, *body, *end; /* the line with the brace; behind the function */
    size_t linkage;                 /* bytes of what makes it static; 0: an application calls it */
    size_t size;                    /* what it takes to compile */
    uint64_t calls;                 /* micro-kernels and shared functions */
    bool only_calls;                /* kernels */
    int part;
} Function;

/* Names of micro-kernels and shared functions. */
typedef struct Callees {
    const char *name[CPU_NAMES_MOST];
    size_t size[CPU_NAMES_MOST];
    int count;
    uint64_t tiles; /* which are micro-kernels */
} Callees;

typedef struct Functions {
    Function at[FUNCTIONS_MOST];
    int count;
    Callees callees;
} Functions;

static bool starts(const char *text, const char *with) {
    return !strncmp(text, with, strlen(with));
}

static const char *line_before(const char *text, const char *line) {
    if (line == text) return NULL;
    for (line--; line > text && line[-1] != '\n';) line--;
    return line;
}

/* The first line of a header that ends above the brace: the others are indented. */
static const char *header_of(const char *text, const char *brace) {
    const char *line = line_before(text, brace);
    while (line && (*line == ' ' || *line == '\t')) line = line_before(text, line);
    return line;
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Bit i: the text is the name of callee i. */
static uint64_t callee_at(const Callees *all, const char *text) {
    for (int i = 0; i < all->count; i++)
        if (!strncmp(text, all->name[i], all->size[i]) && !is_word(text[all->size[i]]))
            return (uint64_t)1 << i;
    return 0;
}

/* `line`: the header of a function. */
static void add_callee(Callees *all, const char *line) {
    const char *end = line + strcspn(line, "("), *name = end;
    while (name > line && is_word(name[-1])) name--;
    if (all->count == CPU_NAMES_MOST || callee_at(all, name)) return;
    if (starts(line, is_tile)) all->tiles |= (uint64_t)1 << all->count;
    all->name[all->count] = name;
    all->size[all->count++] = (size_t)(end - name);
}

static void find_callees(const char *text, Callees *all) {
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        if (starts(at + 1, is_tile) || starts(at + 1, is_shared)) add_callee(all, at + 1);
}

/* What a text names. */
static uint64_t calls_of(const Callees *all, const char *text, const char *end) {
    uint64_t found = 0;
    for (const char *at = text; at < end; at++)
        if (is_word(*at) && !is_word(at[-1])) found |= callee_at(all, at);
    return found;
}

static size_t linkage_of(const char *start) {
    if (starts(start, is_kernel)) return strlen(is_static);
    if (starts(start, is_tile)) return strlen(is_tile);
    return starts(start, is_shared) ? strlen(is_shared) : 0;
}

bool cpu_parts_share(const char *text) {
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        if (starts(at + 1, is_tile) || starts(at + 1, is_shared)) return true;
    return false;
}

static bool is_callee(const Function *f) {
    return starts(f->start, is_shared) || starts(f->start, is_tile);
}

/* Is a function but a call of a macro? */
static bool is_macro(const char *body) {
    const char *text = body + strspn(body, "{\n ");
    return *text >= 'A' && *text <= 'Z' && text[1] >= 'A' && text[1] <= 'Z';
}

static bool has_loop(const Function *f) {
    const char *loop = strstr(f->body, "for (");
    return loop && loop < f->end;
}

static void add(Functions *all, Function f) {
    f.linkage = linkage_of(f.start);
    f.only_calls = !f.linkage && all->count && starts(all->at[all->count - 1].start, is_kernel);
    f.only_calls |= !f.linkage && all->count && all->at[all->count - 1].only_calls;
    f.size = (size_t)(f.end - f.body);
    if (has_loop(&f) || is_macro(f.body) || starts(f.start, is_shared)) f.size += FUNCTION_BYTES;
    if (is_macro(f.body)) f.size += MACRO_BYTES;
    if (starts(f.start, is_tile)) f.size += WHOLE_TILE_BYTES;
    if (f.only_calls) f.size /= FAST_BYTES;
    f.calls = calls_of(&all->callees, f.body, f.end);
    if (f.linkage || (!starts(f.start, is_static) && !starts(f.start, is_lanes)))
        all->at[all->count++] = f;
}

/* False: there are too many. */
static bool find(const char *text, Functions *all) {
    find_callees(text, &all->callees);
    for (const char *at = text; (at = strstr(at, "\n{\n"));) {
        const char *brace = at + 1, *end = strstr(brace, "\n}\n");
        const char *start = header_of(text, brace);
        if (!end || !start || all->count == FUNCTIONS_MOST) return false;
        at = end + strlen("\n}");
        add(all, (Function){.start = start, .body = brace, .end = at + 1});
    }
    return true;
}

/* A name, with what is behind it. */
static const char *name_of(const Function *f, size_t *size) {
    Callees own = {0};
    add_callee(&own, f->start);
    *size = own.size[0];
    return own.name[0];
}

static bool has_name(const Function *f, const char *name) {
    size_t size;
    const char *own = name_of(f, &size);
    return strlen(name) == size && !strncmp(own, name, size);
}

static uint64_t bit_of(const Functions *all, const Function *f) {
    size_t size;
    return callee_at(&all->callees, name_of(f, &size));
}

/* Those of the callees that are shared. */
static void keep(Functions *all, uint64_t callees) {
    int count = 0;
    for (int i = 0; i < all->count; i++)
        if (!is_callee(&all->at[i]) || callees & bit_of(all, &all->at[i]))
            all->at[count++] = all->at[i];
    all->count = count;
}

/* Shared functions that only others call which are not called, or that macros name, remain in all
 * parts. */
static void drop_uncalled(Functions *all) {
    uint64_t called = 0, before;
    do {
        before = called;
        for (Function *f = all->at; f < all->at + all->count; f++)
            if (!is_callee(f) || called & bit_of(all, f)) called |= f->calls;
    } while (called != before);
    keep(all, called);
}

/* Functions that all programs share, whose text starts before `before`: no part has them. */
static void leave_out(Functions *all, const char *before) {
    for (Function *f = all->at; f < all->at + all->count; f++)
        if (is_callee(f) && f->start < before) {
            f->part = OUTSIDE;
            all->callees.tiles &= ~bit_of(all, f);
        }
}

static bool is_one_of(const Function *f, const CpuNames *names) {
    for (int i = 0; i < names->count; i++)
        if (has_name(f, names->at[i])) return true;
    return false;
}

/* Of the outside those that have these names. */
static void keep_of(Functions *all, const CpuNames *names, const CpuNames *outside) {
    int count = 0;
    for (Function *f = all->at; f < all->at + all->count; f++) {
        f->part = is_one_of(f, names) ? 0 : OUTSIDE;
        if (is_one_of(f, outside)) all->at[count++] = *f;
    }
    all->count = count;
}

/* Micro-kernels that few call remain in all parts, too. */
static void drop_tiles(Functions *all) {
    uint64_t many = 0;
    for (Function *f = all->at; f < all->at + all->count; f++) {
        int calls = 0;
        for (Function *by = all->at; starts(f->start, is_tile) && by < all->at + all->count; by++)
            calls += (by->calls & bit_of(all, f)) != 0;
        if (f->part == OUTSIDE) continue;
        if (calls >= TILE_CALLS && !(f->calls & all->callees.tiles)) many |= bit_of(all, f);
    }
    keep(all, many | ~all->callees.tiles);
    all->callees.tiles &= ~many;
}

/* What a part takes to compile. */
typedef struct Load {
    size_t size;
    uint64_t tiles; /* that its functions call */
} Load;

static void load_add(Load *load, const Function *f, uint64_t tiles) {
    tiles &= f->calls;
    for (uint64_t more = tiles & ~load->tiles; more; more &= more - 1) load->size += TILE_BYTES;
    load->tiles |= tiles;
    load->size += f->size;
}

/* How many parts pay: none where the longest function would take longer than all others. */
static int count_parts(const Functions *all) {
    Load whole = {0};
    size_t longest = PART_BYTES;
    for (const Function *f = all->at; f < all->at + all->count; f++) {
        Load alone = {0};
        if (f->part == OUTSIDE) continue;
        load_add(&alone, f, all->callees.tiles);
        load_add(&whole, f, all->callees.tiles);
        if (f->linkage && alone.size > longest) longest = alone.size;
    }
    return (int)((whole.size + longest - PART_BYTES) / longest);
}

/* The part that takes the least with a function. `together`: of those with its micro-kernel. */
static int part_for(const Load *loads, int count, const Function *f, uint64_t tiles,
                    bool together) {
    int least = 0;
    size_t least_size = SIZE_MAX;
    uint64_t all = 0;
    for (int p = 0; p < count; p++) all |= loads[p].tiles;
    const uint64_t own = together ? f->calls & all & tiles : 0;
    for (int p = 0; p < count; p++) {
        Load with = loads[p];
        load_add(&with, f, tiles);
        if ((!own || own & loads[p].tiles) && with.size < least_size)
            least = p, least_size = with.size;
    }
    return least;
}

/* The longest first. What the longest part takes. */
static size_t deal(Functions *all, int count, bool together) {
    const uint64_t tiles = all->callees.tiles;
    Load loads[CPU_PARTS_MOST] = {0};
    size_t most = 0;
    for (Function *f = all->at; f < all->at + all->count; f++) {
        if (f->part != OUTSIDE) f->part = f->linkage ? NOT_DEALT : 0;
        if (!f->part) load_add(&loads[0], f, tiles);
    }
    for (;;) {
        Function *longest = NULL;
        for (Function *f = all->at; f < all->at + all->count; f++)
            if (f->part == NOT_DEALT && (!longest || f->size > longest->size)) longest = f;
        if (!longest) break;
        longest->part = part_for(loads, count, longest, tiles, together);
        load_add(&loads[longest->part], longest, tiles);
    }
    for (int p = 0; p < count; p++)
        if (loads[p].size > most) most = loads[p].size;
    return most;
}

/* Kernels of one micro-kernel are in one part, unless that would take longest. */
static void deal_best(Functions *all, int count) {
    if (deal(all, count, true) > deal(all, count, false)) return;
    deal(all, count, true);
}

static void put(Text *out, const char *from, const char *to) {
    text_bytes(out, from, (size_t)(to - from));
}

/* A function has one name in all parts, and none outside of the library. */
static const char *part_text(Arena *arena, const char *text, const Functions *all, int part,
                             bool is_weak) {
    Text out = text_new(arena);
    for (const Function *f = all->at; f < all->at + all->count; f++) {
        put(&out, text, f->start);
        text_str(&out, f->linkage ? hidden : f->only_calls ? not_optimised : "");
        text_str(&out, is_weak && f->part == part ? weak : "");
        text_str(&out, starts(f->start, is_tile) ? hidden_tile : "");
        put(&out, f->start + f->linkage, f->body);
        if (f->part == part)
            put(&out, f->body, f->end);
        else
            text_str(&out, ";\n");
        text = f->end;
    }
    text_str(&out, text);
    return text_get(&out);
}

static int put_parts(Arena *arena, const char *text, Functions *all, int most, const char **parts) {
    int count = count_parts(all);
    if (count > most) count = most;
    if (count > CPU_PARTS_MOST) count = CPU_PARTS_MOST;
    if (count < 1) count = 1;
    deal_best(all, count);
    for (int p = 0; p < count; p++) parts[p] = part_text(arena, text, all, p, false);
    return count;
}

int cpu_parts_split(Arena *arena, const char *text, int most, const char **parts) {
    Functions *all = arena_new_of(arena, Functions);
    if (most < 2 || !find(text, all)) return 1;
    drop_uncalled(all);
    drop_tiles(all);
    return count_parts(all) < 2 ? 1 : put_parts(arena, text, all, most, parts);
}

/* Once, also where there are several for different processors. */
static void add_name(Arena *arena, const Function *f, CpuNames *names) {
    size_t size;
    const char *name = name_of(f, &size);
    if (is_one_of(f, names)) return;
    names->at[names->count++] = arena_strndup(arena, name, size);
}

int cpu_parts_without(Arena *arena, const char *text, size_t before, int most, CpuNames *outside,
                      const char **parts) {
    Functions *all = arena_new_of(arena, Functions);
    outside->count = 0;
    if (!find(text, all)) return 0;
    drop_uncalled(all);
    leave_out(all, text + before);
    drop_tiles(all);
    for (const Function *f = all->at; f < all->at + all->count; f++)
        if (f->part == OUTSIDE) add_name(arena, f, outside);
    return outside->count ? put_parts(arena, text, all, most, parts) : 0;
}

const char *cpu_parts_of(Arena *arena, const char *text, const CpuNames *names,
                         const CpuNames *outside) {
    Functions *all = arena_new_of(arena, Functions);
    if (!find(text, all)) return NULL;
    keep_of(all, names, outside);
    return part_text(arena, text, all, 0, true);
}
