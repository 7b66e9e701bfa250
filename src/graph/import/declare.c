/* declare.c: what the declarations of the headers mean for a model. In: declarations as libclang
 * sees them. Out: what each of them needs, which functions are operators, what these cost, and why
 * the others are none. Bodies are looked at word by word: a name stands for every declaration of
 * that name. */
#include "graph/import/import.h"

#include <string.h>

enum { CHEAP_WORK = 12 }; /* most operators of a function that is cheaper to repeat than to keep */

/* ---- names ---------------------------------------------------------------------------------- */

void declaration_name(Imports *m, const char *name, int declaration) {
    vec_push(m->arena, &m->names, ((DeclaredName){name, declaration}));
}

static const char *declaration_text(const Imports *m, const Declaration *p) {
    return text_get(&m->text) + p->begin;
}

static const char *declaration_end(const Imports *m, const Declaration *p) {
    return text_get(&m->text) + p->end;
}

static void add_need(Imports *m, Declaration *p, int needed) {
    for (int i = 0; i < p->needs.count; i++)
        if (p->needs.at[i] == needed) return;
    vec_push(m->arena, &p->needs, needed);
}

/* x.name and x->name */
static bool is_member(const char *start, const CToken *before) {
    if (c_token_is(before, ".")) return true;
    return c_token_is(before, ">") && before->at > start && before->at[-1] == '-';
}

/* A function is needed where it is called: parameters and variables may have its name. */
static bool may_mean(const Imports *m, int number, const CToken *after) {
    return m->declarations.at[number].kind != DECLARATION_FUNCTION || c_token_is(after, "(");
}

/* Own names of a declaration are no need of it, but for a function's in its body. */
static void add_needs(Imports *m, int declaration, const char *at, const char *end, bool is_body) {
    const char *start = at;
    CToken before = {C_END, at, 0};
    for (CToken word; word = c_word(&at, end), word.kind != C_END; before = word) {
        const char *ahead = at;
        const CToken after = c_word(&ahead, end);
        if (word.kind != C_NAME || is_member(start, &before)) continue;
        for (int i = 0; i < m->names.count; i++) {
            const int other = m->names.at[i].declaration;
            if (c_token_is(&word, m->names.at[i].name) && (is_body || other != declaration) &&
                may_mean(m, other, &after))
                add_need(m, &m->declarations.at[declaration], other);
        }
    }
}

static void find_needs(Imports *m, int declaration) {
    const Declaration p = m->declarations.at[declaration];
    const char *text = text_get(&m->text), *end = declaration_end(m, &p);
    if (p.kind != DECLARATION_FUNCTION) {
        add_needs(m, declaration, declaration_text(m, &p), end, false);
    } else if (p.body) {
        add_needs(m, declaration, p.result, p.result + strlen(p.result), false);
        add_needs(m, declaration, text + p.parameters, text + p.body, false);
        add_needs(m, declaration, text + p.body, end, true);
    }
}

/* ---- what no operator may do ---------------------------------------------------------------- */

/* A declaration's own flaw, or that of what it needs; NULL: it has none. */
static const char *find_flaw(Imports *m, int declaration);

static const char *static_flaw(const Imports *m, const Declaration *p) {
    const char *at = text_get(&m->text) + p->body, *end = declaration_end(m, p);
    for (CToken word; word = c_word(&at, end), word.kind != C_END;) {
        if (!c_token_is(&word, "static") && !c_token_is(&word, "__shared__")) continue;
        const char *ahead = at;
        CToken next = c_word(&ahead, end);
        while (c_token_is(&next, "__device__") || c_token_is(&next, "inline"))
            next = c_word(&ahead, end);
        if (!c_token_is(&next, "const") && !c_token_is(&next, "constexpr"))
            return arena_printf(m->arena, "'%s' keeps data between calls", p->name);
    }
    return NULL;
}

/* Emitted text is ASCII; comments and strings are encoded. */
static bool is_ascii(const Imports *m, const Declaration *p) {
    const char *at = text_get(&m->text) + p->begin, *end = text_get(&m->text) + p->end;
    for (CToken word; word = c_word(&at, end), word.kind != C_END;)
        if (word.kind == C_OTHER && (*word.at < ' ' || *word.at > '~')) return false;
    return true;
}

static const char *own_flaw(const Imports *m, const Declaration *p) {
    if (!is_ascii(m, p))
        return arena_printf(m->arena, "'%s' has a character that is not ASCII", p->name);
    if (p->kind == DECLARATION_VARIABLE && !p->is_const)
        return arena_printf(m->arena, "it uses '%s', which is not const", p->name);
    if (p->kind != DECLARATION_FUNCTION) return NULL;
    if (!p->parameters) return arena_printf(m->arena, "a macro writes '%s'", p->name);
    if (!p->body) return arena_printf(m->arena, "'%s' has no body there", p->name);
    return static_flaw(m, p);
}

static const char *needs_flaw(Imports *m, int declaration) {
    for (int i = 0; i < m->declarations.at[declaration].needs.count; i++) {
        const int needed = m->declarations.at[declaration].needs.at[i];
        const Declaration *p = &m->declarations.at[needed];
        const bool is_prototype = p->kind == DECLARATION_FUNCTION && p->parameters && !p->body;
        const char *flaw = is_prototype ? NULL : find_flaw(m, needed);
        if (flaw) return flaw;
    }
    return NULL;
}

