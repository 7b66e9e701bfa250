/* tokens.c: text of C, one token after the other: enough to find names and brackets in what nobody
 * has checked. In: text. Out: tokens; joined again, they are the text. */
#include "graph/import/import.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }
static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* A backslash before the end of a line is a blank. */
static size_t blank_size(const char *at, const char *end) {
    const char *p = at;
    while (p < end) {
        const char *next = p + (p + 1 < end && p[0] == '\\' && p[1] == '\r');
        if (is_blank(*p))
            p++;
        else if (*p == '\\' && next + 1 < end && next[1] == '\n')
            p = next + 2;
        else
            break;
    }
    return (size_t)(p - at);
}

static size_t comment_size(const char *at, const char *end) {
    const char *p = at + 2;
    if (at[1] == '*') {
        while (p + 1 < end && !(p[0] == '*' && p[1] == '/')) p++;
        return (size_t)((p + 2 < end ? p + 2 : end) - at);
    }
    while (p < end && *p != '\n') p += *p == '\\' && p + 1 < end ? 2 : 1;
    return (size_t)((p < end ? p : end) - at);
}

/* To the quote, or to the end of the line. */
static size_t string_size(const char *at, const char *end) {
    const char *p = at + 1;
    while (p < end && *p != *at && *p != '\n') p += *p == '\\' && p + 1 < end ? 2 : 1;
    p += p < end && *p == *at;
    return (size_t)((p < end ? p : end) - at);
}

/* As the preprocessor has them: 1.5e-3f, 0x1p-3, 1'000. */
static size_t number_size(const char *at, const char *end) {
    const char *p = at + 1;
    for (; p < end; p++) {
        const bool is_sign = (*p == '+' || *p == '-') && strchr("eEpP", p[-1]);
        const bool is_separator = *p == '\'' && p + 1 < end && is_word(p[1]);
        if (!is_word(*p) && *p != '.' && !is_sign && !is_separator) break;
    }
    return (size_t)(p - at);
}

static size_t name_size(const char *at, const char *end) {
    const char *p = at;
    while (p < end && is_word(*p)) p++;
    return (size_t)(p - at);
}

CToken c_token(const char *at, const char *end) {
    if (at >= end) return (CToken){C_END, end, 0};
    const size_t blank = blank_size(at, end);
    const char next = at + 1 < end ? at[1] : '\0';
    if (blank) return (CToken){C_BLANK, at, blank};
    if (*at == '/' && (next == '*' || next == '/'))
        return (CToken){C_COMMENT, at, comment_size(at, end)};
    if (*at == '"' || *at == '\'') return (CToken){C_STRING, at, string_size(at, end)};
    if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)next)))
        return (CToken){C_NUMBER, at, number_size(at, end)};
    if (is_word(*at)) return (CToken){C_NAME, at, name_size(at, end)};
    return (CToken){C_OTHER, at, 1};
}

const char *c_line_end(const CToken *blank) {
    bool continues = false;
    for (const char *p = blank->at; p < blank->at + blank->size; p++) {
        if (*p == '\n' && !continues) return p;
        if (*p != '\r') continues = *p == '\\';
    }
    return NULL;
}

bool c_token_is(const CToken *token, const char *text) {
    return token->kind != C_END && strlen(text) == token->size &&
           !memcmp(token->at, text, token->size);
}

CToken c_word(const char **at, const char *end) {
    CToken token;
    do {
        token = c_token(*at, end);
        *at += token.size;
    } while (token.kind == C_BLANK || token.kind == C_COMMENT);
    return token;
}

const char *c_behind_bracket(const char *at, const char *end) {
    int depth = 0;
    for (CToken token; token = c_token(at, end), token.kind != C_END;) {
        at += token.size;
        if (token.kind != C_OTHER) continue;
        depth += *token.at == '(' || *token.at == '[' || *token.at == '{';
        depth -= *token.at == ')' || *token.at == ']' || *token.at == '}';
        if (depth <= 0) return at;
    }
    return NULL;
}
