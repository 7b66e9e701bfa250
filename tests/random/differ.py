#!/usr/bin/env python3
"""Runs random programs in all ways and compares: the evaluator with compiled C, fused and with one kernel
per operator, with CUDA executed on the CPU, and with a GPU. A program that fails is reduced and kept.

    python3 tests/random/differ.py FUSEC [--count 30] [--seed 1] [--forever] [--workers 2] [--save FOLDER]
                                         [--ways fused,unfused,derived,cuda,gpu,emitted]

Programs with odd seeds are compiled for the sizes given; those with even seeds leave the dims open
and take them from a file of inputs, some of which hold NaN, infinities and zeros. C is compiled for
this processor and for earlier ones, by the seed.
"""
import argparse
import itertools
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import replace

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "random"), str(TESTS), str(TESTS / "shim")]
import emulate  # noqa: E402
import processors  # noqa: E402
import safetensors  # noqa: E402
from cuda_model import CudaModel  # noqa: E402
from generate import FLOATS, generate  # noqa: E402

TIMEOUT = 120  # seconds for one run
ARCHITECTURES = ("sm_80", "sm_90a", "sm_75", "sm_120")
BY_HAND = TESTS / "random/by_hand.h"


# ---- running ------------------------------------------------------------------------------------

# Each way of running a program: by `fusec run` with these flags, or as CUDA on the CPU. All are
# compared with the evaluator; but of "emitted", which only compiles to text, for C and CUDA. "derived"
# runs the vjp of the program. Unfused kernels are compiled in little time, as in tests/examples.py.
WAYS = {"fused": ["--device=cpu"], "unfused": ["--device=cpu", "-O0"], "gpu": ["--device=cuda"],
        "gpu_unfused": ["--device=cuda", "-O0"], "cuda": None, "emitted": None,
        "derived": ["--device=cpu", "--fn", "vjp_of_f"]}
# Of every third seed, threads share out kernels of few elements, too.
SHARED = ["--tile", "parallel=0", "--threads", "3"]


class Runner:
    """What runs programs: fusec, and what the way "cuda" links to them."""

    def __init__(self, fusec, ways, folder):
        self.fusec, self.ways = fusec, ways
        compilers = (f"cc {processors.WARNINGS}", *processors.compilers(folder))
        self.compilers = [{"CC": compiler} for compiler in compilers]
        self.runtime = emulate.build_runtime() if "cuda" in ways else None
        doctor = subprocess.run([fusec, "doctor"], capture_output=True, text=True).stdout
        self.has_libclang = bool(re.search(r"^libclang +ok", doctor, re.M))


def write_inputs(program, seed, path):
    """Random inputs as `fusec run` makes them; one program in three gets special values too. A product of
    bf16 may take a denormal operand as 0 (docs/language.md), and 0 * inf is NaN: either of them."""
    rng = random.Random(seed)
    special = seed % 3 == 0 and "bf16x" not in program.attribute
    unusual = (math.nan, -0.0, 0.0, *rng.choice(((math.inf, -math.inf), (1e-40,))))
    tensors = {}
    for v in program.inputs:
        dims = [int(s.value(program.dims)) for s in v.shape]
        count = math.prod(dims)
        if v.dtype in FLOATS:
            values = [rng.uniform(-1, 1) for _ in range(count)]
            for i in range(count):
                if special and rng.random() < 0.02:
                    values[i] = rng.choice(unusual)
        elif v.dtype == "bool":
            values = [rng.random() < 0.5 for _ in range(count)]
        else:
            low, high = (-8, 7) if v.dtype == "i8" else (0, 9)
            values = [rng.randint(low, high) for _ in range(count)]
        tensors[v.name] = v.dtype, dims, values
    safetensors.write(path, tensors)


def text_of(runner, program, seed):
    """In some programs functions of a header take the place of some of the language: those of
    f32, so not beside f64. Reading a header takes libclang."""
    text = str(program)
    if not runner.has_libclang or seed % 8 not in (2, 5) or "f64" in text:
        return text
    whole = any("relu" in s.text and s.operands[0].dtype not in FLOATS for s in program.statements)
    called = re.sub(rf"\b(sigmoid|silu|tanh|sin{'' if whole else '|relu'})\(", r"by_hand_\1(", text)
    head, rest = called.split("\n", 1)
    return text if called == text else f'{head}\nimport "{BY_HAND.name}";\n{rest}'


