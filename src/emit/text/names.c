/* names.c: names of the model in emitted text. They are kept if possible; a name that the text or
 * its language uses, or that another has, gets an underscore.
 * In: Plans, a Target. Out: Names. */
#include "emit/text/names.h"

#include "emit/text/imported.h"
#include "emit/text/template.h"

#include <string.h>

typedef struct Chooser {
    const Target *target;
    Arena *arena;
    const Words *visible; /* at file scope: of preludes, the language and its library */
    const Words *words;   /* visible, and the words of the functions' text */
    const Words *library; /* functions of the library */
} Chooser;

/* ---- what is taken ------------------------------------------------------------------------- */

static bool starts_with(const char *name, const char *start) {
    return !strncmp(name, start, strlen(start));
}

static bool is_number(const char *s) { return *s && strspn(s, "0123456789") == strlen(s); }

/* Generated names: value_3, D_u5, i0, carry4, ahead2. */
static bool looks_made(const char *name) {
    static const char *const stems[] = {"i", "j", "f", "b", "u", "bf", "carry", "ahead"};
    const char *tail = strrchr(name, '_');
    if (tail && (is_number(tail + 1) || (tail[1] == 'u' && is_number(tail + 2)))) return true;
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
        if (starts_with(name, stems[i]) && is_number(name + strlen(stems[i]))) return true;
    return false;
}

/* What a kernel declares beside itself: f_0_tile, but not f_0_tile_, as a marked name is. */
static bool looks_like_part(const char *name, const char *function) {
    if (!starts_with(name, function) || name[strlen(name) - 1] == '_') return false;
    const char *tail = name + strlen(function);
    const size_t digits = *tail == '_' ? strspn(tail + 1, "0123456789") : 0;
    return digits && tail[1 + digits] == '_';
}

static bool has_prefix(const Target *target, const char *name) {
    for (const char *const *p = target->prefixes; *p; p++)
        if (starts_with(name, *p)) return true;
    return name[0] == '_';
}

/* The self-test has dims besides the values of nodes and sums: v12, r0. */
static bool looks_like_node(const char *name) {
    return (name[0] == 'v' || name[0] == 'r') && is_number(name + 1);
}

/* Headers define macros in capitals. */
static bool may_be_macro(const char *name) {
    return name[1] && strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(name);
}

static const char *marked(const Chooser *c, const char *name) {
    return arena_printf(c->arena, "%s_", name);
}

/* Functions of <math.h> have variants that end in f and l. */
static bool is_library(const Chooser *c, const char *name) {
    size_t n = strlen(name);
    if (words_have(c->library, name)) return true;
    if (n > 2 && !strcmp(name + n - 2, "_t")) return true; /* types of POSIX */
    return n > 2 && (name[n - 1] == 'f' || name[n - 1] == 'l') &&
           words_have(c->library, arena_strndup(c->arena, name, n - 1));
}

/* ---- one function -------------------------------------------------------------------------- */

/* A dim keeps its capitals; a tensor's could collide with a macro's. */
static const char *choose(const Chooser *c, const Names *names, Words *chosen, const char *name,
                          bool is_dim) {
    if (looks_made(name) || looks_like_part(name, names->function) || has_prefix(c->target, name) ||
        (is_dim ? looks_like_node(name) : may_be_macro(name)))
        name = marked(c, name);
    while (words_have(c->words, name) || words_have(chosen, name)) name = marked(c, name);
    words_add(chosen, name);
    return name;
}

static void name_plan(const Chooser *c, Names *names, const Plan *from) {
    Plan *plan = arena_new_of(c->arena, Plan);
    const int dims = from->g->dims->symbols.count;
    const char **symbol = arena_array(c->arena, const char *, dims + 1);
    Words *chosen = words_new(c->arena);
    *plan = *from;
    plan->buffers.at = arena_array(c->arena, Buffer, from->buffers.count + 1);
    plan->groups.at = arena_array(c->arena, Group, from->groups.count + 1);
    for (int i = 0; i < dims; i++)
        symbol[i] = choose(c, names, chosen, from->g->dims->symbols.at[i].name, true);
    for (int i = 0; i < from->buffers.count; i++) {
        plan->buffers.at[i] = from->buffers.at[i];
        plan->buffers.at[i].name = choose(c, names, chosen, from->buffers.at[i].name, false);
    }
    for (int i = 0; i < from->groups.count; i++) {
        plan->groups.at[i] = from->groups.at[i];
        plan->groups.at[i].name = arena_printf(c->arena, "%s_%d", names->function, i);
    }
    names->plan = plan;
    names->symbol = symbol;
}

