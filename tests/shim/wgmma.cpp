/* wgmma.cpp: products of warpgroups. Each warp does its own 16 of the 64 rows. Operands are read,
 * and sums change, when they are waited for; but they have to be there when a product starts, and
 * nobody may change them in between. */
#include "runtime.h"

#include <map>
#include <math.h>
#include <string.h>

namespace shim {

/* STEP: bytes along k of a product; CHUNK: those that stay together in shared memory. */
enum { ROWS = 16, STEP = 32, CHUNK = 16, MOST_COLUMNS = 256, ROW = 128 };

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

/* Where element `at` along its own axis is, so many bytes along k. Across, elements have 16 bits. */
static uintptr_t place_of(const Operand64 &o, int at, int byte) {
    const int k = byte / 2;
    uintptr_t place =
        o.start +
        (o.across ? (uintptr_t)(at / 64) * o.next + (uintptr_t)(k / 8) * o.stride +
                        (uintptr_t)(k % 8) * ROW + (uintptr_t)(at % 64) * 2
                  : (uintptr_t)(at / 8) * o.stride + (uintptr_t)(at % 8) * ROW + (uintptr_t)byte);
    return swizzled_place(place);
}

/* The address has 18 bits, which name one place in the dynamic shared memory of a launch: in the
 * array that the kernel has its barriers in, if there is one. */
static uintptr_t resolved(uint64_t bits, Place place) {
    bool has_barriers = false;
    for (const Region &r : regions())
        has_barriers |= r.kind == Kind::shared && barrier_is_in(r.at, r.end());
    for (const Region &r : regions()) {
        if (r.kind != Kind::shared || r.bytes != world.config->shared) continue;
        if (has_barriers && !barrier_is_in(r.at, r.end())) continue;
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

static uint32_t read_element(const Operand64 &o, int at, int byte, int size, Place place) {
    const uintptr_t from = place_of(o, at, byte);
    uint32_t word = 0;
    memory_by_product(from, (size_t)size, place);
    memcpy(&word, (void *)from, (size_t)size);
    return word;
}

/* ---- order ----------------------------------------------------------------------------------- */

static void note(const Product &p, const Operand64 &o, int first, int count, bool starts) {
    std::map<uintptr_t, Reading> &all = readings[p.warp];
    uintptr_t least = UINTPTR_MAX, most = 0;
    for (int at = first; at < first + count; at += 8)
        for (int byte = 0; byte < STEP; byte += CHUNK) {
            uintptr_t row = place_of(o, at, byte) / ROW * ROW;
            if (row < least) least = row;
            if (row + 8 * ROW > most) most = row + 8 * ROW;
        }
    Reading &r = all[least];
    if (r.end < most) r.end = most;
    r.pending += starts ? 1 : -1;
    r.time = world.now;
}

/* Does the thread know that the warp's products which read these bytes are done? */
void products_check_write(uintptr_t at, size_t size, Place place) {
    const Thread &t = *world.running;
    for (int warp = 0; warp * WARP < world.count; warp++) {
        if (world.thread[warp * WARP].block != shared_shown()) continue;
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
}

/* ---- products -------------------------------------------------------------------------------- */

/* With g = lane / 4 and t = lane % 4 a lane has, of rows g and g + 8, bytes 4 t to 4 t + 3 of 16
 * along k, then those of the next 16. */
static uint32_t left_element(const Product &p, int m, int byte) {
    if (!p.in_registers)
        return read_element(p.a, p.warp % 4 * ROWS + m, byte, p.type->bytes, p.place);
    return p.left[m % 8 * 4 + byte % CHUNK / 4][m / 8 + byte / CHUNK * 2] >> byte % 4 * 8;
}

/* The sum of terms of which only so many bits below the largest one's count. */
static double short_sum(const double *term, int count, int bits) {
    int most = -1000, exponent;
    double sum = 0;
    for (int i = 0; i < count; i++) {
        frexp(term[i], &exponent);
        if (term[i] != 0 && exponent > most) most = exponent;
    }
    for (int i = 0; i < count; i++)
        sum += isfinite(term[i]) ? ldexp(trunc(ldexp(term[i], bits - most)), most - bits) : term[i];
    return sum;
}

/* What a lane adds to its sum: `term` has room for the sum behind the products. */
static void add_products(const Product &p, double *term, int count, uint32_t *sum) {
    float before = 0, after;
    double total = 0;
    if (!p.type->is_float) {
        for (int k = 0; k < count; k++) total += term[k];
        *sum = (p.adds ? *sum : 0) + (uint32_t)(int64_t)total;
        return;
    }
    if (p.adds) memcpy(&before, sum, sizeof before);
    term[count] = before;
    if (p.type->sum_bits) {
        total = short_sum(term, count + 1, p.type->sum_bits);
    } else {
        for (int k = 0; k <= count; k++) total += term[k];
    }
    after = (float)total;
    memcpy(sum, &after, sizeof after);
}

static void multiply(const Product &p) {
    static double left[ROWS][STEP], right[MOST_COLUMNS][STEP];
    const int size = p.type->bytes, depth = STEP / size;
    for (int k = 0; k < depth; k++) {
        for (int m = 0; m < ROWS; m++) left[m][k] = p.type->value(left_element(p, m, k * size));
        for (int n = 0; n < p.columns; n++)
            right[n][k] = p.type->value(read_element(p.b, n, k * size, size, p.place));
    }
    for (int lane = 0; lane < WARP; lane++)
        for (int i = 0; i < p.columns / 2; i++) {
            const int m = lane / 4 + i % 4 / 2 * 8, n = i / 4 * 8 + lane % 4 * 2 + i % 2;
            double term[STEP + 1];
            for (int k = 0; k < depth; k++) term[k] = left[m][k] * right[n][k];
            add_products(p, term, depth, &p.sum[lane][i]);
        }
}

static void note_operands(const Product &p, bool starts) {
    if (!p.in_registers) note(p, p.a, p.warp % 4 * ROWS, ROWS, starts);
    note(p, p.b, 0, p.columns, starts);
}

void product_start(const Product &p) {
    for (int byte = 0; byte < STEP; byte += CHUNK) {
        for (int m = 0; m < ROWS; m += 8) left_element(p, m, byte);
        for (int n = 0; n < p.columns; n += 8)
            read_element(p.b, n, byte, p.type->bytes, p.place);
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