def is_constant(result):
    """Is there nothing to derive?"""
    return "has no floating-point" in result.stderr


def run(runner, program, seed, way, folder):
    """(kind, messages) of one run: the kind is "" when all is well; failures of one kind have, it
    is hoped, one cause."""
    model = pathlib.Path(folder, "program.fx")
    model.write_text(text_of(runner, program, seed))
    shutil.copy(BY_HAND, folder)
    try:
        if way == "cuda":
            return run_cuda(runner, program, seed, model)
        if way == "emitted":
            return run_emitted(runner, program, seed, model)
        if way == "derived":
            model.write_text(f"{program}fn vjp_of_f = vjp(f);\n")
        shared = SHARED if way == "fused" and seed % 3 == 0 else []
        return run_fusec(runner, program, seed, model, [*WAYS[way], *shared])
    except subprocess.TimeoutExpired:
        return "timeout", str(model)


def run_fusec(runner, program, seed, model, flags):
    command = [runner.fusec, "run", str(model), "--check", *flags]
    dims = program.used_dims()
    if seed % 2 == 0 and program.inputs and "--fn" not in flags:
        inputs = str(model.with_name("inputs.safetensors"))
        write_inputs(program, seed, inputs)
        command += ["--in", inputs]
        shapes = [str(s) for v in program.inputs for s in v.shape]
        dims = {name: n for name, n in dims.items() if name not in shapes}
    for name, n in dims.items():
        command += ["-D", f"{name}={n}"]
    compiler = runner.compilers[seed // 2 % len(runner.compilers)] if "--device=cpu" in flags else {}
    quick = {"CC": f"{TESTS}/cc_quick {processors.WARNINGS}"} if "-O0" in flags else {}
    result = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT,
                            env={**compiler, **os.environ, **quick})
    if result.returncode == 0 or is_constant(result):
        return "", ""
    by = "".join(f"CC='{path}' " for path in compiler.values())
    return kind_of(result), f"{by}{' '.join(command)}\n{result.stderr}{result.stdout}"


