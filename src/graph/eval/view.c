/* view.c: the ops that move elements: views, take and scatter. A strided view reads element origin
 * + sum of index[axis] * stride[axis]; pad writes in this way. */
#include "graph/eval/eval_private.h"

#include <string.h>

typedef struct Strides {
    int64_t origin, step[RANK_MAX];
} Strides;

static void row_major(int rank, const int64_t *shape, int64_t *step) {
    int64_t size = 1;
    for (int axis = rank - 1; axis >= 0; axis--) {
        step[axis] = size;
        size *= shape[axis];
    }
}

/* Advances the index in row-major order, and the offset with it. */
static void advance(int rank, const int64_t *shape, const Strides *s, int64_t *index,
                    int64_t *offset) {
    for (int axis = rank - 1; axis >= 0; axis--) {
        *offset += s->step[axis];
        if (++index[axis] < shape[axis]) return;
        *offset -= shape[axis] * s->step[axis];
        index[axis] = 0;
    }
}

static void read_strided(int rank, const Value *x, const Strides *s, Value *out) {
    int64_t index[RANK_MAX] = {0}, offset = s->origin;
    for (int64_t i = 0; i < out->count; i++) {
        out->at[i] = x->at[offset];
        advance(rank, out->shape, s, index, &offset);
    }
}

static void write_strided(int rank, const Value *x, const Strides *s, Value *out) {
    int64_t index[RANK_MAX] = {0}, offset = s->origin;
    for (int64_t i = 0; i < x->count; i++) {
        out->at[offset] = x->at[i];
        advance(rank, x->shape, s, index, &offset);
    }
}

static int64_t attr_dim(const Eval *e, const Node *n, int axis) {
    int64_t value;
    if (!dim_value(e->g->dims, n->attr[axis], e->symbols, &value))
        BUG("%s: axis %d has no value", op_info[n->op].name, axis);
    return value;
}

/* Checks that [start, start + part) lies in [0, whole). */
static int64_t part_start(const Eval *e, const Node *n, int axis, int64_t part, int64_t whole) {
    int64_t start = attr_dim(e, n, axis);
    if (start < 0 || start > whole - part)
        BUG("%s: %lld elements from %lld on in an axis of %lld", op_info[n->op].name,
            (long long)part, (long long)start, (long long)whole);
    return start;
}

static void view_permute(const Eval *e, const Node *n, Value *out) {
    const Value *x = eval_source(e, n, 0);
    Strides s = {0};
    int64_t step[RANK_MAX];
    row_major(n->rank, x->shape, step);
    for (int axis = 0; axis < n->rank; axis++) s.step[axis] = step[n->attr[axis]];
    read_strided(n->rank, x, &s, out);
}

static void view_broadcast(const Eval *e, const Node *n, Value *out) {
    const Value *x = eval_source(e, n, 0);
    Strides s = {0};
    row_major(n->rank, x->shape, s.step);
    for (int axis = 0; axis < n->rank; axis++) {
        if (x->shape[axis] == out->shape[axis]) continue;
        if (x->shape[axis] != 1) BUG("broadcast of %lld elements", (long long)x->shape[axis]);
        s.step[axis] = 0;
    }
    read_strided(n->rank, x, &s, out);
}

static void view_slice(const Eval *e, const Node *n, Value *out) {
    const Value *x = eval_source(e, n, 0);
    Strides s = {0};
    row_major(n->rank, x->shape, s.step);
    for (int axis = 0; axis < n->rank; axis++)
        s.origin += s.step[axis] * part_start(e, n, axis, out->shape[axis], x->shape[axis]);
    read_strided(n->rank, x, &s, out);
}

static void view_pad(const Eval *e, const Node *n, Value *out) {
    const Value *x = eval_source(e, n, 0), *value = eval_source(e, n, 1);
    Strides s = {0};
    row_major(n->rank, out->shape, s.step);
    for (int axis = 0; axis < n->rank; axis++)
        s.origin += s.step[axis] * part_start(e, n, axis, x->shape[axis], out->shape[axis]);
    for (int64_t i = 0; i < out->count; i++) out->at[i] = value->at[0];
    write_strided(n->rank, x, &s, out);
}

