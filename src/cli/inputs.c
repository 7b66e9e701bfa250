/* inputs.c: the tensors of a run.
 * In: a function and the --in files. Out: a tensor for each input, the values of the dims, and
 * poisoned outputs, which show elements that are not written. */
#include "cli/command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Binding {
    Session *s;
    const Graph *g;
    RunTensors *t;
    bool *known;       /* dims, by symbol */
    const char **file; /* that an input is from; NULL: none */
} Binding;

static const Node *input_node(const Graph *g, int i) { return &g->node[g->inputs.at[i].node]; }

static int find_input(const Graph *g, const char *name) {
    for (int i = 0; i < g->inputs.count; i++)
        if (!strcmp(g->inputs.at[i].name, name)) return i;
    return -1;
}

/* ---- files ---------------------------------------------------------------------------------- */

bool is_npy(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && !strcmp(dot, ".npy");
}

/* The input of a .npy file: the one with its name, or the only one; -1: none. */
static int npy_input(Session *s, const Graph *g, const char *path) {
    int i = find_input(g, model_name(s->arena, path));
    return i < 0 && g->inputs.count == 1 ? 0 : i;
}

static bool no_such_input(Session *s, const Graph *g, const char *path) {
    Text names = text_new(s->arena);
    for (int i = 0; i < g->inputs.count; i++)
        text_printf(&names, "%s%s", i ? ", " : "", g->inputs.at[i].name);
    diag_error(s->diag, NOWHERE, "%s holds no input of %s: those are %s", path, g->name,
               text_get(&names));
    if (is_npy(path))
        diag_note(s->diag, NOWHERE,
                  "a .npy file is for the input that it is named after, as in %s.npy",
                  g->inputs.at[0].name);
    return false;
}

/* NumPy's name of the type; NULL: it has no such type. */
static const char *numpy_name(Dtype type) {
    switch (type) {
    case T_F64: return "float64";
    case T_F32: return "float32";
    case T_F16: return "float16";
    case T_I64: return "int64";
    case T_I32: return "int32";
    case T_I8: return "int8";
    case T_U8: return "uint8";
    case T_BOOL: return "bool";
    default: return NULL;
    }
}

/* NumPy's default types are f64 and i64. */
static void note_type(Binding *b, const GraphInput *input, const Tensor *tensor, Dtype wanted) {
    const char *name = numpy_name(wanted);
    if (tensor->type == wanted) return;
    if (name)
        diag_note(b->s->diag, NOWHERE,
                  "files are not converted: save %s.astype('%s'), or declare it %s", input->name,
                  name, dtype_name(tensor->type));
    else
        diag_note(b->s->diag, NOWHERE,
                  "files are not converted: declare it %s and write '%s as %s', or save it in "
                  "that type with PyTorch (NumPy lacks it)",
                  dtype_name(tensor->type), input->name, dtype_name(wanted));
}

static bool fits(Binding *b, const char *path, int input, const Tensor *tensor) {
    const Node *n = input_node(b->g, input);
    if (tensor->type == n->type && tensor->rank == n->rank) return true;
    Text is = text_new(b->s->arena), says = text_new(b->s->arena);
    tensor_shape_print(tensor->type, tensor->rank, tensor->shape, &is);
    shape_print(b->g->dims, n->type, n->rank, n->shape, &says);
    diag_error(b->s->diag, b->g->inputs.at[input].span,
               "input %s is %s in %s, but the model says %s", b->g->inputs.at[input].name,
               text_get(&is), path, text_get(&says));
    note_type(b, &b->g->inputs.at[input], tensor, n->type);
    return false;
}

/* Moves the tensors of one file to their inputs. Others are left. */
static bool place_tensors(Binding *b, const char *path, int only, NamedTensors *from) {
    int used = 0;
    for (int i = 0; i < from->count; i++) {
        int input = only >= 0 ? only : find_input(b->g, from->at[i].name);
        if (input < 0) continue;
        if (b->t->input[input]) {
            diag_error(b->s->diag, NOWHERE, "%s: input %s was already given", path,
                       b->g->inputs.at[input].name);
            return false;
        }
        if (!fits(b, path, input, from->at[i].tensor)) return false;
        b->t->input[input] = from->at[i].tensor;
        b->file[input] = path;
        from->at[i].tensor = NULL;
        used++;
    }
    if (!used) return no_such_input(b->s, b->g, path);
    if (used < from->count)
        diag_remark(b->s->diag, NOWHERE, "%s: %d of its %d tensors are not inputs of %s", path,
                    from->count - used, from->count, b->g->name);
    return true;
}

