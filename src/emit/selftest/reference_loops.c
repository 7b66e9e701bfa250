/* reference_loops.c: the reference of the self-test: views, reductions, scans, composites
 * along axes, contractions, take and scatter, as nested loops over the axes of a node.
 * In: a node of a Graph. Out: text. */
#include "emit/selftest/selftest.h"

#include <math.h>
#include <string.h>

/* The indices of a loop nest: "i0" .., "0" if the axis has one element. */
typedef struct Nest {
    const char *index[2 * RANK_MAX];
    int loops; /* open */
} Nest;

static bool is_one(const Reference *p, Dim size) { return dim_is(p->g->dims, size, 1); }

static void open_loop(Reference *p, Nest *nest, const char *name, int number, Dim size, int axis) {
    nest->index[axis] = "0";
    if (is_one(p, size)) return;
    const char *i = arena_printf(p->arena, "%s%d", name, number);
    const char *end = names_size(p->names, size);
    reference_line(p, "for (int64_t %s = 0; %s < %s; %s++) {", i, i, end, i);
    p->indent++;
    nest->loops++;
    nest->index[axis] = i;
}

/* Loops over the axes outside of the mask. */
static Nest open_axes(Reference *p, const Node *n, uint32_t without) {
    Nest nest = {{0}, 0};
    for (int axis = 0; axis < n->rank; axis++)
        if (!(without >> axis & 1)) open_loop(p, &nest, "i", axis, n->shape[axis], axis);
    return nest;
}

/* The same, with a block even without loops, as the scope of r0. */
static Nest open_block(Reference *p, const Node *n, uint32_t without) {
    Nest nest = open_axes(p, n, without);
    if (nest.loops) return nest;
    reference_line(p, "{");
    p->indent++;
    nest.loops++;
    return nest;
}

static void close_to(Reference *p, Nest *nest, int loops) {
    for (; nest->loops > loops; nest->loops--) {
        p->indent--;
        reference_line(p, "}");
    }
}

/* ---- views ----------------------------------------------------------------------------------- */

/* i + start */
static const char *shifted(const Reference *p, const char *index, Dim start) {
    if (dim_is(p->g->dims, start, 0)) return index;
    const char *by = names_size(p->names, start);
    return strcmp(index, "0") ? arena_printf(p->arena, "%s + %s", index, by) : by;
}

/* size - 1 - i */
static const char *from_end(const Reference *p, const char *index, Dim size) {
    const char *last = names_size(p->names, dim_sub(p->g->dims, size, dim_const(p->g->dims, 1)));
    return strcmp(index, "0") ? arena_printf(p->arena, "%s - %s", last, index) : index;
}

static void source_index(const Reference *p, const Node *n, const Nest *nest, const char **index) {
    for (int axis = 0; axis < n->rank; axis++) {
        if (n->op == OP_PERMUTE) index[n->attr[axis]] = nest->index[axis];
        if (n->op == OP_BROADCAST) index[axis] = nest->index[axis]; /* axes of 1 are skipped */
        if (n->op == OP_FLIP)
            index[axis] = n->attr[0] >> axis & 1 ? from_end(p, nest->index[axis], n->shape[axis])
                                                 : nest->index[axis];
        if (n->op == OP_SLICE) index[axis] = shifted(p, nest->index[axis], n->attr[axis]);
    }
}

static void flat_copy(Reference *p, NodeId id, const Node *from, const char *value) {
    Text count = text_new(p->arena);
    for (int axis = 0; axis < from->rank; axis++)
        if (!is_one(p, from->shape[axis]))
            text_printf(&count, "%s%s", count.size ? "*" : "",
                        reference_size(p, from->shape[axis]));
    reference_line(p, "for (int64_t i0 = 0; i0 < %s; i0++)", count.size ? text_get(&count) : "1");
    reference_line(p, "    v%d[i0] = %s;", id, value);
}

/* Fills with the value, then copies x into its place. */
static void write_pad(Reference *p, NodeId id) {
    const Node *n = &p->g->node[id], *x = &p->g->node[n->src[0]];
    const char *index[RANK_MAX];
    flat_copy(p, id, n, reference_element(p, n->src[1], NULL));
    Nest nest = open_axes(p, x, 0);
    for (int axis = 0; axis < n->rank; axis++)
        index[axis] = shifted(p, nest.index[axis], n->attr[axis]);
    reference_line(p, "%s = %s;", reference_element(p, id, index),
                   reference_element(p, n->src[0], nest.index));
    close_to(p, &nest, 0);
}

