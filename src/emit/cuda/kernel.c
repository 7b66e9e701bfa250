/* kernel.c: one kernel as CUDA: the parts that all families share: writers, parameters, the
 * selection between packs and single elements, the comment above the kernel.
 * In: Kernel. Out: text and launch. */
#include "emit/cuda/cuda.h"

#include <stdlib.h>
#include <string.h>

const char *cuda_number(Arena *arena, int64_t n) {
    return arena_printf(arena, "%lld", (long long)n);
}

const char *cuda_behind(Arena *arena, const char *start, int64_t n) {
    return n ? arena_printf(arena, "%s + %lld", start, (long long)n) : text_inside(arena, start);
}

void cuda_choose_index(CudaWriter *c, bool is_32bit) {
    c->is_32bit = is_32bit;
    c->index = is_32bit ? "int" : "idx";
    c->to_index = is_32bit ? "" : "(idx)";
    c->to_int = is_32bit ? "" : "(int)";
}

const char *cuda_dim(const CudaWriter *c, Dim d) { return size_factor_text(&c->w, d); }

bool cuda_is_whole(const CudaWriter *c, int axis, int64_t tile) {
    Dims *d = c->w.b->indices->dims;
    return dim_divides(d, dim_const(d, tile), c->w.b->indices->extent[axis]);
}

const char *cuda_beyond(const CudaWriter *c, int64_t rows, int64_t columns) {
    const Dim *extent = c->w.b->indices->extent;
    Text out = text_new(c->w.arena);
    if (!cuda_is_whole(c, DOT_M, rows)) text_printf(&out, "at_m >= %s", cuda_dim(c, extent[DOT_M]));
    if (!cuda_is_whole(c, DOT_N, columns))
        text_printf(&out, "%sat_n >= %s", out.size ? " || " : "", cuda_dim(c, extent[DOT_N]));
    return text_get(&out);
}

const char *cuda_size(const CudaKernel *k, Dim d) { return names_size_factor(k->names, d); }

const char *cuda_blocks(const Names *names, Dim count, int64_t each) {
    int64_t n;
    if (dim_is_const(names->plan->g->dims, count, &n))
        return cuda_number(names->arena, (n + each - 1) / each);
    const char *text = names_size(names, count);
    return each == 1 ? text
                     : arena_printf(names->arena, "ceil_div(%s, %lld)", text, (long long)each);
}

const char *cuda_times(Arena *arena, const char *a, const char *b) {
    if (!strcmp(a, "1")) return b;
    return strcmp(b, "1") ? arena_printf(arena, "%s * %s", a, b) : a;
}

/* ---- writers ------------------------------------------------------------------------------- */

CudaWriter cuda_writer(const CudaKernel *k, int body) {
    CudaWriter c = {
        .w = {.dialect = &cuda_dialect, .arena = k->arena, .k = k->k, .marks = k->marks}};
    writer_function(&c.w, k->names);
    c.tile = k->tiles[body];
    c.vector = c.tile.vector;
    c.add_if = c.store_if = c.row_if = "";
    writer_body(&c.w, &k->k->bodies.at[body], &k->schedules[body]);
    c.hoisted = arena_array(k->arena, const char *, c.w.b->values.count + 1);
    c.staged = arena_array(k->arena, const char *, c.w.b->values.count + 1);
    c.raw_name = arena_array(k->arena, const char *, c.w.b->values.count + 1);
    c.raw_read = arena_array(k->arena, const char *, c.w.b->values.count + 1);
    c.kept = arena_array(k->arena, const char *, c.w.b->values.count + 1);
    c.added = arena_array(k->arena, const char *, c.w.b->stores.count + 1);
    c.scanned = arena_array(k->arena, const char *, c.w.b->values.count + 1);
    c.in_pack = arena_array(k->arena, signed char, c.w.b->values.count + 1);
    return c;
}

/* With room for one more block beyond the end. */
static bool fits(const Dims *d, Dim n) {
    int64_t value;
    return n && dim_is_const(d, n, &value) && value <= 1 << 30;
}

void cuda_writer_ready(CudaWriter *c) {
    const Body *b = c->w.b;
    Dims *d = b->indices->dims;
    c->wide = c->vector > 1;
    cuda_choose_index(c, fits(d, b->rows) && fits(d, b->cols) &&
                             fits(d, dim_mul(d, b->rows, b->cols)) && cuda_is_32bit(b, c->w.s));
    if (c->w.s->lane >= 0) c->lane = c->w.axis_name[c->w.s->lane];
}

