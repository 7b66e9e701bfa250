/* text.c: functions of the headers as text of a target, with all that they need and nothing else.
 * In: declarations. Out: printable ASCII, each name in the place of the one that the header has. In
 * the exact style `float` is `double` and expf is exp: what the function means, computed in double.
 */
#include "graph/import/import.h"

#include <string.h>

/* ---- what is needed ------------------------------------------------------------------------- */

static void mark_needed(const Imports *m, int declaration, bool *needed) {
    if (needed[declaration]) return;
    needed[declaration] = true;
    for (int i = 0; i < m->declarations.at[declaration].needs.count; i++)
        mark_needed(m, m->declarations.at[declaration].needs.at[i], needed);
}

const bool *imports_needed(const Imports *m, const bool *wanted) {
    bool *needed = arena_array(m->arena, bool, m->declarations.count + 1);
    for (int i = 0; i < m->functions.count; i++)
        if (wanted[i]) mark_needed(m, m->functions.at[i].declaration, needed);
    return needed;
}

/* Text that looks at how a float is stored has no meaning in double. */
static bool looks_at_bits(const Imports *m, const Declaration *p) {
    static const char *const signs[] = {"union", "memcpy", "sizeof", "reinterpret_cast",
                                        "asm",   "__asm__"};
    const char *at = text_get(&m->text) + p->begin, *end = text_get(&m->text) + p->end;
    CToken before = {C_END, at, 0}, last = before;
    for (CToken word; word = c_word(&at, end), word.kind != C_END; before = last, last = word) {
        for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
            if (c_token_is(&word, signs[i])) return true;
        if (word.kind == C_NAME && word.size > 8 && !memcmp(word.at, "__", 2) &&
            memchr(word.at, 'a', word.size) &&
            strstr(arena_strndup(m->arena, word.at, word.size), "_as_"))
            return true;
        const bool is_cast = c_token_is(&before, "*") && c_token_is(&last, ")");
        if (is_cast && c_token_is(&word, "&")) return true; /* *(int *)&x */
    }
    return false;
}