def run_emitted(runner, program, seed, model):
    """Thousands of programs in the time that one takes to run. Where sizes are given, a report, too: it
    compiles for others beside them, and draws what it estimates."""
    dims = program.used_dims()
    sizes = [x for name, n in dims.items() for x in ("-D", f"{name}={n}")] if seed % 2 else []
    level = f"-O{seed // 2 % 8 and 2}"
    for target in (["--target=c"], ["--target=cuda", "--arch", ARCHITECTURES[seed // 4 % 4]]):
        command = [runner.fusec, str(model), *sizes, *target, level, "-o", "-"]
        result = subprocess.run(command, capture_output=True, timeout=TIMEOUT)
        text = result.stdout
        if result.returncode or not text or b"(null)" in text or not text.isascii():
            result.stderr, result.stdout = result.stderr.decode(errors="replace"), ""
            return kind_of(result), f"{' '.join(command)}\n{result.stderr}"
        command = [runner.fusec, "report", str(model), *sizes, *target]
        result = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT) if sizes else None
        if result and result.returncode:
            result.stdout = ""
            return kind_of(result), f"{' '.join(command)}\n{result.stderr}"
    return "", ""


def run_cuda(runner, program, seed, model):
    """One program in four has its tensors at odd addresses."""
    dims = program.used_dims()
    flags = [x for name, n in dims.items() for x in ("-D", f"{name}={n}")] if seed % 2 else []
    flags += ["--arch", ARCHITECTURES[seed // 4 % 3]]  # all that differ in what they execute
    inputs = model.with_name("inputs.safetensors")
    write_inputs(program, seed, inputs)
    try:
        cuda = CudaModel(runner.fusec, model, flags, runner.runtime, model.parent)
        cuda.check(dims, inputs if program.inputs else None, skew=int(seed % 4 == 3))
    except emulate.Failure as failure:
        return failure.kind(), str(failure)
    return "", ""


def kind_of(result):
    """What went wrong, without the names and numbers of this program: an output that differs, else
    the last error (the C compiler's, or the sanitizer's, when it is one)."""
    differs = re.search(r"wrong \(.*?\)", result.stdout)
    if differs:
        return differs.group()
    errors = [line for line in result.stderr.splitlines()
              if "error" in line or "bug at" in line or "SUMMARY" in line] or [""]
    error = re.sub(r"['`‘].*?['`’]|[\d.:]+|\S*/\S*", "", errors[-1])
    return f"exit {result.returncode} {' '.join(error.split())}"[:70]


def differ(runner, program, seed):
    """The first way that fails: (way, kind, messages), or None."""
    with tempfile.TemporaryDirectory() as folder:
        for way in runner.ways:
            kind, messages = run(runner, program, seed, way, folder)
            if kind:
                return way, kind, messages
    return None


# ---- shrinking ----------------------------------------------------------------------------------

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
        replace(s, operands=[new if v is old.results[0] else v for v in s.operands])
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
    smaller.statements = [replace(s, inline=False) for s in program.statements]
    return smaller if any(s.inline for s in program.statements) else None


def without_group(program, group):
    """The statements of a function where it is called."""
    smaller = copy(program)
    smaller.statements = [s.moved_to(0) if s.group == group else s for s in program.statements]
    return smaller


def plainer(program):
    """Without one of the things that are said beside the statements; types do not depend on them."""
    for name, nothing in (("asserts", []), ("reads_outputs", False)):
        if getattr(program, name):
            smaller = copy(program)
            setattr(smaller, name, nothing)
            yield smaller
    lines = program.attribute.splitlines()
    for line in lines:
        if "autocast" not in line:
            smaller = copy(program)
            smaller.attribute = "\n".join(other for other in lines if other != line)
            yield smaller


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
    for group in {s.group for s in program.statements} - {0}:
        yield without_group(program, group)
    yield from plainer(program)


def shrink(runner, program, seed, way, kind):
    """The smallest program found that fails in the same way."""
    progress = True
    while progress:
        progress = False
        for smaller in candidates(program):
            if smaller is None or not smaller.is_possible():
                continue
            smaller.prune()
            with tempfile.TemporaryDirectory() as folder:
                if run(runner, smaller, seed, way, folder)[0] == kind:
                    program, progress = smaller, True
                    break
    return program


# ---- many ---------------------------------------------------------------------------------------

def try_seed(runner, seed, save):
    """A message, empty when the program passes."""
    program = generate(seed)
    failure = differ(runner, program, seed)
    if failure is None:
        return ""
    way, kind, messages = failure
    small = shrink(runner, program, seed, way, kind)
    save.mkdir(parents=True, exist_ok=True)
    path = save / f"{seed}.fx"
    path.write_text(text_of(runner, small, seed))
    shutil.copy(BY_HAND, save)
    if seed % 2 == 0 or way == "cuda":
        write_inputs(small, seed, save / f"{seed}.safetensors")
    return f"FAIL seed {seed}, {way}: {kind}\n{messages}made smaller ({path}):\n{text_of(runner, small, seed)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--forever", action="store_true")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--save", type=pathlib.Path,
                        default=pathlib.Path(tempfile.gettempdir(), "fusec-random"))
    parser.add_argument("--ways", default="fused,unfused")
    options = parser.parse_args()
    if "cuda" in options.ways.split(",") and not shutil.which(emulate.COMPILER):
        print(f"skipped: there is no {emulate.COMPILER}")
        sys.exit(77)
    seeds = itertools.count(options.seed)
    if not options.forever:
        seeds = itertools.islice(seeds, options.count)
    passed = failed = 0
    try:
        with ThreadPoolExecutor(options.workers) as pool, tempfile.TemporaryDirectory() as folder:
            runner = Runner(options.fusec, options.ways.split(","), folder)
            while batch := list(itertools.islice(seeds, 10 * options.workers)):
                for message in pool.map(
                        lambda seed: try_seed(runner, seed, options.save), batch):
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
