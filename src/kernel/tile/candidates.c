/* candidates.c: the legal tiles of a kernel, the fastest first: the only way to get them.
 * In: a body of a Kernel, a Machine. Out: Tiles; or the rule that a tile breaks. */
#include "kernel/tile/tile_private.h"

#include <stdarg.h>
#include <stdlib.h>

static const TileFamily *family_of(TileKind kind) {
    switch (kind) {
    case TILE_POINTWISE: return &tile_pointwise;
    case TILE_TRANSPOSE: return &tile_transpose;
    case TILE_PERMUTE: return &tile_permute;
    case TILE_ROW: return &tile_row;
    case TILE_COLUMN: return &tile_column;
    case TILE_FMA:
    case TILE_FMA_ROWS: return &tile_fma;
    case TILE_MMA:
    case TILE_MMA_ROWS: return &tile_mma;
    case TILE_GEMV: return &tile_gemv;
    case TILE_GEMV_FMA: return &tile_gemv_fma;
    case TILE_WGMMA:
    case TILE_WGMMA_ROWS: return &tile_wgmma;
    case TILE_ATTENTION_FMA: return &tile_attention_fma;
    case TILE_ATTENTION_MMA: return &tile_attention_mma;
    case TILE_ATTENTION_WGMMA: return &tile_attention_wgmma;
    case TILE_CHAIN_MMA: return &tile_chain_mma;
    case TILE_CHAIN_WGMMA: return &tile_chain_wgmma;
    case TILE_SEGMENTS: return &tile_segments;
    case TILE_BINNED: return &tile_binned;
    case TILE_C_LOOPS: return &tile_c_loops;
    case TILE_C_COLUMN: return &tile_c_column;
    case TILE_C_TRANSPOSE: return &tile_c_transpose;
    case TILE_C_DOT: return &tile_c_dot;
    case TILE_C_GEMV: return &tile_c_gemv;
    case TILE_C_ATTENTION: return &tile_c_attention;
    default: BUG("tile: no family of kind %d", (int)kind);
    }
}

void candidate_add(const TileSpace *s, Tile t, double cost, Candidates *out) {
    const TileFamily *family = family_of(t.kind);
    if (family->complete) family->complete(s, &t);
    if (family->refusal(s, &t)) return;
    vec_push(s->arena, out, ((Candidate){t, cost, out->count}));
}

const char *tile_refuse(const TileSpace *s, const char *format, ...) {
    if (!s->explains) return format;
    Text text = text_new(s->arena);
    va_list args;
    va_start(args, format);
    text_vprintf(&text, format, args);
    va_end(args);
    return text_get(&text);
}

static int by_cost(const void *a, const void *b) {
    const Candidate *x = a, *y = b;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    return x->order - y->order;
}

/* ---- what decides ---------------------------------------------------------------------------- */

/* Are columns only reduced? What stages keep for later ones would take memory for all rows. */
static bool is_of_columns(const Body *b, const Schedule *s) {
    for (int i = 0; i < b->stores.count; i++)
        if (s->store[i].level == 2) return false;
    for (int i = 1; i < b->values.count; i++)
        if (s->value[i].keep && b->values.at[i].kind != V_LOAD) return false;
    return b->accs.count && !schedule_has_scan(s);
}

static void find_columns(TileSpace *space, const Body *b, Arena *arena) {
    const Schedule *s = schedule_stages(b, true, false, arena);
    space->column_stages = is_of_columns(b, s) ? s->stage_count : 0;
    for (int i = 1; i < b->values.count; i++)
        if (schedule_is_of_elements(s, i))
            space->column_bytes += (int)dtype_size(dtype_compute(b->values.at[i].type));
}

static TileSpace tile_space(const Kernel *k, int body, const Machine *machine, Arena *arena) {
    TileSpace s = {.k = k, .b = &k->bodies.at[body], .machine = machine, .arena = arena};
    if (!machine_is_gpu(machine)) {
        if (k->family == F_POINTWISE) s.transpose = transpose_form(k, s.b);
        if (k->family == F_ROW && s.b->lane_is_row) find_columns(&s, s.b, arena);
        return s;
    }
    switch (k->family) {
    case F_POINTWISE:
        s.loop = loop_facts(k, schedule_packs(s.b, s.b->lane, arena));
        s.transpose = transpose_form(k, s.b);
        s.permute = permute_form(k, s.b);
        break;
    case F_ROW:
        s.loop = loop_facts(k, schedule_stages(s.b, true, false, arena));
        s.loop.reloaded =
            tile_reloaded_bytes(schedule_stages(s.b, false, body_has_online(s.b), arena));
        break;
    case F_SEGMENTS: break;
    case F_DOT:
        s.dot = dot_form(k, s.b, machine);
        if (!s.dot.columns) s.epilogue = epilogue_facts(k, s.b, arena);
        if (s.dot.columns) s.loop = loop_facts(k, schedule_stages(s.b, true, false, arena));
        break;
    case F_ATTENTION: s.is_for_mma = attention_form(k, s.b, machine, &s.attention); break;
    case F_CHAIN: s.is_for_mma = chain_form(k, s.b, machine, &s.chain); break;
    }
    return s;
}

