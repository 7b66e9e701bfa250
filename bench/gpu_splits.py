#!/usr/bin/env python3
"""Products of few output tiles that fusec emits (split-K), and of rows that are no multiple of 32 bytes,
on a GPU, beside PyTorch's (cuBLAS) in the same run.

    python3 bench/gpu_splits.py build FUSEC FOLDER [ARCH]   emits and compiles; needs nvcc, no GPU
    python3 bench/gpu_splits.py run FOLDER                   measures; needs a GPU and PyTorch

y[M, N] = x[M, K] @ w[N, K].T in bf16. A CUDA graph holds enough calls for 2 ms, over as many sets of
operands as exceed the L2 cache; times are medians of 15 replays. GB/s counts operands and results once.
"""

import ctypes
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from gpu_decode import ROTATED, microseconds

MODEL = "bench/gpu/matmul.fx"
SHAPES = [
    (1, 4096, 4096), (8, 4096, 14336), (8, 14336, 4096), (16, 5120, 5120), (16, 2560, 20480),
    (64, 4096, 4096), (128, 4096, 4096), (256, 1024, 8192), (256, 4096, 4096), (512, 512, 4096),
    (512, 512, 65536), (512, 2048, 2048), (512, 4096, 4096), (1000, 1000, 1000), (1024, 1024, 1024),
    (1024, 1024, 4096), (1024, 1024, 8192), (1536, 1536, 1536), (2048, 512, 4096), (2048, 512, 4128),
    (2048, 2048, 2048), (300, 3000, 3000), (4096, 4096, 4104),
]  # fmt: skip


def build(fusec, folder, arch="sm_90a"):
    folder.mkdir(parents=True, exist_ok=True)
    code = f"-gencode=arch=compute_{arch[3:]},code={arch}"
    flags = ["-O3", code, "--shared", "-Xcompiler", "-fPIC"]

    def build_one(shape):
        source = folder / f"product_{'_'.join(map(str, shape))}.cu"
        sizes = [f"-D{name}={n}" for name, n in zip("MNK", shape, strict=True)]
        target = ["--target", "cuda", "--arch", arch, "-o", source]
        subprocess.run([fusec, MODEL, *sizes, *target], check=True)
        subprocess.run(["nvcc", *flags, source, "-o", source.with_suffix(".so")], check=True)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(build_one, SHAPES))


def emitted(torch, path, out):
    """A function of x and w that fills `out` on the current stream."""
    library = ctypes.CDLL(str(path.resolve()))
    size = library.product_workspace
    size.restype = ctypes.c_longlong
    workspace = torch.empty(max(size(), 1), device="cuda", dtype=torch.uint8)

    def call(x, w):
        pointers = [ctypes.c_void_p(t.data_ptr()) for t in (x, w, out, workspace)]
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        if library.product(*pointers, stream):
            sys.exit("a launch failed")

    return call


def measure(torch, folder, m, n, k):
    random = lambda *shape: torch.randn(shape, device="cuda", dtype=torch.bfloat16)  # noqa: E731
    moved = 2 * (m * k + n * k + m * n)
    sets = [(random(m, k), random(n, k)) for _ in range(-(-ROTATED // moved))]
    out = torch.full((m, n), float("nan"), device="cuda", dtype=torch.bfloat16)
    call = emitted(torch, folder / f"product_{m}_{n}_{k}.so", out)
    call(*sets[0])
    want = sets[0][0].double() @ sets[0][1].double().T
    error = ((out.double() - want).norm() / want.norm()).item()
    if not error < 1e-2:
        sys.exit(f"M={m} N={n} K={k}: relative error {error}")
    own = microseconds(torch, call, sets)
    peer = microseconds(torch, lambda x, w: torch.mm(x, w.T, out=out), sets)
    cells = [m, n, k, f"{own:.1f}", f"{peer:.1f}", f"{moved / own * 1e-3:.0f}"]
    cells += [f"{2e-6 * m * n * k / own:.0f}", f"{peer / own:.2f}", f"{error:.1e}"]
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def run(folder):
    import torch

    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}\n")
    heads = ["M", "N", "K", "fusec, us", "PyTorch, us", "GB/s", "TFLOP/s", "times as fast"]
    heads += ["relative error"]
    print("| " + " | ".join(heads) + " |\n|" + "---:|" * len(heads))
    for shape in SHAPES:
        measure(torch, folder, *shape)


def main():
    if len(sys.argv) > 3 and sys.argv[1] == "build":
        build(sys.argv[2], pathlib.Path(sys.argv[3]), *sys.argv[4:5])
    elif len(sys.argv) == 3 and sys.argv[1] == "run":
        run(pathlib.Path(sys.argv[2]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
