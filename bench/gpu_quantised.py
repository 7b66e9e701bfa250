#!/usr/bin/env python3
"""Products of bf16 with weights of 16, 8 and 4 bits that fusec emits, on a GPU, beside PyTorch's of
bf16 (cuBLAS) in the same run.

    python3 bench/gpu_quantised.py build FUSEC FOLDER     emits and compiles; needs nvcc, no GPU
    python3 bench/gpu_quantised.py run FOLDER             measures; needs a GPU and PyTorch

w16: bf16; w8: i8, a scale for each row; w4: two in a byte, a scale for each 128; w4z: the same with bf16
scales and zero points, as GPTQ and AWQ have them. All dims are given. An arm is a CUDA graph of a call on
each of several sets of buffers, of BYTES together; arms take turns, ROUNDS times; times are medians of a
call. The error is that of all results against f64.
"""
import pathlib
import statistics
import sys

from gpu_clock import graphed, seconds_of
from gpu_emitted import Emitted, build

HERE = pathlib.Path(__file__).parent
MODELS = {
    "w16": (HERE / "gpu/matmul.fx", "product"),
    "w8": (HERE / "gpu/matmul_w8.fx", "linear"),
    "w4": (HERE / "gpu/matmul_w4.fx", "linear"),
    "w4z": (HERE / "gpu/matmul_w4_zeros.fx", "linear"),
}
SIZES = [(1, 4096, 4096), (16, 4096, 4096), (32, 4096, 4096), (64, 4096, 4096), (128, 4096, 4096),
         (4096, 4096, 4096), (8, 14336, 4096), (8, 4096, 14336), (64, 14336, 4096),
         (128, 14336, 4096), (64, 4096, 14336), (128, 4096, 14336)]
ROUNDS, BYTES, MOST = 13, 256 << 20, 24


def file_of(kind, size):
    return f"{kind}_" + "_".join(map(str, size))


def dims_of(size):
    return dict(zip("MNK", size, strict=True))


def weights(torch, kind, n, k):
    """What the model takes beside x, and the matrix of bf16 that it means."""
    def random(*shape):
        return torch.rand(shape, device="cuda")
    if kind == "w16":
        w = (2 * random(n, k) - 1).bfloat16()
        return (w,), w
    if kind == "w8":
        w = torch.randint(-128, 128, (n, k), device="cuda", dtype=torch.int8)
        s = 0.01 * random(n) + 0.001
        return (w, s), (w.float() * s[:, None]).bfloat16()
    w = torch.randint(0, 256, (n, k // 2), device="cuda", dtype=torch.uint8)
    q = torch.stack([w % 16, w // 16], -1).reshape(n, k // 128, 128).float()
    s = 0.1 * random(n, k // 128) + 0.01
    if kind == "w4":
        return (w, s), ((q - 8) * s[..., None]).reshape(n, k).bfloat16()
    s = s.bfloat16()
    z = torch.randint(0, 16, (n, k // 128), device="cuda", dtype=torch.uint8)
    real = (q - z.float()[..., None]) * s.float()[..., None]
    return (w, s, z), real.reshape(n, k).bfloat16()


def sets_of(tensors, size):
    """Copies of the operands, enough of them to be out of the L2 cache."""
    count = max(2, min(MOST, -(-BYTES // sum(t.nbytes for t in tensors))))
    return [tensors] + [[t.clone() for t in tensors] for _ in range(count - 1)]


def measure(torch, folder, kind, size):
    m, n, k = size
    ours = Emitted(torch, folder, file_of(kind, size), MODELS[kind][1], dims_of(size))
    x = (2 * torch.rand(m, k, device="cuda") - 1).bfloat16()
    given, real = weights(torch, kind, n, k)
    want = x.double() @ real.double().T
    error = ((ours(x, *given)[0].double() - want).norm() / want.norm()).item()
    arms = {"fusec": (lambda *t: ours(*t)[0], sets_of([x, *given], size)),
            "PyTorch": (lambda a, w: a @ w.T, sets_of([x, real], size))}
    calls = {name: graphed(torch, lambda call=call, sets=sets: [call(*t) for t in sets])
             for name, (call, sets) in arms.items()}
    times = {name: [] for name in arms}
    for _ in range(ROUNDS):
        for name, call in calls.items():
            times[name].append(1e6 * seconds_of(torch, call, 2) / len(arms[name][1]))
    own, peer = (statistics.median(times[name]) for name in ("fusec", "PyTorch"))
    print(f"| {kind} | {m} x {n} x {k} | {own:.1f} | {peer:.1f} | {peer / own:.2f} | {error:.1e} |",
          flush=True)


def main():
    folder = pathlib.Path(sys.argv[-1])
    cases = [(kind, size) for size in SIZES for kind in MODELS]
    if sys.argv[1] == "build":
        for kind, size in cases:
            build(sys.argv[2], folder, file_of(kind, size), MODELS[kind][0].read_text(),
                  dims_of(size))
        return
    import torch
    torch.manual_seed(1)
    print(torch.cuda.get_device_name(), torch.__version__)
    print("| weights | M x N x K | fusec, us | PyTorch, us | times as fast | error |")
    print("|---|---|---:|---:|---:|---:|")
    with torch.cuda.stream(torch.cuda.Stream()):
        for kind, size in cases:
            measure(torch, folder, kind, size)


if __name__ == "__main__":
    main()
