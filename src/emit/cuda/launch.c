/* launch.c: launching the kernels of a function: its Program, and printed from that, the launches
 * in the functions that an application calls. emit/text/host.c has what all targets do; prepare.c
 * the memory of what is computed from constants.
 * In: Plan and Kernels. Out: text: device code, then host code that NVRTC does not see. */
#include "emit/cuda/launch.h"

#include <stdlib.h>
#include <string.h>

/* ---- the launches -------------------------------------------------------------------------- */

static ProgramArgument buffer_argument(const Launcher *l, const Buffer *b) {
    if (b->prepared)
        return (ProgramArgument){.kind = ARG_PREPARED,
                                 .formula =
                                     cuda_prepared_offset(l, (int)(b - l->plan->buffers.at))};
    if (b->input >= 0) return buffer_argument(l, &l->plan->buffers.at[b->input]);
    if (b->kind == B_TEMP)
        return (ProgramArgument){.kind = ARG_WORKSPACE,
                                 .formula = host_slot_offset(l->host, l->names, b->slot)};
    int first = b->kind == B_INPUT ? 0 : l->program->input_count;
    return (ProgramArgument){.kind = ARG_TENSOR, .tensor = first + b->number};
}

static const Buffer *buffer_of(const Launcher *l, const char *name) {
    for (int i = 0; i < l->plan->buffers.count; i++)
        if (!strcmp(l->plan->buffers.at[i].name, name)) return &l->plan->buffers.at[i];
    BUG("launch: a map of no buffer");
}

const char *cuda_scratch(const Launcher *l, bool once) {
    int64_t most = 0;
    for (int k = 0; k < l->plan->groups.count; k++)
        if (l->plan->groups.at[k].once == once && cuda_launcher(l)->made[k].scratch.bytes > most)
            most = cuda_launcher(l)->made[k].scratch.bytes;
    return most ? cuda_number(l->arena, most) : "";
}

/* Behind what kernels leave for others. */
static const char *scratch_offset(const Launcher *l, int k) {
    return l->plan->groups.at[k].once ? cuda_prepared_offset(l, l->plan->buffers.count)
                                      : host_slot_offset(l->host, l->names, l->plan->slots.count);
}

static ProgramArgument scratch_argument(const Launcher *l, int k) {
    return (ProgramArgument){.kind = l->plan->groups.at[k].once ? ARG_PREPARED : ARG_WORKSPACE,
                             .formula = scratch_offset(l, k)};
}

static ProgramArgument argument_of(const Launcher *l, int k, const Parameter *p) {
    const Kernel *kernel = l->kernels->at[k];
    ProgramArgument a = {.kind = ARG_SCALAR, .type = T_I64, .formula = p->name};
    const Uniform *u;
    switch (p->kind) {
    case GIVEN_MAP:
        a = buffer_argument(l, buffer_of(l, cuda_launcher(l)->made[k].maps[p->number].buffer));
        a.map = &cuda_launcher(l)->made[k].maps[p->number];
        return a;
    case GIVEN_BUFFER:
        return buffer_argument(l, &l->plan->buffers.at[kernel->buffers.at[p->number].plan_buffer]);
    case GIVEN_UNIFORM:
        u = &kernel->uniforms.at[p->number];
        a.type = u->type == T_BOOL ? T_BOOL : dtype_compute(u->type);
        a.formula = uniform_text(l->names, u->node);
        return a;
    case GIVEN_MEMORY: return scratch_argument(l, k);
    default: return a;
    }
}

static void define_kernel(Launcher *l, int k, Text *out) {
    Text text = text_new(l->arena);
    Launch *made = &cuda_launcher(l)->made[k];
    *made = emit_cuda_kernel(l->kernels, k, l->names, cuda_launcher(l)->options, &text);
    made->source_at = out->size;
    drop_unused(&text);
    text_tidied(out, text_get(&text));
    l->program->one_arch |= made->one_arch;
    l->program->needs_aligned |= made->needs_aligned;
}

