/* ranges.c: the range of a random input.
 * In: --range NAME=LOW..HIGH, and comments of the model: `// inputs: labels 0..V, x 0.5..2`.
 * Out: the range of an input. A bound is a number or a dim; the upper one is exclusive. */
#include "cli/command.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The size of a dim, which -D may have made a constant; 0: there is none. */
static int64_t size_of(const Session *s, const Graph *g, const int64_t *dims, const char *name) {
    const Options *o = s->options;
    int symbol = dim_symbol_find(g->dims, name);
    if (symbol >= 0) return dims[symbol];
    for (int i = 0; i < o->bindings.count; i++)
        if (!strcmp(o->bindings.at[i].name, name)) return o->bindings.at[i].value;
    return 0;
}

static bool parse_bound(Session *s, const Graph *g, const int64_t *dims, const char *text,
                        double *value) {
    char *end;
    int64_t size = size_of(s, g, dims, text);
    if (size) *value = (double)size;
    if (size) return true;
    *value = strtod(text, &end);
    return end != text && !*end && isfinite(*value);
}

/* Why an input of integers has no number in a range, or NULL. */
static const char *wrong_integers(Session *s, Dtype type, const InputRange *range) {
    const double least = (double)dtype_int_min(type), most = (double)dtype_int_max(type);
    if (ceil(range->low) >= ceil(range->high))
        return arena_printf(s->arena, "there is no whole number from %.15g to below %.15g",
                            range->low, range->high);
    if (ceil(range->low) < least || range->high - 1 > most)
        return arena_printf(s->arena, "%s holds numbers from %.15g to %.15g", dtype_name(type),
                            least, most);
    return NULL;
}

/* Reads "0..V", of input number `input`. Gives NULL, or why it is no range. */
static const char *parse_range(Session *s, const Graph *g, int input, const int64_t *dims,
                               const char *text, InputRange *range) {
    const char *dots = strstr(text, "..");
    if (!dots) return arena_printf(s->arena, "'%s' is not LOW..HIGH", text);
    const char *low = arena_strndup(s->arena, text, (size_t)(dots - text)), *high = dots + 2;
    if (!*low || !*high)
        return arena_printf(s->arena, "it has no %s bound", *low ? "upper" : "lower");
    const bool low_is_right = parse_bound(s, g, dims, low, &range->low);
    if (!low_is_right || !parse_bound(s, g, dims, high, &range->high))
        return arena_printf(s->arena, "'%s' is neither a number nor a dim",
                            low_is_right ? high : low);
    if (!(range->low < range->high))
        return arena_printf(s->arena, "the lower bound, %.15g, is not below the upper one, %.15g",
                            range->low, range->high);
    const Dtype type = g->node[g->inputs.at[input].node].type;
    return dtype_is_int(type) ? wrong_integers(s, type, range) : NULL;
}

/* ---- --range -------------------------------------------------------------------------------- */

/* The number of the input that "NAME=.." names, -1: there is none. */
static int input_of(const Graph *g, const char *text) {
    const size_t size = strcspn(text, "=");
    for (int i = 0; i < g->inputs.count; i++)
        if (!strncmp(g->inputs.at[i].name, text, size) && !g->inputs.at[i].name[size]) return i;
    return -1;
}

/* The value of --range for an input, or NULL. */
static const char *option_of(const Session *s, const char *input) {
    const Options *o = s->options;
    size_t size = strlen(input);
    for (int i = 0; i < o->ranges.count; i++)
        if (!strncmp(o->ranges.at[i], input, size) && o->ranges.at[i][size] == '=')
            return o->ranges.at[i] + size + 1;
    return NULL;
}

bool ranges_check(Session *s, const Graph *g, const int64_t *dims) {
    const Options *o = s->options;
    InputRange range;
    for (int i = 0; i < o->ranges.count; i++) {
        const char *text = o->ranges.at[i];
        const int input = input_of(g, text);
        const char *why = arena_printf(s->arena, "%s has no such input", g->name);
        if (input >= 0) why = parse_range(s, g, input, dims, strchr(text, '=') + 1, &range);
        if (!why) continue;
        diag_error(s->diag, NOWHERE, "--range %s: %s", text, why);
        return false;
    }
    return true;
}

/* ---- comments ------------------------------------------------------------------------------- */

static const char mark[] = "// inputs:";

/* The range of the entry at *at, "name low..high", if it names the input. Advances *at. */
static const char *entry_of(Session *s, const char **at, const char *end, const char *input) {
    const char *start = *at, *stop = memchr(start, ',', (size_t)(end - start));
    if (!stop) stop = end;
    *at = stop < end ? stop + 1 : end;
    while (start < stop && isspace((unsigned char)*start)) start++;
    while (stop > start && isspace((unsigned char)stop[-1])) stop--;
    size_t size = strlen(input);
    if ((size_t)(stop - start) <= size || strncmp(start, input, size) != 0) return NULL;
    if (start[size] != ' ') return NULL;
    return arena_strndup(s->arena, start + size + 1, (size_t)(stop - start) - size - 1);
}

/* The text of a comment of the model for an input, or NULL. */
static const char *comment_of(Session *s, const GraphInput *input) {
    const char *text = s->diag->sources.at[input->span.file].text;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, mark, strlen(mark)) != 0) continue;
        const char *end = line + strcspn(line, "\r\n");
        for (const char *at = line + strlen(mark); at < end;) {
            const char *entry = entry_of(s, &at, end, input->name);
            if (entry) return entry;
        }
    }
    return NULL;
}

bool input_range(Session *s, const Graph *g, int input, const int64_t *dims, InputRange *range) {
    const GraphInput *i = &g->inputs.at[input];
    const char *text = option_of(s, i->name);
    if (text) return !parse_range(s, g, input, dims, text, range);
    text = comment_of(s, i);
    if (!text) return false;
    const char *why = parse_range(s, g, input, dims, text, range);
    if (why) diag_warning(s->diag, i->span, "the comment gives no range of %s: %s", i->name, why);
    return !why;
}