/* ---- all functions ------------------------------------------------------------------------- */

/* Is it declared beside a function, or beside one of its kernels? */
static bool is_beside(const char *name, const char *function) {
    static const char *const tails[] = {"_workspace", "_prepare", "_prepared_size"};
    if (looks_like_part(name, function)) return true;
    if (!starts_with(name, function)) return false;
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++)
        if (!strcmp(name + strlen(function), tails[i])) return true;
    return false;
}

static bool is_another(const Names *all, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (!strcmp(all[i].function, name) || is_beside(name, all[i].function) ||
            is_beside(all[i].function, name))
            return true;
    return false;
}

/* Does the emitted text have the name of one of its kernels: st_8? */
static bool hides_kernel(const Chooser *c, const char *name, int kernels) {
    for (int i = 0; i < kernels; i++)
        if (words_have(c->visible, arena_printf(c->arena, "%s_%d", name, i))) return true;
    return false;
}

/* What has the name that a function cannot keep. */
static const char *taken_by(const Chooser *c, const Names *all, int number, const char *name) {
    if (is_another(all, number, name))
        return "another function, or what is declared beside it, has that name";
    if (is_library(c, name)) return "it is a function or a type of the library";
    if (may_be_macro(name)) return "a header may have a macro of that name";
    if (looks_made(name)) return "such names are made for values of the emitted text";
    if (has_prefix(c->target, name)) return "the emitted text or a header has names that start so";
    if (!words_have(c->visible, name))
        return "a kernel of it would have the name of a function of the emitted text";
    return "it is a word of the language, its library or the emitted text";
}

static const char *name_function(const Chooser *c, const Names *all, int number, const Plan *plan) {
    const Graph *g = plan->g;
    const char *name = g->name;
    if (looks_made(name) || has_prefix(c->target, name) || may_be_macro(name) ||
        is_library(c, name))
        name = marked(c, name);
    while (words_have(c->visible, name) || is_another(all, number, name) ||
           hides_kernel(c, name, plan->groups.count))
        name = marked(c, name);
    if (strcmp(name, g->name) != 0)
        diag_warning(g->diag, g->span, "function '%s' is emitted as '%s': %s", g->name, name,
                     taken_by(c, all, number, g->name));
    return name;
}

static bool is_prelude(const Target *target, const char *name) {
    for (const char *const *p = target->preludes; *p; p++)
        if (!strcmp(*p, name)) return true;
    return false;
}

static void read_ops(Language language, Words *words) {
    for (int op = 0; op < OP_COUNT; op++)
        for (int is_real = 0; is_real < 2; is_real++)
            if (op_has_text((Op)op, language))
                words_of_text(words, op_text((Op)op, language, is_real));
}

/* The words of functions' text: of templates and ops, and those that writers emit. */
static void read_text(const Target *target, Words *words) {
    words_add(words, target->written);
    read_ops(target->language, words);
    read_ops(IN_HOST, words);
    for (const Template *t = embedded_templates; t->name; t++)
        if (starts_with(t->name, target->templates) && !is_prelude(target, t->name))
            words_of_template(words, t->name);
}

static void read_templates(const Target *target, Words *visible, Words *words) {
    Words *text = words_new(words->arena);
    read_text(target, text);
    words_add_all(words, text);
    words_add(visible, target->words);
    for (const char *const *p = target->preludes; *p; p++)
        words_of_prelude(visible, words, text, *p);
    words_add_all(words, visible);
}

/* ---- imported headers ----------------------------------------------------------------------- */

/* A name of a header that needs no other: of the same spelling, the one chosen before. */
static const char *chosen_before(const Imports *m, const char *const *chosen, int count) {
    for (int i = 0; i < count; i++)
        if (chosen[i] && !strcmp(m->names.at[i].name, m->names.at[count].name)) return chosen[i];
    return NULL;
}

