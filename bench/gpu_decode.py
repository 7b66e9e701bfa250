#!/usr/bin/env python3
"""Attention of few queries and many keys, as in decoding, that fusec emits, on a GPU, beside
PyTorch's scaled_dot_product_attention by each of its backends in the same run.

    python3 bench/gpu_decode.py build FUSEC FOLDER [ARCH]   emits and compiles; needs nvcc, no GPU
    python3 bench/gpu_decode.py run FOLDER [OTHER]          measures; needs a GPU and PyTorch

OTHER: a folder built with another fusec, as it was before a change. 32 heads share 8 of keys and
values, of 128 numbers in bf16; the number of keys is open when it is compiled. A CUDA graph holds
enough calls for 2 ms, over as many sets of keys and values as exceed the L2 cache; times are medians
of 15 replays. GB/s counts keys and values, read once.
"""

import ctypes
import pathlib
import statistics
import subprocess
import sys

HEADS, SHARED, DEPTH = 32, 8, 128
MODEL = """fn decode[S](
    q: bf16[{b}, 8, 4, {n}, 128], k: bf16[{b}, 8, S, 128], v: bf16[{b}, 8, S, 128]
) -> (o: bf16[{b}, 8, 4, {n}, 128]) {{
    s = einsum("bgrqd,bgsd->bgrqs", q, k) * rsqrt(128.0);
    o = einsum("bgrqs,bgsd->bgrqd", softmax(s) as bf16, v);
}}
"""
SHAPES = [(b, n) for n in (1, 16) for b in (1, 8, 32)]
KEYS = (4096, 16384, 65536, 131072)
BACKENDS = ("FLASH_ATTENTION", "CUDNN_ATTENTION")  # the third refuses heads that are shared
PEAK = 4800  # GB/s, as NVIDIA's data sheet of the H200 says
ROTATED = 256 << 20  # bytes of keys and values at least


def build(fusec, folder, arch="sm_90a"):
    folder.mkdir(parents=True, exist_ok=True)
    for b, n in SHAPES:
        path = folder / f"decode_{b}_{n}.fx"
        path.write_text(MODEL.format(b=b, n=n))
        source, library = path.with_suffix(".cu"), path.with_suffix(".so")
        subprocess.run([fusec, path, "--target", "cuda", "--arch", arch, "-o", source], check=True)
        code = f"-gencode=arch=compute_{arch[3:]},code={arch}"
        flags = ["-O3", code, "--shared", "-Xcompiler", "-fPIC"]
        subprocess.run(["nvcc", *flags, source, "-o", library], check=True)


def emitted(torch, folder, b, n, keys, out):
    """A function of queries, keys and values that fills `out` on the current stream."""
    library = ctypes.CDLL(str((folder / f"decode_{b}_{n}.so").resolve()))
    library.decode_workspace.restype = ctypes.c_longlong
    size = ctypes.c_longlong(keys)
    workspace = torch.empty(max(library.decode_workspace(size), 1), device="cuda", dtype=torch.uint8)

    def call(*inputs):
        pointers = [ctypes.c_void_p(t.data_ptr()) for t in (*inputs, out)]
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        if library.decode(*pointers, size, ctypes.c_void_p(workspace.data_ptr()), stream):
            sys.exit("a launch failed")

    return call


def attend(torch, backend):
    kernel = getattr(torch.nn.attention.SDPBackend, backend)

    def call(q, k, v):
        with torch.nn.attention.sdpa_kernel(kernel):
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)

    return call


def microseconds(torch, call, sets):
    """Of one call; None where the call refuses."""
    try:
        call(*sets[0])
    except RuntimeError:
        return None
    torch.cuda.synchronize()
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    call(*sets[-1])
    end.record()
    end.synchronize()
    calls = len(sets) * max(1, min(50, int(2 / max(start.elapsed_time(end), 0.005) / len(sets))))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for i in range(calls):
            call(*sets[i % len(sets)])
    times = []
    for _ in range(17):
        start.record()
        graph.replay()
        end.record()
        end.synchronize()
        times.append(1e3 * start.elapsed_time(end) / calls)
    return statistics.median(times[2:])


def error_of(torch, out, q, k, v):
    """Of one head of keys, against double precision."""
    rows = q[0, :4].double().reshape(-1, DEPTH)
    scores = rows @ k[0, 0].double().T * DEPTH**-0.5
    want = scores.softmax(-1) @ v[0, 0].double()
    return ((out[0, :4].double().reshape(-1, DEPTH) - want).norm() / want.norm()).item()


def measure(torch, folders, b, n, keys):
    random = lambda *shape: torch.randn(shape, device="cuda", dtype=torch.bfloat16)  # noqa: E731
    moved = 2 * b * SHARED * keys * DEPTH * 2
    sets = [
        (random(b, HEADS, n, DEPTH), random(b, SHARED, keys, DEPTH), random(b, SHARED, keys, DEPTH))
        for _ in range(max(1, -(-ROTATED // moved)))
    ]
    out = torch.empty_like(sets[0][0])
    own = []
    for folder in folders:
        call = emitted(torch, folder, b, n, keys, out)
        out.fill_(float("nan"))
        call(*sets[0])
        error = error_of(torch, out, *sets[0])
        if not error < 1e-2:
            sys.exit(f"{folder}: B={b} Q={n} S={keys}: relative error {error}")
        own.append((microseconds(torch, call, sets), error))
    peers = [microseconds(torch, attend(torch, backend), sets) for backend in BACKENDS]
    best = min(t for t in peers if t)
    text = lambda t: f"{t:.1f}" if t else "-"  # noqa: E731
    cells = [b, n, keys, *(text(t) for t, _ in reversed(own)), *(text(t) for t in peers)]
    rate = moved / own[0][0] * 1e-3
    cells += [f"{rate:.0f}", f"{rate / PEAK:.2f}", f"{best / own[0][0]:.2f}", f"{own[0][1]:.1e}"]
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def run(folders):
    import torch

    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}\n")
    before = ["before"] if len(folders) > 1 else []
    heads = ["B", "Q", "S", *before, "fusec, us", "flash", "cuDNN"]
    heads += ["GB/s", "of peak", "times as fast as the best", "relative error"]
    print("| " + " | ".join(heads) + " |\n|" + "---:|" * len(heads))
    for b, n in SHAPES:
        for keys in KEYS:
            measure(torch, folders, b, n, keys)


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("build", "run"):
        sys.exit(__doc__)
    if sys.argv[1] == "build":
        build(sys.argv[2], pathlib.Path(sys.argv[3]), *sys.argv[4:])
    else:
        run([pathlib.Path(f) for f in sys.argv[2:]])


if __name__ == "__main__":
    main()