bool import_is_widened(const Imports *m, int function) {
    bool *wanted = arena_array(m->arena, bool, m->functions.count);
    wanted[function] = true;
    const bool *needed = imports_needed(m, wanted);
    for (int i = 0; i < m->declarations.count; i++)
        if (needed[i] && looks_at_bits(m, &m->declarations.at[i])) return false;
    return true;
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Names of CUDA in C, and in C in double. "": none there. */
static const struct {
    const char *name, *own, *exact;
} translations[] = {
    {"__expf", "expf", "exp"},
    {"__exp10f", "fx_exp10f", "fx_exp10"},
    {"exp10f", "fx_exp10f", "fx_exp10"},
    {"exp10", "fx_exp10", "fx_exp10"},
    {"__logf", "logf", "log"},
    {"__log2f", "log2f", "log2"},
    {"__log10f", "log10f", "log10"},
    {"__powf", "powf", "pow"},
    {"__sinf", "sinf", "sin"},
    {"__cosf", "cosf", "cos"},
    {"__tanf", "tanf", "tan"},
    {"__tanhf", "tanhf", "tanh"},
    {"__fmaf_rn", "fmaf", "fma"},
    {"__fsqrt_rn", "sqrtf", "sqrt"},
    {"__frsqrt_rn", "fx_rsqrtf", "fx_rsqrt"},
    {"rsqrtf", "fx_rsqrtf", "fx_rsqrt"},
    {"rsqrt", "fx_rsqrt", "fx_rsqrt"},
    {"__frcp_rn", "fx_rcpf", "fx_rcp"},
    {"__fdividef", "fx_dividef", "fx_dividef"},
    {"fdividef", "fx_dividef", "fx_dividef"},
    {"__saturatef", "fx_saturatef", "fx_saturate"},
    {"__float_as_int", "fx_float_as_int", "fx_float_as_int"},
    {"__int_as_float", "fx_int_as_float", "fx_int_as_float"},
    {"constexpr", "const", "const"},
    {"_Bool", "bool", "bool"},
    {"__device__", "", ""},
    {"__forceinline__", "inline", "inline"},
};

/* Functions of <math.h> that have a relative for float, which ends in f. */
static const char math[] =
    " acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 "
    "fabs fdim floor fma fmax fmin fmod frexp hypot ldexp lgamma log log10 log1p log2 lrint lround "
    "nearbyint pow remainder rint round sin sinh sqrt tan tanh tgamma trunc ";

static const char *in_double(Arena *arena, const CToken *word) {
    if (c_token_is(word, "float")) return "double";
    if (word->size < 4 || word->at[word->size - 1] != 'f') return NULL;
    const char *stem = arena_printf(arena, " %.*s ", (int)word->size - 1, word->at);
    return strstr(math, stem) ? arena_strndup(arena, word->at, word->size - 1) : NULL;
}

static const char *translated(Arena *arena, ImportStyle style, const CToken *word) {
    if (style == IMPORT_CUDA) return c_token_is(word, "_Bool") ? "bool" : NULL;
    for (size_t i = 0; i < sizeof translations / sizeof *translations; i++)
        if (c_token_is(word, translations[i].name))
            return style == IMPORT_EXACT ? translations[i].exact : translations[i].own;
    return style == IMPORT_EXACT ? in_double(arena, word) : NULL;
}

typedef struct Printer {
    const Imports *m;
    ImportStyle style;
    const char *const *names;
    const bool *needed;
    bool *done; /* by declaration */
    bool lines;
    bool on_line; /* a macro, whose backslashes at ends of lines go */
    Text *out;
} Printer;

/* What stands in the place of a word; NULL: itself. */
static const char *replacement(const Printer *p, const CToken *word) {
    Arena *arena = p->m->arena;
    for (int i = 0; i < p->m->names.count; i++) {
        const DeclaredName *name = &p->m->names.at[i];
        if (!p->needed[name->declaration] || !c_token_is(word, name->name)) continue;
        if (p->style == IMPORT_DECLARED) return arena_printf(arena, "fx_own_%s", name->name);
        if (p->style == IMPORT_EXACT) return arena_printf(arena, "fx_exact_%s", name->name);
        return p->names ? p->names[i] : NULL;
    }
    return translated(arena, p->style, word);
}

/* ---- text ----------------------------------------------------------------------------------- */

/* Printable ASCII, without the text that tells of a missing one. */
static void put_bytes(Text *out, const char *at, size_t size, CTokenKind kind) {
    static const char missing[] = "(null)";
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)at[i];
        const bool splits = i + 5 < size && !memcmp(at + i, missing, 6);
        if (c == '\t')
            text_str(out, "    ");
        else if ((c >= ' ' && c <= '~') || c == '\n')
            text_char(out, (char)c);
        else if (kind == C_STRING)
            text_printf(out, "\\%03o", c);
        else if (kind == C_COMMENT)
            text_printf(out, "%%%02X", c);
        if (splits) text_str(out, kind == C_STRING ? "\"\"" : " ");
    }
}

static void put_words(Printer *p, const char *at, const char *end) {
    char before = ' ';
    for (CToken token; token = c_token(at, end), token.kind != C_END; at += token.size) {
        const char *other = token.kind == C_NAME ? replacement(p, &token) : NULL;
        if (before == '(' && c_token_is(&token, "null")) text_char(p->out, ' ');
        before = token.size ? token.at[token.size - 1] : ' ';
        if (p->on_line && token.kind == C_BLANK)
            text_char(p->out, ' ');
        else if (!other)
            put_bytes(p->out, token.at, token.size, token.kind);
        else if (*other)
            text_str(p->out, other);
        else if (c_token(at + token.size, end).kind == C_BLANK)
            at++; /* a word that is left out, with a blank */
    }
}

/* Nothing in it may end the comment that it stands in. */
static void put_comment_word(Printer *p, const char *word, size_t size) {
    Text safe = text_new(p->m->arena);
    for (size_t i = 0; i < size; i++) {
        text_char(&safe, word[i]);
        if (i + 1 < size && strchr("*/", word[i]) && strchr("*/", word[i + 1]))
            text_char(&safe, ' ');
    }
    put_bytes(p->out, text_get(&safe), safe.size, C_COMMENT);
}

/* The comment of a function, in lines of 100 columns. */
static void put_doc(Printer *p, const char *doc) {
    size_t column = 2;
    text_str(p->out, "/*");
    for (const char *word = doc + strspn(doc, " \n\t"); *word; word += strspn(word, " \n\t")) {
        const size_t size = strcspn(word, " \n\t");
        if (column + 1 + size > 96) text_str(p->out, "\n *");
        column = column + 1 + size > 96 ? 2 : column + 1 + size;
        text_char(p->out, ' ');
        put_comment_word(p, word, size);
        word += size;
    }
    text_str(p->out, " */\n");
}

