/* template.c: fills template files and links prelude sections. In: embedded texts. Out: Text. */
#include "emit/text/template.h"

#include <string.h>

const char *template_text(const char *name) {
    for (const Template *t = embedded_templates; t->name; t++)
        if (!strcmp(t->name, name)) return t->text;
    BUG("no template %s", name);
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* ---- filling ------------------------------------------------------------------------------- */

static const char *find_fill(const Fill *fills, int count, const char *key, size_t size) {
    for (int i = 0; i < count; i++)
        if (strlen(fills[i].key) == size && !strncmp(fills[i].key, key, size)) return fills[i].text;
    return NULL;
}

static const char *end_of_line(const char *line) {
    const char *end = strchr(line, '\n');
    return end ? end : line + strlen(line);
}

/* The word after a directive such as //@HOLE, or NULL if the line is not one. */
static const char *directive(const char *line, const char *end, const char *name, size_t *size) {
    while (line < end && (*line == ' ' || *line == '\t')) line++;
    size_t n = strlen(name);
    if ((size_t)(end - line) < n || strncmp(line, name, n)) return NULL;
    const char *word = line + n;
    while (word < end && *word == ' ') word++;
    *size = 0;
    while (word + *size < end && is_word(word[*size])) ++*size;
    return word;
}

void text_indented(Text *out, const char *text, int indent) {
    while (*text) {
        const char *end = end_of_line(text);
        if (end > text && *text != '#')
            for (int i = 0; i < indent; i++) text_char(out, ' ');
        text_bytes(out, text, (size_t)(end - text));
        text_char(out, '\n');
        text = *end ? end + 1 : end;
    }
}

enum { DEPTH_MAX = 32 };

/* Open brackets of the lines before: the columns behind them in the template, and as written. A
 * line that was aligned with the first stays aligned, where names before it have other lengths. */
typedef struct Brackets {
    int depth;
    int given[DEPTH_MAX], written[DEPTH_MAX];
} Brackets;

static void pass_bracket(Brackets *b, char c, int given, int written) {
    if (strchr("([{", c)) {
        if (b->depth < DEPTH_MAX) b->given[b->depth] = given, b->written[b->depth] = written;
        b->depth++;
    }
    if (strchr(")]}", c) && b->depth) b->depth--;
}

static int indent_of(const Brackets *b, int given) {
    const int last = b->depth - 1;
    return last >= 0 && last < DEPTH_MAX && b->given[last] == given ? b->written[last] : given;
}

/* "(idx)" and nothing else. */
static bool is_cast(const char *text) {
    const char *end = text + 1;
    if (*text != '(') return false;
    while (is_word(*end)) end++;
    return !strcmp(end, ")");
}

/* A line with whole identifiers replaced. */
static void put_line(Text *out, const char *line, const char *end, Brackets *brackets,
                     const Fill *fills, int count) {
    const char *const begin = line;
    line += strspn(line, " ");
    const int first = (int)out->size, indent = indent_of(brackets, (int)(line - begin));
    for (int i = 0; line < end && i < indent; i++) text_char(out, ' ');
    while (line < end) {
        const char *start = line;
        while (line < end && is_word(*line)) line++;
        if (line == start) {
            text_char(out, *line++);
            pass_bracket(brackets, *start, (int)(line - begin), (int)out->size - first);
            continue;
        }
        const char *text = find_fill(fills, count, start, (size_t)(line - start));
        if (text)
            text_str(out, text);
        else
            text_bytes(out, start, (size_t)(line - start));
        if (text && (!*text || is_cast(text)) && *line == ' ') line++;
    }
    text_char(out, '\n');
}

static const char *body_start(const char *text) {
    const char *begin = strstr(text, "//@BEGIN");
    if (!begin) return text;
    begin = end_of_line(begin);
    return *begin ? begin + 1 : begin;
}

void fills_add(Arena *arena, Fills *fills, const Fill *more, int count) {
    for (int i = 0; i < count; i++) vec_push(arena, fills, more[i]);
}

void template_fill(const char *name, const Fill *fills, int count, Text *out) {
    Brackets brackets = {0};
    int skipping = 0, depth = 0; /* nested //@IF; skipping: depth of the outermost dropped one */
    for (const char *line = body_start(template_text(name)); *line;) {
        const char *end = end_of_line(line), *next = *end ? end + 1 : end, *word;
        size_t size;
        if (directive(line, end, "//@FINISH", &size)) return;
        if ((word = directive(line, end, "//@IF", &size))) {
            const char *text = find_fill(fills, count, word, size);
            depth++;
            if (!skipping && !text) BUG("template %s: nothing for if %.*s", name, (int)size, word);
            if (!skipping && !*text) skipping = depth;
        } else if (directive(line, end, "//@END", &size)) {
            if (skipping == depth) skipping = 0;
            depth--;
        } else if (skipping) {
            /* dropped */
        } else if ((word = directive(line, end, "//@HOLE", &size))) {
            const char *text = find_fill(fills, count, word, size);
            if (!text) BUG("template %s: nothing for hole %.*s", name, (int)size, word);
            text_indented(out, text, (int)strspn(line, " "));
        } else {
            put_line(out, line, end, &brackets, fills, count);
        }
        line = next;
    }
}

/* ---- linking preludes ---------------------------------------------------------------------- */

typedef struct Section {
    const char *text;
    size_t size; /* without trailing blank lines */
    bool used;
} Section;

/* A name that a section defines, in a hash table. */
typedef struct Name {
    const char *at;
    size_t size;
    int section;
} Name;

typedef struct Prelude {
    Arena *arena;
    Vec(Section) sections;
    Name *names;
    size_t mask;
} Prelude;

static Name *find_name(const Prelude *p, const char *at, size_t size) {
    for (uint64_t h = hash_bytes(at, size, 0);; h++) {
        Name *n = &p->names[h & p->mask];
        if (!n->at || (n->size == size && !memcmp(n->at, at, size))) return n;
    }
}

static void add_names(Prelude *p, const char *at, const char *end, int section) {
    while (at < end) {
        size_t size = strcspn(at, " \n");
        if (size) *find_name(p, at, size) = (Name){at, size, section};
        at += size + 1;
    }
}

static void add_section(Prelude *p, const char *text, const char *end, bool used) {
    while (end > text && end[-1] == '\n') end--;
    if (end > text) vec_push(p->arena, &p->sections, ((Section){text, (size_t)(end - text), used}));
}

/* A file: the text before its first section belongs to every output. */
static void add_file(Prelude *p, const char *text) {
    static const char mark[] = "//@SECTION";
    const char *at = strstr(text, mark);
    add_section(p, body_start(text), at, true);
    while (at) {
        const char *names = at + strlen(mark), *line_end = end_of_line(at);
        at = strstr(line_end, mark);
        add_names(p, names, line_end, p->sections.count);
        add_section(p, line_end + 1, at ? at : line_end + strlen(line_end), false);
    }
}

static const char *comment_end(const char *at, const char *end) {
    at += 2;
    while (at + 2 < end && !(at[0] == '*' && at[1] == '/')) at++;
    return at + 2 < end ? at + 2 : end;
}

/* Marks the sections that define a word of the text, and those that these need. */
static void mark_used(Prelude *p, const char *text, size_t size) {
    for (const char *at = text, *end = text + size; at < end;) {
        const char *start = at;
        if (end - at > 2 && at[0] == '/' && at[1] == '*') {
            at = comment_end(at, end);
            continue;
        }
        while (at < end && is_word(*at)) at++;
        if (at == start) {
            at++;
            continue;
        }
        const Name *n = find_name(p, start, (size_t)(at - start));
        if (!n->at || p->sections.at[n->section].used) continue;
        Section *s = &p->sections.at[n->section];
        s->used = true;
        mark_used(p, s->text, s->size);
    }
}

void prelude_link(const char *const *files, const char *text, Text *out) {
    enum { NAMES = 2048 }; /* several times the names that preludes define */
    Prelude p = {
        .arena = out->arena, .names = arena_array(out->arena, Name, NAMES), .mask = NAMES - 1};
    for (; *files; files++) add_file(&p, template_text(*files));
    mark_used(&p, text, strlen(text));
    for (int i = 0; i < p.sections.count; i++) {
        const Section *s = &p.sections.at[i];
        if (!s->used) continue;
        text_bytes(out, s->text, s->size);
        text_str(out, "\n\n");
    }
}