/* No text but that of the headers meets it. */
static bool is_macro(const Imports *m, int name) {
    return m->declarations.at[m->names.at[name].declaration].kind == DECLARATION_MACRO;
}

/* Declarations of headers are there before all else: nothing may have their names but they. */
static const char *const *name_imports(const Chooser *c, const Imports *m, const bool *wanted,
                                       Words *visible, Words *words) {
    const char **all = arena_array(c->arena, const char *, m->names.count + 1);
    const bool *needed = imports_needed(m, wanted);
    Words *chosen = words_new(c->arena);
    for (int i = 0; i < m->names.count; i++) {
        const char *name = m->names.at[i].name;
        if (!needed[m->names.at[i].declaration] || !*name) continue;
        if ((all[i] = chosen_before(m, all, i))) continue;
        all[i] = name;
        if (is_macro(m, i)) continue;
        if (looks_made(name) || has_prefix(c->target, name) || is_library(c, name))
            name = marked(c, name);
        while (words_have(words, name) || words_have(chosen, name) ||
               words_have(words, imported_lanes(name, c->arena)))
            name = marked(c, name);
        words_add(chosen, name);
        all[i] = name;
    }
    for (int i = 0; i < m->names.count; i++) {
        if (!all[i] || is_macro(m, i)) continue;
        words_add(words, all[i]);
        words_add(visible, all[i]);
        words_add(words, imported_lanes(all[i], c->arena));
        words_add(visible, imported_lanes(all[i], c->arena));
    }
    return all;
}

const Names *names_choose(const Plan *const *plans, int count, const Target *target, Arena *arena) {
    Words *visible = words_new(arena), *words = words_new(arena), *library = words_new(arena);
    Chooser c = {target, arena, visible, words, library};
    Names *all = arena_array(arena, Names, count + 1);
    read_templates(target, visible, words);
    words_add(library, target->library);
    const Imports *m = count ? plans[0]->g->imports : NULL;
    const char *const *imported =
        m ? name_imports(&c, m, imported_wanted(plans, count, arena), visible, words) : NULL;
    for (int i = 0; i < count; i++) {
        all[i].arena = arena;
        all[i].imported = imported;
        all[i].target = target;
        all[i].words = words;
        all[i].function = name_function(&c, all, i, plans[i]);
        name_plan(&c, &all[i], plans[i]);
    }
    return all;
}

Names names_recording(const Names *names) {
    Names copy = *names;
    copy.used = arena_array(names->arena, bool, names->plan->g->dims->symbols.count + 1);
    return copy;
}

bool names_are_free(const Names *names, const char *name) {
    const Plan *plan = names->plan;
    if (words_have(names->words, name) || looks_made(name) || may_be_macro(name) ||
        looks_like_part(name, names->function) || has_prefix(names->target, name))
        return false;
    for (int i = 0; i < plan->buffers.count; i++)
        if (!strcmp(plan->buffers.at[i].name, name)) return false;
    for (int i = 0; i < plan->g->dims->symbols.count; i++)
        if (!strcmp(names->symbol[i], name)) return false;
    return true;
}

/* The scalars of all kernels, which the launcher computes. */
typedef struct Scalars {
    const char **of_node; /* NULL: none yet */
    Words *taken;
} Scalars;

/* "D" of a dim, "size" of a formula of dims, else the name in the model or of the operation. */
static const char *source_stem(const Names *names, const Node *n) {
    const Graph *g = names->plan->g;
    const char *given = plan_stem(g, n);
    const int symbol = n->op == OP_DIM ? dim_symbol_number(g->dims, n->attr[0]) : -1;
    if (given) return given;
    if (symbol >= 0) return names->symbol[symbol];
    return n->op == OP_DIM ? "size" : op_info[n->op].name;
}

/* "few" of a value with a name; "D_f32", "size_i32" and "min_f32" of what is converted. */
static const char *scalar_stem(const Names *names, const Uniform *u) {
    const Graph *g = names->plan->g;
    const Node *n = &g->node[u->node], *source = n;
    if (plan_stem(g, n) || n->op != OP_CAST) return source_stem(names, n);
    while (source->op == OP_CAST) source = &g->node[source->src[0]];
    return arena_printf(names->arena, "%s_%s", source_stem(names, source), dtype_name(n->type));
}

