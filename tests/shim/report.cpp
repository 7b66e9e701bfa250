/* report.cpp: one error, with the kernel, block and thread it happened in and the calls that led
 * there, as lines of the emitted text. Then the process ends: what follows an error means little.
 */
#include "runtime.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace shim {

struct Line {
    std::string function, file; /* FILE:LINE */
};

static std::string until(const char *text, const char *ends) {
    return std::string(text, strcspn(text, ends));
}

/* What addr2line says of an address behind a call: the innermost of inlined functions first. */
static std::vector<Line> lines_of(Place place) {
    char command[128], function[1024], file[1024];
    std::vector<Line> lines;
    snprintf(command, sizeof command, "addr2line -i -s -f -C -e /proc/%d/exe 0x%llx", (int)getpid(),
             (unsigned long long)place - 1);
    FILE *text = popen(command, "r");
    if (!text) return lines;
    while (fgets(function, sizeof function, text) && fgets(file, sizeof file, text)) {
        bool is_void = !strncmp(function, "void ", 5);
        lines.push_back({until(function + (is_void ? 5 : 0), "(\n"), until(file, " \n")});
    }
    pclose(text);
    return lines;
}

static bool is_ours(const Line &line) {
    return !line.file.compare(0, 7, "cuda.h:") || !line.function.compare(0, 6, "shim::");
}

std::string place_text(Place place) {
    for (const Line &line : lines_of(place))
        if (!is_ours(line)) return line.file;
    return "?";
}

std::string block_text(const Size3 &b) {
    std::string x = std::to_string(b.x);
    if (!b.y && !b.z) return x;
    return "(" + x + ", " + std::to_string(b.y) + ", " + std::to_string(b.z) + ")";
}

static void print_thread(const Thread &t) {
    const Size3 &size = world.config->block;
    const int number = t.number % world.threads;
    fprintf(stderr, "  in kernel %s, block %s, thread %d", world.config->kernel,
            block_text(world.block).c_str(), number);
    if (size.y > 1 || size.z > 1)
        fprintf(stderr, " (%lld, %lld, %lld)", number % size.x, number / size.x % size.y,
                number / (size.x * size.y));
    fprintf(stderr, "\n");
}

/* From number `from` on, as far as the shim, which called the kernel. */
static bool print_lines(const std::vector<Line> &lines, size_t from) {
    for (size_t i = from; i < lines.size(); i++) {
        if (is_ours(lines[i])) return false;
        fprintf(stderr, "  called from %s, %s\n", lines[i].function.c_str(), lines[i].file.c_str());
    }
    return true;
}

static void print_calls(const Thread &t, Place place) {
    std::vector<Line> lines = lines_of(place);
    size_t first = 0;
    while (first < lines.size() && is_ours(lines[first])) first++;
    bool more = print_lines(lines, first + 1);
    for (int i = t.depth - 1; more && i >= 0; i--) more = print_lines(lines_of(t.calls[i]), 0);
}

void fail(Place place, const char *format, ...) {
    const Thread *t = world.running;
    world.running = nullptr;
    va_list arguments;
    if (place) fprintf(stderr, "%s: ", place_text(place).c_str());
    fprintf(stderr, "error: ");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    if (t) {
        print_thread(*t);
        print_calls(*t, place);
    } else if (world.config) {
        fprintf(stderr, "  in kernel %s\n", world.config->kernel);
    }
    fflush(stderr);
    _exit(1);
}

void trap(const void *from) { fail((Place)from, "trap"); }

} // namespace shim
