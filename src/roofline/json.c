/* json.c: a roofline as JSON: the member "roofline" of a kernel and of a function (docs/plan.md).
 * In: Rooflines. Out: members of a json_t. */
#include "roofline/roofline.h"

#include <jansson.h>

/* Takes the value, also where it fails. */
static bool put(json_t *object, const char *key, json_t *value) {
    return !json_object_set_new(object, key, value);
}

static json_t *number_or_null(double value) { return value > 0 ? json_real(value) : json_null(); }

static bool put_units(json_t *object, const char *key, const double *values, double scale) {
    json_t *units = json_object();
    if (!put(object, key, units)) return false;
    for (int u = 0; u < UNIT_COUNT; u++)
        if (values[u] > 0 && !put(units, unit_name[u], json_real(scale * values[u]))) return false;
    return true;
}

static json_t *turn_json(const Rooflines *r, const Turn *t) {
    static const char *const kinds[] = {[TURN_NEVER] = "never",
                                        [TURN_ALWAYS] = "always",
                                        [TURN_COMPUTE] = "compute",
                                        [TURN_MEMORY] = "memory"};
    json_t *turn = json_object();
    const bool ok =
        put(turn, "dim", json_string(r->plan->g->dims->symbols.at[t->symbol].name)) &&
        put(turn, "against", json_string(t->against == LIMIT_LINK ? "link" : "memory")) &&
        put(turn, "kind", json_string(kinds[t->kind])) &&
        put(turn, "proven", json_boolean(t->is_proven)) &&
        put(turn, "from", number_or_null(t->from)) &&
        put(turn, "small", number_or_null(t->small)) &&
        put(turn, "formula", t->exact ? json_string(t->exact) : json_null());
    if (ok) return turn;
    json_decref(turn);
    return NULL;
}

static json_t *waves_json(const Waves *w) {
    json_t *waves = json_object();
    const bool ok =
        put(waves, "tiles", json_real(w->tiles)) && put(waves, "m", json_integer(w->m)) &&
        put(waves, "n", json_integer(w->n)) && put(waves, "waves", json_real(w->waves)) &&
        put(waves, "last", json_real(w->last)) && put(waves, "work", json_real(w->padded)) &&
        put(waves, "threads", json_integer(w->threads)) &&
        put(waves, "blocks", json_integer(w->blocks)) &&
        put(waves, "occupancy", json_real(w->occupancy)) &&
        put(waves, "limited", json_string(w->limited));
    if (ok) return waves;
    json_decref(waves);
    return NULL;
}

static bool put_times(json_t *object, const Rooflines *r, const Roofline *line) {
    const Times *t = &line->times;
    return put_units(object, "operations", t->ops, 1) &&
           put_units(object, "unit_us", t->unit, 1e6) &&
           put(object, "bytes_in", json_real(t->read)) &&
           put(object, "bytes_out", json_real(t->written)) &&
           put(object, "intensity", json_real(roofline_intensity(t))) &&
           put(object, "ridge",
               t->math > 0 ? number_or_null(roofline_ridge(r, t->busiest)) : json_null()) &&
           put(object, "math_us", json_real(1e6 * t->math)) &&
           put(object, "memory_us", json_real(1e6 * t->memory)) &&
           put(object, "lower_us", json_real(1e6 * t->lower)) &&
           put(object, "upper_us", json_real(1e6 * t->upper)) &&
           put(object, "expected_us", number_or_null(1e6 * line->expected)) &&
           put(object, "bound", json_string(limit_name(t)));
}

/* Every object has its place at once, so that nothing is lost when memory runs out in between. */
bool roofline_json(const Rooflines *r, int kernel, struct json_t *object) {
    const Roofline *line = kernel < 0 ? &r->whole : &r->kernels.at[kernel];
    json_t *top = json_object(), *turns, *waves;
    if (!put(object, "roofline", top) || !put_times(top, r, line)) return false;
    if (!put(top, "turns", turns = json_array())) return false;
    for (int i = 0; i < line->turns.count; i++)
        if (json_array_append_new(turns, turn_json(r, &line->turns.at[i])) != 0) return false;
    if (kernel < 0) return true;
    if (!put(top, "waves", waves = json_array())) return false;
    for (int i = 0; i < line->waves.count; i++)
        if (line->waves.at[i].tiles > 0 &&
            json_array_append_new(waves, waves_json(&line->waves.at[i])) != 0)
            return false;
    return true;
}