void reference_view(Reference *p, NodeId id) {
    const Node *n = &p->g->node[id];
    if (n->op == OP_PAD) {
        write_pad(p, id);
        return;
    }
    if (n->op == OP_RESHAPE) {
        flat_copy(p, id, n, arena_printf(p->arena, "v%d[i0]", n->src[0]));
        return;
    }
    const char *index[RANK_MAX];
    Nest nest = open_axes(p, n, 0);
    source_index(p, n, &nest, index);
    reference_line(p, "%s = %s;", reference_element(p, id, nest.index),
                   reference_element(p, n->src[0], index));
    close_to(p, &nest, 0);
}

/* ---- reductions ------------------------------------------------------------------------------ */

static const char *start_of(Op op, bool real) {
    const double identity = reduction_of(op)->identity;
    if (isinf(identity))
        return real ? (identity < 0 ? "-INFINITY" : "INFINITY")
                    : (identity < 0 ? "INT64_MIN" : "INT64_MAX");
    return identity == 0 ? "0" : "1";
}

/* r0 and one more element. */
static const char *step_of(const Reference *p, const Node *n, const char *x) {
    const char *const operands[] = {"r0", x};
    const Op op = reduction_of(n->op)->op;
    const char *pattern = op_text(op, IN_REFERENCE, dtype_is_float(n->type));
    return reference_partial(p, n, pattern_text(p->arena, pattern, operands, ""));
}

static void argmax_step(Reference *p, const Node *x, const char *element, const char *at) {
    bool real = dtype_is_float(x->type);
    reference_line(p, real ? "if (r0 < 0 || fx_ref_above(%s, r1)) {" : "if (r0 < 0 || %s > r1) {",
                   element);
    reference_line(p, "    r0 = %s;", at);
    reference_line(p, "    r1 = %s;", element);
    reference_line(p, "}");
}

void reference_reduce(Reference *p, NodeId id) {
    const Node *n = &p->g->node[id], *x = &p->g->node[n->src[0]];
    uint32_t axes = (uint32_t)n->attr[0];
    Nest nest = open_block(p, n, axes);
    int outer = nest.loops, along = 0;
    const char *at[RANK_MAX];
    for (int axis = 0; axis < n->rank; axis++) at[axis] = axes >> axis & 1 ? "0" : nest.index[axis];
    reference_line(p, "%s r0 = %s;", reference_type(n->type),
                   n->op == OP_ARGMAX ? "-1" : start_of(n->op, dtype_is_float(n->type)));
    if (n->op == OP_ARGMAX) reference_line(p, "%s r1 = 0;", reference_type(x->type));
    for (int axis = 0; axis < x->rank; axis++) {
        if (!(axes >> axis & 1)) continue;
        open_loop(p, &nest, "i", axis, x->shape[axis], axis);
        along = axis;
    }
    const char *element = reference_element(p, n->src[0], nest.index);
    if (n->op == OP_ARGMAX)
        argmax_step(p, x, element, nest.index[along]);
    else
        reference_line(p, "r0 = %s;", step_of(p, n, element));
    close_to(p, &nest, outer);
    reference_line(p, "%s = %s;", reference_element(p, id, at), reference_result(p, n, "r0"));
    close_to(p, &nest, 0);
}

void reference_scan(Reference *p, NodeId id) {
    const Node *n = &p->g->node[id];
    int axis = n->attr[0];
    Nest nest = open_block(p, n, 1u << axis);
    reference_line(p, "%s r0 = %s;", reference_type(n->type),
                   start_of(n->op, dtype_is_float(n->type)));
    open_loop(p, &nest, "i", axis, n->shape[axis], axis);
    if (n->attr[1]) nest.index[axis] = from_end(p, nest.index[axis], n->shape[axis]);
    reference_line(p, "r0 = %s;", step_of(p, n, reference_element(p, n->src[0], nest.index)));
    reference_line(p, "%s = %s;", reference_element(p, id, nest.index),
                   reference_result(p, n, "r0"));
    close_to(p, &nest, 0);
}

/* ---- composites along axes ------------------------------------------------------------------- */

static void open_along(Reference *p, Nest *nest, const Node *x, uint32_t axes) {
    for (int axis = 0; axis < x->rank; axis++)
        if (axes >> axis & 1) open_loop(p, nest, "i", axis, x->shape[axis], axis);
}

