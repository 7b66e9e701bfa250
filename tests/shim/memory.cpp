/* memory.cpp: the regions that a kernel may touch, with a shadow of each byte: who wrote it and
 * read it when. Every access is checked here: bounds, alignment, that what is read was written,
 * that accesses are ordered by barriers, and that nothing of an output is written twice. */
#include "runtime.h"

#include <algorithm>
#include <stdlib.h>
#include <string.h>
#include <unordered_map>

namespace shim {

static std::vector<Region> all; /* by address */

std::vector<Region> &regions() { return all; }

void region_add(Region region) {
    auto after = [](uintptr_t at, const Region &r) { return at < r.at; };
    /* Most cells of shared memory are never touched: they take no pages. */
    region.room = region.bytes;
    if (region.kind != Kind::input)
        region.cells = (Cell *)calloc((region.bytes + 3) / 4, 4 * sizeof(Cell));
    if (region.kind != Kind::input && !region.cells) fail(0, "out of memory for cells");
    auto place = std::upper_bound(all.begin(), all.end(), region.at, after);
    all.insert(place, std::move(region));
}

Region *region_of(uintptr_t at) {
    static size_t last;
    if (last < all.size() && at - all[last].at < all[last].bytes) return &all[last];
    for (last = 0; last < all.size(); last++)
        if (at - all[last].at < all[last].bytes) return &all[last];
    return nullptr;
}

Region *region_near(uintptr_t at) {
    Region *best = nullptr;
    uintptr_t least = 1 << 30;
    for (Region &r : all) {
        uintptr_t far = at < r.at ? r.at - at : at - r.end();
        if (far < least) best = &r, least = far;
    }
    return best;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* The first byte of a word knows for all four until one of them is accessed alone. Words' first
 * cells are side by side; behind them are those of the other bytes, which are seldom touched. */
static Cell &cell_at(const Region &r, size_t word, size_t byte) {
    return r.cells[byte ? (r.room + 3) / 4 + word * 3 + byte - 1 : word];
}

/* ---- readers of several warps ---------------------------------------------------------------- */

/* When each warp read a cell last, 0: never; where a kernel has barriers that order some warps, and
 * not all of a block. */
static std::unordered_map<const Cell *, std::vector<uint32_t>> read_times;

void readers_forget() { read_times.clear(); }

/* A part of a word has the readers of the word. */
static void copy_readers(const Cell &from, const Cell &to) {
    auto found = read_times.find(&from);
    if (from.read_by_warps && found != read_times.end()) {
        const std::vector<uint32_t> times = found->second;
        read_times[&to] = times;
    }
}

/* Another warp than the last reader's reads it. */
static void add_reading_warp(const Cell &cell) {
    if (!barriers_exist()) return;
    std::vector<uint32_t> &times = read_times[&cell];
    times.assign((size_t)world.count / WARP + 1, 0);
    times[(size_t)cell.reader / WARP] = cell.read_time;
}

static void note_warp(const Cell &cell, int warp, uint32_t now) {
    if (read_times.empty()) return;
    auto found = read_times.find(&cell);
    if (found != read_times.end()) found->second[(size_t)warp] = now;
}

static void split(const Region &r, size_t word) {
    Cell &first = cell_at(r, word, 0);
    if (first.is_split) return;
    for (size_t i = 1; i < 4; i++) {
        cell_at(r, word, i) = first;
        copy_readers(first, cell_at(r, word, i));
    }
    first.is_split = true;
}

static void join(const Region &r, size_t word) {
    Cell &first = cell_at(r, word, 0);
    first.is_split = false;
    for (size_t i = 1; i < 4; i++)
        if (memcmp(&cell_at(r, word, i), &first, sizeof first)) first.is_split = true;
}

static const Cell &cell_of(const Region &r, size_t i) {
    return cell_at(r, i / 4, cell_at(r, i / 4, 0).is_split ? i % 4 : 0);
}

/* The cells of these bytes, one for a word that is not split. */
template <class Visit> static void cells_visit(Region &r, uintptr_t at, size_t size, Visit visit) {
    for (size_t i = at - r.at, end = i + size; i < end;) {
        const size_t word = i / 4;
        if (i % 4 || end - i < 4) {
            split(r, word);
            visit(cell_at(r, word, i++ % 4));
            continue;
        }
        visit(cell_at(r, word, 0));
        if (cell_at(r, word, 0).is_split) {
            for (size_t j = 1; j < 4; j++) visit(cell_at(r, word, j));
            join(r, word);
        }
        i += 4;
    }
}

/* ---- the access that is being checked -------------------------------------------------------- */

struct Check {
    const Thread &t;
    Region &r;
    uintptr_t at;
    size_t size;
    Access what;
    Place place;
    uint32_t start, epoch, now; /* when what was done to a byte came to matter; this access */
};

static Check check_of(const Thread &t, Region &r, uintptr_t at, size_t size, Access what,
                      Place place) {
    uint32_t start = r.kind == Kind::shared ? world.block_epoch : world.launch_epoch;
    return {t, r, at, size, what, place, start, world.epoch, world.now};
}

static const char *verb(Access what) {
    return what == Access::read ? "reads" : what == Access::write ? "writes" : "changes";
}

/* "reads 4 bytes at x[3]"; where elements are not known, those of the access are counted. */
static std::string what_text(const Region &r, uintptr_t at, size_t size, Access what) {
    long long offset = (long long)(at - r.at), each = (long long)(r.element ? r.element : size);
    std::string text = std::string(verb(what)) + " " + std::to_string(size) + " bytes at " + r.name;
    if (size == r.bytes) return text;
    if (offset % each) return text + " + " + std::to_string(offset) + " bytes";
    return text + "[" + std::to_string(offset / each) + "]";
}

static std::string what_text(const Check &c) { return what_text(c.r, c.at, c.size, c.what); }

[[noreturn]] static void outside(const Region &r, uintptr_t at, size_t size, Access what,
                                 Place place) {
    fail(place, "out of bounds: %s, which has %zu elements", what_text(r, at, size, what).c_str(),
         r.bytes / (r.element ? r.element : size));
}

[[noreturn]] static void race(const Check &c, const char *verb_before, uint32_t epoch, int thread,
                              uint32_t place) {
    fail(c.place, "race: %s, which %s %s at %s with no barrier in between", what_text(c).c_str(),
         history_text(epoch, thread).c_str(), verb_before, place_text(place).c_str());
}

/* ---- order ----------------------------------------------------------------------------------- */

static bool sees(const Check &c, int other, uint32_t time) {
    return c.t.seen[(size_t)other] > time;
}

/* What comes before it is ordered for this thread and another of its cluster: barriers of a block
 * order only its own threads. */
static uint32_t ordered_epoch(const Check &c, int other) {
    return world.thread[other].block == c.t.block ? c.epoch : world.cluster_epoch;
}

/* Does a write of this launch come before this access? */
static bool is_after_write(const Check &c, const Cell &cell) {
    if (cell.write_epoch < c.start) return true;
    if (cell.write_epoch < world.block_epoch) return flags_order(c.t, cell);
    return cell.writer == c.t.number || cell.write_epoch < ordered_epoch(c, cell.writer) ||
           sees(c, cell.writer, cell.write_time);
}

static int racing_reader_of_warps(const Check &c, const Cell &cell) {
    auto found = read_times.find(&cell);
    if (found == read_times.end())
        return cell.reader / WARP == c.t.warp ? cell.other_reader : cell.reader;
    for (int other = 0; other < world.count; other++) {
        const uint32_t time = found->second[(size_t)other / WARP];
        if (time && other != c.t.number && !sees(c, other, time)) return other;
    }
    return -1;
}

/* A thread whose read of this launch may come after this write; -1: there is none. */
static int racing_reader(const Check &c, const Cell &cell) {
    if (cell.first_read < c.start) return -1;
    if (cell.first_read < world.block_epoch) return cell.reader;
    if (cell.read_epoch < ordered_epoch(c, cell.reader)) return -1;
    if (cell.read_by_warps) return racing_reader_of_warps(c, cell);
    for (int lane = 0; lane < WARP; lane++) {
        int other = cell.reader / WARP * WARP + lane;
        if (cell.lanes >> lane & 1 && other != c.t.number && !sees(c, other, cell.read_time))
            return other;
    }
    return -1;
}

/* ---- one cell -------------------------------------------------------------------------------- */

static bool is_written(const Check &c, const Cell &cell) {
    return cell.write_epoch >= (c.r.kind == Kind::shared ? world.block_epoch : 1);
}

static void check_arrived(const Check &c, const Cell &cell) {
    if (cell.in_flight && cell.write_epoch >= world.block_epoch)
        fail(c.place, "not waited for: %s, where an asynchronous copy of thread %d is on its way",
             what_text(c).c_str(), cell.writer);
}

static void check_read(const Check &c, const Cell &cell) {
    if (!is_written(c, cell))
        fail(c.place, "uninitialised: %s, which nothing has written", what_text(c).c_str());
    if (!is_after_write(c, cell) && !(cell.is_atomic && c.what == Access::atomic))
        race(c, "wrote", cell.write_epoch, cell.writer, cell.write_place);
}

static void check_write(const Check &c, const Cell &cell) {
    if (c.r.kind == Kind::output && cell.write_epoch && c.what == Access::write)
        fail(c.place, "written twice: %s, which %s wrote at %s", what_text(c).c_str(),
             history_text(cell.write_epoch, cell.writer).c_str(),
             place_text(cell.write_place).c_str());
    if (!is_after_write(c, cell) && !(cell.is_atomic && c.what == Access::atomic))
        race(c, "wrote", cell.write_epoch, cell.writer, cell.write_place);
    int reader = racing_reader(c, cell);
    if (reader >= 0) race(c, "read", cell.read_epoch, reader, cell.read_place);
}

static void note_read(const Check &c, Cell &cell) {
    if (cell.first_read < c.start) cell.first_read = c.epoch;
    bool is_first = cell.read_epoch != c.epoch;
    if (is_first) {
        cell.lanes = 0;
        cell.read_by_warps = false;
    } else if (cell.reader / WARP != c.t.warp) {
        if (!cell.read_by_warps) add_reading_warp(cell);
        cell.other_reader = cell.reader;
        cell.read_by_warps = true;
    }
    if (cell.read_by_warps)
        note_warp(cell, c.t.warp, c.now);
    else
        cell.lanes |= 1u << c.t.lane;
    cell.reader = (uint16_t)c.t.number;
    cell.read_epoch = c.epoch;
    cell.read_time = c.now;
    cell.read_place = (uint32_t)c.place;
}

static void note_write(const Check &c, Cell &cell) {
    cell.writer = (uint16_t)c.t.number;
    cell.write_epoch = c.epoch;
    cell.write_time = c.now;
    cell.write_place = (uint32_t)c.place;
    cell.is_atomic = c.what == Access::atomic;
    if (c.what == Access::write) cell.read_epoch = cell.first_read = 0; /* all reads are before it */
    cell.in_flight = false;
    cell.by_tma = false;
}

static void check_cell(const Check &c, Cell &cell) {
    check_arrived(c, cell);
    if (c.what != Access::write) check_read(c, cell);
    if (c.what != Access::read) check_write(c, cell);
    if (c.what == Access::read)
        note_read(c, cell);
    else
        note_write(c, cell);
}

/* ---- an access ------------------------------------------------------------------------------- */

extern "C" char __executable_start, _end;

/* Memory that is no region: the program's constants may be read. */
static void check_elsewhere(uintptr_t at, size_t size, Access what, Place place) {
    uintptr_t start = (uintptr_t)&__executable_start;
    if (at - start < (uintptr_t)&_end - start && what == Access::read) return;
    if (is_on_stacks(at)) fail(place, "%s the local memory of another thread", verb(what));
    const Region *near = region_near(at);
    if (!near) fail(place, "out of bounds: %s %zu bytes at %p", verb(what), size, (void *)at);
    outside(*near, at, size, what, place);
}

void memory_access(uintptr_t at, size_t size, Access what, bool must_align, Place place) {
    const Thread *t = world.running;
    if (is_local(at)) return;
    Region *r = region_of(at);
    if (!t) {
        if (r && r->kind != Kind::shared)
            fail(place, "the host %s %s", verb(what), r->name.c_str());
        return;
    }
    if (!r) return check_elsewhere(at, size, what, place);
    if (size > r->end() - at) outside(*r, at, size, what, place);
    if (must_align && at % size)
        fail(place, "misaligned: %s, an address that is no multiple of %zu",
             what_text(*r, at, size, what).c_str(), size);
    if (r->kind == Kind::input && what == Access::read) return; /* nothing may write it */
    const Check c = check_of(*t, *r, at, size, what, place);
    if (r->kind == Kind::input) fail(place, "%s, an input", what_text(c).c_str());
    if (r->kind == Kind::shared && what != Access::read) {
        products_check_write(at, size, place);
        stores_check_write(at, size, place);
    }
    cells_visit(*r, at, size, [&](Cell &cell) { check_cell(c, cell); });
}

void memory_in_flight(uintptr_t at, size_t size, bool in_flight) {
    Region *r = region_of(at);
    cells_visit(*r, at, size, [&](Cell &cell) { cell.in_flight = in_flight; });
}

void memory_by_engine(uintptr_t at, size_t size) {
    Region *r = region_of(at);
    cells_visit(*r, at, size, [](Cell &cell) { cell.by_tma = true; });
}

/* Products and TMA see what TMA brings, and stores that their thread has fenced. */
static void read_by_proxy(uintptr_t at, size_t size, const char *what, Place place) {
    Region *r = region_of(at);
    if (!r || r->kind != Kind::shared) fail(place, "out of bounds: %s", what);
    const Check c = check_of(*world.running, *r, at, size, Access::read, place);
    cells_visit(*r, at, size, [&](const Cell &cell) {
        check_arrived(c, cell);
        check_read(c, cell);
        if (!cell.by_tma && world.thread[cell.writer].fenced <= cell.write_time)
            fail(place, "not fenced: %s, which thread %d stored at %s", what_text(c).c_str(),
                 cell.writer, place_text(cell.write_place).c_str());
    });
}

void memory_by_product(uintptr_t at, size_t size, Place place) {
    read_by_proxy(at, size, "a product's operand", place);
}

void memory_by_engine_read(uintptr_t at, size_t size, Place place) {
    read_by_proxy(at, size, "a box that TMA stores", place);
}

void memory_note_read(uintptr_t start, uintptr_t end, Place place) {
    Region *r = region_of(start);
    const size_t size = end - start;
    const Check c = check_of(*world.running, *r, start, size, Access::read, place);
    cells_visit(*r, start, size, [&](Cell &cell) { note_read(c, cell); });
}

void atomic(const void *at, size_t size, const void *from) {
    memory_access((uintptr_t)at, size, Access::atomic, true, (Place)from);
}

static void note_host_write(Region *r, uintptr_t at, size_t size) {
    world.epoch++;
    cells_visit(*r, at, size, [&](Cell &cell) {
        cell.write_epoch = world.epoch;
        cell.is_atomic = cell.in_flight = cell.by_tma = false;
    });
}

void memory_given(uintptr_t at, size_t size) { note_host_write(region_of(at), at, size); }

/* In the order of launches, of which it is one. */
void fill(void *to, int value, size_t size, const void *from) {
    const uintptr_t at = (uintptr_t)to;
    Region *r = region_of(at);
    if (!r || r->kind == Kind::shared) fail((Place)from, "the host fills what no tensor has");
    if (r->kind == Kind::input) fail((Place)from, "the host fills %s, an input", r->name.c_str());
    if (size > r->end() - at) outside(*r, at, size, Access::write, (Place)from);
    history_launch("cudaMemsetAsync");
    memset(to, value, size);
    note_host_write(r, at, size);
}

/* ---- after the last kernel ------------------------------------------------------------------- */

void memory_check_written() {
    for (const Region &r : all) {
        size_t missing = 0, first = 0, size = r.element;
        if (r.kind != Kind::output) continue;
        for (size_t i = r.bytes; i-- > 0;)
            if (!cell_of(r, i).write_epoch) missing++, first = i;
        if (missing)
            fail(0, "never written: %zu of the %zu elements of %s, the first of them %zu",
                 (missing + size - 1) / size, r.bytes / size, r.name.c_str(), first / size);
    }
}

} // namespace shim
