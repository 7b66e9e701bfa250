/* chips.c: what chips do at most: peak rates by unit and type, bandwidth, links between devices, by
 * their vendors' data; and a Machine of each, to plan for it.
 * In: "H200", or a Machine. Out: a Chip, a Machine; operations per second. */
#include "sched/cost/cost.h"

#include <string.h>
#include <strings.h>

#define T 1e12

const char *const unit_name[UNIT_COUNT] = {
    [UNIT_F64] = "f64",   [UNIT_F32] = "f32",   [UNIT_INT] = "int", [UNIT_SPECIAL] = "special",
    [UNIT_TF32] = "tf32", [UNIT_BF16] = "bf16", [UNIT_F8] = "f8",   [UNIT_I8] = "i8"};

/* Dense products, summed in f32 or i32, at the boost clock. special: 16 per clock and
 * multiprocessor. link: bytes per second that a device sends; receiving comes on top. */
static const Chip chips[] = {
    {.name = "A100",
     .arch = "sm_80",
     .processors = 108,
     .clock = 1410,
     .bandwidth = 2.039e12,
     .link = 3e11,
     .l2 = 40,
     .memory = "80 GB HBM2e",
     .rate = {9.7 * T, 19.5 * T, 19.5 * T, 2.44 * T, 156 * T, 312 * T, 0, 624 * T},
     .source =
         "NVIDIA A100 Tensor Core GPU data sheet (SXM, 80 GB); NVLink 3: 600 GB/s, half of it "
         "each way"},
    {.name = "H100",
     .arch = "sm_90a",
     .processors = 132,
     .clock = 1755,
     .bandwidth = 3.35e12,
     .link = 4.5e11,
     .l2 = 50,
     .memory = "80 GB HBM3",
     .rate = {33.5 * T, 67 * T, 33.5 * T, 3.71 * T, 494.7 * T, 989.4 * T, 1978.9 * T, 1978.9 * T},
     .source =
         "NVIDIA H100 Tensor Core GPU data sheet (SXM5), without sparsity; NVLink 4: 900 GB/s, "
         "half of it each way"},
    {.name = "H200",
     .arch = "sm_90a",
     .processors = 132,
     .clock = 1755,
     .bandwidth = 4.8e12,
     .link = 4.5e11,
     .l2 = 50,
     .memory = "141 GB HBM3e",
     .rate = {33.5 * T, 67 * T, 33.5 * T, 3.71 * T, 494.7 * T, 989.4 * T, 1978.9 * T, 1978.9 * T},
     .source = "NVIDIA H200 Tensor Core GPU data sheet (SXM), without sparsity; NVLink 4"},
    {.name = "B200",
     .arch = "sm_100",
     .processors = 148,
     .clock = 1850,
     .bandwidth = 8e12,
     .link = 9e11,
     .l2 = 126,
     .memory = "180 GB HBM3e",
     .rate = {37 * T, 75 * T, 37.5 * T, 4.38 * T, 1100 * T, 2250 * T, 4500 * T, 4500 * T},
     .source = "NVIDIA HGX B200 data sheet, without sparsity; bandwidth: an eighth of the 64 TB/s "
               "of a DGX B200; NVLink 5: 1.8 TB/s, half of it each way"},
    {.name = "RTX 4090",
     .arch = "sm_89",
     .processors = 128,
     .clock = 2520,
     .bandwidth = 1.008e12,
     .link = 3.15e10,
     .l2 = 72,
     .memory = "24 GB GDDR6X",
     .rate = {1.29 * T, 82.6 * T, 41.3 * T, 5.16 * T, 82.6 * T, 165.2 * T, 330.3 * T, 660.6 * T},
     .source =
         "NVIDIA Ada GPU Architecture white paper, summed in f32, without sparsity; PCIe 4 x16"},
    {.name = "L4",
     .arch = "sm_89",
     .processors = 58,
     .clock = 2040,
     .bandwidth = 3e11,
     .link = 3.15e10,
     .l2 = 48,
     .memory = "24 GB GDDR6",
     .rate = {0.49 * T, 30.3 * T, 15.1 * T, 1.89 * T, 60 * T, 121 * T, 242.5 * T, 242.5 * T},
     .source = "NVIDIA L4 Tensor Core GPU data sheet, half of the rates with sparsity; PCIe 4 x16"},
    {.name = "core",
     .processors = 1,
     .clock = 2500,
     .bandwidth = 2e10,
     .l2 = 2,
     .memory = "DRAM",
     .rate = {0.08 * T, 0.16 * T, 0.08 * T, 0.005 * T},
     .source = "one core of a server CPU with 512-bit vectors, measured by the programs in bench/"},
    {.name = "TPU v5e",
     .is_arithmetic = true,
     .processors = 1,
     .bandwidth = 8.1e11,
     .link = 4.5e10,
     .memory = "16 GB HBM2",
     .rate = {[UNIT_BF16] = 197 * T, [UNIT_I8] = 394 * T},
     .source = "Google Cloud, TPU v5e system architecture, which has 393 for i8 and 819 GB/s; i8, "
               "bandwidth and link (one way) as in \"How to Scale Your Model\""},
};

const Chip *chip_at(int i) { return i < (int)(sizeof chips / sizeof chips[0]) ? &chips[i] : NULL; }

