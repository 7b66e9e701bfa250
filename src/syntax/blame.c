/* blame.c: messages for syntax errors.
 * In: a place, the token found there and the tokens expected there.
 * Out: errors and notes that a person can act on: few alternatives, each under its name in the
 * language reference. */
#include "syntax/build.h"

#include <string.h>

/* ---- text of the source ----------------------------------------------------------------- */

char *build_text(Build *build, Span at) {
    return arena_strndup(build->arena, build->source.text + at.lo, at.hi - at.lo);
}

enum { LONGEST_QUOTE = 40 };

const char *build_quote(Build *build, Span at) {
    if (at.hi - at.lo <= LONGEST_QUOTE) return build_text(build, at);
    at.hi = at.lo + LONGEST_QUOTE;
    while (((unsigned char)build->source.text[at.hi] & 0xc0) == 0x80 && at.hi > at.lo) at.hi--;
    return arena_printf(build->arena, "%s..", build_text(build, at));
}

/* ---- an unexpected token ---------------------------------------------------------------- */

/* If `cue` is expected, so are all members: they are named as one thing, or not at all. */
static const struct Fold {
    const char *cue, *name, *member[24];
} folds[] = {
    {"a number", "an expression", {"a name", "a number", "a string", "'-'", "'!'", "'('", "'['"}},
    {"&&", "an operator", {"||",  "&&",  "==",  "!=",  "<=", ">=", "'<'", "'>'", "'+'", "'-'",
                           "'*'", "'/'", "'%'", "'@'", "**", "as", "'.'", "'['", "'('", "'='"}},
    {"assert", "a statement", {"assert", "a name"}},
    {"const", NULL, {"'@'", "the end of the file"}},
};
enum { FOLDS = sizeof folds / sizeof folds[0], MOST_TOLD = 5 };

static bool is_among(const char *name, const char *const *names, int count) {
    for (int i = 0; i < count; i++)
        if (names[i] && !strcmp(name, names[i])) return true;
    return false;
}

static int fold_apply(const struct Fold *fold, const char **expected, int count) {
    if (!is_among(fold->cue, expected, count)) return count;
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!is_among(expected[i], fold->member, sizeof fold->member / sizeof *fold->member))
            expected[kept++] = expected[i];
    if (fold->name) expected[kept++] = fold->name;
    return kept;
}

/* "a name" and "';'" are printed as they are, "fn" is quoted. */
static void put_token(Text *out, const char *name) {
    bool bare = name[0] != '\'' && !strchr(name, ' ');
    text_printf(out, bare ? "'%s'" : "%s", name);
}

static const char *list_expected(Build *build, const char **expected, int count) {
    for (int i = 0; i < FOLDS; i++) count = fold_apply(&folds[i], expected, count);
    Text out = text_new(build->arena);
    for (int i = 0; i < count && i < MOST_TOLD; i++) {
        if (i) text_str(&out, i == count - 1 ? " or " : ", ");
        put_token(&out, expected[i]);
    }
    if (count > MOST_TOLD) text_str(&out, " ..");
    return count > 0 ? text_get(&out) : "something else";
}

static const char *tell_found(Build *build, Span at, const char *found) {
    static const char *const words[] = {"a name", "a number"};
    static const char *const keywords[] = {"fn", "const", "import", "assert", "as", "None"};
    if (is_among(found, words, sizeof words / sizeof words[0]))
        return arena_printf(build->arena, "'%s'", build_quote(build, at));
    if (is_among(found, keywords, sizeof keywords / sizeof keywords[0]))
        return arena_printf(build->arena, "the keyword '%s'", found);
    Text out = text_new(build->arena);
    put_token(&out, found);
    return text_get(&out);
}

static bool is_comparison(const char *found) {
    static const char *const names[] = {"==", "!=", "<=", ">=", "'<'", "'>'"};
    return is_among(found, names, sizeof names / sizeof names[0]);
}

/* True if the token found starts a line, or ends a bracket: then something is missing after the
 * token before it. */
static bool is_on_new_line(const Build *build, Span at, const char *found) {
    if (!strcmp(found, "'}'") || !strcmp(found, "the end of the file")) return true;
    const char *gap = build->source.text + build->last.hi;
    return memchr(gap, '\n', at.lo - build->last.hi) != NULL;
}

static void note_advice(Build *build, Span at, const char *advice) {
    if (advice) diag_note(build->diag, at, "%s", advice);
}

