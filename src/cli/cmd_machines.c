/* cmd_machines.c: fusec machines: the chips that plans and rooflines can be made for.
 * In: the table of chips. Out: a table, or JSON, with the sources of the figures. */
#include "cli/command.h"

#include <jansson.h>
#include <stdlib.h>

static void put_figure(Text *out, double figure, double unit) {
    if (figure > 0)
        text_printf(out, " %8.4g", figure / unit);
    else
        text_printf(out, " %8s", "-");
}

static void put_head(Text *out) {
    text_printf(out, "%-9s %7s %8s", "machine", "arch", "GB/s");
    for (int u = 0; u < UNIT_COUNT; u++) text_printf(out, " %8s", unit_name[u]);
    text_printf(out, " %8s\n%-26s", "link", "");
    for (int u = 0; u < UNIT_COUNT; u++) text_printf(out, " %8s", "Top/s");
    text_printf(out, " %8s\n", "GB/s");
}

static void put_table(Text *out) {
    put_head(out);
    for (int i = 0; chip_at(i); i++) {
        const Chip *c = chip_at(i);
        text_printf(out, "%-9s %7s", c->name, c->arch ? c->arch : "-");
        put_figure(out, c->bandwidth, 1e9);
        for (int u = 0; u < UNIT_COUNT; u++) put_figure(out, c->rate[u], 1e12);
        put_figure(out, c->link, 1e9);
        text_char(out, '\n');
    }
    text_str(out, "\nsources\n");
    for (int i = 0; chip_at(i); i++)
        text_printf(out, "  %-9s %s; %s\n", chip_at(i)->name, chip_at(i)->memory,
                    chip_at(i)->source);
}

static bool put_json(Session *s, Text *out) {
    json_t *list = json_array();
    for (int i = 0; chip_at(i); i++) json_array_append_new(list, chip_json(chip_at(i)));
    json_t *all = json_pack("{s:i, s:o}", "version", 1, "machines", list);
    char *text = all ? json_dumps(all, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) : NULL;
    if (text)
        text_printf(out, "%s\n", text);
    else
        diag_refuse(s->diag, "out of memory for the JSON");
    free(text);
    json_decref(all);
    return text;
}

Status cmd_machines(Session *s) {
    Text out = text_new(s->arena);
    const bool ok = s->options->json ? put_json(s, &out) : (put_table(&out), true);
    if (ok) write_output(s, "-", text_get(&out), out.size);
    return exit_status(s);
}
