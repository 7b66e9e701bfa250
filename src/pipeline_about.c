/* pipeline_about.c: what the code and the results of a function depend on, for the cache and the
 * tuner.
 * In: Compilation, options. Out: text and KeyFields, in the arena. */
#include "pipeline.h"

const char *numeric_mode(Arena *arena, const Graph *g) {
    Text text = text_new(arena);
    text_str(&text, precision_name(g->attrs.precision));
    if (g->attrs.strict) text_str(&text, ",strict");
    if (g->attrs.nondeterministic) text_str(&text, ",nondeterministic");
    if (g->attrs.autocast != T_NONE)
        text_printf(&text, ",autocast=%s", dtype_name(g->attrs.autocast));
    return text_get(&text);
}

const char *size_planned(Arena *arena, const CompileOptions *o, const Plan *plan) {
    const Machine *m = plan->machine;
    if (m == o->machine || m == o->target->machine(o->emit.arch)) return NULL;
    return machine_size_print(arena, m);
}

/* ---- the code of a function ------------------------------------------------------------------ */

typedef Vec(KeyField) FieldVec;

static void add_field(Arena *arena, FieldVec *fields, const char *name, const char *value) {
    vec_push(arena, fields, ((KeyField){name, value}));
}

static void add_dims(Arena *arena, const CompileOptions *o, FieldVec *fields) {
    for (int i = 0; i < o->binding_count; i++)
        add_field(arena, fields, arena_printf(arena, "dim %s", o->bindings[i].name),
                  arena_printf(arena, "%lld", (long long)o->bindings[i].value));
    for (int i = 0; i < o->multiple_count; i++)
        add_field(arena, fields, arena_printf(arena, "dim %s", o->multiples[i].name),
                  arena_printf(arena, "a multiple of %lld", (long long)o->multiples[i].value));
}

static const char *options_text(Arena *arena, const CompileOptions *o) {
    Text text = text_new(arena);
    text_printf(&text, "-O%d", o->opt);
    if (o->keep_bytes) text_printf(&text, " --keep-bytes=%lld", (long long)o->keep_bytes);
    for (int i = 0; i < o->tile_pins.count; i++) {
        if (o->tile_pins.at[i].is_chosen) continue;
        text_str(&text, " --tile ");
        tile_pin_print(&o->tile_pins.at[i], &text);
    }
    return text_get(&text);
}

/* What fusec tune has chosen: "" is the default. */
static const char *choices_text(Arena *arena, const CompileOptions *o) {
    Text text = text_new(arena);
    for (int i = 0; i < o->fuse_pins.count; i++) {
        if (text.size) text_str(&text, ", ");
        fuse_pin_print(&o->fuse_pins.at[i], &text);
    }
    for (int i = 0; i < o->tile_pins.count; i++) {
        if (!o->tile_pins.at[i].is_chosen) continue;
        if (text.size) text_str(&text, ", ");
        tile_pin_print(&o->tile_pins.at[i], &text);
    }
    return text_get(&text);
}

KeyFields program_about(const Compilation *c, uint32_t file, const Function *f,
                        const CompileOptions *o) {
    const Graph *g = f->lowered;
    const Source *source = &c->diag->sources.at[file];
    const uint64_t digest = hash_bytes(source->text, source->size, 0);
    FieldVec fields = {0};
    add_field(c->arena, &fields, "model", c->name);
    add_field(c->arena, &fields, "function", g->name);
    add_field(c->arena, &fields, "text",
              arena_printf(c->arena, "%016llx", (unsigned long long)digest));
    add_dims(c->arena, o, &fields);
    add_field(c->arena, &fields, "options", options_text(c->arena, o));
    const char *size = size_planned(c->arena, o, f->plan), *choices = choices_text(c->arena, o);
    if (size) add_field(c->arena, &fields, "size", size);
    if (*choices) add_field(c->arena, &fields, "choices", choices);
    return (KeyFields)list_of(fields);
}
