/* man_page.c: a command's man page, in the man macros of roff.
 * In: the rows of the command and of its options. Out: the text of its page in section 1. */
#include "manual/manual.h"

#include <ctype.h>

/* Text of ours in roff: no line begins with a control character, hyphens can be copied. */
static void put_roff(Text *out, const char *text) {
    if (*text == '.' || *text == '\'') text_str(out, "\\&");
    for (; *text; text++) {
        if (*text == '\\')
            text_str(out, "\\e");
        else if (*text == '-')
            text_str(out, "\\-");
        else
            text_char(out, *text);
        if (*text == '\n' && (text[1] == '.' || text[1] == '\'')) text_str(out, "\\&");
    }
}

static const char *page_name(Arena *arena, const CommandRow *row) {
    return row->name ? arena_printf(arena, "fusec-%s", row->name) : "fusec";
}

static void put_head(const CommandRow *row, Text *out) {
    const char *name = page_name(out->arena, row);
    text_str(out, ".TH ");
    for (const char *c = name; *c; c++) text_char(out, (char)toupper((unsigned char)*c));
    text_printf(out, " 1 \"\" \"fusec %s\" \"User Commands\"\n.SH NAME\n", FUSEC_VERSION);
    put_roff(out, name);
    text_str(out, " \\- ");
    put_roff(out, row->brief);
    text_str(out, "\n.SH SYNOPSIS\n.B ");
    put_roff(out, row->usage);
    text_str(out, "\n.SH DESCRIPTION\n");
    put_roff(out, row->help);
    text_char(out, '\n');
}

static void put_option(const OptionRow *row, Text *out) {
    text_str(out, ".TP\n.B ");
    put_roff(out, row->name);
    if (row->value) {
        text_str(out, row->joined ? " \\fI" : "=\\fI");
        put_roff(out, row->value);
        text_str(out, "\\fR");
    }
    text_char(out, '\n');
    put_roff(out, row->help);
    text_char(out, '\n');
}

static void put_commands(Text *out) {
    text_str(out, ".SH COMMANDS\nEach has a page of its own.\n");
    for (int i = 0; i < command_row_count; i++) {
        const CommandRow *row = &command_rows[i];
        if (!row->name) continue;
        text_printf(out, ".TP\n.BR fusec\\-%s (1)\n", row->name);
        put_roff(out, row->help);
        text_char(out, '\n');
    }
}

static void put_cache_words(Text *out) {
    text_str(out, ".SH SUBCOMMANDS\n");
    for (int i = 0; i < WORDS_COUNT; i++) {
        const CacheWordRow *row = &cache_word_rows[i];
        text_printf(out, ".TP\n.B %s \\fI", row->word);
        put_roff(out, row->arguments);
        text_str(out, "\\fR\n");
        put_roff(out, row->help);
        text_char(out, '\n');
    }
}

static void put_see_also(CommandId command, Text *out) {
    text_str(out, ".SH SEE ALSO\n");
    const char *between = "";
    for (int i = 0; i < command_row_count; i++) {
        if (command_rows[i].id == command) continue;
        text_str(out, between);
        text_str(out, ".BR ");
        put_roff(out, page_name(out->arena, &command_rows[i]));
        text_str(out, " (1)");
        between = ",\n";
    }
    text_char(out, '\n');
}

void man_page(CommandId command, Text *out) {
    const CommandRow *row = command_row(command);
    put_head(row, out);
    if (!row->name) put_commands(out);
    if (command == CMD_CACHE) put_cache_words(out);
    text_str(out, ".SH OPTIONS\n");
    for (int i = 0; i < option_row_count; i++)
        if (option_rows[i].commands & command) put_option(&option_rows[i], out);
    text_str(out, ".SH EXIT STATUS\n");
    for (int i = 0; i < exit_status_count; i++)
        text_printf(out, ".TP\n.B %d\n%s\n", i, exit_statuses[i]);
    put_see_also(command, out);
}
