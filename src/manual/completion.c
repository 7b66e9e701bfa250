/* completion.c: completion scripts for bash, zsh and fish.
 * In: the rows of commands and options. Out: a script for each shell. A value completes to the
 * choices of its row; to files or folders where it is called FILE or DIR; otherwise to nothing. */
#include "manual/manual.h"

#include <string.h>

static bool is_long(const OptionRow *row) { return !strncmp(row->name, "--", 2); }

static bool takes_file(const OptionRow *row) { return row->value && !strcmp(row->value, "FILE"); }
static bool takes_folder(const OptionRow *row) { return row->value && !strcmp(row->value, "DIR"); }

/* The rows of commands for a `case`, from 1: the one without a name, `*`, comes last. */
static const CommandRow *case_row(int i) { return &command_rows[i % command_row_count]; }

/* The first line of its help, without what a quoted text of a shell cannot hold. */
static void put_help(Text *out, const OptionRow *row) {
    for (const char *c = row->help; *c && *c != '\n'; c++)
        text_char(out, strchr("'`\"[]", *c) ? ' ' : *c);
}

/* ---- bash ----------------------------------------------------------------------------------- */

static void bash_values(Text *out) {
    text_str(out, "    case $before in\n");
    for (int i = 0; i < option_row_count; i++) {
        const OptionRow *row = &option_rows[i];
        if (!row->value || (i > 0 && row->id == option_rows[i - 1].id)) continue;
        text_printf(out, "    %s) ", row->name);
        if (row->choices) text_printf(out, "_fusec_words '%s'; ", row->choices);
        if (takes_file(row)) text_str(out, "_fusec_files -f; ");
        if (takes_folder(row)) text_str(out, "_fusec_files -d; ");
        text_str(out, "return ;;\n");
    }
    text_str(out, "    esac\n");
}

static void bash_options(Text *out) {
    text_str(out, "    case $command in\n");
    for (int i = 1; i <= command_row_count; i++) {
        const CommandRow *command = case_row(i);
        text_printf(out, "    %s) options='", command->name ? command->name : "*");
        for (int j = 0; j < option_row_count; j++)
            if (option_rows[j].commands & command->id)
                text_printf(out, "%s%s ", option_rows[j].name,
                            option_rows[j].value && is_long(&option_rows[j]) ? "=" : "");
        text_str(out, "' ;;\n");
    }
    text_str(out, "    esac\n");
}

static void bash_commands(Text *out) {
    for (int i = 0; i < command_row_count; i++)
        if (command_rows[i].name) text_printf(out, " %s", command_rows[i].name);
}

static void put_cache_words(Text *out) {
    for (int i = 0; i < WORDS_COUNT; i++)
        text_printf(out, "%s%s", i ? " " : "", cache_word_rows[i].word);
}

/* Bash splits words at the characters of COMP_WORDBREAKS. `--device=cu` is three words if `=` is
 * one of them; else it is one word, and every completion of it has to begin with `--device=`. */
static const char bash_words[] =
    "# bash completion for fusec\n"
    "_fusec_words() { COMPREPLY+=($(compgen -P \"$prefix\" -W \"$1\" -- \"$word\")); }\n"
    "_fusec_files() {\n"
    "    local found\n"
    "    mapfile -t found < <(compgen -P \"$prefix\" \"$@\" -- \"$word\")\n"
    "    if [[ ${#found[@]} != 0 ]]; then compopt -o filenames; fi\n"
    "    COMPREPLY+=(\"${found[@]}\")\n"
    "}\n"
    "_fusec() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    local command=${COMP_WORDS[1]} prefix= options\n"
    "    COMPREPLY=()\n"
    "    if [[ $word == --*=* ]]; then\n"
    "        before=${word%%=*} prefix=${word%%=*}= word=${word#*=}\n"
    "    elif [[ $word == = || $before == = ]]; then\n"
    "        if [[ $word == = ]]; then word=; else before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
    "        if [[ $before != -* ]]; then return; fi\n"
    "    fi\n";

