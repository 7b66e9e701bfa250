#!/usr/bin/env python3
"""Causal attention on the CPU, bf16, 8 heads of 64: one kernel beside the same maths in several.

    python3 bench/cpu_attention.py FUSEC [S..]

Three plans of examples/attention.fx, timed by `fusec bench --repeat=5` one after another:

    fused      one kernel
    @strict    as @strict asks for it: two products with a softmax between them, 3 kernels
    unfused    -O0, one kernel for each operation

Prints a Markdown table. Memory is inputs, outputs, what is stored between kernels, and the workspace
that one thread asks for.
"""
import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile

MODEL = pathlib.Path(__file__).resolve().parents[1] / "examples/attention.fx"
HEADS, DEPTH = 8, 64


def command(*arguments, threads=1):
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    return subprocess.run([str(a) for a in arguments], check=True, capture_output=True, text=True,
                          env=environment).stdout


def milliseconds(fusec, model, flags, threads):
    text = command(fusec, "bench", model, *flags, "--device=cpu", "--repeat=5", "--json", threads=threads)
    return json.loads(text)["functions"][0]["whole"]["median_us"] / 1e3


def memory(fusec, model, flags, folder):
    """MiB; the workspace is what the compiled library says."""
    plan = folder / "plan.json"
    library = folder / f"attention{len(list(folder.iterdir()))}.so"  # a name of its own: they stay loaded
    command(fusec, model, *flags, "-o", plan)
    command(fusec, model, *flags, "-o", library)
    function = json.loads(plan.read_text())["functions"][0]
    last = len(function["kernels"])
    ends = sum(b["bytes"] for b in function["buffers"] if b["first"] < 0 or b["last"] == last)
    workspace = ctypes.CDLL(str(library)).attention_workspace
    workspace.restype = ctypes.c_int64
    return (ends + workspace()) / 2**20


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    fusec, sizes = sys.argv[1], [int(s) for s in sys.argv[2:]] or [1024, 2048, 4096]
    os.environ["OMP_NUM_THREADS"] = "1"
    print("| S | plan | kernels | ms, 1 thread | ms, 2 threads | times the fused | memory, MiB |")
    print("|---:|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        strict = folder / "strict.fx"
        strict.write_text(MODEL.read_text().replace("\nfn attention", "\n@strict\nfn attention"))
        for size in sizes:
            flags = ["-D", "B=1", "-D", f"H={HEADS}", "-D", f"S={size}", "-D", f"D={DEPTH}"]
            fused = None
            for plan, model, more in (("fused", MODEL, []), ("@strict", strict, []),
                                      ("unfused", MODEL, ["-O0"])):
                json_plan = folder / "count.json"
                command(fusec, model, *flags, *more, "-o", json_plan)
                kernels = len(json.loads(json_plan.read_text())["functions"][0]["kernels"])
                one, two = (milliseconds(fusec, model, flags + more, t) for t in (1, 2))
                fused = fused or one
                print(f"| {size} | {plan} | {kernels} | {one:.1f} | {two:.1f} | {one / fused:.2f} | "
                      f"{memory(fusec, model, flags + more, folder):.1f} |", flush=True)


if __name__ == "__main__":
    main()