/* In any case, blanks or not: "rtx4090". */
static bool is_name(const char *given, const char *name) {
    while (*given && *name) {
        if (*name == ' ' && *given != ' ' && *given != '-' && *given != '_') name++;
        const bool is_blank = *name == ' ';
        if (!is_blank && strncasecmp(given, name, 1) != 0) return false;
        given++, name++;
    }
    return !*given && !*name;
}

const Chip *chip_find(const char *name) {
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++)
        if (is_name(name, chips[i].name)) return &chips[i];
    return NULL;
}

/* ---- machines of chips ------------------------------------------------------------------- */

/* A CPU's clock is one at which its vectors reach the rate of f32. */
static int clock_of(const Chip *c, const Machine *m) {
    if (c->clock && c->arch) return c->clock;
    const double each = 2.0 * m->fma * m->processors * 1e6;
    return c->rate[UNIT_F32] > each ? (int)(c->rate[UNIT_F32] / each) : m->clock;
}

Machine *machine_of_chip(Arena *arena, const Chip *c) {
    Machine *m = arena_new_of(arena, Machine);
    const bool is_gpu = c->arch || c->is_arithmetic; /* some machine must be planned for */
    *m = is_gpu ? *machine_gpu(c->arch) : *machine_cpu();
    m->name = c->name;
    m->chip = c;
    if (c->is_arithmetic) return m;
    m->processors = c->processors;
    m->clock = clock_of(c, m);
    m->bandwidth = c->bandwidth > 1e9 ? (int)(c->bandwidth / 1e9) : 1;
    if (c->l2) m->l2_size = c->l2;
    return m;
}

/* ---- rates ---------------------------------------------------------------------------------- */

/* By the numbers per clock, where no data sheet is at hand. */
static double derived(const Machine *m, Unit unit) {
    const double clocks = 1e6 * m->clock * m->processors;
    const int products = m->tensor ? m->tensor : m->wgmma > m->mma ? m->wgmma : m->mma;
    switch (unit) {
    case UNIT_F64: return 2 * m->fma * clocks / 64;
    case UNIT_F32: return 2 * m->fma * clocks;
    case UNIT_INT: return m->fma * clocks;
    case UNIT_SPECIAL: return m->special * clocks;
    case UNIT_TF32: return machine_has_mma(m) ? products * clocks : 0;
    case UNIT_BF16: return 2 * products * clocks;
    case UNIT_F8: return machine_has_mma_f8(m) ? 4 * products * clocks : 0;
    default: return 4 * products * clocks;
    }
}

/* What computes in place of a unit that there is not. */
static Unit instead(Unit unit) {
    switch (unit) {
    case UNIT_F8: return UNIT_BF16;
    case UNIT_TF32:
    case UNIT_BF16:
    case UNIT_I8: return UNIT_F32;
    default: return unit;
    }
}

const Chip *machine_chip(const Machine *m) { return m->chip ? m->chip : chip_find(m->name); }

double machine_rate(const Machine *m, Unit unit) {
    const Chip *c = machine_chip(m);
    double rate = c ? c->rate[unit] : derived(m, unit);
    while (!(rate > 0) && instead(unit) != unit) {
        unit = instead(unit);
        rate = c ? c->rate[unit] : derived(m, unit);
    }
    return rate;
}

double machine_bandwidth(const Machine *m) {
    const Chip *c = machine_chip(m);
    return c ? c->bandwidth : 1e9 * m->bandwidth;
}

double machine_link(const Machine *m) {
    const Chip *c = machine_chip(m);
    return c ? c->link : 0;
}

/* ---- which unit computes a node -------------------------------------------------------------- */

static size_t widest_operand(const Graph *g, const Node *n, bool *is_int) {
    size_t widest = 0;
    for (int s = 0; s < 2; s++) {
        const Node *x = &g->node[n->src[s]];
        while (x->op == OP_CAST && dtype_is_narrow(g->node[x->src[0]].type))
            x = &g->node[x->src[0]];
        if (dtype_size(x->type) > widest) widest = dtype_size(x->type);
        *is_int = dtype_is_int(x->type);
    }
    return widest;
}

static Unit product_unit(const Graph *g, const Node *n, int *times) {
    bool is_int;
    const size_t widest = widest_operand(g, n, &is_int);
    if (widest == 1) return is_int ? UNIT_I8 : UNIT_F8;
    if (is_int) return UNIT_INT;
    if (widest == 2) return UNIT_BF16;
    if (widest > sizeof(float)) return UNIT_F64;
    switch (g->attrs.precision) {
    case P_TF32: return UNIT_TF32;
    case P_TF32X3: return *times = 3, UNIT_TF32;
    case P_BF16X3: return *times = 3, UNIT_BF16;
    case P_BF16X6: return *times = 6, UNIT_BF16;
    default: return UNIT_F32;
    }
}

Unit node_unit(const Graph *g, NodeId id, int *times) {
    const Node *n = &g->node[id];
    const Node *first = n->src_count ? &g->node[n->src[0]] : n;
    *times = 1;
    if (op_info[n->op].class == DOT) return product_unit(g, n, times);
    if (dtype_is_int(first->type) || first->type == T_BOOL) return UNIT_INT;
    if (first->type == T_F64 || n->type == T_F64) return UNIT_F64;
    return op_info[n->op].costly ? UNIT_SPECIAL : UNIT_F32;
}
