#!/usr/bin/env python3
"""What C compilers take for the text that `fusec run` compiles, for every example: user and system time,
the least of some runs in turn, in milliseconds. Prints a Markdown table.

    python3 bench/cc_time.py FUSEC.. [--compilers gcc,clang] [--runs 5] [--only NAME..] [--waits] [--shared]

With several FUSECs their texts are compiled in turn: before and after a change, for example.
--waits: of the parts that `fusec run` compiles side by side on this machine, the one that takes longest,
and the linker: what a first call waits for where each part has a processor. --shared, with
--waits: a cache has the functions that models share, as after a model that is like it.
"""
import argparse
import datetime
import os
import pathlib
import re
import resource
import sqlite3
import subprocess
import tempfile

from compile_time import EXAMPLES, processor

# Of runtime/cpu.c.
FLAGS = ("-O2 -shared -fPIC -Wno-psabi -Wl,-Bsymbolic -march=native -mprefer-vector-width=512 "
         "-ffp-contract=fast -nolibc -fno-delete-null-pointer-checks -DFX_NULL_IS_KEPT -fopenmp").split()
GCC_FLAGS = ("-fira-region=one -fno-tree-bit-ccp -fno-tree-dominator-opts -fno-tree-pre "
             "-fno-code-hoisting -fno-schedule-insns2 --param=max-combine-insns=2 "
             "--param=iv-consider-all-candidates-bound=10").split()


def sizes_of(example):
    """Of the comment `// try:` of the model, or of `// small:`."""
    return re.search(r"^// (?:try|small): (.*)$", example.read_text(), re.M)[1].split()


def emitted(fusec, example, folder):
    environment = {**os.environ, "CC": "false", "FUSEC_CACHE_DIR": "off"}
    subprocess.run([fusec, "run", example, *sizes_of(example), "--device=cpu", "--keep", folder],
                   env=environment, capture_output=True)  # it fails: only the text is wanted
    return folder / "fusec.c"


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def forget_models(cache):
    """Only the functions that models share stay in it."""
    with sqlite3.connect(cache / "fusec.db") as database:
        database.execute("DELETE FROM binary WHERE model NOT NULL")
    database.close()


def waited_seconds(fusec, compiler, example, folder, shared):
    """The longest run of the compiler, by its own time, and the linker's."""
    cache = folder / "cache"
    if shared and not cache.exists():
        cache.mkdir(mode=0o700)
        waited_seconds(fusec, compiler, example, folder, shared)
    if (cache / "fusec.db").exists():
        forget_models(cache)
    log, script = folder / "times", folder / "cc"
    script.write_text(f'#!/bin/bash\n{compiler} "$@"\nstatus=$?\ntimes >>{log}\nexit $status\n')
    script.chmod(0o755)
    log.write_text("")
    subprocess.run([fusec, "run", example, *sizes_of(example), "--device=cpu",
                    f"--cache={cache if shared else 'off'}"],
                   env={**os.environ, "CC": str(script)}, check=True, capture_output=True)
    of_children = log.read_text().split("\n")[1::2]
    took = [sum(60 * int(m) + float(s) for m, s in re.findall(r"(\d+)m([\d.]+)s", line))
            for line in of_children]
    return max(took[:-1] or [0]) + took[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec", nargs="+")
    parser.add_argument("--compilers", default="gcc,clang")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--waits", action="store_true")
    parser.add_argument("--shared", action="store_true")
    options = parser.parse_args()
    compilers, sums = options.compilers.split(","), {}
    arms = [(fusec, compiler) for compiler in compilers for fusec in options.fusec]
    load = " ".join(f"{x:.2f}" for x in os.getloadavg())
    print(f"{datetime.date.today()}, {processor()}, `bench/cc_time.py --runs {options.runs}`, load of the "
          f"machine {load}: milliseconds of user and system time for `{' '.join(FLAGS)}`.\n")
    several = len(options.fusec) > 1
    print("| example |", *(f"{c}{f' ({options.fusec.index(f) + 1})' if several else ''} |"
                           for f, c in arms))
    print("|---|" + "---:|" * len(arms))
    for example in sorted(EXAMPLES.glob("*.fx")):
        if options.only and example.stem not in options.only:
            continue
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            texts = {f: emitted(f, example, folder / str(i)) for i, f in enumerate(options.fusec)}
            least = {arm: float("inf") for arm in arms}
            for _ in range(options.runs):
                for fusec, compiler in arms:
                    own = [] if "clang" in compiler else GCC_FLAGS
                    command = [compiler, *own, *FLAGS, "-o", folder / "o.so", texts[fusec], "-lm"]
                    own_folder = folder / str(options.fusec.index(fusec))
                    took = (waited_seconds(fusec, compiler, example, own_folder, options.shared)
                            if options.waits else cpu_seconds(command))
                    least[fusec, compiler] = min(least[fusec, compiler], took)
        for arm in arms:
            sums[arm] = sums.get(arm, 0) + least[arm]
        print(f"| {example.stem} |", *(f"{1e3 * least[arm]:.0f} |" for arm in arms), flush=True)
    print("| all |", *(f"{1e3 * sums[arm]:.0f} |" for arm in arms))


if __name__ == "__main__":
    main()
