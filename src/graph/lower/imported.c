/* imported.c: the headers that a file imports, and calls of their functions. In: A_IMPORTs, calls.
 * Out: Imports; a CALL, whose arguments have the types that the header declares and one shape. */
#include "graph/lower/lower_private.h"

#include <string.h>

/* ---- imports -------------------------------------------------------------------------------- */

static bool is_twice(Lower *l, const Ast *file, int at) {
    for (int i = 0; i < at; i++) {
        if (file->kid[i]->kind != A_IMPORT || strcmp(file->kid[i]->text, file->kid[at]->text) != 0)
            continue;
        diag_error(l->diag, file->kid[at]->span, "'%s' is imported twice", file->kid[at]->text);
        diag_note(l->diag, file->kid[i]->span, "it is imported here");
        return true;
    }
    return false;
}

bool lower_imports(Lower *l, const Ast *file) {
    const char **paths = arena_array(l->arena, const char *, file->kid_count + 1);
    Span *spans = arena_array(l->arena, Span, file->kid_count + 1);
    int count = 0, twice = 0;
    for (int i = 0; i < file->kid_count; i++) {
        if (file->kid[i]->kind != A_IMPORT) continue;
        twice += is_twice(l, file, i);
        paths[count] = file->kid[i]->text;
        spans[count++] = file->kid[i]->name_span;
    }
    if (!count) return true;
    if (!l->options->imports.folder && !l->options->imports.dirs) {
        diag_error(l->diag, spans[0],
                   "this model is no file, and no folder was given to import headers from");
        return false;
    }
    Imports *m = arena_new_of(l->arena, Imports);
    *m = (Imports){.arena = l->arena,
                   .diag = l->diag,
                   .options = &l->options->imports,
                   .most = l->limits->import_bytes,
                   .text = text_new(l->arena)};
    if (!imports_read(m, paths, spans, count) || twice) return false;
    const int errors = l->diag->errors;
    const bool is_known = imports_take_parsed(m);
    if (!is_known && !imports_parse(m)) {
        if (l->diag->errors != errors) diag_note(l->diag, spans[0], "it is imported here");
        return false;
    }
    if (!is_known) imports_keep(m);
    imports_declare(m);
    l->imports = m;
    return true;
}

void graph_imports(Lower *l) {
    l->g->imports = l->imports;
    if (!l->imports) return;
    l->g->imported.at = l->imports->functions.at;
    l->g->imported.count = l->imports->functions.count;
}

bool report_not_operator(Lower *l, const Declaration *declaration, const Ast *call) {
    diag_error(l->diag, call->name_span, "'%s' of the header is no operator: %s", declaration->name,
               declaration->flaw);
    diag_note(l->diag,
              imports_span(l->imports, declaration->name_at,
                           declaration->name_at + (uint32_t)strlen(declaration->name)),
              "it is declared here");
    return false;
}

/* ---- calls ---------------------------------------------------------------------------------- */

static bool note_function(Lower *l, const ImportFunction *f) {
    Text text = text_new(l->arena);
    for (int i = 0; i < f->count; i++)
        text_printf(&text, "%s%s: %s", i ? ", " : "", f->parameter[i], dtype_name(f->type_of[i]));
    diag_note(l->diag, f->span, "it is '%s(%s) -> %s'", f->name, text_get(&text),
              dtype_name(f->type));
    return false;
}

static bool match_named(Lower *l, const ImportFunction *f, const Ast *named, const Ast **given) {
    Suggestion s = suggestion_for(named->text);
    for (int i = 0; i < f->count; i++) {
        suggestion_add(&s, f->parameter[i]);
        if (strcmp(f->parameter[i], named->text) != 0) continue;
        if (!given[i]) return given[i] = named->kid[0], true;
        diag_error(l->diag, named->span, "'%s' is given twice", named->text);
        diag_note(l->diag, given[i]->span, "it is given here");
        return false;
    }
    diag_error(l->diag, named->name_span, "'%s' has no argument '%s'%s", f->name, named->text,
               suggestion_text(&s, l->arena));
    return note_function(l, f);
}

/* By position first, then by name; all of them, for C has no defaults. */
static bool match(Lower *l, const ImportFunction *f, const Ast *call, const Ast **given) {
    for (int i = 0; i < call->kid_count; i++) {
        const Ast *kid = call->kid[i];
        if (kid->kind == A_NAMED) {
            if (!match_named(l, f, kid, given)) return false;
            continue;
        }
        if (i >= f->count) {
            diag_error(l->diag, kid->span, "'%s' takes %d argument%s, and this is number %d",
                       f->name, f->count, f->count == 1 ? "" : "s", i + 1);
            return note_function(l, f);
        }
        given[i] = kid;
    }
    for (int i = 0; i < f->count; i++) {
        if (given[i]) continue;
        diag_error(l->diag, call->span, "'%s' needs the argument '%s'", f->name, f->parameter[i]);
        return note_function(l, f);
    }
    return true;
}

/* An argument in the type that the header declares, as inputs of functions are given. */
static NodeId argument(Lower *l, const ImportFunction *f, int i, const Ast *e) {
    const NodeId x = lower_expr(l, e);
    if (!x) return 0;
    const char *what = arena_printf(l->arena, "'%s' of '%s'", f->parameter[i], f->name);
    const NodeId converted = store_as(l->g, x, f->type_of[i], e->span, what);
    if (!converted) note_function(l, f);
    return converted;
}

NodeId lower_imported(Lower *l, int function, const Ast *call) {
    const ImportFunction *f = &l->imports->functions.at[function];
    const Ast *given[SRC_MAX] = {0};
    Operands o = {
        .op = f->costly ? OP_CALL_COSTLY : OP_CALL, .count = f->count, .span = call->span};
    if (!match(l, f, call, given)) return 0;
    bool ok = true;
    for (int i = 0; i < f->count; i++) {
        o.at[i] = given[i]->span;
        o.src[i] = argument(l, f, i, given[i]);
        ok &= o.src[i] != 0;
    }
    if (!ok || !operands_stretch(l->g, &o)) return 0;
    Node draft = {.op = o.op, .src_count = o.count, .attr = {function}, .span = call->span};
    memcpy(draft.src, o.src, sizeof draft.src);
    l->imports->used[function] = true;
    return graph_add(l->g, &draft);
}