void bash_completion(Text *out) {
    text_str(out, bash_words);
    bash_values(out);
    bash_options(out);
    text_str(out, "    if [[ $word == -* ]]; then\n"
                  "        _fusec_words \"$options\"\n"
                  "        if [[ ${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi\n"
                  "        return\n"
                  "    fi\n"
                  "    if [[ $COMP_CWORD = 2 && $command = cache ]]; then\n"
                  "        _fusec_words '");
    put_cache_words(out);
    text_str(out, "'\n"
                  "        return\n"
                  "    fi\n"
                  "    _fusec_files -f -X '!*.fx'\n"
                  "    _fusec_files -d\n"
                  "    if [ \"$COMP_CWORD\" = 1 ]; then _fusec_words '");
    bash_commands(out);
    text_str(out, "'; fi\n"
                  "}\n"
                  "complete -F _fusec fusec\n");
}

/* ---- zsh ------------------------------------------------------------------------------------ */

static void zsh_option(const OptionRow *row, Text *out) {
    text_printf(out, "        '*%s%s[", row->name, !row->value ? "" : is_long(row) ? "=" : "+");
    put_help(out, row);
    text_char(out, ']');
    if (row->value) {
        text_str(out, ":value:");
        if (row->choices) text_printf(out, "(%s)", row->choices);
        if (takes_file(row)) text_str(out, "_files");
        if (takes_folder(row)) text_str(out, "_files -/");
    }
    text_str(out, "'\n");
}

void zsh_completion(Text *out) {
    text_str(out, "#compdef fusec\n"
                  "# zsh completion for fusec\n"
                  "local -a options commands\n"
                  "case $words[2] in\n");
    for (int i = 1; i <= command_row_count; i++) {
        const CommandRow *command = case_row(i);
        text_printf(out, "%s)\n    options=(\n", command->name ? command->name : "*");
        for (int j = 0; j < option_row_count; j++)
            if (option_rows[j].commands & command->id) zsh_option(&option_rows[j], out);
        text_str(out, "    ) ;;\n");
    }
    text_str(out, "esac\ncommands=(");
    bash_commands(out);
    text_str(out, ")\n"
                  "if (( CURRENT == 2 )); then compadd -- $commands; fi\n"
                  "if [[ $CURRENT = 3 && $words[2] = cache ]]; then compadd -- ");
    put_cache_words(out);
    text_str(out, "; return; fi\n"
                  "_arguments -s $options '*:model:_files -g \"*.fx\"'\n");
}

/* ---- fish ----------------------------------------------------------------------------------- */

/* On which command lines a row is offered. */
static void fish_condition(const CommandRow *command, Text *out) {
    if (command->name)
        text_printf(out, "complete -c fusec -n '__fish_seen_subcommand_from %s'", command->name);
    else
        text_str(out, "complete -c fusec -n __fish_use_subcommand");
}

static void fish_option(const CommandRow *command, const OptionRow *row, Text *out) {
    fish_condition(command, out);
    if (is_long(row))
        text_printf(out, " -l %s", row->name + 2);
    else
        text_printf(out, " %s %s", row->name[2] ? "-o" : "-s", row->name + 1);
    if (row->value) text_str(out, takes_file(row) ? " -r -F" : " -x");
    if (row->choices) text_printf(out, " -a '%s'", row->choices);
    if (takes_folder(row)) text_str(out, " -a '(__fish_complete_directories)'");
    text_str(out, " -d '");
    put_help(out, row);
    text_str(out, "'\n");
}

void fish_completion(Text *out) {
    text_str(out, "# fish completion for fusec\n");
    for (int i = 0; i < command_row_count; i++) {
        const CommandRow *command = &command_rows[i];
        if (command->name)
            text_printf(out, "complete -c fusec -n __fish_use_subcommand -a %s -d '%s'\n",
                        command->name, command->brief);
        if (command->id == CMD_CACHE) {
            fish_condition(command, out);
            text_str(out, " -a '");
            put_cache_words(out);
            text_str(out, "'\n");
        }
        for (int j = 0; j < option_row_count; j++)
            if (option_rows[j].commands & command->id) fish_option(command, &option_rows[j], out);
    }
}
