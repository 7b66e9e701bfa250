/* format.c: fusec fmt.
 * In: a text that parses. Out: the same tokens and comments in canonical white space; only
 * redundant commas are removed. A statement, the head of a function or a comment is one unit; a
 * unit too long for a line is broken where the ties between its tokens are lowest. */
#include "syntax/build.h"
#include "parser.h"

#include <string.h>

enum { COLUMNS = 100, INDENT = 4, TAB = 4 };

typedef struct Format {
    const char *source;
    Token *token;
    Text *out;
    size_t line; /* start of the current line in out */
} Format;

static bool is_comment(const Format *f, int i) { return f->token[i].kind == TOK_COMMENT; }

/* A comma before a closing bracket is removed if both are on one line. */
static bool is_idle(const Format *f, int i) {
    int next = f->token[i].kind == ',' ? f->token[i + 1].kind : 0;
    return next == ')' || next == ']';
}

static int width(const Format *f, int i) {
    return is_idle(f, i) ? 0 : (int)(f->token[i].span.hi - f->token[i].span.lo);
}

/* True for a comment that must be followed by a new line. */
static bool ends_line(const Format *f, int i) {
    const char *text = f->source + f->token[i].span.lo;
    return is_comment(f, i) && (text[1] == '/' || memchr(text, '\n', (size_t)width(f, i)));
}

static bool has_comment(const Format *f, int first, int end) {
    for (int i = first; i < end; i++)
        if (is_comment(f, i)) return true;
    return false;
}

/* ---- writing ---------------------------------------------------------------------------- */

