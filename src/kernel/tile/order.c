/* order.c: the order of the loops over rows in C: that in which most bytes are read one after the
 * other. Stores go around the caches by whole lines, in any order; what is read out of order waits
 * for memory. In: a body. Out: its axes of rows, outermost first. */
#include "kernel/tile/tile_private.h"

typedef struct Order {
    int axis[2 * RANK_MAX]; /* numbers in Body.axes */
} Order;

/* One thread of a Zen 4, permute(x, 0, 2, 1, 3) of f32[4, 2048, 16, 64]: 1.7 ms in the order of
 * loads, 4.8 in that of stores. */
enum { OF_LOAD = 4, OF_STORE = 1 };

static Order order_of_axes(void) {
    Order order;
    for (int i = 0; i < 2 * RANK_MAX; i++) order.axis[i] = i;
    return order;
}

static bool order_equal(const Body *b, const Order *x, const Order *y) {
    for (int i = 0; i < b->row_count; i++)
        if (x->axis[i] != y->axis[i]) return false;
    return true;
}

/* Sorts the axes of rows by the distance of neighbours along them, where it is known which is
 * larger. Returns false if an access does not depend on all of them. */
static bool order_of(const Body *b, Ix ix, Order *order) {
    Dims *d = b->indices->dims;
    Dim step[2 * RANK_MAX] = {0};
    *order = order_of_axes();
    for (int i = 0; i < b->row_count; i++)
        if (index_along(b, ix, b->axes.at[i].number, &step[i]) != 1) return false;
    for (int i = 1; i < b->row_count; i++)
        for (int j = i; j > 0; j--) {
            const int outer = order->axis[j - 1], inner = order->axis[j];
            if (step[outer] == step[inner] || !dim_divides(d, step[outer], step[inner])) break;
            order->axis[j - 1] = inner, order->axis[j] = outer;
        }
    return true;
}

/* The bytes of an element of all accesses in that order, loads and stores weighed. */
static int64_t votes(const Kernel *k, const Body *b, const Order *order) {
    int64_t sum = 0;
    Order own;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (v->kind == V_LOAD && order_of(b, v->ix, &own) && order_equal(b, order, &own))
            sum += OF_LOAD * (int64_t)dtype_size(v->type);
    }
    for (int i = 0; i < b->stores.count; i++) {
        const Store *s = &b->stores.at[i];
        if (order_of(b, s->ix, &own) && order_equal(b, order, &own))
            sum += OF_STORE * (int64_t)dtype_size(k->buffers.at[s->buffer].type);
    }
    return sum;
}

void tile_row_order(const Kernel *k, const Body *b, const Tile *t, int *order) {
    const bool is_free = b->row_count > 1 && !b->chunks && !b->lane_is_row && !t->across;
    Order best = order_of_axes(), own;
    int64_t most = is_free ? votes(k, b, &best) : 0;
    for (int i = 1; i < b->values.count && is_free; i++) {
        const Value *v = &b->values.at[i];
        if (v->kind != V_LOAD || !order_of(b, v->ix, &own)) continue;
        const int64_t sum = votes(k, b, &own);
        if (sum > most) most = sum, best = own;
    }
    for (int i = 0; i < b->row_count; i++) order[i] = best.axis[i];
}
