/* words.c: the words of a target's templates and preludes, which the model's names must not collide
 * with. In: their texts, read once. Out: a set.
 *
 * A template of a function's body gives all its words, since text from the model is inserted
 * between them; except its placeholders (defined before //@BEGIN), which are replaced. A prelude
 * gives those that are visible outside of its functions: words outside of braces, the bodies of
 * macros that the functions' text uses, and the names of its sections, since macros paste some. */
#include "emit/text/template.h"

#include <ctype.h>
#include <string.h>

/* ---- the set ------------------------------------------------------------------------------- */

static void make_room(Words *w, size_t slots) {
    w->slot = arena_array(w->arena, Word, slots);
    w->mask = slots - 1;
}

Words *words_new(Arena *arena) {
    enum { SLOTS = 64 };
    Words *w = arena_new_of(arena, Words);
    w->arena = arena;
    make_room(w, SLOTS);
    return w;
}

static Word *find(const Words *w, const char *at, size_t size) {
    for (uint64_t h = hash_bytes(at, size, 0);; h++) {
        Word *slot = &w->slot[h & w->mask];
        if (!slot->at || (slot->size == size && !memcmp(slot->at, at, size))) return slot;
    }
}

static void grow(Words *w) {
    const Words old = *w;
    make_room(w, 2 * (old.mask + 1));
    for (size_t i = 0; i <= old.mask; i++)
        if (old.slot[i].at) *find(w, old.slot[i].at, old.slot[i].size) = old.slot[i];
}

static void add(Words *w, const char *at, size_t size) {
    if (find(w, at, size)->at) return;
    if (2 * (size_t)++w->count > w->mask) grow(w);
    *find(w, at, size) = (Word){at, size};
}

void words_add_all(Words *w, const Words *of) {
    for (size_t i = 0; i <= of->mask; i++)
        if (of->slot[i].at) add(w, of->slot[i].at, of->slot[i].size);
}

bool words_have(const Words *w, const char *name) { return find(w, name, strlen(name))->at; }

