/* kernel.c: one kernel as C: a function for each body, and loops over rows that threads share,
 * around its stages. In: Kernel. Out: text and how to call it. */
#include "emit/c/c.h"

#include <string.h>

/* ---- what a row keeps from stage to stage -------------------------------------------------- */

/* Elements of a kept row: innermost columns padded to whole vectors, or VL rows side by side. */
static const char *kept_size(const Writer *w) {
    const Body *b = w->b;
    Text out = text_new(w->arena);
    for (int i = b->row_count; i < b->axes.count; i++) {
        const char *n = size_text(w, b->axes.at[i].extent);
        bool last = i + 1 == b->axes.count && !w->s->lane_is_row;
        text_printf(&out, last ? "PADDED(%s)" : "(%s) * ", n);
    }
    if (w->s->lane_is_row) text_str(&out, "VL");
    return text_get(&out);
}

/* The dims of kept_size as those that the memory depends on. */
static void mark_kept(Writer *w) {
    const Names *names = w->names;
    w->names = w->sizes;
    kept_size(w);
    w->names = names;
}

static bool keeps_anything(const Writer *w) {
    for (int i = 1; i < w->b->values.count; i++)
        if (c_keeps(w, i)) return true;
    return false;
}

/* Short rows of known length are kept in local arrays, others in the thread's scratch memory: the
 * first of it where the kernel has no threads of its own, since its caller may be any thread of an
 * application's. Returns its bytes, "": none. */
static const char *declare_kept(Writer *w, bool is_shared) {
    const Body *b = w->b;
    const char *size = kept_size(w), *bytes = "";
    Text lines = text_new(w->arena), *out = w->out;
    const int rows = c_rows_beside(w);
    const char *beside = rows > 1 ? arena_printf(w->arena, "[%d]", rows) : "";
    int64_t cols;
    bool local = dim_is_const(b->indices->dims, b->cols, &cols) &&
                 cols * (w->s->lane_is_row ? 16 : 1) <= w->tile->stack;
    w->out = &lines;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (!c_keeps(w, i)) continue;
        Dtype type = v->type == T_BOOL ? T_I32 : dtype_compute(v->type);
        const char *s = storage_type(type), *plus = *bytes ? " + " : "", *name = c_kept_name(w, i);
        if (local) {
            write_line(w, "%s %s%s[%s] __attribute__((aligned(64)));", s, name, beside, size);
            continue;
        }
        write_line(w, *bytes ? "%s *const %s = (%s *)(mine + %s);" : "%s *const %s = (%s *)mine;",
                   s, name, s, bytes);
        bytes = arena_printf(w->arena, "%s%s%zu * %s", bytes, plus, dtype_size(type), size);
    }
    w->out = out;
    w->used.scratch |= *bytes != 0;
    if (*bytes) mark_kept(w);
    if (*bytes && is_shared)
        write_line(w, "char *const mine = scratch + fx_thread() * (%s);", bytes);
    else if (*bytes)
        write_line(w, "char *const mine = scratch;");
    text_str(out, text_get(&lines));
    return bytes;
}

/* ---- bodies -------------------------------------------------------------------------------- */

const char *c_row(Writer *w, bool is_shared) {
    const char *scratch = keeps_anything(w) ? declare_kept(w, is_shared) : "";
    declare_level(w, 0, 0); /* values without a name yet */
    if (w->s->lane_is_row) c_declare_lanes(w);
    if (c_rows_beside(w) > 1)
        c_stages_beside(w);
    else
        write_stages(w, c_stage);
    return scratch;
}

/* ---- partial sums of columns ----------------------------------------------------------------- */

/* The sums of a chunk start at 0. */
static void clear_sums(Writer *w) {
    const Body *b = w->b;
    for (int i = 0; i < b->stores.count; i++) {
        const Store *s = &b->stores.at[i];
        if (!s->adds) continue;
        const char *name = buffer_name(w, s->buffer), *cols = size_factor_text(w, b->cols);
        write_line(w, "memset(%s + chunk * %s, 0, sizeof *%s * (size_t)%s);", name, cols, name,
                   cols);
    }
}

/* Opens the loop over the rows of a chunk; their positions along the axes of rows. */
static void open_chunk_rows(Writer *w) {
    const Body *b = w->b;
    Dims *d = b->indices->dims;
    const char *rows = size_factor_text(w, b->rows);
    write_line(w, "const idx chunk_rows = (%s + %lld) / %lld;", rows, (long long)b->chunks - 1,
               (long long)b->chunks);
    write_line(w,
               "for (idx chunk_row = chunk * chunk_rows;"
               " chunk_row < (chunk + 1) * chunk_rows && chunk_row < %s; chunk_row++) {",
               rows);
    w->indent++;
    Dim inner = dim_const(d, 1);
    for (int i = b->row_count - 1; i >= 0; i--) {
        const Axis *a = &b->axes.at[i];
        const char *name = w->axis_name[a->number];
        const char *at = dim_is(d, inner, 1)
                             ? "chunk_row"
                             : arena_printf(w->arena, "chunk_row / %s", size_factor_text(w, inner));
        if (i)
            write_line(w, "const idx %s = %s %% %s;", name, at, size_factor_text(w, a->extent));
        else
            write_line(w, "const idx %s = %s;", name, at);
        inner = dim_mul(d, inner, a->extent);
    }
}