/* Two characters that are one operator in other languages. */
static void note_operator(Build *build, uint32_t lo) {
    const Span at = {lo, lo + 2, build->file};
    if (at.hi <= build->source.size)
        note_advice(build, at, foreign_operator(build_text(build, at)));
}

/* The place is at an operator, a word or a call of another language. */
static void note_foreign(Build *build, Span at, const char *found) {
    const char *before = build_text(build, build->last);
    note_operator(build, build->last.lo);
    note_operator(build, at.lo);
    if (!strcmp(found, "a name")) note_advice(build, at, foreign_word(build_text(build, at)));
    note_advice(build, build->last, foreign_word(before));
    if (!strcmp(found, "'('") && !strcmp(before, "T"))
        diag_note(build->diag, at, "'.T' is not a call: omit the parentheses");
}

/* What other languages have at a place. `where` is a token expected there, or "head": of a
 * statement, after its first name. */
static const struct Habit {
    const char *where, *found;
    const char *before; /* the token before it; NULL: any */
    const char *advice;
} habits[] = {
    {"head", "'['", NULL,
     "elements are not assigned: 'where', 'concat' and 'scatter' make tensors"},
    {"head", "':'", NULL, "write 'name = value;': types follow from values"},
    {"head", "'('", NULL, "a statement is 'name = value;'"},
    {"head", "a name", NULL, "a statement is 'name = value;'"},
    {"'='", "a name", NULL, "a const has no type: 'const name = 3;'"},
    {"assert", "'('", NULL, "names before '=' have no parentheses: 'a, b = ..;'"},
    {"'['", "'<'", NULL, "dims are in brackets, as in 'f32[N]'"},
    {"':'", "'['", NULL, "the name comes before the type: 'x: f32[N]'"},
    {"':'", "a name", NULL, "the name comes before the type: 'x: f32[N]'"},
    {"'('", "a name", "->", "outputs have names: '-> (y: f32[N])'"},
    {"';'", "'('", ")", "only names are called; 'fn g = grad(f);' derives a function"},
    {"')'", "','", NULL, "there are no tuples: a list is '[0, 1]'"},
};

static bool is_expected(const char *where, const char *const *expected, int count) {
    const bool in_expression = is_among("&&", expected, count);
    const bool more_names = is_among("','", expected, count);
    if (!strcmp(where, "head") || !strcmp(where, "'='"))
        return is_among("'='", expected, count) && !is_among("'('", expected, count) &&
               !in_expression && more_names == !strcmp(where, "head");
    if (!is_among(where, expected, count)) return false;
    if (!strcmp(where, "')'")) return in_expression && !more_names;
    return strcmp(where, "'['") != 0 || (!in_expression && !is_among("a number", expected, count));
}

/* NULL: nothing is known about it. */
static const char *habit_advice(Build *build, const char *found, const char *const *expected,
                                int count) {
    const char *before = build_text(build, build->last);
    if (foreign_word(before)) return NULL;
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
        const struct Habit *habit = &habits[i];
        if (strcmp(habit->found, found) || !is_expected(habit->where, expected, count)) continue;
        if (!habit->before || !strcmp(habit->before, before)) return habit->advice;
    }
    return NULL;
}

/* `scale = 3;` between the items of a file. */
static const char *item_advice(Build *build, Span at, const char *found) {
    const char *after = build->source.text + at.hi;
    after += strspn(after, " ");
    if (strcmp(found, "a name") || after[0] != '=' || after[1] == '=') return NULL;
    return arena_printf(build->arena, "between functions, write 'const %s = ..;' for a number",
                        build_quote(build, at));
}

/* x[::2]: a second ':' after a bound. */
static bool is_step(Build *build, const char *found, const char *const *expected, int count) {
    return !strcmp(found, "':'") && is_among("']'", expected, count) &&
           strcmp(build_text(build, build->last), "None") != 0;
}

/* `a // 2;` is a division in other languages. */
static void note_comment(Build *build, Span at) {
    const char *gap = build->source.text + build->last.hi;
    const char *slashes = strstr(gap, "//"), *line = strchr(gap, '\n');
    if (!slashes || !line || slashes > line || line > build->source.text + at.lo) return;
    if (!strchr(";}", line[-1]) || slashes[2] == '/') return;
    const uint32_t lo = (uint32_t)(slashes - build->source.text);
    diag_note(build->diag, (Span){lo, lo + 2, at.file},
              "'//' starts a comment: integers divide by '/'");
}

