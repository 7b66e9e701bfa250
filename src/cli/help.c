/* help.c: --help, from the tables of option_table.c. */
#include "cli/command.h"

#include <string.h>

enum { COLUMN = 20 };

/* A row of the help text, its lines aligned. */
static void put_row(const OptionRow *row, Text *out) {
    size_t start = out->size;
    const char *between = !row->value ? "" : row->joined ? " " : "=";
    text_printf(out, "  %s%s%s ", row->name, between, row->value ? row->value : "");
    for (const char *line = row->help, *end; line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        text_pad(out, start, COLUMN);
        text_bytes(out, line, end ? (size_t)(end - line) : strlen(line));
        text_char(out, '\n');
        start = out->size;
    }
}

static void put_options(CommandId command, Text *out) {
    for (int i = 0; i < option_row_count; i++)
        if (option_rows[i].commands & command) put_row(&option_rows[i], out);
}

static void put_cache_words(Text *out) {
    text_str(out, "\nwords\n");
    for (int i = 0; i < WORDS_COUNT; i++) {
        const CacheWordRow *row = &cache_word_rows[i];
        const size_t start = out->size;
        text_printf(out, "  %s %s", row->word, row->arguments);
        text_pad(out, start, COLUMN);
        text_printf(out, "%s\n", row->help);
    }
}

void help_print(CommandId command, Text *out) {
    const CommandRow *row = command_row(command);
    text_printf(out, "usage: %s\n\n%s\n", row->usage, row->help);
    if (command == CMD_COMPILE) {
        text_str(out, "\ncommands (fusec COMMAND --help says more)\n");
        for (int i = 0; i < command_row_count; i++) {
            size_t start = out->size;
            if (!command_rows[i].name) continue;
            text_printf(out, "  %s", command_rows[i].name);
            text_pad(out, start, COLUMN);
            text_printf(out, "%s\n", command_rows[i].help);
        }
    }
    if (command == CMD_CACHE) put_cache_words(out);
    text_str(out, "\noptions\n");
    put_options(command, out);
    text_str(out, "\nexit status:");
    for (int i = 0; i < exit_status_count; i++)
        text_printf(out, "%s %d %s", i ? "," : "", i, exit_statuses[i]);
    text_char(out, '\n');
}
