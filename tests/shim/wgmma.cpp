/* wgmma.cpp: products of warpgroups. Each warp does its own 16 of the 64 rows. Operands are read,
 * and sums change, when they are waited for; but they have to be there when a product starts, and
 * nobody may change them in between. */
#include "runtime.h"

#include <map>
#include <string.h>

namespace shim {

enum { ROWS = 16, DEPTH = 16, MOST_COLUMNS = 256, ROW = 128 };

/* Shared memory that products of a warp read, and when the last of them was done. */
struct Reading {
    uintptr_t end;
    uint32_t time;
    int pending;
};

static std::map<uintptr_t, Reading> readings[MOST_THREADS / WARP]; /* by start */

void products_forget() {
    for (int i = 0; i < MOST_THREADS / WARP; i++) {
        readings[i].clear();
        world.warp[i].products.clear();
        world.warp[i].groups.clear();
    }
}

/* ---- operands in shared memory --------------------------------------------------------------- */

/* Where element `at` along its own axis is, at k. */
static uintptr_t place_of(const Operand64 &o, int at, int k) {
    uintptr_t place =
        o.start +
        (o.across ? (uintptr_t)(at / 64) * o.next + (uintptr_t)(k / 8) * o.stride +
                        (uintptr_t)(k % 8) * ROW + (uintptr_t)(at % 64) * 2
                  : (uintptr_t)(at / 8) * o.stride + (uintptr_t)(at % 8) * ROW + (uintptr_t)k * 2);
    return swizzled_place(place);
}

/* The address has 18 bits, which name one place in the dynamic shared memory of a launch. */
static uintptr_t resolved(uint64_t bits, Place place) {
    for (const Region &r : regions()) {
        if (r.kind != Kind::shared || r.bytes != world.config->shared) continue;
        unsigned first = shared_address((void *)r.at), low = (unsigned)(bits & 0x3fff) << 4;
        unsigned at = (first & ~0x3ffffu) + low;
        if (at < first) at += 0x40000;
        if (at - first < r.bytes) return shared_place(at);
    }
    fail(place, "out of bounds: a product's operand");
}

Operand64 operand_of(uint64_t bits, bool across, Place place) {
    if (bits >> 62 != 1) fail(place, "an operand that is not swizzled by 128 bytes");
    return {resolved(bits, place), (uintptr_t)(bits >> 16 & 0x3fff) << 4,
            (uintptr_t)(bits >> 32 & 0x3fff) << 4, across};
}

static uint16_t read_element(const Operand64 &o, int at, int k, Place place) {
    const uintptr_t from = place_of(o, at, k);
    memory_by_product(from, 2, place);
    return *(uint16_t *)from;
}

/* ---- order ----------------------------------------------------------------------------------- */

static void note(const Product &p, const Operand64 &o, int first, int count, bool starts) {
    std::map<uintptr_t, Reading> &all = readings[p.warp];
    uintptr_t least = UINTPTR_MAX, most = 0;
    for (int at = first; at < first + count; at += 8)
        for (int k = 0; k < DEPTH; k += 8) {
            uintptr_t row = place_of(o, at, k) / ROW * ROW;
            if (row < least) least = row;
            if (row + 8 * ROW > most) most = row + 8 * ROW;
        }
    Reading &r = all[least];
    if (r.end < most) r.end = most;
    r.pending += starts ? 1 : -1;
    r.time = world.warp[p.warp].now;
}

/* Does the thread know that the warp's products which read these bytes are done? */
void products_check_write(uintptr_t at, size_t size, Place place) {
    const Thread &t = *world.running;
    for (int warp = 0; warp * WARP < world.count; warp++)
        for (const auto &entry : readings[warp]) {
            const Reading &r = entry.second;
            if (at >= r.end || at + size <= entry.first) continue;
            bool known = false;
            for (int lane = 0; lane < WARP; lane++)
                known |= t.seen[(size_t)(warp * WARP + lane)] > r.time;
            if (r.pending || (!known && warp != t.warp))
                fail(place,
                     "race: writes shared memory that a product of warp %d reads, and has "
                     "not passed on",
                     warp);
        }
}

/* ---- products -------------------------------------------------------------------------------- */

static double value_of(uint16_t bits, bool is_bf16) {
    uint32_t word = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &word, sizeof value);
    return is_bf16 ? (double)value : half_float(bits);
}

/* With g = lane / 4 and t = lane % 4 a lane has, of rows g and g + 8, elements 2 t and 2 t + 1 of
 * eight along k, then those of the next eight. */
static uint16_t left_element(const Product &p, int m, int k) {
    if (!p.in_registers) return read_element(p.a, p.warp % 4 * ROWS + m, k, p.place);
    return (uint16_t)(p.left[m % 8 * 4 + k % 8 / 2][m / 8 + k / 8 * 2] >> k % 2 * 16);
}

static void multiply(const Product &p) {
    static double left[ROWS][DEPTH], right[MOST_COLUMNS][DEPTH];
    for (int k = 0; k < DEPTH; k++) {
        for (int m = 0; m < ROWS; m++) left[m][k] = value_of(left_element(p, m, k), p.is_bf16);
        for (int n = 0; n < p.columns; n++)
            right[n][k] = value_of(read_element(p.b, n, k, p.place), p.is_bf16);
    }
    for (int lane = 0; lane < WARP; lane++)
        for (int i = 0; i < p.columns / 2; i++) {
            const int m = lane / 4 + i % 4 / 2 * 8, n = i / 4 * 8 + lane % 4 * 2 + i % 2;
            double sum = 0;
            for (int k = 0; k < DEPTH; k++) sum += left[m][k] * right[n][k];
            p.sum[lane][i] = (float)(p.adds ? p.sum[lane][i] + sum : sum);
        }
}

static void note_operands(const Product &p, bool starts) {
    if (!p.in_registers) note(p, p.a, p.warp % 4 * ROWS, ROWS, starts);
    note(p, p.b, 0, p.columns, starts);
}

void product_start(const Product &p) {
    for (int k = 0; k < DEPTH; k += 8) {
        for (int m = 0; m < ROWS; m += 8) left_element(p, m, k);
        for (int n = 0; n < p.columns; n += 8) read_element(p.b, n, k, p.place);
    }
    note_operands(p, true);
    world.warp[p.warp].products.push_back(p);
}

void products_commit(Warp &warp) {
    warp.groups.push_back(std::move(warp.products));
    warp.products.clear();
}

void products_wait(Warp &warp, int pending) {
    for (; (int)warp.groups.size() > pending; warp.groups.erase(warp.groups.begin()))
        for (const Product &p : warp.groups[0]) {
            multiply(p);
            note_operands(p, false);
        }
}

} // namespace shim
