/* ptx.cpp: what the instructions of inline PTX do. Those of a whole warp wait for all of its
 * threads. Sums of products are exact, and rounded once for each instruction; a tensor core
 * truncates instead, at about the same place. */
#include "runtime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

namespace shim {

enum { MOST_OPERANDS = 140 };

/* An instruction of one thread, its operands in the order of its text. */
struct Instruction {
    std::string name;
    Place place;
    struct Argument {
        void *at; /* a register; NULL: a number */
        size_t size;
        long long number;
        uint32_t &bits() const { return *(uint32_t *)at; }
    } argument[MOST_OPERANDS];
    int count;
};

/* ---- the text -------------------------------------------------------------------------------- */

static long long value_of(const Operand &o) {
    long long value = 0;
    memcpy(&value, o.at, o.size < sizeof value ? o.size : sizeof value);
    return value;
}

/* "%3", "[%3]" or "16": braces and brackets only say what the instruction's name does, too. */
static void parse_arguments(Instruction &i, const char *text, const Operand *operands) {
    for (const char *p = text; *p && *p != ';';) {
        if (i.count == MOST_OPERANDS) fail(i.place, "inline PTX with too many operands");
        if (*p == '%') {
            const Operand &o = operands[strtol(p + 1, (char **)&p, 10)];
            i.argument[i.count++] = {o.at, o.size, value_of(o)};
        } else if (*p >= '0' && *p <= '9') {
            i.argument[i.count++] = {nullptr, 0, strtoll(p, (char **)&p, 0)};
        } else {
            p++;
        }
    }
}

/* Does each register have the size that its constraint stands for? */
static void check_constraints(const char *constraints, const Operand *operands, Place place) {
    for (const char *p = constraints; *p; p += strcspn(p, ","), p += *p == ',', operands++) {
        char kind = p[strspn(p, "=+")];
        size_t size = strchr("ld", kind) ? 8 : kind == 'h' ? 2 : 4;
        if (operands->size != size)
            fail(place, "\"%c\" stands for %zu bytes, and the operand has %zu", kind, size,
                 operands->size);
    }
}

static bool has(const Instruction &i, const char *part) {
    return i.name.find(part) != std::string::npos;
}

static bool starts(const Instruction &i, const char *with) { return !i.name.rfind(with, 0); }

/* ---- ldmatrix -------------------------------------------------------------------------------- */

static int matrix_count(const Instruction &i) { return has(i, ".x4") ? 4 : has(i, ".x2") ? 2 : 1; }

/* Each row is read by the thread that says where it is. */
static void load_matrices(void *const *values) {
    const Instruction *const *lane = (const Instruction *const *)values;
    const Instruction &first = *lane[0];
    const int count = matrix_count(first);
    Thread *threads = world.running - world.running->lane;
    uint16_t element[4][8][8];
    for (int l = 0; l < 8 * count; l++) {
        world.running = &threads[l];
        uintptr_t at = shared_place((unsigned)lane[l]->argument[count].number);
        memory_access(at, 16, Access::read, true, first.place);
        memcpy(element[l / 8][l % 8], (void *)at, 16);
    }
    for (int l = 0; l < WARP; l++)
        for (int m = 0; m < count; m++) {
            int g = l / 4, t = l % 4 * 2;
            bool turned = has(first, ".trans");
            uint32_t low = turned ? element[m][t][g] : element[m][g][t];
            uint32_t high = turned ? element[m][t + 1][g] : element[m][g][t + 1];
            lane[l]->argument[m].bits() = low | high << 16;
        }
}

/* ---- mma ------------------------------------------------------------------------------------- */

double small_float(uint32_t bits, int exponent_bits, int fraction_bits, bool has_infinity) {
    int sign = bits >> (exponent_bits + fraction_bits) & 1, most = (1 << exponent_bits) - 1;
    int exponent = (int)(bits >> fraction_bits) & most, bias = most / 2;
    uint32_t fraction = bits & ((1u << fraction_bits) - 1);
    double value = fraction;
    if (exponent == most && has_infinity)
        value = fraction ? NAN : INFINITY;
    else if (exponent == most && fraction == (1u << fraction_bits) - 1)
        value = NAN;
    else
        value = ldexp(fraction + (exponent ? ldexp(1, fraction_bits) : 0),
                      (exponent ? exponent : 1) - bias - fraction_bits);
    return sign ? -value : value;
}

/* "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32": the parts between the dots. */
static std::vector<std::string> parts_of(const std::string &name) {
    std::vector<std::string> parts;
    for (size_t at = 0, dot; at <= name.size(); at = dot + 1) {
        dot = name.find('.', at);
        if (dot == std::string::npos) dot = name.size();
        parts.push_back(name.substr(at, dot - at));
    }
    return parts;
}

struct Type {
    const char *name;
    int bytes, exponent, fraction; /* exponent 0: an integer, signed or not */
    bool is_special;               /* has infinities, or a sign */
};

static const Type types[] = {{"bf16", 2, 8, 7, true},  {"f16", 2, 5, 10, true},
                             {"tf32", 4, 8, 10, true}, {"e4m3", 1, 4, 3, false},
                             {"e5m2", 1, 5, 2, true},  {"s8", 1, 0, 0, true},
                             {"u8", 1, 0, 0, false}};

static const Type &type_of(const std::string &name, Place place) {
    for (const Type &t : types)
        if (name == t.name) return t;
    fail(place, "mma of %s is not known here", name.c_str());
}

/* The element of type t at byte `at` of a row of a (of a column of b), in the registers from number
 * `first` on of the lane that has it. */
static double element_of(const Type &t, const Instruction *const *lane, int row, int at, int first,
                         int step) {
    const Instruction &i = *lane[row % 8 * 4 + at % 16 / 4];
    uint32_t word = i.argument[first + row / 8 + at / 16 * step].bits() >> at % 4 * 8;
    if (!strcmp(t.name, "tf32")) word >>= 13;
    if (t.exponent) return small_float(word, t.exponent, t.fraction, t.is_special);
    return t.is_special ? (double)(int8_t)word : (double)(uint8_t)word;
}

/* Operands are d, a, b, c, as many registers as PTX says for 16 x 8 of d and 32 bytes of a row. */
static void multiply_add(void *const *values) {
    enum { A = 4, B = 8, C = 10 };
    const Instruction *const *lane = (const Instruction *const *)values;
    std::vector<std::string> part = parts_of(lane[0]->name);
    const Place place = lane[0]->place;
    const Type &a = type_of(part[7], place), &b = type_of(part[8], place);
    double left[16][32], right[8][32];
    uint32_t results[WARP][4];
    const int depth = 32 / a.bytes;
    if (part[3] != "m16n8k" + std::to_string(depth) || a.bytes != b.bytes)
        fail(place, "%s is not known here", lane[0]->name.c_str());
    for (int k = 0; k < depth; k++) {
        for (int m = 0; m < 16; m++) left[m][k] = element_of(a, lane, m, k * a.bytes, A, 2);
        for (int n = 0; n < 8; n++) right[n][k] = element_of(b, lane, n, k * b.bytes, B, 1);
    }
    for (int m = 0; m < 16; m++)
        for (int n = 0; n < 8; n++) {
            int to = m % 8 * 4 + n / 2, number = m / 8 * 2 + n % 2;
            uint32_t &result = results[to][number], c = lane[to]->argument[C + number].bits();
            double sum = 0;
            for (int k = 0; k < depth; k++) sum += left[m][k] * right[n][k];
            float total = (float)(sum + *(float *)&c);
            result = a.exponent ? *(uint32_t *)&total : c + (uint32_t)(int32_t)sum;
        }
    for (int l = 0; l < WARP; l++)
        for (int number = 0; number < 4; number++)
            lane[l]->argument[number].bits() = results[l][number];
}

/* ---- products of warpgroups ------------------------------------------------------------------ */

/* Operands are the sums, a descriptor of a or its four registers, a descriptor of b, whether the
 * sums count, signs, and which operands in shared memory do not lie along k. */
static Product product_of(const Instruction &i) {
    const int columns = atoi(parts_of(i.name)[4].c_str() + strlen("m64n"));
    const Instruction::Argument *x = i.argument + columns / 2;
    Product p = {};
    p.in_registers = i.count == columns / 2 + 9;
    const Instruction::Argument *right = x + (p.in_registers ? 4 : 1), *last = right + 4;
    if ((!p.in_registers && i.count != columns / 2 + 7) || right[1].number >> 1 ||
        right[2].number != 1 || right[3].number != 1)
        fail(i.place, "%s is not known here in this form", i.name.c_str());
    if (!p.in_registers) p.a = operand_of((uint64_t)x[0].number, last++->number, i.place);
    p.b = operand_of((uint64_t)right[0].number, last->number, i.place);
    p.columns = columns;
    p.is_bf16 = has(i, ".bf16.bf16");
    p.adds = right[1].number;
    p.warp = world.running->warp;
    p.place = i.place;
    return p;
}

static void multiply_shared(void *const *values) {
    const Instruction *const *lane = (const Instruction *const *)values;
    Product p = product_of(*lane[0]);
    for (int l = 0; l < WARP; l++) {
        const Instruction::Argument *x = lane[l]->argument;
        p.sum[l] = (float *)x[0].at;
        for (int i = 0; i < p.columns / 2; i++)
            if (x[i].at != p.sum[l] + i) fail(p.place, "sums that are no array are not known here");
        for (int i = 0; p.in_registers && i < 4; i++)
            p.left[l][i] = (uint32_t)x[p.columns / 2 + i].number;
    }
    product_start(p);
}

static void commit_products(void *const *) { products_commit(world.warp[world.running->warp]); }

static void wait_for_products(void *const *values) {
    const Instruction &first = **(const Instruction *const *)values;
    products_wait(world.warp[world.running->warp], (int)first.argument[0].number);
}

/* "mbarrier.", "barrier.", "fence.", and what else keeps warpgroups and TMA apart. */
static bool is_order(const Instruction &i) {
    const Instruction::Argument *x = i.argument;
    const void *from = (void *)i.place;
    if (starts(i, "mbarrier.init.")) {
        barrier_start((unsigned)x[0].number, (int)x[1].number, from);
    } else if (starts(i, "mbarrier.arrive.expect_tx.")) {
        barrier_come((unsigned)x[0].number, x[1].number, from);
    } else if (starts(i, "mbarrier.arrive.")) {
        barrier_come((unsigned)x[0].number, 0, from);
    } else if (starts(i, "barrier.cta.")) {
        named_barrier((int)x[0].number, (int)x[1].number, has(i, ".sync"), from);
    } else if (starts(i, "fence.proxy.async.")) {
        world.running->fenced = ++world.warp[world.running->warp].now;
    } else {
        return starts(i, "fence.mbarrier_init.") || starts(i, "wgmma.fence.") ||
               starts(i, "setmaxnreg.");
    }
    return true;
}

/* ---- an instruction -------------------------------------------------------------------------- */

static void execute(const Instruction &i) {
    const Instruction::Argument *x = i.argument;
    if (i.name.empty()) {
        /* keeps the compiler from knowing a value */
    } else if (starts(i, "cp.async.commit_group")) {
        commit_async();
    } else if (starts(i, "cp.async.wait_group")) {
        wait_async((int)x[0].number, (void *)i.place);
    } else if (starts(i, "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx")) {
        copy_box((unsigned)x[0].number, (void *)x[1].number,
                 {(int)x[2].number, (int)x[3].number, (int)x[4].number}, (unsigned)x[5].number,
                 (void *)i.place);
    } else if (starts(i, "wgmma.mma_async.sync.aligned.") && has(i, "k16.f32.")) {
        warp_together(multiply_shared, (void *)&i, i.place);
    } else if (starts(i, "wgmma.commit_group.")) {
        warp_together(commit_products, (void *)&i, i.place);
    } else if (starts(i, "wgmma.wait_group.")) {
        warp_together(wait_for_products, (void *)&i, i.place);
    } else if (is_order(i)) {
        /* done */
    } else if (starts(i, "cp.async.")) {
        size_t size = (size_t)x[2].number, read = i.count > 3 ? (size_t)x[3].number : size;
        cp_async((void *)shared_place((unsigned)x[0].number), (void *)x[1].number, size, read,
                   (void *)i.place);
    } else if (starts(i, "ldmatrix.sync.aligned.m8n8.") && has(i, ".b16")) {
        warp_together(load_matrices, (void *)&i, i.place);
    } else if (starts(i, "mma.sync.aligned.") && has(i, ".row.col.")) {
        warp_together(multiply_add, (void *)&i, i.place);
    } else if (i.name == "cvt.rna.tf32.f32") {
        x[0].bits() = (x[1].bits() + 0x1000) & ~0x1fffu;
    } else if (i.name == "ex2.approx.ftz.f32") {
        *(float *)x[0].at = exp2f(*(float *)x[1].at);
    } else {
        fail(i.place, "the shim does not know %s", i.name.c_str());
    }
}

/* "{ .reg .pred p; mbarrier.try_wait.. p, [%1], %2; selp.u32 %0, 1, 0, p; }" */
static bool is_wait(const char *text, const char *constraints, const Operand *operands,
                    const void *from) {
    if (!strstr(text, "mbarrier.try_wait.parity.")) return false;
    check_constraints(constraints, operands, (Place)from);
    barrier_await((unsigned)value_of(operands[1]), (unsigned)value_of(operands[2]), from);
    *(unsigned *)operands[0].at = 1;
    return true;
}

void ptx(const char *text, const char *constraints, const Operand *operands, const void *from) {
    if (is_wait(text, constraints, operands, from)) return;
    size_t name = strcspn(text, " ;");
    Instruction i = {std::string(text, name), (Place)from, {}, 0};
    check_constraints(constraints, operands, i.place);
    parse_arguments(i, text + name, operands);
    execute(i);
}

} // namespace shim
