/* ptx.cpp: what the instructions of inline PTX do. Those of a whole warp wait for all of its
 * threads. Sums of products are exact, and rounded once for each instruction; a tensor core
 * truncates instead, at about the same place. */
#include "runtime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unordered_map>

namespace shim {

enum { MOST_OPERANDS = 140 };

struct Instruction;
typedef void Action(const Instruction &i);

/* What a text says, read once. An argument is the number of an operand, or (is_number) a number. */
struct Form {
    std::string name;
    std::vector<std::string> part; /* of the name, between its dots */
    struct Argument {
        bool is_number;
        long long value;
    };
    std::vector<Argument> argument;
    Action *action; /* NULL: not known here */
    bool is_wait;
};

/* An instruction of one thread, its operands in the order of its text. */
struct Instruction {
    const Form &form;
    Place place;
    struct Argument {
        void *at; /* a register; NULL: a number */
        size_t size;
        long long number;
        uint32_t &bits() const { return *(uint32_t *)at; }
    } argument[MOST_OPERANDS];
    int count;
    Instruction(const Form &its_form, Place its_place)
        : form(its_form), place(its_place), count(0) {}
};

/* ---- the text -------------------------------------------------------------------------------- */

static long long value_of(const Operand &o) {
    long long value = 0;
    memcpy(&value, o.at, o.size < sizeof value ? o.size : sizeof value);
    return value;
}

/* "%3", "[%3]" or "16": braces and brackets only say what the instruction's name does, too. */
static std::vector<Form::Argument> parse_arguments(const char *text) {
    std::vector<Form::Argument> arguments;
    for (const char *p = text; *p && *p != ';';) {
        if (*p == '%')
            arguments.push_back({false, strtoll(p + 1, (char **)&p, 10)});
        else if (*p >= '0' && *p <= '9')
            arguments.push_back({true, strtoll(p, (char **)&p, 0)});
        else
            p++;
    }
    return arguments;
}

static void set_arguments(Instruction &i, const Operand *operands) {
    if (i.form.argument.size() > MOST_OPERANDS)
        fail(i.place, "inline PTX with too many operands");
    for (const Form::Argument &a : i.form.argument) {
        if (a.is_number) {
            i.argument[i.count++] = {nullptr, 0, a.value};
        } else {
            const Operand &o = operands[a.value];
            i.argument[i.count++] = {o.at, o.size, value_of(o)};
        }
    }
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
    return i.form.name.find(part) != std::string::npos;
}

/* ---- ldmatrix -------------------------------------------------------------------------------- */

static int matrix_count(const Instruction &i) { return has(i, ".x4") ? 4 : has(i, ".x2") ? 2 : 1; }

/* Each row is read by the thread that says where it is. */
static void load_matrices(void *const *values) {
    const Instruction *const *lane = (const Instruction *const *)values;
    const Instruction &first = *lane[0];
    const int count = matrix_count(first);
    Thread *threads = world.running - world.running->lane;
    const bool turned = has(first, ".trans");
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

double half_float(uint16_t bits) {
    static const std::vector<double> values = [] {
        std::vector<double> all(1 << 16);
        for (uint32_t i = 0; i < all.size(); i++) all[i] = small_float(i, 5, 10, true);
        return all;
    }();
    return values[bits];
}

/* Of 8 bits of exponent, as f32 has. */
static double upper_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static double value_of_bf16(uint32_t word) { return upper_float(word << 16); }
static double value_of_f16(uint32_t word) { return half_float((uint16_t)word); }
static double value_of_tf32(uint32_t word) { return upper_float(word & ~0x1fffu); }
static double value_of_e4m3(uint32_t word) { return small_float(word, 4, 3, false); }
static double value_of_e5m2(uint32_t word) { return small_float(word, 5, 2, true); }
static double value_of_s8(uint32_t word) { return (double)(int8_t)word; }
static double value_of_u8(uint32_t word) { return (double)(uint8_t)word; }

static const Type types[] = {
    {"bf16", 2, true, value_of_bf16, 0},  {"f16", 2, true, value_of_f16, 0},
    {"tf32", 4, true, value_of_tf32, 0},  {"e4m3", 1, true, value_of_e4m3, 14},
    {"e5m2", 1, true, value_of_e5m2, 14}, {"s8", 1, false, value_of_s8, 0},
    {"u8", 1, false, value_of_u8, 0}};

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
    return t.value(i.argument[first + row / 8 + at / 16 * step].bits() >> at % 4 * 8);
}

/* Operands are d, a, b, c, as many registers as PTX says for 16 x 8 of d and 32 bytes of a row. */
static void multiply_add(void *const *values) {
    enum { A = 4, B = 8, C = 10 };
    const Instruction *const *lane = (const Instruction *const *)values;
    const std::vector<std::string> &part = lane[0]->form.part;
    const Place place = lane[0]->place;
    const Type &a = type_of(part[7], place), &b = type_of(part[8], place);
    double left[16][32], right[8][32];
    uint32_t results[WARP][4];
    const int depth = 32 / a.bytes;
    if (part[3] != "m16n8k" + std::to_string(depth) || a.bytes != b.bytes)
        fail(place, "%s is not known here", lane[0]->form.name.c_str());
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
            result = a.is_float ? *(uint32_t *)&total : c + (uint32_t)(int32_t)sum;
        }
    for (int l = 0; l < WARP; l++)
        for (int number = 0; number < 4; number++)
            lane[l]->argument[number].bits() = results[l][number];
}

