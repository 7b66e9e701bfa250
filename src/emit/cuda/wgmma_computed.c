/* wgmma_computed.c: operands of a contraction by wgmma that are computed: producer warpgroups take
 * stages in turn, and each makes the elements of a stage in chunks of 16 bytes. What these are
 * computed from, as it is in memory, cp.async brings stages ahead.
 * In: Kernel of family F_DOT, its DotForm, a Tile for wgmma. Out: fills of templates/cuda/wgmma.cu.
 */
#include "emit/cuda/mma.h"

enum { GROUP_THREADS = 128, UNROLL = 4 /* chunks that a thread computes at a time */ };

/* "a_bytes + 2 * b_bytes": what TMA brings of a stage. */
static const char *bytes_text(Arena *arena, const DotForm *f) {
    int rights = 0;
    for (int i = 0; i < f->count; i++) rights += f->right[i] != OPERAND_COMPUTED;
    const char *left = f->left != OPERAND_COMPUTED ? "a_bytes" : "";
    if (!rights) return left;
    const char *right = rights == 1 ? "b_bytes" : arena_printf(arena, "%d * b_bytes", rights);
    return *left ? arena_printf(arena, "%s + %s", left, right) : right;
}

static void put_operands(Mma *m, MmaFetches *out) {
    const Body *b = m->c->w.b;
    const DotForm *f = m->form;
    const Summand s = body_summand(b, 0);
    const MmaOperand left = {.value = s.left,
                             .own = DOT_M,
                             .summed = s.axis,
                             .rows = m->t.m,
                             .feed = f->left,
                             .start = "m_start",
                             .slot = "slot",
                             .raw = &f->fed_left};
    if (f->left == OPERAND_COMPUTED) mma_put_operand(m, &left, out);
    for (int i = 0; i < f->count; i++) {
        const MmaOperand right = {.value = s.right[i],
                                  .own = DOT_N,
                                  .summed = s.axis,
                                  .rows = m->t.n,
                                  .feed = f->right[i],
                                  .start = "n_start",
                                  .slot = cuda_wgmma_right_slot(m->k->arena, i),
                                  .raw = &f->fed_right[i]};
        if (f->right[i] == OPERAND_COMPUTED) mma_put_operand(m, &right, out);
    }
}

/* What is left of the axes along which computed operands have rows. */
static const char *left_text(const Mma *m) {
    const char *of_m = "", *of_n = "";
    if (m->form->left == OPERAND_COMPUTED) of_m = mma_left_text(m, DOT_M, "m_start", "tile_m");
    for (int i = 0; i < m->form->count; i++)
        if (m->form->right[i] == OPERAND_COMPUTED)
            of_n = mma_left_text(m, DOT_N, "n_start", "tile_n");
    return arena_printf(m->k->arena, "%s%s", of_m, of_n);
}

/* Does cp.async bring something? */
static bool has_copies(const DotForm *f) {
    bool any = f->fed_left.count;
    for (int i = 0; i < f->count; i++) any = any || f->fed_right[i].count;
    return any;
}

/* The text that computes a stage, behind where it starts along k. */
static const char *computed_text(const Mma *m, const char *k_start, const MmaFetches *fetches) {
    Arena *arena = m->k->arena;
    const Choice choices[] = {{"", "wide", text_get(&fetches->wide)},
                              {"", "", text_get(&fetches->single)}};
    return arena_printf(arena, "%s%s%s%s", k_start, text_get(&m->converted),
                        text_get(&fetches->all),
                        fetches->wide.size ? choice_text(arena, choices, 2) : "");
}

void cuda_wgmma_computed(CudaKernel *k, CudaWriter *c, const DotForm *form, Alignments *alignments,
                         Fills *fills) {
    Arena *arena = k->arena;
    Mma m = {.k = k, .c = c, .form = form, .t = c->tile, .alignments = *alignments};
    m.t.threads = GROUP_THREADS;
    m.t.operand_unroll = UNROLL;
    m.pointers = text_new(arena), m.converted = text_new(arena), m.raw_sizes = text_new(arena),
    m.copies = text_new(arena);
    m.stage_bytes = "0";
    c->raw_memory = "copies", c->raw_threads = GROUP_THREADS;
    MmaFetches fetches = {text_new(arena), text_new(arena), text_new(arena)};
    put_operands(&m, &fetches);
    *alignments = m.alignments;
    const char *k_start = arena_printf(arena, "%s%s", cuda_k_start(c, 0),
                                       mma_left_text(&m, DOT_K, "k_start", "tile_k"));
    const char *places = arena_printf(arena, "constexpr int ahead = %d%s;\n", wgmma_ahead(form),
                                      text_get(&m.raw_sizes));
    const Fill made[] = {{"IF_BROUGHT", wgmma_brings(form) ? "1" : ""},
                         {"BROUGHT", bytes_text(arena, form)},
                         {"IF_RAW", has_copies(form) ? "1" : ""},
                         {"LEFT", left_text(&m)},
                         {"PLACES", places},
                         {"COPY_BYTES", m.stage_bytes},
                         {"RAW_COPIES", arena_printf(arena, "%s%s", k_start, text_get(&m.copies))},
                         {"COMPUTED", computed_text(&m, k_start, &fetches)}};
    FILLS_ADD(arena, fills, made);
}
