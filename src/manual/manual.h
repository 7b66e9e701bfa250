/* manual.h: man pages and shell completions, written from the tables of the command line. */
#ifndef FUSEC_MANUAL_H
#define FUSEC_MANUAL_H

#include "cli/command.h"

/* The man page of a command: fusec.1 for the one without a name, fusec-run.1 .. */
void man_page(CommandId command, Text *out);

/* A completion script for each shell: of commands, options, and values of options. */
void bash_completion(Text *out);
void zsh_completion(Text *out);
void fish_completion(Text *out);

#endif