const char *cuda_head(const CudaKernel *k, const char *parameters) {
    Text out = text_new(k->arena);
    const char *blocks = k->blocks ? arena_printf(k->arena, ", %d", k->blocks) : "";
    const char *cluster =
        k->cluster > 1 ? arena_printf(k->arena, "__cluster_dims__(%d, 1, 1) ", k->cluster) : "";
    text_printf(&out, "extern \"C\" __global__ %s__launch_bounds__(%d%s)\n", cluster, k->threads,
                blocks);
    emit_signature(&out, arena_printf(k->arena, "void %s(", k->k->name), parameters);
    return text_get(&out);
}

/* ---- packs or single elements -------------------------------------------------------------- */

/* A template filled with one more key. */
static const char *filled(Arena *arena, const char *name, const Fill *fills, int count,
                          const char *head) {
    Fill *all = arena_array(arena, Fill, count + 1);
    if (count) memcpy(all, fills, sizeof *fills * (size_t)count);
    all[count] = (Fill){"HEAD", head};
    Text out = text_new(arena);
    template_fill(name, all, count + 1, &out);
    return text_get(&out);
}

/* Before the other parameters: "const TensorMap &x_map_0, ". */
static const char *with_maps(const CudaKernel *k, const char *type, const char *parameters) {
    Text out = text_new(k->arena);
    for (int i = 0; i < k->maps.count; i++)
        text_printf(&out, "%s%s%s", i ? ", " : "", type, k->maps.at[i].name);
    if (*parameters) text_printf(&out, "%s%s", out.size ? ", " : "", parameters);
    return text_get(&out);
}

static Parameters maps_and(const CudaKernel *k, const Parameters *others) {
    Parameters all = {0};
    for (int i = 0; i < k->maps.count; i++)
        vec_push(k->arena, &all, ((Parameter){GIVEN_MAP, i, k->maps.at[i].name, 0}));
    for (int i = 0; i < others->count; i++) vec_push(k->arena, &all, others->at[i]);
    return all;
}

const char *cuda_rest_block(const CudaWriter *c, const char *block) {
    if (!c->whole_tiles) return "";
    const char *of_packs = strchr(c->whole_tiles, ' ')
                               ? arena_printf(c->w.arena, "(%s)", c->whole_tiles)
                               : c->whole_tiles;
    if (c->vector == 2) return arena_printf(c->w.arena, "%s + %s", of_packs, block);
    return arena_printf(c->w.arena, "%d * %s + %s", c->vector - 1, of_packs, block);
}

/* `wide` and `single`: the two values of the template argument. */
static void write_entry(CudaKernel *k, CudaWriter *c, const char *body, bool tiles,
                        const char *wide, const char *single, const char *condition,
                        const char *parameters) {
    Arena *arena = k->arena;
    const char *args = parameters_names(arena, &k->arguments), *tile_args = "";
    const char *rest_args = arena_printf(arena, "%s, %s", args, cuda_rest_block(c, "blockIdx.x"));
    if (tiles) {
        tile_args = arena_printf(arena, "%s, %s * (%s)blockIdx.x + l", args, wide, c->index);
        args = arena_printf(arena, "%s, blockIdx.x", args);
    }
    Fill fills[] = {{"BODY", body},
                    {"VECTOR", wide},
                    {"SINGLE", single},
                    {"ARGUMENTS", args},
                    {"TILE_ARGUMENTS", tile_args},
                    {"WHOLE", c->whole_tiles ? c->whole_tiles : ""},
                    {"REST_ARGUMENTS", rest_args},
                    {"rest", c->whole_tiles ? "1" : ""},
                    {"CONDITION", condition},
                    {"always", *condition ? "" : "1"},
                    {"tested", *condition ? "1" : ""},
                    {"rows", *condition && !tiles ? "1" : ""},
                    {"tiles", *condition && tiles ? "1" : ""}};
    text_printf(k->out, "\n%s",
                filled(arena, "cuda/entry.cu", fills, (int)(sizeof fills / sizeof *fills),
                       cuda_head(k, parameters)));
}