/* The stem, with a number if something else has that name. */
static const char *scalar_name(const Names *names, Scalars *scalars, const Uniform *u) {
    const char **name = &scalars->of_node[u->node];
    if (*name) return *name;
    const char *stem = scalar_stem(names, u);
    int number = words_have(scalars->taken, stem) ? 2 : 1;
    *name = stem;
    if (number == 2 || !names_are_free(names, stem)) do
            *name = arena_printf(names->arena, "%s_%d", stem, number++);
        while (words_have(scalars->taken, *name) || words_have(names->words, *name));
    words_add(scalars->taken, *name);
    return *name;
}

/* That of its tensor, or of a slice, where a kernel is given the tensor for another one, too. */
static const char *given_name(const Names *names, const KernelBuffer *buffers, int count,
                              const char *tensor) {
    int number = 0;
    for (int i = 0; i < count; i++) number += buffers[i].tensor == tensor;
    const char *name = tensor;
    while (number && (name == tensor || !names_are_free(names, name)))
        name = slice_name(names->arena, name, number);
    return name;
}

static const Kernel *name_kernel(const Names *names, Scalars *scalars, const Kernel *from,
                                 const char *name) {
    Kernel *k = arena_new_of(names->arena, Kernel);
    KernelBuffer *buffers = arena_array(names->arena, KernelBuffer, from->buffers.count + 1);
    Uniform *uniforms = arena_array(names->arena, Uniform, from->uniforms.count + 1);
    *k = *from;
    k->name = name;
    for (int i = 0; i < from->buffers.count; i++) {
        buffers[i] = from->buffers.at[i];
        buffers[i].tensor = names->plan->buffers.at[buffers[i].plan_buffer].name;
        buffers[i].name = given_name(names, buffers, i, buffers[i].tensor);
    }
    for (int i = 0; i < from->uniforms.count; i++) {
        uniforms[i] = from->uniforms.at[i];
        uniforms[i].name = scalar_name(names, scalars, &uniforms[i]);
    }
    k->buffers.at = buffers;
    k->uniforms.at = uniforms;
    return k;
}

TiledKernels names_kernels(const Names *names, const TiledKernels *kernels) {
    const Plan *plan = names->plan;
    const Kernel **all = arena_array(names->arena, const Kernel *, plan->groups.count + 1);
    Scalars scalars = {arena_array(names->arena, const char *, plan->g->count + 1),
                       words_new(names->arena)};
    TiledKernels named = *kernels;
    for (int i = 0; i < plan->groups.count; i++)
        all[i] = name_kernel(names, &scalars, kernels->at[i], plan->groups.at[i].name);
    named.at = all;
    return named;
}

const char *names_callers(const TiledKernels *kernels, int function, Arena *arena) {
    enum { NAMED = 8 };
    const int others = kernels->calls[function] - 1;
    Text out = text_new(arena);
    if (!others) return NULL;
    for (int i = function + 1, named = 0; named < others && named < NAMED; i++) {
        if (kernels->function[i] != function) continue;
        text_printf(&out, "%s%s", named ? ", " : "", kernels->at[i]->name);
        named++;
    }
    if (others > NAMED) text_printf(&out, " and %d more", others - NAMED);
    return text_get(&out);
}

/* ---- sizes --------------------------------------------------------------------------------- */

const char *names_size(const Names *names, Dim size) {
    return dim_text_as(names->plan->g->dims, &(DimNames){names->symbol, names->used}, size,
                       names->arena);
}

const char *names_size_factor(const Names *names, Dim size) {
    Text out = text_new(names->arena);
    dim_print_factor_as(names->plan->g->dims, &(DimNames){names->symbol, names->used}, size, &out);
    return text_get(&out);
}

const char *names_shape(const Names *names, const Node *n) {
    const DimNames dims = {names->symbol, NULL};
    Text out = text_new(names->arena);
    text_str(&out, dtype_name(n->type));
    if (n->rank) text_char(&out, '[');
    for (int i = 0; i < n->rank; i++) {
        if (i) text_str(&out, ", ");
        dim_print_as(names->plan->g->dims, &dims, n->shape[i], &out);
    }
    if (n->rank) text_char(&out, ']');
    return text_get(&out);
}
