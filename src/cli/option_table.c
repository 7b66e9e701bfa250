/* option_table.c: every command and every option, one row each, for help and options.c. */
#include "cli/command.h"

enum {
    RUNS = CMD_RUN | CMD_BENCH | CMD_TUNE,
    MODEL = CMD_COMPILE | RUNS | CMD_GRAPH | CMD_EXPLAIN,
    ANY = MODEL | CMD_FMT | CMD_DOCTOR | CMD_CACHE
};

const CommandRow command_rows[] = {
    {CMD_COMPILE, NULL, "fusec [OPTION..] MODEL.fx [-o FILE]",
     "fuses a model and writes its source",
     "Fuses the model and writes its source: CUDA C++ to standard output, or what -o says.",
     cmd_compile},
    {CMD_RUN, "run", "fusec run [OPTION..] MODEL.fx",
     "compiles and runs a model on this machine",
     "Compiles the model for this machine, runs it, and prints a line about each output.", cmd_run},
    {CMD_BENCH, "bench", "fusec bench [OPTION..] MODEL.fx",
     "times the kernels of a model",
     "Times every kernel of the model on this machine, on random inputs.", cmd_bench},
    {CMD_TUNE, "tune", "fusec tune [OPTION..] MODEL.fx",
     "finds the fastest tiles by measuring them",
     "Measures the legal tiles of the model's kernels on this machine, and keeps the fastest.",
     cmd_tune},
    {CMD_CACHE, "cache", "fusec cache WORD [OPTION..]",
     "looks at what is kept between runs, and manages it",
     "Shows and manages compiled code and chosen tiles: ls, show KEY, why MODEL.fx, stats,\n"
     "verify [MODEL.fx], export, import FILE, diff A B, pin KEY [TILE], ban KEY TILE, gc, clear, path.",
     cmd_cache},
    {CMD_EXPLAIN, "explain", "fusec explain [OPTION..] MODEL.fx",
     "tells what was fused, and why the rest was not",
     "Shows what was fused, what was not and why, and what each kernel moves and computes.",
     cmd_compile},
    {CMD_GRAPH, "graph", "fusec graph [OPTION..] MODEL.fx [-o FILE.dot]",
     "draws the kernels of a model",
     "Draws the kernels and the buffers between them, for Graphviz.", cmd_compile},
    {CMD_FMT, "fmt", "fusec fmt [--check] FILE..",
     "puts models into canonical form",
     "Formats models in place; `-` filters standard input.", cmd_fmt},
    {CMD_DOCTOR, "doctor", "fusec doctor",
     "says what works on this machine",
     "Reports what works on this machine, and why the rest does not.", cmd_doctor},
};
const int command_row_count = sizeof command_rows / sizeof command_rows[0];

const char *const exit_statuses[] = {"ok", "the model or its data is wrong", "usage",
                                     "the machine refused"};
const int exit_status_count = sizeof exit_statuses / sizeof exit_statuses[0];

/* In the order of Stage, and of Where. */
#define STAGES "ast graph plan kernel tile source"
#define DEVICES "auto cpu cuda"
#define TARGETS "cuda c ptx cubin so json dot"