void words_add(Words *w, const char *names) {
    for (size_t size; *names; names += size + (names[size] == ' ')) {
        size = strcspn(names, " ");
        if (size) add(w, names, size);
    }
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The end of a comment, a string or a character that starts here; else `at`. */
static const char *skip_piece(const char *at) {
    const char *end;
    if (*at == '/' && at[1] == '*') return (end = strstr(at + 2, "*/")) ? end + 2 : at + strlen(at);
    if (*at == '/' && at[1] == '/') return at + strcspn(at, "\n");
    if (*at != '"' && *at != '\'') return at;
    const char quote = *at++;
    while (*at && *at != quote) at += *at == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

/* The next word from *at on (not a number or a member); *at is then behind it. Passes `mark`, and
 * returns at every other character. 0: another character; -1: the end. */
static int next_word(const char *text, const char **at, const char **word) {
    const char *start = *at;
    if (!*start) return -1;
    if (!is_word(*start)) {
        const char *behind = skip_piece(start);
        *at = behind > start ? behind : start + 1;
        return 0;
    }
    while (is_word(**at)) ++*at;
    *word = start;
    const bool is_number = isdigit((unsigned char)*start);
    const bool is_member =
        start > text &&
        (start[-1] == '.' || (start[-1] == '>' && start - text > 1 && start[-2] == '-'));
    return is_number || is_member ? 0 : (int)(*at - start);
}

/* Adds the words from `text` to `end`, except those of `but` (NULL: none) and single letters: these
 * are used only where no text made from the model is visible, or the row of the target lists
 * them. */
static void add_all(Words *w, const char *text, const char *end, const Words *but) {
    const char *at = text, *word;
    for (int size; at < end && (size = next_word(text, &at, &word)) >= 0;)
        if (size > 1 && !(but && find(but, word, (size_t)size)->at)) add(w, word, (size_t)size);
}

void words_of_text(Words *w, const char *text) { add_all(w, text, text + strlen(text), NULL); }

/* The context of a word: braces, except those of an enum, whose names are visible outside; the
 * parameters of a function; and <>, where those of a template are not visible outside. */
typedef struct Depth {
    int braces, round, angle;
    bool opens_enum, is_enum, opens_template, is_template;
    Words *parameters; /* of templates */
} Depth;

static void pass_angle(Depth *d, const char *at) {
    if (*at == '<' && at[1] != '<' && at[-1] != '<') {
        d->is_template = d->opens_template || (d->angle && d->is_template);
        d->opens_template = false;
        d->angle++;
    }
    if (*at == '>' && d->angle) d->angle--;
}

static void pass(Depth *d, const char *at) {
    if (!d->braces && !d->round) pass_angle(d, at);
    d->round += (*at == '(') - (*at == ')');
    if (*at == '{' && d->opens_enum) {
        d->is_enum = true;
        d->opens_enum = false;
    } else if (*at == '}' && d->is_enum && !d->braces) {
        d->is_enum = false;
    } else {
        d->braces += (*at == '{') - (*at == '}');
    }
}

static bool is_called(const char *word, int size, const char *name) {
    return size == (int)strlen(name) && !strncmp(word, name, (size_t)size);
}

static void add_visible_word(Words *w, Depth *d, const char *word, int size) {
    if (d->braces || d->round) return;
    if (d->angle) {
        if (d->is_template) add(d->parameters, word, (size_t)size);
        return;
    }
    if (is_called(word, size, "enum")) d->opens_enum = true;
    if (is_called(word, size, "template")) d->opens_template = true;
    if (!find(d->parameters, word, (size_t)size)->at) add(w, word, (size_t)size);
}

/* In a body, the next character that may end it, or begin a comment or a string. */
static const char *skip_body(const char *at, const char *end) {
    at += strcspn(at, "{}()/\"'");
    return at < end ? at : end;
}

/* Adds the words from `text` to `end` that are visible outside of functions. */
static void add_visible(Words *w, Depth *d, const char *text, const char *end) {
    const char *at = text, *word;
    while (at < end) {
        if (d->braces && (at = skip_body(at, end)) == end) return;
        const char *before = at;
        const int size = next_word(text, &at, &word);
        if (size > 0) add_visible_word(w, d, word, size);
        if (!size && at == before + 1) pass(d, before);
    }
}

/* ---- lines of the preprocessor ------------------------------------------------------------- */

/* The end of a preprocessor line, with its continuation lines. */
static const char *directive_end(const char *at) {
    for (const char *end = at;; end++) {
        end += strcspn(end, "\n");
        if (!*end || end[-1] != '\\') return end;
    }
}

/* The word after "#define" in the line at `at`, and its length; NULL: there is none. */
static const char *defined(const char *at, size_t *size) {
    at += strspn(at, " #");
    if (strncmp(at, "define", 6) != 0) return NULL;
    at += 6 + strspn(at + 6, " ");
    for (*size = 0; is_word(at[*size]);) ++*size;
    return at;
}

/* Adds a macro's name to those that are visible, and to `w` the body of one that the functions'
 * text uses, without its parameters. */
static void add_directive(Words *visible, Words *w, const Words *used, const char *at,
                          const char *end) {
    size_t size;
    const char *name = defined(at, &size);
    Words *parameters = NULL;
    if (!name) return;
    const bool is_used = find(used, name, size)->at;
    const char *body = name + size;
    add(visible, name, size);
    if (!is_used) return;
    if (*body == '(') {
        const char *list = body;
        body = strchr(body, ')');
        parameters = words_new(w->arena);
        add_all(parameters, list, body, NULL);
    }
    add_all(w, body, end, parameters);
}

/* ---- templates and preludes ---------------------------------------------------------------- */

void words_of_template(Words *w, const char *name) {
    const char *text = template_text(name), *begin = strstr(text, "//@BEGIN"), *line = text;
    Words *placeholders = words_new(w->arena);
    for (size_t size; begin && line < begin; line += strcspn(line, "\n") + 1) {
        const char *placeholder = *line == '#' ? defined(line, &size) : NULL;
        if (placeholder) add(placeholders, placeholder, size);
    }
    if (!begin) begin = text;
    add_all(w, begin, begin + strlen(begin), placeholders);
}

/* The next line from `at` on that starts with a given text, or the end. */
static const char *next_line(const char *at, const char *start) {
    while (*at && strncmp(at, start, strlen(start)) != 0) {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return at;
}

/* Adds what a section defines: functions, types and macros. */
static void add_section(Words *visible, Words *w, const Words *used, const char *at,
                        const char *section_end) {
    Depth depth = {.parameters = words_new(visible->arena)};
    while (at < section_end) {
        const char *directive = next_line(at, "#"), *end = directive_end(directive);
        if (directive > section_end) directive = end = section_end;
        add_visible(visible, &depth, at, directive);
        if (directive < section_end) add_directive(visible, w, used, directive, end);
        at = end + (*end == '\n');
    }
}

void words_of_prelude(Words *visible, Words *bodies, const Words *used, const char *name) {
    static const char mark[] = "//@SECTION";
    for (const char *at = template_text(name); *at;) {
        if (!strncmp(at, mark, strlen(mark))) {
            const char *line = at + strlen(mark);
            at += strcspn(at, "\n");
            add_all(visible, line, at, NULL);
        }
        const char *end = next_line(at, mark);
        add_section(visible, bodies, used, at, end);
        at = end;
    }
}
