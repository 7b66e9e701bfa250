/* parameters.c: the parameters of a function of the text: the buffers, dims and scalars that its
 * body uses (Uses).
 * In: the Uses of a Writer. Out: Parameters, as a parameter list or an argument list. */
#include "emit/text/writer.h"

#include <string.h>

void writer_function(Writer *w, const Names *names) {
    Names *own = arena_new_of(w->arena, Names);
    *own = names_recording(names);
    w->names = own;
    w->used = (Uses){.dims = own->used};
    w->used.buffers = arena_array(w->arena, bool, w->k->buffers.count + 1);
    w->used.uniforms = arena_array(w->arena, bool, w->k->uniforms.count + 1);
}

const char *buffer_name(const Writer *w, int buffer) {
    w->used.buffers[buffer] = true;
    return w->k->buffers.at[buffer].name;
}

const char *uniform_name(const Writer *w, int uniform) {
    w->used.uniforms[uniform] = true;
    return w->k->uniforms.at[uniform].name;
}

uint32_t axes_taken(Writer *w) {
    const uint32_t axes = w->used.axes;
    w->used.axes = 0;
    return axes;
}

void uses_add(const Writer *w, const Uses *more) {
    const Kernel *k = w->k;
    for (int i = 0; i < k->buffers.count; i++) w->used.buffers[i] |= more->buffers[i];
    for (int i = 0; i < k->g->dims->symbols.count; i++) w->used.dims[i] |= more->dims[i];
    for (int i = 0; i < k->uniforms.count; i++) w->used.uniforms[i] |= more->uniforms[i];
}

const char *buffer_tensor(const KernelBuffer *b) { return b->tensor ? b->tensor : b->name; }

Parameters writer_parameters(const Writer *w) {
    const Kernel *k = w->k;
    const Uses *used = &w->used;
    Parameters all = {0};
    for (int i = 0; i < k->buffers.count; i++)
        if (used->buffers[i])
            vec_push(w->arena, &all,
                     ((Parameter){GIVEN_BUFFER, i, buffer_tensor(&k->buffers.at[i]),
                                  k->buffers.at[i].place}));
    for (int i = 0; i < k->g->dims->symbols.count; i++)
        if (used->dims[i])
            vec_push(w->arena, &all, ((Parameter){GIVEN_DIM, i, w->names->symbol[i], 0}));
    for (int i = 0; i < k->uniforms.count; i++)
        if (used->uniforms[i])
            vec_push(w->arena, &all, ((Parameter){GIVEN_UNIFORM, i, k->uniforms.at[i].name, 0}));
    if (used->scratch) vec_push(w->arena, &all, ((Parameter){GIVEN_MEMORY, 0, "scratch", 0}));
    if (used->packed) vec_push(w->arena, &all, ((Parameter){GIVEN_MEMORY, 0, "packed", 0}));
    return all;
}

static void put_type(const Writer *w, const Parameter *p, Text *out) {
    const KernelBuffer *buffer;
    switch (p->kind) {
    case GIVEN_BUFFER:
        buffer = &w->k->buffers.at[p->number];
        text_printf(out, "%s%s *", buffer->written || buffer == w->fills ? "" : "const ",
                    w->dialect->storage(buffer->type));
        if (!buffer->is_shared) text_printf(out, "%s ", w->dialect->no_alias);
        break;
    case GIVEN_DIM: text_str(out, "idx "); break;
    case GIVEN_UNIFORM:
        text_printf(out, "%s ", w->dialect->scalar(w->k->uniforms.at[p->number].type));
        break;
    case GIVEN_MEMORY: text_str(out, "char *"); break;
    case GIVEN_MAP: BUG("parameters: a map is declared by the target");
    }
}

const char *parameters_text(const Writer *w, const Parameters *all) {
    Text out = text_new(w->arena);
    for (int i = 0; i < all->count; i++) {
        if (i) text_str(&out, ", ");
        const Parameter *p = &all->at[i];
        put_type(w, p, &out);
        text_str(&out, p->kind == GIVEN_BUFFER ? w->k->buffers.at[p->number].name : p->name);
    }
    return text_get(&out);
}

const char *parameters_names(Arena *arena, const Parameters *all) {
    Text out = text_new(arena);
    for (int i = 0; i < all->count; i++) {
        const Parameter *p = &all->at[i];
        text_printf(&out, "%s%s", i ? ", " : "", p->name);
        if (p->place) text_printf(&out, " + %lld", (long long)p->place);
    }
    return text_get(&out);
}

Parameters parameters_given(const Kernel *k, const Parameters *all, Arena *arena) {
    Parameters given = {0};
    for (int i = 0; i < all->count; i++) {
        Parameter p = all->at[i];
        if (p.kind == GIVEN_BUFFER) {
            p.name = buffer_tensor(&k->buffers.at[p.number]);
            p.place = k->buffers.at[p.number].place;
        }
        if (p.kind == GIVEN_UNIFORM) p.name = k->uniforms.at[p.number].name;
        vec_push(arena, &given, p);
    }
    return given;
}

bool parameters_have(const Parameters *all, const char *name) {
    for (int i = 0; i < all->count; i++)
        if (!strcmp(all->at[i].name, name)) return true;
    return false;
}

/* ---- the scalars of a launcher --------------------------------------------------------------- */

/* A scalar that several kernels take is computed once. */
static bool is_declared(const Parameters *given, int before, const char *uniform) {
    for (int k = 0; k < before; k++)
        if (parameters_have(&given[k], uniform)) return true;
    return false;
}

void declare_uniforms(const Dialect *dialect, const Names *names, const Kernel *const *kernels,
                      const Parameters *given, int count, Text *out) {
    for (int k = 0; k < count; k++)
        for (int i = 0; i < kernels[k]->uniforms.count; i++) {
            const Uniform *u = &kernels[k]->uniforms.at[i];
            if (!parameters_have(&given[k], u->name) || is_declared(given, k, u->name)) continue;
            text_printf(out, "    const %s %s = %s;\n", dialect->scalar(u->type), u->name,
                        uniform_text(names, u->node));
        }
}
