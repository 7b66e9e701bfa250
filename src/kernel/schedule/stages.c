/* stages.c: the place of each value in the loops: level, stage, and whether an element value is
 * kept between stages.
 * In: a Body, and options. Out: a Schedule. */
#include "kernel/schedule/schedule.h"

Schedule *schedule_new(const Body *b, Arena *arena) {
    Schedule *s = arena_new_of(arena, Schedule);
    *s = (Schedule){.body = b, .lane = b->lane, .lane_is_row = b->lane_is_row, .stage_count = 1};
    s->value = arena_array(arena, Place, b->values.count + 1);
    s->acc = arena_array(arena, int, b->accs.count + 1);
    s->store = arena_array(arena, StorePlace, b->stores.count + 1);
    for (int i = 0; i < b->dots && body_has_rows(b); i++) s->acc[i] = -1;
    for (int i = 0; i < b->stores.count; i++) s->store[i].level = b->stores.at[i].of_row ? 1 : 2;
    return s;
}

/* ---- levels and stages --------------------------------------------------------------------- */

typedef struct Join {
    const Schedule *s;
    Place place;
} Join;

static void join(const Body *b, int source, void *context) {
    (void)b;
    Join *j = context;
    const Place *p = &j->s->value[source];
    if (p->level > j->place.level) j->place.level = p->level;
    if (p->stage > j->place.stage) j->place.stage = p->stage;
    if (p->phase > j->place.phase) j->place.phase = p->phase;
}

static Place place_of(const Schedule *s, int i, uint32_t cols) {
    const Value *v = &s->body->values.at[i];
    Join j = {.s = s};
    if (v->kind == V_ACC && v->op == OP_DOT) return (Place){.level = 2};
    if (v->kind == V_ACC && s->body->accs.at[v->attr].of_group) {
        const Place *p = &s->value[s->body->accs.at[v->attr].value];
        return (Place){.level = 1, .stage = p->stage, .of_group = true, .phase = p->phase + 1};
    }
    if (v->kind == V_ACC) return (Place){.level = 1, .stage = s->acc[v->attr] + 1};
    each_source(s->body, i, join, &j);
    if (v->axes && j.place.level == 0) j.place.level = 1;
    j.place.of_group = v->of_group;
    if (v->of_group) return j.place;
    if ((v->axes & cols) || v->kind == V_SCAN || v->kind == V_CURSOR) j.place.level = 2;
    return j.place;
}

/* Sources come before the V_ACC that reads them, so accumulators are placed in the same walk. */
static void place_values(Schedule *s, bool online, uint32_t cols) {
    const Body *b = s->body;
    for (int i = 1; i < b->values.count; i++) {
        s->value[i] = place_of(s, i, cols);
        for (int k = 0; k < b->accs.count; k++) {
            const Accumulator *a = &b->accs.at[k];
            if (a->value != i || a->op == OP_DOT) continue;
            if (a->of_group) {
                s->acc[k] = -1;
                continue;
            }
            const bool joins = online && a->online_max >= 0; /* the stage of its maximum */
            s->acc[k] = joins ? s->acc[a->online_max] : s->value[i].stage;
        }
    }
}

/* A store is in the first stage that has its value; a row's comes after the row values. */
static void place_stores(Schedule *s, uint32_t cols) {
    const Body *b = s->body;
    for (int i = 0; i < b->stores.count; i++) {
        const Place *p = &s->value[b->stores.at[i].value];
        const bool of_group = b->stores.at[i].of_group;
        bool element = index_axes(b, b->stores.at[i].ix) & cols && !of_group;
        s->store[i] = (StorePlace){element || p->level == 2 ? 2 : 1, p->stage, of_group, p->phase};
    }
}

static bool is_in_loop(const StorePlace *p) { return p->level == 2 || p->of_group; }

static void count_stages(Schedule *s) {
    for (int i = 0; i < s->body->accs.count; i++)
        if (s->acc[i] + 1 > s->stage_count) s->stage_count = s->acc[i] + 1;
    for (int i = 0; i < s->body->stores.count; i++)
        if (is_in_loop(&s->store[i]) && s->store[i].stage + 1 > s->stage_count)
            s->stage_count = s->store[i].stage + 1;
}

/* ---- what each stage needs ----------------------------------------------------------------- */

static bool is_costly_value(const Value *v) {
    return v->kind == V_SCAN || (v->kind == V_OP && op_info[v->op].costly);
}

typedef struct Mark {
    Schedule *s;
    int stage;
    bool keep;
} Mark;

static void mark(const Body *b, int value, void *context);

/* What the accumulator of a group needs, in each stage that reads it. */
static void mark_group(const Body *b, const Value *v, void *context) {
    if (v->kind != V_ACC) return;
    const Accumulator *a = &b->accs.at[v->attr];
    mark(b, a->value, context);
    if (a->op == OP_ARGMAX) mark(b, a->index, context);
}

/* Marks a value as used by a stage. A costly value that an earlier stage has computed is kept, and
 * its sources are not needed again. Stages are marked in ascending order. */