static void list_c(const TileSpace *s, Candidates *out) {
    switch (s->k->family) {
    case F_POINTWISE:
        if (s->transpose.across >= 0) tile_c_transpose.list(s, out);
        tile_c_loops.list(s, out);
        break;
    case F_DOT:
        tile_c_gemv.list(s, out);
        tile_c_dot.list(s, out);
        break;
    case F_ATTENTION:
    case F_CHAIN: tile_c_attention.list(s, out); break;
    default:
        if (s->column_stages) tile_c_column.list(s, out);
        tile_c_loops.list(s, out);
    }
}

static void list_pointwise(const TileSpace *s, Candidates *out) {
    const bool crosses = s->transpose.across >= 0;
    const bool is_narrow = !permute_obstacle(s) && transpose_is_narrow(&s->transpose);
    const bool later = is_narrow || transpose_is_short(&s->transpose);
    tile_permute.list(s, out);
    if (crosses && !later) tile_transpose.list(s, out);
    tile_pointwise.list(s, out);
    if (crosses && later) tile_transpose.list(s, out);
}

static void list(const TileSpace *s, Candidates *out) {
    if (!machine_is_gpu(s->machine)) {
        list_c(s, out);
        return;
    }
    switch (s->k->family) {
    case F_POINTWISE: list_pointwise(s, out); break;
    case F_ROW: (s->b->lane_is_row ? tile_column : tile_row).list(s, out); break;
    case F_SEGMENTS:
        (s->b->sort.op == OP_BINNED ? &tile_binned : &tile_segments)->list(s, out);
        break;
    case F_DOT:
        if (s->dot.multiply == MULTIPLY_FMA) {
            tile_fma.list(s, out);
            tile_gemv_fma.list(s, out);
            break;
        }
        if (!s->b->blocks.term) tile_mma.list(s, out);
        tile_wgmma.list(s, out);
        tile_gemv.list(s, out);
        break;
    case F_ATTENTION:
        (s->is_for_mma ? tile_attention_mma : tile_attention_fma).list(s, out);
        if (s->is_for_mma) tile_attention_wgmma.list(s, out);
        break;
    case F_CHAIN:
        (s->is_for_mma ? tile_chain_mma : tile_attention_fma).list(s, out);
        if (s->is_for_mma) tile_chain_wgmma.list(s, out);
        break;
    }
}

TileVec tile_candidates(const Kernel *k, int body, const Machine *machine, Arena *arena) {
    TileVec tiles = {0};
    Candidates found = {0};
    const TileSpace s = tile_space(k, body, machine, arena);
    list(&s, &found);
    if (!found.count) BUG("no tile of %s fits %s", k->name, machine->name);
    qsort(found.at, (size_t)found.count, sizeof *found.at, by_cost);
    for (int i = 0; i < found.count; i++) vec_push(arena, &tiles, found.at[i].tile);
    return tiles;
}

double candidate_cost(const Kernel *k, int body, const Machine *machine, const Tile *t,
                      Arena *arena) {
    Candidates found = {0};
    const TileSpace s = tile_space(k, body, machine, arena);
    list(&s, &found);
    for (int i = 0; i < found.count; i++)
        if (tile_equal(&found.at[i].tile, t)) return found.at[i].cost;
    return 0;
}

const char *tile_refusal(const Kernel *k, int body, const Machine *machine, Tile *t, Arena *arena) {
    TileSpace s = tile_space(k, body, machine, arena);
    const TileFamily *family = family_of(t->kind);
    s.explains = true;
    const char *wrong = family->refusal(&s, t);
    if (!wrong && family->complete) family->complete(&s, t);
    return wrong;
}

/* NULL: none, as where each tile of the kind is refused for reasons of its own. */
static const char *kind_obstacle(const TileSpace *s, TileKind kind) {
    const bool is_dot = machine_is_gpu(s->machine) && s->k->family == F_DOT;
    const bool by_warps = is_dot && s->dot.multiply != MULTIPLY_FMA;
    if ((kind == TILE_WGMMA || kind == TILE_WGMMA_ROWS) && by_warps) return s->dot.no_wgmma;
    if (kind == TILE_GEMV && by_warps) return gemv_obstacle(s);
    if ((kind == TILE_GEMV || kind == TILE_GEMV_FMA) && is_dot) return gemv_fma_obstacle(s);
    if ((kind == TILE_TRANSPOSE || kind == TILE_C_TRANSPOSE) && s->k->family == F_POINTWISE)
        return "no load is contiguous across the order of the stores";
    if (kind == TILE_PERMUTE && s->k->family == F_POINTWISE) {
        const char *obstacle = permute_obstacle(s);
        return obstacle ? obstacle : "no box of its rows fits into shared memory";
    }
    if (kind == TILE_ATTENTION_WGMMA && s->is_for_mma) return s->attention.no_wgmma;
    if (kind == TILE_CHAIN_WGMMA && s->is_for_mma) return s->chain.no_wgmma;
    return "its tiles are of another kind";
}

const char *tile_kind_refusal(const Kernel *k, int body, const Machine *machine, TileKind kind,
                              Arena *arena) {
    const TileSpace s = tile_space(k, body, machine, arena);
    const char *obstacle = kind_obstacle(&s, kind);
    return obstacle ? obstacle : "no tile of this kind is legal";
}