static const char *find_flaw(Imports *m, int declaration) {
    Declaration *p = &m->declarations.at[declaration];
    if (p->is_open && p->kind == DECLARATION_FUNCTION)
        return arena_printf(m->arena, "'%s' calls itself", p->name);
    if (p->is_open || p->is_done) return p->deep_flaw;
    p->is_open = true;
    p->deep_flaw = own_flaw(m, p);
    if (!p->deep_flaw) p->deep_flaw = needs_flaw(m, declaration);
    p->is_open = false;
    p->is_done = true;
    return p->deep_flaw;
}

/* Prototypes aside, which a definition makes good. */
static bool is_overloaded(const Imports *m, const ImportFunction *f) {
    for (int i = 0; i < m->names.count; i++) {
        const Declaration *p = &m->declarations.at[m->names.at[i].declaration];
        if (m->names.at[i].declaration != f->declaration && !strcmp(m->names.at[i].name, f->name) &&
            p->kind == DECLARATION_FUNCTION && p->body)
            return true;
    }
    return false;
}

/* ---- cost ----------------------------------------------------------------------------------- */

/* Library functions that are a few instructions. */
static bool is_cheap_call(const CToken *name) {
    static const char *const cheap[] = {
        "fabsf",  "fabs",      "fmaxf", "fmax",       "fminf",  "fmin",  "sqrtf",  "sqrt",
        "rsqrtf", "floorf",    "floor", "ceilf",      "ceil",   "rintf", "rint",   "fmaf",
        "fma",    "copysignf", "abs",   "min",        "max",    "if",    "sizeof", "return",
        "float",  "double",    "int",   "__fdividef", "truncf", "trunc"};
    for (size_t i = 0; i < sizeof cheap / sizeof *cheap; i++)
        if (c_token_is(name, cheap[i])) return true;
    return false;
}

static bool is_declared(const Imports *m, const CToken *word) {
    for (int i = 0; i < m->names.count; i++)
        if (c_token_is(word, m->names.at[i].name)) return true;
    return false;
}

/* Operators of the text of one declaration; of a loop, and of a call of the library, too many. */
static int count_work(const Imports *m, const char *at, const char *end) {
    int work = 0;
    for (CToken word; word = c_word(&at, end), word.kind != C_END;) {
        const char *ahead = at;
        const CToken next = c_word(&ahead, end);
        const bool loops = c_token_is(&word, "for") || c_token_is(&word, "while") ||
                           c_token_is(&word, "goto") || c_token_is(&word, "asm");
        const bool calls = word.kind == C_NAME && c_token_is(&next, "(") && !is_cheap_call(&word);
        if (loops || (calls && !is_declared(m, &word))) work += CHEAP_WORK + 1;
        work += word.kind == C_OTHER && strchr("+-*/%<>?&|^", *word.at);
    }
    return work;
}

static bool is_costly(const Imports *m, int function) {
    bool *wanted = arena_array(m->arena, bool, m->functions.count);
    wanted[function] = true;
    const bool *needed = imports_needed(m, wanted);
    int work = 0;
    for (int i = 0; i < m->declarations.count; i++) {
        const Declaration *p = &m->declarations.at[i];
        const uint32_t from = p->kind == DECLARATION_FUNCTION ? p->body : p->begin;
        if (needed[i] && (p->kind == DECLARATION_MACRO || p->kind == DECLARATION_FUNCTION))
            work += count_work(m, text_get(&m->text) + from, declaration_end(m, p));
    }
    return work > CHEAP_WORK;
}

/* ---- the whole ------------------------------------------------------------------------------ */

void imports_declare(Imports *m) {
    for (int i = 0; i < m->declarations.count; i++) find_needs(m, i);
    int kept = 0;
    for (int i = 0; i < m->functions.count; i++) {
        const ImportFunction f = m->functions.at[i];
        Declaration *p = &m->declarations.at[f.declaration];
        p->flaw = find_flaw(m, f.declaration);
        if (!p->flaw && is_overloaded(m, &f)) p->flaw = "there are several of that name";
        if (!p->flaw) m->functions.at[kept++] = f;
    }
    m->functions.count = kept;
    m->used = arena_array(m->arena, bool, kept + 1);
    for (int i = 0; i < kept; i++) m->functions.at[i].costly = is_costly(m, i);
}

int imports_find(const Imports *m, const char *name) {
    for (int i = 0; m && i < m->functions.count; i++)
        if (!strcmp(m->functions.at[i].name, name)) return i;
    return -1;
}

const Declaration *imports_other(const Imports *m, const char *name) {
    const Declaration *found = NULL;
    for (int i = 0; m && i < m->declarations.count; i++) {
        const Declaration *p = &m->declarations.at[i];
        if (p->kind != DECLARATION_FUNCTION || !p->flaw || strcmp(p->name, name) != 0) continue;
        if (!found || p->body) found = p;
    }
    return found;
}
