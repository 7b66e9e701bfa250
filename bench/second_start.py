#!/usr/bin/env python3
"""A second process start: `fusec run` of a model whose code is in the cache, from the start of the
process to its end, which is after its first result. Writes bench/results/second_start.md.

    python3 bench/second_start.py build/release/fusec [--runs 200]

Wall time is the least of all runs; CPU time, which other work on the machine does not lengthen, too.
"""
import argparse
import datetime
import os
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
CASES = {
    "softmax": "N=64 D=100",
    "layer_norm": "N=64 D=256",
    "geglu": "N=8 D=32",
    "grouped_query_attention": "",
    "transformer_block": "",
}


def sizes(name, given):
    """Those given, or the first that the example's comments suggest."""
    if given:
        return [word for dim in given.split() for word in ("-D", dim)]
    lines = (ROOT / f"examples/{name}.fx").read_text().splitlines()
    return next(line for line in lines if line.startswith("// small:")).split(":")[1].split()


def run(command):
    """(seconds of the clock, of the processor)"""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, use = os.wait4(process.pid, 0)
    end = time.perf_counter()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"status {process.returncode}: {command}")
    return end - start, use.ru_utime + use.ru_stime


def row(fusec, name, given, runs):
    with tempfile.TemporaryDirectory() as folder:
        command = [fusec, "run", ROOT / f"examples/{name}.fx", *sizes(name, given), "--device=cpu",
                   f"--cache={folder}/cache"]
        first, _ = run(command)
        later = [run(command) for _ in range(runs)]
    wall, cpu = (1e3 * min(times) for times in zip(*later))
    line = f"| {name} | {1e3 * first:.0f} | {wall:.1f} | {cpu:.1f} |"
    print(line, flush=True)
    return line


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec")
    parser.add_argument("--runs", type=int, default=200)
    options = parser.parse_args()
    fusec = str(pathlib.Path(options.fusec).resolve())
    rows = "\n".join(row(fusec, name, given, options.runs) for name, given in CASES.items())
    load = pathlib.Path("/proc/loadavg").read_text().strip()
    (ROOT / "bench/results/second_start.md").write_text(f"""# A second process start

{datetime.date.today()}, `python3 bench/second_start.py build/release/fusec --runs {options.runs}`, in ms: `fusec run`
of an example on the CPU, the whole process. `first`: with the C compiler; then the code is in the
cache, and no compiler is called. Load of the machine at the end: {load}.

| model | first | later, by the clock | by the processor's time |
|---|---:|---:|---:|
{rows}
""")


if __name__ == "__main__":
    main()
