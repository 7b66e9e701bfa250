/* warps.cpp: barriers, shuffles and votes of a warp, and what is wrong when threads wait for others
 * that do not come. */
#include "runtime.h"

#include <string.h>

#include "shim.h"

namespace shim {

static Thread *member(const Thread &t, int lane) {
    int number = t.warp * WARP + lane;
    return number < world.count ? &world.thread[number] : nullptr;
}

/* Lanes that a partial warp does not have are not waited for. */
static bool is_named(const Thread &t, int lane) {
    return t.request.mask >> lane & 1 && member(t, lane);
}

/* ---- answers --------------------------------------------------------------------------------- */

/* The lane whose value a shuffle gives this thread; -1: it keeps its own. */
static int source_lane(const Thread &t) {
    const Request &r = t.request;
    int first = t.lane & -r.width, last = first + r.width - 1, at = t.lane;
    switch (r.what) {
    case Exchange::index: return first + (r.argument & (r.width - 1));
    case Exchange::up: at -= r.argument; return at < first ? -1 : at;
    case Exchange::down: at += r.argument; return at > last ? -1 : at;
    default: at ^= r.argument; return at > last ? -1 : at;
    }
}

static void shuffle(const Thread &t, unsigned char (*values)[16]) {
    int lane = source_lane(t);
    if (lane < 0 || lane == t.lane) return;
    if (lane >= WARP || !is_named(t, lane))
        fail(t.place, "shuffle reads lane %d, which does not take part", lane);
    memcpy(t.request.value, values[lane], t.request.size);
}

static void answer_values(Thread &last) {
    unsigned char values[WARP][16];
    unsigned ballot = 0;
    for (int i = 0; i < WARP; i++) {
        if (!is_named(last, i)) continue;
        const Request &r = member(last, i)->request;
        memcpy(values[i], r.value, r.size);
        if (r.what == Exchange::ballot) ballot |= (unsigned)*(unsigned *)r.value << i;
    }
    for (int i = 0; i < WARP; i++) {
        if (!is_named(last, i)) continue;
        Thread &t = *member(last, i);
        world.running = &t; /* who is to blame */
        if (last.request.what == Exchange::ballot)
            memcpy(t.request.value, &ballot, sizeof ballot);
        else
            shuffle(t, values);
    }
    world.running = &last;
}

void learn(std::vector<uint32_t> &knows, const std::vector<uint32_t> &known) {
    for (size_t i = 0; i < knows.size(); i++)
        if (known[i] > knows[i]) knows[i] = known[i];
}

/* What one thread of the barrier knows, all know now. */
static void answer_barrier(const Thread &last) {
    std::vector<uint32_t> known(world.known);
    world.now++;
    for (int i = 0; i < WARP; i++)
        if (is_named(last, i) && member(last, i)->knows) learn(known, member(last, i)->seen);
    for (int i = 0; i < WARP; i++)
        if (is_named(last, i)) known[(size_t)member(last, i)->number] = world.now;
    for (int i = 0; i < WARP; i++)
        if (is_named(last, i)) member(last, i)->seen = known, member(last, i)->knows = true;
}

static void answer_together(Thread &last) {
    void *values[WARP];
    for (int i = 0; i < WARP; i++) values[i] = member(last, i)->request.value;
    last.request.together(values);
    world.running = &last;
}

static bool are_together(const Thread &a, const Thread &b) {
    return b.state == State::in_warp && a.path == b.path && a.request.mask == b.request.mask &&
           a.request.what == b.request.what;
}

/* Lanes come in turn: the last is the one that is not there yet. */
void warp_try(Warp &warp, Thread &last) {
    for (int i = WARP; i-- > 0;)
        if (is_named(last, i) && !are_together(last, *member(last, i))) return;
    if (last.request.what == Exchange::barrier)
        answer_barrier(last);
    else if (last.request.what == Exchange::together)
        answer_together(last);
    else
        answer_values(last);
    for (int i = 0; i < WARP; i++)
        if (is_named(last, i)) member(last, i)->state = State::ready;
}

void exchange(Exchange what, unsigned mask, void *value, size_t size, int argument, int width,
              const void *from) {
    Thread &t = *world.running;
    if (!(mask >> t.lane & 1))
        fail((Place)from, "lane %d is not in the mask 0x%x of its own operation", t.lane, mask);
    if (width < 1 || width > WARP || (width & (width - 1)))
        fail((Place)from, "shuffle of width %d", width);
    t.request = {what, mask, value, size, argument, width, nullptr};
    thread_wait(State::in_warp, (Place)from);
}

void warp_together(Together *together, void *value, Place place) {
    Thread &t = *world.running;
    if (!member(t, WARP - 1))
        fail(place, "an instruction of a whole warp in one that is not whole");
    t.request = {Exchange::together, 0xffffffffu, value, 0, 0, WARP, together};
    thread_wait(State::in_warp, place);
}

/* ---- nobody can go on ------------------------------------------------------------------------ */

static std::string where_is(const Thread &t) {
    std::string who = "thread " + std::to_string(t.number);
    if (t.state == State::done) return who + " has ended";
    const char *what = t.state == State::at_barrier ? " waits at the barrier of "
                       : t.state == State::at_cluster ? " waits for its cluster at "
                       : t.state == State::at_gate  ? " waits for a phase at "
                                                    : " waits for its warp at ";
    return who + what + place_text(t.place);
}

/* A thread whose whereabouts do not go with those of t. */
static const Thread &another(const Thread &t) {
    for (int i = 0; i < world.count; i++) {
        const Thread &other = world.thread[i];
        bool is_wanted =
            t.state != State::in_warp || (other.warp == t.warp && is_named(t, other.lane));
        if (is_wanted && (other.state != t.state || other.path != t.path)) return other;
    }
    return t;
}

static int find(State state) {
    int i = 0;
    while (i < world.count && world.thread[i].state != state) i++;
    return i;
}

void report_stuck() {
    int first = find(State::in_warp);
    if (first == world.count) first = find(State::at_gate);
    Thread &t = world.thread[first < world.count ? first : find(State::at_barrier)];
    const Thread &other = another(t);
    world.running = &t;
    const char *what = t.state == State::in_warp   ? "divergent warp operation"
                       : t.state == State::at_gate ? "a phase that does not end"
                                                   : "divergent barrier";
    if (t.state == State::in_warp && other.state == State::in_warp &&
        other.request.mask != t.request.mask)
        fail(t.place, "%s: thread %d names lanes 0x%x, but thread %d 0x%x", what, t.number,
             t.request.mask, other.number, other.request.mask);
    fail(t.place, "%s: %s, but %s", what, where_is(t).c_str(), where_is(other).c_str());
}

} // namespace shim