/* If another item, or the end of the file, is inside a body, its '}' is probably missing. Said
 * once. */
static void note_open_brace(Build *build, const char *found) {
    static const char *const after_body[] = {"fn", "const", "import", "the end of the file"};
    if (build->open_brace.file == NO_FILE) return;
    if (!is_among(found, after_body, sizeof after_body / sizeof after_body[0])) return;
    diag_note(build->diag, build->open_brace, "this '{' is not closed");
    build->open_brace = NOWHERE;
}

static void blame_missing_semicolon(Build *build, const char *shown) {
    Span end = {build->last.hi, build->last.hi, build->file};
    diag_error(build->diag, end, "expected ';' before %s", shown);
}

void blame_token(Build *build, Span at, const char *found, const char **expected, int count) {
    bool in_expression = is_among("&&", expected, count);
    bool starts_statement = is_among("assert", expected, count);
    bool ends_statement = is_among("';'", expected, count);
    const char *shown = tell_found(build, at, found);
    const char *advice = is_among("const", expected, count)
                             ? item_advice(build, at, found)
                             : habit_advice(build, found, expected, count);
    if (in_expression && is_comparison(found)) {
        diag_error(build->diag, at, "comparisons do not chain: write 'a < b && b < c'");
    } else if (is_step(build, found, expected, count)) {
        const bool back = build->source.text[at.hi] == '-';
        diag_error(build->diag, at, "slices have no steps: %s",
                   back ? "'flip(x, axis = 0)' reverses an axis"
                        : "'reshape(x, N / 2, 2)[:, 0]' is every second of N");
    } else if (ends_statement && is_on_new_line(build, at, found)) {
        blame_missing_semicolon(build, shown);
        note_comment(build, at);
    } else {
        const char *list = list_expected(build, expected, count);
        const char *hint = in_expression && !strcmp(found, "'='") ? ": equality is '=='" : "";
        diag_error(build->diag, at, "expected %s, found %s%s", list, shown, hint);
    }
    note_advice(build, at, advice);
    note_foreign(build, at, found);
    if (starts_statement) note_open_brace(build, found);
}

/* ---- text that is no token -------------------------------------------------------------- */

static const struct {
    const char *text, *meant;
} lookalikes[] = {
    {"'", "'\"'"}, {"×", "'*'"},    {"·", "'*'"},    {"÷", "'/'"},
    {"−", "'-'"},  {"–", "'-'"},    {"≤", "'<='"},   {"≥", "'>='"},
    {"≠", "'!='"}, {"→", "'->'"},   {"∞", "'inf'"},  {"…", "'...'"},
    {"ᵀ", "'.T'"}, {"²", "'** 2'"}, {"√", "'sqrt'"}, {"\xc2\xa0", "a space"},
};

void blame_characters(Build *build, Span at) {
    const char *text = build_text(build, at), *advice = foreign_character(text);
    if (advice) {
        diag_error(build->diag, at, "'%s' is not part of the language: %s", text, advice);
        return;
    }
    for (size_t i = 0; i < sizeof lookalikes / sizeof lookalikes[0]; i++)
        if (!strcmp(text, lookalikes[i].text)) {
            diag_error(build->diag, at, "'%s' is not part of the language: did you mean %s?", text,
                       lookalikes[i].meant);
            return;
        }
    diag_error(build->diag, at, "'%s' is not part of the language", build_quote(build, at));
}

/* `1.0f` and `8UL` are numbers in C. */
static bool has_c_suffix(const char *text) {
    size_t size = strlen(text), kept = size;
    while (kept && strchr("fFlLuU", text[kept - 1])) kept--;
    return kept < size && kept && strchr("0123456789.", text[kept - 1]);
}

void blame_suffix(Build *build, Span at) {
    const char *hint = has_c_suffix(build_text(build, at)) ? ": numbers have no suffix" : "";
    diag_error(build->diag, at, "'%s' is not a number%s", build_quote(build, at), hint);
}

/* ---- bounds ----------------------------------------------------------------------------- */

void blame_limit(Build *build, Span at, const char *what, const char *limit, int64_t value) {
    diag_error(build->diag, at, "%s than %lld ('--limit %s=N' changes this)", what,
               (long long)value, limit);
}