/* The buffer of k that corresponds to a buffer of the kernel whose function it launches. */
static const char *own_buffer(const Launcher *l, int k, const char *name) {
    const Kernel *own = l->kernels->at[k], *first = l->kernels->at[l->kernels->function[k]];
    for (int i = 0; i < first->buffers.count; i++)
        if (!strcmp(first->buffers.at[i].name, name)) return own->buffers.at[i].name;
    BUG("launch: a map of no buffer");
}

static void share_kernel(Launcher *l, int k, int earlier) {
    const Launch *made = &cuda_launcher(l)->made[earlier];
    ProgramMap *maps = arena_array(l->arena, ProgramMap, made->map_count + 1);
    Launch own = *made;
    own.arguments = parameters_given(l->kernels->at[k], &made->arguments, l->arena);
    for (int i = 0; i < made->map_count; i++) {
        maps[i] = made->maps[i];
        maps[i].buffer = own_buffer(l, k, maps[i].buffer);
    }
    own.maps = maps;
    cuda_launcher(l)->made[k] = own;
}

const Parameters *cuda_given(const Launcher *l, bool once) {
    const int count = l->plan->groups.count;
    Parameters *given = arena_array(l->arena, Parameters, count + 1);
    for (int k = 0; k < count; k++)
        if (l->plan->groups.at[k].once == once) given[k] = cuda_launcher(l)->made[k].arguments;
    return given;
}

static const Buffer *zeroed_buffer(const Launcher *l, int k) {
    const int number = cuda_launcher(l)->made[k].zeroed - 1;
    return &l->plan->buffers.at[l->kernels->at[k]->buffers.at[number].plan_buffer];
}

static const char *zeroed_bytes(const Launcher *l, const Buffer *b) {
    return names_size(l->names, buffer_bytes(l->plan, (int)(b - l->plan->buffers.at)));
}

/* Of a buffer, or of the kernel's own memory. */
static void add_zeroed(const Launcher *l, int k, ProgramKernel *kernel) {
    const Launch *n = &cuda_launcher(l)->made[k];
    if (!n->zeroed && !n->scratch.zeroed) return;
    ProgramArgument *zeroed = arena_new_of(l->arena, ProgramArgument);
    *zeroed = n->zeroed ? buffer_argument(l, zeroed_buffer(l, k)) : scratch_argument(l, k);
    kernel->zeroed = zeroed;
    kernel->zeroed_bytes =
        n->zeroed ? zeroed_bytes(l, zeroed_buffer(l, k)) : cuda_number(l->arena, n->scratch.zeroed);
}

/* The launch, for the program. */
static ProgramKernel program_kernel(const Launcher *l, int k) {
    const Launch *n = &cuda_launcher(l)->made[k];
    ProgramKernel kernel = l->program->kernels[program_number(l->plan, k)];
    kernel.function = l->kernels->at[l->kernels->function[k]]->name;
    kernel.source_at = n->source_at;
    kernel.grid = n->grid, kernel.persistent = n->persistent, kernel.shared = n->shared;
    kernel.block_x = n->block_x, kernel.block_y = n->block_y;
    Vec(ProgramArgument) all = {0};
    for (int i = 0; i < n->arguments.count; i++)
        vec_push(l->arena, &all, argument_of(l, k, &n->arguments.at[i]));
    kernel.arguments = all.at;
    kernel.argument_count = all.count;
    add_zeroed(l, k, &kernel);
    return kernel;
}

/* ---- the function -------------------------------------------------------------------------- */

/* The caller's pointers are cast to their types. */
static const char *argument_text(const Launcher *l, const char *name) {
    for (int i = 0; i < l->plan->buffers.count; i++) {
        const Buffer *b = &l->plan->buffers.at[i];
        if (b->kind != B_TEMP && !strcmp(b->name, name))
            return arena_printf(l->arena, "(%s%s *)%s", b->kind == B_INPUT ? "const " : "",
                                cuda_storage(b->type), name);
    }
    return name;
}

static const char *scratch_text(const Launcher *l, int k) {
    const char *memory = l->plan->groups.at[k].once ? "prepared" : "workspace";
    const char *offset = scratch_offset(l, k);
    return strcmp(offset, "0") == 0 ? arena_printf(l->arena, "(char *)%s", memory)
                                    : arena_printf(l->arena, "(char *)%s + %s", memory, offset);
}