void cuda_function(CudaKernel *k, CudaWriter *c, const char *name, const char *suffix, bool tiles,
                   const Fill *fills, int count) {
    Arena *arena = k->arena;
    const char *condition = c->wide ? cuda_packs_condition(k, c) : "";
    k->arguments = writer_parameters(&c->w);
    const char *parameters = parameters_text(&c->w, &k->arguments);
    if (!c->wide) {
        text_str(k->out, filled(arena, name, fills, count, cuda_head(k, parameters)));
        return;
    }
    Text head = text_new(arena);
    const char *body = arena_printf(arena, "%s_%s", k->k->name, suffix);
    const char *all =
        tiles ? arena_printf(arena, "%s, %s block", parameters, c->index) : parameters;
    text_str(&head, "template <int VEC>\n");
    emit_signature(&head, arena_printf(arena, "DEVICE void %s(", body), all);
    text_str(k->out, filled(arena, name, fills, count, text_get(&head)));
    write_entry(k, c, body, tiles, cuda_number(arena, c->vector), "1", condition, parameters);
}

void cuda_function_wide(CudaKernel *k, CudaWriter *c, const char *name, const char *suffix,
                        const Alignments *alignments, const Fill *fills, int count) {
    Arena *arena = k->arena;
    const char *condition = cuda_condition(k, &c->w, alignments);
    const Parameters given = writer_parameters(&c->w);
    const char *parameters = parameters_text(&c->w, &given);
    const char *body = arena_printf(arena, "%s_%s", k->k->name, suffix);
    Text head = text_new(arena);
    k->arguments = maps_and(k, &given);
    text_str(&head, "template <bool wide>\n");
    emit_signature(&head, arena_printf(arena, "DEVICE void %s(", body),
                   with_maps(k, "const TensorMap &", parameters));
    text_str(k->out, filled(arena, name, fills, count, text_get(&head)));
    write_entry(k, c, body, false, "true", "false", condition,
                with_maps(k, "const __grid_constant__ TensorMap ", parameters));
}

void cuda_function_tested(CudaKernel *k, CudaWriter *c, const char *name,
                          const Alignments *alignments, const Fill *fills, int count) {
    const char *is_wide = cuda_condition_value(k, &c->w, alignments);
    const Parameters given = writer_parameters(&c->w);
    const char *parameters = parameters_text(&c->w, &given);
    Fill *all = arena_array(k->arena, Fill, count + 1);
    memcpy(all, fills, sizeof *fills * (size_t)count);
    all[count] = (Fill){"IS_WIDE", is_wide};
    k->arguments = maps_and(k, &given);
    parameters = with_maps(k, "const __grid_constant__ TensorMap ", parameters);
    text_str(k->out, filled(k->arena, name, all, count + 1, cuda_head(k, parameters)));
}

/* ---- the comment --------------------------------------------------------------------------- */

/* "bf16[N, 4096]": its shape, or how many elements it has if these are not those of a value. */
static const char *buffer_shape(const CudaKernel *kernel, const KernelBuffer *b) {
    const Plan *plan = kernel->names->plan;
    const Buffer *from = &plan->buffers.at[b->plan_buffer];
    const NodeId node =
        from->kind == B_OUTPUT ? plan->g->outputs.at[from->number].node : from->node;
    if (b->elements && b->elements == node_elements(plan->g, node))
        return names_shape(kernel->names, &plan->g->node[node]);
    return arena_printf(kernel->arena, "%s[%s]", dtype_name(b->type),
                        b->elements ? names_size(kernel->names, b->elements) : "many");
}

static int buffer_list(const CudaKernel *kernel, bool written, Text *out) {
    const Kernel *k = kernel->k;
    int shown = 0;
    for (int i = 0; i < k->buffers.count; i++) {
        const KernelBuffer *b = &k->buffers.at[i];
        if (b->written != written) continue;
        text_printf(out, "%s%s %s", shown++ ? ", " : "", b->name, buffer_shape(kernel, b));
    }
    return shown;
}

static const char *comment(const CudaKernel *k) {
    const Kernel *kernel = k->k;
    Text text = text_new(k->arena), out = text_new(k->arena);
    const int bodies = kernel->bodies.count;
    const char *ops = op_list(kernel, kernel->bodies.at, bodies, k->arena);
    const char *size = work_text(k->names, kernel, &kernel->bodies.at[0], k->arena);
    if (bodies > 1) size = arena_printf(k->arena, "%d tensors", bodies);
    text_printf(&text, "%s: %s; %s. Reads ", kernel->name, ops, size);
    if (!buffer_list(k, false, &text)) text_str(&text, "nothing");
    text_str(&text, "; writes ");
    buffer_list(k, true, &text);
    text_printf(&text, ". %s.", k->how);
    if (k->callers) text_printf(&text, " Also launched as %s.", k->callers);
    emit_block_comment(&out, text_get(&text));
    return text_get(&out);
}

