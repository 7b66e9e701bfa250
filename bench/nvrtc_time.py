#!/usr/bin/env python3
"""What NVRTC takes for the CUDA of every example and of the models of bench/gpu: user and system time,
the least of some runs in turn, in milliseconds. Prints a Markdown table of files that take longer than
--from. No GPU is needed.

    python3 bench/nvrtc_time.py FUSEC.. [--arch sm_90a,sm_80] [--runs 3] [--from 300] [--only NAME..]

For each architecture: sizes known and tensors assumed to be aligned, as `fusec run` compiles; sizes known;
sizes open, but for the depth of an attention. With several FUSECs, in turn: before and after a change.
"""
import argparse
import ctypes
import datetime
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

from compile_time import EXAMPLES, processor

sys.path.append(str(pathlib.Path(__file__).parent / "gpu"))
from workloads import WORKLOADS, attention  # noqa: E402

KINDS = {"aligned": "known, aligned", "known": "known", "open": "open"}
EMPTY = b'extern "C" __global__ void empty() {}'


class Nvrtc:
    def __init__(self):
        folder = os.environ.get("FUSEC_CUDA_PATH", "")
        self.library = ctypes.CDLL(os.path.join(folder, "libnvrtc.so.13"))
        self.seconds(EMPTY, "sm_90a")  # the first compilation initialises it

    def seconds(self, source, arch):
        program = ctypes.c_void_p()
        options = (ctypes.c_char_p * 2)(f"--gpu-architecture={arch}".encode(), b"--std=c++17")
        self.library.nvrtcCreateProgram(ctypes.byref(program), source, b"model.cu", 0, None, None)
        before = resource.getrusage(resource.RUSAGE_SELF)
        status = self.library.nvrtcCompileProgram(program, 2, options)
        after = resource.getrusage(resource.RUSAGE_SELF)
        self.library.nvrtcDestroyProgram(ctypes.byref(program))
        if status:
            sys.exit(f"nvrtcCompileProgram: error {status}")
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def models():
    """Name, file, and sizes."""
    all_of = {f.stem: (f, re.search(r"^// (?:try|small): -D (.*)$", f.read_text(), re.M)[1].split(" -D "))
              for f in sorted(EXAMPLES.glob("*.fx"))}
    for w in WORKLOADS:
        if w.path.parent != EXAMPLES:
            all_of.setdefault(w.path.stem, (w.path, [f"{n}={size}" for n, size in w.large.items()]))
    sizes = {d: [f"{n}={size}" for n, size in attention("causal", d, 4096).large.items()]
             for d in (64, 128, 256)}
    for name in ("attention", "attention_backward"):
        path, _ = all_of.pop(name)
        all_of.update({f"{name}, D={d}": (path, sizes[d]) for d in sizes})
    return all_of


def emitted(fusec, path, sizes, kind, arch):
    if kind == "open":
        sizes = [x for x in sizes if x.startswith("D=") and re.search("attention|block", path.stem)]
    flags = [x for size in sizes for x in ("-D", size)] + ["--assume-aligned"] * (kind == "aligned")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "model.cu"
        subprocess.run([fusec, path, *flags, "--arch", arch, "-o", file], check=True)
        return file.read_bytes()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec", nargs="+")
    parser.add_argument("--arch", default="sm_90a,sm_80")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--from", type=int, default=300, dest="least")
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    nvrtc, arms = Nvrtc(), [(a, k) for a in options.arch.split(",") for k in KINDS]
    load = " ".join(f"{x:.2f}" for x in os.getloadavg())
    print(f"{datetime.date.today()}, {processor()}, `bench/nvrtc_time.py --runs {options.runs}`, load "
          f"of the machine {load}: milliseconds of user and system time.\n")
    print("| model | kernels |", *(f"{a}, {KINDS[k]} |" for a, k in arms))
    print("|---|---:|" + "---:|" * len(arms))
    for name, (path, sizes) in models().items():
        if options.only and name not in options.only and path.stem not in options.only:
            continue
        row, kernels, most = [], 0, 0
        for arch, kind in arms:
            texts = [emitted(fusec, path, sizes, kind, arch) for fusec in options.fusec]
            times = [[nvrtc.seconds(text, arch) for text in texts] for _ in range(options.runs)]
            least = [1e3 * min(column) for column in zip(*times)]
            kernels, most = max(kernels, texts[-1].count(b" __launch_bounds__(")), max(most, *least)
            row.append(" to ".join(f"{x:.0f}" for x in least))
        if most >= options.least:
            print(f"| {name} | {kernels} |", *(f"{x} |" for x in row), flush=True)


if __name__ == "__main__":
    main()
