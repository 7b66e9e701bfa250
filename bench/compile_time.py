#!/usr/bin/env python3
"""Times `fusec X.fx -o x.cu` as a whole process, for every example and for generated models of
1,000 and 10,000 operators; prints a Markdown table.

    python3 bench/compile_time.py FUSEC > bench/results/compile_time.md
"""
import datetime
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

from large_graph import large_graph

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"


def measure(fusec, model, runs):
    """Median and slowest, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        command = [fusec, str(model), "-o", f"{folder}/x.cu"]
        times = []
        for _ in range(runs):
            start = time.perf_counter()
            subprocess.run(command, check=True, close_fds=False)
            times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times), max(times)


def processor():
    with open("/proc/cpuinfo") as file:
        return next((line.split(": ")[1].strip() for line in file if line.startswith("model name")),
                    platform.machine())


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    fusec = sys.argv[1]
    print(f"{datetime.date.today()}, {processor()}, `python3 bench/compile_time.py fusec`: "
          "whole process, wall time.\n\n"
          "| model | median of 20, ms | slowest, ms |\n|---|---:|---:|")
    for path in sorted(EXAMPLES.glob("*.fx")):
        print("| {} | {:.1f} | {:.1f} |".format(path.stem, *measure(fusec, path, 20)))
    medians = []
    for operators in (1000, 10000):
        with tempfile.NamedTemporaryFile("w", suffix=".fx") as file:
            file.write(large_graph(operators))
            file.flush()
            median, slowest = measure(fusec, file.name, 5)
        medians.append(median)
        print(f"| {operators:,} operators (of 5) | {median:.1f} | {slowest:.1f} |")
    print(f"\n10,000 operators take {medians[1] / medians[0]:.1f} times as long as 1,000.")


if __name__ == "__main__":
    main()
