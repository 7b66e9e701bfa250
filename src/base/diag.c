/* diag.c: collects and prints messages.
 * In: messages with byte ranges of source texts, which are hostile: any byte, any length.
 * Out: text that is safe on a terminal, each message with its line and the range marked under it. A
 * code point counts as one column, whatever width a terminal gives it. */
#include "base/base.h"

#include <stdio.h>
#include <string.h>

/* ---- places ----------------------------------------------------------------------------- */

Span span_join(Span a, Span b) {
    if (a.file == NO_FILE) return b;
    if (b.file != a.file) return a;
    return (Span){a.lo, b.hi > a.hi ? b.hi : a.hi, a.file};
}

Diag *diag_new(Arena *arena, int error_limit) {
    Diag *diag = arena_new_of(arena, Diag);
    diag->arena = arena;
    diag->error_limit = error_limit;
    return diag;
}

uint32_t diag_source(Diag *diag, const char *name, const char *text, size_t size) {
    vec_push(diag->arena, &diag->sources, ((Source){name, text, size}));
    return (uint32_t)diag->sources.count - 1;
}

/* ---- what was said before ------------------------------------------------------------------ */

/* Open addressing, at most half full; 0 is an empty slot. */
static uint64_t *said_slot(uint64_t *said, int cap, uint64_t key) {
    uint64_t i = key & (uint64_t)(cap - 1);
    while (said[i] && said[i] != key) i = (i + 1) & (uint64_t)(cap - 1);
    return &said[i];
}

static void said_double(Diag *diag) {
    const int cap = diag->said_cap ? 2 * diag->said_cap : 64;
    uint64_t *said = arena_array(diag->arena, uint64_t, cap);
    for (int i = 0; i < diag->said_cap; i++)
        if (diag->said[i]) *said_slot(said, cap, diag->said[i]) = diag->said[i];
    diag->said = said;
    diag->said_cap = cap;
}

/* Never 0. */
static uint64_t hash_of_last(const Diag *diag) {
    uint64_t key = 0;
    for (int i = diag->last; i < diag->messages.count; i++) {
        const Message *m = &diag->messages.at[i];
        key = hash_bytes(&m->span, sizeof m->span, key + m->severity);
        key = hash_bytes(m->text, strlen(m->text), key);
    }
    return key | 1;
}

void diag_drop_repeated(Diag *diag) {
    if (diag->last < diag->messages.count && diag->messages.at[diag->last].span.file != NO_FILE) {
        const uint64_t key = hash_of_last(diag);
        if (2 * (diag->said_count + 1) > diag->said_cap) said_double(diag);
        uint64_t *slot = said_slot(diag->said, diag->said_cap, key);
        if (*slot) {
            diag->repeated += diag->messages.at[diag->last].severity == D_ERROR;
            diag->messages.count = diag->last;
        }
        diag->said_count += !*slot;
        *slot = key;
    }
    diag->last = diag->messages.count;
}

/* ---- new messages -------------------------------------------------------------------------- */

static bool has_too_many(const Diag *diag) {
    return diag->errors - diag->repeated > diag->error_limit;
}

static void collect(Diag *diag, Severity severity, Span at, const char *format, va_list args) {
    Text text = text_new(diag->arena);
    text_vprintf(&text, format, args);
    vec_push(diag->arena, &diag->messages, ((Message){severity, at, text_get(&text)}));
}

#define COLLECT(SEVERITY)                                                                          \
    do {                                                                                           \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        collect(diag, SEVERITY, at, format, args);                                                 \
        va_end(args);                                                                              \
    } while (0)

void diag_error(Diag *diag, Span at, const char *format, ...) {
    diag_drop_repeated(diag);
    diag->errors++;
    diag->silent = has_too_many(diag);
    if (!diag->silent) COLLECT(D_ERROR);
}

void diag_warning(Diag *diag, Span at, const char *format, ...) {
    diag_drop_repeated(diag);
    diag->warnings++;
    diag->silent = false;
    COLLECT(D_WARNING);
}

void diag_remark(Diag *diag, Span at, const char *format, ...) {
    diag_drop_repeated(diag);
    diag->silent = false;
    COLLECT(D_REMARK);
}