static bool read_file(Binding *b, const char *path) {
    NamedTensors read = {0};
    int only = is_npy(path) ? npy_input(b->s, b->g, path) : -1;
    Dtype expected = only >= 0 ? input_node(b->g, only)->type : T_NONE;
    bool ok =
        tensors_read(b->s->diag, path, expected, &read) && place_tensors(b, path, only, &read);
    tensors_free(&read);
    return ok;
}

/* ---- dims ----------------------------------------------------------------------------------- */

static void take_bindings(Binding *b) {
    const Options *o = b->s->options;
    for (int i = 0; i < o->bindings.count; i++) {
        int symbol = dim_symbol_find(b->g->dims, o->bindings.at[i].name);
        if (symbol < 0) continue;
        b->t->dims[symbol] = o->bindings.at[i].value;
        b->known[symbol] = true;
    }
}

static int known_count(const Binding *b) {
    int count = 0;
    for (int i = 0; i < b->g->dims->symbols.count; i++) count += b->known[i];
    return count;
}

/* Solves the dims from the shapes of inputs, until nothing new follows. */
static void solve_dims(Binding *b) {
    int before;
    do {
        before = known_count(b);
        for (int i = 0; i < b->g->inputs.count; i++) {
            const Node *n = input_node(b->g, i);
            const Tensor *given = b->t->input[i];
            if (!given || given->rank != n->rank) continue;
            for (int axis = 0; axis < n->rank; axis++)
                dim_solve(b->g->dims, n->shape[axis], given->shape[axis], b->t->dims, b->known);
        }
    } while (known_count(b) > before);
}

static bool all_known(Binding *b) {
    Text open = text_new(b->s->arena), example = text_new(b->s->arena);
    for (int i = 0; i < b->g->dims->symbols.count; i++) {
        if (b->known[i]) continue;
        const char *name = b->g->dims->symbols.at[i].name;
        text_printf(&open, "%s%s", open.size ? ", " : "", name);
        text_printf(&example, " -D %s=64", name);
    }
    if (!open.size) return true;
    diag_error(b->s->diag, NOWHERE, "the size of %s is not known: give it a value, as in%s",
               text_get(&open), text_get(&example));
    return false;
}

/* ---- what no file gave ---------------------------------------------------------------------- */

static Tensor *tensor_of(Session *s, const Graph *g, NodeId id, const int64_t *dims,
                         const char *name) {
    const Node *n = &g->node[id];
    int64_t shape[RANK_MAX] = {0};
    for (int axis = 0; axis < n->rank; axis++)
        if (!dim_value(g->dims, n->shape[axis], dims, &shape[axis])) {
            diag_error(s->diag, NOWHERE,
                       "%s: axis %d, %s, is not a whole number with these "
                       "dims",
                       name, axis, dim_text(g->dims, n->shape[axis], s->arena));
            return NULL;
        }
    Tensor *tensor = tensor_new(n->type, n->rank, shape);
    if (!tensor) diag_refuse(s->diag, "out of memory for %s", name);
    return tensor;
}

/* 0: a size is not whole; tensor_of reports it. */
static double bytes_of(const Graph *g, NodeId id, const int64_t *dims) {
    const Node *n = &g->node[id];
    double bytes = (double)dtype_size(n->type);
    for (int axis = 0; axis < n->rank; axis++) {
        int64_t extent;
        bytes *= dim_value(g->dims, n->shape[axis], dims, &extent) ? (double)extent : 0;
    }
    return bytes;
}

/* A system that overcommits memory would kill the process on the first write. */
static bool fits_memory(const Binding *b) {
    const double gib = 1 << 30;
    double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE), bytes = 0;
    for (int i = 0; i < b->g->inputs.count; i++)
        if (!b->t->input[i]) bytes += bytes_of(b->g, b->g->inputs.at[i].node, b->t->dims);
    for (int i = 0; i < b->g->outputs.count; i++)
        bytes += bytes_of(b->g, b->g->outputs.at[i].node, b->t->dims);
    if (machine <= 0 || bytes <= machine) return true;
    diag_refuse(b->s->diag, "inputs and outputs of %s take %.1f GiB, more than this machine has",
                b->g->name, bytes / gib);
    return false;
}

