#!/usr/bin/env python3
"""Compiles the models of bench/random_shapes.py for a GPU and for a CPU, and those of bench/random_fused.py
for a GPU: plans, tiles and texts of large tensors, which no other test has, as it would have to run them.

    python3 tests/random_shapes.py FUSEC
"""
import os
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "bench")]
from random_fused import Fused  # noqa: E402
from random_shapes import Cases  # noqa: E402

SEEDS = range(1, 4)
# By device: the suffix of what is emitted, and flags.
TARGETS = {"cuda": (".cu", "--machine=H200", "--arch=sm_90a"), "cpu": (".c",)}


def attempt(fusec, path, case, suffix, *flags):
    """What is wrong, or an empty text."""
    path.write_text(case.model)
    run = subprocess.run([fusec, path, *flags, "-o", path.with_suffix(suffix)], capture_output=True,
                         text=True)
    return f"FAIL {case.kind} {case.shape} {' '.join(flags)}\n{run.stderr}" if run.returncode else ""


def main():
    fusec = pathlib.Path(sys.argv[1]).resolve()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [(case, target) for device, target in TARGETS.items() for seed in SEEDS
                for case in Cases(seed, device).draw_all()]
        runs += [(case, TARGETS["cuda"]) for case in Fused(1, "cuda").draw_all()]

        def numbered(i):
            case, target = runs[i]
            return attempt(fusec, pathlib.Path(name, f"{i}.fx"), case, *target)
        for message in pool.map(numbered, range(len(runs))):
            passed, failed = passed + (not message), failed + bool(message)
            if message:
                print(message, flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
