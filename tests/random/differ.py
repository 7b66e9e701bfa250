#!/usr/bin/env python3
"""Runs random programs every way there is and compares: the evaluator against compiled C, fused and
with one kernel per operator. A program that fails is made as small as it can be and kept.

    python3 tests/random/differ.py FUSEC [--count 40] [--seed 1] [--forever] [--workers 2]
                                         [--save FOLDER]

Programs with odd seeds are compiled for the sizes given; those with even seeds leave the dims open
and take them from a file of inputs, some of which hold NaN, infinities and zeros.
"""
import argparse
import itertools
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from copy import copy

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent),
                str(pathlib.Path(__file__).resolve().parents[1])]
import safetensors  # noqa: E402
from generate import FLOATS, generate  # noqa: E402
from program import Statement  # noqa: E402

TIMEOUT = 120  # seconds for one run


# ---- running --------------------------------------------------------------------------------------

# Each way of running a program: a name and flags of `fusec run`, all compared with the evaluator.
WAYS = (("fused", []), ("unfused", ["-O0"]))


def write_inputs(program, seed, path):
    """Random inputs as `fusec run` makes them; one program in three gets special values too."""
    rng = random.Random(seed)
    special = seed % 3 == 0
    tensors = {}
    for v in program.inputs:
        dims = [int(s.value(program.dims)) for s in v.shape]
        count = math.prod(dims)
        if v.dtype in FLOATS:
            values = [rng.uniform(-1, 1) for _ in range(count)]
            for i in range(count):
                if special and rng.random() < 0.02:
                    values[i] = rng.choice((math.nan, math.inf, -math.inf, -0.0, 0.0, 1e-40))
        elif v.dtype == "bool":
            values = [rng.random() < 0.5 for _ in range(count)]
        else:
            low, high = (-8, 7) if v.dtype == "i8" else (0, 9)
            values = [rng.randint(low, high) for _ in range(count)]
        tensors[v.name] = v.dtype, dims, values
    safetensors.write(path, tensors)


def run(fusec, program, seed, flags, folder):
    """(kind, messages) of one run: the kind is "" when all is well; failures of one kind have, it is
    hoped, one cause."""
    model = pathlib.Path(folder, "program.fx")
    model.write_text(str(program))
    command = [fusec, "run", str(model), "--check", *flags]
    dims = program.used_dims()
    if seed % 2 == 0 and program.inputs:
        write_inputs(program, seed, f"{folder}/inputs.safetensors")
        command += ["--in", f"{folder}/inputs.safetensors"]
        shapes = [str(s) for v in program.inputs for s in v.shape]
        dims = {name: n for name, n in dims.items() if name not in shapes}
    for name, n in dims.items():
        command += ["-D", f"{name}={n}"]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return "timeout", " ".join(command)
    if result.returncode == 0:
        return "", ""
    return kind_of(result), f"{' '.join(command)}\n{result.stderr}{result.stdout}"


def kind_of(result):
    """What went wrong, without the names and numbers of this program: an output that differs, else
    the last error (the C compiler's, when it is one)."""
    differs = re.search(r"wrong \(.*?\)", result.stdout)
    if differs:
        return differs.group()
    errors = [line for line in result.stderr.splitlines() if "error" in line] or [""]
    error = re.sub(r"['`‘].*?['`’]|[\d.:]+|\S*/\S*", "", errors[-1])
    return f"exit {result.returncode} {' '.join(error.split())}"[:70]


def differ(fusec, program, seed):
    """The first way that fails: (flags, kind, messages), or None."""
    with tempfile.TemporaryDirectory() as folder:
        for name, flags in WAYS:
            kind, messages = run(fusec, program, seed, flags, folder)
            if kind:
                return flags, f"{name}: {kind}", messages
    return None


# ---- shrinking ------------------------------------------------------------------------------------

