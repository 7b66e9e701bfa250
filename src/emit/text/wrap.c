/* wrap.c: breaks long lines of emitted C and CUDA where parentheses nest least and operators bind
 * least, and aligns continuation lines, also those of templates, which holes have moved.
 * In: text. Out: text. */
#include "emit/text/template.h"
#include "emit/text/text_private.h"

enum { COLUMNS = 100, STEP = 4, DEPTH_MAX = 32 };

/* The penalty of a break: higher for deeper places and for operators that bind tighter. */
enum { AT_COMMA = 0, AT_STATEMENT = 0, AT_ASSIGN, AT_CHOICE, AT_LOGIC, AT_COMPARE, AT_ADD, AT_MUL };

typedef struct Wrap {
    const char *start, *end; /* the rest of the line */
    int indent, column;      /* of the whole line; of `start` */
    int value;               /* column of the assigned or returned value, or a step further in */
    int first_value;         /* that of the first variable in a list */
    int depth;               /* open brackets at `start`, and the columns after them */
    int behind[DEPTH_MAX];
} Wrap;

typedef struct Break {
    const char *at; /* NULL: none */
    int badness;
} Break;

static bool has_at(const char *at, const char *end, const char *what) {
    size_t n = strlen(what);
    return (size_t)(end - at) >= n && !strncmp(at, what, n);
}

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
    if (has_at(at, end, "/*")) {
        while (at < end && !has_at(at, end, "*/")) at++;
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
        if (has_at(at, w->end, places[i].text))
            return (Break){at + (places[i].before ? 1 : strlen(places[i].text)), places[i].badness};
    bool fits = w->indent + STEP + (w->end - at) - 3 <= COLUMNS;
    if (fits && has_at(at, w->end, " = ")) return (Break){at + 3, AT_ASSIGN};
    if (is_controlled && has_at(at, w->end, ") ") && at[2] != '{')
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
    const bool controls = has_at(w.start, w.end, "if (") || has_at(w.start, w.end, "for (");
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

static Wrap wrap_new(const char *line, const char *end) {
    const int indent = (int)strspn(line, " ");
    Wrap w = {.start = line + indent, .end = end, .indent = indent, .column = indent};
    const bool returns = has_at(w.start, end, "return ");
    w.value = w.first_value = indent + (returns ? (int)strlen("return ") : STEP);
    return w;
}

/* Behind an assignment that starts here; NULL: none does. */
static const char *assigned_at(const char *at, const char *end) {
    const bool changes = at < end && strchr("+-*", *at) && has_at(at + 1, end, "= ");
    return changes || has_at(at, end, " = ") ? at + 3 : NULL;
}

/* Passes the text up to a break at `to`: w->column becomes that of the next line. */
static void pass(Wrap *w, const char *to) {
    const char *stop = to;
    for (const char *at = w->start; at < to;) {
        const char *next = skip_piece(w->start, at, to), *assigned = assigned_at(at, to);
        if (!w->depth && assigned && assigned < to) w->value = column_of(w, assigned);
        if (next == at) pass_bracket(w, column_of(w, at), *next++);
        at = next;
    }
    while (stop[-1] == ' ') stop--;
    const bool lists = !w->depth && stop[-1] == ',' && w->value != w->first_value;
    if (lists) w->value = w->indent + 2 * STEP; /* until the next variable has a value */
    w->column = w->depth ? w->behind[w->depth - 1] : w->value;
    w->start = to;
}

static void put_line(Text *out, const char *line) {
    Wrap w = wrap_new(line, line + strlen(line));
    text_bytes(out, line, (size_t)w.indent);
    while (w.column + (w.end - w.start) > COLUMNS) {
        const Break b = best_break(&w);
        if (!b.at) break;
        const char *stop = b.at;
        while (stop[-1] == ' ') stop--;
        text_bytes(out, w.start, (size_t)(stop - w.start));
        pass(&w, b.at);
        text_printf(out, "\n%*s", w.column, "");
    }
    text_bytes(out, w.start, (size_t)(w.end - w.start));
    text_char(out, '\n');
}

/* ---- statements of several lines ------------------------------------------------------------- */

static bool is_text(const char *line) {
    const char *const first = line + strspn(line, " ");
    return *first == '#' || !strncmp(first, "//", 2) || !strncmp(first, "/*", 2) ||
           !strncmp(first, "* ", 2) || !strncmp(first, "*/", 2);
}

/* Blank lines, directives and lines with a comment or a string stay as they are. */
static bool is_fixed(const char *line) {
    const char *const end = end_of(line), *at = line + strspn(line, " ");
    if (at == end || is_text(line)) return true;
    while (at < end && *at != '"' && !has_at(at, end, "//") && !has_at(at, end, "/*")) at++;
    return at < end;
}

/* How many parentheses and brackets are open behind a line. */
static int open_behind(const char *line, int before) {
    for (const char *const end = end_of(line); line < end; line++)
        before += !!strchr("([", *line) - !!strchr(")]", *line);
    return before;
}

/* Does a line end with an operator, or with the comma of a list of variables? */
static bool ends_inside(const char *line) {
    const char *const end = end_of(line), *const value = strstr(line, " = "), *at = end;
    if (end > line && end[-1] == ',') return value && value < end;
    while (at > line && strchr("+-*/%&|<>=!?", at[-1])) at--;
    return at < end && at > line && at[-1] == ' ';
}

/* Joins the lines of the statement that starts here; returns the end of the last one. `is_done`:
 * put_line would break and align them alike, or one of them stays as it is. */
static const char *join_lines(const char *line, Text *joined, bool *is_done) {
    const char *end = end_of(line);
    int open = open_behind(line, 0);
    bool stays = is_fixed(line), is_right = end - line <= COLUMNS;
    Wrap w = wrap_new(line, end);
    text_bytes(joined, line, (size_t)(end - line));
    while (*end && (open > 0 || ends_inside(line))) {
        const bool is_first_inside = strchr("([{", end[-1]) != NULL;
        pass(&w, end);
        line = end + 1, end = end_of(line);
        const int indent = (int)strspn(line, " ");
        if (is_first_inside && w.depth) w.column = w.behind[w.depth - 1] = indent;
        stays |= is_fixed(line);
        is_right &= end - line <= COLUMNS && indent == w.column;
        w.start = line + indent, w.end = end, w.column = indent;
        open = open_behind(line, open);
        if (!is_first_inside) text_char(joined, ' ');
        text_bytes(joined, w.start, (size_t)(end - w.start));
    }
    *is_done = stays || is_right;
    return end;
}

static void put_statement(Text *out, Text *line) {
    if (line->size) drop_parentheses(line->data);
    put_line(out, text_get(line));
}

static void put_lines(Text *out, const char *line, const char *last) {
    Text text = text_new(out->arena);
    for (const char *end;; line = end + 1) {
        end = end_of(line);
        text.size = 0;
        text_bytes(&text, line, (size_t)(end - line));
        if (is_text(line))
            text_printf(out, "%s\n", text_get(&text));
        else
            put_statement(out, &text);
        if (end == last) return;
    }
}

void text_wrapped(Text *out, const char *text) {
    for (const char *last; *text; text = *last ? last + 1 : last) {
        Text joined = text_new(out->arena);
        bool is_done = true;
        last = is_text(text) || *text == '\n' ? end_of(text) : join_lines(text, &joined, &is_done);
        is_done ? put_lines(out, text, last) : put_statement(out, &joined);
    }
}
