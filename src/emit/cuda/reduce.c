/* reduce.c: accumulators of a stage as CUDA text: initial value, one step, and the reduction over
 * the threads of a row.
 * In: Accumulator. Out: statements; the final value's name. */
#include "emit/cuda/cuda.h"

#include <math.h>
#include <string.h>

static const Value *accumulated(const Writer *w, const Accumulator *a) {
    return &w->b->values.at[a->value];
}

static const char *result_name(Writer *w, const Accumulator *a) {
    const char *name = w->name[a->result];
    if (name) return name;
    return w->name[a->result] = fresh_accumulator(w, value_stem(w, a->result));
}

/* Of each of the neighbouring rows of a thread: an element of a pack. */
static bool is_of_rows(const Writer *w) {
    return w->s->lane_is_row && ((const CudaWriter *)w)->wide;
}

static void start_of_rows(Writer *w, const Accumulator *a, const char *type, const char *start) {
    const char *pack = fresh(w, value_stem(w, a->result));
    write_line(w, "Pack<%s, VEC> %s;", type, pack);
    write_line(w, "for (int l = 0; l < VEC; l++) %s.at[l] = %s;", pack, start);
    w->name[a->result] = arena_printf(w->arena, "%s.at[l]", pack);
}

/* An argmax also keeps the value, in a Best. */
static const char *best_name(Writer *w, const Accumulator *a) {
    return arena_printf(w->arena, "best_%s", result_name(w, a));
}

/* Booleans are reduced as int. */
static const char *accumulator_type(const Writer *w, const Accumulator *a) {
    Dtype type = a->op == OP_ARGMAX ? accumulated(w, a)->type : a->type;
    return type == T_BOOL ? "int" : cuda_register(type);
}

const char *cuda_identity(Op op, Dtype type) {
    const bool real = dtype_is_float(type), wide = type == T_I64;
    const double number = reduction_of(op)->identity;
    if (number == INFINITY) return real ? "INFINITY" : wide ? "0x7fffffffffffffffll" : "0x7fffffff";
    if (number == -INFINITY)
        return real ? "-INFINITY" : wide ? "-0x7fffffffffffffffll - 1" : "-0x7fffffff - 1";
    return number == 0 ? "0" : "1";
}

static const char *identity(const Writer *w, const Accumulator *a) {
    return cuda_identity(a->op, a->op == OP_ARGMAX ? accumulated(w, a)->type : a->type);
}

void cuda_accumulator_start(Writer *w, int acc) {
    const Accumulator *a = &w->b->accs.at[acc];
    const char *type = accumulator_type(w, a), *start = identity(w, a);
    if (is_of_rows(w)) {
        start_of_rows(w, a, type, start);
        return;
    }
    result_name(w, a);
    if (a->op == OP_ARGMAX)
        write_line(w, "Best<%s> %s = {%s, 0x7fffffff};", type, best_name(w, a), start);
    else
        write_line(w, "%s %s = %s;", type, result_name(w, a), start);
}

/* The pack that has an element of this name, or NULL. */
static const char *pack_name(CudaWriter *c, const char *name) {
    static const char element[] = ".at[l]";
    const char *at = name ? strstr(name, element) : NULL;
    return at && !at[sizeof element - 1] ? arena_strndup(c->w.arena, name, (size_t)(at - name))
                                         : NULL;
}

/* The pack with the value as an element, unconverted, or NULL. */
static const char *pack_of(CudaWriter *c, int value) { return pack_name(c, c->w.name[value]); }

/* A whole pack of x is one step, so that the sum is rescaled once. */
static void accumulate_online(CudaWriter *c, const Accumulator *sum) {
    Writer *w = &c->w;
    const Accumulator *max = &w->b->accs.at[sum->online_max];
    const char *x = value_text(w, sum->online_x), *m = result_name(w, max),
               *s = result_name(w, sum);
    if (!c->wide) {
        write_line(w, "%sonline_step(%s, %s, Pack<float, 1>{{%s}});", c->add_if, m, s, x);
        return;
    }
    const char *pack = pack_of(c, sum->online_x);
    if (!pack) {
        pack = fresh(w, "online_pack");
        text_printf(&c->before, "Pack<float, VEC> %s;\n", pack);
        write_line(w, "%s.at[l] = %s;", pack, x);
    }
    text_printf(&c->after, "%sonline_step(%s, %s, %s);\n", c->add_if, m, s, pack);
}

void cuda_accumulate(Writer *w, int acc) {
    CudaWriter *c = cuda_of(w);
    const Accumulator *a = &w->b->accs.at[acc];
    if (schedule_is_stepped(w->s, acc)) return;
    if (schedule_is_online(w->s, acc)) {
        accumulate_online(c, a);
        return;
    }
    const char *name = result_name(w, a), *x = value_text(w, a->value), *when = c->add_if;
    if (a->op == OP_ARGMAX) {
        name = best_name(w, a);
        write_line(w, "%sArgMax::%s(%s, %s, %s);", when, c->is_edge ? "add" : "step", name, x,
                   value_text(w, a->index));
        return;
    }
    const char *const operands[] = {name, x};
    const char *pattern = op_text(a->op, IN_CUDA, dtype_is_float(a->type));
    write_line(w, "%s%s;", when, pattern_text(w->arena, pattern, operands, ""));
}

/* The same of an argmax within a warp or a block, whose shuffles are of a value, then of a
 * position; false: threads are shared out in another way. */
