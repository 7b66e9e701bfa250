/* wrap.c: breaks long lines of emitted C and CUDA where parentheses nest least and operators bind
 * least, and aligns continuation lines.
 * In: text. Out: text. */
#include "emit/text/template.h"

#include <ctype.h>
#include <string.h>

enum { COLUMNS = 100, STEP = 4, DEPTH_MAX = 32 };

/* The penalty of a break: higher for deeper places and for operators that bind tighter. */
enum { AT_COMMA = 0, AT_STATEMENT = 0, AT_ASSIGN, AT_CHOICE, AT_LOGIC, AT_COMPARE, AT_ADD, AT_MUL };

typedef struct Wrap {
    const char *start, *end; /* the rest of the line */
    int indent, column;      /* of the whole line; of `start` */
    int value;               /* column of the assigned or returned value, or a step further in */
    int depth;               /* open brackets at `start`, and the columns after them */
    int behind[DEPTH_MAX];
} Wrap;

typedef struct Break {
    const char *at; /* NULL: none */
    int badness;
} Break;

static bool starts_with(const char *at, const char *end, const char *what) {
    size_t n = strlen(what);
    return (size_t)(end - at) >= n && !strncmp(at, what, n);
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Behind the arguments of a template that start here; `at`: there are none. */
static const char *skip_arguments(const char *start, const char *at, const char *end) {
    if (*at != '<' || at == start || !is_word(at[-1]) || at[1] == '<') return at;
    for (const char *p = at + 1; p < end && !strchr(";(", *p); p++)
        if (*p == '>') return p + 1;
    return at;
}

/* The end of a string, a character, a comment or the arguments of a template that start here, which
 * are not broken. */
static const char *skip_piece(const char *start, const char *at, const char *end) {
    if (*at == '<') return skip_arguments(start, at, end);
    if (starts_with(at, end, "/*")) {
        while (at < end && !starts_with(at, end, "*/")) at++;
        return at < end ? at + 2 : end;
    }
    const char quote = *at;
    if (quote != '"' && quote != '\'') return at;
    for (at++; at < end && *at != quote; at++) at += *at == '\\';
    return at < end ? at + 1 : end;
}

/* The break at this place, after an operator or before that of a choice. */
static Break break_at(const Wrap *w, const char *at, bool is_controlled) {
    static const struct {
        const char *text;
        int badness;
        bool before;
    } places[] = {{", ", AT_COMMA, false},    {"; ", AT_COMMA, false},    {" ? ", AT_CHOICE, true},
                  {" : ", AT_CHOICE, true},   {" || ", AT_LOGIC, false},  {" && ", AT_LOGIC, false},
                  {" & ", AT_LOGIC, false},   {" + ", AT_ADD, false},     {" - ", AT_ADD, false},
                  {" * ", AT_MUL, false},     {" / ", AT_MUL, false},     {" % ", AT_MUL, false},
                  {" < ", AT_COMPARE, false}, {" == ", AT_COMPARE, false}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (starts_with(at, w->end, places[i].text))
            return (Break){at + (places[i].before ? 1 : strlen(places[i].text)), places[i].badness};
    bool fits = w->indent + STEP + (w->end - at) - 3 <= COLUMNS;
    if (fits && starts_with(at, w->end, " = ")) return (Break){at + 3, AT_ASSIGN};
    if (is_controlled && starts_with(at, w->end, ") ") && at[2] != '{')
        return (Break){at + 2, AT_STATEMENT};
    return (Break){NULL, 0};
}

static int column_of(const Wrap *w, const char *at) { return w->column + (int)(at - w->start); }

/* Records brackets that open and close at a character. */
static void pass_bracket(Wrap *w, int column, char c) {
    if (strchr("([{", c) && w->depth < DEPTH_MAX) w->behind[w->depth++] = column + 1;
    if (strchr(")]}", c) && w->depth) w->depth--;
}

static Break best_break(const Wrap *given) {
    Wrap w = *given;
    Break best = {NULL, 0};
    const bool controls =
        starts_with(w.start, w.end, "if (") || starts_with(w.start, w.end, "for (");
    for (const char *at = w.start; at < w.end;) {
        const char *next = skip_piece(w.start, at, w.end);
        if (next == at) {
            Break b = break_at(&w, at, controls && w.depth == 1);
            int depth = w.depth - (b.at && *at == ')');
            b.badness += depth * 10;
            if (b.at && column_of(&w, b.at) > COLUMNS + 1) break;
            if (b.at && b.at > w.start && (!best.at || b.badness <= best.badness)) best = b;
            pass_bracket(&w, column_of(&w, at), *at);
            next++;
        }
        at = next;
    }
    return best;
}

static void put_line(Text *out, const char *line) {
    const char *const end = line + strlen(line);
    int indent = (int)strspn(line, " ");
    Wrap w = {.start = line + indent, .end = end, .indent = indent, .column = indent};
    const int value =
        indent + (starts_with(w.start, end, "return ") ? (int)strlen("return ") : STEP);
    w.value = value; /* in a list of variables: until the next one has a value */
    text_bytes(out, line, (size_t)indent);
    while (w.column + (w.end - w.start) > COLUMNS) {
        const Break b = best_break(&w);
        if (!b.at) break;
        const char *stop = b.at;
        while (stop[-1] == ' ') stop--;
        text_bytes(out, w.start, (size_t)(stop - w.start));
        for (const char *at = w.start; at < b.at;) {
            const char *next = skip_piece(w.start, at, b.at);
            if (!w.depth && starts_with(at, b.at, " = ") && at + 3 < b.at)
                w.value = column_of(&w, at) + 3;
            if (next == at) pass_bracket(&w, column_of(&w, at), *next++);
            at = next;
        }
        if (!w.depth && stop[-1] == ',' && w.value != value) w.value = indent + 2 * STEP;
        w.column = w.depth ? w.behind[w.depth - 1] : w.value;
        w.start = b.at;
        text_printf(out, "\n%*s", w.column, "");
    }
    text_bytes(out, w.start, (size_t)(w.end - w.start));
    text_char(out, '\n');
}

static bool is_comment(const char *line) {
    return !strncmp(line, "//", 2) || !strncmp(line, "/*", 2) || !strncmp(line, "* ", 2) ||
           !strncmp(line, "*/", 2);
}

void text_wrapped(Text *out, const char *text) {
    Text line = text_new(out->arena);
    while (*text) {
        const char *end = strchr(text, '\n');
        if (!end) end = text + strlen(text);
        line.size = 0;
        text_bytes(&line, text, (size_t)(end - text));
        const char *first = text_get(&line) + strspn(text_get(&line), " ");
        if (is_comment(first) || *first == '#') {
            text_str(out, text_get(&line));
            text_char(out, '\n');
        } else {
            if (line.size) drop_parentheses(line.data);
            put_line(out, text_get(&line));
        }
        text = *end ? end + 1 : end;
    }
}