/* Each input has its own random stream; indices are in range. */
static void fill(const Binding *b, int input, Tensor *tensor) {
    const char *name = b->g->inputs.at[input].name;
    uint64_t seed = hash_bytes(name, strlen(name), b->s->options->seed);
    int64_t size = dtype_is_int(tensor->type) ? index_range(b->g, input, b->t->dims) : 0;
    InputRange range = {0, (double)size};
    if (input_range(b->s, b->g, input, b->t->dims, &range) || size > 0)
        tensor_random_between(tensor, seed, range.low, range.high);
    else
        tensor_random(tensor, seed);
}

/* The first elements are random, and are copied until the tensor is full. */
static void fill_by_period(const Binding *b, int input, Tensor *tensor) {
    const int64_t count = tensor_count(tensor), period = b->t->period;
    Tensor first = *tensor;
    if (!period || count <= period) {
        fill(b, input, tensor);
        return;
    }
    first.rank = 1;
    first.shape[0] = period;
    first.bytes = (size_t)period * dtype_size(tensor->type);
    fill(b, input, &first);
    for (size_t done = first.bytes; done < tensor->bytes; done += first.bytes) {
        const size_t left = tensor->bytes - done;
        memcpy((char *)tensor->data + done, tensor->data, left < first.bytes ? left : first.bytes);
    }
}

static bool make_missing(Binding *b) {
    Text names = text_new(b->s->arena);
    for (int i = 0; i < b->g->inputs.count; i++) {
        if (b->t->input[i]) continue;
        const char *name = b->g->inputs.at[i].name;
        b->t->input[i] = tensor_of(b->s, b->g, b->g->inputs.at[i].node, b->t->dims, name);
        if (!b->t->input[i]) return false;
        fill_by_period(b, i, b->t->input[i]);
        text_printf(&names, "%s%s", names.size ? ", " : "", name);
    }
    if (names.size)
        diag_remark(b->s->diag, NOWHERE, "random inputs, seed %" PRIu64 ": %s", b->s->options->seed,
                    text_get(&names));
    return true;
}

static bool make_outputs(Binding *b) {
    for (int i = 0; i < b->g->outputs.count; i++) {
        const GraphOutput *output = &b->g->outputs.at[i];
        b->t->output[i] = tensor_of(b->s, b->g, output->node, b->t->dims, output->name);
        if (!b->t->output[i]) return false;
        tensor_poison(b->t->output[i]);
    }
    return true;
}

bool run_tensors_make(Session *s, const Graph *g, RunTensors *t) {
    const Options *o = s->options;
    Binding b = {s, g, t, arena_array(s->arena, bool, g->dims->symbols.count),
                 arena_array(s->arena, const char *, g->inputs.count)};
    t->input_count = g->inputs.count;
    t->output_count = g->outputs.count;
    t->input = arena_array(s->arena, Tensor *, t->input_count);
    t->output = arena_array(s->arena, Tensor *, t->output_count);
    t->dims = arena_array(s->arena, int64_t, g->dims->symbols.count);
    for (int i = 0; i < o->in_files.count; i++)
        if (!read_file(&b, o->in_files.at[i])) return false;
    take_bindings(&b);
    solve_dims(&b);
    return all_known(&b) && ranges_check(s, g, t->dims) && fits_memory(&b) && make_missing(&b) &&
           bind_dims(g, (const Tensor *const *)t->input, b.file, o->bindings.at, o->bindings.count,
                     t->dims) &&
           make_outputs(&b);
}

bool dims_are_given(Session *s, const Compilation *c) {
    for (int i = 0; i < c->functions.count; i++) {
        const Graph *g = c->functions.at[i].lowered;
        const int count = g->dims->symbols.count;
        RunTensors t = {.dims = arena_array(s->arena, int64_t, count)};
        Binding b = {s, g, &t, arena_array(s->arena, bool, count), NULL};
        take_bindings(&b);
        if (!all_known(&b)) return false;
    }
    return true;
}

void run_tensors_free(RunTensors *t) {
    for (int i = 0; i < t->input_count; i++) tensor_free(t->input[i]);
    for (int i = 0; i < t->output_count; i++) tensor_free(t->output[i]);
}