static bool is_norm(Op op) { return op == OP_LAYER_NORM || op == OP_RMS_NORM; }

/* Element i of the row in r0, stored to the result. */
static const char *row_element(const Reference *p, const Node *n, const char *i) {
    const char *text = arena_printf(p->arena, "r0[%s]", i);
    const char *const round = n->type == T_F64 ? "f64" : "f32";
    for (int s = 1; s < n->src_count; s++) { /* gain, bias */
        const char *x = reference_element(p, n->src[s], &i);
        text = arena_printf(p->arena, "fx_ref_%s(%s %c %s)", round, text, s == 1 ? '*' : '+', x);
    }
    return text;
}

/* A call of the reference function for this op, on the row r0. */
static const char *row_call(const Reference *p, const Node *n, const char *size,
                            const char *const *at) {
    const char *more = "";
    if (is_norm(n->op)) {
        Value eps = {.type = T_F64, .bits = n->bits};
        more = arena_printf(p->arena, ", %s", float_text(p->arena, const_float(&eps), false));
    }
    if (n->op == OP_CROSS_ENTROPY)
        more = arena_printf(p->arena, ", %s", reference_element(p, n->src[1], at));
    return arena_printf(p->arena, "fx_ref_%s(%s, r0, %s%s)", op_info[n->op].name,
                        reference_type_name(n->type), size, more);
}

/* Fills r0, calls, and stores the result, or r0. */
static void write_row(Reference *p, NodeId id, uint32_t axes, const Node *row) {
    const Node *n = &p->g->node[id], *x = &p->g->node[n->src[0]];
    const char *at[RANK_MAX];
    Nest nest = open_axes(p, x, axes);
    const int outer = nest.loops;
    for (int axis = 0; axis < x->rank; axis++) at[axis] = axes >> axis & 1 ? "0" : nest.index[axis];
    open_along(p, &nest, x, axes);
    const char *i = reference_offset(p, row, nest.index);
    reference_line(p, "r0[%s] = %s;", i, reference_element(p, n->src[0], nest.index));
    close_to(p, &nest, outer);
    const char *call = row_call(p, n, reference_count(p, row), at);
    if (is_norm(n->op) || n->op == OP_SOFTMAX || n->op == OP_LOG_SOFTMAX) {
        reference_line(p, "%s;", call);
        open_along(p, &nest, x, axes);
        reference_line(p, "%s = %s;", reference_element(p, id, nest.index), row_element(p, n, i));
    } else {
        reference_line(p, "%s = %s;", reference_element(p, id, at), call);
    }
    close_to(p, &nest, 0);
}

void reference_rows(Reference *p, NodeId id) {
    const Node *n = &p->g->node[id], *x = &p->g->node[n->src[0]];
    const bool is_last = is_norm(n->op) || n->op == OP_CROSS_ENTROPY;
    const uint32_t axes = is_last ? 1u << (x->rank - 1) : (uint32_t)n->attr[0];
    Node row = *x;
    for (int axis = 0; axis < x->rank; axis++)
        if (!(axes >> axis & 1)) row.shape[axis] = dim_const(p->g->dims, 1);
    reference_line(p, "{");
    p->indent++;
    reference_line(p, "double *const r0 = (double *)fx_ref_array(%s);", reference_count(p, &row));
    write_row(p, id, axes, &row);
    reference_line(p, "free(r0);");
    p->indent--;
    reference_line(p, "}");
}

/* ---- contractions ---------------------------------------------------------------------------- */

/* The bits of an f32 operand that the model's @precision keeps; 0: all. */
static int kept_bits(const Reference *p, const Node *n) {
    return n->type == T_F32 ? precision_bits(p->g->attrs.precision) : 0;
}

static const char *operand(const Reference *p, const Node *n, int i, const char *const *index) {
    const char *text = reference_element(p, n->src[i], index);
    int bits = kept_bits(p, n);
    return bits ? arena_printf(p->arena, "fx_ref_short(%s, %d)", text, bits) : text;
}