static void put_line(Printer *p, uint32_t at) {
    const Span span = imports_span(p->m, at, at);
    int line = 1, column;
    if (!p->lines || span.file == NO_FILE) return;
    const Source *source = &p->m->diag->sources.at[span.file];
    source_place(source, span.lo, &line, &column);
    text_printf(p->out, "#line %d \"%s\"\n", line, source->name);
}

static void put_function(Printer *p, const Declaration *declaration) {
    const char *text = text_get(&p->m->text), *result = declaration->result;
    if (declaration->doc && p->style <= IMPORT_CUDA) put_doc(p, declaration->doc);
    put_line(p, declaration->name_at);
    text_str(p->out, p->style == IMPORT_CUDA ? "DEVICE " : "static inline ");
    put_words(p, result, result + strlen(result));
    text_char(p->out, ' ');
    put_words(p, text + declaration->name_at,
              text + declaration->name_at + strlen(declaration->name));
    put_words(p, text + declaration->parameters, text + declaration->end);
}

/* Storage is ours to say. */
static void put_variable(Printer *p, const Declaration *declaration) {
    static const char *const storage[] = {"static", "inline",     "extern",      "constexpr",
                                          "const",  "__device__", "__constant__"};
    const char *text = text_get(&p->m->text), *at = text + declaration->begin,
               *end = text + declaration->end;
    for (bool is_storage = true; is_storage;) {
        const char *ahead = at;
        const CToken word = c_word(&ahead, end);
        is_storage = false;
        for (size_t i = 0; i < sizeof storage / sizeof *storage; i++)
            is_storage |= c_token_is(&word, storage[i]);
        if (is_storage) at = ahead;
    }
    at += strspn(at, " \t\r\n");
    const bool in_memory = p->style == IMPORT_CUDA && !declaration->is_scalar;
    text_str(p->out, in_memory ? "[[maybe_unused]] static __device__ const " : "static const ");
    put_words(p, at, end);
}

static void put_declaration(Printer *p, int number) {
    const Declaration *declaration = &p->m->declarations.at[number];
    const char *text = text_get(&p->m->text);
    if (p->done[number]) return;
    p->done[number] = true;
    for (int i = 0; i < declaration->needs.count; i++) put_declaration(p, declaration->needs.at[i]);
    if (declaration->kind == DECLARATION_FUNCTION && !declaration->body)
        return; /* it stands elsewhere */
    if (declaration->kind == DECLARATION_FUNCTION) {
        put_function(p, declaration);
    } else {
        put_line(p, declaration->begin);
        p->on_line = declaration->kind == DECLARATION_MACRO;
        if (p->on_line) text_str(p->out, "#define ");
        if (declaration->kind == DECLARATION_VARIABLE)
            put_variable(p, declaration);
        else
            put_words(p, text + declaration->begin, text + declaration->end);
        p->on_line = false;
    }
    text_char(p->out, '\n');
}

/* In double only what has a meaning there. */
static const bool *of_style(const Imports *m, const bool *wanted, ImportStyle style) {
    bool *own = arena_array(m->arena, bool, m->functions.count + 1);
    for (int i = 0; i < m->functions.count; i++)
        own[i] = wanted[i] && (style != IMPORT_EXACT || import_is_widened(m, i));
    return own;
}

/* Macros have done their work where the functions end. */
static void put_undefs(Printer *p) {
    for (int i = 0; i < p->m->names.count; i++) {
        const Declaration *d = &p->m->declarations.at[p->m->names.at[i].declaration];
        if (d->kind != DECLARATION_MACRO || !p->done[p->m->names.at[i].declaration]) continue;
        text_str(p->out, "#undef ");
        put_words(p, d->name, d->name + strlen(d->name));
        text_char(p->out, '\n');
    }
}

void imports_text(const Imports *m, const bool *wanted, ImportStyle style, const char *const *names,
                  bool lines, Text *out) {
    Printer p = {.m = m, .style = style, .names = names, .lines = lines, .out = out};
    wanted = of_style(m, wanted, style);
    p.needed = imports_needed(m, wanted);
    p.done = arena_array(m->arena, bool, m->declarations.count + 1);
    for (int i = 0; i < m->functions.count; i++)
        if (wanted[i]) put_declaration(&p, m->functions.at[i].declaration);
    put_undefs(&p);
}