const OptionRow option_rows[] = {
    {OPT_OUTPUT, "-o", "FILE", true, CMD_COMPILE | CMD_GRAPH | CMD_EXPLAIN,
     "where to write; - is standard output. Its suffix chooses what:\n"
     ".cu .c .h (source), .ptx .cubin .so (compiled), .json (plan), .dot (drawing);\n"
     "a second one, FILE.h, writes the header of the source, too", NULL},
    {OPT_OUTPUT, "-o", "FILE", true, CMD_CACHE, "export: where to write (default: standard output)",
     NULL},
    {OPT_TARGET, "--target", "NAME", false, CMD_COMPILE,
     "what to write, whatever the suffix: " TARGETS ";\n"
     "with -o FILE.h, the target of the header: cuda or c",
     TARGETS},
    {OPT_TARGET, "--target", "NAME", false, CMD_EXPLAIN,
     "explain the plan for cuda (default) or c",
     "cuda c"},
    {OPT_FN, "--fn", "NAME", false, MODEL & ~CMD_RUN,
     "only this function (default: those that no other function calls)", NULL},
    {OPT_FN, "--fn", "NAME", false, CMD_RUN,
     "this function, if there are several that no other function calls", NULL},
    {OPT_FN, "--fn", "NAME", false, CMD_CACHE, "ls, why: of this function", NULL},
    {OPT_DEFINE, "-D", "DIM=N", true, MODEL | CMD_CACHE, "fix a dim, as in -D N=4096", NULL},
    {OPT_INCLUDE, "-I", "DIR", true, MODEL | CMD_CACHE,
     "where headers that the model imports may be, after the model's own folder", NULL},
    {OPT_LEVEL, "-O", "LEVEL", true, MODEL | CMD_CACHE,
     "0: a kernel per op, 1: producers into readers, 2: siblings too (default), 3: as 2",
     "0 1 2 3"},
    {OPT_ARCH, "--arch", "ARCH", false, CMD_COMPILE | CMD_EXPLAIN,
     "GPU architecture for CUDA, as in sm_90a (default sm_80)", NULL},
    {OPT_ALIGNED, "--assume-aligned", NULL, false, CMD_COMPILE,
     "CUDA: tensors are 16-byte aligned: kernels do not test it, and compile faster", NULL},
    {OPT_IN, "--in", "FILE", false, CMD_RUN,
     ".npy or .safetensors with inputs, by name; may be given several times", NULL},
    {OPT_OUT, "--out", "FILE", false, CMD_RUN, ".npy or .safetensors for the outputs", NULL},
    {OPT_SEED, "--seed", "N", false, RUNS,
     "seed of the random inputs, those that no file gives (default 0)", NULL},
    {OPT_RANGE, "--range", "X=A..B", false, RUNS,
     "range of a random input, from A to below B, numbers or dims (default: the range in a\n"
     "comment of the model, as in // inputs: labels 0..V)", NULL},
    {OPT_SAVE_INPUTS, "--save-in", "FILE", false, CMD_RUN,
     "run nothing: write the inputs, as .npy or .safetensors", NULL},
    {OPT_CHECK, "--check", NULL, false, CMD_RUN,
     "compare with the reference evaluator; exit status 1 when wrong", NULL},
    {OPT_AGAINST, "--against", "FILE", false, CMD_RUN,
     "run nothing: check the outputs in this file, which another program made", NULL},
    {OPT_CHECK, "--check", NULL, false, CMD_FMT,
     "change nothing, list the files that would change; exit status 1 if there are any", NULL},
    {OPT_DEVICE, "--device", "NAME", false, RUNS | CMD_CACHE,
     "cpu, cuda, or auto (default): cuda if there is a usable GPU",
     DEVICES},
    {OPT_THREADS, "--threads", "N", false, RUNS | CMD_CACHE, "CPU threads (default: all)", NULL},
    {OPT_CACHE, "--cache", "DIR", false, RUNS | CMD_CACHE,
     "folder of the cache, or off (default: $FUSEC_CACHE_DIR, else $XDG_CACHE_HOME/fusec,\n"
     "else ~/.cache/fusec)", NULL},
    {OPT_REPEAT, "--repeat", "N", false, CMD_RUN,
     "run N times more, and print the median time and bandwidth", NULL},
    {OPT_REPEAT, "--repeat", "N", false, CMD_BENCH,
     "time each kernel N times (default: about a second for all of them)", NULL},
    {OPT_EMIT, "--emit", "STAGE", false, CMD_COMPILE,
     "print the result of a stage instead: " STAGES,
     STAGES},
    {OPT_JSON, "--json", NULL, false, CMD_COMPILE, "with --emit=plan: as JSON", NULL},
    {OPT_JSON, "--json", NULL, false, CMD_BENCH, "print JSON (docs/bench.md)", NULL},
    {OPT_JSON, "--json", NULL, false, CMD_TUNE, "print JSON (docs/tuning.md)", NULL},
    {OPT_JSON, "--json", NULL, false, CMD_CACHE, "print JSON (docs/cache.md)", NULL},
    {OPT_OF_MODEL, "--model", "NAME", false, CMD_CACHE, "ls: of models of this name", NULL},
    {OPT_FAMILY, "--family", "NAME", false, CMD_CACHE, "ls: of kernels of this family", NULL},
    {OPT_STALE, "--stale", NULL, false, CMD_CACHE,
     "ls: what another version of fusec or of the compiler has made", NULL},
    {OPT_SORT, "--sort", "HOW", false, CMD_CACHE,
     "ls: by last use (used, default), name, size or gain", "used name size gain"},
    {OPT_PLOT, "--plot", "FILE", false, CMD_CACHE,
     "show: draw the trials as SVG; needs gnuplot", NULL},
    {OPT_MERGE, "--merge", "HOW", false, CMD_CACHE,
     "import: where there is a choice, keep it (default), replace it, or take the best",
     "keep replace best"},
    {OPT_DRY_RUN, "--dry-run", NULL, false, CMD_CACHE, "import: say what would be done", NULL},
    {OPT_REASON, "--reason", "TEXT", false, CMD_CACHE, "ban: why", NULL},
    {OPT_OFF, "--off", NULL, false, CMD_CACHE, "pin, ban: no longer", NULL},
    {OPT_RECOMPILE, "--recompile", NULL, false, CMD_CACHE,
     "verify: compile the code of the CPU again, and compare", NULL},
    {OPT_MOST, "--most", "MIB", false, CMD_CACHE,
     "gc: how large the database may stay (default 1024)", NULL},
    {OPT_BUDGET, "--budget", "TIME", false, CMD_TUNE,
     "how long to search, as in 30s or 5m (default: 2, 5 or 30 s for each kernel)", NULL},
    {OPT_EFFORT, "--effort", "HOW", false, CMD_TUNE,
     "tiles tried of each kernel: quick 5, normal (default) 12, full 32", "quick normal full"},
    {OPT_RESUME, "--resume", NULL, false, CMD_TUNE,
     "use what was measured before, and do not repeat what failed", NULL},
    {OPT_TUNING, "--tuning", "WHEN", false, CMD_RUN | CMD_BENCH,
     "cached (default): use the tiles that `fusec tune` has chosen for these sizes; or never",
     "cached never"},
    {OPT_TUNE_LOCK, "--tune-lock", "FILE", false, CMD_TUNE,
     "write the decisions to this file, for --tune-lock of the other commands", NULL},
    {OPT_TUNE_LOCK, "--tune-lock", "FILE", false, MODEL & ~CMD_TUNE,
     "use the decisions of `fusec tune` in this file (docs/tuning.md)", NULL},
    {OPT_EXPLAIN, "--explain", NULL, false, CMD_COMPILE,
     "show what was fused and why, as `fusec explain` does, in addition to -o", NULL},
    {OPT_TIME, "--time-passes", NULL, false, MODEL, "print the time of each pass", NULL},
    {OPT_KEEP, "--keep", "DIR", false, MODEL, "write the text of every stage into DIR", NULL},
    {OPT_DEPEND, "-MD", NULL, false, CMD_COMPILE, "write a make rule with the files that were read",
                                                  NULL},
    {OPT_DEPEND_FILE, "-MF", "FILE", true, CMD_COMPILE, "where to (default: -o with suffix .d)", NULL},
    {OPT_WERROR, "-Werror", NULL, false, MODEL, "warnings are errors", NULL},
    {OPT_WGRAD, "-Wgrad", NULL, false, MODEL, "warnings where a derivative is zero by convention", NULL},
    {OPT_WPERF, "-Wperf", NULL, false, MODEL, "remarks on what makes the model slow", NULL},
    {OPT_TILE, "--tile", "[KERNEL:]KEY=N,..", false, MODEL | CMD_CACHE,
     "pin tile parameters of kernels, as in --tile geglu_0:m=128,n=256 (docs/tiles.md)", NULL},
    {OPT_LIMIT, "--limit", "NAME=N", false, MODEL | CMD_FMT,
     "change a limit, as in --limit nodes=5000000", NULL},
    {OPT_COLOUR, "--color", "WHEN", false, ANY, "auto (default), always or never",
     "auto always never"},
    {OPT_HELP, "--help", NULL, false, ANY, "print this", NULL},
    {OPT_VERSION, "--version", NULL, false, CMD_COMPILE, "print version and build", NULL},
};
const int option_row_count = sizeof option_rows / sizeof option_rows[0];

const CommandRow *command_row(CommandId id) {
    for (int i = 0; i < command_row_count; i++)
        if (command_rows[i].id == id) return &command_rows[i];
    BUG("no command %d", (int)id);
}
