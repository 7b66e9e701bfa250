#!/usr/bin/env python3
"""Times small models, as people write them, beside PyTorch: eager, torch.compile, and the best library call.
Prints a Markdown table, slowest first beside PyTorch.

    python3 bench/snippets/survey.py FUSEC --gpu [--gpus 0,1] [--shards 24] [--seconds 300] [--only REGEX]
    python3 bench/snippets/survey.py FUSEC --cpu [--threads 1] [--no-compile] [--seconds 300] [--only REGEX]
    python3 bench/snippets/survey.py FUSEC --check [--only REGEX]

FUSEC: the command, as build/release/fusec. The interpreter needs PyTorch, on a CPU with a C++ compiler. Models and
sizes are in cases.py; REGEX is searched in a row's name and sizes.

On a GPU, shards of the cases compile at the same time, each in a process, until half of --seconds are over; then
those of a GPU are timed one after the other: medians. All ways are timed as CUDA graphs of calls, each with other
inputs than the call before, without the time of a call from Python; fusec by `fusec bench`, which takes some seconds
a row, where libfusec.so is not beside the command. On a CPU, where it has to be, the times are the least of calls in
turn, as in bench/cpu_torch.py. `of floor` is the least time by bytes (inputs and outputs once) and operations, at
the rates of bench/random_shapes.py, divided by fusec's time.

--check compares PyTorch's results at small sizes with those of fusec, which `fusec run --check` compares with the
evaluator; exit status 1 if they differ.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import threading
import time
import types
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]
import random_shapes  # noqa: E402
from cases import CASES, dims_of  # noqa: E402


def rows_of(o):
    """(case, sizes) of each row."""
    return [(case, sizes) for case in CASES for sizes in (case.gpu if o.gpu else case.cpu)
            if re.search(o.only, f"{case.name} {sizes}")]


# ---- the table ------------------------------------------------------------------------------------

def work_of(case, sizes, stored):
    """As random_shapes.floor_us takes it: bytes, operations and their type."""
    def number(formula):
        return eval(formula, {}, dims_of(sizes)) if formula else 0
    return types.SimpleNamespace(bytes=number(case.bytes) or stored, operations=number(case.operations),
                                 type=case.rate)


def line_of(o, case, sizes, row):
    """(PyTorch's time over fusec's, a line of the table)."""
    times, us = row["times"], row["fusec"]
    best = min(times, key=times.get, default=None)
    ratio = times[best] / us if best and us else 0
    others = {name: t for name, t in times.items() if name not in ("eager", "compile")}
    other = min(others, key=others.get, default=None)
    cells = [case.name, sizes, f"{us:.1f}" if us else "-", row["kernels"],
             *(f"{times[name]:.1f}" if name in times else "-" for name in ("eager", "compile")[:1 + o.compile]),
             f"{other} {others[other]:.1f}" if other else "", f"{ratio:.2f}" if ratio else "-"]
    if o.gpu:
        floor = random_shapes.floor_us(work_of(case, sizes, row["stored"]), "cuda")
        cells.append(f"{floor / us:.2f}" if us else "-")
    return ratio, f"| {' | '.join(map(str, cells))} |"


def print_table(o, about, lines):
    ratios = [ratio for ratio, _ in lines if ratio]
    print(f"{datetime.date.today()}, {about}, {version_of(o.fusec)}, "
          f"`bench/snippets/survey.py {' '.join(['FUSEC', *sys.argv[2:]])}`.")
    if ratios:
        slower = sum(ratio < 1 for ratio in ratios)
        print(f"PyTorch takes {statistics.median(ratios):.2f} times as long as fusec in the median of "
              f"{len(ratios)} rows, and less time in {slower}.")
    titles = ["snippet", "sizes", "fusec, us", "kernels", "eager", *["compile"] * o.compile, "best other",
              "PyTorch / fusec", *["of floor"] * o.gpu]
    print(f"\n| {' | '.join(titles)} |", "|---|---|" + "---:|" * (3 + o.compile) + "---|" + "---:|" * (1 + o.gpu),
          *(line for _, line in sorted(lines)), sep="\n")


def progress(o, text):
    print(f"{time.monotonic() - o.begun:.0f} s: {text}", file=sys.stderr, flush=True)


def version_of(fusec):
    return subprocess.run([fusec, "--version"], capture_output=True, text=True).stdout.split("\n")[0].strip()


# ---- a GPU: shards ----------------------------------------------------------------------------------

class Shard:
    """A process of shard.py. It says when its share is compiled, and times it when told to."""
    def __init__(self, o, i, gpu):
        wanted = {"fusec": o.fusec, "only": o.only, "compile": o.compile, "shard": i, "shards": o.shards,
                  "seconds": o.seconds / 2}
        self.process = subprocess.Popen(
            [sys.executable, HERE / "shard.py", json.dumps(wanted)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, env={**os.environ, "CUDA_VISIBLE_DEVICES": gpu})

    def lines(self):
        for line in self.process.stdout:
            if line.startswith("{"):
                yield json.loads(line)

    def times(self):
        """Rows, as they come."""
        try:
            self.process.stdin.write("go\n")
            self.process.stdin.flush()
        except BrokenPipeError:  # it was ended
            return
        yield from self.lines()


def time_on(o, shards, found):
    """The shards of one GPU: all are compiled before the first is timed."""
    for shard in shards:
        found.about = next(shard.lines(), {}).get("about", found.about)
    progress(o, f"{len(shards)} shards are compiled")
    for shard in shards:
        for row in shard.times():
            found.rows[row["name"], row["sizes"]] = row
            progress(o, ", ".join([f"{row['name']} {row['sizes']}", *row["errors"]]))


def time_gpus(o):
    """(about the machine, lines of the table)."""
    gpus, found = o.gpus.split(","), types.SimpleNamespace(about="", rows={})
    shards = [Shard(o, i, gpus[i % len(gpus)]) for i in range(o.shards)]
    end = threading.Timer(o.seconds, lambda: [shard.process.kill() for shard in shards])
    end.start()
    with ThreadPoolExecutor(len(gpus)) as pool:
        list(pool.map(lambda i: time_on(o, shards[i::len(gpus)], found), range(len(gpus))))
    end.cancel()
    lines = []
    for case, sizes in rows_of(o):
        if (case.name, sizes) in found.rows:
            lines.append(line_of(o, case, sizes, found.rows[case.name, sizes]))
        else:
            progress(o, f"{case.name} {sizes} was not timed")
    return found.about, lines


# ---- a CPU ------------------------------------------------------------------------------------------

def time_cpu(o):
    import on_cpu
    lines = []
    for case, sizes, row in on_cpu.time_rows(o, rows_of(o)):
        lines.append(line_of(o, case, sizes, row))
        progress(o, lines[-1][1])
    return on_cpu.about(o), lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec")
    what = parser.add_mutually_exclusive_group(required=True)
    for name in ("gpu", "cpu", "check"):
        what.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--only", metavar="REGEX", default="")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--gpus", default="0", metavar="INDEX,..")
    parser.add_argument("--shards", type=int, default=max(1, os.cpu_count() // 2), metavar="N")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--no-compile", dest="compile", action="store_false")
    o = parser.parse_args()
    o.fusec, o.begun = os.path.abspath(o.fusec), time.monotonic()
    if o.check:
        import on_cpu
        sys.exit(on_cpu.check(o, rows_of(o)))
    print_table(o, *(time_gpus if o.gpu else time_cpu)(o))


if __name__ == "__main__":
    main()