static bool combine_best(CudaWriter *c, const char *name) {
    static const char warp[] = "warp_reduce<$"; /* ">", or ", 8>" */
    if (c->by_block && !tile_has_cluster(&c->tile)) {
        write_line(&c->w, "block_best<%d>(%s);", c->calls++, name);
        return true;
    }
    if (c->by_block || !c->reduce || strncmp(c->reduce, warp, sizeof warp - 1)) return false;
    const char *width = c->reduce + sizeof warp - 1;
    write_line(&c->w, "%s = warp_best<%s(%s);", name, width + strspn(width, ", "), name);
    return true;
}

/* The first exchange of a row stores in other blocks of the cluster. */
static void wait_for_cluster(CudaWriter *c) {
    if (c->calls == 0)
        write_line(&c->w, "cluster_wait(); /* all blocks of the cluster have started */");
}

/* Values of the same operation and type, whose names are `names`, become those of all threads of
 * the row. */
static void combine(Writer *w, Op op, const char *names) {
    CudaWriter *c = cuda_of(w);
    const char *functions = reduction_of(op)->functions;
    if (c->by_block && tile_has_cluster(&c->tile)) {
        wait_for_cluster(c);
        write_line(w, "cluster_reduce<%s, %d, %d>(%s);", functions, c->calls++, c->tile.cluster,
                   names);
        return;
    }
    if (c->by_block) {
        write_line(w, "block_reduce<%s, %d>(%s);", functions, c->calls++, names);
        return;
    }
    if (!c->reduce) return;
    if (is_of_rows(w)) {
        functions = arena_printf(w->arena, "Each<%s>", functions);
        names = pack_name(c, names);
    }
    Text call = text_new(w->arena);
    for (const char *p = c->reduce; *p; p++) {
        if (*p == '$')
            text_str(&call, functions);
        else
            text_char(&call, *p);
    }
    write_line(w, "%s = %s(%s);", names, text_get(&call), names);
}

static void combine_online(CudaWriter *c, const char *most, const char *sum) {
    enum { WARP = 32 };
    const Tile *t = &c->tile;
    if (!tile_has_cluster(t)) {
        write_line(&c->w, "block_online<%d>(%s, %s);", c->calls++, most, sum);
        return;
    }
    wait_for_cluster(c);
    write_line(&c->w, "cluster_online<%d, %d, %d>(%s, %s);", c->calls++, t->cluster,
               t->threads / WARP, most, sum);
}

/* All sums are first rescaled to the common maximum. Without a guard in the model, a row of -Inf
 * gives exp(-Inf - -Inf), which is NaN. */
static void finish_online(Writer *w, const Accumulator *sum) {
    const Accumulator *max = &w->b->accs.at[sum->online_max];
    const char *m = result_name(w, max), *s = result_name(w, sum);
    const Value *shifted = &w->b->values.at[accumulated(w, sum)->src[0]];
    if (cuda_of(w)->by_block) {
        combine_online(cuda_of(w), m, s);
    } else if (cuda_of(w)->reduce) {
        const char *own = fresh(w, "own");
        write_line(w, "const float %s = %s;", own, m);
        combine(w, OP_RMAX, m);
        write_line(w, "%s = online_scale(%s, %s, %s);", s, s, own, m);
        combine(w, OP_SUM, s);
    }
    if (shifted->src[1] == max->result)
        write_line(w, "if (%s == -INFINITY) %s = bits_float(0x7fc00000u);", m, s);
}

/* Are both plain reductions of one kind, in one stage? A block exchanges these together. */
static bool is_beside(const Writer *w, int acc, int other) {
    const Accumulator *a = &w->b->accs.at[acc], *b = &w->b->accs.at[other];
    return w->s->acc[acc] == w->s->acc[other] && a->op == b->op && a->op != OP_ARGMAX &&
           !schedule_is_online(w->s, other) && !schedule_is_stepped(w->s, other) &&
           !strcmp(accumulator_type(w, a), accumulator_type(w, b));
}

/* The first one of a block's plain reductions of one kind combines all of them. */
static void finish_beside(Writer *w, int acc) {
    const Body *b = w->b;
    const char *names = result_name(w, &b->accs.at[acc]);
    for (int i = 0; i < acc; i++)
        if (is_beside(w, acc, i)) return;
    for (int i = acc + 1; i < b->accs.count; i++)
        if (is_beside(w, acc, i))
            names = arena_printf(w->arena, "%s, %s", names, result_name(w, &b->accs.at[i]));
    combine(w, b->accs.at[acc].op, names);
}

void cuda_accumulator_finish(Writer *w, int acc) {
    const Accumulator *a = &w->b->accs.at[acc];
    if (schedule_is_stepped(w->s, acc)) return;
    if (schedule_is_online(w->s, acc)) {
        finish_online(w, a);
    } else if (a->op == OP_ARGMAX) {
        if (!combine_best(cuda_of(w), best_name(w, a))) combine(w, a->op, best_name(w, a));
        write_line(w, "const int %s = ArgMax::position(%s);", result_name(w, a), best_name(w, a));
    } else if (cuda_of(w)->by_block) {
        finish_beside(w, acc);
    } else {
        combine(w, a->op, result_name(w, a));
    }
}

/* Among the lanes that have the group. */
void cuda_group_finish(Writer *w, int acc) {
    CudaWriter *c = cuda_of(w);
    const Accumulator *a = &w->b->accs.at[acc];
    const bool is_best = a->op == OP_ARGMAX;
    const char *name = is_best ? best_name(w, a) : result_name(w, a);
    write_line(w, "%s = group_reduce<%s, %d, %lld%s, %d>(%s);", name,
               reduction_of(a->op)->functions, c->calls++, (long long)tile_padded_group(w->b),
               c->wide ? " / VEC" : "", c->tile.row_threads, name);
    if (is_best) write_line(w, "const int %s = ArgMax::position(%s);", result_name(w, a), name);
}
