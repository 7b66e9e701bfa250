/* stores.cpp: boxes that TMA stores from shared memory. Their bytes are taken when a store starts;
 * until its thread has waited for it nobody may write the box. */
#include "runtime.h"

#include <string.h>

#include "tensor_map.h"

namespace shim {

enum { BOX_ROW = 128, BOX_CHUNK = 16, BOX_ALIGN = 1024 };

static size_t in_flight; /* boxes that threads have not waited for */

/* The rows of a box that are inside of the tensor, and bytes of each. */
struct Inside {
    uint32_t rows;
    size_t bytes;
};

static Inside inside_of(const ShimMap &m, const int (&at)[3], Place place) {
    for (int i = 0; i < 3; i++)
        if (at[i] < 0) fail(place, "a store of a box at a position below 0");
    if (at[0] >= (long long)m.extent[0] || at[1] >= (long long)m.extent[1] ||
        at[2] >= (long long)m.extent[2])
        return {0, 0};
    const uint64_t columns = m.extent[0] - (uint64_t)at[0], rows = m.extent[1] - (uint64_t)at[1];
    return {rows < m.box[1] ? (uint32_t)rows : m.box[1],
            (size_t)(columns < m.box[0] ? columns : m.box[0]) * m.element};
}

/* The part of a chunk that is inside, from shared memory to memory. */
static void store_chunk(uintptr_t from, uintptr_t to, size_t bytes, Place place) {
    memory_by_engine_read(from, bytes, place);
    memory_access(to, bytes, Access::write, false, place);
    memcpy((void *)to, (void *)from, bytes);
}

void store_box(unsigned from, const void *map, const int (&at)[3], const void *at_place) {
    const ShimMap &m = *(const ShimMap *)map;
    const Place place = (Place)at_place;
    const uintptr_t start = shared_place(from);
    if (m.mark != SHIM_MAP) fail(place, "a store by a map that was not made");
    if (start % BOX_ALIGN) fail(place, "misaligned: a box at no multiple of %d", (int)BOX_ALIGN);
    const Inside in = inside_of(m, at, place);
    for (uint32_t y = 0; y < in.rows; y++)
        for (size_t x = 0; x < in.bytes; x += BOX_CHUNK)
            store_chunk(swizzled_place(start + y * BOX_ROW + x),
                        m.at + (uint64_t)at[0] * m.element + ((uint64_t)at[1] + y) * m.step[0] +
                            (uint64_t)at[2] * m.step[1] + x,
                        in.bytes - x < BOX_CHUNK ? in.bytes - x : BOX_CHUNK, place);
    world.running->boxes.push_back({start, start + m.box[1] * BOX_ROW, place});
    in_flight++;
}

void commit_boxes() {
    Thread &t = *world.running;
    t.box_groups.push_back(std::move(t.boxes));
    t.boxes.clear();
}

/* What has been read may be written, by those who know of it. */
void wait_for_boxes(int pending) {
    Thread &t = *world.running;
    for (; (int)t.box_groups.size() > pending; t.box_groups.erase(t.box_groups.begin())) {
        for (const StoredBox &b : t.box_groups[0]) memory_note_read(b.start, b.end, b.place);
        in_flight -= t.box_groups[0].size();
    }
}

/* Those of threads that start again. */
void stores_forget() { in_flight = 0; }

static void check_box(const Thread &t, const StoredBox &b, uintptr_t at, size_t size, Place place) {
    if (t.block == shared_shown() && at < b.end && at + size > b.start)
        fail(place, "race: writes shared memory that a TMA store of thread %d may still read",
             t.number);
}

void stores_check_write(uintptr_t at, size_t size, Place place) {
    for (int i = 0; in_flight && i < world.count; i++) {
        const Thread &t = world.thread[i];
        for (const StoredBox &b : t.boxes) check_box(t, b, at, size, place);
        for (const auto &group : t.box_groups)
            for (const StoredBox &b : group) check_box(t, b, at, size, place);
    }
}

/* Shared memory ends with its block. */
void stores_check_end() {
    const Thread &t = *world.running;
    for (const auto &group : t.box_groups)
        if (!group.empty())
            fail(group[0].place, "not waited for: a TMA store, whose thread has ended");
    if (!t.boxes.empty()) fail(t.boxes[0].place, "a TMA store that was not committed");
}

} // namespace shim
