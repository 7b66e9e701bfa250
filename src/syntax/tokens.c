/* tokens.c: the tokens of a text with their layout attributes for format.c: place in the source,
 * canonical space, tie for line breaks. All follow from the token before and the innermost open
 * bracket. */
#include "syntax/build.h"
#include "parser.h"

/* ---- reading ---------------------------------------------------------------------------- */

static int count_lines(const char *text, size_t size) {
    int lines = 0;
    for (size_t i = 0; i < size; i++) lines += text[i] == '\n';
    return lines;
}

static Token token_read(Build *build, uint32_t last_end) {
    Token token = {.tie = TIE_NEVER};
    token.kind = lexer_next(build, &token.span);
    int lines = count_lines(build->source.text + last_end, token.span.lo - last_end);
    token.own_line = lines > 0 || last_end == 0;
    token.blank = lines > 1;
    return token;
}

/* ---- kinds ------------------------------------------------------------------------------ */

static bool ends_operand(int kind) {
    return kind == TOK_NAME || kind == TOK_NUMBER || kind == ')' || kind == ']';
}

/* The tie of a line break before a binary operator, from loose to tight; 0: no operator. */
static int operator_tie(int kind) {
    switch (kind) {
    case TOK_OR: return 1;
    case TOK_AND: return 2;
    case TOK_EQ:
    case TOK_NE:
    case TOK_LE:
    case TOK_GE:
    case '<':
    case '>': return 3;
    case '+':
    case '-': return 4;
    case '*':
    case '/':
    case '%':
    case '@':
    case TOK_POWER: return 5;
    case TOK_AS: return 6;
    default: return 0;
    }
}

/* `8*D` and `1:n+1` are written without spaces in square brackets. */
static bool is_tight(const Token *token, int bracket) {
    int tie = token->prefix ? 0 : operator_tie(token->kind);
    return bracket == '[' && (token->kind == ':' || tie == 4 || tie == 5);
}

/* ---- spacing ---------------------------------------------------------------------------- */

typedef struct Walk {
    Token before;     /* the last token that is no comment; kind 0: none */
    Vec(int) bracket; /* open brackets */
    bool in_body, in_attributes, after_comment;
} Walk;

static int innermost(const Walk *w) {
    return w->bracket.count ? w->bracket.at[w->bracket.count - 1] : 0;
}

static bool is_prefix(const Walk *w, int kind) {
    if (kind == '@') return w->in_attributes && !w->bracket.count;
    return (kind == '-' || kind == '!') && !ends_operand(w->before.kind);
}

static bool needs_space(const Walk *w, const Token *t) {
    const Token *before = &w->before;
    int bracket = innermost(w);
    switch (t->kind) {
    case ';':
    case ',':
    case ')':
    case ']': return false;
    case ':': return before->kind == ',';
    case TOK_COMMENT: return before->kind != '(' && before->kind != '[';
    }
    if (w->after_comment) return true;
    if (t->kind == '.') return before->kind == TOK_NUMBER; /* `1 .T`, since `1.T` is not a number */
    if ((t->kind == '(' || t->kind == '[') && ends_operand(before->kind)) return false;
    if (before->kind == '(' || before->kind == '[' || before->kind == '.') return false;
    return !before->prefix && !is_tight(t, bracket) && !is_tight(before, bracket);
}

static int find_tie(const Walk *w, const Token *t) {
    int before = w->before.kind, depth = 8 * w->bracket.count;
    if (t->kind == TOK_COMMENT) return TIE_NEVER;
    if (before == ',' || (t->kind == '@' && t->prefix)) return depth;
    if ((before == '(' || before == '[') && t->kind != ')' && t->kind != ']') return depth + 7;
    if (before == '=' && !w->bracket.count) return TIE_NEVER - 1;
    if (!operator_tie(t->kind) || t->prefix || is_tight(t, innermost(w))) return TIE_NEVER;
    return depth + operator_tie(t->kind);
}

/* Advances past a token. */
static void walk_on(Walk *w, const Token *t, Arena *arena) {
    w->after_comment = t->kind == TOK_COMMENT;
    if (w->after_comment) return;
    if (t->kind == '(' || t->kind == '[') vec_push(arena, &w->bracket, t->kind);
    if (t->kind == ')' || t->kind == ']') w->bracket.count--;
    if (t->kind == '{' || t->kind == '}') w->in_body = t->kind == '{';
    bool item_ends = !w->in_body && (t->kind == ';' || t->kind == '}');
    if (item_ends || t->kind == TOK_FN || t->kind == TOK_CONST) w->in_attributes = item_ends;
    w->before = *t;
}

static void mark_trailing(TokenList *tokens) {
    for (int i = tokens->count - 2; i >= 0; i--) {
        Token *t = &tokens->at[i];
        bool last = t[1].own_line || t[1].trailing || t[1].kind == TOK_END;
        t->trailing = t->kind == TOK_COMMENT && !t->own_line && last;
    }
}

TokenList tokens_read(Build *build) {
    TokenList tokens = {0};
    Walk walk = {.in_attributes = true};
    Token token = {.kind = TOK_COMMENT};
    while (token.kind != TOK_END) {
        token = token_read(build, token.span.hi);
        token.prefix = is_prefix(&walk, token.kind);
        token.space = needs_space(&walk, &token);
        token.tie = find_tie(&walk, &token);
        walk_on(&walk, &token, build->arena);
        vec_push(build->arena, &tokens, token);
    }
    mark_trailing(&tokens);
    return tokens;
}
