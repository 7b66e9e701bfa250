/* source.c: the headers of a model as one text, in which every #include ".." has become what it
 * includes, so that libclang opens no file. In: paths. Out: Imports.text, and where each part of it
 * comes from. An #include <..> becomes an empty line: what is needed of the standard library and of
 * CUDA is declared by templates/import/shim.h. */
#include "graph/import/import.h"

#include <string.h>

enum { DEPTH_MAX = 32 };

static bool expand(Imports *m, int file, int depth);

/* ---- where text comes from ------------------------------------------------------------------ */

static void put(Imports *m, uint32_t source, const char *text, const char *from, size_t size) {
    if (!size) return;
    const Segment segment = {(uint32_t)m->text.size, source, (uint32_t)(from - text)};
    vec_push(m->arena, &m->segments, segment);
    text_bytes(&m->text, from, size);
}

static const Segment *segment_of(const Imports *m, uint32_t at) {
    int i = m->segments.count - 1;
    while (i > 0 && m->segments.at[i].at > at) i--;
    return i < 0 ? NULL : &m->segments.at[i];
}

Span imports_span(const Imports *m, uint32_t lo, uint32_t hi) {
    const Segment *s = segment_of(m, lo);
    if (!s || s->at > lo) return NOWHERE;
    const uint32_t from = lo - s->at + s->offset;
    const size_t size = m->diag->sources.at[s->source].size;
    const uint32_t to = hi > lo ? from + (hi - lo) : from;
    return (Span){from, to <= size ? to : (uint32_t)size, s->source};
}

/* ---- files ---------------------------------------------------------------------------------- */

/* A name that is in no message, comment or rule of make anything but itself. */
static bool is_plain(const char *path) {
    for (; *path; path++)
        if (*path <= ' ' || *path > '~' || strchr("\"'\\$#%:;*?()", *path)) return false;
    return true;
}

static const char *joined(Arena *arena, const char *folder, const char *path) {
    if (!*folder) return path;
    const bool ends = folder[strlen(folder) - 1] == '/';
    return arena_printf(arena, "%s%s%s", folder, ends ? "" : "/", path);
}

static int64_t bytes_read(const Imports *m) {
    int64_t bytes = 0;
    for (int i = 0; i < m->files.count; i++)
        bytes += (int64_t)m->diag->sources.at[m->files.at[i].source].size;
    return bytes;
}

static int find_file(const Imports *m, const char *path) {
    for (int i = 0; i < m->files.count; i++)
        if (!strcmp(m->files.at[i].path, path)) return i;
    return -1;
}

/* One that an earlier compilation of the model has read: it may have changed since, or be gone. */
static bool read_before(Imports *m, const char *folder, const char *path, ImportFile *file) {
    const Imports *before = m->options->read;
    for (int i = 0; before && i < before->files.count; i++) {
        *file = before->files.at[i];
        if (strcmp(file->folder, folder) != 0 || strcmp(file->below, path) != 0) continue;
        const Source source = before->diag->sources.at[file->source];
        file->source = diag_source(m->diag, source.name, source.text, source.size);
        file->once = false;
        return true;
    }
    return false;
}

/* A header in one folder; -1: it is not there, or cannot be read, which *why says. */
static int read_in(Imports *m, const char *folder, const char *path, const char **why) {
    const char *full = joined(m->arena, folder, path);
    const int known = find_file(m, full);
    size_t size;
    if (known >= 0) return known;
    ImportFile before;
    if (read_before(m, folder, path, &before)) {
        vec_push(m->arena, &m->files, before);
        return m->files.count - 1;
    }
    if (m->options->read) return -1; /* that has all */
    const int64_t left = m->most - bytes_read(m);
    const char *text =
        file_read_below(m->arena, folder, path, left > 0 ? (size_t)left : 0, &size, why);
    if (!text) return -1;
    if (memchr(text, '\0', size)) return *why = "has a NUL byte in it", -1;
    if (!text_is_utf8(text)) return *why = "is not UTF-8", -1;
    ImportFile file = {.path = full,
                       .folder = folder,
                       .below = path,
                       .source = diag_source(m->diag, full, text, size),
                       .digest = hash_bytes(text, size, 0)};
    vec_push(m->arena, &m->files, file);
    return m->files.count - 1;
}

/* A path that a header writes, beside it. */
static const char *beside(Imports *m, const char *header, const char *path) {
    const char *slash = strrchr(header, '/');
    if (!slash) return path;
    return joined(m->arena, arena_strndup(m->arena, header, (size_t)(slash - header)), path);
}

static int report_file(Imports *m, Span at, const char *path, const char *why) {
    diag_error(m->diag, at, "'%s' %s", path, why);
    if (strstr(why, "bytes"))
        diag_note(m->diag, at, "all headers of a model may have %lld ('--limit import_bytes=N')",
                  (long long)m->most);
    return -1;
}

/* The header that `path` means: beside the one that names it (-1: the model does), then in the
 * model's folder and those of -I. Only one that is not there is looked for elsewhere. */
static int find_header(Imports *m, int from, const char *path, Span at) {
    static const char *const none[] = {NULL};
    const char *missing = "is not there", *why = missing;
    const char *const *dir = m->options->dirs ? m->options->dirs : none;
    if (!is_plain(path)) return report_file(m, at, path, "has characters that no header has here");
    int file = -1;
    if (from >= 0) {
        const ImportFile header = m->files.at[from];
        file = read_in(m, header.folder, beside(m, header.below, path), &why);
    }
    if (file < 0 && !strcmp(why, missing) && m->options->folder)
        file = read_in(m, m->options->folder, path, &why);
    for (; file < 0 && *dir && !strcmp(why, missing); dir++) file = read_in(m, *dir, path, &why);
    return file >= 0 ? file : report_file(m, at, path, why);
}