def without_output(program, i):
    smaller = copy(program)
    smaller.outputs = program.outputs[:i] + program.outputs[i + 1:]
    return smaller if smaller.outputs else None


def as_input(program, i):
    """The results of statement i become inputs."""
    smaller = copy(program)
    results = program.statements[i].results
    smaller.inputs = program.inputs + results
    smaller.statements = program.statements[:i] + program.statements[i + 1:]
    return smaller if all(v.exact and not v.rough for v in results) or len(results) == 1 else None


def by_operand(program, i, operand):
    """Whatever reads statement i reads one of its operands of the same type instead."""
    old = program.statements[i]
    new = old.operands[operand]
    if len(old.results) != 1 or (new.dtype, new.shape) != (old.results[0].dtype,
                                                            old.results[0].shape):
        return None
    smaller = copy(program)
    smaller.statements = [
        Statement(s.text, [new if v is old.results[0] else v for v in s.operands], s.results,
                  s.sizes, s.inline)
        for s in program.statements if s is not old]
    smaller.outputs = [(name, new if v is old.results[0] else v, dtype)
                       for name, v, dtype in program.outputs]
    return smaller


def with_dim(program, name, n):
    smaller = copy(program)
    smaller.dims = {**program.dims, name: n}
    return smaller if n < program.dims[name] and smaller.is_possible() else None


def by_name(program):
    """Nothing written in its reader's place."""
    smaller = copy(program)
    smaller.statements = [Statement(s.text, s.operands, s.results, s.sizes)
                          for s in program.statements]
    return smaller if any(s.inline for s in program.statements) else None


def candidates(program):
    for i in range(len(program.outputs)):
        yield without_output(program, i)
    for i in reversed(range(len(program.statements))):
        yield as_input(program, i)
        for operand in range(len(program.statements[i].operands)):
            yield by_operand(program, i, operand)
    for name in program.dims:
        for n in (1, 2, 3, 5, 8, 17):
            yield with_dim(program, name, n)
    yield by_name(program)


def shrink(fusec, program, seed, flags, kind):
    """The smallest program found that fails in the same way."""
    progress = True
    while progress:
        progress = False
        for smaller in candidates(program):
            if smaller is None or not smaller.is_possible():
                continue
            smaller.prune()
            with tempfile.TemporaryDirectory() as folder:
                if kind.endswith(": " + (run(fusec, smaller, seed, flags, folder)[0] or "well")):
                    program, progress = smaller, True
                    break
    return program


# ---- many -----------------------------------------------------------------------------------------

def try_seed(fusec, seed, save):
    """A message, empty when the program passes."""
    program = generate(seed)
    failure = differ(fusec, program, seed)
    if failure is None:
        return ""
    flags, kind, messages = failure
    small = shrink(fusec, program, seed, flags, kind)
    save.mkdir(parents=True, exist_ok=True)
    path = save / f"{seed}.fx"
    path.write_text(str(small))
    if seed % 2 == 0:
        write_inputs(small, seed, save / f"{seed}.safetensors")
    return f"FAIL seed {seed}, {kind}\n{messages}made smaller ({path}):\n{small}"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--forever", action="store_true")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--save", type=pathlib.Path,
                        default=pathlib.Path(tempfile.gettempdir(), "fusec-random"))
    options = parser.parse_args()
    seeds = itertools.count(options.seed)
    if not options.forever:
        seeds = itertools.islice(seeds, options.count)
    passed = failed = 0
    try:
        with ThreadPoolExecutor(options.workers) as pool:
            while batch := list(itertools.islice(seeds, 10 * options.workers)):
                for message in pool.map(
                        lambda seed: try_seed(options.fusec, seed, options.save), batch):
                    passed, failed = passed + (not message), failed + bool(message)
                    if message:
                        print(message, flush=True)
                if options.forever:
                    print(f"{passed} passed, {failed} failed", flush=True)
    except KeyboardInterrupt:
        pass
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