static void put_newline(Format *f) {
    text_char(f->out, '\n');
    f->line = f->out->size;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* The column after `size` bytes of a line. */
static int reach(const char *line, size_t size) {
    int at = 0;
    for (size_t i = 0; i < size; i++) at += line[i] == '\t' ? TAB - at % TAB : 1;
    return at;
}

/* Columns of the current output, and of token i in the source. */
static int new_column(const Format *f) {
    return reach(text_get(f->out) + f->line, f->out->size - f->line);
}

static int old_column(const Format *f, int i) {
    const char *end = f->source + f->token[i].span.lo, *start = end;
    while (start > f->source && start[-1] != '\n') start--;
    return reach(start, (size_t)(end - start));
}

/* The shift of the later lines of a comment, if there are any. At most the width of a line, or a
 * small text could become an enormous one. */
static int find_shift(const Format *f, int i) {
    if (!memchr(f->source + f->token[i].span.lo, '\n', (size_t)width(f, i))) return 0;
    int shift = new_column(f) - old_column(f, i);
    return -COLUMNS < shift && shift < COLUMNS ? shift : 0;
}

/* Shifts the lines of a comment together, and removes trailing blanks. */
static void put_comment(Format *f, int i) {
    const char *line = f->source + f->token[i].span.lo, *end = f->source + f->token[i].span.hi;
    int shift = find_shift(f, i);
    for (bool first = true;; first = false) {
        const char *stop = memchr(line, '\n', (size_t)(end - line)), *next = stop ? stop : end;
        const char *text = line, *last = next;
        while (!first && text < last && is_blank(*text)) text++;
        while (last > text && is_blank(last[-1])) last--;
        if (!first && last > text)
            text_pad(f->out, f->line, reach(line, (size_t)(text - line)) + shift);
        text_bytes(f->out, text, (size_t)(last - text));
        if (!stop) return;
        put_newline(f);
        line = next + 1;
    }
}

static void put_token(Format *f, int i) {
    const Token *t = &f->token[i];
    if (is_comment(f, i))
        put_comment(f, i);
    else
        text_bytes(f->out, f->source + t->span.lo, t->span.hi - t->span.lo);
}

/* Tokens first..end-1 on one line. */
static void put_run(Format *f, int first, int end, int indent) {
    text_pad(f->out, f->line, indent);
    for (int i = first; i < end; i++) {
        if (i > first && f->token[i].space) text_str(f->out, ends_line(f, i) ? "  " : " ");
        if (!is_idle(f, i) || i + 1 == end) put_token(f, i);
    }
}

/* ---- breaking lines --------------------------------------------------------------------- */

/* Without comments that end their line: the width of one of several lines depends on its place. */
static int run_width(const Format *f, int first, int end) {
    int total = 0;
    for (int i = first; i < end; i++)
        if (!ends_line(f, i)) total += width(f, i) + (i > first && f->token[i].space);
    return total;
}

/* The end of the line that starts with token `first` at column `indent`. */
static int line_end(const Format *f, int first, int end, int indent) {
    int best = 0, reached = indent;
    for (int i = first; i < end; i++) {
        const Token *t = &f->token[i];
        bool inside = i > first;
        if (inside && ((is_comment(f, i) && t->own_line) || ends_line(f, i - 1))) return i;
        if (inside && t->tie != TIE_NEVER && (!best || t->tie <= f->token[best].tie)) best = i;
        if (!ends_line(f, i)) reached += width(f, i) + (inside && t->space);
        if (reached > COLUMNS && best) return best;
    }
    return end;
}

/* Tokens first..end-1 on as many lines as they need; those after the first start at `rest`. */
static void put_filled(Format *f, int first, int end, int indent, int rest) {
    while (first < end) {
        int stop = line_end(f, first, end, indent);
        put_run(f, first, stop, indent);
        if (stop < end) put_newline(f);
        first = stop;
        indent = rest;
    }
}

/* ---- heads of functions ----------------------------------------------------------------- */

static int nesting(int kind) { return (kind == '(' || kind == '[') - (kind == ')' || kind == ']'); }

/* The first '(' from token i on that is outside of all brackets. */
static int find_open(const Format *f, int i) {
    for (int depth = 0; depth || f->token[i].kind != '('; i++) depth += nesting(f->token[i].kind);
    return i;
}

static int find_close(const Format *f, int open) {
    int depth = 1, i = open;
    while (depth) depth += nesting(f->token[++i].kind);
    return i;
}

/* One parameter a line, each with its comments. */
static void put_params(Format *f, int first, int end) {
    for (int depth = 0, i = first; i < end; i++) {
        depth += nesting(f->token[i].kind);
        bool splits = i + 1 == end || (!depth && f->token[i].kind == ',');
        if (!splits) continue;
        while (i + 1 < end && f->token[i + 1].trailing) i++;
        put_newline(f);
        put_filled(f, first, i + 1, INDENT, INDENT);
        first = i + 1;
    }
    put_newline(f);
}

/* A head too long for a line, or with comments. The inputs, or the outputs, or both, get a line for
 * each parameter, as few as suffice. */
static void put_head(Format *f, int first, int end) {
    int in = find_open(f, first), in_end = find_close(f, in);
    int out = find_open(f, in_end + 1), out_end = find_close(f, out);
    bool spread_out = has_comment(f, in_end, end) || run_width(f, in_end, end) > COLUMNS;
    bool spread_in = in_end > in + 1 && (!spread_out || has_comment(f, first, in_end) ||
                                         run_width(f, first, out + 1) > COLUMNS);
    put_filled(f, first, spread_in ? in + 1 : out + 1, 0, INDENT);
    if (spread_in) {
        put_params(f, in + 1, in_end);
        put_filled(f, in_end, spread_out ? out + 1 : end, 0, INDENT);
        if (!spread_out) return;
    }
    put_params(f, out + 1, out_end);
    put_filled(f, out_end, end, 0, INDENT);
}

/* ---- units ------------------------------------------------------------------------------ */

/* After the last token of the attribute that starts at token i. */
static int attribute_end(const Format *f, int i) {
    int end = i + 1;
    for (i = end; f->token[i].kind != TOK_FN; i++) {
        if (f->token[i].kind == '@' && f->token[i].prefix) break;
        if (!is_comment(f, i)) end = i + 1;
    }
    return end;
}

/* Attributes are units: those that the author put on one line, if they fit on it, up to "fn". */
static int attributes_end(const Format *f, int first) {
    for (int end = attribute_end(f, first);;) {
        int next = end;
        bool new_line = f->token[next].own_line;
        while (is_comment(f, next)) new_line |= f->token[++next].own_line;
        if (f->token[next].kind == TOK_FN || new_line) return end;
        const int next_end = attribute_end(f, next);
        if (run_width(f, first, next_end) > COLUMNS) return end;
        end = next_end;
    }
}

static int unit_end(const Format *f, int first) {
    if (is_comment(f, first)) return first + 1;
    if (f->token[first].kind == '@') return attributes_end(f, first);
    for (int i = first;; i++) {
        int kind = f->token[i].kind;
        if (kind == ';' || kind == '{' || kind == '}') return i + 1;
    }
}

static void put_unit(Format *f, int first, int end, int indent) {
    bool is_head = f->token[first].kind == TOK_FN && f->token[end - 1].kind == '{';
    if (is_head && (has_comment(f, first, end) || run_width(f, first, end) > COLUMNS))
        put_head(f, first, end);
    else
        put_filled(f, first, end, indent, indent + INDENT);
}

static void put_file(Format *f, int count) {
    int indent = 0;
    bool opened = true; /* the previous unit ended with "{", or none */
    for (int i = 0, end; i < count; i = end) {
        end = unit_end(f, i);
        if (f->token[i].kind == '}') indent = 0;
        if (f->token[i].blank && !opened && f->token[i].kind != '}') put_newline(f);
        put_unit(f, i, end, indent);
        opened = f->token[end - 1].kind == '{';
        if (opened) indent = INDENT;
        for (; f->token[end].trailing; end++) {
            text_str(f->out, "  ");
            put_token(f, end);
        }
        put_newline(f);
    }
}

bool format(Arena *arena, Diag *diag, uint32_t file, const Limits *limits, Text *out) {
    if (!parse(arena, diag, file, limits)) return false;
    Build build = build_new(arena, diag, file, limits);
    if (setjmp(build.stop)) return false;
    if (!build_start(&build)) return false;
    build.comments = true;
    TokenList tokens = tokens_read(&build);
    put_file(&(Format){build.source.text, tokens.at, out, out->size}, tokens.count - 1);
    return true;
}
