/* barriers.cpp: barriers in shared memory (mbarrier) and those with a number, and TMA,
 * which lets the former wait for bytes. What threads did before they arrived, those know that have
 * waited for the phase. Bytes come when somebody waits for them; until then nobody may touch their
 * places. */
#include "runtime.h"

#include <algorithm>
#include <string.h>

#include "tensor_map.h"

namespace shim {

/* A box on its way. */
struct Copy {
    uintptr_t to;
    std::vector<unsigned char> bytes;
    int thread; /* that asked for it, and when */
    uint32_t time;
};

struct Phases {
    uintptr_t at;          /* or a number */
    int block;             /* of the cluster */
    int arrivals, pending; /* of a phase, and those that are still to come */
    long long bytes;       /* that the phase waits for */
    unsigned phase;
    int owner; /* thread that initialised it, and when */
    uint32_t epoch;
    std::vector<uint32_t> knows,
        known; /* by thread: of this phase so far, and of those that ended */
    std::vector<Copy> copies;
};

static std::vector<Phases> barriers; /* of the block */

void barriers_forget() { barriers.clear(); }

bool barriers_exist() { return !barriers.empty(); }

static bool has_ended(int block) {
    const Thread *first = world.thread + block * world.threads;
    return std::all_of(first, first + world.threads,
                       [](const Thread &t) { return t.state == State::done; });
}

static Phases &phases_of(unsigned address, int block, Place place) {
    const Thread &t = *world.running;
    if (has_ended(block)) fail(place, "a barrier of a block that has ended");
    for (Phases &b : barriers) {
        if (b.at != shared_place(address) || b.block != block) continue;
        if (block != t.block && b.epoch >= world.cluster_epoch)
            fail(place,
                 "race: a barrier that block %d of the cluster has initialised, with no "
                 "barrier of the cluster in between",
                 block);
        if (b.owner != t.number && b.epoch == world.epoch)
            fail(place,
                 "race: a barrier that thread %d has initialised, with no __syncthreads in "
                 "between",
                 b.owner);
        return b;
    }
    fail(place, "a barrier that nothing has initialised");
}

bool barrier_is_in(uintptr_t start, uintptr_t end) {
    return std::any_of(barriers.begin(), barriers.end(),
                       [=](const Phases &b) { return b.at >= start && b.at < end; });
}

/* ---- phases ---------------------------------------------------------------------------------- */

enum { NUMBERS = 16 }; /* of barriers that have no place in memory */

/* Of a barrier with a number: those that wait have done nothing since they came: what they did is
 * before all that follows. */
static void end_together(Phases &b) {
    world.now++;
    for (int i = 0; i < world.count; i++) {
        const Thread &t = world.thread[i];
        const bool waits = t.state == State::at_gate && t.gate == b.at && t.block == b.block;
        if (waits || &t == world.running) b.knows[(size_t)t.number] = world.now;
    }
}

static void try_end(Phases &b) {
    if (b.pending || b.bytes) return;
    if (b.at < NUMBERS) end_together(b);
    b.phase++;
    b.pending = b.arrivals;
    b.known = b.knows;
}

static Phases new_phases(uintptr_t at, int arrivals) {
    const std::vector<uint32_t> nothing(world.known);
    const Thread &t = *world.running;
    return {at, t.block, arrivals, arrivals, 0, 0, t.number, world.epoch, nothing, nothing, {}};
}

static void arrive(Phases &b, long long bytes, const void *from) {
    Thread &t = *world.running;
    t.seen[(size_t)t.number] = ++world.now;
    t.knows = true;
    learn(b.knows, t.seen);
    b.bytes += bytes;
    if (b.pending-- == 0) fail((Place)from, "more arrivals than the barrier's %d", b.arrivals);
    try_end(b);
}

void barrier_start(unsigned address, int arrivals, const void *from) {
    const uintptr_t at = shared_place(address);
    Region *r = region_of(at);
    if (!r || r->kind != Kind::shared || at % 8 || r->end() - at < 8)
        fail((Place)from, "a barrier at no place for 8 bytes of shared memory");
    if (arrivals < 1) fail((Place)from, "a barrier for %d arrivals", arrivals);
    for (Phases &b : barriers)
        if (b.at == at && b.block == world.running->block)
            fail((Place)from, "a barrier initialised twice");
    barriers.push_back(new_phases(at, arrivals));
}

void barrier_come(unsigned address, long long bytes, const void *from) {
    arrive(phases_of(address, world.running->block, (Place)from), bytes, from);
}

void barrier_come_to(unsigned address, const void *from) {
    int block = 0;
    address = address_within(address, &block);
    if (block < 0 || block >= world.config->bounds.cluster)
        fail((Place)from, "an address that is of no block of the cluster");
    arrive(phases_of(address, block, (Place)from), 0, from);
}

/* What is on its way for the barrier comes now. */
static void deliver(Phases &b) {
    shared_show(b.block);
    for (const Copy &c : b.copies) {
        memory_in_flight(c.to, c.bytes.size(), false);
        memcpy((void *)c.to, c.bytes.data(), c.bytes.size());
        b.bytes -= (long long)c.bytes.size();
        uint32_t &known = b.knows[(size_t)c.thread];
        if (known <= c.time) known = c.time + 1;
    }
    b.copies.clear();
    try_end(b);
}

bool phase_has_ended(const Thread &t) {
    for (Phases &b : barriers) {
        if (b.at != t.gate || b.block != t.block) continue;
        if ((b.phase & 1) == t.parity && !b.pending) deliver(b);
        return (b.phase & 1) != t.parity;
    }
    return false;
}

void barrier_await(unsigned address, unsigned parity, const void *from) {
    Thread &t = *world.running;
    const Phases &b = phases_of(address, t.block, (Place)from);
    t.gate = b.at;
    t.parity = parity;
    if (!phase_has_ended(t)) thread_wait(State::at_gate, (Place)from);
    learn(t.seen, phases_of(address, t.block, (Place)from).known);
    t.knows = true;
}

/* ---- barriers with a number ------------------------------------------------------------------ */

static Phases &phases_named(int number, int threads, Place place) {
    if (number < 0 || number >= NUMBERS) fail(place, "a barrier of number %d", number);
    if (threads < WARP || threads % WARP || threads > world.threads)
        fail(place, "a barrier of %d threads", threads);
    for (Phases &b : barriers)
        if (b.at == (uintptr_t)number && b.block == world.running->block) {
            if (b.arrivals != threads)
                fail(place, "barrier %d has %d threads, not %d", number, b.arrivals, threads);
            return b;
        }
    barriers.push_back(new_phases((uintptr_t)number, threads));
    return barriers.back();
}

void named_barrier(int number, int threads, bool waits, const void *from) {
    Thread &t = *world.running;
    t.gate = (uintptr_t)number;
    t.parity = phases_named(number, threads, (Place)from).phase & 1;
    arrive(phases_named(number, threads, (Place)from), 0, from);
    if (!waits) return;
    if (!phase_has_ended(t)) thread_wait(State::at_gate, (Place)from);
    learn(t.seen, phases_named(number, threads, (Place)from).known);
    t.knows = true;
}

/* ---- TMA ------------------------------------------------------------------------- */

/* One row of a box, from memory: what is outside of the tensor becomes 0. */
static void read_row(const ShimMap &m, const long long (&at)[4], unsigned char *row, Place place) {
    const long long element = m.element, first = at[0] < 0 ? -at[0] : 0;
    long long last = (long long)m.extent[0] - at[0];
    if (last > (long long)m.box[0]) last = m.box[0];
    uint64_t from = m.at + (uint64_t)(at[0] + first) * m.element;
    for (int i = 1; i < (m.is_pixels ? 4 : 3); i++) {
        if (at[i] < 0 || at[i] >= (long long)m.extent[i]) return;
        from += (uint64_t)at[i] * m.step[i - 1];
    }
    if (first >= last) return;
    memory_access(from, (size_t)((last - first) * element), Access::read, false, place);
    memcpy(row + first * element, (void *)from, (size_t)((last - first) * element));
    for (long long i = first; m.is_tf32 && i < last; i++) {
        uint32_t bits;
        memcpy(&bits, row + i * element, sizeof bits);
        bits = (bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu; /* to nearest, ties to even */
        memcpy(row + i * element, &bits, sizeof bits);
    }
}

/* Chunks of 16 bytes change places within rows of 128, by bits of the address above. */
uintptr_t swizzled_place(uintptr_t at) { return at ^ (at >> 7 & 7) << 4; }

/* Pixel `number` of a box, which goes on in the next row, or image, at the end of one. */
static void step_pixels(const ShimMap &m, long long number, long long (&at)[4]) {
    const long long x = at[1] - m.moved[0] + number, width = (long long)m.extent[1];
    const long long y = at[2] - m.moved[1] + x / width, height = (long long)m.extent[2];
    at[1] = x % width + m.moved[0];
    at[2] = y % height + m.moved[1];
    at[3] += y / height;
}

static void copy_to(uintptr_t start, const ShimMap &m, const int (&first)[4], Phases &b,
                    const void *from) {
    enum { ROW = 128 };
    const Thread &t = *world.running;
    shared_show(b.block);
    for (uint32_t y = 0; y < m.box[1]; y++) {
        unsigned char row[ROW] = {};
        const uintptr_t place = start + y * ROW;
        long long at[] = {first[0], first[1], first[2], first[3]};
        if (m.is_pixels)
            step_pixels(m, y, at);
        else
            at[1] += y;
        read_row(m, at, row, (Place)from);
        memory_access(place, ROW, Access::write, true, (Place)from);
        memory_by_engine(place, ROW);
        memory_in_flight(place, ROW, true);
        for (uintptr_t chunk = 0; chunk < ROW; chunk += 16)
            b.copies.push_back({swizzled_place(place + chunk),
                                {row + chunk, row + chunk + 16},
                                t.number,
                                world.now});
    }
    shared_show(t.block);
}

void copy_box(unsigned to, const void *map, const int (&at)[4], unsigned barrier, unsigned blocks,
              const void *from) {
    enum { ALIGN = 1024 };
    const ShimMap &m = *(const ShimMap *)map;
    const uintptr_t start = shared_place(to);
    if (m.mark != SHIM_MAP) fail((Place)from, "a copy by a map that was not made");
    if (start % ALIGN) fail((Place)from, "misaligned: a box at no multiple of %d", (int)ALIGN);
    if (!blocks || blocks >> world.config->bounds.cluster)
        fail((Place)from, "a copy to blocks 0x%x of a cluster of %d", blocks,
             world.config->bounds.cluster);
    for (int block = 0; blocks >> block; block++)
        if (blocks >> block & 1)
            copy_to(start, m, at, phases_of(barrier, block, (Place)from), from);
}

void prefetch_box(const void *map, const void *from) {
    if (((const ShimMap *)map)->mark != SHIM_MAP)
        fail((Place)from, "a prefetch by a map that was not made");
}

} // namespace shim