/* ---- lines ---------------------------------------------------------------------------------- */

typedef struct Expansion {
    Imports *m;
    int file, depth;
    const char *text, *end, *copied; /* up to here it is in Imports.text */
} Expansion;

static Span span_here(const Expansion *e, const char *lo, const char *hi) {
    return (Span){(uint32_t)(lo - e->text), (uint32_t)(hi - e->text),
                  e->m->files.at[e->file].source};
}

static bool wrong(const Expansion *e, const char *lo, const char *hi, const char *why) {
    diag_error(e->m->diag, span_here(e, lo, hi), "%s", why);
    return false;
}

static void copy_to(Expansion *e, const char *to) {
    put(e->m, e->m->files.at[e->file].source, e->text, e->copied, (size_t)(to - e->copied));
    e->copied = to;
}

/* An #include of the text from `line` to `end`. */
static bool include(Expansion *e, const char *line, const char *at, const char *end) {
    const CToken name = c_word(&at, end);
    copy_to(e, line);
    e->copied = end;
    if (name.kind == C_OTHER && *name.at == '<') return true;
    if (name.kind != C_STRING || *name.at != '"' || name.size < 3)
        return wrong(e, line, end, "an include here names its file in quotes or in < >");
    const char *path = arena_strndup(e->m->arena, name.at + 1, name.size - 2);
    const int file = find_header(e->m, e->file, path, span_here(e, name.at, name.at + name.size));
    return file >= 0 && expand(e->m, file, e->depth + 1);
}

/* Only those that read nothing. */
static bool is_harmless(const CToken *name) {
    static const char *const known[] = {"define", "undef", "if",    "ifdef", "ifndef",
                                        "elif",   "else",  "endif", "error", "warning"};
    if (name->kind == C_END) return true;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (c_token_is(name, known[i])) return true;
    return false;
}

/* Where the line that starts at `at` ends, with those that continue it. */
static const char *directive_end(const char *at, const char *end) {
    while (at < end) {
        const CToken token = c_token(at, end);
        const char *newline = token.kind == C_BLANK ? c_line_end(&token) : NULL;
        if (newline) return newline;
        at += token.size;
    }
    return end;
}

static bool directive(Expansion *e, const char *line, const char **behind) {
    const char *end = *behind = directive_end(line, e->end), *at = line + 1;
    const CToken name = c_word(&at, end);
    if (c_token_is(&name, "include")) return include(e, line, at, end);
    const CToken what = c_word(&at, end);
    if (c_token_is(&name, "pragma")) {
        if (c_token_is(&what, "once")) e->m->files.at[e->file].once = true;
        copy_to(e, line); /* and leave it out */
        e->copied = end;
        return true;
    }
    return is_harmless(&name) ||
           wrong(e, line, end, "this directive is not followed in an imported header");
}

/* What would hide a directive from the walk. */
static bool check_hidden(const Expansion *e) {
    static const char *const marks[] = {"\?\?=",         "\?\?/",       "%:",     "R\"",
                                        "__has_include", "__has_embed", "_Pragma"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *at = strstr(e->text, marks[i]);
        if (at)
            return wrong(e, at, at + strlen(marks[i]), "this is not allowed in an imported header");
    }
    return true;
}

static bool expand_lines(Expansion *e) {
    bool starts_line = true;
    if (!check_hidden(e)) return false;
    for (const char *at = e->text; at < e->end;) {
        const CToken token = c_token(at, e->end);
        at += token.size;
        if (token.kind == C_BLANK) starts_line |= memchr(token.at, '\n', token.size) != NULL;
        if (token.kind == C_BLANK || token.kind == C_COMMENT) continue;
        if (starts_line && *token.at == '#' && !directive(e, token.at, &at)) return false;
        starts_line = false;
    }
    copy_to(e, e->end);
    return true;
}

/* A header that includes itself, however indirectly, has guards against it. */
static bool expand(Imports *m, int file, int depth) {
    ImportFile *f = &m->files.at[file];
    const Source source = m->diag->sources.at[f->source];
    if (f->once || f->is_open) return true;
    if (depth > DEPTH_MAX || (int64_t)m->text.size > 4 * m->most) {
        diag_error(m->diag, (Span){0, 0, f->source}, "headers include too many others");
        return false;
    }
    Expansion e = {m, file, depth, source.text, source.text + source.size, source.text};
    f->is_open = true;
    const bool ok = expand_lines(&e);
    m->files.at[file].is_open = false;
    if (m->text.size && m->text.data[m->text.size - 1] != '\n') text_char(&m->text, '\n');
    return ok;
}

bool imports_read(Imports *m, const char *const *paths, const Span *spans, int count) {
    bool ok = true;
    for (int i = 0; i < count; i++) {
        const int file = find_header(m, -1, paths[i], spans[i]);
        if (file < 0) {
            ok = false;
            continue;
        }
        const char *dot = strrchr(paths[i], '.');
        m->is_cpp |= dot && strcmp(dot, ".h") != 0 && strcmp(dot, ".c") != 0;
        const int errors = m->diag->errors;
        ok &= expand(m, file, 0);
        if (errors != m->diag->errors) diag_note(m->diag, spans[i], "it is imported here");
    }
    return ok;
}
