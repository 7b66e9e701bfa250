/* artifact_imports.c: the imported headers of a model, in its artifact.
 * In: the headers as they were read, and what libclang read of them; or the JSON of an artifact.
 * Out: the other one. A model of an artifact reads no header, and needs libclang only on a device
 * of another kind. */
#include "api/artifact.h"
#include "graph/import/import.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 16 };

/* ---- writing ------------------------------------------------------------------------------ */

static bool push(json_t *list, json_t *value) { return !json_array_append_new(list, value); }

static bool put(json_t *object, const char *name, json_t *value) {
    return !json_object_set_new(object, name, value);
}

static json_t *put_files(ArtifactWriting *w, const Imports *m) {
    json_t *list = json_array();
    for (int i = 0; m && i < m->files.count; i++) {
        const ImportFile *f = &m->files.at[i];
        const Source *source = &m->diag->sources.at[f->source];
        json_t *file = json_object();
        bool ok = put(file, "folder", artifact_put(w, f->folder, strlen(f->folder))) &&
                  put(file, "below", artifact_put(w, f->below, strlen(f->below))) &&
                  put(file, "text", artifact_put(w, source->text, source->size));
        if (!push(list, file) || !ok) return json_decref(list), NULL;
    }
    return list;
}

static json_t *text_or_null(const char *text) { return text ? json_string(text) : json_null(); }

static json_t *declaration_json(const Declaration *d) {
    return json_pack("[i, s, I, I, I, I, I, o, o, b, b, o]", (int)d->kind, d->name,
                     (json_int_t)d->begin, (json_int_t)d->end, (json_int_t)d->name_at,
                     (json_int_t)d->parameters, (json_int_t)d->body, text_or_null(d->result),
                     text_or_null(d->doc), d->is_const, d->is_scalar, text_or_null(d->flaw));
}

static json_t *function_json(const ImportFunction *f) {
    json_t *json = json_array();
    bool ok = push(json, json_string(f->name)) && push(json, json_integer(f->declaration)) &&
              push(json, json_string(dtype_name(f->type)));
    for (int i = 0; i < f->count; i++)
        ok = push(json, json_string(dtype_name(f->type_of[i]))) &&
             push(json, text_or_null(f->parameter[i])) && ok;
    if (ok) return json;
    json_decref(json);
    return NULL;
}

static json_t *put_parsed(const Parsed *p) {
    if (!p) return json_null();
    char digest[DIGITS + 1];
    json_t *declarations = json_array(), *names = json_array(), *functions = json_array();
    bool ok = true;
    snprintf(digest, sizeof digest, "%016" PRIx64, p->digest);
    for (int i = 0; i < p->declaration_count; i++)
        ok = push(declarations, declaration_json(&p->declarations[i])) && ok;
    for (int i = 0; i < p->name_count; i++)
        ok = push(names, json_pack("[s, i]", p->names[i].name, p->names[i].declaration)) && ok;
    for (int i = 0; i < p->function_count; i++)
        ok = push(functions, function_json(&p->functions[i])) && ok;
    json_t *all = json_pack("{s:s, s:o, s:o, s:o}", "digest", digest, "declarations", declarations,
                            "names", names, "functions", functions);
    if (ok) return all;
    json_decref(all);
    return NULL;
}

bool artifact_put_imports(ArtifactWriting *w, const Imports *m, json_t *header) {
    return put(header, "headers", put_files(w, m)) &&
           put(header, "declared", put_parsed(m ? m->parsed : NULL));
}

/* ---- reading ------------------------------------------------------------------------------ */

static const char *take_text(Arena *arena, const json_t *json) {
    const char *text = json_string_value(json);
    return text ? arena_strdup(arena, text) : NULL;
}

static const char *take_part(ArtifactReading *r, const json_t *json, size_t *size) {
    FilePart part;
    if (!artifact_part(r, json, &part)) return NULL;
    *size = part.size;
    return arena_strndup(artifact_arena(r), part.data, part.size);
}