static const char *arguments(const Launcher *l, int k) {
    const Parameters *all = &cuda_launcher(l)->made[k].arguments;
    Text out = text_new(l->arena);
    for (int i = 0; i < all->count; i++) {
        const Parameter *p = &all->at[i];
        const char *text = p->kind == GIVEN_MEMORY ? scratch_text(l, k) : argument_text(l, p->name);
        text_printf(&out, "%s%s", i ? ", " : "", text);
    }
    return text_get(&out);
}

static const char *map_type_name(Dtype type) {
    switch (program_map_type(type)) {
    case MAP_BYTES: return "MAP_BYTES";
    case MAP_F16: return "MAP_F16";
    case MAP_BF16: return "MAP_BF16";
    case MAP_TF32: return "MAP_TF32";
    }
    BUG("no tensor map of %s", dtype_name(type));
}

/* Tensor maps of the next kernel, made by the launcher. */
static void declare_maps(const Launcher *l, int k, const char *indent, Text *out) {
    for (int i = 0; i < cuda_launcher(l)->made[k].map_count; i++) {
        const ProgramMap *m = &cuda_launcher(l)->made[k].maps[i];
        const char *from = m->buffer; /* an offset counts elements */
        if (strcmp(m->offset, "0") != 0)
            from = arena_printf(l->arena, "%s + %s", argument_text(l, m->buffer), m->offset);
        text_printf(out, "%sTensorMap %s = {};\n%sstatus = ", indent, m->name, indent);
        if (m->is_pixels)
            text_printf(out,
                        "pixel_map(&%s, %s, %s, {%s, %s, %s, %s}, {%s, %s, %s}, {%d, %d}, %d, %d)",
                        m->name, map_type_name(m->type), from, m->extent[0], m->extent[1],
                        m->extent[2], m->extent[3], m->step[0], m->step[1], m->step[2], m->moved[0],
                        m->moved[1], m->box[0], m->box[1]);
        else
            text_printf(out, "tensor_map(&%s, %s, %s, {%s, %s, %s}, {%s, %s}, %d, %d)", m->name,
                        map_type_name(m->type), from, m->extent[0], m->extent[1], m->extent[2],
                        m->step[0], m->step[1], m->box[0], m->box[1]);
        text_printf(out, ";\n%sif (status) return status;\n", indent);
    }
}

/* Does one of these kernels, which the same function launches, run the same code? */
static bool is_launched_by(const Launcher *l, int k, int first, int end) {
    for (int i = first; i < end; i++)
        if (l->kernels->function[i] == l->kernels->function[k] &&
            l->plan->groups.at[i].once == l->plan->groups.at[k].once)
            return true;
    return false;
}

/* Is it the last that its function launches? */
static bool is_last(const Launcher *l, int k) {
    for (int i = k + 1; i < l->plan->groups.count; i++)
        if (l->plan->groups.at[i].once == l->plan->groups.at[k].once) return false;
    return true;
}

static const char *grid_text(const Launcher *l, const ProgramKernel *n) {
    if (!n->persistent) return n->grid;
    return n->persistent == 1
               ? arena_printf(l->arena, "persistent_blocks(%s)", n->grid)
               : arena_printf(l->arena, "persistent_blocks(%s, %d)", n->grid, n->persistent);
}

/* "geglu_0_shared": the constant beside the kernel; "0": it has no dynamic shared memory. */
static const char *shared_text(const Launcher *l, const ProgramKernel *n) {
    if (!strcmp(n->shared, "0")) return "0";
    return arena_printf(l->arena, "%s_shared", n->function);
}

/* "D <= 1024 ? dim3(32, 8) : dim3(256)" where both sizes of a block have that condition. */
static const char *block_text(const Launcher *l, const ProgramKernel *n) {
    const char *x = strstr(n->block_x, " ? "), *y = strstr(n->block_y, " ? ");
    const char *else_x = x ? strstr(x, " : ") : NULL, *else_y = y ? strstr(y, " : ") : NULL;
    const size_t size = x ? (size_t)(x - n->block_x) : 0;
    if (!strcmp(n->block_y, "1")) return n->block_x;
    if (!else_x || !else_y || strncmp(n->block_x, n->block_y, size + 3) != 0)
        return arena_printf(l->arena, "dim3(%s, %s)", n->block_x, n->block_y);
    const char *rest = !strcmp(else_y + 3, "1") ? "" : arena_printf(l->arena, ", %s", else_y + 3);
    return arena_printf(l->arena, "%.*s ? dim3(%.*s, %.*s) : dim3(%s%s)", (int)size, n->block_x,
                        (int)(else_x - x - 3), x + 3, (int)(else_y - y - 3), y + 3, else_x + 3,
                        rest);
}

