#!/usr/bin/env python3
"""Products of f8 with scales of blocks of k that fusec emits, on a GPU, beside cuBLASLt with the same
scales (`torch._scaled_mm`) in the same run.

    python3 bench/gpu_scaled.py build FUSEC FOLDER     emits and compiles; needs nvcc, no GPU
    python3 bench/gpu_scaled.py run FOLDER             measures; needs a GPU and PyTorch

A row of a has a scale for each 128 elements; b has one for each 128 x 128 ("tiles"), or as a ("rows").
An arm is a CUDA graph of a call on each of several sets of buffers, of 128 MB together; arms take turns,
ROUNDS times for 3 ms or more; times are medians of a call. Errors are those of 64 rows against f32.
"""
import itertools
import pathlib
import statistics
import sys

from gpu_clock import graphed, seconds_of
from gpu_emitted import Emitted, build

HEAD = "@precision(f8)\nfn scaled[M, N, K](a: f8e4m3[M, K], b: f8e4m3[N, K], s: f32[K/128, M], "
ROWS = HEAD + """t: f32[K/128, N]) -> (c: bf16[M, N]) {
    p = einsum("mbk,nbk->bmn", reshape(a, M, K / 128, 128), reshape(b, N, K / 128, 128));
    c = sum(p * s[:, :, None] * t[:, None], axis = 0);
}
"""
TILES = HEAD + """t: f32[K/128, N/128]) -> (c: bf16[M, N]) {
    p = einsum("mbk,nrbk->bmnr", reshape(a, M, K / 128, 128), reshape(b, N / 128, 128, K / 128, 128));
    c = reshape(sum(p * (s[:, :, None, None] * t[:, None, :, None]), axis = 0), M, N);
}
"""
MODELS = {"tiles": TILES, "rows": ROWS}
SIZES = [(4096, 4096, 4096), (8192, 2048, 7168), (4096, 7168, 2048), (64, 4096, 7168)]
CASES = list(itertools.product(MODELS, SIZES))
ROUNDS, ROUND, BYTES = 13, 3e-3, 128 << 20


def file_of(kind, size):
    return f"scaled_{kind}_" + "_".join(map(str, size))


def dims_of(size):
    return dict(zip("MNK", size, strict=True))


def operands(torch, kind, size):
    """a, b, s, t."""
    m, n, k = size
    a, b = (torch.randn(rows, k, device="cuda").to(torch.float8_e4m3fn) for rows in (m, n))
    s, t = (torch.rand(k // 128, c, device="cuda") + 0.5
            for c in (m, n if kind == "rows" else n // 128))
    return a, b, s, t


def expected(torch, kind, a, b, s, t):
    """64 rows of the product, in f32."""
    def each(x, scales):
        return (x.float().unflatten(1, (-1, 128)) * scales.T[:, :, None]).flatten(1)
    of_b = t if kind == "rows" else t.repeat_interleave(128, dim=1)
    return each(a[:64], s[:, :64]) @ each(b, of_b).T


def peer(torch, kind, a, b, s, t):
    of_b = t if kind == "rows" else t.T.contiguous().T
    return torch._scaled_mm(a, b.T, scale_a=s.T, scale_b=of_b, out_dtype=torch.bfloat16)


def arms_of(torch, calls, sets, want):
    """name -> (a call on every set, its error), of those that take these operands."""
    arms = {}
    for name, call in calls.items():
        try:
            error = ((call(*sets[0])[:64] - want).norm() / want.norm()).item()
            arms[name] = graphed(torch, lambda call=call: [call(*given) for given in sets]), error
        except (RuntimeError, ValueError) as refusal:
            print(f"{name}: {str(refusal).splitlines()[0]}", file=sys.stderr)
    return arms


def measure(torch, folder, kind, size):
    ours = Emitted(torch, folder, file_of(kind, size), "scaled", dims_of(size))
    count = max(2, BYTES // sum(t.nbytes for t in operands(torch, kind, size)))
    sets = [operands(torch, kind, size) for _ in range(count)]
    calls = {"fusec": lambda *given: ours(*given)[0],
             "cuBLASLt": lambda *given: peer(torch, kind, *given)}
    arms = arms_of(torch, calls, sets, expected(torch, kind, *sets[0]))
    times = {name: [] for name in arms}
    replays = max(1, int(ROUND / seconds_of(torch, arms["fusec"][0])))
    for _ in range(ROUNDS):
        for name, (arm, _) in arms.items():
            times[name].append(seconds_of(torch, arm, replays) / count)
    text = "; ".join(f"{name} {1e6 * statistics.median(times[name]):.1f} us, error {error:.1e}"
                     for name, (_, error) in arms.items())
    print(f"scales of {kind}, {' x '.join(map(str, size))}: {text}", flush=True)


def main():
    folder = pathlib.Path(sys.argv[-1])
    if sys.argv[1] == "build":
        for kind, size in CASES:
            build(sys.argv[2], folder, file_of(kind, size), MODELS[kind], dims_of(size))
        return
    import torch
    torch.manual_seed(1)
    with torch.cuda.stream(torch.cuda.Stream()):
        for kind, size in CASES:
            measure(torch, folder, kind, size)


if __name__ == "__main__":
    main()
