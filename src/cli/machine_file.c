/* machine_file.c: --machine: a chip of the table, or a file of figures; and writing such a file.
 * In: a name, or JSON (docs/roofline.md). Out: a Chip, or an error that says what is wrong. */
#include "cli/command.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20 };

typedef struct Reading {
    Session *s;
    const char *path;
    char *bytes;
    json_t *all;
    Chip *chip; /* NULL: not one */
} Reading;

static bool wrong(const Reading *r, const char *what, const char *wants) {
    diag_error(r->s->diag, NOWHERE, "%s: %s must be %s", r->path, what, wants);
    return false;
}

static const char *text_of(const Reading *r, const json_t *value) {
    return value ? arena_strdup(r->s->arena, json_string_value(value)) : NULL;
}

/* false: it is there and no number of at least `least`. */
static bool read_number(const Reading *r, const json_t *in, const char *key, double least,
                        double *value) {
    const json_t *found = json_object_get(in, key);
    if (!found) return true;
    *value = json_number_value(found);
    return json_is_number(found) && *value >= least
               ? true
               : wrong(r, key, "a number that is not negative");
}

static bool read_rates(const Reading *r, Chip *c) {
    const json_t *rates = json_object_get(r->all, "operations_per_s");
    const char *names[UNIT_COUNT], *key;
    json_t *value;
    bool any = false;
    for (int u = 0; u < UNIT_COUNT; u++) names[u] = unit_name[u];
    if (!json_is_object(rates)) return wrong(r, "operations_per_s", "an object with rates by type");
    for (int u = 0; u < UNIT_COUNT; u++) {
        if (!read_number(r, rates, unit_name[u], 0, &c->rate[u])) return false;
        any = any || c->rate[u] > 0;
    }
    json_object_foreach((json_t *)(uintptr_t)rates, key, value) {
        int u = 0;
        while (u < UNIT_COUNT && strcmp(key, names[u]) != 0) u++;
        if (u < UNIT_COUNT) continue;
        diag_error(r->s->diag, NOWHERE, "%s: there is no rate '%s' in operations_per_s", r->path,
                   key);
        suggest(r->s->diag, key, names, UNIT_COUNT);
        return false;
    }
    return any ? true : wrong(r, "operations_per_s", "an object with a rate above 0");
}

/* Whole numbers; a chip has few. */
static bool read_counts(const Reading *r, Chip *c) {
    enum { MOST_PROCESSORS = 1 << 16, MOST_CLOCK = 1 << 16 };
    double processors = 1, clock = 0, l2 = 0;
    if (!read_number(r, r->all, "processors", 1, &processors) ||
        !read_number(r, r->all, "clock_mhz", 0, &clock) ||
        !read_number(r, r->all, "l2_mib", 0, &l2))
        return false;
    if (processors > MOST_PROCESSORS) return wrong(r, "processors", "at most 65536");
    if (clock > MOST_CLOCK || l2 > MOST_CLOCK)
        return wrong(r, "clock_mhz and l2_mib", "at most 65536");
    c->processors = (int)processors, c->clock = (int)clock, c->l2 = (int)l2;
    return true;
}

/* A GPU has an architecture that code can be made for. */
static bool read_arch(const Reading *r, Chip *c) {
    const json_t *arch = json_object_get(r->all, "arch");
    if (!arch) return true;
    if (!json_is_string(arch) || !is_architecture(json_string_value(arch)))
        return wrong(r, "arch", "one of " ARCHITECTURES);
    c->arch = text_of(r, arch);
    return c->clock ? true : wrong(r, "clock_mhz", "given for a GPU");
}

static void read_chip(void *of) {
    Reading *r = of;
    json_error_t error;
    size_t size;
    Chip *c = arena_new_of(r->s->arena, Chip);
    r->bytes = file_read(r->s->diag, r->path, MOST, &size);
    if (!r->bytes) return;
    r->all = json_loadb(r->bytes, size, JSON_REJECT_DUPLICATES, &error);
    if (!r->all || !json_is_object(r->all)) {
        diag_error(r->s->diag, NOWHERE, "%s: no JSON object with figures of a machine%s%s", r->path,
                   r->all ? "" : ": ", r->all ? "" : error.text);
        return;
    }
    const json_t *name = json_object_get(r->all, "name"),
                 *source = json_object_get(r->all, "source");
    if (json_integer_value(json_object_get(r->all, "version")) != 1)
        wrong(r, "version", "1");
    else if (!json_is_string(name) || (source && !json_is_string(source)))
        wrong(r, "name, and source if it is given,", "a string");
    else if (!json_object_get(r->all, "bytes_per_s"))
        wrong(r, "bytes_per_s", "given");
    else if (read_number(r, r->all, "bytes_per_s", 1, &c->bandwidth) &&
             read_number(r, r->all, "link_bytes_per_s", 0, &c->link) && read_rates(r, c) &&
             read_counts(r, c) && read_arch(r, c)) {
        c->name = text_of(r, name), c->source = text_of(r, source);
        r->chip = c;
    }
}

