/* main.c: fusec_manual DIR writes man pages and completions below DIR, laid out as below
 * $PREFIX/share. Run by the build, for installation. */
#include "manual/manual.h"

#include <stdio.h>
#include <stdlib.h>

static void write_file(const char *root, const char *path, const Text *text) {
    char *full = arena_printf(text->arena, "%s/%s", root, path);
    FILE *file = fopen(full, "w");
    bool written = file && fwrite(text_get(text), 1, text->size, file) == text->size;
    if (!file || fclose(file) != 0 || !written) {
        perror(full);
        exit(1);
    }
}

static void write_pages(Arena *arena, const char *root) {
    for (int i = 0; i < command_row_count; i++) {
        const char *name = command_rows[i].name;
        Text page = text_new(arena);
        man_page(command_rows[i].id, &page);
        write_file(root,
                   arena_printf(arena, "man/man1/fusec%s%s.1", name ? "-" : "", name ? name : ""),
                   &page);
    }
}

int main(int count, char **arguments) {
    static const struct {
        const char *path;
        void (*write)(Text *out);
    } completions[] = {
        {"bash-completion/completions/fusec", bash_completion},
        {"zsh/site-functions/_fusec", zsh_completion},
        {"fish/vendor_completions.d/fusec.fish", fish_completion},
    };
    if (count != 2) {
        fputs("usage: fusec_manual DIR\n", stderr);
        return 2;
    }
    Arena *arena = arena_new(0);
    write_pages(arena, arguments[1]);
    for (size_t i = 0; i < sizeof completions / sizeof completions[0]; i++) {
        Text script = text_new(arena);
        completions[i].write(&script);
        write_file(arguments[1], completions[i].path, &script);
    }
    arena_free(arena);
    return 0;
}