void diag_note(Diag *diag, Span at, const char *format, ...) {
    if (!diag->silent) COLLECT(D_NOTE);
}

void diag_warnings_are_errors(Diag *diag, int first) {
    for (int i = first; i < diag->messages.count; i++) {
        Message *message = &diag->messages.at[i];
        if (message->severity != D_WARNING) continue;
        message->severity = D_ERROR;
        message->text = arena_printf(diag->arena, "%s [-Werror]", message->text);
        diag->errors++;
    }
}

static void refuse(Diag *diag, bool no_memory, const char *format, va_list args) {
    if (diag->refusal) return;
    Text text = text_new(diag->arena);
    text_vprintf(&text, format, args);
    diag->refusal = text_get(&text);
    diag->no_memory = no_memory;
}

void diag_refuse(Diag *diag, const char *format, ...) {
    va_list args;
    va_start(args, format);
    refuse(diag, false, format, args);
    va_end(args);
}

void diag_refuse_memory(Diag *diag, const char *format, ...) {
    va_list args;
    va_start(args, format);
    refuse(diag, true, format, args);
    va_end(args);
}

void bug(const char *file, int line, const char *format, ...) {
    Recovery why = {LEFT_FOR_BUG, file, line, ""};
    va_list args;
    va_start(args, format);
    vsnprintf(why.text, sizeof why.text, format, args);
    va_end(args);
    leave(&why);
}

const char *table_row(const char *const *table, size_t count, size_t row, const char *name,
                      const char *file, int line) {
    if (row >= count || !table[row]) bug(file, line, "no text for %s", name);
    return table[row];
}

/* ---- hostile text, one code point at a time --------------------------------------------- */

/* How one code point, or one invalid byte, is shown. */
typedef struct Cell {
    size_t size;    /* bytes of the source */
    int width;      /* columns */
    char shown[16]; /* NUL-terminated */
} Cell;

