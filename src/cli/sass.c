/* sass.c: the instructions of a GPU, below the lines of the emitted source and of the model that
 * they come from: -o model.sass.
 * In: a compilation with marks (EmitOptions.marks). Out: what nvdisasm, or cuobjdump, prints of the
 * machine code; without lines where only cuobjdump is installed. */
#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

static const char mark[] = "//@AT ";

typedef struct Line {
    const char *text; /* of the emitted source */
    int size;
    Span place; /* in the model */
} Line;

typedef struct Listing {
    Session *s;
    const char *file; /* what messages call the source */
    Vec(Line) lines;  /* of the source without its marks */
    Text source;
} Listing;

/* ---- the source ----------------------------------------------------------------------------- */

/* A mark holds for one statement, which may take several lines. */
static void read_lines(Listing *l, const char *text) {
    Span place = NOWHERE;
    while (*text) {
        const int size = (int)strcspn(text, "\n");
        const char *start = text + strspn(text, " ");
        if (!strncmp(start, mark, strlen(mark))) {
            char *end;
            place.file = (uint32_t)strtoul(start + strlen(mark), &end, 10);
            place.lo = (uint32_t)strtoul(end, NULL, 10);
            place.hi = place.lo + 1;
        } else {
            const Line line = {text, size, place};
            vec_push(l->s->arena, &l->lines, line);
            text_printf(&l->source, "%.*s\n", size, text);
            if (size && text[size - 1] == ';') place = NOWHERE;
        }
        text += size + (text[size] == '\n');
    }
}

/* ---- disassembling -------------------------------------------------------------------------- */

/* The program in the folders of a CUDA toolkit, or that of PATH. */
static ToolOutput run_tool(Session *s, const char *program, const char *const *flags,
                           const char *cubin, size_t size) {
    static const char *const folders[] = {"CUDA_HOME", "CUDA_PATH"};
    for (int i = 0; i < 2; i++) {
        const char *folder = getenv(folders[i]);
        if (!folder || !*folder) continue;
        const char *path = arena_printf(s->arena, "%s/bin/%s", folder, program);
        const ToolOutput output = tool_run(s, path, flags, cubin, size);
        if (output.text) return output;
    }
    return tool_run(s, program, flags, cubin, size);
}

static const char *disassemble(Session *s, const char *cubin, size_t size) {
    static const char *const lines[] = {"--print-code", "--print-line-info", NULL};
    static const char *const plain[] = {"--dump-sass", NULL};
    const ToolOutput by_lines = run_tool(s, "nvdisasm", lines, cubin, size);
    if (by_lines.text) return by_lines.text;
    const ToolOutput by_dump = run_tool(s, "cuobjdump", plain, cubin, size);
    if (by_dump.text) return by_dump.text;
    diag_refuse(s->diag,
                "nvdisasm %s, and cuobjdump %s: they are parts of the CUDA toolkit, searched in "
                "$CUDA_HOME/bin, $CUDA_PATH/bin and PATH",
                by_lines.why ? by_lines.why : "printed nothing",
                by_dump.why ? by_dump.why : "printed nothing");
    return NULL;
}

/* ---- with lines ----------------------------------------------------------------------------- */

static int line_number(const char *text, uint32_t at) {
    int number = 1;
    for (uint32_t i = 0; i < at; i++) number += text[i] == '\n';
    return number;
}

static void put_model_line(const Listing *l, Span place, Text *out) {
    const Source *model = &l->s->diag->sources.at[place.file];
    const char *start = model->text + place.lo;
    while (start > model->text && start[-1] != '\n') start--;
    start += strspn(start, " ");
    text_printf(out, "        // %s:%d: %.*s\n", model->name, line_number(model->text, place.lo),
                (int)strcspn(start, "\n"), start);
}

/* For `//## File "..", line 12`: that line; false: it is something else. */
static bool put_place(const Listing *l, const char *text, Text *out) {
    const char *number = strstr(text, "\", line "), *end = strchr(text, '\n');
    if (strncmp(text + strspn(text, " \t"), "//## File", 9) != 0) return false;
    if (!number || (end && number > end)) return false;
    const int line = atoi(number + strlen("\", line "));
    if (line < 1 || line > l->lines.count) return false;
    const Line *of = &l->lines.at[line - 1];
    const int indent = (int)strspn(of->text, " ");
    if (of->place.file < (uint32_t)l->s->diag->sources.count) put_model_line(l, of->place, out);
    text_printf(out, "        // %s:%d: %.*s\n", l->file, line, of->size - indent,
                of->text + indent);
    return true;
}

static void put_listing(const Listing *l, const char *text, Text *out) {
    while (*text) {
        const int size = (int)strcspn(text, "\n");
        if (!put_place(l, text, out)) text_printf(out, "%.*s\n", size, text);
        text += size + (text[size] == '\n');
    }
}

bool make_sass(Session *s, const Compilation *c, Text *out) {
    Listing l = {
        .s = s, .file = arena_printf(s->arena, "%s.cu", c->name), .source = text_new(s->arena)};
    size_t size;
    read_lines(&l, text_get(&c->source));
    const NvrtcInput input = {.source = text_get(&l.source),
                              .file = l.file,
                              .arch = s->options->arch ? s->options->arch : "sm_80",
                              .keep = s->options->keep,
                              .lines = true};
    progress_begin("compiling CUDA");
    char *cubin = nvrtc_compile(s->diag, &input, NVRTC_CUBIN, &size);
    progress_end();
    if (!cubin) return false;
    arena_owns(s->arena, free, cubin);
    const char *text = disassemble(s, cubin, size);
    if (text) put_listing(&l, text, out);
    return text;
}