/* Threads share the chunks. Returns the scratch bytes of a thread. */
static const char *write_chunks(Writer *w) {
    const bool is_shared = c_parallel(w, 1);
    w->axis_name[BODY_CHUNK] = "chunk";
    write_line(w, "for (idx chunk = 0; chunk < %lld; chunk++) {", (long long)w->b->chunks);
    w->indent++;
    clear_sums(w);
    open_chunk_rows(w);
    const char *scratch = c_row(w, is_shared);
    c_close_loops(w, 2);
    return scratch;
}

/* ---- bodies' loops --------------------------------------------------------------------------- */

const char *c_rows(Writer *w) {
    const Body *b = w->b;
    int order[2 * RANK_MAX];
    tile_row_order(w->k, b, w->tile, order);
    const int left = c_rows_left(w);
    const bool is_shared = b->row_count && c_parallel(w, left ? left : b->row_count);
    for (int i = 0; i < b->row_count; i++) {
        (i + 1 == b->row_count && c_rows_beside(w) > 1 ? c_open_rows
                                                       : c_open_axis)(w, &b->axes.at[order[i]]);
        if (i + 1 == left) c_leave_rows(w);
    }
    const char *scratch = c_row(w, is_shared);
    c_close_loops(w, b->row_count);
    return scratch;
}

/* The loop nest. Returns the scratch bytes of a thread, "": none. */
static const char *write_nest(Writer *w) {
    const Body *b = w->b;
    declare_level(w, 0, 0);
    const bool is_in_order = b->accs.count || keeps_anything(w) || schedule_has_scan(w->s);
    if (b->row_count == 0 && !is_in_order) {
        write_stages(w, c_stage_shared);
        return "";
    }
    if (b->chunks) return write_chunks(w);
    return c_row_parts(w) || c_lane_parts(w) ? "" : c_rows(w);
}

/* ---- functions ----------------------------------------------------------------------------- */

/* "softmax_0: max, sub, exp, sum, div; N rows of D"; callers: see names_callers. */
static const char *comment_of(const Writer *w, const Names *names, const char *name,
                              const char *callers) {
    Text line = text_new(w->arena);
    text_printf(&line, "%s: %s; %s", name, op_list(w->k, w->b, 1, w->arena),
                work_text(names, w->k, w->b, w->arena));
    if (callers) text_printf(&line, "; also called as %s", callers);
    return text_get(&line);
}

/* A further condition where rows of a transpose may be no whole lines: see RAGGED_ROW. */
static const char *streams_ragged(const Writer *w, const char *bytes) {
    Dims *d = w->b->indices->dims;
    if (w->tile->kind != TILE_C_TRANSPOSE) return "";
    const KernelBuffer *result = &w->k->buffers.at[w->b->stores.at[0].buffer];
    const Dim cols = w->b->indices->extent[transpose_form(w->k, w->b).lane];
    const Dim row = dim_mul(d, cols, dim_const(d, (int64_t)dtype_size(result->type)));
    int64_t size;
    if (!row || dim_is_const(d, row, &size)) return "";
    const char *text = size_factor_text(w, row);
    return arena_printf(w->arena, " && (%s %% 64 == 0 || (%s >= %d && %s >= %lld))", text, text,
                        RAGGED_ROW, bytes, (long long)RAGGED_TIMES * w->tile->stream);
}

/* Whether outputs use streaming stores, if that depends on open dims. */
static void declare_stream(Writer *w, Text *out) {
    const char *bytes = NULL;
    if (!w->may_stream) return;
    for (int i = 0; i < w->b->stores.count && !bytes; i++) {
        const KernelBuffer *b = &w->k->buffers.at[w->b->stores.at[i].buffer];
        if (b->is_temp || !b->elements || w->s->store[i].level < 2) continue;
        Dim size = dim_mul(w->b->indices->dims, b->elements,
                           dim_const(w->b->indices->dims, (int64_t)dtype_size(b->type)));
        if (size) bytes = size_text(w, size);
    }
    text_printf(out, "    const bool stream = %s >= %d%s;\n", bytes ? bytes : "0", w->tile->stream,
                bytes ? streams_ragged(w, bytes) : "");
}

/* Writes the function of a body; returns its call. */
static CCall write_function(Writer *w, const char *name, const char *comment, const Text *body) {
    Text head = text_new(w->arena);
    declare_stream(w, &head);
    text_str(&head, text_get(body));
    if (w->streams || w->may_stream) text_str(&head, "    stream_fence();\n");
    const Parameters given = writer_parameters(w);
    emit_block_comment(w->out, comment);
    emit_signature(w->out, arena_printf(w->arena, "static void %s(", name),
                   parameters_text(w, &given));
    text_printf(w->out, "\n{\n%s}\n\n", text_get(&head));
    return (CCall){name, given};
}

