/* main.c: the command line: reads the options, runs the command, prints its messages. Only this
 * file and src/cli print or choose an exit status. */
#include "cli/command.h"
#include "build_id.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool wants_colour(Colour colour) {
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (colour != COLOUR_AUTO) return colour == COLOUR_ALWAYS;
    return isatty(STDERR_FILENO) && !(no && *no) && !(terminal && !strcmp(terminal, "dumb"));
}

static void show(const Session *s) {
    Text text = text_new(s->arena);
    diag_print(s->diag, &text, wants_colour(s->options->colour));
    fwrite(text_get(&text), 1, text.size, stderr);
}

/* The command as typed, for the head comment of emitted files: "fusec geglu.fx -o geglu.cu". */
static const char *command_line(Arena *arena, int count, char **arguments) {
    Text text = text_new(arena);
    text_str(&text, "fusec");
    for (int i = 1; i < count; i++) text_printf(&text, " %s", arguments[i]);
    return text_get(&text);
}

static Status print(Session *s, const Text *text) {
    write_output(s, "-", text_get(text), text->size);
    return exit_status(s);
}

static Status run_command(Session *s, int count, char **arguments) {
    Text text = text_new(s->arena);
    Options *o = s->options;
    if (!options_parse(s->diag, count - 1, arguments + 1, o)) return STATUS_USAGE;
    s->diag->error_limit = (int)o->compile.limits.errors;
    s->arena->limit = (size_t)o->compile.limits.memory_bytes;
    o->compile.emit.command = command_line(s->arena, count, arguments);
    if (o->help) help_print(o->command, &text);
    if (o->version) text_printf(&text, "fusec %s (build %s)\n", FUSEC_VERSION, FUSEC_BUILD);
    if (text.size) return print(s, &text);
    return outputs_spare_model(s) ? command_row(o->command)->function(s) : STATUS_USAGE;
}

typedef struct Command {
    Arena *arena;
    int count;
    char **arguments;
    Status status;
} Command;

static void run(void *of) {
    Command *c = of;
    Options options = {0};
    if (!c->arena) leave_for_memory(__FILE__, __LINE__);
    Session session = {c->arena, diag_new(c->arena, (int)limits_default().errors), &options, NULL,
                       false};
    c->status = run_command(&session, c->count, c->arguments);
    c->arena->limit = 0; /* room for the message */
    show(&session);
}

static Status ended_early(const Recovery *why) {
    if (why->kind == LEFT_FOR_MEMORY) {
        fputs("fusec: error: out of memory\n", stderr);
        return STATUS_REFUSED;
    }
    fprintf(stderr,
            "fusec: bug at %s:%d: %s\n"
            "fusec: this is a mistake in fusec, not in your model: please report it\n",
            why->file, why->line, why->text);
    abort();
}

int main(int count, char **arguments) {
    Command command = {arena_new(0), count, arguments, STATUS_OK};
    Recovery why;
    if (!recover(run, &command, &why)) command.status = ended_early(&why);
    arena_free(command.arena);
    return command.status;
}
