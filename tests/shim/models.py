#!/usr/bin/env python3
"""Runs CUDA on the CPU and compares with the evaluator: every model in examples/, compiled for any size
and for the first of the small ones that its comments name; and every golden case that `fusec run %s
--check` runs, with its flags and for any size; one of --fn, for any size. Tensors are at aligned addresses; with the last size of
a compilation also one element behind.

    python3 tests/shim/models.py FUSEC [NAME..]
"""
import os
import pathlib
import re
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import emulate
from cuda_model import CudaModel, Failure, dims_of
from examples import EXAMPLES, LONG, Example

SKIPPED = 77


@dataclass
class Job:
    """A compilation, and the sizes to run it with."""
    path: pathlib.Path
    flags: str
    sizes: list


def example_jobs():
    for path in sorted(EXAMPLES.glob("*.fx")):
        example = Example(path)
        if path.stem not in LONG:
            yield Job(path, "", example.small)
        yield Job(path, example.small[0], example.small[:1])


def merged(jobs):
    """Each compilation once, with the sizes of all."""
    found = {}
    for job in jobs:
        sizes = found.setdefault((job.path, job.flags), Job(job.path, job.flags, [])).sizes
        sizes += [flags for flags in job.sizes if flags not in sizes]
    return list(found.values())


def golden_jobs():
    for path in sorted(EXAMPLES.parent.glob("tests/*/*.fx")):
        for flags in re.findall(r"^// run: fusec run %s --check((?: -D \w+=\d+| -O\d)*)$",
                                path.read_text(errors="replace"), re.M):
            yield Job(path, flags, [flags])
            if flags and "-O" not in flags:
                yield Job(path, "", [flags])
        for flags in re.findall(r"^// run: fusec run %s((?: --check| --fn[= ]\w+| -D \w+=\d+)*)(?: > checks)?$",
                                path.read_text(errors="replace"), re.M):
            function = re.search(r"--fn[= ](\w+)", flags)
            if function and "--check" in flags:
                yield Job(path, f"--fn {function[1]}", [" ".join(re.findall(r"-D \w+=\d+", flags))])


def attempt(fusec, job, runtime, folder):
    """A message for each run, empty where it passes."""
    what = f"{job.path.stem} {job.flags or 'for any size'}"
    try:
        model = CudaModel(fusec, job.path, job.flags.split(), runtime, folder)
    except Failure as failure:
        return [f"FAIL {what}: {failure}"]
    messages = []
    for flags in job.sizes:
        sizes = dims_of(flags)
        inputs = folder / "inputs.safetensors"
        model.write_inputs(sizes, inputs)
        for skew in (0, 1) if flags == job.sizes[-1] else (0,):
            try:
                model.check(sizes, inputs if model.tensors("input") else None, skew)
                messages.append("")
            except Failure as failure:
                messages.append(f"FAIL {what}, run with {flags}, skew {skew}: {failure}")
    return messages


def run_all(fusec, jobs):
    """Prints what fails. (passed, failed)"""
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(name)
        runtime = emulate.build_runtime()

        def numbered(i):
            (folder / str(i)).mkdir()
            return attempt(fusec, jobs[i], runtime, folder / str(i))
        for messages in pool.map(numbered, range(len(jobs))):
            for message in messages:
                passed, failed = passed + (not message), failed + bool(message)
                if message:
                    print(message, flush=True)
    return passed, failed


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if not shutil.which(emulate.COMPILER):
        print(f"skipped: there is no {emulate.COMPILER}")
        sys.exit(SKIPPED)
    names = sys.argv[2:]
    jobs = merged(job for job in [*example_jobs(), *golden_jobs()]
                  if not names or job.path.stem in names)
    passed, failed = run_all(sys.argv[1], jobs)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
