/* parsed.c: what libclang has read of a text, kept, so that the same text need not be read again:
 * by another compilation of the model, or by one of an artifact, where there is no libclang.
 * In: declarations, names and functions, as they are before declare.c. Out: the same. */
#include "graph/import/import.h"

#include <string.h>

/* Of all that libclang is given, templates aside. */
static uint64_t digest_of(const Imports *m) {
    const uint64_t how = (m->is_cpp ? 1u : 0u) | (m->options->is_cuda ? 2u : 0u);
    return hash_bytes(text_get(&m->text), m->text.size, how);
}

static void *copied(Arena *arena, const void *from, size_t size) {
    void *to = arena_alloc(arena, size + 1);
    if (size) memcpy(to, from, size);
    return to;
}

void imports_keep(Imports *m) {
    Parsed *p = arena_new_of(m->arena, Parsed);
    *p = (Parsed){.digest = digest_of(m),
                  .declaration_count = m->declarations.count,
                  .name_count = m->names.count,
                  .function_count = m->functions.count};
    p->declarations = copied(m->arena, m->declarations.at,
                             sizeof *p->declarations * (size_t)p->declaration_count);
    p->names = copied(m->arena, m->names.at, sizeof *p->names * (size_t)p->name_count);
    p->functions =
        copied(m->arena, m->functions.at, sizeof *p->functions * (size_t)p->function_count);
    m->parsed = p;
}

/* An artifact is a file, and may say anything. */
static bool declaration_fits(const Imports *m, const Declaration *d) {
    const uint32_t size = (uint32_t)m->text.size;
    return d->begin <= d->end && d->end <= size && d->name_at <= size && d->parameters <= size &&
           d->body <= d->end && (!d->body || (d->parameters && d->parameters <= d->body)) &&
           (d->kind != DECLARATION_FUNCTION || !d->body || d->result);
}

static bool function_fits(const Parsed *p, const ImportFunction *f) {
    bool fits = f->declaration >= 0 && f->declaration < p->declaration_count && f->count >= 0 &&
                f->count <= SRC_MAX && f->type > T_NONE && f->type < T_COUNT &&
                p->declarations[f->declaration].kind == DECLARATION_FUNCTION;
    for (int i = 0; fits && i < f->count; i++)
        fits = f->type_of[i] > T_NONE && f->type_of[i] < T_COUNT;
    return fits;
}

static bool fits(const Imports *m, const Parsed *p) {
    for (int i = 0; i < p->declaration_count; i++)
        if (!declaration_fits(m, &p->declarations[i])) return false;
    for (int i = 0; i < p->name_count; i++)
        if (p->names[i].declaration < 0 || p->names[i].declaration >= p->declaration_count)
            return false;
    for (int i = 0; i < p->function_count; i++)
        if (!function_fits(p, &p->functions[i])) return false;
    return true;
}

bool imports_take_parsed(Imports *m) {
    const Parsed *p = m->options->read ? m->options->read->parsed : NULL;
    if (!p || p->digest != digest_of(m) || !fits(m, p)) return false;
    for (int i = 0; i < p->declaration_count; i++)
        vec_push(m->arena, &m->declarations, p->declarations[i]);
    for (int i = 0; i < p->name_count; i++) vec_push(m->arena, &m->names, p->names[i]);
    for (int i = 0; i < p->function_count; i++) {
        ImportFunction f = p->functions[i];
        const uint32_t at = p->declarations[f.declaration].name_at;
        f.span = imports_span(m, at, at + (uint32_t)strlen(f.name));
        vec_push(m->arena, &m->functions, f);
    }
    m->parsed = p;
    return true;
}
