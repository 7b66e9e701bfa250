#!/usr/bin/env python3
"""Reductions of rows that fusec emits, on a GPU: GB/s, as a part of what a copy moves in the same run.

    python3 bench/gpu_rows.py build FUSEC FOLDER       emits and compiles; needs nvcc, no GPU
    python3 bench/gpu_rows.py run FOLDER [FOLDER]      measures; needs a GPU and PyTorch

Each input has 128 MB. Of two folders, the first is that of an older fusec. An arm is a CUDA graph of
CALLS calls; arms take turns; times are the least of a call. Outputs are compared with PyTorch's.
"""
import concurrent.futures
import pathlib
import sys

from gpu_clock import graphed, seconds_of
from gpu_emitted import Emitted, build

BYTES, CALLS, ROUNDS = 128 << 20, 8, 9
NORMS = [1001, 3000, 4096, 5000, 6001, 9000, 12288, 16384, 20001, 32768, 65536, 131072]
ONCE = [1000, 4096, 6000, 12000, 50304]
# name: type, result, what is computed, the type of gains, lengths of rows
KERNELS = {
    "softmax": ("bf16", "bf16[N, D]", "softmax(x)", "", NORMS),
    "softmax f32": ("f32", "f32[N, D]", "softmax(x)", "", [4096, 12001, 131072]),
    "layer_norm": ("bf16", "bf16[N, D]", "layer_norm(x, g, g)", "bf16", NORMS),
    "rms_norm": ("bf16", "bf16[N, D]", "rms_norm(x, g)", "bf16", NORMS),
    "logsumexp": ("bf16", "f32[N]", "logsumexp(x)", "", ONCE),
    "argmax": ("bf16", "i32[N]", "argmax(x)", "", ONCE),
    "sum": ("bf16", "f32[N]", "sum(x)", "", ONCE),
}
CASES = [(name, length) for name, kernel in KERNELS.items() for length in kernel[4]]


def rows_of(name, length):
    return BYTES // (length * (4 if KERNELS[name][0] == "f32" else 2))


def file_of(name, length):
    return f"{name.replace(' ', '_')}_{length}"


def model_of(name):
    dtype, result, value, gains, _ = KERNELS[name]
    more = f", g: {gains}[D]" if gains else ""
    return f"fn row[N, D](x: {dtype}[N, D]{more}) -> (y: {result}) {{ y = {value}; }}\n"


def expected(torch, name, x, gains):
    """Of the first rows, in f32."""
    x = x[:64].float()
    functions = torch.nn.functional
    if name.startswith("softmax"):
        return x.softmax(-1)
    if name == "layer_norm":
        return functions.layer_norm(x, x.shape[1:], gains[0].float(), gains[0].float(), 1e-5)
    if name == "rms_norm":
        return functions.rms_norm(x, x.shape[1:], gains[0].float(), 1e-6)
    return {"logsumexp": lambda: x.logsumexp(-1), "argmax": lambda: x.argmax(-1), "sum": lambda: x.sum(-1)}[name]()


def call_of(torch, folder, name, length, given):
    kernel = Emitted(torch, folder, file_of(name, length), "row", {"N": given[0].shape[0], "D": length})
    want = expected(torch, name, given[0], given[1:]).double()
    error = (kernel(*given)[0][:64].double() - want).norm() / want.norm()
    if not error < 1e-2:
        sys.exit(f"{name}, rows of {length}: the error is {error.item()}")
    return graphed(torch, lambda: [kernel(*given) for _ in range(CALLS)])


def measure(torch, folders, name, length, copy):
    dtype = torch.float32 if KERNELS[name][0] == "f32" else torch.bfloat16
    shape = (rows_of(name, length), length)
    given = [torch.randn(shape, device="cuda").to(dtype)]
    if KERNELS[name][3]:
        given.append(torch.rand(length, device="cuda").to(torch.bfloat16))
    arms = [call_of(torch, folder, name, length, given) for folder in folders]
    times = [[] for _ in arms]
    for _ in range(ROUNDS):
        for arm, own in zip(arms, times, strict=True):
            own.append(seconds_of(torch, arm) / CALLS)
    moved = given[0].nbytes * (2 if KERNELS[name][1].endswith("D]") else 1)
    cells = " | ".join(f"{1e6 * min(own):.1f} | {moved / min(own) / copy:.2f}" for own in times)
    print(f"| {name} | {shape[0]} x {length} | {cells} |", flush=True)


def copy_rate(torch):
    source = torch.empty(BYTES, dtype=torch.uint8, device="cuda")
    target = torch.empty_like(source)
    copies = graphed(torch, lambda: [target.copy_(source) for _ in range(CALLS)])
    return 2 * BYTES * CALLS / min(seconds_of(torch, copies) for _ in range(4 * ROUNDS))


def main():
    if sys.argv[1] == "build":
        fusec, folder = sys.argv[2], pathlib.Path(sys.argv[3])
        with concurrent.futures.ThreadPoolExecutor() as pool:
            made = [pool.submit(build, fusec, folder, file_of(*case), model_of(case[0]),
                                {"N": rows_of(*case), "D": case[1]}) for case in CASES]
        for one in made:
            one.result()
        return
    import torch
    folders = [pathlib.Path(name) for name in sys.argv[2:]]
    torch.manual_seed(1)
    with torch.cuda.stream(torch.cuda.Stream()):
        copy = copy_rate(torch)
        print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, a copy moves "
              f"{1e-9 * copy:.0f} GB/s\n\n| kernel | rows |{' us | of copy |' * len(folders)}\n"
              f"|---|---|{'---:|---:|' * len(folders)}")
        for name, length in CASES:
            measure(torch, folders, name, length, copy)


if __name__ == "__main__":
    main()
