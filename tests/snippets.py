#!/usr/bin/env python3
"""Checks the models of bench/snippets: that each is formatted, compiles for a GPU and for a CPU at the sizes that it
is timed at, without a warning, and has its PyTorch function.

    python3 tests/snippets.py FUSEC
"""
import os
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SNIPPETS = pathlib.Path(__file__).resolve().parents[1] / "bench" / "snippets"
sys.path[:0] = [str(SNIPPETS)]
from cases import CASES, MODELS, dims_of  # noqa: E402


def attempt(*command):
    """What is wrong, or an empty text."""
    run = subprocess.run(command, capture_output=True, text=True)
    return f"FAIL {' '.join(map(str, command))}\n{run.stdout}{run.stderr}" if run.returncode else ""


def compilations(fusec, folder):
    for case in CASES:
        for sizes in case.gpu:
            yield (fusec, case.path, *case.options(dims_of(sizes)), "--machine=H200", "--arch=sm_90a", "-Werror",
                   "-o", folder / f"{case.name} {sizes}.cu")
        for sizes in case.cpu:
            yield (fusec, case.path, *case.options(dims_of(sizes)), "-Werror", "-o",
                   folder / f"{case.name} {sizes}.c")
        yield (fusec, case.path, *case.options(dims_of(case.small)), "-Werror", "--emit=plan", "--target=c")


def missing():
    """Models without a case, cases without a model or a function of PyTorch."""
    names, models = {case.name for case in CASES}, {path.stem for path in MODELS.glob("*.fx")}
    texts = {topic: (SNIPPETS / f"{topic}.py").read_text() for topic in {case.topic for case in CASES}}
    return [*(f"FAIL {name}: it lacks a model or a case" for name in names ^ models),
            *(f"FAIL {case.name}: no function in {case.topic}.py" for case in CASES
              if f"\ndef {case.name}(" not in texts[case.topic])]


def main():
    fusec = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:
        commands = [(fusec, "fmt", "--check", *sorted(MODELS.glob("*.fx"))), *compilations(fusec, pathlib.Path(name))]
        found = [*missing(), *filter(None, pool.map(lambda command: attempt(*command), commands))]
    for message in found:
        print(message, flush=True)
    print(f"{len(commands) - len(found)} passed, {len(found)} failed")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