/* Do sizes decide the threads of a block? */
static bool has_two_blocks(const ProgramKernel *n) { return strstr(n->block_x, " ? ") != NULL; }

/* "softmax_0<<<N, 256, 0, stream>>>(x, y, N, D);", on two lines if it is long. */
static void launch_kernel(const Launcher *l, int k, const char *indent, Text *out) {
    const ProgramKernel *n = &l->program->kernels[program_number(l->plan, k)];
    const char *block = block_text(l, n), *args = arguments(l, k);
    const bool is_first = !is_launched_by(l, k, 0, k);
    if (l->kernels->function[k] != k) text_printf(out, "%s/* %s */\n", indent, n->name);
    declare_maps(l, k, indent, out);
    if (n->zeroed)
        text_printf(
            out, "%sif ((status = cudaMemsetAsync(%s, 0, %s, stream))) return status;\n", indent,
            cuda_launcher(l)->made[k].zeroed ? zeroed_buffer(l, k)->name : scratch_text(l, k),
            n->zeroed_bytes);
    if (is_first && atoi(n->shared) > TILE_SHARED)
        text_printf(out, "%sif ((status = allow_shared(%s, %s))) return status;\n", indent,
                    n->function, shared_text(l, n));
    if (has_two_blocks(n)) {
        text_printf(out, "%sconst dim3 block = %s;\n", indent, block);
        block = "block";
    }
    const char *head = arena_printf(l->arena, "%s%s<<<%s, %s, %s, stream>>>(", indent, n->function,
                                    grid_text(l, n), block, shared_text(l, n));
    enum { LINE = 98 }; /* with ");" */
    const bool is_one_line = strlen(head) + strlen(args) <= LINE;
    if (!is_one_line && strlen(head) <= LINE) {
        text_printf(out, "%s\n", head);
        emit_signature(out, arena_printf(l->arena, "%s    ", indent), args);
    } else { /* a head that is too long is wrapped */
        text_printf(out, "%s%s)", head, args);
    }
    text_printf(out,
                is_last(l, k) ? ";\n%sreturn cudaGetLastError();\n"
                              : ";\n%sif ((status = cudaGetLastError())) return status;\n",
                indent);
}

/* What a launch declares lives for it alone. */
void cuda_call_kernel(const Launcher *l, int k, int number, Text *out) {
    const bool is_only = number == 0 && is_last(l, k);
    const bool declares = cuda_launcher(l)->made[k].map_count ||
                          has_two_blocks(&l->program->kernels[program_number(l->plan, k)]);
    if (is_only || !declares) {
        launch_kernel(l, k, "    ", out);
        return;
    }
    text_str(out, "    {\n");
    launch_kernel(l, k, "        ", out);
    text_str(out, "    }\n");
}

void cuda_declare_status(const Launcher *l, bool once, Text *out) {
    int launches = 0;
    bool found = false;
    for (int k = 0; k < l->plan->groups.count; k++) {
        if (l->plan->groups.at[k].once != once) continue;
        const ProgramKernel *kernel = &l->program->kernels[program_number(l->plan, k)];
        found |= launches++ || cuda_launcher(l)->made[k].map_count ||
                 cuda_launcher(l)->made[k].zeroed || cuda_launcher(l)->made[k].scratch.zeroed ||
                 atoi(kernel->shared) > TILE_SHARED;
    }
    if (found) text_str(out, "    cudaError_t status;\n");
}

static void declare_status(const Launcher *l, Text *out) { cuda_declare_status(l, false, out); }

/* The last launch is the return. */
static void put_end(const Launcher *l, Text *out) {
    if (!l->plan->groups.count) text_str(out, "    return 0;\n");
}