/* ---- products of warpgroups ------------------------------------------------------------------ */

/* Arguments after the sums: a descriptor of a or its four registers, a descriptor of b, whether the
 * sums count, of floats two signs, and, of elements of 16 bits, which operands in shared memory do
 * not lie along k. */
static int argument_count(const Type &t, bool in_registers) {
    const int turns = t.bytes == 2 ? 2 - in_registers : 0;
    return (in_registers ? 4 : 1) + 2 + (t.is_float ? 2 : 0) + turns;
}

/* "m64n96k16.f32.bf16.bf16": shapes and types that PTX has. */
static bool is_shape(const Form &form, const Type &t, int columns) {
    const int step = t.is_float || columns <= 32 ? 8 : 16;
    const std::string shape = "m64n" + std::to_string(columns) + "k" + std::to_string(32 / t.bytes);
    return form.part.size() == 8 && form.part[4] == shape && columns >= 8 && columns <= 256 &&
           columns % step == 0 && form.part[5] == (t.is_float ? "f32" : "s32") &&
           form.part[6] == form.part[7];
}

static Product product_of(const Instruction &i) {
    const int columns = atoi(i.form.part[4].c_str() + strlen("m64n"));
    const Type &type = type_of(i.form.part.back(), i.place);
    const Instruction::Argument *x = i.argument + columns / 2;
    Product p = {};
    p.in_registers = i.count == columns / 2 + argument_count(type, true);
    const Instruction::Argument *right = x + (p.in_registers ? 4 : 1), *last = right + 4;
    const bool is_known = i.count == columns / 2 + argument_count(type, p.in_registers) &&
                          is_shape(i.form, type, columns) && !(right[1].number >> 1);
    if (!is_known || (type.is_float && (right[2].number != 1 || right[3].number != 1)))
        fail(i.place, "%s is not known here in this form", i.form.name.c_str());
    const bool turns = type.bytes == 2;
    if (!p.in_registers)
        p.a = operand_of((uint64_t)x[0].number, turns && last++->number, i.place);
    p.b = operand_of((uint64_t)right[0].number, turns && last->number, i.place);
    p.columns = columns;
    p.type = &type;
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
        p.sum[l] = (uint32_t *)x[0].at;
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

/* ---- an instruction -------------------------------------------------------------------------- */

static void nothing(const Instruction &) {}

static void set_flag(const Instruction &i) {
    flag_set((uintptr_t)i.argument[0].number, (unsigned)i.argument[1].number, i.place);
}

static void read_flag(const Instruction &i) {
    *(unsigned *)i.argument[0].at = flag_read((uintptr_t)i.argument[1].number, i.place);
}

static void start_barrier(const Instruction &i) {
    barrier_start((unsigned)i.argument[0].number, (int)i.argument[1].number, (void *)i.place);
}

static void arrive(const Instruction &i) {
    barrier_come((unsigned)i.argument[0].number, 0, (void *)i.place);
}

static void arrive_and_expect(const Instruction &i) {
    barrier_come((unsigned)i.argument[0].number, i.argument[1].number, (void *)i.place);
}

static void meet(const Instruction &i) {
    named_barrier((int)i.argument[0].number, (int)i.argument[1].number, has(i, ".sync"),
                  (void *)i.place);
}

static void fence(const Instruction &) {
    world.running->fenced = ++world.now;
}

static void commit(const Instruction &) { commit_async(); }

static void await(const Instruction &i) {
    wait_async((int)i.argument[0].number, (void *)i.place);
}

static void copy_async(const Instruction &i) {
    const Instruction::Argument *x = i.argument;
    size_t size = (size_t)x[2].number, read = i.count > 3 ? (size_t)x[3].number : size;
    cp_async((void *)shared_place((unsigned)x[0].number), (void *)x[1].number, size, read,
             (void *)i.place);
}

static void copy_tensor(const Instruction &i) {
    const Instruction::Argument *x = i.argument;
    const unsigned blocks = has(i, ".multicast::cluster") ? (unsigned)x[6].number
                                                          : 1u << world.running->block;
    copy_box((unsigned)x[0].number, (void *)x[1].number,
             {(int)x[2].number, (int)x[3].number, (int)x[4].number, 0}, (unsigned)x[5].number,
             blocks, (void *)i.place);
}

static void copy_pixels(const Instruction &i) {
    const Instruction::Argument *x = i.argument;
    if (x[7].number) fail(i.place, "offsets within a box are not known here");
    copy_box((unsigned)x[0].number, (void *)x[1].number,
             {(int)x[2].number, (int)x[3].number, (int)x[4].number, (int)x[5].number},
             (unsigned)x[6].number, 1u << world.running->block, (void *)i.place);
}

static void store_tensor(const Instruction &i) {
    const Instruction::Argument *x = i.argument;
    store_box((unsigned)x[4].number, (void *)x[0].number,
              {(int)x[1].number, (int)x[2].number, (int)x[3].number}, (void *)i.place);
}

static void prefetch_tensor(const Instruction &i) {
    prefetch_box((void *)i.argument[0].number, (void *)i.place);
}

static void commit_stores(const Instruction &) { commit_boxes(); }

static void await_stores(const Instruction &i) { wait_for_boxes((int)i.argument[0].number); }

static void map_address(const Instruction &i) {
    const Instruction::Argument *x = i.argument;
    if (x[2].number < 0 || x[2].number >= world.config->bounds.cluster)
        fail(i.place, "block %lld of a cluster of %d", x[2].number, world.config->bounds.cluster);
    x[0].bits() = cluster_address((unsigned)x[1].number, (int)x[2].number);
}

/* A place in the shared memory of a block of the cluster, which is shown. It may not have started
 * before the first barrier of the cluster. */
static uintptr_t place_at(const Instruction &i, unsigned address, const char *what) {
    int block = 0;
    const uintptr_t at = shared_place(address_within(address, &block));
    if (block < 0 || block >= world.config->bounds.cluster)
        fail(i.place, "an address that is of no block of the cluster");
    if (block != world.running->block && world.cluster_epoch < world.block_epoch)
        fail(i.place, "race: a %s block %d of the cluster, with no barrier of the cluster "
                      "since it started", what, block);
    shared_show(block);
    return at;
}

static void store_at(const Instruction &i) {
    const uintptr_t at = place_at(i, (unsigned)i.argument[0].number, "store to");
    memory_access(at, 4, Access::write, true, i.place);
    *(uint32_t *)at = i.argument[1].bits();
    shared_show(world.running->block);
}

/* Four words, all of which are aligned. */
static void load_at(const Instruction &i) {
    enum { WORDS = 4, BYTES = 4 * WORDS };
    uint32_t word[WORDS];
    const uintptr_t at = place_at(i, (unsigned)i.argument[WORDS].number, "load from");
    if (at % BYTES) fail(i.place, "misaligned: a load of %d bytes at no multiple of them", BYTES);
    memory_access(at, BYTES, Access::read, true, i.place);
    memcpy(word, (const void *)at, BYTES);
    shared_show(world.running->block);
    for (int n = 0; n < WORDS; n++) i.argument[n].bits() = word[n];
}

/* Each number is an atomic of its own; all together are aligned. */
static void add_to_memory(const Instruction &i) {
    const int count = i.count - 1;
    float *const at = (float *)i.argument[0].number;
    if ((uintptr_t)at % (sizeof *at * (size_t)count))
        fail(i.place, "misaligned: adds %d numbers at no multiple of %zu", count,
             sizeof *at * (size_t)count);
    for (int n = 0; n < count; n++) {
        memory_access((uintptr_t)(at + n), sizeof *at, Access::atomic, true, i.place);
        at[n] += *(float *)i.argument[1 + n].at;
    }
}

static void arrive_at(const Instruction &i) {
    barrier_come_to((unsigned)i.argument[0].number, (void *)i.place);
}

/* All threads come to the barrier where they wait: later than they may arrive. */
static void arrive_in_cluster(const Instruction &i) {
    if (world.running->arrived)
        fail(i.place, "arrives again at the barrier of the cluster, and has not waited");
    world.running->arrived = true;
}

static void meet_cluster(const Instruction &i) {
    if (!world.running->arrived)
        fail(i.place, "waits at the barrier of the cluster, and has not arrived");
    world.running->arrived = false;
    thread_wait(State::at_cluster, i.place);
}

template <Together *together> static void by_warp(const Instruction &i) {
    warp_together(together, (void *)&i, i.place);
}

static void round_to_tf32(const Instruction &i) {
    i.argument[0].bits() = (i.argument[1].bits() + 0x1000) & ~0x1fffu;
}

static void exponential(const Instruction &i) {
    *(float *)i.argument[0].at = exp2f(*(float *)i.argument[1].at);
}

static void reciprocal(const Instruction &i) {
    *(float *)i.argument[0].at = 1.0f / *(float *)i.argument[1].at;
}

static void quotient(const Instruction &i) {
    *(float *)i.argument[0].at = *(float *)i.argument[1].at / *(float *)i.argument[2].at;
}

/* By how names start, the first that fits; `part` is in them, too. */
static const struct {
    const char *start, *part;
    Action *action;
} actions[] = {
    {"cp.async.commit_group", "", commit},
    {"cp.async.wait_group", "", await},
    {"cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx", "", copy_tensor},
    {"cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx", "",
     copy_pixels},
    {"cp.async.bulk.tensor.3d.global.shared::cta.bulk_group", "", store_tensor},
    {"cp.async.bulk.prefetch.tensor.3d.L2.global.tile", "", prefetch_tensor},
    {"cp.async.bulk.commit_group", "", commit_stores},
    {"cp.async.bulk.wait_group.read", "", await_stores},
    {"cp.async.", "", copy_async},
    {"wgmma.mma_async.sync.aligned.", "", by_warp<multiply_shared>},
    {"wgmma.commit_group.", "", by_warp<commit_products>},
    {"wgmma.wait_group.", "", by_warp<wait_for_products>},
    {"wgmma.fence.", "", nothing},
    {"mbarrier.init.", "", start_barrier},
    {"mbarrier.arrive.expect_tx.", "", arrive_and_expect},
    {"mbarrier.arrive.", ".shared::cluster.", arrive_at},
    {"mbarrier.arrive.", "", arrive},
    {"mapa.shared::cluster.u32", "", map_address},
    {"st.shared::cluster.b32", "", store_at},
    {"ld.shared::cluster.v4.b32", "", load_at},
    {"red.global.add.", ".f32", add_to_memory},
    {"st.release.gpu.global.u32", "", set_flag},
    {"ld.acquire.gpu.global.u32", "", read_flag},
    {"barrier.cluster.arrive", "", arrive_in_cluster},
    {"barrier.cluster.wait", "", meet_cluster},
    {"barrier.cta.", "", meet},
    {"fence.proxy.async.", "", fence},
    {"fence.mbarrier_init.", "", nothing},
    {"setmaxnreg.", "", nothing},
    {"griddepcontrol.", "", nothing},
    {"ldmatrix.sync.aligned.m8n8.", ".b16", by_warp<load_matrices>},
    {"mma.sync.aligned.", ".row.col.", by_warp<multiply_add>},
    {"cvt.rna.tf32.f32", "", round_to_tf32},
    {"ex2.approx.ftz.f32", "", exponential},
    {"rcp.approx.ftz.f32", "", reciprocal},
    {"div.full.f32", "", quotient},
};

static Action *action_of(const std::string &name) {
    if (name.empty()) return nothing; /* keeps the compiler from knowing a value */
    for (const auto &a : actions)
        if (!name.compare(0, strlen(a.start), a.start) && name.find(a.part) != std::string::npos)
            return a.action;
    return nullptr;
}

static Form form_of(const char *text) {
    size_t end = strcspn(text, " ;");
    std::string name(text, end);
    return {name, parts_of(name), parse_arguments(text + end), action_of(name),
            strstr(text, "mbarrier.try_wait.parity.") != nullptr};
}

/* "{ .reg .pred p; mbarrier.try_wait.. p, [%1], %2; selp.u32 %0, 1, 0, p; }" */
static void wait(const Operand *operands, const void *from) {
    barrier_await((unsigned)value_of(operands[1]), (unsigned)value_of(operands[2]), from);
    *(unsigned *)operands[0].at = 1;
}

/* Of each instruction of a text. */
static std::vector<Form> forms_of(const char *text) {
    std::vector<Form> forms = {form_of(text)};
    if (forms[0].is_wait) return forms;
    for (const char *end = strchr(text, ';'); end && end[1]; end = strchr(end + 1, ';'))
        forms.push_back(form_of(end + 1));
    return forms;
}

void ptx(const char *text, const char *constraints, const Operand *operands, const void *from) {
    static std::unordered_map<const char *, std::vector<Form>> known; /* texts are literals */
    auto found = known.find(text);
    if (found == known.end()) found = known.emplace(text, forms_of(text)).first;
    check_constraints(constraints, operands, (Place)from);
    if (found->second[0].is_wait) return wait(operands, from);
    for (const Form &form : found->second) {
        Instruction i = {form, (Place)from};
        set_arguments(i, operands);
        if (!form.action) fail(i.place, "the shim does not know %s", form.name.c_str());
        form.action(i);
    }
}

} // namespace shim
