/* pack_rows.c: left operands of contractions whose rows are contiguous along k and at any
 * addresses, such as the windows of an image, as C: a function lists the addresses of a panel's
 * rows (templates/c/tiles_indirect.h), or packs them as lines (tiles_lines.h), of all operands that
 * are parts of a panel. In: Kernel of family F_DOT. Out: text. */
#include "emit/c/c.h"

#include <string.h>

/* Is a value a load of bf16 or f32 that is contiguous along k, under no condition on k? */
static bool is_row(const Body *b, int value, int k) {
    const Value *v = &b->values.at[value];
    Dim along = 0;
    return v->kind == V_LOAD && (v->type == T_BF16 || v->type == T_F32) &&
           !b->indices->node.at[v->ix].dynamic && index_along(b, v->ix, k, &along) == 1 &&
           dim_is(b->indices->dims, along, 1) &&
           !(v->guard && b->values.at[v->guard].axes >> k & 1);
}

/* A part of an operand: all of it, or where the conditions on k are known. */
typedef struct Part {
    const CRows *of;
    Body body;
    int value;
    const char *first, *end; /* along k */
} Part;

enum { PARTS = TERMS_MAX * BODY_PIECES };

static int operand_value(const Writer *w, int operand) {
    return schedule_find(w->schedule, PIECE_OPERAND, operand)->roots[0];
}

/* The parts of an operand, whose piece is the current one. */
static int parts_of(const Writer *w, const CRows *rows, Part *parts) {
    const CRanges ranges = c_ranges(w, rows->k);
    Part whole = {rows, *w->b, operand_value(w, rows->operand), rows->k_first, rows->k_end};
    if (ranges.count <= 1) {
        parts[0] = whole;
        return 1;
    }
    for (int i = 0; i < ranges.count; i++) {
        Part *part = &parts[i];
        *part = whole;
        part->body = c_body_within(w, rows->k, ranges.at[i], &part->value);
        part->first = c_range_start(w, rows->k_first, ranges.at[i].from);
        part->end = c_range_end(w, rows->k_first, rows->k_end, ranges.at[i].to);
    }
    return ranges.count;
}

int c_pack_row_parts(const Writer *w, int operand, int k) {
    const CRows rows = {.operand = operand, .k = k, .k_first = "", .k_end = ""};
    Writer probe = *w;
    Part parts[BODY_PIECES + 1];
    writer_enter(&probe);
    probe.uses = arena_array(w->arena, int, w->b->values.count + 1);
    writer_piece(&probe, PIECE_OPERAND, operand, k);
    const int count = parts_of(&probe, &rows, parts);
    for (int i = 0; i < count; i++)
        if (!is_row(&parts[i].body, parts[i].value, k)) return 0;
    return count;
}

/* Declares where row `i` of a part is, or 0. */
static void put_address(Writer *w, const Part *part, int number, const char *i) {
    const Body *all = w->b;
    const char *const k = w->axis_name[part->of->k], *condition = "";
    const int indent = w->indent;
    const Value *v = &part->body.values.at[part->value];
    writer_piece(w, PIECE_OPERAND, part->of->operand, part->of->k);
    w->indent = indent;
    w->b = &part->body;
    w->axis_name[part->of->k] = part->first;
    if (v->guard) {
        declare_value(w, v->guard);
        condition = arena_printf(w->arena, "(%s)[0] ? ", value_text(w, v->guard));
    }
    write_line(w, "rows[%d][%s - start] = %s%s%s;", number, i, condition,
               address_text(w, v->attr, v->ix), *condition ? " : 0" : "");
    w->axis_name[part->of->k] = k;
    w->b = all;
}

/* The first element of a part in a panel. */
static const char *element_at(Writer *w, const Part *part) {
    if (!strcmp(part->first, part->of->k_first)) return part->of->at;
    const char *within = arena_printf(w->arena, "%s - %s", part->first, part->of->k_first);
    if (!strcmp(part->of->k_first, "0")) within = part->first;
    return strcmp(part->of->at, "0") ? arena_printf(w->arena, "%s + %s", part->of->at, within)
                                     : within;
}

/* Prefetches row `i` of the first and the last part: of windows, these are read for the first time,
 * in one order or the other. All rows of a panel at once would be more than are fetched at a time.
 */
static void fetch_ends(Writer *w, const Part *parts, int count, const char *i) {
    for (int part = 0; part<count; part += count> 1 ? count - 1 : 1) {
        const char *steps = c_difference(w, parts[part].end, parts[part].first);
        write_line(w,
                   strchr(steps, ' ') ? "fetch_row(rows[%d][%s - start], (%s) * %zu);"
                                      : "fetch_row(rows[%d][%s - start], %s * %zu);",
                   part, i, steps, dtype_size(w->b->values.at[parts[part].of->operand].type));
    }
}

/* The call of the function that packs the rows of a part of a panel, or lists them. */
static void put_part(Writer *w, const Part *part, int number, bool lists) {
    const char *place = element_at(w, part);
    if (lists) place = arena_printf(w->arena, "%d, %s", number, place);
    write_line(w, "%s_%s(to, %s, rows[%d], %s);", lists ? "list_rows" : "pack_lines",
               dtype_name(w->b->values.at[part->of->operand].type), place, number,
               c_difference(w, part->end, part->first));
}

const char *c_pack_rows(Writer *w, const CRows *rows, int operands, const CPanels *p, bool lists) {
    Part *const parts = arena_array(w->arena, Part, PARTS);
    const Dtype type = w->b->values.at[rows->operand].type;
    const char *const i = w->axis_name[p->own];
    Text text = text_new(w->arena), *out = w->out;
    int count = 0;
    for (int operand = 0; operand < operands; operand++) {
        c_piece(w, PIECE_OPERAND, rows[operand].operand, rows[operand].k);
        count += parts_of(w, &rows[operand], parts + count);
    }
    w->out = &text;
    w->indent = 0;
    c_open_panels(w, T_F32, p);
    write_line(w, "const %s *rows[%d][FX_ROUND(%s, VL)] = {0};", storage_type(type), count,
               p->width);
    c_open_loop(w, i, "start", "stop", "++");
    for (int part = 0; part < count; part++) put_address(w, &parts[part], part, i);
    if (lists) fetch_ends(w, parts, count, i);
    c_close_loops(w, 1);
    for (int part = 0; part < count; part++) put_part(w, &parts[part], part, lists);
    c_close_loops(w, 1);
    w->out = out;
    return text_get(&text);
}
