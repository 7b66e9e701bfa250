/* panels.c: constant operands of contractions: the function that packs one once, through
 * templates/c/panels.c, and how a contraction reads its panels.
 * In: Kernel of family F_DOT. Out: text. */
#include "emit/c/c.h"

typedef struct Side {
    int axis;
    const char *width, *of; /* width of a panel; prefix of its variables */
} Side;

static const Side sides[] = {{DOT_M, "MR", "a"}, {DOT_N, "NR", "b"}};

const KernelBuffer *c_panels(const Writer *w, int acc, int side) {
    int panels = w->b->accs.at[acc].panels[side];
    return panels ? &w->k->buffers.at[panels - 1] : NULL;
}

static const char *panels_name(const Writer *w, int acc, int side) {
    return buffer_name(w, w->b->accs.at[acc].panels[side] - 1);
}

bool c_panels_as_is(const Writer *w, int side) {
    for (int i = 0; i < w->b->dots; i++) {
        const KernelBuffer *panels = c_panels(w, i, side);
        if (!panels || dtype_compute(panels->type) != panels->type) return false;
    }
    return true;
}

static bool has_batches(const Writer *w) {
    return !dim_is(w->b->indices->dims, w->b->indices->extent[DOT_BATCH], 1);
}

/* ---- packing ------------------------------------------------------------------------------ */

const char *c_panels_bytes(Writer *w, int acc, int side) {
    const char *element = storage_type(dtype_compute(w->b->accs.at[acc].type));
    const char *width = side ? arena_printf(w->arena, "NR_OF(%s)", element) : "MR";
    return arena_printf(w->arena, "fx_panels_bytes(%s, %s, %s, %s, %zu)", c_size(w, DOT_BATCH),
                        c_size(w, sides[side].axis), width, c_size(w, DOT_K),
                        dtype_size(c_panels(w, acc, side)->type));
}

void c_panels_pack(Writer *w, int acc, int side, Text *body) {
    const Side *s = &sides[side];
    const Accumulator *a = &w->b->accs.at[acc];
    const KernelBuffer *to = c_panels(w, acc, side);
    const CPanels panels = {.own = s->axis,
                            .k = DOT_K,
                            .first = "first",
                            .stop = "end",
                            .k_first = "0",
                            .k_end = c_size(w, DOT_K),
                            .width = s->width,
                            .to = "at",
                            .size = "panel_size",
                            .type = to->type};
    const Fill fills[] = {
        {"ELEMENT", storage_type(to->type)},
        {"PACKED", panels_name(w, acc, side)},
        {"SUM", storage_type(dtype_compute(a->type))},
        {"RIGHT", side ? "yes" : ""},
        {"WIDTH", s->width},
        {"BATCH", c_size(w, DOT_BATCH)},
        {"SIZE", c_size(w, s->axis)},
        {"K_SIZE", c_size(w, DOT_K)},
        {"pack", c_pack(w, side ? a->index : a->value, &panels)},
    };
    TEMPLATE_FILL("c/panels.c", fills, body);
}

/* ---- reading ------------------------------------------------------------------------------ */

/* The start of panel number .. at k_first. */
static const char *panel_at(const Writer *w, const char *base, int side, const char *number) {
    const Side *s = &sides[side];
    const char *batch = has_batches(w) ? arena_printf(w->arena, "i0 * %s_count + ", s->of) : "";
    return arena_printf(w->arena, "%s + (%s%s) * %s_size + k_first * %s", base, batch, number,
                        s->of, s->width);
}

const char *c_panels_declare(const Writer *w) {
    Text text = text_new(w->arena);
    for (int side = 0; side < 2; side++) {
        const Side *s = &sides[side];
        if (!c_panels(w, 0, side)) continue;
        text_printf(&text, "const idx %s_size = fx_panel_size(%s, %s);\n", s->of, s->width,
                    c_size(w, DOT_K));
        if (has_batches(w))
            text_printf(&text, "const idx %s_count = (%s + %s - 1) / %s;\n", s->of,
                        c_size(w, s->axis), s->width, s->width);
    }
    if (!c_panels_as_is(w, 1) || w->b->dots == 1) return text_get(&text);
    text_printf(&text, "const %s *const b_panels[] = {", storage_type(c_panels(w, 0, 1)->type));
    for (int i = 0; i < w->b->dots; i++)
        text_printf(&text, "%s%s", i ? ", " : "", panels_name(w, i, 1));
    text_str(&text, "};\n");
    return text_get(&text);
}

const char *c_panels_left(const Writer *w) {
    return panel_at(w, panels_name(w, 0, 0), 0, "m_start / MR");
}

const char *c_panels_right(const Writer *w) {
    if (w->b->dots == 1) return panel_at(w, panels_name(w, 0, 1), 1, "n_start / NR");
    return panel_at(w, "b_panels[panel % PRODUCTS]", 1, "n_start / NR + panel / PRODUCTS");
}

/* "widen_bf16", "widen_i8_f32" */
static const char *widen(const Writer *w, const KernelBuffer *from) {
    Dtype element = dtype_compute(w->b->accs.at[0].type);
    const char *name = dtype_name(from->type);
    if (dtype_compute(from->type) == element) return arena_printf(w->arena, "widen_%s", name);
    return arena_printf(w->arena, "widen_%s_%s", name, dtype_name(element));
}

const char *c_panels_widen_left(const Writer *w) {
    const KernelBuffer *from = c_panels(w, 0, 0);
    return arena_printf(w->arena,
                        "for (idx row = m_start; row < m_stop; row += MR)\n"
                        "    %s(a_packed + (row - m_start) / MR * cut.a,\n"
                        "        %s, (k_end - k_first) * MR);\n",
                        widen(w, from), panel_at(w, panels_name(w, 0, 0), 0, "row / MR"));
}

const char *c_panels_widen_right(const Writer *w) {
    Text text = text_new(w->arena);
    const char *element = storage_type(dtype_compute(w->b->accs.at[0].type));
    text_printf(&text,
                "for (idx start = n_start; start < n_stop; start += NR) {\n"
                "    %s *const to = b_group + (start - n_start) / NR * PRODUCTS * cut.b;\n",
                element);
    for (int i = 0; i < w->b->dots; i++) {
        const KernelBuffer *from = c_panels(w, i, 1);
        text_printf(&text, "    %s(to%s,\n        %s, (k_end - k_first) * NR);\n", widen(w, from),
                    i ? arena_printf(w->arena, " + %d * cut.b", i) : "",
                    panel_at(w, panels_name(w, i, 1), 1, "start / NR"));
    }
    text_str(&text, "}\n");
    return text_get(&text);
}