static bool is_packed_by(const CKernel *made, int buffer) {
    for (int i = 0; i < made->packings.count; i++)
        if (made->packings.at[i].buffer == buffer) return true;
    return false;
}

/* Writes the function that packs an operand once, if there is none yet. */
static void write_packing(Writer *w, int acc, int side, CKernel *made) {
    const KernelBuffer *to = c_panels(w, acc, side);
    const int buffer = w->b->accs.at[acc].panels[side] - 1;
    if (!to || is_packed_by(made, buffer)) return;
    Text body = text_new(w->arena);
    const char *name = arena_printf(w->arena, "%s_pack_%s", w->k->name, to->name);
    const char *comment = arena_printf(w->arena, "%s: an operand of %s, once", name, w->k->name);
    const char *bytes = c_panels_bytes(w, acc, side);
    const Names *sizes = w->names;
    writer_function(w, sizes);
    w->fills = to;
    c_panels_pack(w, acc, side, &body);
    const CPacking packing = {buffer, write_function(w, name, comment, &body), bytes};
    w->fills = NULL;
    w->names = sizes;
    vec_push(w->arena, &made->packings, packing);
}

static void write_packings(Writer *w, Text *out, CKernel *made) {
    Text *body = w->out;
    w->out = out;
    for (int acc = 0; acc < w->b->dots; acc++)
        for (int side = 0; side < 2; side++) write_packing(w, acc, side, made);
    w->out = body;
}

/* The loops of a body, by the family of the kernel; what precedes its function goes to `out`. */
static void write_family(Writer *w, const Names *names, const Names *packing_sizes, CKernel *made,
                         const Text *before, Text *out) {
    Text *body = w->out;
    if (w->tile->kind == TILE_C_GEMV) {
        made->packed = c_gemv_packed(w);
        writer_function(w, names);
        c_gemv(w, body);
    } else if (w->k->family == F_DOT) {
        const Names *sizes = w->names;
        c_dot_tile(w, before, out);
        w->names = packing_sizes;
        write_packings(w, out, made);
        w->names = sizes;
        made->packed = c_dot_packed(w);
        writer_function(w, names);
        c_dot(w, body, &made->scratch);
    } else if (w->k->family == F_ATTENTION) {
        made->packed = c_attention_packed(w);
        made->scratch = c_attention_scratch(w);
        writer_function(w, names);
        c_attention(w, body);
    } else if (w->k->family == F_CHAIN) {
        made->packed = c_chain_packed(w);
        made->scratch = c_chain_scratch(w);
        writer_function(w, names);
        c_chain(w, body);
    } else if (w->k->family == F_SEGMENTS) {
        made->packed = c_segments_packed(w);
        writer_function(w, names);
        c_segments(w);
    } else if (w->tile->kind == TILE_C_TRANSPOSE) {
        writer_function(w, names);
        c_transpose(w);
    } else if (w->tile->kind == TILE_C_COLUMN) {
        writer_function(w, names);
        c_column(w);
    } else {
        writer_function(w, names);
        const char *bytes = write_nest(w);
        if (*bytes) made->scratch = bytes;
    }
}

/* "geglu_0", or with a letter for each of several bodies: "geglu_0_a" .. "geglu_0_a1" */
static const char *body_name(const Kernel *k, int body, Arena *arena) {
    const int letter = 'a' + body % 26;
    if (k->bodies.count == 1) return k->name;
    return body < 26 ? arena_printf(arena, "%s_%c", k->name, letter)
                     : arena_printf(arena, "%s_%c%d", k->name, letter, body / 26);
}

CKernel emit_c_kernel(const TiledKernels *kernels, int number, const Names *names,
                      const Text *before, Text *out) {
    const Kernel *k = kernels->at[number];
    Arena *arena = out->arena;
    const char *callers = names_callers(kernels, number, arena);
    const Names sizes = names_recording(names), packing_sizes = names_recording(names);
    CKernel made = {.scratch = "0", .packed = "0"};
    made.dims = sizes.used, made.packing_dims = packing_sizes.used;
    for (int i = 0; i < k->bodies.count; i++) {
        Text body = text_new(arena);
        Writer w = {.dialect = &c_dialect,
                    .arena = arena,
                    .names = &sizes,
                    .sizes = &sizes,
                    .k = k,
                    .tile = &kernels->tiles[number][i],
                    .out = &body,
                    .indent = 1};
        writer_body(&w, &k->bodies.at[i], &kernels->schedules[number][i]);
        w.lanes = "VL";
        write_family(&w, names, &packing_sizes, &made, before, out);
        const char *name = body_name(k, i, arena);
        w.out = out;
        const char *comment = comment_of(&w, names, name, i ? NULL : callers);
        const CCall call = write_function(&w, name, comment, &body);
        vec_push(arena, &made.calls, call);
    }
    return made;
}
