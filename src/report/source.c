/* source.c: the emitted text, coloured.
 * In: the source of a compilation. Out: HTML; the line N is #SN. Comments, strings, lines of the
 * preprocessor and words of the language have a colour; nothing else is understood. */
#include "report/report.h"

#include <ctype.h>
#include <string.h>

static const char *const words[] = {"auto",
                                    "bool",
                                    "break",
                                    "case",
                                    "char",
                                    "const",
                                    "constexpr",
                                    "continue",
                                    "do",
                                    "double",
                                    "else",
                                    "enum",
                                    "extern",
                                    "float",
                                    "for",
                                    "if",
                                    "inline",
                                    "int",
                                    "int64_t",
                                    "long",
                                    "namespace",
                                    "return",
                                    "restrict",
                                    "short",
                                    "signed",
                                    "size_t",
                                    "sizeof",
                                    "static",
                                    "struct",
                                    "switch",
                                    "template",
                                    "typedef",
                                    "typename",
                                    "uint32_t",
                                    "unsigned",
                                    "using",
                                    "void",
                                    "volatile",
                                    "while",
                                    "__device__",
                                    "__forceinline__",
                                    "__global__",
                                    "__restrict__",
                                    "__shared__"};

typedef struct Colouring {
    Text *out;
    const char *at, *end;
    int line;
    bool in_comment, has_code; /* has_code: something stands before on the line */
} Colouring;

static bool is_word(const char *at, size_t size) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == size && !memcmp(words[i], at, size)) return true;
    return false;
}

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

static void put_span(Colouring *c, const char *class, size_t size) {
    text_printf(c->out, "<span class=\"%s\">", class);
    html_bytes(c->out, c->at, size);
    text_str(c->out, "</span>");
    c->at += size;
}

/* To the end of the comment, or of the line. */
static size_t comment_size(Colouring *c, const char *stop) {
    const size_t open = c->in_comment ? 0 : 2;
    c->in_comment = true;
    for (const char *p = c->at + open; p + 1 < stop; p++)
        if (p[0] == '*' && p[1] == '/') return c->in_comment = false, (size_t)(p + 2 - c->at);
    return (size_t)(stop - c->at);
}

static size_t string_size(const char *at, const char *stop) {
    size_t size = 1;
    while (at + size < stop && at[size] != *at)
        size += at[size] == '\\' && at + size + 1 < stop ? 2 : 1;
    return at + size < stop ? size + 1 : (size_t)(stop - at);
}

static void put_piece(Colouring *c, const char *stop) {
    const size_t left = (size_t)(stop - c->at);
    size_t size = 0;
    if (c->in_comment || (left > 1 && !memcmp(c->at, "/*", 2))) {
        put_span(c, "c", comment_size(c, stop));
    } else if (left > 1 && !memcmp(c->at, "//", 2)) {
        put_span(c, "c", left);
    } else if (*c->at == '#' && !c->has_code) {
        put_span(c, "p", left);
    } else if (*c->at == '"' || *c->at == '\'') {
        put_span(c, "s", string_size(c->at, stop));
    } else if (is_name(*c->at)) {
        while (size < left && is_name(c->at[size])) size++;
        if (is_word(c->at, size)) {
            put_span(c, "w", size);
        } else {
            html_bytes(c->out, c->at, size);
            c->at += size;
        }
        c->has_code = true;
    } else {
        c->has_code = c->has_code || *c->at != ' ';
        html_bytes(c->out, c->at++, 1);
    }
}

static void put_line(Colouring *c) {
    const char *stop = memchr(c->at, '\n', (size_t)(c->end - c->at));
    if (!stop) stop = c->end;
    c->line++;
    c->has_code = false;
    text_printf(c->out, "<span class=\"l\" id=\"S%d\">", c->line);
    while (c->at < stop) put_piece(c, stop);
    text_str(c->out, "\n</span>");
    c->at = stop + 1;
}

void put_source(const Report *r) {
    Colouring c = {.out = r->out, .at = text_get(&r->c->source)};
    c.end = c.at + r->c->source.size;
    if (c.at == c.end) return;
    text_str(r->out, "<h2 id=\"source\">Emitted source</h2>\n<div class=\"scroll\"><pre>");
    while (c.at < c.end) put_line(&c);
    text_str(r->out, "</pre></div>\n");
}
