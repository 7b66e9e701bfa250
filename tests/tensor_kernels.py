#!/usr/bin/env python3
"""Kernels on tensor cores, compiled by NVRTC: none may spill, or have a stack frame; shared memory
has to fit the architecture; registers are about those that the plan says.

    python3 tests/tensor_kernels.py FUSEC NVRTC [--all]

NVRTC is the test program nvrtc_compile. Each model is compiled for sm_90a and one of the other
architectures, which take turns; a text that is emitted alike for both is compiled for one of them, and
one of more than MANY kernels, whose like other models have, for sm_90a alone.
With --all: every example, every type in every layout, and each text for all architectures.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests/shim"), str(ROOT / "tests")]
import products  # noqa: E402
from examples import LONG  # noqa: E402

SKIPPED = 77
KB = 1024
# Bytes of shared memory that a block may have (CUDA Programming Guide, "Compute Capabilities").
SHARED = {
    "sm_75": 64 * KB,
    "sm_80": 163 * KB,
    "sm_86": 99 * KB,
    "sm_89": 99 * KB,
    "sm_90a": 227 * KB,
    "sm_100": 227 * KB,
    "sm_103": 227 * KB,
    "sm_120": 99 * KB,
    "sm_121": 99 * KB,
}
MANY = 3
FEW = ("sm_80", "sm_89", "sm_90a", "sm_103", "sm_120")
# Registers that the plan says, against those that ptxas takes: 9 kernels of 10 are CLOSE, and none is
# beyond FAR. What is too few is too high an occupancy, and what is too many too small a tile.
CLOSE, FAR = 0.15, {"too few": 0.4, "too many": 0.8}
WITHOUT = ("u8", "f32", "f64", "i32")  # types that have no tensor cores
SIZES = [
    "-D M=4096 -D N=4096 -D K=4096",
    "-D M=256 -D N=512 -D K=1024",
    "-D M=8 -D N=4096 -D K=4096",
    "",
]
UNALIGNED = "-D M=4095 -D N=4097 -D K=4100"  # rows of operands are no multiple of 16 bytes
ROWS = {"dot_rows": ["-D M=8192 -D N=160 -D K=256", "-D M=65536 -D N=512 -D K=512",
                     "-D M=100 -D N=33 -D K=72"],
        "split_columns": ["-D M=4096"]}


def jobs(everything):
    """(name, text of the model, flags)"""
    for flags in SIZES:
        yield "bf16", products.plain("rows_rows", "bf16"), flags
    for layout in products.LAYOUTS:
        for types in products.TYPES:
            if types not in WITHOUT and (everything or types == "bf16" or layout == "rows_rows"):
                yield f"{types}_{layout}", products.plain(layout, types), SIZES[0]
    for name in ("gated", "three", "projected", "four", "added", "added_computed", "dequantised",
                 "batched"):
        yield name, products.other(name), SIZES[0]
    yield "gated", products.other("gated"), UNALIGNED
    yield "f8e4m3", products.plain("rows_rows", "f8e4m3"), UNALIGNED
    for name in products.HEADS:
        yield name, products.other(name), SIZES[0]
    for name in products.BLOCKS:
        for flags in (SIZES[0], SIZES[2], SIZES[3]):
            yield name, products.other(name), flags
    for model, sizes in ROWS.items():
        for flags in sizes:
            yield model, (ROOT / f"tests/sched/{model}.fx").read_text(), flags
    for model in ("attention_causal", "attention_full"):
        text = (ROOT / f"tests/sched/{model}.fx").read_text()
        known = "-D B=2 -D H=16 -D S=8192 -D D=128"
        for flags in ("-D D=64", "-D D=128", "-D D=256", known):
            if everything or flags in ("-D D=64", known):
                yield model, text, flags
    yield "attention_capped", (ROOT / "bench/gpu/attention_capped.fx").read_text(), "-D D=256"
    for precision in ("tf32", "tf32x3", "bf16x3"):
        text = (ROOT / "tests/sched/attention_full.fx").read_text().replace("bf16", "f32")
        for d in (32, 64, 128):
            if everything or d == 128 or precision != "tf32":
                yield (f"attention_{precision}", f"@precision({precision})\n{text}",
                       f"-D B=2 -D H=16 -D S=4096 -D D={d}")
    text = (ROOT / "tests/sched/chain_backward.fx").read_text()
    for flags in ("-D D=128", "-D D=64"):
        if everything or flags == "-D D=128":
            yield "chain_backward", text, flags
    text = (ROOT / "tests/sched/attention_queries.fx").read_text()
    for d in (64, 128, 256):
        for q in (1, 8, 16):
            if everything or d == 128:
                yield "attention_queries", text, f"-D G=8 -D Q={q} -D D={d}"
    for path in sorted((ROOT / "examples").glob("*.fx")):
        if everything or path.stem not in LONG and "@" in path.read_text().replace("// ", ""):
            yield path.stem, path.read_text(), ""


class Failure(Exception):
    pass


def command(arguments):
    arguments = [str(a) for a in arguments]
    result = subprocess.run(arguments, capture_output=True, text=True)
    if result.returncode == SKIPPED:
        print(result.stderr, end="", flush=True)
        os._exit(SKIPPED)
    if result.returncode:
        raise Failure(f"exit status {result.returncode}: {' '.join(arguments)}\n"
                      f"{result.stderr[-2000:]}")
    return result


def kernels(text):
    """name -> (registers, bytes of dynamic shared memory) of those on tensor cores."""
    found = {}
    for name, comment in re.findall(r"^/\* (\w+): (.*?)\*/", text, re.M | re.S):
        registers = re.search(r"about\s+(\d+)\s", re.sub(r"\n \*", "\n", comment))
        shared = re.search(rf"^constexpr int {name}_shared = ([\d +*]+);", text, re.M)
        if registers and "Tensor cores" in re.sub(r"\s+\*?\s*", " ", comment):
            found[name] = int(registers[1]), eval(shared[1])
    return found


def reports(log):
    """name -> (registers, bytes of stack frame and of spills), as ptxas tells."""
    return {
        name: (int(used), int(stack) + int(stores) + int(loads))
        for name, stack, stores, loads, used in re.findall(
            r"Compiling entry function '(\w+)'.*?(\d+) bytes stack frame, (\d+) bytes spill "
            r"stores, (\d+) bytes spill loads.*?Used (\d+) registers",
            log,
            re.S,
        )
    }


def architectures(o, number, job):
    if o.all or (job[0], job[2]) == ("bf16", SIZES[0]):
        return list(SHARED)
    if job[0] in products.BLOCKS or job[0] in products.HEADS:  # one kernel there
        return ["sm_90a"]
    others = [arch for arch in FEW if arch != "sm_90a"]
    return ["sm_90a", others[number % len(others)]]


def emitted(o, number, job, folder):
    """(what, architecture, emitted file) for each architecture; for one where no kernel is on tensor
    cores. Raises Failure."""
    name, text, flags = job
    folder.mkdir()
    model = folder / f"{name}.fx"
    model.write_text(text)
    for arch in architectures(o, number, job):
        cu = folder / f"{name}_{arch}.cu"
        command([o.fusec, model, *flags.split(), "--target", "cuda", "--arch", arch, "-o", cu, "-I",
                 ROOT / "examples"])
        yield f"{name} {flags} for {arch}", arch, cu
        found = kernels(cu.read_text())
        if not found or len(found) > MANY and not o.all:
            return


def compiled(o, number, files):
    """Those that are compiled; texts are alike when they differ in their heads at most."""
    alike = {}
    for file in files:
        alike.setdefault(file if o.all else file[2].read_text().partition("*/")[2], []).append(file)
    return [group[number % len(group)] for group in alike.values()]


def attempt(o, number, job, folder):
    """(messages, empty where a kernel passes, errors of the prediction)"""
    messages, errors = [], []
    try:
        files = list(emitted(o, number, job, folder))
        for what, arch, cu in files:
            messages += [f"FAIL {what}: {kernel}: {shared} bytes of shared memory"
                         for kernel, (_, shared) in kernels(cu.read_text()).items()
                         if shared > SHARED[arch]]
        for file in compiled(o, number, files):
            check(o, *file, messages, errors)
    except Failure as failure:
        messages.append(f"FAIL {job[0]} {job[2]}: {failure}")
    return messages, errors


def check(o, what, arch, cu, messages, errors):
    """Compiles a file, and adds what is found; unoptimised where nothing else is to be found. Raises
    Failure."""
    found = kernels(cu.read_text())
    how = "--ptxas-options=-v" if found or o.all else "--quick"
    log = command([o.nvrtc, how, "--arch", arch, cu]).stderr
    told = reports(log)
    serialised = " ".join(re.findall(r"^.*\(C7\d+\).*$", log, re.M))
    for kernel, (registers, _) in found.items():
        used, spilled = told[kernel]
        error = (used - registers) / used
        errors.append((error, f"{what}: {used} registers, {registers} predicted"))
        bad = serialised or (f"{spilled} bytes of stack and spills" if spilled else "")
        bad = bad or (errors[-1][1] if not -FAR["too many"] <= error <= FAR["too few"] else "")
        messages.append(f"FAIL {what}: {kernel}: {bad}" if bad else "")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("fusec")
    parser.add_argument("nvrtc")
    parser.add_argument("--all", action="store_true")
    o = parser.parse_args()
    passed = failed = 0
    errors = []
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:
        numbered = enumerate(jobs(o.all))
        for messages, some in pool.map(
            lambda n: attempt(o, *n, pathlib.Path(name, str(n[0]))), numbered
        ):
            errors += some
            for message in messages:
                passed, failed = passed + (not message), failed + bool(message)
                if message:
                    print(message, flush=True)
    if errors:
        close = sum(abs(error) <= CLOSE for error, _ in errors)
        few = 10 * close < 9 * len(errors)
        passed, failed = passed + (not few), failed + few
        print(f"{'FAIL ' if few else ''}registers: {close} of {len(errors)} kernels are within 15 %;"
              f" most too few: {max(errors)[1]}; most too many: {min(errors)[1]}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