/* The headers are sources of a Diag of their own, as those of a compilation. */
static bool take_files(ArtifactReading *r, const json_t *list, Imports *m) {
    size_t i, size;
    json_t *json;
    json_array_foreach(list, i, json) {
        ImportFile f = {.folder = take_part(r, json_object_get(json, "folder"), &size)};
        if (f.folder) f.below = take_part(r, json_object_get(json, "below"), &size);
        const char *text = f.below ? take_part(r, json_object_get(json, "text"), &size) : NULL;
        if (!text) return false;
        if (strlen(text) != size || !text_is_utf8(text)) return artifact_is_wrong(r);
        const bool joins = *f.folder && f.folder[strlen(f.folder) - 1] != '/';
        f.path = arena_printf(m->arena, "%s%s%s", f.folder, joins ? "/" : "", f.below);
        f.source = diag_source(m->diag, f.path, text, size);
        f.digest = hash_bytes(text, size, 0);
        vec_push(m->arena, &m->files, f);
    }
    return true;
}

static uint32_t number(const json_t *json, size_t at) {
    const json_int_t value = json_integer_value(json_array_get(json, at));
    return value >= 0 && value <= UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static bool take_declaration(Arena *arena, const json_t *json, Declaration *d) {
    const uint32_t kind = number(json, 0);
    *d = (Declaration){.kind = kind <= DECLARATION_TYPE ? (DeclarationKind)kind : DECLARATION_TYPE,
                       .name = take_text(arena, json_array_get(json, 1)),
                       .begin = number(json, 2),
                       .end = number(json, 3),
                       .name_at = number(json, 4),
                       .parameters = number(json, 5),
                       .body = number(json, 6),
                       .result = take_text(arena, json_array_get(json, 7)),
                       .doc = take_text(arena, json_array_get(json, 8)),
                       .is_const = json_is_true(json_array_get(json, 9)),
                       .is_scalar = json_is_true(json_array_get(json, 10)),
                       .flaw = take_text(arena, json_array_get(json, 11))};
    return d->name;
}

static Dtype take_type(const json_t *json) {
    const char *name = json_string_value(json);
    return name ? dtype_parse(name) : T_NONE;
}

static bool take_function(Arena *arena, const json_t *json, ImportFunction *f) {
    const size_t count = json_array_size(json);
    *f = (ImportFunction){.name = take_text(arena, json_array_get(json, 0)),
                          .type = take_type(json_array_get(json, 2)),
                          .declaration = (int)(number(json, 1) & INT32_MAX)};
    for (size_t i = 3; i + 1 < count && f->count < SRC_MAX; i += 2) {
        f->type_of[f->count] = take_type(json_array_get(json, i));
        f->parameter[f->count++] = take_text(arena, json_array_get(json, i + 1));
    }
    return f->name;
}

static bool take_parsed(const json_t *json, Arena *arena, Parsed *p) {
    const json_t *declarations = json_object_get(json, "declarations"),
                 *names = json_object_get(json, "names"),
                 *functions = json_object_get(json, "functions");
    const char *digest = json_string_value(json_object_get(json, "digest"));
    Declaration *d = arena_array(arena, Declaration, json_array_size(declarations) + 1);
    DeclaredName *n = arena_array(arena, DeclaredName, json_array_size(names) + 1);
    ImportFunction *f = arena_array(arena, ImportFunction, json_array_size(functions) + 1);
    *p = (Parsed){.declarations = d, .names = n, .functions = f};
    bool ok = digest && sscanf(digest, "%16" SCNx64, &p->digest) == 1;
    for (size_t i = 0; ok && i < json_array_size(declarations); i++)
        ok = take_declaration(arena, json_array_get(declarations, i), &d[p->declaration_count++]);
    for (size_t i = 0; ok && i < json_array_size(names); i++) {
        const json_t *pair = json_array_get(names, i);
        const char *name = take_text(arena, json_array_get(pair, 0));
        n[p->name_count++] = (DeclaredName){name, (int)(number(pair, 1) & INT32_MAX)};
        ok = name;
    }
    for (size_t i = 0; ok && i < json_array_size(functions); i++)
        ok = take_function(arena, json_array_get(functions, i), &f[p->function_count++]);
    return ok;
}

bool artifact_take_imports(ArtifactReading *r, const json_t *header, const Imports **imports) {
    Arena *arena = artifact_arena(r);
    const json_t *headers = json_object_get(header, "headers"),
                 *declared = json_object_get(header, "declared");
    if (!json_array_size(headers)) return true;
    Imports *m = arena_new_of(arena, Imports);
    *m = (Imports){.arena = arena, .diag = diag_new(arena, 1)};
    if (!take_files(r, headers, m)) return false;
    Parsed *p = arena_new_of(arena, Parsed);
    if (json_is_object(declared) && !take_parsed(declared, arena, p)) return artifact_is_wrong(r);
    if (json_is_object(declared)) m->parsed = p;
    *imports = m;
    return true;
}