static void view_flip(const Node *n, const Value *x, Value *out) {
    Strides s = {0};
    row_major(n->rank, x->shape, s.step);
    for (int axis = 0; axis < n->rank; axis++) {
        if (!(n->attr[0] >> axis & 1)) continue;
        s.origin += (x->shape[axis] - 1) * s.step[axis];
        s.step[axis] = -s.step[axis];
    }
    read_strided(n->rank, x, &s, out);
}

void eval_view(Eval *e, const Node *n, Value *out) {
    const Value *x = eval_source(e, n, 0);
    switch (n->op) {
    case OP_RESHAPE:
        if (x->count != out->count) BUG("reshape of %lld elements", (long long)x->count);
        memcpy(out->at, x->at, sizeof *out->at * (size_t)out->count);
        break;
    case OP_PERMUTE: view_permute(e, n, out); break;
    case OP_BROADCAST: view_broadcast(e, n, out); break;
    case OP_SLICE: view_slice(e, n, out); break;
    case OP_PAD: view_pad(e, n, out); break;
    case OP_FLIP: view_flip(n, x, out); break;
    default: BUG("no meaning for %s", op_info[n->op].name);
    }
}

/* ---- take ------------------------------------------------------------------------------- */

bool eval_index(Eval *e, const Node *n, int64_t size, int64_t element, int64_t *index) {
    if (*index >= 0 && *index < size) return true;
    if (e->check_bounds) {
        e->failure = (Failure){FAIL_INDEX, n, *index, size, element, NULL};
        return false;
    }
    *index = *index < 0 ? 0 : size - 1;
    return true;
}

/* base as [before, size, after], x as [before, indices, after]. */
typedef struct Parts {
    int64_t before, size, after;
} Parts;

static Parts parts_of(const Value *base, int axis) {
    Parts p = {.before = 1, .size = base->shape[axis]};
    for (int i = 0; i < axis; i++) p.before *= base->shape[i];
    p.after = base->count / p.before / p.size;
    return p;
}

static Scalar combined(Eval *e, const Node *n, Op with, Scalar a, Scalar b) {
    const bool is_float = dtype_is_float(n->type), larger = is_float ? false : a.i > b.i;
    if (with == OP_NULL) return b;
    if (with == OP_ADD)
        return is_float ? (Scalar){.f = eval_round(e, a.f + b.f)}
                        : (Scalar){.i = eval_wrap(n->type, (uint64_t)a.i + (uint64_t)b.i)};
    if (is_float) return (Scalar){.f = with == OP_MAX ? eval_max(a.f, b.f) : eval_min(a.f, b.f)};
    return larger == (with == OP_MAX) ? a : b;
}

/* Combines row i of x into row `index` of out. */
static void scatter_row(Eval *e, const Node *n, const Parts *p, const Value *x, int64_t i,
                        int64_t index, Value *out) {
    const int64_t count = x->count / p->before / p->after;
    for (int64_t b = 0; b < p->before; b++)
        for (int64_t a = 0; a < p->after; a++) {
            Scalar *to = &out->at[(b * p->size + index) * p->after + a];
            *to = combined(e, n, (Op)n->attr[1], *to, x->at[(b * count + i) * p->after + a]);
        }
}

bool eval_scatter(Eval *e, const Node *n, Value *out) {
    const Value *base = eval_source(e, n, 0), *indices = eval_source(e, n, 1),
                *x = eval_source(e, n, 2);
    const Parts p = parts_of(base, n->attr[0]);
    memcpy(out->at, base->at, sizeof *out->at * (size_t)out->count);
    for (int64_t i = 0; i < indices->count; i++) {
        int64_t index = indices->at[i].i;
        if (!eval_index(e, n, p.size, i, &index)) return false;
        scatter_row(e, n, &p, x, i, index, out);
    }
    return true;
}