static void free_reading(void *of) {
    const Reading *r = of;
    json_decref(r->all);
    free(r->bytes);
}

static const Chip *chip_from_file(Session *s, const char *path) {
    Reading r = {.s = s, .path = path};
    ensure(read_chip, free_reading, &r);
    return r.chip;
}

static const Chip *chip_given(Session *s, const char *given) {
    enum { NAMES = 16 };
    const char *names[NAMES];
    int count = 0;
    const Chip *chip = chip_find(given);
    if (chip) return chip;
    if (strchr(given, '/') || strchr(given, '.')) return chip_from_file(s, given);
    for (; count < NAMES && chip_at(count); count++) names[count] = chip_at(count)->name;
    diag_error(
        s->diag, NOWHERE,
        "there is no machine '%s': `fusec machines` lists them; a file of figures has a name "
        "with a dot or a slash",
        given);
    suggest(s->diag, given, names, count);
    is_misuse(s);
    return NULL;
}

/* ---- planning for it ------------------------------------------------------------------------- */

static bool plan_for(Session *s, CompileOptions *compile) {
    const Options *o = s->options;
    const Chip *c = chip_given(s, o->machine);
    if (!c) return false;
    const int before = s->diag->errors;
    const bool is_cpu = !c->arch && !c->is_arithmetic;
    if (is_cpu && !o->target && o->command == CMD_EXPLAIN) compile->target = &target_c;
    if (is_cpu != (compile->target->device == DEVICE_CPU) && !c->is_arithmetic)
        diag_error(s->diag, NOWHERE, "%s is a %s: add --target=%s", c->name, is_cpu ? "CPU" : "GPU",
                   is_cpu ? "c" : "cuda");
    else if (c->is_arithmetic && compile->until > STAGE_PLAN)
        diag_error(s->diag, NOWHERE, "of %s only the figures are known: there is no code for it",
                   c->name);
    else if (c->arch && o->arch && strcmp(o->arch, c->arch) != 0)
        diag_error(s->diag, NOWHERE, "%s is %s, and --arch is %s", c->name, c->arch, o->arch);
    if (c->arch && !o->arch) s->options->arch = compile->emit.arch = c->arch;
    compile->machine = machine_of_chip(s->arena, c);
    return s->diag->errors == before || is_misuse(s);
}

/* Options that say nothing of a CPU. */
static bool options_suit(Session *s, const CompileOptions *compile) {
    const char *given = s->options->arch        ? "--arch"
                        : compile->emit.aligned ? "--assume-aligned"
                                                : NULL;
    if (!given || compile->target->device != DEVICE_CPU) return true;
    diag_error(s->diag, NOWHERE, "%s is for CUDA, and the target is C", given);
    return is_misuse(s);
}

bool machine_choose(Session *s, CompileOptions *compile) {
    return (!s->options->machine || plan_for(s, compile)) && options_suit(s, compile);
}

/* ---- writing one ----------------------------------------------------------------------------- */

json_t *chip_json(const Chip *c) {
    json_t *rates = json_object();
    for (int u = 0; u < UNIT_COUNT; u++)
        if (c->rate[u] > 0) json_object_set_new(rates, unit_name[u], json_real(c->rate[u]));
    json_t *all =
        json_pack("{s:i, s:s, s:i, s:f, s:o}", "version", 1, "name", c->name, "processors",
                  c->processors, "bytes_per_s", c->bandwidth, "operations_per_s", rates);
    if (c->arch) json_object_set_new(all, "arch", json_string(c->arch));
    if (c->clock) json_object_set_new(all, "clock_mhz", json_integer(c->clock));
    if (c->link > 0) json_object_set_new(all, "link_bytes_per_s", json_real(c->link));
    if (c->l2) json_object_set_new(all, "l2_mib", json_integer(c->l2));
    if (c->source) json_object_set_new(all, "source", json_string(c->source));
    return all;
}