static void mark(const Body *b, int value, void *context) {
    const Mark *m = context;
    const Value *v = &b->values.at[value];
    Place *p = &m->s->value[value];
    if (p->level < 2 && !p->of_group) { /* before the loop: only whether it is needed */
        if (!p->used++) each_source(b, value, mark, context);
        return;
    }
    if (p->used >> m->stage & 1) return;
    if (p->of_group) {
        p->used |= (uint64_t)1 << m->stage;
        mark_group(b, v, context);
        each_source(b, value, mark, context);
        return;
    }
    bool earlier = p->used != 0;
    p->used |= (uint64_t)1 << m->stage;
    if (earlier && m->keep && (is_costly_value(v) || v->kind == V_LOAD)) p->keep = true;
    if (earlier && p->keep && v->kind != V_LOAD) return;
    each_source(b, value, mark, context);
}

static void mark_stage(Schedule *s, int stage, bool keep) {
    const Body *b = s->body;
    Mark m = {s, stage, keep};
    for (int i = 0; i < b->accs.count; i++) {
        const Accumulator *a = &b->accs.at[i];
        if (s->acc[i] != stage) continue;
        mark(b, schedule_is_online(s, i) ? a->online_x : a->value, &m);
        if (a->op == OP_ARGMAX) mark(b, a->index, &m);
    }
    for (int i = 0; i < b->stores.count; i++)
        if (s->store[i].stage == stage) mark(b, b->stores.at[i].value, &m);
}

const Schedule *schedule_stages(const Body *b, bool keep, bool online, Arena *arena) {
    Schedule *s = schedule_new(b, arena);
    place_values(s, online, body_col_axes(b));
    place_stores(s, body_col_axes(b));
    count_stages(s);
    for (int stage = 0; stage <= s->stage_count; stage++) mark_stage(s, stage, keep);
    return s;
}

const Schedule *schedule_across(const Schedule *s, Arena *arena) {
    const Body *b = s->body;
    Schedule *across = arena_new_of(arena, Schedule);
    *across = *s;
    across->lane = b->axes.at[b->row_count - 1].number;
    across->lane_is_row = true;
    return across;
}

const Schedule *schedule_packs(const Body *b, int lane, Arena *arena) {
    const uint32_t along = lane < 0 ? 0 : 1u << lane;
    Schedule *s = schedule_new(b, arena);
    s->lane = lane;
    s->lane_is_row = false;
    place_values(s, false, along);
    place_stores(s, along);
    mark_stage(s, 0, false);
    return s;
}

/* ---- questions ----------------------------------------------------------------------------- */

bool schedule_is_online(const Schedule *s, int acc) {
    const int max = s->body->accs.at[acc].online_max;
    return max >= 0 && s->acc[max] == s->acc[acc];
}

bool schedule_is_stepped(const Schedule *s, int acc) {
    for (int i = 0; i < s->body->accs.count; i++)
        if (s->body->accs.at[i].online_max == acc && schedule_is_online(s, i)) return true;
    return false;
}

typedef struct Reads {
    int value;
    bool found;
} Reads;

static void reads(const Body *b, int source, void *context) {
    Reads *r = context;
    (void)b;
    r->found |= source == r->value;
}

bool schedule_is_of_elements(const Schedule *s, int value) {
    const Body *b = s->body;
    const ValueKind kind = b->values.at[value].kind;
    Reads r = {value, false};
    if (s->value[value].level != 1 || !s->value[value].stage || kind == V_ACC) return false;
    for (int i = 0; i < b->accs.count; i++) r.found |= b->accs.at[i].value == value;
    for (int i = 1; i < b->values.count && !r.found; i++)
        if (s->value[i].level == 2 && s->value[i].used) each_source(b, i, reads, &r);
    return r.found;
}

bool schedule_has_scan(const Schedule *s) {
    for (int i = 1; i < s->body->values.count; i++)
        if (s->body->values.at[i].kind == V_SCAN && s->value[i].used) return true;
    return false;
}

bool schedule_stores(const Schedule *s, int store, int stage) {
    return s->store[store].level == 2 && s->store[store].stage == stage;
}

bool schedule_has_work(const Schedule *s, int stage) {
    for (int i = 0; i < s->body->accs.count; i++)
        if (s->acc[i] == stage) return true;
    for (int i = 0; i < s->body->stores.count; i++)
        if (is_in_loop(&s->store[i]) && s->store[i].stage == stage) return true;
    return false;
}

/* ---- groups of a row ------------------------------------------------------------------------- */

int schedule_phase(const Schedule *s, int acc) {
    return s->value[s->body->accs.at[acc].value].phase;
}

bool schedule_reduces_group(const Schedule *s, int acc, int stage) {
    const Accumulator *a = &s->body->accs.at[acc];
    return a->of_group && s->value[a->result].used >> stage & 1;
}

bool schedule_reduces(const Schedule *s, int acc, int stage, int phase) {
    return (s->acc[acc] == stage || schedule_reduces_group(s, acc, stage)) &&
           schedule_phase(s, acc) == phase;
}

int schedule_phases(const Schedule *s, int stage) {
    const Body *b = s->body;
    int last = 0;
    bool any = false;
    if (!b->group_axes) return 0;
    for (int i = 1; i < b->values.count; i++)
        any |= s->value[i].of_group && s->value[i].used >> stage & 1;
    for (int i = 0; i < b->stores.count; i++) {
        const StorePlace *p = &s->store[i];
        if (!is_in_loop(p) || p->stage != stage) continue;
        any |= p->of_group;
        if (p->phase > last) last = p->phase;
    }
    for (int i = 0; i < b->accs.count; i++) {
        const bool is_here = s->acc[i] == stage || schedule_reduces_group(s, i, stage);
        if (is_here && schedule_phase(s, i) > last) last = schedule_phase(s, i);
    }
    return any ? last + 1 : 0;
}