void reference_dot(Reference *p, NodeId id) {
    const Node *n = &p->g->node[id], *a = &p->g->node[n->src[0]], *b = &p->g->node[n->src[1]];
    int batch = n->attr[0], summed = n->attr[1], m = a->rank - batch - summed;
    const char *a_index[RANK_MAX] = {0}, *b_index[RANK_MAX] = {0};
    Nest nest = open_block(p, n, 0);
    int outer = nest.loops;
    const bool f8 = dot_sums_f8(p->g, n);
    reference_line(p, f8 ? "fx_ref_f8_sum r0 = {{0}, 0, 0, 0};" : "%s r0 = 0;",
                   reference_type(n->type));
    for (int k = 0; k < summed; k++)
        open_loop(p, &nest, "k", k, a->shape[batch + m + k], RANK_MAX + k);
    for (int i = 0; i < a->rank; i++)
        a_index[i] = nest.index[i < batch + m ? i : RANK_MAX + i - batch - m];
    for (int i = 0; i < b->rank; i++)
        b_index[i] = nest.index[i < batch              ? i
                                : i < b->rank - summed ? i + m
                                                       : RANK_MAX + i - (b->rank - summed)];
    const char *x = operand(p, n, 0, a_index), *y = operand(p, n, 1, b_index);
    bool real = dtype_is_float(n->type);
    const char *step = real ? "r0 + %s * %s" : "fx_ref_add(r0, fx_ref_mul(%s, %s))";
    if (f8)
        reference_line(p, "fx_ref_f8_add(&r0, %s * %s);", x, y);
    else
        reference_line(p, "r0 = %s;", reference_partial(p, n, arena_printf(p->arena, step, x, y)));
    close_to(p, &nest, outer);
    reference_line(p, "%s = %s;", reference_element(p, id, nest.index),
                   reference_result(p, n, f8 ? "fx_ref_f8_total(&r0)" : "r0"));
    close_to(p, &nest, 0);
}

/* ---- take ------------------------------------------------------------------------------------ */

void reference_gather(Reference *p, NodeId id) {
    const Node *n = &p->g->node[id], *x = &p->g->node[n->src[0]], *by = &p->g->node[n->src[1]];
    int axis = n->attr[0];
    const char *index[RANK_MAX];
    Nest nest = open_axes(p, n, 0);
    const char *at = reference_element(p, n->src[1], nest.index + axis);
    for (int i = 0; i < axis; i++) index[i] = nest.index[i];
    index[axis] =
        arena_printf(p->arena, "fx_ref_index(%s, %s)", at, names_size(p->names, x->shape[axis]));
    for (int i = axis + 1; i < x->rank; i++) index[i] = nest.index[i - 1 + by->rank];
    /* only one index is possible */
    if (is_one(p, x->shape[axis])) reference_line(p, "(void)%s;", at);
    reference_line(p, "%s = %s;", reference_element(p, id, nest.index),
                   reference_element(p, n->src[0], index));
    close_to(p, &nest, 0);
}

/* ---- scatter --------------------------------------------------------------------------------- */

static const char *combined(const Reference *p, const Node *n, const char *a, const char *b) {
    const char *const operands[] = {a, b};
    if (n->attr[1] == OP_NULL) return b;
    const char *pattern = op_text((Op)n->attr[1], IN_REFERENCE, dtype_is_float(n->type));
    const char *text = pattern_text(p->arena, pattern, operands, "");
    return n->attr[1] == OP_ADD ? reference_partial(p, n, text) : text;
}

void reference_scatter(Reference *p, NodeId id) {
    const Node *n = &p->g->node[id], *x = &p->g->node[n->src[2]], *by = &p->g->node[n->src[1]];
    const int axis = n->attr[0];
    const char *index[RANK_MAX];
    Nest all = open_axes(p, n, 0);
    reference_line(p, "%s = %s;", reference_element(p, id, all.index),
                   reference_element(p, n->src[0], all.index));
    close_to(p, &all, 0);
    Nest nest = open_axes(p, x, 0);
    const char *at = reference_element(p, n->src[1], nest.index + axis);
    for (int i = 0; i < axis; i++) index[i] = nest.index[i];
    index[axis] =
        arena_printf(p->arena, "fx_ref_index(%s, %s)", at, names_size(p->names, n->shape[axis]));
    for (int i = axis + 1; i < n->rank; i++) index[i] = nest.index[i - 1 + by->rank];
    if (is_one(p, n->shape[axis])) reference_line(p, "(void)%s;", at); /* not in the offset */
    const char *to = reference_element(p, id, index);
    const char *step = combined(p, n, to, reference_element(p, n->src[2], nest.index));
    reference_line(p, "%s = %s;", to, reference_result(p, n, step));
    close_to(p, &nest, 0);
}
