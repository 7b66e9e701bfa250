/* cpu_parts.c: a long C text as several, which the C compiler takes at a time.
 * In: an emitted file. Out: a text for each part. All have what is shared: macros, types, static
 * inline functions, constants. A kernel, `static void` in the file, is in one of them, and declared
 * in the others; functions that an application calls are in the first. */
#include "runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of kernels for which a further run of the compiler pays: it takes longer than what each run
 * does again, which is to parse what is shared and to compile the functions that kernels call. */
enum { PART_BYTES = 6 << 10, FUNCTIONS_MOST = 1 << 10 };

static const char is_static[] = "static ", is_kernel[] = "static void ",
                  hidden[] = "__attribute__((visibility(\"hidden\"))) ";

/* A function whose braces stand alone on their lines. */
typedef struct Function {
    const char *start, *body, *end; /* the line with the brace; behind the function */
    bool is_kernel;
    int part;
} Function;

typedef struct Functions {
    Function at[FUNCTIONS_MOST];
    int count;
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

static void add(Functions *all, const char *start, const char *body, const char *end) {
    const bool kernel = starts(start, is_kernel);
    if (kernel || !starts(start, is_static))
        all->at[all->count++] = (Function){start, body, end, kernel, 0};
}

/* False: there are too many. */
static bool find(const char *text, Functions *all) {
    for (const char *at = text; (at = strstr(at, "\n{\n"));) {
        const char *brace = at + 1, *end = strstr(brace, "\n}\n");
        const char *start = header_of(text, brace);
        if (!end || !start || all->count == FUNCTIONS_MOST) return false;
        at = end + strlen("\n}");
        add(all, start, brace, at + 1);
    }
    return true;
}

static size_t size_of(const Function *f) { return (size_t)(f->end - f->body); }

/* How many parts pay. */
static int count_parts(const Functions *all) {
    size_t bytes = 0;
    int kernels = 0;
    for (int i = 0; i < all->count; i++) {
        kernels += all->at[i].is_kernel;
        if (all->at[i].is_kernel) bytes += size_of(&all->at[i]);
    }
    return bytes / PART_BYTES < (size_t)kernels ? (int)(bytes / PART_BYTES) : kernels;
}

/* The longest first, each to the part that has the least. */
static void deal(Functions *all, int count) {
    size_t sum[CPU_PARTS_MOST] = {0};
    for (int i = 0; i < all->count; i++) all->at[i].part = all->at[i].is_kernel ? -1 : 0;
    for (;;) {
        Function *longest = NULL;
        int least = 0;
        for (Function *f = all->at; f < all->at + all->count; f++)
            if (f->part < 0 && (!longest || size_of(f) > size_of(longest))) longest = f;
        if (!longest) return;
        for (int p = 1; p < count; p++)
            if (sum[p] < sum[least]) least = p;
        longest->part = least;
        sum[least] += size_of(longest);
    }
}

static void put(Text *out, const char *from, const char *to) {
    text_bytes(out, from, (size_t)(to - from));
}

/* A kernel has one name in all parts, and none outside of the library. */
static const char *part_text(Arena *arena, const char *text, const Functions *all, int part) {
    Text out = text_new(arena);
    for (const Function *f = all->at; f < all->at + all->count; f++) {
        put(&out, text, f->start);
        if (f->is_kernel) text_str(&out, hidden);
        put(&out, f->start + (f->is_kernel ? strlen(is_static) : 0), f->body);
        if (f->part == part)
            put(&out, f->body, f->end);
        else
            text_str(&out, ";\n");
        text = f->end;
    }
    text_str(&out, text);
    return text_get(&out);
}

int cpu_parts_split(Arena *arena, const char *text, int most, const char **parts) {
    Functions *all = arena_new_of(arena, Functions);
    if (most < 2 || !find(text, all)) return 1;
    int count = count_parts(all);
    if (count > most) count = most;
    if (count > CPU_PARTS_MOST) count = CPU_PARTS_MOST;
    if (count < 2) return 1;
    deal(all, count);
    for (int p = 0; p < count; p++) parts[p] = part_text(arena, text, all, p);
    return count;
}