/* Code points that draw nothing, move the cursor, or reorder their neighbours. */
static bool is_treacherous(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0x61c ||
           (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || code >= 0xe0000;
}

enum { TAB = 4 };

/* The cell at `s`, drawn at `column` (0-based; a tab's width depends on it). */
static Cell cell_at(const char *s, size_t size, int column) {
    uint32_t code = 0;
    Cell cell = {.size = utf8_decode(s, size, &code), .width = 1};
    if (!cell.size) {
        cell.size = 1;
        cell.width = snprintf(cell.shown, sizeof cell.shown, "<%02x>", (unsigned char)*s);
    } else if (code == '\t') {
        cell.width = TAB - column % TAB;
        memset(cell.shown, ' ', (size_t)cell.width);
    } else if (is_treacherous(code)) {
        cell.width = snprintf(cell.shown, sizeof cell.shown, "<U+%04X>", (unsigned)code);
    } else {
        memcpy(cell.shown, s, cell.size);
    }
    return cell;
}

/* Names and message texts, with what is unsafe on a terminal escaped. */
static void put_safely(Text *out, const char *s) {
    for (size_t left = strlen(s); left;) {
        Cell cell = cell_at(s, left, 0);
        text_str(out, *s == '\n' ? "\n" : cell.shown);
        s += cell.size;
        left -= cell.size;
    }
}

void source_place(const Source *source, uint32_t offset, int *line, int *column) {
    size_t start = 0, end = offset < source->size ? offset : source->size;
    *line = *column = 1;
    for (size_t i = 0; i < end; i++)
        if (source->text[i] == '\n') ++*line, start = i + 1;
    while (start < end) {
        start += cell_at(source->text + start, source->size - start, 0).size;
        if (start <= end) ++*column;
    }
}

/* ---- the line and the mark under it ----------------------------------------------------- */

enum { WINDOW = 100, BEFORE = 30 }; /* columns shown; of these, before the range */

typedef struct Line {
    const char *text;
    size_t size;
    int lo, hi, width; /* columns: the marked range, the whole line; 0-based */
} Line;

/* The line on which the span starts. A span over several lines ends with this line. */
static Line line_find(const Source *source, Span span) {
    size_t lo = span.lo < source->size ? span.lo : source->size, start = lo, end = lo;
    while (start && source->text[start - 1] != '\n') start--;
    while (end < source->size && source->text[end] != '\n') end++;
    if (end > lo && source->text[end - 1] == '\r') end--;
    Line line = {source->text + start, end - start, -1, -1, 0};
    for (size_t at = 0; at < line.size;) {
        Cell cell = cell_at(line.text + at, line.size - at, line.width);
        if (line.lo < 0 && start + at + cell.size > lo) line.lo = line.width;
        if (line.hi < 0 && start + at >= span.hi) line.hi = line.width;
        at += cell.size;
        line.width += cell.width;
    }
    if (line.lo < 0) line.lo = line.width;
    if (line.hi < 0) line.hi = line.width;
    if (line.hi <= line.lo) line.hi = line.lo + 1;
    return line;
}

/* The cells of a line from column `from` on, to the end of the window. */
static void put_cells(Text *out, const Line *line, int from) {
    int column = 0;
    for (size_t at = 0; at < line->size && column < from + WINDOW;) {
        Cell cell = cell_at(line->text + at, line->size - at, column);
        if (column >= from)
            text_str(out, cell.shown);
        else
            for (int c = from; c < column + cell.width; c++) text_char(out, ' ');
        at += cell.size;
        column += cell.width;
    }
}

static void put_line(Text *out, const Source *source, Span span, bool colour) {
    Line line = line_find(source, span);
    if (!line.size) return;
    int from = line.lo > WINDOW - BEFORE && line.width > WINDOW ? line.lo - BEFORE : 0;
    const char *before = from ? "..." : "";
    text_printf(out, "  %s", before);
    put_cells(out, &line, from);
    text_str(out, line.width > from + WINDOW ? "...\n" : "\n");
    int hi = line.hi < from + WINDOW ? line.hi : from + WINDOW;
    text_printf(out, "  %*s%s^", (int)strlen(before) + line.lo - from, "",
                colour ? "\033[1;32m" : "");
    for (int column = line.lo + 1; column < hi; column++) text_char(out, '~');
    text_str(out, colour ? "\033[0m\n" : "\n");
}

/* ---- showing ---------------------------------------------------------------------------- */

static const struct {
    const char *name, *colour;
} severities[] = {
    [D_ERROR] = {"error", "\033[1;31m"},
    [D_WARNING] = {"warning", "\033[1;35m"},
    [D_REMARK] = {"remark", "\033[1;34m"},
    [D_NOTE] = {"note", "\033[1;36m"},
};

/* The place, the severity and the text; `source` is NULL for a message without place. */
static void put_head(Text *out, const Source *source, const Message *message, bool colour) {
    const char *end = colour ? "\033[0m" : "";
    if (colour) text_str(out, "\033[1m");
    put_safely(out, source ? source->name : "fusec");
    if (source) {
        int line, column;
        source_place(source, message->span.lo, &line, &column);
        text_printf(out, ":%d:%d", line, column);
    }
    text_printf(out, ":%s %s%s:%s ", end, colour ? severities[message->severity].colour : "",
                severities[message->severity].name, end);
    put_safely(out, message->text);
    text_char(out, '\n');
}

static void put_message(const Diag *diag, Text *out, const Message *message, bool colour) {
    bool placed = message->span.file < (uint32_t)diag->sources.count;
    const Source *source = placed ? &diag->sources.at[message->span.file] : NULL;
    put_head(out, source, message, colour);
    if (source) put_line(out, source, message->span, colour);
}

void diag_print(const Diag *diag, Text *out, bool colour) {
    for (int i = 0; i < diag->messages.count; i++)
        put_message(diag, out, &diag->messages.at[i], colour);
    if (has_too_many(diag)) {
        const char *text =
            arena_printf(diag->arena, "too many errors: %d, of which the first %d are shown",
                         diag->errors - diag->repeated, diag->error_limit);
        put_message(diag, out, &(Message){D_ERROR, NOWHERE, text}, colour);
    }
    if (diag->refusal) put_message(diag, out, &(Message){D_ERROR, NOWHERE, diag->refusal}, colour);
}