void cuda_shared(CudaKernel *k, int64_t count, int64_t bytes, const char *what) {
    if (count && bytes) vec_push(k->arena, &k->shared_parts, ((SharedPart){count, bytes, what}));
    k->shared = cuda_number(k->arena, atoi(k->shared) + count * bytes);
}

void cuda_shared_most(CudaKernel *k, int64_t bytes, const char *what) {
    const int64_t more = bytes - atoi(k->shared);
    if (more > 0) {
        k->shared = "0", k->shared_parts.count = 0;
        cuda_shared(k, 1, bytes, what);
    }
}

/* "constexpr int geglu_0_shared = 4 * 40960 + 8 * 4608 + 8 * 8;", which the launch reads. */
static const char *shared_text(const CudaKernel *k) {
    Text what = text_new(k->arena), sum = text_new(k->arena), out = text_new(k->arena);
    if (!k->shared_parts.count) return "";
    for (int i = 0; i < k->shared_parts.count; i++) {
        const SharedPart *part = &k->shared_parts.at[i];
        text_printf(&what, "%s%s", i ? ", " : "", part->what);
        text_str(&sum, i ? " + " : "");
        if (part->count > 1) text_printf(&sum, "%lld * ", (long long)part->count);
        text_printf(&sum, "%lld", (long long)part->bytes);
    }
    emit_block_comment(&out, arena_printf(k->arena, "Dynamic shared memory of %s, in bytes: %s.",
                                          k->k->name, text_get(&what)));
    text_printf(&out, "constexpr int %s_shared = %s;\n\n", k->k->name, text_get(&sum));
    return text_get(&out);
}

/* Static shared memory is what every GPU has; more must be dynamic, with an opt-in. */
static void verify_shared(const CudaKernel *c) {
    const int64_t dynamic = atoi(c->shared), all = dynamic + c->static_shared;
    const int64_t most = dynamic > TILE_SHARED ? c->gpu->shared_block : TILE_SHARED;
    if (all > most)
        BUG("cuda: %s takes %lld bytes of shared memory of %lld", c->k->name, (long long)all,
            (long long)most);
}

/* The statement goes before all others of the kernel. */
static const char *with_dependency(const Text *code, Arena *arena) {
    const char *text = text_get(code), *entry = strstr(text, "__global__"),
               *body = entry ? strstr(entry, ") {\n") : NULL;
    if (!body) BUG("cuda: a kernel has no body");
    body += strlen(") {\n");
    return arena_printf(arena, "%.*s    grid_dependency();\n%s", (int)(body - text), text, body);
}

Launch emit_cuda_kernel(const TiledKernels *kernels, int number, const Names *names,
                        const EmitOptions *options, Text *out) {
    Text code = text_new(out->arena), instructions = text_new(out->arena);
    CudaKernel c = {.arena = out->arena,
                    .out = &code,
                    .instructions = &instructions,
                    .block_y = "1",
                    .shared = "0"};
    c.k = kernels->at[number];
    c.tiles = kernels->tiles[number];
    c.schedules = kernels->schedules[number];
    c.callers = names_callers(kernels, number, c.arena);
    c.gpu = machine_gpu(options->arch);
    c.assumes_aligned = options->aligned, c.marks = options->marks;
    c.names = names;
    switch (c.k->family) {
    case F_POINTWISE: cuda_pointwise(&c); break;
    case F_ROW: cuda_row(&c); break;
    case F_SEGMENTS: cuda_segments(&c); break;
    case F_DOT: cuda_dot(&c); break;
    case F_ATTENTION: cuda_attention(&c); break;
    case F_CHAIN: cuda_chain(&c); break;
    }
    verify_shared(&c);
    text_printf(out, "%s%s%s%s\n", text_get(&instructions), shared_text(&c), comment(&c),
                options->dependent ? with_dependency(&code, c.arena) : text_get(&code));
    return (Launch){.grid = c.grid,
                    .persistent = !c.persistent   ? 0
                                  : c.cluster > 1 ? c.cluster
                                                  : 1,
                    .block_x = c.block_x,
                    .block_y = c.block_y,
                    .shared = c.shared,
                    .arguments = c.arguments,
                    .maps = c.maps.at,
                    .map_count = c.maps.count,
                    .zeroed = c.zeroed,
                    .scratch = c.scratch,
                    .one_arch = c.one_arch,
                    .needs_aligned = c.needs_aligned};
}