/* ---- the words of CUDA -------------------------------------------------------------------- */

enum { SLOT_ALIGN = 256 };

static const char *aligned(const Names *names, Dim bytes) {
    int64_t n;
    if (dim_is_const(names->plan->g->dims, bytes, &n))
        return cuda_number(names->arena, (n + SLOT_ALIGN - 1) / SLOT_ALIGN * SLOT_ALIGN);
    return arena_printf(names->arena, "%d * ceil_div(%s, %d)", SLOT_ALIGN, names_size(names, bytes),
                        SLOT_ALIGN);
}

static const HostDialect host = {
    .dialect = &cuda_dialect,
    .linkage = "extern \"C\" ",
    .open = " {\n",
    .nothing = "",
    .size = "long long ",
    .tensor = "void",
    .memory = "device memory",
    .tensors = "",
    .alignment = SLOT_ALIGN,
    .aligned = aligned,
    .define = define_kernel,
    .share = share_kernel,
    .prepared = cuda_declare_prepared,
    .status = declare_status,
    .call = cuda_call_kernel,
    .end = put_end,
    .last = {"cudaStream_t ", "stream", "the kernels are enqueued here; the call does not wait"},
    .returns = " * Returns a cudaError_t: 0, 1 (an invalid value) when the sizes break a condition "
               "of the\n"
               " * model, or that of a launch. No two calls in flight may share outputs or "
               "workspace. */\n",
    .prepares = "computes what depends only on inputs that never change",
    .prepare_returns = " * Returns a cudaError_t: 0, 1 (an invalid value) when the sizes break a "
                       "condition of the\n"
                       " * model, or that of a launch. Calls only read the prepared memory: they "
                       "may share it. */\n",
    .prepare_has_last = true};

/* ---- all of it ----------------------------------------------------------------------------- */

static void document(const Names *names, const EmitOptions *options, Text *out) {
    HostDialect h = host;
    if (options->aligned) h.tensors = ", 16-byte aligned";
    host_document(&h, names, out);
}

/* The function that an application calls, and the query of its workspace. */
static void emit_host(const Launcher *l, Text *out) {
    Text text = text_new(l->arena);
    const Names recording = names_recording(l->names);
    if (l->plan->constancy) cuda_prepare_function(l, &text);
    document(l->names, cuda_launcher(l)->options, &text);
    host_workspace(&host, &recording, "", cuda_scratch(l, false), &text);
    host_function(l, &text);
    text_str(out, "#ifndef __CUDACC_RTC__\n\n");
    text_wrapped(out, text_get(&text));
    text_str(out, "\n#endif\n\n");
}

void emit_cuda_prototypes(const Names *names, const EmitOptions *options, Text *out) {
    if (names->plan->constancy) {
        host_prepare_document(&host, names, out);
        host_prototypes(&host, names, true, out);
        text_char(out, '\n');
    }
    document(names, options, out);
    host_prototypes(&host, names, false, out);
}

void emit_cuda_launcher(const Names *names, const TiledKernels *kernels, const EmitOptions *options,
                        Program *program, Text *out) {
    const int count = names->plan->groups.count;
    Arena *arena = out->arena;
    CudaLauncher c = {.l = launcher_new(&host, names, arena)};
    Launcher *l = &c.l;
    l->kernels = kernels;
    l->program = program;
    c.options = options;
    c.made = arena_array(arena, Launch, count + 1);
    host_kernels(l, out);
    ProgramKernel *launches = arena_array(arena, ProgramKernel, count + 1);
    for (int k = 0; k < count; k++) launches[program_number(l->plan, k)] = program_kernel(l, k);
    l->given = cuda_given(l, false);
    program->kernels = launches;
    program->is_dependent = options->dependent;
    const char *const scratch = cuda_scratch(l, false);
    l->has_scratch = *scratch;
    program->workspace = host_slot_offset(&host, names, names->plan->slots.count);
    if (*scratch) program->workspace = arena_printf(arena, "%s + %s", program->workspace, scratch);
    program->prepared = cuda_prepared_offset(l, names->plan->buffers.count + 1);
    if (!options->bare) emit_host(l, out);
}