/* How many positions are in each group of rows, by part. */
static void tally(const Node *n, const Value *indices, int shift, Value *out) {
    const int64_t groups = n->attr[1], parts = n->attr[2];
    const int64_t size = (indices->count + parts - 1) / parts;
    for (int64_t i = 0; i < out->count; i++) out->at[i].i = 0;
    for (int64_t i = 0; i < indices->count; i++)
        out->at[i / size * groups + (indices->at[i].i >> shift)].i++;
}

/* The positions by group of 2^shift rows. */
static void sort_groups(const Value *indices, int shift, Value *out) {
    const int64_t groups = out->count - indices->count - 1;
    int64_t at = 0;
    for (int64_t k = 0; k <= groups; k++) {
        out->at[k].i = at;
        for (int64_t i = 0; i < indices->count; i++)
            if (indices->at[i].i >> shift == k) out->at[groups + 1 + at++].i = i;
    }
}

/* The elements of x by row, each part of them by itself. */
static void bin_parts(Eval *e, const Node *n, Value *out) {
    const Value *x = eval_source(e, n, 0), *indices = eval_source(e, n, 1);
    const Reduction *r = reduction_of((Op)n->attr[1]);
    const int64_t rows = out->shape[1 + n->attr[3]], parts = n->attr[2], all = out->count / parts;
    int64_t after = 1;
    for (int i = n->attr[3] + 2; i < n->rank; i++) after *= out->shape[i];
    const int64_t size = (x->count / after + parts - 1) / parts;
    for (int64_t i = 0; i < out->count; i++) out->at[i] = reduction_identity(r, n->type);
    for (int64_t i = 0; i < x->count; i++) {
        const int64_t position = i / after % indices->count, before = i / after / indices->count;
        const int64_t row = before * rows + indices->at[position].i;
        Scalar *to = &out->at[i / after / size * all + row * after + i % after];
        *to = combined(e, n, r->pair, *to, x->at[i]);
    }
}

bool eval_segments(Eval *e, const Node *n, Value *out) {
    int64_t rows;
    int shift = 0;
    if (n->op == OP_BINNED) {
        bin_parts(e, n, out);
        return true;
    }
    if (!dim_value(e->g->dims, n->attr[0], e->symbols, &rows)) return false;
    while (n->attr[1] && (int64_t)n->attr[1] << shift < rows) shift++;
    if (n->op == OP_TALLY)
        tally(n, eval_source(e, n, 0), shift, out);
    else
        sort_groups(eval_source(e, n, 0), n->op == OP_GROUPS ? shift : 0, out);
    return true;
}

void eval_combine(Eval *e, const Node *n, Value *out) {
    const Value *base = eval_source(e, n, 0), *starts = eval_source(e, n, 1),
                *ends = eval_source(e, n, 2), *positions = eval_source(e, n, 3),
                *x = eval_source(e, n, 4);
    const Parts p = parts_of(base, n->attr[0]);
    memcpy(out->at, base->at, sizeof *out->at * (size_t)out->count);
    for (int64_t r = 0; r < p.size; r++)
        for (int64_t i = starts->at[r].i; i < ends->at[r].i; i++)
            scatter_row(e, n, &p, x, positions->at[i].i, r, out);
}

/* x as [before, size, after], indices as one row: out[b, i, a] = x[b, indices[i], a]. */
bool eval_gather(Eval *e, const Node *n, Value *out) {
    const Value *x = eval_source(e, n, 0), *indices = eval_source(e, n, 1);
    int64_t size = x->shape[n->attr[0]], before = 1, to = 0;
    for (int axis = 0; axis < n->attr[0]; axis++) before *= x->shape[axis];
    int64_t after = x->count / before / size;
    for (int64_t b = 0; b < before; b++)
        for (int64_t i = 0; i < indices->count; i++) {
            int64_t index = indices->at[i].i;
            if (!eval_index(e, n, size, i, &index)) return false;
            const Scalar *from = x->at + (b * size + index) * after;
            for (int64_t a = 0; a < after; a++) out->at[to++] = from[a];
        }
    return true;
}
